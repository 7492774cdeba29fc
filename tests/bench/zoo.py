#!/usr/bin/env python3
"""burin beside onnxruntime on networks of a zoo folder, in one run: one table, one line per model.

    zoo.py --zoo ZOO [--burin PROGRAM] [--models NAME ...] [--config FILE] [--threads 1]
    zoo.py --zoo ZOO --baseline            # onnxruntime alone
    zoo.py --zoo ZOO --before PROGRAM      # trees of another burin take their turns, too

For each model: materialise it (ZOO/materialize.py), `burin generate` (seconds, peak memory), build the
tree (seconds), run it on the same random inputs as onnxruntime, compare, and time both: rounds of a few
runs each, taken in turn so that other load on the machine hits both. Fails when a model differs by more
than 1e-4 (half precision: 1e-2) of its largest output. Needs Python 3.9+ with numpy, onnx, onnxruntime.
"""
import argparse
import json
import os
import statistics
import sys
import traceback

import numpy as np

from materialized import Model
from schedule_counts import Schedule
from tree import Tree, generate_bounded

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
MODELS = ("resnet50 mobilenetv2 squeezenet1_1 vit_base bert_base_dyn minilm_dyn unet_small tinybert "
          "mobilenetv2_fp16").split()
RUN_BOUND = 512  # of a dynamic size
COLUMNS = (("model", "{}"), ("generate_s", "{:.2f}"), ("peak_mb", "{:.0f}"), ("peak_ratio", "{:.2f}"),
           ("build_s", "{:.1f}"), ("difference", "{:.1e}"), ("burin_ms", "{:.2f}"),
           ("burin_median_ms", "{:.2f}"), ("before_generate_s", "{:.2f}"), ("before_ms", "{:.2f}"),
           ("of_before", "{:.2f}"), ("onnxruntime_ms", "{:.2f}"),
           ("onnxruntime_median_ms", "{:.2f}"), ("ratio", "{:.2f}"), ("kernels", "{}"),
           ("arena_mb", "{:.2f}"), ("verdict", "{}"))


def largest_difference(ours, theirs):
    """The largest |a - b| over all outputs, each relative to its own largest magnitude."""
    worst = 0.0
    for name, expected in theirs.items():
        if ours[name].size != expected.size:
            raise RuntimeError(f"output {name} has shape {ours[name].shape}, not {expected.shape}")
        if expected.size == 0:
            continue
        got = ours[name].reshape(expected.shape).astype(np.float64)
        expected = expected.astype(np.float64)
        if not np.isfinite(got).all():
            return float("inf")
        worst = max(worst, np.abs(got - expected).max() / max(np.abs(expected).max(), 1e-30))
    return worst


def timed(columns, label, seconds):
    columns[label + "_ms"] = 1e3 * min(seconds)
    columns[label + "_median_ms"] = 1e3 * statistics.median(seconds)


def make_tree(model, row, options, counted=False, burin=None, folder="trees"):
    out = os.path.join(options.cache, folder, model.name)
    flags = ["--name", model.name, *model.dim_flags()]
    row["generate_s"], peak, bounds = generate_bounded(burin or options.burin, model.path, options.config, out, flags, RUN_BOUND)
    if bounds:
        row["bounds"] = bounds
    row["peak_mb"], row["peak_ratio"] = peak / 1e6, peak / model.file_bytes
    tree = Tree(out)
    row["kernels"] = tree.kernels()
    row["build_s"] = tree.build(options.compiler, options.jobs, counted)
    return tree


def compare(model, tree, row):
    expected = model.outputs()
    ours = tree.start(model.inputs, model.dims(), expected)
    row["difference"] = largest_difference(ours, expected)
    row["arena_mb"] = tree.arena_bytes / 1e6
    row["verdict"] = "agrees" if row["difference"] <= model.tolerance() else "DIFFERS"


def compare_points(model, tree, row, points):
    """Every point through one tree, each against onnxruntime; `row` gets a list of them and the worst."""
    ours = tree.start_points(points)
    schedule = Schedule(tree) if tree.counts else None
    row["points"] = []
    for number, (inputs, dims, theirs) in enumerate(points):
        point = {"dims": dims, "arena_mb": tree.arenas[number] / 1e6}
        point["difference"] = largest_difference(ours[number], theirs)
        tolerance = model.tolerance()
        if point["difference"] > tolerance and model.rounds():
            point["spread"] = largest_difference(model.rewritten().outputs(inputs), theirs)
            tolerance = max(tolerance, 2 * point["spread"])
        if schedule:
            point.update(schedule.counted(number))
        agrees = point["difference"] <= tolerance and not point.get("both")
        point["verdict"] = "agrees" if agrees else "DIFFERS"
        row["points"].append(point)
    row["difference"] = max(point["difference"] for point in row["points"])
    row["arena_mb"] = max(point["arena_mb"] for point in row["points"])
    row["verdict"] = "agrees" if all(p["verdict"] == "agrees" for p in row["points"]) else "DIFFERS"


def measure(name, options):
    """One row of the table; with --baseline, onnxruntime's part of it."""
    model = Model(options.zoo, options.cache, name, options.threads)
    row = {"model": name}
    if options.baseline:
        model.outputs()
        timed(row, "onnxruntime", model.times(options.rounds * options.runs))
        return row
    trees = [make_tree(model, row, options)]
    before = {"model": name}
    if options.before:
        trees.append(make_tree(model, before, options, burin=options.before, folder="trees_before"))
    theirs, ours = [], [[] for _ in trees]
    try:
        for tree, its in zip(trees, (row, before)):
            compare(model, tree, its)
        for _ in range(options.rounds):
            theirs += model.times(options.runs)
            for tree, times in zip(trees, ours):
                times += tree.times(options.runs)
    finally:
        for tree in trees:
            tree.stop()
    timed(row, "onnxruntime", theirs)
    timed(row, "burin", ours[0])
    if options.before:
        timed(row, "before", ours[1])
        row["before_generate_s"] = before["generate_s"]
        row["of_before"] = row["burin_ms"] / row["before_ms"]
    row["ratio"] = row["burin_ms"] / row["onnxruntime_ms"]
    return row


def print_table(rows):
    shown = [c for c in COLUMNS if any(c[0] in row for row in rows)]
    lines = [[c[0] for c in shown]]
    lines += [[f.format(row[c]) if c in row else "-" for c, f in shown] for row in rows]
    widths = [max(len(line[i]) for line in lines) for i in range(len(shown))]
    for line in lines:
        print("  ".join(cell.rjust(w) if i else cell.ljust(w)
                        for i, (cell, w) in enumerate(zip(line, widths))))


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--zoo", required=True, help="folder with materialize.py and models/")
    parser.add_argument("--cache", default=os.path.join(ROOT, "build", "zoo"))
    parser.add_argument("--burin",
                        default=os.path.join(ROOT, "build", "release", "generator", "burin"))
    parser.add_argument("--models", nargs="+", default=MODELS, metavar="NAME")
    parser.add_argument("--config", default=os.path.join(ROOT, "configs", "x86-64-v3.json"))
    parser.add_argument("--compiler", default="c++")
    parser.add_argument("--jobs", type=int, default=os.cpu_count(), help="compilers at a time")
    parser.add_argument("--threads", type=int, default=1, help="onnxruntime's threads")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--runs", type=int, default=4, help="runs of each program per round")
    parser.add_argument("--before", metavar="PROGRAM", help="another burin to take turns with")
    parser.add_argument("--baseline", action="store_true", help="onnxruntime alone, without burin")
    parser.add_argument("--json", metavar="FILE", help="also write the rows there")
    options = parser.parse_args()
    if os.path.realpath(options.cache) == os.path.realpath(options.zoo):
        parser.error("--cache must not be the zoo itself")
    rows = []
    for name in options.models:
        print(f"{name} ...", file=sys.stderr, flush=True)
        try:
            rows.append(measure(name, options))
        except Exception as error:  # one model's failure must not hide the others' figures
            traceback.print_exc()
            rows.append({"model": name, "verdict": "FAILED: " + str(error).splitlines()[0][:60]})
    print_table(rows)
    both = [row for row in rows if "of_before" in row]
    if both:
        print(f"of before: geometric mean {statistics.geometric_mean(r['of_before'] for r in both):.3f}, most "
              f"{max(r['of_before'] for r in both):.2f}; generate, seconds: {sum(r['generate_s'] for r in both):.1f}, "
              f"before {sum(r['before_generate_s'] for r in both):.1f}")
    if options.json:
        with open(options.json, "w", encoding="utf-8") as out:
            json.dump(rows, out, indent=1)
    sys.exit(any(row.get("verdict", "agrees") != "agrees" for row in rows))


if __name__ == "__main__":
    main()
