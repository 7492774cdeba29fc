#!/usr/bin/env python3
"""Writes the models of this folder whose attention has scores of positions, each as another exporter
writes them; as make_models.py does: same arguments, same folders, expectations from onnxruntime.
"""
import numpy as np
from onnx import parser

from make_models import MODELS, constant, ints, main, model, normal, stream

MODELS.clear()

# x [batch, seq, 16] becomes q with two biases, k and v, as [batch, 2, seq, 8].
HEADS = """
      x_q = MatMul (x, w_q)
      x_k = MatMul (x, w_k)
      x_v = MatMul (x, w_v)
      q_heads = Reshape (x_q, apart)
      k_heads = Reshape (x_k, apart)
      v_heads = Reshape (x_v, apart)
      q_u = Add (q_heads, u)
      q_w = Add (q_heads, w)
      qu = Transpose <perm = [0, 2, 1, 3]> (q_u)
      qw = Transpose <perm = [0, 2, 1, 3]> (q_w)
      k = Transpose <perm = [0, 2, 3, 1]> (k_heads)
      v = Transpose <perm = [0, 2, 1, 3]> (v_heads)
"""
# The softmax of `scores`, and the weighted sum as y [batch, seq, 16].
REST = """
      scaled = Div (scores, root)
      weights = Softmax <axis = -1> (scaled)
      mixed = MatMul (weights, v)
      rows = Transpose <perm = [0, 2, 1, 3]> (mixed)
      y = Reshape (rows, together)
"""


def weights(random):
    made = [constant("w_" + part, normal(random, 16, 16) * 0.25) for part in "qkv"]
    made += [constant("u", normal(random, 2, 8)), constant("w", normal(random, 2, 8)),
             constant("root", np.float32(2.75)), ints("apart", 0, 0, 2, 8), ints("together", 0, 0, 16)]
    return made


def with_constants(body, constants):
    body.initializer.extend(constants)
    return body


@model
def positions_shifted():
    """Sizes of the run; the table is cut out of a longer one; a column of zeros in front, rows cut one
    shorter, the first row off: Transformer-XL's relative shift."""
    random = stream("positions_shifted")
    body = parser.parse_graph("""positions_shifted (float[batch, seq, 16] x) => (float[batch, seq, 16] y) {
    """ + HEADS + """
      sizes = Shape (x)
      n_batch = Slice (sizes, zero, one)
      n = Slice (sizes, one, two)
      two_n = Mul (n, two)
      span = Sub (two_n, one)
      begin = Sub (middle, n)
      end = Add (begin, span)
      near = Slice (table, begin, end, zero)
      near_p = MatMul (near, w_p)
      p_shape = Concat <axis = 0> (span, two, eight)
      p_heads = Reshape (near_p, p_shape)
      p = Transpose <perm = [1, 2, 0]> (p_heads)
      of_keys = MatMul (qu, k)
      of_positions = MatMul (qw, p)
      column_shape = Concat <axis = 0> (n_batch, two, n, one)
      column = ConstantOfShape (column_shape)
      wide = Concat <axis = -1> (column, of_positions)
      cut_shape = Concat <axis = 0> (n_batch, two, two_n, n)
      cut = Reshape (wide, cut_shape)
      cut_on = Slice (cut, one, most, two)
      back_shape = Concat <axis = 0> (n_batch, two, n, span)
      back = Reshape (cut_on, back_shape)
      shifted = Slice (back, zero, n, three)
      scores = Add (of_keys, shifted)
    """ + REST + "}")
    constants = weights(random) + [
        constant("table", normal(random, 127, 16)), constant("w_p", normal(random, 16, 16) * 0.25),
        ints("zero", 0), ints("one", 1), ints("two", 2), ints("three", 3), ints("eight", 8),
        ints("middle", 64), ints("most", 2**62)]
    return with_constants(body, constants), [{"x": normal(random, 1, 21, 16)}, {"x": normal(random, 2, 50, 16)}]


@model
def positions_padded():
    """The same shift with a Pad, of fixed sizes, batch and heads as one dimension, a mask that hides
    what comes after the query."""
    random = stream("positions_padded")
    body = parser.parse_graph("""positions_padded (float[2, 37, 16] x) => (float[2, 37, 16] y) {
    """ + HEADS + """
      q_flat = Reshape (qu, flat)
      k_flat = Reshape (k, flat_k)
      w_flat = Reshape (qw, flat)
      of_keys_flat = MatMul (q_flat, k_flat)
      w_apart = Reshape (w_flat, by_head)
      of_positions = MatMul (w_apart, p)
      wide = Pad (of_positions, one_in_front)
      cut = Reshape (wide, cut_shape)
      cut_on = Slice (cut, one, most, two)
      back = Reshape (cut_on, back_shape)
      shifted = Slice (back, zero, n, three)
      of_keys = Reshape (of_keys_flat, scores_shape)
      added = Add (shifted, of_keys)
      scores = Where (later, least, added)
    """ + REST + "}")
    constants = weights(random) + [
        constant("p", normal(random, 2, 8, 73)), constant("least", np.float32(-np.inf)),
        constant("later", np.triu(np.ones((37, 37), bool), 1)),
        ints("flat", 4, 37, 8), ints("flat_k", 4, 8, 37), ints("by_head", 2, 2, 37, 8), ints("one_in_front", 0, 0, 0, 1, 0, 0, 0, 0),
        ints("cut_shape", 2, 2, 74, 37), ints("back_shape", 2, 2, 37, 73), ints("scores_shape", 2, 2, 37, 37),
        ints("zero", 0), ints("one", 1), ints("two", 2), ints("three", 3), ints("n", 37), ints("most", 2**62)]
    return with_constants(body, constants), [{"x": normal(random, 2, 37, 16)}, {"x": normal(random, 2, 37, 16)}]


@model
def positions_gathered():
    """The scores of positions looked up by an index that is the distance, clipped: few rows, each read by
    many keys."""
    random = stream("positions_gathered")
    body = parser.parse_graph("""positions_gathered (float[batch, 37, 16] x) => (float[batch, 37, 16] y) {
    """ + HEADS + """
      of_keys = MatMul (qu, k)
      of_positions = MatMul (qw, p)
      wanted = Shape (of_keys)
      index = Expand (distance, wanted)
      looked_up = GatherElements <axis = -1> (of_positions, index)
      scores = Add (of_keys, looked_up)
    """ + REST + "}")
    keys = np.arange(37)
    constants = weights(random) + [constant("p", normal(random, 2, 8, 17)),
                                   constant("distance", np.clip(keys[None] - keys[:, None], -8, 8) + 8)]
    return with_constants(body, constants), [{"x": normal(random, 1, 37, 16)}, {"x": normal(random, 3, 37, 16)}]


@model
def positions_of_images():
    """Keys that are the points of an image: scores of the row and of the column of each are added."""
    random = stream("positions_of_images")
    body = parser.parse_graph("""positions_of_images (float[batch, 35, 16] x) => (float[batch, 35, 16] y) {
    """ + HEADS + """
      of_keys = MatMul (qu, k)
      of_rows = Einsum <equation = "bhqc,hrc->bhqr"> (qw, p_rows)
      of_columns = Einsum <equation = "bhqc,hrc->bhqr"> (qw, p_columns)
      every_row = Unsqueeze (of_rows, four)
      every_column = Unsqueeze (of_columns, three)
      points = Reshape (of_keys, image)
      with_rows = Add (points, every_row)
      with_columns = Add (with_rows, every_column)
      scores = Reshape (with_columns, flat)
    """ + REST + "}")
    constants = weights(random) + [
        constant("p_rows", normal(random, 2, 5, 8)), constant("p_columns", normal(random, 2, 7, 8)),
        ints("three", 3), ints("four", 4), ints("image", 0, 0, 0, 5, 7), ints("flat", 0, 0, 0, 35)]
    return with_constants(body, constants), [{"x": normal(random, 1, 35, 16)}, {"x": normal(random, 2, 35, 16)}]


if __name__ == "__main__":
    main()
