# Part of Warplint, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Holds the slowdowns that Warplint estimates (lib/Diagnose/TimeEstimate.cpp) against those measured of the pairs."""
import math

# Written while the model and its constants stood (commit "Time from counts"), measured after.
HELD_OUT = frozenset("""
    aos/double_vectors aos/lambda_key atomics/column_maxima atomics/few_words atomics/record_counters
    columns/depth_first_block columns/narrow_bricks constant/remainder_taps gather/far_scatter
    gather/lookup_in_shared gather/shuffled_rows gather/sparse_rows groups/block_ranks groups/group_of_eight
    groups/warp_of_samples histogram/wide_bins misaligned/doubles_behind_word shared/async_columns
    shared/pairs_of_floats shared/sixteen_square stride/imaginary_parts stride/strided_view
    walks/pointer_walk walks/running_sums walks/two_a_thread""".split())


def ranks(values):
    order = sorted(range(len(values)), key=lambda i: values[i])
    found = [0.0] * len(values)
    i = 0
    while i < len(order):
        j = i
        while j + 1 < len(order) and abs(values[order[j + 1]] - values[order[i]]) < 1e-9:
            j += 1
        for k in order[i:j + 1]:
            found[k] = (i + j) / 2
        i = j + 1
    return found


def spearman(a, b):
    ra, rb = ranks(a), ranks(b)
    mean = (len(a) - 1) / 2
    over = sum((x - mean) * (y - mean) for x, y in zip(ra, rb))
    return over / math.sqrt(sum((x - mean) ** 2 for x in ra) * sum((y - mean) ** 2 for y in rb))


def section(pairs):
    """Says of every pair whether it was held out; yields the lines of the page."""
    for pair in pairs:
        pair["held_out"] = pair["name"] in HELD_OUT
    told = [pair for pair in pairs if not pair["data_decides"]]
    yield ("The estimate is Warplint's own: the time of the slow side's kernel over its time with every access at its ideal, from what "
           "the accesses ask of memory, L2, L1 and shared memory, the constant cache, the instructions and the waiting for memory "
           "([machine-model.md](machine-model.md), \"From counts to time\"). It is what severities rest on. Three constants of it were "
           "chosen on the pairs called known; those called fresh were written and measured after the model was committed (0.962 then). One thing "
           "changed after them, found in test/engine and not in them: each access of an array moves by its own step from warp to warp. Pairs in which data decides the cost have no estimate and are left out.\n")
    yield "| pairs | number | rank correlation (Spearman) of estimate and measured ratio |\n|---|---|---|"
    known = [pair for pair in told if not pair["held_out"]]
    for label, own in (("fresh: held out", [pair for pair in told if pair["held_out"]]), ("known", known), ("all", told)):
        if len(own) > 2:
            yield f"| {label} | {len(own)} | {spearman([p['estimate'] for p in own], [p['ratio'] for p in own]):.3f} |"
    yield "\n![estimated and measured slowdown](measured-estimates.svg)\n"
    yield ("Hollow: fresh. The measured ratio is that of the two sides, and a fast side may cost more than the ideal: a tile in shared "
           "memory has barriers (`transpose/read_columns`), a loop that is not unrolled waits (`walks/distances`). Known wrong: many "
           "requests to one address (`atomics/one_counter`: no check speaks of it), sectors written in part in scattered order "
           "(`misaligned/scattered_store`), lines that thrash L1 and L2 while others write them (`walks/running_sums`).")
