//===- Inbox.cpp - Messages, sorted before they are handled -------------===//
//
// Part of Warplint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Inbox.h"
#include "llvm/Support/FormatVariadic.h"

using namespace llvm;
using llvm::lsp::ErrorCode;

namespace warplint {

bool fromJSON(const json::Value &Params, RefusedParams &Result,
              json::Path Path) {
  json::ObjectMapper Map(Params, Path);
  int64_t Code = 0;
  if (!Map || !Map.map("code", Code) || !Map.map("message", Result.Message))
    return false;
  Result.Code = ErrorCode(Code);
  return true;
}

std::string idText(const json::Value &Id) { return formatv("{0}", Id).str(); }

/// Whether \p Json nests deeper than any message does: LLVM's parser recurses.
static bool nestsTooDeep(StringRef Json) {
  constexpr unsigned Deepest = 200;
  unsigned Depth = 0;
  bool InString = false;
  for (size_t I = 0; I < Json.size(); ++I) {
    char C = Json[I];
    if (InString) {
      if (C == '\\')
        ++I;
      else if (C == '"')
        InString = false;
    } else if (C == '"') {
      InString = true;
    } else if (C == '[' || C == '{') {
      if (++Depth > Deepest)
        return true;
    } else if ((C == ']' || C == '}') && Depth) {
      --Depth;
    }
  }
  return false;
}

static std::string refusal(json::Value Id, ErrorCode Code,
                           const Twine &Message) {
  return idText(json::Object{
      {"jsonrpc", "2.0"},
      {"id", std::move(Id)},
      {"method", RefusedMethod},
      {"params", json::Object{{"code", int64_t(Code)},
                              {"message", json::fixUTF8(Message.str())}}},
  });
}

std::optional<std::string> Inbox::sorted(const std::string &Json) {
  LastId.clear();
  if (nestsTooDeep(Json))
    return refusal(nullptr, ErrorCode::ParseError, "nested too deep");
  Expected<json::Value> Parsed = json::parse(Json);
  if (!Parsed)
    return refusal(nullptr, ErrorCode::ParseError,
                   toString(Parsed.takeError()));
  const json::Object *Message = Parsed->getAsObject();
  if (!Message || Message->getString("jsonrpc") != StringRef("2.0"))
    return refusal(nullptr, ErrorCode::InvalidRequest,
                   "not a message of JSON-RPC 2.0");
  const json::Value *Id = Message->get("id");
  std::optional<StringRef> Method = Message->getString("method");
  if (!Method) {
    // The server asks nothing, so there is nothing to be answered.
    if (Message->get("result") || Message->get("error"))
      return std::nullopt;
    return refusal(Id ? *Id : nullptr, ErrorCode::InvalidRequest,
                   "a message without a method");
  }
  if (Id)
    LastId = idText(*Id);
  if (Now == Stage::Running || *Method == "exit" ||
      (Now == Stage::BeforeInitialize && *Method == "initialize"))
    return Json;
  if (!Id)
    return std::nullopt;
  if (Now == Stage::AfterShutdown)
    return refusal(*Id, ErrorCode::InvalidRequest, "the server is shut down");
  return refusal(*Id, ErrorCode::ServerNotInitialized,
                 "the first request must be 'initialize'");
}

LogicalResult Inbox::readStandardMessage(std::string &Json) {
  while (!isEndOfInput() && !hasError()) {
    if (failed(Pipe.readStandardMessage(Json)))
      continue; // the next message begins with the next header
    if (std::optional<std::string> Taken = sorted(Json)) {
      Json = std::move(*Taken);
      return success();
    }
  }
  return failure();
}

} // namespace warplint
