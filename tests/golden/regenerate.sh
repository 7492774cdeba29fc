#!/bin/bash
# A tree remembers what made it: it comes out again, byte for byte, from itself and the model, wherever
# it lies and whatever became of the files that were given then.
#
#   tests/golden/regenerate.sh BURIN
set -euo pipefail
burin="$(realpath "${1:?the burin program}")"
cd "$(dirname "$0")/../.."
scratch="$(mktemp -d)"
trap 'rm -rf "$scratch"' EXIT
status=0
fail() { echo "$*"; status=1; }

# again NAME MODELS FLAGS...: generated with copies of what the flags name, which are gone afterwards.
again() {
  local name="$1" tree="$scratch/$1" moved="$scratch/elsewhere/$1" models="$2" said
  shift 2
  mkdir -p "$scratch/given" "$scratch/elsewhere"
  # shellcheck disable=SC2086  # several words
  "$burin" generate $models "$@" -o "$tree" 2> /dev/null
  # Nothing of the machine is in the tree: not where files lay, nor where it was written.
  if grep -rlF -e "$scratch" -e "$PWD" "$tree"; then fail "$name: names a folder of the user"; fi
  rm -rf "$scratch/given"
  mv "$tree" "$moved"
  # shellcheck disable=SC2086
  said="$("$burin" regenerate "$moved" $models --check)" || fail "$name: regenerate --check exits with $?"
  [ -z "$said" ] || fail "$name: $said"
  cp -r "$moved" "$scratch/before"
  # shellcheck disable=SC2086
  "$burin" regenerate "$moved" $models 2> "$scratch/log"
  grep -q ' 0 changed' "$scratch/log" || fail "$name: $(cat "$scratch/log")"
  diff -r "$scratch/before" "$moved" || status=1
  rm -rf "$scratch/before"
}

given="$scratch/given"
mkdir "$given"
cp configs/x86-64-v3.json "$given/mine.json"
again plain tests/digits/digits.onnx --config "$given/mine.json"
again named tests/digits/digits.onnx --config cpp-generic
again flags tests/models/attention/model.onnx --config x86-64-v3 --half storage --fast-math --strict --weights blob \
  --without rows --without attention --packing best-fit --layouts chosen
again dims tests/models/matmul_sym/model.onnx --config x86-64-v3 --dim rows=1..64@8 --name product
again several "tests/models/lstm/model.onnx tests/models/softmax_sym/model.onnx" --config cpp-generic --names lstm,softmax
mkdir "$given"
"$burin" generate tests/models/attention/model.onnx --config x86-64-v3 --layouts chosen -o "$given/locked" 2> /dev/null
again locked tests/models/attention/model.onnx --config x86-64-v3 --plan-lock "$given/locked/plan.json"
mkdir "$given"
cp -r tests/models/softmax_sym/test_data_set_0 "$given/"
again data tests/models/softmax_sym/model.onnx --config cpp-generic --test-data "$given/test_data_set_0"

# The order of flags, and values that mean nothing, change no byte.
"$burin" generate tests/models/matmul_sym/model.onnx --config cpp-generic --without rows --without hoist --half off -o "$scratch/one" 2> /dev/null
"$burin" generate tests/models/matmul_sym/model.onnx --without hoist --without rows --config cpp-generic -o "$scratch/other" 2> /dev/null
diff -r "$scratch/one" "$scratch/other" || status=1

# A model under another name is another file of the same tree.
cp tests/digits/digits.onnx "$scratch/renamed.onnx"
"$burin" regenerate "$scratch/elsewhere/plain" "$scratch/renamed.onnx" --check || fail "another file name makes another tree"

# Another model is told, and written.
if "$burin" regenerate "$scratch/elsewhere/named" tests/models/softmax_sym/model.onnx --check > "$scratch/log"; then
  fail "another model is not told"
fi
grep -q '^changed manifest.json$' "$scratch/log" || fail "the manifest is not told"

# The licence stands in the first line of all that may have a comment.
for tree in plain several; do
  while read -r file; do
    head -n 1 "$file" | grep -q 'SPDX-License-Identifier: MIT-0' || fail "$file has no licence"
  done < <(find "$scratch/elsewhere/$tree" -name '*.cpp' -o -name '*.h' -o -name '*.c' -o -name CMakeLists.txt -o -name '*.md')
done
exit "$status"
