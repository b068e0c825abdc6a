# Part of Warplint, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs a command and checks its exit status: status.py N COMMAND...

Prints what the command printed, errors after output; every line of both is one
line for FileCheck. Fails when the status is another than N."""
import subprocess
import sys

run = subprocess.run(sys.argv[2:], capture_output=True, text=True)
print(run.stdout, end="")
print(run.stderr, end="")
print("exit status", run.returncode)
sys.exit(run.returncode != int(sys.argv[1]))
