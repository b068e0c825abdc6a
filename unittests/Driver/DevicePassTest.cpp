//===- DevicePassTest.cpp -------------------------------------------------===//
//
// Part of Warplint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "warplint/Driver/DevicePass.h"
#include "Scratch.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/Attr.h"
#include "clang/AST/Decl.h"
#include "clang/Basic/LangOptions.h"
#include "llvm/Support/Compiler.h"
#include "gtest/gtest.h"
#include <thread>

using namespace warplint;
using Words = std::vector<std::string>;

namespace {

/// Enough of CUDA for a file that has no toolkit.
constexpr const char *Cuda = "#define __global__ __attribute__((global))\n"
                             "#define __device__ __attribute__((device))\n";

class DevicePass : public ::testing::Test {
protected:
  Scratch Files;

  CompileJob job(const std::string &File, Words Flags = {}) {
    Flags.insert(Flags.end(), {"-nocudainc", "-nocudalib"});
    llvm::Expected<CompileJob> Job =
        translateCommand(Flags, File, Files.Root, {});
    if (Job)
      return *Job;
    ADD_FAILURE() << toString(Job.takeError());
    return {};
  }

  struct Outcome {
    Words Kernels, Errors;
    std::string Failure;
    unsigned Calls = 0;
  };
  static Outcome parse(const CompileJob &Job) {
    Outcome O;
    llvm::Expected<ParseOutcome> R =
        runDevicePass(Job, [&](clang::ASTContext &Ctx, clang::Preprocessor &) {
          ++O.Calls;
          EXPECT_TRUE(Ctx.getLangOpts().CUDAIsDevice);
          for (clang::Decl *D : Ctx.getTranslationUnitDecl()->decls())
            if (D->hasAttr<clang::CUDAGlobalAttr>() && !D->isInvalidDecl())
              O.Kernels.push_back(
                  llvm::cast<clang::NamedDecl>(D)->getNameAsString());
        });
    if (R)
      O.Errors = R->Errors;
    else
      O.Failure = toString(R.takeError());
    return O;
  }
};

TEST_F(DevicePass, CallsOnceWithTheDevicesUnit) {
  Files.write("a.cu", std::string(Cuda) +
                          "#ifndef __CUDA_ARCH__\n#error host\n#endif\n"
                          "__global__ void k(float *p) { *p = 1; }\n");
  Outcome O = parse(job("a.cu"));
  EXPECT_EQ(O.Failure, "");
  EXPECT_EQ(O.Errors, Words{});
  EXPECT_EQ(O.Kernels, Words{"k"});
  EXPECT_EQ(O.Calls, 1u);
}

TEST_F(DevicePass, ErrorsAreLinesAndTheUnitIsKept) {
  std::string File =
      Files.write("a.cu", std::string(Cuda) + "__global__ void k() {}\n"
                                              "int x = nothing;\n"
                                              "__global__ void l() {}\n");
  Outcome O = parse(job("a.cu"));
  EXPECT_EQ(O.Failure, "");
  EXPECT_EQ(O.Errors,
            Words{File + ":4:9: use of undeclared identifier 'nothing'"});
  EXPECT_EQ(O.Kernels, (Words{"k", "l"}));
}

TEST_F(DevicePass, MissingHeaderLosesNoKernel) {
  std::string File =
      Files.write("a.cu", std::string(Cuda) + "__global__ void k() {}\n"
                                              "#include \"absent.h\"\n"
                                              "__global__ void l() {}\n");
  Outcome O = parse(job("a.cu"));
  EXPECT_EQ(O.Errors, Words{File + ":4:10: 'absent.h' file not found"});
  EXPECT_EQ(O.Kernels, (Words{"k", "l"}));
}

TEST_F(DevicePass, IncludePathsAreRelativeToTheCommand) {
  Files.write("inc/k.h", "__global__ void k() {}\n");
  Files.write("src/a.cu", std::string(Cuda) + "#include <k.h>\n");
  Outcome O = parse(job("src/a.cu", {"-Iinc"}));
  EXPECT_EQ(O.Errors, Words{});
  EXPECT_EQ(O.Kernels, Words{"k"});
}

TEST_F(DevicePass, ManyErrorsAreCounted) {
  std::string Text = Cuda;
  for (int I = 0; I < 60; ++I)
    Text += "int x" + std::to_string(I) + " = nothing;\n";
  Files.write("a.cu", Text);
  Outcome O = parse(job("a.cu"));
  ASSERT_EQ(O.Errors.size(), 51u);
  EXPECT_EQ(O.Errors.back(), "and 10 more errors");
}

TEST_F(DevicePass, EmptyFileHasNoKernels) {
  Files.write("a.cu", "");
  Outcome O = parse(job("a.cu"));
  EXPECT_EQ(O.Failure, "");
  EXPECT_EQ(O.Errors, Words{});
  EXPECT_EQ(O.Calls, 1u);
}

TEST_F(DevicePass, WhatIsNoSource) {
  EXPECT_EQ(
      parse(job("absent.cu"))
          .Failure.find("cannot read '" + Files.path("absent.cu") + "': "),
      0u);
  Files.write("dir.cu/x", "");
  EXPECT_EQ(parse(job("dir.cu")).Failure,
            "'" + Files.path("dir.cu") +
                "' is a directory: give a file, or a compile database with -p "
                "DIR");
  Files.write("binary.cu", llvm::StringRef("\x7f"
                                           "ELF\0\0\1",
                                           7));
  EXPECT_EQ(parse(job("binary.cu")).Failure,
            "'" + Files.path("binary.cu") +
                "' is not text: give a CUDA source file");
  CompileJob Nowhere = job("a.cu");
  Files.write("a.cu", "");
  Nowhere.Directory = Files.path("gone");
  EXPECT_EQ(parse(Nowhere).Failure, "the directory of the command, '" +
                                        Files.path("gone") +
                                        "', cannot be entered");
}

TEST_F(DevicePass, ThreadsHaveTheirOwnDirectories) {
  std::vector<CompileJob> Jobs;
  for (int I = 0; I < 4; ++I) {
    std::string Directory = "d" + std::to_string(I);
    Files.write(Directory + "/name.h",
                "__global__ void k" + std::to_string(I) + "() {}\n");
    Files.write(Directory + "/a.cu", std::string(Cuda) + "#include <name.h>\n");
    llvm::Expected<CompileJob> Job = translateCommand(
        {"-I.", "-nocudainc", "-nocudalib"}, "a.cu", Files.path(Directory), {});
    ASSERT_TRUE(bool(Job)) << toString(Job.takeError());
    Jobs.push_back(*Job);
  }
  std::vector<Outcome> Outcomes(Jobs.size());
  std::vector<std::thread> Threads;
  for (size_t I = 0; I < Jobs.size(); ++I)
    Threads.emplace_back([&, I] { Outcomes[I] = parse(Jobs[I]); });
  for (std::thread &T : Threads)
    T.join();
  for (size_t I = 0; I < Jobs.size(); ++I) {
    EXPECT_EQ(Outcomes[I].Errors, Words{});
    EXPECT_EQ(Outcomes[I].Kernels, Words{"k" + std::to_string(I)});
  }
}

#if !LLVM_ADDRESS_SANITIZER_BUILD // the crash leaks what it interrupts
TEST_F(DevicePass, ACrashIsAnErrorOfItsFile) {
  std::string File = Files.write("a.cu", Cuda);
  llvm::Expected<ParseOutcome> R = runDevicePass(
      job("a.cu"),
      [](clang::ASTContext &, clang::Preprocessor &) { __builtin_trap(); });
  ASSERT_FALSE(bool(R));
  EXPECT_EQ(toString(R.takeError()), "the analysis of '" + File +
                                         "' crashed: please report it with the "
                                         "file");
  EXPECT_EQ(parse(job("a.cu")).Failure, "");
}
#endif

} // namespace
