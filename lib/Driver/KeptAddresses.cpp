//===- KeptAddresses.cpp - Shared addresses as integers -------------------===//
//
// Part of Warplint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "KeptAddresses.h"
#include "clang/AST/DynamicRecursiveASTVisitor.h"
#include "clang/AST/ExprCXX.h"
#include "clang/AST/Stmt.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace clang;

namespace warplint {

llvm::StringRef calleeName(const CallExpr &Call) {
  const FunctionDecl *Callee = Call.getDirectCallee();
  return Callee && Callee->getDeclName().isIdentifier() ? Callee->getName()
                                                        : llvm::StringRef();
}

const CallExpr *asSharedAddress(const Expr *E) {
  const auto *Call = dyn_cast<CallExpr>(E->IgnoreParenCasts());
  return Call && calleeName(*Call) == "__cvta_generic_to_shared" ? Call
                                                                 : nullptr;
}

/// True when \p Operand stands in \p Text between brackets and nowhere else.
static bool isPlainAddress(llvm::StringRef Text, llvm::StringRef Operand) {
  bool Found = false;
  for (size_t At = 0; (At = Text.find(Operand, At)) != llvm::StringRef::npos;) {
    llvm::StringRef Before = Text.substr(0, At).rtrim();
    At += Operand.size();
    llvm::StringRef After = Text.substr(At);
    if (!Operand.ends_with("]") && !After.empty() && llvm::isDigit(After[0]))
      continue; // `%1` in `%12`
    if (!Before.ends_with("[") || !After.ltrim().starts_with("]"))
      return false;
    Found = true;
  }
  return Found;
}

llvm::SmallVector<const Expr *, 4> plainAddresses(const GCCAsmStmt &Asm) {
  llvm::SmallVector<const Expr *, 4> Plain;
  const std::string Text = Asm.getAsmString();
  // Bulk copies and matrices of the tensor cores' own take whole tiles.
  for (llvm::StringRef Whole : {"bulk", "wgmma", "wmma", "tcgen05"})
    if (llvm::StringRef(Text).contains(Whole))
      return Plain;
  for (unsigned I = 0; I < Asm.getNumInputs(); ++I) {
    llvm::StringRef Name = Asm.getInputName(I);
    std::string Operand =
        "%" + (Name.empty() ? std::to_string(Asm.getNumOutputs() + I)
                            : "[" + Name.str() + "]");
    if (isPlainAddress(Text, Operand))
      Plain.push_back(Asm.getInputExpr(I)->IgnoreParenCasts());
  }
  return Plain;
}

namespace {
/// Looks for a use of one parameter that is no address of inline PTX.
class ParameterUses : public DynamicRecursiveASTVisitor {
public:
  explicit ParameterUses(const ParmVarDecl &P) : P(P) {}
  bool VisitGCCAsmStmt(GCCAsmStmt *Asm) override {
    Plain.insert_range(plainAddresses(*Asm));
    return true;
  }
  bool VisitDeclRefExpr(DeclRefExpr *E) override {
    return E->getDecl() != &P || Plain.contains(E); // false: enough is known
  }

private:
  const ParmVarDecl &P;
  llvm::DenseSet<const Expr *> Plain;
};
} // namespace

bool passesToPlainAddress(const FunctionDecl &Callee, unsigned I) {
  const FunctionDecl *Definition = nullptr;
  const Stmt *Body = Callee.getBody(Definition);
  if (!Body || I >= Definition->getNumParams())
    return false;
  return ParameterUses(*Definition->getParamDecl(I))
      .TraverseStmt(const_cast<Stmt *>(Body));
}

} // namespace warplint
