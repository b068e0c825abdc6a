//===- Workspace.cpp - Open documents and the thread that analyses them -===//
//
// Part of Warplint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Workspace.h"
#include "Diagnostics.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include <thread>

using namespace llvm;
using llvm::lsp::ErrorCode;
using llvm::lsp::LSPError;

namespace warplint {

/// After an edit that made a run useless, until typing has paused.
static constexpr std::chrono::milliseconds Quiet(500);

static std::optional<DocumentKind> kindOf(StringRef Path, StringRef Language) {
  StringRef Extension = sys::path::extension(Path);
  if (Extension == ".cu")
    return DocumentKind::Source;
  if (Extension == ".cuh")
    return DocumentKind::Header;
  bool Header = StringSwitch<bool>(Extension)
                    .Cases({".h", ".hh", ".hpp", ".hxx"}, true)
                    .Cases({".inl", ".inc", ".ipp", ".tpp"}, true)
                    .Default(false);
  // VS Code says cuda-cpp, vim and its kin cuda.
  if (!Language.starts_with("cuda"))
    return std::nullopt;
  return Header ? DocumentKind::Header : DocumentKind::Source;
}

static std::string realPath(StringRef Path) {
  SmallString<256> Real;
  return sys::fs::real_path(Path, Real) ? Path.str() : std::string(Real);
}

void Workspace::start(const Client &TheEditor) {
  std::lock_guard Guard(Lock);
  Editor = TheEditor;
  std::thread([Self = shared_from_this()] { Self->work(); }).detach();
}

void Workspace::stop() {
  std::lock_guard Guard(Lock);
  Stopped = true;
  Changed.notify_all();
}

Workspace::Document *Workspace::find(StringRef Path) {
  auto Real = RealPaths.find(Path);
  if (Real == RealPaths.end())
    return nullptr;
  auto At = Documents.find(Real->second);
  return At == Documents.end() ? nullptr : &At->second;
}

bool Workspace::isCurrent(const Analysis &A) const {
  return all_of(A.Texts, [&](const auto &Read) {
    auto At = Documents.find(Read.first);
    return At != Documents.end() && At->second.Now == Read.second;
  });
}

bool Workspace::isCovered(const std::string &File) const {
  return any_of(Documents, [&](const auto &Entry) {
    const auto &[Of, D] = Entry;
    return D.Kind == DocumentKind::Source && D.Last &&
           D.Last->Texts.count(File);
  });
}

bool Workspace::hasOwnRun(const std::string &File, const Document &D) const {
  return D.Kind && (D.Kind == DocumentKind::Source || !isCovered(File));
}

void Workspace::cover(const std::string &File,
                      std::shared_ptr<const Analysis> A) {
  for (const auto &[Read, Text] : A->Texts) {
    auto At = Documents.find(Read);
    if (Read == File || At == Documents.end() ||
        At->second.Kind != DocumentKind::Header)
      continue;
    Queue.erase(Read);
    ++At->second.Wanted; // what may be under way is not wanted any more
    At->second.Last.reset();
    publish(At->second, {});
    answerAll(Read, [&] { return Analyses(A); });
  }
}

bool Workspace::isUnderWay(StringRef File, const Document &D) const {
  return Queue.count(File.str()) ||
         (Running && Running->File == File && Running->Number == D.Wanted);
}

void Workspace::ask(const std::string &File, Document &D,
                    Clock::duration After) {
  ++D.Wanted;
  Queue[File] = Clock::now() + After;
  Changed.notify_all();
}

void Workspace::answerAll(const std::string &File,
                          function_ref<Expected<Analyses>()> Say) {
  for (auto At = Questions.begin(); At != Questions.end();) {
    if (At->File != File) {
      ++At;
      continue;
    }
    At->Then(File, Say());
    At = Questions.erase(At);
  }
}

void Workspace::refuseAll(const std::string &File, StringRef Why) {
  answerAll(File, [&]() -> Expected<Analyses> {
    return make_error<LSPError>(Why.str(), ErrorCode::ContentModified);
  });
}

void Workspace::open(const lsp::TextDocumentItem &Item) {
  std::lock_guard Guard(Lock);
  std::string Path = Item.uri.file().str(), Real = realPath(Path);
  RealPaths[Path] = Real;
  Document &D = Documents[Real];
  D.Now = std::make_shared<DocumentText>(DocumentText{
      Item.uri, Item.version, std::make_shared<std::string>(Item.text)});
  D.Kind = kindOf(Path, Item.languageId);
  // What is known of a header, under the editor's name.
  if (D.Kind != DocumentKind::Source)
    publishFile(Real);
  if (hasOwnRun(Real, D))
    ask(Real, D, {});
}

void Workspace::change(StringRef Path, int64_t Version, std::string Text) {
  std::lock_guard Guard(Lock);
  Document *D = find(Path);
  if (!D)
    return;
  const std::string &File = RealPaths.find(Path)->second;
  bool Useless = isUnderWay(File, *D);
  D->Now = std::make_shared<DocumentText>(DocumentText{
      D->Now->Uri, Version, std::make_shared<std::string>(std::move(Text))});
  refuseAll(File, "the document was edited");
  if (Useless)
    ask(File, *D, Quiet);
}

void Workspace::save(StringRef Path) {
  std::lock_guard Guard(Lock);
  const Document *Saved = find(Path);
  if (!Saved)
    return;
  const std::string &SavedFile = RealPaths.find(Path)->second;
  for (auto &[File, D] : Documents)
    if (hasOwnRun(File, D) &&
        (&D == Saved || !D.Last || D.Last->Texts.count(SavedFile)))
      ask(File, D, {});
}

void Workspace::close(StringRef Path) {
  std::lock_guard Guard(Lock);
  Document *D = find(Path);
  if (!D)
    return;
  std::string File = RealPaths.find(Path)->second;
  refuseAll(File, "the document was closed");
  Queue.erase(File);
  publish(*D, {});
  // Whatever others say of it is no business of the editor's now.
  Documents.erase(File);
  RealPaths.erase(RealPaths.find(Path));
  // Nor do they tell of headers that are still open.
  for (auto &[Other, Open] : Documents)
    if (Open.Kind == DocumentKind::Header && !Open.Last &&
        !isUnderWay(Other, Open) && hasOwnRun(Other, Open))
      ask(Other, Open, {});
}

void Workspace::publishFile(const std::string &File) {
  json::Array All;
  for (const auto &[Of, D] : Documents)
    if (auto At = D.Diagnostics.find(File); At != D.Diagnostics.end())
      for (const json::Value &Each : At->second)
        if (!is_contained(All, Each))
          All.push_back(Each);
  auto Open = Documents.find(File);
  if (Open != Documents.end())
    return Send(Open->second.Now->Uri, Open->second.Now->Version,
                std::move(All));
  if (Expected<lsp::URIForFile> Uri = lsp::URIForFile::fromFile(File))
    Send(*Uri, std::nullopt, std::move(All));
  else
    consumeError(Uri.takeError());
}

void Workspace::publish(Document &D, std::map<std::string, json::Array> New) {
  std::set<std::string> Touched;
  for (const auto &Side : {std::cref(D.Diagnostics), std::cref(New)})
    for (const auto &[File, Said] : Side.get())
      Touched.insert(File);
  D.Diagnostics = std::move(New);
  for (const std::string &File : Touched)
    publishFile(File);
}

void Workspace::whenAnalysed(StringRef Path, std::string Id, Wait How,
                             Answer Then) {
  std::lock_guard Guard(Lock);
  Document *D = find(Path);
  if (!D)
    return Then(Path, Analyses());
  const std::string &File = RealPaths.find(Path)->second;
  std::vector<std::shared_ptr<const Analysis>> Known;
  if (!hasOwnRun(File, *D)) {
    for (const auto &[Of, Other] : Documents)
      if (Other.Last && Other.Last->Texts.count(File) && isCurrent(*Other.Last))
        Known.push_back(Other.Last);
    return Then(File, Analyses(Known));
  }
  if (D->Last && isCurrent(*D->Last)) {
    Known.push_back(D->Last);
    return Then(File, Analyses(Known));
  }
  if (How == Wait::IfUnderWay && !isUnderWay(File, *D))
    return Then(File, Analyses());
  if (!isUnderWay(File, *D))
    ask(File, *D, {});
  else if (auto At = Queue.find(File); At != Queue.end() && How == Wait::Always)
    ask(File, *D, {}); // somebody waits: no need to let typing pause
  Questions.push_back({std::move(Id), File, std::move(Then)});
}

void Workspace::cancel(StringRef Id) {
  std::lock_guard Guard(Lock);
  auto At = find_if(Questions, [&](const Question &Q) { return Q.Id == Id; });
  if (At == Questions.end())
    return; // answered already
  At->Then(At->File,
           make_error<LSPError>("cancelled", ErrorCode::RequestCancelled));
  Questions.erase(At);
}

std::shared_ptr<const Analysis>
Workspace::analyse(const std::string &File, DocumentKind Kind,
                   const OpenTexts &Texts,
                   const std::map<std::string, std::string> &Paths) const {
  auto Unsaved = std::make_shared<UnsavedFiles>();
  for (const auto &[Path, Document] : Texts)
    Unsaved->add(Path, Document->Text);
  auto Result = std::make_shared<Analysis>();
  // By the editor's name: beside a link other headers may lie.
  Result->Run = Analyse(Paths.at(File), Kind, Unsaved);
  Result->Findings = shownFindings(Result->Run);
  Result->Texts.insert(*Texts.find(File));
  for (const std::string &Read : Unsaved->pathsRead())
    Result->Texts.insert(*Texts.find(Read));
  return Result;
}

void Workspace::finish(const Run &Done, std::shared_ptr<const Analysis> A,
                       std::map<std::string, json::Array> Diagnostics) {
  auto At = Documents.find(Done.File);
  // Closed since, or a newer run is in the queue.
  if (At == Documents.end() || At->second.Wanted != Done.Number)
    return;
  Document &D = At->second;
  // The document is as it was, but not a header that it includes.
  if (!isCurrent(*A))
    return ask(Done.File, D, Quiet);
  D.Last = A;
  publish(D, std::move(Diagnostics));
  if (D.Kind == DocumentKind::Source)
    cover(Done.File, A);
  answerAll(Done.File, [&] { return Analyses(A); });
}

void Workspace::work() {
  std::unique_lock Guard(Lock);
  while (!Stopped) {
    auto Next = llvm::min_element(Queue, [](const auto &A, const auto &B) {
      return A.second < B.second;
    });
    if (Next == Queue.end()) {
      Changed.wait(Guard);
      continue;
    }
    if (Next->second > Clock::now()) {
      Changed.wait_until(Guard, Clock::time_point(Next->second));
      continue;
    }
    const Document &Wanted = Documents.at(Next->first);
    Run Now{Next->first, Wanted.Wanted};
    const DocumentKind Kind = *Wanted.Kind;
    Queue.erase(Next);
    Running = Now;
    OpenTexts Texts;
    for (const auto &[File, D] : Documents)
      Texts[File] = D.Now;
    std::map<std::string, std::string> Paths;
    for (const auto &[Path, Real] : RealPaths)
      Paths[Real] = Path;

    Guard.unlock();
    std::shared_ptr<const Analysis> A = analyse(Now.File, Kind, Texts, Paths);
    auto Diagnostics = diagnosticsOf(*A, Now.File, Editor);
    Guard.lock();

    Running.reset();
    if (!Stopped)
      finish(Now, std::move(A), std::move(Diagnostics));
  }
}

} // namespace warplint
