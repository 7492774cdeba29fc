#!/bin/bash
# Cases with every mode of --parallel-fusion, on the device of a description: a line for each. Exit status 1 where one fails.
#
#   tests/opencl/parallel_fusion.sh BURIN CONFIG CASE...      a case: a folder with model.onnx and test_data_set_<n>
#
# CONFIG `oclgrind`: under Oclgrind, which interprets kernels and reports races, accesses outside of buffers and wrong calls.
# CASE+CASE is one tree with both models: each through its own interface, then both in a joint run.
# MODES="off all" leaves the others out. A mode that gives the same code as one before is not run again.
set -euo pipefail
burin="$(realpath "${1:?the burin program}")"
config="${2:?a description with OpenCL, or oclgrind}"
shift 2
source "$(dirname "$0")/oclgrind_config.sh"
scratch="$(mktemp -d)"
trap 'rm -rf "$scratch"' EXIT
if [ "$config" = oclgrind ]; then
  oclgrind_config "$scratch"
  config="$scratch/oclgrind.json"
fi
status=0
for case in "$@"; do
  IFS=+ read -ra folders <<< "$case"
  arguments=()
  names=
  for folder in "${folders[@]}"; do
    arguments+=("$folder/model.onnx")
    names+="${names:+,}m$((${#arguments[@]} - 1))"
  done
  [ "${#folders[@]}" = 1 ] || arguments+=(--names "$names" --name joint)
  declare -A said=()
  for mode in ${MODES:-off auto all}; do
    joint="$("$burin" analyze "${arguments[@]}" --config "$config" --parallel-fusion "$mode" | grep "^parallel fusion" || true)"
    "$burin" generate "${arguments[@]}" --config "$config" --parallel-fusion "$mode" --weights blob -o "$scratch/tree" > /dev/null 2>&1
    code="$(cd "$scratch/tree" && find opencl src -type f | sort | xargs sha256sum | sha256sum)"
    if [ -n "${said[$code]:-}" ]; then
      echo "$case $mode: the code of ${said[$code]}; $joint"
      continue
    fi
    said[$code]="$mode"
    SECONDS=0
    if text="$("$burin" verify "${arguments[@]}" --config "$config" --parallel-fusion "$mode" 2>&1)"; then
      echo "$case $mode: agrees, $SECONDS s; $joint"
    else
      status=1
      echo "$case $mode: FAILS; $joint"
      echo "$text"
    fi
  done
done
[ ! -d "$scratch/logs" ] || oclgrind_reports "$scratch" || status=1
exit $status
