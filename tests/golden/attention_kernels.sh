#!/bin/bash
# What docs/tree.md says of the attention block: 45 nodes become 3 kernels. And: decode attention over known numbers of keys,
# of which compilers write loops out and warn of what is left, is free of warnings where they optimise.
#
#   tests/golden/attention_kernels.sh BURIN
set -euo pipefail
burin="$(realpath "${1:?the burin program}")"
cd "$(dirname "$0")/../.."
report="$("$burin" analyze tests/models/attention_shape_chain/model.onnx --config configs/cpp-generic.json --json)"
nodes="$(sed -n 's/^    "nodes": \([0-9]*\),$/\1/p' <<< "$report")"
kernels="$(grep -c '^      "family": ' <<< "$report")"
if [ "$nodes" != 45 ] || [ "$kernels" != 3 ]; then
  echo "$nodes nodes become $kernels kernels, not 45 and 3"
  exit 1
fi
grep -q 'attention_shape_chain`, 45 nodes, becomes 3' docs/tree.md
scratch="$(mktemp -d)"
trap 'rm -rf "$scratch"' EXIT
for keys in 4 16 23; do
  "$burin" generate tests/models/masked_rows/model.onnx --config configs/x86-64-v3.json --dim batch=1 --dim queries=1 --dim "keys=$keys" \
    -o "$scratch/$keys" > /dev/null 2>&1
  find "$scratch/$keys/src" -name '*.cpp' -printf '#include "%p"\n' | sort > "$scratch/$keys.cpp"
  g++ -std=c++17 -O2 -march=x86-64-v3 -ffp-contract=off -Wall -Wextra -Wconversion -Werror -I"$scratch/$keys/include" \
    -c "$scratch/$keys.cpp" -o "$scratch/$keys.o"
done
