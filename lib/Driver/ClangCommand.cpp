//===- ClangCommand.cpp - Flags of clang, or of GCC, for the device pass --===//
//
// Part of Warplint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "warplint/Driver/NvccCommand.h"
#include "clang/Options/Options.h"
#include "llvm/Option/Arg.h"
#include "llvm/Option/ArgList.h"
#include "llvm/Option/OptTable.h"
#include "llvm/Option/Option.h"

using namespace llvm;
using namespace llvm::opt;
namespace options = clang::options;

namespace {

/// Options that choose the action, the output, the optimisation, warnings or
/// the link: the device pass has its own.
bool isOurs(const Option &O) {
  static constexpr unsigned Groups[] = {
      options::OPT_Action_Group,    options::OPT_M_Group,
      options::OPT_O_Group,         options::OPT_Link_Group,
      options::OPT_Diag_Group,      options::OPT_pedantic_Group,
      options::OPT_DebugInfo_Group, options::OPT_StaticAnalyzer_Group,
      options::OPT_fsan_cov_Group};
  static constexpr unsigned Ids[] = {options::OPT_o,
                                     options::OPT_w,
                                     options::OPT_v,
                                     options::OPT__HASH_HASH_HASH,
                                     options::OPT_pipe,
                                     options::OPT_save_temps_EQ,
                                     options::OPT_include_pch,
                                     options::OPT_Xlinker,
                                     options::OPT_Xassembler,
                                     options::OPT_Xarch_host,
                                     options::OPT_Xcuda_ptxas,
                                     options::OPT_Xcuda_fatbinary,
                                     options::OPT_Xclang,
                                     options::OPT_mllvm,
                                     options::OPT_B,
                                     options::OPT_offload_device_only,
                                     options::OPT_offload_host_only,
                                     options::OPT_offload_host_device,
                                     options::OPT_no_offload_arch_EQ,
                                     options::OPT_cuda_include_ptx_EQ,
                                     options::OPT_no_cuda_version_check,
                                     options::OPT_cuda_noopt_device_debug,
                                     options::OPT_no_offloadlib,
                                     options::OPT_fsanitize_EQ,
                                     options::OPT_fno_sanitize_EQ,
                                     options::OPT_fplugin_EQ,
                                     options::OPT_flto_EQ,
                                     options::OPT_ftime_trace,
                                     options::OPT_ftime_report,
                                     options::OPT_fcolor_diagnostics,
                                     options::OPT_fno_color_diagnostics,
                                     options::OPT_fprofile_arcs,
                                     options::OPT_ftest_coverage,
                                     options::OPT_driver_mode,
                                     options::OPT_resource_dir,
                                     options::OPT_MJ};
  return any_of(Groups, [&](unsigned Id) { return O.matches(Id); }) ||
         any_of(Ids, [&](unsigned Id) { return O.matches(Id); });
}

/// Host arithmetic and host code generation, which nvcc keeps from the device.
bool isHostArithmetic(const Option &O) {
  static constexpr unsigned Ids[] = {
      options::OPT_ffast_math,        options::OPT_ffp_contract,
      options::OPT_ffinite_math_only, options::OPT_funsafe_math_optimizations,
      options::OPT_fassociative_math, options::OPT_freciprocal_math,
      options::OPT_ffp_model_EQ};
  return any_of(Ids, [&](unsigned Id) { return O.matches(Id); });
}

} // namespace

warplint::DeviceFlags
warplint::readClangCommand(ArrayRef<std::string> Arguments, bool HostOnly) {
  SmallVector<const char *, 64> Words;
  for (const std::string &Argument : Arguments)
    Words.push_back(Argument.c_str());
  unsigned MissingIndex = 0, MissingCount = 0;
  InputArgList Args = clang::getDriverOptTable().ParseArgs(
      Words, MissingIndex, MissingCount, Visibility(options::ClangOption));

  DeviceFlags Result;
  if (MissingCount)
    Result.Remarks.push_back("'" + Arguments[MissingIndex] +
                             "' has no value: dropped");
  for (const Arg *A : Args) {
    const Option O = A->getOption().getUnaliasedOption();
    switch (O.getID()) {
    case options::OPT_INPUT:
      continue;
    case options::OPT_UNKNOWN:
      Result.Unknown.push_back(A->getAsString(Args));
      continue;
    case options::OPT_x:
      Result.ForcesCuda |= StringRef(A->getValue()).starts_with("cuda");
      continue;
    case options::OPT_offload_arch_EQ:
      for (const char *Value : A->getValues())
        Result.Architectures.push_back(Value);
      continue;
    case options::OPT_cuda_path_EQ:
      Result.CudaPath = A->getValue();
      continue;
    case options::OPT_no_offload_inc:
      Result.NoCudaIncludes = true;
      break;
    default:
      break;
    }
    if (isOurs(O) || (HostOnly && isHostArithmetic(O)) ||
        StringRef(A->getSpelling()).starts_with("-fdiagnostics") ||
        StringRef(A->getSpelling()).starts_with("-fprofile"))
      continue;
    ArgStringList Rendered;
    A->render(Args, Rendered);
    for (const char *Word : Rendered)
      Result.Flags.push_back(Word);
  }
  return Result;
}
