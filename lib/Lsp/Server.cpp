//===- Server.cpp - Warplint as a language server -----------------------===//
//
// Part of Warplint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "warplint/Lsp/Server.h"
#include "Diagnostics.h"
#include "Hover.h"
#include "Inbox.h"
#include "Workspace.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;
using llvm::lsp::ErrorCode;
using llvm::lsp::LSPError;

namespace warplint {

namespace {

class Server {
public:
  Server(DocumentAnalysis Analyse, std::FILE *In, raw_ostream &Out);
  int run();

private:
  using Reply = lsp::Callback<json::Value>;

  void onInitialize(const Client &Can, Reply Done);
  void onShutdown(const lsp::NoParams &, Reply Done);
  void onOpen(const lsp::DidOpenTextDocumentParams &P);
  void onChange(const lsp::DidChangeTextDocumentParams &P);
  void onSave(const DidSaveParams &P);
  void onClose(const lsp::DidCloseTextDocumentParams &P);
  void onHover(const lsp::TextDocumentPositionParams &P, Reply Done);
  void onCodeAction(const lsp::CodeActionParams &P, Reply Done);
  void onCancel(const CancelParams &P);
  void onRefused(const RefusedParams &P, Reply Done);

  Stage Now = Stage::BeforeInitialize;
  Client Editor;
  Inbox *In; ///< owned by Transport
  lsp::JSONTransport Transport;
  lsp::MessageHandler Messages;
  lsp::OutgoingNotification<json::Value> PublishDiagnostics;
  std::shared_ptr<Workspace> Work;
};

} // namespace

Server::Server(DocumentAnalysis Analyse, std::FILE *Pipe, raw_ostream &Out)
    : In(new Inbox(Pipe, Now)),
      Transport(std::unique_ptr<lsp::JSONTransportInput>(In), Out),
      Messages(Transport),
      PublishDiagnostics(Messages.outgoingNotification<json::Value>(
          "textDocument/publishDiagnostics")),
      Work(std::make_shared<Workspace>(
          std::move(Analyse),
          [this](const lsp::URIForFile &Uri, std::optional<int64_t> Version,
                 json::Array Diagnostics) {
            json::Object Params{{"uri", Uri.uri()},
                                {"diagnostics", std::move(Diagnostics)}};
            if (Version)
              Params["version"] = *Version;
            PublishDiagnostics(std::move(Params));
          })) {
  Messages.method("initialize", this, &Server::onInitialize);
  Messages.method("shutdown", this, &Server::onShutdown);
  Messages.method("textDocument/hover", this, &Server::onHover);
  Messages.method("textDocument/codeAction", this, &Server::onCodeAction);
  Messages.method(RefusedMethod, this, &Server::onRefused);
  Messages.notification("textDocument/didOpen", this, &Server::onOpen);
  Messages.notification("textDocument/didChange", this, &Server::onChange);
  Messages.notification("textDocument/didSave", this, &Server::onSave);
  Messages.notification("textDocument/didClose", this, &Server::onClose);
  Messages.notification("$/cancelRequest", this, &Server::onCancel);
}

int Server::run() {
  Error Ended = Transport.run(Messages);
  Work->stop();
  // The end of the input is how a client that crashed says goodbye.
  consumeError(std::move(Ended));
  return Now == Stage::AfterShutdown ? 0 : 1;
}

void Server::onInitialize(const Client &Can, Reply Done) {
  if (Now != Stage::BeforeInitialize)
    return Done(
        make_error<LSPError>("initialized already", ErrorCode::InvalidRequest));
  Now = Stage::Running;
  Editor = Can;
  Work->start(Editor);
  json::Object Capabilities{
      {"positionEncoding",
       Editor.Unit == ColumnUnit::Utf8 ? "utf-8" : "utf-16"},
      // Whole texts: LLVM applies changes of ranges by bytes, whatever unit
      // was agreed on.
      {"textDocumentSync",
       json::Object{{"openClose", true},
                    {"change", int64_t(lsp::TextDocumentSyncKind::Full)},
                    {"save", true}}},
      {"hoverProvider", true},
      {"codeActionProvider",
       json::Object{{"codeActionKinds", json::Array{"quickfix"}}}},
  };
  Done(json::Object{
      {"capabilities", std::move(Capabilities)},
      {"serverInfo",
       json::Object{{"name", "warplint"}, {"version", toolVersion()}}},
  });
}

void Server::onShutdown(const lsp::NoParams &, Reply Done) {
  Now = Stage::AfterShutdown;
  Done(json::Value(nullptr));
}

void Server::onOpen(const lsp::DidOpenTextDocumentParams &P) {
  Work->open(P.textDocument);
}

void Server::onChange(const lsp::DidChangeTextDocumentParams &P) {
  if (P.contentChanges.empty())
    return;
  const lsp::TextDocumentContentChangeEvent &Last = P.contentChanges.back();
  if (Last.range) {
    lsp::Logger::error("a change of a range was sent, whole texts were asked "
                       "for: the document is let go");
    return Work->close(P.textDocument.uri.file());
  }
  Work->change(P.textDocument.uri.file(), P.textDocument.version, Last.text);
}

void Server::onSave(const DidSaveParams &P) {
  Work->save(P.Document.uri.file());
}

void Server::onClose(const lsp::DidCloseTextDocumentParams &P) {
  Work->close(P.textDocument.uri.file());
}

void Server::onHover(const lsp::TextDocumentPositionParams &P, Reply Done) {
  Work->whenAnalysed(
      P.textDocument.uri.file(), In->lastId(), Workspace::Wait::Always,
      [Can = Editor, At = P.position, Done = std::move(Done)](
          StringRef File, Expected<Workspace::Analyses> A) mutable {
        if (!A)
          return Done(A.takeError());
        Done(hoverAt(*A, File, At, Can));
      });
}

void Server::onCodeAction(const lsp::CodeActionParams &P, Reply Done) {
  // "" and "quickfix" are what a quickfix is a kind of.
  const std::vector<std::string> &Only = P.context.only;
  if (!Only.empty() && none_of(Only, [](StringRef Kind) {
        return Kind.empty() || Kind == "quickfix";
      }))
    return Done(json::Array());
  std::string Path = P.textDocument.uri.file().str();
  // Editors ask at every move of the cursor: that is no reason for a run.
  Work->whenAnalysed(
      Path, In->lastId(), Workspace::Wait::IfUnderWay,
      [Can = Editor, Where = P.range, Done = std::move(Done)](
          StringRef File, Expected<Workspace::Analyses> A) mutable {
        if (!A)
          return Done(A.takeError());
        json::Array Actions;
        for (const std::shared_ptr<const Analysis> &Each : *A)
          for (json::Value &Action : actionsAt(*Each, File, Where, Can))
            if (!is_contained(Actions, Action))
              Actions.push_back(std::move(Action));
        Done(std::move(Actions));
      });
}

void Server::onCancel(const CancelParams &P) { Work->cancel(idText(P.Id)); }

void Server::onRefused(const RefusedParams &P, Reply Done) {
  Done(make_error<LSPError>(P.Message, P.Code));
}

int serveEditor(DocumentAnalysis Analyse, std::FILE *In, raw_ostream &Out) {
  return Server(std::move(Analyse), In, Out).run();
}

} // namespace warplint
