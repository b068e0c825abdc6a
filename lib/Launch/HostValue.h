//===- HostValue.h - What is known of a host expression's value -----------===//
//
// Part of Warplint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The value domain of the host evaluator: a known constant, a pointer as base
/// and byte offset, a record as its scalar leaves, a kernel's name, or an
/// unknown of which a divisor may be known.
///
//===----------------------------------------------------------------------===//

#ifndef WARPLINT_LIB_LAUNCH_HOSTVALUE_H
#define WARPLINT_LIB_LAUNCH_HOSTVALUE_H

#include "clang/AST/OperationKinds.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include <cstdint>
#include <string>
#include <vector>

namespace clang {
class FunctionDecl;
} // namespace clang

namespace warplint::launch {

struct HostLeaf;

struct HostValue {
  enum Kind : uint8_t {
    /// No value reaches: an uninitialised variable, or a cycle of copies. The
    /// neutral element of join.
    Bottom,
    Unknown,  ///< a scalar; Divisor divides it
    Integer,  ///< Int
    Floating, ///< Float
    Pointer,  ///< Base, and Int bytes (or, unknown, a multiple of Divisor)
    Function, ///< Callee
    Record,   ///< Leaves: also arrays; a leaf that is missing is unknown
  };
  Kind K = Unknown;
  /// Unknown: comes from the command line or the environment (argv, atoi,
  /// getenv), which a program's defaults stand in for.
  bool CommandLine = false;
  bool OffsetKnown = true;
  int64_t Int = 0;
  double Float = 0;
  /// Unknown, and Pointer of unknown offset: divides the value; 0 divides
  /// nothing but 0, which only the first round of a cycle has.
  uint64_t Divisor = 1;
  /// Unknown: all the values it can have, ascending; none: not known.
  std::vector<int64_t> Among;
  /// Identity of the allocation; null: not known yet (in a cycle).
  const void *Base = nullptr;
  std::string BaseName;
  uint64_t BaseAlign = 0; ///< bytes; 0: not known
  const clang::FunctionDecl *Callee = nullptr;
  /// The variable or call at which knowledge ends, as in the source: why it is
  /// unknown, or what was guessed (then Grants says so).
  std::string Culprit;
  std::vector<HostLeaf> Leaves; ///< by byte offset
  /// What the reader must grant for this to be true.
  std::vector<std::string> Grants;

  static HostValue bottom();
  static HostValue unknown(std::string Culprit = "", uint64_t Divisor = 1);
  static HostValue integer(int64_t Value);
  /// One of \p Values, all that are possible; of more than MaxAmong nothing but
  /// a divisor is kept.
  static HostValue oneOf(std::vector<int64_t> Values);
  static constexpr size_t MaxAmong = 64;
  static HostValue floating(double Value);
  static HostValue pointer(const void *Base, llvm::StringRef Name,
                           uint64_t Align, int64_t Offset = 0);
  static HostValue function(const clang::FunctionDecl *F);
  static HostValue record();

  bool isInteger() const { return K == Integer; }
  /// The null pointer, which is an unknown value with that word for its
  /// culprit.
  bool isNull() const { return K == Unknown && Culprit == "nullptr"; }
  /// Nothing about it is unknown. A record is when all its leaves are.
  bool isConstant() const;
  /// All that an integer can be: its value, or Among. Empty: not known.
  llvm::ArrayRef<int64_t> values() const;
  /// What is known to divide this scalar (or pointer offset).
  uint64_t divisor() const;

  void grant(llvm::StringRef Text);
  void grantAll(llvm::ArrayRef<std::string> Texts);

  /// Puts \p V at byte \p Offset of this record, in place of what was there.
  void setLeaf(uint64_t Offset, const HostValue &V);
  /// The scalar at \p Offset, or null.
  const HostValue *leaf(uint64_t Offset) const;
  /// The leaves in [Offset, Offset + Size), as a record starting at 0.
  HostValue slice(uint64_t Offset, uint64_t Size) const;

  /// Same value; grants and culprits do not count.
  bool sameAs(const HostValue &O) const;
};

/// A scalar in a record, and the byte at which it starts.
struct HostLeaf {
  uint64_t Offset;
  HostValue Value;
};

/// The integer \p V as a type of \p Bits holds it.
int64_t wrapTo(int64_t V, unsigned Bits, bool Signed);

/// What holds of both: equal values stay, of unequal ones it is known that it
/// is one of them, and what divides them.
HostValue join(const HostValue &A, const HostValue &B);

/// \p L op \p R in an integer type of \p Bits; comparisons give 0 or 1.
HostValue foldBinary(clang::BinaryOperatorKind Op, const HostValue &L,
                     const HostValue &R, unsigned Bits, bool Signed);

/// \p P moved by \p Index elements of \p ElementBytes (\p Negative: back).
HostValue offsetPointer(const HostValue &P, const HostValue &Index,
                        uint64_t ElementBytes, bool Negative = false);

} // namespace warplint::launch

#endif // WARPLINT_LIB_LAUNCH_HOSTVALUE_H
