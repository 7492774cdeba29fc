#!/usr/bin/env python3
"""Kernels that the networks of a zoo folder become, beside the figures of the papers.

    kernel_counts.py --zoo ZOO [--burin PROGRAM] [--models NAME ...] [--config FILE] [--markdown]
                     [--without REWRITE ...] [--largest-gb 1.0]

Counts do not depend on weights: each model gets a file of zeros without blocks on the disk in place of them,
and is only analysed (`burin analyze --json`). One line per model: its nodes, the kernels that burin runs, those
of them that only move data, those that only compute element by element (`lone`), seconds, the figures of
SmartMem's Table 7 for it, and whether burin is at or below the paper's own. A model and its `_raw` twin are the
same network by two ways of exporting: they must end with the same count. The exit code is 1 where a count
is above its figure or twins differ. Needs Python 3.9+ with onnx.
"""
import argparse
import collections
import json
import os
import subprocess
import sys
import tempfile
import time

import onnx

from zoo_entries import described, model_names

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
# Kernels that the project wants to reach, where it wants more than the paper.
AIMS = {"vit_base": 65, "swin_tiny": 72, "resnet50": 56, "convnext_tiny": 75}
COLUMNS = ("model", "nodes", "kernels", "moves", "lone", "seconds", "mnn", "tvm", "dnnf", "ours", "aim", "verdict")


def tensors(graph):
    yield from graph.initializer
    for node in graph.node:
        for attribute in node.attribute:
            for inner in ([attribute.g] if attribute.HasField("g") else []) + list(attribute.graphs):
                yield from tensors(inner)


def hollow(source, folder):
    """The model with zeros for weights, in a file that takes no room. Its path."""
    model = onnx.load(source, load_external_data=False)
    sizes = collections.defaultdict(int)
    for tensor in tensors(model.graph):
        if tensor.data_location == onnx.TensorProto.EXTERNAL:
            place = {entry.key: entry.value for entry in tensor.external_data}
            end = int(place.get("offset", 0)) + int(place["length"])
            sizes[place["location"]] = max(sizes[place["location"]], end)
    path = os.path.join(folder, "model.onnx")
    onnx.save(model, path)
    for name, size in sizes.items():
        with open(os.path.join(folder, name), "wb") as weights:
            weights.truncate(size)
    return path


def dim_flags(entry):
    """The ranges of the model's symbols, with the default as the size to optimise for."""
    flags = []
    for symbol, (default, least, most) in entry.get("dims", {}).items():
        flags += ["--dim", f"{symbol}={least}..{most}@{default}"]
    return flags


def count(name, options):
    entry = described(options.zoo, name)
    row = {"model": name, "nodes": entry["nodes"]}
    paper = entry.get("papers", {}).get("smartmem", {})
    row.update({key: paper[key] for key in ("mnn", "tvm", "dnnf", "ours") if key in paper})
    if name in AIMS:
        row["aim"] = AIMS[name]
    if entry.get("weights_bytes", 0) > options.largest_gb * 1e9:
        return {**row, "verdict": f"left out: weights above {options.largest_gb} GB"}
    with tempfile.TemporaryDirectory(dir=options.scratch) as folder:
        path = hollow(os.path.join(options.zoo, "models", name + ".onnx"), folder)
        command = [options.burin, "analyze", path, "--config", options.config, "--json", *dim_flags(entry)]
        for rewrite in options.without:
            command += ["--without", rewrite]
        start = time.perf_counter()
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        row["seconds"] = time.perf_counter() - start
    if done.returncode:
        return {**row, "verdict": "refused: " + done.stderr.strip().splitlines()[-1].split("error: ")[-1][:80]}
    kernels = [kernel for kernel in json.loads(done.stdout)["kernels"] if not kernel["view"]]
    row["kernels"] = len(kernels)
    row["moves"] = sum(kernel["movement"] for kernel in kernels)
    row["lone"] = sum(kernel["family"] == "elementwise" and not kernel["movement"] for kernel in kernels)
    limits = [row[key] for key in ("ours", "aim") if key in row]
    if limits:
        above = row["kernels"] - min(limits)
        row["fails"] = above > 0
        row["verdict"] = f"{above} above" if above > 0 else "at or below"
    return row


def compare_twins(rows):
    for name, row in rows.items():
        twin = rows.get(name.removesuffix("_raw"))
        if name.endswith("_raw") and twin and "kernels" in row and "kernels" in twin:
            row["fails"] = row["kernels"] != twin["kernels"]
            row["verdict"] = f"twin has {twin['kernels']}" if row["fails"] else "as its twin"


def cell(row, column):
    value = row.get(column, "")
    return f"{value:.1f}" if isinstance(value, float) else str(value)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--zoo", required=True)
    parser.add_argument("--burin", default=os.path.join(ROOT, "build/dev/generator/burin"))
    parser.add_argument("--config", default=os.path.join(ROOT, "configs/x86-64-v4-vnni.json"))
    parser.add_argument("--models", nargs="*")
    parser.add_argument("--without", action="append", default=[])
    parser.add_argument("--largest-gb", type=float, default=1.0)
    parser.add_argument("--scratch", help="a folder for the models while they are analysed")
    parser.add_argument("--markdown", action="store_true")
    options = parser.parse_args()
    names = options.models or model_names(options.zoo)
    edge, between = ("| ", " | ") if options.markdown else ("", "  ")
    widths = [max(8, len(c)) if c != "model" else 24 for c in COLUMNS]

    def show(cells):
        padded = [c if options.markdown else c.ljust(w) for c, w in zip(cells, widths)]
        print((edge + between.join(padded) + edge).strip(), flush=True)

    rows = {}
    show(COLUMNS)
    if options.markdown:
        show(["---"] * len(COLUMNS))
    for name in names:
        rows[name] = count(name, options)
        compare_twins(rows)
        show([cell(rows[name], c) for c in COLUMNS])
    counted = [row for row in rows.values() if "kernels" in row]
    print(f"\n{len(counted)} models, {sum(r['kernels'] for r in counted)} kernels, "
          f"{sum(r['moves'] for r in counted)} of them only move data, {sum(r['lone'] for r in counted)} lone")
    return int(any(row.get("fails", False) for row in rows.values()))


if __name__ == "__main__":
    sys.exit(main())
