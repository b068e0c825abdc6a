//===- HostProgram.h - main(), run as far as it can be --------------------===//
//
// Part of Warplint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Where it is known how a program is run, its host code is run from main() on,
/// statement by statement and call by call, over what is known of its memory.
/// Where a condition is not known both ways are gone and met again; a loop that
/// is long, or whose end is not known, is gone through until what it finds no
/// longer changes. So each launch is seen as often, and with what, as it is
/// made, in recursion too. What cannot be followed (a call of a function that
/// nothing shows, goto) ends the attempt: launches are evaluated by what
/// reaches them then (HostEvaluator.h).
///
//===----------------------------------------------------------------------===//

#ifndef WARPLINT_LIB_LAUNCH_HOSTPROGRAM_H
#define WARPLINT_LIB_LAUNCH_HOSTPROGRAM_H

#include "HostEvaluator.h"
#include "LaunchEvaluation.h"
#include "RunMemory.h"

namespace warplint::launch {

/// A file of a program, for one run.
struct ProgramUnit {
  clang::ASTContext &Ctx;
  HostIndex &Index;
  Foreign &Others; ///< knows the names that files have in common
  HostEvaluator &Evaluator;
  /// By those names: functions with a body that others can call, and functions
  /// that are called here and have none.
  const std::map<std::string, const clang::FunctionDecl *> &Defined, &Called;
};

class HostProgram {
public:
  /// \p Units, which must outlive this: the files that are known of.
  explicit HostProgram(llvm::ArrayRef<ProgramUnit> Units);

  /// Runs \p Main, of \p Start; false: not all that it does could be followed.
  /// \p WritesWords: some function may write to the words of the command line.
  bool run(const ProgramUnit &Start, const clang::FunctionDecl *Main,
           bool WritesWords);

  /// A launch as it was made.
  struct Made {
    const clang::CallExpr *Call;
    EvaluatedLaunch What;
  };
  /// In the order in which they are made, each only once; a launch in a loop
  /// that was not run to its end once for all rounds, with what it is made
  /// with first as a guess.
  std::vector<Made> Launches;
  /// A function was called that another file may have.
  bool CallsOthers = false;
  /// Launches of which it is not known how they are made.
  llvm::DenseSet<const clang::CallExpr *> Unclear;

  // What the evaluator asks while it runs.

  /// The value of \p X now, where it is this that knows it.
  std::optional<HostValue> valueOf(const clang::Expr *X);
  /// The address of the lvalue \p X, likewise.
  std::optional<HostValue> addressOf(const clang::Expr *X);
  /// Whether the pointer \p V is null.
  std::optional<bool> isNull(const HostValue &V) const;
  /// Changes with every statement.
  unsigned moment() const { return Moment; }
  /// Grows when something is read that the run has written.
  unsigned loads() const { return Loads; }

private:
  /// Ways that are met again further on, joined; none so far.
  using Pending = std::optional<RunMemory>;
  struct LoopLevel {
    Pending Breaks, Continues;
    /// Of the conditions under which it goes on.
    std::vector<std::string> Grants;
  };
  /// What loops were found to have in every round.
  using Invariants = llvm::DenseMap<const clang::Stmt *, RunMemory>;
  struct Activation {
    Frame F;
    std::optional<HostValue> This;
    unsigned Unsure = 0; ///< HostProgram::Unsure at the call
    Pending Returns;
    std::optional<HostValue> Returned;
    /// Its variables, each with the object of a call around this one.
    std::map<const clang::VarDecl *, const void *> Declared;
    std::vector<LoopLevel *> Levels;
    /// Of the loops in the body of the one that all rounds are gone of at once,
    /// if that is the innermost one.
    Invariants *Around = nullptr;
    /// Of the conditions under which it has not returned.
    std::vector<std::string> Grants;
  };
  /// What a part of an expression gave that is not to be run again.
  struct Result {
    HostValue Value;
    bool IsAddress = false; ///< of the lvalue that it is
  };
  using Results = llvm::DenseMap<const clang::Expr *, Result>;

  // Statements: HostProgram.cpp.
  void runStatement(const clang::Stmt *S);
  void runDecl(const clang::DeclStmt *S);
  void runIf(const clang::IfStmt *S);
  void runSwitch(const clang::SwitchStmt *S);
  using Block = llvm::function_ref<void()>;
  /// One way, or both where \p Condition is not known.
  void runEither(const HostValue &Condition, Block Then, Block Else);

  // Loops: HostProgramLoops.cpp.
  /// A launch may be made in \p S.
  bool mayLaunch(const clang::Stmt *S);
  /// The variable that only counts how often the body of \p Loop is run, which
  /// does not read it; null: there is none.
  const clang::VarDecl *repetitionsOf(const clang::Stmt *Loop);
  void runLoop(const clang::Stmt *Loop, const clang::Expr *Cond, bool TestFirst,
               Block Body, const clang::Expr *Inc);
  /// \p Body and what it continues with; then \p Inc.
  void runRound(LoopLevel &Level, Block Body, const clang::Expr *Inc);
  /// All rounds that \p Loop may still have.
  void runAllRounds(const clang::Stmt *Loop, LoopLevel &Level,
                    const clang::Expr *Cond, bool TestFirst, Block Body,
                    const clang::Expr *Inc);
  void runRange(const clang::CXXForRangeStmt *S);

  // Ways: HostProgram.cpp.
  /// What comes here goes on at \p Where.
  void leaveTo(Pending &Where);
  /// What is at \p From goes on here.
  void comeBack(Pending &From);
  void meet(RunMemory &There, const RunMemory &Here, RunMemory::Join How,
            bool KeepOwn = false);
  bool runs() const { return Alive && !GivenUp; }
  void giveUp() { GivenUp = true; }
  /// Notes \p Call as it is made now, with what it was made with first for a
  /// guess.
  void launch(const clang::CallExpr *Call);
  void forgetLaunches(size_t From);

  // Expressions: HostProgramEffects.cpp.
  /// Does what \p X does.
  void runEffects(const clang::Expr *X);
  /// Does what each of \p Parts, in no order, does.
  void runParts(llvm::ArrayRef<const clang::Expr *> Parts);
  void runLogical(const clang::BinaryOperator *X);
  void runConditional(const clang::AbstractConditionalOperator *X);
  void runAssignment(const clang::BinaryOperator *X);
  void runStep(const clang::UnaryOperator *X);
  void runNew(const clang::CXXNewExpr *X);
  bool hasEffects(const clang::Expr *X);
  /// The value of \p X, when that has done what it does.
  HostValue peek(const clang::Expr *X);
  /// Where the lvalue \p X is.
  HostValue placeOf(const clang::Expr *X);
  /// What a reference is bound to by \p X, which others may lead to then.
  HostValue bind(const clang::Expr *X);
  HostValue load(const HostValue &Address, const clang::Expr *X);
  void assign(const clang::Expr *Target, clang::QualType T, HostValue V);
  void store(const HostValue &Address, clang::QualType T, HostValue V);
  void initialise(const HostValue &Place, clang::QualType T,
                  const clang::Expr *Init);
  void declare(const clang::VarDecl *V);
  /// A new identity; \p Fresh: of an object of the host's.
  const void *allocate(std::optional<Rest> Fresh);
  /// It may lead to any object that others know of.
  bool leadsAnywhere(const HostValue &Pointer) const;
  HostValue pointerTo(const clang::VarDecl *V);
  /// The object that \p V is now.
  const void *objectOf(const clang::VarDecl *V) const {
    if (auto It = Objects.find(V); It != Objects.end())
      return It->second;
    if (V->hasGlobalStorage())
      V = V->getCanonicalDecl();
    auto It = SharedObjects.find(V);
    return It == SharedObjects.end() ? V : It->second;
  }

  // Calls: HostProgramCalls.cpp.
  void runCall(const clang::CallExpr *X);
  void construct(const clang::CXXConstructExpr *X, const HostValue &Object);
  /// Runs \p Callee, which has a body, with \p Arguments of the caller; \p In:
  /// the file it is in, where that is another one.
  Result enter(const clang::FunctionDecl *Callee,
               llvm::ArrayRef<const clang::Expr *> Arguments,
               std::optional<HostValue> This, const ProgramUnit *In = nullptr);
  void runBody(const clang::FunctionDecl *Callee);
  /// A function of a library whose effects are known; false: it is none.
  bool runKnownCall(const clang::CallExpr *X,
                    const clang::FunctionDecl *Callee);
  bool runAllocation(const clang::CallExpr *X, llvm::StringRef Name);
  void runUnknownCall(const clang::CallExpr *X,
                      const clang::FunctionDecl *Callee);
  /// A function that nothing is known of gets \p X for a \p T.
  void handOver(const clang::Expr *X, clang::QualType T);
  /// The function that \p Method, called for \p Object, is; null: not known.
  const clang::FunctionDecl *overrider(const clang::CXXMethodDecl *Method,
                                       const HostValue &Object) const;
  bool isFollowable(const clang::FunctionDecl *Definition) const;
  /// Others may have changed all that they know of.
  void loseShared();
  /// A \p T may have been written through a pointer that leads anywhere.
  void loseExposed(clang::QualType T) {
    Now.loseIf([&](const void *Object) { return Exposed.contains(Object); }, T);
  }

  llvm::ArrayRef<ProgramUnit> Units;
  const ProgramUnit *Here; ///< the one of the function that is run
  clang::ASTContext &context() const { return Here->Ctx; }
  HostIndex &index() const { return Here->Index; }
  HostEvaluator &evaluator() const { return Here->Evaluator; }
  void enterUnit(const ProgramUnit &Unit);
  void createGlobals(const ProgramUnit &Unit);
  /// The file that defines \p F, which is called here, and \p F there; null
  /// where none does, or several do.
  std::pair<const ProgramUnit *, const clang::FunctionDecl *>
  definitionOf(const clang::FunctionDecl *F) const;

  RunMemory Now;
  bool Alive = true;    ///< this way goes on
  bool GivenUp = false; ///< the run cannot be followed
  std::vector<Activation *> Stack;
  Results Done; ///< of the expression being run
  /// Grants of the conditions around what is run.
  std::vector<std::string> Control;
  /// Of globals, by the name that files have in common.
  std::map<std::string, const void *> Globals;
  llvm::DenseMap<const clang::VarDecl *, const void *> SharedObjects;
  /// Of the variables of calls under way.
  llvm::DenseMap<const clang::VarDecl *, const void *> Objects;
  /// What pointers in memory lead to, allocations, and named variables.
  llvm::DenseSet<const void *> Exposed, Allocated, Named;
  /// Functions that make a launch, or call one that does.
  llvm::DenseSet<const clang::FunctionDecl *> Launching;
  llvm::DenseMap<const clang::Expr *, bool> Effects;
  llvm::DenseMap<const clang::Stmt *, unsigned> Rounds;
  llvm::DenseMap<const clang::Stmt *, bool> MayLaunch;
  llvm::DenseMap<const clang::Stmt *, const clang::VarDecl *> Repetitions;
  std::map<const clang::CallExpr *, EvaluatedLaunch> FirstMade;
  /// Classes of objects that are made as such, and of no derived one.
  llvm::DenseMap<const void *, const clang::CXXRecordDecl *> Classes;
  bool MayWriteWords = false;
  unsigned Unsure = 0; ///< conditions around, of which both ways are gone
  unsigned Moment = 0, Loads = 0, Serial = 0, Left;
};

} // namespace warplint::launch

#endif // WARPLINT_LIB_LAUNCH_HOSTPROGRAM_H
