# Part of Warplint, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The form warplint-report/1: fields, their types, and what must hold between
them. Every report utils/expect reads goes through here."""
from .grammar import CHECKS, PATTERNS, REASONS, SEVERITIES

_NUMBER = (int, float)
_TOP = {"schema": str, "tool": dict, "target": dict, "files": list, "kernels": list,
        "accesses": list, "findings": list, "coverage": dict}
_TARGET = {"arch": str, "granule_bytes": int, "line_bytes": int, "banks": int, "bank_bytes": int}
_FILE = {"file": str, "status": str, "errors": list}
_KERNEL = {"mangled": str, "name": str, "file": str, "line": int, "configs": list}
_CONFIG = {"block": list, "grid": (list, type(None)),
           "dynamic_shared_bytes": (int, type(None)), "source": str}
_ACCESS = {"kernel": str, "config": int, "file": str, "line": int, "column": int,
           "inlined_at": list, "space": str, "op": str, "bytes": int, "expression": str,
           "object": str, "address": str, "pattern": str, "predicted": dict, "ideal": _NUMBER,
           "exact": bool, "assumptions": list, "unknown_reason": (str, type(None)),
           "active_lanes": _NUMBER, "weight": _NUMBER}
_FINDING = {"check": str, "severity": str, "shown": bool, "message": str, "file": str, "line": int,
            "column": int, "notes": list, "fixes": list, "kernel": str, "excess_share": _NUMBER}


def _fields(what, thing, form):
    for name, types in form.items():
        if name not in thing:
            yield f"{what} has no '{name}'"
        elif not isinstance(thing[name], types):
            yield f"{what}: '{name}' is {thing[name]!r}"


def _access(what, access, kernels):
    if access["kernel"] not in kernels:
        yield f"{what}: kernel {access['kernel']} is not listed"
    elif not 0 <= access["config"] < len(kernels[access["kernel"]]["configs"]):
        yield f"{what}: config {access['config']} is not listed"
    if access["space"] not in ("global", "shared", "constant", "local", "generic"):
        yield f"{what}: space {access['space']}"
    if access["op"] not in ("load", "store", "atomic"):
        yield f"{what}: op {access['op']}"
    if access["pattern"] not in PATTERNS:
        yield f"{what}: pattern {access['pattern']}"
    if access["exact"] != (access["unknown_reason"] is None):
        yield f"{what}: exact is {access['exact']} and the reason {access['unknown_reason']}"
    if access["unknown_reason"] not in (None, *REASONS):
        yield f"{what}: reason {access['unknown_reason']}"
    cost = access["predicted"]
    if not cost["min"] <= cost["mean"] + 1e-9 or not cost["mean"] <= cost["max"] + 1e-9:
        yield f"{what}: predicted {cost} is not in order"
    if access["exact"] and access["ideal"] > cost["mean"] + 1e-9 and access["space"] != "shared":
        yield f"{what}: ideal {access['ideal']} is over the {cost['mean']} predicted"
    if not 0 <= access["active_lanes"] <= 32:
        yield f"{what}: {access['active_lanes']} lanes"
    if access["weight"] < 0:
        yield f"{what}: weight {access['weight']}"


def check_form(report):
    """-> [message]; empty when the report keeps the form."""
    wrong = list(_fields("report", report, _TOP))
    if wrong:
        return wrong
    if report["schema"] != "warplint-report/1":
        wrong.append(f"schema {report['schema']}")
    wrong += _fields("target", report["target"], _TARGET)
    for file in report["files"]:
        wrong += _fields("file", file, _FILE)
        if file.get("status") not in ("ok", "partial", "failed"):
            wrong.append(f"file status {file.get('status')}")
    for kernel in report["kernels"]:
        wrong += _fields(f"kernel {kernel.get('name')}", kernel, _KERNEL)
        for config in kernel.get("configs", []):
            wrong += _fields(f"config of {kernel.get('name')}", config, _CONFIG)
    kernels = {k.get("mangled"): k for k in report["kernels"]}
    for access in report["accesses"]:
        what = f"access {access.get('line')}:{access.get('column')}"
        lacking = list(_fields(what, access, _ACCESS))
        wrong += lacking or _access(what, access, kernels)
    for finding in report["findings"]:
        what = f"finding {finding.get('line')}:{finding.get('column')}"
        wrong += _fields(what, finding, _FINDING)
        if finding.get("check", "").removeprefix("warplint-") not in CHECKS:
            wrong.append(f"{what}: check {finding.get('check')}")
        if finding.get("severity") not in SEVERITIES:
            wrong.append(f"{what}: severity {finding.get('severity')}")
    wrong += _coverage(report)
    return wrong


def _coverage(report):
    coverage = report["coverage"]
    unknown = coverage.get("unknown", {})
    counted = coverage.get("exact", 0) + coverage.get("range", 0) + sum(unknown.values())
    if counted != len(report["accesses"]):
        yield f"coverage counts {counted} of {len(report['accesses'])} accesses"
    exact = sum(a.get("exact", False) for a in report["accesses"])
    if coverage.get("exact") != exact:
        yield f"coverage says {coverage.get('exact')} exact, {exact} are"
