#!/bin/bash
# Every size of every model, fixed to 0 and to 1, from 0 on, and up to 2: a tree, or a refusal that
# says why. Never an internal error, and never a crash.
#
#   tests/golden/dims.sh BURIN [EVERY]      one model of so many; default: all of them
set -euo pipefail
burin="$(realpath "${1:?the burin program}")"
every="${2:-1}"
cd "$(dirname "$0")/../.."
scratch="$(mktemp -d)"
trap 'rm -rf "$scratch"' EXIT
status=0 tried=0 number=0
for model in tests/digits/digits.onnx tests/models/*/model.onnx; do
  number=$((number + 1))
  [ $((number % every)) = 0 ] || continue
  # A name that no size has is refused with those that there are.
  names="$("$burin" analyze "$model" --config configs/cpp-generic.json --dim no_such_size=1 2>&1 > /dev/null |
    sed -n "s/.*the model has: //p" | tr -d "' " | tr ',' '\n' | grep -vxF ... || true)"
  for name in $names; do
    for value in 0 1 0.. ..2; do
      rc=0
      "$burin" generate "$model" --config configs/cpp-generic.json --dim "$name=$value" -o "$scratch/tree" > /dev/null 2> "$scratch/log" || rc=$?
      if [ "$rc" -gt 1 ]; then
        echo "$model --dim $name=$value: exit code $rc, $(tail -n 1 "$scratch/log")"
        status=1
      fi
      rm -rf "$scratch/tree"
      tried=$((tried + 1))
    done
  done
done
[ "$tried" -gt $((200 / every)) ] || { echo "only $tried sizes were found"; status=1; }
exit "$status"
