# Part of Warplint, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What a request costs, by enumeration: no formulas, nothing shared with the tool.

Written from the hardware rules, not from lib/Machine, so that the two can
disagree: 32-byte sectors; 32 banks of 4 bytes; 8-byte shared accesses in two
half-warps and 16-byte ones in four quarter-warps, two of them in one for loads
whose neighbouring lanes share their addresses; lanes of one word after one another
for shared atomics that do more than count; one constant-cache pass for each
different address; eight 16-byte rows a phase for ldmatrix. The measurements behind
that are in docs/machine-model.md.
"""
import ast
import math

LANES = 32
SECTOR = 32
BANKS = 32
BANK_BYTES = 4


class AddressError(Exception):
    """The formula of an expectation cannot be evaluated."""


def global_cost(lanes, size, granule=SECTOR):
    """lanes: {lane: byte address}. -> (units, ideal)"""
    requested = {b for a in lanes.values() for b in range(a, a + size)}
    return len({b // granule for b in requested}), math.ceil(len(requested) / granule)


def _pass(addresses, size):
    """Most different words one bank must serve for these addresses."""
    banks = {}
    for a in addresses:
        for word in range(a // BANK_BYTES, (a + size - 1) // BANK_BYTES + 1):
            banks.setdefault(word % BANKS, set()).add(word)
    return max((len(words) for words in banks.values()), default=0)


def _lanes_a_pass(lanes, size, load):
    """How many lanes one pass serves; twice as many as the width allows for a load
    in which every lane shares its address with lane k ^ 1, or every one with k ^ 2."""
    group = {8: 16, 16: 8}.get(size, LANES)
    shares = lambda distance: all(lanes.get(l ^ distance, a) == a for l, a in lanes.items())
    return 2 * group if group < LANES and load and (shares(1) or shares(2)) else group


def _lane_depth(addresses, size):
    """Most lanes that any bank must serve, also those that meet in one word."""
    depth = [0] * BANKS
    for a in addresses:
        for word in range(a // BANK_BYTES, (a + size - 1) // BANK_BYTES + 1):
            depth[word % BANKS] += 1
    return max(depth)


def shared_cost(lanes, size, kind="load"):
    """Ideal: a full row of banks a wavefront; of atomics, a pass that has a lane is
    made however little it moves. Loads, stores, adds of one (`counting`) and the
    rounds of a compare-and-swap loop (`looping`, which takes the banks twice) go by
    words, other atomics by lanes."""
    depth = _lane_depth if kind == "atomic" else _pass
    group = _lanes_a_pass(lanes, size, kind == "load")
    passes = [[lanes[l] for l in range(first, first + group) if l in lanes]
              for first in range(0, LANES, group)]
    passes = [p for p in passes if p]
    units = sum(depth(p, size) for p in passes)
    rows = math.ceil(len(lanes) * size / (BANKS * BANK_BYTES))
    fewest = min(units, rows)
    if kind not in ("load", "store"):
        fewest = max(len(passes), fewest)
    return (2 * units, 2 * fewest) if kind == "looping" else (units, fewest)


def rounds(lanes):
    """Lanes of each round of a loop around compare-and-swap: one lane on an address
    succeeds a round, the lowest first."""
    while lanes:
        yield lanes
        first = {}
        for lane in sorted(lanes):
            first.setdefault(lanes[lane], lane)
        lanes = {l: a for l, a in lanes.items() if first[a] != l}


def ldmatrix_cost(lanes, matrices):
    """Phase m reads the rows that lanes 8m..8m+7 point to."""
    units = sum(_pass([lanes[l] for l in range(8 * m, 8 * m + 8)], 16) for m in range(matrices))
    return units, matrices


def constant_cost(lanes):
    return len(set(lanes.values())), 1


def request_cost(space, kind, lanes, size, matrices, granule=SECTOR):
    """kind: load, store, atomic, counting (an atomic that adds one), or looping (one
    round of an atomic that is a loop)."""
    if matrices:
        return ldmatrix_cost(lanes, matrices)
    if space == "shared":
        return shared_cost(lanes, size, kind)
    if space == "constant":
        return constant_cost(lanes)
    return global_cost(lanes, size, granule)


def _split_clauses(text):
    """'E for v in R if C' -> (E, [(v, R)...], C), splitting outside brackets."""
    parts, word, depth, start = [], "", 0, 0
    i = 0
    while i < len(text):
        ch = text[i]
        if ch in "([{":
            depth += 1
        elif ch in ")]}":
            depth -= 1
        elif depth == 0:
            for word in (" for ", " if "):
                if text.startswith(word, i):
                    parts.append(text[start:i])
                    parts.append(word.strip())
                    start = i = i + len(word)
                    break
            else:
                i += 1
                continue
            continue
        i += 1
    parts.append(text[start:])
    address, loops, condition = parts[0], [], "True"
    for keyword, clause in zip(parts[1::2], parts[2::2]):
        if keyword == "for":
            name, _, values = clause.partition(" in ")
            loops.append((name.strip(), values))
        else:
            condition = clause
    return address, loops, condition


_NAMES = {"min": min, "max": max, "abs": abs, "range": range, "int": int, "len": len}


def _code(text):
    try:
        return compile(ast.parse(text.strip(), mode="eval"), "<expectation>", "eval")
    except SyntaxError as error:
        raise AddressError(f"'{text.strip()}' is not an expression: {error.msg}") from error


class Request:
    """The requests of one memory instruction: its addresses lane by lane.

    In the formula: tid is the linear thread of the block, x y z its
    coordinates, lane and warp what they say; `for v in VALUES` makes one request
    for each value (an iteration, a block); `if C` says which lanes take part.
    """

    def __init__(self, formula):
        self.formula = formula
        address, loops, condition = _split_clauses(formula)
        self.address, self.condition = _code(address), _code(condition)
        self.loops = [(name, _code(values)) for name, values in loops]

    def _iterations(self, loops, names):
        if not loops:
            yield dict(names)
            return
        (name, values), rest = loops[0], loops[1:]
        for value in eval(values, {"__builtins__": {}}, {**_NAMES, **names}):
            yield from self._iterations(rest, {**names, name: value})

    def enumerate(self, block):
        """Yields {lane: address} for each request of each warp of a block."""
        bx, by, bz = block
        threads = bx * by * bz
        warps = range((threads + LANES - 1) // LANES)
        try:
            for names in self._iterations(self.loops, {}):
                for warp in warps:
                    lanes = {}
                    for lane in range(min(LANES, threads - LANES * warp)):
                        tid = LANES * warp + lane
                        env = {**_NAMES, **names, "tid": tid, "lane": lane, "warp": warp,
                               "x": tid % bx, "y": tid // bx % by, "z": tid // bx // by}
                        env["__builtins__"] = {}
                        if eval(self.condition, env):
                            lanes[lane] = eval(self.address, env)
                    if lanes:
                        yield lanes
        except (NameError, TypeError, ZeroDivisionError, KeyError) as error:
            raise AddressError(f"'{self.formula}': {error}") from error

    def cost(self, block, space, kind, size, matrices=0, granule=SECTOR):
        """-> (min, mean, max, mean ideal, mean active lanes) over the requests."""
        costs = [(request_cost(space, kind, lanes, size, matrices, granule), len(lanes))
                 for all_lanes in self.enumerate(block)
                 for lanes in (rounds(all_lanes) if kind == "looping" else (all_lanes,))]
        if not costs:
            raise AddressError(f"'{self.formula}': no lane takes part")
        units = [c[0] for c, _ in costs]
        return (min(units), sum(units) / len(units), max(units),
                sum(c[1] for c, _ in costs) / len(costs),
                sum(n for _, n in costs) / len(costs))
