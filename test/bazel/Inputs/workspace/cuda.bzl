"""A stand-in for rules_cuda's cuda_library: its attributes, and nothing compiled."""

def _impl(ctx):
    own = cc_common.create_compilation_context(
        headers = depset(ctx.files.hdrs),
        includes = depset([ctx.label.package + "/" + i for i in ctx.attr.includes]),
        quote_includes = depset(["."]),
        defines = depset(ctx.attr.defines),
    )
    return [cc_common.merge_cc_infos(
        direct_cc_infos = [CcInfo(compilation_context = own)],
        cc_infos = [d[CcInfo] for d in ctx.attr.deps],
    )]

cuda_library = rule(
    implementation = _impl,
    attrs = {
        "srcs": attr.label_list(allow_files = True),
        "hdrs": attr.label_list(allow_files = True),
        "deps": attr.label_list(providers = [CcInfo]),
        "includes": attr.string_list(),
        "defines": attr.string_list(),
        "local_defines": attr.string_list(),
        "copts": attr.string_list(),
    },
)
