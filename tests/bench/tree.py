"""An emitted tree seen through its manifest.json: generate it, build it, and run it in a process that
answers requests, so that its runs can be interleaved with another program's."""
import json
import os
import shlex
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor

import numpy as np

# Types of the interface are deduced from its functions, so that only the names in the manifest matter.
DRIVER = """\
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <utility>
#include <vector>

#include "@NAME@.h"

namespace {

std::vector<unsigned char> read_file(const std::string& path) {
  std::FILE* in = std::fopen(path.c_str(), "rb");
  if (!in) std::exit((std::fprintf(stderr, "cannot read %s\\n", path.c_str()), 3));
  std::fseek(in, 0, SEEK_END);
  std::vector<unsigned char> bytes(static_cast<std::size_t>(std::ftell(in)));
  std::rewind(in);
  if (std::fread(bytes.data(), 1, bytes.size(), in) != bytes.size()) std::exit(3);
  std::fclose(in);
  return bytes;
}

void write_file(const std::string& path, const std::vector<unsigned char>& bytes) {
  std::FILE* out = std::fopen(path.c_str(), "wb");
  if (!out || std::fwrite(bytes.data(), 1, bytes.size(), out) != bytes.size()) std::exit(3);
  std::fclose(out);
}

void require(std::int32_t status, const char* what) {
  if (status == 0) return;
  std::fprintf(stderr, "%s: %s\\n", what, @NAME@_strerror(status));
  std::exit(4);
}

unsigned char* aligned(std::vector<unsigned char>& store, std::size_t bytes) {
  store.resize(bytes + 128);
  return store.data() + (128 - reinterpret_cast<std::uintptr_t>(store.data()) % 128) % 128;
}

template <class Result, class Context, class Dims, class Inputs, class Outputs>
std::tuple<Context, Dims, Inputs, Outputs> types_of(Result (*)(Context*, const Dims*, const Inputs*,
                                                               Outputs*));
template <class Result, class Context, class Inputs, class Outputs>
std::tuple<Context, int, Inputs, Outputs> types_of(Result (*)(Context*, const Inputs*, Outputs*));
using Types = decltype(types_of(&@NAME@_run));

// An output whose size depends on data has a capacity, in elements.
@CAPACITIES@

}  // namespace

// Runs once and writes the outputs, then reads run counts from stdin and answers each with the
// nanoseconds of every run.
int main(int, char** argv) {
  const std::string data = argv[1];
  std::tuple_element_t<1, Types> dims{};
  (void)dims;
@DIMS@
  std::tuple_element_t<2, Types> inputs{};
  std::tuple_element_t<3, Types> outputs{};
@INPUTS@
@OUTPUTS@
@SET_CAPACITIES@
  std::vector<unsigned char> weights@WEIGHTS@;
  const std::size_t arena_bytes = @ARENA@;
  std::vector<unsigned char> arena_store;
  unsigned char* arena = aligned(arena_store, arena_bytes);
  static std::tuple_element_t<0, Types> context;
  require(@NAME@_init(&context, arena, arena_bytes, weights.data(), weights.size()), "init");
  const auto run = [&] { require(@NAME@_run(&context, @PASS_DIMS@&inputs, &outputs), "run"); };
  run();
@SAVE@
  std::printf("arena %zu\\n", arena_bytes);
  std::fflush(stdout);
  for (int count; std::scanf("%d", &count) == 1;) {
    for (int i = 0; i < count; ++i) {
      const auto start = std::chrono::steady_clock::now();
      run();
      const auto took = std::chrono::steady_clock::now() - start;
      std::printf("%lld ", static_cast<long long>(std::chrono::nanoseconds(took).count()));
    }
    std::printf("\\n");
    std::fflush(stdout);
  }
}
"""


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


class Tree:
    def __init__(self, folder):
        self.folder = folder
        with open(os.path.join(folder, "manifest.json"), encoding="utf-8") as text:
            self.manifest = json.load(text)
        self.name = self.manifest["name"]
        self.process = None

    def kernels(self):
        return sum(f["role"] == "kernel" for f in self.manifest["files"])

    def build(self, compiler, jobs):
        """Compiles every source of the tree; gives seconds. The objects stay in FOLDER.build."""
        build = self.manifest["build"]
        self.objects = self.folder + ".build"
        os.makedirs(self.objects, exist_ok=True)
        known = build.get("compilers", [])
        wanted = os.path.basename(shlex.split(compiler)[0])
        machine = next((c for c in known if c["name"] == wanted), known[0] if known else {"flags": []})
        self.command = [*shlex.split(compiler), "-std=" + build["standard"], *build["flags"],
                        *machine["flags"],
                        *("-I" + os.path.join(self.folder, d) for d in build["include_dirs"])]
        start = time.perf_counter()
        with ThreadPoolExecutor(jobs) as pool:
            self.compiled = list(pool.map(self._compile, build["sources"]))
        return time.perf_counter() - start

    def _compile(self, source):
        target = os.path.join(self.objects, source.replace("/", "_") + ".o")
        self._run([*self.command, "-c", os.path.join(self.folder, source), "-o", target])
        return target

    @staticmethod
    def _run(command):
        result = subprocess.run(command, capture_output=True, text=True)
        if result.returncode:
            raise RuntimeError(f"{shlex.join(command)}\n{result.stderr[:2000]}")

    def start(self, inputs, dims, outputs):
        """Builds the driver for these inputs and output sizes and runs it once; gives the outputs."""
        data = os.path.join(self.objects, "data")
        os.makedirs(data, exist_ok=True)
        for i, declared in enumerate(self.manifest["inputs"]):
            path = os.path.join(data, f"input_{i}.bin")
            np.ascontiguousarray(inputs[declared["name"]]).tofile(path)
        source = os.path.join(self.objects, "driver.cpp")
        with open(source, "w", encoding="utf-8") as text:
            text.write(self._driver(dims, outputs))
        program = os.path.join(self.objects, "driver")
        self._run([*self.command, "-include", "cstdint", "-include", "tuple", source, *self.compiled,
                   "-o", program])
        self.process = subprocess.Popen([program, data], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                        stderr=subprocess.PIPE, text=True)
        ready = self.process.stdout.readline().split()
        if ready[:1] != ["arena"]:
            raise RuntimeError("run: " + self.process.stderr.read()[-500:].strip())
        self.arena_bytes = int(ready[1])
        return {declared["name"]: np.fromfile(os.path.join(data, f"output_{i}.bin"),
                                              outputs[declared["name"]].dtype)
                for i, declared in enumerate(self.manifest["outputs"])}

    def times(self, runs):
        """Seconds of each of `runs` runs."""
        self.process.stdin.write(f"{runs}\n")
        self.process.stdin.flush()
        return [int(t) * 1e-9 for t in self.process.stdout.readline().split()]

    def stop(self):
        if self.process:
            self.process.kill()
            self.process.communicate()

    def _driver(self, dims, outputs):
        manifest, symbols = self.manifest, self.manifest.get("symbols", [])
        arena, weights = manifest["arena"]["bytes"], manifest["weights"]
        dynamic = bool(symbols)

        def each(kind, text):
            return "\n".join("  " + text(i, v) for i, v in enumerate(manifest[kind]))

        parts = {
            "NAME": self.name,
            "DIMS": "\n".join(f"  dims.{s['c_name']} = {dims[s['name']]};" for s in symbols),
            "PASS_DIMS": "&dims, " if dynamic else "",
            "ARENA": str(arena) if isinstance(arena, int) else
                     f"static_cast<std::size_t>({self.name}_arena_bytes(&dims))",
            "WEIGHTS": f" = read_file({json.dumps(os.path.join(self.folder, weights['file']))})"
                       if weights["mode"] == "blob" else "",
            "INPUTS": each("inputs", lambda i, v:
                           f'auto in{i} = read_file(data + "/input_{i}.bin"); '
                           f"inputs.{v['c_name']} = static_cast<decltype(inputs.{v['c_name']})>("
                           f"static_cast<void*>(in{i}.data()));"),
            "OUTPUTS": each("outputs", lambda i, v:
                            f"std::vector<unsigned char> out{i}({outputs[v['name']].nbytes}); "
                            f"outputs.{v['c_name']} = static_cast<decltype(outputs.{v['c_name']})>("
                            f"static_cast<void*>(out{i}.data()));"),
            "CAPACITIES": each("outputs", lambda i, v:
                               f"template <class T> auto capacity{i}(T& to, int) -> decltype(to.{v['c_name']}_capacity, void()) "
                               f"{{ to.{v['c_name']}_capacity = {outputs[v['name']].size}; }}\n"
                               f"  template <class T> void capacity{i}(T&, long) {{}}"),
            "SET_CAPACITIES": each("outputs", lambda i, v: f"capacity{i}(outputs, 0);"),
            "SAVE": each("outputs", lambda i, v: f'write_file(data + "/output_{i}.bin", out{i});'),
        }
        text = DRIVER
        for key, value in parts.items():
            text = text.replace(f"@{key}@", value)
        return text
