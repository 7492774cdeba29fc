"""A runner for `burin tune`: builds a tree with the host's compiler, runs it on inputs that are made up, and prints the
microseconds of a run.

    python3 tests/bench/tune_runner.py TREE

BURIN_TUNE_RUNS: runs that are timed (25); the median counts. Sizes of the caller are their smallest.
"""
import os
import statistics
import sys

import numpy as np

from tree import Tree

TYPES = {"f16": np.float16, "bf16": np.uint16, "f32": np.float32, "f64": np.float64, "boolean": np.uint8}


def element_type(name):
    return np.dtype(TYPES.get(name) or {"i": "int", "u": "uint"}[name[0]] + name[1:])


def main():
    tree = Tree(sys.argv[1])
    tree.build("g++", 1)
    tree.command.append("-ldl")
    sizes = {s["name"]: s["min"] for s in tree.manifest["symbols"]}
    scope = {s["c_name"]: s["min"] for s in tree.manifest["symbols"]}
    random = np.random.RandomState(1)

    def array(declared):
        shape = [e if isinstance(e, int) else int(eval(e, {"min": min, "max": max}, scope)) for e in declared["shape"]]
        dtype = element_type(declared["type"])
        return (random.standard_normal(shape) if dtype.kind == "f" else np.zeros(shape)).astype(dtype)

    inputs = {one["name"]: array(one) for one in tree.manifest["inputs"]}
    outputs = {one["name"]: array(one) for one in tree.manifest["outputs"]}
    tree.start(inputs, sizes, outputs)
    tree.times(3)
    seconds = tree.times(int(os.environ.get("BURIN_TUNE_RUNS", "25")))
    tree.stop()
    print(statistics.median(seconds) * 1e6)


if __name__ == "__main__":
    main()
