//===- RepairArrays.cpp - Shared arrays in another layout -----------------===//
//
// Part of Warplint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "FixTrials.h"
#include "warplint/Diagnose/Vocabulary.h"
#include "warplint/Driver/SharedArrays.h"
#include "clang/AST/ASTContext.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MathExtras.h"
#include <map>

using namespace llvm;

namespace warplint {

namespace {

/// One array, and the layouts that are tried.
struct Candidate {
  const SharedArray *Array = nullptr;
  std::vector<size_t> Findings; ///< indices into the report's
  std::vector<LayoutChange> Layouts;
  uint64_t ElementBytes = 0;
  StringSet<> Kernels; ///< mangled names of those that use it
  StringSet<> Objects; ///< the array's own, one for each instantiation

  bool holds(const NamedAccess &N) const {
    return !N.A.ObjectMangled.empty() && Objects.contains(N.A.ObjectMangled);
  }
};

/// One text that is run.
struct Trial {
  LayoutChange Layout;
  std::vector<SourceEdit> Edits;
  /// Where edits count on columns that stay inside their rows: a run over this
  /// text shows whether they do.
  std::vector<SourceEdit> ColumnsOnly;
  std::string Description;
};

class ArrayRepairs {
public:
  explicit ArrayRepairs(FixTrials &Trials) : Trials(Trials) {}
  void offer(Offers &Into);

private:
  std::vector<Candidate> candidates();
  std::vector<Trial> trials(const Candidate &C, std::string &Why);
  std::string describe(const Candidate &C, const Trial &T) const;
  Expected<int64_t> rowBytes(const Trial &T, const Access &Old,
                             const Access &New) const;
  Error checkMoves(const Candidate &C, const Trial &T,
                   const FixTrials::Pairs &Both, uint64_t &ExtraBytes);
  Error checkColumns(const Candidate &C, const Trial &T,
                     const FixTrials::Pairs &Both);
  Error checkUnreached(const Candidate &C, const FixTrials::Run &R);
  Expected<ProvenFix> prove(const Candidate &C, const Trial &T);

  FixTrials &Trials;
  std::vector<SharedArray> Arrays;
  /// Lengths of rows which columns of the array at hand do run over.
  std::set<int64_t> NoRows;
};

} // namespace

static void rewriteFiles(std::vector<ConstantFactor> &Factors,
                         function_ref<void(std::string &)> Rewrite) {
  for (ConstantFactor &F : Factors)
    Rewrite(F.Text.File);
}

std::vector<Candidate> ArrayRepairs::candidates() {
  const FileReport &Report = Trials.report();
  Arrays = findSharedArrays(Trials.context());
  auto Rewrite = [&](std::string &File) { File = Trials.realPath(File); };
  for (SharedArray &A : Arrays) {
    Trials.rewrite(A.Place);
    Rewrite(A.Extent.File);
    rewriteFiles(A.Factors, Rewrite);
    for (SourceEdit &E : A.WriteOut)
      Rewrite(E.File);
    for (ArraySubscript &S : A.Subscripts) {
      Rewrite(S.Index.File);
      rewriteFiles(S.Factors, Rewrite);
    }
  }
  std::vector<Candidate> All;
  for (size_t I = 0; I < Report.Findings.size(); ++I) {
    const std::optional<ArrayRepair> &Repair = Report.Findings[I].Repair;
    if (!Repair)
      continue;
    auto Array = find_if(Arrays, [&](const SharedArray &A) {
      return A.Place == Repair->Declaration;
    });
    if (Array == Arrays.end())
      continue;
    auto C = find_if(
        All, [&](const Candidate &Other) { return Other.Array == &*Array; });
    if (C == All.end()) {
      All.emplace_back().Array = &*Array;
      C = std::prev(All.end());
    }
    C->Findings.push_back(I);
    for (const LayoutChange &Layout : Repair->Layouts)
      if (!is_contained(C->Layouts, Layout))
        C->Layouts.push_back(Layout);
    C->ElementBytes = Repair->ElementBytes;
  }
  for (Candidate &C : All) {
    // The smallest of a kind first, whichever finding wants it.
    sort(C.Layouts, [](const LayoutChange &A, const LayoutChange &B) {
      return std::tie(A.K, A.Pad, A.Row) < std::tie(B.K, B.Pad, B.Row);
    });
    for (size_t I : C.Findings)
      for (size_t A : Report.Findings[I].Repair->Accesses)
        C.Objects.insert(Report.Accesses[A].A.ObjectMangled);
    for (const NamedAccess &N : Report.Accesses)
      if (N.Names.Declaration == C.Array->Place && !N.A.ObjectMangled.empty() &&
          N.A.Space == MemorySpace::Shared)
        C.Objects.insert(N.A.ObjectMangled);
    for (const NamedAccess &N : Report.Accesses)
      if (C.holds(N))
        C.Kernels.insert(Report.Kernels[N.Kernel].Mangled);
  }
  return All;
}

static std::string countElements(int64_t Count) {
  return Count == 1 ? "one element" : formatv("{0} elements", Count).str();
}

std::string ArrayRepairs::describe(const Candidate &C, const Trial &T) const {
  int64_t Row = T.Layout.Row / C.ElementBytes,
          Pad = T.Layout.Pad / C.ElementBytes;
  const std::string &Name = C.Array->Name;
  switch (T.Layout.K) {
  case LayoutChange::DeclaredRows:
  case LayoutChange::LaneRows:
    return formatv("pad the rows of '{0}' from {1} to {2} elements", Name, Row,
                   Row + Pad);
  case LayoutChange::Gaps:
    return formatv("leave {0} free after every {1} elements of '{2}'",
                   countElements(Pad), Row, Name);
  case LayoutChange::Swizzle: {
    std::string Units;
    if (Pad > 1)
      Units = ", in units of " + countElements(Pad);
    return formatv("keep column c of row r of '{0}' at column c ^ (r % {1}){2}",
                   Name, T.Layout.Row / T.Layout.Pad, Units);
  }
  }
  llvm_unreachable("every layout has its words");
}

/// The texts that are worth a run, best first; \p Why: there is none.
std::vector<Trial> ArrayRepairs::trials(const Candidate &C, std::string &Why) {
  std::vector<Trial> All;
  // Why the best layout is not tried, if it is not: what is tried has reasons
  // of its own.
  auto Say = [&](std::string Reason) {
    if (Why.empty() && All.empty())
      Why = std::move(Reason);
  };
  auto Add = [&](LayoutChange Layout, Expected<std::vector<SourceEdit>> Edits,
                 std::vector<SourceEdit> ColumnsOnly = {}) {
    if (!Edits)
      return Say(toString(Edits.takeError()));
    Trial &T = All.emplace_back();
    T.Layout = Layout;
    T.Edits = std::move(*Edits);
    T.ColumnsOnly = std::move(ColumnsOnly);
    T.Description = describe(C, T);
  };
  const SharedArray &A = *C.Array;
  if (A.Extent.Text.empty()) {
    Say(A.Obstacle);
    return All;
  }
  for (const LayoutChange &Layout : C.Layouts) {
    int64_t Row = Layout.Row / C.ElementBytes,
            Pad = Layout.Pad / C.ElementBytes;
    if (Row % A.VectorElements || Pad % A.VectorElements) {
      Say(A.VectorUse);
      continue;
    }
    switch (Layout.K) {
    case LayoutChange::DeclaredRows:
      if (A.Obstacle.empty())
        Add(Layout, A.padded(Pad));
      else
        Say(A.Obstacle);
      break;
    case LayoutChange::LaneRows:
      if (Expected<std::vector<SourceEdit>> Columns = A.columnsOnly(Row)) {
        Add(Layout, A.pitched(Row, Pad), std::move(*Columns));
        break;
      } else {
        consumeError(Columns.takeError());
      }
      // The same places, told by the index as a whole.
      Add({LayoutChange::Gaps, Layout.Row, Layout.Pad}, A.gapped(Row, Pad));
      break;
    case LayoutChange::Gaps:
      Add(Layout, A.gapped(Row, Pad));
      break;
    case LayoutChange::Swizzle:
      if (Expected<std::vector<SourceEdit>> Columns = A.columnsOnly(Row))
        Add(Layout, A.swizzled(Layout.Row / Layout.Pad, Pad),
            std::move(*Columns));
      else
        Say(toString(Columns.takeError()));
      break;
    }
  }
  return All;
}

/// The rows that have grown, of one instantiation.
Expected<int64_t> ArrayRepairs::rowBytes(const Trial &T, const Access &Old,
                                         const Access &New) const {
  if (T.Layout.K == LayoutChange::Swizzle)
    return T.Layout.Row;
  uint64_t Extra = New.ObjectBytes - Old.ObjectBytes, Pad = T.Layout.Pad;
  bool Grew = New.ObjectBytes > Old.ObjectBytes && Extra % Pad == 0;
  if (Grew && T.Layout.K == LayoutChange::Gaps &&
      Extra / Pad >= (Old.ObjectBytes - 1) / T.Layout.Row)
    return T.Layout.Row;
  if (!Grew || T.Layout.K == LayoutChange::Gaps ||
      Old.ObjectBytes % (Extra / Pad))
    return createStringError("the array did not grow as it should");
  return Old.ObjectBytes / (Extra / Pad);
}

/// The array must have grown as the edit says. Where no index was edited, every
/// element must be where its longer row puts it: an index that runs over the
/// end of its row ends up elsewhere.
Error ArrayRepairs::checkMoves(const Candidate &C, const Trial &T,
                               const FixTrials::Pairs &Both,
                               uint64_t &ExtraBytes) {
  for (auto [Old, New] : Both) {
    if (!C.holds(*Old))
      continue;
    const Access &A = Old->A, &B = New->A;
    Expected<int64_t> Row = rowBytes(T, A, B);
    if (!Row)
      return Row.takeError();
    ExtraBytes = std::max(ExtraBytes, B.ObjectBytes - A.ObjectBytes);
    // Where each index was edited, what it means is the same element.
    if (!A.Exact || T.Layout.K != LayoutChange::DeclaredRows)
      continue;
    LayoutChange Own = {T.Layout.K, *Row, T.Layout.Pad};
    bool Moved = A.Active == B.Active;
    for (unsigned L = 0; L < WarpLanes; ++L)
      if (Moved && (A.Active >> L & 1))
        Moved = B.Offsets[L] == Own(A.Offsets[L]);
    if (!Moved)
      return createStringError(
          formatv("the access at line {0} runs over the end of its row, whose "
                  "length must stay",
                  A.Place.Line)
              .str());
  }
  return Error::success();
}

/// A column past the end of its row would be another element once rows are
/// longer or columns exchanged.
Error ArrayRepairs::checkColumns(const Candidate &C, const Trial &T,
                                 const FixTrials::Pairs &Both) {
  std::map<std::string, int64_t> Rows;
  for (auto [Old, New] : Both)
    if (C.holds(*Old)) {
      Expected<int64_t> Row = rowBytes(T, Old->A, New->A);
      if (!Row)
        return Row.takeError();
      Rows[Old->A.ObjectMangled] = *Row;
    }
  Expected<FixTrials::Run> R = Trials.run(T.ColumnsOnly, C.Kernels);
  if (!R)
    return R.takeError();
  for (const NamedAccess &N : R->After.Accesses) {
    if (!C.holds(N))
      continue;
    const Access &A = N.A;
    int64_t Width = A.Matrices ? 16 : A.Bytes; // a row of ldmatrix
    if (A.Lowest < 0 || A.Highest > Rows[A.ObjectMangled] - Width)
      return createStringError(
          formatv("the index at line {0} is not known to stay within its row",
                  A.Place.Line)
              .str());
  }
  return Error::success();
}

/// Whether a row is left is not known of an index that no launch in sight
/// computes.
Error ArrayRepairs::checkUnreached(const Candidate &C,
                                   const FixTrials::Run &R) {
  for (const AnalysedKernel &K : R.After.Kernels)
    for (const UnreachedAccess &U : K.Unreached)
      if (U.ObjectMangled.empty() || C.Objects.contains(U.ObjectMangled))
        return createStringError(
            formatv("no launch that is known here comes to line {0}, whose "
                    "index may count on rows of this length",
                    U.Place.Line)
                .str());
  return Error::success();
}

Expected<ProvenFix> ArrayRepairs::prove(const Candidate &C, const Trial &T) {
  Expected<FixTrials::Run> R = Trials.run(T.Edits, C.Kernels);
  if (!R)
    return R.takeError();
  Expected<FixTrials::Pairs> Both = Trials.pair(*R, C.Kernels);
  if (!Both)
    return Both.takeError();
  uint64_t ExtraBytes = 0;
  if (Error E = checkMoves(C, T, *Both, ExtraBytes))
    return std::move(E);
  // Where the whole index tells the new place, it need not be known.
  if (T.Layout.K != LayoutChange::Gaps)
    if (Error E = checkUnreached(C, *R))
      return std::move(E);
  if (Error E = Trials.checkRoom(*R))
    return std::move(E);
  if (Error E = Trials.checkCosts(*Both))
    return std::move(E);
  if (Error E = Trials.checkFindings(*R))
    return std::move(E);
  if (!T.ColumnsOnly.empty())
    if (Error E = checkColumns(C, T, *Both)) {
      NoRows.insert(T.Layout.Row);
      return std::move(E);
    }

  ProvenFix P;
  for (size_t I : C.Findings) {
    const Finding &F = Trials.report().Findings[I];
    if (R->Findings.count(FixTrials::keyOf(F)))
      continue;
    std::vector<const NamedAccess *> Old, New;
    for (size_t A : F.Repair->Accesses)
      for (auto [OldAccess, NewAccess] : *Both)
        if (OldAccess == &Trials.report().Accesses[A]) {
          Old.push_back(OldAccess);
          New.push_back(NewAccess);
        }
    std::string More = ExtraBytes ? std::to_string(ExtraBytes) +
                                        " more bytes of shared memory a block"
                                  : "no more shared memory";
    P.Gone.push_back({I, formatv("{0} -> {1} wavefronts a request, {2}",
                                 formatCount(meanUnits(Old)),
                                 formatCount(meanUnits(New)), More)});
  }
  if (P.Gone.empty())
    return createStringError("the conflict would remain");
  P.Of = C.Array->Name;
  P.Kernels = C.Kernels;
  P.What.Description = T.Description;
  P.What.Edits = T.Edits;
  // Kernels that other files make of a header were not run.
  if (!all_of(T.Edits, [&](const SourceEdit &E) {
        return Trials.liesInMainFile(E.File);
      }))
    P.What.Safety = FixSafety::Review;
  return P;
}

void ArrayRepairs::offer(Offers &Into) {
  // What does not work three times over does not work.
  constexpr unsigned MostTrials = 3;
  for (const Candidate &C : candidates()) {
    std::string Why;
    bool Found = false;
    unsigned Tried = 0;
    NoRows.clear();
    for (const Trial &T : trials(C, Why)) {
      if (Tried == MostTrials)
        break;
      if (!T.ColumnsOnly.empty() && NoRows.count(T.Layout.Row))
        continue;
      ++Tried;
      Expected<ProvenFix> P = prove(C, T);
      if (P) {
        Into.Fixes.push_back(std::move(*P));
        Found = true;
        break;
      }
      std::string Reason = toString(P.takeError());
      if (Why.empty())
        Why = Reason;
    }
    if (!Found)
      Into.Refusals.push_back({C.Findings, Why});
  }
}

void repairArrays(FixTrials &Trials, Offers &Into) {
  if (any_of(Trials.report().Findings,
             [](const Finding &F) { return F.Repair.has_value(); }))
    ArrayRepairs(Trials).offer(Into);
}

} // namespace warplint
