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
  -DCMAKE_CXX_FLAGS_DEBUG=-O1 $(command -v ccache > /dev/null && echo -DCMAKE_CXX_COMPILER_LAUNCHER=ccache) > "$build/configure.log"
cmake --build "$build" --target burin > "$build/build.log" || { tail -n 40 "$build/build.log"; exit 1; }
scratch="$(mktemp -d)"
trap 'rm -rf "$scratch"' EXIT
for model in tests/digits/digits.onnx tests/models/*/model.onnx; do
  name="$(basename "$(dirname "$model")")"
  for by in gcc clang; do
    program="$burin"
    [ "$by" = gcc ] || program="$build/generator/burin"
    mkdir -p "$scratch/$by"
    "$program" generate "$model" --config configs/x86-64-v3.json -o "$scratch/$by/$name" 2> /dev/null || echo "refused: $name"
  done
done
[ "$(ls "$scratch/gcc" | wc -l)" -gt 12 ]
diff -r "$scratch/gcc" "$scratch/clang"
