"""Elementwise operators: one operand, two that broadcast, or many."""
import numpy as np
from onnx import TensorProto

from .case import FLOATS, INTEGERS, SIGNED

UNARY = ("Abs Acos Acosh Asin Asinh Atan Atanh BitwiseNot Ceil Celu Cos Cosh Elu Erf Exp Floor Gelu HardSigmoid HardSwish "
         "Identity IsInf IsNaN LeakyRelu Log Mish Neg Not Reciprocal Relu Round Selu Shrink Sigmoid Sign Sin Sinh "
         "Softplus Softsign Sqrt Swish Tan Tanh ThresholdedRelu").split()
BINARY = ("Add And BitShift BitwiseAnd BitwiseOr BitwiseXor Div Equal Greater GreaterOrEqual Less LessOrEqual Mod Mul "
          "Or Pow Sub Xor PRelu").split()
VARIADIC = "Max Mean Min Sum".split()


def unary(c):
    elem = c.type(c.schema.inputs[0].type_str if "tensor(" not in c.schema.inputs[0].type_str else c.schema.inputs[0].name)
    c.specials = c.specials and c.op != "Sign"  # evaluators disagree about NaN
    c.tensor(elem, c.shape(least=0 if c.chance(.05) else 1))
    for name, attribute in c.schema.attributes.items():
        if attribute.type.name == "FLOAT":
            c.maybe(**{name: float(np.float32(c.rng.uniform(.05, 2)))})
    if c.op == "IsInf":
        c.maybe(detect_negative=c.integer(0, 1)).maybe(detect_positive=c.integer(0, 1))
    if c.op == "Gelu":
        c.maybe(approximate=c.pick(["none", "tanh"]))


def binary(c):
    elem = c.type(c.schema.inputs[0].type_str)
    shape = c.shape(least=0 if c.chance(.05) else 1)
    first, second = shape, c.broadcastable(shape)
    if c.op == "PRelu":
        c.frozen_ones = True
        if c.version < 7:
            second = c.pick([[1], shape[1:2]]) if len(shape) > 1 else [1]
    elif c.version < 7:
        if c.chance(.5) and shape:
            at = c.integer(0, len(shape) - 1)
            second = shape[at:c.integer(at + 1, len(shape))]
            c.set(broadcast=1, axis=at)
    elif c.chance(.5):
        first, second = second, first
    second_elem = elem
    if c.op == "Pow" and c.version >= 12:
        second_elem = c.type("T1")
    a, b = c.numbers(elem, first), c.numbers(second_elem, second)
    if c.op in ("Div", "Mod") and elem in INTEGERS:
        b = np.where((b == 0) | (b.astype(np.float64) == -1), 3, b)
    if c.op == "Mod":
        c.set(fmod=1 if elem in FLOATS else c.integer(0, 1))
        if c.attributes["fmod"] and elem in INTEGERS:  # evaluators go through doubles
            a, b = (c.rng.integers(1, 99, np.shape(v)).astype(a.dtype) for v in (a, b))
        if elem in FLOATS:
            b = np.where(b == 0, 3, b).astype(b.dtype)
    if c.op == "Pow":
        if elem in INTEGERS:
            a = c.rng.integers(0 if elem not in SIGNED else -4, 5, first)
            b = c.rng.integers(0, 4, second)
        elif second_elem in INTEGERS:
            b = c.rng.integers(0, 4, second)
    if c.op == "BitShift":
        c.set(direction=c.pick(["LEFT", "RIGHT"]))
        b = c.rng.integers(0, a.dtype.itemsize * 8, second)
    c.add(elem, a, c.chance(.2)).add(second_elem, b, c.chance(.2))


def variadic(c):
    elem = c.type("T")
    shape = c.shape()
    for _ in range(c.integer(1, 4)):
        c.tensor(elem, c.broadcastable(shape) if c.version >= 8 else shape)


def where(c):
    elem, shape = c.type("T"), c.shape()
    c.tensor(TensorProto.BOOL, c.broadcastable(shape))
    c.tensor(elem, c.broadcastable(shape)).tensor(elem, c.broadcastable(shape))


def clip(c):
    elem, shape = c.type("T"), c.shape()
    c.tensor(elem, shape)
    low, high = sorted([c.integer(0, 5), c.integer(0, 9)])
    if c.chance(.2):
        low, high = high, low
    if c.version < 11:
        c.maybe(min=float(low)).maybe(max=float(high))
        return
    for bound in (low, high):
        c.add(elem, np.array(bound), c.chance(.5)) if c.chance(.7) else c.skip()


def cast(c):
    allowed = c.allowed("T2")
    source, target = c.type("T1"), c.pick(sorted(allowed))
    shape = c.shape()
    integral = target in INTEGERS or target in (TensorProto.INT4, TensorProto.UINT4)
    if integral and source not in INTEGERS:
        c.add(source, np.abs(c.numbers(source, shape, "normal").astype(np.float32)), False)
    else:
        c.tensor(source, shape)
    if c.op == "CastLike":
        c.tensor(target, c.shape(0, 1))
    else:
        c.set(to=target)
    if c.version >= 19:
        c.maybe(.3, saturate=c.integer(0, 1))


def dropout(c):
    c.tensor(c.type("T"), c.shape(1))
    if c.version < 12:
        c.maybe(ratio=.3)
        if c.version < 7:
            c.set(is_test=1)
    else:
        if c.chance(.5):
            c.add(c.pick(sorted(c.allowed("T1"))), np.array(.25), True)
            c.list(False, True, TensorProto.BOOL)
    c.outputs = 1 if c.version < 12 else c.integer(1, 2)  # before, evaluators disagree about the mask


MAKERS = {name: unary for name in UNARY} | {name: binary for name in BINARY} | {name: variadic for name in VARIADIC} | {
    "Where": where, "Clip": clip, "Cast": cast, "CastLike": cast, "Dropout": dropout}
