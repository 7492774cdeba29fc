#!/bin/bash
# A device finds places and sizes by kernels, several sizes by one of them, where burin says so.
#
#   tests/golden/found_on_device.sh BURIN
set -euo pipefail
burin="$(realpath "${1:?the burin program}")"
cd "$(dirname "$0")/../.."
expect() {  # KERNELS PROCEDURES MODEL FLAG...
  local wanted="$1 $2" model="$3" text found
  shift 3
  text="$("$burin" analyze "tests/models/$model/model.onnx" "$@")"
  found="$(sed -n 's/^kernels: \([0-9]*\) run.*/\1/p' <<< "$text") $(grep -c '^procedure' <<< "$text" || true)"
  [ "$found" = "$wanted" ] || { echo "$model $* makes $found kernels and procedures, not $wanted"; exit 1; }
}
for device in pocl nvidia-h200 adreno-740; do
  expect 16 0 boxes_found --config "configs/$device.json" --dim boxes=1..64
done
expect 6 3 boxes_found --config configs/pocl.json --dim boxes=1..64 --without sizes
expect 6 3 boxes_found --config configs/cpp-generic.json --dim boxes=1..64
expect 15 0 rows_matched --config configs/pocl.json --dim rows=1..512
expect 16 0 rows_matched --config configs/pocl.json --dim rows=1..512 --without fused-sizes
