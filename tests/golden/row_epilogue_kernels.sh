#!/bin/bash
# Norms of the rows of products are part of the kernels that make the rows, where burin says so.
#
#   tests/golden/row_epilogue_kernels.sh BURIN
set -euo pipefail
burin="$(realpath "${1:?the burin program}")"
cd "$(dirname "$0")/../.."
expect() {
  local wanted="$1" found
  shift
  found="$("$burin" analyze tests/models/rows_finished/model.onnx "$@" | sed -n 's/^kernels: \([0-9]*\) run.*/\1/p')"
  [ "$found" = "$wanted" ] || { echo "$* makes $found kernels, not $wanted"; exit 1; }
}
expect 6 --config configs/cpp-generic.json
expect 6 --config configs/x86-64-v3.json
expect 13 --config configs/x86-64-v3.json --without row-epilogue
expect 13 --config configs/x86-64-v3.json --half storage
expect 6 --config configs/x86-64-v3.json --layouts chosen
expect 13 --config configs/hexagon-v66.json
expect 13 --config configs/opencl-generic.json
