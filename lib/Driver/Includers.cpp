//===- Includers.cpp - Which files a header reaches -----------------------===//
//
// Part of Warplint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "warplint/Driver/Includers.h"
#include "clang/Basic/Diagnostic.h"
#include "clang/Tooling/DependencyScanningTool.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/Support/CrashRecoveryContext.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/ThreadPool.h"

using namespace llvm;
using namespace clang::dependencies;

namespace {

using ByName = StringMap<std::vector<std::string>>;

bool isOneOf(StringRef File, const ByName &Headers) {
  auto At = Headers.find(sys::path::filename(File));
  return At != Headers.end() && any_of(At->second, [&](const std::string &H) {
           return H == File || sys::fs::equivalent(H, File);
         });
}

bool namesOneOf(StringRef File, const ByName &Headers) {
  auto Text = MemoryBuffer::getFile(File);
  return Text && any_of(Headers, [&](const auto &H) {
           return (*Text)->getBuffer().contains(H.first());
         });
}

std::string absoluteIn(StringRef Directory, StringRef File) {
  SmallString<256> Path(File);
  sys::path::make_absolute(Directory, Path);
  return std::string(Path);
}

bool includesOneOf(const warplint::CompileJob &Job, const ByName &Headers,
                   DependencyScanningService &Service) {
  DependencyScanningWorker Worker(Service, vfs::createPhysicalFileSystem());
  clang::DiagnosticConsumer Counts; // or no error is noticed
  CallbackActionController NoModules(
      [](const ModuleDeps &, ModuleOutputKind) { return std::string(); });
  DenseSet<ModuleID> NoneSeen;
  FullDependencyConsumer Consumer(NoneSeen);
  bool Whole = clang::tooling::computeDependencies(
      Worker, Job.Directory, Job.Arguments, Consumer, NoModules, Counts);
  // Of what could not be followed to the end, what was found until then, in
  // whatever header, counts too.
  std::vector<std::string> Files = Consumer.takeTranslationUnitDeps().FileDeps;
  if (!Whole &&
      (namesOneOf(Job.File, Headers) || any_of(Files, [&](StringRef File) {
         return namesOneOf(absoluteIn(Job.Directory, File), Headers);
       })))
    return true;
  return any_of(Files, [&](StringRef File) {
    return isOneOf(absoluteIn(Job.Directory, File), Headers);
  });
}

} // namespace

std::vector<size_t> warplint::includersOf(ArrayRef<std::string> Headers,
                                          ArrayRef<CompileJob> Jobs,
                                          unsigned Threads) {
  ByName Named;
  for (const std::string &Header : Headers)
    Named[sys::path::filename(Header)].push_back(Header);
  CrashRecoveryContext::Enable();
  // One service: what the files share is read once.
  DependencyScanningService Service(ScanningMode::DependencyDirectivesScan,
                                    ScanningOutputFormat::Full);
  std::vector<char> Includes(Jobs.size());
  DefaultThreadPool Pool(hardware_concurrency(Threads));
  for (size_t I = 0; I < Jobs.size(); ++I)
    Pool.async([&, I] {
      CrashRecoveryContext Recovery;
      constexpr unsigned StackBytes = 8 << 20;
      if (!Recovery.RunSafelyOnThread(
              [&] { Includes[I] = includesOneOf(Jobs[I], Named, Service); },
              StackBytes))
        Includes[I] = namesOneOf(Jobs[I].File, Named);
    });
  Pool.wait();
  std::vector<size_t> Found;
  for (size_t I = 0; I < Jobs.size(); ++I)
    if (Includes[I])
      Found.push_back(I);
  return Found;
}
