//===- Recorder.h - Requests into Access records -------------------------===//
//
// Part of Warplint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef WARPLINT_LIB_WARP_RECORDER_H
#define WARPLINT_LIB_WARP_RECORDER_H

#include "RequestCost.h"
#include "warplint/Warp/SymbolicWarp.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/STLFunctionalExtras.h"

namespace llvm {
class Instruction;
class Function;
} // namespace llvm

namespace warplint {

/// Collects what the requests of each memory instruction cost, over the warps
/// and iterations of a kernel configuration.
class Recorder {
public:
  Recorder(const LaunchConfig &Config, const WarpOptions &Options)
      : Config(Config), Options(Options) {}

  /// Requests that one instruction may make, each recorded for itself.
  static constexpr unsigned MaxParts = 16;
  /// An instruction, and which of its requests.
  using Key = std::pair<const llvm::Instruction *, unsigned>;

  struct Request {
    const llvm::Instruction *I = nullptr;
    unsigned Part = 0; ///< of an instruction that makes several
    MemoryOp Op = MemoryOp::Load;
    SymbolicRequest R;
    double Weight = 1;
    bool Again = false;      ///< a later round of the same execution
    bool FewerAgain = false; ///< see Access::FewerRounds
    double WarpsAlike = 1, BlocksAlike = 1; ///< see Access
    /// Most requests are like one before, and their texts not wanted.
    llvm::function_ref<std::string()> Address;
    llvm::SmallVector<llvm::StringRef, 4> Assumptions;
  };
  void add(const Request &Q, const RequestEstimate &E);

  /// Forgets everything (the run starts over, warp by warp).
  void clear() { Records.clear(); }

  /// The run was cut short: the numbers of the instructions for which \p Part
  /// says so rest on some of their executions only, and are exact no more.
  void doubt(llvm::function_ref<bool(const llvm::Instruction &)> Part);

  /// What the records are of, in the order of take().
  std::vector<Key> keys(const llvm::Function &F) const;
  /// The records in program order. \p Warps: that were run.
  std::vector<Access> take(const llvm::Function &F, double Warps);

private:
  struct Record {
    Access A;
    double Sum = 0, IdealSum = 0, FewestSum = 0, LaneSum = 0, Weight = 0;
    double Executions = 0; ///< Weight without the later rounds
    double Worst = -1;
    bool FirstRequest = true;
    LaneAddresses Last{};
  };
  const LaunchConfig &Config;
  const WarpOptions &Options;
  llvm::MapVector<Key, Record> Records;
};

/// Fills in the places of an access from its debug location.
void setPlaces(Access &A, const llvm::Instruction &I,
               llvm::function_ref<bool(llvm::StringRef)> IsUserFile);

} // namespace warplint

#endif // WARPLINT_LIB_WARP_RECORDER_H
