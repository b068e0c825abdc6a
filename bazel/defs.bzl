"""Warplint as build actions: an aspect over rules that compile CUDA.

docs/bazel.md says how it is used and which actions come of it.
"""

_SOURCES = ("cu",)
_TEXTS = ("cu", "cuh", "h", "hpp", "hh", "inl", "inc")

WarplintInfo = provider(
    doc = "What Warplint said of a target and of those it depends on.",
    fields = {"reports": "depset of the reports, one a source"},
)

# The status goes into a file: a finding is a result to be cached, not a failed
# action. Paths are made relative: in a sandbox the sources are links, and a
# report must not depend on where the workspace is.
_RUN = """
tool=$1 source=$2 report=$3 status=$4
shift 4
real=$(readlink -f "$source")
root=${real%/"$source"}
"$tool" "$@" > "$report.raw" 2> "$report.errors"
echo $? > "$status"
# The other forms have the errors in them.
if [ "$WARPLINT_TEXT" = 1 ]; then cat "$report.errors" >> "$report.raw"; fi
sed -e "s|file://$root/||g" -e "s|$root/||g" "$report.raw" > "$report"
rm -f "$report.raw" "$report.errors"
"""

_VALIDATE = """
code=$(cat "$1")
if [ "$code" != 0 ]; then
  cat "$2" >&2
  exit 1
fi
: > "$3"
"""

def _files(targets, extensions):
    return [f for t in targets for f in t.files.to_list() if f.extension in extensions]

def _contexts(target, rule):
    """The compilation contexts that the rule's own sources are compiled with."""
    found = [target[CcInfo]] if CcInfo in target else []
    for name in ("deps", "implementation_deps"):
        for dep in getattr(rule.attr, name, []):
            if CcInfo in dep:
                found.append(dep[CcInfo])
    return cc_common.merge_cc_infos(cc_infos = found).compilation_context

def _flags(context, ctx):
    rule = ctx.rule
    flags = []
    for folder in context.quote_includes.to_list():
        flags += ["-iquote", folder]
    for folder in context.includes.to_list():
        flags.append("-I" + folder)
    for folder in context.system_includes.to_list():
        flags += ["-isystem", folder]
    defines = context.defines.to_list() + getattr(rule.attr, "local_defines", [])
    flags += ["-D" + d for d in defines]
    return flags + [ctx.expand_location(f) if "$(location" in f else f for f in getattr(rule.attr, "copts", [])]

def _impl(target, ctx):
    attr = ctx.rule.attr
    below = [dep[WarplintInfo].reports for dep in getattr(attr, "deps", []) if WarplintInfo in dep]
    sources = _files(getattr(attr, "srcs", []), _SOURCES)
    reports, validations = [], []
    if sources:
        context = _contexts(target, ctx.rule)
        inputs = depset(
            _files(attr.srcs, _TEXTS) + _files(getattr(attr, "hdrs", []), _TEXTS) + ctx.files._config,
            transitive = [context.headers] + [t.files for t in ctx.attr._toolkit],
        )
        flags = _flags(context, ctx) + ctx.attr._flags
    for source in sources:
        base = "%s.%s.warplint" % (ctx.label.name, source.short_path.replace("/", "_"))
        report = ctx.actions.declare_file(base)
        status = ctx.actions.declare_file(base + ".status")
        valid = ctx.actions.declare_file(base + ".valid")
        ctx.actions.run_shell(
            mnemonic = "Warplint",
            progress_message = "Warplint %s" % source.short_path,
            tools = [ctx.attr._tool.files_to_run],
            inputs = depset([source], transitive = [inputs]),
            outputs = [report, status],
            env = {"WARPLINT_TEXT": "0" if "--format=" in " ".join(ctx.attr._options) else "1"},
            command = _RUN,
            arguments = [ctx.executable._tool.path, source.path, report.path, status.path, "-j1", "--color=never"] +
                        ctx.attr._options + [source.path, "--"] + flags,
        )
        ctx.actions.run_shell(
            mnemonic = "WarplintValidate",
            progress_message = "Warplint's findings in %s" % source.short_path,
            inputs = [report, status],
            outputs = [valid],
            command = _VALIDATE,
            arguments = [status.path, report.path, valid.path],
        )
        reports.append(report)
        validations.append(valid)
    all_reports = depset(reports, transitive = below)
    return [
        WarplintInfo(reports = all_reports),
        OutputGroupInfo(
            warplint_reports = all_reports,
            warplint = depset(validations),
            _validation = depset(validations),
        ),
    ]

def warplint_aspect(tool, toolkit = [], config = [], options = [], flags = []):
    """Makes the aspect; bind it to a name at the top of a .bzl file.

    Args:
      tool: Label of the executable `warplint`.
      toolkit: Labels of the CUDA toolkit's headers, when Bazel knows them; name
        their folder by `--cuda-path=` in options.
      config: Labels of .clang-tidy files.
      options: warplint's options: `--arch=sm_90`, `--format=sarif`.
      flags: compiler flags of every source, after the rule's own.

    Returns:
      An aspect with the output groups `warplint_reports` (a report a source) and
      `warplint` (fails where there are findings; also the validation actions).
    """
    return aspect(
        implementation = _impl,
        attr_aspects = ["deps"],
        attrs = {
            "_tool": attr.label(default = tool, executable = True, cfg = "exec", allow_files = True),
            "_toolkit": attr.label_list(default = toolkit, allow_files = True),
            "_config": attr.label_list(default = config, allow_files = True),
            "_options": attr.string_list(default = options),
            "_flags": attr.string_list(default = flags),
        },
    )
