#!/usr/bin/env python3
"""Code, memory and instructions on a machine without vectors, beside other generators of C.

    python3 tests/bench/small_targets.py --burin build/release/generator/burin [--config FILE]

One table: small networks (small_models.py, and tests/digits) as burin's tree and as the C of
emx-onnx-cgen and onnx2c, where these programs are there (--emx, --onnx2c; else as PATH finds them).
All are compiled by the description's compiler with its flags, peers' C with GCC's own contraction of
products; the program holds what is reached, libraries included, less what it holds without a network.
Instructions are those of one run under qemu-user, the second less the first. Needs a description of
program bare_linux whose compiler has a C library (for peers), Python with numpy and onnx, qemu-user.
"""

import argparse
import json
import pathlib
import shutil
import subprocess
import sys
import tempfile

import numpy as np
import onnx

import small_models

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent.parent
SECTIONS = ["-ffunction-sections", "-fdata-sections"]


def run(*command, **more):
    done = subprocess.run([str(c) for c in command], capture_output=True, **more)
    if done.returncode:
        sys.exit(f"{' '.join(map(str, command))}\n{done.stderr.decode(errors='replace')[-3000:]}")
    return done


class Machine:
    """The compiler and runner of a description."""

    def __init__(self, config, scratch):
        self.config, self.scratch = config, scratch
        self.hardware = json.loads(config.read_text())
        if self.hardware.get("program") != "bare_linux":
            sys.exit(f"{config}: its program is not bare_linux")
        compiler = self.hardware["compilers"][0]
        self.cxx, self.flags, self.link = (compiler["command"], compiler["compile_flags"],
                                           compiler["link_flags"])
        self.cc = [self.cxx[0].replace("g++", "gcc").replace("clang++", "clang"), *self.cxx[1:]]
        self.plugin = scratch / "instruction_count.so"
        run("cc", "-shared", "-fPIC", "-O1", HERE / "instruction_count.c", "-o", self.plugin)
        shutil.copy(ROOT / "templates/project/program/bare_linux.h", scratch / "program.h")
        self.main = scratch / "main.o"
        run(*self.cxx, *self.flags, *SECTIONS, "-std=c++17", "-fno-exceptions", "-fno-rtti",
            f"-I{scratch}", "-c", HERE / "small_target_main.cpp", "-o", self.main)
        self.empty = self.sizes(self.program("empty", [self.compiled_c("empty", (
            "void network_begin(void) {}\nvoid network_run(void) {}\n"
            "const unsigned network_output_bytes = 0;\nunsigned char network_outputs[1];\n"))]))

    def compiled_c(self, name, text, *flags):
        source = self.scratch / f"{name}.c"
        source.write_text(text)
        return self.compiled(self.cc, source, "-std=c11", *flags)

    def compiled(self, compiler, source, *flags):
        made = self.scratch / (str(source).replace("/", "_") + ".o")
        run(*compiler, *self.flags, *SECTIONS, *flags, "-c", source, "-o", made)
        return made

    def program(self, name, objects, *libraries):
        made = self.scratch / f"{name}.elf"
        run(*self.cxx, *self.flags, "-nostartfiles", "-Wl,--gc-sections", self.main, *objects,
            *libraries, *self.link, "-o", made)
        return made

    def sizes(self, program):
        """Bytes of code, constants and memory."""
        code = constants = memory = 0
        listing = run("readelf", "-S", "-W", program).stdout.decode()
        for line in listing.splitlines():
            fields = line.split("]", 1)[-1].split()
            if len(fields) < 7 or not fields[2].isalnum() or "A" not in fields[6]:
                continue
            size = int(fields[4], 16)
            if "X" in fields[6]:
                code += size
            elif "W" in fields[6]:
                memory += size
            else:
                constants += size
        return np.array([code, constants, memory])

    def execute(self, program, runs):
        done = run(*self.hardware["runner"], "-plugin", self.plugin, "-d", "plugin", program,
                   *["x"] * runs)
        return int(done.stderr.decode().split()[-1]), done.stdout

    def measure(self, program, memory_less):
        code, constants, memory = self.sizes(program) - self.empty
        (first, _), (second, printed) = self.execute(program, 1), self.execute(program, 2)
        idle = int.from_bytes(self.execute(program, 0)[1][:4], "little")
        stack = int.from_bytes(printed[:4], "little") - idle
        return {"code": int(code), "constants": int(constants), "stack": stack,
                "ram": int(memory) - memory_less + max(0, stack), "instructions": second - first,
                "outputs": np.frombuffer(printed[4:], np.float32)}


def tensors(infos, constants=()):
    return [(t.name, [d.dim_value for d in t.type.tensor_type.shape.dim]) for t in infos
            if t.name not in constants]


class Case:
    """A model with symbols as 1 and inputs that are drawn; all inputs and outputs are floats."""

    def __init__(self, name, path, scratch):
        self.name, self.path = name, scratch / f"{name}_fixed.onnx"
        model = onnx.load(path)
        graph = model.graph
        del graph.value_info[:]
        for tensor in (*graph.input, *graph.output):
            for size in tensor.type.tensor_type.shape.dim:
                if size.dim_param:
                    size.dim_value = 1
        onnx.save(model, self.path)
        fixed = {c.name for c in graph.initializer}
        self.inputs, self.outputs = tensors(graph.input, fixed), tensors(graph.output)
        draw = np.random.default_rng(5)
        self.values = [draw.standard_normal(max(1, int(np.prod(s)))).astype(np.float32)
                       for _, s in self.inputs]
        self.output_floats = [max(1, int(np.prod(s))) for _, s in self.outputs]

    def around(self, begin, call, head="", memory=""):
        """C of the program around: inputs are constants, outputs one array."""
        text = [head, memory]
        for i, values in enumerate(self.values):
            numbers = ",".join(float(v).hex() + "f" for v in values)
            text.append(f"static const float in{i}[{len(values)}] = {{{numbers}}};")
        total = sum(self.output_floats)
        text += [f"float network_outputs[{total}];",
                 f"const unsigned network_output_bytes = {4 * total};",
                 f"void network_begin(void) {{ {begin} }}", f"void network_run(void) {{ {call} }}"]
        return "\n".join(text) + "\n"

    def output_places(self):
        places, at = [], 0
        for size in self.output_floats:
            places.append(f"network_outputs + {at}")
            at += size
        return places

    def own_bytes(self):
        return 4 * sum(self.output_floats)


def of_burin(machine, case, burin, flags=()):
    tree, name = machine.scratch / f"tree_{case.name}", "net"
    run(burin, "generate", case.path, "--config", machine.config, "-o", tree, "--name", name,
        "--weights", "embed", *flags)
    said = json.loads((tree / "manifest.json").read_text())
    names = {kind: [t["c_name"] if "c_name" in t else t["name"] for t in said[kind]]
             for kind in ("inputs", "outputs")}
    ins = " ".join(f"in.{n} = (const void*)in{i};" for i, n in enumerate(names["inputs"]))
    outs = " ".join(f"out.{n} = (void*)({p});"
                    for n, p in zip(names["outputs"], case.output_places()))
    around = machine.compiled_c(f"burin_{case.name}", case.around(
        "net_init(&context, arena, sizeof arena, 0, 0);",
        f"net_inputs in; net_outputs out; {ins} {outs} net_run(&context, &in, &out);",
        '#include "net.h"',
        "static net_context context;\n"
        "static unsigned char arena[NET_ARENA_BYTES ? NET_ARENA_BYTES : 1] "
        "__attribute__((aligned(NET_ARENA_ALIGN)));"), f"-I{tree / 'include'}")
    language = ["-std=c++17", "-ffp-contract=off", "-fno-exceptions", "-fno-rtti",
             "-fvisibility=hidden", f"-I{tree / 'include'}"]
    objects = [machine.compiled(machine.cxx, s, *language) for s in sorted(tree.glob("src/**/*.cpp"))]
    return machine.measure(machine.program(f"burin_{case.name}", [around, *objects]),
                           case.own_bytes())


LIBRARIES = ["-Wl,--start-group", "-lm", "-lc", "-lnosys", "-lgcc", "-Wl,--end-group"]


def of_peer(machine, case, peer, source, function):
    """Both peers emit one function of pointers to arrays, in the order of the model."""
    made = machine.compiled(machine.cc, source, "-std=gnu11", "-w")
    arguments = [f"in{i}" for i in range(len(case.inputs))] + case.output_places()
    around = machine.compiled_c(
        f"{peer}_{case.name}_around",
        case.around("", f"{function}({', '.join(arguments)});", f"void {function}();"),
        "-std=gnu11", "-w")
    return machine.measure(machine.program(f"{peer}_{case.name}", [around, made], *LIBRARIES),
                           case.own_bytes())


def of_emx(machine, case, emx):
    source = machine.scratch / f"emx_{case.name}_net.c"
    run(emx, "compile", case.path, source, "--large-temp-threshold", "0",
        "--large-weight-threshold", "0", "--model-name", "net_of_emx")
    return of_peer(machine, case, "emx", source, "net_of_emx")


def of_onnx2c(machine, case, onnx2c):
    source = machine.scratch / f"onnx2c_{case.name}_net.c"
    source.write_bytes(run(onnx2c, case.path).stdout)
    return of_peer(machine, case, "onnx2c", source, "entry")


def main():
    options = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    options.add_argument("--burin", required=True, type=pathlib.Path)
    options.add_argument("--config", type=pathlib.Path, default=ROOT / "configs/cortex-m7.json")
    options.add_argument("--flags", default="", help="of burin generate, as one argument")
    options.add_argument("--emx", default=shutil.which("emx-onnx-cgen"))
    options.add_argument("--onnx2c", default=shutil.which("onnx2c"))
    options.add_argument("--models", nargs="*", help="names; default: all")
    options.add_argument("--scratch", type=pathlib.Path)
    options.add_argument("--json", type=pathlib.Path)
    given = options.parse_args()
    scratch = (given.scratch or pathlib.Path(tempfile.mkdtemp(prefix="burin_small_"))).resolve()
    scratch.mkdir(parents=True, exist_ok=True)
    machine = Machine(given.config.resolve(), scratch)
    paths = {"digits": ROOT / "tests/digits/digits.onnx", **small_models.write(scratch)}
    makers = [("burin", lambda *a: of_burin(*a, given.flags.split()),
               given.burin.resolve()), ("emx-onnx-cgen", of_emx, given.emx),
              ("onnx2c", of_onnx2c, given.onnx2c)]
    for name, _, program in makers:
        if not program:
            print(f"{name} is not there", file=sys.stderr)
    print("| network | by | code | constants | RAM | of it stack | instructions | difference / max |")
    print("|---|---|---|---|---|---|---|---|")
    results = {}
    for name, path in paths.items():
        if given.models and name not in given.models:
            continue
        case, first = Case(name, path, scratch), None
        for maker, measure, program in makers:
            if not program:
                continue
            row = measure(machine, case, program)
            outputs = row.pop("outputs")
            first = outputs if first is None else first
            row["difference"] = float(np.abs(outputs - first).max() / (np.abs(first).max() or 1))
            results.setdefault(name, {})[maker] = row
            print(f"| {name} | {maker} | {row['code']} | {row['constants']} | {row['ram']} | "
                  f"{row['stack']} | {row['instructions']} | {row['difference']:.1e} |", flush=True)
    if given.json:
        given.json.write_text(json.dumps(results, indent=1) + "\n")


if __name__ == "__main__":
    main()
