#!/bin/bash
# Of a shell that sources this: `oclgrind_config SCRATCH` makes SCRATCH/oclgrind.json, PoCL's description whose programs run under
# Oclgrind, and SCRATCH/logs, which gets a file per program; `oclgrind_reports SCRATCH` prints what these say, and fails where
# they say anything or there are none. Checked are races, accesses outside of buffers, wrong calls, and reads of what was never
# written, for which gatherer.cpp makes up for what Oclgrind 21.10 forgets.
source "$(dirname "${BASH_SOURCE[0]}")/front_library.sh"

oclgrind_config() {
  local scratch="$1" driver=/usr/lib/oclgrind/liboclgrind-rt-icd.so
  [ -f "$driver" ] || { echo "oclgrind is not installed"; exit 1; }
  mkdir -p "$scratch/logs" "$scratch/vendors"
  # As the only driver that the loader sees; a preloaded Oclgrind would meet the loader's other drivers.
  echo "$driver" > "$scratch/vendors/oclgrind.icd"
  # Its interpreter does not know all that optimisation makes (LLVM's freeze). Each 64 bytes that gatherer.cpp makes unknown
  # are a report as well, which is left out below.
  front_library "$scratch" gatherer.cpp OCL_ICD_VENDORS="$scratch/vendors" OCLGRIND_BUILD_OPTIONS=-cl-opt-disable \
    OCLGRIND_DATA_RACES=1 OCLGRIND_CHECK_API=1 OCLGRIND_UNINITIALIZED=1 OCLGRIND_MAX_ERRORS=100000000
  # What it reports goes to standard error: a log per program.
  cat > "$scratch/logged" << RUN
#!/bin/bash
exec "$scratch/run" "\$@" 2> "$scratch/logs/\$\$"
RUN
  chmod +x "$scratch/logged"
  runner_config "$scratch/logged" "$scratch/oclgrind.json"
}

oclgrind_reports() {
  local scratch="$1" runs reports
  runs="$(find "$scratch/logs" -type f | wc -l)"
  find "$scratch/logs" -type f -size +0 -exec sh -c \
    'awk "BEGIN { RS = \"\"; ORS = \"\\n\\n\" } !/Kernel: burin_unknown/" "$1" > "$1.left" && mv "$1.left" "$1"' _ {} \;
  find "$scratch/logs" -type f -size +0 | while read -r log; do echo "--- $log"; head -20 "$log"; done
  reports="$(find "$scratch/logs" -type f -size +0 | wc -l)"
  echo "$runs programs under Oclgrind, $reports with reports"
  [ "$reports" = 0 ] && [ "$runs" -gt 0 ]
}
