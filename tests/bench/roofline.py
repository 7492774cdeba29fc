#!/usr/bin/env python3
"""Kernels that take a part of a network's time, beside their bounds: a table of networks of a zoo folder.

    roofline.py --zoo ZOO [--burin PROGRAM] [--models NAME ...] [--config FILE] [--clock MHZ] [--share 2]
                [--least 0.8] [--json FILE]

`burin bench` measures each kernel on one thread. Its bound is the longer of its products at the peak of the
instructions that the description has for them (floats, bytes, signs) and of its operands, each once, at the
bandwidth of memory where they are more than the last cache holds. A kernel without products has the bound of what
it moves, at a vector read and one written in a cycle. The machine's clock is read before and behind each network, by
additions that wait for each other (clock_rate.c); `--clock` says it instead.

Why a kernel stays below `--least` of its bound is said by the cost of its program (generator/cost), in this order:
`slower`: it takes 1.25 times what its program is predicted to take; the program was made for other numbers.
`memory`: most of what is predicted are bytes on their way. `one by one`: loops that no vectors take.
`instructions`: the program itself has so many: loads, packing, margins, what follows the sums, tiles that are not full.
Kernels that take less than `--share` percent of a network are left out.
"""
import argparse
import json
import os
import shlex
import subprocess
import sys
import tempfile

from materialized import Model
from zoo import HERE, ROOT

SLOWER = 1.25


def build_clock(options, folder):
    """The program that reads the clock."""
    program = os.path.join(folder, "clock_rate")
    subprocess.run([*shlex.split(options.compiler), "-x", "c", "-O2", os.path.join(HERE, "clock_rate.c"), "-o", program],
                   check=True)
    return program


def clock_now(program):
    return float(subprocess.run([program], capture_output=True, text=True, check=True).stdout)


def measured(options, model):
    """What `burin bench` says of a model."""
    command = [options.burin, "bench", model.path, "--config", options.config, "--threads", "1", "--json",
               *model.dim_flags()]
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode:
        raise RuntimeError(done.stderr.strip()[-300:])
    return json.loads(done.stdout)


def reason(kernel, clock):
    """Why it takes longer than its bound."""
    predicted = kernel["predicted_ns"]
    if predicted <= 0:
        return "not predicted"
    if kernel["ns"] > SLOWER * predicted * clock:
        return f"slower ({kernel['ns'] / (predicted * clock):.2f} of predicted)"
    if 2 * kernel["predicted_memory_ns"] > predicted:
        return "memory"
    if 2 * kernel["predicted_one_by_one_ns"] > predicted:
        return "one by one"
    return "instructions"


def least_moved_ns(kernel, hardware):
    """Operands that are read and written once, by whole vectors."""
    vector = hardware["vector"]
    width = max(4, vector["vector_bytes"])
    cycles = max(kernel["bytes_read"] / (width * vector["loads_per_cycle"]),
                 kernel["bytes_written"] / (width * vector["stores_per_cycle"]))
    return cycles * 1e3 / hardware["machine"]["clock_mhz"]


def rows_of(told, name, hardware, options, mhz):
    """Kernels above the share, the longest first; `mhz`: what the machine's clock was."""
    clock = hardware["machine"]["clock_mhz"] / mhz
    total = sum(kernel["ns"] for kernel in told["kernels"]) or 1
    rows = []
    for kernel in told["kernels"]:
        share = 100.0 * kernel["ns"] / total
        moved = least_moved_ns(kernel, hardware)
        bound = max(kernel["least_ns"], moved) * clock
        if share < options.share or bound <= 0:
            continue
        reached = bound / kernel["ns"]
        rows.append({"model": name, "kernel": kernel["name"], "nodes": [n["op"] for n in kernel["nodes"]][:3],
                     "share": share, "us": kernel["ns"] / 1e3, "bound_us": bound / 1e3, "reached": reached,
                     "of": "products" if kernel["least_ns"] >= moved else "bytes",
                     "why": "" if reached >= options.least else reason(kernel, clock)})
    return rows


def print_rows(rows):
    for row in rows:
        print(f"{row['model']:22} {row['share']:4.0f}% {row['us']:9.1f} us {row['bound_us']:9.1f} {row['reached']:5.2f} of "
              f"{row['of']:9} {row['why']:28} {row['kernel'][:44]}", flush=True)


def print_sums(rows, least):
    print(f"{len(rows)} kernels, {sum(r['reached'] >= least for r in rows)} at {least} of their bounds or more")
    for why in sorted({r["why"].split(" (")[0] for r in rows if r["why"]}):
        those = [r for r in rows if r["why"].split(" (")[0] == why]
        lost = sum(r["us"] - r["bound_us"] for r in those) / 1e3
        print(f"  {why}: {len(those)} kernels, {lost:.1f} ms above their bounds")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--zoo", required=True, help="folder with materialize.py and models/")
    parser.add_argument("--cache", default=os.path.join(ROOT, "build", "zoo"))
    parser.add_argument("--burin", default=os.path.join(ROOT, "build", "release", "generator", "burin"))
    parser.add_argument("--models", nargs="+", required=True, metavar="NAME")
    parser.add_argument("--config", default=os.path.join(ROOT, "configs", "x86-64-v3.json"))
    parser.add_argument("--clock", type=float, default=0, help="of the machine, in MHz; otherwise it is read")
    parser.add_argument("--compiler", default="c++")
    parser.add_argument("--share", type=float, default=2, help="percent of a network's time")
    parser.add_argument("--least", type=float, default=0.8, help="of the bound, from which on no reason is asked for")
    parser.add_argument("--json", metavar="FILE", help="also write the rows there")
    options = parser.parse_args()
    with open(options.config, encoding="utf-8") as text:
        hardware = json.load(text)
    rows = []
    with tempfile.TemporaryDirectory() as folder:
        program = None if options.clock else build_clock(options, folder)
        rate = (lambda: clock_now(program)) if program else (lambda: options.clock)
        for name in options.models:
            try:
                model = Model(options.zoo, options.cache, name, 1)
                before = rate()
                told = measured(options, model)
                mhz = (before + rate()) / 2
            except RuntimeError as error:
                print(f"{name}: {error}", flush=True)
                continue
            print(f"{name}: clock {mhz:.0f} MHz", flush=True)
            found = rows_of(told, name, hardware, options, mhz)
            print_rows(found)
            rows += found
            if options.json:
                with open(options.json, "w", encoding="utf-8") as text:
                    json.dump(rows, text, indent=1)
    print_sums(rows, options.least)
    sys.exit(0 if rows else 1)


if __name__ == "__main__":
    main()
