#!/bin/bash
# The build file of a tree for Hexagon makes its library by clang alone; with burin at hand every packet is filled and
# legal, without it, or where that is switched off, packets are the compiler's.
#
#   tests/golden/packed_build.sh BURIN
set -euo pipefail
burin="$(realpath "${1:?the burin program}")"
cd "$(dirname "$0")/../.."
scratch="$(mktemp -d)"
trap 'rm -rf "$scratch"' EXIT
build() {
  local into="$scratch/$1"
  shift
  cmake -G Ninja -S generated_examples/qdq_conv -B "$into" -DCMAKE_SYSTEM_NAME=Generic -DCMAKE_CXX_COMPILER=clang++-19 \
    -DCMAKE_CXX_FLAGS="--target=hexagon-unknown-linux-musl -mcpu=hexagonv66 -mhvx -mhvx-length=128b" \
    -DCMAKE_TRY_COMPILE_TARGET_TYPE=STATIC_LIBRARY -DQDQ_CONV_TESTS=OFF "$@" > "$scratch/log" 2>&1 || { cat "$scratch/log"; exit 1; }
  cmake --build "$into" > "$scratch/log" 2>&1 || { cat "$scratch/log"; exit 1; }
  test -s "$into/libqdq_conv.a"
}
build packed -DBURIN_PROGRAM="$burin"
build left -DBURIN_PROGRAM="$burin" -DQDQ_CONV_PACKED=OFF
build alone -DBURIN_PROGRAM=
for folder in left alone; do
  [ -z "$(find "$scratch/$folder" -name '*.read.s')" ]
  cmp "$scratch/$folder/libqdq_conv.a" "$scratch/left/libqdq_conv.a"
done
find "$scratch/packed" -name '*.obj.s' > "$scratch/packed.txt"
[ "$(wc -l < "$scratch/packed.txt")" = "$(find generated_examples/qdq_conv/src -name '*.cpp' | wc -l)" ]
while read -r packed; do "$burin" pack "$packed" --config hexagon-v66 --check > "$scratch/said" || { cat "$scratch/said"; exit 1; }; done < "$scratch/packed.txt"
# A compiler that fails is no object, and its exit code is the launcher's.
printf 'int f( {\n' > "$scratch/bad.cpp"
status=0
"$burin" pack --config hexagon-v66 --compile -- clang++-19 --target=hexagon-unknown-linux-musl -c "$scratch/bad.cpp" -o "$scratch/bad.o" 2> "$scratch/said" || status=$?
[ "$status" = 1 ] && [ ! -e "$scratch/bad.o" ] && grep -q "error:" "$scratch/said"
