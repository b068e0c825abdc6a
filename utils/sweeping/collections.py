# Part of Warplint, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Which files a collection has, and the command that compiles each."""
import os
import re
import shlex
import subprocess
from dataclasses import dataclass, field

ARCH = "sm_90"
SOURCES = (".cu", ".cuh", ".h", ".hpp", ".cpp", ".cc", ".c", ".inl")


@dataclass
class Unit:
    name: str  # path in the checkout
    file: str
    directory: str = ""
    arguments: list = field(default_factory=list)
    origin: str = ""  # "make", "default", or "included": no unit of its own


@dataclass
class Kind:
    programs: str  # folder that holds a folder for each program
    make: list  # variables for its Makefiles
    includes: list  # of the default command, from the checkout's root
    matching: str = ""


KINDS = {
    "hecbench": Kind("src", [f"ARCH={ARCH}"], [], r"-cuda$"),
    "cuda-samples": Kind("Samples", [], ["Common", "Common/UtilNPP"]),
    "rodinia": Kind("cuda", [], ["common", "cuda/util"]),
}


def files_below(folder, endings):
    for at, folders, files in os.walk(folder):
        folders.sort()
        for name in sorted(files):
            if name.endswith(endings):
                yield os.path.join(at, name)


def make_commands(folder, variables):
    """-> [(directory, words)] of the nvcc lines that make would run in a folder."""
    try:
        dry = subprocess.run(["make", "-n", "-B", "-k", "-w", *variables], cwd=folder, capture_output=True,
                             text=True, errors="replace", timeout=120)
    except subprocess.TimeoutExpired:
        return []
    at, commands = [folder], []
    for line in dry.stdout.replace("\\\n", " ").splitlines():
        if moved := re.match(r"make(\[\d+\])?: (Entering|Leaving) directory '(.*)'", line):
            if moved[2] == "Entering":
                at.append(moved[3])
            elif len(at) > 1:
                at.pop()
            continue
        here = at[-1]
        for part in re.split(r"&&|;", line):
            try:
                words = shlex.split(part, comments=True)
            except ValueError:
                continue
            if len(words) == 2 and words[0] in ("cd", "(cd"):
                here = os.path.normpath(os.path.join(here, words[1]))
            elif words and os.path.basename(words[0]) == "nvcc":
                commands.append((here, words))
    return commands


def makefile_folders(program):
    """Folders with a Makefile, the top first: it knows best how a file is compiled, but may not reach all below it."""
    return [at for at, _, files in sorted(os.walk(program)) if {"Makefile", "makefile", "GNUmakefile"} & set(files)]


def wants_relocatable_code(program):
    """Whether the CMake files of a program link its device code across files."""
    for lists in files_below(program, ("CMakeLists.txt",)):
        with open(lists, errors="replace") as text:
            if re.search(r"CUDA_SEPARABLE_COMPILATION\s+ON|-rdc=true", text.read()):
                return True
    return False


def included_files(program):
    """Real paths of the files that another file of the program includes."""
    included = set()
    for source in files_below(program, SOURCES):
        with open(source, errors="replace") as text:
            for name in re.findall(r'^\s*#\s*include\s*[<"]([^">]+\.cu)[">]', text.read(), re.M):
                # Relative to the file, or by an include path: the file of that name.
                beside = os.path.realpath(os.path.join(os.path.dirname(source), name))
                included.add(beside if os.path.exists(beside) else os.path.basename(name))
    return included


def program_units(program, kind, root):
    files = list(files_below(program, ".cu"))
    if not files:
        return
    compiled = {}
    for folder in makefile_folders(program):
        for directory, words in make_commands(folder, kind.make):
            for word in words[1:]:
                if word.endswith(".cu"):
                    compiled.setdefault(os.path.realpath(os.path.join(directory, word)), (directory, words, word))
    included = included_files(program)
    relocatable = ["-rdc=true"] if wants_relocatable_code(program) else []
    for file in files:
        unit = Unit(os.path.relpath(file, root), file)
        real = os.path.realpath(file)
        if real in compiled:
            unit.directory, unit.arguments, unit.origin = *compiled[real][:2], "make"
            unit.file = os.path.join(compiled[real][0], compiled[real][2])
        elif real in included or os.path.basename(real) in included:
            unit.origin = "included"
        else:
            unit.directory, unit.origin = os.path.dirname(file), "default"
            include = [program, *(os.path.join(program, sub) for sub in ("inc", "include")),
                       *(os.path.join(root, sub) for sub in kind.includes)]
            unit.arguments = ["nvcc", "-std=c++17", "--extended-lambda", f"-arch={ARCH}", *relocatable,
                              *(f"-I{folder}" for folder in dict.fromkeys(include)), "-c", file]
        yield unit


def units_of(name, root):
    """-> every .cu file of the collection, in order."""
    kind = KINDS[name]
    base = os.path.join(root, kind.programs)
    if not os.path.isdir(base):
        return []
    units = []
    for program in sorted(os.listdir(base)):
        folder = os.path.join(base, program)
        if not os.path.isdir(folder) or not re.search(kind.matching, program):
            continue
        # cuda-samples: a folder of folders of programs.
        if name == "cuda-samples":
            for sample in sorted(os.listdir(folder)):
                if os.path.isdir(os.path.join(folder, sample)):
                    units += program_units(os.path.join(folder, sample), kind, root)
        else:
            units += program_units(folder, kind, root)
    return units
