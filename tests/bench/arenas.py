#!/usr/bin/env python3
"""Working memory of the networks of a zoo folder: one plan per network, at several sizes.

    arenas.py --zoo ZOO [--burin PROGRAM] [--models NAME ...] [--samples 8] [--frozen 0] [--markdown]
    arenas.py --zoo ZOO --onnxruntime CACHE --models NAME ...   # beside onnxruntime; models as zoo_sweep.py keeps them

Each model is analysed once, with zeros for weights (kernel_counts.py), for the default sizes of its symbols. The
arena and the lower bound (the largest sum of bytes that are live at once) are expressions over the symbols, and the
bound is counted again from the buffers; the table gives both at the smallest, the default and the largest sizes, and `worst` is the largest quotient of them over
these and so many drawn sizes. `sod2 greedy` and `best fit` are the same quotient of two planners of papers for the same
buffers (planners.py), which plan anew at every size: at worst. `exact` is the largest quotient of the arena over that of a plan made for
these sizes alone, at the first so many points (--frozen): of other kernels and so of other buffers, for information. A network of fixed sizes is `proven` where the arena is its bound or a search found
nothing smaller. `sod2` is Table 5 of SoD2 (MB, smallest to largest input) where the zoo has it. onnxruntime's figure is what
its arena grows by in the first run, and in brackets the block that it plans for the next ones (peer_arena.py). The exit code is 1 where a network of fixed sizes is neither proven nor within
1 % of its bound, or one with symbols above 5 %. Needs Python 3.9+ with onnx (--onnxruntime: and that).
"""
import argparse
import json
import math
import os
import random
import re
import subprocess
import sys
import tempfile

import peer_arena
import planners
from kernel_counts import ROOT, dim_flags, hollow
from zoo_entries import described, model_names

COLUMNS = ("model", "sizes", "smallest MB", "bound", "default MB", "bound", "largest MB", "bound", "worst", "sod2 greedy", "best fit", "exact", "without sharing MB",
           "method", "onnxruntime MB", "sod2 MB", "verdict")


def evaluate(arena, expression, sizes):
    """An expression of `analyze --json` at sizes of the symbols."""
    known = {"__builtins__": {}, "max": max, "min": min, **sizes}

    def value(text):
        return eval(re.sub(r'"?\barena\.(\d+)"?', r"arena_\1", text), known)

    for name, text in arena.get("sizes", {}).items():
        known[name.replace(".", "_")] = value(text)
    return expression if isinstance(expression, int) else value(expression)


def points(name, dims, samples):
    """Sizes: the smallest, the default, the largest, and `samples` drawn ones."""
    stream = random.Random(name)

    def drawn(least, most):
        return min(max(round(math.exp(stream.uniform(math.log(least + 1), math.log(most + 1)))) - 1, least), most)

    fixed = [{s: d[k] for s, d in dims.items()} for k in (1, 0, 2)]
    return fixed + [{s: drawn(d[1], d[2]) for s, d in dims.items()} for _ in range(samples)]


def analyze(path, flags, options):
    """`burin analyze --json`; dynamic sizes get the bound that the refusal asks for."""
    flags = list(flags)
    while True:
        command = [options.burin, "analyze", path, "--config", options.config, "--json", *flags]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        if not done.returncode:
            return json.loads(done.stdout)
        asked = done.stderr.split("give a bound with --dim '")
        bound = asked[1].split("=")[0] + "=..512" if len(asked) > 1 else None
        if not bound or bound in flags:
            raise RuntimeError(done.stderr.strip().splitlines()[-1].split("error: ")[-1])
        flags += ["--dim", bound]


def problem_at(arena, sizes):
    """Its buffers as planners.py wants them."""
    buffers = [(evaluate(arena, b["bytes"], sizes), b["live"]) for b in arena["buffers"]]
    return [b for b in buffers if b[0] > 0]


def frozen(path, sizes, options):
    """The arena of a plan for these sizes only."""
    flags = [flag for symbol, size in sizes.items() for flag in ("--dim", f"{symbol}={size}")]
    return analyze(path, flags, options)["arena"]["bytes_at_hints"]


def measure(name, options):
    entry = described(options.zoo, name)
    if entry.get("weights_bytes", 0) > options.largest_gb * 1e9:
        return {"model": name, "verdict": "left out"}
    dims = entry.get("dims", {})
    sampled = points(name, dims, options.samples if dims else 0)
    sampled = sampled if dims else sampled[:1]
    with tempfile.TemporaryDirectory(dir=options.scratch) as folder:
        path = hollow(os.path.join(options.zoo, "models", name + ".onnx"), folder)
        try:
            arena = analyze(path, dim_flags(entry), options)["arena"]
            exact = [frozen(path, sizes, options) for sizes in sampled[:options.frozen if dims else 0]]
        except RuntimeError as refused:
            return {"model": name, "verdict": "refused: " + str(refused)[:80], "fails": True}
    row = {"model": name, "method": arena["method"], "worst": 1.0, "sod2 greedy": 1.0, "best fit": 1.0}
    for number, sizes in enumerate(sampled):
        bytes_, bound = (evaluate(arena, arena[key], sizes) for key in ("bytes", "lower_bound"))
        buffers = problem_at(arena, sizes)
        # Counted from the buffers: burin's own bound is an expression that may leave out a moment that matters at few sizes.
        held = planners.lower_bound(buffers)
        if not bound <= held <= bytes_:
            raise RuntimeError(f"{name}: {held} bytes are held at once; arena {bytes_}, bound {bound}")
        heights = {"worst": bytes_, "sod2 greedy": planners.peak_outward(buffers), "best fit": planners.in_time(buffers)}
        for what, height in heights.items():
            row[what] = max(row[what], height / held if held else 1.0)
        if number < len(exact):
            row["exact"] = max(row.get("exact", 0), bytes_ / exact[number] if exact[number] else 1.0)
        if number < 3:
            row[f"bytes {number}"], row[f"bound {number}"] = bytes_ / 1e6, held / 1e6
        if number == min(1, len(sampled) - 1):
            row["without sharing MB"] = evaluate(arena, arena["naive_bytes"], sizes) / 1e6
    worst = row["worst"]
    row["sizes"] = " ".join(f"{s}={d[1]}..{d[2]}@{d[0]}" for s, d in dims.items())
    paper = entry.get("papers", {}).get("sod2", {})
    if "sod2_mb" in paper:
        row["sod2 MB"] = "..".join(map(str, paper["sod2_mb"]))
    if options.onnxruntime:
        row["onnxruntime MB"] = "..".join(
            growth(name, {s: d[k] for s, d in dims.items()}, options) for k in ((1, 2) if dims else (0,)))
    proven = not dims and (worst == 1.0 or "optimal" in arena["method"])
    row["fails"] = not proven and worst > (1.05 if dims else 1.01)
    row["verdict"] = "proven" if proven else f"{100 * (worst - 1):.1f} % above" if worst > 1 else "at the bound"
    return row


def growth(name, sizes, options):
    first, planned = peer_arena.measured(options.zoo, options.onnxruntime, name, sizes)
    return f"{first / 1e6:.1f}" + (f" ({planned / 1e6:.1f})" if planned else "")


def cells(row):
    def megabytes(key):
        return f"{row[key]:.3f}" if key in row else ""

    numbers = [megabytes(f"{what} {k}") for k in range(3) for what in ("bytes", "bound")]
    quotients = [f"{row[k]:.3f}" if k in row else "" for k in ("worst", "sod2 greedy", "best fit", "exact")]
    return [row["model"], row.get("sizes", ""), *numbers, *quotients, megabytes("without sharing MB"), *(row.get(c, "") for c in ("method", "onnxruntime MB", "sod2 MB", "verdict"))]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--zoo", required=True)
    parser.add_argument("--burin", default=os.path.join(ROOT, "build/dev/generator/burin"))
    parser.add_argument("--config", default=os.path.join(ROOT, "configs/x86-64-v4-vnni.json"))
    parser.add_argument("--models", nargs="*")
    parser.add_argument("--samples", type=int, default=8)
    parser.add_argument("--frozen", type=int, default=0, help="points at which a plan of their own is made, too")
    parser.add_argument("--onnxruntime", metavar="CACHE")
    parser.add_argument("--largest-gb", type=float, default=1.0)
    parser.add_argument("--scratch", help="a folder for the models while they are analysed")
    parser.add_argument("--markdown", action="store_true")
    options = parser.parse_args()
    names = options.models or model_names(options.zoo)
    edge, between = ("| ", " | ") if options.markdown else ("", "  ")
    print((edge + between.join(COLUMNS) + edge).strip())
    if options.markdown:
        print((edge + between.join(["---"] * len(COLUMNS)) + edge).strip())
    rows = []
    for name in names:
        rows.append(measure(name, options))
        print((edge + between.join(map(str, cells(rows[-1]))) + edge).strip(), flush=True)
    failed = [row["model"] for row in rows if row.get("fails")]
    print(f"\n{len(rows)} models; above their limit: {' '.join(failed) or 'none'}")
    sys.exit(bool(failed))


if __name__ == "__main__":
    main()
