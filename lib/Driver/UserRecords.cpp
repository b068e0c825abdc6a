//===- UserRecords.cpp - Definitions of records, to be edited -------------===//
//
// Part of Warplint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "warplint/Driver/UserRecords.h"
#include "IndexText.h"
#include "warplint/Driver/DeviceModule.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/Attr.h"
#include "clang/AST/DynamicRecursiveASTVisitor.h"
#include "clang/Basic/SourceManager.h"
#include "llvm/ADT/DenseMap.h"

using namespace clang;

namespace warplint {
namespace {

class RecordVisitor : public DynamicRecursiveASTVisitor {
public:
  explicit RecordVisitor(ASTContext &Ctx) : Ctx(Ctx) {
    ShouldVisitTemplateInstantiations = true;
  }

  bool VisitCXXRecordDecl(CXXRecordDecl *RD) override {
    if (!RD->isThisDeclarationADefinition() || RD->isDependentType() ||
        RD->isInvalidDecl())
      return true;
    // Records that hold others: those would move what lies behind them.
    auto Holds = [&](QualType T) {
      if (const CXXRecordDecl *Part =
              Ctx.getBaseElementType(T)->getAsCXXRecordDecl())
        PartOf.try_emplace(Part->getCanonicalDecl(), RD);
    };
    for (const FieldDecl *F : RD->fields())
      Holds(F->getType());
    for (const CXXBaseSpecifier &B : RD->bases())
      Holds(B.getType());
    if (!RD->isUnion() && !RD->isLambda())
      Found.push_back(RD);
    return true;
  }

  std::vector<UserRecord> take() {
    std::vector<UserRecord> Records;
    for (const CXXRecordDecl *RD : Found)
      describe(*RD, Records.emplace_back());
    return Records;
  }

private:
  void describe(const CXXRecordDecl &RD, UserRecord &R) const {
    const SourceManager &SM = Ctx.getSourceManager();
    R.Place = placeOf(SM, RD.getLocation());
    QualType T = Ctx.getCanonicalTagType(&RD);
    const TypedefNameDecl *Named = RD.getTypedefNameForAnonDecl();
    R.Name = Named ? Named->getNameAsString() : RD.getNameAsString();
    R.Bytes = Ctx.getTypeSizeInChars(T).getQuantity();
    R.Alignment = Ctx.getTypeAlignInChars(T).getQuantity();
    if (isa<ClassTemplateSpecializationDecl>(RD)) {
      R.Obstacle = "'" + R.Name + "' is a template";
      return;
    }
    std::optional<TextRange> Word = textOf(Ctx, RD.getInnerLocStart());
    if (!Word || (Word->Text != "struct" && Word->Text != "class")) {
      R.Obstacle = "a macro defines '" + R.Name + "'";
      return;
    }
    R.File = Word->File;
    R.Offset = Word->Offset + Word->Text.size();
    if (RD.hasAttr<AlignedAttr>())
      R.Obstacle = "'" + R.Name + "' is given an alignment already";
    else if (RD.hasAttr<PackedAttr>() || RD.hasAttr<MaxFieldAlignmentAttr>())
      R.Obstacle = "'" + R.Name + "' is packed";
    else if (const CXXRecordDecl *Outer = PartOf.lookup(RD.getCanonicalDecl()))
      R.Obstacle = "'" + R.Name + "' is part of '" + Outer->getNameAsString() +
                   "', whose layout would change";
  }

  ASTContext &Ctx;
  std::vector<const CXXRecordDecl *> Found;
  llvm::DenseMap<const CXXRecordDecl *, const CXXRecordDecl *> PartOf;
};

} // namespace

SourceEdit UserRecord::aligned(unsigned Alignment) const {
  return {File, Offset, 0, " alignas(" + std::to_string(Alignment) + ")"};
}

std::vector<UserRecord> findUserRecords(ASTContext &Ctx) {
  RecordVisitor Visitor(Ctx);
  forEachUserDecl(Ctx, [&](Decl *D) { Visitor.TraverseDecl(D); });
  return Visitor.take();
}

} // namespace warplint
