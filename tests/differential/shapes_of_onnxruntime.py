#!/usr/bin/env python3
"""The shape of every tensor between the nodes of tests/models, as onnxruntime reports it.

    shapes_of_onnxruntime.py [--output data/shapes_of_onnxruntime.txt]

Every result of a node of the main graph is made an output, and of every tensor in a loop's body its shape is
emitted in each iteration; onnxruntime runs without rewriting. Sizes are those of the two data sets, then drawn; what
an input holds that is no float is that of the first data set. The file is what shapes_of_onnxruntime_test reads:

    model NAME                        a folder of tests/models
    sizes SYMBOL=SIZE ...             the sizes of a run; then its tensors
    tensor NAME EXTENT ...
    inside NAME LEAST..MOST ...       a tensor of a loop's body: over all iterations

Needs Python 3.9+ with numpy, onnx, onnxruntime; the test does not.
"""
import argparse
import os

import numpy as np
import onnx
import onnxruntime
from onnx import TensorProto, helper, numpy_helper

HERE = os.path.dirname(os.path.abspath(__file__))
MODELS = os.path.join(os.path.dirname(HERE), "models")
RUNS = 4  # of each model: two data sets and draws
LARGEST = 11  # of a drawn size


def with_shapes_of_bodies(graph):
    """Loops emit the shape of each tensor of their bodies; [(output, tensor)]."""
    made = []
    for node in graph.node:
        if node.op_type != "Loop":
            continue
        body = next(one.g for one in node.attribute if one.name == "body")
        inside = [name for inner in body.node for name in inner.output if name]
        for name in inside:
            output = f"shapes of {node.output[0]} {name}"
            body.node.append(helper.make_node("Shape", [name], [output + " here"]))
            body.output.append(helper.make_tensor_value_info(output + " here", TensorProto.INT64, None))
            node.output.append(output)
            made.append((output, name))
    return made


def without_sequences(model):
    """Whether no tensor of a body is a sequence, which has no shape."""
    return not any(inner.op_type.startswith("Sequence") or inner.op_type == "SplitToSequence"
                   for node in model.graph.node if node.op_type == "Loop"
                   for one in node.attribute if one.name == "body" for inner in one.g.node)


def data_of(folder, number, inputs):
    path = os.path.join(folder, f"test_data_set_{number}", "input_{}.pb")
    return [numpy_helper.to_array(onnx.load_tensor(path.format(k))) for k in range(len(inputs))]


def sizes_of(inputs, data):
    sizes = {}
    for one, array in zip(inputs, data):
        for dim, extent in zip(one.type.tensor_type.shape.dim, array.shape):
            if dim.dim_param:
                sizes[dim.dim_param] = extent
    return sizes


def drawn(inputs, given, random):
    """Inputs of other sizes; None where an input that is no float has a size of its own."""
    sizes, data = {}, []
    for one, array in zip(inputs, given):
        shape = []
        for dim, extent in zip(one.type.tensor_type.shape.dim, array.shape):
            shape.append(sizes.setdefault(dim.dim_param, int(random.integers(2, LARGEST))) if dim.dim_param else extent)
        if np.issubdtype(array.dtype, np.floating):
            data.append(random.standard_normal(shape).astype(array.dtype))
        elif list(array.shape) == shape:
            data.append(array)
        else:
            return None
    return data


def runs_of(folder, model, random):
    inputs = list(model.graph.input)
    given = [data_of(folder, number, inputs) for number in (0, 1)]
    yield from given
    for _ in range(RUNS - len(given)):
        data = drawn(inputs, given[0], random)
        if data is not None:
            yield data


def lines_of(name, folder):
    model = onnx.load(os.path.join(folder, "model.onnx"))
    bodies = with_shapes_of_bodies(model.graph) if without_sequences(model) else []
    listed = {output.name for output in model.graph.output}
    hidden = {output for output, _ in bodies}
    inside = [result for node in model.graph.node for result in node.output if result and result not in hidden]
    model.graph.output.extend(onnx.ValueInfoProto(name=result) for result in inside + sorted(hidden) if result not in listed)
    options = onnxruntime.SessionOptions()
    options.graph_optimization_level = onnxruntime.GraphOptimizationLevel.ORT_DISABLE_ALL
    options.log_severity_level = 4
    for number, node in enumerate(model.graph.node):
        node.name = f"{node.name} {number}"  # apart where the file has one name twice
    session = onnxruntime.InferenceSession(model.SerializeToString(), options, providers=["CPUExecutionProvider"])
    random, lines, runs = np.random.default_rng(7), [f"model {name}"], 0
    for data in runs_of(folder, model, random):
        feeds = {one.name: array for one, array in zip(model.graph.input, data)}
        try:
            results = session.run(inside, feeds)
            shapes = session.run([output for output, _ in bodies], feeds) if bodies else []
        except Exception as why:  # sizes that do not go together
            print(f"{name}: {str(why).splitlines()[0][:100]}")
            continue
        runs += 1
        lines.append("sizes " + " ".join(f"{symbol}={size}" for symbol, size in sizes_of(model.graph.input, data).items()))
        for result, array in zip(inside, results):
            if hasattr(array, "shape"):
                lines.append(" ".join(["tensor", result] + [str(extent) for extent in array.shape]))
        for (_, tensor), rows in zip(bodies, shapes):
            if len(rows):
                ends = [f"{least}..{most}" for least, most in zip(rows.min(axis=0), rows.max(axis=0))]
                lines.append(" ".join(["inside", tensor] + ends))
    return lines if runs >= 3 else []


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--output", default=os.path.join(HERE, "data", "shapes_of_onnxruntime.txt"))
    options = parser.parse_args()
    lines = ["# Made by shapes_of_onnxruntime.py."]
    for name in sorted(os.listdir(MODELS)):
        folder = os.path.join(MODELS, name)
        if not os.path.exists(os.path.join(folder, "model.onnx")):
            continue
        model = onnx.load(os.path.join(folder, "model.onnx"))
        symbols = {dim.dim_param for one in model.graph.input for dim in one.type.tensor_type.shape.dim if dim.dim_param}
        if not symbols or any(node.domain for node in model.graph.node):
            continue  # nothing is open, or operators that onnxruntime lacks
        if any(one.type.WhichOneof("value") != "tensor_type" for one in model.graph.input):
            continue  # sizes of a sequence's tensors are no symbols of the file
        lines += lines_of(name, folder)
    with open(options.output, "w", encoding="utf-8") as out:
        out.write("\n".join(lines) + "\n")


if __name__ == "__main__":
    main()
