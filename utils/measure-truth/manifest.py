# Part of Warplint, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The programs of the measured set (programs.toml) and where their parts lie in SOURCES."""
import os
import re
import tomllib
from dataclasses import dataclass, field

HERE = os.path.dirname(os.path.abspath(__file__))


@dataclass
class Program:
    name: str
    repository: str
    folder: str
    sources: list
    headers: list = field(default_factory=list)
    flags: list = field(default_factory=list)
    data: list = field(default_factory=list)
    inputs: list = field(default_factory=list)
    runs: list = field(default_factory=lambda: [[]])

    def place(self, base):
        """Its folder in SOURCES."""
        return os.path.join(base, "src", self.name)

    def run_root(self, base):
        """The root of the repository, as the running program sees it."""
        return os.path.join(self.place(base), "run")

    def run_folder(self, base):
        return os.path.join(self.run_root(base), self.folder)

    def header_folders(self):
        """(repository, folder) of each of `headers`."""
        for entry in self.headers:
            repository, _, folder = entry.rpartition(":")
            yield repository or self.repository, folder


def load(only=""):
    """(repositories, the programs whose name matches `only`)."""
    with open(os.path.join(HERE, "programs.toml"), "rb") as f:
        table = tomllib.load(f)
    programs = [Program(**entry) for entry in table["program"]]
    return table["repositories"], [p for p in programs if re.search(only, p.name)]
