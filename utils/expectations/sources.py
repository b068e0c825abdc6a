# Part of Warplint, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The pairs' files, and places in them that stay the same when comments change.

A line is named by its code and which of the lines with that code it is, so that expectations can be added above it
without measuring again.
"""
import glob
import hashlib
import os


def pairs(root):
    """{name: path} of the files of corpus/ that hold a pair."""
    found = {}
    for path in sorted(glob.glob(os.path.join(root, "corpus", "*", "*.cu"))):
        with open(path, encoding="utf-8") as file:
            if '#include "../harness.cuh"' in file.read():
                found[os.path.relpath(path, os.path.join(root, "corpus"))[:-3]] = path
    return found


def code_lines(path):
    """[(line number, code without comments and spaces)] of the lines that have code."""
    with open(path, encoding="utf-8") as file:
        lines = [(number, "".join(text.split("//")[0].split())) for number, text in enumerate(file, 1)]
    return [(number, code) for number, code in lines if code]


def digest(path):
    """Changes with the code, not with comments and layout."""
    return hashlib.sha256("".join(code for _, code in code_lines(path)).encode()).hexdigest()[:16]


def places(path):
    """{line number: (code, which)}"""
    seen, found = {}, {}
    for number, code in code_lines(path):
        seen[code] = seen.get(code, 0) + 1
        found[number] = code, seen[code]
    return found


def placed(row, path):
    """A measured row with its place instead of its line."""
    code, which = places(path).get(row["line"], ("", 0))
    kept = {key: value for key, value in row.items() if key not in ("bench", "file", "line", "launches")}
    return {"code": code, "nth": which, **kept}
