#!/usr/bin/env python3
"""Writes the model of this folder whose axes only the run knows; as make_models.py does: same arguments, same
folders, expectations from onnxruntime.
"""
import numpy as np

from make_models import MODELS, main, model, normal, stream
from make_part_models import with_constants

MODELS.clear()


@model
def axes_of_run():
    """Two axes as an input: their dimensions are reduced, kept as 1 and not kept, put in and taken out again."""
    random = stream("axes_of_run")
    text = """axes_of_run (float[n, 3, m] x, int64[2] axes)
      => (float[k] means, float[a, b, c] greatest, float[p, q, r, s, t] wide, float[u, v, w] again) {
      means = ReduceMean <keepdims = 0> (x, axes)
      greatest = ReduceMax <keepdims = 1> (x, axes)
      wide = Unsqueeze (x, axes)
      again = Squeeze (wide, axes)
    }"""
    return with_constants(text, []), [{"x": normal(random, n, 3, m), "axes": np.array(axes, np.int64)}
                                      for n, m, axes in ((4, 5, (0, 2)), (1, 7, (-1, 1)))]


if __name__ == "__main__":
    main()
