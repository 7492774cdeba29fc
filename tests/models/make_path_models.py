#!/usr/bin/env python3
"""Writes the models of this folder that have <Switch, Combine> pairs, operators of burin's own domain that no
other runtime has. Each is given twice: as nodes, and as a function in numpy that says what they must compute.

    make_path_models.py [--out FOLDER] [NAME ...]
"""
import argparse
import os

import numpy as np
import onnx
from onnx import helper

from make_models import BOOL, FLOAT, INT64, IR_VERSION, OPSET, constant, graph, normal, stream, value, write_tensor

MODELS = {}


def model(function):
    """Registers a function that returns (graph, [inputs of each set], function from inputs to outputs)."""
    MODELS[function.__name__] = function
    return function


def node(op, inputs, outputs, **attributes):
    domain = "burin" if op in ("Switch", "Combine") else ""
    return helper.make_node(op, inputs.split(), outputs.split(), outputs.split()[0], domain=domain, **attributes)


@model
def switch_gate():
    """A gated block, as in SkipNet: one boolean. Inside the block another gate; two results leave it."""
    random = stream("switch_gate")
    w1, w2 = normal(random, 8, 8), normal(random, 8, 8)
    nodes = [
        node("ReduceMean", "x", "level", keepdims=0),
        node("Greater", "level zero", "gate"),
        node("Switch", "x gate", "skipped kept"),
        node("Mul", "skipped half", "halved"),
        node("MatMul", "kept w1", "hidden"),
        node("Relu", "hidden", "active"),
        node("ReduceMax", "active", "peak", keepdims=0),
        node("Greater", "peak four", "inner_gate"),
        node("Switch", "active inner_gate", "low high"),
        node("Neg", "low", "negated"),
        node("MatMul", "high w2", "mixed"),
        node("Tanh", "mixed", "bent"),
        node("Combine", "negated bent", "inner"),
        node("Add", "inner kept", "residual"),
        node("ReduceSum", "residual axis", "sums", keepdims=0),
        node("ReduceMax", "halved", "tops", axes=[1], keepdims=0),
        node("Combine", "halved residual", "block"),
        node("Combine", "tops sums", "row"),
        node("Sigmoid", "block", "y"),
        node("Neg", "row", "z"),
    ]
    body = graph("switch_gate", nodes, [value("x", FLOAT, "batch", 8)],
                 [value("y", FLOAT, "batch", 8), value("z", FLOAT, "batch")],
                 [constant("w1", w1), constant("w2", w2), constant("zero", np.float32(0)),
                  constant("half", np.float32(.5)), constant("four", np.float32(4)),
                  constant("axis", np.array([1], np.int64))])

    def reference(x):
        if x.mean() > 0:
            active = np.maximum(x @ w1, 0)
            block = (np.tanh(active @ w2) if active.max() > 4 else -active) + x
            row = block.sum(axis=1)
        else:
            block, row = x * np.float32(.5), (x * np.float32(.5)).max(axis=1)
        return [1 / (1 + np.exp(-block)), -row]
    up, down = np.float32(.25) + normal(random, 3, 8), normal(random, 5, 8) - np.float32(.5)
    return body, [{"x": down}, {"x": np.abs(up) * np.float32(.1)}, {"x": np.abs(up) * 3}], reference


@model
def switch_route():
    """One of three paths by its number; what they give has different extents."""
    random = stream("switch_route")
    w = normal(random, 6, 6)
    nodes = [
        node("Switch", "x which", "as_it_is twice top"),
        node("Relu", "as_it_is", "first"),
        node("Concat", "twice twice", "second", axis=0),
        node("Slice", "top begin end", "cut"),
        node("MatMul", "cut w", "third"),
        node("Combine", "first second third", "chosen"),
        node("Exp", "chosen", "y"),
    ]
    body = graph("switch_route", nodes, [value("x", FLOAT, 5, 6), value("which", INT64)],
                 [value("y", FLOAT, "rows", 6)],
                 [constant("w", w), constant("begin", np.array([0], np.int64)),
                  constant("end", np.array([1], np.int64))])

    def reference(x, which):
        return [np.exp([np.maximum(x, 0), np.concatenate([x, x]), x[:1] @ w][int(which)])]
    sets = [{"x": normal(random, 5, 6), "which": np.array(k, np.int64)} for k in (0, 1, 2)]
    return body, sets, reference


@model
def switch_experts():
    """Experts of which a mask says who answers; their answers are added, and the first and the last kept too."""
    random = stream("switch_experts")
    weights = [normal(random, 4, 4) for _ in range(3)]
    nodes = [node("Switch", "x mask", "x0 x1 x2")]
    nodes += [node("MatMul", f"x{i} w{i}", f"e{i}") for i in range(3)]
    nodes += [node("Tanh", "e2", "t2"),
              node("Combine", "e0 e1 t2", "total ran", merge="sum"),
              node("Combine", "e0 e1 t2", "first", merge="first"),
              node("Combine", "t2 e0 e1", "last"),
              node("Cast", "ran", "count", to=FLOAT),
              node("Div", "total count", "mean")]
    body = graph("switch_experts", nodes, [value("x", FLOAT, "batch", 4), value("mask", BOOL, 3)],
                 [value("mean", FLOAT, "batch", 4), value("first", FLOAT, "batch", 4),
                  value("last", FLOAT, "batch", 4), value("ran", INT64)],
                 [constant(f"w{i}", w) for i, w in enumerate(weights)])

    def reference(x, mask):
        answers = [x @ w for w in weights]
        answers[2] = np.tanh(answers[2])
        kept = [a for a, on in zip(answers, mask) if on]
        last = [a for a, on in zip(answers[2:] + answers[:2], list(mask[2:]) + list(mask[:2])) if on]
        return [sum(kept) / np.float32(len(kept)), kept[0], last[-1], np.int64(len(kept))]
    masks = ((True, False, True), (True, True, True), (False, False, True))
    sets = [{"x": normal(random, rows, 4), "mask": np.array(mask)} for rows, mask in zip((2, 7, 1), masks)]
    return body, sets, reference


def make(name, out):
    body, sets, reference = MODELS[name]()
    file = helper.make_model(body, ir_version=IR_VERSION, producer_name="make_path_models.py",
                             opset_imports=[helper.make_opsetid("", 17 if name == "switch_gate" else OPSET),
                                            helper.make_opsetid("burin", 1)])
    folder = os.path.join(out, name)
    for number, feed in enumerate(sets):
        data = os.path.join(folder, f"test_data_set_{number}")
        os.makedirs(data, exist_ok=True)
        for i, info in enumerate(body.input):
            write_tensor(os.path.join(data, f"input_{i}.pb"), feed[info.name], info.name)
        for i, (info, array) in enumerate(zip(body.output, reference(**feed))):
            array = np.asarray(array)
            array = array.astype(np.float32) if array.dtype.kind == "f" else array
            write_tensor(os.path.join(data, f"output_{i}.pb"), array, info.name)
    onnx.save(file, os.path.join(folder, "model.onnx"))
    print(f"{name}: {len(sets)} sets")


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("names", nargs="*", help="all when none is given")
    parser.add_argument("--out", default=os.path.dirname(os.path.abspath(__file__)))
    options = parser.parse_args()
    for name in options.names or MODELS:
        make(name, options.out)


if __name__ == "__main__":
    main()
