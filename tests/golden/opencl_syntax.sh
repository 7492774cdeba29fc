#!/bin/bash
# Do kernels compile, by the front end of another compiler, for devices that no test has? A driver's compiler sees them for
# the sizes of its description only: teams, images and halves differ.
#
#   tests/golden/opencl_syntax.sh BURIN
set -euo pipefail
burin="$(realpath "${1:?the burin program}")"
cd "$(dirname "$0")/../.."
. tests/golden/models.sh
scratch="$(mktemp -d)"
trap 'rm -rf "$scratch"' EXIT
status=0
declare -A taken=()
front_end() {
  local tree="$1" helpers helper
  # In the order in which the host hands them over.
  helpers="$(grep -o 'opencl/rt/[a-z0-9_]*\.cl' "$tree/manifest.json" | sed 's|.*/||' | sort -u)"
  { for helper in preamble.cl fp64.cl fp16.cl $(grep -vx 'preamble.cl\|fp64.cl\|fp16.cl' <<< "$helpers"); do
      [ ! -f "$tree/opencl/rt/$helper" ] || cat "$tree/opencl/rt/$helper"
    done
    find "$tree/opencl" -maxdepth 1 -name "*.cl" -exec cat {} +
  } > "$scratch/program.cl"
  # Devices differ less than models: a text that was taken is not read again.
  local hash
  hash="$(sha256sum < "$scratch/program.cl")"
  [ -z "${taken[$hash]:-}" ] || return 0
  # Helpers that a program does not use come with those that it does.
  clang -x cl -cl-std=CL1.2 -Xclang -finclude-default-header -Wall -Werror -Wno-unused-function \
    -fsyntax-only "$scratch/program.cl" 2> "$scratch/log" && taken[$hash]=1 ||
    { status=1; echo "$tree:"; head -n 6 "$scratch/log"; }
}
check() {
  local hardware="$1" folder="$scratch/$2" tree
  shift 2
  generate_all "$burin" "$hardware" "$folder" "$@" > /dev/null
  for tree in "$folder"/*; do
    [ ! -d "$tree/opencl/rt" ] || front_end "$tree"
  done
  [ "$(find "$folder" -name preamble.cl | wc -l)" -gt 40 ] || { echo "$hardware: too few trees have kernels"; status=1; }
}
check nvidia-h200 nvidia
check adreno-740 adreno
check adreno-740 halves --half arithmetic --memory images
check mali-g610 mali --parallel-fusion all
check nvidia-h200 joint --parallel-fusion all --memory images
# Sizes in 32 bits: quotients of them have names of their own.
"$burin" generate tests/models/first_patch/model.onnx --config configs/nvidia-h200.json -o "$scratch/bounded" \
  --dim batch=1..4 --dim h=4..64 --dim w=4..64 > /dev/null
front_end "$scratch/bounded"
# Nothing to compute: an axis without points is no divisor.
"$burin" generate tests/models/operators/slice_backward_from_outside/model.onnx --config configs/pocl.json -o "$scratch/empty" > /dev/null
front_end "$scratch/empty"
exit $status
