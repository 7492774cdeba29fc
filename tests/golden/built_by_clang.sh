#!/bin/bash
# burin built by clang must write the same trees.
#
#   tests/golden/built_by_clang.sh BURIN FOLDER     FOLDER: where that build lies; kept
set -euo pipefail
burin="$(realpath "${1:?the burin program}")"
mkdir -p "${2:?a folder}"
build="$(realpath "$2")"
cd "$(dirname "$0")/../.."
cmake -S . -B "$build" -G Ninja -DCMAKE_CXX_COMPILER=clang++ -DCMAKE_BUILD_TYPE=Debug \
  -DCMAKE_CXX_FLAGS_DEBUG=-O0 -DBURIN_TESTS=OFF $(command -v ccache > /dev/null && echo -DCMAKE_CXX_COMPILER_LAUNCHER=ccache) > "$build/configure.log"
cmake --build "$build" --target burin > "$build/build.log" || { tail -n 40 "$build/build.log"; exit 1; }
. tests/golden/models.sh
scratch="$(mktemp -d)"
trap 'rm -rf "$scratch"' EXIT
generate_all "$burin" x86-64-v3 "$scratch/gcc"
generate_all "$build/generator/burin" x86-64-v3 "$scratch/clang"
diff -r "$scratch/gcc" "$scratch/clang"
