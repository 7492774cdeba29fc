#!/bin/bash
# Of a shell that sources this: `front_library SCRATCH SOURCE [VARIABLE=VALUE ...]` makes SCRATCH/run, which runs a program with
# SOURCE as its libOpenCL, in front of the one that is installed, or that BURIN_CL_REAL names, and with these variables;
# `runner_config RUNNER FILE` makes FILE, PoCL's description whose programs run by RUNNER.

front_library() {
  local scratch="$1" source="$2" here real
  shift 2
  here="$(dirname "${BASH_SOURCE[0]}")"
  real="${BURIN_CL_REAL:-$(/sbin/ldconfig -p | sed -n 's/^.*libOpenCL\.so\.1 .*=> //p' | head -n 1)}"
  mkdir -p "$scratch/library"
  g++ -std=c++17 -O1 -shared -fPIC -Wall -Wextra -Werror -o "$scratch/library/libOpenCL.so.1" "$here/$source" -ldl
  printf '#!/bin/bash\nexec env %s "$@"\n' \
    "$(printf '%q ' LD_LIBRARY_PATH="$scratch/library" BURIN_CL_REAL="$real" "$@")" > "$scratch/run"
  chmod +x "$scratch/run"
}

runner_config() {
  sed "s|\"threads_max\"|\"runner\": [\"$1\"],\n  \"threads_max\"|" "$(dirname "${BASH_SOURCE[0]}")/../../configs/pocl.json" > "$2"
}
