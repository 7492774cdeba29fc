#!/bin/bash
# Threads change no bit and race for nothing; a parallel_for that breaks its promise gets a status.
#
#   tests/golden/threads.sh BURIN
set -euo pipefail
burin="$(realpath "${1:?the burin program}")"
cd "$(dirname "$0")/../.."
scratch="$(mktemp -d)"
trap 'rm -rf "$scratch"' EXIT
"$burin" generate tests/digits/digits.onnx --config configs/x86-64-v3.json --weights blob -o "$scratch/tree"
# What the description has compilers make; sanitizers look at fewer, wider accesses then. A machine that lacks it runs the plain paths.
machine=-march=x86-64-v3
for feature in avx2 fma bmi2 f16c movbe; do
  grep -qw $feature /proc/cpuinfo || machine=-O2
done
flags=(-std=c++17 -O2 "$machine" -g -ffp-contract=off -Wall -Wextra -Wconversion -Werror -I"$scratch/tree/include")
# The shadow of ThreadSanitizer lies where many random address bits put the program.
fixed=()
if setarch -R true 2> /dev/null; then fixed=(setarch -R); fi
for sanitizer in thread address,undefined; do
  work="$scratch/$sanitizer"
  mkdir "$work"
  (cd "$work" && g++ "${flags[@]}" -fno-exceptions -fno-rtti -fsanitize="$sanitizer" -fno-sanitize-recover=all \
    -c "$scratch"/tree/src/*.cpp "$scratch"/tree/src/kernels/*.cpp "$scratch"/tree/threads/*.cpp)
  gcc -std=c11 -pedantic -Wall -Wextra -Werror -g -fsanitize="$sanitizer" -fno-sanitize-recover=all \
    -I"$scratch/tree/include" -I"$scratch/tree/threads" -c tests/golden/threads.c -o "$work/threads_main.o"
  g++ -fsanitize="$sanitizer" "$work"/*.o -pthread -o "$work/threads"
  # The test program frees only what it takes more than once.
  ASAN_OPTIONS=detect_leaks=0 TSAN_OPTIONS=halt_on_error=1 "${fixed[@]}" "$work/threads" "$scratch/tree/weights/digits.bin" \
    tests/digits/digits_test_images.bin
done
