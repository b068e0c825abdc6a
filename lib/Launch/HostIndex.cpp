//===- HostIndex.cpp - What the walk over the host code noted -------------===//
//
// Part of Warplint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "HostIndex.h"

using namespace clang;

namespace warplint::launch {

template <class Map, class Key>
static auto lookUp(const Map &M, const Key &K) -> const auto & {
  static const typename Map::mapped_type None{};
  auto It = M.find(K);
  return It == M.end() ? None : It->second;
}

const Uses &HostIndex::usesOf(const VarDecl *V) const {
  static const Uses None;
  const std::unique_ptr<Uses> &U = lookUp(Variables, V->getCanonicalDecl());
  return U ? *U : None;
}

const Uses &HostIndex::usesOf(const FieldDecl *F) const {
  return lookUp(Fields, F);
}

const Uses &HostIndex::pointeeUsesOf(const Decl *Key) const {
  static const Uses None;
  const std::unique_ptr<Uses> &U = lookUp(Pointees, Key);
  return U ? *U : None;
}

llvm::ArrayRef<CallSite> HostIndex::callsOf(const FunctionDecl *F) const {
  return lookUp(Calls, F->getCanonicalDecl());
}

bool HostIndex::isAddressTaken(const FunctionDecl *F) const {
  return AddressTaken.contains(F->getCanonicalDecl());
}

bool HostIndex::isCalledByPointer(const FunctionDecl *F) const {
  return CalledByPointer.contains(F->getCanonicalDecl());
}

const void *HostIndex::keyOf(QualType FunctionType) const {
  return Ctx
      .getCanonicalType(
          Ctx.getFunctionTypeWithExceptionSpec(FunctionType, EST_None))
      .getAsOpaquePtr();
}

void HostIndex::resolvePointerCalls() {
  for (const auto &[V, U] : Variables)
    SetsOptind |=
        V->getName() == "optind" && (!U->Writes.empty() || U->Escapes);
  for (const FunctionDecl *F : AddressTaken) {
    auto It = PointerCalls.find(keyOf(F->getType()));
    if (It == PointerCalls.end())
      continue;
    llvm::append_range(Calls[F], It->second);
    CalledByPointer.insert(F);
  }
}

const ForStmt *HostIndex::loopOf(const VarDecl *V, const Stmt *Step) const {
  return lookUp(Loops, Step);
}

const Stmt *HostIndex::loopAround(const Stmt *Inner) const {
  return lookUp(LoopsAround, Inner);
}

const CXXForRangeStmt *HostIndex::rangeLoopOf(const VarDecl *V) const {
  return lookUp(RangeLoops, V);
}

void HostIndex::forEachCallee(
    llvm::function_ref<void(const FunctionDecl *, llvm::ArrayRef<CallSite>)>
        Visit) const {
  for (const auto &[Callee, Sites] : Calls)
    Visit(Callee, Sites);
}

void HostIndex::forEachVariable(
    llvm::function_ref<void(const VarDecl *, const Uses &)> Visit) const {
  for (const auto &[V, U] : Variables)
    Visit(V, *U);
}

void HostIndex::forEachField(
    llvm::function_ref<void(const FieldDecl *, const Uses &)> Visit) const {
  for (const auto &[F, U] : Fields)
    Visit(F, U);
}

void forEachGlobal(const DeclContext *In,
                   llvm::function_ref<void(const VarDecl *)> Visit) {
  for (const Decl *D : In->decls())
    if (const auto *V = dyn_cast<VarDecl>(D))
      Visit(V);
    else if (isa<NamespaceDecl, LinkageSpecDecl>(D))
      forEachGlobal(cast<DeclContext>(D), Visit);
}

const VarDecl *definitionHere(const VarDecl *V) {
  const VarDecl *Definition = V->getDefinition();
  return Definition ? Definition : V->getActingDefinition();
}

} // namespace warplint::launch
