#!/usr/bin/env python3
"""GCD2's Figure 10: layouts of growing pieces of a network, by choices that see more or less of it.

    layout_pieces.py --zoo ZOO [--model resnet50] [--burin PROGRAM] [--config FILE] [--sizes 5 10 ...]

A piece is the first operators of the model. For each: tensors whose layout is free, the number of all choices (which is
what trying everything takes), the cost of the optimum in 10^6 sixteenths of a cycle and whether it is proven, the time of the whole
selection, and the costs over the optimum's of every tensor as its maker likes it (local optimal), GCD2's partition into
13 and 17 operators, and everything row-major. Weights are zeros (kernel_counts.py). Needs Python 3.9+ with onnx.
"""
import argparse
import json
import os
import subprocess
import sys
import tempfile

import onnx
from onnx import TensorProto, helper

from kernel_counts import ROOT, dim_flags, hollow
from zoo_entries import described

COLUMNS = ("operators", "free tensors", "choices", "optimum", "proven", "seconds", "local", "GCD2 (13)", "GCD2 (17)", "row-major")


def first(path, count):
    """The file with its first nodes only; what later ones read are outputs."""
    model = onnx.load(path, load_external_data=False)
    nodes, rest = list(model.graph.node[:count]), list(model.graph.node[count:])
    made = [name for node in nodes for name in node.output if name]
    inside = {name for node in nodes for name in node.input}
    later = {name for node in rest for name in node.input} | {output.name for output in model.graph.output}
    del model.graph.node[count:]
    del model.graph.output[:]
    model.graph.output.extend(helper.make_tensor_value_info(name, TensorProto.FLOAT, None)
                              for name in made if name in later or name not in inside)
    del model.graph.value_info[:]
    onnx.save(model, path)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--zoo", required=True)
    parser.add_argument("--model", default="resnet50")
    parser.add_argument("--burin", default=os.path.join(ROOT, "build/dev/generator/burin"))
    parser.add_argument("--config", default=os.path.join(ROOT, "configs/x86-64-v4-vnni.json"))
    parser.add_argument("--sizes", nargs="+", type=int)
    options = parser.parse_args()
    entry = described(options.zoo, options.model)
    sizes = options.sizes or [*range(5, 30, 5), *range(40, entry["nodes"], 20), entry["nodes"]]
    print("| " + " | ".join(COLUMNS) + " |\n|" + " --- |" * len(COLUMNS))
    for size in sizes:
        with tempfile.TemporaryDirectory() as folder:
            path = hollow(os.path.join(options.zoo, "models", options.model + ".onnx"), folder)
            first(path, size)
            done = subprocess.run([options.burin, "analyze", path, "--config", options.config, "--json",
                                   *dim_flags(entry)], capture_output=True, text=True, check=False)
        if done.returncode:
            print(f"| {size} | {done.stderr.strip().splitlines()[-1][-120:]} |", flush=True)
            continue
        told = json.loads(done.stdout)["selection"]
        others = told["alternatives"]
        print("| " + " | ".join(
            [str(size), str(told["variables"]), f"2^{told['choices_log2']}", f"{told['cost'] / 1e6:.1f}",
             "yes" if told["optimal"] else f"from {told['bound'] / 1e6:.1f}", f"{told['seconds']:.3f}",
             *(f"{others[key] / told['cost']:.3f}" for key in ("local", "gcd2_13", "gcd2_17", "row_major"))]) + " |", flush=True)


if __name__ == "__main__":
    sys.exit(main())
