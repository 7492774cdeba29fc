#!/usr/bin/env python3
"""Time and memory of `burin generate` on chains of small nodes, and on one node with many inputs.

    python3 tests/bench/long_chains.py --burin build/release/generator/burin [--nodes 20000] [--chains NAME ...]

Needs Python with numpy and onnx. Processor seconds of the user and the largest resident set.
"""
import argparse
import os
import pathlib
import subprocess
import tempfile

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper

SHAPE = [4, 8]
CONSTANTS = {"half": np.float32(0.5), "pads": np.array([0, 1, 0, 0]), "first": np.array([1]), "last": np.array([9]),
             "two": np.array([2]), "six": np.array([6]), "axis0": np.array([0]), "axis1": np.array([1]),
             "shape": np.array(SHAPE), "square": np.eye(8, dtype=np.float32)}


def node(op, inputs, output, **attributes):
    return helper.make_node(op, inputs, [output], name=output, **attributes)


# Of the value before and the number of the link: the nodes that make the next one.
CHAINS = {
    "Mul": lambda v, i, o: [node("Mul", [v, "b"], o)],
    "Tanh": lambda v, i, o: [node("Tanh", [v], o)],
    "Mod": lambda v, i, o: [node("Mod", [v, "b"], o, fmod=1)],
    "Greater, Where": lambda v, i, o: [node("Greater", [v, "half"], "g" + o), node("Where", ["g" + o, v, "b"], o)],
    "Pad, Slice": lambda v, i, o: [node("Slice", [v, "first", "last", "axis1"], o) if i % 2 else node("Pad", [v, "pads"], o)],
    "Transpose, Reshape": lambda v, i, o: [node("Reshape", [v, "shape"], o) if i % 2 else
                                           node("Transpose", [v], o, perm=[1, 0])],
    "Concat, Slice": lambda v, i, o: [node("Slice", [v, "two", "six", "axis0"], o) if i % 2 else
                                      node("Concat", [v, v], o, axis=0)],
    "MatMul": lambda v, i, o: [node("MatMul", [v, "square"], o)],  # a kernel of its own each
    "Add to itself": lambda v, i, o: [node("Add", [v, v], o)],
}


def model_of(name, links):
    names, nodes = ["x", "b"], []
    if name == "Sum":
        names = [f"x{i}" for i in range(links)]
        nodes = [node("Sum", names, "y")]
    else:
        value = "x"
        for i in range(links):
            following = "y" if i == links - 1 else f"v{i}"
            nodes += CHAINS[name](value, i, following)
            value = following
    used = {one for each in nodes for one in each.input}
    tensors = [numpy_helper.from_array(np.asarray(v), k) for k, v in CONSTANTS.items() if k in used]
    info = lambda n: helper.make_tensor_value_info(n, TensorProto.FLOAT, SHAPE)
    graph = helper.make_graph(nodes, "chain", [info(n) for n in names if n in used], [info("y")], tensors)
    return helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8)


def measured(burin, model, scratch):
    path = scratch / "chain.onnx"
    onnx.save(model, path)
    child = subprocess.Popen([burin, "generate", path, "--config", "cpp-generic", "-o", scratch / "tree", "--name", "chain"],
                             stderr=subprocess.PIPE)
    said = child.stderr.read().decode().strip().splitlines()
    _, code, used = os.wait4(child.pid, 0)
    return code, used.ru_utime, used.ru_maxrss // 1024, said[-1] if code else ""


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--burin", required=True)
    parser.add_argument("--nodes", type=int, default=20000)
    parser.add_argument("--chains", nargs="*", default=[*CHAINS, "Sum"])
    options = parser.parse_args()
    print("| chain | nodes | seconds | MB |\n|---|---|---|---|")
    with tempfile.TemporaryDirectory() as folder:
        for name in options.chains:
            links = 4096 if name == "Sum" else options.nodes
            model = model_of(name, links)
            code, seconds, megabytes, said = measured(options.burin, model, pathlib.Path(folder))
            what = f"{links} inputs" if name == "Sum" else str(len(model.graph.node))
            print(f"| {name} | {what} | {seconds:.1f} | {megabytes} |" + (f" exit code {code}: {said}" if code else ""),
                  flush=True)


if __name__ == "__main__":
    main()
