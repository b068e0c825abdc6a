//===- Loudness.h - How loud a finding is ---------------------------------===//
//
// Part of Warplint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// From estimated time to severity: what is worth a person's attention.
///
//===----------------------------------------------------------------------===//

#ifndef WARPLINT_LIB_DIAGNOSE_LOUDNESS_H
#define WARPLINT_LIB_DIAGNOSE_LOUDNESS_H

#include "Check.h"
#include "warplint/Diagnose/TimeEstimate.h"

namespace warplint {

/// Sets what \p F gains, its severity and whether it shows. \p S: the site it
/// is about.
void setLoudness(Finding &F, const Site &S, const TimeEstimator &Times,
                 const Thresholds &Limits);

} // namespace warplint

#endif // WARPLINT_LIB_DIAGNOSE_LOUDNESS_H
