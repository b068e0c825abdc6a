//===- DeviceModule.cpp - From a parsed device pass to kernels in IR ------===//
//
// Part of Warplint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "warplint/Driver/DeviceModule.h"
#include "PrepareSteps.h"
#include "ReachableDecls.h"
#include "warplint/Driver/SourceNames.h"
#include "clang/AST/DeclCXX.h"
#include "clang/AST/DeclTemplate.h"
#include "clang/AST/Mangle.h"
#include "clang/Basic/CodeGenOptions.h"
#include "clang/Basic/DiagnosticIDs.h"
#include "clang/Basic/DiagnosticOptions.h"
#include "clang/Basic/TargetInfo.h"
#include "clang/CodeGen/ModuleBuilder.h"
#include "clang/Lex/HeaderSearch.h"
#include "clang/Lex/HeaderSearchOptions.h"
#include "clang/Lex/Preprocessor.h"
#include "clang/Lex/PreprocessorOptions.h"

using namespace clang;

namespace warplint {
namespace {

/// Finds the kernels of the user's files: definitions and instantiations.
class KernelFinder {
public:
  KernelFinder(const ASTContext &Ctx, const UserFiles &Users)
      : SM(Ctx.getSourceManager()), Users(Users) {}

  void scan(const DeclContext *DC) {
    // Declarations of a precompiled header are not the user's: not loaded.
    for (const Decl *D : DC->noload_decls())
      scanDecl(D);
  }

  std::vector<const FunctionDecl *> inSourceOrder() {
    // Instantiations of one template share a location: the order in which they
    // were made decides.
    llvm::sort(Found, [&](const Entry &A, const Entry &B) {
      if (A.first->getLocation() == B.first->getLocation())
        return A.second < B.second;
      return SM.isBeforeInTranslationUnit(A.first->getLocation(),
                                          B.first->getLocation());
    });
    auto Kernels = llvm::make_first_range(Found);
    return {Kernels.begin(), Kernels.end()};
  }

private:
  using Entry = std::pair<const FunctionDecl *, size_t>;

  void scanDecl(const Decl *D) {
    if (const auto *FD = dyn_cast<FunctionDecl>(D))
      add(FD);
    else if (const auto *FTD = dyn_cast<FunctionTemplateDecl>(D))
      scanTemplate(FTD);
    else if (const auto *RD = dyn_cast<CXXRecordDecl>(D))
      scanRecord(RD);
    else if (const auto *CTD = dyn_cast<ClassTemplateDecl>(D))
      scanClassTemplate(CTD);
    else if (isa<NamespaceDecl, LinkageSpecDecl, ExportDecl>(D))
      scan(cast<DeclContext>(D));
  }

  void scanTemplate(const FunctionTemplateDecl *FTD) {
    if (!FTD->getTemplatedDecl()->hasAttr<CUDAGlobalAttr>())
      return;
    if (FTD != FTD->getCanonicalDecl() &&
        !Seen.insert(FTD->getCanonicalDecl()).second)
      return;
    Seen.insert(FTD->getCanonicalDecl());
    for (const FunctionDecl *FD : FTD->specializations())
      if (const FunctionDecl *Def = FD->getDefinition())
        add(Def);
  }

  // A kernel may be a static member of a class of the user's.
  void scanRecord(const CXXRecordDecl *RD) {
    if (!RD->isThisDeclarationADefinition() || RD->isDependentContext() ||
        !Users.contains(RD->getLocation()))
      return;
    scan(RD);
  }

  void scanClassTemplate(const ClassTemplateDecl *CTD) {
    if (!CTD->isThisDeclarationADefinition() ||
        !Users.contains(CTD->getLocation()))
      return;
    for (const ClassTemplateSpecializationDecl *Spec : CTD->specializations())
      scan(Spec);
  }

  void add(const FunctionDecl *FD) {
    if (!FD->hasAttr<CUDAGlobalAttr>() || !FD->doesThisDeclarationHaveABody() ||
        FD->isDependentContext() || !Users.contains(FD->getLocation()) ||
        !Seen.insert(FD).second)
      return;
    Found.push_back({FD, Found.size()});
  }

  const SourceManager &SM;
  const UserFiles &Users;
  llvm::DenseSet<const Decl *> Seen;
  std::vector<Entry> Found;
};

/// Keeps the first error of the code generator.
class FirstError : public DiagnosticConsumer {
public:
  std::string Message;

  void HandleDiagnostic(DiagnosticsEngine::Level Level,
                        const Diagnostic &Info) override {
    DiagnosticConsumer::HandleDiagnostic(Level, Info);
    if (Level < DiagnosticsEngine::Error || !Message.empty())
      return;
    llvm::SmallString<128> Text;
    Info.FormatDiagnostic(Text);
    Message = Text.str().str();
  }
};

/// One run of the code generator over a set of definitions.
struct Lowering {
  std::unique_ptr<llvm::Module> Module; ///< null: see Error
  std::string Error;
  std::vector<std::string> Mangled; ///< of the kernels given
};

class Lowerer {
public:
  Lowerer(ASTContext &Ctx, Preprocessor &PP) : Ctx(Ctx), PP(PP) {
    // As `clang -O2 -gline-tables-only`: lifetimes are wanted, the optimiser
    // itself is ours to run.
    Options.OptimizationLevel = 2;
    // nvcc does not tell a store of a float from a load of an int by the type:
    // it loads again.
    Options.RelaxedAliasing = true;
    Options.setInlining(CodeGenOptions::NormalInlining);
    Options.UnrollLoops = true;
    // Type identifiers at virtual tables and calls.
    Options.LTOUnit = true;
    Options.WholeProgramVTables = true;
    // nvcc keeps a constant local array in local memory.
    Options.MergeAllConstants = false;
    Options.setDebugInfo(llvm::codegenoptions::DebugLineTablesOnly);
    Options.DebugColumnInfo = true;
    llvm::SmallString<128> Directory;
    Ctx.getSourceManager().getFileManager().makeAbsolutePath(Directory);
    Options.DebugCompilationDir = Directory.str().str();
  }

  Lowering lower(llvm::ArrayRef<const FunctionDecl *> Kernels,
                 const DeclSet &Decls, llvm::LLVMContext &Context) {
    Lowering Result;
    // The code generator refuses to work for an engine that has seen errors,
    // and parsing may have had some: it gets an engine of its own.
    FirstError Errors;
    DiagnosticOptions DiagOptions;
    DiagnosticsEngine Diags(DiagnosticIDs::create(), DiagOptions, &Errors,
                            /*ShouldOwnClient=*/false);
    Diags.setSourceManager(&Ctx.getSourceManager());
    std::unique_ptr<CodeGenerator> CG = CreateLLVMCodeGen(
        Diags, "warplint",
        Ctx.getSourceManager().getFileManager().getVirtualFileSystemPtr(),
        PP.getHeaderSearchInfo().getHeaderSearchOpts(),
        PP.getPreprocessorOpts(), Options, Context);
    CG->Initialize(Ctx);
    for (const Decl *D : Decls)
      CG->HandleTopLevelDecl(DeclGroupRef(const_cast<Decl *>(D)));
    for (const FunctionDecl *FD : Kernels)
      Result.Mangled.push_back(CG->GetMangledName(GlobalDecl(FD)).str());
    CG->HandleTranslationUnit(Ctx);
    if (Errors.Message.empty())
      Result.Module = CG->ReleaseModule();
    if (!Result.Module)
      Result.Error = Errors.Message.empty() ? "code generation gave no module"
                                            : Errors.Message;
    return Result;
  }

private:
  ASTContext &Ctx;
  Preprocessor &PP;
  CodeGenOptions Options;
};

/// Why \p Kernel is refused for the sake of \p Bad.
std::string refusal(const NamedDecl *Bad, const FunctionDecl *Kernel) {
  if (Bad == Kernel)
    return "has errors";
  return "uses '" + Bad->getQualifiedNameAsString() + "', which has errors";
}

llvm::Error notOurs(const char *Message) {
  return llvm::createStringError(Message);
}

} // namespace

llvm::Expected<DeviceModule> lowerKernels(ASTContext &Ctx, Preprocessor &PP) {
  if (!Ctx.getLangOpts().CUDA)
    return notOurs("not a CUDA translation unit: compile it with '-x cuda'");
  if (!Ctx.getLangOpts().CUDAIsDevice ||
      !Ctx.getTargetInfo().getTriple().isNVPTX())
    return notOurs("not the device pass of an NVIDIA GPU: add "
                   "'--cuda-device-only --cuda-gpu-arch=sm_90'");

  UserFiles Users(Ctx.getSourceManager());
  KernelFinder Finder(Ctx, Users);
  Finder.scan(Ctx.getTranslationUnitDecl());

  DeviceModule Result;
  Result.Context = std::make_unique<llvm::LLVMContext>();
  ReachableDecls Reach(Ctx);
  ASTNameGenerator Names(Ctx);
  DeclSet Decls;
  std::vector<size_t> Sound;
  for (const FunctionDecl *FD : Finder.inSourceOrder()) {
    KernelInfo Kernel;
    Kernel.Decl = FD;
    Kernel.Place = placeOf(Ctx.getSourceManager(), FD->getLocation());
    if (const NamedDecl *Bad = Reach.collect(FD, Decls))
      Kernel.Refused = refusal(Bad, FD);
    else
      Sound.push_back(Result.Kernels.size());
    Result.Kernels.push_back(std::move(Kernel));
  }

  Lowerer Lower(Ctx, PP);
  auto lowerSound = [&](const DeclSet &Decls) {
    std::vector<const FunctionDecl *> FDs;
    for (size_t I : Sound)
      FDs.push_back(Result.Kernels[I].Decl);
    return Lower.lower(FDs, Decls, *Result.Context);
  };
  Lowering Done = lowerSound(Decls);
  if (!Done.Module) {
    // One kernel that cannot be lowered (a built-in of another architecture,
    // say) must not cost the others: find those that can, each by itself.
    std::vector<size_t> Good;
    Decls.clear();
    for (size_t I : Sound) {
      KernelInfo &Kernel = Result.Kernels[I];
      DeclSet Own;
      Reach.collect(Kernel.Decl, Own);
      Lowering Alone = Lower.lower(Kernel.Decl, Own, *Result.Context);
      if (Alone.Module) {
        Good.push_back(I);
        Decls.insert_range(Own);
      } else {
        Kernel.Refused = Alone.Error;
      }
    }
    Sound = std::move(Good);
    Done = lowerSound(Decls);
    if (!Done.Module)
      return llvm::createStringError("code generation failed: " + Done.Error);
  }

  Result.Module = std::move(Done.Module);
  boundCalls(*Result.Module, !Ctx.getLangOpts().GPURelocatableDeviceCode);
  for (auto [I, Mangled] : llvm::zip_equal(Sound, Done.Mangled)) {
    Result.Kernels[I].Mangled = Mangled;
    Result.Kernels[I].Function = Result.Module->getFunction(Mangled);
  }
  for (KernelInfo &Kernel : Result.Kernels) {
    if (Kernel.Mangled.empty())
      Kernel.Mangled = Names.getName(Kernel.Decl);
    Kernel.Name = demangled(Kernel.Mangled);
    if (!Kernel.Function && Kernel.Refused.empty())
      Kernel.Refused = "was not emitted by the code generator";
  }
  return Result;
}

} // namespace warplint
