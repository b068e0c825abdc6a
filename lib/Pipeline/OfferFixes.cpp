//===- OfferFixes.cpp - Fixes, each run before it is offered --------------===//
//
// Part of Warplint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "OfferFixes.h"
#include "warplint/Diagnose/Vocabulary.h"
#include "warplint/Driver/ChangedPass.h"
#include "warplint/Driver/SharedArrays.h"
#include "clang/AST/ASTContext.h"
#include "clang/Basic/FileManager.h"
#include "clang/Basic/SourceManager.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MathExtras.h"
#include <map>
#include <set>

using namespace llvm;

namespace warplint {

namespace {

/// Texts of one unit that are parsed and run: each costs what the unit did.
constexpr unsigned MaxRuns = 8;
/// Means are sums of many terms.
constexpr double Equal = 0.005;

using FindingKey = std::tuple<std::string, std::string, unsigned, unsigned>;

/// Edits keep lines, and columns of all lines but their own.
FindingKey keyOf(const Finding &F) {
  return {F.Check, F.Place.File, F.Place.Line, F.start().Column};
}

/// One array's longer rows: what is tried.
struct Candidate {
  const SharedArray *Array = nullptr;
  std::vector<size_t> Findings; ///< indices into the report's
  std::set<unsigned> Pads;      ///< in elements
  uint64_t ElementBytes = 0;
  StringSet<> Kernels; ///< mangled names of those that use it
};

/// A fix that holds by itself.
struct Proven {
  const Candidate *Of = nullptr;
  unsigned Pad = 0;
  SourceEdit Edit;
  uint64_t ExtraBytes = 0; ///< a block, at the most
  std::vector<std::pair<size_t, double>>
      Gone; ///< finding, units a request then
};

class FixOffer {
public:
  FixOffer(clang::ASTContext &Ctx, clang::Preprocessor &PP,
           const MachineModel &Machine, const AnalysisOptions &Options,
           const UnitLink &Link, RealPlaces &Real, FileReport &Report)
      : Ctx(Ctx), PP(PP), Machine(Machine), Options(Options), Link(Link),
        Real(Real), Report(Report) {
    for (const Finding &F : Report.Findings)
      Before.insert(keyOf(F));
  }

  void run();

private:
  std::vector<Candidate> candidates();
  std::string realPath(StringRef File);
  bool liesInMainFile(const SharedArray &A);
  Expected<FileReport> runOver(ArrayRef<SourceEdit> Edits,
                               const StringSet<> &Kernels);
  /// The report's accesses in \p Kernels, beside those of \p After.
  using Pairs =
      std::vector<std::pair<const NamedAccess *, const NamedAccess *>>;
  Expected<Pairs> pair(const FileReport &After, const StringSet<> &Kernels);
  Error checkCosts(const Pairs &Both, const FileReport &After);
  Error checkRoom(const FileReport &After);
  Error checkMoves(const Pairs &Both, uint64_t PadBytes, uint64_t &ExtraBytes);
  Expected<Proven> prove(const Candidate &C, unsigned Pad);
  void offer(const Proven &P);
  void refuse(const Candidate &C, const Twine &Why);

  clang::ASTContext &Ctx;
  clang::Preprocessor &PP;
  const MachineModel &Machine;
  const AnalysisOptions &Options;
  const UnitLink &Link;
  RealPlaces &Real;
  FileReport &Report;
  std::set<FindingKey> Before;
  std::vector<SharedArray> Arrays;
  unsigned Runs = 0;
};

} // namespace

std::string FixOffer::realPath(StringRef File) {
  SourcePlace Place;
  Place.File = File.str();
  Real.rewrite(Place);
  return Place.File;
}

bool FixOffer::liesInMainFile(const SharedArray &A) {
  clang::SourceManager &SM = Ctx.getSourceManager();
  clang::OptionalFileEntryRef Main =
      SM.getFileEntryRefForID(SM.getMainFileID());
  return Main && SM.getFileManager().getOptionalFileRef(A.File) == Main;
}

std::vector<Candidate> FixOffer::candidates() {
  Arrays = findSharedArrays(Ctx);
  for (SharedArray &A : Arrays) {
    Real.rewrite(A.Place);
    A.File = realPath(A.File);
  }
  std::vector<Candidate> All;
  for (size_t I = 0; I < Report.Findings.size(); ++I) {
    const Finding &F = Report.Findings[I];
    if (!F.Padding)
      continue;
    auto Array = find_if(Arrays, [&](const SharedArray &A) {
      return A.Place == F.Padding->Declaration;
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
    C->Pads.insert(F.Padding->Pads.begin(), F.Padding->Pads.end());
    C->ElementBytes = F.Padding->ElementBytes;
  }
  for (Candidate &C : All) {
    StringSet<> Objects;
    for (size_t I : C.Findings)
      for (size_t A : Report.Findings[I].Padding->Accesses)
        Objects.insert(Report.Accesses[A].A.ObjectMangled);
    for (const NamedAccess &N : Report.Accesses)
      if (N.Names.Declaration == C.Array->Place ||
          (!N.A.ObjectMangled.empty() && Objects.contains(N.A.ObjectMangled)))
        C.Kernels.insert(Report.Kernels[N.Kernel].Mangled);
  }
  return All;
}

Expected<FileReport> FixOffer::runOver(ArrayRef<SourceEdit> Edits,
                                       const StringSet<> &Kernels) {
  if (Runs++ == MaxRuns)
    return createStringError("this file had its share of trials; apply what is "
                             "offered and run again");
  AnalysisOptions Again = Options;
  Again.OfferFixes = false;
  Again.Times = nullptr; // all of it is the fix's
  Again.OnlyKernels = &Kernels;
  UnitLink Told;
  Told.Imports = Link.Imports;
  std::optional<Expected<FileReport>> After;
  auto OnUnit = [&](clang::ASTContext &C, clang::Preprocessor &P) {
    After.emplace(analyseUnit(C, P, Machine.arch(), Again, Told));
  };
  bool Parsed = runChangedPass(Ctx, PP, Edits, OnUnit);
  if (!After)
    return createStringError("the changed text does not compile");
  if (!Parsed && *After)
    return createStringError("the changed text does not compile");
  return std::move(*After);
}

Expected<FixOffer::Pairs> FixOffer::pair(const FileReport &After,
                                         const StringSet<> &Kernels) {
  Pairs Both;
  auto At = After.Accesses.begin();
  for (const NamedAccess &N : Report.Accesses) {
    const std::string &Kernel = Report.Kernels[N.Kernel].Mangled;
    if (!Kernels.contains(Kernel))
      continue;
    if (At == After.Accesses.end() ||
        After.Kernels[At->Kernel].Mangled != Kernel || At->Config != N.Config ||
        At->A.Op != N.A.Op || At->A.Bytes != N.A.Bytes ||
        At->A.Space != N.A.Space || At->A.Place.File != N.A.Place.File ||
        At->A.Place.Line != N.A.Place.Line ||
        At->A.ObjectMangled != N.A.ObjectMangled)
      return createStringError(
          formatv("with longer rows the compiler makes other instructions of "
                  "the accesses (line {0})",
                  N.A.Place.Line)
              .str());
    Both.push_back({&N, &*At++});
  }
  if (At != After.Accesses.end())
    return createStringError("with longer rows the compiler makes other "
                             "instructions of the accesses");
  return Both;
}

Error FixOffer::checkCosts(const Pairs &Both, const FileReport &After) {
  for (auto [Old, New] : Both)
    if (New->A.Predicted.Mean > Old->A.Predicted.Mean + Equal ||
        (Old->A.Exact && !New->A.Exact))
      return createStringError(
          formatv("the access at line {0} in '{1}' would take {2} {3} a "
                  "request instead of {4}",
                  Old->A.Place.Line,
                  shortKernelName(Report.Kernels[Old->Kernel].Name),
                  formatCount(New->A.Predicted.Mean),
                  unitName(New->A.Space, New->A.Predicted.Mean),
                  formatCount(Old->A.Predicted.Mean))
              .str());
  for (const Finding &F : After.Findings)
    if (!Before.count(keyOf(F)))
      return createStringError(
          formatv("line {0} would get a finding", F.Place.Line).str());
  return Error::success();
}

/// What a block may have without asking the driver for more; a launch that
/// does ask, asks for what it has now.
Error FixOffer::checkRoom(const FileReport &After) {
  std::map<std::pair<unsigned, unsigned>, std::map<std::string, uint64_t>>
      Arrays;
  for (const NamedAccess &N : After.Accesses)
    if (N.A.Space == MemorySpace::Shared)
      Arrays[{N.Kernel, N.Config}][N.A.ObjectMangled] = N.A.ObjectBytes;
  constexpr uint64_t Alignment = 16;
  for (const auto &[Where, OfBlock] : Arrays) {
    const LaunchConfig &Config =
        After.Kernels[Where.first].Configs[Where.second];
    uint64_t Bytes = Config.DynamicSharedBytes.value_or(0);
    for (const auto &[Name, Size] : OfBlock)
      Bytes += alignTo(Size, Alignment);
    if (Bytes > Machine.staticSharedLimit())
      return createStringError(
          formatv("a block would need {0} bytes of shared memory and gets {1} "
                  "without opting in for more",
                  Bytes, Machine.staticSharedLimit())
              .str());
  }
  return Error::success();
}

/// Every element must be where the row it was in puts it. An index that runs
/// over the end of its row ends up elsewhere.
Error FixOffer::checkMoves(const Pairs &Both, uint64_t PadBytes,
                           uint64_t &ExtraBytes) {
  for (auto [Old, New] : Both) {
    const Access &A = Old->A, &B = New->A;
    if (A.ObjectBytes == B.ObjectBytes)
      continue;
    uint64_t Extra = B.ObjectBytes - A.ObjectBytes;
    if (B.ObjectBytes < A.ObjectBytes || Extra % PadBytes ||
        A.ObjectBytes % (Extra / PadBytes))
      return createStringError("the array did not grow as it should");
    ExtraBytes = std::max(ExtraBytes, Extra);
    if (!A.Exact)
      continue;
    int64_t Row = A.ObjectBytes / (Extra / PadBytes);
    bool Moved = A.Active == B.Active;
    for (unsigned L = 0; L < WarpLanes; ++L)
      if (Moved && (A.Active >> L & 1))
        Moved = B.Offsets[L] ==
                A.Offsets[L] + divideFloorSigned(A.Offsets[L], Row) *
                                   static_cast<int64_t>(PadBytes);
    if (!Moved)
      return createStringError(
          formatv("the access at line {0} counts on rows of this length",
                  A.Place.Line)
              .str());
  }
  if (!ExtraBytes)
    return createStringError("the array did not grow");
  return Error::success();
}

/// Mean over the requests of some accesses.
template <class Range> static double meanOf(const Range &Accesses) {
  double Units = 0, Weight = 0;
  for (const NamedAccess *N : Accesses) {
    double W = N->A.Weight > 0 ? N->A.Weight : 1;
    Units += W * N->A.Predicted.Mean;
    Weight += W;
  }
  return Weight > 0 ? Units / Weight : 0;
}

Expected<Proven> FixOffer::prove(const Candidate &C, unsigned Pad) {
  Proven P;
  P.Of = &C;
  P.Pad = Pad;
  P.Edit = C.Array->padded(Pad);
  Expected<FileReport> After = runOver(P.Edit, C.Kernels);
  if (!After)
    return After.takeError();
  Expected<Pairs> Both = pair(*After, C.Kernels);
  if (!Both)
    return Both.takeError();
  if (Error E = checkMoves(*Both, Pad * C.ElementBytes, P.ExtraBytes))
    return std::move(E);
  if (Error E = checkRoom(*After))
    return std::move(E);
  if (Error E = checkCosts(*Both, *After))
    return std::move(E);

  std::set<FindingKey> Left;
  for (const Finding &F : After->Findings)
    Left.insert(keyOf(F));
  for (size_t I : C.Findings) {
    const Finding &F = Report.Findings[I];
    if (Left.count(keyOf(F)))
      continue;
    std::vector<const NamedAccess *> New;
    for (size_t A : F.Padding->Accesses)
      for (auto [OldAccess, NewAccess] : *Both)
        if (OldAccess == &Report.Accesses[A])
          New.push_back(NewAccess);
    P.Gone.push_back({I, meanOf(New)});
  }
  if (P.Gone.empty())
    return createStringError("the conflict would remain");
  return P;
}

void FixOffer::offer(const Proven &P) {
  for (auto [I, Units] : P.Gone) {
    Finding &F = Report.Findings[I];
    std::vector<const NamedAccess *> Old;
    for (size_t A : F.Padding->Accesses)
      Old.push_back(&Report.Accesses[A]);
    Fix &X = F.Fixes.emplace_back();
    uint64_t Row = F.Padding->RowElements;
    X.Description = formatv("pad the rows of '{0}' from {1} to {2} elements",
                            P.Of->Array->Name, Row, Row + P.Pad);
    X.Verified =
        formatv("{0} -> {1} wavefronts a request, {2} more bytes of shared "
                "memory a block",
                formatCount(meanOf(Old)), formatCount(Units), P.ExtraBytes);
    X.Edits = {P.Edit};
    // Kernels that other files make of a header were not run.
    if (!liesInMainFile(*P.Of->Array))
      X.Safety = FixSafety::Review;
    X.Diff = P.Of->Array->paddedDiff(P.Pad);
    // The advice it is the answer to.
    erase_if(F.Notes, [](const Note &N) {
      return !N.Place.Line && StringRef(N.Message).starts_with("fix: ");
    });
  }
}

void FixOffer::refuse(const Candidate &C, const Twine &Why) {
  for (size_t I : C.Findings)
    if (Report.Findings[I].Fixes.empty())
      Report.Findings[I].Notes.push_back(
          {{}, ("no edit is offered: " + Why).str()});
}

void FixOffer::run() {
  std::vector<Candidate> All = candidates();
  std::vector<Proven> Good;
  for (const Candidate &C : All) {
    if (!C.Array->Obstacle.empty()) {
      refuse(C, C.Array->Obstacle);
      continue;
    }
    std::string Why;
    bool Found = false;
    for (unsigned Pad : C.Pads) {
      Expected<Proven> P = prove(C, Pad);
      if (P) {
        Good.push_back(std::move(*P));
        Found = true;
        break;
      }
      std::string Reason = toString(P.takeError());
      if (Why.empty())
        Why = Reason;
    }
    if (!Found)
      refuse(C, Why);
  }

  // Fixes are applied together: so they must hold together.
  std::vector<SourceEdit> Edits;
  StringSet<> Kernels;
  for (const Proven &P : Good) {
    Edits.push_back(P.Edit);
    for (const auto &Kernel : P.Of->Kernels)
      Kernels.insert(Kernel.first());
  }
  if (Good.size() > 1) {
    auto Together = [&]() -> Error {
      Expected<FileReport> After = runOver(Edits, Kernels);
      if (!After)
        return After.takeError();
      Expected<Pairs> Both = pair(*After, Kernels);
      if (!Both)
        return Both.takeError();
      if (Error E = checkRoom(*After))
        return E;
      return checkCosts(*Both, *After);
    };
    if (Error E = Together()) {
      std::string Why = toString(std::move(E));
      for (const Proven &P : ArrayRef(Good).drop_front())
        refuse(*P.Of, "with the fix of '" + Good.front().Of->Array->Name +
                          "', " + Why);
      Good.resize(1);
    }
  }
  for (const Proven &P : Good)
    offer(P);
}

void offerFixes(clang::ASTContext &Ctx, clang::Preprocessor &PP,
                const MachineModel &Machine, const AnalysisOptions &Options,
                const UnitLink &Link, RealPlaces &Real, FileReport &Report) {
  if (any_of(Report.Findings, [](const Finding &F) { return F.Padding; }))
    FixOffer(Ctx, PP, Machine, Options, Link, Real, Report).run();
}

} // namespace warplint
