#!/usr/bin/env python3
"""Every network of a zoo on the device of a description in each mode of --memory, or of --parallel-fusion: do results agree
with onnxruntime's? A row per network, the smallest weights first.

    python3 tests/opencl/zoo_modes.py memory --burin BURIN --zoo ZOO --results FILE [--models NAME ...] [--config CONFIG]
    python3 tests/opencl/zoo_modes.py fusion --burin BURIN --zoo ZOO --results FILE ...
    python3 tests/opencl/zoo_modes.py memory --results FILE --print       # the table of what is there; runs nothing

memory: buffers, images, and mix: as is selected where a texel is read as fast as an element, so that some tensors are images.
Cells say how many tensors lie in images. fusion: off, auto, all; cells say how many kernels are joint. A NAME+NAME is one tree
with both networks, of which each runs by itself and then both in a joint run.

The reference is onnxruntime running every node as it stands. Networks that round on the way may be off by twice what
onnxruntime is with its rewrites, where that is more than the tolerance of their type; the row has it as `spread`. Sizes of the
run that need a bound get one.

FILE holds one JSON line per network; one whose line says that all modes agree is not run again. Each run is a process of its
own, with a limit of time and of address space. Exit status 1 where a mode differs or fails. Needs Python 3.9+ with numpy,
onnx, onnxruntime.
"""
import argparse
import json
import os
import re
import resource
import shutil
import subprocess
import sys
import tempfile

import numpy as np
import onnx
from onnx import numpy_helper

from recorded import RUN_BOUND, read  # and the folder of the next one on the path
from materialized import Model  # noqa: E402

HERE = os.path.dirname(os.path.abspath(__file__))
MODES = {"memory": ("buffers", "images", "mix"), "fusion": ("off", "auto", "all")}


def run(command, options):
    limit = int(options.memory_gb * 2**30)
    return subprocess.run(command, capture_output=True, text=True, timeout=options.seconds,
                          preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_AS, (limit, limit)))


def flags_of(mode, kind, work, options):
    """Of burin, with the description among them."""
    if kind == "fusion":
        return ["--config", options.config, "--parallel-fusion", mode]
    if mode != "mix":
        return ["--config", options.config, "--memory", mode]
    with open(options.config, encoding="utf-8") as text:
        mixed = re.sub(r'"texel_read_percent": \d+', '"texel_read_percent": 100', text.read())
    path = os.path.join(work, os.path.basename(options.config))
    with open(path, "w", encoding="utf-8") as out:
        out.write(mixed)
    return ["--config", path, "--memory", "selected"]


def extent_of(kind, folder):
    """What a mode did, from the dump: tensors in images, or joint kernels."""
    texts = []
    for name in sorted(os.listdir(folder)):
        if name.endswith("-images.txt" if kind == "memory" else "-launch.txt"):
            with open(os.path.join(folder, name), encoding="utf-8") as text:
                texts += text.read().splitlines()
    if kind == "memory":
        return f"{sum(': image, ' in line for line in texts)} images"
    return f"{sum(len(line.split()) - 1 for line in texts if line.startswith('group '))} joint"


def cell(models, mode, flags, options):
    with tempfile.TemporaryDirectory() as work:
        dump = os.path.join(work, "dump")
        os.makedirs(dump)
        command = [options.burin, "verify", *models, *flags_of(mode, options.kind, work, options), *flags, "--dump-dir", dump]
        try:
            done = run(command, options)
            while done.returncode == 1 and (asked := re.search(r"give a bound with --dim '([^'=]+)=", done.stderr)):
                if f"{asked[1]}=..{RUN_BOUND}" in command:
                    break
                command += ["--dim", f"{asked[1]}=..{RUN_BOUND}"]
                done = run(command, options)
        except subprocess.TimeoutExpired:
            return f"not done after {options.seconds:.0f} s"
        if done.returncode == 0:
            return f"agrees, {extent_of(options.kind, dump)}"
        said = [line for line in (done.stderr + done.stdout).splitlines() if line.strip()]
        return {1: "refused", 4: "DIFFERS"}.get(done.returncode, "FAILED") + ": " + (said or [""])[-1].strip()[:120]


def draw(name, options):
    """Writes a network with its data; gives the share that its results may be off where it rounds on the way, or 0."""
    model = Model(options.zoo, options.cache, name, os.cpu_count(), rewrite=False)
    expected = model.outputs()
    for i, (output, array) in enumerate(expected.items()):
        path = os.path.join(os.path.dirname(model.path), "test_data_set_0", f"output_{i}.pb")
        onnx.save_tensor(numpy_helper.from_array(np.asarray(array), output), path)
    if not model.rounds():
        return 0
    rewritten = model.rewritten().outputs()
    spread = max(float(np.max(np.abs(rewritten[o].astype(float) - e.astype(float)), initial=0))
                 / max(1e-30, float(np.max(np.abs(e.astype(float)), initial=0))) for o, e in expected.items())
    return 2 * spread if 2 * spread > model.tolerance() else 0


def row_of(name, ranges, options):
    flags = [part for symbol, (size, least, most) in ranges.items() for part in ("--dim", f"{symbol}={least}..{most}@{size}")]
    parts = name.split("+")
    folders = [os.path.join(options.cache, one) for one in parts]
    there = [os.path.exists(folder) for folder in folders]
    tolerance = max(draw(one, options) for one in parts)
    if tolerance:
        flags += ["--tolerance", f"{tolerance:.1e}"]
    if len(parts) > 1:
        flags += ["--name", "joint", "--names", ",".join(f"m{i}" for i in range(len(parts)))]
    models = [os.path.join(folder, "model.onnx") for folder in folders]
    row = {"network": name, **({"spread": tolerance / 2} if tolerance else {}),
           **{mode: cell(models, mode, flags, options) for mode in options.modes}}
    for folder in (folder for folder, kept in zip(folders, there) if not kept):
        shutil.rmtree(folder)
    good = all(row[mode].startswith("agrees") for mode in options.modes)
    return {**row, "verdict": "agrees" if good else "does not"}


def sweep(options):
    described = {}
    for file in os.listdir(os.path.join(options.zoo, "models")):
        if file.endswith(".json"):
            with open(os.path.join(options.zoo, "models", file), encoding="utf-8") as text:
                entry = json.load(text)
            described[file[:-5]] = (entry.get("weights_bytes", 0), entry.get("dims", {}))
    for pair in options.models or []:
        parts = [described[name] for name in pair.split("+")]
        described[pair] = (sum(weights for weights, _ in parts), {k: v for _, dims in parts for k, v in dims.items()})
    for name, (weights, ranges) in sorted(described.items(), key=lambda one: (one[1][0], one[0])):
        wanted = name in options.models if options.models else weights <= options.largest_gb * 1e9
        done = read(options.results).get(name, {}).get("verdict") == "agrees" and not options.models
        if not wanted or done:
            continue
        row = row_of(name, ranges, options)
        with open(options.results, "a", encoding="utf-8") as out:
            out.write(json.dumps(row) + "\n")
        print(f"{name}: " + "; ".join(f"{mode} {row[mode]}" for mode in options.modes), flush=True)


def print_table(kind, rows):
    print("| network | " + " | ".join(MODES[kind]) + " |")
    print("|---" * (len(MODES[kind]) + 1) + "|")
    for name in sorted(rows):
        print("| " + " | ".join([name, *(rows[name].get(mode, "").replace("|", "\\|") for mode in MODES[kind])]) + " |")
    good = sum(row["verdict"] == "agrees" for row in rows.values())
    print(f"\n{good} of {len(rows)} agree in all modes.")
    return 0 if good == len(rows) else 1


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("kind", choices=MODES)
    parser.add_argument("--burin", type=os.path.abspath)
    parser.add_argument("--zoo", help="folder with materialize.py and models/")
    parser.add_argument("--results", required=True, metavar="FILE")
    parser.add_argument("--print", action="store_true", dest="only_print")
    parser.add_argument("--models", nargs="+", metavar="NAME")
    parser.add_argument("--modes", nargs="+", help="some of them")
    parser.add_argument("--config", default=os.path.join(HERE, "../../configs/pocl.json"))
    parser.add_argument("--cache", default=os.path.join(HERE, "../../build/zoo"))
    parser.add_argument("--largest-gb", type=float, default=0.2, help="of weights; others are left out")
    parser.add_argument("--seconds", type=float, default=1800, help="limit of time of a run")
    parser.add_argument("--memory-gb", type=float, default=16, help="limit of address space of a run")
    options = parser.parse_args()
    options.modes = options.modes or MODES[options.kind]
    if not options.only_print:
        if not options.zoo or not options.burin:
            parser.error("--zoo and --burin are needed")
        sweep(options)
    return print_table(options.kind, read(options.results))


if __name__ == "__main__":
    sys.exit(main())
