"""Operators of com.microsoft."""
import numpy as np
from onnx import TensorProto

from .linear import BYTES, product_shapes, scale_like, zero_point

F32 = TensorProto.FLOAT


def activation(c):
    shape = c.shape(1)
    c.tensor(F32, shape)
    if c.op in ("BiasGelu", "FastGelu") and (c.op == "BiasGelu" or c.chance(.5)):
        c.tensor(F32, shape[-1:])
    if c.op == "QuickGelu":
        c.maybe(alpha=1.3)


def fused_mat_mul(c):
    a, b = product_shapes(c)
    if c.chance(.4):
        a[-1], a[-2] = a[-2], a[-1]
        c.set(transA=1)
    if c.chance(.4):
        b[-1], b[-2] = b[-2], b[-1]
        c.set(transB=1)
    c.tensor(F32, a, "normal").tensor(F32, b, "normal", c.chance(.4)).maybe(alpha=.7)


def fused_gemm(c):
    m, k, n = c.integer(1, 6), c.integer(1, 6), c.integer(1, 6)
    ta, tb = c.integer(0, 1), c.integer(0, 1)
    c.frozen_ones = True
    c.tensor(F32, [k, m] if ta else [m, k], "normal").tensor(F32, [n, k] if tb else [k, n], "normal", c.chance(.4))
    if c.chance(.7):
        c.tensor(F32, c.pick([[n], [m, n], [m, 1], [1]]), "normal", c.chance(.4))
    c.set(transA=ta, transB=tb).maybe(alpha=2.).maybe(beta=3.).set(activation=c.pick(["Relu", "Tanh", "Sigmoid"]))


def fused_conv(c):
    from .windows import window
    spatial, kernel = [c.integer(3, 6), c.integer(3, 6)], [c.integer(1, 3), c.integer(1, 3)]
    groups = c.pick([1, 2])
    per, out = c.integer(1, 3), groups * c.integer(1, 2)
    c.tensor(F32, [1, groups * per] + spatial, "normal").tensor(F32, [out, per] + kernel, "normal", c.chance(.6))
    if c.chance(.6):
        c.tensor(F32, [out], "normal")
    window(c, spatial, kernel)
    c.set(group=groups)
    kind = c.pick(["Relu", "Tanh", "Sigmoid", "LeakyRelu", "Clip"])
    c.set(activation=kind)
    if kind == "LeakyRelu":
        c.set(activation_params=[.3])
    if kind == "Clip":
        c.set(activation_params=[-.5, 1.])


def skip_normalization(c):
    c.frozen_ones = True
    b, s, h = c.integer(1, 3), c.integer(1, 4), c.integer(2, 6)
    c.tensor(F32, [b, s, h], "normal").tensor(F32, c.pick([[b, s, h], [1, s, h], [s, h]]), "normal")
    c.tensor(F32, [h], "normal")
    if c.op == "SkipLayerNormalization":
        c.tensor(F32, [h], "normal") if c.chance(.6) else c.skip()
    if c.chance(.5):
        c.tensor(F32, [h], "normal")
    c.set(epsilon=1e-3)
    c.outputs = [True, False, False, c.chance(.4)]


def quantized_binary(c):
    shape, elem = c.shape(1), c.pick(BYTES)
    other = shape[c.integer(0, len(shape) - 1):]
    for s in (shape, other):
        c.tensor(elem, s).add(F32, scale_like(c, []), True)
        zero_point(c, elem)
    c.add(F32, scale_like(c, []) * 2, True)
    zero_point(c, elem)


def quantized_unary(c):
    shape, elem = c.shape(1), c.pick(BYTES)
    if c.op == "QLinearGlobalAveragePool":
        shape = c.shape(4, 4)
        c.set(channels_last=c.integer(0, 1))
    if c.op == "QLinearAveragePool":
        from .windows import window
        spatial, kernel = [c.integer(3, 6), c.integer(3, 6)], [c.integer(1, 3), c.integer(1, 3)]
        shape = [1, c.integer(1, 3)] + spatial
        window(c, spatial, kernel, True)
        c.set(kernel_shape=kernel).maybe(count_include_pad=1).maybe(.3, ceil_mode=1)
    c.tensor(elem, shape).add(F32, scale_like(c, []), True).tensor(elem, [], "positive", True)
    if c.op == "QLinearSoftmax":  # as quantizers have it: onnxruntime takes the reciprocal for a whole number
        c.add(F32, np.float32(1 / 256), True).add(elem, np.array(0 if elem == TensorProto.UINT8 else -128), True)
    else:
        c.add(F32, scale_like(c, []), True).tensor(elem, [], "positive", True)
    if c.op == "QLinearLeakyRelu":
        c.maybe(alpha=.2)
    if c.op == "QLinearSoftmax":
        c.set(opset=c.pick([12, 13]), axis=c.integer(-len(shape), len(shape) - 1))


def quantized_concat(c):
    shape, elem = c.shape(1), c.pick(BYTES)
    axis = c.integer(-len(shape), len(shape) - 1)
    c.add(F32, scale_like(c, []), True).tensor(elem, [], "positive", True)
    for _ in range(c.integer(1, 3)):
        shape[axis] = c.integer(1, 4)
        c.tensor(elem, shape).add(F32, scale_like(c, []), True).tensor(elem, [], "positive", True)
    c.set(axis=axis)


def quantized_gemm(c):
    m, k, n = c.integer(1, 5), c.integer(1, 5), c.integer(1, 5)
    ta, tb, ea, eb = c.integer(0, 1), c.integer(0, 1), TensorProto.UINT8, c.pick(BYTES)
    c.tensor(ea, [k, m] if ta else [m, k], constant=False).add(F32, np.float32(.125), True).tensor(ea, [], "positive", True)
    many = [n] if c.chance(.4) else []
    c.tensor(eb, [n, k] if tb else [k, n], constant=True).add(F32, scale_like(c, many), True).add(eb, np.zeros(many), True)
    c.add(TensorProto.INT32, c.rng.integers(-99, 99, [n]), True) if c.chance(.6) else c.skip()
    if c.chance(.7):
        c.add(F32, scale_like(c, []) * 9, True).tensor(ea, [], "positive", True)
    c.set(transA=ta, transB=tb).maybe(alpha=.5)


def dynamic_quantize_mat_mul(c):
    m, k, n, eb = c.integer(1, 5), c.integer(1, 5), c.integer(1, 5), c.pick(BYTES)
    c.tensor(F32, [m, k], "normal", False).tensor(eb, [k, n], constant=c.chance(.5)).add(F32, scale_like(c, []), c.chance(.5))
    c.tensor(eb, [], "positive") if c.chance(.6) else c.skip()
    if c.chance(.5):
        c.tensor(F32, [n], "normal")


def mat_mul_n_bits(c):
    block, k, n, bits = c.pick([16, 32]), c.integer(1, 70), c.integer(1, 5), c.pick([2, 4, 8])
    blocks = -(-k // block)
    c.tensor(F32, c.shape(1, 2, 1, 3) + [k], "normal", False)
    c.add(TensorProto.UINT8, c.rng.integers(0, 256, [n, blocks, block * bits // 8]), True)
    c.add(F32, scale_like(c, [n * blocks]), True)
    if c.chance(.4):
        c.add(TensorProto.UINT8, c.rng.integers(0, 256, [n * -(-blocks * bits // 8)]), True)
    elif bits != 8 and c.chance(.4):  # onnxruntime does not take these with bytes
        c.add(F32, scale_like(c, [n * blocks]), True)
        if bits == 4 and c.chance(.5):
            c.add(TensorProto.INT32, c.rng.integers(0, blocks, [k]), True)
    c.set(K=k, N=n, bits=bits, block_size=block)


MAKERS = {
    "BiasGelu": activation, "FastGelu": activation, "Gelu": activation, "QuickGelu": activation,
    "FusedMatMul": fused_mat_mul, "FusedGemm": fused_gemm, "FusedConv": fused_conv,
    "SkipLayerNormalization": skip_normalization, "SkipSimplifiedLayerNormalization": skip_normalization, "QLinearAdd": quantized_binary, "QLinearMul": quantized_binary,
    "QLinearSigmoid": quantized_unary, "QLinearLeakyRelu": quantized_unary,
    "QLinearGlobalAveragePool": quantized_unary, "QLinearAveragePool": quantized_unary,
    "QLinearSoftmax": quantized_unary, "QLinearConcat": quantized_concat, "QGemm": quantized_gemm,
    "DynamicQuantizeMatMul": dynamic_quantize_mat_mul, "MatMulNBits": mat_mul_n_bits}


def quantize(c):
    shape, elem = c.shape(1), c.pick(BYTES + [TensorProto.INT16, TensorProto.UINT16])
    axis = c.integer(-len(shape), len(shape) - 1) if c.chance(.5) else None
    at = [] if axis is None else [shape[axis]]
    c.tensor(F32 if c.op == "QuantizeLinear" else elem, shape, "normal")
    c.add(F32, scale_like(c, at), c.chance(.6)).tensor(elem, at, "positive", c.chance(.6))
    if axis is not None:
        c.set(axis=axis)


def integer_to_float(c):
    a, b = product_shapes(c)
    ea, eb = c.pick(BYTES), c.pick(BYTES)
    many = [b[-1]] if c.chance(.4) and len(b) == 2 else []
    c.tensor(ea, a).tensor(eb, b, constant=c.chance(.5))
    c.add(F32, scale_like(c, []), c.chance(.5)).add(F32, scale_like(c, many), c.chance(.5))
    c.tensor(ea, [], "positive") if c.chance(.6) else c.skip()
    c.tensor(eb, many, "positive") if c.chance(.6) else c.skip()
    if c.chance(.5):
        c.tensor(F32, [b[-1]], "normal")


MAKERS |= {"QuantizeLinear": quantize, "DequantizeLinear": quantize, "MatMulIntegerToFloat": integer_to_float}
