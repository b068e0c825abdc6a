//===- FixTrials.h - Runs over changed text, and what they show -----------===//
//
// Part of Warplint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef WARPLINT_LIB_PIPELINE_FIXTRIALS_H
#define WARPLINT_LIB_PIPELINE_FIXTRIALS_H

#include "RealPlaces.h"
#include "warplint/Driver/SourceEdit.h"
#include "warplint/Pipeline/AnalyseUnit.h"
#include <set>

namespace warplint {

/// The report of one unit, and runs of some of its kernels over other text. The
/// words of an error are the reason why there is no fix.
class FixTrials {
public:
  FixTrials(clang::ASTContext &Ctx, clang::Preprocessor &PP,
            const MachineModel &Machine, const AnalysisOptions &Options,
            const UnitLink &Link, RealPlaces &Real, const FileReport &Report);

  const FileReport &report() const { return Report; }
  clang::ASTContext &context() const { return Ctx; }
  const MachineModel &machine() const { return Machine; }
  /// As places in reports are written.
  std::string realPath(llvm::StringRef File);
  void rewrite(SourcePlace &Place) { Real.rewrite(Place); }
  bool liesInMainFile(llvm::StringRef File);
  /// The lines that \p Edits change.
  std::vector<std::string> diff(llvm::ArrayRef<SourceEdit> Edits) const;

  using Key = std::tuple<std::string, std::string, unsigned, unsigned>;
  static Key keyOf(const Finding &F);

  /// What a run over changed text reported.
  struct Run {
    FileReport After;
    /// Its findings, where they were in the old text.
    std::set<Key> Findings;
  };
  /// Its accesses to shared memory say how far they reach.
  llvm::Expected<Run> run(llvm::ArrayRef<SourceEdit> Edits,
                          const llvm::StringSet<> &Kernels);

  /// Whatever was run so far, one more may be: all fixes of a file together.
  void allowOneMore() { ++RunsLeft; }

  /// The report's accesses in \p Kernels, beside those of a run.
  using Pairs =
      std::vector<std::pair<const NamedAccess *, const NamedAccess *>>;
  /// Error: the compiler made other memory instructions of the changed text.
  llvm::Expected<Pairs> pair(const Run &R, const llvm::StringSet<> &Kernels);
  /// Error: an access costs more than before.
  llvm::Error checkCosts(const Pairs &Both) const;
  /// Error: a kernel spends more than before in a space of memory.
  llvm::Error checkTotals(const Run &R, const llvm::StringSet<> &Kernels) const;
  /// Error: there is a finding that there was not.
  llvm::Error checkFindings(const Run &R) const;
  /// Error: a block needs more shared memory than it gets.
  llvm::Error checkRoom(const Run &R) const;

private:
  clang::ASTContext &Ctx;
  clang::Preprocessor &PP;
  const MachineModel &Machine;
  const AnalysisOptions &Options;
  const UnitLink &Link;
  RealPlaces &Real;
  const FileReport &Report;
  std::set<Key> Before;
  unsigned RunsLeft;
};

/// A fix that holds by itself.
struct ProvenFix {
  std::string Of; ///< the array or record, by name
  Fix What;
  llvm::StringSet<> Kernels; ///< mangled names of those it concerns
  /// Findings that it removes (indices), and what is said as verified there.
  std::vector<std::pair<size_t, std::string>> Gone;
};

/// Why there is no fix, and for which findings.
struct Refusal {
  std::vector<size_t> Findings;
  std::string Why;
};

struct Offers {
  std::vector<ProvenFix> Fixes;
  std::vector<Refusal> Refusals;
};

/// Other layouts of shared arrays.
void repairArrays(FixTrials &Trials, Offers &Into);
/// Alignments that let fields be read together.
void alignRecords(FixTrials &Trials, Offers &Into);

/// Mean units over the requests of some accesses.
double meanUnits(llvm::ArrayRef<const NamedAccess *> Accesses);
/// Units a warp spends on them.
double totalUnits(llvm::ArrayRef<const NamedAccess *> Accesses);

} // namespace warplint

#endif // WARPLINT_LIB_PIPELINE_FIXTRIALS_H
