//===- TranslatedArguments.h - clang-tidy's arguments without nvcc's flags ===//
//
// Part of Warplint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// clang-tidy takes compile commands from behind `--` or from a database, and
/// understands clang's alone. A program that has the checks built in can put
/// translated ones in their place before clang-tidy looks.
///
//===----------------------------------------------------------------------===//

#ifndef WARPLINT_TOOLS_WARPLINT_TIDY_TRANSLATEDARGUMENTS_H
#define WARPLINT_TOOLS_WARPLINT_TIDY_TRANSLATEDARGUMENTS_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallString.h"
#include <string>
#include <vector>

namespace warplint {

class TranslatedArguments {
public:
  /// \p Arguments: clang-tidy's, its name first.
  explicit TranslatedArguments(llvm::ArrayRef<const char *> Arguments);
  /// Removes the database that was written for the run.
  ~TranslatedArguments();
  TranslatedArguments(const TranslatedArguments &) = delete;
  TranslatedArguments &operator=(const TranslatedArguments &) = delete;

  /// The arguments to go on with: those given, where there is nothing to
  /// translate or it failed (a line on standard error says why).
  llvm::ArrayRef<std::string> get() const { return Result; }

private:
  void translateFlags(size_t Dashes, llvm::StringRef File);
  /// True: there is a database in Written.
  bool translateDatabase(llvm::StringRef Folder);

  std::vector<std::string> Result;
  llvm::SmallString<128> Written; ///< the folder of the database, or ""
};

} // namespace warplint

#endif // WARPLINT_TOOLS_WARPLINT_TIDY_TRANSLATEDARGUMENTS_H
