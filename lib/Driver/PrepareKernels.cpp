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

#include "PrepareSteps.h"
#include "warplint/Driver/DeviceModule.h"
#include "llvm/Analysis/AliasAnalysis.h"
#include "llvm/Analysis/CGSCCPassManager.h"
#include "llvm/Analysis/LoopAnalysisManager.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Instructions.h"
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

/// The widest shared-memory access, in bytes; ptxas places an array at a
/// multiple of it when the array is at least as large.
constexpr uint64_t WidestAccess = 16;

Expected<std::unique_ptr<TargetMachine>> targetFor(const Module &M,
                                                   StringRef Arch) {
  LLVMInitializeNVPTXTargetInfo();
  LLVMInitializeNVPTXTarget();
  LLVMInitializeNVPTXTargetMC();
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

/// Has \p Pointer's users see it as a pointer to global memory.
void markGlobal(Value &Pointer, IRBuilder<> &B) {
  if (Pointer.use_empty())
    return;
  Type *Global = B.getPtrTy(NVPTXAS::ADDRESS_SPACE_GLOBAL);
  Value *AsGlobal =
      B.CreateAddrSpaceCast(&Pointer, Global, Pointer.getName() + ".global");
  Value *Generic = B.CreateAddrSpaceCast(AsGlobal, Pointer.getType());
  Pointer.replaceUsesWithIf(Generic,
                            [&](Use &U) { return U.getUser() != AsGlobal; });
}

/// A pointer that the host passed, by itself or in a struct, points to global
/// memory (CUDA has no other memory of which the host can hold an address), as
/// the NVPTX backend assumes too.
void markKernelPointers(Function &F) {
  IRBuilder<> B(F.getContext());
  B.SetInsertPoint(F.getEntryBlock().getFirstNonPHIOrDbgOrAlloca());
  for (Argument &A : F.args())
    if (A.getType()->isPointerTy() &&
        A.getType()->getPointerAddressSpace() ==
            NVPTXAS::ADDRESS_SPACE_GENERIC &&
        !A.hasByValAttr())
      markGlobal(A, B);
}

/// Shared arrays get the alignment at which ptxas will place them.
void alignSharedArrays(Module &M) {
  const DataLayout &DL = M.getDataLayout();
  for (GlobalVariable &GV : M.globals())
    if (GV.getAddressSpace() == NVPTXAS::ADDRESS_SPACE_SHARED &&
        !GV.isDeclaration() &&
        DL.getTypeAllocSize(GV.getValueType()) >= WidestAccess &&
        GV.getAlign().valueOrOne() < Align(WidestAccess))
      GV.setAlignment(Align(WidestAccess));
}

/// Branches are simplified, but no instruction is hoisted out of or sunk below
/// the two sides of one: a merged access has lost its line.
SimplifyCFGOptions keepAccessesInPlace() {
  return SimplifyCFGOptions().hoistCommonInsts(false).sinkCommonInsts(false);
}

/// What a function goes through before it is inlined.
FunctionPassManager beforeInlining() {
  FunctionPassManager FPM;
  FPM.addPass(SROAPass(SROAOptions::ModifyCFG));
  FPM.addPass(EarlyCSEPass(/*UseMemorySSA=*/false));
  FPM.addPass(SimplifyCFGPass(keepAccessesInPlace()));
  return FPM;
}

void addScalarCleanup(FunctionPassManager &FPM) {
  FPM.addPass(SROAPass(SROAOptions::ModifyCFG));
  FPM.addPass(EarlyCSEPass(/*UseMemorySSA=*/true));
  FPM.addPass(SCCPPass());
  FPM.addPass(InstSimplifyPass());
  FPM.addPass(CorrelatedValuePropagationPass());
  FPM.addPass(SimplifyCFGPass(keepAccessesInPlace()));
}

/// Full unrolling alone: a loop that is unrolled in part keeps its pattern.
LoopUnrollOptions fullUnrolling() {
  return LoopUnrollOptions(/*OptLevel=*/3)
      .setPartial(false)
      .setRuntime(false)
      .setPeeling(false)
      .setUpperBound(false);
}

FunctionPassManager wholeKernel() {
  FunctionPassManager FPM;
  FPM.addPass(InferAddressSpacesPass());
  addScalarCleanup(FPM);
  FPM.addPass(LoopSimplifyPass());
  FPM.addPass(LCSSAPass());
  FPM.addPass(LoopUnrollPass(fullUnrolling()));
  addScalarCleanup(FPM);
  FPM.addPass(ExpandMemoryIntrinsicsPass());
  FPM.addPass(SROAPass(SROAOptions::ModifyCFG));
  FPM.addPass(InferAddressSpacesPass());
  FPM.addPass(SeparateConstOffsetFromGEPPass());
  FPM.addPass(EarlyCSEPass(/*UseMemorySSA=*/true));
  FPM.addPass(ADCEPass());
  FPM.addPass(LoadStoreVectorizerPass());
  FPM.addPass(InstSimplifyPass());
  FPM.addPass(ADCEPass());
  FPM.addPass(SimplifyCFGPass(keepAccessesInPlace()));
  FPM.addPass(UnifyFunctionExitNodesPass());
  FPM.addPass(LoopSimplifyPass());
  FPM.addPass(LCSSAPass());
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
  alignSharedArrays(M);
  FunctionPassManager Early = beforeInlining();
  inlineAll(M, [&](Function &F) {
    if (isKernel(F))
      markKernelPointers(F);
    Early.run(F, A.FAM);
    A.FAM.clear(F, F.getName());
  });
  GlobalDCEPass().run(M, A.MAM);
  A.MAM.clear();

  FunctionPassManager Kernel = wholeKernel();
  for (Function &F : M)
    if (isKernel(F) && !F.isDeclaration())
      Kernel.run(F, A.FAM);

  std::string Broken;
  raw_string_ostream OS(Broken);
  if (verifyModule(M, &OS))
    return createStringError("the prepared IR is malformed: " +
                             StringRef(Broken).split('\n').first);
  return Error::success();
}

} // namespace warplint
