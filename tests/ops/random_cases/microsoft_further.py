"""Further operators of com.microsoft: recurrences, mixtures, attention and layouts of quantised numbers."""
import numpy as np
from onnx import TensorProto

from .linear import BYTES, scale_like, zero_point
from .windows import window

F32, I32, U8, I8 = TensorProto.FLOAT, TensorProto.INT32, TensorProto.UINT8, TensorProto.INT8


def weights(c, elem, shape):
    """Bytes of 7 bits where they are signed: without VNNI onnxruntime's sums of two larger products saturate."""
    c.tensor(elem, shape, constant=True)
    array, _, constant = c.inputs[-1]
    c.inputs[-1] = (np.clip(array, -64, 64) if elem == I8 else array, elem, constant)
    return c


def dynamic_lstm(c):
    directions, hidden, width = c.pick([1, 2]), c.integer(1, 5), c.integer(1, 5)
    length, batch = c.integer(1, 5), c.integer(1, 3)
    elem = c.pick(BYTES)
    c.tensor(F32, [length, batch, width], "normal", False)
    weights(weights(c, elem, [directions, width, 4 * hidden]), elem, [directions, hidden, 4 * hidden])
    c.tensor(F32, [directions, 8 * hidden], "normal", True) if c.chance(.6) else c.skip()
    c.list(c.rng.integers(1, length, [batch], endpoint=True), False, I32) if c.chance(.4) else c.skip()
    for _ in range(2):
        c.tensor(F32, [directions, batch, hidden], "normal", False) if c.chance(.4) else c.skip()
    c.tensor(F32, [directions, 3 * hidden], "normal", True) if c.chance(.3) else c.skip()
    each = c.pick([[directions], [directions, 4 * hidden]])
    for _ in range(2):
        c.add(F32, scale_like(c, each) * .2, True).tensor(elem, each, "any" if each == [directions] else "positive", True)
        if c.chance(.5) or elem == I8:
            c.inputs[-1] = (np.zeros(each, c.inputs[-1][0].dtype), elem, True)
    c.set(hidden_size=hidden, direction=c.pick(["bidirectional"] if directions == 2 else ["forward", "reverse"]))
    c.maybe(.2, clip=.5).maybe(.2, input_forget=1)
    c.outputs = c.pick([1, 3, [True, True, True], [False, True, True], [True, False, True]])


def gather_blocks(c):
    packed = c.chance(.4)
    elem = U8 if packed or c.chance(.3) else c.pick([TensorProto.INT4, TensorProto.UINT4])
    bits = 8 if elem == U8 and not packed else 4
    rows, blocks, block = c.integer(1, 5), c.integer(1, 3), 16
    columns = blocks * block - (c.integer(0, 1) * 2)
    held = columns // 2 if packed else columns
    c.add(elem, c.numbers(elem, [rows, held]) if elem != U8 else c.rng.integers(0, 256, [rows, held]), True)
    c.list(c.rng.integers(-rows, rows, c.shape(0, 2)), False, c.pick([I32, TensorProto.INT64]))
    c.add(F32, scale_like(c, [rows, blocks]), True)
    if c.chance(.5):
        held = -(-blocks // 2) if packed else blocks
        c.add(elem, c.numbers(elem, [rows, held]) if elem != U8 else c.rng.integers(0, 256, [rows, held]), True)
    c.set(block_size=block, gather_axis=0, quantize_axis=1)
    if elem == U8:
        c.set(bits=bits)


def bnb4(c):
    block, k, n = c.pick([16, 32, 64]), c.integer(1, 40), c.integer(1, 6)
    c.tensor(F32, c.shape(1, 2, 1, 3) + [k], "normal", False)
    c.add(U8, c.rng.integers(0, 256, [-(-n * k // 2)]), True).add(F32, scale_like(c, [-(-n * k // block)]), True)
    c.set(K=k, N=n, block_size=block, quant_type=c.integer(0, 1))


def mixture(c):
    rows, hidden, inter, experts = c.integer(1, 6), c.pick([4, 8, 16]), c.pick([4, 8, 16]), c.integer(2, 5)
    kind = c.pick(["relu", "gelu", "silu", "identity", "swiglu"])
    wide = 2 * inter if kind == "swiglu" else inter
    c.tensor(F32, c.pick([[rows, hidden], [1, rows, hidden]]), "normal", False).tensor(F32, [rows, experts], "normal", False)
    c.tensor(F32, [experts, wide, hidden], "normal", True)
    c.tensor(F32, [experts, wide], "normal", True) if c.chance(.5) else c.skip()
    c.tensor(F32, [experts, hidden, inter], "normal", True)
    c.tensor(F32, [experts, hidden], "normal", True) if c.chance(.5) else c.skip()
    c.set(k=c.integer(1, min(3, experts)), activation_type=kind).maybe(normalize_routing_weights=1)
    if kind == "swiglu":
        c.set(swiglu_fusion=1, activation_alpha=1.702, activation_beta=1.).maybe(swiglu_limit=7.)


def quantized_mixture(c):
    rows, hidden, inter, experts, bits = c.integer(1, 6), c.pick([16, 32]), c.pick([16, 32]), c.integer(2, 5), c.pick([4, 8])
    kind, per = c.pick(["relu", "gelu", "silu", "identity", "swiglu"]), 8 // bits
    wide = 2 * inter if kind == "swiglu" else inter
    block = c.pick([0, 16]) if bits == 4 else 0  # of blocks of bytes onnxruntime quantises the rows, too
    c.tensor(F32, [rows, hidden], "normal", False).tensor(F32, [rows, experts], "normal", False)
    for out, inner in ((wide, hidden), (hidden, inter)):
        c.add(U8, c.rng.integers(0, 256, [experts, out, inner // per]), True)
        c.add(F32, scale_like(c, [experts, out, inner // block] if block else [experts, out]) * .1, True)
        c.tensor(F32, [experts, out], "normal", True) if c.chance(.5) else c.skip()
    c.set(k=c.integer(1, min(3, experts)), activation_type=kind, expert_weight_bits=bits).maybe(normalize_routing_weights=1)
    if block:
        c.set(block_size=block)
    if kind == "swiglu":
        c.set(swiglu_fusion=1, activation_alpha=1.702, activation_beta=1.)


def quantized_attention(c):
    batch, length, heads, size = c.integer(1, 3), c.integer(1, 5), c.pick([1, 2, 3]), c.pick([2, 4])
    hidden, width, elem = heads * size, c.integer(2, 6), c.pick(BYTES)
    c.frozen_ones = True
    past = c.integer(1, 3) if c.chance(.3) else 0
    one = c.chance(.6)
    weights(c.tensor(U8, [batch, length, width], constant=False), elem, [width, 3 * hidden])
    c.tensor(F32, [3 * hidden], "normal", True).add(F32, np.float32(.02), True)
    c.add(F32, np.float32(.03) if one else scale_like(c, [3 * hidden]) * .1, True)
    kind = c.pick(["none", "ends", "mask"])
    if kind == "ends":
        c.list(c.rng.integers(1, length + past, [batch], endpoint=True), False, I32)
    elif kind == "mask":
        c.list(np.concatenate([np.ones([batch, 1]), c.rng.integers(0, 2, [batch, length + past - 1])], 1), False, I32)
    else:
        c.skip()
    c.tensor(U8, [], "positive", True) if c.chance(.6) else c.skip()
    c.tensor(elem, [] if one else [3 * hidden], "positive", True) if c.chance(.6) else c.skip()
    if past:
        c.tensor(F32, [2, batch, heads, past, size], "normal", False).freeze(-5)
    c.set(num_heads=heads).maybe(.3, unidirectional=1)
    c.outputs = 2 if past or c.chance(.3) else 1


def where_quantized(c):
    shape, elem = c.shape(1), c.pick(BYTES)
    c.tensor(TensorProto.BOOL, c.broadcastable(shape))
    for _ in range(2):
        c.tensor(elem, c.broadcastable(shape)).add(F32, scale_like(c, []), True).tensor(elem, [], "positive", True)
    c.add(F32, scale_like(c, []), True).tensor(elem, [], "positive", True)


def nhwc_pool(c):
    spatial, kernel = [c.integer(3, 7), c.integer(3, 7)], [c.integer(1, 3), c.integer(1, 3)]
    c.tensor(c.pick(BYTES), [c.integer(1, 2), *spatial, c.integer(1, 4)], constant=False)
    window(c, spatial, kernel, True)
    c.set(kernel_shape=kernel).maybe(.3, ceil_mode=1)


def quantized_conv(c):
    spatial, kernel = [c.integer(3, 6), c.integer(3, 6)], [c.integer(1, 3), c.integer(1, 3)]
    groups, last, elem = c.pick([1, 1, 2]), c.integer(0, 1), c.pick(BYTES)
    per, out = c.integer(1, 3), groups * c.integer(1, 2)
    channels = groups * per
    c.tensor(U8, [1, *spatial, channels] if last else [1, channels, *spatial], constant=False).freeze(-1 if last else -3)
    c.add(F32, np.float32(.03), True).tensor(U8, [], "positive", True)
    weights(c, elem, [out, per] + kernel)
    many = [out] if c.chance(.5) else []
    c.add(F32, scale_like(c, many), True).add(elem, np.zeros(many), True)
    c.add(F32, np.float32(.5), True).tensor(U8, [], "positive", True)
    if c.chance(.5):
        c.add(I32, c.rng.integers(-99, 99, [out]), True)
    window(c, spatial, kernel)
    c.set(group=groups, kernel_shape=kernel, channels_last=last)


def inverse(c):
    side = c.integer(1, 5)
    c.tensor(F32, c.shape(0, 2, 1, 3) + [side, side], "normal", False).freeze(-1, -2)
    array, elem, constant = c.inputs[0]
    c.inputs[0] = (array + 6 * np.eye(side, dtype=np.float32), elem, constant)


def quantised_tokens(c):
    batch, length, width, elem = c.integer(1, 3), c.integer(1, 4), c.integer(2, 6), c.pick(BYTES)
    segments = c.chance(.5)
    c.list(c.rng.integers(0, 7, [batch, length]), False, I32)
    c.list(c.rng.integers(0, 2, [batch, length]), False, I32) if segments else c.skip()
    shapes = [[7, width], [5, width], [2, width] if segments else None, [width], [width]]
    draws = (lambda s: c.add(elem, c.numbers(elem, s), True), lambda s: c.add(F32, scale_like(c, []), True),
             lambda s: c.tensor(elem, [], "positive", True))
    for k, draw in enumerate(draws):
        for shape in shapes:
            c.skip() if shape is None else draw(shape)
        if k == 0:
            c.list(c.rng.integers(0, 2, [batch, length]), False, I32) if c.chance(.5) else c.skip()
    c.set(epsilon=1e-3)
    c.outputs = 2


MAKERS = {"QEmbedLayerNormalization": quantised_tokens, "DynamicQuantizeLSTM": dynamic_lstm, "GatherBlockQuantized": gather_blocks, "MatMulBnb4": bnb4, "MoE": mixture, "QMoE": quantized_mixture,
          "QAttention": quantized_attention, "QLinearWhere": where_quantized, "NhwcMaxPool": nhwc_pool, "QLinearConv": quantized_conv, "Inverse": inverse}
