//===- UnitAnalysis.cpp - The analysis that the checks of a unit share ----===//
//
// Part of Warplint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "UnitAnalysis.h"
#include "clang-tidy/ClangTidyDiagnosticConsumer.h"
#include "warplint/Driver/CompileCommands.h"
#include "warplint/Driver/DeviceModule.h"
#include "warplint/Driver/DevicePass.h"
#include "warplint/Tidy/TidyFindings.h"
#include "warplint/Tidy/TidyOptions.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/Attr.h"
#include "clang/AST/Decl.h"
#include "clang/Basic/TargetInfo.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/CrashRecoveryContext.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"

using namespace llvm;

namespace warplint {

/// As the command line's jobs have it (lib/Pipeline/AnalyseFiles.cpp): deeply
/// nested code recurses deeply.
static constexpr unsigned StackBytes = 256u << 20;

/// What clang compiles for when no architecture is named. The command line
/// takes the second then.
static constexpr StringLiteral Unnamed = "sm_52", Instead = "sm_90";

void UnitAnalysis::begin(clang::Preprocessor &P) {
  if (PP)
    return;
  PP = &P;
  completeHostedPass(P);
}

ArrayRef<Finding> UnitAnalysis::findings(clang::ASTContext &Ctx) {
  if (!Analysed && PP) {
    Analysed = true;
    analyse(Ctx);
  }
  return Report.Findings;
}

static bool hasKernel(const clang::DeclContext *DC, const UserFiles &Users) {
  return any_of(DC->noload_decls(), [&](const clang::Decl *D) {
    if (const auto *Inner = dyn_cast<clang::NamespaceDecl>(D))
      return hasKernel(Inner, Users);
    const clang::FunctionDecl *F = D->getAsFunction();
    return F && F->hasAttr<clang::CUDAGlobalAttr>() && F->hasBody() &&
           Users.contains(F->getLocation());
  });
}

void UnitAnalysis::analyse(clang::ASTContext &Ctx) {
  if (!Ctx.getLangOpts().CUDAIsDevice) {
    UserFiles Users(Ctx.getSourceManager());
    if (hasKernel(Ctx.getTranslationUnitDecl(), Users))
      Context.configurationDiag(
          "the warplint checks analyse kernels as the device sees them, and "
          "this command compiles for the host alone: leave out "
          "'--cuda-host-only'");
    return;
  }
  TidyOptions Options = readTidyOptions(Context);
  std::string Arch = Options.Arch;
  if (Arch.empty())
    Arch = Ctx.getTargetInfo().getTargetOpts().CPU;
  if (Options.Arch.empty() && Arch == Unnamed)
    Arch = Instead;

  std::string Failure;
  // A crash of ours must not cost what the other checks found.
  CrashRecoveryContext::Enable();
  CrashRecoveryContext Recovery;
  bool Survived = Recovery.RunSafelyOnThread(
      [&] {
        Expected<FileReport> Unit =
            analyseUnit(Ctx, *PP, Arch, Options.Analysis);
        if (Unit)
          Report = std::move(*Unit);
        else
          Failure = toString(Unit.takeError());
      },
      StackBytes);
  CrashRecoveryContext::Disable();
  if (!Survived) {
    Report = FileReport();
    Failure = "internal error of the warplint checks; please report it with "
              "the file and its compile command";
  }
  keepOneOfEachFix(Report.Findings);
  if (!Failure.empty())
    Context.configurationDiag("%0") << Failure;
  if (!Report.Kernels.empty() || Ctx.getDiagnostics().hasErrorOccurred())
    explainNvccCommand();
}

/// Whether flags followed `--`: no database was asked then. clang-tidy takes
/// them off its arguments before it reads the rest, so that nothing but the
/// system remembers.
static bool gotFlags() {
  auto Line = MemoryBuffer::getFileAsStream("/proc/self/cmdline");
  if (!Line)
    return false; // another system; the hint may then be one too many
  SmallVector<StringRef, 32> Arguments;
  (*Line)->getBuffer().split(Arguments, '\0');
  return is_contained(Arguments, "--");
}

/// clang-tidy reads the compile database before any module is asked, so nvcc's
/// flags cannot be translated from here. What can be done is to say so.
void UnitAnalysis::explainNvccCommand() {
  if (isTranslatedFromNvcc(*PP) || gotFlags())
    return;
  // As the command spells it, relative to where it runs.
  SmallString<256> File(Context.getCurrentFile());
  sys::path::make_absolute(Context.getCurrentBuildDirectory(), File);
  sys::path::remove_dots(File, /*remove_dot_dot=*/true);
  std::string Beside = sys::path::parent_path(File).str();
  for (const std::string &Folder :
       {Context.getCurrentBuildDirectory(), Beside}) {
    Expected<CompileCommands> Database = CompileCommands::load(Folder);
    if (!Database) {
      consumeError(Database.takeError());
      continue;
    }
    Expected<CompileJob> Job = Database->anyJobFor(File, CommandOptions());
    if (!Job) {
      consumeError(Job.takeError());
      continue;
    }
    if (Job->Nvcc)
      Context.configurationDiag(
          "the compile command of '%0' is nvcc's, which clang reads wrongly in "
          "part: run 'warplint -p %1 --write-compile-commands=%1/clang' once "
          "and give clang-tidy '-p %1/clang', or use warplint-clang-tidy")
          << File.str() << Folder;
    return;
  }
}

} // namespace warplint
