#!/usr/bin/env python3
"""Every model of a zoo folder through burin: what generates, builds and agrees with onnxruntime, and
what is refused and why. Nothing is timed here (zoo.py does that).

The reference is onnxruntime running every node as it stands. Networks that round on the way (Q/DQ, casts to
half types) turn differences in the last bit into whole steps; their tolerance is therefore twice `spread`, the
difference between onnxruntime with and without its own rewrites, where that is more than 1e-4.

    zoo_sweep.py --zoo ZOO --results FILE [--burin PROGRAM] [--models NAME ...] [--config FILE]
    zoo_sweep.py ... --points 5             # models with symbols or branches, at so many sizes and inputs
    zoo_sweep.py --results FILE --print     # the table of what is there, as Markdown; runs nothing

With --points, one tree per model runs at the default sizes, the smallest and others between (materialized.py
draws them), without a new initialisation, and every point is compared; the schedule of a model with branches
is built to count its lines, so that the row says how many kernel calls ran and how many branches were taken.

FILE holds one JSON line per model. A model whose line says that it agrees is not run again, so that a sweep
can be stopped and continued. Each model has a process of its own, with a limit of time and address space.
Materialised models are removed again unless they were there before or --keep is given: together they
fill some 25 GB. Needs Python 3.9+ with numpy, onnx, onnxruntime.
"""
import argparse
import json
import os
import resource
import shutil
import subprocess
import sys

from zoo_entries import described, is_dynamic, model_names

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))


def run_one(options):
    """The child: generates, builds, runs and compares one model, and prints its row."""
    from materialized import Model
    from zoo import compare, compare_points, largest_difference, make_tree

    limit = int(options.memory_gb * 2**30)
    resource.setrlimit(resource.RLIMIT_AS, (limit, limit))
    row = {}
    try:
        model = Model(options.zoo, options.cache, options.child, options.jobs, rewrite=False)
        tree = make_tree(model, row, options, counted=options.points > 0 and model.gated())
        try:
            if options.points:
                compare_points(model, tree, row, model.points(options.points))
            else:
                compare(model, tree, row)
        finally:
            tree.stop()
        if row["verdict"] != "agrees" and model.rounds() and not options.points:
            rewritten = Model(options.zoo, options.cache, options.child, options.jobs)
            row["spread"] = largest_difference(rewritten.outputs(), model.outputs())
            if row["difference"] <= 2 * row["spread"]:
                row["verdict"] = "agrees"
    except Exception as error:  # the row says which step failed
        row["verdict"] = "refused" if "exit code 1:" in str(error) else "FAILED"
        row["reason"] = str(error).strip().splitlines()[-1][:300]
    print("\n" + json.dumps(row))


def row_of(name, options):
    entry = described(options.zoo, name)
    row = {"model": name, "nodes": entry["nodes"]}
    if options.points and not options.models and not is_dynamic(entry):
        return None
    if entry.get("weights_bytes", 0) > options.largest_gb * 1e9:
        return {**row, "verdict": "left out", "reason": f"weights above {options.largest_gb} GB"}
    command = [sys.executable, os.path.abspath(__file__), *sys.argv[1:], "--child", name]
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=options.seconds)
        lines = done.stdout.strip().splitlines()
        if done.returncode == 0 and lines:
            return {**row, **json.loads(lines[-1])}
        reason = (done.stderr.strip().splitlines() or [f"exit code {done.returncode}"])[-1]
        return {**row, "verdict": "FAILED", "reason": reason[:300]}
    except subprocess.TimeoutExpired:
        return {**row, "verdict": "FAILED", "reason": f"not done after {options.seconds} s"}


def sweep(options):
    for name in options.models or model_names(options.zoo):
        done = read(options.results)
        if done.get(name, {}).get("verdict") == "agrees" and not options.models:
            continue
        there = os.path.exists(os.path.join(options.cache, name))
        row = row_of(name, options)
        if row is None:
            continue
        with open(options.results, "a", encoding="utf-8") as out:
            out.write(json.dumps(row) + "\n")
        print(f"{name}: {row['verdict']} {row.get('reason', '')}", flush=True)
        if not options.keep:
            leftovers = [os.path.join("trees", name), os.path.join("trees", name + ".build")]
            for folder in leftovers + ([] if there else [name]):
                shutil.rmtree(os.path.join(options.cache, folder), ignore_errors=True)


def read(results):
    """model -> its newest row"""
    rows = {}
    if os.path.exists(results):
        with open(results, encoding="utf-8") as lines:
            for line in lines:
                row = json.loads(line)
                rows[row["model"]] = row
    return rows


def print_table(rows):
    print("| model | nodes | kernels | arena MB | generate s | memory / model | build s | difference / max | spread | verdict |")
    print("|---|---|---|---|---|---|---|---|---|---|")

    def cell(row, key, form):
        return form.format(row[key]) if key in row else ""

    for name in sorted(rows):
        row = rows[name]
        verdict = row["verdict"] + (": " + row["reason"].replace("|", "\\|") if "reason" in row else "")
        cells = [name, cell(row, "nodes", "{}"), cell(row, "kernels", "{}"),
                 cell(row, "arena_mb", "{:.2f}"), cell(row, "generate_s", "{:.1f}"),
                 cell(row, "peak_ratio", "{:.1f}"), cell(row, "build_s", "{:.1f}"),
                 cell(row, "difference", "{:.0e}"),
                 cell(row, "spread", "{:.0e}"), verdict]
        print("| " + " | ".join(cells) + " |")
    agree = sum(row["verdict"] == "agrees" for row in rows.values())
    print(f"\n{agree} of {len(rows)} agree.")


def print_points(rows):
    """One line per point."""
    print("| model | sizes | arena MB | difference / max | kernel calls that ran | branches taken | verdict |")
    print("|---|---|---|---|---|---|---|")
    for name in sorted(rows):
        if "points" not in rows[name]:
            print(f"| {name} | | | | | | {rows[name]['verdict']}: {rows[name].get('reason', '')} |")
        for point in rows[name].get("points", []):
            sizes = " ".join(f"{symbol}={size}" for symbol, size in point["dims"].items())
            ran, taken = "", ""
            if "calls" in point:
                ran, taken = f"{point['ran']} of {point['calls']}", f"{point['taken']} of {point['reached']}"
            print(f"| {name} | {sizes} | {point['arena_mb']:.2f} | {point['difference']:.0e} | {ran} | {taken} | "
                  f"{point['verdict']} |")
    agree = sum(row["verdict"] == "agrees" for row in rows.values())
    print(f"\n{agree} of {len(rows)} models agree at every point.")


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--zoo", help="folder with materialize.py and models/")
    parser.add_argument("--results", required=True, metavar="FILE")
    parser.add_argument("--print", action="store_true", dest="only_print")
    parser.add_argument("--cache", default=os.path.join(ROOT, "build", "zoo"))
    parser.add_argument("--burin",
                        default=os.path.join(ROOT, "build", "release", "generator", "burin"))
    parser.add_argument("--models", nargs="+", metavar="NAME")
    parser.add_argument("--config", default=os.path.join(ROOT, "configs", "x86-64-v3.json"))
    parser.add_argument("--compiler", default="c++")
    parser.add_argument("--jobs", type=int, default=os.cpu_count(), help="compilers at a time")
    parser.add_argument("--points", type=int, default=0, metavar="N")
    parser.add_argument("--largest-gb", type=float, default=2.0, help="of weights; others are left out")
    parser.add_argument("--seconds", type=float, default=900, help="limit of time per model")
    parser.add_argument("--memory-gb", type=float, default=16, help="limit of address space per process")
    parser.add_argument("--keep", action="store_true", help="keep materialised models and trees")
    parser.add_argument("--child", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if not options.only_print and not options.zoo:
        parser.error("--zoo is needed")
    if options.child:
        run_one(options)
    elif options.only_print:
        (print_points if options.points else print_table)(read(options.results))
    else:
        sweep(options)


if __name__ == "__main__":
    main()
