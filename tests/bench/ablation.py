#!/usr/bin/env python3
"""What each step of the compiler gives, by SmartMem's Figures 7 to 9 and section 4.6.

    ablation.py --zoo ZOO [--models NAME ...] [--burin PROGRAM] [--config FILE] [--smallest] [--no-simulation]
                [--without REWRITE]

LEVELS are switches of burin: fusion alone, where what only moves data is a kernel; movement eliminated, with indices as
substitution leaves them; indices simplified; layouts chosen. With --without they are two: everything, and everything but
that rewrite. For every model and level:

kernels, moves   that run, and those of them that only move data
MB moved         of all operands of all kernels, each once (`burin analyze`)
arena MB         working memory; `copies at the peak` is what of the live bytes of the step that needs the most is results of
                 kernels that only move data: extra layout copies
ms               fastest run of one thread; all levels take turns in one process each
data refs ...    loads and stores, misses of the nearest and of the last cache of one run, in millions: valgrind's callgrind with
                 --cache-sim on the emitted tree, with the caches of the description (their sizes and lines; ways are ours)

A level whose tree is the one before it to the byte shares its time and its simulation.

Outputs of every level are compared with onnxruntime's. Needs Python 3.9+ with numpy, onnx, onnxruntime, and valgrind; the
description may ask for no instructions beyond AVX2 then.
"""
import argparse
import json
import os
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

from arenas import analyze, evaluate
from dynamic_times import default_sizes, in_turn, point, side_of, started, tree_of
from materialized import Model
from zoo import ROOT

LEVELS = (
    ("fusion", ["--without", "movement"]),
    ("+ elimination", ["--without", "simplify"]),
    ("+ simplified indices", []),
    ("+ layouts", ["--layouts", "chosen"]),
)
MODELS = ("resnet50", "swin_tiny", "vit_base", "mobilevit_s")
COLUMNS = ("model", "level", "kernels", "moves", "MB moved", "arena MB", "copies at the peak, MB", "ms", "data refs",
           "nearest cache misses", "last cache misses")


def figures(told, sizes):
    kernels = [kernel for kernel in told["kernels"] if not kernel["view"]]
    copies = {kernel["position"] for kernel in kernels if kernel["movement"]}
    arena = told["arena"]
    live, copied = {}, {}
    for buffer in arena["buffers"]:
        bytes_ = evaluate(arena, buffer["bytes"], sizes)
        for first, last in buffer["live"]:
            for position in range(first, last + 1):
                live[position] = live.get(position, 0) + bytes_
                if buffer["live"][0][0] in copies:
                    copied[position] = copied.get(position, 0) + bytes_
    peak = max(live.values(), default=0)
    at_peak = max((copied.get(position, 0) for position in live if live[position] == peak), default=0)
    moved = sum(kernel["bytes_read"] + kernel["bytes_written"] for kernel in kernels)
    return [len(kernels), sum(kernel["movement"] for kernel in kernels), moved / 1e6,
            evaluate(arena, arena["bytes"], sizes) / 1e6, at_peak / 1e6]


def geometry(cache, line):
    """Size, ways and line as cachegrind takes them: sets are a power of two."""
    for ways in (8, 16, 12, 10, 11, 20):
        sets = cache["size_bytes"] // (ways * line)
        if sets & (sets - 1) == 0 and sets * ways * line == cache["size_bytes"]:
            return f"{cache['size_bytes']},{ways},{line}"
    raise RuntimeError(f"no power of two sets: {cache}")


def simulated(tree, config):
    """Data references, misses of the nearest and of the last cache of one warm run."""
    with open(config, encoding="utf-8") as text:
        memory = json.load(text)["memory"]
    line, caches = memory["cache_line_bytes"], memory["caches"]
    out = os.path.join(tree.objects, "callgrind.out")
    subprocess.run(["valgrind", "-q", "--tool=callgrind", "--cache-sim=yes", f"--D1={geometry(caches[0], line)}",
                    f"--LL={geometry(caches[-1], line)}", "--callgrind-out-file=" + out, "--collect-atstart=no",
                    f"--toggle-collect={tree.name}_run", os.path.join(tree.objects, "driver"), *tree.points],
                   input="", text=True, check=True, stdout=subprocess.DEVNULL)
    with open(out, encoding="utf-8") as text:
        lines = text.read().splitlines()
    events = next(l for l in lines if l.startswith("events:")).split()[1:]
    counts = dict(zip(events, map(int, next(l for l in lines if l.startswith("totals:")).split()[1:])))
    return [sum(counts[event] for event in group) / 1e6
            for group in (("Dr", "Dw"), ("D1mr", "D1mw"), ("DLmr", "DLmw"))]


def written(tree):
    """What tells a tree from another one: names and contents of its files."""
    hashes = dict(reversed(line.split("  ")) for line in pathlib.Path(tree.folder, "files.sha256").read_text().splitlines())
    return [(f["path"], hashes[f["path"]]) for f in tree.manifest["files"] if f["role"] not in ("hashes", "report", "plan")]


def show(cells):
    print("| " + " | ".join(f"{c:.2f}" if isinstance(c, float) else str(c) for c in cells) + " |", flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--zoo", required=True)
    parser.add_argument("--cache", default=os.path.join(ROOT, "build", "zoo"))
    parser.add_argument("--burin", default=os.path.join(ROOT, "build", "release", "generator", "burin"))
    parser.add_argument("--models", nargs="+", metavar="NAME", default=MODELS)
    parser.add_argument("--config", default=os.path.join(ROOT, "configs", "x86-64-v3.json"))
    parser.add_argument("--compiler", default="c++")
    parser.add_argument("--jobs", type=int, default=os.cpu_count(), help="compilers at a time")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--runs", type=int, default=3, help="per round")
    parser.add_argument("--smallest", action="store_true", help="the smallest sizes of symbols, not the defaults")
    parser.add_argument("--no-simulation", action="store_true", help="leave the simulated caches out")
    parser.add_argument("--without", metavar="REWRITE", help="everything beside everything but this")
    options = parser.parse_args()
    levels = LEVELS if not options.without else (("all", []), (f"without {options.without}", ["--without", options.without]))
    print(f"load of the machine before: {os.getloadavg()[0]:.1f} on {os.cpu_count()} processors", file=sys.stderr)
    show(COLUMNS)
    show(["---"] * len(COLUMNS))
    for name in options.models:
        model = Model(options.zoo, options.cache, name, 1)
        sizes = {s: r[1] for s, r in model.ranges.items()} if options.smallest else default_sizes(model)
        at = [point(model, sizes)]
        trees, numbers = [], []
        for k, (_, flags) in enumerate(levels):
            tree = tree_of(model, f"ablation{k}{options.without or str()}", model.dim_flags() + flags, options)
            same = next((n for n, other in enumerate(trees) if written(other) == written(tree)), len(trees))
            numbers.append(same)
            if same == len(trees):
                trees.append(started(tree, model, at))
        times = in_turn([side_of(tree) for tree in trees], options)
        for tree in trees:
            tree.stop()
        misses = [[] for _ in trees]
        if not options.no_simulation:
            with ThreadPoolExecutor() as pool:  # of processes: what is simulated does not depend on their time
                misses = list(pool.map(lambda tree: simulated(tree, options.config), trees))
        for (label, flags), number in zip(levels, numbers):
            told = analyze(model.path, model.dim_flags() + flags, options)
            show([name, label, *figures(told, sizes), times[number], *misses[number]])
    print(f"load after: {os.getloadavg()[0]:.1f}", file=sys.stderr)


if __name__ == "__main__":
    sys.exit(main())
