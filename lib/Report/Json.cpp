//===- Json.cpp - The report as warplint-report/1 -------------------------===//
//
// Part of Warplint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "llvm/Support/JSON.h"
#include "Merge.h"
#include "warplint/Diagnose/Vocabulary.h"
#include "warplint/Version.h"
#include <charconv>
#include <cmath>

using namespace llvm;

namespace warplint {

namespace {

class JsonReport {
public:
  JsonReport(raw_ostream &OS) : J(OS, /*IndentSize=*/1) {}
  void print(const RunReport &Run, const MachineModel &Machine);

private:
  void number(StringRef Key, double Value);
  void strings(StringRef Key, ArrayRef<std::string> Values);
  void optionalString(StringRef Key, StringRef Value);
  void block(StringRef Key, const Dim3 &Block);
  void place(const SourcePlace &Place);
  void target(const MachineModel &Machine);
  void file(const FileReport &File);
  void kernel(const AnalysedKernel &Kernel);
  void config(const LaunchConfig &Config, const KernelTime *Time);
  void cycles(StringRef Key, const QueueCycles &Cycles);
  void access(const MergedAccess &Access, const MergedRun &Run);
  void finding(const Finding &F);
  void coverage(const Coverage &Counts);

  json::OStream J;
};

} // namespace

/// The shortest digits that read back as the number; json::OStream prints 17.
void JsonReport::number(StringRef Key, double Value) {
  // Six decimals are far below what any mean of counts can tell.
  constexpr double Digits = 1e6;
  double Rounded = std::round(Value * Digits) / Digits;
  char Text[32];
  std::to_chars_result End = std::to_chars(Text, Text + sizeof(Text), Rounded);
  J.attributeBegin(Key);
  J.rawValue(StringRef(Text, End.ptr - Text));
  J.attributeEnd();
}

void JsonReport::strings(StringRef Key, ArrayRef<std::string> Values) {
  J.attributeArray(Key, [&] {
    for (const std::string &Value : Values)
      J.value(json::fixUTF8(Value));
  });
}

void JsonReport::optionalString(StringRef Key, StringRef Value) {
  if (Value.empty())
    J.attribute(Key, nullptr);
  else
    J.attribute(Key, json::fixUTF8(Value));
}

void JsonReport::block(StringRef Key, const Dim3 &Block) {
  J.attributeArray(Key, [&] {
    for (uint32_t Extent : Block)
      J.value(static_cast<int64_t>(Extent));
  });
}

void JsonReport::place(const SourcePlace &Place) {
  J.attribute("file", json::fixUTF8(Place.File));
  J.attribute("line", Place.Line);
  J.attribute("column", Place.Column);
}

void JsonReport::target(const MachineModel &Machine) {
  J.attributeObject("target", [&] {
    J.attribute("arch", Machine.arch());
    J.attribute("granule_bytes", Machine.granuleBytes());
    J.attribute("line_bytes", Machine.lineBytes());
    J.attribute("banks", Machine.banks());
    J.attribute("bank_bytes", Machine.bankBytes());
  });
}

static StringRef statusName(FileReport::StatusKind Status) {
  switch (Status) {
  case FileReport::Ok:
    return "ok";
  case FileReport::Partial:
    return "partial";
  case FileReport::Failed:
    return "failed";
  }
  return "failed";
}

void JsonReport::file(const FileReport &File) {
  J.object([&] {
    J.attribute("file", json::fixUTF8(File.File));
    J.attribute("status", statusName(File.Status));
    J.attribute("arch", File.Arch);
    strings("errors", File.Errors);
    strings("remarks", File.Remarks);
  });
}

void JsonReport::cycles(StringRef Key, const QueueCycles &Cycles) {
  J.attributeObject(Key, [&] {
    for (unsigned I = 0; I != QueueCount; ++I)
      number(queueKey(Queue(I)), Cycles.Of[I]);
  });
}

void JsonReport::config(const LaunchConfig &Config, const KernelTime *Time) {
  J.object([&] {
    block("block", Config.Block);
    if (Config.Grid)
      block("grid", *Config.Grid);
    else
      J.attribute("grid", nullptr);
    if (Config.DynamicSharedBytes)
      J.attribute("dynamic_shared_bytes",
                  static_cast<int64_t>(*Config.DynamicSharedBytes));
    else
      J.attribute("dynamic_shared_bytes", nullptr);
    J.attribute("source", json::fixUTF8(Config.source()));
    strings("assumptions", Config.Assumptions);
    if (Time)
      J.attributeObject("estimate", [&] {
        number("slowdown", Time->slowdown());
        J.attribute("bound_by", queueName(Time->Now.longest()));
        cycles("cycles", Time->Now);
        cycles("ideal_cycles", Time->Ideal);
      });
  });
}

void JsonReport::kernel(const AnalysedKernel &Kernel) {
  J.object([&] {
    J.attribute("mangled", Kernel.Mangled);
    J.attribute("name", json::fixUTF8(Kernel.Name));
    J.attribute("file", json::fixUTF8(Kernel.Place.File));
    J.attribute("line", Kernel.Place.Line);
    J.attributeArray("configs", [&] {
      for (size_t I = 0; I != Kernel.Configs.size(); ++I)
        config(Kernel.Configs[I],
               I < Kernel.Times.size() ? &Kernel.Times[I] : nullptr);
    });
    optionalString("refused", Kernel.Refused);
    optionalString("incomplete", Kernel.Incomplete);
  });
}

void JsonReport::access(const MergedAccess &M, const MergedRun &Run) {
  const Access &A = M.N->A;
  const AccessNames &Names = M.N->Names;
  J.object([&] {
    J.attribute("kernel", Run.Kernels[M.Kernel].Mangled);
    J.attribute("kernel_index", M.Kernel);
    J.attribute("config", M.Config);
    place(A.Table.Line         ? A.Table
          : Names.Counted.Line ? Names.Counted
                               : A.Place);
    J.attributeArray("inlined_at", [&] {
      for (const SourcePlace &Call : A.InlinedAt)
        J.object([&] { place(Call); });
    });
    J.attribute("space", spaceName(A.Space));
    J.attribute("op", opName(A.Op));
    J.attribute("bytes", A.Bytes);
    J.attribute("expression", json::fixUTF8(Names.Expression));
    J.attribute("object", json::fixUTF8(objectName(*M.N)));
    J.attribute("address", json::fixUTF8(A.Address));
    J.attribute("pattern", patternName(M.N->Pattern));
    J.attributeObject("predicted", [&] {
      number("min", A.Predicted.Min);
      number("mean", A.Predicted.Mean);
      number("max", A.Predicted.Max);
    });
    number("ideal", A.Fewest);
    J.attribute("exact", A.Exact);
    strings("assumptions", A.Assumptions);
    optionalString("unknown_reason", A.Exact ? "" : reasonName(A.Reason));
    optionalString("unknown_detail", A.Exact ? "" : A.ReasonDetail);
    number("active_lanes", A.ActiveLanes);
    number("weight", A.Weight);
  });
}

void JsonReport::finding(const Finding &F) {
  J.object([&] {
    J.attribute("check", F.Check);
    J.attribute("severity", severityName(F.Level));
    J.attribute("message", json::fixUTF8(F.Message));
    place(F.Place);
    if (F.End.Line) {
      J.attribute("end_line", F.End.Line);
      J.attribute("end_column", F.End.Column);
    }
    J.attribute("space", spaceName(F.Space));
    J.attribute("shown", F.Shown);
    if (F.Gain)
      J.attributeObject("estimate", [&] {
        number("gain", F.Gain->Factor);
        J.attribute("basis", json::fixUTF8(F.Gain->Basis));
      });
    else
      J.attribute("estimate", nullptr);
    J.attributeArray("notes", [&] {
      for (const Note &N : F.Notes)
        J.object([&] {
          J.attribute("message", json::fixUTF8(N.Message));
          if (N.Place.Line)
            place(N.Place);
        });
    });
    J.attributeArray("fixes", [&] {
      for (const Fix &X : F.Fixes)
        J.object([&] {
          J.attribute("description", json::fixUTF8(X.Description));
          J.attribute("verified", json::fixUTF8(X.Verified));
          J.attribute("safety", safetyName(X.Safety));
          strings("diff", X.Diff);
          J.attributeArray("edits", [&] {
            for (const SourceEdit &E : X.Edits)
              J.object([&] {
                J.attribute("file", json::fixUTF8(E.File));
                J.attribute("offset", E.Offset);
                J.attribute("length", E.Length);
                J.attribute("text", json::fixUTF8(E.Text));
              });
          });
        });
    });
    J.attribute("kernel", F.Kernel);
    number("excess", F.Excess);
    number("excess_share", F.ExcessShare);
  });
}

void JsonReport::coverage(const Coverage &Counts) {
  J.attributeObject("coverage", [&] {
    J.attribute("exact", Counts.Exact);
    J.attribute("range", Counts.Range);
    J.attributeObject("unknown", [&] {
      for (const auto &[Reason, Count] : Counts.UnknownByReason)
        J.attribute(Reason, Count);
    });
  });
}

void JsonReport::print(const RunReport &Run, const MachineModel &Machine) {
  MergedRun Merged = mergeRun(Run);
  J.object([&] {
    J.attribute("schema", "warplint-report/1");
    J.attributeObject("tool", [&] {
      J.attribute("name", "warplint");
      J.attribute("version", toolVersion());
    });
    target(Machine);
    J.attributeArray("files", [&] {
      for (const FileReport &File : Run.Files)
        file(File);
    });
    J.attributeArray("kernels", [&] {
      for (const AnalysedKernel &Kernel : Merged.Kernels)
        kernel(Kernel);
    });
    J.attributeArray("accesses", [&] {
      for (const MergedAccess &M : Merged.Accesses)
        access(M, Merged);
    });
    J.attributeArray("findings", [&] {
      for (const Finding &F : mergeFindings(Run))
        finding(F);
    });
    coverage(coverageOf(Merged));
    J.attribute("held_back", Run.HeldBack);
  });
  J.flush();
}

StringRef toolVersion() { return WARPLINT_VERSION; }

void printJSON(const RunReport &Run, const MachineModel &Machine,
               raw_ostream &OS) {
  JsonReport(OS).print(Run, Machine);
  OS << '\n';
}

} // namespace warplint
