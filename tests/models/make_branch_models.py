#!/usr/bin/env python3
"""Writes the models of this folder whose branches give tensors of different ranks; as make_models.py does:
same arguments, same folders, expectations from onnxruntime.
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
def squeezed_in_branch():
    """A dimension that is left out where it is 1, as exporters of x.squeeze(-1) write it; what follows is
    of either rank, down to a sum that has one rank."""
    random = stream("squeezed_in_branch")
    text = """squeezed_in_branch (float[batch, 6, n] x) => (float[batch, m] flat, float[k] sums) {
      shape = Shape (x)
      last = Gather (shape, two)
      is_one = Equal (last, one)
      y = If (is_one) <
        then_branch = squeezed () => (squeezed_x) { squeezed_x = Squeeze (x, last_axis) },
        else_branch = kept () => (kept_x) { kept_x = Identity (x) }
      >
      bent = Tanh (y)
      flat = Flatten (bent)
      scaled = Mul (bent, half)
      all = Reshape (scaled, minus_one)
      sums = Add (all, half)
    }"""
    constants = [constant("one", np.int64(1)), constant("two", np.int64(2)), ints("last_axis", 2), ints("minus_one", -1),
                 constant("half", np.float32(0.5))]
    return with_constants(text, constants), [{"x": normal(random, batch, 6, n)} for batch, n in ((2, 1), (3, 4))]


@model
def ranks_by_flags():
    """Two branches that inputs decide, one behind the other, each of other ranks; what they give meets in a
    mean, and in a loop that sums up rows."""
    random = stream("ranks_by_flags")
    text = """ranks_by_flags (float[n, 1, 4] x, bool a, bool b) => (float y, float[4] rows) {
      first = If (a) <
        then_branch = without () => (squeezed) { squeezed = Squeeze (x, middle) },
        else_branch = with () => (kept) { kept = Identity (x) }
      >
      doubled = Mul (first, two)
      second = If (b) <
        then_branch = wider () => (wide) { wide = Unsqueeze (doubled, front) },
        else_branch = same () => (other) { other = Neg (doubled) }
      >
      y = ReduceMean <keepdims = 0> (second)
      lines = Reshape (second, fours)
      count = Shape <start = 0, end = 1> (lines)
      trips = Squeeze (count)
      rows = Loop (trips, yes, zeros) <body = add_row (int64 i, bool go, float[4] sum) => (bool on, float[4] next) {
        on = Identity (go)
        row = Gather (lines, i)
        next = Add (sum, row)
      }>
    }"""
    constants = [constant("two", np.float32(2)), ints("middle", 1), ints("front", 0), ints("fours", -1, 4),
                 constant("yes", np.bool_(True)), constant("zeros", np.zeros(4, np.float32))]
    return with_constants(text, constants), [{"x": normal(random, n, 1, 4), "a": np.array(a), "b": np.array(b)}
                                             for n, a, b in ((3, True, False), (5, False, True))]


if __name__ == "__main__":
    main()
