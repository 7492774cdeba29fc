#!/bin/bash
# Cases with every mode of --parallel-fusion, on the device of a description: a line for each. Exit status 1 where one fails.
#
#   tests/opencl/parallel_fusion.sh BURIN CONFIG CASE...      a case: a folder with model.onnx and test_data_set_<n>
#
# Several models become one case by join_models.py.
set -euo pipefail
burin="$(realpath "${1:?the burin program}")"
config="$(realpath "${2:?a description with OpenCL}")"
shift 2
status=0
for case in "$@"; do
  for mode in off auto all; do
    joint="$("$burin" analyze "$case/model.onnx" --config "$config" --parallel-fusion "$mode" | grep "^parallel fusion" || true)"
    if text="$("$burin" verify "$case/model.onnx" --config "$config" --parallel-fusion "$mode" 2>&1)"; then
      echo "$case $mode: agrees; $joint"
    else
      status=1
      echo "$case $mode: FAILS; $joint"
      echo "$text"
    fi
  done
done
exit $status
