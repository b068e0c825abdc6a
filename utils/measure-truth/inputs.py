# Part of Warplint, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Input files that the repositories do not carry. Fixed seeds: two runs measure the same addresses.

make(entry, root, source) makes the input that an entry [kind, path, arguments...] of a manifest asks for, below root.
"""
import os
import random
import subprocess


def text(path, content):
    with open(path, "w") as out:
        out.write(content)


def keys(path, count):
    """b+tree: how many, then that many different keys, in no order."""
    order = list(range(1, count + 1))
    random.Random(path).shuffle(order)
    text(path, f"{count}\n" + "".join(f"{key}\n" for key in order))


def graph(path, nodes):
    """bfs: (first edge, edges) of each node, the start, the edges as (node, cost).
    As Rodinia's own generator does, each node is joined to 2 to 4 others drawn evenly."""
    rng = random.Random(nodes)
    edges = [[] for _ in range(nodes)]
    for node in range(nodes):
        for _ in range(rng.randint(2, 4)):
            other, cost = rng.randrange(nodes), rng.randint(1, 10)
            edges[node].append((other, cost))
            edges[other].append((node, cost))
    lines, first = [str(nodes)], 0
    for out in edges:
        lines.append(f"{first} {len(out)}")
        first += len(out)
    lines += ["", str(rng.randrange(nodes)), "", str(first)]
    lines += [f"{other} {cost}" for out in edges for other, cost in out]
    text(path, "\n".join(lines) + "\n")


def mesh(path, elements):
    """cfd: how many elements, then of each its area and four (neighbour from 1, normal of three numbers).
    Rows of 100 quadrilaterals in a channel, numbered along the rows; -1 is the wall, -2 the far field."""
    width, rng = 100, random.Random(elements)
    lines = [str(elements)]
    for e in range(elements):
        column = e % width
        sides = [(e if column else -2, (-1, 0, 0)), (e + 2 if column < width - 1 and e + 1 < elements else -2, (1, 0, 0)),
                 (e + 1 - width if e >= width else -1, (0, -1, 0)), (e + 1 + width if e + width < elements else -1, (0, 1, 0))]
        lines.append(f"{0.9 + 0.2 * rng.random():.6f} "
                     + " ".join(f"{n} {x:.6f} {y:.6f} {z:.6f}" for n, (x, y, z) in sides))
    text(path, "\n".join(lines) + "\n")


def values(path, count, low, high):
    """hotspot: one number a line."""
    rng = random.Random(f"{count} {low}")
    text(path, "".join(f"{rng.uniform(low, high):.6f}\n" for _ in range(count)))


def image(path, rows, columns):
    """srad: a grey image as plain PGM, numbers from 0 to 255."""
    rng = random.Random(rows)
    text(path, f"P2\n{columns} {rows}\n255\n" + "".join(f"{rng.randrange(256)}\n" for _ in range(rows * columns)))


def noise(path, size):
    """dwt2d reads its image as bytes, whatever they say."""
    with open(path, "wb") as out:
        out.write(random.Random(size).randbytes(size))


def symbols(path, size):
    """huffman: bytes of a geometric distribution with an entropy of 2.2 bits, as the name of its file says."""
    rng = random.Random(size)
    chance = 0.44  # -(p ld p + (1-p) ld (1-p)) / p = 2.25 bits
    weights = [chance * (1 - chance) ** k for k in range(64)]
    with open(path, "wb") as out:
        out.write(bytes(rng.choices(range(64), weights, k=size)))


def hurricanes(path, records, files, source):
    """nn: its own generator, which writes data/caneF_N.db below the folder it is started in."""
    tool = os.path.join(path, "hurricane_gen")
    os.makedirs(os.path.join(path, "data"), exist_ok=True)
    subprocess.run(["gcc", "-O2", "-w", "-o", tool, os.path.join(source, "hurricane_gen.c")], check=True)
    subprocess.run([tool, str(records), str(files)], cwd=path, check=True, stdout=subprocess.DEVNULL)
    for name in os.listdir(os.path.join(path, "data")):
        os.replace(os.path.join(path, "data", name), os.path.join(path, name))


def make(entry, root, source):
    kind, path, *arguments = entry
    path = os.path.join(root, path)
    os.makedirs(path if kind == "hurricanes" else os.path.dirname(path), exist_ok=True)
    if kind == "hurricanes":
        hurricanes(path, *arguments, source)
    else:
        globals()[kind](path, *arguments)
