#!/usr/bin/env python3
"""Every dimension that `burin analyze` prints of a network, against onnxruntime at random sizes.

    zoo_shapes.py BURIN --zoo ZOO [--models NAME ...] [--points 5] [--cache DIR]

Every result of a node of the main graph is made an output and onnxruntime runs without rewriting, so that
the shapes are those of an implementation that shares nothing with burin. Dynamic dimensions
(nac) are counted. Fails where one differs, where nothing was compared, and with --break, which doubles a dimension
of what burin says, where that is not noticed. Needs Python 3.9+ with numpy, onnx, onnxruntime.
"""
import argparse
import json
import os
import re
import subprocess
import sys
import tempfile

import onnx
import onnxruntime

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
sys.path.insert(0, os.path.join(ROOT, "tests", "bench"))
from materialized import Model  # noqa: E402

RUN_BOUND = 512  # of a dynamic size
NAME = re.compile(r'"(?:[^"\\]|\\.)*"|[A-Za-z_][A-Za-z_0-9.]*')


def dims_of(burin, model):
    """Tensor name -> its extents as text, of the nodes of the main graph."""
    flags = model.dim_flags()
    while True:
        done = subprocess.run([burin, "analyze", model.path, "--config", os.path.join(ROOT, "configs", "cpp-generic.json"),
                               "--json"] + flags, capture_output=True, text=True)
        if done.returncode == 0:
            break
        asked = re.search(r"give a bound with --dim '([^'=]+)=", done.stderr)
        if asked is None:
            raise RuntimeError(done.stderr.strip())
        flags += ["--dim", f"{asked[1]}=0..{RUN_BOUND}"]
    return {output["name"]: [(dim["extent"], dim["lattice"]) for dim in output["dims"]]
            for node in json.loads(done.stdout)["operators"] for output in node["outputs"]}


def value_of(extent, sizes):
    """None where a dynamic size is in it."""
    names = {name.strip('"') for name in NAME.findall(extent)} - {"min", "max"}
    if not names <= set(sizes):
        return None
    text = NAME.sub(lambda at: at[0] if at[0] in ("min", "max") else str(sizes[at[0].strip('"')]), extent)
    return eval(text, {"__builtins__": {}, "min": min, "max": max})  # of digits, operators and min, max


def session_of(model):
    """The network with every result as an output, and their names."""
    whole = onnx.load(model.path, load_external_data=False)
    inside = [name for node in whole.graph.node for name in node.output if name]
    listed = {output.name for output in whole.graph.output}
    whole.graph.output.extend(onnx.ValueInfoProto(name=name) for name in inside if name not in listed)
    options = onnxruntime.SessionOptions()
    options.graph_optimization_level = onnxruntime.GraphOptimizationLevel.ORT_DISABLE_ALL
    options.log_severity_level = 4
    with tempfile.NamedTemporaryFile(suffix=".onnx", dir=os.path.dirname(model.path)) as file:
        onnx.save(whole, file.name)
        return onnxruntime.InferenceSession(file.name, options, providers=["CPUExecutionProvider"]), inside


def compare(burin, model, points, broken):
    """(dimensions compared, of the run, differences)"""
    dims = dims_of(burin, model)
    session, names = session_of(model)
    if broken:
        name = next(n for n in names if any(lattice != "constant" for _, lattice in dims.get(n, [])))
        dims[name] = [("2*(" + extent + ")", lattice) for extent, lattice in dims[name]]
    names = [name for name in names if name in dims]
    compared, of_run, wrong = 0, 0, []
    for inputs, sizes, _ in model.points(points):
        for name, result in zip(names, session.run(names, inputs)):
            if not hasattr(result, "shape"):
                continue
            if len(result.shape) != len(dims[name]):
                wrong.append(f"{name}: rank {len(result.shape)}, burin says {dims[name]}")
                continue
            for d, ((extent, _), real) in enumerate(zip(dims[name], result.shape)):
                said = value_of(extent, sizes)
                if said is None:
                    of_run += 1
                    continue
                compared += 1
                if said != real:
                    wrong.append(f"{name} dimension {d}: {real} at {sizes}, burin says {extent}")
    return compared, of_run, wrong


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("burin")
    parser.add_argument("--zoo", required=True)
    parser.add_argument("--models", nargs="*")
    parser.add_argument("--points", type=int, default=5)
    parser.add_argument("--cache", default=os.path.join(tempfile.gettempdir(), "burin_zoo"))
    parser.add_argument("--break", dest="broken", action="store_true")
    options = parser.parse_args()
    entries = os.path.join(options.zoo, "models")
    names = options.models or sorted(
        name[:-5] for name in os.listdir(entries)
        if name.endswith(".json") and json.load(open(os.path.join(entries, name), encoding="utf-8")).get("dims"))
    failed = False
    print("| model | points | dimensions compared | dynamic | differ |\n|---|---|---|---|---|")
    for name in names:
        model = Model(options.zoo, options.cache, name, 1)
        compared, of_run, wrong = compare(options.burin, model, options.points, options.broken)
        print(f"| {name} | {options.points} | {compared} | {of_run} | {len(wrong)} |", flush=True)
        for line in wrong[:5]:
            print(line, file=sys.stderr)
        failed = failed or compared == 0 or bool(wrong) != options.broken
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
