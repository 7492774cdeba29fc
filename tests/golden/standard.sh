#!/bin/bash
# C++14 suffices for the sources of a tree for a CPU, by every compiler that README names.
#
#   tests/golden/standard.sh BURIN
set -euo pipefail
burin="$(realpath "${1:?the burin program}")"
cd "$(dirname "$0")/../.."
. tests/golden/models.sh
scratch="$(mktemp -d)"
trap 'rm -rf "$scratch"' EXIT
generate_all "$burin" x86-64-v3 "$scratch/trees" > /dev/null
# The standard and the compilers that docs/tree.md promises.
grep -q 'C++14' docs/tree.md
flags=(-std=c++14 -march=x86-64-v3 -fno-exceptions -fno-rtti -ffp-contract=off -Wall -Wextra -Wconversion -Werror)
for tree in "$scratch"/trees/*; do
  # shellcheck disable=SC2046  # names without blanks
  g++ "${flags[@]}" -fsyntax-only -I"$tree/include" $(find "$tree/src" -name '*.cpp')
  # That each file includes what it uses is known now; so all are one text, which clang warns of as of one file.
  # (Of files that are included it does not say what is unused.)
  # shellcheck disable=SC2046
  cat $(find "$tree/src" -name '*.cpp' | sort) > "$scratch/tree.cpp"
  clang++ "${flags[@]}" -fsyntax-only -I"$tree/include" -I"$tree/src" -I"$tree/src/kernels" -I"$tree/src/rt" "$scratch/tree.cpp"
done
# Links, too: a constant of a class is defined where it is declared since C++17 only.
for model in attention maxpool_indices digits boxes_found; do
  tree="$scratch/trees/$model"
  for compiler in g++ clang++; do
    "$compiler" -std=c++14 -O0 -march=x86-64-v3 -shared -fPIC -Wl,--no-undefined -ffp-contract=off -fno-exceptions -fno-rtti \
      -I"$tree/include" $(find "$tree/src" -name '*.cpp') -o "$tree/tree.so"
  done
done
