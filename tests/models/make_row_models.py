#!/usr/bin/env python3
"""Writes the models of this folder whose products of matrices work row by row; as make_models.py
does: same arguments, same folders, expectations from onnxruntime.
"""
import numpy as np
from onnx import parser

from make_models import MODELS, constant, main, model, normal, stream

MODELS.clear()


@model
def rows_finished():
    """Rows of products that are normalised: a residual stream and its LayerNorm, which others read too, an
    RMSNorm of primitives with a scale for each column, a softmax, columns divided by their greatest, a norm of
    a norm of which both are read, and one whose product reads normalised rows. 19 rows of a batch; tiles have
    other heights."""
    random = stream("rows_finished")
    text = """rows_finished (float[batch, 19, 24] x, float[batch, 19, 24] more)
      => (float[batch, 19, 24] stream, float[batch, 19, 40] scaled, float[batch, 19, 33] shares,
          float[batch, 19, 40] bounded, float[batch, 19, 24] once, float[batch, 19, 24] twice,
          float[batch, 19, 33] chosen) {
      first = MatMul (x, w_first)
      biased = Add (first, b_first)
      stream_0 = Add (biased, x)
      norm = LayerNormalization (stream_0, scale, shift)
      wide = MatMul (norm, w_wide)
      squares = Mul (wide, wide)
      mean = ReduceMean <keepdims = 1> (squares, last)
      above = Add (mean, little)
      root = Sqrt (above)
      even = Div (wide, root)
      scaled = Mul (even, columns)
      logits = MatMul (norm, w_logits)
      shares = Softmax <axis = -1> (logits)
      other = MatMul (more, w_wide)
      sizes = Abs (other)
      greatest = ReduceMax <keepdims = 1> (sizes, last)
      bound = Add (greatest, little)
      bounded = Div (other, bound)
      second = MatMul (scaled, w_second)
      stream = Add (second, stream_0)
      once = LayerNormalization (stream, scale, shift)
      shifted = Add (once, more)
      twice = LayerNormalization (shifted, scale)
      inner = LayerNormalization (more, scale)
      deep = MatMul (inner, w_logits)
      chosen = LogSoftmax <axis = -1> (deep)
    }"""
    body = parser.parse_graph(text)
    body.initializer.extend([
        constant("w_first", normal(random, 24, 24) * 0.25), constant("b_first", normal(random, 24)),
        constant("scale", random.rand(24).astype(np.float32) + 0.5), constant("shift", normal(random, 24)),
        constant("w_wide", normal(random, 24, 40) * 0.25), constant("columns", normal(random, 40)),
        constant("last", np.array([-1], np.int64)), constant("little", np.float32(1e-5)),
        constant("w_logits", normal(random, 24, 33)), constant("w_second", normal(random, 40, 24) * 0.125)])
    return body, [{"x": normal(random, batch, 19, 24), "more": normal(random, batch, 19, 24)}
                  for batch in (1, 3)]


@model
def feed_forward():
    """Feed-forward parts: with a norm in front of them, GELU and a residual stream; with a norm behind them and
    a clipped activation; with a gate; and one whose rows between are an output, too. Rows of a batch and of
    words, both known when it runs."""
    random = stream("feed_forward")
    text = """feed_forward (float[batch, words, 24] x, float[batch, words, 24] mask)
      => (float[batch, words, 24] before, float[batch, words, 24] behind, float[batch, words, 24] gated,
          float[batch, words, 24] seen, float[batch, words, 72] between) {
      norm = LayerNormalization (x, scale, shift)
      first = MatMul (norm, w_first)
      biased = Add (first, b_first)
      divided = Div (biased, root_2)
      erf = Erf (divided)
      one_more = Add (erf, one)
      product = Mul (biased, one_more)
      gelu = Mul (product, half)
      second = MatMul (gelu, w_second)
      shifted = Add (second, b_second)
      before = Add (shifted, x)
      low = MatMul (mask, w_first)
      clipped = Clip (low, zero, six)
      narrow = MatMul (clipped, w_second)
      masked = Mul (narrow, x)
      stream = Add (masked, mask)
      behind = LayerNormalization (stream, scale, shift)
      gate = MatMul (x, w_gate)
      sigmoid = Sigmoid (gate)
      swish = Mul (gate, sigmoid)
      up = MatMul (x, w_first)
      both = Mul (swish, up)
      gated = MatMul (both, w_second)
      other = Sub (x, mask)
      wide = MatMul (other, w_gate)
      between = Relu (wide)
      seen = MatMul (between, w_second)
    }"""
    body = parser.parse_graph(text)
    body.initializer.extend([
        constant("scale", random.rand(24).astype(np.float32) + 0.5), constant("shift", normal(random, 24)),
        constant("w_first", normal(random, 24, 72) * 0.25), constant("b_first", normal(random, 72)),
        constant("w_gate", normal(random, 24, 72) * 0.25),
        constant("w_second", normal(random, 72, 24) * 0.125), constant("b_second", normal(random, 24)),
        constant("root_2", np.float32(2.0 ** 0.5)), constant("one", np.float32(1)), constant("half", np.float32(0.5)),
        constant("zero", np.float32(0)), constant("six", np.float32(6))])
    return body, [{"x": normal(random, batch, words, 24), "mask": normal(random, batch, words, 24)}
                  for batch, words in ((1, 13), (3, 29), (2, 1))]


@model
def large_patches():
    """Two convolutions with patches of different sizes, whose results are tokens side by side: panels of the large
    patches, which overlap, are many times the image. A batch that is known when it runs."""
    random = stream("large_patches")
    text = """large_patches (float[batch, 3, 48, 48] image) => (float[batch, 144, 10] y) {
      large = Conv <kernel_shape = [12, 12], strides = [4, 4], pads = [4, 4, 4, 4]> (image, w_large, b_large)
      small = Conv <kernel_shape = [4, 4], strides = [4, 4]> (image, w_small, b_small)
      large_rows = Reshape (large, large_shape)
      small_rows = Reshape (small, small_shape)
      large_tokens = Transpose <perm = [0, 2, 1]> (large_rows)
      small_tokens = Transpose <perm = [0, 2, 1]> (small_rows)
      y = Concat <axis = 2> (large_tokens, small_tokens)
    }"""
    body = parser.parse_graph(text)
    body.initializer.extend([
        constant("w_large", normal(random, 6, 3, 12, 12) * 0.0625), constant("b_large", normal(random, 6)),
        constant("w_small", normal(random, 4, 3, 4, 4) * 0.25), constant("b_small", normal(random, 4)),
        constant("large_shape", np.array([0, 6, -1], np.int64)),
        constant("small_shape", np.array([0, 4, -1], np.int64))])
    return body, [{"image": normal(random, batch, 3, 48, 48)} for batch in (1, 2)]


@model
def stretched_one_way():
    """What is broadcast to a tensor and never the other way: the scale of a LayerNorm, a slope for each row, what a
    Gemm adds. Whether it is one or as many, only the run knows. And attention over vectors of two numbers, with a bias
    that is looked up."""
    random = stream("stretched_one_way")
    text = """stretched_one_way (float[rows, 6] x, float[scales] scale, float[slopes, 1] slope, float[sums_0, sums_1] sum,
                         float[batch, 2, words, 2] q, int64[words, words] at)
      => (float[rows, 6] y, float[rows, 5] z, float[batch, 2, words, 2] t) {
      normal = LayerNormalization (x, scale)
      y = PRelu (normal, slope)
      z = Gemm (x, weights, sum)
      bias = Gather (table, at)
      qt = Transpose <perm = [0, 1, 3, 2]> (q)
      scores = MatMul (q, qt)
      biased = Add (scores, bias)
      shares = Softmax <axis = -1> (biased)
      t = MatMul (shares, q)
    }"""
    body = parser.parse_graph(text)
    body.initializer.extend([constant("weights", normal(random, 6, 5)), constant("table", normal(random, 8))])
    inputs = []
    for rows, scales, slopes, sums, batch, words in ((3, 6, 1, (3, 1), 2, 5), (4, 1, 4, (1, 5), 1, 9)):
        inputs.append({"x": normal(random, rows, 6), "scale": normal(random, scales), "slope": normal(random, slopes, 1),
                       "sum": normal(random, *sums), "q": normal(random, batch, 2, words, 2),
                       "at": random.randint(0, 8, (words, words))})
    return body, inputs


if __name__ == "__main__":
    main()
