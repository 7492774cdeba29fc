#!/bin/bash
# Devices that have less than a network needs are refused, each lack by its own status.
#
#   tests/golden/small_device_opencl.sh BURIN
set -euo pipefail
burin="$(realpath "${1:?the burin program}")"
cd "$(dirname "$0")/../.."
scratch="$(mktemp -d)"
trap 'rm -rf "$scratch"' EXIT
emit() {  # NAME MODEL CONFIG FLAGS...
  "$burin" generate "$2" --config "configs/$3.json" --name "$1" "${@:4}" -o "$scratch/$1"
  mkdir "$scratch/$1.objects"
  (cd "$scratch/$1.objects" && g++ -std=c++17 -O1 -g -fno-exceptions -fno-rtti -ffp-contract=off -fsanitize=address,undefined \
    -fno-sanitize-recover=all -Wall -Wextra -Wconversion -Werror -I"../$1/include" -c "../$1"/src/*.cpp)
}
emit images tests/models/branches/model.onnx opencl-generic --memory images --dim batch=1 --dim h=1..2048 --dim w=1..2048
emit halves tests/models/branches/model.onnx adreno-740 --half arithmetic
emit doubles /usr/share/libonnx-testdata/data/node/test_cumsum_1d/model.onnx pocl
gcc -std=c11 -pedantic -Wall -Wextra -Werror -g -fsanitize=address,undefined -fno-sanitize-recover=all \
  -I"$scratch/images/include" -I"$scratch/halves/include" -I"$scratch/doubles/include" \
  -c tests/golden/small_device_opencl.c -o "$scratch/main.o"
g++ -fsanitize=address,undefined "$scratch/main.o" "$scratch"/*.objects/*.o -ldl -o "$scratch/small_device"
mkdir "$scratch/recorder"
g++ -std=c++17 -O1 -g -shared -fPIC -Wall -Wextra -Werror -o "$scratch/recorder/libOpenCL.so.1" tests/opencl/recorder.cpp
LD_LIBRARY_PATH="$scratch/recorder" "$scratch/small_device"
