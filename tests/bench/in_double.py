"""A model with all its floats in double precision, as a judge between two that differ."""
import numpy as np
import onnx
from onnx import TensorProto, numpy_helper

SINGLE, DOUBLE = TensorProto.FLOAT, TensorProto.DOUBLE


def widen_tensor(tensor):
    if tensor.data_type == SINGLE:
        tensor.CopyFrom(numpy_helper.from_array(numpy_helper.to_array(tensor).astype(np.float64), tensor.name))


def widen_graph(graph):
    for tensor in graph.initializer:
        widen_tensor(tensor)
    for info in (*graph.input, *graph.output, *graph.value_info):
        if info.type.tensor_type.elem_type == SINGLE:
            info.type.tensor_type.elem_type = DOUBLE
    del graph.value_info[:]
    for node in graph.node:
        for attribute in node.attribute:
            if attribute.name in ("to", "dtype", "output_datatype") and attribute.i == SINGLE:
                attribute.i = DOUBLE
            elif attribute.type == onnx.AttributeProto.TENSOR:
                widen_tensor(attribute.t)
            elif attribute.type == onnx.AttributeProto.GRAPH:
                widen_graph(attribute.g)
            elif node.op_type == "Constant" and attribute.name == "value_float":
                attribute.CopyFrom(onnx.helper.make_attribute("value", numpy_helper.from_array(np.float64(attribute.f))))
            elif node.op_type == "Constant" and attribute.name == "value_floats":
                attribute.CopyFrom(onnx.helper.make_attribute("value", numpy_helper.from_array(
                    np.array(attribute.floats, np.float64))))


def in_double(path):
    """inputs -> outputs, of onnxruntime, or of the reference evaluator where it lacks a kernel of doubles."""
    model = onnx.load(path)
    widen_graph(model.graph)

    def by_onnxruntime(inputs):
        import onnxruntime
        options = onnxruntime.SessionOptions()
        options.log_severity_level = 4
        options.graph_optimization_level = onnxruntime.GraphOptimizationLevel.ORT_DISABLE_ALL
        return onnxruntime.InferenceSession(model.SerializeToString(), options,
                                            providers=["CPUExecutionProvider"]).run(None, inputs)

    def by_reference(inputs):
        from onnx.reference import ReferenceEvaluator
        return ReferenceEvaluator(model).run(None, inputs)

    def run(inputs):
        wide = {n: a.astype(np.float64) if a.dtype == np.float32 else a for n, a in inputs.items()}
        try:
            return by_onnxruntime(wide)
        except Exception:
            return by_reference(wide)
    return run
