//===- HostEvaluator.h - Evaluate host expressions without running them ---===//
//
// Part of Warplint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// An evaluator over the AST of host functions: what Clang's constant
/// evaluator can do, and beyond it local variables, callers, helper functions,
/// members and pointers.
///
//===----------------------------------------------------------------------===//

#ifndef WARPLINT_LIB_LAUNCH_HOSTEVALUATOR_H
#define WARPLINT_LIB_LAUNCH_HOSTEVALUATOR_H

#include "Choices.h"
#include "Foreign.h"
#include "HostFlow.h"
#include "HostIndex.h"
#include "HostValue.h"
#include "warplint/Driver/RunCommands.h"
#include "llvm/ADT/StringSet.h"
#include <compare>
#include <map>

namespace warplint::launch {

struct Frame;
class GivenConditions;
class HostProgram;

/// The statements of \p S, one after another in its body, that run for \p
/// Value, up to its `break`.
std::vector<const clang::Stmt *> switchArm(const clang::SwitchStmt *S,
                                           int64_t Value,
                                           const clang::ASTContext &Ctx);

/// What a caller handed its callee a pointer or a reference to.
struct PassedPlace {
  HostPlace Place;
  const clang::Stmt *Call = nullptr;
  Frame *Caller = nullptr;
};

/// The function an expression stands in, and what is known of this call.
struct Frame {
  const clang::FunctionDecl *Function = nullptr;
  /// True: the one call that is evaluated, of which Arguments are known (as
  /// expressions of Caller, evaluated when they are asked for); false: any call
  /// in the program may be the one.
  bool Inlined = false;
  Frame *Caller = nullptr;
  llvm::SmallVector<const clang::Expr *, 8> Arguments;
  const clang::Expr *Object = nullptr; ///< of a member function
  /// The object, when it is none of Caller's (one that is being constructed).
  std::optional<HostValue> This;
  /// By parameter, or by the method for its object.
  llvm::DenseMap<const clang::Decl *, PassedPlace> Passed;
  /// Allocations that were there before the call.
  llvm::DenseSet<const void *> Handed;
  /// Of one call, which is not Inlined: what holds in it; null: nothing.
  const GivenConditions *Given = nullptr;
  /// Arguments (null: the object) that were evaluated, each under the mode of
  /// the evaluator.
  std::map<std::pair<const clang::Expr *, unsigned>, HostValue> Evaluated;

  /// What a value worked out here depends on: the call, or the function.
  const void *identity() const {
    return Inlined || Given ? static_cast<const void *>(this) : Function;
  }
  /// The pointers in \p V point to allocations that were handed in.
  void hand(const HostValue &V);
};

class HostEvaluator {
public:
  /// \p Run: how the program is run, for as long as this lives; null: not
  /// known.
  HostEvaluator(clang::ASTContext &Ctx, HostIndex &Index, Foreign &Others,
                const RunCommand *Run = nullptr)
      : Ctx(Ctx), Index(Index), Others(Others), Run(Run),
        RunGrant(Run ? Run->describe() : "") {}

  const HostIndex &index() const { return Index; }

  /// The value that \p W gives to what it writes, whatever the run.
  HostValue valueOf(const Write &W, clang::QualType T);
  /// The value \p V starts with.
  HostValue startOf(const clang::VarDecl *V);

  /// Starts on a new launch: nothing is picked, the step budget is full.
  void begin();
  /// Makes the next combination of alternatives current; false: all seen.
  bool nextAlternative();
  /// In the lenient mode a variable with one known and one unknown value is
  /// taken to have the known one, with a grant that says so.
  void setLenient(bool On) { Lenient = On; }

  /// What \p E is when it is evaluated for the first time: the loops around it
  /// are in their first round. Lenient, and nothing new is picked: a guess.
  HostValue firstValueOf(const clang::Expr *E, Frame &F);
  /// Like valueAt, for the first time that \p At is come to.
  HostValue firstValueAt(const clang::Expr *E, const clang::Stmt *At, Frame &F);
  /// False when one of \p Guards is known not to hold then.
  bool isFeasibleAtFirst(llvm::ArrayRef<Guard> Guards, Frame &F);

  /// Each run so far may become \p Factor runs by what is picked from now on.
  void allowFurther(unsigned Factor) { Picks.allowFurther(Factor); }

  /// False: what is known of the run decides that it never comes to \p At in
  /// \p In.
  bool isReached(const clang::Stmt *At, const clang::FunctionDecl *In);

  /// False when one of \p Guards is known not to hold in this run.
  bool isFeasible(llvm::ArrayRef<Guard> Guards, Frame &F);

  /// \p Value, which the variable \p V has where \p Guards hold, without what
  /// they rule out; Bottom: that is all of it.
  HostValue underGuards(const HostValue &Value, const clang::VarDecl *V,
                        llvm::ArrayRef<Guard> Guards, Frame &F);

  /// \p E is a call of getopt.
  static bool scansOptions(const clang::CallExpr *E);

  /// evaluate, with a full step budget.
  HostValue evaluateAnew(const clang::Expr *E, Frame &F) {
    Steps = 0;
    return evaluate(E, F);
  }

  /// evaluateAnew of the lvalue \p E as the statement \p At finds it.
  HostValue valueAt(const clang::Expr *E, const clang::Stmt *At, Frame &F);

  /// What the pointer \p E leads to as \p At finds it, when that is a variable.
  std::optional<HostValue> valueBehind(const clang::Expr *E,
                                       const clang::Stmt *At, Frame &F);

  /// The value of \p E (of what is stored there, for an lvalue) in \p F.
  HostValue evaluate(const clang::Expr *E, Frame &F);

private:
  friend class HostProgram;
  /// While set, a program is being run, which knows its variables.
  HostProgram *Program = nullptr;
  /// The literals of \p Other are texts here, too.
  void takeTextsOf(const HostEvaluator &Other) {
    Literals.insert(Other.Literals.begin(), Other.Literals.end());
  }
  /// \p P runs from now on; null: none.
  void beginProgram(HostProgram *P);
  /// Enough for any helper written by hand; a launch that needs more is
  /// unknown.
  static constexpr unsigned MaxDepth = 200;
  static constexpr unsigned MaxSteps = 5000;

  // Expressions: HostEvaluator.cpp, HostOperators.cpp.
  HostValue evaluateUnguarded(const clang::Expr *E, Frame &F);
  HostValue evaluateCast(const clang::CastExpr *E, Frame &F);
  HostValue evaluateUnary(const clang::UnaryOperator *E, Frame &F);
  HostValue evaluateBinary(const clang::BinaryOperator *E, Frame &F);
  HostValue evaluateConditional(const clang::AbstractConditionalOperator *E,
                                Frame &F);
  HostValue evaluateSubscript(const clang::ArraySubscriptExpr *E, Frame &F);
  HostValue evaluateInitList(const clang::InitListExpr *E, Frame &F);
  HostValue evaluateLambda(const clang::LambdaExpr *E, Frame &F);
  HostValue foldConstant(const clang::Expr *E) const;
  HostValue addressOf(const clang::Expr *E, Frame &F);
  HostValue foldTyped(clang::BinaryOperatorKind Op, const HostValue &L,
                      const HostValue &R, clang::QualType T) const;
  /// What an expression of \p E's type is when nothing more is known.
  HostValue opaque(const clang::Expr *E);
  HostValue zeroOf(clang::QualType T) const;
  /// Bytes [Offset, +sizeof T) of \p Whole as a value of type \p T.
  HostValue part(const HostValue &Whole, uint64_t Offset, clang::QualType T,
                 llvm::StringRef Name) const;

  // Variables and members: HostVariables.cpp; parameters: HostParameters.cpp;
  // loops: HostLoops.cpp.
  HostValue variable(const clang::VarDecl *V, const clang::DeclRefExpr *Use,
                     uint64_t Offset, clang::QualType T, Frame &F);
  /// \p Use: the statement that reads it.
  HostValue localVariable(const clang::VarDecl *V, const Uses &U,
                          const clang::Stmt *Use, uint64_t Offset,
                          clang::QualType T, Frame &F);
  HostValue anywhereVariable(const clang::VarDecl *V, const Uses &U,
                             uint64_t Offset, clang::QualType T);
  HostValue initialValue(const clang::VarDecl *V, uint64_t Offset,
                         clang::QualType T, Frame &F);
  HostValue written(const Write &W, const clang::VarDecl *V, uint64_t Offset,
                    clang::QualType T, Frame &F);
  /// written, for a use that the write reaches.
  HostValue reachingValue(const Write &W, const clang::VarDecl *V,
                          const clang::Stmt *Use, uint64_t Offset,
                          clang::QualType T, Frame &F);
  HostValue writtenWhole(const Write &W, clang::QualType T, Frame &F);
  // What lies behind parameters and `this`: HostPointees.cpp.
  /// Bytes [Offset, +sizeof T) of what \p Key (a parameter, or a method for its
  /// object) points to, as \p Use reads it; \p Use null: as \p F leaves it.
  HostValue pointeeValue(const clang::Decl *Key, const clang::Stmt *Use,
                         uint64_t Offset, clang::QualType T, Frame &F);
  /// The lvalue \p E when it lies behind a parameter or `this` and something is
  /// known of it.
  std::optional<HostValue> behindParameter(const clang::Expr *E, Frame &F);
  HostValue pointeeAtEntry(const clang::Decl *Key, uint64_t Offset,
                           clang::QualType T, Frame &F);
  HostValue placeValue(const PassedPlace &P, uint64_t Offset,
                       clang::QualType T);
  /// What the call \p W.Where of a function with a body leaves in the bytes
  /// [Offset, +sizeof T) around what it is passed; nullopt: cannot tell. What
  /// it allocates is known by \p Id.
  std::optional<HostValue> effectOfCall(const Write &W, uint64_t Offset,
                                        clang::QualType T, const void *Id,
                                        Frame &F);

  HostValue member(const clang::MemberExpr *E, Frame &F);
  HostValue fieldAnywhere(const clang::FieldDecl *Field,
                          const clang::MemberExpr *E);
  HostValue fieldWrites(const clang::FieldDecl *Field,
                        const clang::MemberExpr *E);
  HostValue parameter(const clang::ParmVarDecl *P, Frame &F);
  HostValue callersArgument(const clang::ParmVarDecl *P,
                            const clang::FunctionDecl *Function);
  /// Bytes [Offset, +sizeof T) of what the callers have \p P point to.
  HostValue callersPointee(const clang::ParmVarDecl *P, uint64_t Offset,
                           clang::QualType T);
  /// \p At(0) ... \p At(Callers - 1), what each call of \p Function gives; the
  /// arguments of one call stay together.
  HostValue fromCallers(const clang::FunctionDecl *Function, const void *Key,
                        llvm::StringRef Name, clang::QualType T, size_t Callers,
                        llvm::function_ref<HostValue(size_t)> At);
  /// Grants that the calls of \p Function that are known are all.
  void grantCallers(const clang::FunctionDecl *Function,
                    HostValue &Value) const;
  std::optional<std::vector<HostValue>> loopValues(const clang::VarDecl *V,
                                                   const clang::ForStmt *Loop,
                                                   const clang::Stmt *Use,
                                                   Frame &F);
  /// Adds to \p Values what \p V, which \p Loop's header steps from \p Value
  /// on, goes through; false: that cannot be told, or is too much.
  bool stepThrough(const clang::VarDecl *V, const clang::ForStmt *Loop,
                   HostValue Value, std::vector<HostValue> &Values, Frame &F);
  /// \p S is \p Whole or a part of it.
  bool isInside(const clang::Stmt *Whole, const clang::Stmt *S);
  /// The value of a loop's variable out of those it goes through.
  HostValue combineIterations(const clang::VarDecl *V,
                              llvm::ArrayRef<HostValue> Values,
                              clang::QualType T, const Frame &F);
  std::optional<HostValue> rangeLoopValue(const clang::VarDecl *V, Frame &F);
  HostValue unknownVariable(const clang::VarDecl *V, clang::QualType T,
                            uint64_t Offset = 0);

  /// One value out of \p Values: the common one, a pick, or their join.
  /// \p Key and \p Name: of the variable; \p Branches as Choices::pick takes
  /// them; \p Each: a run comes to all of them.
  HostValue combine(const void *Key, llvm::StringRef Name,
                    llvm::ArrayRef<HostValue> Values,
                    llvm::ArrayRef<const void *> Branches, clang::QualType T,
                    bool Each = false);

  // Loops that are run: HostInterpreter.cpp.
  enum class Ending { Falls, Breaks, Continues, Returns, NotKnown };
  struct LoopRun;
  /// What \p Loop, which is in F.Function, leaves in \p V; nullopt: it cannot
  /// be run, or leaves no constant.
  std::optional<HostValue> loopLeaves(const clang::VarDecl *V,
                                      const clang::Stmt *Loop, Frame &F);
  /// What \p V, which only the header of \p Loop changes, is in its rounds.
  std::optional<std::vector<HostValue>>
  valuesByRunning(const clang::VarDecl *V, const clang::ForStmt *Loop,
                  Frame &F);
  bool collectRounds(const clang::VarDecl *V, const clang::ForStmt *Loop,
                     LoopRun &R, std::vector<HostValue> &Values);
  /// \p Run with the variables of \p Loop as the loop finds them; false, and
  /// nothing is run: it is being run already, or cannot be.
  bool insideLoop(const clang::Stmt *Loop, Frame &F,
                  llvm::function_ref<void(LoopRun &)> Run);
  /// Runs \p Loop; \p Returned: what it returns from its function, if it does.
  Ending runToReturn(const clang::Stmt *Loop, Frame &F,
                     std::optional<HostValue> &Returned);
  /// What the call that \p In is of returns, run from its first statement on;
  /// nullopt: the way through it is not known.
  std::optional<HostValue> runCall(const clang::FunctionDecl *Callee,
                                   const clang::Stmt *Body, Frame &In);
  /// \p V is changed by nothing but assignments to it, all of it.
  bool isFollowed(const clang::VarDecl *V) const;
  bool startLoop(const clang::Stmt *Loop, LoopRun &R);
  Ending runLoop(const clang::Expr *Cond, bool TestFirst,
                 const clang::Stmt *Body, const clang::Expr *Inc, LoopRun &R);
  Ending runStatement(const clang::Stmt *S, LoopRun &R);
  std::optional<HostValue> runExpression(const clang::Expr *E, LoopRun &R);
  std::optional<HostValue> runInSequence(const clang::Expr *E, LoopRun &R);
  /// \p V has whatever value from now on in what is run.
  void loseSight(const clang::VarDecl *V);
  /// \p V as \p Loop finds it.
  std::optional<HostValue> valueAtLoop(const clang::VarDecl *V,
                                       const clang::Stmt *Loop, Frame &F);
  /// What ++ or -- leaves in its operand of type \p T.
  HostValue stepped(const clang::UnaryOperator *E, clang::QualType T, Frame &F);

  // Calls: HostCalls.cpp.
  HostValue evaluateCall(const clang::CallExpr *E, Frame &F);
  HostValue evaluateConstruct(const clang::CXXConstructExpr *E, Frame &F);
  std::optional<HostValue> knownFunction(const clang::CallExpr *E,
                                         const clang::FunctionDecl *Callee,
                                         Frame &F);
  std::optional<HostValue> inlineCall(const clang::CallExpr *E,
                                      const clang::FunctionDecl *Callee,
                                      Frame &F);
  /// The frame of \p Callee, a definition, as \p Call in \p F calls it.
  Frame frameOfCall(const clang::Expr *Call, const clang::FunctionDecl *Callee,
                    Frame &F);
  /// \p E of the caller of \p F.
  HostValue handedIn(const clang::Expr *E, Frame &F);
  /// The object of the method \p F is in, when known.
  std::optional<HostValue> objectOf(Frame &F);
  /// An allocation that \p In was not handed is another one at each call: it is
  /// known by \p Id outside.
  void ownAllocation(HostValue &V, const Frame &In, const void *Id) const;
  struct Returns {
    std::vector<HostValue> Values;
    std::vector<std::string> Grants; ///< of the conditions on the way
  };
  /// Collects what \p S may return; false when control can run past it.
  bool collectReturns(const clang::Stmt *S, Frame &F, Returns &Out);
  /// What the call \p W.Where leaves in the pointer (or integer) that it was
  /// passed, or in the one at byte \p At of a record.
  HostValue passedValue(const Write &W, uint64_t At, llvm::StringRef Name,
                        const void *Id, clang::QualType T, Frame &F);
  /// What the call \p E of \p Name, one of CUDA's allocating functions, makes,
  /// known by \p Id; nullopt: it is none.
  static std::optional<HostValue> allocated(llvm::StringRef Name,
                                            const void *Id);
  /// The pitch of what \p Name allocates.
  static HostValue pitchOf(llvm::StringRef Name);
  std::optional<std::vector<HostValue>> elementsOf(const clang::Expr *Range,
                                                   Frame &F);
  // Of the standard library and Thrust: HostLibrary.cpp.
  HostValue minOrMax(const clang::CallExpr *E, bool Min,
                     llvm::ArrayRef<HostValue> Values);
  std::optional<HostValue> mathFunction(const clang::CallExpr *E,
                                        llvm::StringRef Name, Frame &F);
  std::optional<HostValue> containerCall(const clang::CallExpr *E,
                                         llvm::StringRef Name, Frame &F);
  std::optional<HostValue> containerElement(const clang::Expr *Container,
                                            const clang::Expr *Index,
                                            const clang::Expr *E, Frame &F);
  /// The address of an element of a container.
  HostValue elementAddress(const clang::Expr *Container,
                           const clang::Expr *Index, const clang::Expr *E,
                           Frame &F);

  // Text, and the command line: HostCommandLine.cpp.
  /// A parameter of main.
  HostValue mainParameter(const clang::ParmVarDecl *P);
  const std::string *wordAt(const void *Base) const;
  /// The text that \p V points to, up to its end.
  std::optional<llvm::StringRef> textIn(const HostValue &V) const;
  /// \p V points to a text, or to the words of the command line.
  bool isText(const HostValue &V) const;
  /// Whether \p V, a pointer to a text or what was searched in one, is null.
  std::optional<bool> isNullText(const HostValue &V) const;
  /// Pointers into one text, or to null, compared or subtracted.
  std::optional<HostValue> comparedTexts(clang::BinaryOperatorKind Op,
                                         const HostValue &L,
                                         const HostValue &R) const;
  /// What stands at \p V: a character of a text, or a word of the command line.
  std::optional<HostValue> loadOfText(const HostValue &V) const;
  /// `atoi` and its kin.
  static bool readsNumber(llvm::StringRef Name);
  /// The std::string that \p E makes of a known text.
  std::optional<HostValue> madeOfText(const clang::CXXConstructExpr *E,
                                      Frame &F);
  /// A call of a function of the library over known texts.
  std::optional<HostValue> textFunction(const clang::CallExpr *E,
                                        llvm::StringRef Name, Frame &F);
  /// What the call \p E of sscanf leaves in \p Target.
  std::optional<HostValue> scanned(const clang::CallExpr *E,
                                   const clang::Expr *Target, Frame &F);
  /// How far getopt has come, and what it found last.
  struct OptionScan {
    size_t Word = 1, Letter = 0;
    std::optional<HostValue> Argument; ///< optarg
  };
  /// What the call \p E of getopt finds, with the state behind it; nullopt: it
  /// cannot be told.
  std::optional<std::pair<int, OptionScan>> nextOption(const clang::CallExpr *E,
                                                       Frame &F);
  std::pair<size_t, size_t> scannedSoFar() const {
    return {Scan.Word, Scan.Letter};
  }
  /// What the call \p E of getopt finds, and goes on behind it.
  std::optional<HostValue> takeOption(const clang::CallExpr *E, Frame &F);
  /// `optarg` or `optind` as getopt has left it.
  HostValue optionVariable(llvm::StringRef Name);
  /// Goes on behind what \p E finds.
  bool scanOption(const clang::CallExpr *E, Frame &F);
  /// False: conditions around \p W are known not to hold in the run.
  bool happensInRun(const Write &W);
  /// \p Grants have nothing but how the program is run.
  bool restsOnRun(llvm::ArrayRef<std::string> Grants) const;

  /// Source text of \p E as one short line, and one pointer for equal texts.
  std::string textOf(const clang::Expr *E) const;
  const void *identityOf(llvm::StringRef Text);
  /// ... that is another one at each statement of a program that is run.
  const void *identityNow(const std::string &Text);
  /// One pointer for equal places in what \p Of stands for.
  const void *identityAt(const void *Of, uint64_t Offset);

  const HostFlow *flowOf(const clang::FunctionDecl *F);
  /// What a decision may rest on: nothing, how the program is run, or whatever
  /// must be granted.
  enum class Basis { Certain, OfRun, Granted };
  /// Whether \p Condition holds in \p F, when that is known.
  std::optional<bool> decide(const clang::Expr *Condition, Frame &F, Basis On);
  /// HostFlow::reaching in \p F, by what is known of conditions there.
  std::optional<Reaching> reaching(const clang::VarDecl *V,
                                   llvm::ArrayRef<Write> Writes,
                                   const clang::Stmt *Use, uint64_t Offset,
                                   uint64_t Size, Frame &F,
                                   const LoopView *View = nullptr);
  /// \p Evaluate in the mode of firstValueOf.
  HostValue atFirst(llvm::function_ref<HostValue()> Evaluate);

  clang::ASTContext &Ctx;
  HostIndex &Index;
  Foreign &Others;
  const RunCommand *Run;
  const std::string RunGrant;
  /// Known by themselves as the base of a pointer.
  llvm::DenseMap<const void *, const clang::StringLiteral *> Literals;
  OptionScan Scan;
  Choices Picks;
  bool Lenient = false;
  /// While set, what goes round a loop back to a use in it is left out, in the
  /// functions around a launch; the loops of helpers they call are over.
  bool First = false;
  bool isFirstRound(const Frame &F) const { return First && !F.Inlined; }
  /// While set, a loop's variable has all its values: what holds in one
  /// iteration says nothing of what another has left.
  bool EveryIteration = false;
  unsigned Depth = 0, Steps = 0, StepsToDecide = 0;
  llvm::DenseMap<const clang::FunctionDecl *, std::unique_ptr<HostFlow>> Flows;
  /// Whether the run comes to a statement, where that was asked.
  llvm::DenseMap<const clang::Stmt *, bool> Reached;
  /// Every statement in one.
  std::map<const clang::Stmt *, llvm::DenseSet<const clang::Stmt *>> Insides;
  /// Loop variables while their loop is being stepped through.
  llvm::DenseMap<const clang::VarDecl *, HostValue> Stepped;
  using CycleKey = std::pair<const void *, const void *>;
  /// Writes, fields and parameters whose value is being worked out, with what
  /// it is taken to be where it depends on itself.
  struct Approximation {
    HostValue Value = HostValue::bottom();
    unsigned Level = 0; ///< entries around it
    bool Used = false;
  };
  std::map<CycleKey, Approximation> InProgress;
  /// Calls being inlined, so that recursion ends.
  llvm::DenseSet<CycleKey> Active;
  llvm::StringSet<> Texts;
  /// A variable (or a call) where it is used.
  struct UseKey {
    const void *What;
    const void *Use;
    uint64_t Offset;
    const void *Type;
    bool Lenient, Suspended, EveryIteration, First = false;
    auto operator<=>(const UseKey &) const = default;
  };
  /// Values that hold in this run, and those that hold in any.
  std::map<UseKey, HostValue> Known, Settled;
  /// The outermost entry of InProgress that a value worked out since rests on.
  unsigned OutermostCut = ~0u;

  /// \p Compute, or what it gave before. \p F: the frame it is made in.
  HostValue cached(UseKey Key, const Frame &F,
                   llvm::function_ref<HostValue()> Compute);

  /// \p Compute, for a value that may depend on itself: evaluated until it
  /// no longer changes, starting from nothing.
  HostValue solve(CycleKey Key, llvm::function_ref<HostValue()> Compute);
};

} // namespace warplint::launch

#endif // WARPLINT_LIB_LAUNCH_HOSTEVALUATOR_H
