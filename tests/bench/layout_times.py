#!/usr/bin/env python3
"""Layouts chosen by times that were measured: a tuning file for a CPU.

    layout_times.py --zoo ZOO --model NAME --tuning FILE [--burin PROGRAM] [--config FILE] [--rounds 6]

Kernels of a tree are timed one by one (kernel_times.py): first with row-major tensors, then with those that
`--layouts chosen --tuning FILE` asks for, as often as the choice still asks for kernels that were not measured. FILE has
the time of each by its content (`us`); what was not measured is estimated beside what was. Prints for each round the
cost that the plan promises, in cycles, and the time that was measured. Needs what transformations.py needs.
"""
import argparse
import json
import os
import sys

from dynamic_times import show
from materialized import Model
from transformations import timed
from zoo import ROOT


def write(path, hardware, known):
    lines = ",\n".join(f"    {json.dumps(key)}: {json.dumps({'what': what, 'us': round(us, 3)})}"
                       for key, (what, us) in sorted(known.items()))
    with open(path, "w", encoding="utf-8") as out:
        out.write('{\n  "format": 2,\n  "hardware": ' + json.dumps(hardware) + ',\n  "kernels": {\n' + lines + "\n  }\n}\n")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--zoo", required=True)
    parser.add_argument("--model", required=True)
    parser.add_argument("--tuning", required=True)
    parser.add_argument("--cache", default=os.path.join(ROOT, "build", "zoo"))
    parser.add_argument("--burin", default=os.path.join(ROOT, "build", "release", "generator", "burin"))
    parser.add_argument("--config", default=os.path.join(ROOT, "configs", "x86-64-v3.json"))
    parser.add_argument("--compiler", default="c++")
    parser.add_argument("--jobs", type=int, default=os.cpu_count(), help="compilers at a time")
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--rounds", type=int, default=6)
    options = parser.parse_args()
    model = Model(options.zoo, options.cache, options.model, 1)
    with open(options.config, encoding="utf-8") as text:
        hardware = json.load(text)["name"]
    known = {}
    write(options.tuning, hardware, known)
    show(["layouts", "tensors changed", "forms taken", "10^6 cycles promised", "ms measured", "kernels measured anew"])
    show(["---"] * 6)
    for number in range(options.rounds):
        flags = ["--tuning", options.tuning] + (["--layouts", "chosen"] if number else [])
        told, kernels, us = timed(model, "layouts", flags, options)
        fresh = {kernel["key"]: (", ".join(node["op"] for node in kernel["nodes"]), time)
                 for kernel, time in zip(kernels, us) if kernel["key"] not in known}
        plan = told.get("selection", {})
        promised = plan["cost"] / 16e6 if number else plan["alternatives"]["row_major"] / 16e6
        show([f"chosen, round {number}" if number else "row-major", plan["changed"] if number else 0,
              plan["forms"] if number else 0, promised, sum(us) / 1e3, len(fresh)])
        if number and not fresh:
            break
        known.update(fresh)
        write(options.tuning, hardware, known)


if __name__ == "__main__":
    sys.exit(main())
