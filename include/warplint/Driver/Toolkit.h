//===- Toolkit.h - Where CUDA and clang's own headers are installed -------===//
//
// Part of Warplint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef WARPLINT_DRIVER_TOOLKIT_H
#define WARPLINT_DRIVER_TOOLKIT_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <string>

namespace warplint {

/// The CUDA toolkit's directory, the one with include/cuda_runtime.h.
/// \p Wanted (an option) decides alone when given; then \p FromCommand
/// (--cuda-path), the directory above that of \p Compiler when it is nvcc,
/// $CUDA_PATH, $CUDA_HOME, nvcc on the PATH, and the usual places.
/// Error: none of them holds one, and what to pass.
llvm::Expected<std::string> findCudaToolkit(llvm::StringRef Wanted,
                                            llvm::StringRef FromCommand,
                                            llvm::StringRef Compiler);

/// Clang's resource directory (lib/clang/22), of the LLVM that Warplint was
/// configured with, or beside the executable. Error: neither has the headers.
llvm::Expected<std::string> findResourceDirectory();

} // namespace warplint

#endif // WARPLINT_DRIVER_TOOLKIT_H
