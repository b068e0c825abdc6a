//===- DeviceModule.h - From a parsed device pass to kernels in LLVM IR ---===//
//
// Part of Warplint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Lowers the kernels of a parsed device pass, and no more than what they
/// reach, to LLVM IR with lines and columns. The CLI and the clang-tidy module
/// both come through here with the ASTContext they have.
///
//===----------------------------------------------------------------------===//

#ifndef WARPLINT_DRIVER_DEVICEMODULE_H
#define WARPLINT_DRIVER_DEVICEMODULE_H

#include "warplint/Driver/SourcePlace.h"
#include "clang/Basic/SourceLocation.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/Error.h"
#include <memory>
#include <string>
#include <vector>

namespace clang {
class ASTContext;
class Decl;
class FunctionDecl;
class Preprocessor;
class SourceManager;
} // namespace clang

namespace llvm {
class DILocation;
class Instruction;
} // namespace llvm

namespace warplint {

/// The place of \p Loc: where a macro was expanded, as `#line` renames it.
SourcePlace placeOf(const clang::SourceManager &SM, clang::SourceLocation Loc);

/// The place of an instruction's own frame (not of the calls around it). Equal
/// to the other placeOf for the source location it was made from.
SourcePlace placeOf(const llvm::DILocation &Loc);

/// Where nvcc's line table has an access of the prepared IR, if not at its own
/// place: the frames of that place, innermost first. Empty also where the line
/// is not known.
llvm::SmallVector<SourcePlace, 2> tablePlaces(const llvm::Instruction &I);

/// Metadata of an atomic in a function that nvcc does not inline: there nothing
/// is known of what all lanes have in common.
inline constexpr llvm::StringLiteral ApartMetadata = "warplint.apart";

/// A function from a double to the parity, 0 or 1, of the quadrant it lies in
/// as an angle: which half of a table libdevice reads.
inline constexpr llvm::StringLiteral QuadrantFunction = "warplint.quadrant";
/// That table, which no source declares.
inline constexpr llvm::StringLiteral SineTable = "__cudart_sin_cos_coeffs";

/// Tells the user's own files from system headers and the CUDA toolkit.
class UserFiles {
public:
  explicit UserFiles(const clang::SourceManager &SM);
  /// \p File: as in a SourcePlace.
  bool contains(llvm::StringRef File) const { return Files.contains(File); }
  bool contains(clang::SourceLocation Loc) const;

private:
  const clang::SourceManager &SM;
  llvm::StringSet<> Files;
  llvm::DenseSet<clang::FileID> IDs;
};

/// Calls \p Visit for each declaration of the user's own files at the top level
/// or in a namespace. Namespaces themselves are opened, not visited, so that a
/// header's own contents are skipped at once.
void forEachUserDecl(clang::ASTContext &Ctx,
                     llvm::function_ref<void(clang::Decl *)> Visit);

/// A kernel of the user's own files.
struct KernelInfo {
  const clang::FunctionDecl *Decl = nullptr; ///< the definition
  llvm::Function *Function = nullptr;        ///< null when refused
  std::string Mangled;
  std::string Name; ///< demangled, as in `void f<4>(float*)`
  SourcePlace Place;
  /// Why it could not be lowered ("uses 'foo', which has errors"), or "".
  std::string Refused;
};

/// The IR of one translation unit's kernels. Context outlives Module.
struct DeviceModule {
  DeviceModule() = default;
  DeviceModule(DeviceModule &&) = default;
  DeviceModule &operator=(DeviceModule &&Other) {
    Module.reset(); // before its context
    Context = std::move(Other.Context);
    Module = std::move(Other.Module);
    Kernels = std::move(Other.Kernels);
    return *this;
  }

  std::unique_ptr<llvm::LLVMContext> Context;
  std::unique_ptr<llvm::Module> Module;
  std::vector<KernelInfo> Kernels; ///< source order, instantiations included
};

/// Lowers every kernel defined (or instantiated) from the user's own files.
/// Works on a translation unit with errors: kernels that reach a declaration
/// with errors are refused, the others lowered. Error: the pass is not a CUDA
/// device pass, or code generation failed as a whole.
llvm::Expected<DeviceModule> lowerKernels(clang::ASTContext &Ctx,
                                          clang::Preprocessor &PP);

/// Brings \p M into the form the symbolic warp executes: everything inlined
/// that has a body, locals promoted, small constant loops unrolled, memcpy
/// split into the accesses nvcc would make, neighbours merged as nvcc merges
/// them, dead loads gone, loops in simplified and loop-closed form. Moves no
/// access to another source line. \p Arch: "sm_90".
llvm::Error prepareKernels(llvm::Module &M, llvm::StringRef Arch);

} // namespace warplint

#endif // WARPLINT_DRIVER_DEVICEMODULE_H
