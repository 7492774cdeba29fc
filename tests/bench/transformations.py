#!/usr/bin/env python3
"""Layout transformations of the networks of a zoo folder, and their share of time (SmartMem's Table 1).

    transformations.py --zoo ZOO [--models NAME ...] [--burin PROGRAM] [--config FILE]

nodes       of the model; `that move` of them have a Fixed layout class (`burin analyze`): the transformations that the
            exporter wrote
explicit    kernels that run only to move data, without elimination (`--without movement`) and with it, and their share of
            the time of all kernels, one thread; `with layouts` counts the copies that chosen layouts ask for, too
packed      operands that kernels bring into panels or windows for themselves as they run: transformations that are implicit,
            and are part of those kernels' time

Every call of a kernel is timed by itself (kernel_times.py); outputs are compared with onnxruntime's. Needs Python 3.9+ with
numpy, onnx, onnxruntime and a compiler.
"""
import argparse
import os
import sys

import kernel_times
from arenas import analyze
from dynamic_times import default_sizes, point, show, started
from materialized import Model
from tree import Tree, generate
from zoo import ROOT

LEVELS = (("without", ["--without", "movement"]), ("with", []), ("chosen", ["--layouts", "chosen"]))
COLUMNS = ("model", "nodes", "that move", "explicit without elimination", "share, %", "explicit with it", "share, %",
           "with layouts", "share, %", "packed before", "packed after", "ms before", "ms after")


def timed(model, label, flags, options):
    """A tree with a clock around its kernels: what `analyze` says of those that run, and their microseconds."""
    out = os.path.join(options.cache, "trees", f"{model.name}_times_{label}")
    generate(options.burin, model.path, options.config, out, ["--name", model.name, *model.dim_flags(), *flags])
    tree = Tree(out)
    kernel_times.instrument(tree)
    tree.build(options.compiler, options.jobs)
    started(tree, model, [point(model, default_sizes(model))])
    tree.times(options.runs)
    tree.process.stdin.close()
    tree.process.wait()
    told = analyze(model.path, model.dim_flags() + flags, options)
    kernels = [kernel for kernel in told["kernels"] if not kernel["view"] and not kernel["family"].startswith("procedure")]
    us = kernel_times.read(tree)
    if len(us) != len(kernels):
        raise RuntimeError(f"{model.name}: {len(us)} calls of {len(kernels)} kernels")
    return told, kernels, us


def packed(kernels):
    return sum(kernel["packed"] for kernel in kernels)


def row(model, options):
    cells, shares, packs, times = [], [], [], []
    for label, flags in LEVELS:
        told, kernels, us = timed(model, label, flags, options)
        moves = [kernel["movement"] for kernel in kernels]
        shares += [sum(moves), 100 * sum(t for t, m in zip(us, moves) if m) / max(1e-9, sum(us))]
        packs.append(packed(kernels))
        times.append(sum(us) / 1e3)
        nodes = told["operators"]
    fixed = sum(str(node["layout_class"]).endswith("Fixed") for node in nodes)
    cells += [model.name, len(nodes), fixed, *shares, packs[0], packs[1], times[0], times[1]]
    return cells


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--zoo", required=True)
    parser.add_argument("--cache", default=os.path.join(ROOT, "build", "zoo"))
    parser.add_argument("--burin", default=os.path.join(ROOT, "build", "release", "generator", "burin"))
    parser.add_argument("--models", nargs="+", metavar="NAME", default=("resnet50", "swin_tiny", "vit_base"))
    parser.add_argument("--config", default=os.path.join(ROOT, "configs", "x86-64-v3.json"))
    parser.add_argument("--compiler", default="c++")
    parser.add_argument("--jobs", type=int, default=os.cpu_count(), help="compilers at a time")
    parser.add_argument("--runs", type=int, default=5)
    options = parser.parse_args()
    show(COLUMNS)
    show(["---"] * len(COLUMNS))
    for name in options.models:
        show(row(Model(options.zoo, options.cache, name, 1), options))


if __name__ == "__main__":
    sys.exit(main())
