#!/bin/bash
# The self-test that a tree brings: it builds as plain C, passes, fails when a result is another, and is run by
# ctest in the tree's own build.
#
#   tests/golden/self_test.sh BURIN
set -euo pipefail
burin="$(realpath "${1:?the burin program}")"
cd "$(dirname "$0")/../.."
. tests/golden/models.sh
scratch="$(mktemp -d)"
trap 'rm -rf "$scratch"' EXIT

# build TREE PROGRAM: the sources as one unit, as fast to compile as can be. Trees' own builds below compile each.
build() {
  local work
  work="$(mktemp -d -p "$scratch")"
  find "$1/src" -name '*.cpp' -printf '#include "%p"\n' | sort > "$work/tree.cpp"
  g++ -std=c++17 -O0 -ffp-contract=off -fno-exceptions -fno-rtti -I"$1/include" -c "$work/tree.cpp" -o "$work/tree.o"
  gcc -std=c99 -pedantic -Wall -Wextra -Wconversion -Werror -I"$1/include" -c "$1/test/self_test.c" -o "$work/self_test.o"
  g++ "$work"/*.o -o "$2"
}

generate_all "$burin" cpp-generic "$scratch/trees" --name net
for tree in "$scratch"/trees/*; do
  # Capacities that depend on sizes which the run finds out; sizes of parts that are drawn are none.
  case "$(basename "$tree")" in
  slice_runtime | branch_sequences | given_sizes)
    [ ! -e "$tree/test/self_test.c" ]
    grep -q "no sample vectors" "$tree/REPORT.md"
    continue
    ;;
  esac
  build "$tree" "$scratch/program"
  weights=()
  [ ! -f "$tree/weights/net.bin" ] || weights=("$tree/weights/net.bin")
  "$scratch/program" "${weights[@]}"
done

# A wrong result is found.
tree="$scratch/trees/softmax_sym"
sed -i '0,/\(run_0_output_[a-z]*\[[0-9]*\] = {\)/s//\1\n  0x1p+4f,/; s/\(run_0_output_[a-z]*\)\[[0-9]*\] = {/\1[] = {/' "$tree/test/vectors.h"
build "$tree" "$scratch/program"
if "$scratch/program"; then echo "a wrong result was accepted"; exit 1; fi

# So is what is written behind a result: the test gives an element less than the run writes.
tree="$scratch/trees/relu_sym"
sed -i 's/(\([0-9]*\) \* sizeof(float)/((\1 - 1) * sizeof(float)/; s/, \([0-9]*\) \* sizeof(float))) fail/, (\1 - 1) * sizeof(float))) fail/' "$tree/test/self_test.c"
build "$tree" "$scratch/program"
if "$scratch/program" > "$scratch/log"; then echo "a write behind a result was accepted"; exit 1; fi
grep -q "is written beyond its end" "$scratch/log"

# The tree's own build, on the user's data.
"$burin" generate tests/digits/digits.onnx --config configs/cpp-generic.json --test-data tests/digits -o "$scratch/own"
cmake -G Ninja -S "$scratch/own" -B "$scratch/build" -DCMAKE_BUILD_TYPE=Release > "$scratch/log"
cmake --build "$scratch/build" >> "$scratch/log"
(cd "$scratch/build" && ctest --output-on-failure) | tee "$scratch/ctest"
grep -q "100% tests passed, 0 tests failed out of 1" "$scratch/ctest"
# Of several networks each has its own, and so has the joint run.
cmake -G Ninja -S generated_examples/pair -B "$scratch/pair_build" > "$scratch/log"
cmake --build "$scratch/pair_build" >> "$scratch/log"
(cd "$scratch/pair_build" && ctest --output-on-failure) | tee "$scratch/ctest"
grep -q "100% tests passed, 0 tests failed out of 3" "$scratch/ctest"
# As a part of another project there is no test.
mkdir "$scratch/parent"
printf 'cmake_minimum_required(VERSION 3.16)\nproject(parent CXX)\nadd_subdirectory(%s net)\n' "$scratch/own" > "$scratch/parent/CMakeLists.txt"
cmake -G Ninja -S "$scratch/parent" -B "$scratch/parent_build" > "$scratch/log"
cmake --build "$scratch/parent_build" --target help > "$scratch/targets"
grep -q digits "$scratch/targets"
if grep -q self_test "$scratch/targets"; then echo "a parent got the test"; exit 1; fi

# Data that do not fit are refused.
if "$burin" generate tests/models/relu_sym/model.onnx --config configs/cpp-generic.json --test-data tests/digits \
  -o "$scratch/wrong" 2> "$scratch/log"; then exit 1; fi
[ ! -e "$scratch/wrong" ]
