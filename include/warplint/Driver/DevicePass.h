//===- DevicePass.h - Parse a CUDA file as the device sees it -------------===//
//
// Part of Warplint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef WARPLINT_DRIVER_DEVICEPASS_H
#define WARPLINT_DRIVER_DEVICEPASS_H

#include "warplint/Driver/CompileCommands.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

namespace clang {
class ASTContext;
class Preprocessor;
} // namespace clang

namespace warplint {

/// What parsing said. Errors are one line each: "FILE:LINE:COL: message".
struct ParseOutcome {
  std::vector<std::string> Errors;
};

/// Parses \p Job and calls \p OnUnit once with the finished AST, also when it
/// has errors that left one (a fatal error, such as a missing header, leaves
/// what was parsed before it). Nothing is printed. Error: no AST came to be
/// (no CUDA toolkit, unreadable file, not text), as one line that says what to
/// do.
llvm::Expected<ParseOutcome> runDevicePass(
    const CompileJob &Job,
    llvm::function_ref<void(clang::ASTContext &, clang::Preprocessor &)>
        OnUnit);

/// A macro that a command defines when it is the translation of one of nvcc's,
/// for those who get it from a compile database that Warplint wrote.
inline constexpr llvm::StringLiteral NvccCommandMacro =
    "__WARPLINT_NVCC_COMMAND__";
bool isTranslatedFromNvcc(const clang::Preprocessor &PP);

/// For a pass that another tool (clang-tidy) began and that has not entered its
/// file: gives it what runDevicePass() gives, names that nvcc declares and
/// clang's wrapper leaves out and, for a translated command, nvcc's macros.
void completeHostedPass(clang::Preprocessor &PP);

} // namespace warplint

#endif // WARPLINT_DRIVER_DEVICEPASS_H
