//===- TimeEstimate.cpp - From counts to time -----------------------------===//
//
// Part of Warplint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "warplint/Diagnose/TimeEstimate.h"
#include "ObjectKey.h"
#include "Traffic.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include <algorithm>
#include <cmath>

using namespace llvm;

namespace warplint {

/// How the queues add up: 1, one after the other; large, only the longest
/// counts.
static constexpr double Exponent = 3;

static constexpr const Timing &T = MeasuredTiming;

StringRef queueName(Queue Q) {
  switch (Q) {
  case Queue::Memory:
    return "memory";
  case Queue::L2:
    return "L2";
  case Queue::L1:
    return "L1 and shared memory";
  case Queue::Constant:
    return "the constant cache";
  case Queue::Issue:
    return "instructions";
  case Queue::Waiting:
    return "waiting for memory";
  }
  return "";
}

StringRef queueKey(Queue Q) {
  static const char *const Keys[QueueCount] = {"memory",   "l2",    "l1",
                                               "constant", "issue", "waiting"};
  return Keys[unsigned(Q)];
}

/// Waits overlap: the longest of a kernel counts. All else adds up.
QueueCycles &QueueCycles::operator+=(const QueueCycles &O) {
  for (unsigned I = 0; I != QueueCount; ++I)
    if (Queue(I) == Queue::Waiting)
      Of[I] = std::max(Of[I], O.Of[I]);
    else
      Of[I] += O.Of[I];
  return *this;
}

double QueueCycles::together() const {
  double Sum = 0;
  for (double Cycles : Of)
    Sum += std::pow(Cycles, Exponent);
  return std::pow(Sum, 1 / Exponent);
}

Queue QueueCycles::longest() const {
  return Queue(std::max_element(Of.begin(), Of.end()) - Of.begin());
}

Queue QueueCycles::busiest() const {
  static_assert(unsigned(Queue::Constant) == 3, "the first four move bytes");
  return Queue(std::max_element(Of.begin(), Of.begin() + 4) - Of.begin());
}

double KernelTime::slowdown() const {
  return std::max(1.0, Now.together() / Ideal.together());
}

static double timesOf(const Access &A) { return A.Weight > 0 ? A.Weight : 1; }

/// A number of data is nobody's: such an access is taken for ideal.
static bool dataDecides(const Access &A) {
  return !A.Active ||
         (!A.Exact && A.Reason == UnknownReason::DataDependentAddress);
}

static double ratio(double Part, double Whole) {
  return Whole > 0 ? std::min(1.0, Part / Whole) : 1;
}

/// Requests with which the lanes could have the same bytes: a stretch that a
/// lane walks and that a vector holds is one.
static double requestsAtBest(const Access &A) {
  constexpr double VectorBytes = 16;
  double Times = timesOf(A);
  bool OneVector = A.LoopStride && std::abs(*A.LoopStride) == A.Bytes &&
                   Times * A.Bytes <= VectorBytes;
  return OneVector ? 1 : Times;
}

/// Global memory of one object by one kind of operation.
static void addGlobal(ArrayRef<const NamedAccess *> Members, MemoryOp Op,
                      const MachineModel &Machine, QueueCycles &Now,
                      QueueCycles &Ideal) {
  Traffic Moved = trafficOf(Members, Machine);
  const double Granule = Machine.granuleBytes(),
               InBlock = T.MemoryBlockBytes / Granule;
  double FromL2 = Moved.OfBlock;
  if (Op == MemoryOp::Load) {
    // A warp's lines stay in L1 from one of its requests to the next as far as
    // those of all warps fit.
    double Held = Moved.Held * Machine.lineBytes() * T.ResidentWarps;
    if (Held > T.L1Bytes)
      FromL2 += (1 - T.L1Bytes / Held) *
                std::max(0.0, Moved.Requested - Moved.OfBlock);
    Now[Queue::L2] += T.L2Sector * FromL2;
    Ideal[Queue::L2] += T.L2Sector * Moved.Bytes / Granule;
    Now[Queue::Memory] +=
        T.MemoryBlock * std::max(Moved.Blocks, Moved.OfLaunch / InBlock);
    Ideal[Queue::Memory] +=
        T.MemoryBlock * Moved.LaunchBytes / T.MemoryBlockBytes;
  } else {
    if (Op == MemoryOp::Atomic) {
      Now[Queue::L2] += T.L2Atomic * Moved.Requested;
      Ideal[Queue::L2] += T.L2Atomic * Moved.Bytes / Granule;
    } else {
      Now[Queue::L2] += T.L2Written * Moved.WrittenWhole +
                        T.L2PartWritten * Moved.WrittenPart;
      Ideal[Queue::L2] += T.L2Written * Moved.Bytes / Granule;
    }
    double PartBlocks =
        Moved.OfLaunch > 0 ? Moved.Blocks * Moved.Parts / Moved.OfLaunch : 0;
    Now[Queue::Memory] += T.WrittenSector * (Moved.OfLaunch - Moved.Parts) +
                          T.PartSector * Moved.Parts +
                          T.MemoryBlock * PartBlocks;
    Ideal[Queue::Memory] += T.WrittenSector * Moved.LaunchBytes / Granule;
  }
  double Best = 0; // sectors of all requests at their ideal
  for (const NamedAccess *N : Members)
    Best += timesOf(N->A) * N->A.Ideal;
  // Of the requests, those that wait for more than L1.
  const double Misses = ratio(FromL2, Moved.Requested),
               BestMisses = ratio(Moved.Bytes / Granule, Best);
  for (const NamedAccess *N : Members) {
    const Access &A = N->A;
    const double Times = timesOf(A), BestTimes = requestsAtBest(A);
    const double Least = Op == MemoryOp::Load ? T.LeastLoad : T.LeastStore;
    Ideal[Queue::L1] += std::max(BestTimes * Least, Times * A.Ideal * Granule /
                                                        Machine.lineBytes());
    double Cycles = std::max(Least, A.Ideal * Granule / Machine.lineBytes());
    if (!dataDecides(A))
      Cycles = std::max(
          Cycles,
          l1Cycles(Machine, A.Offsets, A.Active, A.Bytes, Op) *
              (A.Typical.Units ? A.Predicted.Mean / A.Typical.Units : 1));
    Now[Queue::L1] += Times * Cycles;
    if (Op != MemoryOp::Load || A.Uniform)
      continue;
    auto Waits = [&](QueueCycles &Q, double Rounds) {
      Q[Queue::Waiting] =
          std::max(Q[Queue::Waiting], T.Round * std::max(1.0, Rounds));
    };
    Waits(Now, Times * Misses);
    Waits(Ideal, BestTimes * BestMisses);
  }
}

static void addOnChip(const NamedAccess &N, QueueCycles &Now,
                      QueueCycles &Ideal) {
  const Access &A = N.A;
  const double Times = timesOf(A),
               Cost = dataDecides(A) ? A.Ideal : A.Predicted.Mean;
  if (A.Space == MemorySpace::Shared && A.Rounds > 1) {
    // The load, the sum and the swap of a round wait for each other.
    const double Round = A.Op == MemoryOp::Atomic ? T.SpinRound : 0;
    Now[Queue::L1] += (A.FewerRounds ? Times / A.Rounds : Times) * Round;
    Ideal[Queue::L1] += Times / A.Rounds * Round;
  } else if (A.Space == MemorySpace::Shared) {
    Now[Queue::L1] += Times * Cost;
    Ideal[Queue::L1] += Times * A.Ideal;
  } else if (A.Space == MemorySpace::Constant && !A.Uniform) {
    Now[Queue::Constant] += Times * T.ConstantAddress * Cost;
    // The fix is shared memory: one wavefront.
    Ideal[Queue::L1] += Times * A.Ideal;
  }
}

TimeEstimator::TimeEstimator(ArrayRef<AnalysedKernel> Kernels,
                             ArrayRef<NamedAccess> Accesses,
                             const MachineModel &Machine)
    : Accesses(Accesses) {
  for (const NamedAccess &N : Accesses)
    Objects[objectKey(N, Accesses)].Members.push_back(&N);
  for (unsigned K = 0; K != Kernels.size(); ++K)
    for (unsigned C = 0; C != Kernels[K].Configs.size(); ++C) {
      QueueCycles Base;
      if (C < Kernels[K].Instructions.size())
        Base[Queue::Issue] = Kernels[K].Instructions[C] / T.IssueACycle;
      Base[Queue::Waiting] = 0;
      Times[{K, C}] = {Base, Base};
    }
  for (auto &Entry : Objects) {
    Object &O = Entry.second;
    const NamedAccess &First = *O.Members.front();
    switch (First.A.Space) {
    case MemorySpace::Global:
      for (MemoryOp Op : {MemoryOp::Load, MemoryOp::Store, MemoryOp::Atomic}) {
        SmallVector<const NamedAccess *> Like;
        copy_if(O.Members, std::back_inserter(Like),
                [&](const NamedAccess *N) { return N->A.Op == Op; });
        if (!Like.empty())
          addGlobal(Like, Op, Machine, O.Now, O.Ideal);
      }
      break;
    case MemorySpace::Shared:
    case MemorySpace::Constant:
      for (const NamedAccess *N : O.Members)
        addOnChip(*N, O.Now, O.Ideal);
      break;
    default:
      break;
    }
    KernelTime &Time = Times[{First.Kernel, First.Config}];
    Time.Now += O.Now;
    Time.Ideal += O.Ideal;
  }
  for (auto &[Key, Time] : Times)
    for (QueueCycles *Q : {&Time.Now, &Time.Ideal})
      (*Q)[Queue::Waiting] += T.WarpStart;
}

const KernelTime &TimeEstimator::kernel(unsigned Kernel,
                                        unsigned Config) const {
  return Times.at({Kernel, Config});
}

TimeEstimator::Gain TimeEstimator::gain(const NamedAccess &A) const {
  const Object &O = Objects.find(objectKey(A, Accesses))->second;
  const KernelTime &Time = kernel(A.Kernel, A.Config);
  QueueCycles Mended = Time.Now, Alone = Time.Ideal;
  for (unsigned I = 0; I != QueueCount; ++I)
    if (Queue(I) != Queue::Waiting) {
      Mended.Of[I] += O.Ideal.Of[I] - O.Now.Of[I];
      Alone.Of[I] += O.Now.Of[I] - O.Ideal.Of[I];
    }
  // All of a kernel's waits are one: a layout that L1 serves less asks for more
  // of them.
  Mended[Queue::Waiting] =
      std::max(Mended[Queue::Waiting], O.Ideal[Queue::Waiting] + T.WarpStart);
  Gain G;
  G.Factor = std::max(1.0, Time.Now.together() / Mended.together());
  G.Alone = std::max(1.0, Alone.together() / Time.Ideal.together());
  G.Kernel = Time.Now;
  G.Now = O.Now;
  G.Ideal = O.Ideal;
  return G;
}

} // namespace warplint
