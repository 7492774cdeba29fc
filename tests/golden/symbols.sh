#!/bin/bash
# What the objects of src/ need from outside: memcpy, memset, memmove, and nothing else. Freestanding
# trees bring those, and what their compilers call by themselves, too. What they define for others
# has the tree's name in front, inside the runtime's namespaces as well: a linker keeps one of equal
# names, and another tree may be of another release.
#
#   tests/golden/symbols.sh BURIN
set -euo pipefail
burin="$(realpath "${1:?the burin program}")"
cd "$(dirname "$0")/../.."
scratch="$(mktemp -d)"
trap 'rm -rf "$scratch"' EXIT
status=0

# defines WHAT NAMES OBJECTS...: nothing that others see but NAMES_..., in C or as a namespace.
defines() {
  local what="$1" names="$2"
  shift 2
  # A mangled name starts with its namespaces, each behind its length.
  nm --defined-only "$@" | awk 'NF == 3 && $2 ~ /^[A-Zuvw]$/ { print $3 }' | sort -u |
    grep -vxE "($names)_.*|_ZNK?([0-9]+($names)_|8burin_(rt|cl)[0-9]+($names)_).*" > "$scratch/outside" || true
  if [ -s "$scratch/outside" ]; then
    echo "$what defines: $(c++filt < "$scratch/outside" | tr '\n' ';')"
    status=1
  fi
}

# emitted NAME CONFIG FLAGS...: a tree's own objects, with everything in them that compilers could inline.
emitted() {
  local tree="$scratch/$1-$2-emitted" names="$1"
  names="$names${3:+|${3//,/|}}"
  "$burin" generate "${@:4}" --config "configs/$2.json" --name "$1" ${3:+--names "$3"} -o "$tree" 2> /dev/null
  for compiler in g++ clang++; do
    mkdir "$tree/$compiler"
    if [ -z "$3" ]; then  # one network is one unit, too
      find "$tree/src" -name '*.cpp' -printf '#include "%p"\n' | sort > "$tree/$compiler/tree.cpp"
      "$compiler" -std=c++17 -O0 -I"$tree/include" -c "$tree/$compiler/tree.cpp" -o "$tree/$compiler/tree.o" ${flags:-}
    else
      for source in $(cd "$tree/src" && find . -name '*.cpp'); do
        "$compiler" -std=c++17 -O0 -I"$tree/include" -c "$tree/src/$source" -o "$tree/$compiler/$(basename "$source").o" ${flags:-}
      done
    fi
    defines "$1 for $2 by $compiler" "$names" "$tree/$compiler"/*.o
  done
}

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
emitted one cpp-generic '' tests/models/attention/model.onnx
emitted one opencl-generic '' tests/models/branches/model.onnx
emitted one adreno-740 '' tests/models/branches/model.onnx
emitted both cpp-generic lstm,softmax tests/models/{lstm,softmax_sym}/model.onnx
emitted both opencl-generic branches,softmax tests/models/{branches,softmax_sym}/model.onnx
for model in maxpool_indices nonzero convtranspose; do emitted "$model" cpp-generic '' "tests/models/$model/model.onnx"; done
flags='-mavx2 -mfma' emitted wide x86-64-v3 '' tests/models/attention/model.onnx
exit "$status"
