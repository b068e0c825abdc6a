//===- ChangedText.cpp - What edits make of a unit's text -----------------===//
//
// Part of Warplint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "warplint/Driver/ChangedText.h"
#include "clang/Basic/FileManager.h"
#include "clang/Basic/SourceManager.h"
#include "llvm/ADT/STLExtras.h"
#include <tuple>

using namespace clang;

namespace warplint {

ChangedText::ChangedText(SourceManager &SM, llvm::ArrayRef<SourceEdit> All) {
  for (const SourceEdit &E : All) {
    OptionalFileEntryRef File = SM.getFileManager().getOptionalFileRef(E.File);
    FileID ID = File ? SM.translateFile(*File) : FileID();
    if (ID.isInvalid())
      continue;
    llvm::StringRef Text = SM.getBufferData(ID);
    if (E.Offset + E.Length > Text.size())
      continue;
    PlacedEdit &Placed = Edits.emplace_back();
    Placed.Edit = E;
    Placed.Line = SM.getLineNumber(ID, E.Offset);
    Placed.Column = SM.getColumnNumber(ID, E.Offset);
    size_t From = E.Offset - (Placed.Column - 1),
           To = std::min(Text.find('\n', E.Offset), Text.size());
    Placed.Old = Text.slice(From, To).rtrim().str();
  }
  llvm::sort(Edits, [](const PlacedEdit &A, const PlacedEdit &B) {
    return std::tie(A.Edit.File, A.Line, A.Column) <
           std::tie(B.Edit.File, B.Line, B.Column);
  });
}

SourcePlace ChangedText::before(SourcePlace P) const {
  unsigned Grown = 0; // modulo 2^32
  for (const PlacedEdit &E : Edits) {
    if (E.Line != P.Line || E.Edit.File != P.File)
      continue;
    unsigned Begin = E.Column + Grown, End = Begin + E.Edit.Text.size();
    if (P.Column <= Begin)
      break;
    if (P.Column < End) { // inside what is new
      P.Column = E.Column;
      return P;
    }
    Grown += E.Edit.Text.size() - E.Edit.Length;
  }
  P.Column -= Grown;
  return P;
}

std::vector<std::string> ChangedText::diff(unsigned Most) const {
  std::vector<std::string> Lines;
  unsigned Shown = 0, Left = 0;
  for (size_t I = 0; I < Edits.size();) {
    size_t End = I;
    while (End < Edits.size() && Edits[End].Line == Edits[I].Line &&
           Edits[End].Edit.File == Edits[I].Edit.File)
      ++End;
    if (Shown++ < Most) {
      std::string New = Edits[I].Old;
      for (size_t K = End; K-- > I;)
        New.replace(Edits[K].Column - 1, Edits[K].Edit.Length,
                    Edits[K].Edit.Text);
      Lines.push_back("-" + llvm::StringRef(Edits[I].Old).ltrim().str());
      Lines.push_back("+" + llvm::StringRef(New).ltrim().str());
    } else {
      ++Left;
    }
    I = End;
  }
  if (Left)
    Lines.push_back(" and " + std::to_string(Left) + " more " +
                    (Left == 1 ? "line" : "lines"));
  return Lines;
}

} // namespace warplint
