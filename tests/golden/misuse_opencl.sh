#!/bin/bash
# Wrong calls of a tree with OpenCL, calls of OpenCL that fail, and a machine without OpenCL get their
# status, and nothing is left of what was made.
#
#   tests/golden/misuse_opencl.sh BURIN
set -euo pipefail
burin="$(realpath "${1:?the burin program}")"
cd "$(dirname "$0")/../.."
scratch="$(mktemp -d)"
trap 'rm -rf "$scratch"' EXIT
"$burin" generate tests/digits/digits.onnx --config configs/opencl-generic.json --name digits --weights blob \
  -o "$scratch/tree"
(cd "$scratch" && g++ -std=c++17 -O1 -g -fno-exceptions -fno-rtti -ffp-contract=off -fsanitize=address,undefined \
  -fno-sanitize-recover=all -Wall -Wextra -Wconversion -Werror -Itree/include -c tree/src/*.cpp)
gcc -std=c11 -pedantic -Wall -Wextra -Werror -g -fsanitize=address,undefined -fno-sanitize-recover=all \
  -I"$scratch/tree/include" -c tests/golden/misuse_opencl.c -o "$scratch/misuse_main.o"
g++ -fsanitize=address,undefined "$scratch"/*.o -ldl -o "$scratch/misuse"
mkdir "$scratch/recorder" "$scratch/none"
g++ -std=c++17 -O1 -g -shared -fPIC -Wall -Wextra -Werror -o "$scratch/recorder/libOpenCL.so.1" tests/opencl/recorder.cpp
# Files of that name that are no libraries, found first.
echo none > "$scratch/none/libOpenCL.so.1"
echo none > "$scratch/none/libOpenCL.so"
# One of an old driver, which lacks functions, before one that has all.
mkdir "$scratch/old" "$scratch/pixel"
echo 'int clGetPlatformIDs(void) { return -1; }' | gcc -shared -fPIC -x c - -o "$scratch/old/libOpenCL.so.1"
cp "$scratch/recorder/libOpenCL.so.1" "$scratch/old/libOpenCL.so"
cp "$scratch"/none/libOpenCL.so* "$scratch/pixel"
cp "$scratch/recorder/libOpenCL.so.1" "$scratch/pixel/librecorder.so"
g++ -std=c++17 -shared -fPIC -Wall -Wextra -Werror -o "$scratch/pixel/libOpenCL-pixel.so" tests/opencl/pixel.cpp -ldl
weights="$(ls "$scratch"/tree/weights/*.bin)"
LD_LIBRARY_PATH="$scratch/recorder" "$scratch/misuse" "$weights" recorder
LD_LIBRARY_PATH="$scratch/none" "$scratch/misuse" "$weights" none
LD_LIBRARY_PATH="$scratch/old" "$scratch/misuse" "$weights" found
LD_LIBRARY_PATH="$scratch/pixel" "$scratch/misuse" "$weights" found
