//===- Baseline.cpp - Findings that a project knows of --------------------===//
//
// Part of Warplint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "warplint/Report/Baseline.h"
#include "Fingerprints.h"
#include "warplint/Report/Paths.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"

using namespace llvm;

namespace warplint {

static constexpr StringRef Schema = "warplint-baseline/1";

Expected<Baseline> Baseline::load(StringRef Path) {
  ErrorOr<std::unique_ptr<MemoryBuffer>> Buffer =
      MemoryBuffer::getFile(Path, /*IsText=*/true);
  if (!Buffer)
    return createStringError("cannot read the baseline '" + Path +
                             "': " + Buffer.getError().message() +
                             "; --write-baseline makes one");
  auto NoBaseline = [&](Error Why) {
    return createStringError("'" + Path + "' is no baseline of warplint: " +
                             toString(std::move(Why)));
  };
  StringRef Text = (*Buffer)->getBuffer();
  if (Text.starts_with("<<<<<<< ") || Text.contains("\n<<<<<<< "))
    return NoBaseline(createStringError(
        "a merge conflict stands in it: take either side, then "
        "--write-baseline"));
  if (Text.trim().empty())
    return NoBaseline(createStringError(
        "it is empty: remove it, then --write-baseline makes one"));
  Expected<json::Value> Value = json::parse(Text);
  if (!Value)
    return NoBaseline(Value.takeError());
  const json::Object *Whole = Value->getAsObject();
  std::optional<StringRef> Form =
      Whole ? Whole->getString("schema") : std::nullopt;
  if (!Form || !Form->starts_with("warplint-baseline/"))
    return NoBaseline(createStringError("it names no schema 'warplint-"
                                        "baseline/...'"));
  if (*Form != Schema)
    return createStringError("the baseline '" + Path + "' has the form '" +
                             *Form + "', and this warplint knows '" + Schema +
                             "': write it anew by --write-baseline");

  Baseline Read;
  json::Path::Root Root("baseline");
  json::Path AtTop(Root), AtFindings = AtTop.field("findings");
  json::ObjectMapper Top(*Value, AtTop);
  std::vector<std::string> Files;
  bool Good = Top && Top.map("files", Files);
  if (const json::Array *A = Good ? Whole->getArray("findings") : nullptr) {
    for (size_t I = 0; I < A->size() && Good; ++I) {
      json::ObjectMapper O((*A)[I], AtFindings.index(I));
      Key K;
      Entry E;
      unsigned Count = 1;
      Good = O && O.map("file", K.File) && O.map("check", K.Check) &&
             O.map("fingerprint", K.Fingerprint) && O.map("code", E.Code) &&
             O.mapOptional("count", Count) &&
             O.mapOptional("included", E.Included);
      if (Good)
        Read.add(K, E, Count);
    }
  } else if (Good) {
    return NoBaseline(createStringError("it has no list 'findings'"));
  }
  if (!Good)
    return NoBaseline(Root.getError());
  Read.Files.insert(Files.begin(), Files.end());
  return Read;
}

void Baseline::add(const Key &K, const Entry &E, unsigned Count) {
  auto [At, New] = Entries.try_emplace(K, E);
  At->second.Count = (New ? 0 : At->second.Count) + Count;
  At->second.Included &= E.Included;
}

size_t Baseline::size() const {
  size_t Sum = 0;
  for (const auto &[K, E] : Entries)
    Sum += E.Count;
  return Sum;
}

void Baseline::print(raw_ostream &OS) const {
  auto Line = [&](bool &First, function_ref<void(json::OStream &)> Print) {
    OS << (First ? "\n  " : ",\n  ");
    First = false;
    json::OStream J(OS);
    Print(J);
  };
  OS << "{\n \"schema\": \"" << Schema << "\",\n \"files\": [";
  bool First = true;
  for (const std::string &File : Files)
    Line(First, [&](json::OStream &J) { J.value(json::fixUTF8(File)); });
  OS << "\n ],\n \"findings\": [";
  First = true;
  for (const auto &[K, E] : Entries)
    Line(First, [&](json::OStream &J) {
      J.object([&] {
        J.attribute("file", json::fixUTF8(K.File));
        J.attribute("check", K.Check);
        J.attribute("code", json::fixUTF8(E.Code));
        J.attribute("fingerprint", K.Fingerprint);
        if (E.Count != 1)
          J.attribute("count", E.Count);
        if (E.Included)
          J.attribute("included", true);
      });
    });
  OS << "\n ]\n}\n";
}

BaselineMatch::Site BaselineMatch::siteOf(const Finding &F) {
  return {F.Place.File, F.Place.Line, F.start().Column, F.Space, F.Check};
}

void BaselineMatch::holdBack(RunReport &Run) const {
  for (FileReport &File : Run.Files)
    erase_if(File.Findings,
             [&](const Finding &F) { return Known.count(siteOf(F)); });
  Run.HeldBack = heldBack();
}

static bool isWhole(const FileReport &File) {
  return File.Status == FileReport::Ok &&
         none_of(File.Kernels, [](const AnalysedKernel &K) {
           return !K.Refused.empty() || !K.Incomplete.empty();
         });
}

static std::string absolutePath(StringRef File, StringRef Root) {
  SmallString<256> Path(File);
  sys::path::make_absolute(Root, Path);
  return std::string(Path);
}

BaselineMatch Baseline::match(const RunReport &Run,
                              const BaselineScope &Scope) const {
  BaselineMatch Match;
  auto Gone = [&](StringRef File) {
    return !sys::fs::exists(absolutePath(File, Scope.Root));
  };

  // What was looked at, and how well.
  StringMap<bool> Whole; // by file of the run
  for (const FileReport &File : Run.Files) {
    auto [At, New] = Whole.try_emplace(relativeTo(File.File, Scope.Root), true);
    At->second &= isWhole(File);
  }
  bool AllWhole = all_of(Whole, [](const auto &F) { return F.second; }) &&
                  all_of(Files, [&](const std::string &File) {
                    return Whole.count(File) || Gone(File);
                  });

  // The findings, each once, in the order of the source.
  struct Found {
    Key K;
    Entry E;
  };
  std::map<BaselineMatch::Site, Found> Sites;
  SourceLines Source;
  for (const FileReport &File : Run.Files)
    for (const Finding &F : File.Findings) {
      auto [At, New] = Sites.try_emplace(BaselineMatch::siteOf(F));
      Found &S = At->second;
      if (New)
        S = {{relativeTo(F.Place.File, Scope.Root), F.Check,
              contentFingerprint(F, Source)},
             {Source.line(F.Place).trim().str(), 1, true}};
      S.E.Included &= F.Place.File != File.File;
    }

  // By file and content first, so that a copy of a known line in another file
  // is new; then by content alone what stood in files that are gone.
  std::map<Key, unsigned> Left;
  for (const auto &[K, E] : Entries)
    Left[K] = E.Count;
  auto Take = [&](const BaselineMatch::Site &Site, const Found &S) {
    Match.Known.insert(Site);
    Match.Kept.add(S.K, S.E, 1);
  };
  std::vector<std::pair<const BaselineMatch::Site *, const Found *>> Others;
  for (const auto &[Site, S] : Sites) {
    auto At = Left.find(S.K);
    if (At == Left.end() || !At->second) {
      Others.push_back({&Site, &S});
      continue;
    }
    --At->second;
    Take(Site, S);
  }
  std::map<std::pair<StringRef, StringRef>, std::vector<const Key *>> InGone;
  if (!Others.empty())
    for (const auto &[K, Count] : Left)
      if (Count && Gone(K.File))
        InGone[{K.Check, K.Fingerprint}].push_back(&K);
  for (auto [Site, S] : Others)
    for (const Key *K : InGone[{S->K.Check, S->K.Fingerprint}])
      if (unsigned &Count = Left[*K]) {
        --Count;
        Take(*Site, *S);
        break;
      }

  Match.All = Match.Kept;
  for (const auto &[Site, S] : Sites)
    if (!Match.Known.count(Site))
      Match.All.add(S.K, S.E, 1);
  for (const auto &[K, Count] : Left) {
    if (!Count)
      continue;
    const Entry &E = Entries.at(K);
    bool OwnWhole = !E.Included && Whole.lookup(K.File);
    if (!Scope.Filtered && (AllWhole || OwnWhole) &&
        Scope.IsOn(K.Check, absolutePath(K.File, Scope.Root))) {
      Match.Fixed += Count;
      continue;
    }
    Match.Kept.add(K, E, Count);
    Match.All.add(K, E, Count);
  }
  for (Baseline *B : {&Match.Kept, &Match.All}) {
    for (const std::string &File : Files)
      if (!Gone(File))
        B->Files.insert(File);
    for (const auto &[File, IsWhole] : Whole)
      if (!Gone(File))
        B->Files.insert(File.str());
  }
  return Match;
}

} // namespace warplint
