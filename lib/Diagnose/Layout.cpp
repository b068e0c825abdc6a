//===- Layout.cpp - Padding and swizzles that remove bank conflicts -------===//
//
// Part of Warplint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Layout.h"
#include "warplint/Diagnose/Vocabulary.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/bit.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MathExtras.h"
#include "llvm/Support/Path.h"
#include <algorithm>
#include <numeric>

using namespace llvm;

namespace warplint {

namespace {

/// What a change does to all accesses to the array.
struct Effect {
  bool Solves = true; ///< the site's own accesses reach their best
  double Total = 0;   ///< wavefronts a warp spends on the array
  const NamedAccess *Worse = nullptr; ///< an access that then costs more
  unsigned WorseUnits = 0;
};

class LayoutSearch {
public:
  LayoutSearch(const Site &S, const Context &C);
  std::string advise() const;
  std::vector<LayoutChange> repairs() const;
  /// One of the changes removes the conflict and slows nothing.
  bool solvable() const;

private:
  std::vector<LayoutChange> candidates() const;
  void pads(LayoutChange::Kind K, int64_t Row, int64_t Most,
            std::vector<LayoutChange> &Into) const;
  std::optional<int64_t> declaredRow() const;
  Effect effectOf(const LayoutChange &Layout) const;
  unsigned unitsUnder(const Access &A, const LayoutChange &Layout) const;
  uint64_t extraBytes(const LayoutChange &Layout) const;
  std::string asWritten(int64_t Columns, int64_t Unit) const;
  std::string describe(const LayoutChange &Layout, const Effect &Is) const;

  const Site &S;
  const Context &C;
  const MachineModel &Machine;
  std::string Name;
  int64_t Element = 0; ///< bytes of an element
  int64_t Widest = 0;  ///< of the accesses: rows must stay multiples of it
  /// Bytes of the whole array, 0 where not known (dynamic shared memory).
  uint64_t TotalBytes = 0;
  /// Lane stride in bytes, or 0.
  int64_t Stride = 0;
};

} // namespace

int64_t LayoutChange::operator()(int64_t Offset) const {
  int64_t R = divideFloorSigned(Offset, Row), In = Offset - R * Row;
  if (K != Swizzle)
    return Offset + R * Pad;
  int64_t Column = (In / Pad) ^ (R & (Row / Pad - 1));
  return R * Row + Column * Pad + In % Pad;
}

uint64_t declaredElementBytes(const NamedAccess &N) {
  uint64_t Elements = N.Names.Extents.empty() ? 0 : 1;
  for (uint64_t Extent : N.Names.Extents)
    Elements *= Extent;
  return Elements && N.A.ObjectBytes % Elements == 0
             ? N.A.ObjectBytes / Elements
             : 0;
}

LayoutSearch::LayoutSearch(const Site &S, const Context &C)
    : S(S), C(C), Machine(C.machine()), Name(objectName(*S.Worst)) {
  Name = Name.empty() ? "the array" : "'" + Name + "'";
  for (const NamedAccess *N : C.sameObject(*S.Worst)) {
    // Where a cast widens an access the subscript's own size is elsewhere.
    int64_t Bytes = N->Names.ElementBytes ? N->Names.ElementBytes : N->A.Bytes;
    if (!Element || Bytes < Element)
      Element = Bytes;
    // A row of ldmatrix has 16 bytes.
    Widest = std::max<int64_t>(Widest, N->A.Matrices ? 16 : N->A.Bytes);
  }
  // A person counts in what the declaration counts in.
  if (uint64_t Declared = declaredElementBytes(*S.Worst))
    Element = Declared;
  if (!S.Worst->Names.Extents.empty()) {
    TotalBytes = Element;
    for (uint64_t Extent : S.Worst->Names.Extents)
      TotalBytes *= Extent;
  }
  if (std::optional<int64_t> Found = dominantStride(S.access()))
    Stride = std::abs(*Found);
}

unsigned LayoutSearch::unitsUnder(const Access &A,
                                  const LayoutChange &Layout) const {
  LaneAddresses Moved = A.Offsets;
  for (int64_t &Offset : Moved)
    Offset = Layout(Offset);
  return A.Matrices
             ? Machine.ldmatrixRequest(Moved, A.Matrices).Units
             : Machine.sharedRequest(Moved, A.Active, A.Bytes, A.Shared).Units;
}

Effect LayoutSearch::effectOf(const LayoutChange &Layout) const {
  Effect Is;
  for (const NamedAccess *N : S.Members)
    Is.Solves &= unitsUnder(N->A, Layout) <= N->A.Typical.Ideal;
  if (!Is.Solves)
    return Is;
  for (const NamedAccess *N : C.sameObject(*S.Worst)) {
    if (!N->A.Exact)
      continue;
    unsigned Units = unitsUnder(N->A, Layout);
    Is.Total += Units * N->A.Weight;
    if (Units > N->A.Typical.Units && Units > Is.WorseUnits) {
      Is.Worse = N;
      Is.WorseUnits = Units;
    }
  }
  return Is;
}

/// Bytes of a row of the declared array, where the lanes do step by whole rows
/// or stay inside one.
std::optional<int64_t> LayoutSearch::declaredRow() const {
  const std::vector<uint64_t> &Extents = S.Worst->Names.Extents;
  if (Extents.size() < 2)
    return std::nullopt;
  int64_t Row = Extents.back() * Element;
  if (Stride >= Row && Stride % Row != 0)
    return std::nullopt;
  return Row;
}

uint64_t LayoutSearch::extraBytes(const LayoutChange &Layout) const {
  return TotalBytes ? divideCeil(TotalBytes, Layout.Row) * Layout.Pad : 0;
}

/// Pads of up to \p Most bytes that keep every access aligned and the array
/// inside what a block may declare.
void LayoutSearch::pads(LayoutChange::Kind K, int64_t Row, int64_t Most,
                        std::vector<LayoutChange> &Into) const {
  int64_t Step = std::lcm(Element, Widest);
  uint64_t Limit = Machine.staticSharedLimit();
  for (int64_t Pad = Step; Pad <= std::max(Most, Step); Pad += Step) {
    LayoutChange Layout{K, Row, Pad};
    if (TotalBytes <= Limit && TotalBytes + extraBytes(Layout) > Limit)
      return;
    Into.push_back(Layout);
  }
}

/// In the order in which one would rather have them.
std::vector<LayoutChange> LayoutSearch::candidates() const {
  std::vector<LayoutChange> Layouts;
  int64_t AllBanks = int64_t(Machine.banks()) * Machine.bankBytes();
  std::optional<int64_t> Declared = declaredRow();
  // A row that grows by more than half is a different array.
  auto MostFor = [&](int64_t Row) { return std::min(AllBanks, Row / 2); };
  if (Declared)
    pads(LayoutChange::DeclaredRows, *Declared, MostFor(*Declared), Layouts);
  // A stride of a few elements is no row that one would pad.
  constexpr int64_t ShortestRow = 4;
  if (Stride >= ShortestRow * Element && Stride % Element == 0)
    pads(LayoutChange::LaneRows, Stride, MostFor(Stride), Layouts);
  constexpr int64_t MostGap = 8;
  if (Stride && AllBanks % Element == 0)
    pads(LayoutChange::Gaps, AllBanks, AllBanks / MostGap, Layouts);
  int64_t Row = Declared.value_or(Stride), Unit = std::max(Element, Widest);
  if (Row > Unit && Row % Unit == 0 && isPowerOf2_64(Row / Unit))
    Layouts.push_back({LayoutChange::Swizzle, Row, Unit});
  return Layouts;
}

static std::string elements(int64_t Count) {
  return Count == 1 ? "one element" : formatv("{0} elements", Count).str();
}

/// ": write 'tile[y][x ^ (y % 32)]' for 'tile[y][x]', and so at each of its
/// uses"; "" where the subscripts are not known.
std::string LayoutSearch::asWritten(int64_t Columns, int64_t Unit) const {
  const std::vector<std::string> &Indices = S.Worst->Names.Indices;
  const std::string &Array = S.Worst->Names.Variable;
  if (Indices.size() != 2 || S.Worst->Names.Extents.size() != 2)
    return "";
  auto Operand = [](StringRef Text) {
    bool Word =
        all_of(Text, [](char C) { return isAlnum(C) || C == '_' || C == '.'; });
    return Word ? Text.str() : ("(" + Text + ")").str();
  };
  std::string Turned = Operand(Indices[0]) + " % " + std::to_string(Columns);
  if (Unit > 1)
    Turned += " * " + std::to_string(Unit);
  return formatv(", as '{0}[{1}][{2} ^ ({3})]' for '{0}[{1}][{4}]' and so at "
                 "each use",
                 Array, Indices[0], Operand(Indices[1]), Turned, Indices[1])
      .str();
}

std::string LayoutSearch::describe(const LayoutChange &Layout,
                                   const Effect &Is) const {
  int64_t Row = Layout.Row / Element, Pad = Layout.Pad / Element;
  std::string Text;
  switch (Layout.K) {
  case LayoutChange::DeclaredRows:
    Text = formatv("pad the rows of {0} from {1} to {2} elements", Name, Row,
                   Row + Pad);
    break;
  case LayoutChange::LaneRows:
    Text = formatv("let lanes step {0} elements of {1} apart instead of {2} "
                   "(pad each row by {3})",
                   Row + Pad, Name, Row, Pad);
    break;
  case LayoutChange::Gaps:
    Text = formatv("leave {0} free after every {1} elements of {2} (index i + "
                   "{3}i / {1}{4})",
                   elements(Pad), Row, Name,
                   Pad == 1 ? "" : formatv("{0} * (", Pad).str(),
                   Pad == 1 ? "" : ")");
    break;
  case LayoutChange::Swizzle:
    Text = formatv("store column c of row r of {0} at column c ^ (r % {1}{2})",
                   Name, Layout.Row / Layout.Pad,
                   Pad == 1 ? "" : formatv(" * {0}", Pad).str());
    Text += asWritten(Layout.Row / Layout.Pad, Pad);
    break;
  }
  unsigned Units = S.access().Typical.Ideal;
  Text = formatv("fix: {0}: {1} {2} a request", Text, Units,
                 unitName(MemorySpace::Shared, Units));
  if (Layout.K == LayoutChange::Swizzle)
    Text += " without padding";
  else if (uint64_t Extra = extraBytes(Layout))
    Text += formatv(", {0} more bytes of shared memory a block", Extra).str();
  if (Is.Worse)
    Text += formatv("; the access at line {0} then takes {1}",
                    Is.Worse->A.Place.Line, Is.WorseUnits)
                .str();
  return Text;
}

std::string LayoutSearch::advise() const {
  if (!Element || !S.exact())
    return "fix: let neighbouring lanes take neighbouring words, or give the "
           "rows an odd length in words";
  // Second choice: what costs another access something and still gains at
  // least half of what the conflict costs.
  double Now = 0;
  for (const NamedAccess *N : C.sameObject(*S.Worst))
    if (N->A.Exact)
      Now += N->A.Typical.Units * N->A.Weight;
  double BestTotal = Now - S.excess() / 2;
  std::optional<std::pair<LayoutChange, Effect>> Best;
  for (const LayoutChange &Layout : candidates()) {
    Effect Is = effectOf(Layout);
    if (!Is.Solves)
      continue;
    if (!Is.Worse)
      return describe(Layout, Is);
    if (Is.Total < BestTotal) {
      BestTotal = Is.Total;
      Best.emplace(Layout, Is);
    }
  }
  if (Best)
    return describe(Best->first, Best->second);
  return "fix: let neighbouring lanes take neighbouring words; no padding of "
         "up "
         "to half a row and no XOR swizzle of this array removes the conflict "
         "without slowing another access to it";
}

std::vector<LayoutChange> LayoutSearch::repairs() const {
  // Each is a parse of the changed text.
  constexpr size_t MostOfAKind = 2;
  std::vector<LayoutChange> Found;
  int64_t Declared = declaredElementBytes(*S.Worst);
  if (!Element || !Declared || !S.exact())
    return Found;
  bool Flat = S.Worst->Names.Extents.size() == 1;
  for (const LayoutChange &Layout : candidates()) {
    bool OfLanes =
        Layout.K == LayoutChange::LaneRows || Layout.K == LayoutChange::Gaps;
    if (OfLanes != Flat || Layout.Pad % Declared || Layout.Row % Declared)
      continue;
    auto SameKind = [&](const LayoutChange &Other) {
      return Other.K == Layout.K;
    };
    Effect Is = effectOf(Layout);
    if (Is.Solves && !Is.Worse &&
        size_t(count_if(Found, SameKind)) < MostOfAKind)
      Found.push_back(Layout);
  }
  return Found;
}

bool LayoutSearch::solvable() const {
  return Element && any_of(candidates(), [&](const LayoutChange &Layout) {
           Effect Is = effectOf(Layout);
           return Is.Solves && !Is.Worse;
         });
}

std::string whyNoRepair(const Site &S, const Context &C) {
  const AccessNames &Names = S.Worst->Names;
  if (!S.exact())
    return "the number is not exact, so that no run could show what an edit "
           "gains";
  const Access &A = S.access();
  if (A.Object.empty())
    return "which array is accessed is not known";
  std::string Array = objectName(*S.Worst);
  if (A.Instruction.File != A.Place.File)
    return formatv("'{0}' is accessed in '{1}', which is not among your files",
                   Array, sys::path::filename(A.Instruction.File));
  // An array without a size of its own is one whose size the launch gives.
  if (Names.Dynamic || (!A.ObjectMangled.empty() && !A.ObjectBytes))
    return "'" + Array +
           "' is dynamic shared memory, whose size the launch gives";
  if (Names.Variable.empty())
    return "no subscript of '" + Array + "' is written here";
  if (Names.Variable != Array)
    return formatv("the access goes through '{0}'; what else counts on the "
                   "rows of '{1}' is not known",
                   Names.Variable, Array);
  if (Names.Extents.empty())
    return Names.Record.empty()
               ? "'" + Array +
                     "' is no array of a size that its declaration tells"
               : "the array is a member of " +
                     (StringRef(Names.Record).contains("(unnamed")
                          ? "a record"
                          : "'" + Names.Record + "'");
  if (LayoutSearch(S, C).solvable())
    return "the change is one of where each element of '" + Array +
           "' lies, and its subscripts are to be rewritten by hand";
  return "no padding and no swizzle of '" + Array +
         "' removes the conflict without slowing another access to it";
}

std::vector<LayoutChange> repairsOf(const Site &S, const Context &C) {
  return LayoutSearch(S, C).repairs();
}

std::string adviseLayout(const Site &S, const Context &C) {
  return LayoutSearch(S, C).advise();
}

} // namespace warplint
