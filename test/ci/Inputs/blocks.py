# Part of Warplint, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Prints a code block of a page: blocks.py PAGE HEADING [N], the N-th (from 0)
below that heading."""
import re
import sys
import textwrap

page = open(sys.argv[1], encoding="utf-8").read()
section = re.split(r"^## ", page.split(f"\n## {sys.argv[2]}\n")[1], flags=re.M)[0]
blocks = re.findall(r"^ *```\w+\n(.*?)^ *```$", section, flags=re.M | re.S)
print(textwrap.dedent(blocks[int(sys.argv[3]) if len(sys.argv) > 3 else 0]), end="")
