#!/usr/bin/env python3
"""Which kernels of a network threads make faster, and by how much: networks of a zoo folder.

    thread_times.py --zoo ZOO [--burin PROGRAM] [--models NAME ...] [--config FILE] [--threads 8]
                    [--share 1] [--json FILE]

Every kernel is timed by itself (kernel_times.py), of the same tree with one thread and with several, one after the other.
A line has the kernel, its time with one thread and with several (us), their quotient, and how much longer it takes than
it would if it became as many times faster as there are threads, in percent of the network's run. Kernels that lose less
than `--share` percent are summed up in one line. Needs Python 3.9+ with numpy, onnx, onnxruntime.
"""
import argparse
import json
import os
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

import kernel_times
from materialized import Model
from tree import Tree, generate_bounded
from zoo import ROOT, RUN_BOUND


def generated(model, options):
    folder = os.path.join(model.cache, model.name, f"threads{options.threads}")
    subprocess.run(["rm", "-rf", folder, folder + ".build"], check=True)
    generate_bounded(options.burin, model.path, options.config, folder,
                     [*model.dim_flags(), "--weights", "blob", "--name", "timed"], RUN_BOUND)
    tree = Tree(folder)
    kernel_times.instrument(tree)
    return tree


def measured(tree, threads, options):
    """Microseconds of each call of the schedule: the mean of the fastest of several processes."""
    best = None
    for _ in range(options.rounds):
        tree.restart(threads)
        tree.times(options.runs)
        tree.process.stdin.close()  # the clocks are written where the program ends by itself
        tree.process.wait()
        us = kernel_times.read(tree)
        best = us if best is None else [min(pair) for pair in zip(best, us)]
    return best


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--zoo", required=True)
    parser.add_argument("--cache", default=os.path.join(ROOT, "build", "zoo"))
    parser.add_argument("--burin", default=os.path.join(ROOT, "build", "release", "generator", "burin"))
    parser.add_argument("--models", nargs="+", metavar="NAME", default=["mobilenetv2", "resnet50"])
    parser.add_argument("--config", default=os.path.join(ROOT, "configs", "x86-64-v4-vnni.json"))
    parser.add_argument("--compiler", default="c++")
    parser.add_argument("--threads", type=int, default=8)
    parser.add_argument("--jobs", type=int, default=os.cpu_count(), help="compilers at a time")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--runs", type=int, default=20, help="per round")
    parser.add_argument("--share", type=float, default=1)
    parser.add_argument("--json", metavar="FILE")
    options = parser.parse_args()
    models = [Model(options.zoo, options.cache, name, 1) for name in options.models]
    with ThreadPoolExecutor(max(1, options.jobs // 2)) as pool:
        trees = list(pool.map(lambda model: generated(model, options), models))
    told = {}
    for model, tree in zip(models, trees):
        tree.build(options.compiler, options.jobs, workers=options.threads)
        expected = dict(zip((o.name for o in model.session.get_outputs()), model.session.run(None, model.inputs)))
        tree.start(model.inputs, model.dims(), expected)
        tree.stop()
        one, many = measured(tree, 1, options), measured(tree, options.threads, options)
        lost = [m - o / options.threads for o, m in zip(one, many)]
        told[model.name] = list(zip(tree.timed_calls, one, many))
        print(f"{model.name}: {sum(one):.0f} us with one thread, {sum(many):.0f} with {options.threads}, "
              f"{sum(one) / sum(many):.2f} times as fast")
        little = [0, 0.0, 0.0, 0.0]
        for k in sorted(range(len(lost)), key=lambda k: -lost[k]):
            share = 100 * lost[k] / sum(many)
            if share >= options.share:
                print(f"  {tree.timed_calls[k]:50} {one[k]:9.1f} {many[k]:8.1f} {one[k] / many[k]:6.2f} {share:5.1f} %")
            else:
                little = [little[0] + 1, little[1] + one[k], little[2] + many[k], little[3] + share]
        if little[0]:
            print(f"  {little[0]} more {'':43} {little[1]:9.1f} {little[2]:8.1f} {little[1] / little[2]:6.2f} "
                  f"{little[3]:5.1f} %", flush=True)
        if options.json:
            with open(options.json, "w", encoding="utf-8") as out:
                json.dump(told, out)


if __name__ == "__main__":
    sys.exit(main())
