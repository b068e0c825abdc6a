//===- NvccMacros.h - nvcc's macros, for those who expect nvcc ------------===//
//
// Part of Warplint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// A program written for nvcc asks for __NVCC__ and __CUDACC_VER_MAJOR__, and
/// without them takes the path for no CUDA at all or for a release long gone.
/// The headers of the toolkit and of clang ask as well, and there the answer
/// must be clang. So the macros exist while the user's own files are read and
/// not while a system header is.
///
//===----------------------------------------------------------------------===//

#ifndef WARPLINT_LIB_DRIVER_NVCCMACROS_H
#define WARPLINT_LIB_DRIVER_NVCCMACROS_H

namespace clang {
class Preprocessor;
} // namespace clang

namespace warplint {

/// Defines nvcc's macros whenever \p PP is in a file of the user, with the
/// values that the compatibility header gives them.
void showNvccMacros(clang::Preprocessor &PP);

} // namespace warplint

#endif // WARPLINT_LIB_DRIVER_NVCCMACROS_H
