"""A random graph while it is drawn: its values, and what is known of them (random_graphs.py).

Values carry what keeps a comparison fair: `most`, which no element
exceeds, so that nothing overflows; `exact`, that no rounding has touched it, because what jumps
(floor, a comparison, the place of a maximum) is asked of such values alone.

An open extent has two sizes: a graph that is drawn with them is legal at both, and no constant of it has such an extent.

What exporters leave behind is drawn too: equal names, the same computation twice, dead values, a value that is two results,
inputs and constants that are results.
"""
import random

import numpy as np
from onnx import TensorProto, helper, numpy_helper

OPSETS = (14, 25)
FLOAT, INT8, INT64, BOOL = TensorProto.FLOAT, TensorProto.INT8, TensorProto.INT64, TensorProto.BOOL
FLOAT16, DOUBLE, INT32 = TensorProto.FLOAT16, TensorProto.DOUBLE, TensorProto.INT32
OTHERS = (FLOAT16, DOUBLE, INT32, INT64)  # kinds of inputs and casts; what has no arithmetic of its own takes them all
EXTENTS = [1, 1, 2, 3, 4, 5, 6, 7, 8, 9, 12, 16, 17]
MOST_ELEMENTS, MOST = 4096, 64.0


class Extent(int):
    """An open size: the number that it is, and what it is in the second run."""

    def __new__(cls, first, second):
        made = super().__new__(cls, first)
        made.second = int(second)
        return made

    def with_second(operation):
        def both(self, other):
            return Extent(operation(int(self), int(other)), operation(self.second, second_of(other)))
        return both

    __add__ = __radd__ = with_second(lambda a, b: a + b)
    __sub__ = with_second(lambda a, b: a - b)
    __rsub__ = with_second(lambda a, b: b - a)
    __mul__ = __rmul__ = with_second(lambda a, b: a * b)
    __floordiv__ = with_second(lambda a, b: a // b)
    __mod__ = with_second(lambda a, b: a % b)

    def __eq__(self, other):
        return int(self) == int(other) and self.second == second_of(other)

    def __ne__(self, other):
        return not self == other

    def __hash__(self):
        return hash((int(self), self.second))


def second_of(extent):
    return extent.second if isinstance(extent, Extent) else int(extent)


def least(extent):
    return min(int(extent), second_of(extent))


def product(shape):
    out = 1
    for extent in shape:
        out = out * extent
    return out


def fixed(shape):
    """Of a constant: the same in both runs."""
    if any(isinstance(extent, Extent) for extent in shape):
        raise Impossible()
    return shape


class Value:
    def __init__(self, name, shape, kind=FLOAT, most=4.0, exact=False):
        self.name, self.shape, self.kind, self.most, self.exact = name, tuple(shape), kind, most, exact
        self.used = False

    def size(self):
        return product(self.shape)


class Impossible(Exception):
    """The operator has no legal operands here: another one is drawn."""


class Graph:
    def __init__(self, seed):
        self.r = random.Random(seed)
        self.n = np.random.default_rng(seed)
        self.nodes, self.initializers, self.inputs, self.values = [], [], [], []
        self.names = 0
        self.opset = self.r.randint(*OPSETS)

    def name(self, prefix="t"):
        self.names += 1
        return "%s%d" % (prefix, self.names)

    def numbers(self, kind, shape):
        """Of which sums of a few have no rounding."""
        drawn = np.asarray(self.n.integers(-32, 33, shape))
        return np.asarray(drawn / 8 if kind in (FLOAT, FLOAT16, DOUBLE) else drawn // 8).astype(helper.tensor_dtype_to_np_dtype(kind))

    def input(self, shape, kind=FLOAT):
        value = Value(self.name("x"), shape, kind, exact=True)
        self.inputs.append((value, self.numbers(kind, [int(d) for d in shape])))
        self.values.append(value)

    def constant(self, array):
        name = self.name("c")
        self.initializers.append(numpy_helper.from_array(np.ascontiguousarray(array).reshape(np.shape(array)), name))
        return name

    def weights(self, shape, scale=1.0):
        return self.constant((self.n.integers(-16, 17, fixed(shape)) * (scale / 16)).astype(np.float32))

    def ints(self, *numbers):
        return self.constant(np.array(fixed(numbers), np.int64))

    def narrower(self, shape, chance):
        """A shape of a constant that goes with `shape` and does not widen it: leading extents are left out, others are 1."""
        out = [d if self.r.random() < chance and not isinstance(d, Extent) else 1 for d in shape]
        return out[self.r.randint(0, len(out)):]

    def add(self, op, inputs, shape, kind=FLOAT, most=None, exact=False, extra=0, **attributes):
        shape = tuple(d if isinstance(d, Extent) else int(d) for d in shape)
        elements = product(shape)
        if max(elements, second_of(elements)) > MOST_ELEMENTS or len(shape) > 6 or (most is not None and most > 1e6):
            raise Impossible()
        if any(second_of(d) < min(d, 1) for d in shape):
            raise Impossible()
        names = [self.name() for _ in range(1 + extra)]
        operands = [one.name if isinstance(one, Value) else one for one in inputs]
        for one in inputs:
            if isinstance(one, Value):
                one.used = True
        label = self.r.choice(["", "", "same", "n%d" % len(self.nodes), "a.b/c d"])
        self.nodes.append(helper.make_node(op, operands, names, name=label, **attributes))
        most = max(one.most for one in inputs if isinstance(one, Value)) if most is None else most
        out = Value(names[0], shape, kind, float(most), exact)
        self.values.append(out)
        if kind == FLOAT and out.most > MOST:  # back to where numbers are small
            return self.add("Tanh", [out], shape, most=1.0)
        return out

    def again(self):
        """The same computation once more."""
        node = self.r.choice(self.nodes)
        copy = type(node)()
        copy.CopyFrom(node)
        made = [value for value in self.values if value.name in node.output]
        if len(made) < len(node.output):
            raise Impossible()
        for k, value in enumerate(made):
            copy.output[k] = self.name()
            self.values.append(Value(copy.output[k], value.shape, value.kind, value.most, value.exact))
        self.nodes.append(copy)

    def results(self):
        """Names of the graph's results: all that nothing uses but for a few, which are dead, and what is drawn of the others."""
        given = {value.name for value, _ in self.inputs}
        made = [value for value in self.values if value.name not in given]
        ends = [value.name for value in made if not value.used]
        out = [name for name in ends if self.r.random() < 0.95] or ends[-1:]
        out += [value.name for value in made if value.used and self.r.random() < 0.05]
        if self.r.random() < 0.06:
            out.append(self.inputs[0][0].name)
        if self.r.random() < 0.06 and self.initializers:
            out.append(self.r.choice(self.initializers).name)
        if self.r.random() < 0.05 and out:
            out.append(self.r.choice(out))
        return out

    def pick(self, test=lambda value: True, kind=FLOAT):
        """kind None: whatever moves alone."""
        fitting = [value for value in self.values
                   if (value.kind == kind if kind else value.kind == FLOAT or value.kind in OTHERS) and test(value)]
        if not fitting:
            raise Impossible()
        recent = [value for value in fitting[-4:] if not value.used]
        return self.r.choice(recent) if recent and self.r.random() < 0.6 else self.r.choice(fitting)
