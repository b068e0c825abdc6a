//===- TidyRun.cpp - clang-tidy's library around the analysis -------------===//
//
// Part of Warplint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TidyRun.h"
#include "clang-tidy/ClangTidy.h"
#include "clang-tidy/ClangTidyDiagnosticConsumer.h"
#include "warplint/Report/Paths.h"
#include "warplint/Tidy/TidyFindings.h"
#include "warplint/Tidy/TidyOptions.h"
#include "clang/Basic/FileManager.h"
#include "clang/Basic/SourceManager.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FileUtilities.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Regex.h"
#include "llvm/Support/VirtualFileSystem.h"
#include <map>
#include <tuple>

using namespace llvm;
using namespace clang::tidy;

namespace warplint {

namespace {

/// Files of the configuration that are not in the form of one: clang-tidy says
/// so and goes on as if there were none.
class FoundOptions : public FileOptionsProvider {
public:
  FoundOptions(const ClangTidyGlobalOptions &Global,
               const ClangTidyOptions &Defaults,
               const ClangTidyOptions &Overrides,
               IntrusiveRefCntPtr<vfs::FileSystem> Files,
               std::vector<BrokenConfig> &Broken)
      : FileOptionsProvider(Global, Defaults, Overrides, std::move(Files)) {
    for (auto &[Name, Parse] : ConfigHandlers)
      Parse = [&Broken, Real = Parse](MemoryBufferRef Text) {
        ErrorOr<ClangTidyOptions> Parsed = Real(Text);
        if (!Parsed)
          Broken.push_back(
              {sys::path::parent_path(Text.getBufferIdentifier()).str(),
               formatv("'{0}' is no configuration of clang-tidy, and nothing "
                       "of it counts: mend it ({1})",
                       Text.getBufferIdentifier(), Parsed.getError().message())
                   .str()});
        return Parsed;
      };
  }
};

/// A `.clang-tidy` whose Checks name none of ours was not written with them in
/// mind: whoever calls warplint wants its checks all the same.
class ConfigProvider : public ClangTidyOptionsProvider {
public:
  ConfigProvider(std::unique_ptr<ClangTidyOptionsProvider> Found,
                 const ClangTidyGlobalOptions &Global)
      : Found(std::move(Found)), Global(Global) {}

  const ClangTidyGlobalOptions &getGlobalOptions() override { return Global; }
  std::vector<OptionsSource> getRawOptions(StringRef File) override {
    std::vector<OptionsSource> Sources = Found->getRawOptions(File);
    for (auto &[Options, Source] : Sources)
      if (Source != OptionsSourceTypeDefaultBinary &&
          Source != OptionsSourceTypeCheckCommandLineOption && Options.Checks &&
          !StringRef(*Options.Checks).contains(TidyFamily))
        Options.Checks.reset();
    return Sources;
  }

private:
  std::unique_ptr<ClangTidyOptionsProvider> Found;
  const ClangTidyGlobalOptions &Global;
};

/// Diagnostics around one main file, which nobody parses here.
class DiagnosticSession {
public:
  /// \p IDs: those of the context, which remembers names of checks by them.
  DiagnosticSession(ClangTidyContext &Context,
                    IntrusiveRefCntPtr<clang::DiagnosticIDs> IDs,
                    IntrusiveRefCntPtr<vfs::FileSystem> Read,
                    StringRef MainFile)
      : Context(Context), Consumer(Context),
        Engine(std::move(IDs), EngineOptions, &Consumer,
               /*ShouldOwnClient=*/false),
        Files(clang::FileSystemOptions(), std::move(Read)),
        Sources(Engine, Files) {
    Context.setDiagnosticsEngine(std::make_unique<clang::DiagnosticOptions>(),
                                 &Engine);
    Context.setSourceManager(&Sources);
    if (clang::OptionalFileEntryRef File = Files.getOptionalFileRef(MainFile))
      Sources.setMainFileID(
          Sources.getOrCreateFileID(*File, clang::SrcMgr::C_User));
    Context.setCurrentFile(MainFile);
    Consumer.BeginSourceFile(clang::LangOptions());
  }
  ~DiagnosticSession() { Consumer.EndSourceFile(); }

  /// \p Number comes back with the error that \p F becomes.
  void report(const Finding &F, size_t Number) {
    std::optional<ReportedFinding> R = reportFinding(F, Context, Sources);
    if (!R)
      return;
    bool Placed = R->Loc.isValid();
    // As clang hands it on.
    SmallString<128> Text;
    clang::EscapeStringForDiagnostic(R->Text, Text);
    Numbers.try_emplace(Key{F.Check, std::string(Text),
                            Placed ? Sources.getFilename(R->Loc).str() : "",
                            Placed ? Sources.getFileOffset(R->Loc) : 0},
                        Number);
  }

  /// What was let through: errors with the number of their finding, nullopt
  /// for those that clang-tidy adds of its own.
  std::vector<std::pair<ClangTidyError, std::optional<size_t>>> take() {
    std::vector<std::pair<ClangTidyError, std::optional<size_t>>> Taken;
    for (ClangTidyError &E : Consumer.take()) {
      auto At = Numbers.find(Key{E.DiagnosticName, E.Message.Message,
                                 E.Message.FilePath, E.Message.FileOffset});
      std::optional<size_t> Number;
      if (At != Numbers.end())
        Number = At->second;
      Taken.push_back({std::move(E), Number});
    }
    return Taken;
  }

private:
  using Key = std::tuple<std::string, std::string, std::string, unsigned>;

  ClangTidyContext &Context;
  ClangTidyDiagnosticConsumer Consumer;
  clang::DiagnosticOptions EngineOptions;
  clang::DiagnosticsEngine Engine;
  clang::FileManager Files;
  clang::SourceManager Sources;
  std::map<Key, size_t> Numbers;
};

} // namespace

/// As `.clang-tidy` and the command line leave it.
static ClangTidyOptions defaultOptions() {
  ClangTidyOptions Options = ClangTidyOptions::getDefaults();
  std::string Checks = "-*";
  for (const CheckInfo &Check : allChecks())
    if (Check.OnByDefault)
      Checks += "," + Check.Name.str();
  Options.Checks = std::move(Checks);
  Options.HeaderFilterRegex = ".*";
  Options.ExcludeHeaderFilterRegex = "";
  return Options;
}

Expected<std::unique_ptr<TidyRun>>
TidyRun::create(const ToolOptions &Options,
                IntrusiveRefCntPtr<vfs::FileSystem> Files) {
  std::unique_ptr<ClangTidyOptionsProvider> Found;
  auto Broken = std::make_unique<std::vector<BrokenConfig>>();
  if (Options.ConfigFile.empty()) {
    Found = std::make_unique<FoundOptions>(Options.TidyGlobal, defaultOptions(),
                                           Options.Tidy, Files, *Broken);
  } else {
    ErrorOr<std::unique_ptr<MemoryBuffer>> Text =
        MemoryBuffer::getFile(Options.ConfigFile);
    if (!Text)
      return createStringError("cannot read '" + Options.ConfigFile +
                               "': " + Text.getError().message());
    ErrorOr<ClangTidyOptions> Config = parseConfiguration(
        MemoryBufferRef((*Text)->getBuffer(), Options.ConfigFile));
    if (!Config)
      return createStringError("'" + Options.ConfigFile +
                               "' is no configuration of clang-tidy: " +
                               Config.getError().message());
    Found = std::make_unique<ConfigOptionsProvider>(
        Options.TidyGlobal, defaultOptions(), *Config, Options.Tidy, Files);
  }
  auto Provider =
      std::make_unique<ConfigProvider>(std::move(Found), Options.TidyGlobal);
  return std::unique_ptr<TidyRun>(new TidyRun(
      Options, std::move(Provider), std::move(Broken), std::move(Files)));
}

FileConfig TidyRun::configOf(StringRef File) {
  DiagnosticSession Session(Context, IDs, Files, File);
  TidyOptions Tidy = readTidyOptions(Context, Options.Analysis);
  FileConfig Config;
  Config.Analysis = std::move(Tidy.Analysis);
  Config.Command = Options.Command;
  Config.Command.Arch = Tidy.Arch;
  const ClangTidyOptions &Its = Context.getOptions();
  Config.Command.ExtraBefore =
      Its.ExtraArgsBefore.value_or(std::vector<std::string>());
  Config.Command.Extra = Its.ExtraArgs.value_or(std::vector<std::string>());
  Config.Command.Removed = Its.RemovedArgs.value_or(std::vector<std::string>());
  for (auto &[Error, Number] : Session.take())
    Config.Remarks.push_back(Error.Message.Message);
  if (none_of(allChecks(), [&](const CheckInfo &Check) {
        return Context.isCheckEnabled(Check.Name);
      }))
    Config.Remarks.push_back("no check is enabled; --list-checks shows them");
  for (const BrokenConfig &B : *Broken)
    if (File.starts_with(B.Folder + "/"))
      Config.Errors.push_back(B.Why);
  return Config;
}

void TidyRun::suppress(FileReport &Report) {
  if (Report.Findings.empty())
    return;
  DiagnosticSession Session(Context, IDs, Files, Report.File);
  for (size_t I = 0; I < Report.Findings.size(); ++I)
    Session.report(Report.Findings[I], I);
  std::vector<bool> Kept(Report.Findings.size());
  for (auto &[Error, Number] : Session.take()) {
    if (Number)
      Kept[*Number] = true;
    else if (KnownComments
                 .insert(Error.Message.FilePath + ":" +
                         std::to_string(Error.Message.FileOffset))
                 .second)
      AboutComments.push_back(std::move(Error));
  }
  // The line filter lets through what has a note in the files listed: the call
  // from there into a header that is not.
  if (Options.Changed && !Options.Diff)
    for (size_t I = 0; I < Kept.size(); ++I)
      Kept[I] =
          Kept[I] &&
          any_of(Options.TidyGlobal.LineFilter, [&](const FileFilter &File) {
            return StringRef(Report.Findings[I].Place.File)
                .ends_with(File.Name);
          });
  std::vector<Finding> Findings;
  for (size_t I = 0; I < Kept.size(); ++I)
    if (Kept[I])
      Findings.push_back(std::move(Report.Findings[I]));
  Report.Suppressed = Kept.size() - Findings.size();
  Report.Findings = std::move(Findings);
}

bool TidyRun::showsHeader(StringRef Header, const RunReport &Run) {
  if (HeaderFilters.empty())
    for (const FileReport &File : Run.Files) {
      Context.setCurrentFile(File.File);
      const ClangTidyOptions &Its = Context.getOptions();
      HeaderFilters.insert(
          {*Its.HeaderFilterRegex, *Its.ExcludeHeaderFilterRegex});
    }
  return all_of(HeaderFilters, [&](const auto &Filter) {
    const auto &[Shown, Excluded] = Filter;
    return Regex(Shown).match(Header) &&
           (Excluded.empty() || !Regex(Excluded).match(Header));
  });
}

/// The errors of all findings that are left, those of headers reached from
/// several files once, worst first.
std::vector<ClangTidyError> TidyRun::ranked(const RunReport &Run) {
  // Filters have had their say, for each file by its own configuration.
  ClangTidyOptions All = defaultOptions();
  All.Checks = "*";
  ClangTidyContext Unfiltered(std::make_unique<DefaultOptionsProvider>(
      Options.TidyGlobal, std::move(All)));
  DiagnosticSession Session(Unfiltered, clang::DiagnosticIDs::create(), Files,
                            ""),
      AboutConfigs(Context, IDs, Files, "");
  std::vector<Finding> Findings = shownFindings(Run);
  keepOneOfEachFix(Findings);
  for (size_t I = 0; I < Findings.size(); ++I)
    Session.report(Findings[I], I);
  auto Taken = Session.take();
  sort(Taken, [](const auto &A, const auto &B) {
    return A.second.value_or(SIZE_MAX) < B.second.value_or(SIZE_MAX);
  });
  std::vector<ClangTidyError> Errors;
  for (auto &[Error, Number] : Taken) {
    if (!Number)
      continue; // said by suppress()
    Context.setCurrentFile(Error.Message.FilePath);
    Error.IsWarningAsError = Error.DiagLevel == ClangTidyError::Warning &&
                             Context.treatAsError(Error.DiagnosticName);
    Errors.push_back(std::move(Error));
  }
  append_range(Errors, AboutComments);
  return Errors;
}

static void showBelow(StringRef Base, clang::tooling::DiagnosticMessage &M) {
  M.FilePath = relativeTo(M.FilePath, Base);
  for (clang::tooling::FileByteRange &Range : M.Ranges)
    Range.FilePath = relativeTo(Range.FilePath, Base);
}

/// A file that fixes change, as it was before.
struct FileToFix {
  std::string Text;
  std::optional<sys::fs::perms> Mode;
};

static StringMap<FileToFix> filesToFix(ArrayRef<ClangTidyError> Errors) {
  StringMap<FileToFix> Files;
  for (const ClangTidyError &E : Errors)
    for (const auto &[File, Edits] : E.Message.Fix)
      if (ErrorOr<std::unique_ptr<MemoryBuffer>> Text =
              MemoryBuffer::getFile(File)) {
        Files[File].Text = (*Text)->getBuffer().str();
        if (ErrorOr<sys::fs::perms> Mode = sys::fs::getPermissions(File))
          Files[File].Mode = *Mode;
      }
  return Files;
}

Error TidyRun::report(const RunReport &Run, StringRef Base) {
  bool Text = Options.Format == ToolOptions::Text;
  if (!Text && Options.ExportFixes.empty())
    return Error::success();
  std::vector<ClangTidyError> Errors = ranked(Run);
  if (!Options.ExportFixes.empty() && !Errors.empty()) {
    Error Failed = writeToOutput(Options.ExportFixes, [&](raw_ostream &OS) {
      exportReplacements(Run.Files.front().File, Errors, OS);
      return Error::success();
    });
    if (Failed)
      return Failed;
  }
  if (!Text)
    return Error::success();
  for (ClangTidyError &Error : Errors) {
    showBelow(Base, Error.Message);
    for (clang::tooling::DiagnosticMessage &Note : Error.Notes)
      showBelow(Base, Note);
  }
  bool Whole = all_of(Run.Files, [](const FileReport &File) {
    return File.Status == FileReport::Ok;
  });
  unsigned AsErrors = 0;
  bool Apply = Options.Fix && Whole;
  StringMap<FileToFix> Before;
  if (Apply)
    Before = filesToFix(Errors);
  handleErrors(Errors, Context, Apply ? FB_Fix : FB_NoFix, AsErrors,
               vfs::getRealFileSystem());
  if (Apply)
    for (const auto &[File, After] : filesToFix(Errors)) {
      const FileToFix &Old = Before[File];
      // clang-tidy's library says why, and only to the terminal.
      if (Old.Text == After.Text)
        return createStringError("the fixes of '" + File +
                                 "' were not written");
      // It puts a new file in the place of the old one.
      if (Old.Mode)
        sys::fs::setPermissions(File, *Old.Mode);
    }
  if (Options.Fix && !Whole)
    return createStringError("not all files could be analysed, so that no fix "
                             "was applied");
  return Error::success();
}

} // namespace warplint
