#!/bin/bash
# The page that a tree has to look at: of the committed trees, of a network with branches and loops, and of one whose
# names are markup.
#
#   tests/golden/page.sh BURIN
set -euo pipefail
burin="$(realpath "${1:?the burin program}")"
cd "$(dirname "$0")/../.."
scratch="$(mktemp -d)"
trap 'rm -rf "$scratch"' EXIT
for model in while_loops branches attention_shape_chain trips_of_trips; do
  "$burin" generate "tests/models/$model/model.onnx" --config cpp-generic -o "$scratch/$model" 2> /dev/null
done
# The name of a node, of as many bytes, so that the file stays well-formed.
sed 's/square/<b>"\&'"'"'/' tests/models/concat_sym/model.onnx > "$scratch/hostile.onnx"
cmp -s tests/models/concat_sym/model.onnx "$scratch/hostile.onnx" && { echo "no name was replaced"; exit 1; }
"$burin" generate "$scratch/hostile.onnx" --config cpp-generic -o "$scratch/hostile" 2> /dev/null
grep -q '&#60;b&#62;&#34;&#38;&#39;' "$scratch/hostile/REPORT.html" || { echo "the name is not there"; exit 1; }
python3 tests/golden/page.py generated_examples/[a-z]*/ "$scratch"/*/
