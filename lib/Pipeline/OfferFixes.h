//===- OfferFixes.h - Fixes, each run before it is offered
//-----------------===//
//
// Part of Warplint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef WARPLINT_LIB_PIPELINE_OFFERFIXES_H
#define WARPLINT_LIB_PIPELINE_OFFERFIXES_H

#include "RealPlaces.h"
#include "warplint/Pipeline/AnalyseUnit.h"

namespace warplint {

/// Gives the findings of \p Report that an edit would remove their fixes. The
/// kernels concerned are analysed again over the changed text, parsed as the
/// unit was, and a fix is offered only where that run finds what was to be
/// removed gone, nothing new, no access dearer than before, every address moved
/// as a longer row moves it, and the block's shared memory within its limit.
/// Else the finding says why there is no edit.
void offerFixes(clang::ASTContext &Ctx, clang::Preprocessor &PP,
                const MachineModel &Machine, const AnalysisOptions &Options,
                const UnitLink &Link, RealPlaces &Real, FileReport &Report);

} // namespace warplint

#endif // WARPLINT_LIB_PIPELINE_OFFERFIXES_H
