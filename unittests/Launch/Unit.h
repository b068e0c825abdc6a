//===- Unit.h - A CUDA file in memory and its launch sites ----------------===//
//
// Part of Warplint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef WARPLINT_UNITTESTS_LAUNCH_UNIT_H
#define WARPLINT_UNITTESTS_LAUNCH_UNIT_H

#include "warplint/Launch/LaunchSites.h"
#include "clang/AST/ASTContext.h"
#include "clang/Frontend/ASTUnit.h"
#include <memory>
#include <string>
#include <vector>

namespace warplint {

/// Parses \p Code (named launch.cu, with the declarations of the toolkit that
/// it needs in front, so no toolkit is) and collects its launches.
class Unit {
public:
  /// \p Runs: command lines, "./main 5".
  explicit Unit(llvm::StringRef Code, llvm::ArrayRef<const char *> Runs = {});

  /// The configurations of the kernel printed as \p Name ("k", "k<4>").
  std::vector<LaunchConfig> configs(llvm::StringRef Name,
                                    const LaunchDefaults &Defaults = {}) const;
  /// The only configuration of \p Name.
  LaunchConfig config(llvm::StringRef Name) const;

private:
  std::unique_ptr<clang::ASTUnit> AST;
  LaunchSites Sites;
};

/// "32x8x1".
std::string text(const Dim3 &D);
/// The blocks of \p Configs, in order: "64x1x1 128x1x1"; an assumed one has a
/// question mark.
std::string blocks(const std::vector<LaunchConfig> &Configs);
/// "5", "d_a+4 (256)", "? (32)": integer, pointer (alignment of the base) and
/// unknown (divisor); fields in braces by offset.
std::string text(const ArgumentFact &F);
/// The arguments of \p Config: "d_a+0 (256), 5".
std::string arguments(const LaunchConfig &Config);

} // namespace warplint

#endif // WARPLINT_UNITTESTS_LAUNCH_UNIT_H
