//===- RunMemory.h - What a program that is run has in memory -------------===//
//
// Part of Warplint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Variables and allocations of the host, byte by byte as far as known, while
/// main() is run statement by statement (HostProgram.h).
///
//===----------------------------------------------------------------------===//

#ifndef WARPLINT_LIB_LAUNCH_RUNMEMORY_H
#define WARPLINT_LIB_LAUNCH_RUNMEMORY_H

#include "HostValue.h"
#include "clang/AST/ASTContext.h"
#include <array>
#include <map>
#include <memory>
#include <set>

namespace warplint::launch {

/// What the bytes of an object hold that nothing is noted of.
enum class Rest { Unknown, Zero, Uninitialised };

/// Objects by identity: a variable's declaration, or an allocation's, as the
/// pointers to it have it for their base.
class RunMemory {
public:
  explicit RunMemory(const clang::ASTContext &Ctx) : Ctx(&Ctx) {}

  /// Types are those of \p C from now on.
  void setContext(const clang::ASTContext &C) { Ctx = &C; }
  /// Objects.
  size_t size() const { return Count; }
  bool contains(const void *Object) const { return find(Object) != nullptr; }
  /// \p Object, new, in place of what had its identity.
  void create(const void *Object, Rest Fresh);
  void destroy(const void *Object);

  /// The bytes [Offset, +sizeof T).
  HostValue load(const void *Object, int64_t Offset, clang::QualType T) const;
  /// What any value of type \p T in \p Object may be.
  HostValue loadAny(const void *Object, clang::QualType T) const;
  void store(const void *Object, int64_t Offset, clang::QualType T,
             const HostValue &V);
  /// Nothing is known of \p Object any more.
  void lose(const void *Object);
  /// ... nor of all that can be reached by the pointers in it.
  void loseReachable(const void *Object, bool Itself);
  /// Somewhere in \p Object a \p T may have been written: what cannot be one,
  /// by the rules of the language, stays.
  void loseSome(const void *Object, clang::QualType T);
  /// ... in one of the objects that \p Which names.
  void loseIf(llvm::function_ref<bool(const void *)> Which, clang::QualType T);
  /// Every value in \p Object rests on \p Text.
  void grant(const void *Object, llvm::StringRef Text);
  /// All that is noted of \p Object is in its first \p Size bytes.
  bool fits(const void *Object, uint64_t Size) const;

  /// What is known whether it is this or \p Other. \p Identity names what one
  /// of two pointers leads to, by the place it is in.
  using Naming = llvm::function_ref<const void *(const void *, uint64_t)>;
  enum class Join {
    Ways,    ///< two ways through the code: one of both values
    Rounds,  ///< of a loop, which would add one value after the other
    Whatever ///< a value that differs may be any
  };
  /// Returns how many objects it went through; what is the same in both, as
  /// nothing was written there since they parted, costs nothing.
  /// \p KeepOwn: this is what holds, and \p Other what may hold later: objects
  /// that are only in this, and pointers, stay as they are.
  size_t joinWith(const RunMemory &Other, Naming Identity, Join How,
                  bool KeepOwn = false);
  bool sameAs(const RunMemory &Other) const;

  struct Cell {
    HostValue Value;
    uint64_t Size;
  };
  struct Object {
    std::map<uint64_t, Cell> Cells; ///< none overlaps another
    Rest Others = Rest::Unknown;
    /// Kinds of values of which some that nothing is noted of are not Others.
    unsigned Lost = 0;
  };

private:
  using Part = std::map<const void *, std::shared_ptr<Object>>;
  static size_t partOf(const void *Key);
  const Object *find(const void *Key) const;
  /// The part that \p Key is in, this memory's own from now on.
  Part &own(const void *Key);
  Object *change(const void *Key);
  HostValue scalar(const Object &O, uint64_t At, clang::QualType T) const;
  void clear(Object &O, uint64_t At, uint64_t Size);
  std::shared_ptr<Object> joinObjects(const void *Key, const Object &A,
                                      const Object &B, Naming Identity,
                                      Join How, bool KeepOwn) const;
  static bool isSame(const Object &A, const Object &B);
  /// What \p O has where another has \p C at \p At of \p Key, joined with it.
  HostValue joinCell(uint64_t At, const Cell &C, const Object &O,
                     const void *Key, Naming Identity, Join How) const;

  const clang::ASTContext *Ctx;
  /// A copy is made at every condition, of which little is changed: parts, and
  /// objects in them, are shared until then. Null: an empty part.
  static constexpr size_t Parts = 64;
  std::array<std::shared_ptr<Part>, Parts> Objects;
  size_t Count = 0;
};

/// Whether it is \p A or \p B; \p Identity: of what one of two pointers leads
/// to.
HostValue joinRun(const HostValue &A, const HostValue &B, const void *Identity);

} // namespace warplint::launch

#endif // WARPLINT_LIB_LAUNCH_RUNMEMORY_H
