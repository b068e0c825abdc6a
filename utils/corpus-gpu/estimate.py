# Part of Warplint, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""How many times slower predicted waste makes a kernel: a model of a multiprocessor with three queues.

Memory: a sector takes a multiprocessor's share of the bandwidth. Accesses of one array whose lanes lie equally far apart
fetch a sector once between them; a lane that walks its own row finds the rest of a sector in L1; warps side by side share
the sector in which one ends and the next begins. L1: a request takes a cycle for each line of 128 bytes that it touches (a
store two, where every lane has a line of its own), a cycle for each wavefront of shared memory, two for each pass of the
constant cache (utils/microbench/throughput_h200.json). Issue: a warp takes cycles to start, and each request some. The
slowest queue decides; numbers that rest on data are taken for ideal.
"""
import hashlib
import itertools
import math
import re

LINE, SECTOR, PASS = 128, 32, 2.07


class Model:
    """memory: cycles a sector; exponent: with which the queues add up; request, warp: cycles of issue. Fitted by fit()."""

    def __init__(self, memory=1.77, exponent=4, request=1, warp=20):
        self.memory, self.exponent, self.request, self.warp = memory, exponent, request, warp


def lane_stride(access):
    found = re.search(r"(?:^|[ +-])(?:(-?\d+)\*)?lane\b(?![^ ]*\*in)", access["address"])
    return abs(int(found[1] or 1)) if found else None


def loop_step(access):
    found = re.search(r"(?:(\d+)\*)?i\d+\b", access["address"])
    return int(found[1] or 1) if found else None


def lines(access, sectors):
    """Lines of 128 bytes of a request: by the distance of the lanes, else four sectors each."""
    stride = lane_stride(access)
    if access["pattern"] in ("strided", "aos") and stride:
        return max(1.0, min(sectors, access["active_lanes"] * min(stride, LINE) / LINE))
    return max(1.0, sectors / (LINE / SECTOR))


def walks(access):
    step = loop_step(access)
    return step is not None and 0 < step < SECTOR


def scattered(access):
    """Whether neighbouring warps' places are no neighbours: a remainder or an index in the address."""
    return " mod " in access["address"] or "/" in access["address"] or "[" in access["address"]


def fetched(access, accesses):
    """Sectors that a request brings from memory."""
    cost, stride = access["predicted"]["mean"], lane_stride(access)
    if access["pattern"] == "broadcast" and access["op"] == "load":
        return 0
    if access["pattern"] == "misaligned":
        partial = 3 if access["op"] != "load" else 1  # a sector written in part is read first
        return access["ideal"] + partial * (cost - access["ideal"]) if scattered(access) else access["ideal"]
    if access["pattern"] not in ("strided", "aos") or not stride:
        return cost
    if walks(access):
        return access["ideal"]
    group = [a for a in accesses if (a["object"], a["op"], a["space"]) == (access["object"], access["op"], "global")
             and lane_stride(a) == stride]
    together = sum(a["predicted"]["mean"] for a in group)
    return cost * min(1.0, access["active_lanes"] * stride / SECTOR / together)


def cycles(accesses, model, ideal=False):
    """Cycles of a multiprocessor for one warp's requests; ideal: had every request its ideal cost."""
    memory = l1 = requests = 0.0
    for access in accesses:
        weight = access["weight"] or 1
        requests += weight
        cost = access["ideal"] if ideal else access["predicted"]["mean"]
        if access["space"] == "global":
            if not (access["pattern"] == "broadcast" and access["op"] == "load"):
                memory += weight * (cost if ideal else fetched(access, accesses))
            own = max(1.0, cost / 4) if ideal else lines(access, cost)
            l1 += weight * own * (2 if own > 24 and access["op"] != "load" else 1)
        elif access["space"] == "shared":
            l1 += weight * cost
        elif access["space"] == "constant":
            l1 += weight * PASS * cost
    p = model.exponent
    issue = model.warp + model.request * requests
    return ((model.memory * memory) ** p + l1 ** p + issue ** p) ** (1 / p)


def slowdown(accesses, model):
    accesses = [a for a in accesses if a["active_lanes"] > 0 and a["space"] in ("global", "shared", "constant")]
    # A number that rests on data is a guess: what it costs is not claimed.
    accesses = [a if a["exact"] else {**a, "predicted": {"mean": a["ideal"]}} for a in accesses]
    best = cycles(accesses, model, ideal=True)
    return max(1.0, cycles(accesses, model) / best) if best else 1.0


def held_out(name):
    """A third of the pairs, by name, so that nobody chooses."""
    return hashlib.sha256(name.encode()).digest()[0] % 3 == 0


def ranks(values):
    order = sorted(range(len(values)), key=lambda i: values[i])
    found = [0.0] * len(values)
    i = 0
    while i < len(order):
        j = i
        while j + 1 < len(order) and abs(values[order[j + 1]] - values[order[i]]) < 1e-9:
            j += 1
        for k in order[i:j + 1]:
            found[k] = (i + j) / 2
        i = j + 1
    return found


def spearman(a, b):
    ra, rb = ranks(a), ranks(b)
    mean = (len(a) - 1) / 2
    over = sum((x - mean) * (y - mean) for x, y in zip(ra, rb))
    return over / math.sqrt(sum((x - mean) ** 2 for x in ra) * sum((y - mean) ** 2 for y in rb))


GRID = ((1.2, 1.5, 1.77, 2.2), (1.5, 2, 4, 8), (0.5, 1, 2, 3, 4), (0, 6, 10, 15, 20))


def fit(pairs):
    """The model of the grid whose estimates miss the measured ratios least, on a logarithmic scale."""
    def miss(model):
        return sum((math.log(slowdown(p["accesses"], model)) - math.log(p["ratio"])) ** 2 for p in pairs)
    return min((Model(*values) for values in itertools.product(*GRID)), key=miss)


def section(pairs):
    """Gives every pair its "estimate"; yields the lines of the page."""
    told = [p for p in pairs if not p["data_decides"]]
    for pair in pairs:
        pair["held_out"] = held_out(pair["name"])
    fitted = [p for p in told if not p["held_out"]]
    model = fit(fitted)
    for pair in pairs:
        pair["estimate"] = slowdown(pair["accesses"], model)
    yield ("How much slower the slow side is than the same kernel with every request at its ideal, by a model of a multiprocessor with "
           "three queues (`utils/corpus-gpu/estimate.py`). Four numbers of it are fitted: "
           f"{model.memory:g} cycles a sector from memory, {model.request:g} to issue a request, {model.warp:g} to start a warp, and the exponent "
           f"{model.exponent:g} with which the queues add up. Pairs in which data decides the cost are left out, and a third of the others, chosen by a hash of "
           "their names, is kept out of the fitting. The form of the model was found with all pairs in view, so only the four numbers are "
           "free of the held-out ones; and that these do better than the fitted ones is the luck of the draw: read the last row too.\n")
    yield "| pairs | number | rank correlation (Spearman) of estimate and measured ratio |\n|---|---|---|"
    for label, own in (("held out", [p for p in told if p["held_out"]]), ("fitted", fitted), ("all", told)):
        yield f"| {label} | {len(own)} | {spearman([p['estimate'] for p in own], [p['ratio'] for p in own]):.3f} |"
    yield "\n![estimated and measured slowdown](measured-estimates.svg)\n"
    yield ("Hollow: held out. The measured ratio is that of the two sides, and a fast side may cost more than the ideal: a tile in shared "
           "memory has barriers (`transpose/read_columns`), a loop that is not unrolled waits (`walks/distances`). Warplint's own severities "
           "do not use this model yet.")
