"""A runner for `burin tune`: builds a tree with the host's compiler, runs it on inputs that are made up, and prints what
each kernel takes of a run, "launch NAME US", and last the microseconds of a whole one.

    python3 tests/bench/tune_runner.py TREE [UNTUNED]

A tree that computes something else fails: its self-test, where it has sample vectors, and its outputs against those of
UNTUNED on the same inputs. What UNTUNED computes is kept in UNTUNED.outputs.npz.

Machines are not equally fast all the time (others use them, they become hot). So UNTUNED is run in turns with TREE, and all
times are told as if UNTUNED took what it took in its first call, which is kept in UNTUNED.outputs.npz as well.

BURIN_TUNE_THREADS: workers of a tree for a CPU (1), as many as its description has at most.
BURIN_TUNE_RUNS: runs that are timed (25); the median counts. Sizes of the caller are those that the tree was made for
(`hint` of manifest.json), or BURIN_TUNE_SIZES="seq=128 batch=2". Kernels are timed in as many runs of their own, with
the OpenCL library that ldconfig knows or BURIN_CL_REAL names, and not at all where there is none; on a CPU by clocks around
the calls of both trees' schedules.
"""
import os
import statistics
import subprocess
import sys

import numpy as np

import kernel_times
from opencl_profile import build_profiler, profiled, real_library
from tree import Tree

TYPES = {"f16": np.float16, "bf16": np.uint16, "f32": np.float32, "f64": np.float64, "boolean": np.uint8}
# Of the largest magnitude: room for another order of summation, and for halves that are rounded elsewhere.
SHARES = {np.dtype(np.float16): 4e-3, np.dtype(np.float32): 1e-4, np.dtype(np.float64): 1e-12}
# Trees without a hint, of an older burin.
USUAL = 64
# Runs of a tree before it is the other's turn, and before any that is timed.
TURN, WARM = 5, 3
# Room for an extent that the run finds and nothing bounds.
UNBOUNDED = 4096


def element_type(name):
    return np.dtype(TYPES.get(name) or {"i": "int", "u": "uint"}[name[0]] + name[1:])


def sizes_of(symbols, given):
    """What each size of the caller is in the runs that are timed."""
    wanted = dict(word.split("=") for word in given.split())
    sizes = {}
    for one in symbols:
        size = int(wanted.get(one["name"], one.get("hint", USUAL)))
        sizes[one["name"]] = max(one["min"], min(one["max"], size))
    return sizes


def differs(got, wanted, halves=False):
    """Why two outputs are not the same, or None. `halves`: floats went through sixteen bits within the tree."""
    if got.shape != wanted.shape:
        return f"has shape {list(got.shape)}, untuned {list(wanted.shape)}"
    if got.dtype.kind != "f":
        off = np.abs(got.astype(np.float64) - wanted.astype(np.float64)).max(initial=0)
        # What rounds to eight bits may fall on the other side of a boundary.
        return None if off <= (got.dtype.itemsize == 1) else f"is off by {off:g}"
    a, b = got.astype(np.float64), wanted.astype(np.float64)
    same = (a == b) | (np.isnan(a) & np.isnan(b))
    if not (same | (np.isfinite(a) & np.isfinite(b))).all():
        return "is not finite elsewhere"
    largest = np.abs(b[np.isfinite(b)]).max(initial=0)
    off = np.abs(np.where(same, 0, a - b)).max(initial=0)
    share = max(SHARES[got.dtype], SHARES[np.dtype(np.float16)] if halves else 0)
    return None if off <= share * largest else f"is off by {off:g}, largest magnitude {largest:g}"


def is_device(tree):
    return tree.manifest["build"]["target"] == "opencl"


class Measured:
    """One tree at the sizes and inputs that all trees of a search get."""

    def __init__(self, folder):
        self.tree = tree = Tree(folder)
        if not is_device(tree):
            kernel_times.instrument(tree)
        tree.build("g++", os.cpu_count(), workers=int(os.environ.get("BURIN_TUNE_THREADS", "1")))
        tree.command.append("-ldl")
        symbols = tree.manifest["symbols"]
        sizes = sizes_of(symbols, os.environ.get("BURIN_TUNE_SIZES", ""))
        scope = {s["c_name"]: sizes[s["name"]] for s in symbols}
        random = np.random.RandomState(1)

        def extent(declared, axis):
            try:
                return int(eval(str(declared["shape"][axis]), {"min": min, "max": max}, scope))
            except NameError:  # the run finds it
                return declared["max_shape"][axis] or UNBOUNDED

        def array(declared):
            shape = [extent(declared, axis) for axis in range(len(declared["shape"]))]
            dtype = element_type(declared["type"])
            if dtype.kind == "f":
                return random.standard_normal(shape).astype(dtype)
            # Bytes are quantised numbers or flags; wider integers are indices, of which any axis of two has both.
            most = 256 if dtype.itemsize == 1 and declared["type"] != "boolean" else 2
            return random.randint(0, most, shape).astype(dtype)

        inputs = {one["name"]: array(one) for one in tree.manifest["inputs"]}
        outputs = {one["name"]: array(one) for one in tree.manifest["outputs"]}
        self.outputs = tree.start(inputs, sizes, outputs)

    def self_test(self):
        """Runs the sample vectors that came with the tree."""
        tree = self.tree
        sources = tree.manifest["build"]["self_test_sources"]
        if not tree.manifest["self_test"]["runs"] or not sources:
            return
        objects = []
        for number, source in enumerate(sources):
            objects.append(os.path.join(tree.objects, f"self_test_{number}.o"))
            tree._run(["gcc", "-std=c99", *("-I" + os.path.join(tree.folder, d)
                                            for d in tree.manifest["build"]["include_dirs"]),
                       "-c", os.path.join(tree.folder, source), "-o", objects[-1]])
        program = os.path.join(tree.objects, "self_test")
        tree._run([*tree.command, *objects, *tree.compiled, "-lm", "-ldl", "-o", program])
        weights = tree.manifest["weights"]
        file = [os.path.join(tree.folder, weights["file"])] if weights["mode"] == "blob" else []
        result = subprocess.run([program, *file], capture_output=True, text=True)
        if result.returncode:
            sys.exit(f"self-test: {result.stdout[-300:].strip()}")


class Untuned:
    """The tree that others are held against, and what it took at its first call."""

    def __init__(self, folder):
        self.kept = folder + ".outputs.npz"
        self.us = self.span = None
        if os.path.exists(self.kept):
            self.tree = Tree(folder)
            self.tree.restart()
            with np.load(self.kept) as arrays:
                self.outputs = [arrays[f"output_{i}"] for i in range(len(arrays.files) - 2)]
                self.us, self.span = float(arrays["us"]), float(arrays["span"])
        else:
            one = Measured(folder)
            self.tree, self.outputs = one.tree, list(one.outputs.values())

    def speeds(self, us, span):
        """How fast the machine was at the first call, of how fast it is now: of whole runs, and of those that were timed by
        kernel. `span`: 0 where they were not."""
        if self.us is None:
            self.us, self.span = us, span
            np.savez(self.kept, us=us, span=span, **{f"output_{i}": v for i, v in enumerate(self.outputs)})
        return self.us / us, self.span / span if span else 1


def in_turns(trees, runs):
    """The median microseconds of a run of each."""
    times = [[] for _ in trees]
    for tree in trees:
        tree.times(WARM)
    for start in range(0, runs, TURN):
        for tree, seconds in zip(trees, times):
            seconds += tree.times(min(TURN, runs - start))
    return [statistics.median(seconds) * 1e6 for seconds in times]


def launch_times(tree, shim, runs):
    """Name of a kernel's function -> microseconds of its launches in a run; "span" is the run's."""
    real = real_library()
    if not real:
        return {}
    try:
        if not os.path.exists(os.path.join(shim, "libOpenCL.so.1")):
            build_profiler(shim)
        return {name: one.middle for name, one in profiled(tree, shim, real, runs).items()}
    except (subprocess.CalledProcessError, OSError):  # a device without such times
        return {}


def call_times(tree, runs):
    """Name of a kernel's function -> microseconds of its calls in one of so many runs of a CPU's tree, which ends. Parts that
    threads run at the same time are no kernel's time."""
    if tree.workers > 1:
        return {}
    tree.process.stdin.close()
    tree.process.wait()
    tree.process = None
    out = {}
    for name, (us, _) in zip(tree.timed_calls, kernel_times.read_sums(tree)):
        out[name] = out.get(name, 0) + us / runs
    return out


def main():
    runs = int(os.environ.get("BURIN_TUNE_RUNS", "25"))
    folder, *others = sys.argv[1:]
    try:
        one = Measured(folder)
        untuned = Untuned(others[0]) if others else None
    except RuntimeError as failed:
        sys.exit(str(failed))
    trees = [one.tree, *([untuned.tree] if untuned else [])]
    try:
        if untuned:
            compare(one, untuned.outputs)
        one.self_test()
        us, *of_untuned = in_turns(trees, runs)
        launches = {} if is_device(one.tree) else call_times(one.tree, runs + WARM + 1)
    finally:
        for tree in trees:
            tree.stop()
    shim = (others or [folder])[0] + ".profiler"
    if is_device(one.tree):
        launches = launch_times(one.tree, shim, runs)
        launches.pop("span", None)
    speed = speed_of_launches = 1
    if untuned and is_device(one.tree):
        span = launch_times(untuned.tree, shim, runs).get("span", 0)
        speed, speed_of_launches = untuned.speeds(of_untuned[0], span)
    elif untuned:
        speed = speed_of_launches = untuned.speeds(of_untuned[0], 0)[0]
    for name, taken in launches.items():
        print(f"launch {name} {taken * speed_of_launches:.3f}")
    print(us * speed)


def compare(one, wanted):
    halves = one.tree.manifest.get("device", {}).get("fp16", "off") != "off"
    for (name, got), untuned in zip(one.outputs.items(), wanted):
        why = differs(got, untuned, halves)
        if why:
            sys.exit(f"computes something else: output {name!r} {why}")


if __name__ == "__main__":
    main()
