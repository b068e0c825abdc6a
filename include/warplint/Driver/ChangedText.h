//===- ChangedText.h - What edits make of a unit's text -------------------===//
//
// Part of Warplint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef WARPLINT_DRIVER_CHANGEDTEXT_H
#define WARPLINT_DRIVER_CHANGEDTEXT_H

#include "warplint/Driver/SourceEdit.h"
#include "warplint/Driver/SourcePlace.h"
#include "llvm/ADT/ArrayRef.h"
#include <vector>

namespace clang {
class SourceManager;
} // namespace clang

namespace warplint {

/// Edits of files of a unit, each on one line, and where they are in it. Lines
/// stay lines.
class ChangedText {
public:
  /// \p Edits do not overlap.
  ChangedText(clang::SourceManager &SM, llvm::ArrayRef<SourceEdit> Edits);

  /// Where \p P of the changed text was before.
  SourcePlace before(SourcePlace P) const;

  /// The lines that change, without indentation: "-" and the old one, "+" and
  /// the new one. Of more than \p Most lines the rest is a count.
  std::vector<std::string> diff(unsigned Most) const;

private:
  struct PlacedEdit {
    SourceEdit Edit;
    unsigned Line = 0, Column = 0; ///< from 1
    std::string Old;               ///< the line around it
  };
  std::vector<PlacedEdit> Edits; ///< by file and place
};

} // namespace warplint

#endif // WARPLINT_DRIVER_CHANGEDTEXT_H
