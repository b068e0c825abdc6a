//===- Client.cpp - What the editor can do ------------------------------===//
//
// Part of Warplint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Client.h"

using namespace llvm;

namespace warplint {

/// The member at \p Keys, one below the other; nullptr: there is none.
static const json::Value *member(const json::Value &Of,
                                 std::initializer_list<StringRef> Keys) {
  const json::Value *At = &Of;
  for (StringRef Key : Keys) {
    const json::Object *Object = At->getAsObject();
    At = Object ? Object->get(Key) : nullptr;
    if (!At)
      return nullptr;
  }
  return At;
}

static bool isTrue(const json::Value *Value) {
  return Value && Value->getAsBoolean().value_or(false);
}

static bool lists(const json::Value *Value, StringRef Word) {
  const json::Array *Words = Value ? Value->getAsArray() : nullptr;
  return Words && any_of(*Words, [&](const json::Value &Each) {
           return Each.getAsString() == Word;
         });
}

bool fromJSON(const json::Value &Params, Client &Result, json::Path Path) {
  if (!Params.getAsObject()) {
    Path.report("expected object");
    return false;
  }
  const json::Value *Can = member(Params, {"capabilities"});
  if (!Can)
    return true;
  // UTF-8 needs no conversion; UTF-16 is what every client must take.
  if (lists(member(*Can, {"general", "positionEncodings"}), "utf-8"))
    Result.Unit = ColumnUnit::Utf8;
  Result.Markdown = lists(
      member(*Can, {"textDocument", "hover", "contentFormat"}), "markdown");
  Result.RelatedInformation = isTrue(member(
      *Can, {"textDocument", "publishDiagnostics", "relatedInformation"}));
  Result.VersionedEdits =
      isTrue(member(*Can, {"workspace", "workspaceEdit", "documentChanges"}));
  return true;
}

bool fromJSON(const json::Value &Params, DidSaveParams &Result,
              json::Path Path) {
  json::ObjectMapper Map(Params, Path);
  return Map && Map.map("textDocument", Result.Document);
}

bool fromJSON(const json::Value &Params, CancelParams &Result,
              json::Path Path) {
  const json::Value *Id = member(Params, {"id"});
  if (!Id) {
    Path.report("expected an id");
    return false;
  }
  Result.Id = *Id;
  return true;
}

} // namespace warplint
