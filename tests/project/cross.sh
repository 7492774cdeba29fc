#!/bin/bash
# The packages for 64-bit Arm: burin is built by the cross-compiler, packed, and the program of each package runs under
# qemu, without a library of its architecture, and makes the tree that the program of this machine makes. By hand: the
# build takes minutes.
#
#   cross.sh BURIN [BUILD_FOLDER]
#
# Needs g++-aarch64-linux-gnu, qemu-user and, after dpkg --add-architecture arm64, libprotobuf-dev:arm64 libfmt-dev:arm64
# libssl-dev:arm64 libpng-dev:arm64 libminizip-dev:arm64.
set -euo pipefail
here="$(realpath "${1:?the burin program of this machine}")"
cd "$(dirname "$0")/../.."
scratch="$(mktemp -d)"
trap 'rm -rf "$scratch"' EXIT
build="${2:-build/aarch64}"
fail() { echo "$*"; exit 1; }

cmake -S . -B "$build" -G Ninja --toolchain "$PWD/cmake/aarch64-linux-gnu.cmake" -DCMAKE_BUILD_TYPE=Release \
  -DCMAKE_CXX_FLAGS_RELEASE="-Og -DNDEBUG" -DBURIN_STATIC=ON -DBURIN_TESTS=OFF > "$scratch/log"
cmake --build "$build" > "$scratch/log" || fail "$(tail -n 30 "$scratch/log")"
cmake --build "$build" --target burin_wheel > "$scratch/log" || fail "$(cat "$scratch/log")"
cpack --config "$build/CPackConfig.cmake" -B "$scratch" > "$scratch/log" 2>&1 || fail "$(cat "$scratch/log")"
for package in "$scratch"/burin*.deb "$scratch"/burin*.tar.gz; do
  (cd "$scratch" && sha256sum --check --quiet "$(basename "$package").sha256") || fail "$package has another hash"
done
[ "$(dpkg-deb --field "$scratch"/burin*.deb Architecture)" = arm64 ] || fail "the .deb is for another architecture"
[[ "$(ls "$build"/burin-*.whl)" == *aarch64.whl ]] || fail "the wheel is for another architecture"
dpkg-deb --extract "$scratch"/burin*.deb "$scratch/deb"
mkdir "$scratch/tar" && tar -xzf "$scratch"/burin*aarch64*.tar.gz -C "$scratch/tar" --strip-components=1
python3 -m zipfile -e "$build"/burin-*.whl "$scratch/wheel"

"$here" generate tests/digits/digits.onnx --config cpp-generic -o "$scratch/tree" 2> /dev/null
find "$scratch/wheel" -name burin -type f -exec chmod +x {} +
programs="$(find "$scratch/deb" "$scratch/tar" "$scratch/wheel" -name burin -type f -path '*bin/*' ; find "$scratch/wheel" -name burin -type f)"
[ "$(sort -u <<< "$programs" | wc -l)" -ge 3 ] || fail "programs: $programs"
for program in $(sort -u <<< "$programs"); do
  file="$(od -An -tx1 -j18 -N2 "$program" | tr -d ' ')"
  [ "$file" = b700 ] || fail "$program is not for aarch64"
  rm -rf "$scratch/again"
  qemu-aarch64 -L "$scratch" "$program" generate tests/digits/digits.onnx --config cpp-generic -o "$scratch/again" 2> /dev/null ||
    fail "$program does not run"
  diff -r "$scratch/tree" "$scratch/again" || fail "$program makes another tree"
done
[ -s "$scratch/tar/share/man/man1/burin.1" ] || fail "no man page"
echo "aarch64: $(sort -u <<< "$programs" | wc -l) programs run and make the tree of this machine"
