#!/bin/bash
# What a tree tells of its weights is so: which are fp16, which floats; and where they are many, they are
# numbers that every compiler takes.
#
#   tests/golden/told.sh BURIN
set -euo pipefail
burin="$(realpath "${1:?the burin program}")"
cd "$(dirname "$0")/../.."
scratch="$(mktemp -d)"
trap 'rm -rf "$scratch"' EXIT
status=0

# told CONFIG: bytes of weights in fp16 and in floats, as plan.json tells them; of the file, without its header.
told() {
  "$burin" generate tests/digits/digits.onnx --config "$1" --half storage --weights blob -o "$scratch/$1" 2> /dev/null
  fp16="$(sed -n 's/.*"weights_bytes": { "f16": \([0-9]*\), "f32": \([0-9]*\) }.*/\1/p' "$scratch/$1/plan.json")"
  floats="$(sed -n 's/.*"weights_bytes": { "f16": \([0-9]*\), "f32": \([0-9]*\) }.*/\2/p' "$scratch/$1/plan.json")"
  bytes=$(($(stat -c %s "$scratch/$1/weights/digits.bin") - 64))
  # Each constant begins at a multiple of 64.
  [ $((fp16 + floats)) -le "$bytes" ] && [ $((fp16 + floats)) -gt $((bytes * 9 / 10)) ] ||
    { echo "$1: $fp16 and $floats bytes are told of $bytes"; status=1; }
  grep -q "| weights in fp16, bytes | $fp16 |" "$scratch/$1/REPORT.md" || { echo "$1: REPORT.md tells otherwise"; status=1; }
}
# Packed weights too: on a CPU, with vectors and without, and on a device.
for config in x86-64-v3 cpp-generic cortex-m7 pocl; do
  told "$config"
  [ "$fp16" -gt "$floats" ] || { echo "$config: $fp16 bytes are fp16, $floats floats"; status=1; }
done

"$burin" generate tests/digits/digits.onnx --config x86-64-v3 --weights embed -o "$scratch/embedded" 2> /dev/null
! grep -q '"\\' "$scratch/embedded/src/digits_weights.cpp" || { echo "weights of more than 64 KB are a string"; status=1; }
cp -r "$scratch/embedded" "$scratch/formatted"
clang-format -i "$scratch"/formatted/src/*.cpp
diff -r "$scratch/embedded" "$scratch/formatted"
cmake -S "$scratch/embedded" -B "$scratch/build" > /dev/null
cmake --build "$scratch/build" -j 2 > "$scratch/log" || { cat "$scratch/log"; exit 1; }
ctest --test-dir "$scratch/build" > "$scratch/log" || { cat "$scratch/log"; status=1; }
exit "$status"
