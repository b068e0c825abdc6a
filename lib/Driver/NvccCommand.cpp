//===- NvccCommand.cpp ----------------------------------------------------===//
//
// Part of Warplint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "warplint/Driver/NvccCommand.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Option/Arg.h"
#include "llvm/Option/ArgList.h"
#include "llvm/Option/OptTable.h"
#include "llvm/Option/Option.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/StringSaver.h"

using namespace llvm;
using namespace llvm::opt;

namespace {

enum ID {
  OPT_INVALID = 0,
#define OPTION(...) LLVM_MAKE_OPT_ID(__VA_ARGS__),
#include "NvccOptions.inc"
#undef OPTION
};

#define OPTTABLE_STR_TABLE_CODE
#include "NvccOptions.inc"
#undef OPTTABLE_STR_TABLE_CODE

#define OPTTABLE_PREFIXES_TABLE_CODE
#include "NvccOptions.inc"
#undef OPTTABLE_PREFIXES_TABLE_CODE

constexpr OptTable::Info NvccInfos[] = {
#define OPTION(...) LLVM_CONSTRUCT_OPT_INFO(__VA_ARGS__),
#include "NvccOptions.inc"
#undef OPTION
};

class NvccOptTable : public GenericOptTable {
public:
  NvccOptTable()
      : GenericOptTable(OptionStrTable, OptionPrefixesTable, NvccInfos) {}
};

/// Words of one -Xcompiler value: people also pass several in one string. nvcc
/// hands them to a shell, which takes quotes away that are not escaped.
void appendHostWords(StringRef Value, std::vector<std::string> &Words) {
  for (const std::string &Part :
       warplint::splitNvccList(Value, /*Unescape=*/false)) {
    BumpPtrAllocator Allocator;
    StringSaver Saver(Allocator);
    SmallVector<const char *, 8> Tokens;
    cl::TokenizeGNUCommandLine(Part, Saver, Tokens);
    Words.insert(Words.end(), Tokens.begin(), Tokens.end());
  }
}

/// `arch=compute_80,code=[sm_80,compute_80]` names sm_80 and compute_80.
void appendGenerateCode(StringRef Specification,
                        std::vector<std::string> &Architectures) {
  StringRef Arch;
  bool HasCode = false;
  SmallVector<StringRef, 8> Parts;
  Specification.split(Parts, ',', -1, /*KeepEmpty=*/false);
  for (StringRef Part : Parts) {
    Part = Part.trim(" \"'");
    if (Part.consume_front("arch=")) {
      Arch = Part;
      continue;
    }
    Part.consume_front("code=");
    Part = Part.trim("[]\"'");
    if (Part.empty())
      continue;
    HasCode = true;
    Architectures.push_back(Part.str());
  }
  if (!HasCode && !Arch.empty())
    Architectures.push_back(Arch.str());
}

} // namespace

std::vector<std::string> warplint::splitNvccList(StringRef Value,
                                                 bool Unescape) {
  std::vector<std::string> Parts(1);
  char Quote = 0;
  for (size_t I = 0; I < Value.size(); ++I) {
    char C = Value[I];
    if (C == '\\' && I + 1 < Value.size()) {
      // An escaped comma parts nothing, an escaped quote protects nothing.
      char Escaped = Value[++I];
      if (!Unescape && Escaped != ',')
        Parts.back() += C;
      Parts.back() += Escaped;
      continue;
    }
    if (C == '"' || C == '\'')
      Quote = Quote == C ? 0 : Quote ? Quote : C;
    if (C == ',' && !Quote)
      Parts.emplace_back();
    else
      Parts.back() += C;
  }
  erase_if(Parts, [](const std::string &Part) { return Part.empty(); });
  return Parts;
}

bool warplint::looksLikeNvcc(ArrayRef<std::string> Arguments) {
  static constexpr StringRef Exact[] = {
      "-dc",    "-dw",   "-lineinfo",  "-extended-lambda",
      "-dlink", "-optf", "-res-usage", "-G"};
  static constexpr StringRef Starts[] = {"-gencode",
                                         "-generate-code",
                                         "-gpu-architecture",
                                         "-gpu-code",
                                         "-arch=sm_",
                                         "-arch=compute_",
                                         "-arch=native",
                                         "-arch=all",
                                         "-code=",
                                         "-Xcompiler",
                                         "-compiler-options",
                                         "-compiler-bindir",
                                         "-ccbin",
                                         "-Xptxas",
                                         "-ptxas-options",
                                         "-Xcudafe",
                                         "-expt-",
                                         "-rdc",
                                         "-relocatable-device-code",
                                         "-use_fast_math",
                                         "-maxrregcount",
                                         "-generate-line-info",
                                         "-isystem=",
                                         "-system-include",
                                         "-include-path",
                                         "-options-file",
                                         "-diag-suppress",
                                         "-default-stream",
                                         "-forward-unknown",
                                         "-cudart",
                                         "-ftz=",
                                         "-device-c",
                                         "-device-debug"};
  for (size_t I = 0; I < Arguments.size(); ++I) {
    StringRef A = Arguments[I];
    if (A == "-x" && I + 1 < Arguments.size() && Arguments[I + 1] == "cu")
      return true;
    if (A == "-arch" && I + 1 < Arguments.size())
      return true;
    A.consume_front("-");
    if (!A.starts_with("-"))
      A = Arguments[I];
    if (is_contained(Exact, A) ||
        any_of(Starts, [&](StringRef S) { return A.starts_with(S); }))
      return true;
  }
  return false;
}

warplint::DeviceFlags warplint::readNvccCommand(ArrayRef<std::string> Arguments,
                                                bool ForwardUnknown) {
  static const NvccOptTable Table;
  SmallVector<const char *, 64> Words;
  for (const std::string &Argument : Arguments)
    Words.push_back(Argument.c_str());
  unsigned MissingIndex = 0, MissingCount = 0;
  InputArgList Args = Table.ParseArgs(Words, MissingIndex, MissingCount);

  DeviceFlags Result;
  if (MissingCount)
    Result.Remarks.push_back("'" + Arguments[MissingIndex] +
                             "' has no value: dropped");
  ForwardUnknown |= Args.hasArg(OPT_forward_unknown_to_host_compiler,
                                OPT_forward_unknown_opts);

  std::vector<std::string> &Flags = Result.Flags;
  std::vector<std::string> Host;
  auto List = [&](const Arg &A, StringRef Flag, bool Glued) {
    for (const std::string &Value : splitNvccList(A.getValue())) {
      if (Glued) {
        Flags.push_back((Flag + Value).str());
      } else {
        Flags.push_back(Flag.str());
        Flags.push_back(Value);
      }
    }
  };

  for (const Arg *A : Args) {
    switch (A->getOption().getUnaliasedOption().getID()) {
    case OPT_UNKNOWN: {
      std::string Spelling = A->getAsString(Args);
      (ForwardUnknown ? Host : Result.Unknown).push_back(Spelling);
      break;
    }
    case OPT_define_macro:
      List(*A, "-D", true);
      break;
    case OPT_undefine_macro:
      List(*A, "-U", true);
      break;
    case OPT_include_path:
      List(*A, "-I", true);
      break;
    case OPT_system_include:
      List(*A, "-isystem", false);
      break;
    case OPT_pre_include:
      List(*A, "-include", false);
      break;
    case OPT_std:
      Flags.push_back(std::string("-std=") + A->getValue());
      break;
    case OPT_language:
      Result.ForcesCuda |= StringRef(A->getValue()).starts_with("cu");
      break;
    case OPT_compiler_options:
      appendHostWords(A->getValue(), Host);
      break;
    case OPT_gpu_architecture:
    case OPT_gpu_code:
      for (const std::string &Arch : splitNvccList(A->getValue()))
        Result.Architectures.push_back(Arch);
      break;
    case OPT_generate_code:
      appendGenerateCode(A->getValue(), Result.Architectures);
      break;
    case OPT_relocatable_device_code:
      if (StringRef(A->getValue()) == "true")
        Flags.push_back("-fgpu-rdc");
      break;
    case OPT_device_c:
    case OPT_device_w:
      Flags.push_back("-fgpu-rdc");
      break;
    case OPT_use_fast_math:
      Flags.push_back("-fgpu-flush-denormals-to-zero");
      Flags.push_back("-fgpu-approx-transcendentals");
      break;
    case OPT_ftz:
      if (StringRef(A->getValue()) == "true")
        Flags.push_back("-fgpu-flush-denormals-to-zero");
      break;
    case OPT_fmad:
      if (StringRef(A->getValue()) == "false")
        Flags.push_back("-ffp-contract=off");
      break;
    case OPT_default_stream:
      if (StringRef(A->getValue()) == "per-thread")
        Flags.push_back("-fgpu-default-stream=per-thread");
      break;
    case OPT_no_exceptions:
      Flags.push_back("-fno-exceptions");
      break;
    case OPT_ftemplate_depth:
      Flags.push_back(std::string("-ftemplate-depth=") + A->getValue());
      break;
    // Clang accepts both without a flag, but headers ask for nvcc's macros.
    case OPT_expt_relaxed_constexpr:
      Flags.push_back("-D__CUDACC_RELAXED_CONSTEXPR__");
      break;
    case OPT_extended_lambda:
    case OPT_expt_extended_lambda:
      Flags.push_back("-D__CUDACC_EXTENDED_LAMBDA__");
      break;
    case OPT_cuda_path:
      Result.CudaPath = A->getValue();
      break;
    default: // inputs, and what the device pass does not need
      break;
    }
  }

  // nvcc gives the host compiler's own options before its include paths.
  DeviceFlags HostFlags = readClangCommand(Host, /*HostOnly=*/true);
  Flags.insert(Flags.begin(), HostFlags.Flags.begin(), HostFlags.Flags.end());
  append_range(Result.Architectures, HostFlags.Architectures);
  append_range(Result.Unknown, HostFlags.Unknown);
  append_range(Result.Remarks, HostFlags.Remarks);
  if (Result.CudaPath.empty())
    Result.CudaPath = HostFlags.CudaPath;
  Result.NoCudaIncludes = HostFlags.NoCudaIncludes;
  return Result;
}
