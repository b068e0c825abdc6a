//===- warplint_cuda_compat.h - What nvcc accepts and clang does not -------===//
//
// Part of Warplint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma GCC system_header
#ifndef WARPLINT_CUDA_COMPAT_H
#define WARPLINT_CUDA_COMPAT_H

#endif // WARPLINT_CUDA_COMPAT_H
