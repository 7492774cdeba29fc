#!/bin/bash
# From a clean Debian 12 to a recognised digit: installs what burin needs, builds it, generates a source
# tree from the trained network in tests/digits, builds that tree with nothing but a compiler, and runs it
# on the 450 test images. Prints accuracy, time per image, arena and code size.
set -euo pipefail
cd "$(dirname "$0")"
. .ci/packages.sh
out=build/demo
tree=$out/digits

install_missing "${build_packages[@]}" binutils

echo "== build burin"
mkdir -p $out
cmake --preset release -DBURIN_TESTS=OFF -Wno-dev ${BURIN_WARNINGS_AS_ERRORS:+"-DBURIN_WARNINGS_AS_ERRORS=$BURIN_WARNINGS_AS_ERRORS"} >$out/configure.log 2>&1 || { cat $out/configure.log; exit 1; }
cmake --build --preset release --target burin
burin=build/release/generator/burin

config=x86-64-v3
for feature in avx2 fma bmi2 f16c movbe; do
  grep -qw $feature /proc/cpuinfo || config=cpp-generic
done

echo "== generate a tree from tests/digits/digits.onnx for $config"
generate=($burin generate tests/digits/digits.onnx --name digits
  --config "configs/$config.json" --dim "batch=1..32@1" --weights blob --output "$tree")
echo "${generate[*]}"
"${generate[@]}"

echo "== build the tree with a plain compiler"
objects=$out/objects
rm -rf $objects && mkdir -p $objects
read -ra flags < <(cmake -DMANIFEST=$tree/manifest.json -P tests/digits/build_flags.cmake)
sources=$(find $tree/src -name '*.cpp' | LC_ALL=C sort)
for source in $sources; do
  echo "c++ ${flags[*]} -I$tree/include -c ${source#"$tree"/}"
  c++ "${flags[@]}" -I$tree/include -c "$source" -o "$objects/$(basename "$source" .cpp).o"
done
c++ -std=c++17 -O2 -I$tree/include tests/digits/demo_main.cpp $objects/*.o -o $out/digits_demo

echo "== run it on the test images"
code_bytes=$(size $objects/*.o | awk 'NR > 1 { sum += $1 } END { print sum }')
$out/digits_demo tests/digits $tree/weights/digits.bin "$code_bytes"
