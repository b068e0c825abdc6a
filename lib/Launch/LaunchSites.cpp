//===- LaunchSites.cpp - Find and evaluate kernel launches in the AST -----===//
//
// Part of Warplint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "warplint/Launch/LaunchSites.h"
#include "ArgumentFacts.h"
#include "FollowRuns.h"
#include "LaunchEvaluation.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/Attr.h"
#include "clang/Basic/SourceManager.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/Path.h"
#include <cmath>

using namespace clang;

namespace warplint {

using namespace launch;

// Configurations a kernel is analysed in: each costs a run of the symbolic
// warp.
static constexpr size_t MaxConfigs = 16;

static bool sameShape(const LaunchSite &A, const LaunchSite &B) {
  return A.BlockExtent == B.BlockExtent &&
         A.Config.DynamicSharedBytes == B.Config.DynamicSharedBytes;
}

/// Makes \p A stand for \p B too: places and assumptions of both, and of the
/// rest what holds of both.
static void absorb(LaunchSite &A, const LaunchSite &B) {
  for (const SourcePlace &Place : B.Config.Launches)
    if (!llvm::is_contained(A.Config.Launches, Place))
      A.Config.Launches.push_back(Place);
  for (const std::string &Text : B.Config.Assumptions)
    if (!llvm::is_contained(A.Config.Assumptions, Text))
      A.Config.Assumptions.push_back(Text);
  for (unsigned Axis = 0; Axis < 3; ++Axis) {
    if (A.BlockExtent[Axis] != B.BlockExtent[Axis])
      A.BlockExtent[Axis].reset();
    if (A.Config.GridExtent[Axis] != B.Config.GridExtent[Axis])
      A.Config.GridExtent[Axis].reset();
  }
  A.Recurs |= B.Recurs;
  if (A.Config.Grid != B.Config.Grid)
    A.Config.Grid.reset();
  if (A.Config.DynamicSharedBytes != B.Config.DynamicSharedBytes)
    A.Config.DynamicSharedBytes.reset();
  std::vector<ArgumentFact> &Facts = A.Config.Arguments;
  Facts.resize(std::min(Facts.size(), B.Config.Arguments.size()));
  for (auto [Mine, Other] : llvm::zip(Facts, B.Config.Arguments))
    Mine = joinFacts(Mine, Other);
}

static void add(std::vector<LaunchSite> &Sites, LaunchSite Site) {
  for (LaunchSite &Known : Sites)
    if (sameShape(Known, Site) &&
        sameFacts(Known.Config.Arguments, Site.Config.Arguments)) {
      // The names of the first launch stay.
      Site.Config.Arguments = Known.Config.Arguments;
      absorb(Known, Site);
      return;
    }
  Sites.push_back(std::move(Site));
}

/// Joins sites that \p Alike calls alike where more than \p Limit are.
static void joinAlike(
    std::vector<LaunchSite> &Sites, size_t Limit,
    llvm::function_ref<bool(const LaunchSite &, const LaunchSite &)> Alike) {
  for (size_t I = 0; I < Sites.size(); ++I) {
    auto IsAlike = [&](const LaunchSite &S) { return Alike(Sites[I], S); };
    if (size_t(llvm::count_if(Sites, IsAlike)) <= Limit)
      continue;
    LaunchSite First = Sites[I];
    std::vector<LaunchSite> Kept(Sites.begin(), Sites.begin() + I + 1);
    for (size_t J = I + 1; J < Sites.size(); ++J)
      if (Alike(First, Sites[J]))
        absorb(Kept[I], Sites[J]);
      else
        Kept.push_back(Sites[J]);
    Sites = std::move(Kept);
  }
}

/// What the runs that come to \p L make of it; without one, what is known of
/// it whatever the run, by \p Always. \p Followed is set to false where not all
/// of it comes from runs that were followed.
static std::vector<EvaluatedLaunch>
evaluateForRuns(const Launch &L, llvm::ArrayRef<FollowedRun> Runs,
                HostEvaluator &Always, ASTContext &Ctx, bool &Followed) {
  std::vector<EvaluatedLaunch> Reached;
  for (const FollowedRun &Run : Runs) {
    if (Run.Followed && !Run.Unclear.contains(L.Call)) {
      for (const HostProgram::Made &M : Run.Launches)
        if (M.Call == L.Call)
          Reached.push_back(M.What);
      continue;
    }
    Followed = false;
    if (Run.Evaluator)
      for (EvaluatedLaunch &E : evaluateLaunch(L, *Run.Evaluator, Ctx))
        if (E.Feasible)
          Reached.push_back(std::move(E));
  }
  if (!Reached.empty())
    return Reached;
  Followed = false;
  return evaluateLaunch(L, Always, Ctx);
}

LaunchSites LaunchSites::collect(ASTContext &Ctx, const UnitImports *Imports,
                                 bool Export, FindRuns Find, ReadFile Read) {
  LaunchSites Result;
  HostIndex Index(Ctx);
  Foreign Others(Ctx, Imports);
  Result.Searched = Others.wasSearched();
  const SourceManager &SM = Ctx.getSourceManager();
  // Instantiations of one launch keep the order of the walk.
  std::vector<std::pair<size_t, const Launch *>> Order;
  for (const Launch &L : Index.Launches)
    Order.push_back({Order.size(), &L});
  llvm::sort(Order, [&](const auto &A, const auto &B) {
    SourceLocation L = A.second->Call->getBeginLoc();
    SourceLocation R = B.second->Call->getBeginLoc();
    if (L == R || L.isInvalid() || R.isInvalid())
      return A.first < B.first;
    return SM.isBeforeInTranslationUnit(L, R);
  });
  RunEvaluators Evaluators;
  Evaluators.All.push_back(std::make_unique<HostEvaluator>(Ctx, Index, Others));
  const std::vector<FollowedRun> Runs =
      followRuns(Ctx, Index, Others, Evaluators, Find, Read);
  std::vector<EvaluatedLaunch> Infeasible;
  bool Followed = true;
  for (const auto &[Number, L] : Order)
    for (EvaluatedLaunch &E :
         evaluateForRuns(*L, Runs, *Evaluators.All.front(), Ctx, Followed))
      if (E.Feasible)
        add(Result.Sites[E.Kernel->getCanonicalDecl()], std::move(E.Site));
      else
        Infeasible.push_back(std::move(E));
  // A launch that cannot be reached still says more than none.
  llvm::SmallPtrSet<const FunctionDecl *, 8> Feasible;
  for (const auto &Entry : Result.Sites)
    Feasible.insert(Entry.first);
  for (EvaluatedLaunch &E : Infeasible)
    if (!Feasible.contains(E.Kernel->getCanonicalDecl()))
      add(Result.Sites[E.Kernel->getCanonicalDecl()], std::move(E.Site));
  if (Export) {
    for (const auto &[Kernel, Sites] : Result.Sites)
      if (!Kernel->isDefined())
        if (const std::string &Name = Others.nameOf(Kernel); !Name.empty())
          Others.Out.Launches[Name] = Sites;
    exportFacts(Index, Evaluators.All, Others, Ctx);
  }
  for (const FunctionDecl *F : Index.Definitions) {
    if (!F->hasAttr<CUDAGlobalAttr>() || !Others.isDefinedForOthers(F))
      continue;
    std::vector<LaunchSite> &Sites = Result.Sites[F->getCanonicalDecl()];
    for (const LaunchSite &Site : Others.launchesOf(F))
      add(Sites, Site);
    Others.ask(F, /*ForShape=*/Sites.empty());
  }
  Result.Exports = std::move(Others.Out);
  Result.Exports.Followed = Followed;
  for (auto &Entry : Result.Sites) {
    std::vector<LaunchSite> &Sites = Entry.second;
    joinAlike(Sites, MaxArgumentVariants, sameShape);
    if (Sites.size() > MaxConfigs)
      joinAlike(Sites, 1, [](const LaunchSite &A, const LaunchSite &B) {
        return A.BlockExtent == B.BlockExtent;
      });
    while (Sites.size() > MaxConfigs) {
      absorb(Sites[Sites.size() - 2], Sites.back());
      Sites.pop_back();
    }
  }
  return Result;
}

static std::string shape(const Dim3 &Block) {
  return std::to_string(Block[0]) + "x" + std::to_string(Block[1]) + "x" +
         std::to_string(Block[2]);
}

/// The first argument of `__launch_bounds__` on any declaration of \p Kernel.
static std::optional<uint32_t> launchBoundsOf(const FunctionDecl *Kernel) {
  ASTContext &Ctx = Kernel->getASTContext();
  for (const FunctionDecl *D : Kernel->redecls())
    if (const auto *A = D->getAttr<CUDALaunchBoundsAttr>()) {
      const Expr *Max = A->getMaxThreads();
      Expr::EvalResult R;
      if (Max && !Max->isValueDependent() && !Max->containsErrors() &&
          Max->EvaluateAsInt(R, Ctx) && R.Val.getInt().isStrictlyPositive() &&
          R.Val.getInt().ult(1u << 16))
        return uint32_t(R.Val.getInt().getZExtValue());
    }
  return std::nullopt;
}

/// Fills the extents that \p Site leaves open so that the block comes to the
/// threads of \p Guess; a shape that is open in x takes it from \p Guess.
static Dim3 fillBlock(const LaunchSite &Site, const Dim3 &Guess) {
  const auto &Known = Site.BlockExtent;
  if (!Known[0] && !Known[1] && !Known[2] && !Site.SquareBlock)
    return Guess;
  uint64_t Given = 1;
  for (const std::optional<uint32_t> &Extent : Known)
    Given *= Extent.value_or(1);
  uint64_t Total = uint64_t(Guess[0]) * Guess[1] * Guess[2];
  uint32_t Left =
      uint32_t(std::max<uint64_t>(1, Total / std::max<uint64_t>(1, Given)));
  Dim3 Block = {Known[0].value_or(1), Known[1].value_or(1),
                Known[2].value_or(1)};
  if (!Known[0] && !Known[1] && Site.SquareBlock) {
    uint32_t Side = 1;
    while (4 * Side * Side <= Left)
      Side *= 2;
    Block[0] = Block[1] = Side;
  } else if (!Known[0]) {
    Block[0] = Left;
  } else if (!Known[1]) {
    Block[1] = Left;
  }
  return Block;
}

std::vector<LaunchConfig>
LaunchSites::configsFor(const FunctionDecl *Kernel,
                        const LaunchDefaults &Defaults) const {
  std::optional<uint32_t> Bounds = launchBoundsOf(Kernel);
  Dim3 Guess = Defaults.Block;
  LaunchConfig::Origin From = LaunchConfig::FromDefault;
  if (Bounds) {
    Guess = {*Bounds, 1, 1};
    From = LaunchConfig::FromLaunchBounds;
  } else if (Defaults.BlockOption) {
    Guess = *Defaults.BlockOption;
    From = LaunchConfig::FromOption;
  }
  std::string Basis = Bounds                 ? ", from __launch_bounds__"
                      : Defaults.BlockOption ? ", from --block"
                                             : "; --block sets it";

  std::vector<LaunchConfig> Configs;
  auto It = Sites.find(Kernel->getCanonicalDecl());
  if (It == Sites.end() || It->second.empty()) {
    LaunchConfig Config;
    Config.From = From;
    Config.Block = Guess;
    std::string Text = "block " + shape(Guess) + " assumed: no launch of '" +
                       Kernel->getNameAsString() + "' in " +
                       (Searched ? "the files analysed" : "this file") + Basis;
    if (From != LaunchConfig::FromOption)
      Config.Assumptions.push_back(Text);
    Configs.push_back(std::move(Config));
    return Configs;
  }
  for (const LaunchSite &Site : It->second) {
    LaunchConfig Config = Site.Config;
    // A recursion that divides ends in a few threads: what more of them cost is
    // not said of a block that may be of one.
    const bool MayBeOne = Site.Recurs && From != LaunchConfig::FromOption;
    Config.Block = fillBlock(Site, MayBeOne ? Dim3{1, 1, 1} : Guess);
    Config.BlockAssumed = llvm::any_of(
        Site.BlockExtent, [](const auto &Extent) { return !Extent; });
    if (Config.BlockAssumed) {
      // Half a warp would be another kind of block.
      Dim3 Half = Guess;
      uint32_t &Longest = *std::max_element(Half.begin(), Half.end());
      Longest /= 2;
      if (Dim3 Other = fillBlock(Site, MayBeOne ? Guess : Half);
          (MayBeOne || Longest % 32 == 0) && Other != Config.Block)
        Config.OtherBlock = Other;
      const SourcePlace &Place = Config.Launches.front();
      std::string Text = "block " + shape(Config.Block) +
                         " assumed: the launch at " +
                         llvm::sys::path::filename(Place.File).str() + ":" +
                         std::to_string(Place.Line);
      if (!Site.BadBlock.empty())
        Text += " asks for " + Site.BadBlock + ", which cannot be launched";
      else if (!Site.BlockCulprit.empty())
        Text += " takes it from '" + Site.BlockCulprit +
                "', whose value is not known here";
      else
        Text += " does not show it";
      if (MayBeOne)
        Text += ", in a function that calls itself";
      Config.Assumptions.insert(Config.Assumptions.begin(),
                                Text +
                                    (MayBeOne ? "; --block sets it" : Basis));
    }
    // Two launches may come to the same once the block is filled in.
    bool Known = false;
    for (LaunchConfig &Other : Configs)
      if (Other.Block == Config.Block &&
          Other.DynamicSharedBytes == Config.DynamicSharedBytes &&
          Other.BlockAssumed == Config.BlockAssumed &&
          sameFacts(Other.Arguments, Config.Arguments)) {
        for (const SourcePlace &Place : Config.Launches)
          if (!llvm::is_contained(Other.Launches, Place))
            Other.Launches.push_back(Place);
        Known = true;
        break;
      }
    if (!Known)
      Configs.push_back(std::move(Config));
  }
  return Configs;
}

} // namespace warplint
