//===- Foreign.cpp - What a unit hears from others, and tells them --------===//
//
// Part of Warplint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Foreign.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/Attr.h"
#include "clang/AST/DeclCXX.h"
#include "clang/Basic/FileManager.h"
#include "clang/Basic/SourceManager.h"

using namespace clang;

namespace warplint::launch {

/// "/p/solver.h:Solver::threads", for a member of a class in a user's header:
/// units that include the header mean the same by it.
static std::string nameOfMember(const FieldDecl *F, const ASTContext &Ctx) {
  const SourceManager &SM = Ctx.getSourceManager();
  SourceLocation Loc = SM.getExpansionLoc(F->getLocation());
  if (F->getName().empty() || !F->getParent()->isExternallyVisible() ||
      Loc.isInvalid() || SM.isInMainFile(Loc) || SM.isInSystemHeader(Loc))
    return "";
  OptionalFileEntryRef File = SM.getFileEntryRefForID(SM.getFileID(Loc));
  if (!File)
    return "";
  llvm::StringRef Real = File->getFileEntry().tryGetRealPathName();
  return (Real.empty() ? File->getName() : Real).str() + ":" +
         F->getQualifiedNameAsString();
}

const std::string &Foreign::nameOf(const ValueDecl *D) {
  D = cast<ValueDecl>(D->getCanonicalDecl());
  auto [At, New] = Known.try_emplace(D);
  if (!New)
    return At->second;
  std::string Name;
  if (const auto *F = dyn_cast<FieldDecl>(D))
    Name = nameOfMember(F, Ctx);
  else if (D->isExternallyVisible() && !D->isInvalidDecl() &&
           !isa<CXXConstructorDecl, CXXDestructorDecl>(D) &&
           !(isa<VarDecl>(D) && !cast<VarDecl>(D)->hasGlobalStorage()))
    Name = Names.getName(D);
  return Known[D] = Name;
}

bool Foreign::isDefinedForOthers(const FunctionDecl *F) const {
  if (!F->isExternallyVisible() || F->isDependentContext() || F->isMain())
    return false;
  const FunctionDecl *Definition = F->getDefinition();
  if (!Definition)
    return false;
  // Inline functions and implicit instantiations are every user's own.
  GVALinkage Linkage = Ctx.GetGVALinkageForFunction(Definition);
  return Linkage == GVA_StrongExternal || Linkage == GVA_StrongODR;
}

template <class Map>
static auto lookUp(const Map &M, const std::string &Key)
    -> llvm::ArrayRef<typename Map::mapped_type::value_type> {
  auto At = M.find(Key);
  if (Key.empty() || At == M.end())
    return {};
  return At->second;
}

llvm::ArrayRef<LaunchSite> Foreign::launchesOf(const FunctionDecl *Kernel) {
  if (!In)
    return {};
  return lookUp(In->Launches, nameOf(Kernel));
}

llvm::ArrayRef<SharedCall> Foreign::callsOf(const FunctionDecl *F) {
  if (!In)
    return {};
  return lookUp(In->Calls, nameOf(F));
}

llvm::ArrayRef<SharedValue> Foreign::writesOf(const ValueDecl *D) {
  const std::string &Name = nameOf(D);
  if (!Name.empty())
    Out.Reads.insert(Name);
  if (!In)
    return {};
  return lookUp(In->Writes, Name);
}

void Foreign::ask(const FunctionDecl *F, bool ForShape) {
  if (!isDefinedForOthers(F) || !F->getIdentifier())
    return;
  if (const std::string &Name = nameOf(F); !Name.empty()) {
    Question &Q = Out.Asks[Name];
    Q.Name = F->getName().str();
    Q.ForShape |= ForShape;
    Q.OfKernel = F->hasAttr<CUDAGlobalAttr>();
  }
}

HostValue Foreign::receive(const SharedValue &V) {
  HostValue H;
  switch (V.K) {
  case SharedValue::Unknown:
    H = HostValue::unknown("", V.Divisor);
    H.CommandLine = V.CommandLine;
    break;
  case SharedValue::Integer:
    H = HostValue::integer(V.Int);
    break;
  case SharedValue::Floating:
    H = HostValue::floating(V.Float);
    break;
  case SharedValue::Pointer:
    H = HostValue::pointer(Received.insert(V.Base).first->getKeyData(),
                           V.BaseName, V.BaseAlign, V.Int);
    H.OffsetKnown = V.OffsetKnown;
    H.Divisor = V.Divisor;
    break;
  case SharedValue::Record:
    H = HostValue::record();
    for (const auto &[At, Leaf] : V.Leaves)
      H.setLeaf(At, receive(Leaf));
    break;
  }
  H.Culprit = V.Culprit;
  H.Grants = V.Grants;
  return H;
}

SharedValue Foreign::send(const HostValue &H) {
  SharedValue V;
  V.Culprit = H.Culprit;
  V.Grants = H.Grants;
  switch (H.K) {
  case HostValue::Integer:
    V.K = SharedValue::Integer;
    V.Int = H.Int;
    break;
  case HostValue::Floating:
    V.K = SharedValue::Floating;
    V.Float = H.Float;
    break;
  case HostValue::Pointer: {
    if (!H.Base)
      break;
    V.K = SharedValue::Pointer;
    V.Int = H.Int;
    V.OffsetKnown = H.OffsetKnown;
    V.Divisor = H.Divisor;
    V.BaseName = H.BaseName;
    V.BaseAlign = H.BaseAlign;
    // In the order in which they are sent, whatever their addresses here.
    auto [At, New] = Sent.try_emplace(H.Base);
    if (New) {
      const SourceManager &SM = Ctx.getSourceManager();
      OptionalFileEntryRef Main = SM.getFileEntryRefForID(SM.getMainFileID());
      At->second = (Main ? Main->getName().str() : std::string()) + "#" +
                   std::to_string(Sent.size());
    }
    V.Base = At->second;
    break;
  }
  case HostValue::Record:
    V.K = SharedValue::Record;
    for (const auto &[At, Leaf] : H.Leaves)
      V.Leaves.push_back({At, send(Leaf)});
    break;
  case HostValue::Unknown:
    V.Divisor = H.Divisor;
    V.CommandLine = H.CommandLine;
    break;
  case HostValue::Bottom:
  case HostValue::Function:
    break;
  }
  return V;
}

} // namespace warplint::launch
