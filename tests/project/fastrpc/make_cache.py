"""cache.onnx: rows that a run adds to what it kept, and the sum of the squares of all, to which as many zeros are added as `c` says. `make_cache.py` writes it here."""
import os

import onnx
from onnx import TensorProto, helper

nodes = [helper.make_node("Concat", ["p", "n"], ["q"], name="join", axis=1), helper.make_node("Mul", ["q", "q"], ["m"], name="square"),
         helper.make_node("ReduceSum", ["m"], ["a"], name="sum", keepdims=0),
         helper.make_node("ConstantOfShape", ["c"], ["z"], name="zeros"), helper.make_node("ReduceSum", ["z"], ["b"], name="nothing", keepdims=0),
         helper.make_node("Add", ["a", "b"], ["s"], name="both")]
inputs = [helper.make_tensor_value_info("p", TensorProto.FLOAT, [2, "past", 3]), helper.make_tensor_value_info("n", TensorProto.FLOAT, [2, 1, 3]),
          helper.make_tensor_value_info("c", TensorProto.INT64, [1])]
outputs = [helper.make_tensor_value_info("q", TensorProto.FLOAT, [2, None, 3]), helper.make_tensor_value_info("s", TensorProto.FLOAT, [])]
model = helper.make_model(helper.make_graph(nodes, "cache", inputs, outputs), opset_imports=[helper.make_opsetid("", 17)], ir_version=8)
onnx.save(model, os.path.join(os.path.dirname(os.path.abspath(__file__)), "cache.onnx"))
