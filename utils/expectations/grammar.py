# Part of Warplint, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Reads `// expect:` comments. docs/corpus.md explains the form."""
import re

from .oracle import AddressError, Request

PATTERNS = ("coalesced", "broadcast", "strided", "aos", "misaligned", "indirect",
            "conflict", "conflict-free", "unknown")
REASONS = ("data-dependent-address", "data-dependent-mask", "symbolic-stride",
           "unknown-alignment", "unknown-shape", "unknown-pointer", "inline-assembly",
           "opaque-call", "float-index", "loop-carried", "arithmetic", "budget-exceeded")
CHECKS = ("strided-access", "aos-field-access", "misaligned-access", "shared-bank-conflict",
          "indirect-access", "divergent-constant")
SEVERITIES = ("high", "medium", "low", "remark")

_COMMENT = re.compile(r"//\s*expect(?:\((?P<who>[^)]*)\))?:\s*(?P<body>.*)$")
_BLOCK = re.compile(r"^\s*//\s*block:\s*(?P<blocks>\d+(?:x\d+){0,2}(?:\s+\d+(?:x\d+){0,2})*)\s*$")
_SHAPE = re.compile(r"^\d+(x\d+){0,2}$")
_WHAT = re.compile(r"^(?P<space>global|shared|constant|local|generic) (?:(?P<manner>counting|looping) )?(?P<op>load|store|atomic)"
                   r"(?: (?P<bytes>\d+)-byte)?(?: (?P<matrices>[124])-matrix)?"
                   r"(?: '(?P<expression>[^']*)')?(?: at (?P<formula>.+))?$")
_NUM = r"\d+(?:\.\d+)?"
_COUNT = re.compile(rf"^(?:(?P<mean>{_NUM})(?P<guess> guessed)?(?: in (?P<lo>{_NUM})\.\.(?P<hi>{_NUM}))?"
                    rf"|(?P<only_lo>{_NUM})\.\.(?P<only_hi>{_NUM}))"
                    rf" (?P<unit>sectors?|wavefronts?), ideal (?P<ideal>{_NUM})$")
_WARNS = re.compile(r"^warns (?P<check>[a-z-]+)(?: \((?P<severity>[a-z]+)\))?$")


class ExpectationError(Exception):
    """A comment that cannot be read or contradicts its own formula."""

    def __init__(self, line, message):
        super().__init__(message)
        self.line = line


def parse_block(text):
    extents = [int(e) for e in text.split("x")]
    return tuple(extents + [1] * (3 - len(extents)))


class Expectation:
    """One access as the comment describes it; fields left out match anything."""

    def __init__(self, comment_line, line, who, body, blocks):
        self.comment_line, self.line, self.text = comment_line, line, body
        words = (who or "").split()
        self.blocks = [parse_block(word) for word in words if _SHAPE.match(word)] or blocks
        self.kernels = [word for word in words if not _SHAPE.match(word)]
        self._read(body)

    def _fail(self, message):
        raise ExpectationError(self.comment_line, message)

    def _read(self, body):
        head, *clauses = [part.strip() for part in body.split(";")]
        what, colon, count = head.rpartition(":")
        match = _WHAT.match(what.strip()) if colon else None
        if not match:
            self._fail(f"expected '<space> <op> [N-byte] ['expr'] [at <address>]: <count>', got '{head}'")
        self.space, self.op = match["space"], match["op"]
        self.kind = match["manner"] or self.op
        self.matrices = int(match["matrices"] or 0)
        self.bytes = int(match["bytes"]) if match["bytes"] else (4 * self.matrices or 4)
        self.expression = match["expression"]
        try:
            self.request = Request(match["formula"]) if match["formula"] else None
        except AddressError as error:
            self._fail(str(error))
        self._read_count(count.strip())
        self.pattern = self.reason = self.check = self.severity = self.lanes = None
        for clause in clauses:
            self._read_clause(clause)
        # One lane alone is both coalesced and a broadcast, a constant has no lay of
        # addresses that matters, and lanes that meet in one word of an atomic are
        # no bank conflict, local memory is laid out by the hardware: there the
        # pattern may be left out.
        optional = (self.lanes == 1 or self.space in ("constant", "local")
                    or (self.space, self.op) == ("shared", "atomic"))
        if self.pattern is None and not optional:
            self._fail("no pattern: " + ", ".join(PATTERNS))
        if self.guessed and not self.reason:
            self._fail("a number that is not exact needs '; because <reason>'")

    def _read_count(self, count):
        self.mean = self.low = self.high = self.ideal = None
        self.guessed = True
        if count in ("any sectors", "any wavefronts"):
            return
        match = _COUNT.match(count)
        if not match:
            self._fail(f"expected '<count> sectors|wavefronts, ideal <n>' or 'any sectors', got '{count}'")
        unit = match["unit"].rstrip("s")
        if unit != ("wavefront" if self.space in ("shared", "constant") else "sector"):
            self._fail(f"{self.space} memory is not counted in {unit}s")
        number = lambda name: float(match[name]) if match[name] else None
        self.mean, self.ideal, self.guessed = number("mean"), number("ideal"), bool(match["guess"])
        self.low = number("lo") if match["lo"] else number("only_lo")
        self.high = number("hi") if match["hi"] else number("only_hi")
        if self.low is None and not self.guessed:
            self.low = self.high = self.mean

    def _read_clause(self, clause):
        warns = _WARNS.match(clause)
        if clause in PATTERNS:
            self.pattern = clause
        elif clause.startswith("because ") and clause[8:] in REASONS:
            self.reason = clause[8:]
        elif re.match(r"^\d+(\.\d+)? lanes$", clause):
            self.lanes = float(clause.split()[0])
        elif warns and warns["check"] in CHECKS and warns["severity"] in (None, "absorbed", *SEVERITIES):
            self.check, self.severity = "warplint-" + warns["check"], warns["severity"]
        elif clause != "clean":
            self._fail(f"do not understand '{clause}'")

    def derive(self, granule):
        """Checks the numbers against the formula. The tool has no part in it."""
        if not self.request:
            return
        for block in self.blocks:
            self._derive_for(block, granule)

    def _derive_for(self, block, granule):
        try:
            low, mean, high, ideal, lanes = self.request.cost(
                block, self.space, self.kind, self.bytes, self.matrices, granule)
        except AddressError as error:
            self._fail(str(error))
        stated = {"mean": (self.mean, mean), "min": (self.low, low), "max": (self.high, high),
                  "ideal": (self.ideal, ideal), "lanes": (self.lanes, lanes)}
        if self.guessed:
            # One typical value was put in for the unknown: only the mean is that case's.
            stated = {"mean": stated["mean"], "ideal": stated["ideal"]}
        for name, (said, counted) in stated.items():
            if said is not None and abs(said - counted) > 0.005:
                self._fail(f"the formula gives {name} {counted:g}, not {said:g}: {self.text}")


def read_expectations(path):
    """-> [Expectation], in the order of the file. A comment behind code is
    about its line; a comment on a line of its own about the next line of code.
    `// block: 32x8` sets the block shape of those after it (256 at the start)."""
    blocks, found, pending = [(256, 1, 1)], [], []
    with open(path, encoding="utf-8") as source:
        lines = source.read().splitlines()
    for number, text in enumerate(lines, 1):
        shapes, comment = _BLOCK.match(text), _COMMENT.search(text)
        code = text.split("//")[0].strip()
        if shapes:
            blocks = [parse_block(word) for word in shapes["blocks"].split()]
        elif comment and code:
            found.append(Expectation(number, number, comment["who"], comment["body"], blocks))
        elif comment:
            pending.append((number, comment["who"], comment["body"], blocks))
        if code:
            found += [Expectation(at, number, who, body, shapes_then)
                      for at, who, body, shapes_then in pending]
            pending = []
    if pending:
        raise ExpectationError(pending[0][0], "no code follows this comment")
    return found
