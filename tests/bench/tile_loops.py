#!/usr/bin/env python3
"""Innermost loops of tiles on Arm, as llvm-mca sees them: products of a cycle, and the share of the bound.

    tile_loops.py --burin PROGRAM [--mca llvm-mca-19] [--cores neoverse-n1 neoverse-v1 cortex-a55]

For each layer: `burin generate` for a description, assembly by its compilers, the innermost loop with the most
instructions of products, and llvm-mca's cycles of 200 turns of it on each core, which are at least what the core can
decode. The bound is what the core starts of that instruction in a cycle. "stack" counts instructions of the loop that
touch the stack. What is outside of the loop (staging, results) is not in these figures. Needs Python 3.9+ with numpy
and onnx, cross compilers for aarch64 and llvm-mca.
"""
import argparse
import glob
import json
import os
import re
import subprocess
import tempfile

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
TURNS = 200
# Description, instruction of products.
KINDS = {
    "float": (("armv8-neoverse-n1", r"fmla\s+v"),),
    "byte": (("armv8-neoverse-n1", r"[su]dot\s"), ("armv8-i8mm", r"[su]{1,2}mmla\s")),
}
# Instructions that a core takes in a cycle; llvm-mca's models let more through.
DECODES = {"neoverse-n1": 4, "neoverse-n2": 5, "neoverse-v1": 8, "cortex-a55": 2}
# Loops of i8mm on cores that have it.
CORES_OF = {"armv8-i8mm": ("neoverse-n2", "neoverse-v1")}


def saved(path, nodes, inputs, outputs, constants):
    graph = helper.make_graph(nodes, os.path.basename(path), inputs, outputs,
                              [numpy_helper.from_array(value, name) for name, value in constants.items()])
    onnx.save(helper.make_model(graph, opset_imports=[helper.make_opsetid("", 13)], ir_version=8), path)
    return path


def quantised(weights):
    return {"w": weights, "xs": np.float32(0.02), "xz": np.uint8(117), "ws": np.float32(0.003), "wz": np.int8(0),
            "ys": np.float32(0.5), "yz": np.uint8(120)}


OPERANDS = ["x", "xs", "xz", "w", "ws", "wz", "ys", "yz"]


def layers(folder):
    """Name, kind and file of each layer."""
    draw = np.random.default_rng(3)

    def conv(name, kind, channels, filters, taps, stride, size):
        path = f"{folder}/{name}.onnx"
        attributes = dict(kernel_shape=[taps, taps], strides=[stride, stride], pads=[taps // 2] * 4, name=name)
        shape = (filters, channels, taps, taps)
        element = TensorProto.FLOAT if kind == "float" else TensorProto.UINT8
        x = helper.make_tensor_value_info("x", element, [1, channels, size, size])
        y = helper.make_tensor_value_info("y", element, None)
        if kind == "float":
            constants = {"w": draw.standard_normal(shape).astype(np.float32)}
            node = helper.make_node("Conv", ["x", "w"], ["y"], **attributes)
        else:
            constants = quantised(draw.integers(-128, 128, shape).astype(np.int8))
            node = helper.make_node("QLinearConv", OPERANDS, ["y"], **attributes)
        return name, kind, saved(path, [node], [x], [y], constants)

    def product(name, kind, rows, depth, columns):
        path = f"{folder}/{name}.onnx"
        element = TensorProto.FLOAT if kind == "float" else TensorProto.UINT8
        x = helper.make_tensor_value_info("x", element, [rows, depth])
        y = helper.make_tensor_value_info("y", element, None)
        if kind == "float":
            constants = {"w": draw.standard_normal((depth, columns)).astype(np.float32)}
            node = helper.make_node("MatMul", ["x", "w"], ["y"], name=name)
        else:
            constants = quantised(draw.integers(-128, 128, (depth, columns)).astype(np.int8))
            node = helper.make_node("QLinearMatMul", OPERANDS, ["y"], name=name)
        return name, kind, saved(path, [node], [x], [y], constants)

    for kind in ("float", "byte"):
        yield product(f"{kind}_64x256x256", kind, 64, 256, 256)
        yield product(f"{kind}_17x100x50", kind, 17, 100, 50)
        yield conv(f"{kind}_1x1", kind, 64, 64, 1, 1, 28)
        yield conv(f"{kind}_3x3", kind, 32, 48, 3, 1, 14)
        yield conv(f"{kind}_3x3_of_2", kind, 64, 64, 3, 2, 28)


JUMP = re.compile(r"\s+(?:b\.?\w+|cbn?z|tbn?z)\s+.*?(\.\w+)$")


def busiest_loop(assembly, instruction):
    """Of the loops without a loop inside the one with the most of the instruction; [] where there is none."""
    lines = assembly.split("\n")
    labels, best = {}, []
    for number, line in enumerate(lines):
        if label := re.match(r"(\.\w+):", line):
            labels[label.group(1)] = number
        jump = JUMP.match(line)
        if not jump or jump.group(1) not in labels:
            continue
        first = labels[jump.group(1)]
        inside = lines[first + 1:number]
        if any(first < labels.get(back.group(1), number) < number for back in map(JUMP.match, inside) if back):
            continue
        body = [one for one in [*inside, line] if one.strip() and one.strip()[0] not in "./#"]
        # Of tiles with as many sums the one that has more vectors: the other is for the last columns.
        if (count_of(instruction, body), -len(body)) > (count_of(instruction, best), -len(best)):
            best = body
    return best


def count_of(instruction, body):
    return sum(bool(re.search(instruction, one)) for one in body)


def cycles_of(mca, core, loop, folder):
    path = f"{folder}/loop.s"
    with open(path, "w", encoding="utf-8") as out:
        out.write("\n".join(loop) + "\n")
    shown = subprocess.run([mca, "-mtriple=aarch64-linux-gnu", f"-mcpu={core}", "-mattr=+i8mm,+dotprod",
                            f"-iterations={TURNS}", path], capture_output=True, text=True, check=True).stdout
    return max(int(re.search(r"Total Cycles:\s+(\d+)", shown).group(1)), TURNS * len(loop) / DECODES[core])


def bound_of(mca, core, loop, instruction, folder):
    """How many of the instruction the core starts in a cycle: 24 that do not wait for each other."""
    one = next(line for line in loop if re.search(instruction, line))
    apart = [re.sub(r"(\s)v\d+", rf"\1v{number}", one, count=1) for number in range(24)]
    apart = [re.sub(r",\s*v\d+\.(\w+),\s*v\d+\.", r", v30.\1, v31.", line) for line in apart]
    return 24 * TURNS / cycles_of(mca, core, apart, folder)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--burin", default=f"{ROOT}/build/release/generator/burin")
    parser.add_argument("--mca", default="llvm-mca-19")
    parser.add_argument("--cores", nargs="*", default=["neoverse-n1", "neoverse-v1", "cortex-a55"])
    options = parser.parse_args()
    print("| layer | description | compiler | instructions | products | stack | " + "core: of the bound |")
    print("|---|---|---|---|---|---|---|")
    with tempfile.TemporaryDirectory() as folder:
        for name, kind, path in layers(folder):
            for config, instruction in KINDS[kind]:
                tree = f"{folder}/{name}_{config}"
                subprocess.run([options.burin, "generate", path, "--config", f"{ROOT}/configs/{config}.json", "-o", tree],
                               check=True, capture_output=True)
                with open(f"{ROOT}/configs/{config}.json", encoding="utf-8") as described:
                    compilers = json.load(described)["compilers"]
                for compiler in compilers:
                    loops = []
                    for source in sorted(glob.glob(f"{tree}/src/kernels/*.cpp")):
                        flags = [*compiler["compile_flags"], "-std=c++17", "-ffp-contract=off", f"-I{tree}/include"]
                        text = subprocess.run([*compiler["command"], *flags, "-S", source, "-o", "-"], check=True,
                                              capture_output=True, text=True).stdout
                        loops.append(busiest_loop(text, instruction))
                    loop = max(loops, key=lambda one: count_of(instruction, one))
                    products = count_of(instruction, loop)
                    shares = []
                    for core in CORES_OF.get(config, options.cores):
                        rate = products * TURNS / cycles_of(options.mca, core, loop, folder)
                        shares.append(f"{core} {100 * rate / bound_of(options.mca, core, loop, instruction, folder):.0f} %")
                    print(f"| {name} | {config} | {compiler['name']} | {len(loop)} | {products} | "
                          f"{sum('[sp' in one for one in loop)} | {', '.join(shares)} |", flush=True)


if __name__ == "__main__":
    main()
