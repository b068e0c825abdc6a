//===- UnsavedFiles.h - Texts that an editor holds ----------------------===//
//
// Part of Warplint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef WARPLINT_DRIVER_UNSAVEDFILES_H
#define WARPLINT_DRIVER_UNSAVEDFILES_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/VirtualFileSystem.h"
#include <atomic>
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace warplint {

/// Files that are open in an editor: what the editor holds counts, not what is
/// on disk. A file is known by what it is, not by its name, so that links and
/// `../` lead to it too. Several threads may read at once.
class UnsavedFiles {
public:
  /// A file that is not on disk yet is left out: nothing includes it.
  void add(llvm::StringRef Path, std::shared_ptr<const std::string> Text);

  /// nullptr: the file is as it is on disk. Counts as read.
  const std::string *read(llvm::sys::fs::UniqueID ID) const;
  /// The same without reading it.
  const std::string *find(llvm::sys::fs::UniqueID ID) const;

  /// The paths, as added, of those that were read so far.
  std::vector<std::string> pathsRead() const;

private:
  struct Entry {
    std::string Path;
    std::shared_ptr<const std::string> Text;
    mutable std::atomic<bool> WasRead = false;
  };
  std::map<llvm::sys::fs::UniqueID, Entry> Files;
};

/// \p Files with the texts of \p Unsaved (null: as they are).
llvm::IntrusiveRefCntPtr<llvm::vfs::FileSystem>
readUnsaved(llvm::IntrusiveRefCntPtr<llvm::vfs::FileSystem> Files,
            std::shared_ptr<const UnsavedFiles> Unsaved);

} // namespace warplint

#endif // WARPLINT_DRIVER_UNSAVEDFILES_H
