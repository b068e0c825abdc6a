//===- CompileCommandsTest.cpp --------------------------------------------===//
//
// Part of Warplint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "warplint/Driver/CompileCommands.h"
#include "Scratch.h"
#include "warplint/Driver/NvccCommand.h"
#include "llvm/ADT/STLExtras.h"
#include "gtest/gtest.h"

using namespace warplint;
using Words = std::vector<std::string>;

namespace {

class Translate : public ::testing::Test {
protected:
  Scratch Files;
  CommandOptions Options;
  void SetUp() override { Options.CudaPath = Files.fakeToolkit(); }

  CompileJob job(const Words &Command) {
    llvm::Expected<CompileJob> Job =
        translateCommand(Command, "a.cu", Files.Root, Options);
    if (Job)
      return *Job;
    ADD_FAILURE() << toString(Job.takeError());
    return {};
  }
  std::string error(const Words &Command) {
    llvm::Expected<CompileJob> Job =
        translateCommand(Command, "a.cu", Files.Root, Options);
    return Job ? "no error" : toString(Job.takeError());
  }
  static bool has(const CompileJob &Job, llvm::StringRef Flag) {
    return llvm::is_contained(Job.Arguments, Flag);
  }
};

TEST_F(Translate, DevicePassOfOneFile) {
  CompileJob Job = job({"nvcc", "-arch=sm_80", "-O0", "-c", "main.cu", "a.cu",
                        "b.cpp", "-o", "prog"});
  EXPECT_EQ(Job.File, Files.path("a.cu"));
  EXPECT_EQ(Job.Directory, Files.Root);
  EXPECT_EQ(Job.Arch, "sm_80");
  EXPECT_TRUE(Job.Nvcc);
  EXPECT_TRUE(has(Job, "--cuda-device-only"));
  EXPECT_TRUE(has(Job, "--cuda-gpu-arch=sm_80"));
  EXPECT_TRUE(has(Job, "-fsyntax-only"));
  EXPECT_TRUE(has(Job, "-O2"));
  EXPECT_FALSE(has(Job, "-O0"));
  EXPECT_TRUE(has(Job, "-Wno-unknown-cuda-version"));
  EXPECT_FALSE(has(Job, "main.cu") || has(Job, "b.cpp") || has(Job, "prog"));
  Words Tail(Job.Arguments.end() - 3, Job.Arguments.end());
  EXPECT_EQ(Tail, (Words{"-x", "cuda", Files.path("a.cu")}));
  EXPECT_EQ(Job.Remarks, Words{});
}

TEST_F(Translate, ArchOptionDecides) {
  Options.Arch = "sm_86";
  EXPECT_EQ(job({"nvcc", "-arch=sm_999"}).Arch, "sm_86");
  Options.Arch = "sm_1";
  EXPECT_NE(error({"nvcc"}).find("'sm_1'"), std::string::npos);
}

TEST_F(Translate, UnknownFlagsGiveOneRemark) {
  CompileJob Job = job({"nvcc", "-fsuch", "--and-such=1", "-DA"});
  EXPECT_EQ(Job.Remarks, Words{"dropped what clang cannot read: -fsuch "
                               "--and-such=1"});
  EXPECT_TRUE(has(Job, "-DA"));
}

TEST_F(Translate, Compilers) {
  for (const Words &Nvcc :
       {Words{"/opt/x/bin/nvcc"}, Words{"nvcc-13.0"}, Words{"nvcc_wrapper"},
        Words{"ccache", "nvcc"}, Words{"env", "A=b", "/x/nvcc"}}) {
    Words Command = Nvcc;
    Command.push_back("-isystem=d");
    EXPECT_TRUE(job(Command).Nvcc) << Nvcc.front();
    EXPECT_TRUE(has(job(Command), "d")) << Nvcc.front();
  }
  for (const char *Clang : {"clang++", "/usr/bin/clang++-22", "g++", "nvc++"})
    EXPECT_FALSE(job({Clang, "-DA"}).Nvcc) << Clang;
}

TEST_F(Translate, FlagsWithoutACompiler) {
  EXPECT_FALSE(job({}).Nvcc);
  EXPECT_EQ(job({}).Arch, "sm_90");
  CompileJob Clang = job({"-x", "cuda", "--cuda-gpu-arch=sm_70", "-DA"});
  EXPECT_FALSE(Clang.Nvcc);
  EXPECT_EQ(Clang.Arch, "sm_70");
  // Flags of both kinds: what nvcc does not know is clang's.
  CompileJob Both = job({"-arch=sm_70", "-fopenmp", "-Wall", "-use_fast_math"});
  EXPECT_TRUE(Both.Nvcc);
  EXPECT_EQ(Both.Arch, "sm_70");
  EXPECT_TRUE(has(Both, "-fopenmp"));
  EXPECT_EQ(Both.Remarks, Words{});
}

TEST_F(Translate, ToolkitPlaces) {
  Options.CudaPath.clear();
  std::string FromCommand = Files.fakeToolkit("command");
  std::string FromCompiler = Files.fakeToolkit("compiler");
  EXPECT_TRUE(has(job({"clang++", "--cuda-path=" + FromCommand}),
                  "--cuda-path=" + FromCommand));
  EXPECT_TRUE(
      has(job({FromCompiler + "/bin/nvcc"}), "--cuda-path=" + FromCompiler));
  Options.CudaPath = Files.path("nowhere");
  EXPECT_EQ(error({"nvcc"}),
            "no CUDA toolkit in '" + Files.path("nowhere") +
                "': pass --cuda-path=DIR, the directory that holds "
                "include/cuda_runtime.h");
}

TEST_F(Translate, CoreLibrariesOfTheToolkit) {
  EXPECT_FALSE(has(job({"nvcc"}), Options.CudaPath + "/include/cccl"));
  Files.write("cuda/include/cccl/nv/target", "");
  CompileJob Job = job({"nvcc"});
  auto At = llvm::find(Job.Arguments, Options.CudaPath + "/include/cccl");
  ASSERT_NE(At, Job.Arguments.end());
  EXPECT_EQ(*std::prev(At), "-isystem");
}

TEST_F(Translate, ResponseFiles) {
  Files.write("one.rsp", "-DONE --options-file two.rsp \"-DQ=a b\"");
  Files.write("two.rsp", "-DTWO -isystem=d\n-DTHREE");
  CompileJob Job = job({"nvcc", "--options-file", "one.rsp"});
  for (const char *Flag : {"-DONE", "-DTWO", "-DTHREE", "-DQ=a b", "d"})
    EXPECT_TRUE(has(Job, Flag)) << Flag;
  EXPECT_TRUE(has(job({"nvcc", "-optf=two.rsp"}), "-DTWO"));
  EXPECT_TRUE(has(job({"nvcc", "@two.rsp"}), "-DTWO"));
  EXPECT_TRUE(has(job({"nvcc", "-optf", "two.rsp,one.rsp"}), "-DONE"));
}

TEST_F(Translate, ResponseFileErrors) {
  EXPECT_EQ(
      error({"nvcc", "@absent"})
          .find("cannot read response file '" + Files.path("absent") + "': "),
      0u);
  Files.write("loop.rsp", "-optf loop.rsp");
  EXPECT_EQ(error({"nvcc", "-optf", "loop.rsp"}),
            "response file '" + Files.path("loop.rsp") + "' includes itself");
}

//===--- Databases
//----------------------------------------------------------===//

class Database : public Translate {
protected:
  void write(const std::string &Entries) {
    Files.write("build/compile_commands.json", "[" + Entries + "]");
  }
  static std::string entry(const std::string &File, const std::string &Command,
                           const std::string &Directory = ".") {
    return "{\"directory\":\"" + Directory + "\",\"file\":\"" + File +
           "\",\"command\":\"" + Command + "\"}";
  }
  CompileCommands load(const std::string &Directory) {
    llvm::Expected<CompileCommands> C =
        CompileCommands::load(Files.path(Directory));
    if (C)
      return *C;
    ADD_FAILURE() << toString(C.takeError());
    return {};
  }
};

TEST_F(Database, FilesAreRelativeToTheirDirectory) {
  write(entry("../src/a.cu", "nvcc -c ../src/a.cu") + "," +
        entry("b.cu", "nvcc -c b.cu", Files.path("src")) + "," +
        entry("c.cpp", "g++ -c c.cpp") + "," +
        entry("d.cpp", "nvcc -x cu -c d.cpp") + "," +
        entry("e.cc", "clang++ -x cuda -c e.cc") + "," +
        entry("b.cu", "nvcc -DTWICE -c b.cu", Files.path("src")));
  Files.write("build/sub/x", "");
  CompileCommands C = load("build/sub"); // found above
  EXPECT_EQ(C.cudaFiles(),
            (Words{Files.path("src/a.cu"), Files.path("src/b.cu"),
                   Files.path("build/d.cpp"), Files.path("build/e.cc")}));
}

TEST_F(Database, OneJobForEachDistinctCommand) {
  write(entry("a.cu", "nvcc -DA -c a.cu -o 1.o") + "," +
        entry("a.cu", "nvcc -DA -c a.cu -o 2.o") + "," +
        entry("a.cu", "nvcc -DB -arch=sm_80 -c a.cu") + "," +
        entry("b.cu", "nvcc -c b.cu"));
  llvm::Expected<std::vector<CompileJob>> Jobs =
      load("build").jobsFor(Files.path("build/a.cu"), Options);
  ASSERT_TRUE(bool(Jobs)) << toString(Jobs.takeError());
  ASSERT_EQ(Jobs->size(), 2u);
  EXPECT_TRUE(has((*Jobs)[0], "-DA"));
  EXPECT_EQ((*Jobs)[0].Directory, Files.path("build"));
  EXPECT_EQ((*Jobs)[1].Arch, "sm_80");
}

TEST_F(Database, Errors) {
  llvm::Expected<CompileCommands> None = CompileCommands::load(Files.Root);
  ASSERT_FALSE(bool(None));
  EXPECT_EQ(toString(None.takeError())
                .find("no compile_commands.json in '" + Files.Root + "'"),
            0u);

  Files.write("bad/compile_commands.json", "[{\"file\": 1,");
  llvm::Expected<CompileCommands> Bad =
      CompileCommands::load(Files.path("bad"));
  ASSERT_FALSE(bool(Bad));
  std::string Message = toString(Bad.takeError());
  EXPECT_EQ(Message.find("cannot read '"), 0u);
  EXPECT_EQ(Message.find('\n'), std::string::npos);

  write(entry("a.cu", "nvcc -c a.cu"));
  llvm::Expected<std::vector<CompileJob>> Header =
      load("build").jobsFor(Files.path("build/a.cuh"), Options);
  ASSERT_FALSE(bool(Header));
  EXPECT_EQ(toString(Header.takeError()),
            "the compile database has no command for '" +
                Files.path("build/a.cuh") +
                "': give a file that it compiles, or the flags after '--'");
}

} // namespace
