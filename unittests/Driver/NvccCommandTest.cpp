//===- NvccCommandTest.cpp ------------------------------------------------===//
//
// Part of Warplint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "warplint/Driver/NvccCommand.h"
#include "llvm/ADT/STLExtras.h"
#include "gtest/gtest.h"

using namespace warplint;
using Words = std::vector<std::string>;

namespace {

Words flags(const Words &Arguments) { return readNvccCommand(Arguments).Flags; }

Words architectures(const Words &Arguments) {
  return readNvccCommand(Arguments).Architectures;
}

std::string chosen(const Words &Arguments) {
  Words Remarks;
  llvm::Expected<std::string> Arch =
      chooseArchitecture(architectures(Arguments), "sm_90", Remarks);
  return Arch ? *Arch : "error: " + toString(Arch.takeError());
}

//===--- What clang would read as something else --------------------------===//

// Clang: -u se_fast_math, an undefined symbol for the linker.
TEST(NvccMisread, UseFastMath) {
  Words Expected = {"-fgpu-flush-denormals-to-zero",
                    "-fgpu-approx-transcendentals"};
  EXPECT_EQ(flags({"-use_fast_math"}), Expected);
  EXPECT_EQ(flags({"--use_fast_math"}), Expected);
}

// Clang: -include -path=dir, a file.
TEST(NvccMisread, IncludePath) {
  EXPECT_EQ(flags({"--include-path=a"}), Words{"-Ia"});
  EXPECT_EQ(flags({"--include-path", "a,b"}), (Words{"-Ia", "-Ib"}));
  EXPECT_EQ(flags({"-I=a"}), Words{"-Ia"});
}

// Clang: a directory below the sysroot.
TEST(NvccMisread, IsystemEquals) {
  Words Expected = {"-isystem", "a"};
  EXPECT_EQ(flags({"-isystem=a"}), Expected);
  EXPECT_EQ(flags({"-isystem", "a"}), Expected);
  EXPECT_EQ(flags({"--system-include=a"}), Expected);
  EXPECT_EQ(flags({"--system-include", "a"}), Expected);
}

// Clang: a macro with the name "=A".
TEST(NvccMisread, DefineEquals) {
  EXPECT_EQ(flags({"-D=A=1"}), Words{"-DA=1"});
  EXPECT_EQ(flags({"-U=A"}), Words{"-UA"});
}

// Clang: -t, -r, -e with a value for the linker; -G with a number.
TEST(NvccMisread, ShortNamesWithoutMeaningHere) {
  EXPECT_EQ(flags({"-t", "4", "-t4", "-t=4", "-G", "-r", "-e", "kernel"}),
            Words{});
}

// Clang: -O with the value `ptimize`, -d with `c`, -l with `ineinfo`, ...
TEST(NvccMisread, NamesThatBeginLikeClangs) {
  EXPECT_EQ(
      flags({"-lineinfo", "-dlink", "-dopt", "on", "-dlto", "-optf=", "-ewp",
             "-link", "-lib", "-keep", "-noprof", "-run", "-res-usage"}),
      Words{});
}

// Clang: warnings as errors of the category `all-warnings`; here a value.
TEST(NvccMisread, WerrorTakesAValue) {
  DeviceFlags D = readNvccCommand({"-Werror", "all-warnings", "-Werror=reorder",
                                   "--Werror", "cross-execution-space-call"});
  EXPECT_EQ(D.Flags, Words{});
  EXPECT_EQ(D.Unknown, Words{});
}

//===--- Values
//-------------------------------------------------------------===//

TEST(NvccCommand, Macros) {
  EXPECT_EQ(flags({"-DA", "-D", "B=2", "--define-macro=C=3", "--define-macro",
                   "D,E", "-UF", "--undefine-macro", "G"}),
            (Words{"-DA", "-DB=2", "-DC=3", "-DD", "-DE", "-UF", "-UG"}));
}

TEST(NvccCommand, CommasProtected) {
  EXPECT_EQ(splitNvccList("a,b"), (Words{"a", "b"}));
  EXPECT_EQ(splitNvccList("F(a\\,b),c"), (Words{"F(a,b)", "c"}));
  EXPECT_EQ(splitNvccList("S=\"a,b\",c"), (Words{"S=\"a,b\"", "c"}));
  EXPECT_EQ(splitNvccList("S=\\\"a,b\\\""), (Words{"S=\"a", "b\""}));
  EXPECT_EQ(splitNvccList(""), Words{});
  EXPECT_EQ(flags({"-DNAME=\"x y\""}), Words{"-DNAME=\"x y\""});
}

TEST(NvccCommand, Language) {
  EXPECT_EQ(flags({"-std=c++14"}), Words{"-std=c++14"});
  EXPECT_EQ(flags({"--std", "c++20"}), Words{"-std=c++20"});
  EXPECT_EQ(flags({"--pre-include=a.h", "-include", "b.h"}),
            (Words{"-include", "a.h", "-include", "b.h"}));
  EXPECT_TRUE(readNvccCommand({"-x", "cu"}).ForcesCuda);
  EXPECT_TRUE(readNvccCommand({"--x=cu"}).ForcesCuda);
  EXPECT_FALSE(readNvccCommand({"-x", "c++"}).ForcesCuda);
}

TEST(NvccCommand, DeviceOptions) {
  EXPECT_EQ(flags({"-rdc=true"}), Words{"-fgpu-rdc"});
  EXPECT_EQ(flags({"--relocatable-device-code", "false"}), Words{});
  EXPECT_EQ(flags({"-dc"}), Words{"-fgpu-rdc"});
  EXPECT_EQ(flags({"--default-stream", "per-thread"}),
            Words{"-fgpu-default-stream=per-thread"});
  EXPECT_EQ(flags({"--default-stream=legacy"}), Words{});
  EXPECT_EQ(flags({"-ftz=true", "-fmad=false", "-prec-div=false"}),
            (Words{"-fgpu-flush-denormals-to-zero", "-ffp-contract=off"}));
  EXPECT_EQ(flags({"--expt-relaxed-constexpr", "-expt-extended-lambda"}),
            (Words{"-D__CUDACC_RELAXED_CONSTEXPR__",
                   "-D__CUDACC_EXTENDED_LAMBDA__"}));
}

TEST(NvccCommand, NothingOfTheRest) {
  DeviceFlags D = readNvccCommand({"-Xptxas",
                                   "-v,-O3",
                                   "--ptxas-options=-v",
                                   "-Xcudafe",
                                   "--diag_suppress=177",
                                   "-diag-suppress",
                                   "20012",
                                   "--diag-error=1",
                                   "-Xnvlink",
                                   "-x",
                                   "-Xarchive",
                                   "q",
                                   "-Xlinker",
                                   "-rpath",
                                   "-ccbin",
                                   "g++-12",
                                   "--compiler-bindir=g++",
                                   "-maxrregcount=32",
                                   "-cudart",
                                   "static",
                                   "-lcublas",
                                   "-l",
                                   "m",
                                   "-L/x",
                                   "-o",
                                   "out.o",
                                   "-c",
                                   "-MD",
                                   "-MF",
                                   "out.d",
                                   "-MT",
                                   "out.o",
                                   "-g",
                                   "-G",
                                   "-O3",
                                   "-m64",
                                   "--keep",
                                   "-v",
                                   "-w",
                                   "-Wno-deprecated-gpu-targets",
                                   "--threads",
                                   "0",
                                   "a.cu",
                                   "b.cpp",
                                   "-allow-unsupported-compiler",
                                   "--split-compile=4",
                                   "-Xfatbin=-compress-all"});
  EXPECT_EQ(D.Flags, Words{});
  EXPECT_EQ(D.Unknown, Words{"-Xfatbin=-compress-all"});
}

TEST(NvccCommand, MissingValueIsSaid) {
  DeviceFlags D = readNvccCommand({"-DA", "-Xptxas"});
  EXPECT_EQ(D.Flags, Words{"-DA"});
  EXPECT_EQ(D.Remarks, Words{"'-Xptxas' has no value: dropped"});
}

//===--- The host compiler's
//------------------------------------------------===//

TEST(NvccCommand, HostOptionsThatMatter) {
  // Before nvcc's own, where it puts them.
  EXPECT_EQ(flags({"-Ia", "-Xcompiler", "-fopenmp,-Wall,-O3,-DA=1,-Ib",
                   "-Xcompiler=-fPIC -g"}),
            (Words{"-fopenmp", "-D", "A=1", "-I", "b", "-fPIC", "-Ia"}));
}

TEST(NvccCommand, HostQuotesAreTheShells) {
  EXPECT_EQ(flags({"-Xcompiler=\"-fPIC\",-DS=\\\"x\\\""}),
            (Words{"-fPIC", "-D", "S=\"x\""}));
}

TEST(NvccCommand, HostArithmeticStaysOnTheHost) {
  EXPECT_EQ(flags({"-Xcompiler", "-ffast-math", "-Xcompiler",
                   "-ffp-contract=off", "-Xcompiler", "-Ofast"}),
            Words{});
}

TEST(NvccCommand, UnknownIsDroppedOrForwarded) {
  DeviceFlags Plain = readNvccCommand({"-fopenmp", "-DA"});
  EXPECT_EQ(Plain.Flags, Words{"-DA"});
  EXPECT_EQ(Plain.Unknown, Words{"-fopenmp"});
  for (const char *Forward :
       {"-forward-unknown-to-host-compiler", "--forward-unknown-opts"}) {
    DeviceFlags D = readNvccCommand({Forward, "-fopenmp", "-DA", "-Wall",
                                     "-march=native", "-fno-such-thing"});
    EXPECT_EQ(D.Flags, (Words{"-fopenmp", "-march=native", "-DA"}));
    EXPECT_EQ(D.Unknown, Words{"-fno-such-thing"});
  }
}

//===--- Architectures
//------------------------------------------------------===//

TEST(Architectures, Spellings) {
  for (const Words &Arguments :
       {Words{"-arch=sm_80"}, Words{"-arch", "sm_80"},
        Words{"--gpu-architecture=sm_80"}, Words{"--gpu-architecture", "sm_80"},
        Words{"-code=sm_80"}, Words{"-gencode", "arch=compute_80,code=sm_80"},
        Words{"-gencode=arch=compute_80,code=sm_80"},
        Words{"--generate-code=arch=compute_80,code=[sm_80]"}})
    EXPECT_EQ(architectures(Arguments), Words{"sm_80"});
  EXPECT_EQ(architectures({"-gencode", "arch=compute_80"}),
            Words{"compute_80"});
  EXPECT_EQ(architectures({"--generate-code=arch=compute_70,code=[compute_70,"
                           "sm_75]"}),
            (Words{"compute_70", "sm_75"}));
}

TEST(Architectures, HighestIsChosen) {
  EXPECT_EQ(chosen({"-gencode", "arch=compute_80,code=sm_80", "-gencode",
                    "arch=compute_90,code=sm_90", "-gencode",
                    "arch=compute_70,code=sm_70"}),
            "sm_90");
  EXPECT_EQ(chosen({"-arch=compute_80", "-code=sm_86,sm_89"}), "sm_89");
  EXPECT_EQ(chosen({"-arch=compute_75"}), "sm_75");
  EXPECT_EQ(chosen({"-arch=sm_90a"}), "sm_90a");
  EXPECT_EQ(chosen({"-gencode", "arch=compute_100,code=sm_100", "-arch=sm_90"}),
            "sm_100");
}

TEST(Architectures, DefaultWhenNoneIsNamed) {
  EXPECT_EQ(chosen({}), "sm_90");
  EXPECT_EQ(chosen({"-arch=native"}), "sm_90");
  EXPECT_EQ(chosen({"-arch=all-major"}), "sm_90");
  Words Remarks;
  llvm::Expected<std::string> Arch =
      chooseArchitecture({"native"}, "sm_90", Remarks);
  ASSERT_TRUE(bool(Arch));
  EXPECT_EQ(Remarks, Words{"'native' names no one architecture; --arch chooses "
                           "one"});
}

TEST(Architectures, OldOnesThatClangKnows) {
  EXPECT_EQ(chosen({"-arch=sm_60"}), "sm_60");
  EXPECT_EQ(chosen({"-arch=sm_35"}), "sm_35");
}

TEST(Architectures, TooOldOrTooNewFallsBack) {
  for (auto [Name, Why] :
       {std::pair<const char *, const char *>{
            "compute_20", "'sm_20' is older than sm_35, the oldest that can be "
                          "compiled for"},
        {"sm_13", "'sm_13' is older than sm_35, the oldest that can be "
                  "compiled for"},
        {"sm_999", "clang does not know the architecture 'sm_999'"}}) {
    Words Remarks;
    llvm::Expected<std::string> Arch =
        chooseArchitecture({Name}, "sm_90", Remarks);
    ASSERT_TRUE(bool(Arch));
    EXPECT_EQ(*Arch, "sm_90");
    EXPECT_EQ(Remarks, Words{std::string("analysed for sm_90, as ") + Why +
                             "; --arch chooses another"});
  }
  // One that can be compiled for is taken without a word.
  Words Remarks;
  llvm::Expected<std::string> Arch =
      chooseArchitecture({"sm_20", "sm_60"}, "sm_90", Remarks);
  ASSERT_TRUE(bool(Arch));
  EXPECT_EQ(*Arch, "sm_60");
  EXPECT_TRUE(Remarks.empty());
}

TEST(Architectures, WithoutAFallbackUnknownIsAnError) {
  Words Remarks;
  llvm::Expected<std::string> Arch = chooseArchitecture({"sm_20"}, "", Remarks);
  ASSERT_FALSE(bool(Arch));
  EXPECT_EQ(llvm::toString(Arch.takeError()),
            "'sm_20' is older than sm_35, the oldest that can be compiled for: "
            "pass --arch=sm_90 or another sm_ number");
  EXPECT_EQ(chosen({"-arch=hopper"}),
            "error: 'hopper' is not an architecture: pass --arch=sm_90 or "
            "another sm_ number");
}

//===--- Clang's commands
//---------------------------------------------------===//

TEST(ClangCommand, KeepsWhatParses) {
  DeviceFlags D = readClangCommand(
      {"-x", "cuda", "--cuda-gpu-arch=sm_80", "--offload-arch=sm_90,sm_75",
       "--cuda-path=/c", "-std=c++20", "-Ia", "-isystem", "b", "-DA=1",
       "-include", "p.h", "-fgpu-rdc", "-ffast-math", "a.cu"});
  EXPECT_EQ(D.Flags,
            (Words{"-std=c++20", "-I", "a", "-isystem", "b", "-D", "A=1",
                   "-include", "p.h", "-fgpu-rdc", "-ffast-math"}));
  EXPECT_EQ(D.Architectures, (Words{"sm_80", "sm_90", "sm_75"}));
  EXPECT_EQ(D.CudaPath, "/c");
  EXPECT_TRUE(D.ForcesCuda);
}

TEST(ClangCommand, DropsItsOwnActions) {
  DeviceFlags D = readClangCommand({"-c",
                                    "-o",
                                    "a.o",
                                    "-O3",
                                    "-g",
                                    "-Wall",
                                    "-Werror",
                                    "-pedantic",
                                    "-MD",
                                    "-MF",
                                    "a.d",
                                    "-lcudart",
                                    "-L/x",
                                    "-Wl,-rpath,/x",
                                    "-S",
                                    "-emit-llvm",
                                    "--cuda-host-only",
                                    "--cuda-device-only",
                                    "-fsanitize=address",
                                    "-flto",
                                    "-fdiagnostics-color=always",
                                    "-ftime-trace",
                                    "-save-temps",
                                    "-v",
                                    "-Xcuda-ptxas",
                                    "-v",
                                    "-fprofile-instr-generate"});
  EXPECT_EQ(D.Flags, Words{});
  EXPECT_EQ(D.Unknown, Words{});
}

TEST(ClangCommand, NvccIsms) {
  EXPECT_TRUE(looksLikeNvcc({"-O3", "-arch=sm_80"}));
  EXPECT_TRUE(looksLikeNvcc({"-gencode", "arch=compute_80,code=sm_80"}));
  EXPECT_TRUE(looksLikeNvcc({"--expt-relaxed-constexpr"}));
  EXPECT_TRUE(looksLikeNvcc({"-x", "cu"}));
  EXPECT_TRUE(looksLikeNvcc({"-use_fast_math"}));
  EXPECT_TRUE(looksLikeNvcc({"-isystem=x"}));
  EXPECT_FALSE(looksLikeNvcc({"-x", "cuda", "-std=c++17", "-isystem", "x",
                              "--cuda-path=/c", "--cuda-gpu-arch=sm_90",
                              "-march=native", "-O2", "-g"}));
  EXPECT_FALSE(looksLikeNvcc({}));
}

} // namespace
