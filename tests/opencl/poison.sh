#!/bin/bash
# Do kernels read what nothing has written? Buffers and images begin full of a byte (poisoner.cpp), first 255 and then 65:
# results must be right with both. Local memory and registers begin with whatever is there.
#
#   tests/opencl/poison.sh BURIN CASES COUNT [FLAG...]   a folder of cases, how many of them, spread evenly; flags of burin verify
#
# BURIN_CL_REAL: the OpenCL library, where ldconfig knows none.
set -euo pipefail
burin="$(realpath "${1:?the burin program}")"
cases="$(realpath "${2:?a folder of cases}")"
count="${3:?how many}"
shift 3
cd "$(dirname "$0")/../.."
scratch="$(mktemp -d)"
trap 'rm -rf "$scratch"' EXIT
. tests/opencl/front_library.sh
front_library "$scratch" poisoner.cpp
runner_config "$scratch/run" "$scratch/pocl.json"
status=0
for byte in 255 65; do
  BURIN_CL_POISON=$byte "$burin" verify --all "$cases" --sample "$count" --config "$scratch/pocl.json" "$@" || status=1
done
exit $status
