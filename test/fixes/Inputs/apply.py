# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Applies every fix that warplint offers and analyses the result again.

usage: apply.py FOLDER NVCC FILE... -- FLAG...

The findings with a fix, and no others, must be gone then, and none be new. The result must
compile with NVCC; where that is "", a line says that it was not tried."""
import collections
import json
import pathlib
import shutil
import subprocess
import sys


def findings(files, flags):
    """-> {file name: [finding]}"""
    run = subprocess.run(["warplint", "--format=json", "--across-files=none",
                          *map(str, files), "--", *flags], capture_output=True, text=True)
    if run.returncode not in (0, 1):
        sys.exit(run.stderr)
    of_file = {f: [] for f in files}
    for finding in json.loads(run.stdout)["findings"]:
        of_file[pathlib.Path(finding["file"])].append(finding)
    return of_file


def places(findings):
    """-> how often each check speaks on each line: edits keep lines."""
    return collections.Counter((f["check"], f["line"]) for f in findings)


def apply(source, copy, findings):
    text = source.read_bytes()
    edits = {(e["offset"], e["length"], e["text"])
             for f in findings for x in f["fixes"] for e in x["edits"]
             if pathlib.Path(e["file"]) == source}
    for offset, length, new in sorted(edits, reverse=True):
        text = text[:offset] + new.encode() + text[offset + length:]
    copy.write_bytes(text)


def main():
    folder, nvcc = pathlib.Path(sys.argv[1]).resolve(), sys.argv[2]
    split = sys.argv.index("--")
    files = [pathlib.Path(f).resolve() for f in sys.argv[3:split]]
    flags = sys.argv[split + 1:]
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    before = {f: found for f, found in findings(files, flags).items()
              if any(x["fixes"] for x in found)}
    copies = {f: folder / f"{i}-{f.name}" for i, f in enumerate(before)}
    if not copies:
        sys.exit("no fix was offered")
    for source, copy in copies.items():
        apply(source, copy, before[source])
    # Quoted includes are looked for beside the file first: the copy has moved.
    beside = [word for f in copies for word in ("-I", str(f.parent))]
    after = findings(copies.values(), flags + beside)
    fixed = 0
    for source, copy in copies.items():
        fixable = [f for f in before[source] if f["fixes"]]
        fixed += len(fixable)
        expected = places(before[source]) - places(fixable)
        if (left := places(after[copy])) != expected:
            sys.exit(f"{source}: still there or new: {left - expected}; "
                     f"gone without a fix: {expected - left}")
        if nvcc:
            subprocess.run([nvcc, "-std=c++17", "-arch=sm_90", "-ptx", "-o", "/dev/null",
                            *beside, str(copy)], check=True)
    print(f"{fixed} findings fixed" + ("" if nvcc else "; no nvcc to compile the results with"))


main()
