"""Runs warplint and clang-tidy with the module over files and holds their
findings against each other, byte for byte.

  same-findings.py WARPLINT CLANG-TIDY-COMMAND... -- FILES... -- STUB FLAGS... -- FLAGS...

Files are parsed with the stub, which is fast, and those that need the toolkit
with it, where there is one (FLAGS differ from STUB FLAGS).

A finding is what stands from its line to the next finding's. Their order is the
one thing that may differ: clang-tidy sorts by place, warplint by cost.
"""
import os
import re
import subprocess
import sys
import tempfile

START = re.compile(r"^\S.*: (warning|remark|error): .*\[[\w,-]+\]$")
SUMMARY = re.compile(r"^\d+ findings?[;,] ")


def findings(command):
    # From elsewhere, so that both show absolute names.
    with tempfile.TemporaryDirectory() as nowhere:
        run = subprocess.run(command, cwd=nowhere, stdout=subprocess.PIPE,
                             stderr=subprocess.PIPE, encoding="utf-8")
    blocks = []
    for line in run.stdout.splitlines():
        if SUMMARY.match(line):
            break
        if START.match(line):
            blocks.append([])
        if not blocks:
            sys.exit(f"no finding, and no part of one: {line}\n{run.stderr}")
        blocks[-1].append(line)
    return sorted("\n".join(block) for block in blocks)


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
checks = "--checks=-*,warplint-*"
alike = 0
for names, flags in (([n for n in files if n not in needing], stub),
                     (needing if full != stub else [], full)):
    if not names:
        continue
    ours = findings([warplint, checks, "--across-files=none", *names, "--", *flags])
    theirs = findings([*tidy, checks, "-quiet", *names, "--", *flags])
    for text in ours:
        if text not in theirs:
            print("warplint alone:\n" + text)
    for text in theirs:
        if text not in ours:
            print("clang-tidy alone:\n" + text)
    if ours != theirs:
        sys.exit(1)
    alike += len(ours)
print(len(files), "files,", alike, "findings alike")
