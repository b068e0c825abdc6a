//===- HostedPass.cpp - A pass that another tool began --------------------===//
//
// Part of Warplint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "CompatHeader.h"
#include "NvccMacros.h"
#include "warplint/Driver/DevicePass.h"
#include "clang/Basic/FileManager.h"
#include "clang/Basic/SourceManager.h"
#include "clang/Lex/Preprocessor.h"
#include "clang/Lex/PreprocessorOptions.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MemoryBuffer.h"

using namespace llvm;
using namespace warplint;

StringRef warplint::compatText() {
  static constexpr StringLiteral Text =
#include "CudaCompat.inc"
      ;
  return Text;
}

bool warplint::isTranslatedFromNvcc(const clang::Preprocessor &PP) {
  return any_of(PP.getPreprocessorOpts().Macros, [](const auto &Macro) {
    return StringRef(Macro.first).split('=').first == NvccCommandMacro;
  });
}

static std::string includeLine(StringRef Name) {
  return ("#include \"" + Name + "\"\n").str();
}

static void includeCompatHeader(clang::Preprocessor &PP) {
  std::string Text = PP.getPredefines();
  // Clang includes its wrapper from here; what follows it comes before the
  // user's own -include.
  std::string Wrapper = includeLine(WrapperName),
              Ours = includeLine(CompatPath);
  size_t At = Text.find(Wrapper);
  if (At == std::string::npos || Text.find(Ours) != std::string::npos)
    return;
  clang::FileEntryRef File = PP.getFileManager().getVirtualFileRef(
      CompatPath, compatText().size(), /*ModificationTime=*/0);
  PP.getSourceManager().overrideFileContents(
      File, MemoryBuffer::getMemBuffer(compatText()));
  Text.insert(At + Wrapper.size(), Ours);
  PP.setPredefines(std::move(Text));
}

/// Whether a header that the wrapper reads may be meant by a macro.
static bool isForHeaders(StringRef Name) {
  return Name.starts_with("_") || Name.starts_with("CUDA") ||
         Name.starts_with("NV") || Name == "NDEBUG";
}

static void deferMacros(clang::Preprocessor &PP) {
  StringRef Text = PP.getPredefines();
  const std::string Wrapper = includeLine(WrapperName),
                    Ours = includeLine(CompatPath);
  const size_t Begin = Text.find("# 1 \"<command line>\" 1\n"),
               At = Text.find(Wrapper);
  if (Begin == StringRef::npos || At == StringRef::npos || At < Begin)
    return;
  std::string Kept, Deferred;
  for (StringRef Rest = Text.slice(Begin, At); !Rest.empty();) {
    auto [Line, Behind] = Rest.split('\n');
    StringRef Name = Line;
    bool Names =
        Name.consume_front("#define ") || Name.consume_front("#undef ");
    (Names && !isForHeaders(Name) ? Deferred : Kept) += (Line + "\n").str();
    Rest = Behind;
  }
  size_t End = At + Wrapper.size();
  if (Text.substr(End).starts_with(Ours))
    End += Ours.size();
  PP.setPredefines((Text.take_front(Begin) + Kept + Text.slice(At, End) +
                    Deferred + Text.substr(End))
                       .str());
}

void warplint::completePredefines(clang::Preprocessor &PP) {
  includeCompatHeader(PP);
  deferMacros(PP);
}

void warplint::completeHostedPass(clang::Preprocessor &PP) {
  completePredefines(PP);
  if (isTranslatedFromNvcc(PP))
    showNvccMacros(PP);
}
