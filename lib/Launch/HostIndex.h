//===- HostIndex.h - One walk over the host code, and what it notes -------===//
//
// Part of Warplint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Everything the evaluator asks of the translation unit as a whole: launches,
/// who calls whom, and where each variable and member is written.
///
//===----------------------------------------------------------------------===//

#ifndef WARPLINT_LIB_LAUNCH_HOSTINDEX_H
#define WARPLINT_LIB_LAUNCH_HOSTINDEX_H

#include "HostPlace.h"
#include "clang/AST/ExprCXX.h"
#include "clang/AST/StmtCXX.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"
#include <memory>
#include <vector>

namespace warplint::launch {

/// A condition under which a piece of code runs: `if`, or a case of a switch.
struct Guard {
  const clang::Expr *Condition = nullptr;
  bool Negated = false; ///< the else branch
  const clang::SwitchStmt *Switch = nullptr;
  /// Labels of Switch that lead here.
  llvm::SmallVector<const clang::SwitchCase *, 2> Labels;
};

/// One place in the code that gives a variable, or a part of it, a value.
struct Write {
  enum Kind {
    Assign,   ///< Target = Value
    Compound, ///< Where is the `+=` and the like
    Step,     ///< ++ or --
    Passed,   ///< address or reference given to the call Where
    Swap,     ///< std::swap with Value
  };
  Kind K = Assign;
  const clang::Stmt *Where = nullptr;
  const clang::Expr *Target = nullptr;
  const clang::Expr *Value = nullptr;
  const clang::FunctionDecl *In = nullptr;
  uint64_t Offset = 0, Size = 0;
  bool Exact = true;
  const clang::Stmt *Loop = nullptr; ///< the innermost around it
  std::vector<Guard> Guards;         ///< outermost first
  /// Passed: the callee's parameter, or OnObject.
  int Parameter = -1;
  static constexpr int OnObject = -1; ///< the object of the method called
};

struct Uses {
  std::vector<Write> Writes;
  /// Its address is kept, so that it may change where nothing shows it.
  bool Escapes = false;
  /// Written in a function (or lambda) other than its own.
  bool WrittenElsewhere = false;
};

struct CallSite {
  const clang::Expr *Call; ///< CallExpr or CXXConstructExpr
  const clang::FunctionDecl *In;
};

struct Launch {
  const clang::CallExpr *Call; ///< `k<<<...>>>(...)` or cudaLaunchKernel(...)
  const clang::FunctionDecl *In;
  std::vector<Guard> Guards; ///< outermost first
};

class HostIndex {
public:
  explicit HostIndex(const clang::ASTContext &Ctx);

  /// Notes the locals of \p F, a function the walk passed over because it is
  /// the toolkit's. References handed out before stay good.
  void noteLocals(const clang::FunctionDecl *F);

  std::vector<Launch> Launches; ///< in the order of the walk
  /// Functions with a body, kernels among them.
  std::vector<const clang::FunctionDecl *> Definitions;

  /// All that is noted of calls, of variables and of members, in no order.
  void forEachCallee(llvm::function_ref<void(const clang::FunctionDecl *,
                                             llvm::ArrayRef<CallSite>)>
                         Visit) const;
  void forEachVariable(
      llvm::function_ref<void(const clang::VarDecl *, const Uses &)> Visit)
      const;
  void forEachField(
      llvm::function_ref<void(const clang::FieldDecl *, const Uses &)> Visit)
      const;

  const Uses &usesOf(const clang::VarDecl *V) const;
  const Uses &usesOf(const clang::FieldDecl *F) const;
  /// What a function does to what a parameter of its points to (\p Key: a
  /// ParmVarDecl), or to its own object (the CXXMethodDecl).
  const Uses &pointeeUsesOf(const clang::Decl *Key) const;
  llvm::ArrayRef<CallSite> callsOf(const clang::FunctionDecl *F) const;
  /// \p F is also named other than to call it.
  bool isAddressTaken(const clang::FunctionDecl *F) const;
  /// \p F may be called where callsOf(\p F) shows nothing: its address is
  /// taken, and nothing is called through a pointer of its type.
  bool hasHiddenCalls(const clang::FunctionDecl *F) const {
    return isAddressTaken(F) && !isCalledByPointer(F);
  }
  /// Among callsOf(\p F), whose address is taken, are calls through pointers to
  /// functions of its type.
  bool isCalledByPointer(const clang::FunctionDecl *F) const;
  /// Something is assigned to getopt's `optind`.
  bool setsOptind() const { return SetsOptind; }
  /// The loop that steps \p V in its header, given the stepping statement.
  const clang::ForStmt *loopOf(const clang::VarDecl *V,
                               const clang::Stmt *Step) const;
  /// The loop around the loop \p Inner, or null.
  const clang::Stmt *loopAround(const clang::Stmt *Inner) const;
  /// The loop `for (V : range)`.
  const clang::CXXForRangeStmt *rangeLoopOf(const clang::VarDecl *V) const;

private:
  friend class HostNotes;
  friend class HostWalk;
  const clang::ASTContext &Ctx;
  llvm::DenseSet<const clang::FunctionDecl *> Noted;
  llvm::DenseMap<const clang::VarDecl *, std::unique_ptr<Uses>> Variables;
  llvm::DenseMap<const clang::FieldDecl *, Uses> Fields;
  llvm::DenseMap<const clang::Decl *, std::unique_ptr<Uses>> Pointees;
  llvm::DenseMap<const clang::FunctionDecl *, std::vector<CallSite>> Calls;
  llvm::DenseSet<const clang::FunctionDecl *> AddressTaken, CalledByPointer;
  /// Calls of whatever function of a (canonical) type a pointer points to.
  llvm::DenseMap<const void *, std::vector<CallSite>> PointerCalls;
  /// One for types that differ in `noexcept` only.
  const void *keyOf(clang::QualType FunctionType) const;
  void resolvePointerCalls();
  bool SetsOptind = false;
  llvm::DenseMap<const clang::Stmt *, const clang::ForStmt *> Loops;
  llvm::DenseMap<const clang::Stmt *, const clang::Stmt *> LoopsAround;
  llvm::DenseMap<const clang::VarDecl *, const clang::CXXForRangeStmt *>
      RangeLoops;
};

/// Visits what is declared of the variables of \p In and of the namespaces in
/// it.
void forEachGlobal(const clang::DeclContext *In,
                   llvm::function_ref<void(const clang::VarDecl *)> Visit);

/// The definition of the global \p V in its file, also one that is none but for
/// want of another; null: it is in another file.
const clang::VarDecl *definitionHere(const clang::VarDecl *V);

} // namespace warplint::launch

#endif // WARPLINT_LIB_LAUNCH_HOSTINDEX_H
