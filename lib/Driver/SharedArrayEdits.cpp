//===- SharedArrayEdits.cpp - Other layouts of a shared array, as text ----===//
//
// Part of Warplint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "warplint/Driver/SharedArrays.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"

using namespace llvm;

namespace warplint {

using Edits = std::vector<SourceEdit>;

/// The number that \p Text is, where it is a decimal one.
static std::optional<uint64_t> decimal(StringRef Text) {
  uint64_t Value = 0;
  if (Text.empty() || !all_of(Text, isDigit) || Text.front() == '0' ||
      Text.getAsInteger(10, Value))
    return std::nullopt;
  return Value;
}

/// A name, a number, `threadIdx.x`, or something in parentheses.
static bool isOneWord(StringRef Text) {
  return all_of(Text,
                [](char C) { return isAlnum(C) || C == '_' || C == '.'; });
}

static std::string operand(StringRef Text) {
  return isOneWord(Text) ? Text.str() : ("(" + Text + ")").str();
}

/// "33" for "32", "TILE + 1" for "TILE".
static std::string sum(const TextRange &Text, uint64_t Elements) {
  if (std::optional<uint64_t> Value = decimal(Text.Text))
    return std::to_string(*Value + Elements);
  return (Text.Loose ? "(" + Text.Text + ")" : Text.Text) + " + " +
         std::to_string(Elements);
}

static SourceEdit longer(const ConstantFactor &F, unsigned Elements) {
  std::string Text = sum(F.Text, Elements);
  return F.Text.replacedBy(isOneWord(Text) ? Text : "(" + Text + ")");
}

/// The factors of value \p Row, one of each product.
static std::vector<const ConstantFactor *>
factorsOf(ArrayRef<ConstantFactor> Factors, int64_t Row) {
  std::vector<const ConstantFactor *> Found;
  for (const ConstantFactor &F : Factors) {
    if (!is_contained(F.Values, Row))
      continue;
    // The last one: in `float s[TILE * TILE]` it is the row's.
    if (!Found.empty() && Found.back()->Product == F.Product)
      Found.back() = &F;
    else
      Found.push_back(&F);
  }
  return Found;
}

Edits SharedArray::padded(unsigned Elements) const {
  Edits All = WriteOut;
  SourceEdit Longer = Extent.replacedBy(sum(Extent, Elements));
  if (WriteOut.empty())
    return {Longer};
  // The text is in the last of them, as it was.
  SourceEdit &Last = All.back();
  size_t At = Last.Text.rfind("[" + Extent.Text + "]");
  Last.Text.replace(At + 1, Extent.Text.size(), Longer.Text);
  return All;
}

/// The declaration of \p A with \p Elements more for every \p Row.
static SourceEdit largerExtent(const SharedArray &A, int64_t Row,
                               unsigned Elements) {
  if (std::vector<const ConstantFactor *> Rows = factorsOf(A.Factors, Row);
      Rows.size() == 1)
    return longer(*Rows.front(), Elements);
  if (std::optional<uint64_t> Size = decimal(A.Extent.Text))
    return A.Extent.replacedBy(
        std::to_string(*Size + divideCeil(*Size, Row) * Elements));
  std::string Size = A.Extent.Loose ? "(" + A.Extent.Text + ")" : A.Extent.Text;
  std::string Part = operand(A.Extent.Text) + " / " + std::to_string(Row);
  if (Elements > 1)
    Part += " * " + std::to_string(Elements);
  return A.Extent.replacedBy(Size + " + " + Part);
}

static Error refuse(const SharedArray &A, const Twine &Why) {
  return createStringError(Why + " '" + A.Name + "'");
}

static Error checkFlat(const SharedArray &A) {
  if (A.Rank != 1 || !A.WriteOut.empty() || A.Extent.Text.empty())
    return refuse(A, "no rows are written out in the declaration of");
  if (!A.MoveObstacle.empty())
    return createStringError(A.MoveObstacle);
  return Error::success();
}

Expected<Edits> SharedArray::columnsOnly(int64_t Row) const {
  Edits All;
  if (Rank == 2) {
    for (const ArraySubscript &S : Subscripts)
      if (S.Row.Text != "0")
        All.push_back(S.Row.replacedBy("0"));
    return All;
  }
  if (Error E = checkFlat(*this))
    return std::move(E);
  for (const ArraySubscript &S : Subscripts)
    for (const ConstantFactor *F : factorsOf(S.Factors, Row))
      All.push_back(F->Text.replacedBy("0"));
  if (All.empty())
    return refuse(
        *this, formatv("no index counts rows of {0} elements of", Row).str());
  return All;
}

Expected<Edits> SharedArray::pitched(int64_t Row, unsigned Elements) const {
  if (Error E = checkFlat(*this))
    return std::move(E);
  Edits All = {largerExtent(*this, Row, Elements)};
  for (const ArraySubscript &S : Subscripts)
    for (const ConstantFactor *F : factorsOf(S.Factors, Row))
      All.push_back(longer(*F, Elements));
  return All;
}

static Error checkRepeatable(const SharedArray &A) {
  for (const ArraySubscript &S : A.Subscripts)
    if (!S.Repeatable)
      return createStringError("the index '" + S.Index.Text +
                               "' cannot be written a second time");
  return Error::success();
}

Expected<Edits> SharedArray::gapped(int64_t Row, unsigned Elements) const {
  if (Error E = checkFlat(*this))
    return std::move(E);
  if (Error E = checkRepeatable(*this))
    return std::move(E);
  Edits All = {largerExtent(*this, Row, Elements)};
  for (const ArraySubscript &S : Subscripts) {
    if (std::optional<uint64_t> Index = decimal(S.Index.Text)) {
      if (*Index >= static_cast<uint64_t>(Row))
        All.push_back(S.Index.replacedBy(
            std::to_string(*Index + *Index / Row * Elements)));
      continue;
    }
    if (S.Index.Text == "0")
      continue;
    std::string Skipped = operand(S.Index.Text) + " / " + std::to_string(Row);
    if (Elements > 1)
      Skipped += " * " + std::to_string(Elements);
    All.push_back(S.Index.replacedBy(
        (S.Index.Loose ? "(" + S.Index.Text + ")" : S.Index.Text) + " + " +
        Skipped));
  }
  return All;
}

Expected<Edits> SharedArray::swizzled(int64_t Columns, int64_t Unit) const {
  if (Rank != 2)
    return refuse(*this, "there is no one row and column to each index of");
  if (!MoveObstacle.empty())
    return createStringError(MoveObstacle);
  if (Error E = checkRepeatable(*this))
    return std::move(E);
  Edits All;
  for (const ArraySubscript &S : Subscripts) {
    if (S.Row.Text == "0")
      continue;
    std::string Turned = operand(S.Row.Text) + " % " + std::to_string(Columns);
    if (Unit > 1)
      Turned += " * " + std::to_string(Unit);
    All.push_back(
        S.Index.replacedBy(operand(S.Index.Text) + " ^ (" + Turned + ")"));
  }
  return All;
}

} // namespace warplint
