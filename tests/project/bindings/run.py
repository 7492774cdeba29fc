"""Runs a network through its binding: run.py MODULE_FOLDER NAME LIBRARY WEIGHTS TYPE SHAPE INPUT OUTPUTS

WEIGHTS may be empty; SHAPE is like 2,1,8,8; results of output <o> go to OUTPUTS<o>.raw, shapes to stdout.
"""
import ctypes
import importlib
import sys

folder, name, library, weights, kind, shape, given, outputs = sys.argv[1:]
sys.path.insert(0, folder)
module = importlib.import_module(name)
network = module.Network(library, open(weights, "rb").read() if weights else b"")
extents = [int(one) for one in shape.split(",")]
data = memoryview(bytearray(open(given, "rb").read())).cast(kind, extents)
results = network.run(data)
for output, tensor in results.items():
    print(output, *tensor.shape)
    open(outputs + output + ".raw", "wb").write(bytes(tensor.data))

# Again, with sizes that grow the arena or do not; the same bytes.
again = network.run(data)
assert all(bytes(again[one].data) == bytes(results[one].data) for one in results)

# What does not fit is said, and nothing runs.
try:
    network.run(memoryview(bytearray(data.nbytes + 4)).cast("B").cast(kind, [data.nbytes // data.itemsize + 4 // data.itemsize]))
    sys.exit("a tensor of another length is taken")
except (ValueError, module.Error) as error:
    print("refused:", error)
if weights:
    try:
        module.Network(library, b"x" * 64)
        sys.exit("other weights are taken")
    except module.Error as error:
        print("refused:", error)
