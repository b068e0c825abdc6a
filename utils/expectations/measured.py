# Part of Warplint, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Joins the report of a pair's file with what a GPU counted (utils/corpus-gpu/measure)."""
import json
import os
import re

from . import sources

TOLERANCE = 0.005  # of the measured number: warps at a border, executions without a lane


def load(measured_path, source):
    """What was measured of the pair in the file `source`: its record, or None where the file holds no measured pair."""
    with open(measured_path, encoding="utf-8") as file:
        pairs = json.load(file)["pairs"]
    for name, pair in pairs.items():
        if os.path.realpath(source).endswith(os.sep + pair["file"]):
            return {"name": name, **pair}
    return None


def side_lines(path):
    """{line number: "slow" or "fast"} of the two launch functions of a pair's file."""
    found, side = {}, None
    with open(path, encoding="utf-8") as file:
        for number, text in enumerate(file, 1):
            head = re.match(r"void (slow|fast)\(", text)
            if head:
                side = head[1]
            if side:
                found[number] = side
            if text.startswith("}"):
                side = None
    return found


def sides(report, path):
    """{(mangled kernel, configuration): "slow" or "fast"}, by where it is launched."""
    lines, found = side_lines(path), {}
    for kernel in report["kernels"]:
        for index, config in enumerate(kernel["configs"]):
            line = re.search(r":(\d+)", config["source"])
            if line and int(line[1]) in lines:
                found[kernel["mangled"], index] = lines[int(line[1])]
    return found


def _belongs(row, access, kernel):
    # Demanglers differ in "> >"; the counters have no name for what a reduction does and no width for ldmatrix.
    name = row["kernel"].replace("> >", ">>") + "("
    op = "atomic" if row["op"] == "other" else row["op"]
    bits = 128 if any("LDSM" in opcode for opcode in row["sass"]) else row["bits"]
    return (name in kernel["name"] and row["space"] == access["space"] and op == access["op"]
            and bits == 8 * access["bytes"] and row["block"] == kernel["configs"][access["config"]]["block"])


def join(report, pair, path):
    """A dictionary for each measured row: its line, side, what was counted a request, and what was predicted (None where
    the report has no such access)."""
    lines = {place: number for number, place in sources.places(path).items()}
    kernels = {k["mangled"]: k for k in report["kernels"]}
    of_side, real = sides(report, path), os.path.realpath(path)
    for row in pair["rows"]:
        line = lines.get((row["code"], row["nth"]), 0)
        counted = row["sectors"] if row["space"] == "global" else row["wavefronts"]
        joined = {**row, "line": line, "counted": counted / row["executed"], "predicted": None, "exact": False, "side": None}
        own = [a for a in report["accesses"] if a["line"] == line and os.path.realpath(a["file"]) == real
               and a["weight"] > 0 and _belongs(row, a, kernels[a["kernel"]])]
        if own:
            weight = sum(a["weight"] for a in own)
            joined["predicted"] = sum(a["predicted"]["mean"] * a["weight"] for a in own) / weight
            joined["predicted_ideal"] = sum(a["ideal"] * a["weight"] for a in own) / weight
            joined["lanes"] = sum(a["active_lanes"] * a["weight"] for a in own) / weight
            joined["exact"] = all(a["exact"] for a in own)
            joined["kernels"] = sorted({a["kernel"] for a in own})
            joined["side"] = of_side.get((own[0]["kernel"], own[0]["config"]))
        yield joined


def agrees(row):
    """Whether the predicted cost of a joined row is the counted one. With lanes off in some requests the counters include
    executions in which all were off, which the prediction does not: there the cost of an active lane is compared."""
    near = lambda a, b: abs(a - b) <= TOLERANCE * b
    if near(row["predicted"], row["counted"]):
        return True
    counted = row["sectors"] if row["space"] == "global" else row["wavefronts"]
    return row["threads_on"] < 32 * row["executed"] and near(row["predicted"] / row["lanes"], counted / row["threads_on"])


def unfit(pair, path):
    """Why what was measured of a pair does not count, in words; "": it does."""
    if pair.get("digest") != sources.digest(path):
        return "the code is not what was measured: run utils/corpus-gpu/measure on a GPU again"
    if not pair.get("rows"):
        return "no request of it was counted: run utils/corpus-gpu/measure on a GPU again"
    if not pair.get("right"):
        return "its sides were not run, or did not give the result of the reference"
    return ""


def compare(report, pair, path):
    """-> [(line, message)]: where an exact prediction and the counted number part, or the file is not what was measured."""
    why = unfit(pair, path)
    if why:
        return [(0, why)]
    complaints = []
    for row in join(report, pair, path):
        what = f"{row['space']} {row['op']} of {row['bits'] // 8} bytes in {row['kernel']}"
        if row["predicted"] is None:
            complaints.append((row["line"], f"measured, not reported: {what}, {row['counted']:.4g} a request"))
        elif row["exact"] and not agrees(row):
            complaints.append((row["line"], f"{what}: {row['predicted']:.4g} predicted, {row['counted']:.4g} measured"))
    return complaints
