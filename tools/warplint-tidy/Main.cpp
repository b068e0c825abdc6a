//===- Main.cpp - clang-tidy with the checks built in ---------------------===//
//
// Part of Warplint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "clang-tidy/tool/ClangTidyMain.h"

int main(int argc, const char **argv) {
  return clang::tidy::clangTidyMain(argc, argv);
}
