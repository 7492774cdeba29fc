#!/usr/bin/env python3
"""Copies of convolutional networks of a zoo with an eighth of the channels and smaller images, for devices that are interpreted:
the same nodes, branches and joint launches in a thousandth of the arithmetic. Weights are drawn; expectations are onnxruntime's.

    python3 tests/opencl/small_copies.py --zoo ZOO --out FOLDER NAME=SIZE ...        such as squeezenet1_1=64

writes FOLDER/NAME/model.onnx and test_data_set_0. Only nodes that work with any number of channels are taken: convolutions,
Gemm, pools, concatenations, elementwise ones. Needs Python 3.9+ with numpy, onnx, onnxruntime.
"""
import argparse
import os

import numpy as np
import onnx
import onnxruntime
from onnx import numpy_helper

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


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("networks", nargs="+", metavar="NAME=SIZE")
    parser.add_argument("--zoo", required=True)
    parser.add_argument("--out", required=True)
    options = parser.parse_args()
    for one in options.networks:
        name, size = one.split("=")
        model = small_copy(os.path.join(options.zoo, "models", name + ".onnx"), int(size))
        folder = os.path.join(options.out, name)
        data = os.path.join(folder, "test_data_set_0")
        os.makedirs(data, exist_ok=True)
        path = os.path.join(folder, "model.onnx")
        onnx.save(model, path)
        random = np.random.RandomState(1)
        inputs = {}
        for i, value in enumerate(model.graph.input):
            shape = [dim.dim_value for dim in value.type.tensor_type.shape.dim]
            inputs[value.name] = random.standard_normal(shape).astype(np.float32)
            onnx.save_tensor(numpy_helper.from_array(inputs[value.name], value.name), os.path.join(data, f"input_{i}.pb"))
        session = onnxruntime.InferenceSession(path, providers=["CPUExecutionProvider"])
        for i, (value, array) in enumerate(zip(model.graph.output, session.run(None, inputs))):
            onnx.save_tensor(numpy_helper.from_array(array, value.name), os.path.join(data, f"output_{i}.pb"))
        print(f"{name}: {os.path.getsize(path)} bytes")


if __name__ == "__main__":
    main()
