//===- FollowRuns.cpp - The runs of a program, followed -------------------===//
//
// Part of Warplint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "FollowRuns.h"
#include "CommandLineWrites.h"
#include "clang/AST/Attr.h"
#include "clang/Basic/SourceManager.h"

using namespace clang;

namespace warplint::launch {

namespace {
/// A file while it is read.
struct File {
  ASTContext &Ctx;
  HostIndex &Index;
  Foreign &Others;
  std::map<std::string, const FunctionDecl *> Defined, Called;
  llvm::StringSet<> Variables, Missing; ///< that it defines, and does not
  const FunctionDecl *Main = nullptr;

  File(ASTContext &Ctx, HostIndex &Index, Foreign &Others)
      : Ctx(Ctx), Index(Index), Others(Others) {
    forEachGlobal(Ctx.getTranslationUnitDecl(), [&](const VarDecl *V) {
      if (!V->getIdentifier() || !V->isExternallyVisible() ||
          Ctx.getSourceManager().isInSystemHeader(V->getLocation()))
        return;
      if (definitionHere(V))
        Variables.insert(V->getName());
      else if (V->isReferenced())
        Missing.insert(V->getName());
    });
    for (const FunctionDecl *F : Index.Definitions) {
      if (F->isMain())
        Main = F;
      else if (!F->hasAttr<CUDAGlobalAttr>() && Others.isDefinedForOthers(F))
        if (const std::string &Name = Others.nameOf(F); !Name.empty())
          Defined[Name] = F;
    }
    Index.forEachCallee([&](const FunctionDecl *F, llvm::ArrayRef<CallSite>) {
      if (F->hasBody() || F->hasAttr<CUDAGlobalAttr>() || F->getBuiltinID() ||
          F->isDependentContext() || !F->getIdentifier() ||
          Ctx.getSourceManager().isInSystemHeader(F->getLocation()))
        return;
      if (const std::string &Name = Others.nameOf(F); !Name.empty())
        Called[Name] = F;
    });
  }
};

class Follower {
public:
  Follower(RunEvaluators &Evaluators, const FindRuns &Find,
           const ReadFile &Read)
      : Evaluators(Evaluators), Find(Find), Read(Read) {}

  std::vector<FollowedRun> follow(ASTContext &Ctx, HostIndex &Index,
                                  Foreign &Others) {
    Files.push_back(std::make_unique<File>(Ctx, Index, Others));
    const bool Alone = !Read || Index.Launches.empty();
    // Others are read where the way leads into them, or comes from there.
    NeedsOthers = !Files.front()->Main || !Files.front()->Missing.empty();
    if (Alone || !NeedsOthers)
      run();
    if (!Alone && NeedsOthers) {
      Runs.clear();
      Evaluators.All.resize(1);
      gather();
    }
    return std::move(Runs);
  }

private:
  bool hasMain() const {
    return llvm::any_of(Files,
                        [](const auto &F) { return F->Main != nullptr; });
  }
  llvm::StringSet<> wanted() const;
  void gather();
  void run();
  void runOnce(const File &Main, const RunCommand *Command, bool WritesWords);

  RunEvaluators &Evaluators;
  const FindRuns &Find;
  const ReadFile &Read;
  std::vector<std::unique_ptr<File>> Files; ///< the one asked about first
  bool NeedsOthers = false;                 ///< a run leads there
  std::vector<FollowedRun> Runs;
};
} // namespace

/// Functions and variables that other files may define, and, as long as there
/// is no main(), the functions that they may call.
llvm::StringSet<> Follower::wanted() const {
  llvm::StringSet<> Names;
  for (const auto &Of : Files) {
    for (const auto &[Name, F] : Of->Called)
      if (llvm::none_of(Files, [&, Name = Name](const auto &Other) {
            return Other->Defined.count(Name) != 0;
          }))
        Names.insert(F->getName());
    for (const auto &Name : Of->Missing)
      if (llvm::none_of(Files, [&](const auto &Other) {
            return Other->Variables.contains(Name.getKey());
          }))
        Names.insert(Name.getKey());
    if (!hasMain())
      for (const auto &[Name, F] : Of->Defined)
        if (F->getIdentifier())
          Names.insert(F->getName());
  }
  return Names;
}

void Follower::gather() {
  bool More = false;
  // Read gives each file once, so that this ends.
  if (llvm::StringSet<> Names = wanted(); !Names.empty())
    Read(Names, [&](ASTContext &Ctx) {
      More = true;
      HostIndex Index(Ctx);
      Foreign Others(Ctx, nullptr);
      auto Next = std::make_unique<File>(Ctx, Index, Others);
      // With a main() of its own it is of another program.
      const bool Another = Next->Main && hasMain();
      if (!Another)
        Files.push_back(std::move(Next));
      gather();
      if (!Another)
        Files.pop_back();
    });
  if (!More)
    run();
}

void Follower::runOnce(const File &Main, const RunCommand *Command,
                       bool WritesWords) {
  std::vector<std::unique_ptr<HostEvaluator>> Own;
  std::vector<ProgramUnit> Units;
  size_t Start = 0;
  for (const auto &Of : Files) {
    // What they know of other files ends with those.
    Own.push_back(std::make_unique<HostEvaluator>(Of->Ctx, Of->Index,
                                                  Of->Others, Command));
    if (Of.get() == &Main)
      Start = Units.size();
    Units.push_back(
        {Of->Ctx, Of->Index, Of->Others, *Own.back(), Of->Defined, Of->Called});
  }
  HostProgram Program(Units);
  FollowedRun Result;
  Result.Followed = Program.run(Units[Start], Main.Main, WritesWords);
  NeedsOthers |= Program.CallsOthers;
  if (Result.Followed) {
    for (HostProgram::Made &M : Program.Launches)
      if (&M.What.Kernel->getASTContext() == &Files.front()->Ctx)
        Result.Launches.push_back(std::move(M));
    Result.Unclear = std::move(Program.Unclear);
  }
  Runs.push_back(std::move(Result));
}

void Follower::run() {
  const auto At =
      llvm::find_if(Files, [](const auto &F) { return F->Main != nullptr; });
  if (At == Files.end())
    return;
  const File &Main = **At;
  const bool IsHere = At == Files.begin();
  if (Main.Main->getNumParams() < 2)
    return runOnce(Main, nullptr, false);
  if (Find)
    Evaluators.Commands = Find(Main.Ctx);
  // Only where main() is followed is it seen what is written.
  const bool WritesWords =
      !Evaluators.Commands.empty() && llvm::any_of(Files, [](const auto &F) {
        return writeCommandLine(F->Index.Definitions);
      });
  for (const RunCommand &Command : Evaluators.Commands) {
    runOnce(Main, &Command, WritesWords);
    if (!IsHere || WritesWords)
      continue;
    Evaluators.All.push_back(std::make_unique<HostEvaluator>(
        Main.Ctx, Main.Index, Main.Others, &Command));
    Runs.back().Evaluator = Evaluators.All.back().get();
  }
}

std::vector<FollowedRun> followRuns(ASTContext &Ctx, HostIndex &Index,
                                    Foreign &Others, RunEvaluators &Evaluators,
                                    const FindRuns &Find,
                                    const ReadFile &Read) {
  return Follower(Evaluators, Find, Read).follow(Ctx, Index, Others);
}

} // namespace warplint::launch
