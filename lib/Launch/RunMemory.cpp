//===- RunMemory.cpp - What a program that is run has in memory -----------===//
//
// Part of Warplint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "RunMemory.h"
#include "HostPlace.h"
#include "llvm/ADT/STLExtras.h"

using namespace clang;

namespace warplint::launch {

// Scalars of one record that is loaded or stored, and of one object: more are
// data, not sizes.
static constexpr unsigned MaxLeaves = 256;
static constexpr size_t MaxCells = 512;

/// Kinds of values, as bits; a place of one kind is not written as another.
enum Kind : unsigned { OfInteger = 1, OfReal = 2, OfPointer = 4, OfAny = 7 };

static unsigned kindOf(QualType T) {
  if (T->isAnyCharacterType() || T->isVoidType())
    return OfAny;
  if (T->isIntegralOrEnumerationType())
    return OfInteger;
  if (T->isRealFloatingType())
    return OfReal;
  return T->isAnyPointerType() ? OfPointer : OfAny;
}

HostValue joinRun(const HostValue &A, const HostValue &B,
                  const void *Identity) {
  if (A.K == HostValue::Bottom)
    return B;
  if (B.K == HostValue::Bottom)
    return A;
  if (A.isNull() != B.isNull()) {
    const HostValue &Other = A.isNull() ? B : A;
    return Other.K == HostValue::Pointer
               ? HostValue::pointer(Identity, Other.BaseName, 0)
               : HostValue::unknown();
  }
  if (A.K == HostValue::Pointer && B.K == HostValue::Pointer &&
      A.Base != B.Base) {
    HostValue P = HostValue::pointer(Identity, A.BaseName,
                                     std::min(A.BaseAlign, B.BaseAlign));
    P.grantAll(A.Grants);
    P.grantAll(B.Grants);
    HostValue From = A, To = B;
    From.Base = To.Base = Identity;
    HostValue Both = join(From, To);
    P.Int = Both.Int;
    P.OffsetKnown = Both.OffsetKnown;
    P.Divisor = Both.Divisor;
    return P;
  }
  HostValue V = join(A, B);
  if (V.K == HostValue::Pointer)
    V.BaseAlign = std::min(A.BaseAlign, B.BaseAlign);
  return V;
}

void RunMemory::create(const void *Key, Rest Fresh) {
  auto O = std::make_shared<Object>();
  O->Others = Fresh;
  Objects[Key] = std::move(O);
}

RunMemory::Object *RunMemory::change(const void *Key) {
  auto It = Objects.find(Key);
  if (It == Objects.end())
    return nullptr;
  // Others, from before a condition, may share it.
  if (It->second.use_count() > 1)
    It->second = std::make_shared<Object>(*It->second);
  return It->second.get();
}

static bool overlaps(const RunMemory::Object &O, uint64_t At, uint64_t Size) {
  auto Next = O.Cells.lower_bound(At);
  if (Next != O.Cells.end() && Next->first < At + Size)
    return true;
  return Next != O.Cells.begin() &&
         std::prev(Next)->first + std::prev(Next)->second.Size > At;
}

HostValue RunMemory::scalar(const Object &O, uint64_t At, QualType T) const {
  HostValue Unknown = HostValue::unknown();
  std::optional<uint64_t> Size = sizeOf(T, *Ctx);
  if (!Size)
    return Unknown;
  auto It = O.Cells.find(At);
  if (It != O.Cells.end() && It->second.Size == *Size) {
    const HostValue &V = It->second.Value;
    const bool Real = T->isRealFloatingType();
    // The bits of a number of another kind are not followed.
    if ((V.K == HostValue::Integer && Real) ||
        (V.K == HostValue::Floating && !Real) ||
        (V.K == HostValue::Pointer && T->isIntegralOrEnumerationType()))
      return Unknown;
    return V;
  }
  if (overlaps(O, At, *Size) || O.Others != Rest::Zero || (O.Lost & kindOf(T)))
    return Unknown;
  if (T->isIntegralOrEnumerationType())
    return HostValue::integer(0);
  if (T->isRealFloatingType())
    return HostValue::floating(0);
  return HostValue::unknown(T->isAnyPointerType() ? "nullptr" : "");
}

HostValue RunMemory::load(const void *Key, int64_t Offset, QualType T) const {
  auto It = Objects.find(Key);
  if (It == Objects.end() || Offset < 0)
    return HostValue::unknown();
  const Object &O = *It->second;
  const uint64_t At = uint64_t(Offset);
  if (isScalar(T))
    return scalar(O, At, T);
  // A std::string is the text it was made of.
  if (auto Cell = O.Cells.find(At); Cell != O.Cells.end() &&
                                    sizeOf(T, *Ctx) == Cell->second.Size &&
                                    Cell->second.Value.K == HostValue::Pointer)
    return Cell->second.Value;
  HostValue R = HostValue::record();
  forEachLeaf(T, *Ctx, MaxLeaves, [&](uint64_t In, QualType Leaf) {
    R.setLeaf(In, scalar(O, At + In, Leaf));
  });
  return R;
}

HostValue RunMemory::loadAny(const void *Key, QualType T) const {
  auto It = Objects.find(Key);
  std::optional<uint64_t> Size = sizeOf(T, *Ctx);
  HostValue All = HostValue::bottom();
  if (It == Objects.end() || !Size || !T->isIntegralOrEnumerationType() ||
      It->second->Others == Rest::Unknown || It->second->Lost)
    return HostValue::unknown();
  for (const auto &[At, Cell] : It->second->Cells)
    All = join(All, scalar(*It->second, At, T));
  if (It->second->Others == Rest::Zero)
    All = join(All, HostValue::integer(0));
  return All.K == HostValue::Bottom ? HostValue::unknown() : All;
}

void RunMemory::clear(Object &O, uint64_t At, uint64_t Size) {
  auto First = O.Cells.lower_bound(At);
  // One that starts before reaches in.
  if (First != O.Cells.begin()) {
    auto Before = std::prev(First);
    if (Before->first + Before->second.Size > At)
      Before->second.Value = HostValue::unknown();
  }
  while (First != O.Cells.end() && First->first < At + Size)
    First = O.Cells.erase(First);
}

void RunMemory::store(const void *Key, int64_t Offset, QualType T,
                      const HostValue &V) {
  std::optional<uint64_t> Size = sizeOf(T, *Ctx);
  Object *O = change(Key);
  if (!O)
    return;
  if (!Size || Offset < 0 || O->Cells.size() > MaxCells) {
    lose(Key);
    return;
  }
  const uint64_t At = uint64_t(Offset);
  clear(*O, At, *Size);
  if (isScalar(T) || V.K == HostValue::Pointer) {
    O->Cells[At] = {V, *Size};
    return;
  }
  bool Whole = forEachLeaf(T, *Ctx, MaxLeaves, [&](uint64_t In, QualType Leaf) {
    const HostValue *Part = V.K == HostValue::Record ? V.leaf(In) : nullptr;
    HostValue Value = Part ? *Part : HostValue::unknown(V.Culprit);
    Value.grantAll(V.Grants);
    O->Cells[At + In] = {Value, sizeOf(Leaf, *Ctx).value_or(1)};
  });
  if (!Whole)
    lose(Key);
}

void RunMemory::lose(const void *Key) {
  if (Objects.count(Key))
    create(Key, Rest::Unknown);
}

void RunMemory::loseReachable(const void *Key, bool Itself) {
  std::set<const void *> Seen{Key};
  std::vector<const void *> Work{Key};
  while (!Work.empty()) {
    const void *At = Work.back();
    Work.pop_back();
    auto It = Objects.find(At);
    if (It == Objects.end())
      continue;
    for (const auto &[Offset, Cell] : It->second->Cells)
      if (Cell.Value.K == HostValue::Pointer &&
          Seen.insert(Cell.Value.Base).second)
        Work.push_back(Cell.Value.Base);
    if (At != Key || Itself)
      lose(At);
  }
}

void RunMemory::loseSome(const void *Key, QualType T) {
  const unsigned Kinds = kindOf(T);
  if (Kinds == OfAny)
    return lose(Key);
  Object *O = change(Key);
  if (!O)
    return;
  O->Lost |= Kinds;
  for (auto &[At, C] : O->Cells) {
    const HostValue::Kind K = C.Value.K;
    const unsigned Of = K == HostValue::Integer    ? OfInteger
                        : K == HostValue::Floating ? OfReal
                        : K == HostValue::Pointer || K == HostValue::Function ||
                                C.Value.isNull()
                            ? OfPointer
                        : !C.Value.values().empty() ? OfInteger
                                                    : OfAny;
    if (Of & Kinds)
      C.Value = HostValue::unknown(C.Value.Culprit);
  }
}

void RunMemory::loseIf(llvm::function_ref<bool(const void *)> Which,
                       QualType T) {
  std::vector<const void *> All;
  for (const auto &[Key, O] : Objects)
    if (Which(Key))
      All.push_back(Key);
  for (const void *Key : All)
    loseSome(Key, T);
}

void RunMemory::grant(const void *Key, llvm::StringRef Text) {
  if (Object *O = change(Key))
    for (auto &[At, Cell] : O->Cells)
      Cell.Value.grant(Text);
}

bool RunMemory::fits(const void *Key, uint64_t Size) const {
  auto It = Objects.find(Key);
  if (It == Objects.end() || It->second->Cells.empty())
    return It != Objects.end();
  const auto &[At, Last] = *It->second->Cells.rbegin();
  return At + Last.Size <= Size;
}

HostValue RunMemory::joinCell(uint64_t At, const Cell &C, const Object &O,
                              const void *Identity, Join How) const {
  HostValue V = HostValue::unknown(C.Value.Culprit);
  auto Found = O.Cells.find(At);
  if (Found != O.Cells.end() && Found->second.Size == C.Size) {
    const HostValue &W = Found->second.Value;
    if (C.Value.sameAs(W) || How != Join::Whatever)
      V = joinRun(C.Value, W, Identity);
    else if (C.Value.K == HostValue::Pointer || W.K == HostValue::Pointer)
      V = HostValue::pointer(Identity, C.Value.BaseName, 0);
  } else if (!overlaps(O, At, C.Size)) {
    if (O.Others == Rest::Uninitialised && !O.Lost)
      V = C.Value;
    else if (O.Others == Rest::Zero && !O.Lost && C.Value.isInteger() &&
             How != Join::Whatever)
      V = join(C.Value, HostValue::integer(0));
  }
  if (How != Join::Ways)
    V.Among.clear();
  return V;
}

void RunMemory::joinWith(const RunMemory &Other, Naming Identity, Join How) {
  auto Theirs = Other.Objects.begin();
  for (auto It = Objects.begin(); It != Objects.end();) {
    while (Theirs != Other.Objects.end() &&
           std::less<const void *>()(Theirs->first, It->first))
      ++Theirs;
    // Of what is in one of two blocks nothing is read after them.
    if (Theirs == Other.Objects.end() || Theirs->first != It->first) {
      It = Objects.erase(It);
      continue;
    }
    if (Theirs->second != It->second) {
      const Object &A = *It->second, &B = *Theirs->second;
      auto Both = std::make_shared<Object>();
      Both->Others = A.Others == B.Others              ? A.Others
                     : A.Others == Rest::Uninitialised ? B.Others
                     : B.Others == Rest::Uninitialised ? A.Others
                                                       : Rest::Unknown;
      Both->Lost = A.Lost | B.Lost;
      for (const auto &[At, C] : A.Cells)
        Both->Cells[At] = {joinCell(At, C, B, Identity(It->first, At), How),
                           C.Size};
      for (const auto &[At, C] : B.Cells)
        if (!overlaps(*Both, At, C.Size))
          Both->Cells[At] = {joinCell(At, C, A, Identity(It->first, At), How),
                             C.Size};
      It->second = std::move(Both);
    }
    ++It;
  }
}

bool RunMemory::sameAs(const RunMemory &Other) const {
  if (Objects.size() != Other.Objects.size())
    return false;
  for (const auto &[Mine, Theirs] : llvm::zip_equal(Objects, Other.Objects)) {
    if (Mine.first != Theirs.first)
      return false;
    const std::shared_ptr<Object> &O = Mine.second;
    if (Theirs.second == O)
      continue;
    const Object &B = *Theirs.second;
    if (O->Others != B.Others || O->Lost != B.Lost ||
        O->Cells.size() != B.Cells.size())
      return false;
    for (const auto &[At, C] : O->Cells) {
      auto Found = B.Cells.find(At);
      if (Found == B.Cells.end() || Found->second.Size != C.Size ||
          !Found->second.Value.sameAs(C.Value))
        return false;
    }
  }
  return true;
}

} // namespace warplint::launch
