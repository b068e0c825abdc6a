//===- HostFlow.h - Which writes reach a use of a local variable ----------===//
//
// Part of Warplint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Reaching definitions over Clang's control-flow graph of one host function.
///
//===----------------------------------------------------------------------===//

#ifndef WARPLINT_LIB_LAUNCH_HOSTFLOW_H
#define WARPLINT_LIB_LAUNCH_HOSTFLOW_H

#include "HostIndex.h"
#include "clang/Analysis/CFG.h"
#include <memory>
#include <optional>

namespace warplint::launch {

/// What can be in a variable where it is used.
struct Reaching {
  struct Definition {
    const Write *W;               ///< null: the declaration
    const clang::CFGBlock *Block; ///< null: the function's entry
  };
  llvm::SmallVector<Definition, 4> Definitions;
  /// What must be granted for these to be all.
  std::vector<std::string> Grants;
};

/// A loop that decides what is looked at.
struct LoopView {
  enum Kind {
    Entered, ///< what the loop finds: the use is the first thing it does
    Left,    ///< what comes past it: all that comes through it is known
  } K = Entered;
  const clang::Stmt *Loop = nullptr;
  /// Whether a statement is in the loop.
  llvm::function_ref<bool(const clang::Stmt *)> Inside;
};

/// The value of the condition of an `if`, when it is known.
using Deciding = llvm::function_ref<std::optional<bool>(const clang::Expr *)>;

/// False: a condition around \p W is known not to hold.
bool mayHappen(const Write &W, const Deciding &Decides);

/// Whether a loop is not gone round.
using GoingRound = llvm::function_ref<bool(const clang::Stmt *)>;

/// Whether a call ends the program.
using EndingCall = llvm::function_ref<bool(const clang::CallExpr *)>;

class HostFlow {
public:
  /// Null when \p F has no body or no graph can be made of it.
  static std::unique_ptr<HostFlow> build(const clang::FunctionDecl *F,
                                         clang::ASTContext &Ctx);

  /// What reaches \p Use (null: a return to the caller) of bytes [Offset,
  /// Offset + Size) of \p V, or of whatever \p Writes are to where that is
  /// null. Ways round a loop that \p LeftOut names are left out. nullopt: the
  /// graph does not show the use or a write.
  std::optional<Reaching> reaching(const clang::VarDecl *V,
                                   llvm::ArrayRef<Write> Writes,
                                   const clang::Stmt *Use, uint64_t Offset,
                                   uint64_t Size, const Deciding &Decides,
                                   GoingRound LeftOut,
                                   const LoopView *View = nullptr) const;

  /// False: no way from the function's entry comes to \p At.
  bool isReached(const clang::Stmt *At, const Deciding &Decides,
                 EndingCall Ends) const;
  /// It ends the program, or throws, on every way.
  bool neverReturns() const;

private:
  struct Point {
    const clang::CFGBlock *Block;
    unsigned Index;
  };
  std::unique_ptr<clang::CFG> Graph;
  llvm::DenseMap<const clang::Stmt *, Point> Where;
  llvm::DenseMap<const clang::VarDecl *, Point> Declared;
};

} // namespace warplint::launch

#endif // WARPLINT_LIB_LAUNCH_HOSTFLOW_H
