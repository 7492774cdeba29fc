#!/bin/bash
# The programs of examples/ build as they say, and print what burin's interpreter says.
#
#   examples.sh BURIN
set -euo pipefail
burin="$(realpath "${1:?the burin program}")"
cd "$(dirname "$0")/../.."
scratch="$(mktemp -d)"
trap 'rm -rf "$scratch"' EXIT
status=0

# build EXAMPLE: by the commands at the top of its main.c.
build() {
  mkdir "$scratch/$1"
  cp "examples/$1/main.c" "examples/$1"/*.onnx "$scratch/$1/"
  (cd "$scratch/$1" && PATH="$(dirname "$burin"):$PATH" && sed -n '1,3s,^// ,,p' main.c | sed 's/ && \.\/.*//; s/^cc /cc -Wall -Wextra -Werror /' > steps && [ "$(wc -l < steps)" = 3 ] &&
    bash -e steps 2> log) || { cat "$scratch/$1/log"; exit 1; }
}

build keyword_spotter
cd "$scratch/keyword_spotter"
python3 - << 'PYTHON'
import struct
numbers = [((i * 7919) % 257 - 128) / 32 for i in range(89 * 10)]
open("features.raw", "wb").write(struct.pack("<890f", *numbers))
for k in range(5):
    open("window%d.raw" % k, "wb").write(struct.pack("<490f", *numbers[k * 100:k * 100 + 490]))
PYTHON
./spotter features.raw > said
for k in 0 1 2 3 4; do
  "$burin" run kws.onnx --input mfcc="window$k.raw" | sed -n 's/.* which is element \([0-9]*\)$/\1/p'
done > wanted
diff said wanted || status=1
cd - > /dev/null

build chat
cd "$scratch/chat"
# Its self-test draws the cache, which has more elements than text has room for.
cc -std=c99 -Itree/include tree/test/self_test.c -c -o self_test.o
c++ ./*.o -o self_test
./self_test tree/weights/chat.bin | grep -x "chat: [1-9][0-9]* runs, 0 failures" || status=1
./chat tree/weights/chat.bin 3 6 > said
python3 - << 'PYTHON'
import struct
for name in ("k", "v"):
    header = "{'descr': '<f4', 'fortran_order': False, 'shape': (1, 4, 0, 16), }".ljust(117) + "\n"
    open(name + ".npy", "wb").write(b"\x93NUMPY\x01\x00" + struct.pack("<H", len(header)) + header.encode())
PYTHON
token=3
for _ in 1 2 3 4 5 6; do
  echo "$token" > ids.csv
  token="$("$burin" run tinylm.onnx --dim seq=1 --dim past=0..255 --input ids=ids.csv --input past_k=k.npy --input past_v=v.npy -o next |
    sed -n "/^'logits'/,/^  from/s/.* which is element \([0-9]*\)$/\1/p")"
  cp next/present_k.npy k.npy
  cp next/present_v.npy v.npy
  echo "$token"
done > wanted
diff said wanted || status=1
cd - > /dev/null
[ "$(sort -u "$scratch/chat/wanted" | wc -l)" -gt 1 ] || { echo "the decoder says one token only"; status=1; }

# The README shows the program that is here.
sed -n '/^```c$/,/^```$/p' README.md | sed '1d;$d' | diff - examples/keyword_spotter/main.c || { echo "the README shows another program"; status=1; }
[ "$(wc -l < README.md)" -le 150 ] || { echo "the README is longer than a page"; status=1; }
exit "$status"
