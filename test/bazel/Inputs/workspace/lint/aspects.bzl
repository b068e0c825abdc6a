load("//bazel:defs.bzl", "warplint_aspect")

warplint = warplint_aspect(
    tool = "//lint:warplint",
    toolkit = ["//lint:cuda-stub.h"],
    flags = "-x cuda -std=c++17 --cuda-gpu-arch=sm_90 -nocudainc -nocudalib -isystem lint -include cuda-stub.h".split(" "),
)
