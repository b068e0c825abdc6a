//===- Workspace.h - Open documents and the thread that analyses them ---===//
//
// Part of Warplint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef WARPLINT_LIB_LSP_WORKSPACE_H
#define WARPLINT_LIB_LSP_WORKSPACE_H

#include "Client.h"
#include "Documents.h"
#include "warplint/Lsp/Server.h"
#include <chrono>
#include <condition_variable>
#include <list>
#include <mutex>
#include <set>

namespace warplint {

/// One document is analysed at a time, on a thread of its own, so that requests
/// are taken meanwhile. A run cannot be stopped; one whose text was edited
/// since is finished and forgotten.
///
/// Runs are asked for by open and save, by a question about a text that was
/// edited since, and by an edit that makes a run useless before it is done.
/// Other edits wait for the save: half a statement does not parse.
class Workspace : public std::enable_shared_from_this<Workspace> {
public:
  using Analyses = llvm::ArrayRef<std::shared_ptr<const Analysis>>;
  /// \p File: the real path of the document asked about.
  using Answer = llvm::unique_function<void(llvm::StringRef File,
                                            llvm::Expected<Analyses>)>;
  /// \p Version: nullopt for a file that is not open.
  using Publish = std::function<void(const llvm::lsp::URIForFile &Uri,
                                     std::optional<int64_t> Version,
                                     llvm::json::Array Diagnostics)>;

  Workspace(DocumentAnalysis Analyse, Publish Send)
      : Analyse(std::move(Analyse)), Send(std::move(Send)) {}

  void start(const Client &Editor);
  /// No callback is called any more. The thread ends when its run is done.
  void stop();

  void open(const llvm::lsp::TextDocumentItem &Item);
  void change(llvm::StringRef Path, int64_t Version, std::string Text);
  void save(llvm::StringRef Path);
  void close(llvm::StringRef Path);

  enum class Wait {
    Always,     ///< have the text analysed if it is not
    IfUnderWay, ///< but ask for no run
  };
  /// Answers when there is an analysis of the text as it is now: at once, or
  /// when it is done. A header is answered with those of the open documents
  /// that read it; with none, that of a file that includes it. Errors:
  /// ContentModified, an edit made the question meaningless; RequestCancelled.
  void whenAnalysed(llvm::StringRef Path, std::string Id, Wait How,
                    Answer Then);
  void cancel(llvm::StringRef Id);

private:
  using Clock = std::chrono::steady_clock;

  struct Document {
    std::shared_ptr<const DocumentText> Now;
    /// Nothing: a header of the host's, of which only other documents tell.
    std::optional<DocumentKind> Kind;
    unsigned Wanted = 0; ///< the newest run asked for
    std::shared_ptr<const Analysis> Last;
    /// What Last says of each file.
    std::map<std::string, llvm::json::Array> Diagnostics;
  };
  struct Question {
    std::string Id, File;
    Answer Then;
  };
  struct Run {
    std::string File;
    unsigned Number = 0;
  };

  // All below are called with the lock held.
  Document *find(llvm::StringRef Path);
  bool isCurrent(const Analysis &A) const;
  /// Whether an open document that is compiled tells of the header \p File.
  bool isCovered(const std::string &File) const;
  bool hasOwnRun(const std::string &File, const Document &D) const;
  /// Leaves to \p A what it tells of open headers.
  void cover(const std::string &File, std::shared_ptr<const Analysis> A);
  /// Answers the questions about \p File, each with what \p Say says.
  void answerAll(const std::string &File,
                 llvm::function_ref<llvm::Expected<Analyses>()> Say);
  void refuseAll(const std::string &File, llvm::StringRef Why);
  bool isUnderWay(llvm::StringRef File, const Document &D) const;
  void ask(const std::string &File, Document &D, Clock::duration After);
  void publish(Document &D, std::map<std::string, llvm::json::Array> New);
  void publishFile(const std::string &File);
  void finish(const Run &Done, std::shared_ptr<const Analysis> A,
              std::map<std::string, llvm::json::Array> Diagnostics);

  void work();
  std::shared_ptr<const Analysis>
  analyse(const std::string &File, DocumentKind Kind, const OpenTexts &Texts,
          const std::map<std::string, std::string> &Paths) const;

  const DocumentAnalysis Analyse;
  const Publish Send;
  Client Editor;

  std::mutex Lock;
  std::condition_variable Changed;
  bool Stopped = false;
  std::map<std::string, Document> Documents; ///< by real path
  /// Real paths by what the editor calls them; links may change under it.
  std::map<std::string, std::string, std::less<>> RealPaths;
  std::map<std::string, Clock::time_point> Queue;
  std::optional<Run> Running;
  std::list<Question> Questions;
};

} // namespace warplint

#endif // WARPLINT_LIB_LSP_WORKSPACE_H
