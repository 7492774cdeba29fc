#!/usr/bin/env python3
"""Writes the models of this folder with work behind concatenations; as make_models.py does: same arguments, same
folders, expectations from onnxruntime.
"""
import numpy as np
from onnx import parser

from make_models import MODELS, constant, main, model, normal, stream

MODELS.clear()


@model
def behind_joins():
    """BatchNormalization and Relu behind a concatenation of convolutions and a pool; a scale of each column behind
    rows of two products, transposed on the way; a clip of computed parts, rounded to eight bits."""
    random = stream("behind_joins")
    text = """behind_joins (float[batch, 3, h, w] x, float[batch, n, 6] a, float[batch, m, 6] b)
      => (float[batch, 4, h, w] y, float[batch, 5, rows] z, uint8[batch, 7, h, w] q) {
      left = Conv <kernel_shape = [3, 3], pads = [1, 1, 1, 1]> (x, w_left, b_left)
      right = Conv <kernel_shape = [1, 1]> (x, w_right)
      pooled = MaxPool <kernel_shape = [3, 3], pads = [1, 1, 1, 1]> (x)
      both = Concat <axis = 1> (left, right, pooled)
      normal = BatchNormalization (both, gain, shift, mean, variance)
      active = Relu (normal)
      y = Conv <kernel_shape = [3, 3], pads = [1, 1, 1, 1]> (active, w_y)

      rows_a = MatMul (a, w_a)
      rows_b = MatMul (b, w_b)
      beside = Concat <axis = 1> (rows_a, rows_b)
      turned = Transpose <perm = [0, 2, 1]> (beside)
      scaled = Mul (turned, columns)
      z = Tanh (scaled)

      near = Conv <kernel_shape = [3, 3], pads = [1, 1, 1, 1]> (x, w_near)
      far = Conv <kernel_shape = [3, 3], pads = [2, 2, 2, 2], dilations = [2, 2]> (x, w_far)
      all = Concat <axis = 1> (near, far)
      q = QuantizeLinear (all, step, zero)
    }"""
    body = parser.parse_graph(text)
    for name, shape in (("w_left", (4, 3, 3, 3)), ("b_left", (4,)), ("w_right", (2, 3, 1, 1)), ("gain", (9,)),
                        ("shift", (9,)), ("mean", (9,)), ("w_y", (4, 9, 3, 3)), ("w_a", (6, 5)), ("w_b", (6, 5)),
                        ("columns", (5, 1)), ("w_near", (3, 3, 3, 3)), ("w_far", (4, 3, 3, 3))):
        body.initializer.append(constant(name, normal(random, *shape) * np.float32(0.125)))
    body.initializer.extend([constant("variance", np.abs(normal(random, 9)) + np.float32(0.5)),
                             constant("step", np.float32(0.11)), constant("zero", np.uint8(97))])
    inputs = [{"x": normal(random, batch, 3, h, w), "a": normal(random, batch, n, 6),
               "b": normal(random, batch, m, 6)} for batch, h, w, n, m in ((2, 9, 11, 4, 3), (1, 5, 4, 1, 6))]
    return body, inputs


if __name__ == "__main__":
    main()
