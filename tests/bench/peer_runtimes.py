"""Programs that run ONNX files on a CPU, each behind the same face: made of a file, inputs and a number of
threads, it gives its outputs and the seconds of runs. One process runs one of them: pools of threads that wait
by spinning would take the others' time.

    python3 peer_runtimes.py NAME MODEL INPUTS.npz THREADS SCRATCH

answers lines on stdin: "outputs FILE" writes an .npz and says "done"; a number gives the seconds of so many runs.
The first line that it prints says "ready", or "refused" and why.
"""
import os
import shutil
import subprocess
import sys
import time

import numpy as np


class OnnxRuntime:
    package = "onnxruntime"

    def __init__(self, path, inputs, threads, _scratch):
        import onnxruntime
        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = threads
        options.inter_op_num_threads = 1
        options.log_severity_level = 3
        self.session = onnxruntime.InferenceSession(path, options, providers=["CPUExecutionProvider"])
        self.inputs = inputs
        self.names = [o.name for o in self.session.get_outputs()]

    def run(self):
        return self.session.run(None, self.inputs)


class OpenVino:
    package = "openvino"

    def __init__(self, path, inputs, threads, _scratch):
        import openvino
        core = openvino.Core()
        model = core.read_model(path)
        self.names = [o.get_any_name() for o in model.outputs]
        self.compiled = core.compile_model(model, "CPU", {
            "INFERENCE_NUM_THREADS": threads, "NUM_STREAMS": 1, "PERFORMANCE_HINT": "LATENCY",
            "INFERENCE_PRECISION_HINT": "f32"})
        self.request = self.compiled.create_infer_request()
        self.inputs = {name: openvino.Tensor(np.ascontiguousarray(array)) for name, array in inputs.items()}

    def run(self):
        self.request.infer(self.inputs)
        return [self.request.get_output_tensor(k).data for k in range(len(self.names))]


class Mnn:
    package = "MNN"

    def __init__(self, path, inputs, threads, scratch):
        import MNN
        import onnx
        graph = onnx.load(path, load_external_data=False).graph
        self.names = [o.name for o in graph.output]
        converted = os.path.join(scratch, "model.mnn")
        converter = os.path.join(os.path.dirname(sys.executable), "mnnconvert")
        done = subprocess.run([converter, "-f", "ONNX", "--modelFile", path, "--MNNModel", converted,
                               "--bizCode", "bench"], capture_output=True, text=True)
        if not os.path.exists(converted):
            raise RuntimeError((done.stdout + done.stderr).strip()[-300:])
        manager = MNN.nn.create_runtime_manager(({"backend": "CPU", "precision": "high", "numThread": threads},))
        given = [i.name for i in graph.input if i.name in inputs]
        self.module = MNN.nn.load_module_from_file(converted, given, self.names, runtime_manager=manager)
        self.inputs = [MNN.expr.const(np.ascontiguousarray(inputs[name]), list(inputs[name].shape),
                                      MNN.expr.NCHW, self._type(MNN, inputs[name].dtype)) for name in given]

    @staticmethod
    def _type(mnn, dtype):
        types = {"float32": mnn.expr.float, "int32": mnn.expr.int, "int64": mnn.expr.int64, "uint8": mnn.expr.uint8}
        if str(dtype) not in types:
            raise RuntimeError(f"no inputs of {dtype}")
        return types[str(dtype)]

    def run(self):
        return [output.read() for output in self.module.forward(self.inputs)]


class Ncnn:
    package = "ncnn"

    def __init__(self, path, inputs, threads, scratch):
        import ncnn
        import onnx
        graph = onnx.load(path, load_external_data=False).graph
        self.names = [o.name for o in graph.output]
        given = [i.name for i in graph.input if i.name in inputs]
        shapes = ",".join("[" + ",".join(map(str, inputs[n].shape)) + "]" +
                          {"float32": "f32", "int64": "i64", "int32": "i32"}[str(inputs[n].dtype)] for n in given)
        param, weights = (os.path.join(scratch, "model.ncnn." + end) for end in ("param", "bin"))
        converter = os.path.join(os.path.dirname(sys.executable), "pnnx")
        # It reads weights beside the model only from the folder that it runs in.
        for file in os.listdir(os.path.dirname(path)):
            if file.startswith("model.") and not os.path.exists(os.path.join(scratch, file)):
                shutil.copy(os.path.join(os.path.dirname(path), file), scratch)
        done = subprocess.run([converter, os.path.basename(path), "inputshape=" + shapes, "fp16=0",
                               "ncnnparam=" + param, "ncnnbin=" + weights], capture_output=True, text=True, cwd=scratch)
        if not os.path.exists(param):
            raise RuntimeError((done.stdout + done.stderr).strip()[-300:])
        self.net = ncnn.Net()
        self.net.opt.num_threads = threads
        self.net.opt.use_fp16_packed = self.net.opt.use_fp16_storage = self.net.opt.use_fp16_arithmetic = False
        self.net.opt.use_bf16_storage = False
        if self.net.load_param(param) != 0 or self.net.load_model(weights) != 0:
            raise RuntimeError("a layer that is not there")
        if any(inputs[n].shape[0] != 1 for n in given if inputs[n].ndim > 1):
            raise RuntimeError("a batch of more than one")
        self.arrays = [np.ascontiguousarray(inputs[n][0]) for n in given]  # which Mat does not keep
        self.inputs = [(f"in{k}", ncnn.Mat(array)) for k, array in enumerate(self.arrays)]

    def run(self):
        extractor = self.net.create_extractor()
        for name, array in self.inputs:
            extractor.input(name, array)
        outputs = []
        for k in range(len(self.names)):
            status, array = extractor.extract(f"out{k}")
            if status != 0:
                raise RuntimeError("it stops on the way")
            outputs.append(np.array(array))
        return outputs


RUNTIMES = {one.package: one for one in (OnnxRuntime, OpenVino, Mnn, Ncnn)}


def main():
    name, path, inputs, threads, scratch = sys.argv[1:]
    os.environ["OMP_NUM_THREADS"] = threads
    answers = os.fdopen(os.dup(1), "w")  # what programs print of themselves is no answer
    os.dup2(2, 1)
    try:
        with np.load(inputs) as arrays:
            runtime = RUNTIMES[name](path, dict(arrays), int(threads), scratch)
        outputs = runtime.run()
    except Exception as refusal:  # of whatever kind: the peer does not take the model
        lines = str(refusal).strip().splitlines() or [type(refusal).__name__]
        print("refused", lines[-1][:200], file=answers, flush=True)
        return
    print("ready", file=answers, flush=True)
    for line in sys.stdin:
        word, _, file = line.strip().partition(" ")
        if word == "outputs":
            np.savez(file, **{str(k): np.asarray(o) for k, o in enumerate(outputs)})
            print("done", file=answers, flush=True)
            continue
        seconds = []
        for _ in range(int(word)):
            start = time.perf_counter()
            runtime.run()
            seconds.append(time.perf_counter() - start)
        print(*seconds, file=answers, flush=True)


if __name__ == "__main__":
    main()
