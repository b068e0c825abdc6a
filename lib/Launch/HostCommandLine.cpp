//===- HostCommandLine.cpp - What main() is given, and what text says -----===//
//
// Part of Warplint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Where it is known how the program is run, `argv` is an array of known texts,
/// and `atoi(argv[1])` is a number. A text is a pointer whose base is the word
/// (or the literal) it is in; a std::string is the text that it was made from.
///
//===----------------------------------------------------------------------===//

#include "HostEvaluator.h"
#include "HostNotes.h"
#include "HostProgram.h"
#include "clang/AST/DeclTemplate.h"
#include "llvm/ADT/StringSwitch.h"
#include <cerrno>
#include <cstdlib>

using namespace clang;

namespace warplint::launch {

HostValue HostEvaluator::mainParameter(const ParmVarDecl *P) {
  HostValue V = HostValue::unknown(P->getNameAsString());
  V.CommandLine = true;
  if (!Run)
    return V;
  if (P->getFunctionScopeIndex() == 0)
    V = HostValue::integer(int64_t(Run->Words.size()));
  else if (P->getFunctionScopeIndex() == 1)
    V = HostValue::pointer(Run, P->getName(), sizeof(void *));
  else
    return V;
  V.grant(RunGrant);
  return V;
}

const std::string *HostEvaluator::wordAt(const void *Base) const {
  if (!Run)
    return nullptr;
  for (const std::string &Word : Run->Words)
    if (&Word == Base)
      return &Word;
  return nullptr;
}

std::optional<llvm::StringRef> HostEvaluator::textIn(const HostValue &V) const {
  if (V.K != HostValue::Pointer || !V.Base || !V.OffsetKnown || V.Int < 0)
    return std::nullopt;
  llvm::StringRef Text;
  if (const std::string *Word = wordAt(V.Base))
    Text = *Word;
  else if (auto It = Literals.find(V.Base); It != Literals.end())
    Text = It->second->getString().split('\0').first;
  else
    return std::nullopt;
  if (uint64_t(V.Int) > Text.size())
    return std::nullopt;
  return Text.drop_front(size_t(V.Int));
}

bool HostEvaluator::isText(const HostValue &V) const {
  return V.K == HostValue::Pointer && V.Base &&
         (V.Base == Run || wordAt(V.Base) || Literals.contains(V.Base));
}

std::optional<bool> HostEvaluator::isNullText(const HostValue &V) const {
  if (Program)
    return Program->isNull(V);
  if (isText(V))
    return false;
  // Other pointers that start as null are given a value somewhere.
  if (V.isNull() && !V.Grants.empty())
    return true;
  return std::nullopt;
}

std::optional<HostValue>
HostEvaluator::comparedTexts(BinaryOperatorKind Op, const HostValue &L,
                             const HostValue &R) const {
  HostValue V;
  const bool ComparesToNull = R.Culprit == "nullptr" || L.Culprit == "nullptr";
  if (Op == BO_Sub && isText(L) && isText(R) && L.Base == R.Base &&
      L.Base != Run && L.OffsetKnown && R.OffsetKnown) {
    V = HostValue::integer(L.Int - R.Int);
  } else if (BinaryOperator::isEqualityOp(Op) && ComparesToNull) {
    std::optional<bool> Null = isNullText(R.Culprit == "nullptr" ? L : R);
    if (!Null)
      return std::nullopt;
    V = HostValue::integer(*Null == (Op == BO_EQ));
  } else {
    return std::nullopt;
  }
  V.grantAll(L.Grants);
  V.grantAll(R.Grants);
  return V;
}

std::optional<HostValue> HostEvaluator::loadOfText(const HostValue &V) const {
  if (V.K != HostValue::Pointer || !V.Base || !V.OffsetKnown)
    return std::nullopt;
  HostValue Loaded;
  if (V.Base == Run) {
    uint64_t Number = uint64_t(V.Int) / sizeof(void *);
    if (V.Int < 0 || Number >= Run->Words.size())
      return HostValue::unknown("nullptr");
    Loaded = HostValue::pointer(&Run->Words[Number],
                                "argv[" + std::to_string(Number) + "]", 1);
  } else if (std::optional<llvm::StringRef> Text = textIn(V)) {
    Loaded = HostValue::integer(Text->empty() ? 0 : Text->front());
  } else {
    return std::nullopt;
  }
  Loaded.grantAll(V.Grants);
  return Loaded;
}

/// The number at the start of \p Text as the C library reads it into a \p T;
/// nullopt: there is none, or it does not fit, of which the functions make
/// different things.
static std::optional<HostValue> numberIn(llvm::StringRef Text, QualType T,
                                         int Base, const ASTContext &Ctx) {
  const std::string Terminated = Text.str();
  const char *Begin = Terminated.c_str();
  char *End = nullptr;
  errno = 0;
  if (T->isRealFloatingType()) {
    double Value = Ctx.getTypeSize(T) == Ctx.getTypeSize(Ctx.FloatTy)
                       ? double(std::strtof(Begin, &End))
                       : std::strtod(Begin, &End);
    return End == Begin || errno ? std::nullopt
                                 : std::optional(HostValue::floating(Value));
  }
  if (!T->isIntegralOrEnumerationType())
    return std::nullopt;
  const unsigned Bits = Ctx.getIntWidth(T);
  const bool Signed = T->isSignedIntegerOrEnumerationType();
  // A minus sign makes a large number of an unsigned one.
  int64_t Value = Signed || Terminated.find('-') != std::string::npos
                      ? std::strtoll(Begin, &End, Base)
                      : int64_t(std::strtoull(Begin, &End, Base));
  if (End == Begin || errno ||
      (wrapTo(Value, Bits, Signed) != Value && (Signed || Value >= 0)))
    return std::nullopt;
  return HostValue::integer(wrapTo(Value, Bits, Signed));
}

/// Of a function of the library from text to a number: which argument has the
/// base, 0 where it is ten; nullopt: it is none.
static std::optional<unsigned> numberReader(llvm::StringRef Name) {
  return llvm::StringSwitch<std::optional<unsigned>>(Name)
      .Cases({"atoi", "atol", "atoll"}, 0)
      .Cases({"strtol", "strtoul", "strtoll", "strtoull"}, 2)
      .Cases({"stoi", "stol", "stoul", "stoll", "stoull"}, 2)
      .Cases({"atof", "strtod", "strtof", "stof", "stod"}, 0)
      .Default(std::nullopt);
}

bool HostEvaluator::readsNumber(llvm::StringRef Name) {
  return numberReader(Name).has_value();
}

static bool isString(QualType T) {
  const auto *S = dyn_cast_or_null<ClassTemplateSpecializationDecl>(
      T.getNonReferenceType()->getAsRecordDecl());
  return S && S->isInStdNamespace() && S->getName() == "basic_string";
}

std::optional<HostValue> HostEvaluator::madeOfText(const CXXConstructExpr *E,
                                                   Frame &F) {
  if (!isString(E->getType()) || E->getNumArgs() == 0)
    return std::nullopt;
  // Of a text and an allocator; other constructors cut it.
  for (unsigned I = 1; I < E->getNumArgs(); ++I)
    if (!isa<CXXDefaultArgExpr>(E->getArg(I)))
      return std::nullopt;
  HostValue V = evaluate(E->getArg(0), F);
  return textIn(V) ? std::optional(V) : std::nullopt;
}

std::optional<HostValue>
HostEvaluator::textFunction(const CallExpr *E, llvm::StringRef Name, Frame &F) {
  // The texts that the call is about, the object of a method first.
  llvm::SmallVector<const Expr *, 4> Arguments(E->arguments());
  if (const auto *M = dyn_cast<CXXMemberCallExpr>(E)) {
    if (!isString(M->getImplicitObjectArgument()->getType()))
      return std::nullopt;
    Arguments.insert(Arguments.begin(), M->getImplicitObjectArgument());
  }
  std::vector<std::string> Grants;
  auto TextAt = [&](unsigned At) -> std::optional<llvm::StringRef> {
    if (At >= Arguments.size())
      return std::nullopt;
    HostValue V = evaluate(Arguments[At], F);
    llvm::append_range(Grants, V.Grants);
    return textIn(V);
  };
  auto Answer = [&](HostValue V) {
    V.grantAll(Grants);
    return V;
  };
  auto Number = [&](int64_t V) { return Answer(HostValue::integer(V)); };

  if (scansOptions(E)) {
    std::optional<std::pair<int, OptionScan>> Next = nextOption(E, F);
    Grants.push_back(RunGrant);
    return Next ? std::optional(Number(Next->first)) : std::nullopt;
  }

  if (const auto *Operator = dyn_cast<CXXOperatorCallExpr>(E)) {
    OverloadedOperatorKind Op = Operator->getOperator();
    if ((Op != OO_EqualEqual && Op != OO_ExclaimEqual) ||
        Arguments.size() != 2 ||
        !(isString(Arguments[0]->getType()) ||
          isString(Arguments[1]->getType())))
      return std::nullopt;
    auto A = TextAt(0), B = TextAt(1);
    if (!A || !B)
      return std::nullopt;
    return Number((*A == *B) == (Op == OO_EqualEqual));
  }
  if (std::optional<unsigned> BaseAt = numberReader(Name)) {
    auto Text = TextAt(0);
    if (!Text)
      return std::nullopt;
    int Base = 10;
    if (*BaseAt && *BaseAt < Arguments.size()) {
      HostValue V = evaluate(Arguments[*BaseAt], F);
      if (!V.isInteger() || V.Int < 0 || V.Int > 36 || V.Int == 1)
        return std::nullopt;
      Base = int(V.Int);
    }
    std::optional<HostValue> Value = numberIn(*Text, E->getType(), Base, Ctx);
    // Of no number atoi makes 0; the others say so, or throw.
    if (!Value && Name.starts_with("ato") &&
        Text->find_first_of("0123456789") == llvm::StringRef::npos)
      Value = Name == "atof" ? HostValue::floating(0) : HostValue::integer(0);
    return Value ? std::optional(Answer(*Value)) : std::nullopt;
  }
  const bool Compares = llvm::StringSwitch<bool>(Name)
                            .Cases({"strcmp", "strncmp", "compare"}, true)
                            .Cases({"strcasecmp", "strncasecmp"}, true)
                            .Default(false);
  if (Compares) {
    auto A = TextAt(0), B = TextAt(1);
    if (!A || !B || (Name == "compare" && Arguments.size() != 2))
      return std::nullopt;
    if (Arguments.size() == 3) {
      HostValue Count = evaluate(Arguments[2], F);
      if (!Count.isInteger() || Count.Int < 0)
        return std::nullopt;
      A = A->take_front(size_t(Count.Int));
      B = B->take_front(size_t(Count.Int));
    }
    return Number(Name.contains("case") ? A->compare_insensitive(*B)
                                        : A->compare(*B));
  }
  if (Name == "strchr" || Name == "strrchr") {
    HostValue From = evaluate(Arguments[0], F),
              Letter = evaluate(Arguments[1], F);
    std::optional<llvm::StringRef> Text = textIn(From);
    if (!Text || !Letter.isInteger())
      return std::nullopt;
    const char C = char(Letter.Int);
    size_t At = Name == "strchr" ? Text->find(C) : Text->rfind(C);
    HostValue Found =
        At == llvm::StringRef::npos
            ? HostValue::unknown("nullptr")
            : offsetPointer(From, HostValue::integer(int64_t(At)), 1);
    Found.grantAll(From.Grants);
    return Found;
  }
  if (Name == "strlen" || Name == "length" || Name == "size")
    if (auto Text = TextAt(0))
      return Number(int64_t(Text->size()));
  if ((Name == "c_str" || Name == "data") && isa<CXXMemberCallExpr>(E))
    if (HostValue V = evaluate(Arguments[0], F); textIn(V))
      return V;
  return std::nullopt;
}

std::optional<HostValue> HostEvaluator::scanned(const CallExpr *E,
                                                const Expr *Target, Frame &F) {
  // One conversion fills one place.
  if (E->getNumArgs() != 3)
    return std::nullopt;
  HostValue From = evaluate(E->getArg(0), F);
  HostValue Format = evaluate(E->getArg(1), F);
  std::optional<llvm::StringRef> Text = textIn(From), How = textIn(Format);
  if (!Text || !How || !Target)
    return std::nullopt;
  const bool IsNumber =
      llvm::StringSwitch<bool>(*How)
          .Cases({"%d", "%u", "%ld", "%lu", "%lld", "%llu", "%zu"}, true)
          .Cases({"%f", "%lf"}, true)
          .Default(false);
  if (!IsNumber)
    return std::nullopt;
  std::optional<HostValue> V = numberIn(*Text, Target->getType(), 10, Ctx);
  if (V)
    V->grantAll(From.Grants);
  return V;
}

bool HostEvaluator::scansOptions(const CallExpr *E) {
  llvm::StringRef Name = nameOf(E->getDirectCallee());
  return E->getNumArgs() >= 3 && (Name == "getopt" || Name == "getopt_long");
}

std::optional<std::pair<int, HostEvaluator::OptionScan>>
HostEvaluator::nextOption(const CallExpr *E, Frame &F) {
  HostValue Count = evaluate(E->getArg(0), F);
  HostValue Words = evaluate(E->getArg(1), F);
  HostValue Letters = evaluate(E->getArg(2), F);
  std::optional<llvm::StringRef> Known = textIn(Letters);
  // What moves in a loop is looked at while the loop is run; a second loop, or
  // one that starts elsewhere (optind), is not followed.
  if (!Run || Words.Base != Run || Words.Int || !Known ||
      (Stepped.empty() && !Program) || !Count.isInteger() ||
      Count.Int != int64_t(Run->Words.size()) || Known->starts_with("+") ||
      Known->starts_with("-") ||
      Index.callsOf(E->getDirectCallee()).size() != 1 || Index.setsOptind())
    return std::nullopt;
  auto At = [&](size_t Number) { return llvm::StringRef(Run->Words[Number]); };
  auto Text = [&](size_t Number, size_t From) {
    HostValue V =
        HostValue::pointer(&Run->Words[Number], "optarg", 1, int64_t(From));
    V.grant(RunGrant);
    return V;
  };
  OptionScan Next = Scan;
  Next.Argument.reset();
  auto IsOption = [&](size_t Number) {
    return At(Number).starts_with("-") && At(Number) != "-";
  };
  // Past what is no option GNU's getopt looks for more, and moves it back.
  if (!Next.Letter && Next.Word < Run->Words.size() && !IsOption(Next.Word)) {
    for (size_t Later = Next.Word; Later < Run->Words.size(); ++Later)
      if (IsOption(Later))
        return std::nullopt;
    return std::pair(-1, Next);
  }
  if (Next.Word >= Run->Words.size() || At(Next.Word) == "--")
    return std::pair(-1, Next);
  if (!Next.Letter)
    Next.Letter = 1;
  const llvm::StringRef Word = At(Next.Word);
  if (Word.starts_with("--"))
    return std::nullopt; // A long one.
  const char Letter = Word[Next.Letter++];
  const bool Last = Next.Letter >= Word.size();
  const size_t Meant =
      Letter == ':' ? llvm::StringRef::npos : Known->find(Letter);
  const bool Takes = Meant != llvm::StringRef::npos &&
                     Known->drop_front(Meant + 1).starts_with(":");
  if (!Takes) {
    if (Last)
      ++Next.Word, Next.Letter = 0;
    return std::pair(Meant == llvm::StringRef::npos ? '?' : Letter, Next);
  }
  const bool Optional = Known->drop_front(Meant + 1).starts_with("::");
  if (!Last)
    Next.Argument = Text(Next.Word, Next.Letter);
  else if (!Optional && Next.Word + 1 < Run->Words.size())
    Next.Argument = Text(++Next.Word, 0);
  else if (!Optional)
    return std::nullopt; // Its argument is missing.
  ++Next.Word;
  Next.Letter = 0;
  return std::pair(int(Letter), Next);
}

std::optional<HostValue> HostEvaluator::takeOption(const CallExpr *E,
                                                   Frame &F) {
  std::optional<std::pair<int, OptionScan>> Next = nextOption(E, F);
  if (!Next)
    return std::nullopt;
  Scan = std::move(Next->second);
  HostValue V = HostValue::integer(Next->first);
  V.grant(RunGrant);
  return V;
}

HostValue HostEvaluator::optionVariable(llvm::StringRef Name) {
  if (Name == "optarg")
    return Scan.Argument.value_or(HostValue::unknown("nullptr"));
  // Past "--" too, when that is what the scan ended at.
  if (!Run || Index.setsOptind() || Scan.Letter ||
      (Scan.Word < Run->Words.size() && Run->Words[Scan.Word] == "--"))
    return HostValue::unknown(Name.str());
  HostValue V = HostValue::integer(int64_t(Scan.Word));
  V.grant(RunGrant);
  return V;
}

bool HostEvaluator::scanOption(const CallExpr *E, Frame &F) {
  std::optional<std::pair<int, OptionScan>> Next = nextOption(E, F);
  if (Next)
    Scan = std::move(Next->second);
  return Next.has_value();
}

bool HostEvaluator::happensInRun(const Write &W) {
  if (!Run)
    return true;
  Frame In;
  In.Function = W.In;
  auto Decide = [&](const Expr *Condition) {
    return decide(Condition, In, Basis::OfRun);
  };
  return mayHappen(W, Decide);
}

bool HostEvaluator::isReached(const Stmt *At, const FunctionDecl *In) {
  if (!Run || !In)
    return true;
  // What depends on itself is reached if anything else of it is.
  auto [Known, New] = Reached.try_emplace(At, true);
  if (!New)
    return Known->second;
  Frame F;
  F.Function = In;
  auto Decide = [&](const Expr *Condition) {
    return decide(Condition, F, Basis::Granted);
  };
  auto Ends = [&](const CallExpr *Call) {
    const FunctionDecl *Callee = Call->getDirectCallee();
    const HostFlow *Flow =
        Callee && Callee->hasBody() ? flowOf(Callee) : nullptr;
    return Flow && Flow->neverReturns();
  };
  const HostFlow *Flow = flowOf(In);
  bool Comes = !Flow || Flow->isReached(At, Decide, Ends);
  llvm::ArrayRef<CallSite> Sites = Index.callsOf(In);
  const auto *Method = dyn_cast<CXXMethodDecl>(In);
  if (Comes && !In->isMain() && !Sites.empty() && Others.callsOf(In).empty() &&
      !(Method && Method->isVirtual()) && !Index.hasHiddenCalls(In))
    Comes = llvm::any_of(Sites, [&](const CallSite &Site) {
      return isReached(Site.Call, Site.In);
    });
  Reached[At] = Comes;
  return Comes;
}

bool HostEvaluator::restsOnRun(llvm::ArrayRef<std::string> Grants) const {
  return Run && llvm::all_of(Grants, [&](const std::string &Text) {
           return Text == RunGrant;
         });
}

} // namespace warplint::launch
