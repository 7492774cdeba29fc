#!/bin/bash
# Fuzzers for so many seconds on so many processors, and what they found.
#
#   tests/fuzz/sweep.sh FOLDER SECONDS JOBS OUT [import|config|generate|compare|pack ...]
#
# FOLDER holds the fuzzers (build/fuzz/tests/fuzz). Processes are shared out evenly, each with a seed of its own; one that found
# something begins again with another. OUT gets logs and what made one fail, and a table for README.md comes at the end. A fuzzer that
# is named twice gets two shares. CORPORA: a folder with more inputs to begin with, one for each fuzzer. LONGEST: bytes of an input.
# Exit code 1 where anything was found.
set -euo pipefail
folder="$(realpath "${1:?the folder of the fuzzers}")"
seconds="${2:?seconds}"
jobs="${3:?processes}"
out="${4:?a folder for what is found}"
shift 4
targets=("$@")
[ ${#targets[@]} -gt 0 ] || targets=(import config generate compare pack)
if [ "$jobs" -lt ${#targets[@]} ]; then
  echo "$jobs processes cannot run ${#targets[@]} fuzzers: name some of ${targets[*]}" >&2
  exit 2
fi
corpora="$(cd "$(dirname "$0")" && pwd)/corpus"
mkdir -p "$out"
out="$(realpath "$out")"
end=$((SECONDS + seconds))

# run NUMBER TARGET: a process until the time is over, begun again where it found something.
run() {
  local work="$out/$2.$1" longest=${LONGEST:-8192} seeds=() turn
  mkdir -p "$work/found"
  [ "$2" = pack ] && [ "$longest" -gt 4096 ] && longest=4096
  for from in "$corpora/$2" "${CORPORA:-}/$2"; do [ -d "$from" ] && seeds+=("$from"); done
  [ "$2" = compare ] && seeds+=("$corpora/generate")
  for ((turn = 0; SECONDS + 5 < end || turn == 0; ++turn)); do
    "$folder/burin_${2}_fuzz" -max_len=$longest -rss_limit_mb=2600 -timeout=100 -max_total_time=$((end - SECONDS)) \
      -seed=$((1000 + $1 + 100 * turn)) -print_final_stats=1 -artifact_prefix="$work/" "$work/found" "${seeds[@]}" >> "$work/log" 2>&1 && return
  done
}

for ((k = 0; k < jobs; ++k)); do run $k "${targets[k % ${#targets[@]}]}" & done
wait
echo "| fuzzer | processes | inputs | edges, at the start and the end | memory | slowest input | found |"
echo "|---|---|---|---|---|---|---|"
failed=0
for target in $(printf '%s\n' "${targets[@]}" | sort -u); do
  logs=("$out/$target".*/log)
  [ -f "${logs[0]}" ] || continue
  of() { sed -n "s/^stat::$1: *//p" "${logs[@]}"; }
  edges() { grep -h "$1.*cov: [0-9]*" "${logs[@]}" | sed 's/.*cov: \([0-9]*\).*/\1/' | sort -n | tail -1; }
  found=$(find "$out/$target".* -maxdepth 1 -type f ! -name log | wc -l)
  ended=$(of number_of_executed_units | wc -l)
  [ "$found" = 0 ] && [ "$ended" -ge ${#logs[@]} ] || failed=1
  echo "| \`$target\` | ${#logs[@]} | $(of number_of_executed_units | awk '{n += $1} END {print n + 0}') | $(edges INITED) $(edges '') | $(of peak_rss_mb | sort -n | tail -1) MB | $(of slowest_unit_time_sec | sort -n | tail -1) s | $found |"
done
exit $failed
