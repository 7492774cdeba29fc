#!/usr/bin/env python3
"""Writes the models of this folder whose weights are stored in few bits; as make_models.py does: same arguments, same
folders, expectations from onnxruntime.
"""
import numpy as np
from onnx import TensorProto, helper, parser

from make_models import MODELS, OPSETS, constant, main, model, normal, stream

MODELS.clear()
OPSETS["weights_of_few_bits"] = 21


@model
def weights_of_few_bits():
    """Weights of 4 bits in blocks of 32 with zero points, of 8 bits with a scale for each column, and halves; a table of
    4 bits that rows are taken from. As floats they are 430 KiB, more than the cache near any core keeps. Spelled, since
    onnxruntime multiplies bytes where it sees DequantizeLinear before MatMul."""
    random = stream("weights_of_few_bits")
    text = """weights_of_few_bits (float[n, 256] x, int64[n] place)
      => (float[n, 72] y, float[n, 40] rows) {
      numbers = Cast <to = 1> (w_four)
      zeros = Cast <to = 1> (z_four)
      centred = Sub (numbers, zeros)
      blocks = Mul (centred, s_four)
      wide = Reshape (blocks, wide_shape)
      wide_t = Transpose <perm = [1, 0]> (wide)
      first = MatMul (x, wide_t)
      active = Relu (first)
      bytes = Cast <to = 1> (w_eight)
      narrow = Mul (bytes, s_eight)
      narrow_t = Transpose <perm = [1, 0]> (narrow)
      second = MatMul (active, narrow_t)
      beside = Cast <to = 1> (w_half)
      third = MatMul (x, beside)
      y = Add (second, third)
      table = DequantizeLinear <axis = 0> (w_table, s_table)
      rows = Gather (table, place)
    }"""
    body = parser.parse_graph(text)

    def four(name, kind, lo, *shape):
        numbers = random.randint(lo, lo + 16, shape)
        return helper.make_tensor(name, kind, list(shape), numbers.flatten().tolist())

    def scales(name, *shape, by=512):
        return constant(name, ((random.rand(*shape) + 0.5) / by).astype(np.float32))

    body.initializer.extend([
        four("w_four", TensorProto.UINT4, 0, 264, 8, 32), scales("s_four", 264, 8, 1),
        four("z_four", TensorProto.UINT4, 0, 264, 8, 1), constant("wide_shape", np.array([264, 256], np.int64)),
        constant("w_eight", random.randint(-128, 128, (72, 264)).astype(np.int8)), scales("s_eight", 72, 1, by=4096),
        constant("w_half", (normal(random, 256, 72) * 0.03125).astype(np.float16)),
        four("w_table", TensorProto.INT4, -8, 128, 40), scales("s_table", 128)])
    return body, [{"x": normal(random, n, 256), "place": random.randint(0, 128, n)} for n in (3, 17)]


if __name__ == "__main__":
    main()
