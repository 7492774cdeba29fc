#!/bin/bash
# Networks of a tree that use what the network that runs them all has on the device: weights are there once.
#
#   tests/golden/parts_of_one.sh BURIN
set -euo pipefail
burin="$(realpath "${1:?the burin program}")"
cd "$(dirname "$0")/../.."
scratch="$(mktemp -d)"
trap 'rm -rf "$scratch"' EXIT
"$burin" generate tests/models/branches/model.onnx tests/models/softmax_sym/model.onnx --names branches,softmax \
  --name pair --config configs/pocl.json --parallel-fusion auto -o "$scratch/tree"
g++ -std=c++17 -O1 -fno-exceptions -fno-rtti -ffp-contract=off -Wall -Wextra -Wconversion -Werror \
  -I"$scratch/tree/include" -shared -fPIC -o "$scratch/libtree.so" "$scratch"/tree/src/*.cpp -ldl
gcc -std=c11 -pedantic -Wall -Wextra -Werror -I"$scratch/tree/include" tests/golden/parts_of_one.c -o "$scratch/parts" \
  -L"$scratch" -ltree -Wl,-rpath,"$scratch"
"$scratch/parts"
mkdir "$scratch/recorder"
g++ -std=c++17 -O1 -shared -fPIC -Wall -Wextra -Werror -o "$scratch/recorder/libOpenCL.so.1" tests/opencl/recorder.cpp
LD_LIBRARY_PATH="$scratch/recorder" BURIN_CL_RECORD="$scratch/record" "$scratch/parts" recorder
read -r _ _ to_device _ _ objects < "$scratch/record"
weights="$(grep -A1 'context->weights,$' "$scratch/tree/src/pair.cpp" | tail -1 | tr -dc 0-9)"
inputs=$(( (2 * 6 * 8 * 8 + 3 * 200) * 4 * 2 + 2 * 3 * 4 * 4 ))
[ "$to_device" = $(( weights + inputs )) ] || { echo "$to_device bytes to the device, of them $inputs inputs"; exit 1; }
[ "$objects" = 0 ] || { echo "$objects objects are left"; exit 1; }
