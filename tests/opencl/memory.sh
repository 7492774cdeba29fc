#!/bin/bash
# Cases with every mode of --memory, on the device of a description: a line for each. Exit status 1 where one fails.
#
#   tests/opencl/memory.sh BURIN CONFIG CASE...      a case: a folder with model.onnx and test_data_set_<n>
#
# `mix`: selected, with texels read as fast as elements, so that some tensors are images and some are not.
set -euo pipefail
burin="$(realpath "${1:?the burin program}")"
config="$(realpath "${2:?a description with OpenCL}")"
shift 2
scratch="$(mktemp -d)"
trap 'rm -rf "$scratch"' EXIT
name="$(basename "$config")"
sed 's|"texel_read_percent": [0-9]*|"texel_read_percent": 100|' "$config" > "$scratch/$name"
status=0
for case in "$@"; do
  for mode in buffers images mix; do
    description="$config" memory="$mode"
    [ "$mode" != mix ] || description="$scratch/$name" memory=selected
    rm -rf "$scratch/dump"
    if text="$("$burin" verify "$case/model.onnx" --config "$description" --memory "$memory" --dump-dir "$scratch/dump" 2>&1)"; then
      said=agrees
    else
      said=FAILS
      status=1
    fi
    images="$(cat "$scratch"/dump/*-images.txt 2> /dev/null | grep -c ': image, ' || true)"
    buffers="$(cat "$scratch"/dump/*-images.txt 2> /dev/null | grep -c ': buffer ' || true)"
    echo "$case $mode: $said; $images tensors in images, $buffers not"
    [ "$said" = agrees ] || echo "$text"
  done
done
exit $status
