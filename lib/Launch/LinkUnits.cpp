//===- LinkUnits.cpp - Bring what is said to those it concerns ------------===//
//
// Part of Warplint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "warplint/Launch/ProgramFacts.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/Path.h"

using namespace llvm;

namespace warplint {

/// Folders that the paths \p A and \p B begin with both.
static unsigned sharedFolders(StringRef A, StringRef B) {
  StringRef FolderA = sys::path::parent_path(A);
  StringRef FolderB = sys::path::parent_path(B);
  unsigned Count = 0;
  auto I = sys::path::begin(FolderA), EndA = sys::path::end(FolderA);
  auto J = sys::path::begin(FolderB), EndB = sys::path::end(FolderB);
  for (; I != EndA && J != EndB && *I == *J; ++I, ++J)
    ++Count;
  return Count;
}

namespace {
class Linker {
public:
  explicit Linker(ArrayRef<LinkedUnit> Units) : Units(Units) {
    for (unsigned U = 0; U < Units.size(); ++U)
      for (const std::string &Name : Units[U].Exports->Defines)
        Definers[Name].push_back(U);
  }

  /// The units of the file whose \p Name a mention in \p User means.
  std::vector<unsigned> meant(const std::string &Name, unsigned User) const {
    auto At = Definers.find(Name);
    if (At == Definers.end())
      return {};
    unsigned Nearest = 0;
    std::vector<unsigned> Found;
    for (unsigned U : At->second) {
      unsigned Near = sharedFolders(Units[U].File, Units[User].File);
      if (!Found.empty() && Near < Nearest)
        continue;
      if (Near > Nearest)
        Found.clear();
      Nearest = Near;
      Found.push_back(U);
    }
    bool OneFile = all_of(Found, [&](unsigned U) {
      return Units[U].File == Units[Found[0]].File;
    });
    return OneFile ? Found : std::vector<unsigned>();
  }

  /// A mention of \p Name in \p A means the same as one in \p B. What no unit
  /// defines (a member) is known by the header it is in.
  bool isOne(const std::string &Name, unsigned A, unsigned B) const {
    if (!Definers.count(Name))
      return true;
    std::vector<unsigned> OfA = meant(Name, A);
    return !OfA.empty() && OfA == meant(Name, B);
  }

private:
  ArrayRef<LinkedUnit> Units;
  std::map<std::string, std::vector<unsigned>> Definers;
};
} // namespace

std::vector<UnitImports> linkUnits(ArrayRef<LinkedUnit> Units) {
  Linker Links(Units);
  std::vector<UnitImports> All(Units.size());
  for (unsigned From = 0; From < Units.size(); ++From) {
    const UnitExports &Said = *Units[From].Exports;
    for (const auto &[Name, Launches] : Said.Launches)
      for (unsigned To : Links.meant(Name, From))
        if (Units[To].File != Units[From].File)
          llvm::append_range(All[To].Launches[Name], Launches);
    for (const auto &[Name, Calls] : Said.Calls)
      for (unsigned To : Links.meant(Name, From))
        if (Units[To].File != Units[From].File)
          llvm::append_range(All[To].Calls[Name], Calls);
    for (const auto &[Name, Values] : Said.Writes)
      for (unsigned To = 0; To < Units.size(); ++To)
        if (Units[To].File != Units[From].File &&
            Units[To].Exports->Reads.count(Name) && Links.isOne(Name, From, To))
          llvm::append_range(All[To].Writes[Name], Values);
  }
  return All;
}

} // namespace warplint
