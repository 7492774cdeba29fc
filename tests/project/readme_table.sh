#!/bin/bash
# Is the operator table of a README what burin prints now? Between the two marker comments stands the
# output of `burin ops --markdown`.
#
#   readme_table.sh BURIN README            shows the difference, exit code 1 if there is one
#   readme_table.sh BURIN README --update   writes the table
set -euo pipefail
burin=$1 readme=$2 mode=${3:-}
begin='<!-- begin operators -->' end='<!-- end operators -->'
wanted=$(mktemp)
trap 'rm -f "$wanted"' EXIT

for marker in "$begin" "$end"; do
  [ "$(grep -cxF -- "$marker" "$readme")" = 1 ] || { echo "$readme: no single line '$marker'"; exit 1; }
done
table=$("$burin" ops --markdown)
[ "$(wc -l <<<"$table")" -gt 2 ] || { echo "burin ops printed no table"; exit 1; }
{
  sed "/^$begin\$/q" "$readme"
  printf '%s\n' "$table"
  sed -n "/^$end\$/,\$p" "$readme"
} >"$wanted"

if [ "$mode" = --update ]; then
  cmp -s "$wanted" "$readme" || cat "$wanted" >"$readme"
elif ! diff -u "$readme" "$wanted"; then
  echo "out of date; run: tests/project/readme_table.sh $burin $readme --update"
  exit 1
fi
