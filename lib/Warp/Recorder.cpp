//===- Recorder.cpp - Requests into Access records -----------------------===//
//
// Part of Warplint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Recorder.h"
#include "warplint/Driver/DeviceModule.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/bit.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/GlobalVariable.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

namespace warplint {

void setPlaces(Access &A, const Instruction &I,
               function_ref<bool(StringRef)> IsUserFile) {
  const DILocation *L = I.getDebugLoc();
  if (!L)
    return;
  A.Instruction = A.Place = placeOf(*L);
  for (const SourcePlace &P : tablePlaces(I))
    if (P.Line && IsUserFile(P.File)) {
      A.Table = P;
      break;
    }
  // A function around one piece of inline PTX is a built-in by another name:
  // the access stands where it is called.
  if (const auto *C = dyn_cast<CallBase>(&I);
      C && C->isInlineAsm() && L->getInlinedAt())
    L = L->getInlinedAt();
  bool Found = false;
  for (; L; L = L->getInlinedAt()) {
    SourcePlace P = placeOf(*L);
    if (P.Line == 0 || !IsUserFile(P.File))
      continue;
    if (!Found)
      A.Place = P;
    else
      A.InlinedAt.push_back(P);
    Found = true;
  }
}

void Recorder::add(const Request &Q, const RequestEstimate &E) {
  auto [At, New] = Records.try_emplace({Q.I, Q.Part});
  Record &Rec = At->second;
  Access &A = Rec.A;
  if (New) {
    setPlaces(A, *Q.I, Options.IsUserFile);
    A.Space = Q.R.Space;
    A.Op = Q.Op;
    A.Shared = Q.R.Shared;
    A.Bytes = Q.R.Bytes;
    A.Matrices = Q.R.Matrices;
    if (Q.R.Object) {
      A.Object = Q.R.Object->Name;
      A.ObjectParameter = Q.R.Object->Parameter;
      A.ObjectBytes = Q.R.Object->Size;
      if (Q.R.Object->Global)
        A.ObjectMangled = Q.R.Object->Global->getName().str();
    }
    A.Exact = true;
    A.Predicted.Min = E.Min;
    A.Predicted.Max = E.Max;
    A.Lowest = E.Reach.Lo;
    A.Highest = E.Reach.Hi;
  }
  if (Options.Trace) {
    const char *Unit =
        A.Space == MemorySpace::Shared || A.Space == MemorySpace::Constant
            ? "wavefronts"
            : "sectors";
    *Options.Trace << sys::path::filename(A.Place.File) << ":" << A.Place.Line
                   << ":" << A.Place.Column << ": " << spaceName(A.Space) << " "
                   << opName(A.Op) << " " << A.Bytes << " bytes at "
                   << Q.Address() << ", " << format("%g", E.ActiveLanes)
                   << " lanes: ";
    if (!E.Exact)
      *Options.Trace << "about ";
    *Options.Trace << format("%g", E.Mean) << " " << Unit << ", ideal "
                   << format("%g", E.Ideal);
    if (!E.Exact)
      *Options.Trace << " (" << format("%g", E.Min) << " to "
                     << format("%g", E.Max)
                     << (E.Detail.empty() ? "" : ", " + E.Detail) << ")";
    *Options.Trace << "\n";
  }

  A.Predicted.Min = std::min(A.Predicted.Min, E.Min);
  A.Predicted.Max = std::max(A.Predicted.Max, E.Max);
  A.Lowest = std::min(A.Lowest, E.Reach.Lo);
  A.Highest = std::max(A.Highest, E.Reach.Hi);
  Rec.Sum += Q.Weight * E.Mean;
  Rec.IdealSum += Q.Weight * E.Ideal;
  Rec.FewestSum += Q.Weight * E.Fewest;
  Rec.LaneSum += Q.Weight * E.ActiveLanes;
  Rec.Weight += Q.Weight;
  Rec.Executions += Q.Again ? 0 : Q.Weight;
  A.FewerRounds |= Q.FewerAgain;
  if (!E.Exact && A.Exact) {
    A.Exact = false;
    A.Reason = E.Reason;
    A.ReasonDetail = E.Detail;
  }
  auto Assume = [&A = A](StringRef S) {
    if (A.Assumptions.size() < 8 && !is_contained(A.Assumptions, S))
      A.Assumptions.push_back(S.str());
  };
  for_each(Q.Assumptions, Assume);
  for_each(E.Assumptions, Assume);

  // A step between two requests of one instruction is the loop's.
  std::optional<int64_t> Step = E.LoopStride;
  if (!Step && !Rec.FirstRequest) {
    int64_t First = E.Offsets[0] - Rec.Last[0];
    bool Same = true;
    for (unsigned L = 0; L < WarpLanes; ++L)
      Same &= !(E.Active >> L & 1) || E.Offsets[L] - Rec.Last[L] == First;
    if (Same)
      Step = First;
  }
  Rec.FirstRequest = false;
  Rec.Last = E.Offsets;
  if (Step)
    A.LoopStride = Step;

  // The request that the access is described by: the costliest over its ideal.
  double Excess = E.Mean - E.Ideal;
  if (Excess <= Rec.Worst)
    return;
  Rec.Worst = Excess;
  A.Address = Q.Address();
  A.Offsets = E.Offsets;
  A.Active = E.Active;
  A.Typical = E.Typical;
  A.Uniform = E.Uniform;
  A.LaneStride = E.LaneStride;
  A.SymbolicStride = E.SymbolicStride;
  A.Misalignment = E.Misalignment;
  A.MisalignedBy = E.MisalignedBy;
  A.WarpSteps = E.WarpSteps;
  A.BlockSteps = E.BlockSteps;
  A.WarpsAlike = Q.WarpsAlike;
  A.BlocksAlike = Q.BlocksAlike;
}

void Recorder::doubt(function_ref<bool(const Instruction &)> Part) {
  for (auto &[Key, R] : Records) {
    if (!R.A.Exact || !Part(*Key.first))
      continue;
    R.A.Exact = false;
    R.A.Reason = UnknownReason::BudgetExceeded;
    R.A.ReasonDetail = "the run was cut short before its last execution";
    R.A.Predicted.Min = 1;
    R.A.Predicted.Max = std::max<double>(R.A.Predicted.Max, WarpLanes);
  }
}

std::vector<Recorder::Key> Recorder::keys(const Function &F) const {
  std::vector<Key> All;
  for (const Instruction &I : instructions(F))
    for (unsigned Part = 0; Part < MaxParts; ++Part)
      if (Records.contains({&I, Part}))
        All.push_back({&I, Part});
  return All;
}

std::vector<Access> Recorder::take(const Function &F, double Warps) {
  std::vector<Access> All;
  for (const Instruction &I : instructions(F))
    for (unsigned Part = 0; Part < MaxParts; ++Part) {
      auto At = Records.find({&I, Part});
      if (At == Records.end())
        continue;
      Record &R = At->second;
      Access A = std::move(R.A);
      A.Weight = R.Weight / Warps;
      A.Rounds = R.Weight / R.Executions;
      A.Predicted.Mean = R.Sum / R.Weight;
      A.Ideal = R.IdealSum / R.Weight;
      A.Fewest = R.FewestSum / R.Weight;
      A.ActiveLanes = R.LaneSum / R.Weight;
      for (const std::string &S : Config.Assumptions)
        A.Assumptions.push_back(S);
      All.push_back(std::move(A));
    }
  return All;
}

} // namespace warplint
