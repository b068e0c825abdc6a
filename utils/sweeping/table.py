# Part of Warplint, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""From what each file gave to a table."""
import collections
import json
import os
import re
import statistics

SLOWEST = 10


def kind_of_message(message):
    """The message without its place and names: `no member named '...' in '...'`."""
    message = re.sub(r"^\S+:\d+:\d+: ", "", message)
    if header := re.match(r"'([^']+)' file not found", message):
        return f"'{header[1]}' file not found"
    message = re.sub(r"'[^']*'", "'...'", message)
    return re.sub(r"\d+", "N", message)


def percentile(values, share):
    return sorted(values)[min(len(values) - 1, int(len(values) * share))] if values else 0.0


def summarise(rows):
    tried = [r for r in rows if r["outcome"] != "included"]
    parsed = [r for r in tried if "kernels" in r]
    seconds = [r["seconds"] for r in tried]
    refused, errors, reasons, incomplete = (collections.Counter() for _ in range(4))
    for row in parsed:
        refused.update(kind_of_message(why) for why in row["refused"].values())
        incomplete.update(kind_of_message(why) for why in row["incomplete"].values())
        reasons.update(row["reasons"])
        errors.update([kind_of_message(e) for e in row["errors"][:1]])
    count = collections.Counter(r["outcome"] for r in rows)

    def total(key):
        return sum(r[key] for r in parsed)
    return {
        "files": len(rows), "included": count["included"], "tried": len(tried),
        "by_make": sum(r["origin"] == "make" for r in tried),
        "ok": count["ok"], "partial": count["partial"], "failed": count["failed"],
        "crashed": count["crashed"], "over_limit": count["over limit"],
        "kernels": total("kernels"), "configs": total("configs"),
        "refused": sum(refused.values()), "refused_why": dict(refused.most_common()),
        "incomplete": sum(incomplete.values()), "incomplete_why": dict(incomplete.most_common()),
        "first_errors": dict(errors.most_common()),
        "accesses": total("accesses"), "exact": total("exact"), "range": total("range"),
        "unknown": total("accesses") - total("exact") - total("range"),
        "reasons": dict(reasons.most_common()), "findings": total("findings"),
        "seconds": round(sum(seconds), 1), "median": statistics.median(seconds) if seconds else 0.0,
        "p95": percentile(seconds, 0.95), "peak_mebibytes": max((r["mebibytes"] for r in tried), default=0),
        "slowest": [[r["file"], r["seconds"]] for r in sorted(tried, key=lambda r: -r["seconds"])[:SLOWEST]],
    }


def table(head, lines):
    return "\n".join([f"| {' | '.join(head)} |", "|" + "---|" * len(head)]
                     + [f"| {' | '.join(str(c).replace('|', '/') for c in line)} |" for line in lines]) + "\n"


def markdown(kind, t):
    def share(part):
        return f"{part} ({100 * part / max(1, t['accesses']):.1f} %)"
    parts = [f"## {kind}\n", table(["", ""], [
        ["`.cu` files", t["files"]],
        ["... included by another, no unit", t["included"]],
        ["files tried (by their Makefile's command)", f"{t['tried']} ({t['by_make']})"],
        ["parsed: all / in part / not", f"{t['ok']} / {t['partial']} / {t['failed']}"],
        ["crashed", t["crashed"]],
        ["over the time limit", t["over_limit"]],
        ["kernels analysed, in configurations", f"{t['kernels'] - t['refused']}, {t['configs']}"],
        ["kernels refused", t["refused"]],
        ["kernels cut short by the budget", t["incomplete"]],
        ["accesses", t["accesses"]],
        ["... exact", share(t["exact"])],
        ["... range", share(t["range"])],
        ["... unknown", share(t["unknown"])],
        ["CPU seconds a file: median, 95th percentile", f"{t['median']:.2f}, {t['p95']:.2f}"],
        ["CPU seconds of all, peak memory of one", f"{t['seconds']:.0f}, {t['peak_mebibytes']} MiB"],
    ])]
    for title, counts in (("Why accesses are not exact", t["reasons"]), ("Why kernels were refused", t["refused_why"]),
                          ("Why kernels were cut short", t["incomplete_why"]),
                          ("First error of files that do not parse whole", t["first_errors"])):
        if counts:
            parts.append(table([title, ""], counts.items()))
    parts.append(table(["Slowest files", "CPU seconds"], ([f, f"{s:.2f}"] for f, s in t["slowest"])))
    return "\n".join(parts)


def write(kind, rows, total, folder):
    os.makedirs(folder, exist_ok=True)
    with open(os.path.join(folder, f"{kind}.json"), "w") as out:
        json.dump({"total": total, "files": rows}, out, indent=1)
    with open(os.path.join(folder, f"{kind}.md"), "w") as out:
        out.write(markdown(kind, total))


def shown(what, row):
    """Lines about one file."""
    if what == "errors" and (row.get("errors") or row["outcome"] in ("crashed", "over limit")):
        yield ": ".join([row["file"], row["outcome"], *row.get("errors", [])[:1]])
    elif what == "slow" and row.get("seconds", 0) > 3:
        yield f"{row['seconds']:7.2f} {row['file']}"
    elif what in ("refused", "incomplete"):
        for kernel, why in row.get(what, {}).items():
            yield f"{row['file']}: {kernel}: {why}"
