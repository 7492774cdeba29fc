"""One step of a random graph: picks values that fit and adds nodes. A shape is a list of numbers, -1 is the batch,
which is always the first dimension where it occurs. Unfit where nothing fits."""
import numpy as np
from onnx import TensorProto

F32 = TensorProto.FLOAT
REAL = (TensorProto.FLOAT, TensorProto.FLOAT16, TensorProto.DOUBLE)
LONG = TensorProto.INT64


class Unfit(Exception):
    """No value of the graph suits the step."""


def real(name, elem, shape):
    return elem in REAL


def single(rank):
    return lambda name, elem, shape: elem == F32 and len(shape) == rank


def at_least(rank):
    return lambda name, elem, shape: len(shape) >= rank


def unary(g):
    name, elem, shape = g.value(real)
    op = g.pick("Relu Tanh Sigmoid Neg Abs Floor Softplus Erf Exp LeakyRelu HardSigmoid Elu Clip Identity".split())
    if op == "Exp":  # keep numbers in range
        name, = g.add("Tanh", [name], [(elem, shape)])
    if elem == TensorProto.DOUBLE and op in ("Softplus", "Erf", "LeakyRelu", "HardSigmoid", "Elu"):
        op = "Tanh"
    if elem == TensorProto.FLOAT16 and op in ("Erf", "Softplus"):
        op = "Abs"
    if op == "Clip":
        dtype = {F32: np.float32, TensorProto.FLOAT16: np.float16, TensorProto.DOUBLE: np.float64}[elem]
        g.add(op, [name, g.constant(dtype(-.5)), g.pick(["", g.constant(dtype(1.5))])], [(elem, shape)])
    else:
        g.add(op, [name], [(elem, shape)])


def same_or_constant(g, elem, shape, name):
    """An operand that broadcasts into `shape` without widening it."""
    if g.chance(.5):
        fit = [n for n, e, s in g.values if e == elem and fits_into(s, shape)]
        return g.pick(fit)
    fixed = [1 if n == -1 or g.chance(.2) else n for n in shape]
    fixed = fixed[g.integer(0, len(fixed)):]
    if elem in REAL:
        return g.real(fixed, elem)
    return g.constant(g.rng.integers(1, 5, fixed).astype({LONG: np.int64, TensorProto.INT32: np.int32}[elem]))


def fits_into(small, large):
    if len(small) > len(large):
        return False
    return all(a == b or a == 1 for a, b in zip(small[::-1], large[::-1]))


def binary(g):
    name, elem, shape = g.value(lambda n, e, s: e in REAL or e in (LONG, TensorProto.INT32))
    other = same_or_constant(g, elem, shape, name)
    op = g.pick(["Add", "Sub", "Mul", "Max", "Min"])
    operands = [name, other] if g.chance(.5) else [other, name]
    out, = g.add(op, operands, [(elem, shape)])
    if op == "Mul" and elem in REAL and g.chance(.7):  # keep numbers small
        g.add("Tanh", [out], [(elem, shape)])


def outer(g):
    """Both operands are stretched."""
    name, elem, shape = g.value(lambda n, e, s: e == F32 and 1 <= len(s) <= 3)
    g.add("Add", [name, g.real([3] + [1] * len(shape))], [(elem, [3] + shape)]) if shape[0] != -1 else \
        g.add("Mul", [name, g.real([1] * (len(shape) - 1) + [1])], [(elem, shape)])


def compare(g):
    name, elem, shape = g.value(real)
    other = same_or_constant(g, elem, shape, name)
    flag, = g.add(g.pick(["Less", "Greater", "Equal"]), [name, other], [(TensorProto.BOOL, shape)])
    if g.chance(.7):
        g.add("Where", [flag, name, other], [(elem, shape)])
    else:
        g.add("Cast", [flag], [(elem, shape)], to=elem)


def cast(g):
    name, elem, shape = g.value()
    # Not to f64: what was computed in f32 before is not exact in it.
    to = g.pick([F32, F32, TensorProto.FLOAT16, LONG, TensorProto.INT32])
    if to in (LONG, TensorProto.INT32) and elem in REAL:
        name, = g.add("Tanh", [name], [(elem, shape)])
        name, = g.add("Round", [name], [(elem, shape)])  # nearly whole numbers must not depend on the last bit
    g.add("Cast", [name], [(to, shape)], to=to)


def transpose(g):
    name, elem, shape = g.value(at_least(2))
    perm = [int(p) for p in g.rng.permutation(len(shape))]
    if shape[0] == -1 and g.chance(.6):
        perm = [0] + [p for p in perm if p]
    if -1 in shape and perm[0] != 0 and g.chance(.5):
        raise Unfit
    g.add("Transpose", [name], [(elem, [shape[p] for p in perm])], perm=perm)


def reshape(g):
    name, elem, shape = g.value(lambda n, e, s: s.count(-1) <= 1)
    fixed = int(np.prod([n for n in shape if n != -1]))
    parts = []
    rest = fixed
    while rest > 1 and len(parts) < 3 and g.chance(.7):
        factor = g.pick([f for f in range(2, rest + 1) if rest % f == 0])
        parts.append(factor)
        rest //= factor
    if rest > 1 or not parts and -1 not in shape:
        parts.append(rest)
    if -1 in shape:
        at = g.pick([0, 0, 0, len(parts)])
        parts.insert(at, -1)
        target = [0 if k == 0 and n == -1 and shape[0] == -1 and g.chance(.3) else n for k, n in enumerate(parts)]
    else:
        target = list(parts)
        if target and g.chance(.3):
            target[g.integer(0, len(target) - 1)] = -1
    g.add("Reshape", [name, g.constant(np.array(target, np.int64))], [(elem, parts)])


def flatten_dynamic(g):
    """The batch taken from Shape, as exporters do."""
    name, elem, shape = g.value(lambda n, e, s: len(s) >= 2 and s[0] == -1 and -1 not in s[1:])
    size, = g.add("Shape", [name], [(LONG, [len(shape)])])
    first, = g.add("Gather", [size, g.constant(np.int64(0))], [(LONG, [])])
    up, = g.add("Unsqueeze", [first, g.constant(np.array([0]))], [(LONG, [1])])
    target, = g.add("Concat", [up, g.constant(np.array([-1]))], [(LONG, [2])], axis=0)
    g.add("Reshape", [name, target], [(elem, [-1, int(np.prod(shape[1:]))])])


def squeeze(g):
    name, elem, shape = g.value(lambda n, e, s: len(s) <= 4)
    if 1 in shape and g.chance(.6):
        axis = shape.index(1)
        g.add("Squeeze", [name, g.constant(np.array([axis]))], [(elem, shape[:axis] + shape[axis + 1:])])
    else:
        axis = g.integer(1 if shape[:1] == [-1] else 0, len(shape))
        g.add("Unsqueeze", [name, g.constant(np.array([axis]))], [(elem, shape[:axis] + [1] + shape[axis:])])


def fixed_axis(g, shape):
    axes = [k for k, n in enumerate(shape) if n > 0]
    if not axes:
        raise Unfit
    return g.pick(axes)


def slices(g):
    name, elem, shape = g.value(at_least(1))
    axis = fixed_axis(g, shape)
    n = shape[axis]
    step = g.pick([1, 1, 1, 2, -1, -2])
    start, end = sorted([g.integer(0, n), g.integer(0, n)])
    if start == end and not g.chance(.1):
        end = n if start < n else end
        start = 0 if start == n else start
    if step < 0:
        start, end = end - 1 if end else 0, start - 1 if start else -n - 1
    out = list(shape)
    out[axis] = len(range(n)[slice(start, None if end == -n - 1 else end, step)])
    g.add("Slice", [name] + [g.constant(np.array([v])) for v in (start, end, axis, step)], [(elem, out)])


def pad(g):
    name, elem, shape = g.value(lambda n, e, s: e in REAL and len(s) >= 1)
    axis = fixed_axis(g, shape)
    mode = g.pick(["constant", "reflect", "edge"])
    before, after = g.integer(0, min(2, shape[axis] - 1)), g.integer(0, min(2, shape[axis] - 1))
    pads = np.zeros(2 * len(shape), np.int64)
    pads[axis], pads[axis + len(shape)] = before, after
    out = list(shape)
    out[axis] += before + after
    g.add("Pad", [name, g.constant(pads)], [(elem, out)], mode=mode)


def concat(g):
    name, elem, shape = g.value(at_least(1))
    axis = fixed_axis(g, shape)
    names, out = [name], list(shape)
    for _ in range(g.integer(1, 3)):
        fits = [(n, s) for n, e, s in g.values if e == elem and len(s) == len(shape)
                and all(a == b for k, (a, b) in enumerate(zip(s, shape)) if k != axis) and s[axis] >= 0]
        other, other_shape = g.pick(fits)
        names.append(other)
        out[axis] += other_shape[axis]
    if out[axis] > 64:
        raise Unfit
    g.add("Concat", names, [(elem, out)], axis=axis)


def split(g):
    name, elem, shape = g.value(at_least(1))
    axis = fixed_axis(g, shape)
    if shape[axis] < 2:
        raise Unfit
    first = g.integer(1, shape[axis] - 1)
    sizes = [first, shape[axis] - first]
    parts = [(elem, shape[:axis] + [n] + shape[axis + 1:]) for n in sizes]
    g.add("Split", [name, g.constant(np.array(sizes))], parts, axis=axis)


def gather(g):
    name, elem, shape = g.value(at_least(1))
    axis = fixed_axis(g, shape)
    at = g.pick([[], [2], [3]])
    indices = g.rng.integers(-shape[axis], shape[axis], at).astype(np.int64)
    g.add("Gather", [name, g.constant(indices)], [(elem, shape[:axis] + at + shape[axis + 1:])], axis=axis)


def expand(g):
    name, elem, shape = g.value(lambda n, e, s: 1 in s and len(s) <= 4)
    axis = shape.index(1)
    target = [1] * len(shape)
    target[axis] = 3
    g.add("Expand", [name, g.constant(np.array(target))], [(elem, shape[:axis] + [3] + shape[axis + 1:])])


def reduce(g):
    name, elem, shape = g.value(lambda n, e, s: e == F32 and len(s) >= 1)
    axis, keep = fixed_axis(g, shape), g.integer(0, 1)
    out = shape[:axis] + [1] * keep + shape[axis + 1:]
    op = g.pick(["ReduceSum", "ReduceMean", "ReduceMax", "ReduceL2"])
    if op == "ReduceSum" or g.opset >= 18:
        g.add(op, [name, g.constant(np.array([axis]))], [(elem, out)], keepdims=keep)
    else:
        g.add(op, [name], [(elem, out)], axes=[axis], keepdims=keep)


def row(g):
    name, elem, shape = g.value(lambda n, e, s: e == F32 and len(s) >= 1)
    axis = fixed_axis(g, shape)
    g.add(g.pick(["Softmax", "LogSoftmax"]), [name], [(elem, shape)], axis=g.pick([axis, axis - len(shape)]))


def layer_norm(g):
    name, elem, shape = g.value(lambda n, e, s: e == F32 and len(s) >= 2 and s[-1] > 1)
    n = shape[-1]
    if g.opset >= 17 and g.chance(.5):
        g.add("LayerNormalization", [name, g.real([n]), g.real([n])], [(elem, shape)], axis=-1)
        return
    axes = {"axes": [-1]} if g.opset < 18 else {}
    extra = [g.constant(np.array([-1]))] if g.opset >= 18 else []
    flat = shape[:-1] + [1]
    mean, = g.add("ReduceMean", [name] + extra, [(elem, flat)], **axes)
    centred, = g.add("Sub", [name, mean], [(elem, shape)])
    square, = g.add("Mul", [centred, centred], [(elem, shape)])
    variance, = g.add("ReduceMean", [square] + extra, [(elem, flat)], **axes)
    more, = g.add("Add", [variance, g.constant(np.float32(1e-3))], [(elem, flat)])
    root, = g.add("Sqrt", [more], [(elem, flat)])
    g.add("Div", [centred, root], [(elem, shape)])


def mat_mul(g):
    name, elem, shape = g.value(lambda n, e, s: e == F32 and len(s) >= 2 and s[-1] > 0)
    k = shape[-1]
    if g.chance(.3):
        fits = [(n, s) for n, e, s in g.values if e == F32 and len(s) == len(shape) and s[:-2] == shape[:-2]
                and s[-2] == k]
        if not fits:
            raise Unfit
        other, other_shape = g.pick(fits)
        out, = g.add("MatMul", [name, other], [(elem, shape[:-1] + other_shape[-1:])])
        shape = shape[:-1] + other_shape[-1:]
    else:
        n = g.pick([1, 3, 4, 6, 8, 17])
        out, = g.add("MatMul", [name, g.real([k, n])], [(elem, shape[:-1] + [n])])
        shape = shape[:-1] + [n]
        if g.chance(.5):
            out, = g.add("Add", [out, g.real([n])], [(elem, shape)])
    if g.chance(.6):
        g.add(g.pick(["Relu", "Tanh", "Sigmoid"]), [out], [(elem, shape)])


def gemm(g):
    name, elem, shape = g.value(lambda n, e, s: e == F32 and len(s) == 2 and s[1] > 0)
    n = g.pick([1, 4, 6, 16])
    g.add("Gemm", [name, g.real([n, shape[1]]), g.real([n])], [(elem, [shape[0], n])], transB=1, alpha=.5)


def conv(g):
    name, elem, shape = g.value(lambda n, e, s: e == F32 and len(s) == 4 and -1 not in s[1:] and min(s[1:]) >= 1)
    _, channels, h, w = shape
    k = g.pick([1, 3]) if min(h, w) >= 2 else 1
    stride, pad_by = g.pick([1, 2]), k // 2
    depthwise = g.chance(.25)
    out = channels if depthwise else g.pick([2, 3, 4, 8])
    size = [(n + 2 * pad_by - k) // stride + 1 for n in (h, w)]
    weight = g.real([out, 1 if depthwise else channels, k, k])
    y, = g.add("Conv", [name, weight] + ([g.real([out])] if g.chance(.5) else []), [(elem, [shape[0], out] + size)],
               group=channels if depthwise else 1, strides=[stride] * 2, pads=[pad_by] * 4)
    if g.chance(.4):
        scale = [g.real([out]) for _ in range(3)] + [g.constant(np.abs(g.rng.standard_normal(out)).astype(np.float32) + 1)]
        y, = g.add("BatchNormalization", [y] + scale, [(elem, [shape[0], out] + size)])
    if g.chance(.6):
        g.add(g.pick(["Relu", "HardSigmoid", "Tanh"]), [y], [(elem, [shape[0], out] + size)])


def pool(g):
    name, elem, shape = g.value(lambda n, e, s: e == F32 and len(s) == 4 and -1 not in s[1:] and min(s[2:]) >= 2)
    if g.chance(.3):
        g.add("GlobalAveragePool", [name], [(elem, shape[:2] + [1, 1])])
        return
    size = [n // 2 for n in shape[2:]]
    g.add(g.pick(["MaxPool", "AveragePool"]), [name], [(elem, shape[:2] + size)], kernel_shape=[2, 2], strides=[2, 2])


def upsample(g):
    name, elem, shape = g.value(lambda n, e, s: e == F32 and len(s) == 4 and -1 not in s[1:] and 1 <= max(s[2:]) <= 8)
    g.add("Resize", [name, "", g.constant(np.array([1, 1, 2, 2], np.float32))],
          [(elem, shape[:2] + [2 * n for n in shape[2:]])], mode=g.pick(["nearest", "linear"]),
          coordinate_transformation_mode="asymmetric", nearest_mode="floor")


def arg_max(g):
    name, elem, shape = g.value(lambda n, e, s: e == F32 and len(s) >= 1)
    axis = fixed_axis(g, shape)
    g.add("ArgMax", [name], [(LONG, shape[:axis] + shape[axis + 1:])], axis=axis, keepdims=0)


def scatter(g):
    name, elem, shape = g.value(lambda n, e, s: e == F32 and len(s) >= 1 and -1 not in s and s[0] > 1)
    rows = g.rng.permutation(shape[0])[:2].reshape(-1, 1).astype(np.int64)
    g.add("ScatterND", [name, g.constant(rows), g.real([len(rows)] + shape[1:])], [(elem, shape)])


def cumulative(g):
    name, elem, shape = g.value(lambda n, e, s: e in (F32, LONG) and len(s) >= 1)
    axis = fixed_axis(g, shape)
    g.add("CumSum", [name, g.constant(np.int64(axis))], [(elem, shape)], exclusive=g.integer(0, 1),
          reverse=g.integer(0, 1))


def quantized(g):
    name, elem, shape = g.value(lambda n, e, s: e == F32 and len(s) >= 1)
    scale, zero = g.constant(np.float32(.05)), g.constant(np.uint8(128))
    q, = g.add("QuantizeLinear", [name, scale, zero], [(TensorProto.UINT8, shape)])
    g.add("DequantizeLinear", [q, scale, zero], [(elem, shape)])


def attention(g):
    name, elem, shape = g.value(lambda n, e, s: e == F32 and len(s) == 3 and -1 not in s[1:] and s[2] % 2 == 0 and s[2])
    length, width = shape[1:]
    heads = []
    for perm in ([0, 2, 1, 3], [0, 2, 3, 1], [0, 2, 1, 3]):
        x, = g.add("MatMul", [name, g.real([width, width])], [(elem, shape)])
        x, = g.add("Reshape", [x, g.constant(np.array([0, 0, 2, width // 2]))], [(elem, shape[:2] + [2, width // 2])])
        out = [shape[0], 2, length, width // 2]
        out = out if perm[3] == 3 else out[:2] + [out[3], out[2]]
        heads.append(g.add("Transpose", [x], [(elem, out)], perm=perm)[0])
    score, = g.add("MatMul", heads[:2], [(elem, [shape[0], 2, length, length])])
    score, = g.add("Mul", [score, g.constant(np.float32(.3))], [(elem, [shape[0], 2, length, length])])
    score, = g.add("Softmax", [score], [(elem, [shape[0], 2, length, length])], axis=-1)
    y, = g.add("MatMul", [score, heads[2]], [(elem, [shape[0], 2, length, width // 2])])
    y, = g.add("Transpose", [y], [(elem, [shape[0], length, 2, width // 2])], perm=[0, 2, 1, 3])
    y, = g.add("Reshape", [y, g.constant(np.array([0, 0, width]))], [(elem, shape)])
    g.add("Add", [y, name], [(elem, shape)])


STEPS = [unary] * 5 + [binary] * 5 + [outer, compare, cast] + [transpose, reshape, slices, concat] * 2 + [
    flatten_dynamic, squeeze, pad, split, gather, expand, reduce, row, layer_norm, mat_mul, mat_mul, gemm, conv, conv,
    conv, pool, upsample, arg_max, scatter, cumulative, quantized, attention]
