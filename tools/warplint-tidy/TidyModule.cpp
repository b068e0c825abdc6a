//===- TidyModule.cpp - The checks as a module of clang-tidy --------------===//
//
// Part of Warplint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// clang-tidy makes the checks of a unit anew for each unit. Those of one unit
/// share one analysis, which the first of them that is asked for findings runs.
///
//===----------------------------------------------------------------------===//

#include "UnitAnalysis.h"
#include "clang-tidy/ClangTidyCheck.h"
#include "clang-tidy/ClangTidyModule.h"
#include "warplint/Tidy/TidyFindings.h"
#include "warplint/Tidy/TidyOptions.h"
#include "clang/ASTMatchers/ASTMatchFinder.h"

using namespace clang;

namespace warplint {

namespace {

class TidyCheck : public tidy::ClangTidyCheck {
public:
  TidyCheck(llvm::StringRef Name, tidy::ClangTidyContext *Context,
            std::shared_ptr<UnitAnalysis> Unit)
      : ClangTidyCheck(Name, Context), Name(Name), Context(*Context),
        Unit(std::move(Unit)) {
    touchTidyOptions(Name, *Context);
  }

  bool isLanguageVersionSupported(const LangOptions &Language) const override {
    return Language.CUDA;
  }
  void storeOptions(tidy::ClangTidyOptions::OptionMap &Map) override {
    storeTidyOptions(Name, Context, Map);
  }
  void registerPPCallbacks(const SourceManager &, Preprocessor *PP,
                           Preprocessor *) override {
    Unit->begin(*PP);
  }
  void registerMatchers(ast_matchers::MatchFinder *Finder) override {
    Finder->addMatcher(ast_matchers::translationUnitDecl().bind("unit"), this);
  }
  void check(const ast_matchers::MatchFinder::MatchResult &Result) override {
    Ctx = Result.Context;
  }
  // At the end, when the other checks have seen the tree.
  void onEndOfTranslationUnit() override {
    if (!Ctx)
      return;
    for (const Finding &F : Unit->findings(*Ctx))
      if (F.Check == Name && F.Shown)
        reportFinding(F, Context, Ctx->getSourceManager());
  }

private:
  const std::string Name;
  tidy::ClangTidyContext &Context;
  const std::shared_ptr<UnitAnalysis> Unit;
  ASTContext *Ctx = nullptr;
};

class TidyModule : public tidy::ClangTidyModule {
public:
  void addCheckFactories(tidy::ClangTidyCheckFactories &Factories) override {
    // Alive as long as a check of the unit is.
    auto Current = std::make_shared<std::weak_ptr<UnitAnalysis>>();
    for (const CheckInfo &Check : allChecks())
      Factories.registerCheckFactory(
          Check.Name,
          [Current](llvm::StringRef Name, tidy::ClangTidyContext *Context) {
            std::shared_ptr<UnitAnalysis> Unit = Current->lock();
            if (!Unit)
              *Current = Unit = std::make_shared<UnitAnalysis>(*Context);
            return std::make_unique<TidyCheck>(Name, Context, std::move(Unit));
          });
  }
};

tidy::ClangTidyModuleRegistry::Add<TidyModule>
    Register("warplint", "Slow memory accesses of CUDA kernels.");

} // namespace

} // namespace warplint
