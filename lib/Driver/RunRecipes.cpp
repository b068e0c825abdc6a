//===- RunRecipes.cpp - How Make and CTest run a program ------------------===//
//
// Part of Warplint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "GoesOn.h"
#include "warplint/Driver/RunCommands.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringSwitch.h"
#include <array>
#include <utility>

using namespace llvm;

namespace warplint {

namespace {

bool isBlank(char C) { return C == ' ' || C == '\t'; }

/// What Make or nearly every environment defines where the file does not.
bool isDefinedElsewhere(StringRef Name) {
  return Name.starts_with("MAKE") || Name.starts_with(".") ||
         all_of(Name, isDigit) ||
         StringSwitch<bool>(Name)
             .Cases({"PWD", "CURDIR", "HOME", "TMPDIR", "USER", "SHELL"}, true)
             .Cases({"PATH", "LOGNAME", "HOSTNAME", "LANG", "OLDPWD"}, true)
             .Cases({"AR", "AS", "CC", "CPP", "CXX", "FC", "LD", "RM"}, true)
             .Default(false);
}

/// Without the comment; `\#` is no comment.
std::string withoutComment(StringRef Text) {
  std::string Out;
  for (char C : Text) {
    if (C == '#') {
      if (!goesOn(Out))
        break;
      Out.pop_back();
    }
    Out += C;
  }
  return Out;
}

/// The first of \p Characters in \p Text that is not inside of `$(...)`.
size_t findOutside(StringRef Text, StringRef Characters) {
  unsigned Depth = 0;
  for (size_t At = 0; At < Text.size(); ++At) {
    const char C = Text[At];
    if ((C == '(' || C == '{') &&
        (Depth > 0 || Text.take_front(At).ends_with("$")))
      ++Depth;
    else if ((C == ')' || C == '}') && Depth > 0)
      --Depth;
    else if (Depth == 0 && Characters.contains(C))
      return At;
  }
  return StringRef::npos;
}

/// `export override N = 5` without the words that do not change the value.
StringRef withoutModifiers(StringRef Text) {
  while (true) {
    StringRef Word = Text.take_until(isBlank);
    if (Word.size() == Text.size() ||
        (Word != "export" && Word != "override" && Word != "private"))
      return Text;
    Text = Text.drop_front(Word.size()).ltrim();
  }
}

/// As much of Make as it takes to read a recipe. What it does not follow is
/// not known, and neither is what hangs on it.
class Makefile {
public:
  explicit Makefile(StringRef Text) { read(Text); }

  struct Rule {
    std::vector<std::string> Targets;
    std::string Needed;
    bool DoubleColon = false;
    bool Conditional = false;
    struct Line {
      unsigned Number;
      std::string Text;
      bool Conditional;
    };
    std::vector<Line> Lines;
  };

  struct Recipe {
    const Rule *From;
    const Rule::Line *Line;
    StringRef Target;
  };
  /// The commands that Make runs for \p Target, as far as no condition decides.
  std::vector<Recipe> recipesOf(StringRef Target) const;
  /// What the shell gets; nullopt: it takes Make.
  std::optional<std::string> expand(const Recipe &Of) {
    return expand(Of.Line->Text, &Of, 0);
  }

private:
  struct Variable {
    std::optional<std::string> Value; ///< nullopt: not known, for good
    bool Simple = false;              ///< expanded where it is assigned
  };

  void read(StringRef Text);
  void line(StringRef Text, unsigned Number, bool Joined);
  void directive(StringRef Word, StringRef Rest);
  bool assignment(StringRef Text);
  void assign(StringRef Name, StringRef Operator, StringRef Value);
  void rule(StringRef Text, size_t Colon, unsigned Number, bool Joined);
  void forget(StringRef Name) { Variables[Name].Value.reset(); }
  std::optional<std::string> expand(StringRef Text, const Recipe *For,
                                    unsigned Depth);
  std::optional<std::string> valueOf(StringRef Name, const Recipe *For,
                                     unsigned Depth);
  std::optional<std::string> neededOf(const Recipe &For, bool All,
                                      unsigned Depth);

  StringMap<Variable> Variables;
  std::vector<Rule> Rules;
  unsigned Conditions = 0;  ///< `ifeq`s around
  unsigned Definitions = 0; ///< `define`s around
  bool InRule = false;      ///< a tab begins a recipe
  bool Includes = false;    ///< other files may define variables
  bool Opaque = false;      ///< no variable or recipe is known
  size_t Work = 0;
};

void Makefile::read(StringRef Text) {
  Text.consume_front("\xEF\xBB\xBF");
  if (Text.contains("$(eval") || Text.contains("${eval"))
    Opaque = true;
  unsigned Number = 0, First = 0;
  std::string Whole;
  bool Joined = false;
  while (!Text.empty()) {
    StringRef Line;
    std::tie(Line, Text) = Text.split('\n');
    Line = Line.rtrim('\r');
    ++Number;
    const bool Recipe = InRule && Definitions == 0 &&
                        StringRef(Joined ? Whole : Line).starts_with("\t");
    if (!Joined) {
      First = Number;
      Whole = Line.str();
    } else if (Recipe) {
      // The shell takes the newline away; Make a tab behind it.
      Line.consume_front("\t");
      Whole += "\n" + Line.str();
    } else {
      Whole.pop_back();
      Whole = (StringRef(Whole).rtrim() + " " + Line.ltrim()).str();
    }
    const bool Before = std::exchange(Joined, goesOn(Line) && !Text.empty());
    if (!Joined)
      line(Whole, First, Before);
  }
}

void Makefile::line(StringRef Text, unsigned Number, bool Joined) {
  StringRef Word = Text.trim().take_until(
      [](char C) { return isBlank(C) || C == '(' || C == '#'; });
  if (Definitions > 0) {
    Definitions += Word == "define";
    Definitions -= Word == "endef";
    return;
  }
  if (InRule && Text.starts_with("\t")) {
    if (!Text.trim().empty())
      Rules.back().Lines.push_back({Number, Text.trim().str(), Conditions > 0});
    return;
  }
  const std::string Plain = withoutComment(Text);
  Text = StringRef(Plain).ltrim(); // What ends a value belongs to it.
  if (Text.empty())
    return;
  if (Word == "ifeq" || Word == "ifneq" || Word == "ifdef" || Word == "ifndef")
    return void(++Conditions);
  if (Word == "endif")
    return void(Conditions -= Conditions > 0);
  if (Word == "else")
    return;
  if (assignment(Text))
    return void(InRule = false);
  Text = withoutModifiers(Text).rtrim();
  Word = Text.take_until(isBlank);
  const size_t Colon = findOutside(Text, ":");
  if (Word == "define" || Word == "undefine" || Word.ends_with("include") ||
      Colon == StringRef::npos)
    directive(Word, Text.drop_front(Word.size()).trim());
  else
    rule(Text, Colon, Number, Joined);
}

void Makefile::directive(StringRef Word, StringRef Rest) {
  InRule = false;
  if (Word == "define" || Word == "undefine") {
    Definitions += Word == "define";
    StringRef Name =
        Rest.take_until([](char C) { return isBlank(C) || C == '='; });
    Name = Name.rtrim(":?+!");
    Opaque |= Name.contains('$');
    forget(Name);
  } else if (Word == "include" || Word == "-include" || Word == "sinclude") {
    Includes = true;
  } else if (Word.starts_with("$")) {
    // What Make's functions give is read as a part of the file.
    StringRef Function = Word.drop_front().ltrim("({");
    Opaque |=
        Function != "info" && Function != "warning" && Function != "error";
  }
}

/// The name, the operator (":=") and the value of an assignment.
static std::optional<std::array<StringRef, 3>> splitAssignment(StringRef Text) {
  const size_t Equals = findOutside(Text, "=");
  if (Equals == StringRef::npos)
    return std::nullopt;
  StringRef Before = Text.take_front(Equals);
  StringRef Name = Before.rtrim(':');
  if (Name.size() == Before.size() && Before.find_last_of("?+!") + 1 == Equals)
    Name = Before.drop_back();
  StringRef Operator = Text.slice(Name.size(), Equals + 1);
  Name = withoutModifiers(Name.trim()).trim();
  if (Name.empty() || findOutside(Name, " \t:;") != StringRef::npos)
    return std::nullopt;
  return std::array{Name, Operator, Text.drop_front(Equals + 1).ltrim()};
}

bool Makefile::assignment(StringRef Text) {
  auto Parts = splitAssignment(Text);
  if (!Parts)
    return false;
  auto [Name, Operator, Value] = *Parts;
  // Any name; what a recipe is; who reads it.
  Opaque |= Name.contains('$') || Name == ".RECIPEPREFIX" ||
            (Name == "SHELL" && !Value.rtrim().ends_with("sh"));
  assign(Name, Operator, Value);
  if (Text.take_front(Name.data() - Text.data()).contains("private"))
    forget(Name); // No recipe sees it.
  return true;
}

void Makefile::assign(StringRef Name, StringRef Operator, StringRef Text) {
  auto [Known, New] = Variables.try_emplace(Name);
  Variable &V = Known->second;
  if (!New && !V.Value)
    return;
  if (Operator == "?=" && !New)
    return;
  const bool Simple =
      Operator.starts_with(":") || (Operator == "+=" && V.Simple);
  std::optional<std::string> Value = Text.str();
  if (Operator == "!=" ||
      (Operator == "?=" && (Includes || isDefinedElsewhere(Name))) ||
      (Operator == "+=" && New && (Includes || isDefinedElsewhere(Name))))
    Value.reset();
  else if (Simple) {
    // Undefined is empty here, whatever comes later: a new variable is not
    // there yet.
    if (New)
      Variables.erase(Known);
    Value = expand(Text, nullptr, 0);
    if (New)
      Variables.try_emplace(Name);
  }
  Variable &Now = Variables[Name];
  if (New) {
    Now = {Conditions > 0 ? std::nullopt : Value, Simple};
    return;
  }
  if (Operator == "+=" && Value && Conditions == 0)
    *Now.Value += " " + *Value;
  else if (Operator == "+=" || Now.Value != Value)
    Now.Value.reset();
  else
    Now.Simple = Simple;
}

void Makefile::rule(StringRef Text, size_t Colon, unsigned Number,
                    bool Joined) {
  InRule = true;
  Rule R;
  SmallVector<StringRef, 4> Words;
  SplitString(Text.take_front(Colon), Words);
  for (StringRef Word : Words)
    R.Targets.push_back(Word.str());
  Opaque |= is_contained(R.Targets, ".ONESHELL");
  StringRef Rest = Text.drop_front(Colon + 1);
  R.DoubleColon = Rest.consume_front(":");
  const size_t Semicolon = findOutside(Rest, ";");
  StringRef Needed = Rest.take_front(Semicolon).trim();
  R.Conditional = Conditions > 0;
  if (auto Parts = splitAssignment(Needed)) {
    // `target: NAME = value`, for this target and what it needs.
    Opaque |= (*Parts)[0].contains('$');
    forget((*Parts)[0]);
    InRule = false;
    return;
  }
  R.Needed = Needed.str();
  if (Semicolon != StringRef::npos)
    R.Lines.push_back({Number, Rest.drop_front(Semicolon + 1).trim().str(),
                       // Joined as a rule's line is, not as a recipe's.
                       Joined || Conditions > 0});
  Rules.push_back(std::move(R));
}

std::vector<Makefile::Recipe> Makefile::recipesOf(StringRef Target) const {
  std::vector<Recipe> Found;
  if (Opaque)
    return Found;
  for (const Rule &R : Rules) {
    if (!is_contained(R.Targets, Target) || R.Lines.empty())
      continue;
    if (!R.DoubleColon)
      Found.clear(); // The last one counts.
    if (!R.Conditional)
      for (const Rule::Line &Line : R.Lines)
        if (!Line.Conditional)
          Found.push_back({&R, &Line, Target});
  }
  return Found;
}

std::optional<std::string> Makefile::expand(StringRef Text, const Recipe *For,
                                            unsigned Depth) {
  constexpr unsigned MaxDepth = 16;
  constexpr size_t MaxText = size_t(64) << 10;
  constexpr size_t MaxWork = size_t(1) << 20;
  if (Depth > MaxDepth || Opaque)
    return std::nullopt;
  std::string Out;
  for (size_t At = 0; At < Text.size(); ++At) {
    if (++Work > MaxWork || Out.size() > MaxText)
      return std::nullopt;
    if (Text[At] != '$') {
      Out += Text[At];
      continue;
    }
    StringRef Rest = Text.drop_front(At + 1);
    if (Rest.empty() || Rest[0] == '$')
      return std::nullopt; // The shell's own.
    StringRef Name = Rest.take_front(1);
    At += 1;
    if (Rest[0] == '(' || Rest[0] == '{') {
      size_t End = Rest.find(Rest[0] == '(' ? ')' : '}');
      if (End == StringRef::npos)
        return std::nullopt;
      Name = Rest.slice(1, End);
      At += End;
    }
    std::optional<std::string> Inner = valueOf(Name, For, Depth + 1);
    if (!Inner || Out.size() + Inner->size() > MaxText)
      return std::nullopt;
    Work += Inner->size();
    Out += *Inner;
  }
  return Out;
}

std::optional<std::string> Makefile::valueOf(StringRef Name, const Recipe *For,
                                             unsigned Depth) {
  if (For && Name == "@")
    return For->Target.str();
  if (For && (Name == "<" || Name == "^"))
    return neededOf(*For, Name == "^", Depth);
  if (Name.empty() || !all_of(Name, [](char C) {
        return isAlnum(C) || C == '_' || C == '-' || C == '.';
      }))
    return std::nullopt; // A function of Make's.
  auto It = Variables.find(Name);
  if (It == Variables.end()) {
    if (Includes || isDefinedElsewhere(Name))
      return std::nullopt;
    return "";
  }
  if (!It->second.Value)
    return std::nullopt;
  return expand(*It->second.Value, For, Depth);
}

/// `$<` or, if \p All, `$^`.
std::optional<std::string> Makefile::neededOf(const Recipe &For, bool All,
                                              unsigned Depth) {
  for (const Rule &R : Rules)
    if (&R != For.From && !R.Needed.empty() &&
        is_contained(R.Targets, For.Target))
      return std::nullopt;
  std::optional<std::string> Needed = expand(For.From->Needed, nullptr, Depth);
  if (!Needed || StringRef(*Needed).find_first_of("|%*?[:") != StringRef::npos)
    return std::nullopt;
  SmallVector<StringRef, 4> Words;
  SplitString(*Needed, Words);
  if (Words.empty())
    return std::nullopt;
  if (!All)
    return Words.front().str();
  StringMap<bool> Seen;
  erase_if(Words,
           [&](StringRef Word) { return !Seen.try_emplace(Word).second; });
  return join(Words, " ");
}

} // namespace

std::vector<RunCommand> commandsOfMakefile(StringRef Text, StringRef Name) {
  Makefile Make(Text);
  for (StringRef Target : {"run", "test", "check"}) {
    std::vector<RunCommand> Found;
    for (const Makefile::Recipe &R : Make.recipesOf(Target))
      if (std::optional<std::string> Line = Make.expand(R))
        append_range(Found,
                     commandsIn(StringRef(*Line).ltrim("@-+ \t"),
                                (Name + ":" + Twine(R.Line->Number)).str()));
    if (!Found.empty())
      return Found;
  }
  return {};
}

/// The arguments of a command of CMake from behind its `(`: plain, quoted or in
/// brackets (`[=[ ]=]`); \p Text is then at the `)`, or empty without one.
static std::vector<std::string> cmakeArguments(StringRef &Text) {
  std::vector<std::string> Arguments;
  while (true) {
    Text = Text.ltrim();
    if (Text.empty() || Text.starts_with(")"))
      return Arguments;
    std::string Argument;
    if (Text.consume_front("[")) {
      StringRef Equals = Text.take_while([](char C) { return C == '='; });
      std::string Close = ("]" + Equals + "]").str();
      Text = Text.drop_front(Equals.size());
      Text.consume_front("[");
      std::tie(Argument, Text) = std::pair<std::string, StringRef>(
          Text.split(Close).first.str(), Text.split(Close).second);
    } else if (Text.consume_front("\"")) {
      while (!Text.empty() && Text[0] != '"') {
        if (Text[0] == '\\' && Text.size() > 1)
          Text = Text.drop_front();
        Argument += Text[0];
        Text = Text.drop_front();
      }
      Text = Text.drop_front(!Text.empty());
    } else {
      StringRef Plain = Text.take_until(
          [](char C) { return isSpace(C) || C == ')' || C == '"'; });
      Argument = Plain.str();
      Text = Text.drop_front(std::max<size_t>(Plain.size(), 1));
    }
    Arguments.push_back(std::move(Argument));
  }
}

std::vector<RunCommand> commandsOfCTest(StringRef Text, StringRef Name,
                                        std::vector<std::string> &Folders) {
  std::vector<RunCommand> Found;
  unsigned Number = 0;
  while (!Text.empty()) {
    StringRef Line;
    std::tie(Line, Text) = Text.split('\n');
    ++Number;
    Line = Line.trim();
    if (Line.consume_front("subdirs(")) {
      append_range(Folders, cmakeArguments(Line));
    } else if (Line.consume_front("add_test(")) {
      std::vector<std::string> Words = cmakeArguments(Line);
      if (Words.size() < 2 || Words[1] == "NOT_AVAILABLE" || Line.empty())
        continue; // The next line has more of them.
      Found.push_back({{Words.begin() + 1, Words.end()},
                       (Name + ":" + Twine(Number)).str()});
    }
  }
  return Found;
}

} // namespace warplint
