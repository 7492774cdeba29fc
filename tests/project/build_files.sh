#!/bin/bash
# Build files of other systems name every source of a tree and nothing else; where the tool is here, they build, and
# the self-test passes. One source is the same library as all of them.
#
#   build_files.sh BURIN
set -euo pipefail
burin="$(realpath "${1:?the burin program}")"
cd "$(dirname "$0")/../.."
scratch="$(mktemp -d)"
trap 'rm -rf "$scratch"' EXIT
tree="$scratch/tree"
fail() { echo "$*"; exit 1; }

"$burin" generate tests/models/lstm/model.onnx --config cpp-generic --name lstm --weights blob -o "$tree" --single-file \
  --package android --package esp-idf --package zephyr --package platformio --package bazel --package make 2> /dev/null

python3 - "$tree" << 'PYTHON'
import ast, json, re, sys
tree = sys.argv[1] + "/"
sources = json.load(open(tree + "manifest.json"))["build"]["sources"]

def text(path):
    return open(tree + path).read()

def same(path, found):
    if sorted(found) != sorted(sources):
        sys.exit("%s names %s, the manifest %s" % (path, found, sources))

same("Android.bp", re.findall(r'^ +"(src/[^"]*\.cpp)",$', text("Android.bp"), re.M))
assert "max-page-size=16384" in text("Android.bp")
assert "abiFilters" not in text("android/build.gradle") and "arch:" not in text("Android.bp")
same("sources.mk", re.findall(r"^ +(src/\S+\.cpp) \\$", text("sources.mk"), re.M))
same("zephyr/CMakeLists.txt", re.findall(r"\.\./(src/\S+\.cpp)", text("zephyr/CMakeLists.txt")))
# Bazel's language is a part of Python's.
calls = {call.func.id: {one.arg: one.value for one in call.keywords} for call in ast.walk(ast.parse(text("BUILD.bazel")))
         if isinstance(call, ast.Call)}
same("BUILD.bazel", [one for one in ast.literal_eval(calls["cc_library"]["srcs"]) if one.endswith(".cpp")])
assert ast.literal_eval(calls["cc_test"]["data"]) == ["weights/lstm.bin"]
# Tests run at the top of a workspace, wherever in it the tree lies.
assert ast.literal_eval(calls["cc_test"]["args"]) == ["$(rootpath weights/lstm.bin)"]
library = json.loads(text("library.json"))
assert library["build"]["srcFilter"] == ["+<%s>" % s[len("src/"):] for s in sources], library["build"]["srcFilter"]
same("library.json", [one for one in sources if re.fullmatch(r"src/(kernels/)?[^/]*\.cpp", one)])
for path in ("idf_component.yml", "zephyr/module.yml"):
    for line in text(path).splitlines():
        assert re.fullmatch(r'(  )?[a-z_]+:( \S.*)?|# .*', line), line
PYTHON

# Soong builds for machines that do not know another's flags.
"$burin" generate tests/models/lstm/model.onnx --config armv8-neoverse-n1 --name native -o "$scratch/arm" --package android 2> /dev/null
python3 - "$scratch/arm" << 'PYTHON'
import re, sys
text = open(sys.argv[1] + "/Android.bp").read()
everywhere, arm = re.fullmatch(r".*\n    cflags: \[\n(.*?)    \],\n    arch: \{\n        arm64: \{\n(.*?)\n        \},\n    \},\n.*", text, re.S).groups()
assert re.findall('"(.*)"', arm) == ["-mcpu=neoverse-n1"], arm
assert "-O3" in everywhere and '"-m' not in everywhere, everywhere
# A name that is a word of Java and Groovy.
gradle = open(sys.argv[1] + "/android/build.gradle").read()
assert "namespace 'burin.native_'" in gradle and "create('native') {" in gradle and "abiFilters 'arm64-v8a'" in gradle, gradle
PYTHON

# The flags come back, whatever their order.
"$burin" regenerate "$tree" tests/models/lstm/model.onnx --check || fail "regenerate makes another tree"

# What there is not is said.
refused() {
  local line="$1"
  shift
  ! "$burin" generate "$@" -o "$scratch/none" 2> "$scratch/log" || fail "taken: $*"
  grep -qF "$line" "$scratch/log" && [ ! -e "$scratch/none" ] || fail "$(cat "$scratch/log")"
}
refused 'there is no binding for python of a tree for a device [package]' tests/models/relu_sym/model.onnx --config pocl --package python
refused 'one source holds one network, not 2 [package]' tests/models/lstm/model.onnx tests/models/softmax_sym/model.onnx --names a,b \
  --config cpp-generic --single-file

# What CMake calls in the place of ESP-IDF and Zephyr is given files that are there.
cat > "$scratch/CMakeLists.txt" << 'CMAKE'
cmake_minimum_required(VERSION 3.16)
project(stand_in LANGUAGES CXX)
set(ESP_PLATFORM 1)
set(CONFIG_BURIN_LSTM 1)
function(idf_component_register)
  cmake_parse_arguments(of "" "" "SRCS;INCLUDE_DIRS" ${ARGN})
  set(COMPONENT_LIB by_idf PARENT_SCOPE)
  add_library(by_idf STATIC ${of_SRCS})
  target_include_directories(by_idf PUBLIC ${of_INCLUDE_DIRS})
endfunction()
function(zephyr_library_named name)
  add_library(by_zephyr STATIC)
endfunction()
function(zephyr_library_sources)
  target_sources(by_zephyr PRIVATE ${ARGN})
endfunction()
function(zephyr_include_directories)
  target_include_directories(by_zephyr PUBLIC ${ARGN})
endfunction()
function(zephyr_library_compile_options)
  target_compile_options(by_zephyr PRIVATE ${ARGN})
endfunction()
add_subdirectory(tree)
add_subdirectory(tree/zephyr)
CMAKE
cmake -S "$scratch" -B "$scratch/build" > /dev/null
cmake --build "$scratch/build" -j2 > /dev/null

cat > "$scratch/Makefile" << 'MAKE'
include tree/sources.mk
liblstm.a: $(LSTM_SOURCES:$(LSTM_DIR)/%.cpp=objects/%.o)
	$(AR) rcs $@ $^
objects/%.o: $(LSTM_DIR)/%.cpp
	mkdir -p $(@D) && $(CXX) $(LSTM_CXXFLAGS) -c $< -o $@
MAKE
make -s -j2 -C "$scratch" liblstm.a
"$burin" configs cpp-generic > /dev/null
g++ -std=c++17 -O1 -ffp-contract=off -fno-exceptions -fno-rtti -fvisibility=hidden -Wall -Wextra -Werror -c "$tree/single/lstm.cpp" -o "$scratch/single.o"
for library in "$scratch/liblstm.a" "$scratch/single.o" "$scratch/build/tree/libby_idf.a" "$scratch/build/tree/zephyr/libby_zephyr.a"; do
  gcc -I"$tree/include" -I"$tree/test" "$tree/test/self_test.c" "$library" -lm -o "$scratch/self_test"
  "$scratch/self_test" "$tree/weights/lstm.bin" > "$scratch/log" || fail "$library: $(cat "$scratch/log")"
done

# No build leaves anything in the folders of the tree.
"$burin" regenerate "$tree" tests/models/lstm/model.onnx --check || fail "builds have changed the tree"
