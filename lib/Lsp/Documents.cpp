//===- Documents.cpp - What is open, and what was found in it -----------===//
//
// Part of Warplint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Documents.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/MemoryBuffer.h"

using namespace llvm;

namespace warplint {

const TextLines &SourceTexts::lines(StringRef File) {
  auto At = Sources.find(File);
  if (At != Sources.end())
    return At->second->Lines;
  std::shared_ptr<const std::string> Text;
  if (auto Document = Open.find(File.str()); Document != Open.end())
    Text = Document->second->Text;
  else if (auto Buffer = MemoryBuffer::getFile(File))
    Text = std::make_shared<std::string>((*Buffer)->getBuffer());
  else
    Text = std::make_shared<std::string>();
  std::unique_ptr<Source> New(new Source{Text, TextLines(*Text)});
  return Sources.emplace(File.str(), std::move(New)).first->second->Lines;
}

std::optional<lsp::URIForFile> SourceTexts::uri(StringRef File) {
  if (auto Document = Open.find(File.str()); Document != Open.end())
    return Document->second->Uri;
  Expected<lsp::URIForFile> Uri = lsp::URIForFile::fromFile(File);
  if (!Uri) {
    consumeError(Uri.takeError());
    return std::nullopt;
  }
  return std::move(*Uri);
}

lsp::Position SourceTexts::position(const SourcePlace &Place) {
  return lines(Place.File).position(Place.Line, Place.Column, Unit);
}

SourcePlace SourceTexts::wordEnd(const SourcePlace &Place) {
  StringRef Line = lines(Place.File).line(Place.Line);
  StringRef Rest = Line.drop_front(
      std::min<size_t>(Line.size(), std::max(Place.Column, 1u) - 1));
  size_t Length =
      Rest.take_while([](char C) { return isAlnum(C) || C == '_'; }).size();
  SourcePlace End = Place;
  End.Column = std::max(Place.Column, 1u) + std::max<size_t>(Length, 1);
  return End;
}

lsp::Range SourceTexts::range(const SourcePlace &Place,
                              const SourcePlace &Begin,
                              const SourcePlace &End) {
  if (Begin.Line && End.Line && Begin.File == Place.File &&
      End.File == Place.File)
    return lsp::Range(position(Begin), position(End));
  return lsp::Range(position(Place), position(wordEnd(Place)));
}

lsp::Range SourceTexts::range(StringRef File, size_t Offset, size_t Length) {
  const TextLines &Of = lines(File);
  return lsp::Range(Of.atOffset(Offset, Unit),
                    Of.atOffset(Offset + Length, Unit));
}

SourcePlace SourceTexts::place(StringRef File, lsp::Position At) {
  return {File.str(), unsigned(std::max(At.line, 0)) + 1,
          lines(File).column(At, Unit)};
}

} // namespace warplint
