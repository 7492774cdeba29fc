#!/bin/bash
# Writes the trees of generated_examples/ as examples.txt lists them.
#
#   tests/golden/update.sh BURIN [--check]     --check: writes nothing, fails when one differs
set -euo pipefail
burin="$(realpath "${1:?the burin program}")"
shift
cd "$(dirname "$0")/../.."
status=0
while read -r folder models hardware flags; do
  # Nothing of an older tree stays, whoever wrote it.
  [ $# -gt 0 ] || rm -rf "generated_examples/$folder"
  # shellcheck disable=SC2086  # several words each
  "$burin" generate ${models//,/ } $flags --config "configs/$hardware.json" -o "generated_examples/$folder" "$@" || status=1
done < <(grep -v '^#' tests/golden/examples.txt)
[ "$status" = 0 ] || echo "run tests/golden/update.sh and look at the difference"
exit "$status"
