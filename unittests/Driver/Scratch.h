//===- Scratch.h - A directory of files for one test ----------------------===//
//
// Part of Warplint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef WARPLINT_UNITTESTS_DRIVER_SCRATCH_H
#define WARPLINT_UNITTESTS_DRIVER_SCRATCH_H

#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"
#include <string>

/// A fresh directory, gone with the object.
class Scratch {
public:
  Scratch() {
    llvm::SmallString<128> Made;
    (void)llvm::sys::fs::createUniqueDirectory("warplint", Made);
    llvm::SmallString<128> Real;
    Root = llvm::sys::fs::real_path(Made, Real) ? std::string(Made)
                                                : std::string(Real);
  }
  ~Scratch() { (void)llvm::sys::fs::remove_directories(Root); }

  std::string path(llvm::StringRef Name) const {
    return Root + "/" + Name.str();
  }

  /// Writes \p Text, with the directories above it, and returns the path.
  std::string write(llvm::StringRef Name, llvm::StringRef Text) const {
    std::string Path = path(Name);
    (void)llvm::sys::fs::create_directories(llvm::sys::path::parent_path(Path));
    std::error_code EC;
    llvm::raw_fd_ostream(Path, EC) << Text;
    return Path;
  }

  /// What a CUDA toolkit is recognised by; no header of it can be used.
  std::string fakeToolkit(llvm::StringRef Name = "cuda") const {
    write((Name + "/include/cuda_runtime.h").str(), "");
    write((Name + "/bin/nvcc").str(), "");
    return path(Name);
  }

  std::string Root;
};

#endif // WARPLINT_UNITTESTS_DRIVER_SCRATCH_H
