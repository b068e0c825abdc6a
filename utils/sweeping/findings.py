# Part of Warplint, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What warplint and clang-tidy print and export, taken apart so that it can be
compared: their order is the one thing that may differ."""
import os
import re
import subprocess
import tempfile

# A configuration's diagnostics have no place.
START = re.compile(r"^(\S.*: )?(warning|remark|error): .*\[[\w,.-]+\]$")
# What warplint ends with: errors and remarks of files, the summary.
END = re.compile(r"^(\d+ findings?[;,] |[^:\s]+: (note|error|warning): |.*: note: kernel '.*' could not be analysed)")
CHECKS = "--checks=-*,warplint-*"


def findings_of(command):
    """-> (findings as they are printed, as they are exported, standard error); None: the tool crashed"""
    # From elsewhere, so that both show absolute names.
    with tempfile.TemporaryDirectory() as nowhere:
        fixes = os.path.join(nowhere, "fixes.yaml")
        dashes = command.index("--") if "--" in command else len(command)
        run = subprocess.run([*command[:dashes], CHECKS, f"--export-fixes={fixes}", *command[dashes:]],
                             cwd=nowhere, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                             encoding="utf-8", errors="surrogateescape")
        exported = ""
        if os.path.exists(fixes):
            with open(fixes, encoding="utf-8", errors="surrogateescape") as text:
                exported = text.read()
    if run.returncode < 0:
        return None
    printed = []
    for line in run.stdout.splitlines():
        if END.match(line):
            break
        if START.match(line):
            printed.append([])
        if not printed:
            printed.append(["outside of any finding:"])
        printed[-1].append(line)
    # Where the command ran, which warplint, of many files, does not say.
    exported = re.sub(r"^ +BuildDirectory:.*\n", "", exported.removesuffix("...\n"), flags=re.M)
    parts = [part.rstrip() for part in re.split(r"^(?=  - DiagnosticName:)", exported, flags=re.M)[1:]]
    return sorted("\n".join(block) for block in printed), sorted(parts), run.stderr


def differences(ours, theirs):
    """-> one text for each finding that only one of them has"""
    lines = []
    for name, some, other in (("warplint", ours, theirs), ("clang-tidy", theirs, ours)):
        other = list(other)
        for text in some:
            if text in other:
                other.remove(text)
            else:
                lines.append(f"{name} alone:\n{text}")
    return lines
