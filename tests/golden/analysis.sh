#!/bin/bash
# What `burin analyze` prints of the networks of generated_examples/, as text and as JSON, without times.
#
#   tests/golden/analysis.sh BURIN [--update]
set -euo pipefail
burin="$(realpath "${1:?the burin program}")"
cd "$(dirname "$0")/../.."
scratch="$(mktemp -d)"
trap 'rm -rf "$scratch"' EXIT
while read -r folder models hardware flags; do
  # shellcheck disable=SC2086  # several words each
  "$burin" analyze ${models//,/ } $flags --config "configs/$hardware.json" --verbose | sed -E 's/[0-9.]+ s$/- s/' > "$scratch/$folder.txt"
  "$burin" analyze ${models//,/ } $flags --config "configs/$hardware.json" --json | sed -E 's/("seconds": )[-+.0-9e]+/\10/' > "$scratch/$folder.json"
done < <(grep -v '^#' tests/golden/examples.txt)
if [ "${2:-}" = --update ]; then
  rm -f tests/golden/analysis/*
  cp "$scratch"/* tests/golden/analysis/
fi
diff -r "$scratch" tests/golden/analysis || { echo "run tests/golden/analysis.sh BURIN --update and look at the difference"; exit 1; }
awk '/^```$/ { fence++; next } fence == 1' generator/report/README.md | diff - tests/golden/analysis/softmax_sym.txt ||
  { echo "generator/report/README.md shows something else: copy tests/golden/analysis/softmax_sym.txt"; exit 1; }
