#!/usr/bin/env python3
"""Node tests of the onnx package that Python has, which is newer than what Debian packages, through emitted code.

  python3 tests/differential/newest_node_tests.py BURIN [--config NAME] [--jobs N] [--keep FOLDER]

Needs numpy and onnx. Inputs that decide shapes are held, as the data say. Exit code 1 where a case differs, or is refused, that is
not of LEFT_OUT.
"""
import argparse, json, os, subprocess, sys, tempfile, warnings

import numpy as np
import onnx
from onnx import numpy_helper
from onnx.backend.test.case.node import collect_testcases

LEFT_OUT = {
    "test_image_decoder": "reads file formats",
    "test_averagepool_2d_ceil_last_window_starts_on_pad": "its numbers are rounded to four digits",
}


def wrapped(case, inputs, outputs):
    """Floats that an integer of few bits does not hold are open in ONNX: its own data, and ml_dtypes until 0.5, keep the low bits."""
    kind = case.model.graph.output[0].type.tensor_type.elem_type
    bits = {onnx.TensorProto.INT4: 4, onnx.TensorProto.UINT4: 4, onnx.TensorProto.INT2: 2, onnx.TensorProto.UINT2: 2}.get(kind)
    given = inputs[0] if inputs else None
    if case.name.split("_")[1] not in ("cast", "castlike") or not bits or isinstance(given, onnx.TensorProto) and given.data_type not in (1, 10):
        return outputs
    given = numpy_helper.to_array(given) if isinstance(given, onnx.TensorProto) else np.asarray(given)
    if given.dtype.kind != "f":
        return outputs
    low = np.trunc(given).astype(np.int64) & ((1 << bits) - 1)
    if kind in (onnx.TensorProto.INT4, onnx.TensorProto.INT2):
        low -= (low >> (bits - 1)) << bits
    return [onnx.helper.make_tensor("y", kind, low.shape, low.ravel().tolist())]


def message_of(array, value):
    kind = value.type.WhichOneof("value")
    if isinstance(array, onnx.TensorProto):
        return array
    if kind == "sequence_type":
        return numpy_helper.from_list(array, value.name)
    if kind == "optional_type":
        return numpy_helper.from_optional(array, value.name)
    return numpy_helper.from_array(np.asarray(array), value.name)


def write(case, folder):
    os.makedirs(folder)
    onnx.save(case.model, folder + "/model.onnx")
    for k, (inputs, outputs) in enumerate(case.data_sets):
        at = "%s/test_data_set_%d" % (folder, k)
        os.mkdir(at)
        outputs = wrapped(case, inputs, outputs)
        for kind, arrays, values in (("input", inputs, case.model.graph.input), ("output", outputs, case.model.graph.output)):
            for i, (array, value) in enumerate(zip(arrays, values)):
                with open("%s/%s_%d.pb" % (at, kind, i), "wb") as file:
                    file.write(message_of(array, value).SerializeToString())


def main():
    warnings.filterwarnings("ignore")  # of numbers that casts do not hold
    parser = argparse.ArgumentParser(usage=__doc__)
    parser.add_argument("burin")
    parser.add_argument("--config", default="cpp-generic")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--keep", default="")
    options = parser.parse_args()
    root = options.keep or tempfile.mkdtemp(prefix="burin_nodes_")
    cases = collect_testcases(None)
    for case in cases:
        write(case, os.path.join(root, case.name))
    done = subprocess.run([options.burin, "verify", "--all", root, "--config", options.config, "--fast", "--hold", "--json",
                           "-j", str(options.jobs)], capture_output=True, text=True)
    found = json.loads(done.stdout)["cases"]
    outcomes = {name: sum(one["outcome"] == name for one in found) for name in ("passed", "failed", "refused")}
    wrong = [one for one in found if one["outcome"] != "passed" and not one["path"].startswith(tuple(LEFT_OUT))]
    for one in wrong:
        print("%s: %s: %s" % (one["outcome"], one["path"], one["message"]))
    print("onnx %s: %d cases, %d passed, %d failed, %d refused; %d of them for no reason of LEFT_OUT" %
          (onnx.__version__, len(cases), outcomes["passed"], outcomes["failed"], outcomes["refused"], len(wrong)))
    sys.exit(1 if wrong or len(found) < len(cases) else 0)


if __name__ == "__main__":
    main()
