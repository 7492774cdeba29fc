#!/bin/bash
# The pool of images of a tree is as large as the largest run needs, not as all runs together.
#
#   tests/golden/pooled_images_opencl.sh BURIN
set -euo pipefail
burin="$(realpath "${1:?the burin program}")"
cd "$(dirname "$0")/../.."
scratch="$(mktemp -d)"
trap 'rm -rf "$scratch"' EXIT
"$burin" generate tests/models/branches/model.onnx --config configs/opencl-generic.json --name images --memory images \
  --dim batch=1 --dim h=1..2048 --dim w=1..2048 -o "$scratch/tree"
(cd "$scratch" && g++ -std=c++17 -O1 -g -fno-exceptions -fno-rtti -ffp-contract=off -fsanitize=address,undefined \
  -fno-sanitize-recover=all -Wall -Wextra -Wconversion -Werror -Itree/include -c tree/src/*.cpp)
gcc -std=c11 -pedantic -Wall -Wextra -Werror -g -fsanitize=address,undefined -fno-sanitize-recover=all \
  -I"$scratch/tree/include" -c tests/golden/pooled_images_opencl.c -o "$scratch/main.o"
g++ -fsanitize=address,undefined "$scratch"/*.o -ldl -o "$scratch/pool"
mkdir "$scratch/recorder"
g++ -std=c++17 -O1 -g -shared -fPIC -Wall -Wextra -Werror -o "$scratch/recorder/libOpenCL.so.1" tests/opencl/recorder.cpp
LD_LIBRARY_PATH="$scratch/recorder" "$scratch/pool"
