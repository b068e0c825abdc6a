//===- Registry.cpp - The table of checks ---------------------------------===//
//
// Part of Warplint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Check.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/GlobPattern.h"

using namespace llvm;

namespace warplint {

static const Check *const Table[] = {
    &StridedAccess,      &AosFieldAccess,    &MisalignedAccess,
    &SharedBankConflict, &DivergentConstant, &IndirectAccess,
};

ArrayRef<const Check *> registeredChecks() { return Table; }

ArrayRef<CheckInfo> allChecks() {
  static const std::vector<CheckInfo> Infos = [] {
    std::vector<CheckInfo> All;
    for (const Check *C : Table)
      All.push_back(C->Info);
    return All;
  }();
  return Infos;
}

/// Calls \p Each with every glob of the list and whether it switches on; stops
/// when it returns false.
static void forEachGlob(
    StringRef Checks,
    function_ref<bool(StringRef Glob, bool On, const GlobPattern *)> Each) {
  SmallVector<StringRef, 8> Parts;
  Checks.split(Parts, ',', -1, /*KeepEmpty=*/false);
  for (StringRef Part : Parts) {
    Part = Part.trim();
    bool On = !Part.consume_front("-");
    if (Part.empty())
      continue;
    Expected<GlobPattern> Glob = GlobPattern::create(Part);
    bool Continue = Each(Part, On, Glob ? &*Glob : nullptr);
    if (!Glob)
      consumeError(Glob.takeError());
    if (!Continue)
      return;
  }
}

bool isCheckEnabled(StringRef Name, StringRef Checks) {
  const CheckInfo *Info =
      find_if(allChecks(), [&](const CheckInfo &C) { return C.Name == Name; });
  bool Enabled = Info != allChecks().end() && Info->OnByDefault;
  forEachGlob(Checks, [&](StringRef, bool On, const GlobPattern *Glob) {
    if (Glob && Glob->match(Name))
      Enabled = On;
    return true;
  });
  return Enabled;
}

Error validateChecks(StringRef Checks) {
  std::string Wrong;
  forEachGlob(Checks, [&](StringRef Text, bool, const GlobPattern *Glob) {
    bool Matches = Glob && any_of(allChecks(), [&](const CheckInfo &C) {
                     return Glob->match(C.Name);
                   });
    if (!Matches)
      Wrong = Text.str();
    return Matches;
  });
  if (Wrong.empty())
    return Error::success();
  return createStringError("no check is named '" + Wrong +
                           "'; --list-checks shows them");
}

} // namespace warplint
