#!/bin/bash
# What the objects of src/ need from outside: memcpy, memset, memmove, and nothing else. Freestanding
# trees bring those, and what their compilers call by themselves, too.
#
#   tests/golden/symbols.sh BURIN
set -euo pipefail
burin="$(realpath "${1:?the burin program}")"
cd "$(dirname "$0")/../.."
scratch="$(mktemp -d)"
trap 'rm -rf "$scratch"' EXIT
status=0

# check HARDWARE COMPILER NM ALLOWED
check() {
  for model in tests/digits/digits.onnx tests/models/{softmax_sym,lstm,attention,maxpool_indices,nonzero,convtranspose}/model.onnx; do
    one="$scratch/$1-$2-$(basename "$(dirname "$model")")"
    "$burin" verify "$model" --config "configs/$1.json" --compiler "$2" --keep "$one" > "$one.log" || { cat "$one.log"; status=1; continue; }
    "$3" --defined-only -P "$one"/objects/*.o | cut -d' ' -f1 | sort -u > "$one.defined"
    "$3" -u -P "$one"/objects/*.o | awk '$2 == "U" { print $1 }' | sort -u > "$one.undefined"
    comm -13 "$one.defined" "$one.undefined" | grep -vxE "$4" > "$one.extra" || true
    if [ -s "$one.extra" ]; then
      echo "$1 $2 $model needs: $(tr '\n' ' ' < "$one.extra")"
      status=1
    fi
    # State that changes: writable data of any object.
    "$3" -P "$one"/objects/*.o | awk '$2 ~ /^[BbDdCcSs]$/' > "$one.state"
    if [ -s "$one.state" ]; then
      echo "$1 $2 $model has state: $(tr '\n' ' ' < "$one.state")"
      status=1
    fi
  done
}

memory='memcpy|memset|memmove'
check cpp-generic g++ nm "$memory"
check cpp-generic clang++ nm "$memory"
check armv8-neoverse-n1 g++ aarch64-linux-gnu-nm "$memory"
check hexagon-v66 clang++ llvm-nm-19 'none'
exit "$status"
