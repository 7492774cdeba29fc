#!/usr/bin/env python3
"""Holds burin against onnxruntime on random graphs whose sizes are open: those of the caller, and those that data decide.

Tensors have rows of four and as many rows as N, M, k, j or their contents say. Steps cut, join, pad, repeat, reorder and pick rows
by dynamic sizes, beside products, rows and attention; If and Loop change how many rows there are. Every graph is
analysed, and one of `--verify-every` also built and run at several sizes. Exit code 1 when something is wrong: an internal
error, a tree that does not compile, a difference.

  python3 tests/ops/random_sizes.py BURIN --seconds 300 --seed 7 [--verify-every 3] [--keep FOLDER]

Needs onnx, onnxruntime and numpy.
"""
import argparse
import collections
import os
import random
import re
import shutil
import subprocess
import sys
import tempfile
import time

import numpy as np
import onnx
import onnx.parser
import onnxruntime
from onnx import numpy_helper

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
DIMS = ["N=1..6", "M=1..6", "k=0..4"]
START = """z = Constant<value=int64[1]{0}>() o = Constant<value=int64[1]{1}>() two = Constant<value=int64[1]{2}>()
  last = Constant<value=int64[1]{-1}>() far = Constant<value=int64[1]{-999}>() big = Constant<value=int64[1]{999}>()
  four = Constant<value=int64[1]{4}>() none = Constant<value=int64{0}>() yes = Constant<value=bool{1}>()
  bar = Constant<value=float{0.3125}>() ks = Reshape(k, last) js = Reshape(j, last) scale = ConstantOfShape<value=float[1]{1}>(four)"""


def cut(rng, r, a, _):
    start, end = rng.choice(["z", "ks", "o"]), rng.choice(["ks", "js", "big", "last"])
    return f"{r} = Slice({a}, {start}, {end}, z, {rng.choice(['o', 'o', 'two'])})"


def joined(rng, r, a, b):
    return f"{r} = Concat<axis=0>({', '.join(rng.choice([[a, b], [b, a, b], [a, b, a]]))})"


def padded(rng, r, a, _):
    before, behind = rng.choice(["ks", "z", "o"]), rng.choice(["js", "z"])
    return f"{r}_p = Concat<axis=0>({before}, z, {behind}, z) {r} = Pad({a}, {r}_p)"


def positive(r, a):
    return f"{r}_s = ReduceMax<keepdims=0>({a}, o) {r}_g = Greater({r}_s, bar) "


def branched(rng, r, a, b):
    one = rng.choice([f"Concat<axis=0>({a}, {b})", f"Slice({a}, z, ks, z)", f"MatMul({a}, w)"])
    other = rng.choice([f"Identity({b})", f"Slice({b}, ks, big, z)", f"Softmax<axis=1>({b})"])
    return (f"{r}_c = Greater(k, j) {r} = If({r}_c)<then_branch = T{r} () => (float[T{r}, 4] {r}_t) {{ {r}_t = {one} }}, "
            f"else_branch = E{r} () => (float[E{r}, 4] {r}_e) {{ {r}_e = {other} }}>")


def looped(rng, r, a, _):
    v, first = f"{r}_v", f"{r}_f"
    step = rng.choice([f"{r}_n = Concat<axis=0>({v}, {first})", f"{r}_n = Concat<axis=0>({first}, {v})",
                       f"{r}_m = MatMul({v}, w) {r}_n = Concat<axis=0>({first}, {r}_m)",
                       f"{r}_m = Slice({v}, o, big, z) {r}_n = Concat<axis=0>({first}, {r}_m)",
                       f"{r}_m = MatMul({v}, w) {r}_n = Tanh({r}_m)"])
    return (f"{r} = Loop(k, yes, {a})<body = B{r} (int64 {r}_i, bool {r}_c, float[P{r}, 4] {v}) => (bool {r}_d, float[Q{r}, 4] {r}_n) "
            f"{{ {r}_d = Identity({r}_c) {first} = Slice({v}, z, o, z) {step} }}>")


STEPS = [
    cut, joined, padded, branched, looped,
    lambda rng, r, a, b: f"{r} = Slice({a}, last, far, z, last)",
    lambda rng, r, a, b: f"{r} = MatMul({a}, w)",
    lambda rng, r, a, b: f"{r}_m = MatMul({a}, w) {r} = Add({a}, {r}_m)",
    lambda rng, r, a, b: f"{r} = Softmax<axis={rng.choice([0, 1])}>({a})",
    lambda rng, r, a, b: f"{r} = {rng.choice(['Relu', 'Tanh', 'Neg'])}({a})",
    lambda rng, r, a, b: f"{r} = LayerNormalization<axis=-1>({a}, scale)",
    lambda rng, r, a, b: positive(r, a) + f"{r} = Compress<axis=0>({a}, {r}_g)",
    lambda rng, r, a, b: positive(r, a) + f"{r}_n = NonZero({r}_g) {r}_i = Squeeze({r}_n, z) {r}_e = Gather({a}, {r}_i) "
                         f"{r}_u = Unsqueeze({r}_i, o) {r} = ScatterND({a}, {r}_u, {r}_e)",
    lambda rng, r, a, b: f"{r}_h = Shape<start=0, end=1>({a}) {r}_k = Min({r}_h, {rng.choice(['ks', 'js', 'two'])}) "
                         f"{r}, {r}_i = TopK<axis=0>({a}, {r}_k)",
    lambda rng, r, a, b: f"{r}_t = Transpose<perm=[1, 0]>({b}) {r}_m = MatMul({a}, {r}_t) {r}_s = Softmax<axis=-1>({r}_m) "
                         f"{r} = MatMul({r}_s, {b})",
    lambda rng, r, a, b: f"{r}_m = ReduceSum<keepdims=1>({a}, z) {r} = Add({b}, {r}_m)",
    lambda rng, r, a, b: f"{r}_k = Min(ks, two) {r}_p = Concat<axis=0>({r}_k, o) {r} = Tile({a}, {r}_p)",
    lambda rng, r, a, b: f"{r}_s = Shape({a}) {r}_t = Transpose<perm=[1, 0]>({a}) {r} = Reshape({r}_t, {r}_s)",
    lambda rng, r, a, b: f"{r} = CumSum({a}, none)",
]


def random_graph(rng):
    """A model, and the names of its outputs."""
    lines, tensors = [START], ["x", "q"]
    for number in range(rng.randint(4, 11)):
        a, b = (rng.choice(tensors[-5:] if rng.random() < 0.7 else tensors) for _ in range(2))
        lines.append(rng.choice(STEPS)(rng, f"t{number}", a, b))
        tensors.append(f"t{number}")
    outputs = list(dict.fromkeys([t for t in tensors[2:] if rng.random() < 0.25] + tensors[-1:]))
    declared = ", ".join(f"float[O{t}, 4] {t}" for t in outputs)
    body = "\n  ".join(lines)
    text = f"g (float[N, 4] x, float[M, 4] q, int64 k, int64 j, float[4, 4] w) => ({declared}) {{\n  {body}\n}}"
    return onnx.parser.parse_model('<ir_version: 9, opset_import: ["": 18]>\n' + text), outputs


def session_of(model):
    options = onnxruntime.SessionOptions()
    options.graph_optimization_level = onnxruntime.GraphOptimizationLevel.ORT_DISABLE_ALL
    options.log_severity_level = 4
    return onnxruntime.InferenceSession(model.SerializeToString(), options, providers=["CPUExecutionProvider"])


def write_data(folder, session, outputs, seed):
    """Inputs and results at several sizes; how many."""
    count = 0
    for draw in range(12):
        stream = np.random.RandomState(seed * 16 + draw)
        rows = stream.randint(1, 7, 2)
        feeds = {"x": stream.randn(rows[0], 4), "q": stream.randn(rows[1], 4), "w": stream.randn(4, 4)}
        feeds = {name: value.astype(np.float32) for name, value in feeds.items()}
        feeds |= {name: np.array(stream.randint(0, 5), np.int64) for name in "kj"}
        try:
            results = session.run(outputs, feeds)
        except Exception:  # sizes that do not go together
            continue
        # Of nothing, maxima and means are what each library takes them for.
        if any(r.size == 0 or r.size > 8000 or not np.isfinite(r).all() for r in results):
            continue
        place = os.path.join(folder, f"test_data_set_{count}")
        os.makedirs(place)
        for kind, values in (("input", [(n, feeds[n]) for n in "xqkjw"]), ("output", zip(outputs, results))):
            for number, (name, value) in enumerate(values):
                with open(os.path.join(place, f"{kind}_{number}.pb"), "wb") as file:
                    file.write(numpy_helper.from_array(value, name).SerializeToString())
        count += 1
        if count == 4:
            break
    return count


def analysed(options, path):
    """(the finished process, its --dim flags): what a refusal asks for is given."""
    bounds = list(DIMS)
    while True:
        flags = [flag for bound in bounds for flag in ("--dim", bound)]
        done = subprocess.run([options.burin, "analyze", path, "--config", options.config, *flags], capture_output=True, text=True, check=False)
        asked = [name.split("=")[0] + "=0..40" for name in re.findall(r"--dim '([^']*)'", done.stderr)]
        unknown = re.search(r"no input has a dimension named '([^']*)'", done.stderr)
        if done.returncode == 1 and unknown:
            bounds = [b for b in bounds if not b.startswith(unknown[1] + "=")]
        elif done.returncode == 1 and set(asked) - set(bounds) and len(bounds) < 20:
            bounds += [a for a in asked if a not in bounds]
        else:
            return done, flags


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("burin")
    parser.add_argument("--config", default=os.path.join(ROOT, "configs/x86-64-v3.json"))
    parser.add_argument("--seconds", type=float, default=120)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--verify-every", type=int, default=3)
    parser.add_argument("--keep", help="a folder for the cases that are wrong")
    options = parser.parse_args()
    keep = options.keep or tempfile.mkdtemp()
    ends, seed, counts = time.monotonic() + options.seconds, options.seed, collections.Counter()
    while time.monotonic() < ends:
        seed += 1
        rng = random.Random(seed)
        model, outputs = random_graph(rng)
        try:
            session = session_of(model)
        except Exception:  # a rank or a size that cannot be
            continue
        folder = os.path.join(keep, str(seed))
        os.makedirs(folder)
        path = os.path.join(folder, "model.onnx")
        onnx.save(model, path)
        done, flags = analysed(options, path)
        counts["analysed"] += 1
        if done.returncode == 0 and counts["analysed"] % options.verify_every == 0 and write_data(folder, session, outputs, seed):
            extra = ["--sanitize"] if rng.random() < 0.2 else []
            command = [options.burin, "verify", path, "--config", options.config, "--fast", *extra, *flags]
            done = subprocess.run(command, capture_output=True, text=True, check=False)
            counts["verified"] += 1
        if done.returncode > 1:
            counts["wrong"] += 1
            told = [line for line in (done.stdout + done.stderr).splitlines() if re.search("error|OUTSIDE|DIFFERS", line)]
            print(f"{path}: exit code {done.returncode}: {' | '.join(told)[:400]}", flush=True)
        else:
            counts["refused"] += done.returncode
            shutil.rmtree(folder)
    print(", ".join(f"{counts[what]} {what}" for what in ("analysed", "verified", "refused", "wrong")) + f"; seeds to {seed}")
    sys.exit(counts["wrong"] > 0)


if __name__ == "__main__":
    main()
