"""Networks of a zoo on a GPU: trees with OpenCL, their results beside onnxruntime's, the time of a run and
of each kernel, the bytes that kernels read and write by the plan; with --torch, the same networks of torchvision under torch.compile in the same run.

    python3 tests/bench/opencl.py --zoo ZOO --burin BURIN --config configs/nvidia-h200.json \\
        --real /usr/lib/x86_64-linux-gnu/libOpenCL.so.1 --models swin_tiny vit_base --torch
"""
import argparse
import json
import os
import statistics
import subprocess
import sys
import tempfile

import numpy as np

from materialized import Model
from opencl_profile import build_profiler, profiled
from tree import Tree, generate

TORCHVISION = {"swin_tiny": "swin_t", "vit_base": "vit_b_16", "convnext_tiny": "convnext_tiny",
               "resnet50": "resnet50", "mobilenetv2": "mobilenet_v2"}


def planned(options, path, dims):
    """Kernels that run, and the megabytes that they read and write."""
    flags = [part for name, size in dims.items() for part in ("--dim", f"{name}={size}")]
    text = subprocess.run([options.burin, "analyze", path, "--config", options.config, "--json", *flags], check=True,
                          capture_output=True, text=True).stdout
    kernels = [kernel for kernel in json.loads(text)["kernels"] if not kernel["view"]]
    return len(kernels), *(sum(kernel[kind] for kernel in kernels) / 1e6 for kind in ("bytes_read", "bytes_written"))


def torch_times(name, runs):
    """Median milliseconds under torch.compile: default, reduce-overhead. The input is on the device."""
    import torch
    import torchvision
    torch.backends.cuda.matmul.allow_tf32 = torch.backends.cudnn.allow_tf32 = False
    model = getattr(torchvision.models, TORCHVISION[name])().cuda().eval()
    x = torch.randn(1, 3, 224, 224, device="cuda")
    out = []
    for mode in ("default", "reduce-overhead"):
        torch._dynamo.reset()
        compiled = torch.compile(model, mode=mode)
        seconds = []
        with torch.no_grad():
            for i in range(runs + 10):
                torch.cuda.synchronize()
                import time
                start = time.perf_counter()
                compiled(x)
                torch.cuda.synchronize()
                if i >= 10:
                    seconds.append(time.perf_counter() - start)
        out.append(statistics.median(seconds) * 1e3)
    return out


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--zoo", required=True)
    parser.add_argument("--burin", required=True)
    parser.add_argument("--config", required=True)
    parser.add_argument("--real", required=True, help="the OpenCL library that is measured")
    parser.add_argument("--models", nargs="+", default=list(TORCHVISION))
    parser.add_argument("--cache", default=os.path.join(tempfile.gettempdir(), "zoo_opencl"))
    parser.add_argument("--runs", type=int, default=100)
    parser.add_argument("--kernels", type=int, default=12, help="of the table, the longest first")
    parser.add_argument("--torch", action="store_true")
    options = parser.parse_args()
    shim = build_profiler(os.path.join(options.cache, "shim"))
    failed = False
    for name in options.models:
        model = Model(options.zoo, options.cache, name, os.cpu_count())
        expected = model.outputs()
        folder = os.path.join(options.cache, "trees", name)
        generate(options.burin, model.path, options.config, folder, ["--weights", "blob"])
        tree = Tree(folder)
        tree.build("g++", os.cpu_count())
        tree.command.append("-ldl")
        got = tree.start(model.inputs, model.dims(), expected)
        difference = max(float(np.max(np.abs(got[o].reshape(e.shape) - e)) / max(1e-30, np.max(np.abs(e))))
                         for o, e in expected.items())
        tree.times(10)
        wall = [t * 1e3 for t in tree.times(options.runs)]
        tree.stop()
        table = profiled(tree, shim, options.real, 20)
        span = table.pop("span").mean if table else 0
        failed |= not difference <= 1e-4
        print(f"{name}: median {statistics.median(wall):.3f} ms, fastest {min(wall):.3f} ms, on the device "
              f"{span / 1e3:.3f} ms, {sum(one.mean for one in table.values()) / 1e3:.3f} ms in "
              f"{sum(one.launches for one in table.values()):.0f} launches, difference {difference:.1e}", flush=True)
        count, reads, writes = planned(options, model.path, model.dims())
        print(f"  {count} kernels run; {reads:.1f} MB read, {writes:.1f} MB written", flush=True)
        for kernel, one in sorted(table.items(), key=lambda one: -one[1].mean)[:options.kernels]:
            print(f"  {one.mean:8.1f} us in {one.launches:4.0f}  {kernel}")
        if options.torch:
            default, reduced = torch_times(name, options.runs)
            print(f"  torch.compile: default {default:.3f} ms, reduce-overhead {reduced:.3f} ms", flush=True)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
