#!/usr/bin/env python3
"""Packets of quantised layers and networks on Hexagon, as qemu-hexagon counts them.

    python3 tests/bench/hexagon_packets.py --burin build/release/generator/burin [--config FILE]
        [--by-kernel N] [--beside configs/x86-64-v3.json] [--models FILE ...] [--packed]

One table: a tree for each model, built by the description's compiler, run twice; packets are those of
the second run (the counter c20 of qemu-hexagon 7.2). Layers are one convolution between a quantised
input and a quantised result with drawn weights: as QLinearConv (`qop`), and as QuantizeLinear and
DequantizeLinear around a Conv (`qdq`). Networks: small_models.py, in 8 bits. A packet is what the
machine starts in a cycle, if nothing waits. The last column tells results apart. `--by-kernel N`
lists the N kernels of each model that take most, with what their functions are called. `--beside
CONFIG` builds and runs a tree for another description as well, and says whether all outputs are the
same bytes. `--packed`: the tree's sources become assembly, which `burin pack` packs again. Between layers: what 65,536 results of an elementwise function or a pool take, for each
128 of them (`pointwise`). Inputs of a file are test_data_set_0 beside it where that is there, else drawn. Needs
clang-19, lld-19 and qemu-user of Debian, Python with numpy and onnx.
"""

import argparse
import json
import pathlib
import re
import subprocess
import sys
import tempfile
import zlib

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper

import small_models

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent.parent

# name: channels, filters, taps, stride, rows and columns, groups
LAYERS = {
    "1x1": (64, 64, 1, 1, 56, 1),
    "1x1_deep": (256, 128, 1, 1, 14, 1),
    "1x1_deep_56": (256, 64, 1, 1, 56, 1),
    "1x1_deep_28": (512, 128, 1, 1, 28, 1),
    "1x1_deeper": (512, 128, 1, 1, 14, 1),
    "3x3": (128, 128, 3, 1, 28, 1),
    "3x3_s2": (64, 64, 3, 2, 28, 1),
    "7x7_s2": (3, 64, 7, 2, 224, 1),
    "depthwise": (128, 128, 3, 1, 28, 128),
}

DRIVER = r"""
#include "program.h"
#include "net.h"
static net_context context;
alignas(NET_ARENA_ALIGN) static unsigned char arena[NET_ARENA_BYTES ? NET_ARENA_BYTES : 1];
%(arrays)s
uint32_t packets_of_call[%(calls)d + 1];
static inline uint32_t packets() {
#if defined(__hexagon__)
  register uint32_t r0 __asm__("r0");
  __asm__ volatile(".word 0x6a14c000" : "=r"(r0) : : "memory");  // r0 = c20
  return r0;
#else
  return 0;
#endif
}
int program_main(int, char**) {
  if (net_init(&context, arena, sizeof arena, nullptr, 0) != 0) return 1;
  net_inputs in = {};
  net_outputs out = {};
  %(assign)s
  uint32_t counted = 0;
  for (int i = 0; i < %(runs)d; ++i) {
    const uint32_t before = packets();
    if (net_run(&context, &in, &out) != 0) return 2;
    counted = packets() - before;
    if (i + 1 < %(runs)d) {
      for (uint32_t& one : packets_of_call) one = 0;
    }
  }
  program_write(1, &counted, sizeof counted);
  %(write)s
  program_write(1, packets_of_call, sizeof packets_of_call);
  return 0;
}
"""


def run(*command):
    done = subprocess.run([str(c) for c in command], capture_output=True)
    if done.returncode:
        sys.exit(f"{' '.join(map(str, command))}\n{done.stderr.decode(errors='replace')[-3000:]}")
    return done.stdout


def layer(kind, channels, filters, taps, stride, size, groups):
    draw = np.random.default_rng(11)
    weights = draw.integers(-127, 128, (filters, channels // groups, taps, taps)).astype(np.int8)
    depth = channels // groups * taps * taps
    constants, nodes = [], []

    def constant(name, value):
        constants.append(numpy_helper.from_array(np.asarray(value), name))
        return name

    x_scale, y_scale = np.float32(0.0183), np.float32(0.0471)
    w_scale = (draw.uniform(0.5, 1.5, filters) * 0.05 / np.sqrt(depth)).astype(np.float32)
    bias = draw.integers(-1000, 1000, filters).astype(np.int32)
    fixed = [constant("xs", x_scale), constant("xz", np.uint8(117))]
    quantised = [constant("ws", w_scale), constant("wz", np.zeros(filters, np.int8))]
    result = [constant("ys", y_scale), constant("yz", np.uint8(121))]
    w, b = constant("w", weights), constant("b", bias)
    margin = taps // 2
    how = dict(kernel_shape=[taps, taps], strides=[stride] * 2, pads=[margin] * 4, group=groups)
    if kind == "qop":
        nodes.append(helper.make_node("QLinearConv", ["x", *fixed, w, *quantised, *result, b],
                                      ["y"], **how))
    else:
        bias_scale = constant("bs", (w_scale * x_scale).astype(np.float32))
        nodes += [
            helper.make_node("DequantizeLinear", ["x", *fixed], ["xf"]),
            helper.make_node("DequantizeLinear", [w, *quantised], ["wf"], axis=0),
            helper.make_node("DequantizeLinear", [b, bias_scale,
                                                  constant("bz", np.zeros(filters, np.int32))],
                             ["bf"], axis=0),
            helper.make_node("Conv", ["xf", "wf", "bf"], ["yf"], **how),
            helper.make_node("QuantizeLinear", ["yf", *result], ["y"])]
    of = (size + 2 * margin - taps) // stride + 1
    graph = helper.make_graph(
        nodes, "layer", [helper.make_tensor_value_info("x", TensorProto.UINT8,
                                                       [1, channels, size, size])],
        [helper.make_tensor_value_info("y", TensorProto.UINT8, [1, filters, of, of])], constants)
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 13)], ir_version=8)
    onnx.checker.check_model(model)
    return model, filters * of * of * depth


RESULTS, AT_ONCE = 65536, 128


def pointwise(kind):
    """What stands between layers: a sum of 32 bits to a byte, a sum of two bytes, a function of one, a pool."""
    side = int(np.sqrt(RESULTS))
    shape, taken = [1, 1, side, side], [1, 1, 2 * side, 2 * side]
    fixed = [numpy_helper.from_array(np.asarray(value), name) for name, value in (
        ("xs", np.float32(0.0183)), ("xz", np.uint8(117)), ("zs", np.float32(0.0251)), ("zz", np.uint8(130)),
        ("ss", np.float32(3.1e-5)), ("sz", np.int32(0)), ("ys", np.float32(0.0371)), ("yz", np.uint8(121)))]

    def made(kind, inputs, output, **how):
        return helper.make_node(kind, inputs, [output], **how)

    to_byte = made("QuantizeLinear", ["f", "ys", "yz"], "y")
    nodes, inputs = {
        "requantise": ([made("DequantizeLinear", ["x", "ss", "sz"], "f"), to_byte], [("x", TensorProto.INT32, shape)]),
        "add": ([made("DequantizeLinear", ["x", "xs", "xz"], "xf"), made("DequantizeLinear", ["z", "zs", "zz"], "zf"),
                 made("Add", ["xf", "zf"], "f"), to_byte],
                [("x", TensorProto.UINT8, shape), ("z", TensorProto.UINT8, shape)]),
        "sigmoid": ([made("DequantizeLinear", ["x", "xs", "xz"], "xf"), made("Sigmoid", ["xf"], "f"), to_byte],
                    [("x", TensorProto.UINT8, shape)]),
        "max_pool": ([made("MaxPool", ["x"], "y", kernel_shape=[2, 2], strides=[2, 2])], [("x", TensorProto.UINT8, taken)]),
    }[kind]
    used = {name for node in nodes for name in node.input}
    graph = helper.make_graph(
        nodes, kind, [helper.make_tensor_value_info(*one) for one in inputs],
        [helper.make_tensor_value_info("y", TensorProto.UINT8, shape)], [one for one in fixed if one.name in used])
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 13)], ir_version=8)
    onnx.checker.check_model(model)
    return model, 0


POINTWISE = ("requantise", "add", "sigmoid", "max_pool")


def bytes_of(tensor):
    sizes = [max(1, d.dim_value) for d in tensor.type.tensor_type.shape.dim]
    return np.dtype(helper.tensor_dtype_to_np_dtype(tensor.type.tensor_type.elem_type)), sizes


# A program with a C library, in the place of templates/project/program/bare_linux.h.
HOSTED = """
#include <stdint.h>
#include <unistd.h>
static void program_write(int to, const void* bytes, size_t count) {
  for (const char* at = static_cast<const char*>(bytes); count > 0;) {
    const ssize_t done = write(to, at, count);
    if (done <= 0) return;
    at += done;
    count -= static_cast<size_t>(done);
  }
}
int program_main(int, char**);
int main(int argc, char** argv) { return program_main(argc, argv); }
"""

# In front of a schedule whose calls are counted one by one.
COUNTERS = r"""
#include <stdint.h>
extern uint32_t packets_of_call[];
namespace {
inline uint32_t packets_now() {
  register uint32_t r0 __asm__("r0");
  __asm__ volatile(".word 0x6a14c000" : "=r"(r0) : : "memory");
  return r0;
}
}  // namespace
"""


def counted_calls(schedule):
    """The text of a schedule with a counter around every call of a kernel, and their names."""
    names = []

    def around(match):
        names.append(match.group(2))
        return (f"{match.group(1)}{{ const uint32_t before_call = packets_now();\n{match.group(0)}\n"
                f"packets_of_call[{len(names) - 1}] += packets_now() - before_call; }}")

    text = re.sub(r"^( +)kernels::(\w+)\(.*?\);$", around, schedule, flags=re.M | re.S)
    return COUNTERS + text, names


def inputs_of(model, path):
    """Arrays for the inputs that are no constants: stored ones, else drawn."""
    given = {one.name for one in model.graph.initializer}
    inputs = [one for one in model.graph.input if one.name not in given]
    stored = [path.parent / f"test_data_set_0/input_{i}.pb" for i in range(len(inputs))] if path else []
    draw = np.random.default_rng(3)
    out = []
    for i, one in enumerate(inputs):
        if stored and stored[i].exists():
            tensor = onnx.TensorProto.FromString(stored[i].read_bytes())
            out.append(numpy_helper.to_array(tensor))
            continue
        kind, sizes = bytes_of(one)
        out.append((draw.integers(0, 256, sizes) if kind == np.uint8 else
                    draw.integers(-100000, 100000, sizes) if kind == np.int32 else
                    draw.standard_normal(sizes)).astype(kind))
    return out


class Machine:
    def __init__(self, config, burin, scratch, packed=False):
        self.config, self.burin, self.scratch, self.packed = config, burin, scratch, packed
        hardware = json.loads(config.read_text())
        compiler = hardware["compilers"][0]
        self.runner = hardware.get("runner", [])
        self.bare = hardware.get("program") == "bare_linux"
        self.cxx = [*compiler["command"], *compiler["compile_flags"]]
        self.link = compiler.get("link_flags", [])

    def measure(self, name, model, path, runs=2):
        """Packets of the last run, the bytes of all outputs, packets of each call."""
        folder = self.scratch / self.config.stem / name
        folder.mkdir(parents=True, exist_ok=True)
        tree = folder / "tree"
        if path is None:
            path = folder / "model.onnx"
            onnx.save(model, path)
        arrays = inputs_of(model, path)
        run(self.burin, "generate", path, "--config", self.config, "-o", tree, "--name", "net",
            "--weights", "embed")
        said = json.loads((tree / "manifest.json").read_text())
        names = []
        if self.bare:
            schedule = tree / "src/net.cpp"
            text, names = counted_calls(schedule.read_text())
            schedule.write_text(text)
        text, assign, write, total = [], [], [], 0
        for i, (array, one) in enumerate(zip(arrays, said["inputs"])):
            data = ",".join(map(str, np.ascontiguousarray(array).tobytes()))
            text.append(f"alignas(128) static const unsigned char in{i}[] = {{{data}}};")
            assign.append(f"in.{one['c_name']} = "
                          f"reinterpret_cast<decltype(in.{one['c_name']})>(in{i});")
        for i, (y, one) in enumerate(zip(model.graph.output, said["outputs"])):
            kind, sizes = bytes_of(y)
            size = int(np.prod(sizes)) * kind.itemsize
            total += size
            text.append(f"alignas(128) static unsigned char out{i}[{size}];")
            assign.append(f"out.{one['c_name']} = "
                          f"reinterpret_cast<decltype(out.{one['c_name']})>(out{i});")
            write.append(f"program_write(1, out{i}, sizeof out{i});")
        (folder / "main.cpp").write_text(DRIVER % {
            "arrays": "\n".join(text), "assign": "\n  ".join(assign),
            "write": "\n  ".join(write), "calls": len(names), "runs": runs})
        (folder / "program.h").write_text(
            (ROOT / "templates/project/program/bare_linux.h").read_text() if self.bare else HOSTED)
        program = folder / "program"
        bare = ["-DBURIN_PROGRAM_HAS_MEMORY_FUNCTIONS"] if self.bare else []
        flags = ["-std=c++17", "-ffp-contract=off", "-fno-exceptions", "-fno-rtti",
                 "-fvisibility=hidden", *bare, f"-I{tree}/include", f"-I{folder}"]
        sources = sorted(tree.glob("src/**/*.cpp"))
        if self.packed:
            sources = [self.packed_text(one, flags, folder) for one in sources]
        run(*self.cxx, *flags, folder / "main.cpp", *sources, *self.link, "-o", program)
        printed = run(*self.runner, program)
        calls = np.frombuffer(printed[4 + total:], np.uint32).tolist()
        # The counter has 32 bits: calls say how often it began again.
        packets = int.from_bytes(printed[:4], "little")
        packets += 2**32 * max(0, round((sum(calls) - packets) / 2**32))
        return packets, printed[4:4 + total], sorted(zip(calls, names), reverse=True)


    def packed_text(self, source, flags, folder):
        text, packed = folder / f"{source.stem}.read.s", folder / f"{source.stem}.s"
        run(*self.cxx, *flags, "-S", source, "-o", text)
        run(self.burin, "pack", text, "--config", self.config, "-o", packed)
        return packed


def main():
    options = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    options.add_argument("--burin", required=True, type=pathlib.Path)
    options.add_argument("--config", type=pathlib.Path, default=ROOT / "configs/hexagon-v66.json")
    options.add_argument("--models", nargs="*",
                         help="names, or files whose outputs have fixed sizes; default: all names")
    options.add_argument("--by-kernel", type=int, default=0, metavar="N")
    options.add_argument("--beside", type=pathlib.Path, metavar="CONFIG")
    options.add_argument("--runs", type=int, default=2, help="the last one is counted")
    options.add_argument("--packed", action="store_true")
    options.add_argument("--scratch", type=pathlib.Path)
    given = options.parse_args()
    scratch = (given.scratch or pathlib.Path(tempfile.mkdtemp(prefix="burin_hexagon_"))).resolve()
    machine = Machine(given.config.resolve(), given.burin.resolve(), scratch, given.packed)
    cases = {f"{name}_{kind}": (lambda n=name, k=kind: layer(k, *LAYERS[n]))
             for name in LAYERS for kind in ("qop", "qdq")}
    cases.update({kind: (lambda k=kind: pointwise(k)) for kind in POINTWISE})
    cases["kws_int8"] = lambda: (small_models.MODELS["kws_int8"](), 0)
    other = Machine(given.beside.resolve(), given.burin.resolve(), scratch) if given.beside else None
    print("| model | packets | multiply-adds | each packet | result |" + (" same |" if other else ""))
    print("|---|---|---|---|---|" + ("---|" if other else ""))
    for name in given.models or cases:
        path = None
        if name in cases:
            model, products = cases[name]()
        else:
            path, products = pathlib.Path(name).resolve(), 0
            model, name = onnx.load(path, load_external_data=False), path.parent.name
        packets, printed, calls = machine.measure(name, model, path, given.runs)
        rate = f"{products / packets:.2f}" if products else ""
        if name in POINTWISE:
            rate = f"{packets * AT_ONCE / RESULTS:.2f} for {AT_ONCE} results"
        same = ""
        if other:
            beside = other.measure(name, model, path, runs=1)[1]
            differ = np.count_nonzero(np.frombuffer(beside, np.uint8) !=
                                      np.frombuffer(printed, np.uint8))
            same = " yes |" if differ == 0 else f" {differ} of {len(printed)} bytes differ |"
        print(f"| {name} | {packets} | {products or ''} | {rate} | {zlib.crc32(printed):08x} |{same}",
              flush=True)
        for count, kernel in calls[:given.by_kernel]:
            print(f"  {count:10d} {100 * count / packets:5.1f} % {kernel}", flush=True)


if __name__ == "__main__":
    main()
