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

TEST(RunCommands, OfALineWithRedirections) {
  for (const char *Line :
       {"./a 1 >\tlog", "./a 1 > 'o 7'", "./a 1 > \"o 7\"", "./a 1 2>&1",
        "./a 1 &> log", "./a 1 &>> log", "./a 1 >> log", "./a 1 >| log",
        "./a >log 1", "./a 1 >&2", "./a 1 > $LOG", "./a 7>log 1",
        "(./a 1 >log)", "<in ./a 1", "./a 1 2>/dev/null >log"})
    EXPECT_EQ(line(Line), "./a 1 @ x") << Line;
  EXPECT_EQ(line("./a \"7\">log"), "./a 7 @ x");
  for (const char *Line :
       {"./a 1 >", "./a <(b) 1", "./a 1 > >(tee log) 2", "./a 1 <<END",
        "./a 32>log", "./a 1 &> log 2", "./a <<<1"})
    EXPECT_EQ(line(Line), "") << Line;
}

TEST(RunCommands, OfALineWithQuotes) {
  EXPECT_EQ(line("./a '$N' \"\\$N\" \"\\n\""), "./a $N $N \\n @ x");
  EXPECT_EQ(line("./a \\\n 1\\\n0"), "./a 10 @ x");
  for (const char *Line : {"./a 'x", "./a \"x", "./a 1 \\", "./b 2; ./a '"})
    EXPECT_EQ(line(Line), "") << Line;
}

TEST(RunCommands, OfALineWhoseEndDecides) {
  EXPECT_EQ(line("false && ./a 5 || ./a 6"), "");
  EXPECT_EQ(line("./a 5 || exit 1; ./a 6"), "./a 5 @ x; ./a 6 @ x");
  EXPECT_EQ(line("test -f x && { ./a 5; ./a 6; }"), "");
  EXPECT_EQ(line("./a 5; exit 0; ./a 6"), "./a 5 @ x");
  for (const char *Line :
       {"if [ -f x ]; then :; ./a 5; fi", "for i in 1 2; do :; ./a 5; done",
        "while :; do :; ./a 5; done", "f() { :; ./a 5; }"})
    EXPECT_EQ(line(Line), "") << Line;
}

TEST(RunCommands, OfWrappersAndOthersPrograms) {
  EXPECT_EQ(line("/usr/bin/time -p ./a 1"), "./a 1 @ x");
  for (const char *Line :
       {"/bin/rm -rf 3", "/bin/echo 5 6", "mpirun --hostfile ./hosts ./a 1",
        "mpirun -np 4 ./wrap.sh ./a 1", "nsys profile -o ./prof ./a 1",
        "mpirun -np 1 ./a 5 : -np 1 b 7", "mpirun -np 4 a 1"})
    EXPECT_EQ(line(Line), "") << Line;
}

TEST(RunCommands, OfArguments) {
  auto Words = [](StringRef Arguments) {
    std::optional<RunCommand> C = commandOfArguments(Arguments);
    return C ? text({*C}) : "none";
  };
  EXPECT_EQ(Words(""), "./program @ ");
  EXPECT_EQ(Words(" 1 'x y' N=2 -n"), "./program 1 [x y] N=2 -n @ ");
  EXPECT_EQ(Words("'a;b' \\# x#y"), "./program a;b # x#y @ ");
  for (const char *Arguments :
       {"1; 2", "1 & ", "1 | b", "1 && b", "1 > x", "1 < x", "1 2>&1", "(1)",
        "1 # 2", "'1", "\"1", "1\\", "$N", "`b`", "*", "1 <<X", ";", "1\n2"})
    EXPECT_EQ(Words(Arguments), "none") << Arguments;
}

static std::string make(StringRef Text) {
  return text(commandsOfMakefile(Text, "Makefile"));
}

/// The run of `./a $(N)` behind \p Text, without its place.
static std::string withN(StringRef Text) {
  std::string Found = make((Text + "\nrun: a\n\t./a $(N)\n").str());
  return StringRef(Found).split(" @").first.str();
}

TEST(RunCommands, OfVariablesThatAreNotKnown) {
  for (const char *Text : {"run: N = 5",
                           "N = 1\nrun: N := 5",
                           "N = 1\nrun: N+=5",
                           "N = 1\n%: override N = 5",
                           "N != echo 7",
                           "N = 1\nN = 2",
                           "N := 1\nN := 2",
                           "A := 1\nN := $(A)\nN := 2",
                           "A = 1\nA = 2\nN = $(A)",
                           "N = 1\nifdef X\nN = 2\nendif",
                           "ifdef X\nN = 2\nendif",
                           "N = 1\nifdef X\nN += 2\nendif",
                           "ifdef X\nN = 7\nendif\nN ?= 9",
                           "define N\n5\nendef",
                           "N = 5\nundefine N",
                           "export private N = 5",
                           "override define N =\n5\nendef",
                           "include x.mk",
                           "-include x.mk",
                           "sinclude x.mk",
                           "include x.mk\nN ?= 5",
                           "N = $(PWD)",
                           "N = $(CURDIR)",
                           "N = $(HOME)",
                           "N = $(MAKE)",
                           "N = $(TMPDIR)",
                           "N = $(USER)",
                           "N = $(SHELL)",
                           "N = $(N)",
                           "N = $*",
                           "N = $(A:1=2)",
                           "N = $(shell nproc)",
                           "$(X) = 5",
                           "$(eval N = 5)",
                           "$(call f,5)"})
    EXPECT_EQ(withN(Text), "") << Text;
}

TEST(RunCommands, OfVariablesThatAreKnown) {
  for (const char *Text : {"N = 5",
                           "N:=5",
                           "N ::= 5",
                           "N ?= 5",
                           "export N = 5",
                           "override N=5",
                           "export N = 5",
                           "export override N := 5",
                           "N = 5\nN = 5",
                           "N = 5\nN ?= 6",
                           "N = 5\nifdef X\nN = 5\nendif",
                           "N = 5 # five",
                           "N = $(X)5",
                           "N = 5\ninclude x.mk",
                           "$(info hello)\nN = 5",
                           "PWD = 5\nN = $(PWD)",
                           "A := 5\nN := $(A)\nA += 6",
                           "N = 5\nother: M = 6",
                           "define M\nN = 6\nendef\nN = 5",
                           "#\\\nN = 6\nN = 5"})
    EXPECT_EQ(withN(Text), "./a 5") << Text;
  EXPECT_EQ(withN("N = 5\\#6"), "./a 5#6");
  EXPECT_EQ(withN("N = 5 \\\n  6"), "./a 5 6");
  EXPECT_EQ(withN("N := 5\nN += 6"), "./a 5 6");
}

TEST(RunCommands, OfRecipesUnderConditionsAndOfSeveralRules) {
  EXPECT_EQ(make("run:\nifdef X\n\t./a 1\nelse\n\t./a 2\nendif\n\t./a 3\n"),
            "./a 3 @ Makefile:7");
  EXPECT_EQ(make("ifdef X\nrun:\n\t./a 1\nelse\nrun:\n\t./a 2\nendif\n"), "");
  EXPECT_EQ(make("run:\n\t./a 1\nifdef X\nrun:\n\t./a 2\nendif\n"), "");
  EXPECT_EQ(make("run:\n\t./a 1\nrun:\n\t./a 2\nrun: a\n"),
            "./a 2 @ Makefile:4");
  EXPECT_EQ(make("run::\n\t./a 1\nrun::\n\t./a 2\n"),
            "./a 1 @ Makefile:2; ./a 2 @ Makefile:4");
  EXPECT_EQ(make("run: ; ./a 5\n"), "./a 5 @ Makefile:1");
  EXPECT_EQ(make("run: a;@./a 5 N=6\n\t./a 7\n"),
            "./a 5 N=6 @ Makefile:1; ./a 7 @ Makefile:2");
  EXPECT_EQ(make("run: a b a\n\t./$^ 6\n\t./$< 7\n\t./$@ 8\n"),
            "./a b 6 @ Makefile:2; ./a 7 @ Makefile:3; ./run 8 @ Makefile:4");
  EXPECT_EQ(make("run: a\nrun: b\n\t./$< 6\n"), "");
  EXPECT_EQ(make(".ONESHELL:\nrun:\n\tif x\n\t./a 1\n\tfi\n"), "");
  EXPECT_EQ(make("Q = @-\nrun:\n\t$(Q) ./a 1\n\t@ ./a 2\n"),
            "./a 1 @ Makefile:3; ./a 2 @ Makefile:4");
}

TEST(RunCommands, OfRecipesOverSeveralLines) {
  EXPECT_EQ(make("run:\n\t./a 10\\\n\t24 6\n"), "./a 1024 6 @ Makefile:2");
  EXPECT_EQ(make("run:\n\t./a 10\\\n24\n"), "./a 1024 @ Makefile:2");
  EXPECT_EQ(make("run:\n\t./a 10\\\n 24\n"), "./a 10 24 @ Makefile:2");
  EXPECT_EQ(make("run:\n\tfor i in 1 2; do \\\n\t ./a 5; \\\n\tdone\n"), "");
  EXPECT_EQ(make("run:\n\t./a 5 \\\n"), "");
}

TEST(RunCommands, OfAMakefileThatGrows) {
  std::string Text = "A0 = ./a 5\n", Empty = "E0 =\n";
  for (unsigned I = 1; I < 15; ++I)
    for (auto [To, Name] : {std::pair(&Text, "A"), std::pair(&Empty, "E")}) {
      std::string Inner = (" $(" + Twine(Name) + Twine(I - 1) + ")").str();
      *To +=
          (Name + Twine(I) + " =" + Inner + Inner + Inner + Inner + "\n").str();
    }
  EXPECT_EQ(make(Text + "run:\n\t$(A14)\n"), "");
  EXPECT_EQ(make(Empty + "run:\n\t./a $(E14)\n"), "");
  std::string Doubled = "N := 1\n";
  for (unsigned I = 0; I < 64; ++I)
    Doubled += "N += $(N)\n";
  EXPECT_EQ(withN(Doubled), "");
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
  EXPECT_EQ(
      text(commandsOfCTest("add_test([=[small]=] \"/b/a\" \"16\" \"x y\")\n"
                           "set_tests_properties([=[small]=] PROPERTIES "
                           "_BACKTRACE_TRIPLES \"f;1;add_test;\")\n"
                           "add_test(none NOT_AVAILABLE)\n"
                           "add_test(lines \"/b/a\" \"5\n6\")\n"
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
  EXPECT_EQ(Files().add("/p/Makefile", "run:\n\t./a 1\n").find("/p/a.cu", "/b"),
            "./a 1 @ Makefile:2");
  EXPECT_EQ(Files().add("/b/Makefile", "run:\n\t./a 1\n").find("/p/a.cu", "/b"),
            "./a 1 @ Makefile:2");
  EXPECT_EQ(Files().add("/p/run", "# once\n./a 1\n").find("/p/a.cu", "/p"),
            "./a 1 @ run:2");
  // Make reads the first alone.
  EXPECT_EQ(Files()
                .add("/p/GNUmakefile", "all:\n\ttrue\n")
                .add("/p/Makefile", "run:\n\t./a 1\n")
                .find("/p/a.cu", "/p"),
            "");
  // A script under the name of a program.
  EXPECT_EQ(Files()
                .add("/p/a", "#!/bin/sh\n./b 2\n")
                .add("/p/Makefile", "run:\n\t./a 1\n")
                .find("/p/a.cu", "/p"),
            "");
  // A program is called `run`, too.
  EXPECT_EQ(Files()
                .add("/p/run", StringRef("\x7f"
                                         "ELF\0./a 1",
                                         10))
                .find("/p/a.cu", "/p"),
            "");
}

TEST(RunCommands, OfAProgramWithAnotherName) {
  const char *Main = "int main (int argc, char **argv) {}";
  auto Project = [&](const char *Makefile) {
    return Files()
        .add("/p/src/a.cu", Main)
        .add("/p/src/b.cu", "int domain();")
        .add(Makefile, "x: src/a.cu src/data.cu\nrun:\n\t./x 1\n");
  };
  EXPECT_EQ(Project("/p/src/Makefile").find("/p/src/a.cu", "/p"),
            "./x 1 @ Makefile:3");
  EXPECT_EQ(Project("/p/src/Makefile").find("/p/src/b.cu", "/p"), "");
  // Two programs.
  EXPECT_EQ(Project("/p/src/Makefile")
                .add("/p/src/c.cpp", Main)
                .find("/p/src/a.cu", "/p"),
            "");
  // Two, of which the Makefile can mean one.
  auto Two = [&](const char *Makefile) {
    return Files()
        .add("/p/a.cu", Main)
        .add("/p/other.cu", Main)
        .add("/p/Makefile", Makefile)
        .find("/p/a.cu", "/p");
  };
  EXPECT_EQ(Two("x: a.cu\nrun:\n\t./x 1\n"), "./x 1 @ Makefile:3");
  EXPECT_EQ(Two("x: other.o\ny: a.cu\nrun:\n\t./x 1\n"), "");
  EXPECT_EQ(Two("x: $(wildcard *.cu) a.cu\nrun:\n\t./x 1\n"), "");
  EXPECT_EQ(Two("run:\n\t./x 1\n"), "");
  // Compiled elsewhere: where the Makefile names the file.
  EXPECT_EQ(Project("/p/Makefile").find("/p/src/a.cu", "/p"),
            "./x 1 @ Makefile:3");
  EXPECT_EQ(Files()
                .add("/q/ta.cu", Main)
                .add("/p/Makefile", "x: a/data.cu xta.cu\nrun:\n\t./x 1\n")
                .find("/q/ta.cu", "/p"),
            "");
  // Too many to look at.
  Files Many = Project("/p/src/Makefile");
  for (unsigned I = 0; I < 200; ++I)
    Many.add(("/p/src/f" + std::to_string(I) + ".c").c_str(), "");
  EXPECT_EQ(Many.find("/p/src/a.cu", "/p"), "");
}

TEST(RunCommands, OfAScript) {
  auto Script = [](StringRef Text) {
    return Files().add("/p/run.sh", Text).find("/p/a.cu", "/p");
  };
  EXPECT_EQ(Script("#!/bin/sh\n./a \\\n  1 \\\n 2\n./a 3\n"),
            "./a 1 2 @ run.sh:2; ./a 3 @ run.sh:5");
  EXPECT_EQ(Script("#!/usr/bin/env bash\r\n./a 1\r\n"), "./a 1 @ run.sh:2");
  EXPECT_EQ(Script("N=5\n./a $N\n./a \"$@\"\n./a 6\n"), "./a 6 @ run.sh:4");
  for (const char *Text :
       {"#!/usr/bin/env python3\n./a 1\n", "#!/usr/bin/perl\n./a 1\n",
        "#!\n./a 1\n", "for n in 1 2\ndo\n./a 1\ndone\n",
        "if x; then\n./a 1\nfi\n", "while x\ndo\n./a 1\ndone\n",
        "until x\ndo\n./a 1\ndone\n", "case x in\ny)\n./a 1;;\nesac\n",
        "f() {\n./a 1\n}\n", "function f {\n./a 1\n}\n",
        "cat <<END\n./a 1\nEND\n", "exit 0\n./a 1\n", "set -- 5\n./a 1\n",
        "echo \"use:\n./a 1\n\"\n", "false &&\n./a 1\n"})
    EXPECT_EQ(Script(Text), "") << Text;
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
  EXPECT_EQ(
      RunCommand({{"./a", "", "x y", "it's", "\"", "1\n\x1b"}, ""}).describe(),
      "the program is run as './a \"\" \"x y\" \"it's\" \"\\\"\" 1?"
      "?'");
  EXPECT_EQ(RunCommand({{"./a", "\xc3\xa9", "\xe9"}, ""}).describe(),
            "the program is run as './a \xc3\xa9 ?'");
}
