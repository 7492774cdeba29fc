#!/usr/bin/env python3
"""Writes the models of this folder that read a part of what they compute; as make_models.py does: same
arguments, same folders, expectations from onnxruntime.
"""
import numpy as np
from onnx import parser

from make_models import MODELS, constant, ints, main, model, normal, stream

MODELS.clear()


def with_constants(text, constants):
    body = parser.parse_graph(text)
    body.initializer.extend(constants)
    return body


@model
def first_row():
    """A classifier: of the last layer (attention, normalisation, two products, two residual sums) it
    reads the first row; of the layer before, whose keys and values need all rows, everything."""
    random = stream("first_row")
    layer = """
      x_q_{0} = MatMul (x_{0}, w_q_{0})
      x_k_{0} = MatMul (x_{0}, w_k_{0})
      x_v_{0} = MatMul (x_{0}, w_v_{0})
      q_heads_{0} = Reshape (x_q_{0}, apart)
      k_heads_{0} = Reshape (x_k_{0}, apart)
      v_heads_{0} = Reshape (x_v_{0}, apart)
      q_{0} = Transpose <perm = [0, 2, 1, 3]> (q_heads_{0})
      k_{0} = Transpose <perm = [0, 2, 3, 1]> (k_heads_{0})
      v_{0} = Transpose <perm = [0, 2, 1, 3]> (v_heads_{0})
      scores_{0} = MatMul (q_{0}, k_{0})
      weights_{0} = Softmax <axis = -1> (scores_{0})
      mixed_{0} = MatMul (weights_{0}, v_{0})
      rows_{0} = Transpose <perm = [0, 2, 1, 3]> (mixed_{0})
      joined_{0} = Reshape (rows_{0}, together)
      sum_{0} = Add (joined_{0}, x_{0})
      norm_{0} = LayerNormalization (sum_{0}, scale, shift)
      wide_{0} = MatMul (norm_{0}, w_up_{0})
      bent_{0} = Relu (wide_{0})
      narrow_{0} = MatMul (bent_{0}, w_down_{0})
      x_{1} = Add (narrow_{0}, sum_{0})
"""
    text = """first_row (float[batch, seq, 16] x_0) => (float[batch, 5] y) {
    """ + layer.format(0, 1) + layer.format(1, 2) + """
      row = Gather <axis = 1> (x_2, zero)
      y = Gemm (row, w_classes)
    }"""
    constants = [constant("scale", random.rand(16).astype(np.float32) + 0.5),
                 constant("shift", normal(random, 16)), constant("zero", np.int64(0)),
                 ints("apart", 0, 0, 2, 8), ints("together", 0, 0, 16),
                 constant("w_classes", normal(random, 16, 5))]
    for number in (0, 1):
        constants += [constant(f"w_{part}_{number}", normal(random, 16, 16) * 0.25) for part in "qkv"]
        constants += [constant(f"w_up_{number}", normal(random, 16, 32) * 0.25),
                      constant(f"w_down_{number}", normal(random, 32, 16) * 0.25)]
    return with_constants(text, constants), [{"x_0": normal(random, batch, seq, 16)}
                                             for batch, seq in ((1, 9), (3, 34))]


@model
def cropped():
    """Windows without their margins, some channels of a convolution, some columns of a product, the last
    step of an LSTM's states, the first two of three results of a Split."""
    random = stream("cropped")
    text = """cropped (float[batch, 3, h, w] image, float[steps, batch, 4] x)
      => (float[batch, 6, h_out, w_out] y, float[batch, 3, h, w] z, float[batch, 4] last, float[batch, 5] part) {
      wide = Conv <kernel_shape = [3, 3], pads = [1, 1, 1, 1]> (image, w_wide, b_wide)
      inner = Slice (wide, firsts, ends, two_axes)
      bent = Relu (inner)
      y = Conv <kernel_shape = [3, 3], pads = [1, 1, 1, 1], strides = [2, 2]> (bent, w_next)
      some = Conv <kernel_shape = [5, 5], pads = [2, 2, 2, 2]> (image, w_some, b_some)
      channels = Slice (some, three, six, one)
      pooled = AveragePool <kernel_shape = [3, 3], pads = [1, 1, 1, 1]> (channels)
      z = Sigmoid (pooled)
      states, final = LSTM <hidden_size = 4> (x, w_lstm, r_lstm)
      step = Slice (states, minus_one, far, zero)
      flat = Squeeze (step, zero_one)
      last = Tanh (flat)
      columns = MatMul (flat, w_columns)
      left, middle, right = Split <axis = 1> (columns, sizes)
      twice = Mul (middle, left)
      part = Softmax <axis = -1> (twice)
    }"""
    constants = [constant("w_wide", normal(random, 8, 3, 3, 3) * 0.25), constant("b_wide", normal(random, 8)),
                 constant("w_next", normal(random, 6, 8, 3, 3) * 0.125),
                 constant("w_some", normal(random, 9, 3, 5, 5) * 0.125), constant("b_some", normal(random, 9)),
                 constant("w_lstm", normal(random, 1, 16, 4) * 0.5), constant("r_lstm", normal(random, 1, 16, 4) * 0.5),
                 constant("w_columns", normal(random, 4, 17)), ints("firsts", 1, 2), ints("ends", -1, -1),
                 ints("two_axes", 2, 3), ints("three", 3), ints("six", 6), ints("one", 1), ints("zero", 0),
                 ints("minus_one", -1), ints("far", 2 ** 40), ints("zero_one", 0, 1), ints("sizes", 5, 5, 7)]
    return with_constants(text, constants), [
        {"image": normal(random, batch, 3, h, w), "x": normal(random, steps, batch, 4)}
        for batch, h, w, steps in ((1, 12, 15, 3), (2, 23, 41, 1))]


@model
def slices_assigned():
    """What exporters write for `a = x * 0.5; a[:, ::-2] = u; a[2] += v; y = a + a`: ScatterND with constant
    indices, some negative."""
    random = stream("slices_assigned")
    places = np.array([[[i, -1 - 2 * j] for j in range(3)] for i in range(4)], np.int64)
    text = """slices_assigned (float[4, 6, n] x, float[4, 3, n] u, float[1, 6, n] v) => (float[4, 6, n] y) {
      half = Mul (x, factor)
      assigned = ScatterND (half, places, u)
      added = ScatterND <reduction = "add"> (assigned, row, v)
      y = Add (added, added)
    }"""
    constants = [constant("factor", np.float32(0.5)), constant("places", places), constant("row", np.array([[2]], np.int64))]
    return with_constants(text, constants), [{"x": normal(random, 4, 6, n), "u": normal(random, 4, 3, n),
                                              "v": normal(random, 1, 6, n)} for n in (3, 17)]


@model
def first_patch():
    """Attention over the patches of an image whose sizes only the caller knows, of which the first row is
    read: a number of keys that is a product of quotients of sizes."""
    random = stream("first_patch")
    text = """first_patch (float[batch, 3, h, w] image) => (float[batch, 8] y) {
      patches = Conv <kernel_shape = [4, 4], strides = [4, 4], pads = [0, 0, 3, 3]> (image, w_patch)
      flat = Reshape (patches, rows)
      x = Transpose <perm = [0, 2, 1]> (flat)
      qkv = MatMul (x, w_qkv)
      apart = Reshape (qkv, heads)
      turned = Transpose <perm = [2, 0, 3, 1, 4]> (apart)
      q, k, v = Split <axis = 0, num_outputs = 3> (turned)
      keys = Transpose <perm = [0, 1, 2, 4, 3]> (k)
      scores = MatMul (q, keys)
      weights = Softmax <axis = -1> (scores)
      mixed = MatMul (weights, v)
      row = Gather <axis = 3> (mixed, zero)
      y = Reshape (row, joined)
    }"""
    constants = [constant("w_patch", normal(random, 8, 3, 4, 4) * 0.125), constant("w_qkv", normal(random, 8, 24) * 0.5),
                 constant("zero", np.int64(0)), ints("rows", 0, 0, -1), ints("heads", 0, -1, 3, 2, 4), ints("joined", -1, 8)]
    return with_constants(text, constants), [{"image": normal(random, batch, 3, h, w)}
                                             for batch, h, w in ((1, 13, 20), (2, 24, 9))]


@model
def class_token():
    """A token in front of the patches of an image, for each image of a batch, then a residual stream, its norm
    and a product: nobody copies."""
    random = stream("class_token")
    text = """class_token (float[batch, 3, h, w] image) => (float[batch, n, 8] y) {
      patches = Conv <kernel_shape = [4, 4], strides = [4, 4], pads = [0, 0, 3, 3]> (image, w_patch, b_patch)
      flat = Reshape (patches, rows)
      turned = Transpose <perm = [0, 2, 1]> (flat)
      sizes = Shape (image)
      batch_size = Gather (sizes, zero_list)
      target = Concat <axis = 0> (batch_size, ones)
      tokens = Expand (token, target)
      stream = Concat <axis = 1> (tokens, turned)
      norm = LayerNormalization (stream, scale, shift)
      wide = MatMul (norm, w_wide)
      y = Add (wide, stream)
    }"""
    constants = [constant("w_patch", normal(random, 8, 3, 4, 4) * 0.125), constant("b_patch", normal(random, 8)),
                 constant("token", normal(random, 1, 1, 8)), constant("scale", random.rand(8).astype(np.float32) + 0.5),
                 constant("shift", normal(random, 8)), constant("w_wide", normal(random, 8, 8) * 0.5),
                 ints("rows", 0, 0, -1), ints("zero_list", 0), ints("ones", 1, 1)]
    return with_constants(text, constants), [{"image": normal(random, batch, 3, h, w)}
                                             for batch, h, w in ((1, 13, 20), (3, 24, 9))]


if __name__ == "__main__":
    main()
