//===- LaunchEvaluation.cpp - What one launch in the source says ----------===//
//
// Part of Warplint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "LaunchEvaluation.h"
#include "ArgumentFacts.h"
#include "GivenConditions.h"
#include "clang/AST/Attr.h"
#include "clang/Basic/FileManager.h"
#include "clang/Basic/SourceManager.h"
#include "llvm/ADT/SmallSet.h"
#include "llvm/Support/Path.h"

using namespace clang;

namespace warplint::launch {

// Threads a block can have, on every architecture to date (CUDA C++
// Programming Guide, "Technical Specifications per Compute Capability").
static constexpr uint64_t MaxBlockThreads = 1024;

// Shared memory a block can be given, on any architecture to date (ditto: 227
// KiB). A guess above it is none.
static constexpr int64_t MaxDynamicSharedBytes = 227 * 1024;

namespace {
/// The parts of a launch, however it is written.
struct LaunchParts {
  const Expr *Kernel = nullptr;
  const Expr *Grid = nullptr, *Block = nullptr, *Bytes = nullptr;
  std::vector<const Expr *> Arguments;
  bool ByAddress = false;       ///< Arguments are lvalues that the launch reads
  const Expr *Config = nullptr; ///< of cudaLaunchKernelEx, instead of those
};
} // namespace

/// The lvalue whose address \p E is, or null.
static const Expr *addressed(const Expr *E) {
  const auto *U =
      dyn_cast_or_null<UnaryOperator>(E ? E->IgnoreParenCasts() : E);
  return U && U->getOpcode() == UO_AddrOf ? U->getSubExpr() : nullptr;
}

/// The lvalues whose addresses `void *args[] = {&a, &b}` holds, or `args[0] =
/// &a; args[1] = &b;` put there.
static std::vector<const Expr *>
pointedArguments(const Expr *E, const HostIndex &Index, const ASTContext &Ctx) {
  std::vector<const Expr *> Result;
  E = E->IgnoreParenCasts();
  const VarDecl *V = nullptr;
  if (const auto *D = dyn_cast<DeclRefExpr>(E)) {
    V = dyn_cast<VarDecl>(D->getDecl());
    if (V && V->getInit())
      E = V->getInit()->IgnoreParenCasts();
  }
  if (const auto *L = dyn_cast<InitListExpr>(E))
    for (const Expr *Element : L->inits())
      Result.push_back(addressed(Element));
  if (!V)
    return Result;
  llvm::SmallSet<size_t, 8> Written;
  const uint64_t Step = Ctx.getTypeSizeInChars(Ctx.VoidPtrTy).getQuantity();
  for (const Write &W : Index.usesOf(V).Writes) {
    if (W.K == Write::Passed)
      continue; // To the launch itself.
    size_t At = W.Offset / Step;
    Result.resize(std::max(Result.size(), At + 1));
    bool First = Written.insert(At).second && W.Exact && W.K == Write::Assign;
    Result[At] = First ? addressed(W.Value) : nullptr;
  }
  return Result;
}

bool isLaunchCall(llvm::StringRef Name) {
  return Name == "cudaLaunchKernel" || Name == "cudaLaunchCooperativeKernel" ||
         Name == "cudaLaunchKernelEx" || Name == "cudaLaunchKernelExC";
}

static std::optional<LaunchParts>
partsOf(const CallExpr *Call, const HostIndex &Index, const ASTContext &Ctx) {
  LaunchParts P;
  if (const auto *K = dyn_cast<CUDAKernelCallExpr>(Call)) {
    const CallExpr *Config = K->getConfig();
    if (!Config || Config->getNumArgs() < 2)
      return std::nullopt;
    P.Kernel = K->getCallee();
    P.Grid = Config->getArg(0);
    P.Block = Config->getArg(1);
    P.Bytes = Config->getNumArgs() > 2 ? Config->getArg(2) : nullptr;
    P.Arguments.assign(K->arg_begin(), K->arg_end());
    return P;
  }
  const FunctionDecl *F = Call->getDirectCallee();
  if (!F || !F->getIdentifier())
    return std::nullopt;
  llvm::StringRef Name = F->getName();
  if ((Name == "cudaLaunchKernel" || Name == "cudaLaunchCooperativeKernel") &&
      Call->getNumArgs() >= 4) {
    P.Kernel = Call->getArg(0);
    P.Grid = Call->getArg(1);
    P.Block = Call->getArg(2);
    P.Arguments = pointedArguments(Call->getArg(3), Index, Ctx);
    P.ByAddress = true;
    P.Bytes = Call->getNumArgs() > 4 ? Call->getArg(4) : nullptr;
    return P;
  }
  if ((Name == "cudaLaunchKernelEx" || Name == "cudaLaunchKernelExC") &&
      Call->getNumArgs() >= 2) {
    const auto *U =
        dyn_cast<UnaryOperator>(Call->getArg(0)->IgnoreParenImpCasts());
    if (!U || U->getOpcode() != UO_AddrOf)
      return std::nullopt;
    P.Config = U->getSubExpr();
    P.Kernel = Call->getArg(1);
    if (Name == "cudaLaunchKernelExC") {
      if (Call->getNumArgs() > 2)
        P.Arguments = pointedArguments(Call->getArg(2), Index, Ctx);
      P.ByAddress = true;
    } else {
      P.Arguments.assign(Call->arg_begin() + 2, Call->arg_end());
    }
    return P;
  }
  return std::nullopt;
}

SourcePlace placeOfCall(const Expr *Call, const SourceManager &SM) {
  SourceLocation Loc = SM.getExpansionLoc(Call->getBeginLoc());
  SourcePlace Place;
  PresumedLoc Presumed = SM.getPresumedLoc(Loc, /*UseLineDirectives=*/false);
  if (Presumed.isInvalid())
    return Place;
  llvm::SmallString<256> Path(Presumed.getFilename());
  SM.getFileManager().makeAbsolutePath(Path);
  llvm::sys::path::remove_dots(Path, /*remove_dot_dot=*/true);
  Place.File = std::string(Path);
  Place.Line = Presumed.getLine();
  Place.Column = Presumed.getColumn();
  return Place;
}

static void addAssumptions(LaunchConfig &Config,
                           llvm::ArrayRef<std::string> Texts) {
  for (const std::string &Text : Texts)
    if (!llvm::is_contained(Config.Assumptions, Text))
      Config.Assumptions.push_back(Text);
}

/// The grants of \p V and of all its parts.
static std::vector<std::string> grantsIn(const HostValue &V) {
  std::vector<std::string> All = V.Grants;
  for (const auto &[At, Leaf] : V.Leaves)
    llvm::append_range(All, grantsIn(Leaf));
  return All;
}

/// Extent \p Axis of a dim3: three unsigned ints, x first.
static const HostValue *extentOf(const HostValue &V, unsigned Axis) {
  return V.K == HostValue::Record ? V.leaf(4 * Axis) : nullptr;
}

static void setBlock(LaunchSite &Site, const HostValue &Block) {
  uint64_t Threads = 1;
  for (unsigned Axis = 0; Axis < 3; ++Axis) {
    const HostValue *Extent = extentOf(Block, Axis);
    if (Extent && Extent->isInteger()) {
      // A dim3 holds 32 bits.
      Site.BlockExtent[Axis] = uint32_t(Extent->Int);
      Threads *= uint32_t(Extent->Int);
      addAssumptions(Site.Config, Extent->Grants);
      continue;
    }
    if (Site.BlockCulprit.empty())
      Site.BlockCulprit = Extent ? Extent->Culprit : Block.Culprit;
    else if (Extent && Extent->Culprit == Site.BlockCulprit)
      Site.SquareBlock = true;
  }
  bool Complete = llvm::all_of(Site.BlockExtent,
                               [](const auto &E) { return E.has_value(); });
  if (Threads == 0 || Threads > MaxBlockThreads) {
    // A guess that cannot be right says nothing; a fact that cannot, is told.
    bool Guessed = !Block.Grants.empty();
    for (unsigned Axis = 0; Axis < 3; ++Axis)
      if (const HostValue *Extent = extentOf(Block, Axis);
          Extent && !Extent->Grants.empty()) {
        Guessed = true;
        if (Site.BlockCulprit.empty())
          Site.BlockCulprit = Extent->Culprit;
      }
    Site.Config.Assumptions.clear();
    if (Complete && !Guessed)
      Site.BadBlock = std::to_string(*Site.BlockExtent[0]) + "x" +
                      std::to_string(*Site.BlockExtent[1]) + "x" +
                      std::to_string(*Site.BlockExtent[2]);
    Site.BlockExtent = {};
    return;
  }
  addAssumptions(Site.Config, Block.Grants);
}

static void setGrid(LaunchSite &Site, const HostValue &Grid) {
  Dim3 Known = {1, 1, 1};
  bool Complete = true;
  for (unsigned Axis = 0; Axis < 3; ++Axis) {
    const HostValue *Extent = extentOf(Grid, Axis);
    if (Extent && Extent->isInteger() && uint32_t(Extent->Int)) {
      Known[Axis] = uint32_t(Extent->Int);
      Site.Config.GridExtent[Axis] = Known[Axis];
      addAssumptions(Site.Config, Extent->Grants);
    } else {
      Complete = false;
    }
  }
  if (Complete)
    Site.Config.Grid = Known;
}

/// The member \p Name of the launch configuration record \p T in \p V.
static HostValue configMember(const HostValue &V, QualType T,
                              llvm::StringRef Name, const ASTContext &Ctx) {
  const RecordDecl *R = T->getAsRecordDecl();
  if (!R || V.K != HostValue::Record)
    return HostValue::unknown(V.Culprit);
  for (const FieldDecl *F : R->fields())
    if (F->getName() == Name)
      if (std::optional<uint64_t> At = offsetOf(F, Ctx)) {
        if (!F->getType()->isRecordType()) {
          const HostValue *Leaf = V.leaf(*At);
          return Leaf ? *Leaf : HostValue::unknown(V.Culprit);
        }
        return V.slice(*At, sizeOf(F->getType(), Ctx).value_or(0));
      }
  return HostValue::unknown(V.Culprit);
}

namespace {
/// Reads the block, the grid and the shared bytes of a launch: of expressions
/// of their own, or of the record that holds them.
class ShapeReader {
public:
  ShapeReader(const LaunchParts &Parts, HostEvaluator &Evaluator, Frame &F,
              const ASTContext &Ctx)
      : Parts(Parts), Evaluator(Evaluator), F(F), Ctx(Ctx) {
    if (Parts.Config)
      Config = Evaluator.evaluateAnew(Parts.Config, F);
  }
  HostValue operator()(const Expr *E, llvm::StringRef Member) const {
    if (Parts.Config)
      return configMember(Config, Parts.Config->getType(), Member, Ctx);
    return E ? Evaluator.evaluateAnew(E, F) : HostValue::integer(0);
  }

private:
  const LaunchParts &Parts;
  HostEvaluator &Evaluator;
  Frame &F;
  const ASTContext &Ctx;
  HostValue Config;
};
} // namespace

/// The kernel named by \p E, following function pointers.
static const FunctionDecl *kernelOf(const Expr *E, HostEvaluator &Evaluator,
                                    Frame &F) {
  const FunctionDecl *Kernel = nullptr;
  if (const auto *D = dyn_cast<DeclRefExpr>(E->IgnoreParenCasts()))
    Kernel = dyn_cast<FunctionDecl>(D->getDecl());
  if (!Kernel) {
    HostValue V = Evaluator.evaluateAnew(E, F);
    Kernel = V.K == HostValue::Function ? V.Callee : nullptr;
  }
  // A file for the host alone does not see that it is one.
  bool Seen = Kernel && Kernel->getASTContext().getLangOpts().CUDA;
  return Kernel && (Kernel->hasAttr<CUDAGlobalAttr>() || !Seen) ? Kernel
                                                                : nullptr;
}

/// Each call of its function may launch with something else.
static bool recurs(const Launch &L, const HostIndex &Index) {
  return L.In && llvm::any_of(Index.callsOf(L.In), [&](const CallSite &Site) {
           return Site.In == L.In;
         });
}

static EvaluatedLaunch evaluateOnce(const LaunchParts &Parts, const Launch &L,
                                    HostEvaluator &Evaluator, ASTContext &Ctx) {
  EvaluatedLaunch Result;
  LaunchSite &Site = Result.Site;
  Site.Config.From = LaunchConfig::FromLaunch;
  Frame F;
  F.Function = L.In;
  const GivenConditions Given(L, Evaluator.index(), Ctx);
  if (!Given.empty())
    F.Given = &Given;
  Site.Recurs = recurs(L, Evaluator.index());
  // The shape of the launch comes first: what varies it is picked first, and
  // it is worth a guess where the arguments are not.
  Evaluator.setLenient(true);
  Result.Kernel = kernelOf(Parts.Kernel, Evaluator, F);
  if (!Result.Kernel)
    return Result;
  // What one call of a recursion has is no guess at what the others have.
  Evaluator.setLenient(!Site.Recurs);
  const ShapeReader Read(Parts, Evaluator, F, Ctx);
  setBlock(Site, Read(Parts.Block, "blockDim"));
  HostValue Bytes = Read(Parts.Bytes, "dynamicSmemBytes");
  bool Guessed = !Bytes.Grants.empty();
  if (Bytes.isInteger() && Bytes.Int >= 0 &&
      !(Guessed && Bytes.Int > MaxDynamicSharedBytes)) {
    Site.Config.DynamicSharedBytes = uint64_t(Bytes.Int);
    addAssumptions(Site.Config, Bytes.Grants);
  }
  Evaluator.setLenient(false);
  F.Given = nullptr;
  Result.Feasible =
      Evaluator.isFeasible(L.Guards, F) && Evaluator.isReached(L.Call, L.In);
  const bool ReachedAtFirst =
      Result.Feasible && Evaluator.isFeasibleAtFirst(L.Guards, F);
  // More variants than these in nothing but arguments are joined in the end.
  Evaluator.allowFurther(MaxArgumentVariants);
  BaseNames Names;
  for (unsigned I = 0; I < Parts.Arguments.size(); ++I) {
    ArgumentFact Fact;
    if (Parts.Arguments[I] && I < Result.Kernel->getNumParams()) {
      QualType T = Result.Kernel->getParamDecl(I)->getType();
      // A float tells nothing about an address.
      if (!T->isRealFloatingType()) {
        HostValue V = Parts.ByAddress
                          ? Evaluator.valueAt(Parts.Arguments[I], L.Call, F)
                          : Evaluator.evaluateAnew(Parts.Arguments[I], F);
        if (const auto *D = dyn_cast<DeclRefExpr>(
                Parts.Arguments[I]->IgnoreParenImpCasts()))
          if (const auto *Var = dyn_cast<VarDecl>(D->getDecl()))
            V = Evaluator.underGuards(V, Var, L.Guards, F);
        Result.Feasible &= V.K != HostValue::Bottom;
        Fact = factOf(V, T, Names);
        if (Fact != ArgumentFact())
          addAssumptions(Site.Config, grantsIn(V));
        if (ReachedAtFirst && !V.isConstant() && !T->isAnyPointerType())
          addGuess(Fact,
                   Parts.ByAddress
                       ? Evaluator.firstValueAt(Parts.Arguments[I], L.Call, F)
                       : Evaluator.firstValueOf(Parts.Arguments[I], F));
      }
    }
    Site.Config.Arguments.push_back(std::move(Fact));
  }
  setGrid(Site, Read(Parts.Grid, "gridDim"));
  return Result;
}

std::optional<EvaluatedLaunch> evaluateMade(const CallExpr *Call,
                                            HostEvaluator &Evaluator, Frame &F,
                                            ASTContext &Ctx) {
  std::optional<LaunchParts> Parts = partsOf(Call, Evaluator.index(), Ctx);
  if (!Parts || !Parts->Kernel)
    return std::nullopt;
  EvaluatedLaunch Made;
  LaunchSite &Site = Made.Site;
  Site.Config.From = LaunchConfig::FromLaunch;
  Made.Kernel = kernelOf(Parts->Kernel, Evaluator, F);
  if (!Made.Kernel)
    return std::nullopt;
  const ShapeReader Read(*Parts, Evaluator, F, Ctx);
  setBlock(Site, Read(Parts->Block, "blockDim"));
  if (llvm::any_of(Site.BlockExtent, [](const auto &E) { return !E; }))
    return std::nullopt;
  HostValue Bytes = Read(Parts->Bytes, "dynamicSmemBytes");
  if (Bytes.isInteger() && Bytes.Int >= 0) {
    Site.Config.DynamicSharedBytes = uint64_t(Bytes.Int);
    addAssumptions(Site.Config, Bytes.Grants);
  }
  BaseNames Names;
  for (unsigned I = 0; I < Parts->Arguments.size(); ++I) {
    ArgumentFact Fact;
    if (Parts->Arguments[I] && I < Made.Kernel->getNumParams()) {
      QualType T = Made.Kernel->getParamDecl(I)->getType();
      if (!T->isRealFloatingType()) {
        HostValue V = Evaluator.evaluateAnew(Parts->Arguments[I], F);
        Fact = factOf(V, T, Names);
        if (Fact != ArgumentFact())
          addAssumptions(Site.Config, grantsIn(V));
      }
    }
    Site.Config.Arguments.push_back(std::move(Fact));
  }
  setGrid(Site, Read(Parts->Grid, "gridDim"));
  Site.Config.Launches.push_back(placeOfCall(Call, Ctx.getSourceManager()));
  return Made;
}

bool isSameLaunch(const LaunchSite &A, const LaunchSite &B) {
  return A.BlockExtent == B.BlockExtent && A.Config.Grid == B.Config.Grid &&
         A.Config.DynamicSharedBytes == B.Config.DynamicSharedBytes &&
         sameFacts(A.Config.Arguments, B.Config.Arguments);
}

std::vector<EvaluatedLaunch>
evaluateLaunch(const Launch &L, HostEvaluator &Evaluator, ASTContext &Ctx) {
  std::vector<EvaluatedLaunch> Results;
  if (L.Call->isTypeDependent())
    return Results;
  std::optional<LaunchParts> Parts = partsOf(L.Call, Evaluator.index(), Ctx);
  if (!Parts || !Parts->Kernel)
    return Results;
  SourcePlace Place = placeOfCall(L.Call, Ctx.getSourceManager());
  Evaluator.begin();
  do {
    EvaluatedLaunch One = evaluateOnce(*Parts, L, Evaluator, Ctx);
    if (!One.Kernel)
      continue;
    One.Site.Config.Launches.push_back(Place);
    Results.push_back(std::move(One));
  } while (Evaluator.nextAlternative());
  return Results;
}

} // namespace warplint::launch
