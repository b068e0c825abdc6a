//===- Snippet.cpp - A source line with a caret under it ------------------===//
//
// Part of Warplint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Snippet.h"
#include "llvm/Support/Format.h"
#include <algorithm>

using namespace llvm;

namespace warplint {

static bool continuesCharacter(char C) {
  return (static_cast<unsigned char>(C) & 0xC0) == 0x80;
}

void SnippetPrinter::print(const SourcePlace &Caret, const SourcePlace &Begin,
                           const SourcePlace &End, raw_ostream &OS) {
  if (!Caret.Line || !Caret.Column)
    return;
  StringRef Text = Source.line(Caret);
  if (Text.trim().empty() || Caret.Column > Text.size())
    return;
  auto OnLine = [&](const SourcePlace &P) {
    return P.File == Caret.File && P.Line == Caret.Line && P.Column;
  };
  size_t At = Caret.Column - 1, From = At, To = At + 1;
  if (OnLine(Begin) && OnLine(End) && Begin.Column <= Caret.Column) {
    From = Begin.Column - 1;
    To = std::min<size_t>(std::max<size_t>(End.Column - 1, To), Text.size());
  }

  // Generated code has lines of any length: show the part around the caret.
  constexpr size_t Widest = 160, Before = 60;
  size_t First = 0, Last = Text.size();
  if (Last > Widest) {
    First = At > Before ? At - Before : 0;
    Last = std::min(Last, First + Widest);
    while (First > 0 && continuesCharacter(Text[First]))
      --First;
    while (Last < Text.size() && continuesCharacter(Text[Last]))
      ++Last;
  }

  std::string Marks;
  for (size_t I = First; I < std::min(To, Last); ++I) {
    if (continuesCharacter(Text[I]))
      continue;
    if (I == At)
      Marks += '^';
    else if (I >= From)
      Marks += '~';
    else
      Marks += Text[I] == '\t' ? '\t' : ' ';
  }
  OS << format("%5u | ", Caret.Line) << Text.slice(First, Last) << '\n';
  OS << "      | ";
  if (OS.colors_enabled())
    OS.changeColor(raw_ostream::GREEN, /*Bold=*/true);
  OS << Marks;
  if (OS.colors_enabled())
    OS.resetColor();
  OS << '\n';
}

} // namespace warplint
