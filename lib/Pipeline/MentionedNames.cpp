//===- MentionedNames.cpp - Which names a text has in it ------------------===//
//
// Part of Warplint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "MentionedNames.h"
#include "llvm/ADT/StringExtras.h"

using namespace llvm;

namespace warplint {

static bool isWordCharacter(char C) { return isAlnum(C) || C == '_'; }

/// Takes the next word off \p Text; what stands before it goes to \p Between.
static StringRef takeWord(StringRef &Text, StringRef &Between) {
  Between = Text.take_until(isWordCharacter);
  Text = Text.drop_front(Between.size());
  StringRef Word = Text.take_while(isWordCharacter);
  Text = Text.drop_front(Word.size());
  return Word;
}

bool mentionsAny(StringRef Text, const StringSet<> &Names) {
  StringRef Between;
  for (StringRef Word; !(Word = takeWord(Text, Between)).empty();)
    if (Names.contains(Word))
      return true;
  return false;
}

void forEachWord(StringRef Text, function_ref<void(StringRef)> Do) {
  StringRef Between;
  for (StringRef Word; !(Word = takeWord(Text, Between)).empty();)
    Do(Word);
}

/// Past the parentheses that \p Text, trimmed, begins with.
static void dropParentheses(StringRef &Text) {
  unsigned Depth = 0;
  for (size_t I = 0; I < Text.size(); ++I) {
    Depth += Text[I] == '(';
    if (Text[I] == ')' && --Depth == 0) {
      Text = Text.drop_front(I + 1);
      return;
    }
  }
  Text = "";
}

std::vector<std::string> kernelNames(StringRef Text) {
  std::vector<std::string> Names;
  constexpr StringRef Keyword = "__global__";
  for (size_t At; (At = Text.find(Keyword)) != StringRef::npos;) {
    Text = Text.drop_front(At + Keyword.size());
    StringRef Between, Last, Rest = Text;
    for (StringRef Word; !(Word = takeWord(Rest, Between)).empty();) {
      if (Between.find_first_of(";{}") != StringRef::npos)
        break;
      Last = Word;
      if (!Rest.ltrim().starts_with("("))
        continue;
      // `__launch_bounds__(256)` is none.
      if (!Word.starts_with("__")) {
        Names.push_back(Word.str());
        break;
      }
      dropParentheses(Rest);
    }
  }
  return Names;
}

} // namespace warplint
