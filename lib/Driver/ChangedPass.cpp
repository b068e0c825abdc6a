//===- ChangedPass.cpp - Parse a unit again with other text ---------------===//
//
// Part of Warplint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "warplint/Driver/ChangedPass.h"
#include "CompatHeader.h"
#include "NvccMacros.h"
#include "clang/AST/ASTConsumer.h"
#include "clang/AST/ASTContext.h"
#include "clang/Basic/Diagnostic.h"
#include "clang/Basic/FileManager.h"
#include "clang/Basic/SourceManager.h"
#include "clang/Basic/TargetInfo.h"
#include "clang/Frontend/CompilerInstance.h"
#include "clang/Frontend/CompilerInvocation.h"
#include "clang/Frontend/FrontendAction.h"
#include "clang/Lex/HeaderSearch.h"
#include "clang/Lex/HeaderSearchOptions.h"
#include "clang/Lex/Preprocessor.h"
#include "clang/Lex/PreprocessorOptions.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MemoryBuffer.h"
#include <map>

using namespace clang;

namespace warplint {
namespace {

using UnitCallback = llvm::function_ref<void(ASTContext &, Preprocessor &)>;

class ChangedConsumer : public ASTConsumer {
public:
  ChangedConsumer(UnitCallback OnUnit, Preprocessor &PP, unsigned Errors)
      : OnUnit(OnUnit), PP(PP), Errors(Errors) {}
  void HandleTranslationUnit(ASTContext &Ctx) override {
    if (PP.getDiagnostics().getNumErrors() <= Errors)
      OnUnit(Ctx, PP);
  }

private:
  UnitCallback OnUnit;
  Preprocessor &PP;
  unsigned Errors; ///< that there may be
};

class ChangedAction : public ASTFrontendAction {
public:
  ChangedAction(UnitCallback OnUnit, bool Nvcc, unsigned Errors)
      : OnUnit(OnUnit), Nvcc(Nvcc), Errors(Errors) {}

protected:
  std::unique_ptr<ASTConsumer> CreateASTConsumer(CompilerInstance &CI,
                                                 llvm::StringRef) override {
    // Inside clang-tidy it is not among the options.
    completePredefines(CI.getPreprocessor());
    if (Nvcc)
      showNvccMacros(CI.getPreprocessor());
    return std::make_unique<ChangedConsumer>(OnUnit, CI.getPreprocessor(),
                                             Errors);
  }

private:
  UnitCallback OnUnit;
  bool Nvcc;
  unsigned Errors;
};

} // namespace

/// The text of \p File as the unit read it, with \p Edits; nullopt: it is no
/// file of the unit, or an edit lies outside.
static std::optional<std::string> changedText(SourceManager &SM,
                                              const std::string &File,
                                              std::vector<SourceEdit> Edits) {
  OptionalFileEntryRef Entry = SM.getFileManager().getOptionalFileRef(File);
  if (!Entry)
    return std::nullopt;
  FileID ID = SM.translateFile(*Entry);
  if (ID.isInvalid())
    return std::nullopt;
  std::string Text = SM.getBufferData(ID).str();
  // From the end, so that offsets stay those of the old text.
  llvm::sort(Edits, [](const SourceEdit &A, const SourceEdit &B) {
    return A.Offset > B.Offset;
  });
  for (const SourceEdit &E : Edits) {
    if (E.Offset + E.Length > Text.size())
      return std::nullopt;
    Text.replace(E.Offset, E.Length, E.Text);
  }
  return Text;
}

bool runChangedPass(ASTContext &Ctx, Preprocessor &PP,
                    llvm::ArrayRef<SourceEdit> Edits, UnitCallback OnUnit) {
  SourceManager &SM = Ctx.getSourceManager();
  OptionalFileEntryRef Main = SM.getFileEntryRefForID(SM.getMainFileID());
  if (!Main)
    return false;
  std::map<std::string, std::vector<SourceEdit>> ByFile;
  for (const SourceEdit &E : Edits)
    ByFile[E.File].push_back(E);
  std::map<std::string, std::string> Texts;
  for (auto &[File, OfFile] : ByFile) {
    std::optional<std::string> Text = changedText(SM, File, std::move(OfFile));
    if (!Text)
      return false;
    Texts[File] = std::move(*Text);
  }

  // What the compile command said is all in the options of the parsed unit, so
  // this works inside clang-tidy too, where the command is not to be had.
  auto Invocation = std::make_shared<CompilerInvocation>();
  Invocation->getLangOpts() = Ctx.getLangOpts();
  Invocation->getTargetOpts() = Ctx.getTargetInfo().getTargetOpts();
  Invocation->getHeaderSearchOpts() =
      PP.getHeaderSearchInfo().getHeaderSearchOpts();
  Invocation->getPreprocessorOpts() = PP.getPreprocessorOpts();
  Invocation->getDiagnosticOpts() = PP.getDiagnostics().getDiagnosticOptions();
  Invocation->getDiagnosticOpts().ErrorLimit = 0;
  Invocation->getFileSystemOpts() = SM.getFileManager().getFileSystemOpts();
  FrontendOptions &Frontend = Invocation->getFrontendOpts();
  Frontend.Inputs = {
      FrontendInputFile(Main->getName(), InputKind(Language::CUDA))};
  Frontend.DisableFree = false;
  Frontend.ProgramAction = frontend::ParseSyntaxOnly;
  if (const TargetInfo *Host = Ctx.getAuxTargetInfo())
    Frontend.AuxTriple = Host->getTriple().str();
  PreprocessorOptions &Preprocessing = Invocation->getPreprocessorOpts();
  Preprocessing.clearRemappedFiles();
  for (const auto &[File, Text] : Texts)
    Preprocessing.addRemappedFile(
        File, llvm::MemoryBuffer::getMemBufferCopy(Text, File).release());

  CompilerInstance Compiler(std::move(Invocation));
  Compiler.setVirtualFileSystem(SM.getFileManager().getVirtualFileSystemPtr());
  Compiler.setVerboseOutputStream(llvm::nulls());
  IgnoringDiagConsumer Ignore;
  Compiler.createDiagnostics(&Ignore, /*ShouldOwnClient=*/false);
  Compiler.getDiagnostics().setFatalsAsError(true);
  // At the end of the main file the macros are as the user's code sees them.
  bool Nvcc = PP.isMacroDefined("__NVCC__");
  bool Reached = false;
  auto Once = [&](ASTContext &C, Preprocessor &P) {
    Reached = true;
    OnUnit(C, P);
  };
  ChangedAction Action(Once, Nvcc, PP.getDiagnostics().getNumErrors());
  Compiler.ExecuteAction(Action);
  return Reached;
}

} // namespace warplint
