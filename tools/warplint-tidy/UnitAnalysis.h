//===- UnitAnalysis.h - The analysis that the checks of a unit share ------===//
//
// Part of Warplint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef WARPLINT_TOOLS_WARPLINT_TIDY_UNITANALYSIS_H
#define WARPLINT_TOOLS_WARPLINT_TIDY_UNITANALYSIS_H

#include "warplint/Pipeline/AnalyseUnit.h"

namespace clang::tidy {
class ClangTidyContext;
} // namespace clang::tidy

namespace warplint {

class UnitAnalysis {
public:
  explicit UnitAnalysis(clang::tidy::ClangTidyContext &Context)
      : Context(Context) {}

  /// Before the unit is parsed; the first call counts.
  void begin(clang::Preprocessor &PP);

  /// The findings of all enabled checks. The first call analyses, and says to
  /// the context why there is nothing to analyse.
  llvm::ArrayRef<Finding> findings(clang::ASTContext &Ctx);

private:
  void analyse(clang::ASTContext &Ctx);
  void explainNvccCommand();

  clang::tidy::ClangTidyContext &Context;
  clang::Preprocessor *PP = nullptr;
  bool Analysed = false;
  FileReport Report;
};

} // namespace warplint

#endif // WARPLINT_TOOLS_WARPLINT_TIDY_UNITANALYSIS_H
