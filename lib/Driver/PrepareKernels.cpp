//===- PrepareKernels.cpp - The IR as the hardware will see it ------------===//
//
// Part of Warplint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// An order of LLVM's passes, chosen so that what is left of a kernel's memory
/// instructions is what nvcc leaves of them. docs/lowering.md tells which pass
/// is here for which measured behaviour, and which are kept out because they
/// move an access to another line.
///
//===----------------------------------------------------------------------===//

#include "HoistedLines.h"
#include "PrepareSteps.h"
#include "warplint/Driver/DeviceModule.h"
#include "llvm/Analysis/AliasAnalysis.h"
#include "llvm/Analysis/CGSCCPassManager.h"
#include "llvm/Analysis/LoopAnalysisManager.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/ValueHandle.h"
#include "llvm/IR/Verifier.h"
#include "llvm/MC/TargetRegistry.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Support/NVPTXAddrSpace.h"
#include "llvm/Support/TargetSelect.h"
#include "llvm/Target/TargetMachine.h"
#include "llvm/Target/TargetOptions.h"
#include "llvm/Transforms/IPO/GlobalDCE.h"
#include "llvm/Transforms/Scalar/ADCE.h"
#include "llvm/Transforms/Scalar/CorrelatedValuePropagation.h"
#include "llvm/Transforms/Scalar/EarlyCSE.h"
#include "llvm/Transforms/Scalar/InferAddressSpaces.h"
#include "llvm/Transforms/Scalar/InferAlignment.h"
#include "llvm/Transforms/Scalar/InstSimplifyPass.h"
#include "llvm/Transforms/Scalar/LoopUnrollPass.h"
#include "llvm/Transforms/Scalar/SCCP.h"
#include "llvm/Transforms/Scalar/SROA.h"
#include "llvm/Transforms/Scalar/SeparateConstOffsetFromGEP.h"
#include "llvm/Transforms/Scalar/SimplifyCFG.h"
#include "llvm/Transforms/Utils/LCSSA.h"
#include "llvm/Transforms/Utils/LoopSimplify.h"
#include "llvm/Transforms/Utils/UnifyFunctionExitNodes.h"
#include "llvm/Transforms/Vectorize/LoadStoreVectorizer.h"

using namespace llvm;

namespace warplint {

bool isKernel(const Function &F) {
  return F.getCallingConv() == CallingConv::PTX_Kernel;
}

namespace {

Expected<std::unique_ptr<TargetMachine>> targetFor(const Module &M,
                                                   StringRef Arch) {
  // The registry is the process's: once, whichever thread comes first.
  static const bool Registered =
      (LLVMInitializeNVPTXTargetInfo(), LLVMInitializeNVPTXTarget(),
       LLVMInitializeNVPTXTargetMC(), true);
  (void)Registered;
  std::string Message;
  const Target *T = TargetRegistry::lookupTarget(M.getTargetTriple(), Message);
  if (!T)
    return createStringError("this LLVM has no NVPTX target: " + Message);
  std::unique_ptr<TargetMachine> TM(
      T->createTargetMachine(M.getTargetTriple(), Arch, /*Features=*/"",
                             TargetOptions(), std::nullopt));
  if (!TM)
    return createStringError("no NVPTX target machine for " + Arch);
  return TM;
}

/// LLVM's analysis managers, wired for one target.
struct Analyses {
  explicit Analyses(TargetMachine &TM) : PB(&TM) {
    TM.registerPassBuilderCallbacks(PB);
    PB.registerModuleAnalyses(MAM);
    PB.registerCGSCCAnalyses(CGAM);
    PB.registerFunctionAnalyses(FAM);
    PB.registerLoopAnalyses(LAM);
    PB.crossRegisterProxies(LAM, FAM, CGAM, MAM);
  }

  PassBuilder PB;
  LoopAnalysisManager LAM;
  FunctionAnalysisManager FAM;
  CGSCCAnalysisManager CGAM;
  ModuleAnalysisManager MAM;
};

/// What the mathematics of libdevice computes depends on its arguments alone;
/// clang's declarations do not say so, and a call would then keep every load
/// before it from being joined with one after it. nvcc sees their bodies.
void describeLibdevice(Module &M) {
  for (Function &F : M) {
    if (!F.isDeclaration() || !F.getName().starts_with("__nv_"))
      continue;
    bool HasPointer = any_of(
        F.args(), [](Argument &A) { return A.getType()->isPointerTy(); });
    F.setMemoryEffects(HasPointer ? MemoryEffects::argMemOnly()
                                  : MemoryEffects::none());
    F.setDoesNotThrow();
    F.setWillReturn();
  }
}

/// SimplifyCFG without the parts that merge an access of one side of a branch
/// with one of the other. What it executes ahead of a branch it gives the place
/// of that branch, or none; it is the same access still, and gets its own back.
class SimplifyBranchesPass : public PassInfoMixin<SimplifyBranchesPass> {
public:
  PreservedAnalyses run(Function &F, FunctionAnalysisManager &AM) {
    SmallVector<std::pair<WeakVH, DebugLoc>, 32> Places;
    for (Instruction &I : instructions(F))
      if (isa<LoadInst, StoreInst>(I))
        Places.push_back({&I, I.getDebugLoc()});
    PreservedAnalyses PA = Simplify.run(F, AM);
    for (auto &[Access, Place] : Places)
      if (auto *I = dyn_cast_or_null<Instruction>(Access))
        I->setDebugLoc(Place);
    return PA;
  }

private:
  SimplifyCFGPass Simplify{
      SimplifyCFGOptions()
          .hoistCommonInsts(false)
          .sinkCommonInsts(false)
          // Of `a && s[0]` the load would be copied, without its line.
          .bonusInstThreshold(0)};
};

/// What a function goes through before it is inlined.
FunctionPassManager beforeInlining() {
  FunctionPassManager FPM;
  FPM.addPass(SROAPass(SROAOptions::ModifyCFG));
  FPM.addPass(EarlyCSEPass(/*UseMemorySSA=*/false));
  FPM.addPass(SimplifyBranchesPass());
  return FPM;
}

void addScalarCleanup(FunctionPassManager &FPM) {
  FPM.addPass(SROAPass(SROAOptions::ModifyCFG));
  FPM.addPass(EarlyCSEPass(/*UseMemorySSA=*/true));
  FPM.addPass(SCCPPass());
  FPM.addPass(InstSimplifyPass());
  FPM.addPass(SimplifyBranchesPass());
}

/// Down to what nvcc's LLVM leaves.
FunctionPassManager wholeKernel() {
  FunctionPassManager FPM;
  FPM.addPass(SROAPass(SROAOptions::ModifyCFG));
  FPM.addPass(MarkGlobalPointersPass());
  FPM.addPass(InferAddressSpacesPass());
  addScalarCleanup(FPM);
  FPM.addPass(CorrelatedValuePropagationPass());
  FPM.addPass(LoopSimplifyPass());
  FPM.addPass(LCSSAPass());
  FPM.addPass(HoistLoadsPass(HoistLoadsPass::BeforeUnrolling));
  FPM.addPass(ChooseUnrollingPass());
  FPM.addPass(
      LoopUnrollPass(LoopUnrollOptions(/*OptLevel=*/2, /*OnlyWhenForced=*/true)
                         .setPartial(false)
                         .setRuntime(false)
                         .setPeeling(false)));
  FPM.addPass(LoopSimplifyPass());
  FPM.addPass(HoistLoadsPass(HoistLoadsPass::Unrolled));
  addScalarCleanup(FPM);
  FPM.addPass(ExpandMemoryIntrinsicsPass());
  FPM.addPass(SROAPass(SROAOptions::ModifyCFG));
  FPM.addPass(InferAddressSpacesPass());
  FPM.addPass(SeparateConstOffsetFromGEPPass());
  FPM.addPass(EarlyCSEPass(/*UseMemorySSA=*/true));
  FPM.addPass(ADCEPass());
  FPM.addPass(LoopSimplifyPass());
  FPM.addPass(HoistLoadsPass(HoistLoadsPass::Simplified));
  FPM.addPass(SinkStoresPass());
  FPM.addPass(RoundedDownPass());
  FPM.addPass(InferAlignmentPass());
  FPM.addPass(LoadStoreVectorizerPass());
  return FPM;
}

/// What ptxas makes of that, which knows where the shared arrays are.
FunctionPassManager placedKernel() {
  FunctionPassManager FPM;
  FPM.addPass(InferAlignmentPass());
  FPM.addPass(JoinSharedPass());
  FPM.addPass(NarrowLoadsPass());
  FPM.addPass(NarrowIntegersPass());
  FPM.addPass(InstSimplifyPass());
  FPM.addPass(ADCEPass());
  FPM.addPass(SimplifyBranchesPass());
  FPM.addPass(UnifyFunctionExitNodesPass());
  FPM.addPass(LoopSimplifyPass());
  FPM.addPass(LCSSAPass());
  FPM.addPass(MarkEntriesPass());
  FPM.addPass(ReadTablesPass());
  return FPM;
}

} // namespace

Error prepareKernels(Module &M, StringRef Arch) {
  Expected<std::unique_ptr<TargetMachine>> TM = targetFor(M, Arch);
  if (!TM)
    return TM.takeError();
  M.setDataLayout((*TM)->createDataLayout());
  Analyses A(**TM);

  describeLibdevice(M);
  placeConstants(M);
  FunctionPassManager Early = beforeInlining(), Virtual;
  Virtual.addPass(EarlyCSEPass(/*UseMemorySSA=*/true));
  Virtual.addPass(InstSimplifyPass());
  inlineAll(M, [&](Function &F) {
    if (isKernel(F)) {
      noteFirstStatement(F);
      markPointerArguments(F);
    }
    trustAlignments(F);
    ForwardCopiesPass().run(F, A.FAM);
    keepRecordLoadsWhole(F);
    Early.run(F, A.FAM);
    A.FAM.clear(F, F.getName());
    // Which table an object made in sight has, its stores tell.
    while (hasVirtualCalls(F)) {
      Virtual.run(F, A.FAM);
      A.FAM.clear(F, F.getName());
      if (!forgetKnownCalls(F))
        break;
      Early.run(F, A.FAM);
      A.FAM.clear(F, F.getName());
    }
  });
  GlobalDCEPass().run(M, A.MAM);
  A.MAM.clear();

  followSharedPointers(M);
  auto RunOnKernels = [&](FunctionPassManager Passes) {
    for (Function &F : M)
      if (isKernel(F) && !F.isDeclaration())
        Passes.run(F, A.FAM);
  };
  RunOnKernels(wholeKernel());
  placeSharedArrays(M, /*OfBytes=*/false);
  RunOnKernels(placedKernel());
  // The program may ask for it: `(uintptr_t)p % 16 == 0`.
  placeSharedArrays(M, /*OfBytes=*/true);

  std::string Broken;
  raw_string_ostream OS(Broken);
  if (verifyModule(M, &OS))
    return createStringError("the prepared IR is malformed: " +
                             StringRef(Broken).split('\n').first);
  return Error::success();
}

} // namespace warplint
