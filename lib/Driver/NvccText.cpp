//===- NvccText.cpp - Text that nvcc takes and clang does not ------------===//
//
// Part of Warplint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "NvccText.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/MemoryBuffer.h"

using namespace llvm;

namespace warplint {

namespace {

/// Three of \p Mark from \p At on, blanks between them allowed: one past the
/// last, or npos.
size_t threeOf(char Mark, StringRef Text, size_t At) {
  for (unsigned Found = 0; At < Text.size(); ++At) {
    if (Text[At] == Mark) {
      if (++Found == 3)
        return At + 1;
    } else if (Found == 0 || (Text[At] != ' ' && Text[At] != '\t')) {
      break;
    }
  }
  return StringRef::npos;
}

void join(std::string &Text, char Mark, size_t Begin, size_t End) {
  for (size_t I = Begin; I < End; ++I)
    Text[I] = I < Begin + 3 ? Mark : ' ';
}

/// A file whose text is looked at when it is read.
class NvccFile final : public vfs::File {
public:
  NvccFile(std::unique_ptr<vfs::File> File, const std::set<unsigned> *Objects)
      : Inner(std::move(File)), Objects(Objects) {}

  ErrorOr<vfs::Status> status() override { return Inner->status(); }
  ErrorOr<std::string> getName() override { return Inner->getName(); }
  std::error_code close() override { return Inner->close(); }
  ErrorOr<std::unique_ptr<MemoryBuffer>> getBuffer(const Twine &Name,
                                                   int64_t FileSize,
                                                   bool RequiresNullTerminator,
                                                   bool IsVolatile) override {
    auto Buffer =
        Inner->getBuffer(Name, FileSize, RequiresNullTerminator, IsVolatile);
    if (!Buffer)
      return Buffer;
    StringRef Text = (*Buffer)->getBuffer();
    std::optional<std::string> Changed = joinChevrons(Text);
    if (Objects) {
      if (!Changed)
        Changed = Text.str();
      for (unsigned Offset : *Objects)
        declareSharedObject(*Changed, Offset);
    }
    if (Changed)
      return MemoryBuffer::getMemBufferCopy(*Changed, Name);
    return Buffer;
  }

private:
  std::unique_ptr<vfs::File> Inner;
  const std::set<unsigned> *Objects;
};

class NvccFileSystem final : public vfs::ProxyFileSystem {
public:
  NvccFileSystem(IntrusiveRefCntPtr<vfs::FileSystem> Files,
                 SharedObjects Objects)
      : ProxyFileSystem(std::move(Files)), Objects(std::move(Objects)) {}

  ErrorOr<std::unique_ptr<vfs::File>>
  openFileForRead(const Twine &Path) override {
    auto File = getUnderlyingFS().openFileForRead(Path);
    if (!File)
      return File;
    auto At = Objects.find(Path.str());
    return std::make_unique<NvccFile>(
        std::move(*File), At == Objects.end() ? nullptr : &At->second);
  }

private:
  SharedObjects Objects;
};

} // namespace

std::optional<std::string> joinChevrons(StringRef Text) {
  std::optional<std::string> Joined;
  for (size_t At = Text.find('<'); At != StringRef::npos;
       At = Text.find('<', At + 1)) {
    size_t Open = threeOf('<', Text, At);
    if (Open == StringRef::npos)
      continue;
    if (Text.take_front(At).rtrim().ends_with("operator")) {
      At = Open;
      continue;
    }
    // ... >>> ( before the statement ends.
    for (size_t I = Open; I < Text.size() && Text[I] != ';'; ++I) {
      if (Text[I] != '>')
        continue;
      size_t Close = threeOf('>', Text, I);
      if (Close == StringRef::npos ||
          !Text.substr(Close).ltrim().starts_with('('))
        continue;
      if (Open - At != 3 || Close - I != 3) {
        if (!Joined)
          Joined = Text.str();
        join(*Joined, '<', At, Open);
        join(*Joined, '>', I, Close);
      }
      break;
    }
    At = Open;
  }
  return Joined;
}

bool declareSharedObject(std::string &Text, size_t Offset) {
  constexpr StringLiteral Shared = "__shared__";
  static_assert(Shared.size() == SharedObjectWord.size());
  StringRef Before = StringRef(Text).take_front(Offset);
  size_t Begin = Before.find_last_of(";{}");
  Begin = Begin == StringRef::npos ? 0 : Begin + 1;
  size_t At = Before.find(Shared, Begin);
  if (At == StringRef::npos)
    return false;
  Text.replace(At, Shared.size(), SharedObjectWord.data());
  return true;
}

IntrusiveRefCntPtr<vfs::FileSystem>
readAsNvcc(IntrusiveRefCntPtr<vfs::FileSystem> Files, SharedObjects Objects) {
  return makeIntrusiveRefCnt<NvccFileSystem>(std::move(Files),
                                             std::move(Objects));
}

} // namespace warplint
