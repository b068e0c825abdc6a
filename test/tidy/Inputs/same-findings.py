"""Runs warplint and clang-tidy with the module over files and holds their
findings against each other, byte for byte.

  same-findings.py WARPLINT CLANG-TIDY-COMMAND... -- FILES... -- FLAGS...

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


first = sys.argv.index("--")
second = sys.argv.index("--", first + 1)
warplint, tidy = sys.argv[1], sys.argv[2:first]
files = [os.path.realpath(name) for name in sys.argv[first + 1:second]]
flags = sys.argv[second + 1:]
checks = "--checks=-*,warplint-*"
ours = findings([warplint, checks, "--across-files=none", *files, "--", *flags])
theirs = findings([*tidy, checks, "-quiet", *files, "--", *flags])
for text in ours:
    if text not in theirs:
        print("warplint alone:\n" + text)
for text in theirs:
    if text not in ours:
        print("clang-tidy alone:\n" + text)
if ours != theirs:
    sys.exit(1)
print(len(files), "files,", len(ours), "findings alike")
