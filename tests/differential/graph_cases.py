"""The cases of random graphs: a model, inputs at one size or two, what onnxruntime computes; and whose a difference is (random_graphs.py)."""
import os

import numpy as np
import onnx
import onnxruntime
from onnx import TensorProto, helper, numpy_helper

from judge import judge, quiet


def inputs_of(model, seed):
    """Inputs of a model of somebody else's."""
    numbers, known = np.random.default_rng(seed), {one.name for one in model.graph.initializer}
    out = []
    for one in model.graph.input:
        if one.name in known:
            continue
        kind = helper.tensor_dtype_to_np_dtype(one.type.tensor_type.elem_type)
        shape = [d.dim_value or 1 for d in one.type.tensor_type.shape.dim]
        drawn = np.asarray(numbers.integers(0, 2, shape) if kind == bool else numbers.integers(-16, 17, shape) if np.issubdtype(kind, np.integer)
                           else numbers.integers(-32, 33, shape) / 8)
        out.append(drawn.astype(kind))
    return out


def computed(model, inputs):
    """What onnxruntime gives of each result. It takes neither two nodes of one name nor a result twice."""
    plain = onnx.ModelProto()
    plain.CopyFrom(model)
    for node in plain.graph.node:
        node.name = ""
    once = {one.name: one for one in model.graph.output}
    del plain.graph.output[:]
    plain.graph.output.extend(once.values())
    session = onnxruntime.InferenceSession(plain.SerializeToString(), quiet(), providers=["CPUExecutionProvider"])
    found = dict(zip(once, session.run(None, dict(zip([one.name for one in session.get_inputs()], inputs)))))
    return [found[one.name] for one in model.graph.output]


def fair(outputs):
    return all(np.isfinite(one).all() for one in outputs if one.dtype.kind == "f")


def write_case(folder, model, inputs, second, emitted):
    """Model and data of a graph; returns why it has none, or at how many sizes onnxruntime ran it: none where it has no kernel."""
    if not model.graph.node or not model.graph.output:
        return "no node"
    try:
        outputs = computed(model, inputs)
        if not fair(outputs):
            return "not finite"
        sets, sizes = [(inputs, outputs)], 1
    except Exception as error:
        reason = (str(error).splitlines() or [type(error).__name__])[0]
        if "NOT_IMPLEMENTED" not in reason or not emitted:
            return "onnxruntime: " + reason[:120]
        sets, sizes = [], 0
    if emitted:  # without results: verify holds the tree to the interpreter
        sets.append((inputs, []))
    if second is not None and any(a.shape != b.shape for a, b in zip(inputs, second)):
        try:
            results = computed(model, second)
            if fair(results):
                sets, sizes = sets + [(second, results)], 2
        except Exception:  # a graph of the first size alone
            pass
    os.makedirs(folder)
    onnx.save(model, folder + "/model.onnx")
    for data, pair in enumerate(sets):
        at = "%s/test_data_set_%d" % (folder, data)
        os.mkdir(at)
        for kind, arrays in zip(("input", "output"), pair):
            for k, array in enumerate(arrays):
                with open("%s/%s_%d.pb" % (at, kind, k), "wb") as file:
                    file.write(numpy_helper.from_array(np.asarray(array)).SerializeToString())
    return sizes


def read_inputs(model, at):
    out, known = {}, {one.name for one in model.graph.initializer}
    for one in model.graph.input:
        if one.name in known:
            continue
        tensor = TensorProto()
        with open("%s/input_%d.pb" % (at, len(out)), "rb") as file:
            tensor.ParseFromString(file.read())
        out[one.name] = numpy_helper.to_array(tensor)
    return out


def judged(burin, folder, of_tree, of_both=()):
    """Of a case that differs: whose that is, and how far it goes. Flags for burin run, of the tree alone and of the interpreter too."""
    model, whose, why = onnx.load(folder + "/model.onnx"), set(), []
    for name in sorted(os.listdir(folder)):
        if not name.startswith("test_data_set_"):
            continue
        inputs = read_inputs(model, folder + "/" + name)
        ran = os.path.exists("%s/%s/output_0.pb" % (folder, name))
        others = {"onnxruntime": computed(model, list(inputs.values()))} if ran else {}
        found, text = judge(burin, folder + "/model.onnx", inputs, others, of_tree, list(of_both))
        whose |= found
        why += [text] * bool(text)
    return whose, "; ".join(why)
