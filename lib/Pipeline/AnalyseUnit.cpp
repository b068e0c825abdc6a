//===- AnalyseUnit.cpp - An ASTContext in, a report out -------------------===//
//
// Part of Warplint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "warplint/Pipeline/AnalyseUnit.h"
#include "OfferFixes.h"
#include "RealPlaces.h"
#include "warplint/Diagnose/Vocabulary.h"
#include "warplint/Driver/DeviceModule.h"
#include "warplint/Driver/DevicePass.h"
#include "warplint/Driver/SourceNames.h"
#include "warplint/Pipeline/WorkLedger.h"
#include "clang/AST/ASTContext.h"
#include "clang/Basic/FileManager.h"
#include "clang/Basic/SourceManager.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/InstrTypes.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/Path.h"
#include <set>

using namespace llvm;

namespace warplint {

/// \p Choice, or how the program of the main file is run by what lies beside
/// it.
static std::vector<RunCommand> runsOf(clang::ASTContext &Ctx,
                                      const RunChoice &Choice) {
  if (Choice)
    return *Choice;
  const clang::SourceManager &SM = Ctx.getSourceManager();
  clang::FileManager &Files = SM.getFileManager();
  clang::OptionalFileEntryRef Main =
      SM.getFileEntryRefForID(SM.getMainFileID());
  if (!Main)
    return {};
  SmallString<256> File(Main->getName()), Directory(".");
  Files.makeAbsolutePath(File);
  sys::path::remove_dots(File, /*remove_dot_dot=*/true);
  Files.makeAbsolutePath(Directory);
  sys::path::remove_dots(Directory, /*remove_dot_dot=*/true);
  return findRunCommands(File, Directory, Files.getVirtualFileSystem());
}

namespace {

/// The rooms behind one unit, and the report they fill.
class UnitAnalysis {
public:
  UnitAnalysis(clang::ASTContext &Ctx, const MachineModel &Machine,
               const AnalysisOptions &Options, const UnitLink &Link)
      : Ctx(Ctx), Machine(Machine), Options(Options), Link(Link), Names(Ctx),
        Users(Ctx.getSourceManager()), Ledger(Options.WorkBudget) {}

  void kernel(const KernelInfo &Info);
  FileReport finish();
  RealPlaces &real() { return Real; }
  const UnitExports &exports() { return sites().exports(); }

private:
  /// Found when they are asked for: of a trial all may be known.
  const LaunchSites &sites() {
    if (Sites)
      return *Sites;
    StageTimer Timer(Options.Times, Stage::Launch);
    ReadFile Read = nullptr;
    if (Link.Read)
      Read = Link.Read;
    Sites = LaunchSites::collect(
        Ctx, Link.Imports, Link.ExportAll,
        [&](clang::ASTContext &Of) { return runsOf(Of, Options.Runs); }, Read);
    return *Sites;
  }
  void configuration(Function &F, AnalysedKernel &Kernel, unsigned Config,
                     raw_ostream *Trace);

  clang::ASTContext &Ctx;
  const MachineModel &Machine;
  const AnalysisOptions &Options;
  const UnitLink &Link;
  std::optional<LaunchSites> Sites;
  SourceNames Names;
  UserFiles Users;
  RealPlaces Real;
  WorkLedger Ledger;
  FileReport Report;
};

} // namespace

/// A place in a template has one declaration for each instantiation, and names
/// come from one of them: whether its array is as large as the one accessed.
static bool declaresObject(const AccessNames &Names, const Access &A) {
  if (Names.Extents.empty() || A.ObjectBytes == 0)
    return true;
  uint64_t Elements = 1;
  for (uint64_t Extent : Names.Extents)
    Elements *= Extent;
  if (Elements == 0 || A.ObjectBytes % Elements)
    return Elements == 0;
  uint64_t Each = A.ObjectBytes / Elements;
  return Each == Names.ArrayElementBytes || Each == Names.ElementBytes ||
         Each == Names.RecordBytes || Each == A.Bytes;
}

/// Of two runs of a kernel with different blocks, whose accesses come in the
/// same order where both have them: what the block decides is not exact in the
/// first.
static void doubtShapes(MutableArrayRef<Access> Accesses,
                        ArrayRef<Access> Others, const LaunchConfig &Launch) {
  auto SameInstruction = [](const Access &A, const Access &B) {
    return A.Place == B.Place && A.Instruction == B.Instruction &&
           A.InlinedAt == B.InlinedAt && A.Space == B.Space && A.Op == B.Op &&
           A.Bytes == B.Bytes;
  };
  constexpr double Same = 1e-6;
  const Access *Next = Others.begin();
  for (Access &A : Accesses) {
    const Access *Other =
        std::find_if(Next, Others.end(),
                     [&](const Access &B) { return SameInstruction(A, B); });
    if (Other == Others.end())
      continue;
    Next = std::next(Other);
    if (!A.Exact ||
        (std::abs(A.Predicted.Mean - Other->Predicted.Mean) < Same &&
         std::abs(A.Ideal - Other->Ideal) < Same))
      continue;
    A.Exact = false;
    A.Reason = UnknownReason::UnknownShape;
    A.ReasonDetail =
        formatv("{0:F2} with block {1}, {2:F2} with {3}", A.Predicted.Mean,
                formatBlock(Launch.Block), Other->Predicted.Mean,
                formatBlock(*Launch.OtherBlock));
    A.Predicted.Min = std::min(A.Predicted.Min, Other->Predicted.Min);
    A.Predicted.Max = std::max(A.Predicted.Max, Other->Predicted.Max);
  }
}

void UnitAnalysis::configuration(Function &F, AnalysedKernel &Kernel,
                                 unsigned Config, raw_ostream *Trace) {
  const LaunchConfig &Launch = Kernel.Configs[Config];
  if (Trace)
    *Trace << formatv("kernel '{0}' block {1} ({2})\n", Kernel.Name,
                      formatBlock(Launch.Block), Launch.source());
  auto IsUserFile = [&](StringRef File) { return Users.contains(File); };
  auto RunUnder = [&](const LaunchConfig &L) {
    StageTimer Timer(Options.Times, Stage::Warp);
    WarpOptions Run;
    Run.WorkBudget = Ledger.allowance();
    Run.IsUserFile = IsUserFile;
    Run.Trace = Trace;
    Run.KeepReach = Options.KeepReach;
    WarpResult Result = runKernel(F, L, Machine, Run);
    Ledger.spend(Result.Work);
    return Result;
  };
  WarpResult Result = RunUnder(Launch);
  if (Launch.OtherBlock && !Trace) {
    LaunchConfig Other = Launch;
    Other.Block = *Launch.OtherBlock;
    WarpResult Halved = RunUnder(Other);
    if (Halved.Incomplete.empty())
      doubtShapes(Result.Accesses, Halved.Accesses, Launch);
  }
  Kernel.Instructions.push_back(Result.Instructions);
  if (Kernel.Incomplete.empty())
    Kernel.Incomplete = Result.Incomplete;
  if (Config == 0)
    Kernel.Unreached = std::move(Result.Unreached);
  else
    erase_if(Kernel.Unreached, [&](const UnreachedAccess &U) {
      return !is_contained(Result.Unreached, U);
    });
  for (Access &A : Result.Accesses) {
    NamedAccess N;
    N.Kernel = Report.Kernels.size();
    N.Config = Config;
    if (std::optional<AccessNames> Found = Names.lookup(
            {A.Place, A.Op, A.Bytes, sourceName(A.Object), A.ObjectBytes}))
      N.Names = std::move(*Found);
    if (!declaresObject(N.Names, A)) {
      N.Names.Extents.clear();
      N.Names.DeclarationText.clear();
    }
    N.A = std::move(A);
    Report.Accesses.push_back(std::move(N));
  }
}

/// A float has no name: it tells nothing about an address.
static std::vector<std::string> parameterNames(const clang::FunctionDecl *F) {
  std::vector<std::string> Names;
  for (const clang::ParmVarDecl *P : F->parameters())
    Names.push_back(P->getType()->isRealFloatingType() ? ""
                    : P->getName().empty()             ? "(unnamed)"
                                                       : P->getNameAsString());
  return Names;
}

/// Functions of the device's runtime (printf, assert, malloc, what cooperative
/// groups call) and of its mathematics touch nothing that a kernel is judged
/// by.
static bool isRuntimeFunction(StringRef Name) {
  return Name == "vprintf" || Name == "malloc" || Name == "free" ||
         Name.starts_with("__") || Name.starts_with("cuda") ||
         is_contained({"nan", "nanf", "_Z3nanPKc", "_Z4nanfPKc", "_ZL3nanPKc",
                       "_ZL4nanfPKc"},
                      Name);
}

/// Why nobody sees what a call accesses; empty where that is no question.
static std::string unseenCall(const CallBase &Call) {
  if (Call.isInlineAsm() || Call.doesNotAccessMemory())
    return "";
  const auto *Callee =
      dyn_cast<Function>(Call.getCalledOperand()->stripPointerCasts());
  if (!Callee)
    return "through a pointer to a function";
  // Without a pointer it is most likely mathematics.
  bool Harmless = isRuntimeFunction(Callee->getName()) ||
                  none_of(Call.args(), [](const Use &Argument) {
                    return Argument->getType()->isPointerTy();
                  });
  if (Callee->isIntrinsic() || (Callee->isDeclaration() && Harmless))
    return "";
  return "'" + demangled(Callee->getName()) + "', which is " +
         (Callee->isDeclaration() ? "only declared here" : "recursive");
}

/// A call that is left after inlining may access anything, and its accesses are
/// counted nowhere.
static void remarkOnCalls(const Function &F, StringRef Kernel,
                          std::vector<std::string> &Remarks) {
  std::set<std::string> Unseen;
  for (const Instruction &I : instructions(F))
    if (const auto *Call = dyn_cast<CallBase>(&I))
      if (std::string What = unseenCall(*Call); !What.empty())
        Unseen.insert(std::move(What));
  for (const std::string &What : Unseen)
    Remarks.push_back(formatv("kernel '{0}' calls {1}: what that accesses is "
                              "not analysed",
                              Kernel, What));
}

void UnitAnalysis::kernel(const KernelInfo &Info) {
  if (!StringRef(Info.Name).contains(Options.KernelFilter) ||
      (Options.OnlyKernels && !Options.OnlyKernels->contains(Info.Mangled)))
    return;
  AnalysedKernel Kernel;
  Kernel.Mangled = Info.Mangled;
  Kernel.Name = Info.Name;
  Kernel.Place = Info.Place;
  Kernel.Refused = Info.Refused;
  if (Kernel.Refused.empty() && Info.Function) {
    raw_string_ostream Stream(Report.Trace);
    if (Options.PrintIR)
      Info.Function->print(Stream);
    Ledger.beginKernel();
    if (!Options.printsTrace())
      remarkOnCalls(*Info.Function, Info.Name, Report.Remarks);
    {
      StageTimer Timer(Options.Times, Stage::Launch);
      if (Link.Known)
        for (const AnalysedKernel &Before : *Link.Known)
          if (Before.Mangled == Info.Mangled)
            Kernel.Configs = Before.Configs;
      if (Kernel.Configs.empty())
        Kernel.Configs = sites().configsFor(Info.Decl, Options.Launch);
    }
    for (unsigned C = 0; C < Kernel.Configs.size(); ++C)
      if (Options.PrintLaunches)
        printLaunch(Kernel.Name, parameterNames(Info.Decl), Kernel.Configs[C],
                    Stream);
      else
        configuration(*Info.Function, Kernel, C,
                      Options.TraceRequests ? &Stream : nullptr);
  }
  Report.Kernels.push_back(std::move(Kernel));
}

static std::string noKernel(const AnalysisOptions &Options) {
  return Options.KernelFilter.empty()
             ? "no kernel is defined or instantiated here"
             : "no kernel's name contains '" + Options.KernelFilter + "'";
}

FileReport UnitAnalysis::finish() {
  for (AnalysedKernel &Kernel : Report.Kernels) {
    Real.rewrite(Kernel);
    if (!Kernel.Refused.empty())
      Report.Status = FileReport::Partial;
  }
  for (NamedAccess &N : Report.Accesses)
    Real.rewrite(N);
  Report.Arch = Machine.arch();
  Report.Findings =
      diagnose(Report.Kernels, Report.Accesses, Machine, Options.Diagnose);
  if (Report.Kernels.empty())
    Report.Remarks.push_back(noKernel(Options));
  return std::move(Report);
}

Expected<FileReport> analyseUnit(clang::ASTContext &Ctx,
                                 clang::Preprocessor &PP, StringRef Arch,
                                 const AnalysisOptions &Options,
                                 const UnitLink &Link) {
  Expected<MachineModel> Machine = MachineModel::forArch(Arch);
  if (!Machine)
    return Machine.takeError();
  if (Options.AssumedAlignment &&
      Options.AssumedAlignment != Machine->allocationAlignment())
    Machine->assumeAllocationAlignment(Options.AssumedAlignment);
  Expected<DeviceModule> Device = [&] {
    StageTimer Timer(Options.Times, Stage::Lower);
    return lowerKernels(Ctx, PP);
  }();
  if (!Device)
    return Device.takeError();
  // Nothing to run and nobody who listens: the host's code need not be read.
  if (Device->Kernels.empty() && !Link.Exports) {
    FileReport Report;
    Report.Arch = Machine->arch();
    Report.Remarks.push_back(noKernel(Options));
    return Report;
  }
  // Launches are read off the source; no kernel is run for them.
  if (!Options.PrintLaunches) {
    StageTimer Timer(Options.Times, Stage::Prepare);
    if (Error E = prepareKernels(*Device->Module, Arch))
      return std::move(E);
  }
  UnitAnalysis Unit(Ctx, *Machine, Options, Link);
  if (Link.Exports)
    *Link.Exports = Unit.exports();
  for (const KernelInfo &Kernel : Device->Kernels)
    Unit.kernel(Kernel);
  FileReport Report = Unit.finish();
  StageTimer Timer(Options.Times, Stage::Fix);
  if (Options.OfferFixes && !Options.printsTrace())
    offerFixes(Ctx, PP, *Machine, Options, Link, Unit.real(), Report);
  return Report;
}

UnitExports surveyJob(const CompileJob &Job, const UnitImports *Imports,
                      const RunChoice &Runs, RoomTimes *Times) {
  UnitExports Exports;
  StageTimer Parse(Times, Stage::Parse);
  auto OnUnit = [&](clang::ASTContext &Ctx, clang::Preprocessor &) {
    StageTimer Timer(Times, Stage::Launch, &Parse);
    Exports = LaunchSites::collect(
                  Ctx, Imports, /*Export=*/true,
                  [&](clang::ASTContext &Of) { return runsOf(Of, Runs); })
                  .exports();
  };
  if (Expected<ParseOutcome> Parsed = runDevicePass(Job, OnUnit); !Parsed)
    consumeError(Parsed.takeError());
  return Exports;
}

FileReport analyseJob(const CompileJob &Job, const AnalysisOptions &Options,
                      const UnitLink &Link) {
  FileReport Report;
  std::string Failure;
  StageTimer Parse(Options.Times, Stage::Parse);
  auto OnUnit = [&](clang::ASTContext &Ctx, clang::Preprocessor &PP) {
    StageTimer Timer(Options.Times, Stage::Diagnose, &Parse);
    if (Expected<FileReport> Unit =
            analyseUnit(Ctx, PP, Job.Arch, Options, Link))
      Report = std::move(*Unit);
    else
      Failure = toString(Unit.takeError());
  };
  Expected<ParseOutcome> Parsed = runDevicePass(Job, OnUnit);
  Report.File = Job.File;
  Report.Arch = Job.Arch;
  Report.Remarks.insert(Report.Remarks.begin(), Job.Remarks.begin(),
                        Job.Remarks.end());
  if (!Parsed) {
    Report.Status = FileReport::Failed;
    Report.Errors.push_back(toString(Parsed.takeError()));
    return Report;
  }
  Report.Errors = std::move(Parsed->Errors);
  if (!Failure.empty())
    Report.Errors.push_back(Failure);
  if (Report.Errors.empty())
    return Report;
  // There may well be one in what was not understood.
  erase(Report.Remarks, noKernel(Options));
  bool Analysed = any_of(Report.Kernels, [](const AnalysedKernel &K) {
    return K.Refused.empty();
  });
  Report.Status = Analysed ? FileReport::Partial : FileReport::Failed;
  return Report;
}

} // namespace warplint
