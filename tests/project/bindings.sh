#!/bin/bash
# Bindings give the bits that the tree gives, and refuse what does not fit: Python in the suite; Rust and Java,
# whose tools are large, by hand.
#
#   bindings.sh BURIN [python] [rust] [java]
set -euo pipefail
burin="$(realpath "${1:?the burin program}")"
shift
here="$(realpath "$(dirname "$0")")"
cd "$here/../.."
scratch="$(mktemp -d)"
trap 'rm -rf "$scratch"' EXIT
fail() { echo "$*"; exit 1; }

# Numbers that a network can have: 3 images of 8 x 8; a matrix with zeros in it.
python3 - "$scratch" << 'PYTHON'
import struct
import sys
image = [((i * 37) % 129 - 64) / 64 for i in range(3 * 64)]
open(sys.argv[1] + "/image.raw", "wb").write(struct.pack("<192f", *image))
matrix = [i % 3 for i in range(4 * 5)]
open(sys.argv[1] + "/x.raw", "wb").write(struct.pack("<20f", *matrix))
# A file without a shape cannot say two sizes.
header = "{'descr': '<f4', 'fortran_order': False, 'shape': (4, 5), }".ljust(117) + "\n"
open(sys.argv[1] + "/x.npy", "wb").write(b"\x93NUMPY\x01\x00" + struct.pack("<H", len(header)) + header.encode() + struct.pack("<20f", *matrix))
PYTHON

# wanted MODEL OUTPUT FLAG...: the elements that the tree gives, in OUTPUT.wanted.
wanted() {
  local model="$1" output="$2"
  shift 2
  "$burin" run "$model" --config cpp-generic "$@" --output "$scratch/npy" > "$scratch/told"
  python3 -c 'import sys; b = open(sys.argv[1], "rb").read(); n = b[8] | b[9] << 8; sys.stdout.buffer.write(b[10 + n:])' \
    "$scratch/npy/$output.npy" > "$scratch/$output.wanted"
}

packages=()
for language in "$@"; do packages+=(--package "$language"); done
"$burin" generate tests/digits/digits.onnx --config cpp-generic --weights blob "${packages[@]}" --single-file -o "$scratch/digits" 2> /dev/null
wanted tests/digits/digits.onnx probabilities --input image="$scratch/image.raw"
cmake -S "$scratch/digits" -B "$scratch/build" -DCMAKE_CXX_FLAGS=-O1 > /dev/null
cmake --build "$scratch/build" --target digits > /dev/null
weights="$scratch/digits/weights/digits.bin"

# The same network as one of two of a tree, whose library and file of weights are those of the tree.
"$burin" generate tests/digits/digits.onnx tests/models/lstm/model.onnx --names digits,other --name both --config cpp-generic \
  --weights blob "${packages[@]}" -o "$scratch/both" 2> /dev/null
cmake -S "$scratch/both" -B "$scratch/build_both" -DCMAKE_CXX_FLAGS=-O1 > /dev/null
cmake --build "$scratch/build_both" --target both > /dev/null
number() { sed -n "s/^ *#define DIGITS_WEIGHTS_$1 //p" "$scratch/both/include/digits.h"; }
dd if="$scratch/both/weights/both.bin" of="$scratch/part.bin" bs=1 skip="$(number OFFSET)" count="$(number BYTES)" status=none
part="of weights/both.bin the bytes from $(number OFFSET), $(number BYTES) of them"

# Inputs and sizes that are words of these languages, or of the bindings; each size is called as its input is.
PYTHONPATH=tests/golden python3 - "$scratch/words.onnx" << 'PYTHON'
import sys
from system_names import model
words = "length fn unsafe gen self type native abstract in ctypes setattr tuple Tensor ValueError memoryview handle status context std".split()
open(sys.argv[1], "wb").write(model("words", [(word, "out_" + word, word) for word in words]))
PYTHON
"$burin" generate "$scratch/words.onnx" --config cpp-generic --name words "${packages[@]}" -o "$scratch/words" 2> /dev/null

# States: an input and an output that are one argument.
PYTHONPATH=tests/golden python3 "$here/bindings/states_model.py" "$scratch/states.onnx"
"$burin" generate "$scratch/states.onnx" --config cpp-generic --name states --dim past=0..31 --state p=q --state u=w \
  "${packages[@]}" -o "$scratch/states" 2> /dev/null
cmake -S "$scratch/states" -B "$scratch/build_states" -DCMAKE_CXX_FLAGS=-O1 > /dev/null
cmake --build "$scratch/build_states" --target states > /dev/null
refusals() { grep '^refused: ' "$scratch/told" | diff - <(printf 'refused: %s\n' "$@") || fail "other refusals"; }
shares=" shares memory with another argument"

for language in "$@"; do
  case "$language" in
    python)
      # shellcheck disable=SC2046
      c++ -std=c++17 -O0 -ffp-contract=off -shared -fPIC -I"$scratch/words/include" $(find "$scratch/words/src" -name '*.cpp') -o "$scratch/libwords.so"
      PYTHONPATH="$scratch/words/bindings/python" python3 - "$scratch/libwords.so" << 'PYTHON'
import array, sys, words
given = [array.array("f", [-1 - i] * (i + 1)) for i in range(19)]
got = words.Network(sys.argv[1]).run(*given)
for (name, tensor), one in zip(got.items(), given):
    assert list(tensor.data) == [-each for each in one] and tensor.shape == (len(one),), name
assert len(got) == len(given)
PYTHON
      cmake --build "$scratch/build" --target digits_shared > /dev/null
      python3 "$here/bindings/run.py" "$scratch/digits/bindings/python" digits "$scratch/build/libdigits.so" "$weights" \
        f 3,1,8,8 "$scratch/image.raw" "$scratch/" > "$scratch/told"
      cmp "$scratch/probabilities.raw" "$scratch/probabilities.wanted"
      grep -qx 'probabilities 3 10' "$scratch/told" || fail "$(cat "$scratch/told")"
      [ "$(grep -c '^refused: ' "$scratch/told")" = 2 ] || fail "$(cat "$scratch/told")"
      cmake --build "$scratch/build_both" --target both_shared > /dev/null
      python3 "$here/bindings/run.py" "$scratch/both/bindings/python" digits "$scratch/build_both/libboth.so" "$scratch/part.bin" \
        f 3,1,8,8 "$scratch/image.raw" "$scratch/part_" > "$scratch/told"
      cmp "$scratch/part_probabilities.raw" "$scratch/probabilities.wanted"
      grep -qF "$part" "$scratch/both/bindings/python/digits.py" || fail "the binding does not say which weights"
      # An output of dynamic size.
      "$burin" generate tests/models/nonzero/model.onnx --config cpp-generic --name found --package python -o "$scratch/found" 2> /dev/null
      wanted tests/models/nonzero/model.onnx where --input x="$scratch/x.npy"
      # shellcheck disable=SC2046
      c++ -std=c++17 -O1 -ffp-contract=off -shared -fPIC -I"$scratch/found/include" $(find "$scratch/found/src" -name '*.cpp') -o "$scratch/libfound.so"
      python3 "$here/bindings/run.py" "$scratch/found/bindings/python" found "$scratch/libfound.so" "" f 4,5 "$scratch/x.raw" "$scratch/found_" > "$scratch/told"
      cmp "$scratch/found_where.raw" "$scratch/where.wanted"
      cmake --build "$scratch/build_states" --target states_shared > /dev/null
      python3 "$here/bindings/states.py" "$scratch/states/bindings/python" "$scratch/build_states/libstates.so" > "$scratch/told"
      refusals "state p is read-only, and a run writes in it" "state p is read-only, and a run writes in it" \
        "state p has 12 bytes, 384 are needed" "state p is not contiguous" "u$shares, and a run writes in a state" \
        "u$shares, and a run writes in a state" "n$shares, and a run writes in a state"
      grep -qF 'state: p is the output q too: ' "$scratch/states/bindings/python/states.py" || fail "no word of states"
      ;;
    rust)
      crate="$scratch/digits/bindings/rust/digits/src/lib.rs"
      rustc --edition 2021 -D warnings --crate-type rlib --crate-name digits "$crate" -L "$scratch/build" -o "$scratch/libdigits.rlib"
      rustc --edition 2021 "$here/bindings/run.rs" --extern digits="$scratch/libdigits.rlib" -L "$scratch/build" -o "$scratch/run_rust"
      "$scratch/run_rust" "$weights" "$scratch/image.raw" "$scratch/rust.raw" > "$scratch/told"
      cmp "$scratch/rust.raw" "$scratch/probabilities.wanted"
      [ "$(grep -c '^refused: ' "$scratch/told")" = 3 ] || fail "$(cat "$scratch/told")"
      rustc --edition 2021 -D warnings --crate-type rlib --emit metadata "$scratch/words/bindings/rust/words/src/lib.rs" -o "$scratch/words.rmeta"
      crate="$scratch/both/bindings/rust/digits"
      grep -qF "$part" "$crate/src/lib.rs" || fail "the crate does not say which weights"
      rustc --edition 2021 -D warnings --crate-type rlib --crate-name digits "$crate/src/lib.rs" -L "$scratch/build_both" -o "$scratch/libdigits.rlib"
      rustc --edition 2021 "$here/bindings/run.rs" --extern digits="$scratch/libdigits.rlib" -o "$scratch/run_rust"
      "$scratch/run_rust" "$scratch/part.bin" "$scratch/image.raw" "$scratch/rust.raw" > "$scratch/told"
      cmp "$scratch/rust.raw" "$scratch/probabilities.wanted"
      with_states="$scratch/states/bindings/rust/states/src/lib.rs"
      rustc --edition 2021 -D warnings --crate-type rlib --crate-name states "$with_states" -L "$scratch/build_states" -o "$scratch/libstates.rlib"
      rustc --edition 2021 -D warnings "$here/bindings/states.rs" --extern states="$scratch/libstates.rlib" -o "$scratch/states_rust"
      "$scratch/states_rust" > "$scratch/told"
      refusals "state p has 95 elements, 96 are needed"
      grep -q 'state: .state_p. is an input and the output q: ' "$with_states" || fail "no word of states"
      # What builds it finds the library by itself: in another crate, which is nowhere near the tree.
      rustc --edition 2021 -D warnings "$crate/build.rs" -o "$scratch/build_rs"
      if command -v cargo > /dev/null; then
        mkdir -p "$scratch/app/src"
        cp "$here/bindings/run.rs" "$scratch/app/src/main.rs"
        printf '%s\n' '[package]' 'name = "app"' 'version = "0.1.0"' 'edition = "2021"' '[dependencies]' "digits = { path = \"$crate\" }" > "$scratch/app/Cargo.toml"
        (cd "$scratch/app" && cargo run --offline --quiet -- "$scratch/part.bin" "$scratch/image.raw" "$scratch/cargo.raw") > "$scratch/told"
        cmp "$scratch/cargo.raw" "$scratch/probabilities.wanted"
      fi
      ;;
    java)
      JAVA_HOME="${JAVA_HOME:-$(dirname "$(dirname "$(readlink -f "$(command -v javac)")")")}"
      export JAVA_HOME
      cmake -S "$scratch/digits" -B "$scratch/java" -DCMAKE_CXX_FLAGS=-O1 -DCMAKE_C_FLAGS="-Wall -Wextra -Werror" > /dev/null
      cmake --build "$scratch/java" --target digits_java > /dev/null
      mkdir "$scratch/classes"
      javac -Xlint:all -Werror -h "$scratch/headers" -d "$scratch/classes" "$scratch/digits/bindings/java/burin/digits/Network.java"
      javac -Xlint:all -Werror -d "$scratch/words_classes" "$scratch/words/bindings/java/burin/words/Network.java"
      javac -cp "$scratch/classes" -d "$scratch/classes" "$here/bindings/Run.java"
      # The functions have the names that a JDK looks for.
      for name in $(grep -oh 'Java_[A-Za-z0-9_]*' "$scratch"/headers/*.h | sort -u); do
        nm -D --defined-only "$scratch/java/libdigits_jni.so" | grep -q " $name$" || fail "no function $name"
      done
      java -Xcheck:jni -cp "$scratch/classes" -Djava.library.path="$scratch/java" Run "$weights" "$scratch/image.raw" "$scratch/java.raw" > "$scratch/told"
      cmp "$scratch/java.raw" "$scratch/probabilities.wanted"
      [ "$(grep -c '^refused: ' "$scratch/told")" = 3 ] || fail "$(cat "$scratch/told")"
      grep -q 'WARNING' "$scratch/told" && fail "$(cat "$scratch/told")"
      cmake -S "$scratch/states" -B "$scratch/java_states" -DCMAKE_CXX_FLAGS=-O1 -DCMAKE_C_FLAGS="-Wall -Wextra -Werror" > /dev/null
      cmake --build "$scratch/java_states" --target states_java > /dev/null
      network="$scratch/states/bindings/java/burin/states/Network.java"
      javac -Xlint:all -Werror -d "$scratch/states_classes" "$network" "$here/bindings/States.java"
      java -Xcheck:jni -cp "$scratch/states_classes" -Djava.library.path="$scratch/java_states" States > "$scratch/told"
      refusals "state p is read-only, and a run writes in it" "output s is read-only, and a run writes in it" \
        "state p has 12 bytes, 384 are needed" "state u$shares" "state p$shares" "output t$shares"
      grep -qF 'state: state_p is an input and the output q: ' "$network" || fail "no word of states"
      grep -q 'WARNING' "$scratch/told" && fail "$(cat "$scratch/told")"
      ;;
    *) fail "no language $language" ;;
  esac
  echo "$language: the same bits"
done
