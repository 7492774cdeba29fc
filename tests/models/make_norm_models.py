#!/usr/bin/env python3
"""Writes the models of this folder whose norms go over an axis across memory, as over the channels of NCHW; as
make_models.py does: same arguments, same folders, expectations from onnxruntime.
"""
import numpy as np
from onnx import parser

from make_models import MODELS, constant, main, model, normal, stream

MODELS.clear()


@model
def norms_of_channels():
    """Norms over the channels of images as exporters spell them: LayerNorm of primitives and the same between
    transposes, RMSNorm, rows of length 1, Softmax, the same of primitives, LogSoftmax, the response of channels to
    the mean of all (GRN), the mean and the greatest of the channels as two channels more. Planes of one point, of a
    few and of several blocks; a batch."""
    random = stream("norms_of_channels")
    text = """norms_of_channels (float[batch, 3, h, w] image)
      => (float[batch, 8, h, w] layer, float[batch, 8, h, w] turned, float[batch, 8, h, w] rms,
          float[batch, 8, h, w] unit, float[batch, 8, h, w] shares, float[batch, 8, h, w] parts,
          float[batch, 8, h, w] logs, float[batch, 8, h, w] response, float[batch, 10, h, w] pooled) {
      x = Conv <kernel_shape = [1, 1]> (image, w_stem, b_stem)
      mean = ReduceMean <keepdims = 1> (x, channels)
      apart = Sub (x, mean)
      square = Pow (apart, two)
      variance = ReduceMean <keepdims = 1> (square, channels)
      above = Add (variance, little)
      root = Sqrt (above)
      even = Div (apart, root)
      scaled = Mul (scale, even)
      layer = Add (scaled, shift)
      last_x = Transpose <perm = [0, 2, 3, 1]> (x)
      last_y = LayerNormalization <epsilon = 0.00001> (last_x, scale_row, shift_row)
      turned = Transpose <perm = [0, 3, 1, 2]> (last_y)
      squares = Mul (x, x)
      power = ReduceMean <keepdims = 1> (squares, channels)
      power_above = Add (power, little)
      power_root = Sqrt (power_above)
      inverse = Reciprocal (power_root)
      rms_even = Mul (x, inverse)
      rms = Mul (rms_even, scale)
      length = ReduceL2 <keepdims = 1> (x, channels)
      bounded = Max (length, little)
      unit = Div (x, bounded)
      shares = Softmax <axis = 1> (layer)
      greatest = ReduceMax <keepdims = 1> (rms, channels)
      below = Sub (rms, greatest)
      exponentials = Exp (below)
      total = ReduceSum <keepdims = 1> (exponentials, channels)
      parts = Div (exponentials, total)
      logs = LogSoftmax <axis = 1> (unit)
      lengths = ReduceL2 <keepdims = 1> (x, plane)
      mean_length = ReduceMean <keepdims = 1> (lengths, channels)
      mean_above = Add (mean_length, little)
      responses = Div (lengths, mean_above)
      called = Mul (x, responses)
      weighted = Mul (called, scale)
      response = Add (weighted, x)
      most = ReduceMax <keepdims = 1> (x, channels)
      pooled = Concat <axis = 1> (x, mean, most)
    }"""
    body = parser.parse_graph(text)
    scale, shift = random.rand(8).astype(np.float32) + 0.5, normal(random, 8)
    body.initializer.extend([
        constant("w_stem", normal(random, 8, 3, 1, 1)), constant("b_stem", normal(random, 8)),
        constant("channels", np.array([1], np.int64)), constant("plane", np.array([2, 3], np.int64)),
        constant("two", np.float32(2)), constant("little", np.float32(1e-5)),
        constant("scale", scale.reshape(8, 1, 1)), constant("shift", shift.reshape(8, 1, 1)),
        constant("scale_row", scale), constant("shift_row", shift)])
    return body, [{"image": normal(random, batch, 3, h, w)}
                  for batch, h, w in ((2, 5, 7), (3, 1, 1), (1, 24, 23))]


if __name__ == "__main__":
    main()
