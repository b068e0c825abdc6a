//===- HostEvaluator.h - Evaluate host expressions without running them ---===//
//
// Part of Warplint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// An evaluator over the AST of host functions: what Clang's constant
/// evaluator can do, and beyond it local variables, callers, helper functions,
/// members and pointers.
///
//===----------------------------------------------------------------------===//

#ifndef WARPLINT_LIB_LAUNCH_HOSTEVALUATOR_H
#define WARPLINT_LIB_LAUNCH_HOSTEVALUATOR_H

#include "Choices.h"
#include "HostFlow.h"
#include "HostIndex.h"
#include "HostValue.h"
#include "llvm/ADT/StringSet.h"
#include <compare>
#include <map>

namespace warplint::launch {

/// The function an expression stands in, and what is known of this call.
struct Frame {
  const clang::FunctionDecl *Function = nullptr;
  /// True: Parameters hold the arguments of the one call that is evaluated;
  /// false: any call in the translation unit may be the one.
  bool Inlined = false;
  llvm::DenseMap<const clang::ParmVarDecl *, HostValue> Parameters;
  /// The object of a member function, when known.
  std::optional<HostValue> This;
};

class HostEvaluator {
public:
  HostEvaluator(clang::ASTContext &Ctx, HostIndex &Index)
      : Ctx(Ctx), Index(Index) {}

  /// Starts on a new launch: nothing is picked, the step budget is full.
  void begin();
  /// Makes the next combination of alternatives current; false: all seen.
  bool nextAlternative();
  /// In the lenient mode a variable with one known and one unknown value is
  /// taken to have the known one, with a grant that says so.
  void setLenient(bool On) { Lenient = On; }

  /// Each run so far may become \p Factor runs by what is picked from now on.
  void allowFurther(unsigned Factor) { Picks.allowFurther(Factor); }

  /// False when one of \p Guards is known not to hold in this run.
  bool isFeasible(llvm::ArrayRef<Guard> Guards, Frame &F);

  /// evaluate, with a full step budget.
  HostValue evaluateAnew(const clang::Expr *E, Frame &F) {
    Steps = 0;
    return evaluate(E, F);
  }

  /// The value of \p E (of what is stored there, for an lvalue) in \p F.
  HostValue evaluate(const clang::Expr *E, Frame &F);

private:
  // Expressions: HostEvaluator.cpp, HostOperators.cpp.
  HostValue evaluateUnguarded(const clang::Expr *E, Frame &F);
  HostValue evaluateCast(const clang::CastExpr *E, Frame &F);
  HostValue evaluateUnary(const clang::UnaryOperator *E, Frame &F);
  HostValue evaluateBinary(const clang::BinaryOperator *E, Frame &F);
  HostValue evaluateConditional(const clang::AbstractConditionalOperator *E,
                                Frame &F);
  HostValue evaluateSubscript(const clang::ArraySubscriptExpr *E, Frame &F);
  HostValue evaluateInitList(const clang::InitListExpr *E, Frame &F);
  HostValue evaluateLambda(const clang::LambdaExpr *E, Frame &F);
  HostValue foldConstant(const clang::Expr *E) const;
  HostValue addressOf(const clang::Expr *E, Frame &F);
  HostValue foldTyped(clang::BinaryOperatorKind Op, const HostValue &L,
                      const HostValue &R, clang::QualType T) const;
  /// What an expression of \p E's type is when nothing more is known.
  HostValue opaque(const clang::Expr *E);
  HostValue zeroOf(clang::QualType T) const;
  /// Bytes [Offset, +sizeof T) of \p Whole as a value of type \p T.
  HostValue part(const HostValue &Whole, uint64_t Offset, clang::QualType T,
                 llvm::StringRef Name) const;

  // Variables and members: HostVariables.cpp; parameters: HostParameters.cpp;
  // loops: HostLoops.cpp.
  HostValue variable(const clang::VarDecl *V, const clang::DeclRefExpr *Use,
                     uint64_t Offset, clang::QualType T, Frame &F);
  HostValue localVariable(const clang::VarDecl *V, const Uses &U,
                          const clang::DeclRefExpr *Use, uint64_t Offset,
                          clang::QualType T, Frame &F);
  HostValue anywhereVariable(const clang::VarDecl *V, const Uses &U,
                             uint64_t Offset, clang::QualType T);
  HostValue initialValue(const clang::VarDecl *V, uint64_t Offset,
                         clang::QualType T, Frame &F);
  HostValue written(const Write &W, const clang::VarDecl *V, uint64_t Offset,
                    clang::QualType T, Frame &F);
  HostValue writtenWhole(const Write &W, clang::QualType T, Frame &F);
  HostValue member(const clang::MemberExpr *E, Frame &F);
  HostValue fieldAnywhere(const clang::FieldDecl *Field,
                          const clang::MemberExpr *E);
  HostValue fieldWrites(const clang::FieldDecl *Field,
                        const clang::MemberExpr *E);
  HostValue parameter(const clang::ParmVarDecl *P, Frame &F);
  HostValue callersArgument(const clang::ParmVarDecl *P,
                            const clang::FunctionDecl *Function);
  std::optional<std::vector<HostValue>> loopValues(const clang::VarDecl *V,
                                                   const clang::ForStmt *Loop,
                                                   const clang::Expr *Use,
                                                   Frame &F);
  bool isInBody(const clang::ForStmt *Loop, const clang::Stmt *S);
  std::optional<HostValue> rangeLoopValue(const clang::VarDecl *V, Frame &F);
  HostValue unknownVariable(const clang::VarDecl *V, clang::QualType T,
                            uint64_t Offset = 0);

  /// One value out of \p Values: the common one, a pick, or their join.
  /// \p Key and \p Name: of the variable; \p Branches as Choices::pick takes
  /// them.
  HostValue combine(const void *Key, llvm::StringRef Name,
                    llvm::ArrayRef<HostValue> Values,
                    llvm::ArrayRef<const void *> Branches, clang::QualType T);

  // Calls: HostCalls.cpp.
  HostValue evaluateCall(const clang::CallExpr *E, Frame &F);
  HostValue evaluateConstruct(const clang::CXXConstructExpr *E, Frame &F);
  std::optional<HostValue> knownFunction(const clang::CallExpr *E,
                                         const clang::FunctionDecl *Callee,
                                         Frame &F);
  std::optional<HostValue> inlineCall(const clang::CallExpr *E,
                                      const clang::FunctionDecl *Callee,
                                      Frame &F);
  /// Collects what \p S may return; false when control can run past it.
  bool collectReturns(const clang::Stmt *S, Frame &F,
                      std::vector<HostValue> &Out);
  /// What the call \p W.Where leaves in the pointer (or integer) \p V.
  HostValue passedValue(const Write &W, llvm::StringRef Name, const void *Id,
                        clang::QualType T) const;
  std::optional<std::vector<HostValue>> elementsOf(const clang::Expr *Range,
                                                   Frame &F);

  /// Source text of \p E as one short line, and one pointer for equal texts.
  std::string textOf(const clang::Expr *E) const;
  const void *identityOf(llvm::StringRef Text);

  const HostFlow *flowOf(const clang::FunctionDecl *F);

  clang::ASTContext &Ctx;
  HostIndex &Index;
  Choices Picks;
  bool Lenient = false;
  unsigned Depth = 0, Steps = 0;
  llvm::DenseMap<const clang::FunctionDecl *, std::unique_ptr<HostFlow>> Flows;
  /// Every statement in the body of a loop.
  std::map<const clang::ForStmt *, llvm::DenseSet<const clang::Stmt *>>
      LoopBodies;
  /// Loop variables while their loop is being stepped through.
  llvm::DenseMap<const clang::VarDecl *, HostValue> Stepped;
  using CycleKey = std::pair<const void *, const void *>;
  /// Writes, fields and parameters whose value is being worked out, with what
  /// it is taken to be where it depends on itself.
  struct Approximation {
    HostValue Value = HostValue::bottom();
    unsigned Level = 0; ///< entries around it
    bool Used = false;
  };
  std::map<CycleKey, Approximation> InProgress;
  /// Calls being inlined, so that recursion ends.
  llvm::DenseSet<CycleKey> Active;
  llvm::StringSet<> Texts;
  /// A variable (or a call) where it is used.
  struct UseKey {
    const void *What;
    const void *Use;
    uint64_t Offset;
    const void *Type;
    bool Lenient, Suspended;
    auto operator<=>(const UseKey &) const = default;
  };
  /// Values that hold in this run, and those that hold in any.
  std::map<UseKey, HostValue> Known, Settled;
  /// The outermost entry of InProgress that a value worked out since rests on.
  unsigned OutermostCut = ~0u;

  /// \p Compute, or what it gave before. \p F: the frame it is made in.
  HostValue cached(UseKey Key, const Frame &F,
                   llvm::function_ref<HostValue()> Compute);

  /// \p Compute, for a value that may depend on itself: evaluated until it
  /// no longer changes, starting from nothing.
  HostValue solve(CycleKey Key, llvm::function_ref<HostValue()> Compute);
};

} // namespace warplint::launch

#endif // WARPLINT_LIB_LAUNCH_HOSTEVALUATOR_H
