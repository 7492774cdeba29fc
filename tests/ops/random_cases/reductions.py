"""Reductions, rows, extremes and normalisations."""
import numpy as np
from onnx import TensorProto

from .case import FLOATS

REDUCE = [f"Reduce{kind}" for kind in
          "L1 L2 LogSum LogSumExp Max Mean Min Prod Sum SumSquare".split()]


def reduction(c):
    elem = c.type("T", FLOATS if "Log" in c.op else None)
    shape = c.shape(0 if c.version >= 11 else 1, 4)
    kind = "positive" if c.op == "ReduceLogSum" else "normal" if c.op in ("ReduceLogSumExp", "ReduceMax", "ReduceMin") or c.chance(.6) else "any"
    if elem not in FLOATS and c.op not in ("ReduceMax", "ReduceMin"):  # evaluators go through floats
        kind = "normal"
    c.tensor(elem, shape, kind)
    c.maybe(keepdims=c.integer(0, 1))
    axes = c.axes(len(shape), 0 if c.version >= 13 else 1) if c.chance(.75) else None
    as_input = c.version >= (13 if c.op == "ReduceSum" else 18)
    if as_input:
        if axes is not None:
            c.list(np.array(axes, np.int64), True if c.chance(.8) else False)
        if c.chance(.4):
            c.set(noop_with_empty_axes=c.integer(0, 1))
    elif axes:
        c.set(axes=axes)


def extreme(c):
    shape = c.shape(1)
    c.tensor(c.type("T"), shape, "small")
    c.maybe(.8, axis=c.axis(len(shape))).maybe(keepdims=c.integer(0, 1))
    if c.version >= 12:
        c.maybe(select_last_index=c.integer(0, 1))


def row(c):
    shape = c.shape(1)
    c.tensor(c.type("T"), shape, "normal" if c.chance(.8) else "any")
    axis = c.axis(len(shape)) if c.version >= 11 else c.integer(0, len(shape) - 1)
    c.set(axis=axis) if len(shape) == 1 else c.maybe(.7, axis=axis)  # the default was 1 before opset 13


def cumulative(c):
    shape = c.shape(1)
    c.tensor(c.type("T"), shape, "normal")
    c.add(c.pick([TensorProto.INT32, TensorProto.INT64]), np.array(c.axis(len(shape))), c.chance(.8))
    c.maybe(exclusive=c.integer(0, 1)).maybe(reverse=c.integer(0, 1))


def top_k(c):
    shape = c.shape(1)
    axis = c.axis(len(shape))
    k = c.integer(0 if c.version >= 10 else 1, shape[axis])
    elem = c.type("T")
    values = c.numbers(elem, shape, "small" if c.chance(.5) else "normal")
    c.add(elem, values, False)
    c.set(k=k) if c.version < 10 else c.list([k])
    c.maybe(.8, axis=axis) if axis in (-1, len(shape) - 1) else c.set(axis=axis)
    if c.version >= 11:
        c.maybe(largest=c.integer(0, 1)).set(sorted=1)
    c.outputs = 2


def batch_normalization(c):
    shape = c.shape(2 if c.version >= 9 else 2, 5)
    elem = c.type("T")
    c.tensor(elem, shape, "normal")
    for _ in range(3):
        c.tensor(elem, shape[1:2], "normal")
    c.tensor(elem, shape[1:2], "positive").maybe(epsilon=1e-3)
    if c.version < 7:
        c.set(is_test=1)
    if c.version >= 14 and c.chance(.3):
        c.set(training_mode=1).maybe(momentum=.7)
        c.outputs = 3


def instance_normalization(c):
    shape, elem = c.shape(3, 5), c.type("T")
    c.tensor(elem, shape, "normal").tensor(elem, shape[1:2], "normal").tensor(elem, shape[1:2], "normal")
    c.maybe(epsilon=1e-3)


def layer_normalization(c):
    shape, elem = c.shape(1), c.type("T", {TensorProto.FLOAT, TensorProto.FLOAT16, TensorProto.BFLOAT16})
    axis = c.axis(len(shape))
    c.tensor(elem, shape, "normal").tensor(elem, shape[axis:], "normal")
    if c.op == "LayerNormalization" and c.chance(.6):
        c.tensor(elem, shape[axis:], "normal")
    c.set(axis=axis).maybe(epsilon=1e-3)
    c.outputs = 1 if c.op != "LayerNormalization" else c.integer(1, 3)


def group_normalization(c):
    groups, elem = c.integer(1, 3), c.type("T", FLOATS - {TensorProto.DOUBLE})
    shape = [c.integer(1, 2), groups * c.integer(1, 3)] + c.shape(1, 3)
    per = [shape[1]] if c.version >= 21 else [groups]
    c.tensor(elem, shape, "normal").tensor(elem, per, "normal").tensor(elem, per, "normal")
    c.set(num_groups=groups).maybe(epsilon=1e-3)


def lp_normalization(c):
    shape = c.shape(1)
    c.tensor(c.type("T"), shape, "normal").maybe(axis=c.axis(len(shape))).maybe(p=c.integer(1, 2))


def mean_variance(c):
    shape = c.shape(4, 4, 2) if c.chance(.5) else c.shape(2, 4, 2)
    c.tensor(c.type("T"), shape, "normal")
    if len(shape) != 4 or c.chance(.5):
        c.set(axes=c.axes(len(shape)))


def lrn(c):
    c.tensor(c.type("T"), c.shape(4, 4), "normal")
    c.set(size=c.integer(1, 5)).maybe(alpha=.3).maybe(beta=.6).maybe(bias=1.5)


def loss(c):
    n, classes, rest = c.integer(1, 4), c.integer(1, 5), c.shape(0, 2)
    elem = c.type("T")
    c.tensor(elem, [n, classes] + rest, "normal")
    target_type = c.pick([TensorProto.INT32, TensorProto.INT64])
    target = c.rng.integers(0, classes, [n] + rest)
    if c.chance(.4):
        ignored = c.pick([-1, 0, 100])
        target = np.where(c.rng.random(target.shape) < .3, ignored, target)
        target.flat[0] = classes - 1 if ignored != classes - 1 else target.flat[0]
        c.set(ignore_index=ignored)
    c.add(target_type, target)
    if c.chance(.5):
        c.tensor(elem, [classes], "positive")
    c.maybe(.7, reduction=c.pick(["mean", "sum", "none"]))
    c.outputs = c.integer(1, 2) if c.op == "SoftmaxCrossEntropyLoss" else 1


MAKERS = {name: reduction for name in REDUCE} | {
    "ArgMax": extreme, "ArgMin": extreme, "Softmax": row, "LogSoftmax": row, "Hardmax": row, "CumSum": cumulative,
    "TopK": top_k, "BatchNormalization": batch_normalization, "InstanceNormalization": instance_normalization,
    "LayerNormalization": layer_normalization, "RMSNormalization": layer_normalization,
    "GroupNormalization": group_normalization, "LpNormalization": lp_normalization,
    "MeanVarianceNormalization": mean_variance, "LRN": lrn, "NegativeLogLikelihoodLoss": loss,
    "SoftmaxCrossEntropyLoss": loss}
