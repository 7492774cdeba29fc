#!/bin/bash
# Two products of the same rows are one kernel where burin says so.
#
#   tests/golden/back_to_back_kernels.sh BURIN
set -euo pipefail
burin="$(realpath "${1:?the burin program}")"
cd "$(dirname "$0")/../.."
expect() {
  local wanted="$1" found
  shift
  found="$("$burin" analyze tests/models/feed_forward/model.onnx "$@" | sed -n 's/^kernels: \([0-9]*\) run.*/\1/p')"
  [ "$found" = "$wanted" ] || { echo "$* makes $found kernels, not $wanted"; exit 1; }
}
expect 6 --config configs/cpp-generic.json
expect 6 --config configs/x86-64-v3.json
expect 9 --config configs/x86-64-v3.json --without back-to-back
expect 10 --config configs/x86-64-v3.json --half storage
expect 10 --config configs/hexagon-v66.json
expect 10 --config configs/opencl-generic.json
