"""What runs of trees with OpenCL call, on a machine without a device: recorder.cpp in the place of libOpenCL.

    python3 tests/opencl/recorded.py --burin BURIN --zoo ZOO --cache FOLDER [--config CONFIG] [--most-bytes N] [NAME ...]

A row for each network of the zoo (all whose weights take at most N bytes): kernels that run, by the plan for a CPU and by
that for the device, which must be equal. Two rules are for one of the two only and left out of that comparison: a CPU
joins chains of small products (--without chains; a device would launch twice all the same), a device finds sizes by
kernels of its own (--without sizes). Then launches, by the plan and as they were
called; synchronisations, and those of the same network where the host reads every size (--without sizes); bytes to the device (weights and inputs), to the host, and of its buffers. Exit status 1 where
kernels differ, or launches are not as many as the plan has, but for networks whose steps run as often as data say. Results are zeros, so a network whose steps depend on data
may end with a status, which is then said.
"""
import argparse
import json
import os
import subprocess
import sys
import tempfile

import numpy as np
import onnx
from onnx import numpy_helper

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "../bench"))
from tree import Tree, generate  # noqa: E402

TYPES = {"f16": np.uint16, "bf16": np.uint16, "f32": np.float32, "f64": np.float64, "boolean": np.uint8}
# The host repeats launches of their kernels, or leaves them out.
REPEATS = {"If", "Loop", "Scan", "LSTM", "GRU", "RNN"}


def element_type(name):
    return np.dtype(TYPES.get(name) or {"i": "int", "u": "uint"}[name[0]] + name[1:])


def read_inputs(folder):
    inputs = {}
    while os.path.exists(path := os.path.join(folder, "test_data_set_0", f"input_{len(inputs)}.pb")):
        tensor = onnx.load_tensor(path)
        inputs[tensor.name] = numpy_helper.to_array(tensor)
    return inputs


def sizes_of(manifest, inputs, model):
    """Symbols by the model's own declarations."""
    sizes = {}
    for info in model.graph.input:
        if info.name in inputs:
            for dim, extent in zip(info.type.tensor_type.shape.dim, inputs[info.name].shape):
                if dim.dim_param:
                    sizes[dim.dim_param] = extent
    return {s["name"]: sizes[s["name"]] for s in manifest["symbols"]}


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
    text = subprocess.run([options.burin, "analyze", path, "--config", config, "--json", *flags], check=True,
                          capture_output=True, text=True).stdout
    return sum(not kernel["view"] and not kernel["family"].startswith("procedure") for kernel in json.loads(text)["kernels"])


def recorded(options, name):
    folder = os.path.join(options.cache, name)
    if not os.path.exists(os.path.join(folder, "test_data_set_0", "input_0.pb")):
        subprocess.run([sys.executable, os.path.join(options.zoo, "materialize.py"), name, "--out", options.cache],
                       check=True, stdout=subprocess.DEVNULL)
    path = os.path.join(folder, "model.onnx")
    with open(os.path.join(options.zoo, "models", name + ".json"), encoding="utf-8") as text:
        ranges = json.load(text).get("dims", {})
    flags = [part for symbol, (size, least, most) in ranges.items() for part in ("--dim", f"{symbol}={least}..{most}@{size}")]
    model = onnx.load(path, load_external_data=False)
    inputs = read_inputs(folder)
    plan, calls, problem = one_run(options, path, flags, inputs, model)
    plain, host_reads, _ = one_run(options, path, [*flags, "--without", "sizes"], inputs, model) if plan.get("sizes") else (plan, calls, "")
    on_cpu = kernels(options, path, options.cpu, [*flags, "--without", "chains"])
    on_device = sum(kernel["kernel"] is not None for kernel in plain["kernels"])
    repeats = bool({n.op_type for n in model.graph.node} & REPEATS)
    return on_cpu, on_device, planned_launches(plan), calls, host_reads[1], problem, repeats


def one_run(options, path, flags, inputs, model):
    """The plan, what a run calls, and why it ended early."""
    with tempfile.TemporaryDirectory() as work:
        out = os.path.join(work, "tree")
        generate(options.burin, path, options.config, out, ["--weights", "blob", "--name", "net", *flags])
        with open(os.path.join(out, "plan.json"), encoding="utf-8") as text:
            plan = json.load(text)
        tree = Tree(out)
        tree.build("g++", 1)
        tree.command.append("-ldl")
        sizes = sizes_of(tree.manifest, inputs, model)
        record = os.path.join(work, "record")
        os.environ["BURIN_CL_RECORD"] = record
        problem = ""
        try:
            tree.start(inputs, sizes, outputs_of(tree.manifest, sizes))
            tree.process.communicate()
        except RuntimeError as error:
            problem = str(error).replace("\n", " ")[-100:]
        with open(record, encoding="utf-8") as text:
            return plan, [int(number) for number in text.read().split()], problem


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--burin", required=True)
    parser.add_argument("--zoo", required=True)
    parser.add_argument("--cache", required=True)
    parser.add_argument("--config", default=os.path.join(HERE, "../../configs/nvidia-h200.json"))
    parser.add_argument("--cpu", default=os.path.join(HERE, "../../configs/cpp-generic.json"))
    parser.add_argument("--most-bytes", type=int, default=1 << 62)
    parser.add_argument("names", nargs="*")
    options = parser.parse_args()
    found = []
    for file in sorted(os.listdir(os.path.join(options.zoo, "models"))):
        if file.endswith(".json"):
            with open(os.path.join(options.zoo, "models", file), encoding="utf-8") as text:
                if json.load(text)["weights_bytes"] <= options.most_bytes:
                    found.append(file[:-5])
    wrong = 0
    with tempfile.TemporaryDirectory() as shim:
        subprocess.run(["g++", "-std=c++17", "-O1", "-shared", "-fPIC", "-o", os.path.join(shim, "libOpenCL.so.1"),
                        os.path.join(HERE, "recorder.cpp")], check=True)
        os.environ["LD_LIBRARY_PATH"] = shim
        print("| network | kernels, CPU | kernels, device | launches, plan | called | waits | waits, sizes read | to the device | "
              "to the host | buffers |")
        print("|---|---|---|---|---|---|---|---|---|---|", flush=True)
        for name in options.names or found:
            try:
                cpu, device, planned, calls, read_waits, problem, repeats = recorded(options, name)
            except (RuntimeError, subprocess.CalledProcessError, OSError, ValueError, KeyError) as error:
                said = getattr(error, "stderr", None) or str(error)
                print(f"| {name} | {(said.splitlines() or [''])[0][:160]} |", flush=True)
                continue
            launches, waits, up, down, buffers, _ = calls
            # Where the host finds sizes of zero, nothing is launched.
            bad = device != cpu or (not problem and not repeats and read_waits == 1 and launches != planned)
            wrong += bad
            print(f"| {name} | {cpu} | {device} | {planned} | {launches} | {waits} | {read_waits} | {up} | {down} | {buffers} |"
                  f"{' ' + problem if problem else ''}{' WRONG' if bad else ''}", flush=True)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
