//===- Phrases.cpp - Sentences that several checks say --------------------===//
//
// Part of Warplint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Phrases.h"
#include "warplint/Diagnose/Vocabulary.h"
#include "warplint/Driver/ShortText.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/Path.h"
#include <cmath>

using namespace llvm;

namespace warplint {

std::string verb(const Site &S) {
  std::vector<StringRef> Verbs;
  if (S.Reads)
    Verbs.push_back("read");
  if (S.Writes)
    Verbs.push_back("write");
  if (S.Updates)
    Verbs.push_back("update");
  return join(Verbs, " and ");
}

std::string subject(const NamedAccess &N) {
  // Longer expressions push the number out of sight; the caret shows them.
  constexpr size_t Longest = 60;
  std::string Text =
      !N.Names.Expression.empty() ? N.Names.Expression : objectName(N);
  if (Text.empty())
    return "memory";
  return "'" + shortened(Text, Longest) + "'";
}

std::string bytes(int64_t Count) {
  return formatv("{0} {1}", Count, Count == 1 ? "byte" : "bytes").str();
}

static std::string why(const Access &A) {
  return A.ReasonDetail.empty() ? reasonPhrase(A.Reason).str() : A.ReasonDetail;
}

std::string cost(const Site &S) {
  MemorySpace Space = S.access().Space;
  std::string Min = formatCount(S.Cost.Min), Max = formatCount(S.Cost.Max),
              Mean = formatCount(S.Cost.Mean);
  if (!S.exact()) {
    std::string Range = Min == Max ? "" : Min + " to " + Max + ": ";
    return formatv("about {0} {1} a request ({2}{3})", Mean,
                   unitName(Space, S.Cost.Mean), Range, why(S.access()))
        .str();
  }
  if (Min == Max)
    return formatv("{0} {1} a request", Mean, unitName(Space, S.Cost.Mean))
        .str();
  return formatv("{0} to {1} {2} a request ({3} on average)", Min, Max,
                 unitName(Space, S.Cost.Max), Mean)
      .str();
}

std::string costAgainstIdeal(const Site &S) {
  std::string Text =
      formatv("{0}, {1} would do", cost(S), formatCount(S.Ideal)).str();
  // A percentage of a guess would look like a measurement. Wavefronts move
  // no bytes in vain, so they have none.
  if (S.exact() && S.access().Space == MemorySpace::Global)
    Text += formatv(" ({0} %)", std::lround(100 * S.efficiency())).str();
  return Text;
}

static std::string shortPlace(const SourcePlace &P) {
  return formatv("{0}:{1}", sys::path::filename(P.File), P.Line).str();
}

/// "launched with block 32x8x1", "run with block 256x1x1 (--block)".
static std::string blockPhrase(const LaunchConfig &Config) {
  std::string Block = formatBlock(Config.Block);
  switch (Config.From) {
  case LaunchConfig::FromLaunch:
    return formatv("launched with block {0}{1}", Block,
                   Config.BlockAssumed ? " (assumed in part)" : "")
        .str();
  case LaunchConfig::FromLaunchBounds:
    return formatv("block {0} taken from __launch_bounds__", Block).str();
  case LaunchConfig::FromOption:
    return formatv("block {0} taken from the option --block", Block).str();
  case LaunchConfig::FromDefault:
    return formatv("block {0} assumed: no launch of it is in sight; --block "
                   "sets another",
                   Block)
        .str();
  }
  return Block;
}

std::vector<Note> commonNotes(const Site &S, const SourcePlace &Place,
                              const Context &C,
                              ArrayRef<std::string> Explanation) {
  std::vector<Note> Notes;
  const NamedAccess &N = *S.Worst;
  for (const std::string &Line : Explanation)
    Notes.push_back({{}, Line});

  if (N.Names.Declaration.Line && !N.Names.DeclarationText.empty())
    Notes.push_back({N.Names.Declaration,
                     formatv("declared here: {0}", N.Names.DeclarationText)});
  if (Place != N.A.Place)
    Notes.push_back({N.A.Place, "the instruction itself"});
  for (const SourcePlace &Call : N.A.InlinedAt)
    if (Call != Place)
      Notes.push_back({Call, "reached through this call"});

  const AnalysedKernel &K = C.kernel(N);
  const LaunchConfig &Config = C.config(N);
  std::string Kernel = "kernel '" + shortKernelName(K.Name) + "'";
  if (!Config.Launches.empty())
    Notes.push_back({Config.Launches.front(),
                     formatv("{0} {1} here", Kernel, blockPhrase(Config))});
  else
    Notes.push_back(
        {K.Place, formatv("{0}: {1}", Kernel, blockPhrase(Config))});

  // The engine repeats the launch's statements where they matter.
  std::vector<std::string> Assumptions = Config.Assumptions;
  for (const std::string &Text : N.A.Assumptions)
    if (!is_contained(Assumptions, Text))
      Assumptions.push_back(Text);
  if (!Assumptions.empty())
    Notes.push_back({{}, "assumed: " + join(Assumptions, "; ")});
  return Notes;
}

std::vector<Note> otherConfigurations(const Site &S,
                                      ArrayRef<const Site *> Others,
                                      const Context &C) {
  // Named up to here; a template with fifty instantiations is a count.
  constexpr unsigned Named = 3;
  std::vector<std::string> Lines;
  unsigned Same = 0;
  for (const Site *O : Others) {
    const NamedAccess &N = *O->Worst;
    if (cost(*O) == cost(S)) {
      ++Same;
      continue;
    }
    std::string Line = "also " + cost(*O);
    if (N.Kernel != S.Worst->Kernel)
      Line += " in '" + shortKernelName(C.kernel(N).Name) + "'";
    if (N.Kernel != S.Worst->Kernel || N.Config != S.Worst->Config) {
      const LaunchConfig &Config = C.config(N);
      Line += " with block " + formatBlock(Config.Block);
      if (!Config.Launches.empty())
        Line += " (" + shortPlace(Config.Launches.front()) + ")";
    }
    if (!is_contained(Lines, Line))
      Lines.push_back(Line);
  }
  std::vector<Note> Notes;
  if (Same)
    Notes.push_back({{},
                     formatv("the same in {0} other {1} of it", Same,
                             Same == 1 ? "configuration" : "configurations")});
  for (const std::string &Line : ArrayRef(Lines).take_front(Named))
    Notes.push_back({{}, Line});
  if (Lines.size() > Named)
    Notes.push_back({{},
                     formatv("and {0} more numbers in other configurations",
                             Lines.size() - Named)});
  return Notes;
}

} // namespace warplint
