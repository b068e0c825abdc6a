//===- ArgumentFacts.cpp - From host values to facts about arguments ------===//
//
// Part of Warplint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ArgumentFacts.h"
#include "llvm/ADT/STLExtras.h"
#include <map>
#include <numeric>

using namespace clang;

namespace warplint::launch {

// Alignment of what cudaMalloc returns (CUDA C++ Programming Guide, "Device
// Memory Accesses"); what an offset keeps of it is all that can be known.
static constexpr uint64_t AllocationAlign = 256;

std::string BaseNames::nameOf(const HostValue &Pointer) {
  auto [It, New] = Names.try_emplace(Pointer.Base);
  if (New) {
    It->second = Pointer.BaseName;
    if (!Pointer.BaseName.empty())
      if (unsigned Before = Used[Pointer.BaseName]++)
        It->second += "#" + std::to_string(Before + 1);
  }
  return It->second;
}

static ArgumentFact scalarFact(const HostValue &V, BaseNames &Names) {
  ArgumentFact Fact;
  switch (V.K) {
  case HostValue::Integer:
    Fact.K = ArgumentFact::Integer;
    Fact.Value = V.Int;
    break;
  case HostValue::Unknown:
    Fact.Align = V.Divisor > 1 ? V.Divisor : 0;
    Fact.Values = V.Among;
    break;
  case HostValue::Pointer:
    if (!V.Base)
      break;
    Fact.Base = Names.nameOf(V);
    if (V.OffsetKnown) {
      Fact.K = ArgumentFact::Pointer;
      Fact.Value = V.Int;
      Fact.Align = V.BaseAlign;
    } else {
      Fact.Align = std::gcd(AllocationAlign, V.Divisor);
    }
    break;
  default:
    break;
  }
  return Fact;
}

static bool isPointer(const ArgumentFact &F) {
  return F.K == ArgumentFact::Pointer || !F.Base.empty();
}

static bool tells(const ArgumentFact &F) {
  return F.K != ArgumentFact::Unknown || F.Align || F.Guess || isPointer(F);
}

void addGuess(ArgumentFact &Fact, const HostValue &V) {
  if (V.isInteger() && Fact.K == ArgumentFact::Unknown && Fact.Base.empty() &&
      !(Fact.Align && V.Int % int64_t(Fact.Align)))
    Fact.Guess = V.Int;
  if (V.K != HostValue::Record)
    return;
  for (const auto &[At, Leaf] : V.Leaves) {
    auto Known = llvm::find_if(
        Fact.Fields, [&, At = At](const auto &F) { return F.first == At; });
    if (Known != Fact.Fields.end()) {
      addGuess(Known->second, Leaf);
    } else if (Leaf.isInteger()) {
      Fact.Fields.push_back({At, ArgumentFact()});
      Fact.Fields.back().second.Guess = Leaf.Int;
    }
  }
}

void addGuesses(std::vector<ArgumentFact> &Facts,
                const std::vector<ArgumentFact> &First) {
  for (auto [Fact, Other] : llvm::zip(Facts, First)) {
    if (Other.K == ArgumentFact::Integer)
      addGuess(Fact, HostValue::integer(Other.Value));
    for (auto &[At, Field] : Fact.Fields)
      for (const auto &[OtherAt, OtherField] : Other.Fields)
        if (At == OtherAt && OtherField.K == ArgumentFact::Integer)
          addGuess(Field, HostValue::integer(OtherField.Value));
  }
}

ArgumentFact factOf(const HostValue &V, QualType T, BaseNames &Names) {
  if (!T->isRecordType()) {
    if (T->isIntegralOrEnumerationType() || T->isAnyPointerType())
      return scalarFact(V, Names);
    return {};
  }
  ArgumentFact Fact;
  if (V.K != HostValue::Record)
    return Fact;
  for (const auto &[At, Leaf] : V.Leaves) {
    ArgumentFact Field = scalarFact(Leaf, Names);
    if (tells(Field))
      Fact.Fields.push_back({At, Field});
  }
  return Fact;
}

static uint64_t magnitude(int64_t V) {
  return V < 0 ? 0 - uint64_t(V) : uint64_t(V);
}

/// What divides an integer argument, or aligns a pointer argument; a pointer of
/// which nothing is known is taken to be an allocation.
static uint64_t divisorOf(const ArgumentFact &F, bool Pointer) {
  switch (F.K) {
  case ArgumentFact::Integer:
    return magnitude(F.Value);
  case ArgumentFact::Pointer:
    return std::gcd(F.Align ? F.Align : AllocationAlign, magnitude(F.Value));
  case ArgumentFact::Unknown:
    return F.Align ? F.Align : Pointer ? AllocationAlign : 1;
  }
  return 1;
}

/// All that \p A and \p B can be; none where that is not known.
static std::vector<int64_t> allValues(const ArgumentFact &A,
                                      const ArgumentFact &B) {
  std::vector<int64_t> All;
  for (const ArgumentFact *F : {&A, &B}) {
    if (F->K == ArgumentFact::Integer)
      All.push_back(F->Value);
    else if (F->K == ArgumentFact::Unknown && !F->Values.empty())
      llvm::append_range(All, F->Values);
    else
      return {};
  }
  return HostValue::oneOf(std::move(All)).Among;
}

ArgumentFact joinFacts(const ArgumentFact &A, const ArgumentFact &B) {
  if (A == B)
    return A;
  ArgumentFact Fact;
  if (A.K == ArgumentFact::Pointer && B.K == ArgumentFact::Pointer &&
      A.Value == B.Value) {
    Fact = A;
    Fact.Align = std::min(A.Align, B.Align);
  } else {
    if (A.Base == B.Base)
      Fact.Base = A.Base;
    bool Pointer = isPointer(A) || isPointer(B);
    uint64_t Divisor = std::gcd(divisorOf(A, Pointer), divisorOf(B, Pointer));
    // For a pointer, 0 is an allocation's alignment and 1 is none.
    Fact.Align = Divisor > 1 || Pointer ? Divisor : 0;
  }
  if (Fact.K == ArgumentFact::Unknown && Fact.Base.empty())
    Fact.Values = allValues(A, B);
  if (Fact.K == ArgumentFact::Unknown && Fact.Base.empty())
    Fact.Guess = A.K == ArgumentFact::Integer ? A.Value : A.Guess;
  Fact.Fields.clear();
  for (const auto &[At, Field] : A.Fields)
    for (const auto &[Other, OtherField] : B.Fields)
      if (At == Other) {
        ArgumentFact Both = joinFacts(Field, OtherField);
        if (tells(Both))
          Fact.Fields.push_back({At, Both});
      }
  return Fact;
}

namespace {
struct Renaming {
  std::map<std::string, std::string> Forth, Back;

  bool same(const ArgumentFact &A, const ArgumentFact &B) {
    if (A.K != B.K || A.Value != B.Value || A.Align != B.Align ||
        A.Values != B.Values || A.Base.empty() != B.Base.empty() ||
        A.Fields.size() != B.Fields.size())
      return false;
    if (!A.Base.empty() &&
        (Forth.try_emplace(A.Base, B.Base).first->second != B.Base ||
         Back.try_emplace(B.Base, A.Base).first->second != A.Base))
      return false;
    for (const auto &[L, R] : llvm::zip_equal(A.Fields, B.Fields))
      if (L.first != R.first || !same(L.second, R.second))
        return false;
    return true;
  }
};
} // namespace

bool sameFacts(const std::vector<ArgumentFact> &A,
               const std::vector<ArgumentFact> &B) {
  if (A.size() != B.size())
    return false;
  Renaming R;
  for (const auto &[L, Other] : llvm::zip_equal(A, B))
    if (!R.same(L, Other))
      return false;
  return true;
}

} // namespace warplint::launch
