//===- TidyOptions.cpp - The options of the checks, as clang-tidy has them ===//
//
// Part of Warplint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "warplint/Tidy/TidyOptions.h"
#include "clang-tidy/ClangTidyCheck.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/MathExtras.h"
#include "llvm/Support/YAMLParser.h"

using namespace llvm;
using clang::tidy::ClangTidyContext;
using OptionsView = clang::tidy::ClangTidyCheck::OptionsView;
using OptionMap = clang::tidy::ClangTidyOptions::OptionMap;

namespace warplint {

namespace {

struct OptionInfo {
  StringLiteral Name, Default, Wanted;
  /// Of the checks that this limits; nullopt: of the analysis.
  std::optional<CheckLimit> Limit;
};

constexpr OptionInfo Infos[] = {
    {"Arch", "", "a GPU architecture, such as sm_90", std::nullopt},
    {"AssumedAlignment", "256", "a power of two from 1 to 4096", std::nullopt},
    {"Block", "",
     "1 to 3 extents with at most 1024 threads together, such as 32,8",
     std::nullopt},
    {"Budget", "1", "a number from 0.01 to 1000", std::nullopt},
    {"Fixes", "true", "true or false", std::nullopt},
    {"MinEfficiency", "75", "a percentage from 0 to 100",
     CheckLimit::MinEfficiency},
    {"MinWays", "2", "a whole number from 2 to 32", CheckLimit::MinWays},
    {"Run", "auto",
     "auto, none, or what the program is run with, such as '1024 8', with no "
     "variable of a shell",
     std::nullopt},
    {"ShowAbsorbed", "false", "true or false", CheckLimit::MinEfficiency},
    {"ShowRemarks", "true", "true or false", CheckLimit::ShowRemarks},
};

/// Most threads a block of CUDA may have, and the most in z (CUDA C++
/// Programming Guide, "Technical Specifications per Compute Capability").
constexpr uint32_t MostThreads = 1024, MostInZ = 64;

} // namespace

StringRef tidyValueWanted(StringRef Option) {
  return find_if(Infos, [&](const OptionInfo &I) { return I.Name == Option; })
      ->Wanted;
}

std::optional<Dim3> parseBlock(StringRef Text) {
  SmallVector<StringRef, 3> Parts;
  Text.split(Parts, ',');
  Dim3 Extents = {1, 1, 1};
  bool Good = Parts.size() <= Extents.size();
  for (size_t I = 0; I < Parts.size() && Good; ++I)
    Good = !Parts[I].trim().getAsInteger(10, Extents[I]) && Extents[I] >= 1 &&
           Extents[I] <= MostThreads;
  if (!Good || Extents[2] > MostInZ ||
      Extents[0] * Extents[1] * Extents[2] > MostThreads)
    return std::nullopt;
  return Extents;
}

std::optional<double> parseEfficiency(StringRef Text) {
  Text = Text.trim();
  Text.consume_back("%");
  double Percent = 0;
  if (Text.getAsDouble(Percent) || !(Percent >= 0 && Percent <= 100))
    return std::nullopt;
  return Percent / 100;
}

static std::optional<uint64_t> parseNumber(StringRef Text, uint64_t Least,
                                           uint64_t Most) {
  uint64_t Value = 0;
  if (Text.trim().getAsInteger(10, Value) || Value < Least || Value > Most)
    return std::nullopt;
  return Value;
}

std::optional<unsigned> parseAlignment(StringRef Text) {
  std::optional<uint64_t> Value = parseNumber(Text, 1, 4096);
  return Value && isPowerOf2_64(*Value) ? Value : std::nullopt;
}

std::optional<unsigned> parseWays(StringRef Text) {
  return parseNumber(Text, 2, WarpLanes);
}

std::optional<uint64_t> parseBudget(StringRef Text) {
  // Beyond this a single kernel could take hours.
  constexpr double Most = 1000;
  // Below, nothing could be analysed.
  constexpr double Least = 0.01;
  double Times;
  if (Text.trim().getAsDouble(Times) || !(Times >= Least && Times <= Most))
    return std::nullopt;
  return uint64_t(Times * double(DefaultWorkBudget));
}

std::optional<RunChoice> parseRun(StringRef Text) {
  Text = Text.trim();
  if (Text == "auto")
    return std::optional<RunChoice>(std::in_place, std::nullopt);
  if (Text == "none")
    return std::optional<RunChoice>(std::in_place, std::in_place);
  std::optional<RunCommand> Command = commandOfArguments(Text);
  if (!Command)
    return std::nullopt;
  return std::optional<RunChoice>(std::in_place,
                                  std::vector{std::move(*Command)});
}

std::optional<bool> parseTruth(StringRef Text) {
  // As clang-tidy reads the truth values of its own checks.
  if (std::optional<bool> Value = yaml::parseBool(Text))
    return Value;
  int64_t Number = 0;
  return Text.getAsInteger(10, Number) ? std::nullopt
                                       : std::optional(Number != 0);
}

namespace {

/// An option where it was found.
struct Found {
  std::string Key; ///< "warplint-strided-access.Block"
  StringRef Value;
};

std::optional<Found> findOption(StringRef Check, StringRef Name,
                                ClangTidyContext &Context) {
  const OptionMap &Map = Context.getOptions().CheckOptions;
  std::optional<Found> First;
  for (StringRef Prefix : {Check, StringRef(TidyFamily)}) {
    // Both are asked for, so that clang-tidy knows both names.
    std::optional<StringRef> Value =
        OptionsView(Prefix, Map, &Context).get(Name);
    if (Value && !First)
      First = Found{(Prefix + "." + Name).str(), *Value};
  }
  return First;
}

bool isOptionOf(const OptionInfo &Option, const CheckInfo &Check) {
  return !Option.Limit || *Option.Limit == Check.Limit;
}

const CheckInfo &infoOf(StringRef Check) {
  return *find_if(allChecks(),
                  [&](const CheckInfo &C) { return C.Name == Check; });
}

/// The name of an option that is spelt most like \p Key.
std::string nearestOption(StringRef Key) {
  std::string Nearest;
  unsigned Least = ~0u;
  auto Try = [&](const Twine &Name) {
    std::string Text = Name.str();
    if (unsigned Edits = Key.edit_distance(Text); Edits < Least) {
      Least = Edits;
      Nearest = std::move(Text);
    }
  };
  for (const OptionInfo &Option : Infos) {
    Try(TidyFamily + "." + Option.Name);
    for (const CheckInfo &Check : allChecks())
      if (isOptionOf(Option, Check))
        Try(Check.Name + "." + Option.Name);
  }
  return Nearest;
}

class OptionReader {
public:
  explicit OptionReader(ClangTidyContext &Context) : Context(Context) {
    for (const CheckInfo &Check : allChecks())
      if (Context.isCheckEnabled(Check.Name))
        Enabled.push_back(&Check);
  }

  std::string checks() const {
    std::string Globs = "-*";
    for (const CheckInfo *Check : Enabled)
      Globs += "," + Check->Name.str();
    return Globs;
  }

  ArrayRef<const CheckInfo *> enabled() const { return Enabled; }

  /// The value of \p Name for one check; nullopt: none, or none that counts.
  template <typename Parse>
  auto own(const CheckInfo &Check, StringRef Name, Parse Read)
      -> decltype(Read(StringRef())) {
    std::optional<Found> Option = findOption(Check.Name, Name, Context);
    if (!Option)
      return std::nullopt;
    auto Value = Read(Option->Value);
    if (!Value)
      complain(*Option, tidyValueWanted(Name));
    return Value;
  }

  /// The value of \p Name for the analysis. \p Unset stands for none.
  template <typename Parse>
  auto shared(StringRef Name, Parse Read, bool EmptyIsUnset = false)
      -> decltype(Read(StringRef())) {
    decltype(Read(StringRef())) Value;
    std::string From;
    for (const CheckInfo *Check : Enabled) {
      std::optional<Found> Option = findOption(Check->Name, Name, Context);
      if (!Option || (EmptyIsUnset && Option->Value.empty()))
        continue;
      auto Its = Read(Option->Value);
      if (!Its) {
        complain(*Option, tidyValueWanted(Name));
      } else if (!Value) {
        Value = Its;
        From = Option->Key;
      } else if (*Value != *Its && Said.insert(Option->Key).second) {
        Context.configurationDiag(
            "the checks share one analysis, and '%0' and '%1' disagree; the "
            "first is taken")
            << From << Option->Key;
      }
    }
    return Value;
  }

  /// clang-tidy itself says so only when asked to verify its configuration.
  void complainOfUnknown() {
    for (const auto &Set : Context.getOptions().CheckOptions) {
      StringRef Key = Set.getKey();
      if (!Key.starts_with((TidyFamily + ".").str()) &&
          !Key.starts_with((TidyFamily + "-").str()))
        continue;
      std::string Nearest = nearestOption(Key);
      if (Key != Nearest)
        Context.configurationDiag("there is no option '%0'; did you mean '%1'?")
            << Key << Nearest;
    }
  }

private:
  void complain(const Found &Option, StringRef Wanted) {
    if (Said.insert(Option.Key).second)
      Context.configurationDiag("'%0' is no value of '%1': give %2")
          << Option.Value << Option.Key << Wanted;
  }

  ClangTidyContext &Context;
  SmallVector<const CheckInfo *> Enabled;
  StringSet<> Said;
};

std::optional<std::string> parseArch(StringRef Text) {
  Expected<MachineModel> Machine = MachineModel::forArch(Text);
  if (Machine)
    return Text.str();
  consumeError(Machine.takeError());
  return std::nullopt;
}

} // namespace

TidyOptions readTidyOptions(ClangTidyContext &Context,
                            const AnalysisOptions &Base) {
  OptionReader Reader(Context);
  TidyOptions Options;
  AnalysisOptions &A = Options.Analysis;
  A = Base;
  A.Diagnose.Checks = Reader.checks();
  if (auto Arch = Reader.shared("Arch", parseArch, /*EmptyIsUnset=*/true))
    Options.Arch = *Arch;
  if (auto Block = Reader.shared("Block", parseBlock, /*EmptyIsUnset=*/true))
    A.Launch.BlockOption = *Block;
  if (auto Bytes = Reader.shared("AssumedAlignment", parseAlignment))
    A.AssumedAlignment = *Bytes;
  if (auto Budget = Reader.shared("Budget", parseBudget))
    A.WorkBudget = *Budget;
  if (auto Run = Reader.shared("Run", parseRun))
    A.Runs = *Run;
  if (auto Fixes = Reader.shared("Fixes", parseTruth))
    A.OfferFixes = *Fixes;
  for (const CheckInfo *Check : Reader.enabled()) {
    Thresholds T = A.Diagnose.ForAll;
    switch (Check->Limit) {
    case CheckLimit::MinEfficiency:
      T.MinEfficiency = Reader.own(*Check, "MinEfficiency", parseEfficiency)
                            .value_or(T.MinEfficiency);
      T.ShowAbsorbed = Reader.own(*Check, "ShowAbsorbed", parseTruth)
                           .value_or(T.ShowAbsorbed);
      break;
    case CheckLimit::MinWays:
      T.MinWays = Reader.own(*Check, "MinWays", parseWays).value_or(T.MinWays);
      break;
    case CheckLimit::ShowRemarks:
      T.ShowRemarks =
          Reader.own(*Check, "ShowRemarks", parseTruth).value_or(T.ShowRemarks);
      break;
    }
    A.Diagnose.Own[Check->Name] = T;
  }
  Reader.complainOfUnknown();
  return Options;
}

void touchTidyOptions(StringRef Check, ClangTidyContext &Context) {
  for (const OptionInfo &Option : Infos)
    if (isOptionOf(Option, infoOf(Check)))
      (void)findOption(Check, Option.Name, Context);
}

void storeTidyOptions(StringRef Check, ClangTidyContext &Context,
                      OptionMap &Map) {
  for (const OptionInfo &Option : Infos)
    if (isOptionOf(Option, infoOf(Check))) {
      std::optional<Found> Set = findOption(Check, Option.Name, Context);
      Map[(Check + "." + Option.Name).str()] =
          clang::tidy::ClangTidyOptions::ClangTidyValue(
              Set ? Set->Value : StringRef(Option.Default));
    }
}

void overrideTidyOption(clang::tidy::ClangTidyOptions &Options, StringRef Name,
                        StringRef Value) {
  const OptionInfo &Option =
      *find_if(Infos, [&](const OptionInfo &I) { return I.Name == Name; });
  for (const CheckInfo &Check : allChecks())
    if (isOptionOf(Option, Check))
      Options.CheckOptions[(Check.Name + "." + Name).str()] =
          clang::tidy::ClangTidyOptions::ClangTidyValue(Value);
}

} // namespace warplint
