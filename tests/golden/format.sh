#!/bin/bash
# clang-format must leave emitted trees as they are, and people must be able to read them (readable.py).
#
#   tests/golden/format.sh BURIN
set -euo pipefail
burin="$(realpath "${1:?the burin program}")"
cd "$(dirname "$0")/../.."
. tests/golden/models.sh
scratch="$(mktemp -d)"
trap 'rm -rf "$scratch"' EXIT
for hardware in cpp-generic x86-64-v3 opencl-generic; do
  generate_all "$burin" "$hardware" "$scratch/trees/$hardware"
done
generate_all "$burin" adreno-740 "$scratch/trees/images" --memory images --half storage
for example in pair pair_opencl; do cp -r "generated_examples/$example" "$scratch/trees"; done
# Runtime files are copies of the project's own, which have its style. Trees share kernels: a text is looked at once,
# since every tree has the same style.
find "$scratch/trees" \( -name '*.cpp' -o -name '*.c' -o -name '*.h' -o -name '*.cl' \) -not -path '*/rt/*' > "$scratch/files"
for kind in src/kernels include opencl test; do grep -q "/$kind/" "$scratch/files"; done
[ "$(find "$scratch/trees" -name .clang-format -exec cat {} + | sort -u | wc -l)" = "$(sort -u generated_examples/pair/.clang-format | wc -l)" ]
xargs sha256sum < "$scratch/files" | awk '!seen[$1, substr($2, match($2, /[^.]*$/))]++ { print $2 }' > "$scratch/distinct"
xargs clang-format --dry-run -Werror < "$scratch/distinct"
# As reviewers want them, and so on machines whose programs policies write by themselves.
for hardware in hexagon-v68 x86-64-v4-vnni cortex-m55; do
  generate_all "$burin" "$hardware" "$scratch/trees/$hardware"
done
python3 tests/golden/readable.py "$scratch/trees" generated_examples
