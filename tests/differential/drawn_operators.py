"""The operators of a random graph, each with operands that it takes (random_graphs.py).

A function adds a node or a few to the graph, or raises Impossible where no value fits.
"""
import math

import numpy as np

from drawn_blocks import BLOCKS
from drawn_graph import BOOL, FLOAT, INT8, INT64, Extent, Impossible, Value, least, product, second_of
from drawn_nested import NESTED


def goes_with(a, b):
    """The shape of both together; nothing where there is none at both sizes."""
    out, rank = [], max(len(a), len(b))
    for x, y in zip((1,) * (rank - len(a)) + tuple(a), (1,) * (rank - len(b)) + tuple(b)):
        if x != y and x != 1 and y != 1:
            return None
        out.append(y if x == 1 else x)
    return tuple(out)


def second(graph, value):
    """An operand that goes with a value, another one or weights; and the shape of both together."""
    if graph.r.random() < 0.5:
        other = graph.pick(lambda one: goes_with(one.shape, value.shape) is not None)
        return other, goes_with(other.shape, value.shape)
    shape = graph.narrower(value.shape, 0.6)
    return Value(graph.weights(shape), shape, most=1.0, exact=True), value.shape


UNARY = {  # name: what becomes of `most`, whether exact stays exact
    "Relu": (lambda m: m, True), "Abs": (lambda m: m, True), "Neg": (lambda m: m, True),
    "Identity": (lambda m: m, True), "Sigmoid": (lambda m: 1, False), "Tanh": (lambda m: 1, False),
    "Erf": (lambda m: 1, False), "Softplus": (lambda m: m + 1, False), "Softsign": (lambda m: 1, False),
    "HardSigmoid": (lambda m: 1, False), "HardSwish": (lambda m: m, False), "Elu": (lambda m: m, False),
    "Selu": (lambda m: 2 * m, False), "LeakyRelu": (lambda m: m, False), "Sin": (lambda m: 1, False),
    "Cos": (lambda m: 1, False), "Celu": (lambda m: m, False),
    "ThresholdedRelu": (lambda m: m, None), "Floor": (lambda m: m + 1, None), "Ceil": (lambda m: m + 1, None),
    "Round": (lambda m: m + 1, None), "Sign": (lambda m: 1, None),
}


def unary(graph):
    op = graph.r.choice(list(UNARY))
    most, exact = UNARY[op]
    value = graph.pick(lambda one: one.exact) if exact is None else graph.pick()
    return graph.add(op, [value], value.shape, most=most(value.most), exact=value.exact and exact is not False)


def composed(graph):
    value = graph.pick()
    form = graph.r.choice(["sqrt", "exp", "log", "swish", "gelu", "clip", "pow"])
    if form == "sqrt":  # near 0 it makes a rounding a hundred times as large
        value = graph.pick(lambda one: one.exact)
        return graph.add("Sqrt", [graph.add("Abs", [value], value.shape, exact=value.exact)], value.shape)
    if form == "exp":
        small = graph.add("Clip", [value, graph.weights(()), graph.constant(np.float32(2))], value.shape, most=2.0)
        return graph.add("Exp", [small], value.shape, most=8.0)
    if form == "log":
        apart = graph.add("Add", [graph.add("Abs", [value], value.shape), graph.constant(np.float32(1))], value.shape, most=value.most + 1)
        return graph.add("Log", [apart], value.shape)
    if form == "swish":
        return graph.add("Mul", [value, graph.add("Sigmoid", [value], value.shape, most=1)], value.shape, most=value.most)
    if form == "gelu":
        inner = graph.add("Erf", [graph.add("Mul", [value, graph.constant(np.float32(0.70710677))], value.shape)], value.shape, most=1)
        one = graph.add("Add", [inner, graph.constant(np.float32(1))], value.shape, most=2)
        return graph.add("Mul", [value, one], value.shape, most=2 * value.most)
    if form == "clip":
        return graph.add("Clip", [value, graph.constant(np.float32(-1)), graph.constant(np.float32(1.5))], value.shape,
                         most=min(value.most, 1.5), exact=value.exact)
    return graph.add("Pow", [value, graph.constant(np.float32(graph.r.choice([2, 3])))], value.shape, most=value.most ** 3)


def binary(graph):
    value = graph.pick()
    other, shape = second(graph, value)
    op = graph.r.choice(["Add", "Sub", "Mul", "Max", "Min", "Div", "PRelu", "Mean", "Sum"])
    exact = value.exact and other.exact
    if op == "Div":
        apart = graph.add("Add", [graph.add("Abs", [value], value.shape), graph.constant(np.float32(1))], value.shape, most=value.most + 1)
        return graph.add("Div", [other, apart], shape, most=other.most)
    if op == "PRelu":
        slope = graph.weights([d if graph.r.random() < 0.5 and not isinstance(d, Extent) else 1 for d in value.shape])
        return graph.add("PRelu", [value, slope], value.shape)
    inputs = [value, other] if graph.r.random() < 0.7 else [other, value]
    most = value.most * other.most if op == "Mul" else value.most + other.most if op in ("Add", "Sub", "Sum") else max(value.most, other.most)
    return graph.add(op, inputs, shape, most=most, exact=exact and op in ("Max", "Min"))


def choice(graph):
    value = graph.pick(lambda one: one.exact)
    other, shape = second(graph, value)
    if not other.exact:
        raise Impossible()
    truth = graph.add(graph.r.choice(["Greater", "Less", "GreaterOrEqual", "LessOrEqual", "Equal"]), [value, other], shape, BOOL)
    if graph.r.random() < 0.3:
        truth = graph.add("Not", [truth], shape, BOOL)
    if graph.r.random() < 0.3:
        truth = graph.add(graph.r.choice(["And", "Or", "Xor"]), [truth, truth if graph.r.random() < 0.2 else graph.pick(
            lambda one: one.shape == shape, BOOL)], shape, BOOL)
    if graph.r.random() < 0.3:
        return graph.add("Cast", [truth], shape, most=1.0, exact=True, to=FLOAT)
    yes = graph.pick(lambda one: one.shape == shape)
    return graph.add("Where", [truth, yes, graph.constant(np.float32(0.5))], shape, exact=yes.exact)


def transposed(graph):
    value = graph.pick(lambda one: len(one.shape) > 0, None)
    order = list(range(len(value.shape)))
    graph.r.shuffle(order)
    return graph.add("Transpose", [value], [value.shape[k] for k in order], value.kind, exact=value.exact, perm=order)


def reshaped(graph):
    value = graph.pick(kind=None)
    whole, shape = value.size(), []
    left = math.gcd(whole, second_of(whole)) if isinstance(whole, Extent) else whole
    if isinstance(whole, Extent) and graph.r.random() < 0.5:  # a part of it stays with the open one
        left = graph.r.choice([d for d in range(1, left + 1) if left % d == 0] or [1])
    while left > 1 and len(shape) < 4:
        part = graph.r.choice([d for d in range(1, left + 1) if left % d == 0])
        shape.append(part)
        left //= part
    if isinstance(whole, Extent):
        place = graph.r.randint(0, len(shape))
        wanted = shape[:place] + [-1] + shape[place:]
        shape.insert(place, whole // product(shape))
    else:
        shape.append(left)
        wanted = list(shape)
        if graph.r.random() < 0.3:
            wanted[graph.r.randrange(len(wanted))] = -1
    return graph.add("Reshape", [value, graph.ints(*wanted)], shape, value.kind, exact=value.exact)


def sliced(graph):
    value = graph.pick(lambda one: len(one.shape) > 0, None)
    axis = graph.r.randrange(len(value.shape))
    extent = value.shape[axis]
    step = graph.r.choice([1, 1, 2, 3, -1, -2])
    if isinstance(extent, Extent):  # from a number to the end, which is not known, or so many from the end
        first = graph.r.randint(0, max(least(extent) - 1, 0))
        count, limits = graph.r.choice([((extent - first + 1) // 2, (first, 1 << 40, 2)), (extent - first, (first, 1 << 40, 1)),
                                        (extent - first, (-1 - first, -(1 << 40), -1)), (extent - first, (0, -first or 1 << 40, 1)),
                                        (first + 1, (-1 - first, 1 << 40, 1)), (first + 1, (first, -(1 << 40), -1))])
        return graph.add("Slice", [value] + [graph.ints(n) for n in limits[:2] + (axis,) + limits[2:]],
                         value.shape[:axis] + (count,) + value.shape[axis + 1:], value.kind, exact=value.exact)
    first, last = graph.r.randint(0, extent), graph.r.randint(0, extent)
    if step < 0:
        first, last = max(first, last) - 1, min(first, last) - 1
    else:
        first, last = min(first, last), max(first, last)
    count = len(range(first, last, step))
    if first < 0 or (count == 0 and graph.r.random() < 0.9):
        raise Impossible()
    end = last if last >= 0 else -1000
    return graph.add("Slice", [value] + [graph.ints(n) for n in (first, end, axis, step)],
                     value.shape[:axis] + (count,) + value.shape[axis + 1:], value.kind, exact=value.exact)


def concatenated(graph):
    value = graph.pick(lambda one: len(one.shape) > 0, None)
    axis = graph.r.randrange(len(value.shape))
    around = value.shape[:axis] + (0,) + value.shape[axis + 1:]
    parts = [value]
    for _ in range(graph.r.randint(1, 3)):
        parts.append(graph.pick(lambda one: len(one.shape) == len(around) and
                                one.shape[:axis] + (0,) + one.shape[axis + 1:] == around, value.kind))
    graph.r.shuffle(parts)
    return graph.add("Concat", parts, value.shape[:axis] + (sum(one.shape[axis] for one in parts),) + value.shape[axis + 1:],
                     value.kind, exact=all(one.exact for one in parts), axis=axis)


def divided(graph):
    value = graph.pick(lambda one: any(d > 1 for d in one.shape), None)
    axis = graph.r.choice([k for k, d in enumerate(value.shape) if d > 1])
    first = graph.r.randint(1, value.shape[axis] - 1)
    out = graph.add("Split", [value, graph.ints(first, value.shape[axis] - first)],
                    value.shape[:axis] + (first,) + value.shape[axis + 1:], value.kind, exact=value.exact, extra=1, axis=axis)
    name = graph.nodes[-1].output[1]
    graph.values.append(Value(name, value.shape[:axis] + (value.shape[axis] - first,) + value.shape[axis + 1:], value.kind,
                              most=value.most, exact=value.exact))
    return out


def padded(graph):
    value = graph.pick(lambda one: len(one.shape) > 0)
    mode = graph.r.choice(["constant", "reflect", "edge"])
    most = [3 if mode != "reflect" else min(3, least(d) - 1) for d in value.shape]
    begin = [graph.r.choice([0, 0, graph.r.randint(0, m)]) for m in most]
    end = [graph.r.choice([0, 0, graph.r.randint(0, m)]) for m in most]
    return graph.add("Pad", [value, graph.ints(*begin, *end)],
                     [d + b + e for d, b, e in zip(value.shape, begin, end)], exact=value.exact, mode=mode)


def gathered(graph):
    value = graph.pick(lambda one: len(one.shape) > 0 and 0 not in one.shape, None)
    axis = graph.r.randrange(len(value.shape))
    extent = least(value.shape[axis])
    places = graph.n.integers(-extent, extent, [graph.r.randint(1, 5)] if graph.r.random() < 0.8 else [])
    return graph.add("Gather", [value, graph.constant(places.astype(np.int64))],
                     value.shape[:axis] + places.shape + value.shape[axis + 1:], value.kind, exact=value.exact, axis=axis)


def expanded(graph):
    value = graph.pick(lambda one: any(d == 1 for d in one.shape), None)
    shape = [graph.r.choice([1, 2, 3, 5]) if d == 1 else d for d in value.shape]
    return graph.add("Expand", [value, graph.ints(*shape)], shape, value.kind, exact=value.exact)


def squeezed(graph):
    value = graph.pick(kind=None)
    if 1 in value.shape and graph.r.random() < 0.6:
        axis = value.shape.index(1)
        return graph.add("Squeeze", [value, graph.ints(axis)], value.shape[:axis] + value.shape[axis + 1:], value.kind, exact=value.exact)
    axis = graph.r.randint(0, len(value.shape))
    return graph.add("Unsqueeze", [value, graph.ints(axis)], value.shape[:axis] + (1,) + value.shape[axis:], value.kind, exact=value.exact)


def tiled(graph):
    value = graph.pick(lambda one: len(one.shape) > 0, None)
    times = [graph.r.choice([1, 1, 2, 3]) for _ in value.shape]
    return graph.add("Tile", [value, graph.ints(*times)], [d * t for d, t in zip(value.shape, times)], value.kind, exact=value.exact)


def resized(graph):
    value = graph.pick(lambda one: len(one.shape) == 4)
    mode = graph.r.choice(["nearest", "linear"])
    how = "asymmetric" if mode == "nearest" else graph.r.choice(["half_pixel", "align_corners", "asymmetric"])
    more = {"nearest_mode": "floor"} if mode == "nearest" else {}
    if any(isinstance(d, Extent) for d in value.shape):
        scales = [1, 1] + [graph.r.choice([1, 2, 3]) for _ in range(2)]
        return graph.add("Resize", [value, "", graph.constant(np.array(scales, np.float32))], [d * k for d, k in zip(value.shape, scales)],
                         exact=value.exact and mode == "nearest", mode=mode, coordinate_transformation_mode=how, **more)
    sizes = list(value.shape[:2]) + [graph.r.choice([d, 2 * d, max(1, d // 2), d + 1]) for d in value.shape[2:]]
    return graph.add("Resize", [value, "", "", graph.ints(*sizes)], sizes, exact=value.exact and mode == "nearest",
                     mode=mode, coordinate_transformation_mode=how, **more)


def spaced(graph):
    value = graph.pick(lambda one: len(one.shape) == 4 and (one.shape[1] % 4 == 0 or one.shape[2] % 2 + one.shape[3] % 2 == 0))
    n, c, h, w = value.shape
    if c % 4 == 0:
        return graph.add("DepthToSpace", [value], (n, c // 4, 2 * h, 2 * w), exact=value.exact, blocksize=2,
                         mode=graph.r.choice(["DCR", "CRD"]))
    return graph.add("SpaceToDepth", [value], (n, 4 * c, h // 2, w // 2), exact=value.exact, blocksize=2)


def reduced(graph):
    value = graph.pick(lambda one: len(one.shape) > 0)
    axes = sorted(graph.r.sample(range(len(value.shape)), graph.r.randint(1, len(value.shape))))
    keep = graph.r.randint(0, 1)
    shape = [1 if k in axes else d for k, d in enumerate(value.shape) if k not in axes or keep]
    count = int(np.prod([value.shape[k] for k in axes]))
    op = graph.r.choice(["ReduceSum", "ReduceMean", "ReduceMax", "ReduceMin", "ReduceL1", "ReduceL2", "ReduceSumSquare"])
    most = {"ReduceSum": count * value.most, "ReduceL1": count * value.most, "ReduceSumSquare": count * value.most ** 2,
            "ReduceL2": count * value.most}.get(op, value.most)
    exact = value.exact and op in ("ReduceMax", "ReduceMin")
    if op == "ReduceSum" or graph.opset >= 18:
        return graph.add(op, [value, graph.ints(*axes)], shape, most=most, exact=exact, keepdims=keep)
    return graph.add(op, [value], shape, most=most, exact=exact, axes=axes, keepdims=keep)


def placed(graph):
    value = graph.pick(lambda one: one.exact and len(one.shape) > 0)
    axis = graph.r.randrange(len(value.shape))
    if graph.r.random() < 0.5:
        keep = graph.r.randint(0, 1)
        places = graph.add(graph.r.choice(["ArgMax", "ArgMin"]), [value],
                           value.shape[:axis] + (1,) * keep + value.shape[axis + 1:], INT64, axis=axis, keepdims=keep)
        return graph.add("Cast", [places], places.shape, most=value.shape[axis], exact=True, to=FLOAT)
    count = graph.r.randint(min(1, least(value.shape[axis])), least(value.shape[axis]))
    return graph.add("TopK", [value, graph.ints(count)], value.shape[:axis] + (count,) + value.shape[axis + 1:],
                     exact=True, extra=1, axis=axis, largest=graph.r.randint(0, 1))


def normalized(graph):
    op = graph.r.choice(["Softmax", "LogSoftmax", "LayerNormalization", "BatchNormalization", "InstanceNormalization", "LpNormalization"])
    if op in ("BatchNormalization", "InstanceNormalization"):
        value = graph.pick(lambda one: len(one.shape) >= (2 if op[0] == "B" else 3))
        c = value.shape[1]
        inputs = [value, graph.weights([c]), graph.weights([c])]
        if op[0] == "B":
            inputs += [graph.weights([c]), graph.constant((graph.n.integers(4, 17, [c]) / 8).astype(np.float32))]
        return graph.add(op, inputs, value.shape, most=2 * value.most + 2 if op[0] == "B" else 18.0, epsilon=0.01)
    value = graph.pick(lambda one: len(one.shape) > 0)
    axis = graph.r.randrange(len(value.shape))
    if op == "LayerNormalization" and graph.opset < 17:
        raise Impossible()
    if op == "LayerNormalization":
        shape = value.shape[axis:]
        return graph.add(op, [value, graph.weights(shape), graph.weights(shape)], value.shape, most=18.0, axis=axis, epsilon=0.01)
    if op == "LpNormalization":  # of nothing but zeros it is none
        apart = graph.add("Add", [graph.add("Abs", [value], value.shape), graph.constant(np.float32(0.5))], value.shape, most=value.most + 1)
        return graph.add(op, [apart], value.shape, most=1.0, axis=axis, p=graph.r.choice([1, 2]))
    return graph.add(op, [value], value.shape, most=1.0 if op == "Softmax" else 2 * value.most + 4, axis=axis)


def multiplied(graph):
    value = graph.pick(lambda one: len(one.shape) >= 2)
    k = value.shape[-1]
    if graph.r.random() < 0.3:
        other = graph.pick(lambda one: len(one.shape) >= 2 and one.shape[-2] == k and
                           goes_with(one.shape[:-2], value.shape[:-2]) is not None)
        return graph.add("MatMul", [value, other], goes_with(other.shape[:-2], value.shape[:-2]) + (value.shape[-2], other.shape[-1]),
                         most=k * value.most * other.most)
    n = graph.r.choice([1, 2, 3, 5, 8, 13, 16, 24])
    if len(value.shape) == 2 and graph.r.random() < 0.5:
        turned = graph.r.randint(0, 1)
        return graph.add("Gemm", [value, graph.weights([n, k] if turned else [k, n], 1 / k), graph.weights([n])],
                         (value.shape[0], n), most=value.most + 1, transB=turned)
    return graph.add("MatMul", [value, graph.weights([k, n], 1 / k)], value.shape[:-1] + (n,), most=value.most)


def convolved(graph):
    value = graph.pick(lambda one: len(one.shape) in (3, 4))
    c, planes = value.shape[1], value.shape[2:]
    groups = graph.r.choice([g for g in (1, 1, 2, 3, c) if c % g == 0])
    out = groups * graph.r.choice([1, 2, 4, 5])
    taps = [graph.r.choice([1, 2, 3, 3, 5]) for _ in planes]
    strides = [graph.r.choice([1, 1, 2, 3]) for _ in planes]
    apart = [graph.r.choice([1, 1, 2]) for _ in planes]
    begin, end = ([graph.r.randint(0, t - 1) for t in taps] for _ in range(2))
    scale = 1 / (c // groups * int(np.prod(taps)))
    if graph.r.random() < 0.25:
        shape = [(d - 1) * s + (t - 1) * a + 1 - b - e for d, s, t, a, b, e in zip(planes, strides, taps, apart, begin, end)]
        if min(shape) < 1:
            raise Impossible()
        return graph.add("ConvTranspose", [value, graph.weights([c, out // groups] + taps, scale), graph.weights([out])],
                         [value.shape[0], out] + shape, most=c * value.most + 1, group=groups, strides=strides,
                         dilations=apart, pads=begin + end)
    shape = [(d + b + e - (t - 1) * a - 1) // s + 1 for d, s, t, a, b, e in zip(planes, strides, taps, apart, begin, end)]
    if min(shape) < 1 or any(d + b + e < (t - 1) * a + 1 for d, t, a, b, e in zip(planes, taps, apart, begin, end)):
        raise Impossible()
    inputs = [value, graph.weights([out, c // groups] + taps, scale)] + ([graph.weights([out])] if graph.r.random() < 0.7 else [])
    return graph.add("Conv", inputs, [value.shape[0], out] + shape, most=value.most + 1, group=groups, strides=strides,
                     dilations=apart, pads=begin + end)


def pooled(graph):
    value = graph.pick(lambda one: len(one.shape) in (3, 4))
    if graph.r.random() < 0.25:
        op = graph.r.choice(["GlobalAveragePool", "GlobalMaxPool"])
        return graph.add(op, [value], value.shape[:2] + (1,) * (len(value.shape) - 2), exact=value.exact and op == "GlobalMaxPool")
    planes = value.shape[2:]
    taps = [graph.r.randint(1, max(1, min(3, least(d)))) for d in planes]
    strides = [graph.r.choice([1, 2]) for _ in planes]
    begin, end = ([graph.r.randint(0, t - 1) for t in taps] for _ in range(2))
    shape = [(d + b + e - t) // s + 1 for d, s, t, b, e in zip(planes, strides, taps, begin, end)]
    if graph.r.random() < 0.5:
        return graph.add("MaxPool", [value], value.shape[:2] + tuple(shape), exact=value.exact, kernel_shape=taps, strides=strides, pads=begin + end)
    return graph.add("AveragePool", [value], value.shape[:2] + tuple(shape), kernel_shape=taps, strides=strides, pads=begin + end,
                     count_include_pad=graph.r.randint(0, 1))


def recurrent(graph):
    value = graph.pick(lambda one: len(one.shape) == 3)
    steps, batch, width = value.shape
    hidden = graph.r.choice([1, 3, 4, 8])
    op, gates = graph.r.choice([("LSTM", 4), ("GRU", 3), ("RNN", 1)])
    return graph.add(op, [value, graph.weights([1, gates * hidden, width], 1 / width), graph.weights([1, gates * hidden, hidden], 0.3),
                          graph.weights([1, 2 * gates * hidden])], (steps, 1, batch, hidden), most=1.0, hidden_size=hidden)


def quantized(graph):
    value = graph.pick(lambda one: one.exact)
    scale, zero = graph.constant(np.float32(0.25)), graph.constant(np.int8(graph.r.randint(-20, 20)))
    lower = graph.add("QuantizeLinear", [value, scale, zero], value.shape, INT8)
    return graph.add("DequantizeLinear", [lower, scale, zero], value.shape, most=40.0, exact=True)


def summed_along(graph):
    value = graph.pick(lambda one: len(one.shape) > 0)
    axis = graph.r.randrange(len(value.shape))
    return graph.add("CumSum", [value, graph.constant(np.int64(axis))], value.shape, most=value.most * value.shape[axis],
                     exclusive=graph.r.randint(0, 1), reverse=graph.r.randint(0, 1))


OPERATORS = ([unary] * 4 + [composed] * 2 + [binary] * 5 + [choice] * 2 + [transposed] * 2 + [reshaped] * 2 + [sliced] * 2 +
             [concatenated] * 2 + [divided, padded, gathered, expanded, squeezed, tiled, resized, spaced, placed, recurrent, quantized,
              summed_along] + [reduced] * 2 + [normalized] * 2 + [multiplied] * 4 + [convolved] * 4 + [pooled] * 2 + BLOCKS + NESTED)
