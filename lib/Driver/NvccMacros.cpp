//===- NvccMacros.cpp -----------------------------------------------------===//
//
// Part of Warplint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "NvccMacros.h"
#include "clang/Lex/MacroInfo.h"
#include "clang/Lex/PPCallbacks.h"
#include "clang/Lex/Preprocessor.h"

using namespace clang;

namespace {

class NvccMacros : public PPCallbacks {
public:
  explicit NvccMacros(Preprocessor &PP) : PP(PP) {}

  void FileChanged(SourceLocation Place, FileChangeReason,
                   SrcMgr::CharacteristicKind Kind, FileID) override {
    bool Wanted = !SrcMgr::isSystem(Kind);
    if (Wanted != Shown && toggle(Place, Wanted))
      Shown = Wanted;
  }

private:
  struct Name {
    const char *Real;
    const char *Value; ///< the macro of the compatibility header
  };
  static constexpr Name Names[] = {
      {"__NVCC__", "__WARPLINT_NVCC"},
      {"__CUDACC_VER_MAJOR__", "__WARPLINT_CUDACC_VER_MAJOR"},
      {"__CUDACC_VER_MINOR__", "__WARPLINT_CUDACC_VER_MINOR"},
      {"__CUDACC_VER_BUILD__", "__WARPLINT_CUDACC_VER_BUILD"},
      // Clang's vectors are scalars to nvcc, which warns that it ignores the
      // attribute.
      {"ext_vector_type", "__WARPLINT_NO_ATTRIBUTE"},
      {"__ext_vector_type__", "__WARPLINT_NO_ATTRIBUTE"}};

  /// False as long as the compatibility header has not been read.
  bool toggle(SourceLocation Place, bool Define) {
    for (const Name &N : Names) {
      IdentifierInfo *Real = PP.getIdentifierInfo(N.Real);
      if (!Define) {
        PP.appendMacroDirective(Real, new (PP.getPreprocessorAllocator())
                                          UndefMacroDirective(Place));
        continue;
      }
      MacroInfo *Value = PP.getMacroInfo(PP.getIdentifierInfo(N.Value));
      if (!Value)
        return false;
      PP.appendDefMacroDirective(Real, Value, Place);
    }
    return true;
  }

  Preprocessor &PP;
  bool Shown = false;
};

} // namespace

void warplint::showNvccMacros(Preprocessor &PP) {
  PP.addPPCallbacks(std::make_unique<NvccMacros>(PP));
}
