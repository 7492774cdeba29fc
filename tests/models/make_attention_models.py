#!/usr/bin/env python3
"""Writes the models of this folder whose attention has weights that are no plain softmax; as make_models.py
does: same arguments, same folders, expectations from onnxruntime.
"""
import numpy as np
from onnx import parser

from make_models import MODELS, constant, main, model, normal, stream

MODELS.clear()


@model
def weights_of_rows():
    """Weights of attention: two sinks that take a part of each row's sum, keys that are left out once more
    behind the softmax (a query has none: its weights are NaN, and 0 then), a mask as numbers after which the
    weights sum up to nearly 1 again, a softmax without its greatest score and with 1 added to its sum, the
    exponent of a LogSoftmax times a gain of each head, and one tensor that is queries, keys and values."""
    random = stream("weights_of_rows")
    text = """weights_of_rows (float[3, queries, 16] q, float[3, keys, 16] k, float[3, keys, 8] v,
                         float[3, 1, 2] sinks, bool[queries, keys] hidden, float[queries, keys] shown)
      => (float[3, queries, 8] sunk, float[3, queries, 8] left, float[3, queries, 8] again,
          float[3, queries, 8] bare, float[3, queries, 8] gained, float[3, queries, 16] own) {
      kt = Transpose <perm = [0, 2, 1]> (k)
      raw = MatMul (q, kt)
      scores_1 = Mul (raw, quarter)
      size = Shape (q)
      size_q = Slice (size, one_index, two_index)
      rows = Concat <axis = 0> (three, size_q, two_index)
      wide = Expand (sinks, rows)
      beside = Concat <axis = -1> (scores_1, wide)
      with_sinks = Softmax <axis = -1> (beside)
      without = Slice (with_sinks, zero_index, minus_two, two_index)
      sunk = MatMul (without, v)
      raw_2 = MatMul (q, kt)
      masked = Where (hidden, lowest, raw_2)
      numbers = Softmax <axis = -1> (masked)
      kept = Where (hidden, zero, numbers)
      left = MatMul (kept, v)
      raw_3 = MatMul (q, kt)
      weights_3 = Softmax <axis = -1> (raw_3)
      some = Mul (weights_3, shown)
      all = ReduceSum <keepdims = 1> (some, last)
      above = Add (all, little)
      even = Div (some, above)
      again = MatMul (even, v)
      raw_4 = MatMul (q, kt)
      scores_4 = Mul (raw_4, quarter)
      power = Exp (scores_4)
      total = ReduceSum <keepdims = 1> (power, last)
      more = Add (total, one)
      share = Div (power, more)
      bare = MatMul (share, v)
      raw_5 = MatMul (q, kt)
      logs = LogSoftmax <axis = -1> (raw_5)
      weights_5 = Exp (logs)
      scaled = Mul (weights_5, gains)
      gained = MatMul (scaled, v)
      qt = Transpose <perm = [0, 2, 1]> (q)
      raw_6 = MatMul (q, qt)
      scores_6 = Mul (raw_6, quarter)
      weights_6 = Softmax <axis = -1> (scores_6)
      own = MatMul (weights_6, q)
    }"""
    body = parser.parse_graph(text)
    body.initializer.extend([
        constant("quarter", np.float32(0.25)), constant("lowest", np.float32(-np.inf)),
        constant("zero", np.float32(0)), constant("one", np.float32(1)),
        constant("little", np.float32(1e-3)), constant("gains", normal(random, 3, 1, 1)),
        constant("last", np.array([-1], np.int64)), constant("one_index", np.array([1], np.int64)),
        constant("two_index", np.array([2], np.int64)), constant("three", np.array([3], np.int64)),
        constant("zero_index", np.array([0], np.int64)), constant("minus_two", np.array([-2], np.int64))])
    inputs = []
    for queries, keys in ((19, 23), (1, 7)):
        hidden = random.rand(queries, keys) < 0.3
        hidden[-1, 0] = False
        if queries > 1:
            hidden[4] = True
        inputs.append({"q": normal(random, 3, queries, 16), "k": normal(random, 3, keys, 16),
                       "v": normal(random, 3, keys, 8), "sinks": normal(random, 3, 1, 2), "hidden": hidden,
                       "shown": (random.rand(queries, keys) < 0.7).astype(np.float32)})
    return body, inputs


@model
def keys_behind():
    """Queries of all words, keys of those behind the twentieth: so many words have none, and sums over nothing are 0,
    whatever they would be divided by. A softmax, and weights of its logarithm with a gain."""
    random = stream("keys_behind")
    text = """keys_behind (float[3, words, 16] x) => (float[3, words, 16] y, float[3, words, 16] z) {
      k = Slice (x, twenty, far, one_index)
      kt = Transpose <perm = [0, 2, 1]> (k)
      raw = MatMul (x, kt)
      weights = Softmax <axis = -1> (raw)
      y = MatMul (weights, k)
      raw_2 = MatMul (x, kt)
      logs = LogSoftmax <axis = -1> (raw_2)
      weights_2 = Exp (logs)
      scaled = Mul (weights_2, gains)
      z = MatMul (scaled, k)
    }"""
    body = parser.parse_graph(text)
    body.initializer.extend([
        constant("gains", normal(random, 3, 1, 1)), constant("one_index", np.array([1], np.int64)),
        constant("far", np.array([1 << 40], np.int64)), constant("twenty", np.array([20], np.int64))])
    return body, [{"x": normal(random, 3, words, 16)} for words in (50, 20, 1)]


@model
def weights_spelled():
    """Attention with a query that sees no key, of which the exponents are powers of two and of e, the sum of a row a
    product with ones, weights of 0 where they are no numbers, or where all or none of the scores is asked for."""
    random = stream("weights_spelled")
    text = """weights_spelled (float[batch, 2, queries, 8] q, float[batch, 2, keys, 8] k, float[batch, 2, keys, 6] v,
                         float[queries, keys] mask)
      => (float[batch, 2, queries, 6] twos, float[batch, 2, queries, 6] safe, float[batch, 2, queries, 6] all,
          float[batch, 2, queries, 6] any, float[batch, 2, queries, 6] bare) {
      kt = Transpose <perm = [0, 1, 3, 2]> (k)
      size = Shape (v)
      keys_size = Slice (size, two_index, three_index)
      column = Concat <axis = 0> (keys_size, one_index)
      ones = Expand (one, column)
      raw_1 = MatMul (q, kt)
      scores_1 = Add (raw_1, mask)
      most_1 = ReduceMax <keepdims = 1> (scores_1, last)
      less_1 = Sub (scores_1, most_1)
      power_1 = Pow (two, less_1)
      total_1 = MatMul (power_1, ones)
      weights_1 = Div (power_1, total_1)
      twos = MatMul (weights_1, v)
      raw_2 = MatMul (q, kt)
      scores_2 = Add (raw_2, mask)
      most_2 = ReduceMax <keepdims = 1> (scores_2, last)
      less_2 = Sub (scores_2, most_2)
      times_2 = Mul (less_2, log2e)
      power_2 = Pow (two, times_2)
      total_2 = ReduceSum <keepdims = 1> (power_2, last)
      weights_2 = Div (power_2, total_2)
      none_2 = IsNaN (weights_2)
      kept_2 = Where (none_2, zero, weights_2)
      safe = MatMul (kept_2, v)
      raw_3 = MatMul (q, kt)
      scores_3 = Add (raw_3, mask)
      weights_3 = Softmax <axis = -1> (scores_3)
      masked_3 = Equal (scores_3, lowest)
      numbers_3 = Cast <to = 7> (masked_3)
      least_3 = ReduceMin <keepdims = 1> (numbers_3, last)
      none_3 = Cast <to = 9> (least_3)
      kept_3 = Where (none_3, zero, weights_3)
      all = MatMul (kept_3, v)
      raw_4 = MatMul (q, kt)
      scores_4 = Add (raw_4, mask)
      weights_4 = Softmax <axis = -1> (scores_4)
      masked_4 = Equal (scores_4, lowest)
      seen_4 = Not (masked_4)
      numbers_4 = Cast <to = 7> (seen_4)
      most_4 = ReduceMax <keepdims = 1> (numbers_4, last)
      some_4 = Cast <to = 9> (most_4)
      none_4 = Not (some_4)
      kept_4 = Where (none_4, zero, weights_4)
      any = MatMul (kept_4, v)
      raw_5 = MatMul (q, kt)
      power_5 = Pow (e, raw_5)
      total_5 = MatMul (power_5, ones)
      weights_5 = Div (power_5, total_5)
      bare = MatMul (weights_5, v)
    }"""
    body = parser.parse_graph(text)
    body.initializer.extend([
        constant("one", np.float32(1)), constant("two", np.float32(2)), constant("e", np.float32(np.e)),
        constant("zero", np.float32(0)), constant("log2e", np.float32(np.log2(np.e))),
        constant("lowest", np.float32(-np.inf)), constant("last", np.array([-1], np.int64)),
        constant("one_index", np.array([1], np.int64)), constant("two_index", np.array([2], np.int64)),
        constant("three_index", np.array([3], np.int64))])
    inputs = []
    for batch, queries, keys in ((2, 19, 23), (1, 1, 7)):
        mask = np.where(random.rand(queries, keys) < 0.3, -np.inf, 0).astype(np.float32)
        mask[:, 0] = 0
        mask[queries // 2 if queries > 1 else 0] = -np.inf
        inputs.append({"q": normal(random, batch, 2, queries, 8) * np.float32(0.5),
                       "k": normal(random, batch, 2, keys, 8), "v": normal(random, batch, 2, keys, 6), "mask": mask})
    return body, inputs


if __name__ == "__main__":
    main()
