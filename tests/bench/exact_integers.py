"""A quantised model whose weights of signed bytes are unsigned ones, which means the same.

On x86 without VNNI onnxruntime adds pairs of products of an unsigned and a signed byte in sixteen bits, which saturate; its results
are then off by as much as a sixth. Products of unsigned bytes are exact everywhere."""
import numpy as np
import onnx
from onnx import numpy_helper

# Operator -> places of weights and of their zero points.
WEIGHTS = {"MatMulInteger": [(1, 3)], "ConvInteger": [(1, 3)], "QLinearMatMul": [(3, 5)], "QLinearConv": [(3, 5)],
           "DynamicQuantizeMatMul": [(1, 3)], "MatMulIntegerToFloat": [(1, 5)], "QGemm": [(3, 5)],
           "DynamicQuantizeLSTM": [(1, 9), (2, 11)], "QAttention": [(1, 7)]}


def with_unsigned_weights(path):
    """The model, and whether any weights changed."""
    model = onnx.load(path)
    changed = [shift(graph) for graph in graphs_of(model.graph)]
    return model, any(changed)


def graphs_of(graph):
    yield graph
    for node in graph.node:
        for attribute in node.attribute:
            if attribute.type == onnx.AttributeProto.GRAPH:
                yield from graphs_of(attribute.g)


def shift(graph):
    tensors = {tensor.name: tensor for tensor in graph.initializer}
    done = {}

    def unsigned(name, otherwise):
        """The name of the tensor with 128 added."""
        if name in done:
            return done[name]
        array = numpy_helper.to_array(tensors[name]) if name else otherwise
        made = f"{name or 'zero_point'}_unsigned_{len(done)}"
        graph.initializer.append(numpy_helper.from_array((array.astype(np.int16) + 128).astype(np.uint8), made))
        if name:
            done[name] = made
        return made

    for node in graph.node:
        for weights, zero in WEIGHTS.get(node.op_type, ()):
            if len(node.input) <= weights or node.input[weights] not in tensors:
                continue
            tensor = tensors[node.input[weights]]
            known = len(node.input) <= zero or not node.input[zero] or node.input[zero] in tensors
            if tensor.data_type != onnx.TensorProto.INT8 or not known:
                continue
            while len(node.input) <= zero:
                node.input.append("")
            node.input[zero] = unsigned(node.input[zero], np.array(0))
            node.input[weights] = unsigned(node.input[weights], None)
    return bool(done)
