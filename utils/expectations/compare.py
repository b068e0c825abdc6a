# Part of Warplint, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Holds a report against the expectations of its file, both ways round: every
expectation must be met by an access, every access and finding be expected."""
import os

TOLERANCE = 0.005


def _same(a, b):
    return abs(a - b) <= TOLERANCE


def merge_unrolled(accesses):
    """The copies that unrolling made of one place in the source as one access:
    means weighted by the requests, the name of the costliest. So an expectation
    speaks of the loop as written, whatever the compiler unrolled."""
    groups = {}
    live = [a for a in accesses if a["active_lanes"] > 0]
    for access in live:
        chain = tuple((p["file"], p["line"], p["column"]) for p in access["inlined_at"])
        key = tuple(access[k] for k in ("kernel", "config", "file", "line", "column", "space",
                                        "op", "bytes", "expression")) + (chain,)
        groups.setdefault(key, []).append(access)
    for group in groups.values():
        costliest = max(group, key=lambda a: a["predicted"]["max"] - a["ideal"])
        weights = sum(a["weight"] for a in group) or 1
        mean = lambda of: sum(of(a) * a["weight"] for a in group) / weights
        vague = next((a["unknown_reason"] for a in group if not a["exact"]), None)
        yield {**costliest, "ideal": mean(lambda a: a["ideal"]),
               "active_lanes": mean(lambda a: a["active_lanes"]),
               "exact": vague is None, "unknown_reason": vague,
               "predicted": {"min": min(a["predicted"]["min"] for a in group),
                             "mean": mean(lambda a: a["predicted"]["mean"]),
                             "max": max(a["predicted"]["max"] for a in group)}}


def describe(access, block):
    cost = access["predicted"]
    unit = "wavefronts" if access["space"] in ("shared", "constant") else "sectors"
    text = (f"{access['space']} {access['op']} {access['bytes']}-byte '{access['expression']}': "
            f"{cost['mean']:g} in {cost['min']:g}..{cost['max']:g} {unit}, ideal {access['ideal']:g}; "
            f"{access['pattern']}; {access['active_lanes']:g} lanes; block {'x'.join(map(str, block))}")
    if not access["exact"]:
        text += f"; because {access['unknown_reason']}"
    return f"{text} [address {access['address']}]"


def concerns(expectation, access, kernel, block):
    """Whether the expectation speaks of this access at all."""
    return (expectation.line == access["line"]
            and expectation.space == access["space"]
            and expectation.op == access["op"]
            and expectation.bytes == access["bytes"]
            and tuple(block) in expectation.blocks
            and expectation.expression in (None, access["expression"])
            and (not expectation.kernels or any(k in kernel for k in expectation.kernels)))


def differences(expectation, access):
    """What the access has otherwise than expected; [] when all is as said."""
    cost, wrong = access["predicted"], []
    for name, said in (("mean", expectation.mean), ("min", expectation.low), ("max", expectation.high)):
        if said is not None and not _same(said, cost[name]):
            wrong.append(f"{name} {cost[name]:g} instead of {said:g}")
    if expectation.ideal is not None and not _same(expectation.ideal, access["ideal"]):
        wrong.append(f"ideal {access['ideal']:g} instead of {expectation.ideal:g}")
    if expectation.pattern not in (None, access["pattern"]):
        wrong.append(f"{access['pattern']} instead of {expectation.pattern}")
    if access["exact"] != (expectation.reason is None):
        wrong.append("exact" if access["exact"] else f"not exact: {access['unknown_reason']}")
    elif not access["exact"] and access["unknown_reason"] != expectation.reason:
        wrong.append(f"because {access['unknown_reason']} instead of {expectation.reason}")
    if expectation.lanes is not None and not _same(expectation.lanes, access["active_lanes"]):
        wrong.append(f"{access['active_lanes']:g} lanes instead of {expectation.lanes:g}")
    return wrong


def _compare_accesses(report, expectations, own):
    """own(place): whether a place lies in the file. Yields (line, message)."""
    kernels = {k["mangled"]: k for k in report["kernels"]}
    unmet = set(range(len(expectations)))
    spoken_of = set()
    seen = set()
    for access in merge_unrolled(report["accesses"]):
        kernel = kernels[access["kernel"]]
        block = kernel["configs"][access["config"]]["block"]
        line = access["line"] if own(access) else 0
        rivals = [i for i, e in enumerate(expectations)
                  if line and concerns(e, access, kernel["name"], block)]
        verdicts = {i: differences(expectations[i], access) for i in rivals}
        unmet -= {i for i in rivals if not verdicts[i]}
        spoken_of |= set(rivals)
        if rivals and not all(verdicts.values()):
            continue
        if rivals:
            best = min(rivals, key=lambda i: len(verdicts[i]))
            spoken_of.add(best)
            message = (f"{'; '.join(verdicts[best])}\n    expected: {expectations[best].text}"
                       f"\n    reported: {describe(access, block)} in {kernel['name']}")
        else:
            where = "" if line else f" at {access['file']}:{access['line']}"
            message = f"not expected{where}: {describe(access, block)} in {kernel['name']}"
        if (line, message) not in seen:
            seen.add((line, message))
            yield line, message
    for i in sorted(unmet):
        e = expectations[i]
        if i not in spoken_of:
            yield e.line, f"no such access: {e.text}"
        elif not any(line == e.line for line, _ in seen):
            yield e.line, f"no access with these numbers: {e.text}"


def _compare_findings(report, expectations, own):
    said, found = {}, {}
    for e in expectations:
        if e.check:
            said.setdefault(e.line, {})[e.check] = e.severity
    for finding in report["findings"]:
        line = finding["line"] if own(finding) else 0
        found.setdefault(line, {})[finding["check"]] = finding
    for line in sorted(set(said) | set(found)):
        for check in sorted(set(said.get(line, {})) - set(found.get(line, {}))):
            yield line, f"no {check}"
        for check, finding in sorted(found.get(line, {}).items()):
            severity = said.get(line, {}).get(check, "absent")
            if severity == "absent":
                yield line, f"not expected: {check}: {finding['message']}"
            elif severity not in ((None, finding["severity"]) if finding["shown"] else ("absorbed",)):
                loud = finding["severity"] if finding["shown"] else "absorbed"
                yield line, f"{check} is {loud} instead of {severity or 'shown'}"


def compare(report, expectations, path):
    """-> [(line, message)], in the order of the file."""
    real = os.path.realpath(path)
    own = lambda place: os.path.realpath(place["file"]) == real
    complaints = list(_compare_accesses(report, expectations, own))
    complaints += _compare_findings(report, expectations, own)
    for file in report["files"]:
        if file["status"] != "ok":
            complaints.append((0, f"status {file['status']}: {'; '.join(file['errors'])}"))
    return sorted(complaints, key=lambda c: c[0])
