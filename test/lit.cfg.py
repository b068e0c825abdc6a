# Both lit suites, test/ and corpus/, read this; the build's lit.site.cfg.py
# gives it the paths.
#
#   %cuda_flags     how CUDA is parsed: with the toolkit where there is one,
#                   else with test/Inputs/cuda-stub.h (the usual built-ins)
#   %cuda_stub_flags  with the stub, always
#   %nvcc           nvcc, or nothing where there is none
#   %tidy           clang-tidy with the module; %tidy_module the module,
#                   %stock_tidy clang-tidy without it
#   %build          the build folder
#   %bazel          bazel with a server and an output base of its own
#   bazel, nvcc, deb  features: Bazel: nvcc, what packs a Debian package
#   %python         the Python 3 interpreter
#   %utils          the utils/ folder
#   cuda-toolkit    feature: tests that need more than the stub REQUIRE it
#
# `lit --param cuda=stub` runs everything as on a machine without a toolkit.
#   git, jq, pre-commit  features: the program is there
#   yaml            feature: Python reads YAML
#   npm-validators  feature: what utils/validate-* fetch from npm is there
import glob
import os
import shutil
import subprocess

import lit.formats

config.name = config.suite_name
config.test_source_root = config.suite_source
config.test_exec_root = config.suite_output
config.test_format = lit.formats.ShTest(execute_external=False)
config.suffixes = [".test", ".cu", ".cpp", ".txt"]
config.excludes = ["Inputs", "CMakeLists.txt", "README.txt"]

config.environment["PATH"] = os.pathsep.join(
    [config.tool_dir, config.llvm_tools_dir, config.environment["PATH"]])
# The machine's own choice of toolkit must not decide a test.
for name in ("CUDA_PATH", "CUDA_HOME"):
    config.environment.pop(name, None)
for name in ("ASAN_OPTIONS", "UBSAN_OPTIONS"):
    if name in os.environ:
        config.environment[name] = os.environ[name]

# clang-tidy with the module, and the two by themselves.
clang_tidy = os.path.join(config.llvm_tools_dir, "clang-tidy")
tidy_module = os.path.join(config.library_dir, "libWarplintTidy.so")
config.substitutions += [
    ("%tidy_module", tidy_module),
    ("%tidy", f"{clang_tidy} -load {tidy_module}"),
    ("%stock_tidy", clang_tidy),
]

language = "-x cuda -std=c++17 --cuda-gpu-arch=sm_90"
inputs = os.path.join(config.project_source, "test", "Inputs")
# Without a toolkit clang assumes a PTX version that has no shuffles.
stub_flags = (f"{language} -nocudainc -nocudalib --cuda-feature=+ptx80 "
              f"-isystem {inputs} -include cuda-stub.h")
use_toolkit = config.cuda_path and lit_config.params.get("cuda") != "stub"
if use_toolkit:
    config.available_features.add("cuda-toolkit")

for program in ("git", "jq", "pre-commit"):
    if shutil.which(program):
        config.available_features.add(program)
if not subprocess.call([config.python, "-c", "import yaml"], stderr=subprocess.DEVNULL):
    config.available_features.add("yaml")
# utils/setup-and-test fetches these; no test goes to the network.
cache = os.path.join(os.environ.get("XDG_CACHE_HOME") or os.path.expanduser("~/.cache"), "warplint")
if all(glob.glob(os.path.join(cache, path)) for path in
       ("sarif-multitool-*/package/Sarif.Multitool", "action-validator-*/node_modules/.bin/action-validator")):
    config.available_features.add("npm-validators")
    config.environment["XDG_CACHE_HOME"] = os.path.dirname(cache)
# Nobody's configuration of git must decide a test, and commits need a name.
config.environment.update({
    "GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_SYSTEM": os.devnull,
    "GIT_AUTHOR_NAME": "Test", "GIT_AUTHOR_EMAIL": "test@example.org",
    "GIT_COMMITTER_NAME": "Test", "GIT_COMMITTER_EMAIL": "test@example.org"})

nvcc = os.path.join(config.cuda_path, "bin", "nvcc") if use_toolkit else ""

if not os.access(nvcc, os.X_OK):
    nvcc = ""
if shutil.which("dpkg-shlibdeps"):
    config.available_features.add("deb")
bazel = shutil.which("bazel")
if bazel:
    config.available_features.add("bazel")
if nvcc:
    config.available_features.add("nvcc")
config.substitutions += [
    ("%nvcc", nvcc),
    ("%build", config.build_dir),
    ("%bazel", f"{bazel} --output_base={config.build_dir}/lit/bazel --max_idle_secs=10"),
    ("%cuda_stub_flags", stub_flags),
    ("%cuda_flags",
     f"{language} --cuda-path={config.cuda_path}" if use_toolkit else stub_flags),
    ("%cuda_path", config.cuda_path),
    ("%python", config.python),
    ("%utils", os.path.join(config.project_source, "utils")),
]
