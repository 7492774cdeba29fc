#!/usr/bin/env python3
"""Small networks for machines without vectors, with drawn weights: the same bytes for everyone.

    python3 tests/bench/small_models.py --out FOLDER

kws: a keyword network of the shape of MLPerf Tiny's (one convolution, four pairs of a depthwise and a
pointwise one, 64 channels). kws_int8: the same with every product between QuantizeLinear and
DequantizeLinear, as exporters write 8-bit networks. autoencoder: the shape of MLPerf Tiny's for
anomalies. lstm: 32 steps of 16 features, 32 states, a classifier. Needs numpy and onnx.
"""

import argparse
import pathlib

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper
from onnx.reference import ReferenceEvaluator


class Network:
    def __init__(self, seed):
        self.rng = np.random.default_rng(seed)
        self.nodes, self.constants = [], []

    def constant(self, name, values):
        self.constants.append(numpy_helper.from_array(np.asarray(values), name))
        return name

    def weights(self, name, *shape):
        spread = np.sqrt(2.0 / max(1, int(np.prod(shape[1:]))))
        return self.constant(name, (self.rng.standard_normal(shape) * spread).astype(np.float32))

    def bias(self, name, size):
        return self.constant(name, (self.rng.standard_normal(size) * 0.1).astype(np.float32))

    def node(self, kind, inputs, name, **attributes):
        self.nodes.append(helper.make_node(kind, inputs, [name + "_out"], name=name, **attributes))
        return name + "_out"

    def normalised(self, x, channels, name):
        draw = self.rng.uniform
        return self.node("BatchNormalization", [
            x,
            self.constant(name + "_scale", draw(0.8, 1.2, channels).astype(np.float32)),
            self.bias(name + "_shift", channels),
            self.bias(name + "_mean", channels),
            self.constant(name + "_variance", draw(0.5, 1.5, channels).astype(np.float32)),
        ], name)

    def model(self, inputs, outputs):
        graph = helper.make_graph(self.nodes, "network", inputs, outputs, self.constants)
        model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 13)], ir_version=8)
        onnx.checker.check_model(model)
        return model


def floats(name, *shape):
    return helper.make_tensor_value_info(name, TensorProto.FLOAT, shape)


def keywords(normalise, seed=7, blocks=4, channels=64, activation="Relu", frames=49, extra=None):
    """`extra`: a Tanh behind the depthwise layer of this block."""
    net = Network(seed)

    def step(x, name, shape, **attributes):
        x = net.node("Conv", [x, net.weights(name + "_w", *shape), net.bias(name + "_b", channels)],
                     name, **attributes)
        if normalise:
            x = net.normalised(x, channels, name + "_norm")
        return net.node(activation, [x], name + "_" + activation.lower())

    x = step("mfcc", "first", (channels, 1, 10, 4), strides=[2, 2], pads=[4, 1, 5, 1])
    for block in range(blocks):
        x = step(x, f"depthwise{block}", (channels, 1, 3, 3), group=channels, pads=[1, 1, 1, 1])
        if extra == block:
            x = net.node("Tanh", [x], f"extra{block}")
        x = step(x, f"pointwise{block}", (channels, channels, 1, 1))
    x = net.node("Flatten", [net.node("GlobalAveragePool", [x], "pool")], "flat", axis=1)
    x = net.node("Gemm", [x, net.weights("words_w", 12, channels), net.bias("words_b", 12)], "words",
                 transB=1)
    net.nodes.append(helper.make_node("Softmax", [x], ["probs"], name="softmax", axis=-1))
    return net.model([floats("mfcc", 1, 1, frames, 10)], [floats("probs", 1, 12)])


def quantised(model):
    """Activations as u8 with the range that a drawn input gives, weights as s8, biases as s32."""
    graph = model.graph
    names = [n.output[0] for n in graph.node]
    watched = onnx.ModelProto()
    watched.CopyFrom(model)
    del watched.graph.output[:]
    watched.graph.output.extend(helper.make_empty_tensor_value_info(n) for n in names)
    entry = graph.input[0]
    shape = [d.dim_value for d in entry.type.tensor_type.shape.dim]
    x = np.random.default_rng(3).standard_normal(shape).astype(np.float32)
    seen = dict(zip(names, ReferenceEvaluator(watched).run(names, {entry.name: x})))
    seen[entry.name] = x
    weights = {c.name: numpy_helper.to_array(c) for c in graph.initializer}
    constants, nodes = [], []

    def constant(name, values):
        constants.append(numpy_helper.from_array(np.asarray(values), name))
        return name

    scales = {}

    def as_bytes(x):
        """The name of x as floats that were bytes; the pair of nodes is made once."""
        if x in scales:
            return x + "_dq"
        low, high = min(0.0, float(seen[x].min())), max(0.0, float(seen[x].max()))
        scale = np.float32((high - low) / 255 or 1)
        zero = np.uint8(np.clip(round(-low / scale), 0, 255))
        scales[x] = scale
        pair = [constant(x + "_scale", scale), constant(x + "_zero", zero)]
        nodes.append(helper.make_node("QuantizeLinear", [x, *pair], [x + "_q"]))
        nodes.append(helper.make_node("DequantizeLinear", [x + "_q", *pair], [x + "_dq"]))
        return x + "_dq"

    for node in graph.node:
        if node.op_type in ("Conv", "Gemm"):
            x = as_bytes(node.input[0])
            w, b = weights[node.input[1]], weights[node.input[2]]
            scale = np.float32(np.abs(w).max() / 127)
            w8 = constant(node.input[1], np.clip(np.rint(w / scale), -127, 127).astype(np.int8))
            w_pair = [constant(w8 + "_scale", scale), constant(w8 + "_zero", np.int8(0))]
            nodes.append(helper.make_node("DequantizeLinear", [w8, *w_pair], [w8 + "_dq"]))
            both = np.float32(scales[node.input[0]] * scale)
            b32 = constant(node.input[2], np.rint(b / both).astype(np.int32))
            b_pair = [constant(b32 + "_scale", both), constant(b32 + "_zero", np.int32(0))]
            nodes.append(helper.make_node("DequantizeLinear", [b32, *b_pair], [b32 + "_dq"]))
            node.input[:] = [x, w8 + "_dq", b32 + "_dq"]
        elif node.op_type in ("GlobalAveragePool", "Softmax"):
            node.input[0] = as_bytes(node.input[0])
        nodes.append(node)
    made = helper.make_model(
        helper.make_graph(nodes, "network", graph.input, graph.output, constants),
        opset_imports=[helper.make_opsetid("", 13)], ir_version=8)
    onnx.checker.check_model(made)
    return made


def autoencoder():
    net, x = Network(8), "spectrum"
    sizes = [640, 128, 128, 128, 128, 8, 128, 128, 128, 128, 640]
    for i, (before, after) in enumerate(zip(sizes, sizes[1:])):
        x = net.node("Gemm", [x, net.weights(f"w{i}", after, before), net.bias(f"b{i}", after)],
                     f"dense{i}", transB=1)
        if i + 2 < len(sizes):
            x = net.node("Relu", [net.normalised(x, after, f"norm{i}")], f"relu{i}")
    net.nodes[-1].output[0] = "again"
    return net.model([floats("spectrum", 1, 640)], [floats("again", 1, 640)])


def recurrence():
    net, states, features = Network(9), 32, 16
    net.nodes.append(helper.make_node(
        "LSTM", ["steps", net.weights("w", 1, 4 * states, features),
                 net.weights("r", 1, 4 * states, states), net.bias("b", (1, 8 * states))],
        ["", "last"], name="lstm", hidden_size=states))
    x = net.node("Squeeze", ["last", net.constant("axes", np.array([0], np.int64))], "row")
    net.nodes.append(helper.make_node(
        "Gemm", [x, net.weights("fw", 4, states), net.bias("fb", 4)], ["gesture"], name="gestures",
        transB=1))
    return net.model([floats("steps", 32, 1, features)], [floats("gesture", 1, 4)])


MODELS = {
    "kws": lambda: keywords(True),
    "kws_int8": lambda: quantised(keywords(False)),
    "autoencoder": autoencoder,
    "lstm": recurrence,
}


def write(folder):
    """Paths by name."""
    folder.mkdir(parents=True, exist_ok=True)
    paths = {}
    for name, make in MODELS.items():
        paths[name] = folder / f"{name}.onnx"
        onnx.save(make(), paths[name])
    return paths


if __name__ == "__main__":
    options = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    options.add_argument("--out", required=True, type=pathlib.Path)
    print("\n".join(str(p) for p in write(options.parse_args().out).values()))
