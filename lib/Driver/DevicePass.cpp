//===- DevicePass.cpp -----------------------------------------------------===//
//
// Part of Warplint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "warplint/Driver/DevicePass.h"
#include "CompatHeader.h"
#include "NvccMacros.h"
#include "NvccText.h"
#include "clang/AST/ASTConsumer.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/Attr.h"
#include "clang/AST/Decl.h"
#include "clang/Basic/Diagnostic.h"
#include "clang/Basic/DiagnosticSema.h"
#include "clang/Basic/SourceManager.h"
#include "clang/Driver/CreateInvocationFromArgs.h"
#include "clang/Frontend/CompilerInstance.h"
#include "clang/Frontend/CompilerInvocation.h"
#include "clang/Frontend/FrontendAction.h"
#include "clang/Lex/HeaderSearchOptions.h"
#include "clang/Lex/PreprocessorOptions.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/CrashRecoveryContext.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/VirtualFileSystem.h"

using namespace llvm;

namespace {

using UnitCallback =
    function_ref<void(clang::ASTContext &, clang::Preprocessor &)>;

/// Keeps errors as lines and drops the rest.
class ErrorLines : public clang::DiagnosticConsumer {
public:
  std::vector<std::string> Lines;
  unsigned Left = 0; ///< beyond those kept
  /// An `extern __shared__` variable that is no array, which nvcc accepts.
  bool ExternShared = false;
  /// `__shared__` variables with a constructor, which nvcc warns of.
  warplint::SharedObjects Objects;
  /// What can be done about the two is done: they are errors like any other.
  bool Last = false;

  void HandleDiagnostic(clang::DiagnosticsEngine::Level Level,
                        const clang::Diagnostic &Info) override {
    DiagnosticConsumer::HandleDiagnostic(Level, Info);
    if (Level < clang::DiagnosticsEngine::Error)
      return;
    ExternShared |=
        !Last && Info.getID() == clang::diag::err_cuda_extern_shared;
    if (!Last && Info.getID() == clang::diag::err_shared_var_init &&
        Info.getLocation().isFileID()) {
      const clang::SourceManager &SM = Info.getSourceManager();
      Objects[SM.getFilename(Info.getLocation()).str()].insert(
          SM.getFileOffset(Info.getLocation()));
    }
    SmallString<256> Text;
    Info.FormatDiagnostic(Text);
    std::string Line;
    if (Info.hasSourceManager() && Info.getLocation().isValid()) {
      clang::PresumedLoc Place = Info.getSourceManager().getPresumedLoc(
          Info.getSourceManager().getExpansionLoc(Info.getLocation()));
      if (Place.isValid())
        Line = (Place.getFilename() + Twine(":") + Twine(Place.getLine()) +
                ":" + Twine(Place.getColumn()) + ": ")
                   .str();
    }
    Line += Text.str().split('\n').first;
    // An instantiation repeats what its pattern said.
    if (!Seen.insert(Line).second)
      return;
    if (Lines.size() < MaxLines)
      Lines.push_back(std::move(Line));
    else
      ++Left;
  }

private:
  static constexpr size_t MaxLines = 50;
  StringSet<> Seen;
};

class UnitConsumer : public clang::ASTConsumer {
public:
  UnitConsumer(UnitCallback OnUnit, clang::Preprocessor &PP,
               const ErrorLines &Errors)
      : OnUnit(OnUnit), PP(PP), Errors(Errors) {}
  // What the host alone runs and a system header alone wrote can neither be in
  // a kernel nor instantiate one: a tenth of the time of a small file.
  // Templates may call back into the user's code, so they are read.
  bool shouldSkipFunctionBody(clang::Decl *D) override {
    const clang::FunctionDecl *F = D->getAsFunction();
    return F && !F->isTemplated() && !F->hasAttr<clang::CUDADeviceAttr>() &&
           !F->hasAttr<clang::CUDAGlobalAttr>() &&
           F->getASTContext().getSourceManager().isInSystemHeader(
               F->getLocation());
  }
  void HandleTranslationUnit(clang::ASTContext &Ctx) override {
    if (!Errors.ExternShared && Errors.Objects.empty())
      OnUnit(Ctx, PP);
  }

private:
  UnitCallback OnUnit;
  clang::Preprocessor &PP;
  const ErrorLines &Errors;
};

class UnitAction : public clang::ASTFrontendAction {
public:
  bool Reached = false;
  UnitAction(UnitCallback OnUnit, const ErrorLines &Errors, bool Nvcc)
      : OnUnit(OnUnit), Errors(Errors), Nvcc(Nvcc) {}

protected:
  std::unique_ptr<clang::ASTConsumer>
  CreateASTConsumer(clang::CompilerInstance &CI, StringRef) override {
    Reached = true;
    warplint::completePredefines(CI.getPreprocessor());
    if (Nvcc || warplint::isTranslatedFromNvcc(CI.getPreprocessor()))
      warplint::showNvccMacros(CI.getPreprocessor());
    return std::make_unique<UnitConsumer>(OnUnit, CI.getPreprocessor(), Errors);
  }

private:
  UnitCallback OnUnit;
  const ErrorLines &Errors;
  bool Nvcc;
};

/// What is no source file is told apart before clang sees it: clang reads a
/// binary for as long as it takes.
Error checkIsText(StringRef File) {
  sys::fs::file_status Status;
  if (std::error_code EC = sys::fs::status(File, Status))
    return createStringError("cannot read '" + File + "': " + EC.message());
  if (sys::fs::is_directory(Status))
    return createStringError("'" + File +
                             "' is a directory: give a file, or a "
                             "compile database with -p DIR");
  ErrorOr<std::unique_ptr<MemoryBuffer>> Buffer =
      MemoryBuffer::getFile(File, /*IsText=*/false);
  if (!Buffer)
    return createStringError("cannot read '" + File +
                             "': " + Buffer.getError().message());
  if ((*Buffer)->getBuffer().contains('\0'))
    return createStringError("'" + File +
                             "' is not text: give a CUDA source file");
  return Error::success();
}

/// Lets headers of the host compiler that clang has none of be found last: of
/// GCC's own directory that is omp.h, which nvcc's users get with -fopenmp.
void addHostCompilerHeaders(clang::HeaderSearchOptions &Options) {
  static constexpr StringRef FromLibrary = "/../../../../include/c++/";
  for (const clang::HeaderSearchOptions::Entry &E : Options.UserEntries) {
    size_t At = E.Path.find(FromLibrary);
    if (At == std::string::npos)
      continue;
    std::string Headers = E.Path.substr(0, At) + "/include";
    Options.AddPath(Headers, clang::frontend::After, /*IsFramework=*/false,
                    /*IgnoreSysRoot=*/true);
    return;
  }
}

/// The first thing clang complained about, as the reason of a failure.
Error noInvocation(StringRef File, const ErrorLines &Errors) {
  if (Errors.Lines.empty())
    return createStringError("clang cannot make a device pass for '" + File +
                             "' from its command");
  return createStringError(Errors.Lines.front());
}

/// The file system of one job. It has a directory of its own, as the process's
/// is shared by the threads that parse other jobs.
Expected<IntrusiveRefCntPtr<vfs::FileSystem>>
fileSystemFor(const warplint::CompileJob &Job,
              warplint::SharedObjects Objects = {}) {
  auto Files = makeIntrusiveRefCnt<vfs::OverlayFileSystem>(warplint::readAsNvcc(
      warplint::readUnsaved(IntrusiveRefCntPtr<vfs::FileSystem>(
                                vfs::createPhysicalFileSystem().release()),
                            Job.Unsaved),
      std::move(Objects)));
  auto Ours = makeIntrusiveRefCnt<vfs::InMemoryFileSystem>();
  Ours->addFile(warplint::CompatPath, 0,
                MemoryBuffer::getMemBuffer(warplint::compatText()));
  Files->pushOverlay(Ours);
  if (Files->setCurrentWorkingDirectory(Job.Directory))
    return createStringError("the directory of the command, '" + Job.Directory +
                             "', cannot be entered");
  return Files;
}

Expected<std::shared_ptr<clang::CompilerInvocation>>
invocationFor(const warplint::CompileJob &Job,
              IntrusiveRefCntPtr<vfs::FileSystem> Files) {
  ErrorLines Errors;
  clang::DiagnosticOptions Options;
  clang::CreateInvocationOptions How;
  How.Diags = clang::CompilerInstance::createDiagnostics(
      *Files, Options, &Errors, /*ShouldOwnClient=*/false);
  How.VFS = Files;
  std::vector<const char *> Arguments;
  for (const std::string &Argument : Job.Arguments)
    Arguments.push_back(Argument.c_str());
  std::shared_ptr<clang::CompilerInvocation> Invocation =
      clang::createInvocation(Arguments, How);
  if (!Invocation || How.Diags->hasErrorOccurred())
    return noInvocation(Job.File, Errors);
  if (!Job.Host && !Invocation->getLangOpts().CUDAIsDevice)
    return createStringError("the command of '" + Job.File +
                             "' makes no CUDA device pass");

  Invocation->getFrontendOpts().DisableFree = false;
  Invocation->getFrontendOpts().SkipFunctionBodies = true;
  Invocation->getDiagnosticOpts().ErrorLimit = 0;
  addHostCompilerHeaders(Invocation->getHeaderSearchOpts());
  std::vector<std::string> &Includes =
      Invocation->getPreprocessorOpts().Includes;
  // After clang's own wrapper, whose declarations it completes.
  auto Wrapper = find(Includes, warplint::WrapperName);
  if (Wrapper != Includes.end())
    Includes.insert(std::next(Wrapper), warplint::CompatPath.str());
  return Invocation;
}

/// False: clang stopped before there was a unit.
bool parse(std::shared_ptr<clang::CompilerInvocation> Invocation,
           IntrusiveRefCntPtr<vfs::FileSystem> Files, ErrorLines &Errors,
           UnitCallback OnUnit, bool Nvcc) {
  clang::CompilerInstance Compiler(std::move(Invocation));
  Compiler.setVirtualFileSystem(std::move(Files));
  Compiler.setVerboseOutputStream(nulls());
  Compiler.createDiagnostics(&Errors, /*ShouldOwnClient=*/false);
  // After a missing header there are still kernels worth a look.
  Compiler.getDiagnostics().setFatalsAsError(true);
  UnitAction Action(OnUnit, Errors, Nvcc);
  Compiler.ExecuteAction(Action);
  return Action.Reached;
}

Expected<warplint::ParseOutcome> runPass(const warplint::CompileJob &Job,
                                         UnitCallback OnUnit) {
  if (Error E = checkIsText(Job.File))
    return E;
  Expected<IntrusiveRefCntPtr<vfs::FileSystem>> Files = fileSystemFor(Job);
  if (!Files)
    return Files.takeError();
  Expected<std::shared_ptr<clang::CompilerInvocation>> Invocation =
      invocationFor(Job, *Files);
  if (!Invocation)
    return Invocation.takeError();

  std::optional<ErrorLines> Errors(std::in_place);
  bool Reached = parse(*Invocation, *Files, *Errors, OnUnit, Job.Nvcc);
  if (Reached && (Errors->ExternShared || !Errors->Objects.empty())) {
    // Clang has such variables with relocatable device code alone. The macro
    // that comes with it would switch CCCL to launches from the device.
    (*Invocation)->getLangOpts().GPURelocatableDeviceCode = true;
    (*Invocation)->getPreprocessorOpts().addMacroUndef("__CLANG_RDC__");
    if (!Errors->Objects.empty()) {
      Files = fileSystemFor(Job, std::move(Errors->Objects));
      if (!Files)
        return Files.takeError();
    }
    Errors.emplace();
    Errors->Last = true;
    Reached = parse(*Invocation, *Files, *Errors, OnUnit, Job.Nvcc);
  }
  if (!Reached)
    return noInvocation(Job.File, *Errors);

  warplint::ParseOutcome Outcome;
  Outcome.Errors = std::move(Errors->Lines);
  if (Errors->Left)
    Outcome.Errors.push_back("and " + std::to_string(Errors->Left) +
                             " more errors");
  return Outcome;
}

} // namespace

Expected<warplint::ParseOutcome> warplint::runDevicePass(const CompileJob &Job,
                                                         UnitCallback OnUnit) {
  // With a stack as clang's own driver has it, whatever thread this is; and
  // what a strange file does to clang must not end the other files' results.
  static const bool Recovering = (CrashRecoveryContext::Enable(), true);
  (void)Recovering;
  constexpr unsigned StackBytes = 8 << 20;
  std::optional<Expected<ParseOutcome>> Outcome;
  CrashRecoveryContext Context;
  if (Context.RunSafelyOnThread([&] { Outcome.emplace(runPass(Job, OnUnit)); },
                                StackBytes))
    return std::move(*Outcome);
  return createStringError("the analysis of '" + Job.File +
                           "' crashed: please report it with the file");
}
