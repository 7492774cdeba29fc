#!/bin/bash
# A shared library that holds a tree shows its interface and nothing else; two trees in one program have
# a pool of threads each.
#
#   tests/golden/visibility.sh BURIN
set -euo pipefail
burin="$(realpath "${1:?the burin program}")"
cd "$(dirname "$0")/../.."
scratch="$(mktemp -d)"
trap 'rm -rf "$scratch"' EXIT
status=0

# shows CONFIG NAMES FLAGS...: what a linker sees of the tree is what its headers declare.
shows() {
  local config="$1" names="$2" tree="$scratch/$1" compiler
  shift 2
  rm -rf "$tree"
  "$burin" generate "$@" --config "$config" -o "$tree" 2> /dev/null
  for header in $(find "$tree/include" -name '*.h' -not -name '*_content.h'); do
    grep -oE "\b($names)_[a-z_]+\(" "$header" | tr -d '(' || true
    # The name that carries the tree's content, which a macro gives the function.
    content="$(sed -nE 's/^#define [A-Z0-9_]+_CONTENT\(front\) front##([0-9a-f]{12})$/\1/p' "${header%.h}_content.h")"
    grep -oE "_CONTENT\(($names)_[a-z_]+_\)$" "$header" | sed "s/^_CONTENT(//; s/)\$/$content/"
  done | sort -u > "$scratch/declared"
  [ "$(wc -l < "$scratch/declared")" -ge 5 ]
  for compiler in g++ clang++; do
    # -O0: whatever compilers could inline is there.
    "$compiler" -std=c++17 -O0 -fPIC -shared -ffp-contract=off -fno-exceptions -fno-rtti -fvisibility=hidden \
      ${flags:-} -I"$tree/include" $(find "$tree/src" -name '*.cpp') -o "$tree/tree.so"
    nm -D --defined-only "$tree/tree.so" | awk '$2 != "A" { print $3 }' | grep -vxE '_init|_fini|_edata|_end|__bss_start' | sort -u > "$scratch/shown"
    diff "$scratch/declared" "$scratch/shown" || { echo "$config by $compiler shows other names than its header"; status=1; }
    # Kernels and weights are hidden without the flag, too.
    "$compiler" -std=c++17 -O1 -fPIC -shared -ffp-contract=off ${flags:-} -I"$tree/include" $(find "$tree/src" -name '*.cpp') -o "$tree/tree.so"
    if nm -D --defined-only "$tree/tree.so" | grep -E '_(kernels|memory)'; then
      echo "$config by $compiler shows kernels"
      status=1
    fi
  done
}
shows cpp-generic digits tests/digits/digits.onnx --name digits --weights embed
flags='-mavx2 -mfma -mf16c' shows x86-64-v3 one tests/models/attention/model.onnx --name one
shows opencl-generic 'both|lstm|softmax' tests/models/{branches,softmax_sym}/model.onnx --names lstm,softmax --name both

# Two pools of two trees in one program.
for name in one two; do
  "$burin" generate tests/digits/digits.onnx --config x86-64-v3 --name "$name" -o "$scratch/$name" 2> /dev/null
  g++ -std=c++17 -O1 -Wall -Wextra -Wconversion -Werror -c "$scratch/$name/threads/${name}_threads.cpp" -o "$scratch/$name.o"
done
cat > "$scratch/main.c" <<'C'
#include <stdatomic.h>

#include "one_threads.h"
#include "two_threads.h"

static atomic_int total;
static void add(void* data, int64_t begin, int64_t end, int32_t worker) {
  (void)worker;
  atomic_fetch_add(&total, (int)(end - begin) * *(int*)data);
}

int main(void) {
  one_threads* first = one_threads_create(2);
  two_threads* second = two_threads_create(3);
  int weight = 1;
  one_threads_parallel_for(first, 100, add, &weight);
  weight = 1000;
  two_threads_parallel_for(second, 100, add, &weight);
  const int counts = one_threads_count(first) * 10 + two_threads_count(second);
  one_threads_destroy(first);
  two_threads_destroy(second);
  return total == 100100 && counts == 23 ? 0 : 1;
}
C
gcc -std=c11 -Wall -Wextra -Werror -I"$scratch/one/threads" -I"$scratch/two/threads" -c "$scratch/main.c" -o "$scratch/main.o"
g++ "$scratch/main.o" "$scratch/one.o" "$scratch/two.o" -pthread -o "$scratch/pools"
"$scratch/pools" || { echo "two pools in one program disturb each other"; status=1; }
exit "$status"
