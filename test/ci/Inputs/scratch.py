# Part of Warplint, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Lays out the scratch repository: scratch.py DIR FLAGS...

DIR/repo gets the project, committed; DIR/build a compile database with FLAGS for
its CUDA files; DIR/clang-tidy the same flags as a .clang-tidy file."""
import json
import os
import pathlib
import shutil
import subprocess
import sys

root, flags = pathlib.Path(sys.argv[1]).resolve(), sys.argv[2:]
shutil.rmtree(root, ignore_errors=True)
repo, build = root / "repo", root / "build"
shutil.copytree(pathlib.Path(__file__).parent / "project", repo)
build.mkdir()


def command(source):
    own = flags if source.suffix == ".cu" else []
    return {"directory": str(build), "file": str(source),
            "arguments": ["clang++", *own, f"-I{repo}/include", "-c", str(source)]}


sources = sorted(p for p in repo.glob("src/**/*") if p.suffix in (".cu", ".cpp"))
(build / "compile_commands.json").write_text(json.dumps([command(s) for s in sources], indent=1))
# YAML reads JSON.
(root / "clang-tidy").write_text(json.dumps({"ExtraArgs": flags + [f"-I{repo}/include"]}) + "\n")
for git in (["init", "-q", "-b", "main"], ["add", "."], ["commit", "-q", "-m", "first"]):
    subprocess.run(["git", "-C", repo, *git], check=True, env=os.environ)
