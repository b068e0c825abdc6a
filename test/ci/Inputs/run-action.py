# Part of Warplint, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs a composite action as a runner of GitHub would, as far as Warplint's goes:
run-action.py ACTION.yml TEMP [INPUT=VALUE...], in the checked out repository.

`run` steps run in bash with GitHub's own flags; of `uses` steps what they would
be given is printed. Ends with the status of the step that failed."""
import os
import pathlib
import re
import subprocess
import sys

import yaml

action_file, temp = pathlib.Path(sys.argv[1]).resolve(), pathlib.Path(sys.argv[2])
action = yaml.safe_load(action_file.read_text())
inputs = {name: i["default"] for name, i in action["inputs"].items()}
given = dict(pair.split("=", 1) for pair in sys.argv[3:])
assert set(given) <= set(inputs), "no such input"
inputs.update(given)
outputs = {}


def value(name):
    match name.split("."):
        case ["inputs", key]:
            return inputs[key]
        case ["steps", step, "outputs", key]:
            return outputs[step].get(key, "")
        case ["github", "action_path"]:
            return str(action_file.parent)
    raise ValueError(name)


def filled(text):
    return re.sub(r"\$\{\{ *([\w.-]+) *\}\}", lambda m: value(m[1]), text)


temp.mkdir(exist_ok=True)
files = {name: temp / name for name in ("GITHUB_OUTPUT", "GITHUB_PATH", "GITHUB_STEP_SUMMARY")}
env = os.environ | {name: str(file) for name, file in files.items()} | {
    "GITHUB_WORKSPACE": os.getcwd(), "RUNNER_TEMP": str(temp),
    "GIT_CONFIG_GLOBAL": str(temp / "gitconfig")}
for step in action["runs"]["steps"]:
    if condition := step.get("if"):
        name, wanted = re.fullmatch(r"([\w.]+) == '(\w+)'", condition).groups()
        if value(name) != wanted:
            continue
    if "uses" in step:
        assert re.search(r"@[0-9a-f]{40}$", step["uses"]), "not pinned"
        print("uses", step["uses"], {k: filled(v) for k, v in step["with"].items()}, flush=True)
        continue
    # What a user gives must never become part of a script.
    assert "${{" not in step["run"], "an expression in a script"
    for file in files.values():
        file.touch()
    files["GITHUB_OUTPUT"].write_text("")
    run = subprocess.run([step["shell"], "--noprofile", "--norc", "-eo", "pipefail", "-c", step["run"]],
                         env=env | {k: filled(v) for k, v in step.get("env", {}).items()})
    if "id" in step:
        outputs[step["id"]] = dict(
            line.split("=", 1) for line in files["GITHUB_OUTPUT"].read_text().splitlines())
    if run.returncode:
        print("step", step["name"], "failed with", run.returncode, flush=True)
        sys.exit(run.returncode)
