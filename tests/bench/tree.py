"""An emitted tree seen through its manifest.json: generate it, build it, and run it in a process that
answers requests, so that its runs can be interleaved with another program's. tree_driver.cpp.in is that
program; it is initialised once and takes any number of points: sizes with their inputs."""
import json
import os
import re
import shlex
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor

import numpy as np

HERE = os.path.dirname(os.path.abspath(__file__))

# Peak memory survives exec(), so the measured process is started by a small one, not by this one.
MEASURE = """
import os, subprocess, sys, time
start = time.perf_counter()
process = subprocess.Popen(sys.argv[1:])
_, status, usage = os.wait4(process.pid, 0)
print(time.perf_counter() - start, usage.ru_maxrss * 1024, os.waitstatus_to_exitcode(status))
"""


def generate(burin, model, config, out, arguments):
    """Runs `burin generate`; gives seconds and the peak resident bytes of the process."""
    command = [burin, "generate", model, "--config", config, "--output", out, *arguments]
    result = subprocess.run([sys.executable, "-I", "-S", "-c", MEASURE, *command],
                            stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, check=True)
    seconds, peak, code = result.stdout.split()[-3:]
    if code != "0":
        raise RuntimeError(f"generate: exit code {code}: {result.stderr[-500:].strip()}")
    return float(seconds), int(peak)


def generate_bounded(burin, model, config, out, arguments, most):
    """The same; dynamic sizes get the bound `most` where the refusal asks for one, and sizes that of the
    flag that it names. Also gives these bounds, as --dim takes them."""
    bounds = []
    while True:
        try:
            given = [flag for bound in bounds for flag in ("--dim", bound)]
            return (*generate(burin, model, config, out, [*arguments, *given]), bounds)
        except RuntimeError as refused:
            asked = re.search(r"give a bound with --dim '([^'=]+)=", str(refused))
            named = list(dict.fromkeys(re.findall(r"--dim '([^'=]+=[^']+)'", str(refused))))
            further = [f"{asked[1]}=..{most}"] if asked else named
            if not set(further) - set(bounds):
                raise
            names = {bound.split("=")[0] for bound in further}
            bounds = [bound for bound in bounds if bound.split("=")[0] not in names] + further


class Tree:
    def __init__(self, folder):
        self.folder = folder
        with open(os.path.join(folder, "manifest.json"), encoding="utf-8") as text:
            self.manifest = json.load(text)
        self.name = self.manifest["name"]
        self.process = None

    def kernels(self):
        return sum(f["role"] == "kernel" for f in self.manifest["files"])

    def build(self, compiler, jobs, counted=False, further=(), workers=1):
        """Compiles every source of the tree; gives seconds. The objects stay in FOLDER.build. `counted`:
        the schedule counts how often each of its lines runs (schedule_counts.py reads it). `further`: flags
        behind those of the tree. `workers`: of the tree's own pool, which it may have up to its description's."""
        build = self.manifest["build"]
        self.objects = self.folder + ".build"
        os.makedirs(self.objects, exist_ok=True)
        known = build.get("compilers", [])
        wanted = os.path.basename(shlex.split(compiler)[0])
        machine = next((c for c in known if c["name"] == wanted), known[0] if known else {"flags": []})
        self.command = [*shlex.split(compiler), "-std=" + build["standard"], *build["flags"],
                        *machine["flags"],
                        *("-I" + os.path.join(self.folder, d) for d in build["include_dirs"]), *further]
        pool_source = f"threads/{self.name}_threads.cpp"
        self.workers = workers = min(workers, self.manifest.get("threads", {}).get("workers", 1))
        if workers > 1:
            self.command += ["-I" + os.path.join(self.folder, "threads"), f"-DWORKERS={workers}", "-pthread"]
        self.schedule = f"src/{self.name}.cpp"
        self.counts = self._object(self.schedule)[:-2] + ".gcda" if counted else None
        start = time.perf_counter()
        with ThreadPoolExecutor(jobs) as pool:
            self.compiled = list(pool.map(self._compile, build["sources"] + ([pool_source] if workers > 1 else [])))
        return time.perf_counter() - start

    def _object(self, source):
        return os.path.join(self.objects, source.replace("/", "_") + ".o")

    def _compile(self, source):
        counting = ["--coverage", "-O0"] if self.counts and source == self.schedule else []
        self._run([*self.command, *counting, "-c", os.path.join(self.folder, source), "-o",
                   self._object(source)])
        return self._object(source)

    @staticmethod
    def _run(command):
        result = subprocess.run(command, capture_output=True, text=True)
        if result.returncode:
            raise RuntimeError(f"{shlex.join(command)}\n{result.stderr[:2000]}")

    def start(self, inputs, dims, outputs):
        """Runs once on these inputs; `outputs` are arrays of the types and sizes that are expected."""
        return self.start_points([(inputs, dims, outputs)])[0]

    def start_points(self, points):
        """Builds the driver and runs every point (inputs, dims, expected outputs) once, in one process and
        after one initialisation; gives the outputs of each. arena_bytes is the first point's, arenas are all."""
        self.points = []
        for number, (inputs, dims, outputs) in enumerate(points):
            folder = os.path.join(self.objects, f"point_{number}")
            os.makedirs(folder, exist_ok=True)
            self.points.append(folder)
            for i, declared in enumerate(self.manifest["inputs"]):
                np.ascontiguousarray(inputs[declared["name"]]).tofile(os.path.join(folder, f"input_{i}.bin"))
            sizes = [dims[s["name"]] for s in self.manifest.get("symbols", [])]
            for declared in self.manifest["outputs"]:
                sizes += [outputs[declared["name"]].nbytes, outputs[declared["name"]].size]
            with open(os.path.join(folder, "sizes.txt"), "w", encoding="utf-8") as text:
                text.write("\n".join(map(str, sizes)))
        source = os.path.join(self.objects, "driver.cpp")
        with open(source, "w", encoding="utf-8") as text:
            text.write(self._driver())
        program = os.path.join(self.objects, "driver")
        counting = [f"-DCOUNTS={json.dumps(self.counts)}", "--coverage"] if self.counts else []
        self._run([*self.command, *counting, source, *self.compiled, "-o", program])
        self._launch(program)
        return [self._outputs(folder, outputs) for folder, (_, _, outputs) in zip(self.points, points)]

    def restart(self, workers=None):
        """Starts what was built and started before, by whichever process, at its one point; with fewer workers
        than it was built for, if that is said."""
        self.objects = self.folder + ".build"
        self.points = [os.path.join(self.objects, "point_0")]
        self._launch(os.path.join(self.objects, "driver"), workers)

    def _launch(self, program, workers=None):
        environment = {**os.environ, **({"TREE_WORKERS": str(workers)} if workers else {})}
        self.process = subprocess.Popen([program, *self.points], stdin=subprocess.PIPE, env=environment,
                                        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        self.arenas = []
        for _ in self.points:
            ready = self.process.stdout.readline().split()
            if ready[:1] != ["arena"]:
                raise RuntimeError("run: " + self.process.stderr.read()[-500:].strip())
            self.arenas.append(int(ready[1]))
        self.arena_bytes = self.arenas[0]

    def _outputs(self, folder, outputs):
        """Output name -> array; one that the run sizes has the shape that the run reported."""
        arrays = {}
        with open(os.path.join(folder, "shapes.txt"), encoding="utf-8") as text:
            shapes = [line.split() for line in text]
        for i, declared in enumerate(self.manifest["outputs"]):
            name = declared["name"]
            array = np.fromfile(os.path.join(folder, f"output_{i}.bin"), outputs[name].dtype)
            shape = [int(extent) for extent in shapes[i][1:]] if shapes[i][0] == "sized" else None
            arrays[name] = array if shape is None else array[:int(np.prod(shape))].reshape(shape)
        return arrays

    def times(self, runs, point=0):
        """Seconds of each of `runs` runs."""
        self.process.stdin.write(f"{point} {runs}\n")
        self.process.stdin.flush()
        return [int(t) * 1e-9 for t in self.process.stdout.readline().split()]

    def stop(self):
        if self.process:
            self.process.kill()
            self.process.communicate()

    def _driver(self):
        manifest, symbols = self.manifest, self.manifest.get("symbols", [])
        arena, weights = manifest["arena"]["bytes"], manifest["weights"]
        dynamic = bool(symbols)

        def each(kind, text):
            return "\n".join("    " + text(i, v) for i, v in enumerate(manifest[kind]))

        def pointer(struct, v, data):
            field = f"{struct}.{v['c_name']}"
            return f"{field} = static_cast<decltype({field})>(static_cast<void*>({data}.data()));"

        def shape(v):
            field = f"outputs.{v['c_name']}_shape"
            return (f'std::fprintf(shapes, "sized"); for (const auto extent : {field}) '
                    f'std::fprintf(shapes, " %lld", static_cast<long long>(extent)); '
                    'std::fprintf(shapes, "\\n");')

        parts = {
            "NAME": self.name,
            "DIMS": "\n".join(f"  point.dims.{s['c_name']} = next();" for s in symbols),
            "PASS_DIMS": "&point.dims, " if dynamic else "",
            "ARENA": str(arena) if isinstance(arena, int) and not dynamic else
                     f"static_cast<std::size_t>({self.name}_arena_bytes(&dims))",
            "WEIGHTS": f" = read_file({json.dumps(os.path.join(self.folder, weights['file']))})"
                       if weights["mode"] == "blob" else "",
            "INPUT_COUNT": str(len(manifest["inputs"])),
            "OUTPUT_COUNT": str(len(manifest["outputs"])),
            "INPUTS": each("inputs", lambda i, v: pointer("inputs", v, f"in[{i}]")),
            "OUTPUTS": each("outputs", lambda i, v: pointer("outputs", v, f"out[{i}]") + (
                            f" outputs.{v['c_name']}_capacity = point.elements[{i}];"
                            if v.get("data_sized") else "")),
            "SHAPES": each("outputs", lambda i, v: shape(v) if v.get("data_sized") else
                           'std::fprintf(shapes, "fixed\\n");'),
        }
        with open(os.path.join(HERE, "tree_driver.cpp.in"), encoding="utf-8") as template:
            text = template.read()
        for key, value in parts.items():
            text = text.replace(f"@{key}@", value)
        return text
