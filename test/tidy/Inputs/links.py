"""Says whether a module of clang-tidy brings libraries that clang-tidy has."""
import subprocess
import sys

needed = subprocess.run(["llvm-readelf", "--needed-libs", sys.argv[1]],
                        stdout=subprocess.PIPE, check=True, encoding="utf-8").stdout
bad = [lib for lib in needed.split() if "LLVM" in lib or "clang" in lib]
symbols = subprocess.run(["llvm-nm", "-D", "--defined-only", sys.argv[1]],
                         stdout=subprocess.PIPE, check=True, encoding="utf-8").stdout
print("needs " + " ".join(bad) if bad else "neither LLVM nor clang", len(symbols.splitlines()))
