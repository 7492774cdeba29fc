#!/usr/bin/env python3
"""Writes the models of this folder whose masks follow from constants; as make_models.py does: same arguments,
same folders, expectations from onnxruntime.
"""
import numpy as np
from onnx import helper, parser

from make_models import MODELS, constant, ints, main, model, normal, stream

MODELS.clear()
SIZE, WINDOW, SHIFT = 10, 5, 2


def region(label, rows, columns):
    """Indices of a box of an image, as an assignment to slices has them."""
    grid = np.meshgrid([0], np.arange(*rows), np.arange(*columns), [0], indexing="ij")
    return constant(label, np.stack(grid, -1).astype(np.int64))


@model
def shifted_windows():
    """Attention in windows of an image that was shifted round: nine regions of zeros are numbered slice by slice,
    cut into windows, and pairs of different regions masked. Another mask is three assignments to
    slices of zeros, added as it is."""
    random = stream("shifted_windows")
    cuts = ((0, SIZE - WINDOW), (SIZE - WINDOW, SIZE - SHIFT), (SIZE - SHIFT, SIZE))
    nodes, constants = [], []
    last, number = "zeros", 0
    for rows in cuts:
        for columns in cuts:
            label = f"region_{number}"
            constants += [region(label, rows, columns), constant(f"{label}_number", np.float32(number)),
                          ints(f"{label}_size", 1, rows[1] - rows[0], columns[1] - columns[0], 1)]
            nodes += [helper.make_node("Expand", [f"{label}_number", f"{label}_size"], [f"{label}_fill"]),
                      helper.make_node("ScatterND", [last, label, f"{label}_fill"], [f"image_{number}"])]
            last, number = f"image_{number}", number + 1
    side = SIZE // WINDOW
    text = """shifted_windows (float[batch, 4, 25, 4] q, float[batch, 4, 25, 4] k, float[batch, 4, 25, 4] v)
      => (float[batch, 4, 25, 4] masked, float[batch, 4, 25, 4] taken) {
      cut = Reshape (%s, cut_shape)
      turned = Transpose <perm = [0, 1, 3, 2, 4, 5]> (cut)
      windows = Reshape (turned, window_shape)
      own = Unsqueeze (windows, one)
      other = Unsqueeze (windows, two)
      apart = Sub (own, other)
      same = Equal (apart, zero)
      different = Not (same)
      filled = Where (different, far, apart)
      mask = Where (same, zero, filled)
      kt = Transpose <perm = [0, 1, 3, 2]> (k)
      scores = MatMul (q, kt)
      scores_1 = Add (scores, mask)
      weights_1 = Softmax <axis = -1> (scores_1)
      masked = MatMul (weights_1, v)

      nothing = ConstantOfShape (square)
      some = ScatterND (nothing, box_1, fill_1)
      more = ScatterND (some, box_2, fill_2)
      all = ScatterND (more, box_3, fill_3)
      raw = MatMul (q, kt)
      scores_2 = Add (raw, all)
      weights_2 = Softmax <axis = -1> (scores_2)
      taken = MatMul (weights_2, v)
    }""" % last
    body = parser.parse_graph(text)
    zeros = helper.make_node("ConstantOfShape", ["image_shape"], ["zeros"])
    rest = list(body.node)
    del body.node[:]
    body.node.extend([zeros, *nodes, *rest])

    def box(label, rows, columns, value):
        grid = np.stack(np.meshgrid(np.arange(*rows), np.arange(*columns), indexing="ij"), -1)
        return [constant(f"box_{label}", grid.astype(np.int64)),
                constant(f"fill_{label}", np.full(grid.shape[:-1], value, np.float32))]

    body.initializer.extend([
        *constants, ints("image_shape", 1, SIZE, SIZE, 1), ints("cut_shape", 1, side, WINDOW, side, WINDOW, 1),
        ints("window_shape", side * side, WINDOW * WINDOW), ints("one", 1), ints("two", 2), ints("square", 25, 25),
        constant("zero", np.float32(0)), constant("far", np.float32(-100)),
        *box(1, (0, 25), (3, 5), -100), *box(2, (4, 11), (9, 19), -50), *box(3, (11, 13), (0, 4), -25)])
    inputs = [{name: normal(random, batch, 4, 25, 4) for name in "qkv"} for batch in (2, 1)]
    return body, inputs


if __name__ == "__main__":
    main()
