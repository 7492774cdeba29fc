#!/bin/bash
# Fuzzers for so many seconds on so many processors, and what they found.
#
#   tests/fuzz/sweep.sh FOLDER SECONDS JOBS OUT [import|config|generate|pack ...]
#
# FOLDER holds the fuzzers (build/fuzz/tests/fuzz). Processes are shared out evenly, each with a seed of its own; OUT gets logs and
# what made one fail, and a table for README.md comes at the end. Exit code 1 where anything was found.
set -euo pipefail
folder="$(realpath "${1:?the folder of the fuzzers}")"
seconds="${2:?seconds}"
jobs="${3:?processes}"
out="${4:?a folder for what is found}"
shift 4
targets=("$@")
[ ${#targets[@]} -gt 0 ] || targets=(import config generate pack)
if [ "$jobs" -lt ${#targets[@]} ]; then
  echo "$jobs processes cannot run ${#targets[@]} fuzzers: name some of ${targets[*]}" >&2
  exit 2
fi
corpora="$(cd "$(dirname "$0")" && pwd)/corpus"
mkdir -p "$out"
out="$(realpath "$out")"
pids=()
for ((k = 0; k < jobs; ++k)); do
  target=${targets[k % ${#targets[@]}]}
  work="$out/$target.$k"
  mkdir -p "$work/found"
  longest=8192
  [ "$target" = pack ] && longest=4096
  seeds=()
  [ -d "$corpora/$target" ] && seeds=("$corpora/$target")
  "$folder/burin_${target}_fuzz" -max_len=$longest -rss_limit_mb=2600 -timeout=100 -max_total_time="$seconds" -seed=$((1000 + k)) \
    -print_final_stats=1 -artifact_prefix="$work/" "$work/found" "${seeds[@]}" > "$work/log" 2>&1 &
  pids+=($!)
done
for pid in "${pids[@]}"; do wait "$pid" || true; done
echo "| fuzzer | processes | inputs | edges | memory | slowest input | found |"
echo "|---|---|---|---|---|---|---|"
failed=0
for target in "${targets[@]}"; do
  logs=("$out/$target".*/log)
  [ -f "${logs[0]}" ] || continue
  of() { sed -n "s/^stat::$1: *//p" "${logs[@]}"; }
  found=$(find "$out/$target".* -maxdepth 1 -type f ! -name log | wc -l)
  ended=$(of number_of_executed_units | wc -l)
  [ "$found" = 0 ] && [ "$ended" = ${#logs[@]} ] || failed=1
  edges=$(grep -oh 'cov: [0-9]*' "${logs[@]}" | cut -c6- | sort -n | tail -1)
  echo "| \`$target\` | ${#logs[@]} | $(of number_of_executed_units | awk '{n += $1} END {print n + 0}') | $edges | $(of peak_rss_mb | sort -n | tail -1) MB | $(of slowest_unit_time_sec | sort -n | tail -1) s | $found |"
done
exit $failed
