"""Times of a tree's kernels on a device, by a library in the place of libOpenCL (tests/opencl/profiler.cpp)."""
import collections
import os
import re
import subprocess

HERE = os.path.dirname(os.path.abspath(__file__))

# Per run: launches, and microseconds as the mean of all runs and by the launch in the middle.
Times = collections.namedtuple("Times", "launches mean middle")


def build_profiler(folder):
    """Puts the library into `folder`, which is given back."""
    os.makedirs(folder, exist_ok=True)
    subprocess.run(["g++", "-std=c++17", "-O1", "-shared", "-fPIC", "-o", os.path.join(folder, "libOpenCL.so.1"),
                    os.path.join(HERE, "../opencl/profiler.cpp"), "-ldl"], check=True)
    return folder


def real_library():
    """The path of the machine's OpenCL, which BURIN_CL_REAL overrides; None where there is none."""
    given = os.environ.get("BURIN_CL_REAL")
    if given:
        return given
    known = subprocess.run(["/sbin/ldconfig", "-p"], capture_output=True, text=True).stdout
    found = re.search(r"libOpenCL\.so\.1 .*=> (\S+)", known)
    return found[1] if found else None


def profiled(tree, shim, real, runs):
    """Kernel name -> Times of a tree that was started (tree.py); "span" is that of a whole run."""
    record = os.path.join(tree.objects, "profile")
    env = dict(os.environ, LD_LIBRARY_PATH=shim, BURIN_CL_REAL=real, BURIN_CL_PROFILE=record)
    program = [os.path.join(tree.objects, "driver"), *tree.points]
    subprocess.run(program, input=f"0 {runs}\n", text=True, env=env, check=True, stdout=subprocess.DEVNULL)
    table = {}
    with open(record, encoding="utf-8") as lines:
        for line in lines:
            launches, nanoseconds, middle, name = line.split()
            each = int(launches) / (runs + 1)
            table[name] = Times(each, int(nanoseconds) / (runs + 1) / 1000, int(middle) * each / 1000)
    return table
