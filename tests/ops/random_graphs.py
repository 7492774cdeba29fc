#!/usr/bin/env python3
"""Holds burin against onnxruntime on random graphs of 5 to 20 nodes.

Elementwise chains, movement, convolutions, products, rows, reductions and integer arithmetic on one pool of
values, with what exporters leave behind: shared subexpressions, dead and duplicate nodes, nodes without and with
equal names, inputs and initializers that are outputs, values listed twice as outputs, empty tensors and scalars.
The batch is a symbol, every graph is verified at two sizes by one tree.
Needs onnx, onnxruntime and numpy. Exit code 1 when anything is wrong.

  python3 tests/ops/random_graphs.py BURIN --graphs 200 --seed 7
"""
import argparse
import collections
import os
import re
import shutil
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import onnx
import onnxruntime
from onnx import TensorProto, helper, numpy_helper

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from random_cases.case import FLOATS, dtype_of  # noqa: E402
from random_graph.steps import STEPS, Unfit  # noqa: E402
from random_models import ROOT, interpret, save, verify  # noqa: E402

onnxruntime.set_default_logger_severity(4)


class Graph:
    """A graph under way. Shapes are lists of numbers; -1 stands for the batch."""

    def __init__(self, rng):
        self.rng = rng
        self.nodes, self.constants = [], {}
        self.inputs = {}  # name: (type, shape)
        self.values = []  # (name, type, shape)
        self.opset = int(rng.integers(13, 22))

    def chance(self, probability):
        return self.rng.random() < probability

    def pick(self, values):
        values = list(values)
        return values[self.rng.integers(len(values))]

    def integer(self, low, high):
        return int(self.rng.integers(low, high + 1))

    def value(self, fits=lambda name, elem, shape: True):
        """A value that fits, newer ones more often."""
        found = [v for v in self.values if fits(*v)]
        if not found:
            raise Unfit
        return found[-1 - min(int(self.rng.exponential(3)), len(found) - 1)]

    def constant(self, array):
        array = np.asarray(array)
        name = f"c{len(self.constants)}"
        self.constants[name] = array
        return name

    def real(self, shape, elem=TensorProto.FLOAT):
        return self.constant(np.asarray(self.rng.standard_normal(shape)).astype(dtype_of(elem)))

    def add(self, op, inputs, outputs, **attributes):
        """outputs: [(type, shape)]; returns their names."""
        names = [f"v{len(self.values) + k}" for k in range(len(outputs))]
        label = self.pick(["", "", "same", f"n{len(self.nodes)}", "a.b/c d"])
        self.nodes.append(helper.make_node(op, inputs, names, name=label, **attributes))
        self.values += [(n, elem, list(shape)) for n, (elem, shape) in zip(names, outputs)]
        return names


def make_graph(rng):
    graph = Graph(rng)
    for k in range(graph.integer(1, 3)):
        elem = graph.pick([TensorProto.FLOAT] * 6 + [TensorProto.INT64, TensorProto.INT32, TensorProto.FLOAT16,
                                                      TensorProto.DOUBLE])
        rest = graph.pick([[4], [6], [3, 4], [2, 6, 6], [3, 8, 8], [4, 5], [1, 6], []])
        graph.inputs[f"x{k}"] = (elem, [-1] + rest)
        graph.values.append((f"x{k}", elem, [-1] + rest))
    if graph.chance(.15):
        graph.inputs["s"] = (TensorProto.FLOAT, [])
        graph.values.append(("s", TensorProto.FLOAT, []))
    for _ in range(graph.integer(5, 20)):
        for _ in range(10):
            try:
                graph.pick(STEPS)(graph)
                break
            except Unfit:
                continue
        if graph.chance(.06) and graph.nodes:  # the same computation again
            again = onnx.NodeProto()
            again.CopyFrom(graph.pick(graph.nodes))
            old = [v for v in graph.values if v[0] in again.output]
            del again.output[:]
            again.output.extend(f"v{len(graph.values) + k}" for k in range(len(old)))
            graph.values += [(name, elem, list(shape)) for name, (_, elem, shape) in zip(again.output, old)]
            graph.nodes.append(again)
    return graph


def outputs_of(graph):
    used = {name for node in graph.nodes for name in node.input}
    made = {name for node in graph.nodes for name in node.output}
    ends = [name for name, _, _ in graph.values if name in made and name not in used]
    out = [name for name in ends if graph.chance(.9)] or ends[-1:]  # the others are dead
    out += [name for name, _, _ in graph.values if name in made and name in used and graph.chance(.08)]
    if graph.chance(.06):
        out.append("x0")
    if graph.chance(.06) and graph.constants:
        out.append(graph.pick(sorted(graph.constants)))
    if graph.chance(.05):
        out.append(graph.pick(out))
    return out


def build(graph, outputs, types):
    def info(name, elem, shape):
        return helper.make_tensor_value_info(name, elem, ["batch" if n == -1 else n for n in shape])

    known = {name: (elem, shape) for name, elem, shape in graph.values}
    results = []
    for name in outputs:
        if name in graph.constants:
            array = graph.constants[name]
            results.append(info(name, helper.np_dtype_to_tensor_dtype(array.dtype), array.shape))
        elif types:
            results.append(helper.make_tensor_value_info(name, known[name][0], [None] * len(types[name])))
        else:
            results.append(onnx.ValueInfoProto(name=name))
    nodes = graph.nodes
    if not types:  # onnxruntime refuses equal names
        nodes = [onnx.NodeProto() for _ in graph.nodes]
        for copy, node in zip(nodes, graph.nodes):
            copy.CopyFrom(node)
            copy.name = ""
    made = helper.make_graph(nodes, "random", [info(n, *graph.inputs[n]) for n in graph.inputs], results,
                             [numpy_helper.from_array(a, n) for n, a in graph.constants.items()])
    return helper.make_model(made, opset_imports=[helper.make_opsetid("", graph.opset)], ir_version=9)


def write_graph(folder, seed, number, log):
    rng = np.random.default_rng([seed, number])
    graph = make_graph(rng)
    if not graph.nodes:
        return
    outputs = outputs_of(graph)
    unique = list(dict.fromkeys(outputs))
    options = onnxruntime.SessionOptions()
    options.graph_optimization_level = onnxruntime.GraphOptimizationLevel.ORT_DISABLE_ALL
    options.intra_op_num_threads = 1
    try:
        session = onnxruntime.InferenceSession(build(graph, unique, None).SerializeToString(), options)
        sets = []
        for batch in (graph.integer(1, 3), graph.integer(4, 6)):
            feeds = {}
            for name, (elem, shape) in graph.inputs.items():
                shape = [batch if n == -1 else n for n in shape]
                feeds[name] = np.asarray(rng.standard_normal(shape)).astype(dtype_of(elem)) if elem in FLOATS else \
                    rng.integers(-9, 10, shape).astype(dtype_of(elem))
            sets.append((feeds, dict(zip(unique, session.run(None, feeds)))))
    except Exception as error:
        log.write(f"{number} {str(error)[:300]!r}\n")
        return
    for k, (feeds, found) in enumerate(sets):
        place = os.path.join(folder, f"{number:05d}", f"test_data_set_{k}")
        os.makedirs(place)
        for i, (name, array) in enumerate(feeds.items()):
            save(os.path.join(place, f"input_{i}.pb"), numpy_helper.from_array(array, name))
        for i, name in enumerate(outputs):
            save(os.path.join(place, f"output_{i}.pb"), numpy_helper.from_array(np.asarray(found[name]), name))
    shapes = {name: array.shape for name, array in sets[0][1].items()}
    save(os.path.join(folder, f"{number:05d}", "model.onnx"), build(graph, outputs, shapes))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("burin")
    parser.add_argument("--graphs", type=int, default=100)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--keep", default="", help="folder for the cases; a scratch folder otherwise")
    parser.add_argument("--config", default=os.path.join(ROOT, "configs", "x86-64-v3.json"))
    parser.add_argument("-j", "--jobs", type=int, default=1)
    parser.add_argument("--interpreter", default="", metavar="TESTS",
                        help="burin_differential_tests: no C++ is made and compiled; 50 graphs in a process, --jobs of them")
    args = parser.parse_args()
    folder = args.keep or tempfile.mkdtemp(prefix="random_graphs_")
    os.makedirs(folder, exist_ok=True)
    total = collections.Counter()
    with open(os.path.join(folder, "oracle.txt"), "a") as log:
        def verdicts(first):
            place = os.path.join(folder, f"{first:05d}")
            os.makedirs(place, exist_ok=True)
            for number in range(first, min(first + 50, args.graphs)):
                write_graph(place, args.seed, number, log)
            found = interpret(args.interpreter, place) if args.interpreter else verify(args.burin, place, args.config, args.jobs)
            if not args.keep:
                shutil.rmtree(place)
            return first, found

        # Evaluators run in threads, whose work is done outside of Python.
        workers = ThreadPoolExecutor(args.jobs if args.interpreter else 1)
        for first, found in workers.map(verdicts, range(0, args.graphs, 50)):
            for case in found:
                total[case["outcome"]] += 1
                if case["outcome"] != "passed":
                    message = re.sub(r"\s*\n\s*", " / ", case["message"])[:400]
                    print(f"{case['outcome']}: {first:05d}/{case['path']}: {message}", flush=True)
    print(f"{sum(total.values())} graphs: " + ", ".join(f"{n} {k}" for k, n in sorted(total.items())))
    if not args.keep:
        shutil.rmtree(folder)
    return 1 if total["failed"] or total["crashed"] else 0


if __name__ == "__main__":
    sys.exit(main())
