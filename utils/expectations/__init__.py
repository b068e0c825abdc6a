# Part of Warplint, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Expectations beside the code: what utils/expect is made of.

grammar   reads the `// expect:` comments of a CUDA file
oracle    counts sectors and wavefronts by enumerating 32 addresses
compare   holds a JSON report of the tool against the comments
form      checks that a JSON report keeps the form warplint-report/1
"""
