"""Matrix products, recurrent networks, attention and quantised operators."""
import numpy as np
from onnx import TensorProto

from .case import SIGNED

BYTES = [TensorProto.INT8, TensorProto.UINT8]


def product_shapes(c):
    m, k, n = c.integer(1, 9), c.integer(1, 9), c.integer(1, 9)
    batch = c.shape(0, 2, 1, 3)
    other = c.broadcastable(batch)
    if c.chance(.5):
        batch, other = other, batch
    return batch + [m, k], other + [k, n]


def mat_mul(c):
    elem = c.type("T")
    a, b = product_shapes(c)
    if c.chance(.15):
        a = a[-1:]
    if c.chance(.15):
        b = [a[-1]]
    c.tensor(elem, a, "normal").tensor(elem, b, "normal", c.chance(.4))


def gemm(c):
    m, k, n = c.integer(1, 6), c.integer(0 if c.chance(.05) else 1, 6), c.integer(1, 6)
    c.frozen_ones = True
    elem, ta, tb = c.type("T"), c.integer(0, 1), c.integer(0, 1)
    c.tensor(elem, [k, m] if ta else [m, k], "normal").tensor(elem, [n, k] if tb else [k, n], "normal", c.chance(.4))
    if c.version < 11 or c.chance(.7):
        c.tensor(elem, c.broadcastable([m, n]) if c.version >= 7 else [m, n], "normal", c.chance(.4))
    c.maybe(transA=ta) if not ta else c.set(transA=ta)
    c.maybe(transB=tb) if not tb else c.set(transB=tb)
    c.maybe(alpha=2. if elem not in SIGNED else 2.).maybe(beta=3.)


def einsum(c):
    size = {letter: c.integer(1, 4) for letter in "abcde"}
    count = c.integer(1, 3)
    terms = ["".join(c.rng.permutation(list("abcde"))[:c.integer(1, 3)]) for _ in range(count)]
    used = sorted(set("".join(terms)))
    out = "".join(c.rng.permutation(used)[:c.integer(0, len(used))])
    elem = c.type("T", {TensorProto.FLOAT, TensorProto.DOUBLE, TensorProto.INT32, TensorProto.INT64})
    dots = c.shape(0, 2, 1, 3) if c.chance(.3) else None
    for k, term in enumerate(terms):
        here = dots is not None and (k == 0 or c.chance(.5))
        c.tensor(elem, (c.broadcastable(dots) if here and k else dots if here else []) + [size[x] for x in term], "normal")
        terms[k] = ("..." if here else "") + term
    text = ",".join(terms)
    if c.chance(.8):
        text += "->" + ("..." if dots is not None else "") + out
    elif dots is not None:
        text += "->..." + out
    c.set(equation=text)


def det(c):
    n = c.integer(1, 7)
    c.tensor(c.type("T"), c.shape(0, 2, 1, 3) + [n, n], "normal").freeze(-1, -2)


def recurrent(c):
    gates = {"LSTM": 4, "GRU": 3, "RNN": 1}[c.op]
    seq, batch, size, hidden = c.integer(1, 4), c.integer(1, 3), c.integer(1, 4), c.integer(1, 4)
    direction = c.pick(["forward", "reverse", "bidirectional"])
    dirs = 2 if direction == "bidirectional" else 1
    layout = c.integer(0, 1) if c.version >= 14 and c.chance(.2) else 0
    elem = c.type("T", {TensorProto.FLOAT})
    fixed = c.chance(.7)
    c.tensor(elem, [batch, seq, size] if layout else [seq, batch, size], "normal", False)
    c.tensor(elem, [dirs, gates * hidden, size], "normal", fixed).tensor(elem, [dirs, gates * hidden, hidden], "normal", fixed)
    c.tensor(elem, [dirs, 2 * gates * hidden], "normal", fixed) if c.chance(.6) else c.skip()
    c.list(c.rng.integers(1, seq + 1, [batch]), c.chance(.3), TensorProto.INT32) if c.chance(.4) else c.skip()
    state = [batch, dirs, hidden] if layout else [dirs, batch, hidden]
    c.tensor(elem, state, "normal") if c.chance(.5) else c.skip()
    if c.op == "LSTM":
        c.tensor(elem, state, "normal") if c.chance(.5) else c.skip()
        c.tensor(elem, [dirs, 3 * hidden], "normal", fixed) if c.chance(.4) else c.skip()
        c.maybe(.2, input_forget=1)
    c.set(hidden_size=hidden, direction=direction, layout=layout or None)
    c.maybe(.3, clip=.8)
    if c.op == "GRU":
        c.maybe(linear_before_reset=c.integer(0, 1))
    if c.chance(.3):
        names = ["Tanh", "Sigmoid", "Relu", "Softsign", "HardSigmoid", "LeakyRelu", "Elu"]
        each = {"LSTM": 3, "GRU": 2, "RNN": 1}[c.op]
        c.set(activations=[c.pick(names) for _ in range(each * dirs)])
    kept = 3 if c.op == "LSTM" else 2
    c.outputs = [c.chance(.7) for _ in range(kept)]
    if not any(c.outputs):
        c.outputs[0] = True


def scale_like(c, shape):
    return c.rng.uniform(.01, .3, shape)


def quantize(c):
    shape = c.shape(1)
    per_axis = c.version >= 13 and c.chance(.5)
    axis = c.axis(len(shape)) if per_axis else 1
    at = [shape[axis]] if per_axis else []
    if c.op == "QuantizeLinear":
        name = "T2" if c.version < 23 else "T3"
        target = c.type(name)
        elem = c.type("T1", {TensorProto.FLOAT, TensorProto.FLOAT16})
        c.tensor(elem, shape, "normal")
        scale_type = elem if c.version >= 19 else TensorProto.FLOAT
        if c.version >= 19:
            c.maybe(.3, saturate=c.integer(0, 1))
    else:
        target = c.type("T" if c.version < 19 else "T1")
        c.tensor(target, shape)
        scale_type = TensorProto.FLOAT
    zero = c.chance(.7) or target != TensorProto.UINT8 and c.op == "QuantizeLinear"
    c.add(scale_type, scale_like(c, at), c.chance(.6))
    if zero:
        wide = target in BYTES or target in (TensorProto.INT16, TensorProto.UINT16)
        c.add(target, np.abs(c.numbers(TensorProto.INT8, at, "small")) if wide else np.zeros(at), c.chance(.6))
    if per_axis and axis != 1:
        c.set(axis=axis)
    elif per_axis and len(shape) < 2:
        c.set(axis=axis)


def dynamic_quantize(c):
    c.tensor(TensorProto.FLOAT, c.shape(), "normal")
    c.outputs = 3


def zero_point(c, elem, shape=()):
    return c.tensor(elem, shape, "small" if elem == TensorProto.INT8 else "positive", c.chance(.7))


def mat_mul_integer(c):
    a, b = product_shapes(c)
    ta, tb = c.pick(BYTES), c.pick(BYTES)
    c.tensor(ta, a).tensor(tb, b, constant=c.chance(.4))
    if c.chance(.6):
        zero_point(c, ta)
        if c.chance(.7):
            zero_point(c, tb, [b[-1]] if c.chance(.4) else [])


def q_linear_mat_mul(c):
    a, b = product_shapes(c)
    ta, tb = c.pick(BYTES), c.pick(BYTES)
    ty = ta
    columns = [b[-1]] if c.chance(.3) and len(b) == 2 else []
    c.tensor(ta, a).add(TensorProto.FLOAT, scale_like(c, []), c.chance(.6))
    zero_point(c, ta)
    c.tensor(tb, b, constant=c.chance(.6)).add(TensorProto.FLOAT, scale_like(c, columns), c.chance(.6))
    zero_point(c, tb, columns)
    c.add(TensorProto.FLOAT, scale_like(c, []) * 20, c.chance(.6))
    zero_point(c, ty)


def quantized_conv(c):
    from .windows import window
    spatial = [c.integer(3, 6), c.integer(3, 6)]
    kernel, groups = [c.integer(1, 3), c.integer(1, 3)], c.pick([1, 1, 2])
    per, out = c.integer(1, 3), groups * c.integer(1, 3)
    tx, tw = c.pick(BYTES), c.pick(BYTES)
    x, w = [c.integer(1, 2), groups * per] + spatial, [out, per] + kernel
    many = [out] if c.chance(.4) else []
    if c.op == "ConvInteger":
        c.tensor(tx, x).tensor(tw, w, constant=c.chance(.6))
        if c.chance(.6):
            zero_point(c, tx)
            if c.chance(.6):
                zero_point(c, tw, many)
    else:
        c.tensor(tx, x).add(TensorProto.FLOAT, scale_like(c, []), c.chance(.6))
        zero_point(c, tx)
        c.tensor(tw, w, constant=c.chance(.6)).add(TensorProto.FLOAT, scale_like(c, many), c.chance(.6))
        c.add(tw, np.zeros(many), c.chance(.6))
        c.add(TensorProto.FLOAT, scale_like(c, []) * 20, c.chance(.6))
        zero_point(c, tx)
        if c.chance(.5):
            c.add(TensorProto.INT32, c.rng.integers(-500, 500, [out]), c.chance(.6))
    window(c, spatial, kernel)
    if groups > 1:
        c.set(group=groups)


def attention(c):
    batch, heads, queries, keys, size = c.integer(1, 2), c.pick([1, 2, 4]), c.integer(1, 4), c.integer(1, 5), c.pick([2, 4])
    shared = c.pick([h for h in (1, 2, 4) if heads % h == 0])
    c.frozen_ones = True
    values, flat = c.pick([size, 3]), c.chance(.5)
    elem = TensorProto.FLOAT

    def tensor(count, length, width):
        c.tensor(elem, [batch, length, count * width] if flat else [batch, count, length, width], "normal").freeze(-3)

    tensor(heads, queries, size), tensor(shared, keys, size), tensor(shared, keys, values)
    if flat:
        c.set(q_num_heads=heads, kv_num_heads=shared)
    past = c.integer(1, 3) if c.chance(.3) else 0
    if c.chance(.5):
        mask = c.broadcastable([batch, heads, queries, keys + past])
        mask = mask if len(mask) >= 2 else [queries, keys + past]
        mask[-1], mask[-2] = keys + past, queries
        c.tensor(c.pick([elem, TensorProto.BOOL]), mask, "normal")
        if c.inputs[-1][1] == TensorProto.BOOL:
            c.inputs[-1][0][..., 0] = True
    elif past:
        c.skip()
    if past:
        c.tensor(elem, [batch, shared, past, size], "normal").tensor(elem, [batch, shared, past, values], "normal")
        c.outputs = 3
    if queries > 1:  # onnxruntime lets a single query see everything
        c.maybe(.3, is_causal=1)
    c.maybe(.3, scale=.4).maybe(.3, softcap=2.)


MAKERS = {
    "MatMul": mat_mul, "Gemm": gemm, "Einsum": einsum, "Det": det, "LSTM": recurrent, "GRU": recurrent,
    "RNN": recurrent, "QuantizeLinear": quantize, "DequantizeLinear": quantize,
    "DynamicQuantizeLinear": dynamic_quantize, "MatMulInteger": mat_mul_integer, "QLinearMatMul": q_linear_mat_mul,
    "ConvInteger": quantized_conv, "QLinearConv": quantized_conv, "Attention": attention}
