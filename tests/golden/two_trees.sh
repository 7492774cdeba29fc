#!/bin/bash
# Trees of two releases in one program do not take each other's functions, whichever comes first, and linkers that
# look at types find no two of one name.
#
#   tests/golden/two_trees.sh BURIN
set -euo pipefail
burin="$(realpath "${1:?the burin program}")"
cd "$(dirname "$0")/../.."
scratch="$(mktemp -d)"
trap 'rm -rf "$scratch"' EXIT
mkdir "$scratch/recorder"
g++ -std=c++17 -O1 -g -shared -fPIC -Wall -Wextra -Werror -o "$scratch/recorder/libOpenCL.so.1" tests/opencl/recorder.cpp

# both CONFIG FLAGS...
both() {
  local all="$scratch/$1" config="$1"
  shift
  for name in older newer; do
    "$burin" generate tests/models/softmax_sym/model.onnx --config "configs/$config.json" --name "$name" -o "$all/$name"
  done
  # What another release may have otherwise: fields in front of those of this one.
  sed -i 's/^struct Line {$/&\n  int64_t of_the_older_release[4] = {};/; s/^  Line line = {text,/  Line line = {{}, text,/' \
    "$all/older/src/rt/fault.h"
  [ ! -e "$all/older/src/rt/opencl" ] ||
    sed -i 's/^struct Device {$/&\n  int64_t of_the_older_release[4];/; s/^  burin_rt::Line line = {meaning,/  burin_rt::Line line = {{}, meaning,/' \
      "$all/older/src/rt/opencl/"{context,errors}.h
  grep -q of_the_older_release "$all/older/src/rt/fault.h"
  for how in -O0 "-O2 -flto -Werror=odr -Werror=lto-type-mismatch"; do
    rm -rf "$all/objects"
    mkdir "$all/objects"
    for name in older newer; do
      # shellcheck disable=SC2086  # several words
      for source in $(cd "$all/$name/src" && find . -name '*.cpp'); do
        g++ -std=c++17 $how -Wall -Wextra -Wconversion -Werror -I"$all/$name/include" -c "$all/$name/src/$source" \
          -o "$all/objects/$name.$(basename "$source").o"
      done
    done
    # shellcheck disable=SC2086
    gcc -std=c11 $how -pedantic -Wall -Wextra -Werror "$@" -I"$all/older/include" -I"$all/newer/include" -c tests/golden/two_trees.c -o "$all/main.o"
    for order in "older newer" "newer older"; do
      # shellcheck disable=SC2086
      g++ $how "$all/main.o" "$all/objects/${order% *}".*.o "$all/objects/${order#* }".*.o -ldl -o "$all/program"
      LD_LIBRARY_PATH="$scratch/recorder" "$all/program" || { echo "$config $how, $order"; exit 1; }
    done
  done
}
both cpp-generic
both opencl-generic -DOPENCL
