//===- Changes.cpp - Only what changed ------------------------------------===//
//
// Part of Warplint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// What changed is asked of git and handed to clang-tidy's line filter, which
/// does the rest.
///
//===----------------------------------------------------------------------===//

#include "Changes.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FileUtilities.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Process.h"
#include "llvm/Support/Program.h"

using namespace llvm;
using clang::tidy::FileFilter;

namespace warplint {

namespace {

/// A file that is there for one call of a program.
struct OutputFile {
  SmallString<128> Path;
  FileRemover Remover;
  std::error_code create() {
    std::error_code EC =
        sys::fs::createTemporaryFile("warplint-git", "txt", Path);
    if (!EC)
      Remover.setFile(Path);
    return EC;
  }
  std::string text() const {
    auto Buffer = MemoryBuffer::getFile(Path);
    return Buffer ? (*Buffer)->getBuffer().str() : "";
  }
};

/// What git prints. Error: the first line of its complaint.
Expected<std::string> git(ArrayRef<StringRef> Arguments) {
  ErrorOr<std::string> Program = sys::findProgramByName("git");
  if (!Program)
    return createStringError("git was not found");
  OutputFile Out, Complaint;
  if (std::error_code EC = Out.create())
    return errorCodeToError(EC);
  if (std::error_code EC = Complaint.create())
    return errorCodeToError(EC);
  SmallVector<StringRef, 16> Words = {"git"};
  append_range(Words, Arguments);
  std::optional<StringRef> Redirects[] = {StringRef(""), StringRef(Out.Path),
                                          StringRef(Complaint.Path)};
  if (sys::ExecuteAndWait(*Program, Words, std::nullopt, Redirects))
    return createStringError("git: " +
                             StringRef(Complaint.text()).split('\n').first);
  return Out.text();
}

/// A name as git writes it: in quotes, with C's escapes, where it has to.
std::string unquoted(StringRef Name) {
  if (!Name.consume_front("\"") || !Name.consume_back("\""))
    return Name.str();
  std::string Text;
  while (!Name.empty()) {
    char C = Name.front();
    Name = Name.drop_front();
    if (C != '\\' || Name.empty()) {
      Text += C;
      continue;
    }
    unsigned Octal;
    if (isDigit(Name[0]) && !Name.take_front(3).getAsInteger(8, Octal)) {
      Text += char(Octal);
      Name = Name.drop_front(std::min<size_t>(3, Name.size()));
      continue;
    }
    constexpr StringRef From = "abtnvfr", To = "\a\b\t\n\v\f\r";
    size_t At = From.find(Name[0]);
    Text += At == StringRef::npos ? Name[0] : To[At];
    Name = Name.drop_front();
  }
  return Text;
}

/// "3,2" is {3, 2}, "3" is {3, 1}.
bool readRange(StringRef Text, unsigned &First, unsigned &Count) {
  auto [Begin, Length] = Text.split(',');
  Count = 1;
  return !Begin.getAsInteger(10, First) &&
         (Length.empty() || !Length.getAsInteger(10, Count));
}

constexpr FileFilter::LineRange NoLine = {0, 0};

/// What a diff adds or changes.
struct DiffText {
  std::vector<FileFilter> Lines; ///< by file
  bool HidesFiles = false; ///< of some it says only that they differ: "binary"
};

/// Context is read over: GIT_DIFF_OPTS, and a submodule's own git, have their
/// own mind about how much of it there is.
DiffText readDiff(StringRef Diff, StringRef Root) {
  DiffText Read;
  unsigned Old = 0, New = 0, At = 0; ///< lines of the hunk that are to come
  while (!Diff.empty()) {
    StringRef Line;
    std::tie(Line, Diff) = Diff.split('\n');
    if (Line.starts_with("\\"))
      continue; // no newline at the end of the file
    if (Old || New) {
      bool Added = Line.starts_with("+"), Removed = Line.starts_with("-");
      if (Added && !Read.Lines.empty()) {
        auto &Ranges = Read.Lines.back().LineRanges;
        if (!Ranges.empty() && Ranges.back().second + 1 == At)
          Ranges.back().second = At;
        else
          Ranges.push_back({At, At});
      }
      At += !Removed;
      New -= !Removed && New;
      Old -= !Added && Old;
      continue;
    }
    Read.HidesFiles |= Line.starts_with("Binary files ");
    if (Line.consume_front("+++ ")) {
      Line.consume_back("\t"); // after a name with blanks
      std::string Name = unquoted(Line);
      if (!StringRef(Name).starts_with("b/"))
        continue; // removed
      SmallString<256> Path(Root);
      sys::path::append(Path, StringRef(Name).drop_front(2));
      Read.Lines.emplace_back().Name = std::string(Path);
      continue;
    }
    // @@ -3,2 +3 @@
    SmallVector<StringRef, 5> Words;
    unsigned OldFirst, OldCount, First, Count;
    if (!Line.consume_front("@@ -"))
      continue;
    Line.split(Words, ' ', /*MaxSplit=*/2);
    if (Words.size() < 2 || !Words[1].consume_front("+") ||
        !readRange(Words[0], OldFirst, OldCount) ||
        !readRange(Words[1], First, Count))
      continue;
    Old = OldCount;
    New = Count;
    At = First;
  }
  // Lines are gone, none is new: no finding shows, but whether the file still
  // parses does. To the filter, no range would be the whole file.
  for (FileFilter &F : Read.Lines)
    if (F.LineRanges.empty())
      F.LineRanges.push_back(NoLine);
  return Read;
}

/// Adds a whole file. What is there but no text (another repository, what a
/// dangling link of an editor's lock names) has no lines; a .cu that cannot be
/// read is for the plan to complain of.
void addWhole(StringRef Name, StringRef Root,
              std::vector<FileFilter> &Changed) {
  SmallString<256> Path(Root);
  sys::path::append(Path, Name);
  bool Complain = sys::path::extension(Name) == ".cu" &&
                  !sys::path::filename(Name).starts_with(".");
  if (sys::fs::is_regular_file(Path) || Complain)
    Changed.emplace_back().Name = std::string(Path);
}

/// The tree to compare with; that of no file where nothing is committed yet.
Expected<std::string> treeOf(StringRef Revision) {
  std::string Tree = (Revision.empty() ? "HEAD" : Revision.str()) + "^{tree}";
  Expected<std::string> Known =
      git({"rev-parse", "--verify", "--end-of-options", Tree});
  if (!Known) {
    consumeError(Known.takeError());
    if (!Revision.empty()) {
      bool Shallow = false;
      if (Expected<std::string> Answer =
              git({"rev-parse", "--is-shallow-repository"}))
        Shallow = StringRef(*Answer).trim() == "true";
      else
        consumeError(Answer.takeError());
      return createStringError(
          "--diff: '" + Revision + "' is no revision that git knows here" +
          (Shallow ? "; the clone is shallow: fetch more of its history" : ""));
    }
    Known = git({"hash-object", "-t", "tree", "--stdin"});
    if (!Known)
      return Known.takeError();
  }
  return StringRef(*Known).trim().str();
}

Expected<std::vector<FileFilter>> changesSince(StringRef Revision) {
  Expected<std::string> Top = git({"rev-parse", "--show-toplevel"});
  if (!Top)
    return createStringError("--diff asks git what changed, and there is no "
                             "repository here (" +
                             toString(Top.takeError()) + ")");
  StringRef Root = StringRef(*Top).rtrim("\r\n");
  Expected<std::string> Tree = treeOf(Revision);
  if (!Tree)
    return Tree.takeError();
  // Nobody's configuration must change the form.
  Expected<std::string> Diff = git(
      {"-c", "core.quotePath=false", "diff", "-U0", "--inter-hunk-context=0",
       "--no-color", "--no-ext-diff", "--no-textconv", "--no-relative",
       "--submodule=diff", "--find-renames", "--src-prefix=a/",
       "--dst-prefix=b/", *Tree, "--"});
  if (!Diff)
    return Diff.takeError();
  DiffText Read = readDiff(*Diff, Root);
  std::vector<FileFilter> Changed = std::move(Read.Lines);
  // An attribute (`*.cu -diff`) or a zero byte makes a source "binary".
  if (Read.HidesFiles) {
    Expected<std::string> Counts =
        git({"diff", "--numstat", "-z", "--no-renames", "--no-relative",
             "--diff-filter=d", *Tree, "--"});
    if (!Counts)
      return Counts.takeError();
    for (StringRef File : split(*Counts, '\0'))
      if (File.consume_front("-\t-\t"))
        addWhole(File, Root, Changed);
  }
  Expected<std::string> Untracked =
      git({"-C", Root, "ls-files", "--others", "--exclude-standard", "-z"});
  if (!Untracked)
    return Untracked.takeError();
  for (StringRef Name : split(*Untracked, '\0'))
    if (!Name.empty())
      addWhole(Name, Root, Changed);
  return Changed;
}

} // namespace

/// What --diff without a revision means: HEAD, and in a run of pre-commit over
/// a range of commits (in CI, before a push) where that begins.
static std::string defaultRevision() {
  std::optional<std::string> From = sys::Process::GetEnv("PRE_COMMIT_FROM_REF");
  if (!From || From->empty())
    return "";
  // pre-commit lists files the same way.
  Expected<std::string> Base = git({"merge-base", *From, "HEAD"});
  if (Base)
    return StringRef(*Base).trim().str();
  consumeError(Base.takeError());
  return *From;
}

Error narrowToChanges(ToolOptions &Options) {
  std::vector<FileFilter> &Filter = Options.TidyGlobal.LineFilter;
  if (Options.Diff) {
    for (const std::string &File : Options.Files)
      if (Options.Diff->empty() && !sys::fs::exists(File))
        return createStringError("--diff: there is no file '" + File +
                                 "'; a revision is given as --diff=" + File);
    Expected<std::vector<FileFilter>> Changed =
        changesSince(Options.Diff->empty() ? defaultRevision() : *Options.Diff);
    if (!Changed)
      return Changed.takeError();
    Filter = std::move(*Changed);
    // An empty filter lets everything through. Files that were named are
    // analysed all the same.
    if (Filter.empty() && !Options.Files.empty())
      Filter.push_back({"", {NoLine}});
    else if (Options.Files.empty())
      for (const FileFilter &File : Filter)
        Options.Files.push_back(File.Name);
    Options.Changed = true;
  } else if (Options.Changed && Filter.empty()) {
    for (const std::string &File : Options.Files) {
      SmallString<256> Real;
      if (!sys::fs::real_path(File, Real))
        Filter.emplace_back().Name = std::string(Real);
    }
  }
  return Error::success();
}

} // namespace warplint
