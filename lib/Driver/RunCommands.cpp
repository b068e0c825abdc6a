//===- RunCommands.cpp - How a program is said to be run ------------------===//
//
// Part of Warplint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "warplint/Driver/RunCommands.h"
#include "GoesOn.h"
#include "warplint/Driver/ShortText.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/VirtualFileSystem.h"

using namespace llvm;

namespace warplint {

// Folders of CTest that are looked into for one program.
static constexpr size_t MaxTestFolders = 64;

// The text files that are read at all are smaller.
static constexpr uint64_t MaxFileBytes = 1 << 20;

/// \p Word so that it is seen where it begins and ends, in UTF-8.
static std::string shown(StringRef Word) {
  std::string Text;
  bool Quoted = Word.empty();
  const bool Unicode = json::isUTF8(Word);
  for (char C : Word) {
    const bool Control = static_cast<unsigned char>(C) < ' ' || C == '\x7f' ||
                         (!Unicode && !isASCII(C));
    Quoted |= C == ' ' || C == '\t' || C == '"' || C == '\'';
    if (C == '"')
      Text += '\\';
    Text += Control ? '?' : C;
  }
  return Quoted ? "\"" + Text + "\"" : Text;
}

std::string RunCommand::describe() const {
  constexpr size_t MaxText = 60;
  std::string Text = "the program is run as '" +
                     shortened(join(map_range(Words, shown), " "), MaxText) +
                     "'";
  return Place.empty() ? Text : Text + " (" + Place + ")";
}

namespace {

/// A command of a line: its words, and whether the shell would have a say.
struct ShellCommand {
  std::vector<std::string> Words;
  bool NeedsShell = false;
  /// Whether it runs hangs on how another one ends.
  bool Doubtful = false;
};

/// A line for the shell as commands, split at `;`, `&&`, `||`, `|` and `&`,
/// without redirections and comments.
class ShellLine {
public:
  explicit ShellLine(StringRef Line) : Line(Line) {
    while (At < Line.size())
      step(Line[At]);
    endCommand();
  }

  std::vector<ShellCommand> Commands;
  /// No one reads it as the shell would: quotes that do not end, a text of the
  /// script as input.
  bool Broken = false;
  /// Only words: no operator, redirection or comment.
  bool OnlyWords = true;
  /// It defines a function, or the next line hangs on it.
  bool Opens = false;

private:
  void step(char C) {
    if (C == ' ' || C == '\t')
      return endWord(), void(++At);
    if (C == '#' && !InWord)
      return comment();
    if (StringRef(";&|()\n").contains(C))
      return control(C);
    if (C == '>' || C == '<')
      return redirect();
    if (C == '\\')
      return escaped();
    InWord = true;
    if (C == '\'' || C == '"')
      return quoted(C);
    if (StringRef("$`*?[]{}~").contains(C))
      Command.NeedsShell = true;
    Word += Line[At++];
  }

  void comment() {
    OnlyWords = false;
    At = std::min(Line.find('\n', At), Line.size());
  }

  void escaped() {
    ++At;
    if (At == Line.size()) {
      Command.NeedsShell = true; // The next line belongs to it.
    } else if (Line[At] != '\n') {
      InWord = WordIsQuoted = true;
      Word += Line[At];
    }
    At += At < Line.size();
  }

  void quoted(char Quote) {
    WordIsQuoted = true;
    for (++At; At < Line.size() && Line[At] != Quote; ++At) {
      const char Next = At + 1 < Line.size() ? Line[At + 1] : ' ';
      if (Quote == '"' && Line[At] == '\\' &&
          StringRef("$`\"\\\n").contains(Next)) {
        if (++At; Next == '\n')
          continue;
      } else if (Quote == '"' && (Line[At] == '$' || Line[At] == '`')) {
        Command.NeedsShell = true;
      }
      Word += Line[At];
    }
    Broken |= At == Line.size();
    At += At < Line.size();
  }

  /// `> file`, `2>&1`, `< file`, `&> file`: the descriptor and the file are no
  /// words.
  void redirect() {
    OnlyWords = false;
    if (InWord && !WordIsQuoted && all_of(Word, isDigit)) {
      // To some shells, "32>log" is a descriptor, to others a word.
      Command.NeedsShell |= Word.size() > 1;
      Word.clear();
      InWord = false;
    }
    endWord();
    Command.NeedsShell |= IsTarget; // `> >(tee log)`
    Broken |= Line.substr(At).starts_with("<<");
    At += 1;
    if (At < Line.size() && StringRef("<>&|").contains(Line[At]))
      At += 1;
    IsTarget = true;
    NeededShell = Command.NeedsShell;
  }

  void control(char C) {
    OnlyWords = false;
    StringRef Rest = Line.substr(At);
    if (Rest.starts_with("&>")) {
      endWord();
      At += Rest.starts_with("&>>") ? 2 : 1;
      redirect();
      IsLast = true;
      return;
    }
    endCommand();
    Opens |= C == '(' && Rest.drop_front().ltrim(" \t").starts_with(")");
    const bool And = Rest.starts_with("&&"), Or = Rest.starts_with("||");
    if (Or || (And && endsInTest()))
      InDoubt = true;
    else if (C == '(' && InDoubt)
      GroupInDoubt = true;
    else if (!And && C != '|' && C != ')' && C != '(')
      InDoubt = GroupInDoubt;
    At += And || Or ? 2 : 1;
    Opens |= (And || Or) && Line.substr(At).trim().empty();
  }

  /// Whether a command whose end says something other than "it went well" was
  /// the last.
  bool endsInTest() const {
    return !Commands.empty() &&
           StringSwitch<bool>(Commands.back().Words.front())
               .Cases({"[", "[[", "test", "false", "!", "grep"}, true)
               .Cases({"diff", "cmp", "which", "command", "type"}, true)
               .Default(false);
  }

  void endWord() {
    if (InWord && IsTarget)
      IsTarget = false, Command.NeedsShell = NeededShell;
    else if (InWord)
      Command.Words.push_back(Word), Command.NeedsShell |= IsLast;
    GroupInDoubt |= InDoubt && InWord && !WordIsQuoted && Word == "{";
    Word.clear();
    InWord = WordIsQuoted = false;
  }

  void endCommand() {
    endWord();
    Command.NeedsShell |= IsTarget; // `>(`, or nothing.
    Command.Doubtful = InDoubt;
    if (!Command.Words.empty())
      Commands.push_back(std::move(Command));
    Command = {};
    IsTarget = IsLast = false;
  }

  StringRef Line;
  size_t At = 0;
  std::string Word;
  bool InWord = false, WordIsQuoted = false;
  bool IsTarget = false;    ///< the next word is a redirection's
  bool NeededShell = false; ///< before that word
  bool IsLast = false;      ///< to some shells, `&>` begins another command
  bool InDoubt = false, GroupInDoubt = false;
  ShellCommand Command;
};

/// The first word that says what \p C does.
StringRef leadingWord(const ShellCommand &C) {
  for (StringRef Word : C.Words)
    if (Word != "{" && Word != "}" && Word != "!" && Word != "time")
      return Word;
  return {};
}

/// Whether \p C decides about what follows it, or is a part of what does.
bool decides(const ShellCommand &C) {
  return StringSwitch<bool>(leadingWord(C))
      .Cases({"if", "then", "elif", "else", "fi"}, true)
      .Cases({"for", "while", "until", "select", "do", "done"}, true)
      .Cases({"case", "esac", "function", "eval"}, true)
      .Default(false);
}

bool isWrapper(StringRef Word) {
  return StringSwitch<bool>(sys::path::filename(Word))
      .Cases({"time", "env", "nice", "timeout", "stdbuf", "taskset"}, true)
      .Cases({"numactl", "mpirun", "mpiexec", "srun", "jsrun"}, true)
      .Cases({"ncu", "nsys", "nvprof", "compute-sanitizer"}, true)
      .Cases({"cuda-memcheck", "valgrind", "exec"}, true)
      .Default(false);
}

/// A script is run by its name, too, but it has no `main`; and what is
/// installed somewhere is nobody's project.
bool isProgram(StringRef Word) {
  return Word.contains('/') && !Word.starts_with("/") &&
         !Word.ends_with(".sh") && !Word.ends_with(".py") &&
         !Word.ends_with("/");
}

bool isHere(StringRef Word) {
  return Word.starts_with("./") || Word.starts_with("../");
}

bool setsVariable(StringRef Word) {
  StringRef Name = Word.take_until([](char C) { return C == '='; });
  return Name.size() < Word.size() && !Name.empty() &&
         all_of(Name, [](char C) { return isAlnum(C) || C == '_'; });
}

/// The program that \p C runs and its arguments, or nothing.
ArrayRef<std::string> programIn(const ShellCommand &C) {
  auto At = find_if_not(C.Words, setsVariable);
  if (At != C.Words.end() && isWrapper(*At)) {
    // Which word is the program is known only if one can be; after a `:`
    // another one is run beside it.
    if (count_if(C.Words, isHere) != 1 || is_contained(C.Words, ":"))
      return {};
    At = find_if(C.Words, isHere);
  }
  if (At == C.Words.end() || !isProgram(*At) || C.NeedsShell || C.Doubtful)
    return {};
  return ArrayRef(C.Words).drop_front(At - C.Words.begin());
}

/// Whether \p Line is more than commands one after another.
bool isMoreThanCommands(const ShellLine &Line) {
  return Line.Broken || Line.Opens || any_of(Line.Commands, decides);
}

std::vector<RunCommand> programsIn(const ShellLine &Line, StringRef Place) {
  std::vector<RunCommand> Found;
  for (const ShellCommand &C : Line.Commands) {
    if (leadingWord(C) == "exit" && !C.Doubtful)
      break;
    if (ArrayRef<std::string> Words = programIn(C); !Words.empty())
      Found.push_back({Words.vec(), Place.str()});
  }
  return Found;
}

} // namespace

std::vector<RunCommand> commandsIn(StringRef Text, StringRef Place) {
  ShellLine Line(Text);
  return isMoreThanCommands(Line) ? std::vector<RunCommand>()
                                  : programsIn(Line, Place);
}

std::optional<RunCommand> commandOfArguments(StringRef Arguments) {
  ShellLine Line(("./program " + Arguments).str());
  if (Line.Broken || !Line.OnlyWords || Line.Commands.size() != 1 ||
      Line.Commands.front().NeedsShell)
    return std::nullopt;
  return RunCommand{std::move(Line.Commands.front().Words), /*Place=*/""};
}

namespace {

/// Whether the first line of a script says that a shell reads it, or nothing.
bool isForAShell(StringRef Text) {
  if (!Text.consume_front("#!"))
    return true;
  SmallVector<StringRef, 4> Words;
  SplitString(Text.take_until([](char C) { return C == '\n'; }), Words,
              " \t\r");
  ArrayRef<StringRef> Rest = Words;
  if (!Rest.empty() && sys::path::filename(Rest.front()) == "env")
    Rest = Rest.drop_front().drop_while(
        [](StringRef Word) { return Word.starts_with("-"); });
  return !Rest.empty() && StringSwitch<bool>(sys::path::filename(Rest.front()))
                              .Cases({"sh", "bash", "dash", "zsh", "ksh"}, true)
                              .Default(false);
}

/// The commands of a script whose every line is run, once.
std::vector<RunCommand> commandsOfScript(StringRef Text, StringRef Name) {
  std::vector<RunCommand> Found;
  if (!isForAShell(Text))
    return Found;
  std::string Whole;
  unsigned Number = 0, First = 0;
  while (!Text.empty()) {
    StringRef Next;
    std::tie(Next, Text) = Text.split('\n');
    Next = Next.rtrim('\r');
    ++Number;
    if (Whole.empty())
      First = Number;
    Whole += Next;
    if (goesOn(Next) && !Text.empty()) {
      Whole += '\n';
      continue;
    }
    ShellLine Line(Whole);
    auto EndsOrSets = [](const ShellCommand &C) {
      StringRef Word = leadingWord(C);
      return Word == "exit" || Word == "return" ||
             (Word == "set" && C.Words.size() > 1);
    };
    if (isMoreThanCommands(Line) || any_of(Line.Commands, EndsOrSets))
      return {};
    append_range(Found, programsIn(Line, (Name + ":" + Twine(First)).str()));
    Whole.clear();
  }
  return Found;
}

/// What a project says in one folder.
struct SaidCommands {
  std::vector<RunCommand> Commands;
  std::unique_ptr<MemoryBuffer> Text; ///< where it says so
};

/// Whether \p Text names the file \p Name: "dir/a.cu.o" does "a.cu".
bool names(StringRef Text, StringRef Name) {
  auto IsPart = [](char C) { return isAlnum(C) || C == '_' || C == '-'; };
  for (size_t At = 0; (At = Text.find(Name, At)) != StringRef::npos; ++At) {
    const size_t End = At + Name.size();
    if ((At == 0 || (!IsPart(Text[At - 1]) && Text[At - 1] != '.')) &&
        (End == Text.size() || !IsPart(Text[End])))
      return true;
  }
  return false;
}

/// What lies in one folder.
class RunFolder {
public:
  RunFolder(StringRef Path, vfs::FileSystem &FS) : Path(Path), FS(FS) {}

  SaidCommands ofProject() const {
    for (StringRef Name : {"GNUmakefile", "makefile", "Makefile"})
      if (auto Text = read(Name)) {
        if (auto Found = commandsOfMakefile((*Text)->getBuffer(), Name);
            !Found.empty())
          return {std::move(Found), std::move(*Text)};
        break; // Make reads the first alone.
      }
    for (StringRef Name : {"run", "run.sh"})
      if (auto Text = read(Name))
        if (auto Found = commandsOfScript((*Text)->getBuffer(), Name);
            !Found.empty())
          return {std::move(Found), std::move(*Text)};
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
        append_range(Found, commandsOfCTest((*Text)->getBuffer(), Name, Below));
      for (const std::string &Each : Below) {
        SmallString<256> Inner(sys::path::is_absolute(Each) ? "" : Folder);
        sys::path::append(Inner, Each);
        Folders.push_back(std::string(Inner));
      }
    }
    return Found;
  }

  /// Whether \p Program is a script under a name that does not say so.
  bool isScript(StringRef Program) const {
    auto Text = read(Program);
    return Text && (*Text)->getBuffer().starts_with("#!");
  }

  /// Whether \p Own is the one source here with a `main`, or the one of those
  /// that \p Said can mean; false where there is too much to look at.
  bool hasOnlyMain(StringRef Own, StringRef Said) const {
    constexpr unsigned MaxSources = 200;
    const bool Chooses = names(Said, Own) && !Said.contains("*.c") &&
                         !Said.contains("wildcard") && !Said.contains("shell");
    unsigned Sources = 0, Mains = 0;
    bool OwnHas = false;
    std::error_code Error;
    for (vfs::directory_iterator It = FS.dir_begin(Path, Error), End;
         !Error && It != End; It.increment(Error)) {
      StringRef Name = sys::path::filename(It->path());
      if (!isSource(Name))
        continue;
      if (++Sources > MaxSources)
        return false;
      if (Chooses && Name != Own && !Said.contains(sys::path::stem(Name)))
        continue;
      auto Text = read(Name);
      if (!Text)
        return false;
      const bool Has = definesMain((*Text)->getBuffer());
      Mains += Has;
      OwnHas |= Has && Name == Own;
    }
    return OwnHas && Mains == 1;
  }

private:
  static bool isSource(StringRef Name) {
    return StringSwitch<bool>(sys::path::extension(Name))
        .Cases({".cu", ".cpp", ".cc", ".cxx", ".c"}, true)
        .Default(false);
  }

  static bool definesMain(StringRef Text) {
    constexpr StringLiteral Main = "main";
    char Before = ' ';
    for (size_t At; (At = Text.find(Main)) != StringRef::npos;) {
      if (At > 0)
        Before = Text[At - 1];
      Text = Text.drop_front(At + Main.size());
      if (!isAlnum(Before) && Before != '_' && Text.ltrim().starts_with("("))
        return true;
      Before = Main.back();
    }
    return false;
  }

  /// A text file of some size, or nothing.
  std::optional<std::unique_ptr<MemoryBuffer>> read(StringRef Name) const {
    SmallString<256> File(sys::path::is_absolute(Name) ? "" : Path);
    sys::path::append(File, Name);
    ErrorOr<vfs::Status> Status = FS.status(File);
    if (!Status || !Status->isRegularFile() || Status->getSize() > MaxFileBytes)
      return std::nullopt;
    ErrorOr<std::unique_ptr<MemoryBuffer>> Text = FS.getBufferForFile(File);
    if (!Text || (*Text)->getBuffer().contains('\0'))
      return std::nullopt; // A program that is called `run`.
    return std::move(*Text);
  }

  StringRef Path;
  vfs::FileSystem &FS;
};

/// Of \p Commands, those whose program bears the name of \p File.
std::vector<RunCommand> byName(std::vector<RunCommand> Commands,
                               StringRef File) {
  erase_if(Commands, [&](const RunCommand &C) {
    return sys::path::stem(C.Words.front()) != sys::path::stem(File);
  });
  return Commands;
}

/// What the project says in \p Folder about the program of \p File.
std::vector<RunCommand> ofFile(StringRef File, StringRef Folder,
                               vfs::FileSystem &FS) {
  const RunFolder Place(Folder, FS);
  SaidCommands Said = Place.ofProject();
  erase_if(Said.Commands, [&](const RunCommand &C) {
    return Place.isScript(C.Words.front());
  });
  if (Said.Commands.empty())
    return {};
  if (auto Named = byName(Said.Commands, File); !Named.empty())
    return Named;
  StringRef Own = sys::path::parent_path(File);
  StringRef Name = sys::path::filename(File);
  const bool One = all_of(Said.Commands, [&](const RunCommand &C) {
    return C.Words.front() == Said.Commands.front().Words.front();
  });
  StringRef Text = Said.Text->getBuffer();
  if (!One || (Folder != Own && !names(Text, Name)) ||
      !RunFolder(Own, FS).hasOnlyMain(Name, Text))
    return {};
  return std::move(Said.Commands);
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
      Found = ofFile(File, Folder, FS);
  for (StringRef Folder : Folders)
    if (Found.empty())
      Found = byName(RunFolder(Folder, FS).ofCTest(), File);
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
