#!/usr/bin/env python3
"""What one run of every network of a zoo calls of OpenCL, beside what the plans say. No device is needed: recorder.cpp is
the library, and built here.

    python3 tests/opencl/recorded.py --burin BURIN --zoo ZOO --results FILE [--models NAME ...] [--config CONFIG]
    python3 tests/opencl/recorded.py --results FILE --print       # the table of what is there; runs nothing

FILE holds one JSON line per network. One whose line says that it agrees is not run again, so that a sweep can be stopped and
continued. Each network has a process of its own, with a limit of time and of address space. Weights are drawn as the zoo
says, and not kept: equal ones would be shared, and counts be others.

Kernels by the plan for a CPU and by that for the device must be equal; those that run are told, which may differ by a copy, because arenas are
aligned to other numbers of bytes, and so is what may lie in one place. Rules for one of the two only are left
out of that comparison: a CPU joins chains of small products (--without chains; a device would launch twice all the same),
finishes rows of products (--without row-epilogue), computes products of the same rows together (--without back-to-back) and lets
copies are fused horizontally (--without fused-copies), a device finds sizes by
kernels of its own (--without sizes). Launches must be as many as the plan has, but
where the network's steps run as often as data say: `regions`. Waits of the host: one at the end, others where data decide what it does
next; beside them those of the same network where the host reads every size (--without sizes). Results are zeros, so a network whose
steps depend on data may end with a status, which is then said. Exit status 1 where a network does not agree.
"""
import argparse
import importlib.util
import json
import os
import resource
import subprocess
import sys
import tempfile

import numpy as np
import onnx

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "../bench"))
from tree import Tree, generate_bounded  # noqa: E402

TYPES = {"f16": np.uint16, "bf16": np.uint16, "f32": np.float32, "f64": np.float64, "boolean": np.uint8}
RUN_BOUND = 256  # of dynamic sizes that nothing bounds
# The host repeats launches of their kernels, or leaves them out.
REPEATS = {"If", "Loop", "Scan", "LSTM", "GRU", "RNN"}


def element_type(name):
    return np.dtype(TYPES.get(name) or {"i": "int", "u": "uint"}[name[0]] + name[1:])


class Network:
    """One of the zoo, materialised into a folder."""

    def __init__(self, options, folder):
        spec = importlib.util.spec_from_file_location("materialize", os.path.join(options.zoo, "materialize.py"))
        materialize = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(materialize)
        models = os.path.join(options.zoo, "models")
        with open(os.path.join(models, options.child + ".json"), encoding="utf-8") as text:
            entry = json.load(text)
        self.ranges = entry.get("dims", {})
        self.sizes = {symbol: size for symbol, (size, _, _) in self.ranges.items()}
        self.inputs = dict(materialize.make_inputs(entry, self.sizes, 0))
        model = onnx.load(os.path.join(models, options.child + ".onnx"), load_external_data=False)
        self.repeats = bool({node.op_type for node in model.graph.node} & REPEATS)
        self.path = os.path.join(folder, "model.onnx")
        materialize.materialize_weights(model, os.path.join(folder, "model.weights"))
        with open(self.path, "wb") as out:
            out.write(model.SerializeToString())

    def flags(self):
        return [part for symbol, (size, least, most) in self.ranges.items()
                for part in ("--dim", f"{symbol}={least}..{most}@{size}")]


def outputs_of(manifest, sizes):
    """Arrays as large as the run may make them."""
    scope = {s["c_name"]: sizes[s["name"]] for s in manifest["symbols"]}
    out = {}
    for output in manifest["outputs"]:
        shape = output.get("max_shape", output["shape"])
        extents = [256 if e is None else e if isinstance(e, int) else int(eval(e, {"min": min, "max": max}, scope))
                   for e in shape]
        out[output["name"]] = np.zeros(max(1, int(np.prod(extents))), element_type(output["type"]))
    return out


def planned_launches(plan):
    count = sum(len(kernel.get("launches", [])) for kernel in plan["kernels"])
    for group in plan.get("parallel_fusion", {}).get("groups", []):
        count -= sum(len(launch["members"]) - 1 for launch in group["launches"])
    return count


def kernels(options, path, config, flags):
    """How many run, and how many there are with copies that need not run."""
    text = subprocess.run([options.burin, "analyze", path, "--config", config, "--json", *flags], check=True,
                          capture_output=True, text=True).stdout
    views = [kernel["view"] for kernel in json.loads(text)["kernels"] if not kernel["family"].startswith("procedure")]
    return views.count(False), len(views)


def one_run(options, network, work, flags):
    """The plan, what a run calls, and why it ended early. Dynamic sizes that need a bound get one, in `flags`."""
    out = os.path.join(work, "tree")
    arguments = ["--weights", "blob", "--name", "net", *flags]
    *_, bounds = generate_bounded(options.burin, network.path, options.config, out, arguments, RUN_BOUND)
    flags += [flag for bound in bounds for flag in ("--dim", bound)]
    with open(os.path.join(out, "plan.json"), encoding="utf-8") as text:
        plan = json.load(text)
    tree = Tree(out)
    tree.build("g++", 1)
    tree.command.append("-ldl")
    record = os.path.join(work, "record")
    os.environ["BURIN_CL_RECORD"] = record
    problem = ""
    try:
        sizes = {s["name"]: network.sizes[s["name"]] for s in tree.manifest["symbols"]}
        tree.start(network.inputs, sizes, outputs_of(tree.manifest, sizes))
        tree.process.communicate()
    except RuntimeError as error:
        problem = str(error).strip().rsplit(": ", 1)[-1].replace("\n", " ")[-100:]
    with open(record, encoding="utf-8") as text:
        names = ("called", "waits", "to_device", "to_host", "buffers")
        return plan, dict(zip(names, map(int, text.read().split()))), problem


def run_one(options):
    """The child: a row."""
    limit = int(options.memory_gb * 2**30)
    resource.setrlimit(resource.RLIMIT_AS, (limit, limit))
    row = {}
    with tempfile.TemporaryDirectory() as work:
        network = Network(options, work)
        flags = network.flags()
        with tempfile.TemporaryDirectory() as folder:
            plan, calls, problem = one_run(options, network, folder, flags)
        row.update(calls, planned=planned_launches(plan), waits_read=calls["waits"])
        row["device"], row["all_device"] = kernels(options, network.path, options.config, [*flags, "--without", "sizes"])
        if row["device"] != sum(kernel["kernel"] is not None for kernel in plan["kernels"]):
            with tempfile.TemporaryDirectory() as folder:
                _, read, _ = one_run(options, network, folder, [*flags, "--without", "sizes"])
            row["waits_read"] = read["waits"]
        of_a_cpu = [flag for rule in ("back-to-back", "chains", "row-epilogue", "fused-copies") for flag in ("--without", rule)]
        row["cpu"], row["all_cpu"] = kernels(options, network.path, options.cpu, [*flags, *of_a_cpu])
        if problem:
            row["status"] = problem
        row["verdict"] = verdict(row, network.repeats)
    print("\n" + json.dumps(row))


def verdict(row, repeats):
    if row["all_device"] != row["all_cpu"]:
        return f"WRONG: {row['all_cpu']} kernels on a CPU, {row['all_device']} on the device"
    if row["called"] == row["planned"]:
        return "agrees"
    if repeats:
        return "agrees; regions"
    if "status" in row:
        return "agrees; the run ended early"
    # Where the host finds sizes of zero, nothing is launched.
    if row["called"] < row["planned"] and row["waits"] > 1:
        return "agrees; sizes of 0"
    return f"WRONG: {row['planned']} launches planned, {row['called']} called"


def row_of(name, options):
    with open(os.path.join(options.zoo, "models", name + ".json"), encoding="utf-8") as text:
        weights = json.load(text).get("weights_bytes", 0)
    if weights > options.largest_gb * 1e9:
        return {"verdict": f"left out: weights above {options.largest_gb} GB"}
    command = [sys.executable, os.path.abspath(__file__), *sys.argv[1:], "--child", name]
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=options.seconds)
    except subprocess.TimeoutExpired:
        return {"verdict": f"FAILED: not done after {options.seconds} s"}
    lines = done.stdout.strip().splitlines()
    if done.returncode == 0 and lines:
        return json.loads(lines[-1])
    reason = (done.stderr.strip().splitlines() or [f"exit code {done.returncode}"])[-1]
    return {"verdict": "FAILED: " + reason[:200]}


def sweep(options):
    found = sorted(f[:-5] for f in os.listdir(os.path.join(options.zoo, "models")) if f.endswith(".json"))
    with tempfile.TemporaryDirectory() as shim:
        subprocess.run(["g++", "-std=c++17", "-O1", "-shared", "-fPIC", "-o", os.path.join(shim, "libOpenCL.so.1"),
                        os.path.join(HERE, "recorder.cpp")], check=True)
        os.environ["LD_LIBRARY_PATH"] = shim
        for name in options.models or found:
            if not options.models and read(options.results).get(name, {}).get("verdict", "").startswith("agrees"):
                continue
            row = {"network": name, **row_of(name, options)}
            with open(options.results, "a", encoding="utf-8") as out:
                out.write(json.dumps(row) + "\n")
            print(f"{name}: {row['verdict']}", flush=True)


def read(results):
    """network -> its newest row"""
    if not os.path.exists(results):
        return {}
    with open(results, encoding="utf-8") as lines:
        return {row["network"]: row for row in map(json.loads, lines)}


def print_table(rows):
    columns = ("cpu", "device", "planned", "called", "waits", "waits_read", "to_device", "to_host", "buffers")
    print("| network | kernels, CPU | kernels, device | launches, plan | called | waits | waits, sizes read | to the device | "
          "to the host | buffers | |")
    print("|---" * (len(columns) + 2) + "|")
    for name in sorted(rows):
        row = rows[name]
        said = row["verdict"] + (": " + row["status"].replace("|", "\\|") if "status" in row else "")
        print("| " + " | ".join([name, *(str(row.get(column, "")) for column in columns), said]) + " |")
    good = sum(row["verdict"].startswith("agrees") for row in rows.values())
    print(f"\n{good} of {len(rows)} agree.")
    return 0 if good == len(rows) else 1


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--burin", type=os.path.abspath)
    parser.add_argument("--zoo", help="folder with materialize.py and models/")
    parser.add_argument("--results", required=True, metavar="FILE")
    parser.add_argument("--print", action="store_true", dest="only_print")
    parser.add_argument("--models", nargs="+", metavar="NAME")
    parser.add_argument("--config", default=os.path.join(HERE, "../../configs/nvidia-h200.json"))
    parser.add_argument("--cpu", default=os.path.join(HERE, "../../configs/cpp-generic.json"))
    parser.add_argument("--largest-gb", type=float, default=5.0, help="of weights; others are left out")
    parser.add_argument("--seconds", type=float, default=900, help="limit of time per network")
    parser.add_argument("--memory-gb", type=float, default=16, help="limit of address space per process")
    parser.add_argument("--child", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.child:
        return run_one(options)
    if not options.only_print:
        if not options.zoo or not options.burin:
            parser.error("--zoo and --burin are needed")
        sweep(options)
    return print_table(read(options.results))


if __name__ == "__main__":
    sys.exit(main())
