"""A random graph while it is drawn: its values, and what is known of them (random_graphs.py).

Values carry what keeps a comparison fair: `most`, which no element
exceeds, so that nothing overflows; `exact`, that no rounding has touched it, because what jumps
(floor, a comparison, the place of a maximum) is asked of such values alone.
"""
import random

import numpy as np
from onnx import TensorProto, helper, numpy_helper

OPSET = 17
FLOAT, INT8, INT64, BOOL = TensorProto.FLOAT, TensorProto.INT8, TensorProto.INT64, TensorProto.BOOL
EXTENTS = [1, 1, 2, 3, 4, 5, 6, 7, 8, 9, 12, 16, 17]
MOST_ELEMENTS, MOST = 4096, 64.0


class Value:
    def __init__(self, name, shape, kind=FLOAT, most=4.0, exact=False):
        self.name, self.shape, self.kind, self.most, self.exact = name, tuple(shape), kind, most, exact
        self.used = False

    def size(self):
        return int(np.prod(self.shape))


class Impossible(Exception):
    """The operator has no legal operands here: another one is drawn."""


class Graph:
    def __init__(self, seed):
        self.r = random.Random(seed)
        self.n = np.random.default_rng(seed)
        self.nodes, self.initializers, self.inputs, self.values = [], [], [], []
        self.names = 0

    def name(self, prefix="t"):
        self.names += 1
        return "%s%d" % (prefix, self.names)

    def input(self, shape):
        value = Value(self.name("x"), shape, exact=True)
        self.inputs.append((value, (self.n.integers(-32, 33, shape) / 8).astype(np.float32)))
        self.values.append(value)

    def constant(self, array):
        name = self.name("c")
        self.initializers.append(numpy_helper.from_array(np.ascontiguousarray(array).reshape(np.shape(array)), name))
        return name

    def weights(self, shape, scale=1.0):
        return self.constant((self.n.integers(-16, 17, shape) * (scale / 16)).astype(np.float32))

    def ints(self, *numbers):
        return self.constant(np.array(numbers, np.int64))

    def add(self, op, inputs, shape, kind=FLOAT, most=None, exact=False, extra=0, **attributes):
        shape = tuple(int(d) for d in shape)
        if int(np.prod(shape)) > MOST_ELEMENTS or len(shape) > 6 or (most is not None and most > 1e6):
            raise Impossible()
        names = [self.name() for _ in range(1 + extra)]
        operands = [one.name if isinstance(one, Value) else one for one in inputs]
        for one in inputs:
            if isinstance(one, Value):
                one.used = True
        self.nodes.append(helper.make_node(op, operands, names, **attributes))
        most = max(one.most for one in inputs if isinstance(one, Value)) if most is None else most
        out = Value(names[0], shape, kind, float(most), exact)
        self.values.append(out)
        if kind == FLOAT and out.most > MOST:  # back to where numbers are small
            return self.add("Tanh", [out], shape, most=1.0)
        return out

    def pick(self, test=lambda value: True, kind=FLOAT):
        fitting = [value for value in self.values if value.kind == kind and test(value)]
        if not fitting:
            raise Impossible()
        recent = [value for value in fitting[-4:] if not value.used]
        return self.r.choice(recent) if recent and self.r.random() < 0.6 else self.r.choice(fitting)
