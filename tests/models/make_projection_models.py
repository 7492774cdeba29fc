#!/usr/bin/env python3
"""Writes the models of this folder whose products of one input differ in what follows them; as make_models.py
does: same arguments, same folders, expectations from onnxruntime.
"""
import numpy as np
from onnx import parser

from make_models import MODELS, constant, main, model, normal, stream

MODELS.clear()


@model
def projections():
    """Queries, keys and values of one input: by weights of three dimensions (heads as one of their own), with a
    bias for queries and values only, with a scale for queries only, in front of their bias or behind it."""
    random = stream("projections")
    text = """projections (float[batch, seq, 16] x)
      => (float[batch, seq, 16] heads, float[batch, seq, 8] biased, float[batch, seq, 8] scaled) {
      q3 = Einsum <equation = "abc,cde->abde"> (x, wq3)
      q3b = Add (q3, bq3)
      q3s = Mul (q3b, half)
      k3 = Einsum <equation = "abc,cde->abde"> (x, wk3)
      k3b = Add (k3, bk3)
      v3 = Einsum <equation = "abc,cde->abde"> (x, wv3)
      v3b = Add (v3, bv3)
      s3 = Einsum <equation = "aecd,abcd->acbe"> (k3b, q3s)
      p3 = Softmax <axis = -1> (s3)
      o3 = Einsum <equation = "acbe,aecd->abcd"> (p3, v3b)
      heads = Einsum <equation = "abcd,cde->abe"> (o3, wo3)

      xn = Tanh (x)
      q1 = MatMul (xn, wq1)
      q1b = Add (bq1, q1)
      k1 = MatMul (xn, wk1)
      v1 = MatMul (xn, wv1)
      v1b = Add (bv1, v1)
      kt1 = Transpose <perm = [0, 2, 1]> (k1)
      s1 = MatMul (q1b, kt1)
      s1s = Mul (s1, half)
      p1 = Softmax <axis = -1> (s1s)
      biased = MatMul (p1, v1b)

      xs = Sigmoid (x)
      q2 = MatMul (xs, wq2)
      q2b = Add (q2, bq2)
      q2s = Div (q2b, three)
      k2 = MatMul (xs, wk2)
      k2s = Mul (k2, half)
      k2b = Add (k2s, bk2)
      v2 = MatMul (xs, wv2)
      kt2 = Transpose <perm = [0, 2, 1]> (k2b)
      s2 = MatMul (q2s, kt2)
      p2 = Softmax <axis = -1> (s2)
      scaled = MatMul (p2, v2)
    }"""
    body = parser.parse_graph(text)
    body.initializer.extend([constant("half", np.float32(0.5)), constant("three", np.float32(3))])
    for name in ("wq3", "wk3", "wv3"):
        body.initializer.append(constant(name, normal(random, 16, 2, 4)))
    for name in ("bq3", "bk3", "bv3"):
        body.initializer.append(constant(name, normal(random, 2, 4)))
    body.initializer.append(constant("wo3", normal(random, 2, 4, 16)))
    for name in ("wq1", "wk1", "wv1", "wq2", "wk2", "wv2"):
        body.initializer.append(constant(name, normal(random, 16, 8)))
    for name in ("bq1", "bv1", "bq2", "bk2"):
        body.initializer.append(constant(name, normal(random, 8)))
    inputs = [{"x": normal(random, batch, seq, 16)} for batch, seq in ((2, 19), (1, 5))]
    return body, inputs


if __name__ == "__main__":
    main()
