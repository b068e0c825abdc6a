//===- TextLines.cpp - Lines and columns of a text, as editors count ----===//
//
// Part of Warplint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TextLines.h"
#include "llvm/ADT/STLExtras.h"
#include <algorithm>

using namespace llvm;

namespace warplint {

/// Units that the byte \p C of UTF-8 adds: a character's are counted at its
/// first byte. What is no UTF-8 counts one a byte or none, and never fails.
static unsigned unitsOf(unsigned char C, ColumnUnit Unit) {
  if (Unit == ColumnUnit::Utf8)
    return 1;
  bool Continues = (C & 0xC0) == 0x80;
  // Four bytes of UTF-8 are a pair of surrogates.
  return Continues ? 0 : C >= 0xF0 ? 2 : 1;
}

static unsigned unitsOf(StringRef Bytes, ColumnUnit Unit) {
  unsigned Units = 0;
  for (unsigned char C : Bytes)
    Units += unitsOf(C, Unit);
  return Units;
}

TextLines::TextLines(StringRef Text) : Text(Text), Begins({0}) {
  // As both clang and the protocol end lines: \n, \r\n and \r.
  for (size_t I = 0; I < Text.size(); ++I) {
    if (Text[I] == '\r' && I + 1 < Text.size() && Text[I + 1] == '\n')
      ++I;
    if (Text[I] == '\n' || Text[I] == '\r')
      Begins.push_back(I + 1);
  }
}

StringRef TextLines::line(unsigned Line) const {
  if (Line == 0 || Line > Begins.size())
    return "";
  size_t End = Line < Begins.size() ? Begins[Line] : Text.size();
  return Text.slice(Begins[Line - 1], End).rtrim("\r\n");
}

lsp::Position TextLines::position(unsigned Line, unsigned Column,
                                  ColumnUnit Unit) const {
  if (Line == 0)
    return {};
  StringRef Before = line(Line).take_front(std::max(Column, 1u) - 1);
  return lsp::Position(Line - 1, unitsOf(Before, Unit));
}

lsp::Position TextLines::atOffset(size_t Offset, ColumnUnit Unit) const {
  size_t Line = llvm::upper_bound(Begins, Offset) - Begins.begin();
  return position(Line, Offset - Begins[Line - 1] + 1, Unit);
}

unsigned TextLines::column(lsp::Position At, ColumnUnit Unit) const {
  if (At.line < 0 || At.character < 0)
    return 1;
  StringRef Bytes = line(At.line + 1);
  unsigned Units = 0;
  for (size_t I = 0; I < Bytes.size(); ++I) {
    unsigned Here = unitsOf(Bytes[I], Unit);
    if (Units + Here > unsigned(At.character) && Here)
      return I + 1;
    Units += Here;
  }
  return Bytes.size() + 1;
}

} // namespace warplint
