//===- NvccOptions.td - The command line of nvcc --------------------------===//
//
// Part of Warplint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Every option of `nvcc --help` (12.x and 13.0) in its spellings: the long
/// name after two dashes, the short one after one, the value after `=` or in
/// the next argument. An option is grouped by what the device pass of clang
/// needs of it; those without a group are understood and not needed.
///
//===----------------------------------------------------------------------===//

include "llvm/Option/OptParser.td"

/// Neither wanted nor worth a remark.
def grp_ignored : OptionGroup<"<ignored>">;

// nvcc itself insists on `--long` and `-short`; build systems' own wrappers
// mix them, so either number of dashes is read here.
defvar Dashes = ["-", "--"];

/// A flag `--long`, `-short`.
multiclass F<string long, string short = long> {
  def NAME : Flag<Dashes, long>, Group<grp_ignored>;
  if !ne(long, short) then
    def _short : Flag<Dashes, short>, Alias<!cast<Option>(NAME)>;
}

/// An option with a value: `--long=v`, `--long v`, `-short=v`, `-short v`.
multiclass V<string long, string short = long> {
  def NAME : Separate<Dashes, long>, Group<grp_ignored>;
  def _eq : Joined<Dashes, long # "=">, Alias<!cast<Option>(NAME)>;
  if !ne(long, short) then {
    def _short : Separate<Dashes, short>, Alias<!cast<Option>(NAME)>;
    def _short_eq : Joined<Dashes, short # "=">, Alias<!cast<Option>(NAME)>;
  }
}

/// As V, with a short name of one letter to which a value may be glued: `-Iv`.
multiclass L<string long, string letter> {
  def NAME : Separate<Dashes, long>, Group<grp_ignored>;
  def _eq : Joined<Dashes, long # "=">, Alias<!cast<Option>(NAME)>;
  def _letter : JoinedOrSeparate<["-"], letter>, Alias<!cast<Option>(NAME)>;
  def _letter_eq : Joined<["-"], letter # "=">, Alias<!cast<Option>(NAME)>;
}

//===--- What the device pass is made of ----------------------------------===//

defm define_macro : L<"define-macro", "D">;
defm undefine_macro : L<"undefine-macro", "U">;
defm include_path : L<"include-path", "I">;
defm system_include : V<"system-include", "isystem">;
defm pre_include : V<"pre-include", "include">;
defm std : V<"std">;
defm language : V<"x">;
defm compiler_options : V<"compiler-options", "Xcompiler">;
defm options_file : V<"options-file", "optf">;
defm forward_unknown_to_host_compiler : F<"forward-unknown-to-host-compiler">;
defm forward_unknown_opts : F<"forward-unknown-opts">;
defm gpu_architecture : V<"gpu-architecture", "arch">;
defm gpu_code : V<"gpu-code", "code">;
defm generate_code : V<"generate-code", "gencode">;
defm relocatable_device_code : V<"relocatable-device-code", "rdc">;
defm device_c : F<"device-c", "dc">;
defm device_w : F<"device-w", "dw">;
defm use_fast_math : F<"use_fast_math">;
defm ftz : V<"ftz">;
defm fmad : V<"fmad">;
defm default_stream : V<"default-stream">;
defm no_exceptions : F<"no-exceptions", "noeh">;
defm ftemplate_depth : V<"ftemplate-depth">;
def ftemplate_depth_dash : Joined<["-"], "ftemplate-depth-">,
                           Alias<ftemplate_depth>;
defm no_host_device_initializer_list
    : F<"no-host-device-initializer-list", "nohdinitlist">;
defm expt_relaxed_constexpr : F<"expt-relaxed-constexpr">;
defm extended_lambda : F<"extended-lambda">;
defm expt_extended_lambda : F<"expt-extended-lambda">;
defm target_directory : V<"target-directory", "target-dir">;
// Only clang has these, but a command that mixes them in means what they say.
defm cuda_path : V<"cuda-path">;

//===--- Phases and outputs: the device pass is ours to choose -------------===//

defm cuda : F<"cuda">;
defm cubin : F<"cubin">;
defm fatbin : F<"fatbin">;
defm ptx : F<"ptx">;
defm optix_ir : F<"optix-ir">;
defm ltoir : F<"ltoir">;
defm preprocess : F<"preprocess", "E">;
defm generate_dependencies : F<"generate-dependencies", "M">;
defm generate_nonsystem_dependencies
    : F<"generate-nonsystem-dependencies", "MM">;
defm generate_dependencies_with_compile
    : F<"generate-dependencies-with-compile", "MD">;
defm generate_nonsystem_dependencies_with_compile
    : F<"generate-nonsystem-dependencies-with-compile", "MMD">;
defm dependency_output : V<"dependency-output", "MF">;
defm generate_dependency_targets : F<"generate-dependency-targets", "MP">;
defm dependency_target_name : V<"dependency-target-name", "MT">;
defm dependency_target_quoted : V<"MQ">;
defm compile : F<"compile", "c">;
defm device_link : F<"device-link", "dlink">;
defm link : F<"link">;
defm lib : F<"lib">;
defm run : F<"run">;
defm output_file : L<"output-file", "o">;
defm objdir_as_tempdir : F<"objdir-as-tempdir", "objtemp">;
defm output_directory : V<"output-directory", "odir">;
defm shared : F<"shared">;
defm relocatable_link : F<"relocatable-link", "r">;
defm no_device_link : F<"no-device-link", "nodlink">;

//===--- Linking and archiving --------------------------------------------===//

defm library : L<"library", "l">;
defm library_path : L<"library-path", "L">;
defm cudart : V<"cudart">;
defm cudadevrt : V<"cudadevrt">;
defm libdevice_directory : V<"libdevice-directory", "ldir">;
defm linker_options : V<"linker-options", "Xlinker">;
defm archive_options : V<"archive-options", "Xarchive">;
defm nvlink_options : V<"nvlink-options", "Xnvlink">;
defm archiver_binary : V<"archiver-binary", "arbin">;
defm forward_unknown_to_host_linker : F<"forward-unknown-to-host-linker">;
defm device_link_time_opt : F<"dlink-time-opt", "dlto">;
defm lto : F<"lto">;
defm gen_opt_lto : F<"gen-opt-lto">;
defm host_linker_script : V<"host-linker-script", "hls">;
defm augment_host_linker_script : F<"augment-host-linker-script", "aug-hls">;
defm extensible_whole_program : F<"extensible-whole-program", "ewp">;
def linker_wl : Joined<["-"], "Wl,">, Group<grp_ignored>;

//===--- The host compiler and nvcc's own working -------------------------===//

defm compiler_bindir : V<"compiler-bindir", "ccbin">;
defm allow_unsupported_compiler : F<"allow-unsupported-compiler">;
defm use_local_env : F<"use-local-env">;
defm force_cl_env_setup : F<"force-cl-env-setup">;
defm dont_use_profile : F<"dont-use-profile", "noprof">;
defm dryrun : F<"dryrun">;
defm verbose : F<"verbose", "v">;
defm threads : L<"threads", "t">;
defm split_compile : V<"split-compile">;
defm split_compile_extended : V<"split-compile-extended">;
defm fdevice_syntax_only : F<"fdevice-syntax-only">;
defm fdevice_time_trace : V<"fdevice-time-trace">;
defm keep : F<"keep">;
defm keep_dir : V<"keep-dir">;
defm save_temps : F<"save-temps">;
defm clean_targets : F<"clean-targets", "clean">;
defm time : V<"time">;
defm run_args : V<"run-args">;
defm input_drive_prefix : V<"input-drive-prefix", "idp">;
defm dependency_drive_prefix : V<"dependency-drive-prefix", "ddp">;
defm drive_prefix : V<"drive-prefix", "dp">;
defm no_align_double : F<"no-align-double">;
defm compile_as_tools_patch : F<"compile-as-tools-patch", "astoolspatch">;
defm qpp_config : V<"qpp-config">;
defm jobserver : F<"jobserver">;
defm list_gpu_code : F<"list-gpu-code", "code-ls">;
defm list_gpu_arch : F<"list-gpu-arch", "arch-ls">;
defm help : F<"help", "h">;
defm version : F<"version", "V">;

//===--- Code generation behind the IR ------------------------------------===//

defm profile : F<"profile", "pg">;
defm debug : F<"debug", "g">;
defm device_debug : F<"device-debug", "G">;
defm generate_line_info : F<"generate-line-info", "lineinfo">;
defm optimization_info : V<"optimization-info", "opt-info">;
defm optimize : L<"optimize", "O">;
defm ofast_compile : V<"Ofast-compile", "Ofc">;
defm dopt : V<"dopt">;
defm ftemplate_backtrace_limit : V<"ftemplate-backtrace-limit">;
defm no_host_device_move_forward
    : F<"no-host-device-move-forward", "nohdmoveforward">;
// Not glued: `-march=native` forwarded to the host compiler is none of it.
defm machine : V<"machine", "m">;
defm m64 : F<"m64">;
defm m32 : F<"m32">;
defm ptxas_options : V<"ptxas-options", "Xptxas">;
defm cudafe_options : V<"cudafe-options", "Xcudafe">;
defm cicc_options : V<"cicc-options", "Xcicc">;
defm static_global_template_stub : V<"static-global-template-stub">;
defm device_entity_has_hidden_visibility
    : V<"device-entity-has-hidden-visibility">;
defm entries : V<"entries", "e">;
defm maxrregcount : V<"maxrregcount">;
defm prec_div : V<"prec-div">;
defm prec_sqrt : V<"prec-sqrt">;
defm extra_device_vectorization : F<"extra-device-vectorization">;
defm keep_device_functions : F<"keep-device-functions">;
defm source_in_ptx : F<"source-in-ptx", "src-in-ptx">;
defm restrict : F<"restrict">;
defm resource_usage : F<"resource-usage", "res-usage">;
defm no_compress : F<"no-compress">;
defm compress_mode : V<"compress-mode">;
defm jump_table_density : V<"jump-table-density", "jtd">;
defm relocatable_ptx : F<"relocatable-ptx", "reloc-ptx">;
defm device_stack_protector : V<"device-stack-protector">;
defm frandom_seed : V<"frandom-seed">;
defm sanitize : V<"sanitize">;

//===--- Diagnostics: only errors are of interest here ---------------------===//

defm disable_warnings : F<"disable-warnings", "w">;
defm Wreorder : F<"Wreorder">;
defm Wdefault_stream_launch : F<"Wdefault-stream-launch">;
defm Wmissing_launch_bounds : F<"Wmissing-launch-bounds">;
defm Wext_lambda_captures_this : F<"Wext-lambda-captures-this">;
defm Wno_deprecated_declarations : F<"Wno-deprecated-declarations">;
defm Wno_deprecated_gpu_targets : F<"Wno-deprecated-gpu-targets">;
defm Werror : V<"Werror">;
defm display_error_number : F<"display-error-number", "err-no">;
defm no_display_error_number : F<"no-display-error-number", "no-err-no">;
defm diag_error : V<"diag-error">;
defm diag_suppress : V<"diag-suppress">;
defm diag_warn : V<"diag-warn">;
defm brief_diagnostics : V<"brief-diagnostics", "brief-diag">;
