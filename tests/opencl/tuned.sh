#!/bin/bash
# Does a tuning file make a tree faster on the device of a description? Searches, then measures the tree without and with the
# file in turns; the last line has the medians. Exit status 1 where the tuned one is not faster.
#
#   tests/opencl/tuned.sh BURIN CONFIG MODEL FILE [FLAG...]     FILE: the tuning file; flags of burin tune
#
# PYTHON: one with numpy. ROUNDS: measurements of each (9).
set -euo pipefail
burin="$(realpath "${1:?the burin program}")"
config="$(realpath "${2:?a description with OpenCL}")"
model="$(realpath "${3:?a model}")"
file="$(realpath -m "${4:?the tuning file}")"
shift 4
runner="${PYTHON:-python3} $(cd "$(dirname "$0")/../bench" && pwd)/tune_runner.py"
"$burin" tune "$model" --config "$config" --tuning "$file" --runner "$runner" "$@"
[ -e "$file" ] || exit 1  # nothing was faster
scratch="$(mktemp -d)"
trap 'rm -rf "$scratch"' EXIT
"$burin" generate "$model" --config "$config" -o "$scratch/untuned"
"$burin" generate "$model" --config "$config" --tuning "$file" -o "$scratch/tuned"
for _ in $(seq "${ROUNDS:-9}"); do
  for tree in untuned tuned; do $runner "$scratch/$tree" | tail -n 1 >> "$scratch/$tree.us"; done
done
median() { sort -g "$1" | awk '{ us[NR] = $1 } END { print us[int((NR + 1) / 2)] }'; }
untuned="$(median "$scratch/untuned.us")" tuned="$(median "$scratch/tuned.us")"
echo "untuned $untuned us, tuned $tuned us"
awk -v a="$tuned" -v b="$untuned" 'BEGIN { exit !(a < b) }'
