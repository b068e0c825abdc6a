//===- SourceNames.h - What a person calls the access at a place ----------===//
//
// Part of Warplint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The AST's side of an access: IR knows a line and column, the AST knows that
/// it is `p[i].x`, a field of 4 bytes in a record of 12.
///
//===----------------------------------------------------------------------===//

#ifndef WARPLINT_DRIVER_SOURCENAMES_H
#define WARPLINT_DRIVER_SOURCENAMES_H

#include "warplint/Driver/SourcePlace.h"
#include "warplint/Machine/MachineModel.h"
#include "llvm/ADT/StringRef.h"
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace clang {
class ASTContext;
} // namespace clang

namespace warplint {

/// What the source says about one access.
struct AccessNames {
  std::string Expression; ///< as written, one line: "p[i].x"
  std::string Variable;   ///< "p": the parameter, array or member at the base
  std::string Record;     ///< "Particle": type of the indexed record, or ""
  std::string Field;      ///< "x", "pos.x": the path inside the record, or ""
  SourcePlace RecordDefinition; ///< line 0 where it is not known
  unsigned RecordBytes = 0;
  /// The subscripts of Variable as written, outermost first: "r", "c".
  std::vector<std::string> Indices;
  /// Of a last subscript that is a sum of products and one term more
  /// (`row * pitch + k`): that term, where it is a variable, and the one factor
  /// that is no constant and the last of its product; else "".
  std::string ContiguousTerm, Pitch;
  unsigned ElementBytes = 0; ///< size of what the subscript selects
  std::string ElementType;
  /// Where nvcc's line table, and with it a profiler, puts the access; line 0
  /// where that is not sure to be known.
  SourcePlace Counted;
  SourcePlace Begin, End; ///< the expression's range, End past the last
  /// Of an expression that a macro writes: where it stands in the macro's body,
  /// and in those that this one is expanded in, innermost first.
  std::vector<SourcePlace> InMacros;
  SourcePlace Declaration;     ///< of Variable
  std::string DeclarationText; ///< "__shared__ float tile[32][32]"
  bool Dynamic = false; ///< `extern __shared__`: the launch gives its size
  /// Extents of an array variable, outermost first; empty for pointers.
  std::vector<uint64_t> Extents;
  /// Size of an element of that array, whatever an access to it casts it to.
  uint64_t ArrayElementBytes = 0;
};

/// The function or variable that a mangled name stands for, with its types, as
/// Nsight Compute writes it; a name that is not mangled as it is.
std::string demangled(llvm::StringRef Name);

/// What a person calls the variable that IR names \p Name: "tile" for
/// "_ZZ1fvE4tile", a function's static.
std::string sourceName(llvm::StringRef Name);

/// Index of the memory-accessing expressions of a translation unit's device
/// code, by place. Must not outlive the ASTContext.
class SourceNames {
public:
  explicit SourceNames(clang::ASTContext &Ctx);
  ~SourceNames();
  SourceNames(SourceNames &&);

  /// What IR knows of an access.
  struct Question {
    SourcePlace Place; ///< an IR debug location
    MemoryOp Op = MemoryOp::Load;
    unsigned Bytes = 0;
    std::string Object;       ///< the variable at the base, or ""
    uint64_t ObjectBytes = 0; ///< of an array; 0: not known
  };

  /// The expression whose load or store the compiler attributes to the place,
  /// preferring one of the right kind, size and variable: all that a macro
  /// writes stands in one place, and so do the instantiations of a template.
  /// nullopt: nothing indexed stands there.
  std::optional<AccessNames> lookup(const Question &Q) const;

private:
  struct Impl;
  std::unique_ptr<Impl> P;
};

} // namespace warplint

#endif // WARPLINT_DRIVER_SOURCENAMES_H
