#!/bin/bash
# Copies of constants are part of the kernels that compute what is beside them, where burin says so.
#
#   tests/golden/fused_copies_kernels.sh BURIN
set -euo pipefail
burin="$(realpath "${1:?the burin program}")"
cd "$(dirname "$0")/../.."
expect() {
  local wanted="$1" found
  shift
  found="$("$burin" analyze tests/models/class_token/model.onnx "$@" |
    sed -n 's/^kernels: \([0-9]*\) run, of which \([0-9]*\) only.*/\1 \2/p')"
  [ "$found" = "$wanted" ] || { echo "$* makes $found kernels, not $wanted"; exit 1; }
}
expect "3 0" --config configs/cpp-generic.json
expect "3 0" --config configs/x86-64-v3.json
expect "4 1" --config configs/x86-64-v3.json --without fused-copies
expect "4 1" --config configs/x86-64-v3.json --half storage
expect "3 0" --config configs/x86-64-v3.json --layouts chosen
expect "4 1" --config configs/hexagon-v66.json
expect "4 1" --config configs/opencl-generic.json
