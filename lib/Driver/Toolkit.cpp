//===- Toolkit.cpp --------------------------------------------------------===//
//
// Part of Warplint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "warplint/Driver/Toolkit.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Config/llvm-config.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Process.h"
#include "llvm/Support/Program.h"

using namespace llvm;

namespace {

bool holdsCuda(StringRef Directory) {
  if (Directory.empty())
    return false;
  SmallString<256> Header(Directory);
  sys::path::append(Header, "include", "cuda_runtime.h");
  return sys::fs::exists(Header);
}

/// The directory above the `bin` in which a program lies, links followed.
std::string aboveBin(StringRef Program) {
  SmallString<256> Real;
  if (sys::fs::real_path(Program, Real))
    Real = Program;
  return sys::path::parent_path(sys::path::parent_path(Real)).str();
}

} // namespace

Expected<std::string> warplint::findCudaToolkit(StringRef Wanted,
                                                StringRef FromCommand,
                                                StringRef Compiler) {
  if (!Wanted.empty()) {
    if (holdsCuda(Wanted))
      return Wanted.str();
    return createStringError("no CUDA toolkit in '" + Wanted +
                             "': pass --cuda-path=DIR, the directory that "
                             "holds include/cuda_runtime.h");
  }
  if (holdsCuda(FromCommand))
    return FromCommand.str();

  if (sys::path::stem(Compiler).starts_with("nvcc")) {
    std::string Program = Compiler.str();
    if (sys::path::filename(Compiler) == Compiler)
      if (ErrorOr<std::string> Found = sys::findProgramByName(Compiler))
        Program = *Found;
    if (std::string Above = aboveBin(Program); holdsCuda(Above))
      return Above;
  }
  for (StringRef Variable : {"CUDA_PATH", "CUDA_HOME"})
    if (std::optional<std::string> Value = sys::Process::GetEnv(Variable);
        Value && holdsCuda(*Value))
      return *Value;
  for (StringRef Usual : {"/usr/local/cuda", "/opt/cuda", "/usr/lib/cuda"})
    if (holdsCuda(Usual))
      return Usual.str();
  if (ErrorOr<std::string> Found = sys::findProgramByName("nvcc"))
    if (std::string Above = aboveBin(*Found); holdsCuda(Above))
      return Above;

  std::string Tried =
      FromCommand.empty() ? "" : " (not in '" + FromCommand.str() + "' either)";
  return createStringError("no CUDA toolkit found" + Tried +
                           ": pass --cuda-path=DIR, the directory that holds "
                           "include/cuda_runtime.h, or set CUDA_PATH");
}

Expected<std::string> warplint::findResourceDirectory() {
  auto HoldsHeaders = [](StringRef Directory) {
    SmallString<256> Header(Directory);
    sys::path::append(Header, "include", "__clang_cuda_runtime_wrapper.h");
    return sys::fs::exists(Header);
  };
  if (HoldsHeaders(WARPLINT_CLANG_RESOURCE_DIR))
    return std::string(WARPLINT_CLANG_RESOURCE_DIR);

  // Any object of this program serves to find the executable.
  static int Anchor;
  SmallString<256> Beside(sys::path::parent_path(
      sys::path::parent_path(sys::fs::getMainExecutable(nullptr, &Anchor))));
  sys::path::append(Beside, "lib", "clang", Twine(LLVM_VERSION_MAJOR));
  if (HoldsHeaders(Beside))
    return std::string(Beside);
  return createStringError(
      "the headers of clang " + Twine(LLVM_VERSION_MAJOR) +
      " are neither in '" + WARPLINT_CLANG_RESOURCE_DIR + "' nor in '" +
      Beside + "': install the headers of that clang (libclang-common-" +
      Twine(LLVM_VERSION_MAJOR) + "-dev)");
}
