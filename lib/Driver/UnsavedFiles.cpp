//===- UnsavedFiles.cpp - Texts that an editor holds --------------------===//
//
// Part of Warplint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "warplint/Driver/UnsavedFiles.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"

using namespace llvm;

namespace warplint {

void UnsavedFiles::add(StringRef Path,
                       std::shared_ptr<const std::string> Text) {
  sys::fs::UniqueID ID;
  if (sys::fs::getUniqueID(Path, ID))
    return;
  Entry &E = Files[ID];
  E.Path = Path.str();
  E.Text = std::move(Text);
}

const std::string *UnsavedFiles::find(sys::fs::UniqueID ID) const {
  auto At = Files.find(ID);
  return At == Files.end() ? nullptr : At->second.Text.get();
}

const std::string *UnsavedFiles::read(sys::fs::UniqueID ID) const {
  auto At = Files.find(ID);
  if (At == Files.end())
    return nullptr;
  At->second.WasRead = true;
  return At->second.Text.get();
}

std::vector<std::string> UnsavedFiles::pathsRead() const {
  std::vector<std::string> Paths;
  for (const auto &[ID, E] : Files)
    if (E.WasRead)
      Paths.push_back(E.Path);
  return Paths;
}

namespace {

/// A file whose text is another than that on disk; all else of it stays.
class UnsavedFile final : public vfs::File {
public:
  UnsavedFile(std::unique_ptr<vfs::File> OnDisk, const std::string &Text)
      : OnDisk(std::move(OnDisk)), Text(Text) {}

  ErrorOr<vfs::Status> status() override {
    ErrorOr<vfs::Status> Status = OnDisk->status();
    if (!Status)
      return Status;
    return vfs::Status::copyWithNewSize(*Status, Text.size());
  }
  ErrorOr<std::string> getName() override { return OnDisk->getName(); }
  std::error_code close() override { return OnDisk->close(); }
  ErrorOr<std::unique_ptr<MemoryBuffer>> getBuffer(const Twine &Name, int64_t,
                                                   bool, bool) override {
    return MemoryBuffer::getMemBuffer(Text, Name.str());
  }

private:
  std::unique_ptr<vfs::File> OnDisk;
  const std::string &Text;
};

class UnsavedFileSystem final : public vfs::ProxyFileSystem {
public:
  UnsavedFileSystem(IntrusiveRefCntPtr<vfs::FileSystem> Files,
                    std::shared_ptr<const UnsavedFiles> Unsaved)
      : ProxyFileSystem(std::move(Files)), Unsaved(std::move(Unsaved)) {}

  ErrorOr<vfs::Status> status(const Twine &Path) override {
    ErrorOr<vfs::Status> Status = getUnderlyingFS().status(Path);
    if (Status)
      if (const std::string *Text = Unsaved->find(Status->getUniqueID()))
        return vfs::Status::copyWithNewSize(*Status, Text->size());
    return Status;
  }

  ErrorOr<std::unique_ptr<vfs::File>>
  openFileForRead(const Twine &Path) override {
    auto File = getUnderlyingFS().openFileForRead(Path);
    if (!File)
      return File;
    ErrorOr<vfs::Status> Status = (*File)->status();
    if (Status)
      if (const std::string *Text = Unsaved->read(Status->getUniqueID()))
        return std::make_unique<UnsavedFile>(std::move(*File), *Text);
    return File;
  }

private:
  std::shared_ptr<const UnsavedFiles> Unsaved;
};

} // namespace

IntrusiveRefCntPtr<vfs::FileSystem>
readUnsaved(IntrusiveRefCntPtr<vfs::FileSystem> Files,
            std::shared_ptr<const UnsavedFiles> Unsaved) {
  if (!Unsaved)
    return Files;
  return makeIntrusiveRefCnt<UnsavedFileSystem>(std::move(Files),
                                                std::move(Unsaved));
}

} // namespace warplint
