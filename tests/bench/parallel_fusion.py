"""Parallel fusion on a device: independent operators as one launch and as one launch each, and whole networks in all
three modes (ParallelFusion, Figures 3 and 8 to 11).

    python3 tests/bench/parallel_fusion.py --burin BURIN --config configs/nvidia-h200.json \\
        --real /usr/lib/x86_64-linux-gnu/libOpenCL.so.1 --operators --unrounded --batch --networks FOLDER FOLDER+FOLDER ...

A folder of a network has model.onnx and test_data_set_0; FOLDER+FOLDER is a tree of both models, in a joint run.
--unrounded: offsets of members in the middle of a wave (unrounded.py). --batch: a batch of N, N copies in one launch, N
copies apart. Times are medians of runs with all transfers (wall), and the
time from the start of the first kernel to the end of the last with profiling on, which adds to every launch (span).
"""
import argparse
import itertools
import json
import os
import statistics
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper

from opencl_profile import build_profiler, profiled
from tree import Tree, generate
from unrounded import shift_offsets

KINDS = ("C", "C1x1", "DWC", "P", "S")
# Of a network's middle, of its end: channels and side; rows and columns of a softmax.
SIZES = {"middle": {"C": (64, 28), "C1x1": (128, 28), "DWC": (128, 28), "P": (128, 56), "S": (512, 1000)},
         "end": {"C": (64, 7), "C1x1": (256, 7), "DWC": (512, 7), "P": (256, 14), "S": (64, 197)}}


def operator(kind, size, number, batch=1):
    """Nodes, inputs, outputs and constants of one operator on an input of its own."""
    random = np.random.RandomState(number)
    x, y, w = f"x{number}", f"y{number}", f"w{number}"
    a, b = SIZES[size][kind]
    shape = [batch * a, b] if kind == "S" else [batch, a, b, b]
    weights, attributes = [], {}
    if kind in ("C", "C1x1", "DWC"):
        side, group = (1, 1) if kind == "C1x1" else (3, a if kind == "DWC" else 1)
        attributes = {"pads": [side // 2] * 4, "group": group, "kernel_shape": [side, side]}
        weights = [numpy_helper.from_array(random.standard_normal((a, a // group, side, side)).astype(np.float32) / 20, w)]
    if kind == "P":
        attributes = {"kernel_shape": [3, 3], "strides": [2, 2], "pads": [1, 1, 1, 1]}
    if kind == "S":
        attributes = {"axis": -1}
    name = {"P": "MaxPool", "S": "Softmax"}.get(kind, "Conv")
    out = shape if kind != "P" else [batch, a, b // 2, b // 2]
    node = helper.make_node(name, [x] + [t.name for t in weights], [y], f"{kind}_{number}", **attributes)
    return node, helper.make_tensor_value_info(x, TensorProto.FLOAT, shape), helper.make_tensor_value_info(
        y, TensorProto.FLOAT, out), weights


def shape_of(info):
    return [dim.dim_value for dim in info.type.tensor_type.shape.dim]


class Case:
    """One model; its trees by mode."""

    def __init__(self, folder, models, inputs, outputs):
        self.folder, self.models, self.inputs, self.outputs = folder, models, inputs, outputs
        self.trees, self.expected = {}, {}

    def make(self, options, mode):
        folder = os.path.join(self.folder, mode)
        names = ["--names", ",".join(f"m{i}" for i in range(len(self.models)))] if len(self.models) > 1 else []
        generate(options.burin, self.models[0], options.config, folder,
                 [*self.models[1:], *names, "--weights", "blob", "--name", "net", "--parallel-fusion",
                  "all" if mode == "unrounded" else mode])
        if mode == "unrounded" and not shift_offsets(folder, "net", options.shift):
            return
        with open(os.path.join(folder, "plan.json"), encoding="utf-8") as text:
            decisions = json.load(text).get("parallel_fusion", {}).get("decisions", [])
        joint = [one["reason"] for one in decisions if one["joint"]]
        self.expected[mode] = bool(joint) and not any("slower" in reason for reason in joint)
        tree = self.trees[mode] = Tree(folder)
        tree.build("g++", 2)
        tree.command.append("-ldl")

    def measure(self, options, mode):
        """Median wall and mean span in microseconds, launches, results."""
        tree = self.trees[mode]
        got = tree.start(self.inputs, {}, self.outputs)
        tree.times(20)
        wall = statistics.median(tree.times(options.runs)) * 1e6
        tree.stop()
        table = profiled(tree, options.shim, options.real, 20)
        span = table.pop("span").mean if table else 0
        return wall, span, sum(one.launches for one in table.values()), got


def operators_case(options, kinds, size, batch=1):
    parts = [operator(kind, size, number, batch) for number, kind in enumerate(kinds)]
    graph = helper.make_graph([p[0] for p in parts], "operators", [p[1] for p in parts], [p[2] for p in parts],
                              [w for p in parts for w in p[3]])
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 18)])
    model.ir_version = 8
    folder = os.path.join(options.cache, size + "_" + "_".join(kinds) + (f"_batch{batch}" if batch > 1 else ""))
    os.makedirs(folder, exist_ok=True)
    path = os.path.join(folder, "model.onnx")
    onnx.save(model, path)
    random = np.random.RandomState(7)
    inputs = {p[1].name: random.standard_normal(shape_of(p[1])).astype(np.float32) for p in parts}
    outputs = {p[2].name: np.zeros(shape_of(p[2]), np.float32) for p in parts}
    return Case(folder, [path], inputs, outputs)


def network_case(options, folders):
    """`folders`: of one network, or of several with + between them."""
    inputs, outputs, paths = {}, {}, []
    for number, folder in enumerate(folders.split("+")):
        paths.append(os.path.join(folder, "model.onnx"))
        model = onnx.load(paths[-1], load_external_data=False)
        data = os.path.join(folder, "test_data_set_0")
        constants = {t.name for t in model.graph.initializer}
        prefix = f"m{number}." if "+" in folders else ""
        for kind, values, to in (("input", model.graph.input, inputs), ("output", model.graph.output, outputs)):
            names = [v.name for v in values if v.name not in constants]
            for i, name in enumerate(names):
                to[prefix + name] = numpy_helper.to_array(onnx.load_tensor(os.path.join(data, f"{kind}_{i}.pb")))
    return Case(os.path.join(options.cache, title_of(folders)), paths, inputs, outputs)


def title_of(folders):
    return "+".join(os.path.basename(folder.rstrip("/")) for folder in folders.split("+"))


def same(a, b):
    return all(np.array_equal(a[name], b[name]) for name in a)


def make_all(options, wanted):
    """Trees of cases and modes."""
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        list(pool.map(lambda one: one[0].make(options, one[1]), wanted))


def compare(options, cases, modes, title):
    """Prints a line for each case; the share of cases whose joint launch is faster."""
    make_all(options, itertools.product(cases.values(), modes))
    wins, right, ratios, wrong = 0, 0, [], 0
    print(f"{title}: wall us and span us, {', '.join(modes)}; launches")
    for name, case in cases.items():
        results = {mode: case.measure(options, mode) for mode in modes}
        agree = all(same(results["off"][3], results[mode][3]) for mode in modes)
        wrong += not agree
        times = "  ".join(f"{results[m][0]:8.1f} {results[m][1]:8.1f}" for m in modes)
        launches = " ".join(f"{results[m][2]:.0f}" for m in modes)
        ratio = results["off"][1] / max(1e-9, results["all"][1])
        ratios.append(ratio)
        wins += ratio > 1
        right += case.expected["all"] == (ratio > 1)
        print(f"  {name:28} {times}  {launches:12} {ratio:5.2f} times the throughput"
              f"{', as expected' if case.expected['all'] == (ratio > 1) else ''}{'' if agree else ', RESULTS DIFFER'}",
              flush=True)
    print(f"{title}: {wins} of {len(cases)} gain, {min(ratios):.2f} to {max(ratios):.2f} times, median "
          f"{statistics.median(ratios):.2f}; the cost model is right about {right}", flush=True)
    return wrong


def compare_offsets(options):
    """Joint launches with offsets that are whole waves, and with ones in the middle of a wave."""
    cases = {}
    for size in options.sizes:
        for kinds in itertools.combinations_with_replacement(("DWC", "P", "S"), 2):
            cases[f"{'+'.join(kinds)}, {size}"] = operators_case(options, kinds, size)
    make_all(options, itertools.product(cases.values(), ("all", "unrounded")))
    wrong, ratios = 0, []
    print(f"offsets: span us of whole waves, of {options.shift} work-items more")
    for name, case in cases.items():
        if "unrounded" not in case.trees:
            print(f"  {name:28} has no joint launch without barriers")
            continue
        (_, rounded, _, a), (_, shifted, _, b) = (case.measure(options, mode) for mode in ("all", "unrounded"))
        wrong += not same(a, b)
        ratios.append(shifted / max(1e-9, rounded))
        print(f"  {name:28} {rounded:8.1f} {shifted:8.1f}  {ratios[-1]:5.2f} times as long"
              f"{'' if same(a, b) else ', RESULTS DIFFER'}", flush=True)
    if ratios:
        print(f"offsets: median {statistics.median(ratios):.2f}", flush=True)
    return wrong


def compare_batches(options):
    """One operator on a batch of N; N of it, with inputs and weights of their own, in one launch and apart."""
    print("batches: span us of one; of a batch of N, of N copies in one launch, of N copies apart; "
          "throughput of each to that of one")
    singles, batches, copies = {}, {}, {}
    for size, kind in itertools.product(options.sizes, options.kinds):
        singles[size, kind] = operators_case(options, (kind,), size)
        for count in (2, 4, 8):
            batches[size, kind, count] = operators_case(options, (kind,), size, count)
            copies[size, kind, count] = operators_case(options, (kind,) * count, size)
    make_all(options, [*((case, "off") for case in (*singles.values(), *batches.values(), *copies.values())),
                       *((case, "all") for case in copies.values())])
    single = {key: case.measure(options, "off")[1] for key, case in singles.items()}
    for (size, kind, count), case in copies.items():
        one = single[size, kind]
        spans = [batches[size, kind, count].measure(options, "off")[1], case.measure(options, "all")[1],
                 case.measure(options, "off")[1]]
        print(f"  {count} x {kind + ', ' + size:16} {one:8.1f} " + " ".join(f"{s:8.1f}" for s in spans) + "  " +
              " ".join(f"{count * one / max(1e-9, s):5.2f}" for s in spans), flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--burin", required=True)
    parser.add_argument("--config", required=True)
    parser.add_argument("--real", required=True, help="the OpenCL library that is measured")
    parser.add_argument("--cache", default=os.path.join(tempfile.gettempdir(), "parallel_fusion"))
    parser.add_argument("--runs", type=int, default=100)
    parser.add_argument("--operators", action="store_true")
    parser.add_argument("--unrounded", action="store_true")
    parser.add_argument("--shift", type=int, default=16, help="work-items before the first member, with --unrounded")
    parser.add_argument("--sizes", nargs="+", choices=SIZES, default=list(SIZES), help="of --unrounded and --batch")
    parser.add_argument("--kinds", nargs="+", choices=KINDS, default=list(KINDS), help="of --batch")
    parser.add_argument("--batch", action="store_true")
    parser.add_argument("--networks", nargs="*", default=[])
    options = parser.parse_args()
    options.shim = build_profiler(os.path.join(options.cache, "shim"))
    wrong = 0
    if options.networks:
        wrong += compare(options, {title_of(f): network_case(options, f) for f in options.networks},
                         ("off", "auto", "all"), "networks")
    if options.operators:
        modes = ("off", "all")
        for size, count in (("middle", 2), ("end", 2), ("end", 3)):
            combinations = itertools.combinations_with_replacement(KINDS, count)
            cases = {"+".join(kinds): operators_case(options, kinds, size) for kinds in combinations}
            wrong += compare(options, cases, modes, f"{count} operators of a network's {size}")
        cases = {f"{count} x {kind}, {size}": operators_case(options, (kind,) * count, size)
                 for size in SIZES for kind in ("C1x1", "DWC") for count in (2, 4, 8)}
        wrong += compare(options, cases, modes, "identical operators")
    if options.unrounded:
        wrong += compare_offsets(options)
    if options.batch:
        compare_batches(options)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
