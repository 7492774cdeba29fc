#!/bin/bash
# Wrong calls of the emitted interface get their status and touch nothing; the header is plain C.
#
#   tests/golden/misuse.sh BURIN
set -euo pipefail
burin="$(realpath "${1:?the burin program}")"
cd "$(dirname "$0")/../.."
scratch="$(mktemp -d)"
trap 'rm -rf "$scratch"' EXIT
"$burin" generate tests/models/matmul_sym/model.onnx --config configs/cpp-generic.json --name product \
  --weights blob --dim rows=1..64 -o "$scratch/tree"
(cd "$scratch" && g++ -std=c++17 -O1 -g -fno-exceptions -fno-rtti -ffp-contract=off -fsanitize=address,undefined \
  -fno-sanitize-recover=all -Wall -Wextra -Wconversion -Werror -Itree/include -c tree/src/*.cpp tree/src/kernels/*.cpp)
gcc -std=c99 -pedantic -Wall -Wextra -Werror -g -fsanitize=address,undefined -fno-sanitize-recover=all \
  -I"$scratch/tree/include" -c tests/golden/misuse.c -o "$scratch/misuse_main.o"
g++ -fsanitize=address,undefined "$scratch"/*.o -o "$scratch/misuse"
# The test program frees nothing.
ASAN_OPTIONS=detect_leaks=0 "$scratch/misuse" "$scratch/tree/weights/product.bin"
