#!/bin/bash
# Both ends of FastRPC, compiled with a few declarations in the place of an SDK's, give the bits that the tree gives, and
# refuse handles, sizes and calls that do not fit, under sanitizers. The DSP's end compiles for its target.
#
#   fastrpc.sh BURIN
set -euo pipefail
burin="$(realpath "${1:?the burin program}")"
here="$(realpath "$(dirname "$0")")"
cd "$here/../.."
scratch="$(mktemp -d)"
trap 'rm -rf "$scratch"' EXIT
tree="$scratch/tree"
fail() { echo "$*"; exit 1; }

python3 -c 'import struct, sys; sys.stdout.buffer.write(struct.pack("<192f", *[((i * 37) % 129 - 64) / 64 for i in range(192)]))' > "$scratch/image.raw"
"$burin" generate tests/digits/digits.onnx --config cpp-generic --weights blob --package fastrpc -o "$tree" 2> /dev/null
"$burin" run tests/digits/digits.onnx --config cpp-generic --input image="$scratch/image.raw" --output "$scratch/npy" > /dev/null
python3 -c 'import sys; b = open(sys.argv[1], "rb").read(); n = b[8] | b[9] << 8; sys.stdout.buffer.write(b[10 + n:])' \
  "$scratch/npy/probabilities.npy" > "$scratch/wanted"

strict=(-Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wno-sign-conversion -Wno-unused-function -Werror -O1 -fsanitize=address,undefined -fno-sanitize-recover=all)
for source in "$tree"/fastrpc/*.c; do
  cc -std=c11 "${strict[@]}" -I"$here/fastrpc" -I"$tree/include" -I"$tree/fastrpc" -c "$source" -o "$scratch/$(basename "$source").o"
done
cc -std=c11 "${strict[@]}" -I"$here/fastrpc" -I"$tree/include" -I"$tree/fastrpc" -c "$here/fastrpc/run.c" -o "$scratch/run.o"
# shellcheck disable=SC2046
c++ -std=c++17 -O1 -ffp-contract=off -fsanitize=address,undefined -I"$tree/include" $(find "$tree/src" -name '*.cpp') "$scratch"/*.o -o "$scratch/run"
"$scratch/run" "$tree/weights/digits.bin" "$scratch/image.raw" "$scratch/got"
cmp "$scratch/got" "$scratch/wanted"

# The interface names what the header has, in its order.
for name in load run; do grep -q "long $name(" "$tree/fastrpc/digits_rpc.idl" || fail "no function $name"; done
grep -q 'in sequence<float> input_image' "$tree/fastrpc/digits_rpc.idl" || fail "$(cat "$tree/fastrpc/digits_rpc.idl")"
grep -q 'rout sequence<float> output_probabilities' "$tree/fastrpc/digits_rpc.idl" || fail "$(cat "$tree/fastrpc/digits_rpc.idl")"

# A network without an arena, whose sizes are the caller's: within their ranges it runs.
"$burin" generate tests/models/relu_sym/model.onnx --config cpp-generic --package fastrpc -o "$scratch/relu" 2> /dev/null
cc -std=c11 "${strict[@]}" -I"$here/fastrpc" -I"$scratch/relu/include" -I"$scratch/relu/fastrpc" -c "$scratch"/relu/fastrpc/*_skel.c -o "$scratch/relu.o"
grep -q "given\[0\] < " "$scratch"/relu/fastrpc/*_skel.c || fail "sizes are not held against their ranges"
! grep -q "needed == 0" "$scratch"/relu/fastrpc/*_skel.c || fail "no arena is taken for sizes that are out of range"

# A state that is left out stays on the DSP.
"$burin" generate "$here/fastrpc/cache.onnx" --config cpp-generic --package fastrpc --dim past=0..7 --dim c=..4 --state p=q -o "$scratch/cache" 2> /dev/null
for source in "$scratch"/cache/fastrpc/*_stub.c "$scratch"/cache/fastrpc/*_skel.c "$here/fastrpc/state.c"; do
  cc -std=c11 "${strict[@]}" -I"$here/fastrpc" -I"$scratch/cache/include" -I"$scratch/cache/fastrpc" -c "$source" -o "$scratch/state_$(basename "$source").o"
done
# shellcheck disable=SC2046
c++ -std=c++17 -O1 -ffp-contract=off -fsanitize=address,undefined -I"$scratch/cache/include" $(find "$scratch/cache/src" -name '*.cpp') "$scratch"/state_*.o -o "$scratch/state"
"$scratch/state"
grep -q "in sequence<float> input_p,  // p: f32\[2, 8, 3\]; of length 0: the state stays on the DSP" "$scratch/cache/fastrpc/cache_rpc.idl" || fail "$(cat "$scratch/cache/fastrpc/cache_rpc.idl")"

# An output of dynamic size has no length that a host could send.
if "$burin" generate tests/models/nonzero/model.onnx --config cpp-generic --package fastrpc -o "$scratch/found" 2> "$scratch/told"; then fail "not refused"; fi
grep -q "\[package\]" "$scratch/told" || fail "$(cat "$scratch/told")"
[ ! -e "$scratch/found" ] || fail "something was written"
echo "fastrpc: the same bits"
