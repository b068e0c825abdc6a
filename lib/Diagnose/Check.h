//===- Check.h - What a check sees and says -------------------------------===//
//
// Part of Warplint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// A check looks at one *site*: the requests that one place in the source makes
/// under one configuration of one kernel. It says nothing, or how bad the site
/// is, in what words, by what arithmetic and what to do. The notes all findings
/// share (declaration, launch, inlining) are added around it.
///
//===----------------------------------------------------------------------===//

#ifndef WARPLINT_LIB_DIAGNOSE_CHECK_H
#define WARPLINT_LIB_DIAGNOSE_CHECK_H

#include "ObjectKey.h"
#include "warplint/Diagnose/Diagnose.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringMap.h"
#include <optional>

namespace warplint {

/// The memory instructions of one place in one configuration (an unrolled
/// loop leaves several) whose numbers are known equally well: all exact, or all
/// not exact for one reason.
struct Site {
  llvm::SmallVector<const NamedAccess *, 4> Members;
  /// The member with the largest excess; its lanes explain the number.
  const NamedAccess *Worst = nullptr;
  PredictedCost Cost; ///< a request, over all members by weight
  double Ideal = 0;
  double Weight = 0; ///< requests a warp makes here
  double Executions = 0; ///< ... not counting the rounds that follow a first
  bool Reads = false, Writes = false, Updates = false;

  const Access &access() const { return Worst->A; }
  bool exact() const { return Worst->A.Exact; }
  UnknownReason reason() const {
    return exact() ? UnknownReason::None : Worst->A.Reason;
  }
  /// Requests that one execution makes (Access::Rounds).
  double rounds() const { return Executions > 0 ? Weight / Executions : 1; }
  /// Units above the ideal, which is one round, over all requests of a warp.
  double excess() const {
    return std::max(0.0, Cost.Mean * Weight - Ideal * Executions);
  }
  double efficiency() const { return Cost.Mean > 0 ? Ideal / Cost.Mean : 1; }
  void add(const NamedAccess &Member);
};

/// Everything of the unit that a check may ask about around a site.
class Context {
public:
  Context(llvm::ArrayRef<AnalysedKernel> Kernels,
          llvm::ArrayRef<NamedAccess> Accesses, const MachineModel &Machine,
          const DiagnoseOptions &Options);

  const MachineModel &machine() const { return Machine; }
  size_t indexOf(const NamedAccess &A) const { return &A - Accesses.data(); }
  const DiagnoseOptions &options() const { return Options; }
  /// Those of the check that examines.
  const Thresholds &thresholds() const { return Current; }
  void enter(llvm::StringRef Check) { Current = Options.of(Check); }
  const AnalysedKernel &kernel(const NamedAccess &A) const {
    return Kernels[A.Kernel];
  }
  const LaunchConfig &config(const NamedAccess &A) const {
    return Kernels[A.Kernel].Configs[A.Config];
  }

  /// All accesses to the object of \p A (one of the unit's) by its kernel in
  /// its configuration, \p A among them; only \p A where the object has no
  /// name.
  llvm::ArrayRef<const NamedAccess *> sameObject(const NamedAccess &A) const {
    return object(A).All;
  }

  /// Whether the accesses to \p A's object fall differently into sectors: a
  /// stencil, in which what one fetches too much its neighbour needs.
  bool alignmentVaries(const NamedAccess &A) const {
    return object(A).AlignmentVaries;
  }

  /// Excess of all accesses of \p A's kernel and configuration in its space.
  double kernelExcess(const NamedAccess &A) const;

  /// True when the accesses of the same kind around \p A together use every
  /// byte of each stretch of \p Stride bytes that a lane owns.
  bool groupUsesEveryByte(const NamedAccess &A, int64_t Stride) const;

private:
  bool findUsesEveryByte(const NamedAccess &A, int64_t Stride) const;

  llvm::ArrayRef<AnalysedKernel> Kernels;
  llvm::ArrayRef<NamedAccess> Accesses;
  const MachineModel &Machine;
  const DiagnoseOptions &Options;
  Thresholds Current;
  struct ObjectAccesses {
    llvm::SmallVector<const NamedAccess *, 4> All;
    bool AlignmentVaries = false;
    const Access *Aligned =
        nullptr; ///< one whose lanes differ, to compare with
  };
  static bool alignedAlike(const Access &A, ObjectAccesses &Object);
  const ObjectAccesses &object(const NamedAccess &A) const {
    return ByObject.find(objectKey(A, Accesses))->second;
  }
  llvm::StringMap<ObjectAccesses> ByObject;
  llvm::StringMap<double> Excess;
  /// Answers of groupUsesEveryByte, which every access of a group asks.
  mutable llvm::StringMap<bool> UsesEveryByte;
};

/// What a check says about a site.
struct Diagnosis {
  Severity Level = Severity::Medium;
  std::string Message;
  /// Arithmetic and advice, in the order to be read.
  std::vector<std::string> Explanation;
  bool Absorbed = false;
  /// All fields of the record are accessed one by one, see Finding::FieldsOf.
  bool FieldByField = false;
  /// Layouts without the conflict, see ArrayRepair.
  std::vector<LayoutChange> Repairs;
  std::string NoEdit; ///< why there are none, see Finding::NoEdit
};

struct Check {
  CheckInfo Info;
  std::optional<Diagnosis> (*Examine)(const Site &, const Context &);
};

extern const Check StridedAccess;
extern const Check AosFieldAccess;
extern const Check MisalignedAccess;
extern const Check SharedBankConflict;
extern const Check IndirectAccess;
extern const Check DivergentConstant;

/// The table; allChecks() shows it to the outside.
llvm::ArrayRef<const Check *> registeredChecks();

/// Bytes between neighbouring active lanes: the access's own, else the
/// distance that most neighbours have; nullopt when no distance is common.
std::optional<int64_t> dominantStride(const Access &A);

/// The policy for global memory, on the mean of a site: more than one unit
/// above the ideal and an efficiency under the user's limit. A number that is
/// not exact counts when even its best case is that bad, or when it rests on a
/// stride of run-time size whose typical value is clearly bad.
bool wastesSectors(const Site &S, const Context &C);

} // namespace warplint

#endif // WARPLINT_LIB_DIAGNOSE_CHECK_H
