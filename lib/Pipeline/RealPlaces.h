//===- RealPlaces.h - One spelling for each file --------------------------===//
//
// Part of Warplint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef WARPLINT_LIB_PIPELINE_REALPLACES_H
#define WARPLINT_LIB_PIPELINE_REALPLACES_H

#include "warplint/Report/Report.h"
#include "llvm/ADT/StringMap.h"

namespace warplint {

/// Rewrites the places of a report to real paths. The rooms spell files as the
/// compile command does; two commands that reach one header by different ways
/// must still meet at one place.
class RealPlaces {
public:
  void rewrite(AnalysedKernel &Kernel);
  void rewrite(NamedAccess &Access);
  void rewrite(SourcePlace &Place);

private:
  llvm::StringMap<std::string> RealPaths;
};

} // namespace warplint

#endif // WARPLINT_LIB_PIPELINE_REALPLACES_H
