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
    HostValue Other = A.isNull() ? B : A;
    if (Other.K != HostValue::Pointer)
      return HostValue::unknown();
    // It may be null, but who reads from it has the other.
    Other.Base = Identity;
    return Other;
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

size_t RunMemory::partOf(const void *Key) {
  return llvm::DenseMapInfo<const void *>::getHashValue(Key) % Parts;
}

const RunMemory::Object *RunMemory::find(const void *Key) const {
  const std::shared_ptr<Part> &In = Objects[partOf(Key)];
  if (!In)
    return nullptr;
  auto It = In->find(Key);
  return It == In->end() ? nullptr : It->second.get();
}

/// \p Shared, of which another may have a copy, as one's own.
template <class T> static T &unshare(std::shared_ptr<T> &Shared) {
  if (!Shared)
    Shared = std::make_shared<T>();
  else if (Shared.use_count() > 1)
    Shared = std::make_shared<T>(*Shared);
  return *Shared;
}

RunMemory::Part &RunMemory::own(const void *Key) {
  return unshare(Objects[partOf(Key)]);
}

void RunMemory::create(const void *Key, Rest Fresh) {
  auto O = std::make_shared<Object>();
  O->Others = Fresh;
  Count += own(Key).insert_or_assign(Key, std::move(O)).second;
}

void RunMemory::destroy(const void *Key) {
  if (contains(Key))
    Count -= own(Key).erase(Key);
}

RunMemory::Object *RunMemory::change(const void *Key) {
  return contains(Key) ? &unshare(own(Key)[Key]) : nullptr;
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
  const Object *Found = find(Key);
  if (!Found || Offset < 0)
    return HostValue::unknown();
  const Object &O = *Found;
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
  const Object *O = find(Key);
  std::optional<uint64_t> Size = sizeOf(T, *Ctx);
  HostValue All = HostValue::bottom();
  if (!O || !Size || !T->isIntegralOrEnumerationType() ||
      O->Others == Rest::Unknown || O->Lost)
    return HostValue::unknown();
  for (const auto &[At, Cell] : O->Cells)
    All = join(All, scalar(*O, At, T));
  if (O->Others == Rest::Zero)
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
  const Object *O = find(Key);
  if (O && (O->Others != Rest::Unknown || O->Lost || !O->Cells.empty()))
    create(Key, Rest::Unknown);
}

void RunMemory::loseReachable(const void *Key, bool Itself) {
  std::set<const void *> Seen{Key};
  std::vector<const void *> Work{Key};
  while (!Work.empty()) {
    const void *At = Work.back();
    Work.pop_back();
    const Object *O = find(At);
    if (!O)
      continue;
    for (const auto &[Offset, Cell] : O->Cells)
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
  auto IsHit = [&](const HostValue &V) {
    const unsigned Of =
        V.K == HostValue::Integer    ? OfInteger
        : V.K == HostValue::Floating ? OfReal
        : V.K == HostValue::Pointer || V.K == HostValue::Function || V.isNull()
            ? OfPointer
        : !V.values().empty() ? OfInteger
                              : OfAny;
    return (Of & Kinds) != 0;
  };
  const Object *Before = find(Key);
  if (!Before)
    return;
  // Most often there is nothing left to lose.
  auto Changes = [&](const auto &Entry) {
    const HostValue &V = Entry.second.Value;
    return IsHit(V) &&
           (Before->Others != Rest::Zero || V.K != HostValue::Unknown ||
            V.Divisor != 1 || !V.Among.empty() || V.isNull() || V.CommandLine ||
            !V.Grants.empty());
  };
  if ((Before->Lost & Kinds) == Kinds && llvm::none_of(Before->Cells, Changes))
    return;
  Object *O = change(Key);
  O->Lost |= Kinds;
  // Nothing noted says as much, unless that would be zero.
  for (auto It = O->Cells.begin(); It != O->Cells.end();) {
    const bool Hit = IsHit(It->second.Value);
    if (Hit && O->Others != Rest::Zero) {
      It = O->Cells.erase(It);
      continue;
    }
    if (Hit)
      It->second.Value = HostValue::unknown(It->second.Value.Culprit);
    ++It;
  }
}

void RunMemory::loseIf(llvm::function_ref<bool(const void *)> Which,
                       QualType T) {
  std::vector<const void *> All;
  for (const std::shared_ptr<Part> &In : Objects)
    if (In)
      for (const auto &[Key, O] : *In)
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
  const Object *O = find(Key);
  if (!O || O->Cells.empty())
    return O != nullptr;
  const auto &[At, Last] = *O->Cells.rbegin();
  return At + Last.Size <= Size;
}

HostValue RunMemory::joinCell(uint64_t At, const Cell &C, const Object &O,
                              const void *Key, Naming Identity,
                              Join How) const {
  HostValue V = HostValue::unknown(C.Value.Culprit);
  auto Found = O.Cells.find(At);
  if (Found != O.Cells.end() && Found->second.Size == C.Size) {
    const HostValue &W = Found->second.Value;
    const bool Leads =
        C.Value.K == HostValue::Pointer || W.K == HostValue::Pointer;
    const void *To = Leads ? Identity(Key, At) : nullptr;
    if (C.Value.sameAs(W) || How != Join::Whatever)
      V = joinRun(C.Value, W, To);
    else if (Leads)
      V = HostValue::pointer(To, C.Value.BaseName, 0);
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

std::shared_ptr<RunMemory::Object>
RunMemory::joinObjects(const void *Key, const Object &A, const Object &B,
                       Naming Identity, Join How, bool KeepOwn) const {
  auto Both = std::make_shared<Object>();
  Both->Others = A.Others == B.Others              ? A.Others
                 : A.Others == Rest::Uninitialised ? B.Others
                 : B.Others == Rest::Uninitialised ? A.Others
                                                   : Rest::Unknown;
  Both->Lost = A.Lost | B.Lost;
  for (const auto &[At, C] : A.Cells)
    Both->Cells[At] =
        KeepOwn && C.Value.K == HostValue::Pointer
            ? C
            : Cell{joinCell(At, C, B, Key, Identity, How), C.Size};
  for (const auto &[At, C] : B.Cells)
    if (!overlaps(*Both, At, C.Size))
      Both->Cells[At] = {joinCell(At, C, A, Key, Identity, How), C.Size};
  return Both;
}

size_t RunMemory::joinWith(const RunMemory &Other, Naming Identity, Join How,
                           bool KeepOwn) {
  size_t Gone = 0;
  for (auto [Mine, Theirs] : llvm::zip_equal(Objects, Other.Objects)) {
    if (Mine == Theirs || !Mine)
      continue;
    Part &Joined = unshare(Mine);
    Count -= Joined.size();
    Gone += Joined.size();
    const Part Empty;
    const Part &Others = Theirs ? *Theirs : Empty;
    auto At = Others.begin();
    for (auto It = Joined.begin(); It != Joined.end();) {
      while (At != Others.end() &&
             std::less<const void *>()(At->first, It->first))
        ++At;
      // Of what is in one of two blocks nothing is read after them.
      if (At == Others.end() || At->first != It->first) {
        It = KeepOwn ? std::next(It) : Joined.erase(It);
        continue;
      }
      if (At->second != It->second)
        It->second = joinObjects(It->first, *It->second, *At->second, Identity,
                                 How, KeepOwn);
      ++It;
    }
    Count += Joined.size();
  }
  return Gone;
}

bool RunMemory::isSame(const Object &A, const Object &B) {
  return A.Others == B.Others && A.Lost == B.Lost &&
         llvm::equal(A.Cells, B.Cells, [](const auto &One, const auto &Two) {
           return One.first == Two.first &&
                  One.second.Size == Two.second.Size &&
                  Two.second.Value.sameAs(One.second.Value);
         });
}

bool RunMemory::sameAs(const RunMemory &Other) const {
  if (Count != Other.Count)
    return false;
  return llvm::all_of(llvm::zip_equal(Objects, Other.Objects), [](auto Pair) {
    const auto &[Mine, Theirs] = Pair;
    if (Mine == Theirs || !Mine || !Theirs)
      return (Mine ? Mine->size() : 0) == (Theirs ? Theirs->size() : 0);
    return llvm::equal(*Mine, *Theirs, [](const auto &One, const auto &Two) {
      return One.first == Two.first &&
             (One.second == Two.second || isSame(*One.second, *Two.second));
    });
  });
}

} // namespace warplint::launch
