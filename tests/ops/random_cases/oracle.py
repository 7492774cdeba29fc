"""Expected outputs of a model: onnxruntime's, and where it lacks a type, onnxruntime's with wider floats or the
ONNX reference evaluator's."""
import numpy as np
import onnx
import onnxruntime
from onnx import TensorProto, helper, numpy_helper
from onnx.reference import ReferenceEvaluator

from .case import NARROW, NIBBLES, dtype_of
from .microsoft_device import FORMULAS, by_formula

onnxruntime.set_default_logger_severity(4)
RAW = {TensorProto.BFLOAT16: np.uint16} | {t: np.uint8 for t in NARROW}
HALVES = {TensorProto.BFLOAT16, TensorProto.FLOAT16}
RECURRENT = {"LSTM", "GRU", "RNN"}
UNTRUSTED = RECURRENT | {"LRN", "Unique", "GlobalMaxPool", "GlobalAveragePool"}  # where the reference evaluator is wrong


class Unknown(Exception):
    """No evaluator takes this model."""


def declared_types(model):
    try:
        inferred = onnx.shape_inference.infer_shapes(model, strict_mode=False)
        return {o.name: o.type.tensor_type.elem_type for o in inferred.graph.output}
    except Exception:
        return {}


def by_onnxruntime(model, fed):
    options = onnxruntime.SessionOptions()
    options.graph_optimization_level = onnxruntime.GraphOptimizationLevel.ORT_DISABLE_ALL
    options.intra_op_num_threads = 1
    session = onnxruntime.InferenceSession(model.SerializeToString(), options, providers=["CPUExecutionProvider"])
    feeds = {}
    for name, (array, elem) in fed.items():
        array = np.ascontiguousarray(array).reshape(array.shape)
        if elem in NIBBLES:
            raise Unknown("4 bits as an input")
        feeds[name] = onnxruntime.OrtValue.ortvalue_from_numpy_with_onnx_type(array.view(RAW[elem]), elem) \
            if elem in RAW else onnxruntime.OrtValue.ortvalue_from_numpy(array)
    out = []
    for value, info in zip(session.run_with_ort_values(None, feeds), session.get_outputs()):
        array = value.numpy()
        elem = value.element_type()
        out.append((array.view(dtype_of(elem)) if elem in RAW else array, elem))
    return out


def widened(model, fed, halves=HALVES):
    """The same with f32 in place of f16 and bf16, or None where there is neither."""
    if not any(elem in halves for _, elem in fed.values()):
        return None
    wide = onnx.ModelProto()
    wide.CopyFrom(model)
    for info in wide.graph.input:
        if info.type.tensor_type.elem_type in halves:
            info.type.tensor_type.elem_type = TensorProto.FLOAT
    for tensor in wide.graph.initializer:
        if tensor.data_type in halves:
            tensor.CopyFrom(numpy_helper.from_array(numpy_helper.to_array(tensor).astype(np.float32), tensor.name))
    return wide, {n: (a.astype(np.float32), TensorProto.FLOAT) if e in halves else (a, e)
                  for n, (a, e) in fed.items()}


def time_first(model, fed):
    """A recurrent node with layout 1 as one with layout 0, which onnxruntime has."""
    turned = onnx.ModelProto()
    turned.CopyFrom(model)
    node = turned.graph.node[0]
    for attribute in node.attribute:
        if attribute.name == "layout":
            attribute.i = 0
    swapped = {node.input[k] for k in (0, 5, 6) if k < len(node.input)}

    def swap(array):
        return np.ascontiguousarray(np.swapaxes(array, 0, 1))

    for info in turned.graph.input:
        if info.name in swapped:
            dims = info.type.tensor_type.shape.dim
            first, second = (onnx.TensorShapeProto.Dimension() for _ in range(2))
            first.CopyFrom(dims[0]), second.CopyFrom(dims[1])
            dims[0].CopyFrom(second), dims[1].CopyFrom(first)
    for tensor in turned.graph.initializer:
        if tensor.name in swapped:
            tensor.CopyFrom(numpy_helper.from_array(swap(numpy_helper.to_array(tensor)), tensor.name))
    out = by_onnxruntime(turned, {n: (swap(a) if n in swapped else a, e) for n, (a, e) in fed.items()})
    return [(np.ascontiguousarray(np.moveaxis(a, 2, 0) if a.ndim == 4 else swap(a)), e) for a, e in out]


def is_near(a, b):
    with np.errstate(all="ignore"):
        a, b = np.asarray(a).astype(np.float64), np.asarray(b).astype(np.float64)
    return a.shape == b.shape and np.allclose(a, b, 2e-2, 2e-2, equal_nan=True)


def by_reference(model, fed):
    with np.errstate(all="ignore"):
        values = ReferenceEvaluator(model).run(None, {name: array for name, (array, _) in fed.items()})
    out = []
    for value in values:
        array = np.asarray(value)
        out.append((array, helper.np_dtype_to_tensor_dtype(array.dtype)))
    return out


def type_of_first_input(model, output):
    """Where the schema gives an output the type parameter of an input: the type that input has."""
    node = model.graph.node[0]
    version = next(o.version for o in model.opset_import if o.domain == node.domain)
    if not onnx.defs.has(node.op_type, node.domain):
        return None
    schema = onnx.defs.get_schema(node.op_type, version, node.domain)
    wanted = schema.outputs[min(output, len(schema.outputs) - 1)].type_str
    types = {info.name: info.type.tensor_type.elem_type for info in model.graph.input}
    types |= {tensor.name: tensor.data_type for tensor in model.graph.initializer}
    for formal, name in zip(schema.inputs, node.input):
        if formal.type_str == wanted and name in types:
            return types[name]
    return None


def expected(model, fed):
    """[(array, element type)] of the outputs, and who said so."""
    reasons = []
    node = model.graph.node[0]
    if node.op_type in RECURRENT and any(a.name == "layout" and a.i for a in node.attribute):
        return time_first(model, fed), "onnxruntime"
    if node.domain == "com.microsoft" and node.op_type in FORMULAS:
        return by_formula(model, fed), "its formula"
    types = declared_types(model)
    for k, name in enumerate(model.graph.node[0].output):
        if name and not types.get(name):
            types[name] = type_of_first_input(model, k)
    # There onnxruntime's sizes and edges are not those of the specification.
    crops = any(a.name == "coordinate_transformation_mode" and a.s == b"tf_crop_and_resize" for a in node.attribute)
    if crops:
        return by_reference(model, fed), "reference"
    try:
        return by_onnxruntime(model, fed), "onnxruntime"
    except Exception as error:
        reasons.append(str(error))
    twin = widened(model, fed)
    if twin and not any(a.type == onnx.AttributeProto.TENSOR for n in model.graph.node for a in n.attribute):
        try:
            out = []
            for (array, elem), info in zip(by_onnxruntime(*twin), model.graph.output):
                elem = types.get(info.name) or elem
                with np.errstate(all="ignore"):
                    out.append((array.astype(dtype_of(elem)), elem))
            return out, "onnxruntime, wider"
        except Exception as error:
            reasons.append(str(error))
    if node.op_type in UNTRUSTED:
        raise Unknown("the reference evaluator is wrong here")
    try:
        out = [(a if types.get(i.name) in (None, 0, e) else a.astype(dtype_of(types[i.name])), types.get(i.name) or e)
               for (a, e), i in zip(by_reference(model, fed), model.graph.output)]
        near = widened(model, fed, {TensorProto.DOUBLE})
        if near:
            try:
                alike = all(is_near(a, b) for (a, _), (b, _) in zip(out, by_onnxruntime(*near)))
            except Exception:
                alike = True
            if not alike:
                raise Unknown("evaluators disagree")
        return out, "reference"
    except Exception as error:
        reasons.append(repr(error))
    raise Unknown(" | ".join(reason.replace("\n", " ")[:200] for reason in reasons))
