#!/bin/bash
# The stack that a call of a tree takes: every function has a frame of known size, of at
# most 8 KB. A call is a few functions deep: run, part of a kernel, kernel, microkernel.
#
#   tests/golden/stack.sh BURIN
set -euo pipefail
burin="$(realpath "${1:?the burin program}")"
cd "$(dirname "$0")/../.."
scratch="$(mktemp -d)"
trap 'rm -rf "$scratch"' EXIT
most=8192
status=0

# frames HARDWARE COMPILER FLAG...: of every function that these make of a tree for the hardware.
frames() {
  local hardware="$1" compiler="$2" name
  shift 2
  for name in attention convtranspose halves keys_behind lstm matmul_sym nonzero positions_of_images projections qdq_conv rows_finished softmax_sym; do
    local tree="$scratch/$hardware/$name"
    [ -d "$tree" ] || "$burin" generate "tests/models/$name/model.onnx" --config "configs/$hardware.json" -o "$tree" 2> /dev/null
    mkdir -p "$tree/frames"
    find "$tree/src" -name '*.cpp' | while read -r source; do
      "$compiler" -std=c++17 "$@" -I"$tree/include" -Wvla -Werror -fstack-usage -c "$source" \
        -o "$tree/frames/$(basename "$source").o"
    done
    # file:line:column:function TAB bytes TAB static, dynamic, or dynamic,bounded: arguments of calls
    cat "$tree"/frames/*.su | awk -F'\t' -v most="$most" '$2 > most || $3 == "dynamic" { print $2, $3, $1 }' > "$tree/large"
    if [ -s "$tree/large" ]; then
      echo "$hardware $name:"; cat "$tree/large"
      status=1
    fi
    cat "$tree"/frames/*.su >> "$scratch/all"
  done
}

frames cpp-generic g++ -O2
frames x86-64-v3 g++ -O3 -march=x86-64-v3
frames x86-64-v4-vnni g++ -O3 -march=x86-64-v4 -mavx512vnni
frames armv8-neoverse-n1 aarch64-linux-gnu-g++ -O3 -mcpu=neoverse-n1
echo "largest frame: $(cut -f2 "$scratch/all" | sort -n | tail -n 1) bytes"
exit "$status"
