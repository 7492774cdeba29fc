#!/usr/bin/env python3
"""What the analysis of dynamic networks gives, by SoD2's figures. Counts and bytes, nothing is timed.

    dynamic_counts.py parts --zoo ZOO [--models NAME ...]    # Figure 8: sub-graphs by class and code versions
    dynamic_counts.py fusion --zoo ZOO [--models NAME ...]   # Figure 7: kernels and intermediate bytes
    dynamic_counts.py memory --zoo ZOO [--models NAME ...]   # Figure 5: bytes as optimisations are added

parts    sub-graphs are the parts in which the order of the steps was planned; those without a kernel or procedure count too.
         A part is constant, mixed or nac by the sizes of its tensors; its versions are the most that a kernel in it
         has, of which the run takes one. The share of work (`macs`) is what Figure 8 (b) gives as time.
fusion   without fusion, with what a fusion of static networks takes (kernels whose sizes are numbers, and
         maps of one tensor), with all of it. Bytes: of every tensor between kernels, at the default sizes.
memory   the arena at the default sizes, with the switches of LEVELS, and the last one's at the smallest and largest.

Models are analysed with zeros for weights (kernel_counts.py). Needs Python 3.9+ with onnx.
"""
import argparse
import collections
import os
import tempfile

from arenas import analyze, evaluate, points
from kernel_counts import ROOT, dim_flags, hollow
from zoo_entries import described, is_dynamic, model_names

FUSIONS = ("movement", "epilogue", "prologue", "attention", "rows", "siblings", "demand-slicing", "factors", "row-epilogue", "chains", "concat")


def without(*names):
    return [flag for name in names for flag in ("--without", name)]


# Each adds one optimisation to what stands before it; the baseline fuses as for static networks.
LEVELS = (
    ("none", [*without("symbols", "order", "versions"), "--packing", "best-fit"]),
    ("+ fusion", [*without("order", "versions"), "--packing", "best-fit"]),
    ("+ order", [*without("versions"), "--packing", "best-fit"]),
    ("+ memory plan", without("versions")),
    ("+ versions", []),
)


def share(part, whole):
    return f"{100 * part / whole:.1f} %" if whole else ""


def parts(_, __, analyse):
    told = analyse([])["order"]["parts"]
    kinds = collections.Counter()
    for part in told:
        versions = part["versions"]
        kind = part["class"] if part["class"] != "mixed" else (
            "mixed 1" if versions == 1 else "mixed 2-4" if versions < 5 else "mixed 5-8")
        kinds[kind] += 1
    return [str(len(told)), *(share(kinds[k], len(told)) for k in PARTS)]


PARTS = ("constant", "mixed 1", "mixed 2-4", "mixed 5-8", "nac")


def fusion(dims, sizes, analyse):
    cells, first = [], None
    for flags in (without(*FUSIONS), without("symbols"), []):
        analysis = analyse(flags)
        kernels = sum(not kernel["view"] for kernel in analysis["kernels"])
        bytes_ = evaluate(analysis["arena"], analysis["arena"]["naive_bytes"], sizes[min(1, len(sizes) - 1)])
        first = first or (kernels, bytes_)
        cells += [str(kernels), share(kernels, first[0]), f"{bytes_ / 1e6:.2f}", share(bytes_, first[1])]
    return cells


def memory(dims, sizes, analyse):
    cells, first = [], None
    for _, flags in LEVELS:
        arena = analyse(flags)["arena"]
        bytes_ = evaluate(arena, arena["bytes"], sizes[min(1, len(sizes) - 1)])
        first = first or bytes_
        cells.append(f"{bytes_ / 1e6:.3f} ({share(bytes_, first)})")
    return cells + [f"{evaluate(arena, arena['bytes'], sizes[k]) / 1e6:.3f}" for k in (0, min(2, len(sizes) - 1))]


TABLES = {
    "parts": (parts, ("model", "sub-graphs", *PARTS)),
    "fusion": (fusion, ("model", "kernels", "", "MB", "", "static", "", "MB", "", "RDP", "", "MB", "")),
    "memory": (memory, ("model", *(f"{name}, MB" for name, _ in LEVELS), "at the smallest", "at the largest")),
}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("table", choices=sorted(TABLES))
    parser.add_argument("--zoo", required=True)
    parser.add_argument("--burin", default=os.path.join(ROOT, "build/dev/generator/burin"))
    parser.add_argument("--config", default=os.path.join(ROOT, "configs/x86-64-v3.json"))
    parser.add_argument("--models", nargs="*", help="default: those with symbols or branches")
    parser.add_argument("--scratch", help="a folder for the models while they are analysed")
    options = parser.parse_args()
    row, columns = TABLES[options.table]
    print("| " + " | ".join(columns) + " |\n| " + " | ".join(["---"] * len(columns)) + " |")
    for name in model_names(options.zoo):
        entry = described(options.zoo, name)
        if name not in options.models if options.models else not is_dynamic(entry):
            continue
        dims = entry.get("dims", {})
        with tempfile.TemporaryDirectory(dir=options.scratch) as folder:
            path = hollow(os.path.join(options.zoo, "models", name + ".onnx"), folder)
            cells = row(dims, points(name, dims, 0) if dims else [{}],
                        lambda flags: analyze(path, dim_flags(entry) + flags, options))
        print("| " + " | ".join([name, *cells]) + " |", flush=True)


if __name__ == "__main__":
    main()
