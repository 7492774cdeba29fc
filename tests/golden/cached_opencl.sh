#!/bin/bash
# Compiled programs that a caller keeps are used, and compiled again where they are another's or damaged;
# the compiler's messages come whole; OpenCL objects of the caller stay the caller's.
#
#   tests/golden/cached_opencl.sh BURIN
set -euo pipefail
burin="$(realpath "${1:?the burin program}")"
cd "$(dirname "$0")/../.."
scratch="$(mktemp -d)"
trap 'rm -rf "$scratch"' EXIT
"$burin" generate tests/models/softmax_sym/model.onnx --config configs/pocl.json --name one -o "$scratch/one"
"$burin" generate tests/models/branches/model.onnx --config configs/pocl.json --name other -o "$scratch/other"
sanitizers=(-fsanitize=address,undefined -fno-sanitize-recover=all)
for tree in one other; do
  mkdir "$scratch/$tree.objects"
  (cd "$scratch/$tree.objects" && g++ -std=c++17 -O1 -g -fno-exceptions -fno-rtti -ffp-contract=off "${sanitizers[@]}" \
    -Wall -Wextra -Wconversion -Werror -I"../$tree/include" -c "../$tree"/src/*.cpp)
done
gcc -std=c11 -pedantic -Wall -Wextra -Werror -g "${sanitizers[@]}" -I"$scratch/one/include" -I"$scratch/other/include" \
  -c tests/golden/cached_opencl.c -o "$scratch/main.o"
g++ "${sanitizers[@]}" "$scratch/main.o" "$scratch"/*.objects/*.o -ldl -o "$scratch/cached"
mkdir "$scratch/recorder"
g++ -std=c++17 -O1 -g -shared -fPIC -Wall -Wextra -Werror -o "$scratch/recorder/libOpenCL.so.1" tests/opencl/recorder.cpp
LD_LIBRARY_PATH="$scratch/recorder" "$scratch/cached" recorder
# Drivers keep what they made until the program ends.
ASAN_OPTIONS=detect_leaks=0 "$scratch/cached" device
