#!/bin/bash
# What docs/tree.md says of the attention block: 45 nodes become 3 kernels.
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
