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
# A locale with another decimal point.
export LOCPATH="$scratch/locale"
mkdir "$LOCPATH"
localedef -i de_DE -f UTF-8 "$LOCPATH/de_DE.UTF-8"
[ "$(LC_ALL=de_DE.UTF-8 locale decimal_point)" = , ]

for hardware in cpp-generic x86-64-v3 opencl-generic; do
  for model in tests/digits/digits.onnx tests/models/{softmax_sym,lstm,attention,maxpool_indices}/model.onnx; do
    one="$scratch/$hardware/$(basename "$(dirname "$model")")"
    mkdir -p "$one"
    "$burin" generate "$model" --config "configs/$hardware.json" -o "$one/first"
    # Another working folder, absolute paths, a model beside other files under another folder.
    mkdir -p "$one/elsewhere/deeper"
    cp "$model" "$one/elsewhere/deeper/"
    (cd "$one/elsewhere" && umask 077 && LC_ALL=de_DE.UTF-8 TZ=Asia/Tokyo HOME=/nonexistent TMPDIR="$one" \
      "$burin" generate "deeper/$(basename "$model")" --config "$root/configs/$hardware.json" -o "$one/second")
    # Over an existing tree of another model.
    "$burin" generate tests/models/relu_sym/model.onnx --config "configs/$hardware.json" -o "$one/third"
    "$burin" generate "$root/$model" --config "configs/$hardware.json" -o "$one/third"
    diff -r "$one/first" "$one/second"
    diff -r "$one/first" "$one/third"
  done
done
