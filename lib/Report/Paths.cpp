//===- Paths.cpp - File names as reports show them ------------------------===//
//
// Part of Warplint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "warplint/Report/Paths.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Path.h"

using namespace llvm;

namespace warplint {

std::string relativeTo(StringRef File, StringRef Base) {
  StringRef Rest = File;
  if (!Base.empty() && Rest.consume_front(Base.rtrim('/')) && !Rest.empty() &&
      sys::path::is_separator(Rest.front()))
    return sys::path::convert_to_slash(Rest.drop_front());
  return sys::path::convert_to_slash(File);
}

std::string uriOf(StringRef File, StringRef Base) {
  std::string Path = relativeTo(File, Base);
  std::string Uri = sys::path::is_absolute(Path) ? "file://" : "";
  for (char C : Path) {
    if (isAlnum(C) || StringRef("/-._~").contains(C))
      Uri += C;
    else
      Uri += "%" + toHex(StringRef(&C, 1));
  }
  return Uri;
}

std::pair<SourcePlace, StringRef> splitPlace(StringRef Text) {
  auto [Head, Message] = Text.split(": ");
  auto [FileAndLine, Column] = Head.rsplit(':');
  auto [File, Line] = FileAndLine.rsplit(':');
  SourcePlace Place;
  if (Message.empty() || File.empty() || Line.getAsInteger(10, Place.Line) ||
      Column.getAsInteger(10, Place.Column))
    return {{}, Text};
  Place.File = File.str();
  return {Place, Message};
}

} // namespace warplint
