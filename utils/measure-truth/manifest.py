# Part of Warplint, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The programs of a measured set (second.toml, third.toml) and where their parts lie in SOURCES.

A program whose entry names no `sources` is built by the Makefile of its folder and runs there; the others are built by a
Makefile that prepare writes.
"""
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
    sources: list = field(default_factory=list)
    headers: list = field(default_factory=list)
    flags: list = field(default_factory=list)
    data: list = field(default_factory=list)
    inputs: list = field(default_factory=list)
    runs: list = field(default_factory=lambda: [[]])
    note: str = ""

    def place(self, base):
        """Its folder in SOURCES."""
        return os.path.join(base, "src", self.name)

    def own_makefile(self):
        return not self.sources

    def build_command(self, base):
        """Its own Makefile takes the compiler and the architecture, and builds `main`."""
        return ["make", "-C", self.place(base), *(["CC=nvcc -lineinfo", "ARCH=sm_90"] if self.own_makefile() else ["program"])]

    def executable(self, base):
        return os.path.join(self.place(base), "main" if self.own_makefile() else "program")

    def run_root(self, base):
        """The root of the repository, as the running program sees it."""
        return os.path.join(self.place(base), "run")

    def run_folder(self, base):
        return self.place(base) if self.own_makefile() else os.path.join(self.run_root(base), self.folder)

    def header_folders(self):
        """(repository, folder) of each of `headers`."""
        for entry in self.headers:
            repository, _, folder = entry.rpartition(":")
            yield repository or self.repository, folder


def sets():
    """The names of the measured sets."""
    return sorted(name[:-len(".toml")] for name in os.listdir(HERE) if name.endswith(".toml"))


def load(which, only=""):
    """(repositories, the programs of a measured set whose name matches `only`)."""
    with open(os.path.join(HERE, f"{which}.toml"), "rb") as f:
        table = tomllib.load(f)
    programs = [Program(**entry) for entry in table["program"]]
    return table["repositories"], [p for p in programs if re.search(only, p.name)]
