#!/usr/bin/env python3
"""Copies of convolutional networks of a zoo with an eighth of the channels and smaller images, for devices that are interpreted:
the same nodes, branches and joint launches in a thousandth of the arithmetic. Weights are drawn; expectations are onnxruntime's.

    python3 tests/opencl/small_copies.py --zoo ZOO --out FOLDER NAME=SIZE ...        such as squeezenet1_1=64

writes FOLDER/NAME/model.onnx and test_data_set_0. Only nodes that work with any number of channels are taken: convolutions,
Gemm, pools, concatenations, elementwise ones. Networks whose shapes are written into them have pieces instead:

    python3 tests/opencl/small_copies.py --zoo ZOO --out FOLDER NAME@MACS ...        such as cswin_small@3e6

takes as many nodes in a row as have no more multiplications, around a product of two tensors that are not weights, as attention
has; of all such pieces the longest, with the weights of the network and the values that its input makes. Needs Python 3.9+ with numpy, onnx, onnxruntime.
"""
import argparse
import os
import sys

import numpy as np
import onnx
import onnxruntime
from onnx import helper, numpy_helper

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../bench"))
from materialized import Model  # noqa: E402

TAKEN = {"Conv", "Gemm", "MaxPool", "AveragePool", "GlobalAveragePool", "Concat", "Relu", "Clip", "Add", "Flatten", "Constant",
         "BatchNormalization", "Softmax", "Sigmoid", "Mul", "ReduceMean"}
CHANNELS = 8  # that become one


def fewer(channels):
    """Those of an image stay."""
    return channels if channels <= 3 else max(1, channels // CHANNELS)


def reshaped(tensor, dims, random):
    array = random.standard_normal(dims).astype(np.float32)
    if len(dims) > 1:
        array *= np.sqrt(2 / max(1, np.prod(dims[1:])))
    return numpy_helper.from_array(array.astype(np.float32), tensor.name)


def small_copy(source, size):
    model = onnx.load(source, load_external_data=False)
    graph = model.graph
    strange = {node.op_type for node in graph.node} - TAKEN
    if strange:
        raise SystemExit(f"{source}: {', '.join(sorted(strange))} may depend on the channels")
    random = np.random.RandomState(size)
    used = {}
    for node in graph.node:
        for place, name in enumerate(node.input):
            used[name] = (node, place)
        for attribute in node.attribute:
            if attribute.name == "group" and attribute.i > 1:
                attribute.i = fewer(attribute.i)
    kept = [tensor for tensor in graph.initializer if tensor.data_location != onnx.TensorProto.EXTERNAL
            and used.get(tensor.name, (None,))[0] is not None and used[tensor.name][0].op_type in ("Clip", "ReduceMean")]
    drawn = []
    for tensor in graph.initializer:
        if tensor in kept:
            continue
        node, place = used[tensor.name]
        dims = list(tensor.dims)
        if node.op_type in ("Conv", "Gemm"):
            dims = [fewer(extent) if axis < 2 else extent for axis, extent in enumerate(dims)]
        else:
            dims = [fewer(extent) for extent in dims]
        copy = reshaped(tensor, dims, random)
        if node.op_type == "BatchNormalization" and place == 4:  # a variance
            copy = numpy_helper.from_array(np.abs(numpy_helper.to_array(copy)) + np.float32(0.5), tensor.name)
        drawn.append(copy)
    del graph.initializer[:]
    graph.initializer.extend(kept + drawn)
    del graph.value_info[:]
    for value in graph.input:
        for dim in value.type.tensor_type.shape.dim[2:]:
            dim.dim_value = size
    for value in graph.output:
        value.type.tensor_type.ClearField("shape")
    model = onnx.shape_inference.infer_shapes(model, strict_mode=True)
    onnx.checker.check_model(model)
    return model


def all_values(path):
    """Every tensor of a network's run on its data, by name."""
    model = onnx.load(path)
    inputs = {}
    for i, value in enumerate(model.graph.input):
        tensor = onnx.load_tensor(os.path.join(os.path.dirname(path), "test_data_set_0", f"input_{i}.pb"))
        inputs[value.name] = numpy_helper.to_array(tensor)
    names = [name for node in model.graph.node for name in node.output if name]
    del model.graph.output[:]
    model.graph.output.extend(onnx.ValueInfoProto(name=name) for name in names)
    whole = os.path.join(os.path.dirname(path), "all.onnx")
    onnx.save(model, whole, save_as_external_data=True, location="all.weights")
    options = onnxruntime.SessionOptions()
    options.graph_optimization_level = onnxruntime.GraphOptimizationLevel.ORT_DISABLE_ALL
    session = onnxruntime.InferenceSession(whole, options, providers=["CPUExecutionProvider"])
    return {**inputs, **dict(zip(names, session.run(names, inputs)))}


def multiplications(node, shapes):
    """About: of products and convolutions; elements of other nodes."""
    out = int(np.prod(shapes[node.output[0]]))
    if node.op_type in ("MatMul", "Gemm"):
        return out * shapes[node.input[0]][-1]
    if node.op_type == "Conv":
        return out * int(np.prod(shapes[node.input[1]][1:]))
    return out


def longest_piece(nodes, shapes, weights, most):
    """First node and end of the piece."""
    costs = [multiplications(node, shapes) for node in nodes]
    pieces = []
    for middle, node in enumerate(nodes):
        if node.op_type != "MatMul" or costs[middle] > most or any(name in weights for name in node.input):
            continue
        first, end, left = middle, middle + 1, most - costs[middle]
        grows = True
        while grows:
            grows = False
            if end < len(nodes) and costs[end] <= left:
                left, end, grows = left - costs[end], end + 1, True
            if first > 0 and costs[first - 1] <= left:
                left, first, grows = left - costs[first - 1], first - 1, True
        pieces.append((end - first, first, end))
    if not pieces:
        raise SystemExit("no such product is that small")
    return max(pieces)[1:]


def piece(path, most):
    """The piece as a model; values that make shapes are constants of it."""
    values = all_values(path)
    model = onnx.load(path)
    graph = model.graph
    constants = {tensor.name: tensor for tensor in graph.initializer}
    shapes = {**{name: value.shape for name, value in values.items()}, **{n: tuple(t.dims) for n, t in constants.items()}}
    first, end = longest_piece(graph.node, shapes, constants, most)
    nodes = graph.node[first:end]
    made = dict.fromkeys(name for node in nodes for name in node.output)
    read = dict.fromkeys(name for node in nodes for name in node.input if name and name not in made)
    behind = {name for node in graph.node[end:] for name in node.input} | {value.name for value in graph.output}
    inside = {name for node in nodes for name in node.input}

    def described(name):
        return helper.make_tensor_value_info(name, helper.np_dtype_to_tensor_dtype(values[name].dtype), values[name].shape)

    fixed = [name for name in read if name in values and values[name].dtype == np.int64]
    inputs = [name for name in read if name in values and name not in fixed]
    outputs = [name for name in made if (name in behind or name not in inside) and name in values
               and values[name].dtype != np.int64]
    out = helper.make_graph(nodes, graph.name, [described(name) for name in inputs], [described(name) for name in outputs],
                            [constants[name] for name in read if name in constants] +
                            [numpy_helper.from_array(values[name], name) for name in fixed])
    out = helper.make_model(out, opset_imports=model.opset_import, ir_version=model.ir_version)
    print(f"{len(nodes)} nodes, {sum(multiplications(node, shapes) for node in nodes) / 1e6:.1f} M")
    return out, {name: values[name] for name in inputs}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("networks", nargs="+", metavar="NAME=SIZE or NAME@MACS")
    parser.add_argument("--zoo", required=True)
    parser.add_argument("--out", required=True)
    parser.add_argument("--cache", default="build/zoo", help="where whole networks are written, for pieces")
    options = parser.parse_args()
    for one in options.networks:
        name, size = one.replace("@", "=").split("=")
        inputs = {}
        if "@" in one:
            model, inputs = piece(Model(options.zoo, options.cache, name, os.cpu_count()).path, float(size))
        else:
            model = small_copy(os.path.join(options.zoo, "models", name + ".onnx"), int(size))
        folder = os.path.join(options.out, name)
        data = os.path.join(folder, "test_data_set_0")
        os.makedirs(data, exist_ok=True)
        path = os.path.join(folder, "model.onnx")
        onnx.save(model, path)
        random = np.random.RandomState(1)
        for i, value in enumerate(model.graph.input):
            shape = [dim.dim_value for dim in value.type.tensor_type.shape.dim]
            inputs.setdefault(value.name, random.standard_normal(shape).astype(np.float32))
            onnx.save_tensor(numpy_helper.from_array(inputs[value.name], value.name), os.path.join(data, f"input_{i}.pb"))
        session = onnxruntime.InferenceSession(path, providers=["CPUExecutionProvider"])
        for i, (value, array) in enumerate(zip(model.graph.output, session.run(None, inputs))):
            onnx.save_tensor(numpy_helper.from_array(array, value.name), os.path.join(data, f"output_{i}.pb"))
        print(f"{name}: {os.path.getsize(path)} bytes")


if __name__ == "__main__":
    main()
