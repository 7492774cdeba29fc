#!/bin/bash
# Trees of one name and different content do not link into one program as static libraries, from C and from C++ and
# in whatever order; as shared libraries each caller gets its own. One tree that is given twice is one. The functions
# are there under their plain names too.
#
#   tests/golden/one_name.sh BURIN
set -euo pipefail
burin="$(realpath "${1:?the burin program}")"
cd "$(dirname "$0")/../.."
scratch="$(mktemp -d)"
trap 'rm -rf "$scratch"' EXIT
status=0
mkdir "$scratch/recorder"
g++ -std=c++17 -O1 -shared -fPIC -Wall -Wextra -Werror -o "$scratch/recorder/libOpenCL.so.1" tests/opencl/recorder.cpp

fail() {
  echo "$1"
  status=1
}

# tree FOLDER CONFIG BATCH FLAGS...: its libraries, and what calls it, in C and in C++.
tree() {
  local all="$scratch/$2/$1" source
  "$burin" generate tests/models/softmax_sym/model.onnx --config "configs/$2.json" --name net -o "$all" \
    --dim "batch=1..$3@1" --dim rows=1..4 --dim cols=1..4 > /dev/null 2>&1
  mkdir "$all/objects"
  for source in $(cd "$all/src" && find . -name '*.cpp'); do
    g++ -std=c++17 -O1 -fPIC -I"$all/include" -c "$all/src/$source" -o "$all/objects/$(basename "$source").o"
  done
  ar rcs "$all/libnet.a" "$all/objects"/*.o
  g++ -shared -Wl,-Bsymbolic -o "$all/libnet_$1.so" "$all/objects"/*.o -ldl
  gcc -std=c11 -pedantic -Wall -Wextra -Werror "${@:4}" "-DCALLER=$1" "-DBATCH=$3" -I"$all/include" -c tests/golden/one_name.c -o "$all/caller_c.o"
  g++ -x c++ -std=c++17 -Wall -Wextra -Werror "${@:4}" "-DCALLER=$1" "-DBATCH=$3" -I"$all/include" -c tests/golden/one_name.c -o "$all/caller_cpp.o"
}

# pair CONFIG FLAGS...: two trees, which take batches of 2 and of 5.
pair() {
  local config="$1" all="$scratch/$1" language order callers first second name
  tree one "$config" 2 "${@:2}"
  tree other "$config" 5 "${@:2}"
  printf '%s\n' "int one(void);" "int other(void);" "int main(void) { return one() != 0 ? 1 : other() != 0 ? 2 : 0; }" > "$all/both.c"
  printf '%s\n' "int one(void);" "int main(void) { return one() != 0; }" > "$all/alone.c"
  gcc -c "$all/both.c" -o "$all/both.o"
  gcc -c "$all/alone.c" -o "$all/alone.o"
  cp "$all/one/libnet.a" "$all/one/libagain.a"
  for language in c cpp; do
    callers=("$all/one/caller_$language.o" "$all/other/caller_$language.o")
    for order in "one other" "other one"; do
      first="${order% *}" second="${order#* }"
      if g++ "$all/both.o" "${callers[@]}" "$all/$first/libnet.a" "$all/$second/libnet.a" -ldl -o "$all/program" 2> "$all/log"; then
        fail "$config, $language, $order: static libraries of two trees link"
      else
        grep -q "multiple definition of .net_run'" "$all/log" || fail "$config, $language, $order: $(head -n 3 "$all/log")"
      fi
      g++ "$all/both.o" "${callers[@]}" -L"$all/$first" -L"$all/$second" "-lnet_$first" "-lnet_$second" -ldl -o "$all/program"
      LD_LIBRARY_PATH="$all/one:$all/other:$scratch/recorder" "$all/program" ||
        fail "$config, $language, $order: shared libraries are taken for each other"
    done
    g++ "$all/alone.o" "${callers[0]}" "$all/one/libnet.a" "$all/one/libagain.a" -ldl -o "$all/program"
    LD_LIBRARY_PATH="$scratch/recorder" "$all/program" || fail "$config, $language: one tree, given twice, does not run"
  done
  nm --defined-only "$all/one/libnet.a" > "$all/names" 2> /dev/null
  for name in arena_bytes init run strerror explain; do
    grep -q " T net_$name$" "$all/names" || fail "$config: net_$name is not there"
  done
}

pair cpp-generic
pair opencl-generic -DOPENCL
exit "$status"
