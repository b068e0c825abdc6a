//===- Fingerprints.cpp - Findings that are known again -------------------===//
//
// Part of Warplint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Fingerprints.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/Sequence.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/xxhash.h"
#include <tuple>

using namespace llvm;

namespace warplint {

static std::string contentOf(const Finding &F, SourceLines &Source) {
  // Formatting moves blanks about; numbers in the message change with every
  // launch: neither makes it another finding.
  std::string Line;
  for (char C : Source.line(F.Place))
    if (!isSpace(C))
      Line += C;
  return (Twine(F.Check) + "\n" + spaceName(F.Space) + "\n" + Line).str();
}

static std::string hashOf(const Twine &Text) {
  return formatv("{0:x-16}", xxh3_64bits(Text.str()));
}

std::string contentFingerprint(const Finding &F, SourceLines &Source) {
  return hashOf(contentOf(F, Source));
}

std::vector<std::string> fingerprints(ArrayRef<Finding> Findings,
                                      SourceLines &Source) {
  std::vector<std::string> Known(Findings.size());
  for (size_t I = 0; I < Findings.size(); ++I)
    Known[I] = contentOf(Findings[I], Source);
  // By place: the order of the list is that of the cost, which moves.
  auto InSource = to_vector(seq<size_t>(0, Findings.size()));
  llvm::sort(InSource, [&](size_t A, size_t B) {
    auto Key = [&](size_t I) {
      const SourcePlace &P = Findings[I].Place;
      return std::tie(P.File, P.Line, P.Column);
    };
    return std::make_tuple(Key(A), A) < std::make_tuple(Key(B), B);
  });
  StringMap<unsigned> Seen;
  std::vector<std::string> Prints(Findings.size());
  for (size_t I : InSource) {
    unsigned Number = Seen[Known[I]]++;
    Prints[I] = hashOf(Twine(Known[I]) + "\n" + Twine(Number));
  }
  return Prints;
}

} // namespace warplint
