"""Runs warplint and clang-tidy with the module over files and holds their
findings against each other, byte for byte.

  same-findings.py WARPLINT CLANG-TIDY-COMMAND... -- FILES... -- STUB FLAGS... -- FLAGS...

Files are parsed with the stub, which is fast, and those that need the toolkit
with it, where there is one (FLAGS differ from STUB FLAGS).

A finding is what stands from its line to the next finding's. Their order is the
one thing that may differ: clang-tidy sorts by place, warplint by cost.
"""
import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(__file__), *[os.pardir] * 3, "utils"))
from sweeping.findings import differences, findings_of

sections = [[]]
for word in sys.argv[1:]:
    if word == "--":
        sections.append([])
    else:
        sections[-1].append(word)
(warplint, *tidy), files, stub, full = sections
files = [os.path.realpath(name) for name in files]
needing = [name for name in files
           if "REQUIRES: cuda-toolkit" in open(name, encoding="utf-8").read()]
alike = 0
for names, flags in (([n for n in files if n not in needing], stub),
                     (needing if full != stub else [], full)):
    if not names:
        continue
    ours = findings_of([warplint, "--across-files=none", *names, "--", *flags])
    theirs = findings_of([*tidy, "-quiet", *names, "--", *flags])
    if not ours or not theirs:
        sys.exit("crashed")
    found = differences(ours[0], theirs[0]) + differences(ours[1], theirs[1])
    if found:
        sys.exit("\n".join([*found, ours[2], theirs[2]]))
    alike += len(ours[0])
print(len(files), "files,", alike, "findings alike")
