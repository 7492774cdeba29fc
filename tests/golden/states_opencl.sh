#!/bin/bash
# A KV cache on a device: the caller may leave it there, and gets what it gets by passing it in and out; a step then
# transfers its token and its logits.
#
#   tests/golden/states_opencl.sh BURIN
set -euo pipefail
burin="$(realpath "${1:?the burin program}")"
cd "$(dirname "$0")/../.."
scratch="$(mktemp -d)"
trap 'rm -rf "$scratch"' EXIT
"$burin" generate examples/chat/tinylm.onnx --config configs/pocl.json --name chat --weights embed --dim seq=1 \
  --dim past=0..63 --state past_k=present_k --state past_v=present_v -o "$scratch/tree"
grep -q "state: the device keeps it, null leaves it as the last run did" "$scratch/tree/include/chat.h"
sanitizers=(-fsanitize=address,undefined -fno-sanitize-recover=all)
mkdir "$scratch/objects"
(cd "$scratch/objects" && g++ -std=c++17 -O1 -g -fno-exceptions -fno-rtti -ffp-contract=off "${sanitizers[@]}" \
  -Wall -Wextra -Wconversion -Werror -I../tree/include -c ../tree/src/*.cpp)
gcc -std=c11 -pedantic -Wall -Wextra -Werror -g "${sanitizers[@]}" -I"$scratch/tree/include" \
  -c tests/golden/states_opencl.c -o "$scratch/main.o"
g++ "${sanitizers[@]}" "$scratch/main.o" "$scratch"/objects/*.o -ldl -o "$scratch/states"
# Drivers keep what they made until the program ends.
ASAN_OPTIONS=detect_leaks=0 "$scratch/states"
