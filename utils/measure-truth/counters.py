# Part of Warplint, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What Nsight Compute counted for each memory instruction of a report, summed over source lines.

A row is one (kernel, block shape, source line, space, operation, width) of one program: warp instructions executed,
threads on in them, sectors and ideal sectors (global), wavefronts and ideal wavefronts (shared).
"""
import functools
import glob
import os
import shutil
import subprocess
import sys

EXECUTED, THREADS_ON = "inst_executed", "thread_inst_executed_true"
SECTORS, IDEAL = "memory_l2_theoretical_sectors_global", "memory_l2_theoretical_sectors_global_ideal"
WAVEFRONTS, WF_IDEAL = "memory_l1_wavefronts_shared", "memory_l1_wavefronts_shared_ideal"
COUNTERS = {"executed": EXECUTED, "threads_on": THREADS_ON, "sectors": SECTORS, "ideal": IDEAL,
            "wavefronts": WAVEFRONTS, "wf_ideal": WF_IDEAL}
SPACE, OPERATION = "memory_type", "memory_access_type"
SHAPES = {key: [f"launch__{key}_dim_{d}" for d in "xyz"] for key in ("block", "grid")}
METRICS = [*COUNTERS.values(), SPACE, OPERATION, *SHAPES["block"], *SHAPES["grid"]]

# SASS opcodes that access memory by an address in a register; constant banks, textures and surfaces are others.
OPCODES = {"LD", "LDG", "LDS", "LDL", "LDSM", "LDGSTS", "ST", "STG", "STS", "STL", "STSM",
           "ATOM", "ATOMG", "ATOMS", "RED", "REDG", "REDS"}

# `memory_type` and `memory_access_type` are sets of bits; no bit is set where no thread was on in any execution, and
# `memory_access_type` has none for a reduction (RED).
SPACES = {4: "global", 8: "local", 16: "shared"}
OPERATIONS = {2: "load", 4: "store", 8: "atomic"}
OF_OTHERS = {"global": (WAVEFRONTS, WF_IDEAL), "shared": (SECTORS, IDEAL)}  # an instruction may count in both spaces


@functools.cache
def report_module(ncu):
    """Nsight Compute's module to read reports. The toolkit's ncu is a link or a script; the module lies beside the real one."""
    real = os.path.dirname(os.path.realpath(shutil.which(ncu) or ncu))
    roots = [real, os.path.dirname(os.path.dirname(real)), *sorted(glob.glob("/opt/nvidia/nsight-compute/*"), reverse=True)]
    sys.path += [os.path.join(root, "extras", "python") for root in roots]
    import ncu_report
    return ncu_report


def by_address(action, name):
    """The value of a counter at each instruction address of the kernel."""
    metric = action.metric_by_name(name)
    if metric is None or not metric.has_correlation_ids():
        return {}
    places = metric.correlation_ids()
    return {places.as_uint64(i): metric.as_double(i) for i in range(metric.num_instances())}


def instructions(action):
    """(address, opcode with its modifiers) of each memory instruction."""
    for address in by_address(action, EXECUTED):
        words = [w for w in action.sass_by_pc(address).split() if not w.startswith("@")]
        if words and words[0].rstrip(";").split(".")[0] in OPCODES:
            yield address, words[0].rstrip(";")


def width(opcode):
    """Bits of one lane's access."""
    parts = opcode.split(".")
    for bits, names in ((8, ("U8", "S8")), (16, ("U16", "S16")), (128, ("128",)), (64, ("64", "F64", "U64", "S64"))):
        if any(name in parts for name in names):
            return bits
    return 32


def kinds(opcode, space, operation):
    """(space, operation, bits) of the rows an instruction counts in: cp.async reads global and writes shared memory."""
    space, operation, bits = int(space), int(operation), width(opcode)
    if opcode.startswith("LDGSTS") and space:
        return [("global", "load", bits), ("shared", "store", bits)]
    if not space:  # no thread was ever on, and the opcode is all there is
        return [("generic", {"LD": "load", "ST": "store", "AT": "atomic"}.get(opcode[:2], "other"), bits)]
    return [(SPACES.get(space, "generic"), OPERATIONS.get(operation, "other"), bits)]


def demangled(name):
    try:
        return subprocess.run(["c++filt", name], capture_output=True, text=True).stdout.strip()
    except OSError:
        return ""


@functools.cache
def kernel_name(function, mangled):
    """The kernel as a report's demangled names have it: its name, and its template arguments where it has some."""
    _, found, rest = demangled(mangled).partition(function + "<")
    depth = 1
    for place, character in enumerate(rest if found else ""):
        depth += {"<": 1, ">": -1}.get(character, 0)
        if not depth:
            # LLVM's demangler, which reports go by, writes no blank here.
            return function + "<" + rest[:place + 1].replace("> >", ">>")
    return function


class Table:
    """The rows of one program, from one report after the other."""

    def __init__(self, name, base):
        self.name, self.base = name, base
        self.table = {}

    def add(self, path, ncu):
        """Takes in the launches of a report; how many of them have no counters, because the kernel failed."""
        module, failed = report_module(ncu), 0
        context = module.load_report(path)
        for profiled in map(context.range_by_idx, range(context.num_ranges())):
            for action in map(profiled.action_by_idx, range(profiled.num_actions())):
                if action.metric_by_name(EXECUTED) is None:
                    failed += 1
                else:
                    self.add_launch(action, module)
        return failed

    def add_launch(self, action, module):
        shapes = {key: [action.metric_by_name(name).as_uint64() for name in names] for key, names in SHAPES.items()}
        kernel = kernel_name(action.name(module.IAction.NameBase_FUNCTION), action.name(module.IAction.NameBase_MANGLED))
        values = {name: by_address(action, name) for name in [*COUNTERS.values(), SPACE, OPERATION]}
        touched = set()
        for address, opcode in instructions(action):
            source = action.source_info(address)
            file = self.relative(source.file_name()) if source else None
            if not file:
                continue
            for space, operation, bits in kinds(opcode, *(values[n].get(address, 0) for n in (SPACE, OPERATION))):
                key = kernel, tuple(shapes["block"]), file, source.line(), space, operation, bits
                row = self.table.setdefault(key, {"counts": dict.fromkeys(COUNTERS, 0), "sass": set(), "launches": 0,
                                                  "grid": shapes["grid"]})
                for name, counter in COUNTERS.items():
                    if counter not in OF_OTHERS.get(space, ()):
                        row["counts"][name] += round(values[counter].get(address, 0))
                row["sass"].add(opcode)
                touched.add(key)
        for key in touched:
            self.table[key]["launches"] += 1

    def relative(self, file):
        """The place below SOURCES of a source file of the program; None for one that is not of it."""
        inside = f"src/{self.name}/"
        path = os.path.realpath(os.path.join(self.base, inside, file))
        place = os.path.relpath(path, self.base)
        return place if place.startswith(inside) else None

    def rows(self):
        for key, row in sorted(self.table.items()):
            if row["counts"]["executed"]:
                kernel, block, file, line, space, operation, bits = key
                yield {"bench": self.name, "kernel": kernel, "block": list(block), "file": file, "line": line, "space": space,
                       "op": operation, "bits": bits, **row["counts"], "sass": sorted(row["sass"]),
                       "launches": row["launches"], "grid": row["grid"]}
