//===- Unit.h - Hand-made units for the tests of Diagnose -----------------===//
//
// Part of Warplint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// A translation unit as the engine would leave it, made from the 32 addresses
/// of each access. Costs come from the machine model, never from the test.
///
//===----------------------------------------------------------------------===//

#ifndef WARPLINT_UNITTESTS_DIAGNOSE_UNIT_H
#define WARPLINT_UNITTESTS_DIAGNOSE_UNIT_H

#include "warplint/Diagnose/Diagnose.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include <deque>

namespace warplint {

using LaneFunction = llvm::function_ref<int64_t(int64_t Lane)>;

class Unit {
public:
  Unit() { kernel("void f(float*)"); }

  /// A further kernel with one configuration; later accesses are its.
  AnalysedKernel &kernel(llvm::StringRef Name, Dim3 Block = {256, 1, 1}) {
    AnalysedKernel K;
    K.Name = Name.str();
    K.Mangled = "_Z" + std::to_string(Kernels.size());
    K.Place = {"/t/a.cu", 1, 1};
    LaunchConfig Config;
    Config.From = LaunchConfig::FromLaunch;
    Config.Block = Block;
    Config.Launches = {{"/t/a.cu", 100, 3}};
    K.Configs = {Config};
    Kernels.push_back(K);
    return Kernels.back();
  }

  NamedAccess &global(llvm::StringRef Expression, unsigned Bytes,
                      LaneFunction Address, LaneMask Active = AllLanes) {
    NamedAccess &N = add(MemorySpace::Global, Expression, Bytes, Active);
    place(N.A, Address);
    cost(N.A, Machine.globalRequest(N.A.Offsets, Active, Bytes));
    N.A.Misalignment = N.A.Offsets[0] % Machine.granuleBytes();
    return N;
  }

  NamedAccess &shared(llvm::StringRef Expression, unsigned Bytes,
                      LaneFunction Address, LaneMask Active = AllLanes) {
    NamedAccess &N = add(MemorySpace::Shared, Expression, Bytes, Active);
    place(N.A, Address);
    cost(N.A, Machine.sharedRequest(N.A.Offsets, Active, Bytes));
    return N;
  }

  NamedAccess &constant(llvm::StringRef Expression, unsigned Bytes,
                        LaneFunction Address) {
    NamedAccess &N = add(MemorySpace::Constant, Expression, Bytes, AllLanes);
    place(N.A, Address);
    cost(N.A, Machine.constantRequest(N.A.Offsets, AllLanes, Bytes));
    return N;
  }

  /// Makes the number of \p N a guess between \p Min and \p Max.
  static void guess(NamedAccess &N, UnknownReason Reason, double Min,
                    double Max) {
    N.A.Exact = false;
    N.A.Reason = Reason;
    N.A.Predicted.Min = Min;
    N.A.Predicted.Max = Max;
  }

  std::vector<Finding> findings(const DiagnoseOptions &Options = {}) {
    std::vector<NamedAccess> All(Accesses.begin(), Accesses.end());
    std::vector<Finding> Found = diagnose(Kernels, All, Machine, Options);
    for (size_t I = 0; I < All.size(); ++I)
      Accesses[I].Pattern = All[I].Pattern;
    return Found;
  }

  /// The only finding; fails the test's expectations when there is another
  /// number of them.
  Finding only(const DiagnoseOptions &Options = {}) {
    std::vector<Finding> Found = findings(Options);
    return Found.size() == 1 ? Found.front() : Finding();
  }

  MachineModel Machine = llvm::cantFail(MachineModel::forArch("sm_90"));
  std::vector<AnalysedKernel> Kernels;
  std::deque<NamedAccess> Accesses;

private:
  NamedAccess &add(MemorySpace Space, llvm::StringRef Expression,
                   unsigned Bytes, LaneMask Active) {
    NamedAccess N;
    N.Kernel = Kernels.size() - 1;
    N.A.Space = Space;
    N.A.Bytes = Bytes;
    N.A.Active = Active;
    N.A.Exact = true;
    // Each access has a line of its own until a test says otherwise.
    N.A.Place = {"/t/a.cu", static_cast<unsigned>(Accesses.size() + 2), 9};
    N.Names.Expression = Expression.str();
    N.Names.ElementBytes = Bytes;
    N.A.Object = Expression.split('[').first.str();
    N.Names.Variable = N.A.Object;
    Accesses.push_back(N);
    return Accesses.back();
  }

  static void place(Access &A, LaneFunction Address) {
    bool Uniform = true, Constant = true;
    for (unsigned L = 0; L < WarpLanes; ++L)
      A.Offsets[L] = Address(L);
    int64_t Stride = A.Offsets[1] - A.Offsets[0];
    for (unsigned L = 1; L < WarpLanes; ++L) {
      Uniform &= A.Offsets[L] == A.Offsets[0];
      Constant &= A.Offsets[L] - A.Offsets[L - 1] == Stride;
    }
    A.Uniform = Uniform;
    if (Constant)
      A.LaneStride = Stride;
  }

  static void cost(Access &A, RequestCost Cost) {
    double Units = Cost.Units;
    A.Typical = Cost;
    A.Predicted = {Units, Units, Units};
    A.Ideal = Cost.Ideal;
  }
};

/// The notes of a finding that belong to no place, one a line.
inline std::string explanation(const Finding &F) {
  std::string Text;
  for (const Note &N : F.Notes)
    if (!N.Place.Line)
      Text += N.Message + "\n";
  return Text;
}

} // namespace warplint

#endif // WARPLINT_UNITTESTS_DIAGNOSE_UNIT_H
