#!/bin/bash
# The same bytes, whatever surrounds burin.
#
#   tests/golden/deterministic.sh BURIN
set -euo pipefail
burin="$(realpath "${1:?the burin program}")"
cd "$(dirname "$0")/../.."
root="$PWD"
scratch="$(mktemp -d)"
trap 'rm -rf "$scratch"' EXIT
for model in tests/digits/digits.onnx tests/models/{softmax_sym,lstm,attention,maxpool_indices}/model.onnx; do
  one="$scratch/$(basename "$(dirname "$model")")"
  mkdir -p "$one"
  "$burin" generate "$model" --config configs/cpp-generic.json -o "$one/first"
  # Another working folder, absolute paths, a model beside other files under another folder.
  mkdir -p "$one/elsewhere/deeper"
  cp "$model" "$one/elsewhere/deeper/"
  (cd "$one/elsewhere" && umask 077 && LC_ALL=C.UTF-8 TZ=Asia/Tokyo HOME=/nonexistent TMPDIR="$one" \
    "$burin" generate "deeper/$(basename "$model")" --config "$root/configs/cpp-generic.json" -o "$one/second")
  # Over an existing tree of another model.
  "$burin" generate tests/models/relu_sym/model.onnx --config configs/cpp-generic.json -o "$one/third"
  "$burin" generate "$root/$model" --config configs/cpp-generic.json -o "$one/third"
  diff -r "$one/first" "$one/second"
  diff -r "$one/first" "$one/third"
done
