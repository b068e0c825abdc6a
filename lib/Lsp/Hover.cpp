//===- Hover.cpp - The numbers of an access -----------------------------===//
//
// Part of Warplint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Hover.h"
#include "warplint/Diagnose/Vocabulary.h"
#include "warplint/Tidy/TidyFindings.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/Path.h"
#include <cmath>
#include <tuple>

using namespace llvm;

namespace warplint {

namespace {

/// An access at the place asked about.
struct Hit {
  const FileReport *Report;
  const Analysis *In;
  const NamedAccess *N;
  SourcePlace Begin, End; ///< of what it is shown for
};

/// A description and the launches it holds for.
struct Section {
  std::string Text;
  std::vector<std::string> Launches;
};

class HoverText {
public:
  HoverText(const Client &Editor) : Markdown(Editor.Markdown) {}
  void add(const Hit &H);
  std::string take();

private:
  std::string code(StringRef Text) const {
    return Markdown ? ("`" + Text + "`").str() : ("'" + Text + "'").str();
  }
  /// Text that others wrote: no sign in it is one of Markdown.
  std::string plain(StringRef Text) const;
  std::string bold(const std::string &Text) const {
    return Markdown ? "**" + Text + "**" : Text;
  }
  std::string describe(const Hit &H) const;
  std::string launch(const Hit &H) const;

  const bool Markdown;
  std::vector<Section> Sections;
};

} // namespace

static std::string requests(const Access &A, double Count) {
  return formatv("{0} {1} a request", formatCount(Count),
                 unitName(A.Space, Count));
}

/// "32 sectors a request: exact; 4 would do (13 %)", or what is known instead.
static std::pair<std::string, std::string> numbers(const Access &A) {
  const PredictedCost &P = A.Predicted;
  if (A.Exact) {
    std::string Rest = ": exact";
    if (formatCount(P.Min) != formatCount(P.Max))
      Rest = formatv(" on average, {0} to {1}: exact", formatCount(P.Min),
                     formatCount(P.Max));
    if (A.Ideal > 0 && P.Mean > 0 &&
        formatCount(A.Ideal) != formatCount(P.Mean))
      Rest += formatv("; {0} would do ({1} %)", formatCount(A.Ideal),
                      std::lround(100 * A.Ideal / P.Mean));
    else
      Rest += "; no fewer would do";
    return {requests(A, P.Mean), Rest};
  }
  std::string Why = reasonPhrase(A.Reason).str();
  if (!A.ReasonDetail.empty())
    Why += " (" + A.ReasonDetail + ")";
  std::string Guess = formatv("; best guess {0}", formatCount(P.Mean)).str();
  if (isRange(A.Reason))
    return {formatv("{0} to {1}", formatCount(P.Min), requests(A, P.Max)),
            ": " + Why + Guess};
  return {"not known", formatv(": {0}{1}, between {2} and {3}", Why, Guess,
                               formatCount(P.Min), requests(A, P.Max))};
}

/// Notes of a finding that the hover says in its own words.
static bool saysMore(const Note &N, const Access &A) {
  return !N.Place.Line && none_of(A.Assumptions, [&](const std::string &Text) {
    return StringRef(N.Message).contains(Text);
  });
}

std::string HoverText::plain(StringRef Text) const {
  if (!Markdown)
    return Text.str();
  std::string Escaped;
  for (size_t I = 0; I < Text.size(); ++I) {
    char C = Text[I];
    // An underscore inside a word is none.
    bool Begins = I == 0 || !isAlnum(Text[I - 1]);
    if (C == '*' || C == '<' || C == '`' || (C == '_' && Begins))
      Escaped += '\\';
    Escaped += C;
  }
  return Escaped;
}

/// The symbolic address with the object's name as it is in the source.
static std::string address(const NamedAccess &N) {
  std::string Text = N.A.Address;
  size_t At = N.A.ObjectMangled.empty() ? std::string::npos
                                        : Text.find(N.A.ObjectMangled);
  if (At != std::string::npos)
    Text.replace(At, N.A.ObjectMangled.size(), objectName(N));
  return Text;
}

std::string HoverText::describe(const Hit &H) const {
  const NamedAccess &N = *H.N;
  const Access &A = N.A;
  std::string Name =
      N.Names.Expression.empty() ? objectName(N) : N.Names.Expression;
  std::vector<std::string> Lines;
  Lines.push_back((Name.empty() ? "" : code(Name) + ": ") +
                  formatv("{0} of {1} byte{2} a lane, {3} memory", opName(A.Op),
                          A.Bytes, A.Bytes == 1 ? "" : "s", spaceName(A.Space))
                      .str());
  auto [Count, Rest] = numbers(A);
  Lines.push_back(bold(Count) + plain(Rest));
  for (const Finding &F : H.In->Findings) {
    if (F.Place != A.Place || F.Space != A.Space)
      continue;
    Lines.push_back(F.Check + ", " + severityNote(F));
    for (const Note &Each : F.Notes)
      if (saysMore(Each, A))
        Lines.push_back(plain(Each.Message));
    for (const Fix &X : F.Fixes)
      Lines.push_back(plain(fixSentence(X)));
  }
  std::string How = "pattern: " + patternName(N.Pattern).str();
  if (!A.SymbolicStride.empty())
    How += "; lane stride " + code(A.SymbolicStride) + " bytes";
  else if (A.LaneStride)
    How += formatv("; lane stride {0} bytes", *A.LaneStride);
  if (A.ActiveLanes > 0)
    How += formatv("; {0} lanes take part", formatCount(A.ActiveLanes));
  Lines.push_back(std::move(How));
  for (const std::string &Assumed : A.Assumptions)
    Lines.push_back("assumed: " + plain(Assumed));
  // Two blanks before the end keep a line of Markdown a line.
  return join(Lines, Markdown ? "  \n" : "\n");
}

std::string HoverText::launch(const Hit &H) const {
  const AnalysedKernel &Kernel = H.Report->Kernels[H.N->Kernel];
  std::string Text = "kernel " + code(shortKernelName(Kernel.Name));
  if (H.N->Config >= Kernel.Configs.size())
    return Text;
  const LaunchConfig &Config = Kernel.Configs[H.N->Config];
  Text += ", block " + formatBlock(Config.Block);
  if (Config.From == LaunchConfig::FromLaunch && !Config.Launches.empty()) {
    const SourcePlace &At = Config.Launches.front();
    Text +=
        formatv(", launched at {0}:{1}", sys::path::filename(At.File), At.Line);
  } else {
    Text += formatv(" ({0})", Config.source());
  }
  if (!H.N->A.Address.empty())
    Text += "; address " + code(address(*H.N));
  return Text;
}

void HoverText::add(const Hit &H) {
  std::string Text = describe(H), Launch = launch(H);
  auto At = find_if(Sections,
                    [&](const Section &Known) { return Known.Text == Text; });
  if (At == Sections.end())
    At = Sections.insert(At, Section{std::move(Text), {}});
  if (!is_contained(At->Launches, Launch))
    At->Launches.push_back(std::move(Launch));
}

std::string HoverText::take() {
  // A template's line may have an instantiation for every type there is.
  constexpr size_t MostSections = 6, MostLaunches = 4;
  std::string Text;
  auto More = [](size_t All, size_t Most, StringRef What) {
    return formatv("and {0} more {1}", All - Most, What).str();
  };
  StringRef Line = Markdown ? "  \n" : "\n";
  for (const Section &S : ArrayRef(Sections).take_front(MostSections)) {
    if (!Text.empty())
      Text += Markdown ? "\n\n---\n\n" : "\n\n";
    Text += S.Text;
    for (const std::string &Launch :
         ArrayRef(S.Launches).take_front(MostLaunches))
      Text += (Line + Launch).str();
    if (S.Launches.size() > MostLaunches)
      Text += (Line + More(S.Launches.size(), MostLaunches, "launches")).str();
  }
  if (Sections.size() > MostSections)
    Text += "\n\n" + More(Sections.size(), MostSections, "ways it is made");
  return Text;
}

static bool before(const SourcePlace &A, const SourcePlace &B) {
  return std::tie(A.Line, A.Column) < std::tie(B.Line, B.Column);
}

/// Lines, then columns, between the ends: what is innermost has least.
static std::pair<unsigned, unsigned> extent(const Hit &H) {
  return {H.End.Line - H.Begin.Line, H.End.Column - H.Begin.Column};
}

static std::vector<Hit>
innermostAt(ArrayRef<std::shared_ptr<const Analysis>> In, const SourcePlace &At,
            const Client &Editor) {
  std::vector<Hit> Hits;
  for (const std::shared_ptr<const Analysis> &A : In) {
    SourceTexts Texts(A->Texts, Editor.Unit);
    for (const FileReport &Report : A->Run.Files)
      for (const NamedAccess &N : Report.Accesses) {
        if (N.A.Place.File != At.File)
          continue;
        Hit H{&Report, A.get(), &N, N.Names.Begin, N.Names.End};
        if (!H.Begin.Line || !H.End.Line || H.Begin.File != At.File) {
          H.Begin = N.A.Place;
          H.End = Texts.wordEnd(N.A.Place);
        }
        if (before(At, H.Begin) || !before(At, H.End))
          continue;
        if (!Hits.empty() && extent(H) > extent(Hits.front()))
          continue;
        if (!Hits.empty() && extent(H) < extent(Hits.front()))
          Hits.clear();
        Hits.push_back(H);
      }
  }
  return Hits;
}

json::Value hoverAt(ArrayRef<std::shared_ptr<const Analysis>> In,
                    StringRef File, lsp::Position At, const Client &Editor) {
  if (In.empty())
    return nullptr;
  SourceTexts Texts(In.front()->Texts, Editor.Unit);
  std::vector<Hit> Hits = innermostAt(In, Texts.place(File, At), Editor);
  if (Hits.empty())
    return nullptr;
  HoverText Text(Editor);
  for (const Hit &H : Hits)
    Text.add(H);
  lsp::Hover Hover(lsp::Range(Texts.position(Hits.front().Begin),
                              Texts.position(Hits.front().End)));
  Hover.contents.kind =
      Editor.Markdown ? lsp::MarkupKind::Markdown : lsp::MarkupKind::PlainText;
  Hover.contents.value = json::fixUTF8(Text.take());
  return toJSON(Hover);
}

} // namespace warplint
