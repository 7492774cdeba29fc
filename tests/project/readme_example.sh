#!/bin/sh
# The kernel that the README shows is the one that burin writes.
#   readme_example.sh BURIN SOURCE_DIR
set -eu
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
kernel() { awk '/^void /, /^}/' "$1"; }

"$1" generate "$2/tests/models/concat_sym/model.onnx" --config "$2/configs/cpp-generic.json" --output "$work/out"
file=$(sed -n 's/^\$ cat out\/\([^ ]*\.cpp\).*/\1/p' "$2/README.md")
[ -n "$file" ] && [ -f "$work/out/$file" ] || { echo "the tree has no file '$file', which the README names"; ls "$work/out/src/kernels"; exit 1; }
kernel "$2/README.md" > "$work/shown"
kernel "$work/out/$file" > "$work/written"
[ -s "$work/shown" ] && diff "$work/shown" "$work/written"
