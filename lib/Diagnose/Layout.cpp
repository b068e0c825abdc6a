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
#include "llvm/ADT/bit.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MathExtras.h"
#include <algorithm>
#include <numeric>

using namespace llvm;

namespace warplint {

namespace {

/// The array as its accesses show it.
struct SharedArray {
  std::string Name;
  unsigned ElementBytes = 0;
  /// Widest access: rows must stay multiples of it.
  unsigned WidestAccess = 0;
  std::vector<uint64_t> Extents;
  /// Bytes of the whole array, 0 where not known (dynamic shared memory).
  uint64_t TotalBytes = 0;
};

/// Byte offset in the array -> byte offset in the changed array.
using Layout = function_ref<int64_t(int64_t)>;

} // namespace

static SharedArray describeArray(const Site &S, const Context &C) {
  const AccessNames &Names = S.Worst->Names;
  SharedArray Array;
  Array.Name = objectName(*S.Worst);
  Array.Extents = Names.Extents;
  for (const NamedAccess *N : C.sameObject(*S.Worst)) {
    // Where a cast widens an access the subscript's own size is elsewhere.
    unsigned Bytes = N->Names.ElementBytes ? N->Names.ElementBytes : N->A.Bytes;
    if (!Array.ElementBytes || Bytes < Array.ElementBytes)
      Array.ElementBytes = Bytes;
    Array.WidestAccess =
        std::max(Array.WidestAccess, N->A.Matrices ? 16 : N->A.Bytes);
  }
  if (!Array.Extents.empty()) {
    Array.TotalBytes = Array.ElementBytes;
    for (uint64_t Extent : Array.Extents)
      Array.TotalBytes *= Extent;
  }
  return Array;
}

static unsigned unitsUnder(const Access &A, const MachineModel &Machine,
                           Layout Map) {
  LaneAddresses Moved = A.Offsets;
  for (int64_t &Offset : Moved)
    Offset = Map(Offset);
  return A.Matrices ? Machine.ldmatrixRequest(Moved, A.Matrices).Units
                    : Machine.sharedRequest(Moved, A.Active, A.Bytes).Units;
}

/// Wavefronts of the typical request without a conflict.
static unsigned bestUnits(const Access &A, const MachineModel &Machine) {
  return std::max(A.Typical.Ideal, conflictFreePasses(A, Machine, A.Active));
}

/// Every member of \p S reaches its ideal under \p Map and no other exact
/// access to the array costs more than before.
static bool removesConflict(const Site &S, const Context &C, Layout Map) {
  for (const NamedAccess *N : S.Members)
    if (unitsUnder(N->A, C.machine(), Map) > bestUnits(N->A, C.machine()))
      return false;
  for (const NamedAccess *N : C.sameObject(*S.Worst))
    if (N->A.Exact && unitsUnder(N->A, C.machine(), Map) > N->A.Typical.Units)
      return false;
  return true;
}

static int64_t floorDiv(int64_t A, int64_t B) {
  return divideFloorSigned(A, B);
}

/// Smallest pad, in bytes, after each \p Row bytes that removes the conflict.
static std::optional<int64_t> findPad(const Site &S, const Context &C,
                                      const SharedArray &Array, int64_t Row) {
  int64_t Step = std::lcm<int64_t>(Array.ElementBytes, Array.WidestAccess);
  int64_t Most = int64_t(C.machine().banks()) * C.machine().bankBytes();
  for (int64_t Pad = Step; Pad <= std::max(Most, Step); Pad += Step) {
    auto Padded = [&](int64_t Offset) {
      return Offset + floorDiv(Offset, Row) * Pad;
    };
    if (removesConflict(S, C, Padded))
      return Pad;
  }
  return std::nullopt;
}

/// Bytes a pad adds to the block, 0 where the array's size is not known.
static uint64_t extraBytes(const SharedArray &Array, int64_t Row, int64_t Pad) {
  return Array.TotalBytes ? divideCeil(Array.TotalBytes, Row) * Pad : 0;
}

/// "1 wavefront a request".
static std::string bestCost(const Site &S, const Context &C) {
  unsigned Units = bestUnits(S.access(), C.machine());
  return formatv("{0} {1} a request", Units,
                 unitName(MemorySpace::Shared, Units));
}

static std::string costOfPad(const Site &S, const Context &C,
                             const SharedArray &Array, int64_t Row,
                             int64_t Pad) {
  std::string Text = bestCost(S, C);
  if (uint64_t Extra = extraBytes(Array, Row, Pad))
    Text += formatv(", {0} more bytes of shared memory a block", Extra).str();
  return Text;
}

/// Rows of the declared array, where the lanes do step by whole rows or stay
/// inside one.
static std::optional<int64_t> declaredRow(const Site &S,
                                          const SharedArray &Array) {
  if (Array.Extents.size() < 2)
    return std::nullopt;
  int64_t Row = Array.Extents.back() * Array.ElementBytes;
  std::optional<int64_t> Stride = dominantStride(S.access());
  if (Stride && std::abs(*Stride) >= Row && *Stride % Row != 0)
    return std::nullopt;
  return Row;
}

static std::optional<std::string> advisePad(const Site &S, const Context &C,
                                            const SharedArray &Array) {
  auto Fits = [&](int64_t Row, int64_t Pad) {
    uint64_t Limit = C.machine().staticSharedLimit();
    return !Array.TotalBytes || Array.TotalBytes > Limit ||
           Array.TotalBytes + extraBytes(Array, Row, Pad) <= Limit;
  };
  std::string Name = Array.Name.empty() ? "the array" : "'" + Array.Name + "'";
  unsigned Element = Array.ElementBytes;

  if (std::optional<int64_t> Row = declaredRow(S, Array))
    if (std::optional<int64_t> Pad = findPad(S, C, Array, *Row);
        Pad && Fits(*Row, *Pad))
      return formatv("fix: pad the rows of {0} from {1} to {2} elements: {3}",
                     Name, *Row / Element, (*Row + *Pad) / Element,
                     costOfPad(S, C, Array, *Row, *Pad))
          .str();

  std::optional<int64_t> Stride = dominantStride(S.access());
  if (!Stride || *Stride % Element != 0)
    return std::nullopt;
  // A stride of a few elements is no row that one would pad.
  constexpr int64_t ShortestRow = 4;
  int64_t Row = std::abs(*Stride);
  if (Row >= ShortestRow * Element)
    if (std::optional<int64_t> Pad = findPad(S, C, Array, Row);
        Pad && Fits(Row, *Pad))
      return formatv("fix: let lanes step {0} elements of {1} apart instead of "
                     "{2} (pad each row by {3}): {4}",
                     (Row + *Pad) / Element, Name, Row / Element,
                     *Pad / Element, costOfPad(S, C, Array, Row, *Pad))
          .str();

  int64_t AllBanks = int64_t(C.machine().banks()) * C.machine().bankBytes();
  if (AllBanks % Element == 0)
    if (std::optional<int64_t> Pad = findPad(S, C, Array, AllBanks);
        Pad && Fits(AllBanks, *Pad))
      return formatv("fix: leave {0} free after every {1} elements of {2} "
                     "(index i + {3}i / {1}): {4}",
                     *Pad / Element == 1
                         ? std::string("one element")
                         : formatv("{0} elements", *Pad / Element).str(),
                     AllBanks / Element, Name,
                     *Pad / Element == 1
                         ? std::string()
                         : formatv("{0} * ", *Pad / Element).str(),
                     costOfPad(S, C, Array, AllBanks, *Pad))
          .str();
  return std::nullopt;
}

/// XOR of the column, in units of the widest access, with the row.
static std::optional<std::string> adviseSwizzle(const Site &S, const Context &C,
                                                const SharedArray &Array) {
  std::optional<int64_t> Row = declaredRow(S, Array);
  std::optional<int64_t> Stride = dominantStride(S.access());
  if (!Row && Stride)
    Row = std::abs(*Stride);
  int64_t Unit = std::max(Array.ElementBytes, Array.WidestAccess);
  if (!Row || !Unit || *Row % Unit != 0 || *Row <= Unit ||
      !isPowerOf2_64(*Row / Unit))
    return std::nullopt;
  int64_t Columns = *Row / Unit;
  auto Swizzled = [&](int64_t Offset) {
    int64_t R = floorDiv(Offset, *Row), In = Offset - R * *Row;
    int64_t Column = (In / Unit) ^ (R & (Columns - 1));
    return R * *Row + Column * Unit + In % Unit;
  };
  if (!removesConflict(S, C, Swizzled))
    return std::nullopt;
  return formatv("fix: store column c of row r at column c ^ (r % {0}), in "
                 "units of {1}: {2} without padding",
                 Columns,
                 Unit == Array.ElementBytes ? std::string("one element")
                                            : formatv("{0} bytes", Unit).str(),
                 bestCost(S, C))
      .str();
}

std::string adviseLayout(const Site &S, const Context &C) {
  SharedArray Array = describeArray(S, C);
  if (Array.ElementBytes && S.exact()) {
    if (std::optional<std::string> Pad = advisePad(S, C, Array))
      return *Pad;
    if (std::optional<std::string> Swizzle = adviseSwizzle(S, C, Array))
      return *Swizzle;
  }
  if (S.exact())
    return "fix: let neighbouring lanes take neighbouring words; no padding "
           "and "
           "no XOR swizzle of this array removes the conflict without slowing "
           "another access to it";
  return "fix: let neighbouring lanes take neighbouring words, or give the "
         "rows an odd length in words";
}

} // namespace warplint
