# Part of Warplint, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""One file through the tool, in a process with a limit."""
import collections
import json
import os
import re
import resource
import signal
import subprocess
import tempfile


def limited(seconds):
    def apply():
        resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds + 5))
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    return apply


def execute(command, seconds, folder):
    """-> (exit status, CPU seconds, peak MiB, standard output, standard error)"""
    with open(os.path.join(folder, "out"), "w+") as out, open(os.path.join(folder, "err"), "w+") as err:
        process = subprocess.Popen(command, stdout=out, stderr=err, preexec_fn=limited(seconds))
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        out.seek(0)
        err.seek(0)
        return (process.returncode, usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024, out.read(),
                err.read().encode("ascii", "replace").decode())


def run_unit(unit, tool, limit):
    row = {"file": unit.name, "origin": unit.origin}
    if unit.origin == "included":
        return row | {"outcome": "included"}
    with tempfile.TemporaryDirectory() as folder:
        entry = {"directory": unit.directory, "file": unit.file, "arguments": unit.arguments}
        with open(os.path.join(folder, "compile_commands.json"), "w") as database:
            json.dump([entry], database)
        command = [tool, "-p", folder, unit.file, "--format=json", "-j1"]
        status, seconds, peak, output, errors = execute(command, limit, folder)
    row |= {"seconds": round(seconds, 2), "mebibytes": round(peak), "status": status}
    if status in (-signal.SIGXCPU, -signal.SIGKILL):
        return row | {"outcome": "over limit"}
    try:
        report = json.loads(output)
    except ValueError:
        return row | {"outcome": "crashed", "errors": errors.splitlines()[-5:]}
    return row | digest(report)


def digest(report):
    """What the table needs of a report."""
    file = report["files"][0]
    crashed = any(re.search("internal error|the analysis of .* crashed", error) for error in file["errors"])
    kernels = report["kernels"]
    unknown = collections.Counter(a["unknown_reason"] for a in report["accesses"] if not a["exact"])
    return {
        "outcome": "crashed" if crashed else file["status"],
        "errors": file["errors"],
        "kernels": len(kernels),
        "configs": sum(len(k["configs"]) for k in kernels),
        "refused": {k["name"]: k["refused"] for k in kernels if k["refused"]},
        "incomplete": {k["name"]: k["incomplete"] for k in kernels if k["incomplete"]},
        "accesses": len(report["accesses"]),
        "exact": report["coverage"]["exact"],
        "range": report["coverage"]["range"],
        "reasons": dict(unknown),
        "findings": len(report["findings"]),
    }
