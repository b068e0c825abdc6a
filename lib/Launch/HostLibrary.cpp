//===- HostLibrary.cpp - The standard library and Thrust ------------------===//
//
// Part of Warplint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "HostEvaluator.h"
#include "clang/AST/DeclTemplate.h"
#include "clang/Basic/SourceManager.h"
#include "llvm/ADT/StringSwitch.h"
#include <cmath>

using namespace clang;

namespace warplint::launch {

// Storage that Thrust allocates on the device is aligned as cudaMalloc's.
static constexpr uint64_t AllocationAlign = 256;

HostValue HostEvaluator::minOrMax(const CallExpr *E, bool Min,
                                  llvm::ArrayRef<HostValue> Values) {
  QualType T = E->getType().getNonReferenceType();
  bool Signed = T->isSignedIntegerOrEnumerationType();
  std::optional<HostValue> Known;
  HostValue All = HostValue::bottom();
  std::vector<std::string> Grants;
  bool Complete = true;
  for (const HostValue &V : Values) {
    All = join(All, V);
    llvm::append_range(Grants, V.Grants);
    if (!V.isInteger() && V.K != HostValue::Floating) {
      Complete = false;
      continue;
    }
    auto Less = [&](const HostValue &A, const HostValue &B) {
      if (A.K == HostValue::Floating || B.K == HostValue::Floating)
        return (A.isInteger() ? double(A.Int) : A.Float) <
               (B.isInteger() ? double(B.Int) : B.Float);
      return Signed ? A.Int < B.Int : uint64_t(A.Int) < uint64_t(B.Int);
    };
    if (!Known || (Min ? Less(V, *Known) : Less(*Known, V)))
      Known = V;
  }
  if (Complete && Known) {
    Known->grantAll(Grants);
    return *Known;
  }
  // `min(n, 512)` threads are 512 for any n worth a launch.
  if (Lenient && Min && Known && Known->isInteger()) {
    Known->grant("'" + textOf(E) + "' is " + std::to_string(Known->Int) +
                 ", its bound");
    return *Known;
  }
  // Equal or not: what is known to hold of one need not hold of the other.
  All.K = All.K == HostValue::Bottom ? HostValue::Bottom : HostValue::Unknown;
  return All;
}

static std::optional<double> realOf(const HostValue &V) {
  if (V.isInteger())
    return double(V.Int);
  if (V.K == HostValue::Floating)
    return V.Float;
  return std::nullopt;
}

std::optional<HostValue>
HostEvaluator::mathFunction(const CallExpr *E, llvm::StringRef Name, Frame &F) {
  unsigned Args = E->getNumArgs();
  bool Min = Name == "min" || Name == "fmin" || Name == "fminf";
  bool Max = Name == "max" || Name == "fmax" || Name == "fmaxf";
  if ((Min || Max) && Args == 2) {
    HostValue Values[] = {evaluate(E->getArg(0), F), evaluate(E->getArg(1), F)};
    return minOrMax(E, Min, Values);
  }
  if ((Min || Max) && Args == 1)
    if (std::optional<std::vector<HostValue>> Values =
            elementsOf(E->getArg(0), F))
      return minOrMax(E, Min, *Values);
  if (!E->getType()->isRealFloatingType())
    return std::nullopt;
  if (Args == 1) {
    double (*Op)(double) =
        llvm::StringSwitch<double (*)(double)>(Name)
            .Cases({"ceil", "ceilf"}, [](double V) { return std::ceil(V); })
            .Cases({"floor", "floorf"}, [](double V) { return std::floor(V); })
            .Cases({"round", "roundf"}, [](double V) { return std::round(V); })
            .Cases({"trunc", "truncf"}, [](double V) { return std::trunc(V); })
            .Cases({"sqrt", "sqrtf"}, [](double V) { return std::sqrt(V); })
            .Cases({"log2", "log2f"}, [](double V) { return std::log2(V); })
            .Cases({"exp2", "exp2f"}, [](double V) { return std::exp2(V); })
            .Cases({"abs", "fabs", "fabsf"},
                   [](double V) { return std::fabs(V); })
            .Default(nullptr);
    HostValue X = Op ? evaluate(E->getArg(0), F) : HostValue::unknown();
    std::optional<double> Real = realOf(X);
    if (!Real)
      return std::nullopt;
    HostValue V = HostValue::floating(Op(*Real));
    V.Grants = X.Grants;
    return V;
  }
  if (Args == 2 && (Name == "pow" || Name == "powf")) {
    HostValue X = evaluate(E->getArg(0), F), Y = evaluate(E->getArg(1), F);
    std::optional<double> A = realOf(X), B = realOf(Y);
    if (!A || !B)
      return std::nullopt;
    HostValue V = HostValue::floating(std::pow(*A, *B));
    V.grantAll(X.Grants);
    V.grantAll(Y.Grants);
    return V;
  }
  return std::nullopt;
}

static bool isOnDevice(QualType T) {
  return T.getAsString().find("device_vector") != std::string::npos;
}

/// What a container, an iterator or a pointer of Thrust's has elements of; null
/// type: it is none.
static QualType elementOf(QualType T) {
  for (unsigned Depth = 0; Depth < 4; ++Depth) {
    T = T.getNonReferenceType();
    if (T->isAnyPointerType())
      return T->getPointeeType();
    const auto *S =
        dyn_cast_or_null<ClassTemplateSpecializationDecl>(T->getAsRecordDecl());
    if (!S || S->getTemplateArgs().size() == 0 ||
        S->getTemplateArgs()[0].getKind() != TemplateArgument::Type)
      return {};
    QualType First = S->getTemplateArgs()[0].getAsType();
    // An iterator is made of a pointer, which may be a class again.
    if (!S->getName().contains("iterator"))
      return First;
    T = First;
  }
  return {};
}

HostValue HostEvaluator::elementAddress(const Expr *Container,
                                        const Expr *Index, const Expr *E,
                                        Frame &F) {
  std::string Name = textOf(Container);
  HostValue Base = HostValue::pointer(
      identityOf(Name), Name,
      isOnDevice(Container->getType()) ? AllocationAlign : 0);
  QualType Element = elementOf(Container->getType());
  // Of a class that is not the library's nothing but the name is known.
  uint64_t Bytes = Element.isNull() ? 0 : sizeOf(Element, Ctx).value_or(0);
  return offsetPointer(Base, evaluate(Index, F), std::max<uint64_t>(Bytes, 1));
}

std::optional<HostValue> HostEvaluator::containerElement(const Expr *Container,
                                                         const Expr *Index,
                                                         const Expr *E,
                                                         Frame &F) {
  std::optional<std::vector<HostValue>> Elements = elementsOf(Container, F);
  if (!Elements || Elements->empty())
    return std::nullopt;
  HostValue At = evaluate(Index, F);
  QualType T = E->getType().getNonReferenceType();
  if (At.isInteger()) {
    if (At.Int < 0 || uint64_t(At.Int) >= Elements->size())
      return std::nullopt;
    HostValue V = (*Elements)[size_t(At.Int)];
    V.grantAll(At.Grants);
    return V;
  }
  std::vector<const void *> Branches(Elements->size(), nullptr);
  return combine(E, textOf(E), *Elements, Branches, T);
}

std::optional<HostValue> HostEvaluator::containerCall(const CallExpr *E,
                                                      llvm::StringRef Name,
                                                      Frame &F) {
  QualType T = E->getType();
  const FunctionDecl *Callee = E->getDirectCallee();
  bool Library = Ctx.getSourceManager().isInSystemHeader(Callee->getLocation());
  unsigned Args = E->getNumArgs();
  if (const auto *Operator = dyn_cast<CXXOperatorCallExpr>(E)) {
    if (!Library || Args != 2)
      return std::nullopt;
    OverloadedOperatorKind Op = Operator->getOperator();
    if (Op == OO_Subscript)
      return containerElement(E->getArg(0), E->getArg(1), E, F);
    // `device_ptr + n`, `iterator - n`.
    if ((Op == OO_Plus || Op == OO_Minus) && T->isRecordType() &&
        E->getArg(1)->getType()->isIntegralOrEnumerationType()) {
      HostValue P = evaluate(E->getArg(0), F);
      QualType Element = elementOf(E->getArg(0)->getType());
      if (P.K == HostValue::Pointer && !Element.isNull())
        return offsetPointer(P, evaluate(E->getArg(1), F),
                             sizeOf(Element, Ctx).value_or(1), Op == OO_Minus);
    }
    return std::nullopt;
  }
  if (Name == "raw_pointer_cast" && Args == 1) {
    HostValue V = evaluate(E->getArg(0), F);
    if (V.K != HostValue::Pointer || !V.Base) {
      // Somewhere in an allocation.
      std::string Text = textOf(E->getArg(0));
      V = HostValue::pointer(identityOf(Text), Text, 0);
      V.OffsetKnown = false;
      V.Divisor = sizeOf(T->getPointeeType(), Ctx).value_or(1);
    }
    V.BaseAlign = AllocationAlign;
    return V;
  }
  const auto *M = dyn_cast<CXXMemberCallExpr>(E);
  if (!M || !(Library || !Callee->hasBody()))
    return std::nullopt;
  const Expr *Object = M->getImplicitObjectArgument();
  if (Args == 1 && Name == "at")
    return containerElement(Object, E->getArg(0), E, F);
  if (Args != 0 || (Name != "data" && Name != "get" && Name != "begin") ||
      (!T->isAnyPointerType() && !T->isRecordType()))
    return std::nullopt;
  if (Name == "get") {
    // Of a pointer that is a class: what it was made from.
    HostValue P = evaluate(Object, F);
    if (P.K == HostValue::Pointer && P.Base)
      return P;
  }
  // The container's storage, by the container's name.
  std::string Text = textOf(Object);
  return HostValue::pointer(identityOf(Text), Text,
                            isOnDevice(Object->getType()) ? AllocationAlign
                                                          : 0);
}

} // namespace warplint::launch
