//===- Places.cpp - Source locations of the AST and the IR as places ------===//
//
// Part of Warplint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "warplint/Driver/DeviceModule.h"
#include "clang/AST/ASTContext.h"
#include "clang/Basic/FileManager.h"
#include "clang/Basic/SourceManager.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"

using namespace clang;
namespace path = llvm::sys::path;

namespace warplint {

/// Both sides spell a path the same way once "." and ".." are gone; symbolic
/// links stay as the command line wrote them.
static std::string tidyPath(llvm::SmallVectorImpl<char> &Path) {
  path::remove_dots(Path, /*remove_dot_dot=*/true);
  return std::string(Path.begin(), Path.end());
}

static std::string absoluteFile(const SourceManager &SM, llvm::StringRef Name) {
  llvm::SmallString<256> Path(Name);
  SM.getFileManager().makeAbsolutePath(Path);
  return tidyPath(Path);
}

SourcePlace placeOf(const SourceManager &SM, SourceLocation Loc) {
  PresumedLoc Presumed = SM.getPresumedLoc(SM.getExpansionLoc(Loc));
  if (Presumed.isInvalid())
    return {};
  return {absoluteFile(SM, Presumed.getFilename()), Presumed.getLine(),
          Presumed.getColumn()};
}

SourcePlace placeOf(const llvm::DILocation &Loc) {
  llvm::SmallString<256> Path(Loc.getFilename());
  if (!path::is_absolute(Path)) {
    Path = Loc.getDirectory();
    path::append(Path, Loc.getFilename());
  }
  return {tidyPath(Path), Loc.getLine(), Loc.getColumn()};
}

/// The toolkit's headers are often given with -I, which makes them look like
/// the user's. They are known by the company they keep: a toolkit's include
/// folder holds cuda_runtime_api.h.
static bool liesInToolkit(llvm::StringRef File) {
  for (llvm::StringRef Folder = path::parent_path(File); !Folder.empty();
       Folder = path::parent_path(Folder)) {
    llvm::SmallString<256> Mark(Folder);
    path::append(Mark, "cuda_runtime_api.h");
    if (llvm::sys::fs::exists(Mark))
      return true;
  }
  return false;
}

UserFiles::UserFiles(const SourceManager &SM) : SM(SM) {
  llvm::StringMap<bool> Toolkit; // by folder
  for (unsigned I = 0, E = SM.local_sloc_entry_size(); I != E; ++I) {
    const SrcMgr::SLocEntry &Entry = SM.getLocalSLocEntry(I);
    if (!Entry.isFile() ||
        SrcMgr::isSystem(Entry.getFile().getFileCharacteristic()))
      continue;
    OptionalFileEntryRef File = Entry.getFile().getContentCache().OrigEntry;
    if (!File)
      continue;
    FileID Id =
        SM.getFileID(SourceLocation::getFromRawEncoding(Entry.getOffset()));
    // `#pragma GCC system_header` shows at the end, not in the file's entry.
    if (SM.isInSystemHeader(SM.getLocForEndOfFile(Id)))
      continue;
    std::string Name = absoluteFile(SM, File->getName());
    auto [It, New] = Toolkit.try_emplace(path::parent_path(Name), false);
    if (New)
      It->second = liesInToolkit(Name);
    if (It->second)
      continue;
    Files.insert(Name);
    IDs.insert(Id);
  }
}

bool UserFiles::contains(SourceLocation Loc) const {
  Loc = SM.getExpansionLoc(Loc);
  return Loc.isValid() && IDs.contains(SM.getFileID(Loc));
}

void forEachUserDecl(ASTContext &Ctx, llvm::function_ref<void(Decl *)> Visit) {
  UserFiles Users(Ctx.getSourceManager());
  llvm::SmallVector<const DeclContext *, 8> Work = {
      Ctx.getTranslationUnitDecl()};
  while (!Work.empty())
    for (Decl *D : Work.pop_back_val()->noload_decls())
      if (isa<NamespaceDecl, LinkageSpecDecl>(D))
        Work.push_back(cast<DeclContext>(D));
      else if (Users.contains(D->getLocation()))
        Visit(D);
}

} // namespace warplint
