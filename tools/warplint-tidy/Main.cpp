//===- Main.cpp - clang-tidy with the checks built in ---------------------===//
//
// Part of Warplint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TranslatedArguments.h"
#include "clang-tidy/tool/ClangTidyMain.h"

int main(int argc, const char **argv) {
  warplint::TranslatedArguments Arguments(llvm::ArrayRef(argv, argc));
  std::vector<const char *> Words;
  for (const std::string &Word : Arguments.get())
    Words.push_back(Word.c_str());
  return clang::tidy::clangTidyMain(Words.size(), Words.data());
}
