//===- SourceLines.cpp - The lines of source files ------------------------===//
//
// Part of Warplint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SourceLines.h"
#include "llvm/Support/ConvertUTF.h"
#include <tuple>

using namespace llvm;

namespace warplint {

const SourceLines::SourceFile &SourceLines::file(StringRef Name) {
  auto [At, New] = Files.try_emplace(Name);
  SourceFile &File = At->second;
  if (New)
    if (auto Buffer = MemoryBuffer::getFile(Name, /*IsText=*/true)) {
      File.Buffer = std::move(*Buffer);
      StringRef Rest = File.Buffer->getBuffer();
      while (!Rest.empty()) {
        StringRef Line;
        std::tie(Line, Rest) = Rest.split('\n');
        File.Lines.push_back(Line.rtrim('\r'));
      }
    }
  return File;
}

StringRef SourceLines::line(const SourcePlace &Place) {
  if (!Place.Line)
    return "";
  const SourceFile &File = file(Place.File);
  return Place.Line <= File.Lines.size() ? File.Lines[Place.Line - 1] : "";
}

SourcePlace SourceLines::placeAt(StringRef File, unsigned Offset) {
  const SourceFile &Source = file(File);
  if (!Source.Buffer || Offset > Source.Buffer->getBufferSize())
    return {File.str(), 0, 0};
  StringRef Before = Source.Buffer->getBuffer().take_front(Offset);
  size_t Begin = Before.rfind('\n');
  unsigned Column = Before.size() - (Begin == StringRef::npos ? 0 : Begin + 1);
  return {File.str(), unsigned(Before.count('\n')) + 1, Column + 1};
}

unsigned SourceLines::utf16Column(const SourcePlace &Place) {
  if (!Place.Column)
    return 0;
  StringRef Before = line(Place).take_front(Place.Column - 1);
  SmallVector<UTF16, 128> Units;
  if (Before.size() < Place.Column - 1 ||
      !convertUTF8ToUTF16String(Before, Units))
    return Place.Column;
  // The conversion of an empty string gives none, of any other no terminator.
  return unsigned(Units.size()) + 1;
}

} // namespace warplint
