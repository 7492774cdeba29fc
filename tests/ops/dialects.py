#!/usr/bin/env python3
"""Holds burin against onnxruntime on what exporters write and tidy models do not have: initializers that are
inputs (IR version 3), constants as nodes, nodes without names or with equal ones, optional operands left out,
empty tensors, scalars, dead and duplicate nodes, values listed twice as outputs, inputs and initializers that are
outputs, retired operators, local functions with defaults, sequences and optionals.

    python3 tests/ops/dialects.py BURIN [--only NAME] [--keep FOLDER] [--config FILE]

Needs onnx, onnxruntime and numpy. Exit code 1 when a model is refused or differs.
"""
import argparse
import json
import os
import shutil
import subprocess
import sys
import tempfile

import numpy as np
import onnx
import onnxruntime
from onnx import TensorProto, helper, numpy_helper

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
F, I, B = TensorProto.FLOAT, TensorProto.INT64, TensorProto.BOOL
onnxruntime.set_default_logger_severity(4)
random = np.random.RandomState(5)
CASES = {}


def real(*shape):
    return random.standard_normal(shape).astype(np.float32)


def long(*values):
    return np.array(values, np.int64)


def node(op, inputs, outputs, domain="", name=None, **attributes):
    return helper.make_node(op, inputs, outputs, name=name, domain=domain, **attributes)


def info(name, array, shape=None):
    kind = helper.np_dtype_to_tensor_dtype(array.dtype)
    return helper.make_tensor_value_info(name, kind, array.shape if shape is None else shape)


def case(function):
    CASES[function.__name__] = function
    return function


class Model:
    """What a case says: nodes, inputs with their data, initializers, outputs by name."""

    def __init__(self, nodes, inputs, outputs, constants=None, opset=17, ir=8, listed=False, functions=(),
                 microsoft=False, shapes=None, oracle=None, renamed=False):
        self.nodes, self.inputs, self.outputs, self.constants = nodes, inputs, outputs, constants or {}
        self.opset, self.ir, self.listed, self.functions = opset, ir, listed, functions
        self.microsoft, self.shapes, self.oracle = microsoft, shapes or {}, oracle
        self.renamed = renamed  # onnxruntime gets other names of nodes

    def proto(self, outputs):
        infos = [info(n, a, self.shapes.get(n)) for n, a in self.inputs.items()]
        if self.listed:
            infos += [info(n, a) for n, a in self.constants.items()]
        graph = helper.make_graph(self.nodes, "dialect", infos, [onnx.ValueInfoProto(name=n) for n in outputs],
                                  [numpy_helper.from_array(a, n) for n, a in self.constants.items()])
        opsets = [helper.make_opsetid("", self.opset)]
        if self.microsoft:
            opsets.append(helper.make_opsetid("com.microsoft", 1))
        if self.functions:
            opsets.append(helper.make_opsetid("local", 1))
        return helper.make_model(graph, opset_imports=opsets, ir_version=self.ir, functions=list(self.functions))

    def expected(self):
        if self.oracle:
            return self.oracle(**self.inputs)
        made = [n for n in dict.fromkeys(self.outputs) if n not in self.inputs and n not in self.constants]
        options = onnxruntime.SessionOptions()
        options.graph_optimization_level = onnxruntime.GraphOptimizationLevel.ORT_DISABLE_ALL
        proto = self.proto(made)
        for k, one in enumerate(proto.graph.node if self.renamed else []):
            one.name = f"{one.name}{k}"
        session = onnxruntime.InferenceSession(proto.SerializeToString(), options,
                                               providers=["CPUExecutionProvider"])
        results = dict(zip(made, session.run(None, self.inputs)), **self.inputs, **self.constants)
        flat = []
        for name in self.outputs:
            flat += results[name] if isinstance(results[name], list) else [results[name]]
        return flat

    def save(self, folder):
        data = os.path.join(folder, "test_data_set_0")
        os.makedirs(data)
        expected = self.expected()
        write(os.path.join(folder, "model.onnx"), self.proto(self.outputs))
        for kind, arrays in (("input", list(self.inputs.values())), ("output", expected)):
            for k, array in enumerate(arrays):
                write(os.path.join(data, f"{kind}_{k}.pb"), numpy_helper.from_array(np.asarray(array), f"{kind}{k}"))


def write(path, message):
    with open(path, "wb") as out:
        out.write(message.SerializeToString(deterministic=True))


@case
def initializers_are_inputs():
    return Model([node("MatMul", ["x", "w"], ["h"]), node("Add", ["h", "b"], ["y"])], {"x": real(2, 3)}, ["y"],
                 {"w": real(3, 4), "b": real(4)}, opset=8, ir=3, listed=True)


@case
def constants_are_nodes():
    return Model([node("Constant", [], ["w"], value=numpy_helper.from_array(real(3, 4))),
                  node("Constant", [], ["k"], value_float=1.5), node("Constant", [], ["s"], value_ints=[4, -1]),
                  node("MatMul", ["x", "w"], ["h"]), node("Mul", ["h", "k"], ["m"]), node("Reshape", ["m", "s"], ["y"])],
                 {"x": real(2, 3)}, ["y"])


@case
def nodes_without_names():
    return Model([node("Relu", ["x"], ["a"]), node("Neg", ["a"], ["b"]), node("Relu", ["b"], ["y"])],
                 {"x": real(2, 3)}, ["y"])


@case
def nodes_with_equal_names():
    return Model([node("Relu", ["x"], ["a"], name="n"), node("Softmax", ["a"], ["b"], name="n"),
                  node("Softmax", ["x"], ["c"], name="n"), node("MatMul", ["b", "t"], ["y"], name="n"),
                  node("MatMul", ["c", "t"], ["z"], name="n")], {"x": real(2, 3)}, ["y", "z"], {"t": real(3, 3)},
                 renamed=True)


@case
def names_that_differ_in_case_and_signs():
    return Model([node("Relu", ["x:0"], ["a/b"]), node("Neg", ["X:0"], ["a.b"]), node("Add", ["a/b", "a.b"], ["A_B"])],
                 {"x:0": real(2, 3), "X:0": real(2, 3)}, ["A_B", "a/b", "a.b"])


@case
def optional_operands_left_out():
    return Model([node("Clip", ["x", "", "top"], ["a"]), node("Clip", ["a", "low"], ["b"]),
                  node("Resize", ["b", "", "scales"], ["c"], mode="nearest"),
                  node("Pad", ["c", "pads"], ["d"]), node("Slice", ["d", "zero", "two", "", "one"], ["y"])],
                 {"x": real(1, 2, 3, 3)}, ["y"],
                 {"top": np.float32(.7), "low": np.float32(-.5), "scales": np.array([1, 1, 2, 2], np.float32),
                  "pads": long(0, 0, 1, 1, 0, 0, 0, 2), "zero": long(0, 0, 1, 1), "two": long(1, 2, 4, 5),
                  "one": long(1, 1, 1, 1)})


@case
def outputs_left_out():
    return Model([node("Dropout", ["x"], ["d", ""]), node("LSTM", ["s", "w", "r"], ["", "h", ""], hidden_size=2),
                  node("MaxPool", ["p"], ["m", ""], kernel_shape=[2])],
                 {"x": real(3, 5), "s": real(4, 1, 3), "p": real(1, 1, 5)}, ["d", "h", "m"],
                 {"w": real(1, 8, 3), "r": real(1, 8, 2)})


@case
def empty_tensors():
    return Model([node("Concat", ["x", "none"], ["a"], axis=0), node("ReduceSum", ["e", "axes"], ["s"], keepdims=0),
                  node("Add", ["a", "s"], ["y"]), node("Slice", ["x", "one", "one"], ["z"]), node("Neg", ["e"], ["n"])],
                 {"x": real(2, 3), "e": real(0, 3)}, ["y", "z", "n"],
                 {"none": real(0, 3), "axes": long(0), "one": long(1)}, shapes={"e": ["m", 3]})


@case
def scalars():
    return Model([node("Add", ["x", "k"], ["a"]), node("ReduceMax", ["m"], ["b"], keepdims=0),
                  node("Mul", ["a", "b"], ["y"]), node("Squeeze", ["o"], ["z"]), node("Size", ["m"], ["n"])],
                 {"x": np.array(2.5, np.float32), "m": real(2, 2), "o": real(1, 1)}, ["y", "z", "n"], {"k": np.float32(.5)})


@case
def dead_and_duplicate_nodes():
    return Model([node("Exp", ["x"], ["dead"]), node("Softmax", ["x"], ["a"]), node("Softmax", ["x"], ["b"]),
                  node("NonZero", ["x"], ["dead2"]), node("Add", ["a", "b"], ["y"])], {"x": real(2, 3)}, ["y"])


@case
def values_listed_twice():
    return Model([node("Relu", ["x"], ["y"]), node("Neg", ["y"], ["z"])], {"x": real(2, 3)}, ["y", "z", "y"])


@case
def inputs_are_outputs():
    return Model([node("Relu", ["x"], ["y"])], {"x": real(2, 3), "unused": real(4)}, ["x", "y", "unused"])


@case
def initializers_are_outputs():
    return Model([node("Add", ["x", "w"], ["y"])], {"x": real(2, 3)}, ["w", "y"], {"w": real(3)})


@case
def nodes_out_of_order():
    return Model([node("Neg", ["a"], ["y"]), node("Relu", ["x"], ["a"])], {"x": real(2, 3)}, ["y"],
                 oracle=lambda x: [-np.maximum(x, 0)])


@case
def upsample_by_attribute():
    return Model([node("Upsample", ["x"], ["y"], scales=[1., 1., 2., 3.], mode="nearest")], {"x": real(1, 2, 2, 3)},
                 ["y"], opset=7, ir=3)


@case
def upsample_by_input():
    return Model([node("Upsample", ["x", "s"], ["y"], mode="linear")], {"x": real(1, 1, 3, 3)}, ["y"],
                 {"s": np.array([1, 1, 2, 2], np.float32)}, opset=9)


@case
def scatter_retired():
    return Model([node("Scatter", ["x", "i", "u"], ["y"], axis=1)],
                 {"x": real(2, 4), "i": np.array([[0, 3], [1, 2]], np.int64), "u": real(2, 2)}, ["y"], opset=10)


@case
def retired_activations():
    return Model([node("Affine", ["x"], ["a"], alpha=2., beta=.5), node("ScaledTanh", ["a"], ["b"], alpha=1.5, beta=.7),
                  node("ParametricSoftplus", ["b"], ["y"], alpha=.8, beta=1.2)], {"x": real(2, 3)}, ["a", "b", "y"],
                 opset=7, ir=3)


@case
def retired_images():
    return Model([node("ImageScaler", ["x"], ["s"], bias=[.1, .2, .3], scale=2.),
                  node("Crop", ["s"], ["y"], border=[1, 0, 2, 1]),
                  node("Crop", ["s"], ["z"], border=[1, 1, 0, 0], scale=[2, 3])], {"x": real(1, 3, 4, 6)}, ["y", "z"],
                 opset=7, ir=3)


@case
def broadcast_by_axis():
    return Model([node("Add", ["x", "b"], ["y"], broadcast=1, axis=1)], {"x": real(2, 3, 4), "b": real(3)}, ["y"],
                 opset=6, ir=3, oracle=lambda x, b: [x + b[:, None]])


@case
def batch_normalization_of_old():
    return Model([node("BatchNormalization", ["x", "s", "b", "m", "v"], ["y"], epsilon=1e-3)],
                 {"x": real(2, 3, 4, 4)}, ["y"], {"s": real(3), "b": real(3), "m": real(3), "v": real(3) ** 2},
                 opset=7, ir=3)


def function(name, inputs, outputs, nodes, attributes=(), defaults=(), opset=17):
    made = helper.make_function("local", name, inputs, outputs, nodes,
                                [helper.make_opsetid("", opset), helper.make_opsetid("local", 1)], attributes)
    made.attribute_proto.extend(defaults)
    return made


def referring(op, inputs, outputs, **references):
    made = node(op, inputs, outputs)
    for name, (to, kind) in references.items():
        made.attribute.append(onnx.AttributeProto(name=name, ref_attr_name=to, type=kind))
    return made


@case
def functions_with_defaults():
    leaky = function("Leaky", ["a"], ["b"],
                     [referring("LeakyRelu", ["a"], ["b"], alpha=("slope", onnx.AttributeProto.FLOAT))],
                     defaults=[helper.make_attribute("slope", .3)])
    return Model([node("Leaky", ["x"], ["h"], "local"), node("Leaky", ["h"], ["g"], "local", slope=2.),
                  node("Add", ["h", "g"], ["y"])], {"x": real(2, 3)}, ["y"], functions=[leaky])


@case
def functions_that_call():
    inner = function("Inner", ["a", "b"], ["c"], [node("Mul", ["a", "b"], ["t"]), node("Tanh", ["t"], ["c"])])
    outer = function("Outer", ["a"], ["c", "d"],
                     [node("Inner", ["a", "a"], ["c"], "local"), node("Neg", ["c"], ["d"])])
    return Model([node("Outer", ["x"], ["p", "q"], "local"), node("Outer", ["q"], ["r", ""], "local"),
                  node("Add", ["p", "r"], ["y"])], {"x": real(2, 3)}, ["y", "q"], functions=[inner, outer])


@case
def sequences():
    return Model([node("SplitToSequence", ["x", "two"], ["s"], axis=1), node("SequenceLength", ["s"], ["n"]),
                  node("SequenceAt", ["s", "last"], ["a"]), node("SequenceErase", ["s", "first"], ["t"]),
                  node("SequenceInsert", ["t", "a", "first"], ["u"]),
                  node("ConcatFromSequence", ["u"], ["y"], axis=1)],
                 {"x": real(2, 5)}, ["n", "a", "y"], {"two": np.int64(2), "last": np.int64(-1), "first": np.int64(0)})


@case
def sequence_outputs():
    return Model([node("SequenceConstruct", ["x", "z"], ["s"]), node("Identity", ["s"], ["t"])],
                 {"x": real(2, 3), "z": real(4)}, ["t"],
                 oracle=lambda x, z: [x, z])


@case
def sequence_at_run_time():
    return Model([node("SequenceConstruct", ["x", "z", "x"], ["s"]), node("SequenceAt", ["s", "k"], ["y"])],
                 {"x": real(2, 3), "z": real(2, 3), "k": np.array(-2)}, ["y"])


def body(nodes, inputs, outputs):
    return helper.make_graph(nodes, "body", inputs, outputs)


@case
def sequences_in_branches():
    def branch(op):
        return body([node(op, ["x"], [op + "a"]), node("SequenceConstruct", [op + "a", "x"], [op + "s"])], [],
                    [helper.make_tensor_sequence_value_info(op + "s", F, None)])
    return Model([node("If", ["c"], ["s"], then_branch=branch("Relu"), else_branch=branch("Neg")),
                  node("ConcatFromSequence", ["s"], ["y"], axis=0)],
                 {"x": real(2, 3), "c": np.array(False)}, ["y"])


@case
def sequences_in_loops():
    value = helper.make_tensor_value_info
    inside = body([node("Identity", ["go"], ["on"]), node("Cast", ["i"], ["f"], to=F), node("Mul", ["x", "f"], ["m"]),
                   node("SequenceInsert", ["s", "m"], ["t"])],
                  [value("i", I, []), value("go", B, []), helper.make_tensor_sequence_value_info("s", F, None)],
                  [value("on", B, []), helper.make_tensor_sequence_value_info("t", F, None)])
    return Model([node("SequenceEmpty", [], ["e"]), node("Loop", ["n", "", "e"], ["s"], body=inside),
                  node("ConcatFromSequence", ["s"], ["y"], axis=0, new_axis=1)], {"x": real(2, 3)}, ["y"],
                 {"n": np.int64(4)})


@case
def optionals():
    return Model([node("Optional", ["x"], ["o"]), node("OptionalHasElement", ["o"], ["h"]),
                  node("OptionalGetElement", ["o"], ["g"]), node("Neg", ["g"], ["y"])], {"x": real(2, 3)}, ["h", "y"])


@case
def group_query_attention_with_past():
    past, length, size = 3, 1, 8
    return Model([node("GroupQueryAttention", ["q", "k", "v", "pk", "pv", "n", "t"], ["y", "nk", "nv"],
                       "com.microsoft", num_heads=4, kv_num_heads=2)],
                 {"q": real(2, length, 32), "k": real(2, length, 16), "v": real(2, length, 16),
                  "pk": real(2, 2, past, size), "pv": real(2, 2, past, size),
                  "n": np.array([past, past], np.int32), "t": np.array(past + length, np.int32)},
                 ["y", "nk", "nv"], microsoft=True)


@case
def embed_layer_normalization():
    return Model([node("EmbedLayerNormalization", ["i", "s", "w", "p", "g", "a", "b", "m"], ["y", "mask"],
                       "com.microsoft", epsilon=1e-6)],
                 {"i": random.randint(0, 9, (2, 4)).astype(np.int32), "s": random.randint(0, 2, (2, 4)).astype(np.int32),
                  "m": np.array([[1, 1, 1, 0], [1, 1, 0, 0]], np.int32)}, ["y", "mask"],
                 {"w": real(9, 8), "p": real(5, 8), "g": real(2, 8), "a": real(8), "b": real(8)}, microsoft=True)


@case
def mat_mul_in_four_bits():
    return Model([node("MatMulNBits", ["x", "w", "s", "z"], ["y"], "com.microsoft", K=40, N=6, bits=4, block_size=16)],
                 {"x": real(2, 3, 40)}, ["y"],
                 {"w": random.randint(0, 256, (6, 3, 8)).astype(np.uint8), "s": real(18) ** 2,
                  "z": random.randint(0, 256, (12,)).astype(np.uint8)}, microsoft=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("burin")
    parser.add_argument("--only", default="")
    parser.add_argument("--keep", default="")
    parser.add_argument("--config", default=os.path.join(ROOT, "configs", "x86-64-v3.json"))
    args = parser.parse_args()
    folder = args.keep or tempfile.mkdtemp(prefix="dialects_")
    made = 0
    for name, function in CASES.items():
        if args.only and args.only != name:
            continue
        try:
            function().save(os.path.join(folder, name))
            made += 1
        except Exception as error:
            print(f"{name}: no expected outputs: {str(error)[:300]}")
            shutil.rmtree(os.path.join(folder, name), ignore_errors=True)
    done = subprocess.run([args.burin, "verify", "--all", folder, "--config", args.config, "--json"],
                          capture_output=True, text=True)
    cases = json.loads(done.stdout)["cases"]
    for one in cases:
        if one["outcome"] != "passed":
            print(f"{one['path']}: {one['outcome']}: {one['message']}")
    passed = sum(one["outcome"] == "passed" for one in cases)
    print(f"{passed} of {len(CASES) if not args.only else 1} agree")
    if not args.keep:
        shutil.rmtree(folder)
    return 0 if passed == made and passed else 1


if __name__ == "__main__":
    sys.exit(main())
