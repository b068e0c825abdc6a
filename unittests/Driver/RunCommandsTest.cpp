//===- RunCommandsTest.cpp - How a program is said to be run --------------===//
//
// Part of Warplint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "warplint/Driver/RunCommands.h"
#include "llvm/ADT/IntrusiveRefCntPtr.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/VirtualFileSystem.h"
#include "gtest/gtest.h"

using namespace llvm;
using namespace warplint;

/// "./a 1 2 @ Makefile:3; ./a 5 @ Makefile:4", words with spaces in brackets.
static std::string text(const std::vector<RunCommand> &Commands) {
  std::string Text;
  for (const RunCommand &C : Commands) {
    Text += Text.empty() ? "" : "; ";
    for (const std::string &Word : C.Words)
      Text += (StringRef(Word).contains(' ') ? "[" + Word + "]" : Word) + " ";
    Text += "@ " + C.Place;
  }
  return Text;
}

static std::string line(StringRef Line) { return text(commandsIn(Line, "x")); }

TEST(RunCommands, OfALine) {
  EXPECT_EQ(line("./a 1 -n 2"), "./a 1 -n 2 @ x");
  EXPECT_EQ(line("bin/a 'two words' \"3\" \\4"), "bin/a [two words] 3 4 @ x");
  EXPECT_EQ(line("cd out && ./a 1 > log 2>&1; ../b 2 | tee log"),
            "./a 1 @ x; ../b 2 @ x");
  EXPECT_EQ(line("X=1 time ./a 1 # 2"), "./a 1 @ x");
  EXPECT_EQ(line("mpirun -n 4 ./a 1 </dev/null"), "./a 1 @ x");
}

TEST(RunCommands, OfALineThatRunsNoProgramOrNeedsAShell) {
  for (const char *Line :
       {"", "# ./a 1", "rm -rf out", "diff -Bb a/b c", "echo ./a 1", "./run.sh",
        "python3 ./a.py", "./a $N", "./a *.txt", "./a `nproc`", "./a \"$N\"",
        "mkdir ./a"})
    EXPECT_EQ(line(Line), "") << Line;
}

static std::string make(StringRef Text) {
  return text(commandsOfMakefile(Text, "Makefile"));
}

TEST(RunCommands, OfAMakefile) {
  EXPECT_EQ(make("program = main\nLAUNCHER =\n"
                 "N ?= 64\nARGS := -n $(N)\nARGS += -v\n"
                 "all: $(program)\n"
                 "run: $(program)\n"
                 "\t@$(LAUNCHER) ./$(program) ${ARGS} \\\n\t  7\n"
                 "\t./$< 8\n"
                 "clean:\n\trm -f $(program)\n"),
            "./main -n 64 -v 7 @ Makefile:8; ./main 8 @ Makefile:10");
  // `test` where there is no `run`; a recipe that runs nothing is none.
  EXPECT_EQ(make("run:\n\techo no\ntest:\n\t./a 5\n"), "./a 5 @ Makefile:4");
  // One of two, as a condition has it: not known.
  EXPECT_EQ(make("ifeq ($(X),1)\nN = 1\nelse\nN = 2\nendif\nM = 3\n"
                 "run:\n\t./a $(N)\n\t./a $(M)\n"),
            "./a 3 @ Makefile:9");
  // Of Make's functions and the shell nothing is known.
  EXPECT_EQ(make("run:\n\t./a $(shell nproc)\n\t./a $$N\n\t./b 1\n"),
            "./b 1 @ Makefile:4");
  EXPECT_EQ(make("run:\r\n\t./a 1\r\n"), "./a 1 @ Makefile:2");
  EXPECT_EQ(make("A = $(A)\nrun:\n\t./a $(A)\n"), "");
}

TEST(RunCommands, OfCTest) {
  std::vector<std::string> Folders;
  EXPECT_EQ(text(commandsOfCTest("add_test([=[small]=] \"/b/a\" \"16\" \"x y\")\n"
                                 "set_tests_properties([=[small]=] PROPERTIES "
                                 "_BACKTRACE_TRIPLES \"f;1;add_test;\")\n"
                                 "add_test(none NOT_AVAILABLE)\n"
                                 "subdirs(\"src\")\n",
                                 "C", Folders)),
            "/b/a 16 [x y] @ C:1");
  EXPECT_EQ(Folders, std::vector<std::string>{"src"});
}

namespace {
struct Files {
  IntrusiveRefCntPtr<vfs::InMemoryFileSystem> FS =
      makeIntrusiveRefCnt<vfs::InMemoryFileSystem>();
  Files &add(const char *Path, StringRef Text) {
    FS->addFile(Path, 0, MemoryBuffer::getMemBufferCopy(Text));
    return *this;
  }
  std::string find(StringRef File, StringRef Directory) {
    return text(findRunCommands(File, Directory, *FS));
  }
};
} // namespace

TEST(RunCommands, BesideTheFileOrWhereItIsCompiled) {
  EXPECT_EQ(Files().find("/p/a.cu", "/p"), "");
  EXPECT_EQ(Files().add("/p/Makefile", "run:\n\t./x 1\n").find("/p/a.cu", "/b"),
            "./x 1 @ Makefile:2");
  EXPECT_EQ(
      Files().add("/b/Makefile", "run:\n\t./x 1\n").find("/p/a.cu", "/b"),
      "./x 1 @ Makefile:2");
  EXPECT_EQ(Files().add("/p/run", "# once\n./x 1\n").find("/p/a.cu", "/p"),
            "./x 1 @ run:2");
  // A program is called `run`, too.
  EXPECT_EQ(Files()
                .add("/p/run", StringRef("\x7f"
                                         "ELF\0./x 1",
                                         10))
                .find("/p/a.cu", "/p"),
            "");
}

TEST(RunCommands, OfThisProgramAmongSeveral) {
  const char *Two = "run:\n\t./a 1\n\t./b 2\n\t./a 3\n\t./a 1\n";
  EXPECT_EQ(Files().add("/p/Makefile", Two).find("/p/a.cu", "/p"),
            "./a 1 @ Makefile:2; ./a 3 @ Makefile:4");
  EXPECT_EQ(Files().add("/p/Makefile", Two).find("/p/b.cu", "/p"),
            "./b 2 @ Makefile:3");
  EXPECT_EQ(Files().add("/p/Makefile", Two).find("/p/c.cu", "/p"), "");
  // CTest names every test of the build.
  Files CTest;
  CTest.add("/b/CTestTestfile.cmake", "subdirs(\"t\")\n")
      .add("/b/t/CTestTestfile.cmake",
           "add_test(x \"/b/t/a\" \"1\")\nadd_test(y \"/b/t/a\" \"2\")\n");
  EXPECT_EQ(CTest.find("/p/a.cu", "/b"),
            "/b/t/a 1 @ CTestTestfile.cmake:1; /b/t/a 2 @ "
            "CTestTestfile.cmake:2");
  EXPECT_EQ(CTest.find("/p/c.cu", "/b"), "");
}

TEST(RunCommands, NoMoreThanAreWorthIt) {
  std::string Text = "run:\n";
  for (unsigned I = 0; I < 2 * MaxRunCommands; ++I)
    Text += "\t./a " + std::to_string(I) + "\n";
  Files Many;
  Many.add("/p/Makefile", Text);
  EXPECT_EQ(findRunCommands("/p/a.cu", "/p", *Many.FS).size(), MaxRunCommands);
}

TEST(RunCommands, IsDescribed) {
  EXPECT_EQ(RunCommand({{"./a", "1"}, "Makefile:2"}).describe(),
            "the program is run as './a 1' (Makefile:2)");
  EXPECT_EQ(RunCommand({{"./a"}, ""}).describe(),
            "the program is run as './a'");
}
