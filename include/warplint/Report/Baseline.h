//===- Baseline.h - Findings that a project knows of ----------------------===//
//
// Part of Warplint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// An old code base keeps its findings in a file, so that only new ones are
/// shown. They are known by check, memory space and the text of the line, so
/// that neither moved lines nor a new file name make a finding a new one.
///
//===----------------------------------------------------------------------===//

#ifndef WARPLINT_REPORT_BASELINE_H
#define WARPLINT_REPORT_BASELINE_H

#include "warplint/Report/Report.h"
#include "llvm/Support/Error.h"
#include <functional>
#include <map>
#include <set>
#include <string>
#include <tuple>

namespace warplint {

/// What a run was asked to look at: nothing else counts as fixed.
struct BaselineScope {
  /// Directory that file names in the baseline are relative to; absolute.
  std::string Root;
  /// Findings were filtered by line or kernel: what is missing proves nothing.
  bool Filtered = false;
  /// Whether \p Check is on for \p File (absolute).
  std::function<bool(llvm::StringRef Check, llvm::StringRef File)> IsOn;
};

class BaselineMatch;

class Baseline {
public:
  /// Error: one line; the file cannot be read, is no baseline, is of another
  /// version.
  static llvm::Expected<Baseline> load(llvm::StringRef Path);

  /// Compares with the findings of \p Run, which is left as it is.
  BaselineMatch match(const RunReport &Run, const BaselineScope &Scope) const;

  /// `warplint-baseline/1`: JSON, a line an entry, in the order of file, check
  /// and fingerprint.
  void print(llvm::raw_ostream &OS) const;

  size_t size() const; ///< findings

private:
  friend class BaselineMatch;
  struct Key {
    std::string File; ///< relative to the root
    std::string Check, Fingerprint;
    bool operator<(const Key &O) const {
      return std::tie(File, Check, Fingerprint) <
             std::tie(O.File, O.Check, O.Fingerprint);
    }
  };
  struct Entry {
    std::string Code; ///< the line, for people
    unsigned Count = 0;
    /// Found only by analysing other files, which include this one.
    bool Included = false;
  };
  void add(const Key &K, const Entry &E, unsigned Count);

  std::set<std::string> Files; ///< analysed when it was written
  std::map<Key, Entry> Entries;
};

/// A run held against a baseline.
class BaselineMatch {
public:
  /// Takes the known findings out of \p Run, the run that was matched.
  void holdBack(RunReport &Run) const;
  unsigned heldBack() const { return unsigned(Known.size()); }
  /// Entries of which the run shows that they are fixed: their file, or for
  /// what is included or gone all files of the baseline, were analysed whole.
  unsigned fixed() const { return Fixed; }
  /// The baseline without what is fixed, under present file names.
  const Baseline &pruned() const { return Kept; }
  /// The same with the findings that are new.
  const Baseline &withNew() const { return All; }

private:
  friend class Baseline;
  /// A finding, from however many files it is reached.
  using Site =
      std::tuple<std::string, unsigned, unsigned, MemorySpace, std::string>;
  static Site siteOf(const Finding &F);

  std::set<Site> Known;
  unsigned Fixed = 0;
  Baseline Kept, All;
};

} // namespace warplint

#endif // WARPLINT_REPORT_BASELINE_H
