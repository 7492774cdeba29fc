#!/bin/bash
# zoo_programs.sh ZOO [NAME...]: the kernels of networks of a zoo folder (materialize.py and models/), each as its
# schedule's program: run_loops() beside the interpreter, element by element, in one process without a compiler. A line
# for each network. Without names: those of less than half a billion multiply-adds. Needs python3 with numpy, onnx and onnxruntime.
set -euo pipefail
cd "$(dirname "$0")/../.."
zoo=$1
shift
[ $# -gt 0 ] || set -- lstm_tagger squeezenet1_1 mobilenetv2 mobilenetv3_large efficientnet_b0 mobilenetv2_qop_int8 mobilenetv3_large_int8
cache=${CACHE:-build/zoo}
${PYTHON:-python3} "$zoo/materialize.py" "$@" --out "$cache" --expected > /dev/null
networks=
for name in "$@"; do networks+=${networks:+:}$(realpath "$cache/$name"); done
BURIN_NETWORKS=$networks "${TESTS:-build/release/tests}/burin_differential_tests" --gtest_filter='*NetworkPrograms*'
