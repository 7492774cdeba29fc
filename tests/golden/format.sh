#!/bin/bash
# clang-format must leave emitted trees as they are.
#
#   tests/golden/format.sh BURIN
set -euo pipefail
burin="$(realpath "${1:?the burin program}")"
cd "$(dirname "$0")/../.."
scratch="$(mktemp -d)"
trap 'rm -rf "$scratch"' EXIT
for model in tests/digits/digits.onnx tests/models/*/model.onnx; do
  for hardware in cpp-generic x86-64-v3 opencl-generic; do
    tree="$scratch/$hardware/$(basename "$(dirname "$model")")"
    # What burin refuses has no tree.
    "$burin" generate "$model" --config "configs/$hardware.json" -o "$tree" 2> "$scratch/log" || rm -rf "$tree"
  done
done
cp -r "$scratch" "$scratch.formatted"
trap 'rm -rf "$scratch" "$scratch.formatted"' EXIT
# Runtime files are copies of the project's own, which have its style.
find "$scratch.formatted" -name '*.cpp' -o -name '*.c' -o -name '*.h' -o -name '*.cl' | grep -v /rt/ > "$scratch/files"
[ "$(wc -l < "$scratch/files")" -gt 50 ]
xargs clang-format -i < "$scratch/files"
rm "$scratch/files" "$scratch.formatted/log"; rm -f "$scratch/log"
diff -r "$scratch" "$scratch.formatted"
