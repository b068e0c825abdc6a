//===- Inbox.h - Messages, sorted before they are handled ---------------===//
//
// Part of Warplint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

///
/// \file
/// Stands between the pipe and llvm::lsp::JSONTransport, whose loop ends at a
/// message that is none and whose handlers are not told the id of a request.
///
//===----------------------------------------------------------------------===//

#ifndef WARPLINT_LIB_LSP_INBOX_H
#define WARPLINT_LIB_LSP_INBOX_H

#include "llvm/Support/LSP/Transport.h"

namespace warplint {

/// What a message that cannot be taken becomes: a call of this method, which
/// answers with the code and text it is given.
inline constexpr llvm::StringLiteral RefusedMethod = "$/refused";

struct RefusedParams {
  llvm::lsp::ErrorCode Code = llvm::lsp::ErrorCode::InvalidRequest;
  std::string Message;
};
bool fromJSON(const llvm::json::Value &Params, RefusedParams &Result,
              llvm::json::Path Path);

/// How far the conversation is; the protocol forbids most before and after.
enum class Stage { BeforeInitialize, Running, AfterShutdown };

class Inbox : public llvm::lsp::JSONTransportInput {
public:
  Inbox(std::FILE *In, const Stage &Now) : Pipe(In), Now(Now) {}

  /// Of the request that was read last, as text; "" for a notification.
  const std::string &lastId() const { return LastId; }

  bool hasError() const final { return Pipe.hasError(); }
  bool isEndOfInput() const final { return Pipe.isEndOfInput(); }
  llvm::LogicalResult readStandardMessage(std::string &Json) final;
  llvm::LogicalResult readDelimitedMessage(std::string &Json) final {
    return Pipe.readDelimitedMessage(Json);
  }

private:
  /// What is to be handled for \p Json; nullopt: nothing.
  std::optional<std::string> sorted(const std::string &Json);

  llvm::lsp::JSONTransportInputOverFile Pipe;
  const Stage &Now;
  std::string LastId;
};

/// An id as text, by which equal ids are known.
std::string idText(const llvm::json::Value &Id);

} // namespace warplint

#endif // WARPLINT_LIB_LSP_INBOX_H
