#!/usr/bin/env python3
"""Writes the models of this folder in which the run finds places: boxes that survive suppression, distinct
elements, the best of long lines. As make_models.py does: same arguments, same folders, expectations from
onnxruntime.
"""
import numpy as np
from onnx import parser

from make_models import MODELS, constant, main, model, normal, stream

MODELS.clear()


@model
def boxes_found():
    """The end of a detector: boxes that survive suppression, their corners added up, the classes that occur
    among them and how often; beside these the best of lines long enough to go by blocks. `kept` and `classes` have
    sizes of the run."""
    random = stream("boxes_found")
    text = """boxes_found (float[1, boxes, 4] corners, float[1, 3, boxes] scores, float[2, 700] levels)
      => (int64[found, 3] kept, float[4] added, int64[named] classes, int64 often, float[2, 5] best,
          int64[2, 5] where_best) {
      kept = NonMaxSuppression (corners, scores, most, overlap, least)
      number = Gather <axis = 1> (kept, two)
      class_of = Gather <axis = 1> (kept, one)
      each = Squeeze (corners, first)
      chosen = Gather <axis = 0> (each, number)
      added = ReduceSum <keepdims = 0> (chosen, first)
      classes, at, inverse, counts = Unique <sorted = 1> (class_of)
      often = ReduceMax <keepdims = 0> (counts)
      best, where_best = TopK <axis = 1> (levels, five)
    }"""
    body = parser.parse_graph(text)
    body.initializer.extend([
        constant("most", np.array([6], np.int64)), constant("overlap", np.array([0.4], np.float32)),
        constant("least", np.array([0.3], np.float32)), constant("first", np.array([0], np.int64)),
        constant("one", np.int64(1)), constant("two", np.int64(2)), constant("five", np.array([5], np.int64))])

    def inputs(boxes):
        low = random.rand(1, boxes, 2).astype(np.float32) * 3
        return {"corners": np.concatenate([low, low + 0.5 + random.rand(1, boxes, 2).astype(np.float32)], axis=2),
                "scores": random.rand(1, 3, boxes).astype(np.float32), "levels": normal(random, 2, 700)}
    return body, [inputs(40), inputs(7)]


if __name__ == "__main__":
    main()
