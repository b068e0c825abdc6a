//===- UserRecords.h - Definitions of records, to be edited ---------------===//
//
// Part of Warplint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef WARPLINT_DRIVER_USERRECORDS_H
#define WARPLINT_DRIVER_USERRECORDS_H

#include "warplint/Driver/SourceEdit.h"
#include "warplint/Driver/SourcePlace.h"
#include <vector>

namespace clang {
class ASTContext;
} // namespace clang

namespace warplint {

/// A struct or class that the user's files define.
struct UserRecord {
  SourcePlace Place; ///< as AccessNames::RecordDefinition
  std::string Name;
  unsigned Bytes = 0, Alignment = 0; ///< as it is laid out now
  std::string File;                  ///< absolute path
  unsigned Offset = 0;               ///< behind the word `struct`
  /// Why its alignment must not be changed, or "".
  std::string Obstacle;

  SourceEdit aligned(unsigned Alignment) const;
};

/// All that are no templates.
std::vector<UserRecord> findUserRecords(clang::ASTContext &Ctx);

} // namespace warplint

#endif // WARPLINT_DRIVER_USERRECORDS_H
