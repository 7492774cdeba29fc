#!/usr/bin/env python3
"""burin beside other programs that run ONNX files on a CPU, in one run: networks of a zoo folder, several
numbers of threads.

    peers.py --zoo ZOO [--burin PROGRAM] [--models NAME ...] [--peers NAME ...] [--threads 1 2 8]
             [--config FILE] [--rounds 10] [--runs 4] [--json FILE]

Every program has a process of its own; in each round each of them makes a few runs while the others wait, so
that other load on the machine hits all of them. A peer that is not installed, or does not take a model, says
why. Outputs are compared with onnxruntime's; what differs by more than the tolerance of the model (1e-4 of the
largest output, half precision 1e-2, of models that round on the way twice what onnxruntime's own rewrites change) is
not a peer for that model. Peers are installed with pip into an
environment of their own: onnxruntime (which is needed), openvino, MNN, and ncnn with pnnx. LiteRT takes no ONNX.

Last come the geometric means of burin's least time over the best peer's, and where it is above 1.05.
Needs Python 3.9+ with numpy, onnx, onnxruntime.
"""
import argparse
import importlib.util
import json
import math
import os
import statistics
import subprocess
import sys
import time

import numpy as np

from materialized import Model
from peer_runtimes import RUNTIMES
from tree import Tree, generate_bounded
from zoo import ROOT, RUN_BOUND, largest_difference

HERE = os.path.dirname(os.path.abspath(__file__))
# The networks of floats of the goals in the figures of README.md.
MODELS = ("bert_base_dyn convnext_tiny crnn_dyn deeplabv3_mobilenet densenet121 efficientnet_b0 gpt2_kv inception_v3 "
          "lstm_tagger minilm_dyn mobilenetv2 mobilenetv3_large mobilevit_s regnety_032 resnet18 resnet50 resnext50 "
          "squeezenet1_1 swin_tiny t5_encoder_dyn tinybert unet_small vgg16 vit_base whisper_tiny_encoder "
          "yolov8n").split()
REST_SECONDS = 0.02  # in which threads that wait by spinning fall asleep
ABOVE = 1.05


class Peer:
    """A program of peer_runtimes.py in a process of its own."""

    def __init__(self, name, model, threads, folder):
        self.name, self.why = name, ""
        scratch = os.path.join(folder, f"{name}_{threads}")
        os.makedirs(scratch, exist_ok=True)
        self.inputs = os.path.join(scratch, "inputs.npz")
        np.savez(self.inputs, **model.inputs)
        self.process = subprocess.Popen(
            [sys.executable, os.path.join(HERE, "peer_runtimes.py"), name, model.path, self.inputs, str(threads),
             scratch], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        words = self.process.stdout.readline().split(None, 1)
        if words[:1] != ["ready"]:
            self.why = words[1].strip() if words[:1] == ["refused"] else "it ended"
            self.stop()
            return
        outputs = os.path.join(scratch, "outputs.npz")
        self._ask(f"outputs {outputs}")
        with np.load(outputs) as arrays:
            self.outputs = [arrays[str(k)] for k in range(len(arrays.files))]

    def _ask(self, line):
        self.process.stdin.write(line + "\n")
        self.process.stdin.flush()
        return self.process.stdout.readline()

    def times(self, runs):
        return [float(word) for word in self._ask(str(runs)).split()]

    def differs(self, expected, tolerance):
        """Why it is no peer; empty: its outputs are those of onnxruntime."""
        by_name = dict(zip(expected, self.outputs))
        try:
            worst = largest_difference(by_name, expected)
        except RuntimeError as error:
            return str(error)
        return "" if worst <= tolerance else f"differs by {worst:.1e}"

    def stop(self):
        self.process.kill()
        self.process.communicate()


class Burin:
    """The tree, at so many threads."""
    name, why = "burin", ""

    def __init__(self, tree, threads):
        self.tree = tree
        tree.restart(threads)

    def times(self, runs):
        return self.tree.times(runs)

    def stop(self):
        self.tree.stop()


def built(model, options):
    """The tree, built for the most threads, and whether it agrees with onnxruntime."""
    out = os.path.join(options.cache, "trees", model.name)
    generate_bounded(options.burin, model.path, options.config, out, ["--name", model.name, *model.dim_flags()],
                     RUN_BOUND)
    tree = Tree(out)
    tree.build(options.compiler, options.jobs, workers=max(options.threads))
    expected = model.outputs()
    difference = largest_difference(tree.start(model.inputs, model.dims(), expected), expected)
    tree.stop()
    with open(out + ".difference", "w", encoding="utf-8") as text:
        json.dump(difference, text)
    return tree, expected, difference


def found_built(model, options):
    """The same of a tree that an earlier run left."""
    out = os.path.join(options.cache, "trees", model.name)
    with open(out + ".difference", encoding="utf-8") as text:
        return Tree(out), model.outputs(), json.load(text)


def opened(name, options):
    """The model, and what a difference of outputs may be. One that rounds on the way is compared with onnxruntime
    running every node as it stands, at twice what its own rewrites change."""
    model = Model(options.zoo, options.cache, name, 1)
    if not model.rounds():
        return model, model.tolerance()
    as_it_stands = Model(options.zoo, options.cache, name, 1, rewrite=False)
    spread = largest_difference(model.outputs(), as_it_stands.outputs())
    return as_it_stands, max(model.tolerance(), 2 * spread)


def measure(name, options):
    """Rows of one model, one for each number of threads."""
    model, tolerance = opened(name, options)
    tree, expected, difference = (found_built if options.trees == "found" else built)(model, options)
    if options.trees == "made":
        return []
    rows = []
    for threads in options.threads:
        row = {"model": name, "threads": threads, "difference": difference, "times": {}, "refused": {}}
        if difference > tolerance:
            row["refused"]["burin"] = f"differs by {difference:.1e}"
        running = [Burin(tree, threads)]
        for peer in options.peers:
            if importlib.util.find_spec(peer) is None:
                row["refused"][peer] = "it is not installed"
                continue
            one = Peer(peer, model, threads, os.path.join(options.cache, "peers", name))
            why = one.why or one.differs(expected, tolerance)
            if why:
                row["refused"][peer] = why
                one.stop()
            else:
                running.append(one)
        seconds = {one.name: [] for one in running}
        try:
            for _ in range(options.rounds):
                for one in running:
                    time.sleep(REST_SECONDS)
                    seconds[one.name] += one.times(options.runs)
        finally:
            for one in running:
                one.stop()
        for who, all_of in seconds.items():
            if not all_of:
                row["refused"][who] = "it ended"
                continue
            row["times"][who] = {"least_ms": 1e3 * min(all_of), "median_ms": 1e3 * statistics.median(all_of)}
        rows.append(row)
    return rows


def quotient(row, which="least_ms"):
    """burin's time over the best peer's; None: there is none of either."""
    theirs = [t[which] for who, t in row["times"].items() if who != "burin"]
    if "burin" in row["refused"] or not theirs:
        return None
    return row["times"]["burin"][which] / min(theirs)


def print_rows(rows, peers):
    for row in rows:
        cells = [f"{who} {row['times'][who]['least_ms']:.2f} ({row['times'][who]['median_ms']:.2f})"
                 for who in ["burin", *peers] if who in row["times"]]
        found = quotient(row)
        print(f"{row['model']:22} {row['threads']:2}  {'  '.join(cells)}  " +
              ("-" if found is None else f"{found:.2f}"), flush=True)
        for who, why in row["refused"].items():
            if why != "it is not installed":
                print(f"{'':26}{who}: {why}")


def print_means(rows, threads, peers):
    for count in threads:
        of_count = [(r, quotient(r)) for r in rows if r["threads"] == count]
        found = [(r, q) for r, q in of_count if q is not None]
        if not found:
            continue
        mean = math.exp(statistics.fmean(math.log(q) for _, q in found))
        medians = math.exp(statistics.fmean(math.log(quotient(r, "median_ms")) for r, _ in found))
        wrong = sum("burin" in r["refused"] for r, _ in of_count)
        print(f"{count} threads, {len(found)} networks: {mean:.2f} of the best peer's least time, "
              f"{medians:.2f} of its median" + (f"; {wrong} where burin differs" if wrong else ""))
        for peer in peers:
            both = [r["times"]["burin"]["least_ms"] / r["times"][peer]["least_ms"] for r, _ in found
                    if peer in r["times"]]
            if both:
                print(f"  {peer}, {len(both)}: {math.exp(statistics.fmean(map(math.log, both))):.2f}")
        above = [f"{r['model']} {q:.2f}" for r, q in found if q > ABOVE]
        print(f"  above {ABOVE}: {', '.join(above) or 'none'}")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--zoo", required=True, help="folder with materialize.py and models/")
    parser.add_argument("--cache", default=os.path.join(ROOT, "build", "zoo"))
    parser.add_argument("--burin", default=os.path.join(ROOT, "build", "release", "generator", "burin"))
    parser.add_argument("--models", nargs="+", default=MODELS, metavar="NAME")
    parser.add_argument("--peers", nargs="+", default=list(RUNTIMES), choices=list(RUNTIMES), metavar="NAME")
    parser.add_argument("--threads", nargs="+", type=int, default=[1, 2, 8])
    parser.add_argument("--config", default=os.path.join(ROOT, "configs", "x86-64-v3.json"))
    parser.add_argument("--compiler", default="c++")
    parser.add_argument("--jobs", type=int, default=os.cpu_count(), help="compilers at a time")
    parser.add_argument("--rounds", type=int, default=10)
    parser.add_argument("--runs", type=int, default=4, help="runs of each program per round")
    parser.add_argument("--trees", choices=("timed", "made", "found"), default="timed",
                        help="made: trees are built and nothing is timed; found: those of such a run are timed")
    parser.add_argument("--json", metavar="FILE", help="also write the rows there")
    options = parser.parse_args()
    rows = []
    for name in options.models:
        try:
            rows += measure(name, options)
        except Exception as error:  # the others are worth their time
            print(f"{name}: {str(error).strip()[:300]}", flush=True)
            continue
        print_rows([r for r in rows if r["model"] == name], options.peers)
        if options.json:
            with open(options.json, "w", encoding="utf-8") as text:
                json.dump(rows, text, indent=1)
    if options.trees == "made":
        return
    print_means(rows, options.threads, options.peers)
    differs = [r["model"] for r in rows if "burin" in r["refused"]]
    sys.exit(1 if differs or not rows else 0)


if __name__ == "__main__":
    main()
