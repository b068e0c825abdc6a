//===- RunCommands.cpp - How a program is said to be run ------------------===//
//
// Part of Warplint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "warplint/Driver/RunCommands.h"
#include "warplint/Driver/ShortText.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/VirtualFileSystem.h"

using namespace llvm;

namespace warplint {

// Folders of CTest that are looked into for one program.
static constexpr size_t MaxTestFolders = 64;

std::string RunCommand::describe() const {
  constexpr size_t MaxText = 60;
  std::string Text =
      "the program is run as '" + shortened(join(Words, " "), MaxText) + "'";
  return Place.empty() ? Text : Text + " (" + Place + ")";
}

namespace {

/// A command of a line: its words, and whether the shell would have a say.
struct ShellCommand {
  std::vector<std::string> Words;
  bool NeedsShell = false;
};

/// Splits a line into commands at `;`, `&&`, `||`, `|` and `&`, without
/// redirections and comments.
class ShellLine {
public:
  explicit ShellLine(StringRef Line) : Line(Line) {}

  std::vector<ShellCommand> split() {
    while (At < Line.size())
      step(Line[At]);
    endCommand();
    return std::move(Commands);
  }

private:
  void step(char C) {
    if (C == ' ' || C == '\t')
      return endWord(), void(++At);
    if (C == '#' && !InWord)
      return void(At = Line.size());
    if (C == ';' || C == '&' || C == '|' || C == '(' || C == ')')
      return endCommand(), void(++At);
    if (C == '>' || C == '<')
      return redirect();
    InWord = true;
    if (C == '\'' || C == '"')
      return quoted(C);
    if (C == '\\' && At + 1 < Line.size())
      ++At;
    else if (StringRef("$`*?[]{}~").contains(C))
      Command.NeedsShell = true;
    Word += Line[At++];
  }

  void quoted(char Quote) {
    for (++At; At < Line.size() && Line[At] != Quote; ++At) {
      if (Quote == '"' && Line[At] == '\\' && At + 1 < Line.size())
        ++At;
      else if (Quote == '"' && (Line[At] == '$' || Line[At] == '`'))
        Command.NeedsShell = true;
      Word += Line[At];
    }
    ++At;
  }

  /// `> file`, `2>&1`, `< file`: the descriptor and the file are no words.
  void redirect() {
    if (InWord && all_of(Word, isDigit))
      Word.clear(), InWord = false;
    endWord();
    while (At < Line.size() && StringRef("<>&").contains(Line[At]))
      ++At;
    while (At < Line.size() && Line[At] == ' ')
      ++At;
    while (At < Line.size() && !StringRef(" \t;|&").contains(Line[At]))
      ++At;
  }

  void endWord() {
    if (InWord)
      Command.Words.push_back(std::move(Word));
    Word.clear();
    InWord = false;
  }

  void endCommand() {
    endWord();
    if (!Command.Words.empty())
      Commands.push_back(std::move(Command));
    Command = {};
  }

  StringRef Line;
  size_t At = 0;
  std::string Word;
  bool InWord = false;
  ShellCommand Command;
  std::vector<ShellCommand> Commands;
};

bool isWrapper(StringRef Word) {
  return StringSwitch<bool>(sys::path::filename(Word))
      .Cases({"time", "env", "nice", "timeout", "stdbuf", "taskset"}, true)
      .Cases({"numactl", "mpirun", "mpiexec", "srun", "jsrun"}, true)
      .Cases({"ncu", "nsys", "nvprof", "compute-sanitizer"}, true)
      .Cases({"cuda-memcheck", "valgrind", "exec"}, true)
      .Default(false);
}

/// A script is run by its name, too, but it has no `main`.
bool isProgram(StringRef Word) {
  return Word.contains('/') && !Word.ends_with(".sh") &&
         !Word.ends_with(".py") && !Word.ends_with("/");
}

bool setsVariable(StringRef Word) {
  StringRef Name = Word.take_until([](char C) { return C == '='; });
  return Name.size() < Word.size() && !Name.empty() &&
         all_of(Name, [](char C) { return isAlnum(C) || C == '_'; });
}

} // namespace

std::vector<RunCommand> commandsIn(StringRef Line, StringRef Place) {
  std::vector<RunCommand> Found;
  for (ShellCommand &C : ShellLine(Line).split()) {
    auto At = find_if_not(C.Words, setsVariable);
    if (At != C.Words.end() && isWrapper(*At))
      At = std::find_if(At + 1, C.Words.end(), [](StringRef Word) {
        return Word.starts_with("./") || Word.starts_with("../");
      });
    if (At == C.Words.end() || !isProgram(*At) || C.NeedsShell)
      continue;
    Found.push_back({{At, C.Words.end()}, Place.str()});
  }
  return Found;
}

namespace {

/// As much of Make as it takes to read a recipe.
class Makefile {
public:
  explicit Makefile(StringRef Text) { read(Text); }

  struct Recipe {
    unsigned Line; ///< of the command
    std::string Text;
    std::string Target, FirstNeeded;
  };
  std::vector<Recipe> recipesOf(StringRef Target) const;
  /// \p Text with its variables in their places; nullopt: it takes Make.
  std::optional<std::string> expand(StringRef Text, const Recipe &For,
                                    unsigned Depth = 0) const;

private:
  struct Rule {
    std::vector<std::string> Targets;
    std::string Needed;
    std::vector<std::pair<unsigned, std::string>> Lines;
  };
  void read(StringRef Text);
  void line(StringRef Text, unsigned Number);
  bool assignment(StringRef Text);
  void rule(StringRef Text);

  StringMap<std::optional<std::string>> Variables;
  std::vector<Rule> Rules;
  unsigned Conditions = 0; ///< `ifeq`s around
  bool InDefinition = false;
};

void Makefile::read(StringRef Text) {
  unsigned Number = 0;
  std::string Joined;
  unsigned First = 0;
  while (!Text.empty()) {
    StringRef Line;
    std::tie(Line, Text) = Text.split('\n');
    Line = Line.rtrim('\r');
    ++Number;
    if (Joined.empty())
      First = Number;
    bool Goes = Line.ends_with("\\");
    Joined += Goes ? Line.drop_back() : Line;
    if (Goes && !Text.empty()) {
      Joined += ' ';
      continue;
    }
    line(Joined, First);
    Joined.clear();
  }
}

void Makefile::line(StringRef Text, unsigned Number) {
  StringRef Word = Text.trim().take_until(
      [](char C) { return C == ' ' || C == '\t' || C == '('; });
  if (InDefinition) {
    InDefinition = Word != "endef";
    return;
  }
  if (Text.starts_with("\t")) {
    if (!Rules.empty() && !Text.trim().empty())
      Rules.back().Lines.push_back({Number, Text.trim().str()});
    return;
  }
  Text = Text.take_until([](char C) { return C == '#'; }).trim();
  if (Word == "ifeq" || Word == "ifneq" || Word == "ifdef" || Word == "ifndef")
    ++Conditions;
  else if (Word == "endif")
    Conditions -= Conditions > 0;
  else if (Word == "define")
    InDefinition = true;
  else if (!Text.empty() && Word != "else" && !assignment(Text))
    rule(Text);
}

bool Makefile::assignment(StringRef Text) {
  size_t Equals = Text.find('=');
  if (Equals == StringRef::npos)
    return false;
  StringRef Name = Text.take_front(Equals);
  const char Kind = Name.empty() ? ' ' : Name.back();
  Name = Name.rtrim(":?+!").trim();
  Name.consume_front("export ");
  Name.consume_front("override ");
  Name = Name.trim();
  if (Name.empty() || Name.find_first_of(" \t:$") != StringRef::npos)
    return false; // `target: NAME = value`, or none at all
  StringRef Value = Text.drop_front(Equals + 1).trim();
  auto [Known, New] = Variables.try_emplace(Name, Value.str());
  std::optional<std::string> &Now = Known->second;
  if (New)
    return true;
  if (Conditions > 0 && Kind != '?') {
    // One of two, as a condition has it.
    if (Now != Value.str())
      Now.reset();
  } else if (Kind == '+') {
    if (Now)
      *Now += " " + Value.str();
  } else if (Kind != '?') {
    Now = Value.str();
  }
  return true;
}

void Makefile::rule(StringRef Text) {
  auto [Targets, Needed] = Text.split(':');
  if (Targets.size() == Text.size())
    return;
  Rule R;
  SmallVector<StringRef, 4> Words;
  SplitString(Targets, Words);
  for (StringRef Word : Words)
    R.Targets.push_back(Word.str());
  R.Needed = Needed.ltrim(':').trim().str();
  Rules.push_back(std::move(R));
}

std::vector<Makefile::Recipe> Makefile::recipesOf(StringRef Target) const {
  std::vector<Recipe> Found;
  for (const Rule &R : Rules)
    if (is_contained(R.Targets, Target))
      for (const auto &[Line, Text] : R.Lines)
        Found.push_back(
            {Line, StringRef(Text).ltrim("@-+").str(), Target.str(),
             StringRef(R.Needed)
                 .take_until([](char C) { return C == ' ' || C == '\t'; })
                 .str()});
  return Found;
}

std::optional<std::string> Makefile::expand(StringRef Text, const Recipe &For,
                                            unsigned Depth) const {
  constexpr unsigned MaxDepth = 16;
  if (Depth > MaxDepth)
    return std::nullopt;
  std::string Out;
  for (size_t At = 0; At < Text.size(); ++At) {
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
    StringRef Value;
    if (Name == "<" || Name == "^")
      Value = For.FirstNeeded;
    else if (Name == "@")
      Value = For.Target;
    else if (Name.find_first_of(" :,$(){}") != StringRef::npos)
      return std::nullopt; // A function of Make's.
    else if (auto It = Variables.find(Name); It != Variables.end()) {
      if (!It->second)
        return std::nullopt;
      Value = *It->second;
    }
    std::optional<std::string> Inner = expand(Value, For, Depth + 1);
    if (!Inner)
      return std::nullopt;
    Out += *Inner;
  }
  return Out;
}

} // namespace

std::vector<RunCommand> commandsOfMakefile(StringRef Text, StringRef Name) {
  Makefile Make(Text);
  for (StringRef Target : {"run", "test", "check"}) {
    std::vector<RunCommand> Found;
    for (const Makefile::Recipe &R : Make.recipesOf(Target))
      if (std::optional<std::string> Line = Make.expand(R.Text, R))
        append_range(Found,
                     commandsIn(*Line, (Name + ":" + Twine(R.Line)).str()));
    if (!Found.empty())
      return Found;
  }
  return {};
}

/// The arguments of a command of CMake from behind its `(`: plain, quoted or in
/// brackets (`[=[ ]=]`).
static std::vector<std::string> cmakeArguments(StringRef Text) {
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
      if (Words.size() < 2 || Words[1] == "NOT_AVAILABLE")
        continue;
      Found.push_back({{Words.begin() + 1, Words.end()},
                       (Name + ":" + Twine(Number)).str()});
    }
  }
  return Found;
}

namespace {

/// What lies in one folder.
class RunFolder {
public:
  RunFolder(StringRef Path, vfs::FileSystem &FS) : Path(Path), FS(FS) {}

  std::vector<RunCommand> ofProject() const {
    for (StringRef Name : {"GNUmakefile", "makefile", "Makefile"})
      if (auto Text = read(Name))
        if (auto Found = commandsOfMakefile((*Text)->getBuffer(), Name);
            !Found.empty())
          return Found;
    for (StringRef Name : {"run", "run.sh"})
      if (auto Text = read(Name))
        if (auto Found = ofScript((*Text)->getBuffer(), Name); !Found.empty())
          return Found;
    return {};
  }

  std::vector<RunCommand> ofCTest() const {
    constexpr StringLiteral Name = "CTestTestfile.cmake";
    std::vector<RunCommand> Found;
    std::vector<std::string> Folders{"."};
    for (size_t I = 0; I < std::min(Folders.size(), MaxTestFolders); ++I) {
      std::string Folder = Folders[I];
      SmallString<256> File(Folder);
      sys::path::append(File, Name);
      std::vector<std::string> Below;
      if (auto Text = read(File))
        append_range(Found,
                     commandsOfCTest((*Text)->getBuffer(), Name, Below));
      for (const std::string &Each : Below) {
        SmallString<256> Inner(sys::path::is_absolute(Each) ? "" : Folder);
        sys::path::append(Inner, Each);
        Folders.push_back(std::string(Inner));
      }
    }
    return Found;
  }

private:
  static std::vector<RunCommand> ofScript(StringRef Text, StringRef Name) {
    std::vector<RunCommand> Found;
    unsigned Number = 0;
    while (!Text.empty()) {
      StringRef Line;
      std::tie(Line, Text) = Text.split('\n');
      append_range(Found,
                   commandsIn(Line, (Name + ":" + Twine(++Number)).str()));
    }
    return Found;
  }

  /// A text file of some size, or nothing.
  std::optional<std::unique_ptr<MemoryBuffer>> read(StringRef Name) const {
    constexpr uint64_t MaxBytes = 1 << 20;
    SmallString<256> File(sys::path::is_absolute(Name) ? "" : Path);
    sys::path::append(File, Name);
    ErrorOr<vfs::Status> Status = FS.status(File);
    if (!Status || !Status->isRegularFile() || Status->getSize() > MaxBytes)
      return std::nullopt;
    ErrorOr<std::unique_ptr<MemoryBuffer>> Text = FS.getBufferForFile(File);
    if (!Text || (*Text)->getBuffer().contains('\0'))
      return std::nullopt; // A program that is called `run`.
    return std::move(*Text);
  }

  StringRef Path;
  vfs::FileSystem &FS;
};

StringRef programOf(const RunCommand &C) {
  return sys::path::stem(C.Words.front());
}

/// Of the programs that are run in one place, those that \p File is.
std::vector<RunCommand> ofFile(std::vector<RunCommand> Commands, StringRef File,
                               bool ByNameOnly) {
  StringRef Stem = sys::path::stem(File);
  auto Bears = [&](const RunCommand &C) { return programOf(C) == Stem; };
  const bool One = all_of(Commands, [&](const RunCommand &C) {
    return programOf(C) == programOf(Commands.front());
  });
  if (ByNameOnly || !One)
    erase_if(Commands, [&](const RunCommand &C) { return !Bears(C); });
  return Commands;
}

} // namespace

std::vector<RunCommand> findRunCommands(StringRef File, StringRef Directory,
                                        vfs::FileSystem &FS) {
  SmallVector<StringRef, 2> Folders{sys::path::parent_path(File)};
  if (!Directory.empty() && Directory != Folders.front())
    Folders.push_back(Directory);
  std::vector<RunCommand> Found;
  for (StringRef Folder : Folders)
    if (Found.empty())
      Found = ofFile(RunFolder(Folder, FS).ofProject(), File, false);
  for (StringRef Folder : Folders)
    if (Found.empty())
      Found = ofFile(RunFolder(Folder, FS).ofCTest(), File, true);
  std::vector<RunCommand> Distinct;
  for (RunCommand &C : Found)
    if (Distinct.size() < MaxRunCommands &&
        none_of(Distinct, [&](const RunCommand &Other) {
          return ArrayRef(Other.Words).drop_front() ==
                 ArrayRef(C.Words).drop_front();
        }))
      Distinct.push_back(std::move(C));
  return Distinct;
}

} // namespace warplint
