#!/bin/bash
# Runs trees with OpenCL under Oclgrind, which interprets kernels and reports races, accesses outside of buffers, reads of
# what was never written and wrong calls. Exit status 1 where it reports anything or a result differs.
#
#   tests/opencl/oclgrind.sh BURIN CASES COUNT [JOBS [MODE]]   a folder of cases, how many of them, spread evenly;
#                                                             MODE: of --parallel-fusion
set -euo pipefail
burin="$(realpath "${1:?the burin program}")"
cases="$(realpath "${2:?a folder of cases}")"
count="${3:?how many}"
source "$(dirname "$0")/oclgrind_config.sh"
scratch="$(mktemp -d)"
trap 'rm -rf "$scratch"' EXIT
oclgrind_config "$scratch"
status=0
"$burin" verify --all "$cases" --sample "$count" --config "$scratch/oclgrind.json" "-j${4:-1}" --parallel-fusion "${5:-off}" || status=1
oclgrind_reports "$scratch" && exit "$status"
exit 1
