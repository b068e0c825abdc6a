//===- Options.td - The command line of warplint --------------------------===//
//
// Part of Warplint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

include "llvm/Option/OptParser.td"

/// An option with a value: `--long=v`, `--long v`.
multiclass V<string long, string meta, string help> {
  def NAME : Separate<["--"], long>, MetaVarName<meta>;
  def _eq : Joined<["--"], long # "=">, Alias<!cast<Option>(NAME)>,
            HelpText<help>, MetaVarName<meta>;
}

/// A flag `--long`.
class F<string long, string help> : Flag<["--"], long>, HelpText<help>;

def p : JoinedOrSeparate<["-"], "p">, MetaVarName<"DIR">,
        HelpText<"Take compile commands from DIR/compile_commands.json; "
                 "without files: analyse all CUDA files in it">;
defm arch : V<"arch", "sm_XX",
              "GPU architecture (default: the compile command's, else sm_90)">;
defm block : V<"block", "X[,Y[,Z]]",
               "Block shape of kernels whose launch does not tell it "
               "(default: 256)">;
defm run : V<"run", "ARGS",
             "What the program is run with ('1024 8'); none: nobody knows; auto "
             "(default): what 'make run', 'make test', a script 'run' or CTest "
             "beside the source say">;
defm checks : V<"checks", "GLOBS",
                "Checks to switch on, or off with '-', in order, as clang-tidy "
                "takes them">;
defm min_efficiency
    : V<"min-efficiency", "PERCENT",
        "Report global accesses under this sector efficiency (default: 75)">;
defm min_ways
    : V<"min-ways", "N",
        "Report conflicts in shared and constant memory of at least N ways "
        "(default: 2)">;
defm assume_alignment
    : V<"assume-alignment", "BYTES",
        "Alignment of pointers of which the program tells nothing (default: "
        "256, as cudaMalloc aligns)">;
def show_absorbed
    : F<"show-absorbed",
        "Show findings too whose waste caches absorb, with nothing to gain">;
def no_remarks : F<"no-remarks", "Leave out findings that are remarks">;
defm kernel : V<"kernel", "TEXT",
                "Only kernels whose demangled name contains TEXT">;
defm budget : V<"budget", "N",
                "Allow a kernel N times the usual work before its analysis is "
                "cut short (default: 1)">;
defm format : V<"format", "text|json|sarif|github|gitlab|rdjson",
                "Form of the report on standard output (default: text)">;
defm also : V<"also", "FORMAT:FILE",
              "Write the report in one more form to FILE; may be given several "
              "times">;
defm color : V<"color", "auto|always|never",
               "Colour in the text report (default: auto: on a terminal, "
               "unless NO_COLOR is set; CLICOLOR_FORCE: always)">;
def quiet : F<"quiet", "Print findings and errors alone: no progress, no "
                       "remarks about files, no closing counts">;
def profile : F<"profile", "Print to standard error where the time went">;
defm cuda_path : V<"cuda-path", "DIR",
                   "CUDA toolkit whose headers are used (default: the compile "
                   "command's, $CUDA_PATH, the usual places)">;
defm across_files
    : V<"across-files", "auto|all|none",
        "Look for launches and callers in other files of the compile database: "
        "all that name a function asked about; auto (default): for single "
        "files only what block shapes hang on; none: each file by itself">;
defm config_file
    : V<"config-file", "FILE",
        "Take the configuration from FILE instead of the .clang-tidy above "
        "each file">;
defm header_filter
    : V<"header-filter", "REGEX",
        "Report findings in headers whose name matches (default: all that are "
        "no system headers)">;
defm exclude_header_filter
    : V<"exclude-header-filter", "REGEX", "Of those, leave out these">;
defm line_filter
    : V<"line-filter", "JSON",
        "Report findings on these lines alone, as clang-tidy takes them">;
defm warnings_as_errors
    : V<"warnings-as-errors", "GLOBS", "Show these checks' findings as errors">;
defm baseline
    : V<"baseline", "FILE",
        "Show only findings that the baseline FILE does not have">;
defm write_baseline
    : V<"write-baseline", "FILE",
        "Write the findings there are into the baseline FILE">;
defm prune_baseline
    : V<"prune-baseline", "FILE",
        "As --baseline, and drop what is fixed from FILE">;
def diff : F<"diff", "Report findings on lines changed against HEAD, new files "
                     "included; without files: analyse what changed">;
def diff_eq : Joined<["--"], "diff=">, MetaVarName<"REV">,
              HelpText<"The same against the revision REV">;
def changed
    : F<"changed",
        "Take the files as a list of what changed, for hooks: a header stands "
        "for the files of the compile database that include it, and what "
        "concerns no CUDA file is left out">;
defm summary : V<"summary", "FILE",
                 "Write counts, worst findings and what could not be analysed "
                 "to FILE, as Markdown tables">;
def no_fixes : F<"no-fixes", "Look for no fixes: findings come with advice "
                             "alone, and sooner">;
def fix : F<"fix", "Apply the fixes of the findings">;
defm export_fixes
    : V<"export-fixes", "FILE",
        "Write the fixes to FILE, for clang-apply-replacements">;
defm write_compile_commands
    : V<"write-compile-commands", "DIR",
        "Write DIR/compile_commands.json, the database of -p with commands "
        "that clang-tidy and clangd can read, and exit">;
def j : JoinedOrSeparate<["-"], "j">, MetaVarName<"N">,
        HelpText<"Analyse N files at a time (default: one a core)">;
def lsp : F<"lsp", "Be a language server for an editor, on standard input and "
                   "output">;
def list_checks : F<"list-checks", "List the checks, the default ones first "
                                   "marked with '*', and exit">;
def print_requests
    : F<"print-requests",
        "Print the engine's trace of requests instead of the report">;
def print_launches
    : F<"print-launches",
        "Print the launch configurations found, and what they tell of the "
        "arguments, instead of the report">;
def print_ir : F<"print-ir",
                 "Print the IR the engine executes instead of the report">;
def version : F<"version", "Print the version and exit">;
def help : F<"help", "Print this and exit">;
def h : Flag<["-"], "h">, Alias<help>;
