#!/bin/bash
# Runs trees with OpenCL under Oclgrind, which interprets kernels and reports races, accesses outside of buffers and wrong
# calls. (Its check for reads of what was never written is off: version 21.10 forgets what the host wrote to a buffer when
# the host writes to another part of it, and inputs share one.) Exit status 1 where it reports anything or a result differs.
#
#   tests/opencl/oclgrind.sh BURIN CASES COUNT [JOBS [MODE]]   a folder of cases, how many of them, spread evenly;
#                                                             MODE: of --parallel-fusion
set -euo pipefail
burin="$(realpath "${1:?the burin program}")"
cases="$(realpath "${2:?a folder of cases}")"
count="${3:?how many}"
cd "$(dirname "$0")/../.."
driver=/usr/lib/oclgrind/liboclgrind-rt-icd.so
[ -f "$driver" ] || { echo "oclgrind is not installed"; exit 1; }
scratch="$(mktemp -d)"
trap 'rm -rf "$scratch"' EXIT
mkdir "$scratch/logs" "$scratch/vendors"
# As the only driver that the loader sees; a preloaded Oclgrind would meet the loader's other drivers.
echo "$driver" > "$scratch/vendors/oclgrind.icd"
# What it reports goes to standard error: a log per program.
cat > "$scratch/run" << RUN
#!/bin/bash
export OCL_ICD_VENDORS="$scratch/vendors" OCLGRIND_DATA_RACES=1 OCLGRIND_CHECK_API=1
# Its interpreter does not know all that optimisation makes (LLVM's freeze).
export OCLGRIND_BUILD_OPTIONS=-cl-opt-disable
exec "\$@" 2> "$scratch/logs/\$\$"
RUN
chmod +x "$scratch/run"
sed "s|\"threads_max\"|\"runner\": [\"$scratch/run\"],\n  \"threads_max\"|" configs/pocl.json > "$scratch/oclgrind.json"
status=0
"$burin" verify --all "$cases" --sample "$count" --config "$scratch/oclgrind.json" "-j${4:-1}" --parallel-fusion "${5:-off}" || status=1
runs="$(find "$scratch/logs" -type f | wc -l)"
find "$scratch/logs" -type f -size +0 | while read -r log; do echo "--- $log"; head -20 "$log"; done
reports="$(find "$scratch/logs" -type f -size +0 | wc -l)"
echo "$runs programs under Oclgrind, $reports with reports"
[ "$reports" = 0 ] && [ "$runs" -gt 0 ] && exit "$status"
exit 1
