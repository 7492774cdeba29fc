"""What a random graph has beside single operators of f32 (random_graphs.py): other kinds of numbers, and the blocks that exporters
write: sizes taken from Shape, a normalisation in its parts, a head of attention, a convolution with what follows it.
"""
import numpy as np

from drawn_graph import BOOL, DOUBLE, FLOAT, FLOAT16, INT32, INT64, OTHERS, Impossible, fixed, least, product

WHOLE = (INT32, INT64)


def numbers(graph, kind, shape):
    """A constant of the kind that goes with `shape` and does not widen it."""
    return graph.constant(graph.numbers(kind, graph.narrower(shape, 0.7)))


def of_other_kind(graph, test=lambda one: True):
    return graph.pick(lambda one: one.kind in OTHERS and test(one), None)


def cast(graph):
    value = graph.pick(kind=None)
    # Not to f64: what was computed in f32 before is not exact in it.
    kind = graph.r.choice([FLOAT, FLOAT, FLOAT16, INT32, INT64])
    if kind in WHOLE and not value.exact:
        raise Impossible()
    whole = value.exact and (kind != FLOAT16 or value.most <= 256)
    return graph.add("Cast", [value], value.shape, kind, most=value.most, exact=whole, to=kind)


def typed_unary(graph):
    value = of_other_kind(graph)
    ops = ["Abs", "Neg", "Identity", "Sign"] if value.kind in WHOLE else ["Abs", "Neg", "Identity", "Relu", "Tanh", "Sigmoid"]
    op = graph.r.choice(ops)
    return graph.add(op, [value], value.shape, value.kind, most=value.most, exact=value.exact and op not in ("Tanh", "Sigmoid"))


def typed_binary(graph):
    value = of_other_kind(graph, lambda one: one.most < 1000)
    op = graph.r.choice(["Add", "Sub", "Mul", "Max", "Min"])
    alike = [one for one in graph.values if one.kind == value.kind and one.shape == value.shape and one.most < 1000]
    other, most, exact = numbers(graph, value.kind, value.shape), 4.0, True
    if graph.r.random() < 0.4:
        other = graph.r.choice(alike)
        most, exact = other.most, other.exact
    inputs = [value, other] if graph.r.random() < 0.5 else [other, value]
    most = value.most * most if op == "Mul" else value.most + most
    rounds = value.kind == FLOAT16 or (value.kind == DOUBLE and op == "Mul")
    return graph.add(op, inputs, value.shape, value.kind, most=most, exact=value.exact and exact and not rounds)


def typed_choice(graph):
    value = of_other_kind(graph, lambda one: one.exact)
    truth = graph.add(graph.r.choice(["Less", "Greater", "Equal"]), [value, numbers(graph, value.kind, value.shape)], value.shape, BOOL)
    return graph.add("Where", [truth, value, numbers(graph, value.kind, value.shape)], value.shape, value.kind, most=max(value.most, 4.0),
                     exact=True)


def running(graph):
    value = graph.pick(lambda one: one.kind in WHOLE and len(one.shape) > 0, None)
    axis = graph.r.randrange(len(value.shape))
    return graph.add("CumSum", [value, graph.constant(np.int64(axis))], value.shape, value.kind, most=value.most * max(value.shape[axis], 1),
                     exact=True, exclusive=graph.r.randint(0, 1), reverse=graph.r.randint(0, 1))


def size_of(graph, value, axis):
    """As exporters ask for it: [extent], int64."""
    sizes = graph.add("Shape", [value], (len(value.shape),), INT64, exact=True)
    first = graph.add("Gather", [sizes, graph.constant(np.int64(axis))], (), INT64, exact=True)
    return graph.add("Unsqueeze", [first, graph.ints(0)], (1,), INT64, exact=True)


def flattened(graph):
    """The leading extent from Shape, or as 0; the rest as one."""
    value = graph.pick(lambda one: len(one.shape) >= 2 and 0 not in one.shape, None)
    rest = product(value.shape[1:])
    if graph.r.random() < 0.4:
        return graph.add("Reshape", [value, graph.ints(0, -1)], (value.shape[0], rest), value.kind, exact=value.exact)
    end = graph.constant(np.array([-1], np.int64))
    target = graph.add("Concat", [size_of(graph, value, 0), end], (2,), INT64, exact=True, axis=0)
    return graph.add("Reshape", [value, target], (value.shape[0], rest), value.kind, exact=value.exact)


def stretched(graph):
    """To the extents of another, by its Shape."""
    value = graph.pick(lambda one: len(one.shape) > 0 and 1 in one.shape, None)
    other = graph.pick(lambda one: len(one.shape) == len(value.shape) and all(a in (1, b) for a, b in zip(value.shape, one.shape)), None)
    shape = graph.add("Shape", [other], (len(other.shape),), INT64, exact=True)
    return graph.add("Expand", [value, shape], other.shape, value.kind, most=value.most, exact=value.exact)


def normalised_in_parts(graph):
    value = graph.pick(lambda one: len(one.shape) >= 2 and one.shape[-1] > 1)
    flat, axes = value.shape[:-1] + (1,), graph.opset < 18
    def mean(of, most):
        return graph.add("ReduceMean", [of] if axes else [of, graph.ints(-1)], flat, most=most, **({"axes": [-1]} if axes else {}))
    centred = graph.add("Sub", [value, mean(value, value.most)], value.shape, most=2 * value.most)
    if centred.shape != value.shape or centred.most == 1.0:
        raise Impossible()
    square = graph.add("Mul", [centred, centred], value.shape, most=60.0)
    more = graph.add("Add", [mean(square, 60.0), graph.constant(np.float32(1e-2))], flat, most=60.0)
    return graph.add("Div", [centred, graph.add("Sqrt", [more], flat, most=8.0)], value.shape, most=18.0)


def attention(graph):
    value = graph.pick(lambda one: len(one.shape) == 3 and one.shape[2] % 2 == 0 and one.shape[2])
    batch, length, width = value.shape
    heads = []
    for perm in ([0, 2, 1, 3], [0, 2, 3, 1], [0, 2, 1, 3]):
        x = graph.add("MatMul", [value, graph.weights([width, width], 1 / width)], value.shape, most=value.most)
        x = graph.add("Reshape", [x, graph.ints(0, 0, 2, width // 2)], (batch, length, 2, width // 2))
        shape = [batch, length, 2, width // 2]
        heads.append(graph.add("Transpose", [x], [shape[k] for k in perm], perm=perm))
    scores = (batch, 2, length, length)
    score = graph.add("MatMul", heads[:2], scores, most=60.0)
    score = graph.add("Mul", [score, graph.constant(np.float32(.3))], scores, most=18.0)
    weight = graph.add("Softmax", [score], scores, most=1.0, axis=-1)
    y = graph.add("MatMul", [weight, heads[2]], (batch, 2, length, width // 2), most=value.most)
    y = graph.add("Transpose", [y], (batch, length, 2, width // 2), perm=[0, 2, 1, 3])
    y = graph.add("Reshape", [y, graph.ints(0, 0, width)], value.shape)
    return graph.add("Add", [y, value], value.shape, most=2 * value.most)


def convolved_and_more(graph):
    value = graph.pick(lambda one: len(one.shape) == 4 and 0 not in one.shape)
    n, channels, h, w = value.shape
    out, k = graph.r.choice([2, 3, 4, 8]), graph.r.choice([1, 3])
    y = graph.add("Conv", [value, graph.weights([out, channels, k, k], 1 / (channels * k * k)), graph.weights([out])], (n, out, h, w),
                  most=value.most + 1, pads=[k // 2] * 4)
    shift = [graph.weights([out]) for _ in range(3)]
    y = graph.add("BatchNormalization", [y] + shift + [graph.constant((graph.n.integers(8, 17, [out]) / 8).astype(np.float32))], y.shape,
                  most=value.most + 3)
    return graph.add(graph.r.choice(["Relu", "HardSigmoid", "Tanh"]), [y], y.shape, most=y.most)


def scattered(graph):
    value = graph.pick(lambda one: len(one.shape) > 0 and one.shape[0] > 1 and 0 not in one.shape)
    rows = graph.n.permutation(least(value.shape[0]))[:2].reshape(-1, 1).astype(np.int64)
    return graph.add("ScatterND", [value, graph.constant(rows), graph.constant(graph.numbers(FLOAT, (len(rows),) + fixed(value.shape[1:])))],
                     value.shape, most=max(value.most, 4.0), exact=value.exact)


BLOCKS = [cast, typed_unary, typed_binary, typed_binary, typed_choice, running, flattened, stretched, normalised_in_parts, attention,
          convolved_and_more, scattered]
