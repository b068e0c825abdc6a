//===- Foreign.h - What a unit hears from others, and tells them ----------===//
//
// Part of Warplint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef WARPLINT_LIB_LAUNCH_FOREIGN_H
#define WARPLINT_LIB_LAUNCH_FOREIGN_H

#include "HostValue.h"
#include "warplint/Launch/ProgramFacts.h"
#include "clang/AST/Mangle.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/StringSet.h"

namespace warplint::launch {

/// One unit's side of the exchange (ProgramFacts.h).
class Foreign {
public:
  /// \p In may be null.
  Foreign(clang::ASTContext &Ctx, const UnitImports *In)
      : Ctx(Ctx), Names(Ctx), In(In) {}

  /// The name by which other units know \p D: a function, a global, a member of
  /// a class in a header. "": they cannot name it.
  const std::string &nameOf(const clang::ValueDecl *D);
  /// \p F has a body here that calls from other units reach.
  bool isDefinedForOthers(const clang::FunctionDecl *F) const;

  llvm::ArrayRef<LaunchSite> launchesOf(const clang::FunctionDecl *Kernel);
  llvm::ArrayRef<SharedCall> callsOf(const clang::FunctionDecl *F);
  llvm::ArrayRef<SharedValue> writesOf(const clang::ValueDecl *D);
  bool wasSearched() const { return In && In->Searched; }

  /// Others may know more of \p F.
  void ask(const clang::FunctionDecl *F, bool ForShape);

  HostValue receive(const SharedValue &V);
  SharedValue send(const HostValue &V);

  UnitExports Out;

private:
  clang::ASTContext &Ctx;
  clang::ASTNameGenerator Names;
  const UnitImports *In;
  llvm::DenseMap<const clang::Decl *, std::string> Known;
  /// Allocations of other units, and our own as they are sent.
  llvm::StringSet<> Received;
  llvm::DenseMap<const void *, std::string> Sent;
};

} // namespace warplint::launch

#endif // WARPLINT_LIB_LAUNCH_FOREIGN_H
