//===- SourceNames.cpp - What a person calls the access at a place --------===//
//
// Part of Warplint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "warplint/Driver/SourceNames.h"
#include "AccessIndex.h"
#include "clang/Basic/SourceManager.h"
#include "llvm/Demangle/Demangle.h"
#include <cxxabi.h>

using namespace clang;

namespace warplint {

struct SourceNames::Impl {
  explicit Impl(ASTContext &Ctx) : Ctx(Ctx) {}
  ASTContext &Ctx;
  /// Made at the first question: a run without accesses pays nothing.
  std::optional<AccessIndex> Index;
};

SourceNames::SourceNames(ASTContext &Ctx) : P(std::make_unique<Impl>(Ctx)) {}
SourceNames::~SourceNames() = default;
SourceNames::SourceNames(SourceNames &&) = default;

std::string demangled(StringRef Name) {
  std::string Written = llvm::demangle(Name);
  if (!StringRef(Written).contains("'lambda"))
    return Written;
  // The profiler, whose names are held against ours, writes lambdas as the
  // system's demangler does, without its blank in `> >`.
  std::unique_ptr<char, void (*)(void *)> Other(
      abi::__cxa_demangle(Name.str().c_str(), nullptr, nullptr, nullptr), free);
  if (!Other)
    return Written;
  Written = Other.get();
  for (size_t At; (At = Written.find("> >")) != std::string::npos;)
    Written.erase(At + 1, 1);
  return Written;
}

std::string sourceName(StringRef Name) {
  std::string Whole = demangled(Name);
  size_t Scope = Whole.rfind("::");
  return Scope == std::string::npos ? Whole : Whole.substr(Scope + 2);
}

static bool does(const AccessSite &Site, MemoryOp Op) {
  switch (Op) {
  case MemoryOp::Load:
    return Site.Loads;
  case MemoryOp::Store:
    return Site.Stores;
  case MemoryOp::Atomic:
    return Site.Atomic;
  }
  return false;
}

/// How badly \p Site fits an access; less is better. The kind of access weighs
/// most, then the column, then the width: an instruction may be narrower than
/// its expression (a record's copy by fields) or wider (joined neighbours).
static unsigned misfit(const AccessSite &Site, const SourceNames::Question &Q) {
  unsigned Misfit = 0, Column = Q.Place.Column, Bytes = Q.Bytes;
  if (!does(Site, Q.Op))
    Misfit += 1 << 20;
  if (Site.Column != Column) {
    unsigned Far =
        Site.Column > Column ? Site.Column - Column : Column - Site.Column;
    Misfit += (1 << 12) + std::min(Far, 500u);
  }
  if (Site.Bytes != Bytes) {
    bool Divides = Site.Bytes && Bytes &&
                   (Site.Bytes % Bytes == 0 || Bytes % Site.Bytes == 0);
    Misfit += Divides ? 1 << 9 : 1 << 10;
  }
  if (!Q.Object.empty() && Site.Variable &&
      Site.Variable->getName() != Q.Object)
    Misfit += 1 << 11;
  if (Q.ObjectBytes && Site.ArrayBytes && Site.ArrayBytes != Q.ObjectBytes)
    Misfit += 1 << 8;
  return Misfit;
}

std::optional<AccessNames> SourceNames::lookup(const Question &Q) const {
  const SourcePlace &Place = Q.Place;
  if (Q.Object == SineTable)
    return std::nullopt;
  if (!P->Index)
    P->Index.emplace(P->Ctx);
  const AccessSite *Best = nullptr;
  unsigned BestMisfit = 0;
  for (const AccessSite &Site : P->Index->onLine(Place.File, Place.Line)) {
    unsigned Misfit = misfit(Site, Q);
    if (!Best || Misfit < BestMisfit) {
      Best = &Site;
      BestMisfit = Misfit;
    }
  }
  if (!Best)
    return std::nullopt;
  // What only does something else, elsewhere on the line (a store beside a load
  // in inline PTX), is not it.
  if (!does(*Best, Q.Op) && (Best->Loads || Best->Stores || Best->Atomic) &&
      Best->Column != Place.Column)
    return std::nullopt;
  AccessNames Names = describeAccess(P->Ctx, Best->Object);
  if (Best->Counted && does(*Best, Q.Op) && Best->Column == Place.Column) {
    const SourceManager &SM = P->Ctx.getSourceManager();
    Names.Counted =
        placeOf(SM, SM.getExpansionLoc(countedPlace(Best->Counted)));
    if (Names.Counted.File != Place.File)
      Names.Counted = SourcePlace();
  }
  return Names;
}

} // namespace warplint
