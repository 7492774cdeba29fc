"""A zoo model on disk: its file, its inputs, and what onnxruntime makes of them on N threads."""
import importlib.util
import math
import os
import random
import subprocess
import sys
import time

import numpy as np
import onnx
import onnxruntime
from onnx import numpy_helper

from zoo_entries import described


class Model:
    """One model of a zoo folder, materialised into `cache` when it is not there yet. Without `rewrite`
    onnxruntime runs every node as it stands: the reference for quantised models, whose Q/DQ pairs it
    otherwise rewrites into integer kernels that round elsewhere."""

    def __init__(self, zoo, cache, name, threads, rewrite=True):
        self.name = name
        folder = os.path.join(cache, name)
        self.path = os.path.join(folder, "model.onnx")
        data = os.path.join(folder, "test_data_set_0")
        if not os.path.exists(os.path.join(data, "input_0.pb")):
            subprocess.run([sys.executable, os.path.join(zoo, "materialize.py"), name, "--out", cache],
                           check=True, stdout=subprocess.DEVNULL)
        self.file_bytes = sum(os.path.getsize(os.path.join(folder, f)) for f in os.listdir(folder)
                              if f.startswith("model."))
        self.inputs = {}
        while os.path.exists(path := os.path.join(data, f"input_{len(self.inputs)}.pb")):
            tensor = onnx.load_tensor(path)
            self.inputs[tensor.name] = numpy_helper.to_array(tensor)
        self.entry = described(zoo, name)
        self.ranges = self.entry.get("dims", {})  # symbol -> [default, smallest, largest]
        self.zoo, self.cache, self.threads = zoo, cache, threads
        self._open(threads, rewrite)

    def _open(self, threads, rewrite):
        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = threads
        options.inter_op_num_threads = 1
        options.log_severity_level = 3
        if not rewrite:
            options.graph_optimization_level = onnxruntime.GraphOptimizationLevel.ORT_DISABLE_ALL
        self.session = onnxruntime.InferenceSession(self.path, options,
                                                    providers=["CPUExecutionProvider"])

    def dims(self):
        """The size of every symbol that an input declares."""
        sizes = {}
        for info in self.session.get_inputs():
            for declared, size in zip(info.shape, self.inputs[info.name].shape):
                if isinstance(declared, str):
                    sizes[declared] = size
        return sizes

    def dim_flags(self):
        """The ranges of the symbols as flags of burin, each with the size it has here as the hint."""
        flags = []
        for symbol, size in self.dims().items():
            _, smallest, largest = self.ranges[symbol]
            flags += ["--dim", f"{symbol}={smallest}..{largest}@{size}"]
        return flags

    def at(self, sizes, seed):
        """Inputs at sizes of the symbols."""
        spec = importlib.util.spec_from_file_location("materialize", os.path.join(self.zoo, "materialize.py"))
        materialize = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(materialize)
        return dict(materialize.make_inputs(self.entry, sizes, seed))

    def points(self, count):
        """`count` sets of sizes as (inputs, dims, outputs): the default sizes, the smallest, then others drawn
        between the smallest and the largest, evenly in their logarithm; multiples of 32 of them where the
        network takes no others. Every point has inputs of its own; the same points for everyone."""
        stream = random.Random(self.name)

        def drawn(smallest, largest):
            exponent = stream.uniform(math.log(smallest + 1), math.log(largest + 1))
            return min(max(round(math.exp(exponent)) - 1, smallest), largest)

        def point(sizes, number):
            inputs = self.at(sizes, number)
            return inputs, {symbol: sizes[symbol] for symbol in self.dims()}, self.outputs(inputs)

        points = []
        misses = 0
        while len(points) < count:
            number = len(points)
            sizes = {symbol: (default, smallest)[number] if number < 2 else drawn(smallest, largest)
                     for symbol, (default, smallest, largest) in self.ranges.items()}
            try:
                found = point(sizes, number)
            except onnxruntime.capi.onnxruntime_pybind11_state.Fail:
                found = point({s: max(size // 32 * 32, 32) for s, size in sizes.items()}, number)
            if number > 1 and any(found[1] == known for _, known, _ in points) and misses < 100:
                misses += 1  # drawn before; networks of few sizes have them again
                continue
            points.append(found)
        return points

    def outputs(self, inputs=None):
        """Output name -> array, in the model's order."""
        names = [o.name for o in self.session.get_outputs()]
        return dict(zip(names, self.session.run(None, inputs or self.inputs)))

    def times(self, runs, inputs=None):
        """Seconds of each of `runs` runs."""
        seconds = []
        for _ in range(runs):
            start = time.perf_counter()
            self.session.run(None, inputs or self.inputs)
            seconds.append(time.perf_counter() - start)
        return seconds

    def graph(self):
        return onnx.load(self.path, load_external_data=False).graph

    def gated(self):
        """Whether the model decides on the way what runs."""
        return any(node.op_type in ("If", "Loop") for node in self.graph().node)

    def rewritten(self):
        """The same model as onnxruntime rewrites it."""
        return Model(self.zoo, self.cache, self.name, self.threads)

    def rounds(self):
        """Whether the model rounds to narrow types on the way."""
        narrow = (onnx.TensorProto.FLOAT16, onnx.TensorProto.BFLOAT16)
        graph = self.graph()
        return any(node.op_type.find("Quantize") >= 0 or
                   any(a.name == "to" and a.i in narrow for a in node.attribute) for node in graph.node)

    def tolerance(self):
        """What a difference may be, relative to the largest output, by the precision of the model."""
        half = any(a.dtype == np.float16 for a in self.inputs.values())
        return 1e-2 if half else 1e-4
