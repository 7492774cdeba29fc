#!/bin/sh
# What docs/ show of their example is what burin says and writes, and the table of docs/commands.md has every command.
#   readme_example.sh BURIN SOURCE_DIR
set -eu
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
kernel() { awk '/^void /, /^}/' "$1"; }

"$1" generate "$2/tests/models/concat_sym/model.onnx" --config "$2/configs/cpp-generic.json" --output "$work/out" 2> "$work/said"
sed "s,$work/,,g" "$work/said" | while read -r line; do
  grep -qxF "$line" "$2/docs/tree.md" || { echo "burin says '$line', docs/tree.md does not"; exit 1; }
done
file=$(sed -n 's/^\$ cat out\/\([^ ]*\.cpp\).*/\1/p' "$2/docs/tree.md")
[ -n "$file" ] && [ -f "$work/out/$file" ] || { echo "the tree has no file '$file', which docs/tree.md names"; ls "$work/out/src/kernels"; exit 1; }
kernel "$2/docs/tree.md" > "$work/shown"
kernel "$work/out/$file" > "$work/written"
[ -s "$work/shown" ] && diff "$work/shown" "$work/written"

# Commands as burin lists them, behind the line "Subcommands:".
"$1" --help | awk '/^Subcommands:/ { on = 1; next } /^[^ ]|^$/ { on = 0 } on && /^  [a-z]/ { print $1 }' > "$work/commands"
[ "$(wc -l < "$work/commands")" -ge 6 ] || { echo "burin --help lists too few commands"; exit 1; }
while read -r command; do
  grep -q "^| \`burin $command[ \`]" "$2/docs/commands.md" || { echo "the table of docs/commands.md lacks burin $command"; exit 1; }
done < "$work/commands"
