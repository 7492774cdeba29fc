"""Operators that move elements: shapes, slices, gathers and scatters."""
import numpy as np
from onnx import TensorProto, numpy_helper

from .case import FLOATS

INDEX_TYPES = [TensorProto.INT32, TensorProto.INT64]


def transpose(c):
    shape = c.shape(least=0 if c.chance(.05) else 1)
    c.tensor(c.type("T"), shape)
    if shape:
        c.maybe(.7, perm=[int(p) for p in c.rng.permutation(len(shape))])


def split_up(c, total):
    """Random factors of `total`."""
    out = []
    while total > 1:
        factor = c.pick([f for f in range(2, total + 1) if total % f == 0])
        out.append(factor)
        total //= factor
    return out or [1]


def reshape(c):
    shape = c.shape(least=0 if c.chance(.1) else 1)
    total = int(np.prod(shape))
    target = split_up(c, total) if total else [0 if c.version < 14 else n for n in shape]
    if total and c.chance(.4):
        target[c.integer(0, len(target) - 1)] = -1
    if total and shape and c.chance(.4):  # zeros copy
        keep = c.integer(0, len(shape))
        target = [0] * keep + [-1]
    if c.version >= 14 and (total == 0 or c.chance(.2)):
        target = [n or 1 for n in target] if total else list(shape)
        target = split_up(c, total) if total else target
        c.set(allowzero=1)
    c.tensor(c.type("T"), shape)
    c.set(shape=target) if c.version < 5 else c.list(target)


def flatten(c):
    shape = c.shape(1 if c.version < 9 else 0)
    c.tensor(c.type("T"), shape).maybe(.7, axis=c.integer(-len(shape) if c.version >= 11 else 0, len(shape)))


def squeeze(c):
    if c.op == "Squeeze":
        shape = [1 if c.chance(.5) else n for n in c.shape()]
        ones = [k for k, n in enumerate(shape) if n == 1]
        axes = [k for k in ones if c.chance(.7)] if c.chance(.7) else None
        if axes and c.version >= 11:
            axes = [a - len(shape) if c.chance(.3) else a for a in axes]
    else:
        shape = c.shape(0, 3)
        axes = [int(a) for a in c.rng.permutation(len(shape) + 2)[:c.integer(1, 2)]]
        axes = [a - len(shape) - len(axes) if c.version >= 11 and c.chance(.3) else a
                for a in axes if a < len(shape) + len(axes)] or [0]
        axes = list(dict.fromkeys(a % (len(shape) + len(axes)) if c.version < 11 else a for a in axes))
        if len({a % (len(shape) + len(axes)) for a in axes}) != len(axes):
            axes = axes[:1]
    c.tensor(c.type("T"), shape)
    c.frozen_ones = True
    if axes is None:
        c.freeze(*range(-len(shape), 0))
    if axes:
        c.list(axes, True) if c.version >= 13 else c.set(axes=axes)


def concat(c):
    shape, elem = c.shape(1), c.type("T")
    axis = c.axis(len(shape))
    for _ in range(c.integer(1, 4)):
        shape[axis] = c.integer(0 if c.chance(.2) else 1, 4)
        c.tensor(elem, shape)
    c.set(axis=axis)


def split(c):
    shape = c.shape(1)
    axis, count = c.axis(len(shape)), c.integer(1, 4)
    sizes = [c.integer(0, 3) for _ in range(count)]
    mode = c.pick(["sizes", "equal", "uneven" if c.version >= 18 else "equal"])
    if mode == "equal":
        sizes = [c.integer(1, 3)] * count
    if mode == "uneven":
        chunk = c.integer(1, 3)
        sizes = [chunk] * (count - 1) + [c.integer(1, chunk)]
    shape[axis] = sum(sizes)
    c.tensor(c.type("T"), shape).set(axis=axis)
    c.outputs = count
    if mode == "sizes":
        c.list(sizes) if c.version >= 13 else c.set(split=sizes)
    elif c.version >= 18:
        c.set(num_outputs=count)


def slices(c):
    shape = c.shape(1, least=0 if c.chance(.05) else 1)
    rank = len(shape)
    axes = sorted(c.rng.permutation(rank)[:c.integer(1, rank)].tolist())
    far = [2**31 - 1, -2**31 + 1, 2**63 - 1, -2**63 + 1, 100, -100]

    def bound(n):
        return c.pick(far) if c.chance(.25) else c.integer(-n - 2, n + 2)

    starts, ends = [bound(shape[a]) for a in axes], [bound(shape[a]) for a in axes]
    c.tensor(c.type("T"), shape)
    if c.version < 10:
        c.set(starts=starts, ends=ends)
        if axes != list(range(len(axes))) or c.chance(.5):
            c.set(axes=axes)
        return
    index = c.pick(INDEX_TYPES)
    if index == TensorProto.INT32:
        starts, ends = [np.clip(v, -2**31 + 1, 2**31 - 1) for v in starts], [np.clip(v, -2**31 + 1, 2**31 - 1) for v in ends]
    constant = c.chance(.6)
    c.list(starts, constant, index).list(ends, constant, index)
    steps = [c.pick([1, 1, 2, 3, -1, -2, 7, -7]) for _ in axes]
    # onnxruntime takes the largest integer as an end for "the beginning" when it goes backward.
    steps = [abs(s) if e > 2**30 else s for s, e in zip(steps, ends)]
    signed = [a - rank if c.version >= 11 and c.chance(.3) else a for a in axes]
    if c.chance(.7) or axes != list(range(len(axes))):
        c.list(signed, True, index)
        if c.chance(.7):
            c.list(steps, True, index)
    elif c.chance(.5):
        c.skip().list(steps, True, index)


def expand(c):
    shape = c.shape(least=0 if c.chance(.05) else 1)
    wide = [c.integer(1, 4) if n == 1 and c.chance(.6) else n for n in shape]
    extra = c.shape(0, 2)
    full = extra + wide
    ask = full[c.integer(0, len(full)):] if c.chance(.2) and all(a == b for a, b in zip(wide, shape)) else full
    c.tensor(c.type("T"), shape).list(np.array(ask, np.int64))


def tile(c):
    shape = c.shape(1)
    c.tensor(c.type("T"), shape)
    c.list([c.integer(0 if c.chance(.1) else 1, 3) for _ in shape])


def pad(c):
    shape = c.shape(1)
    mode = c.pick(["constant", "constant", "reflect", "edge"] + (["wrap"] if c.version >= 19 else []))
    rank, axes = len(shape), None
    if c.version >= 18 and c.chance(.4):
        axes = c.axes(rank)
    sizes = [shape[a] for a in axes] if axes is not None else shape
    high = [max(0, n - 1) if mode == "reflect" else n if mode == "wrap" else 3 for n in sizes]
    pads = [c.integer(-1 if mode == "constant" and sizes[k % len(sizes)] > 2 else 0, h)
            for k, h in enumerate(high + high)]
    elem = c.type("T")
    c.tensor(elem, shape)
    if mode != "constant" or c.chance(.5):
        c.set(mode=mode)
    if c.version < 11:
        c.set(pads=pads) if c.version >= 2 else c.set(paddings=pads)
        c.maybe(value=1.5)
        return
    c.list(pads)
    if mode == "constant" and c.chance(.5):
        c.tensor(elem, [], "normal")
    elif axes is not None:
        c.skip()
    if axes is not None:
        c.list(axes, True)


def gather(c):
    shape = c.shape(1)
    axis, index = c.axis(len(shape)), c.pick(INDEX_TYPES)
    n = shape[axis]
    low = -n if c.version >= 11 else 0
    c.tensor(c.type("T"), shape)
    if c.op == "GatherElements":
        at = [c.integer(1, d) for d in shape]
        at[axis] = c.integer(1, 5)
    else:
        at = c.shape(0, 2, 0 if c.chance(.1) else 1)
    c.list(c.rng.integers(low, n, at), c.chance(.3), index)
    c.set(axis=axis) if axis not in (0, -len(shape)) else c.maybe(axis=axis)


def gather_nd(c):
    shape = c.shape(1)
    batch = c.integer(0, len(shape) - 1) if c.version >= 12 and c.chance(.4) else 0
    depth = c.integer(1, len(shape) - batch)
    at = shape[:batch] + c.shape(0, 2) + [depth]
    indices = np.stack([c.rng.integers(-n, n, at[:-1]) for n in shape[batch:batch + depth]], -1).reshape(at)
    c.tensor(c.type("T"), shape).list(indices, c.chance(.3)).freeze(-1)
    if batch:
        c.set(batch_dims=batch)


def reduction_of(c):
    names = ["none"] + (["add", "mul"] if c.version >= 16 else []) + (["max", "min"] if c.version >= 18 else [])
    return c.pick(names)


def scatter(c):
    shape = c.shape(1)
    axis = c.axis(len(shape))
    at = [c.integer(1, d) for d in shape]
    how = "none" if c.op == "Scatter" else reduction_of(c)
    n = shape[axis]
    if how == "none":  # no position twice
        at[axis] = c.integer(1, n)
        indices = np.argsort(c.rng.random([n if k == axis % len(shape) else d for k, d in enumerate(at)]), axis)
        indices = np.take(indices, range(at[axis]), axis)
        if c.version >= 11:
            indices = np.where(c.rng.random(indices.shape) < .3, indices - n, indices)
    else:
        at[axis] = c.integer(1, 6)
        indices = c.rng.integers(-n, n, at)
    elem = c.type("T", FLOATS | INDEX_SET if how != "none" else None)
    c.tensor(elem, shape, "normal").list(indices, c.chance(.2), c.pick(INDEX_TYPES)).tensor(elem, at, "normal")
    c.set(axis=axis) if axis else c.maybe(axis=axis)
    if how != "none":
        c.set(reduction=how)


INDEX_SET = {TensorProto.INT32, TensorProto.INT64, TensorProto.UINT8, TensorProto.INT8}


def scatter_nd(c):
    shape = c.shape(1)
    depth = c.integer(1, len(shape))
    how = reduction_of(c)
    total = int(np.prod(shape[:depth]))
    count = c.integer(1, total if how == "none" else 6)
    flat = c.rng.permutation(total)[:count] if how == "none" else c.rng.integers(0, total, count)
    indices = np.stack(np.unravel_index(flat, shape[:depth]), -1)
    indices = np.where(c.rng.random(indices.shape) < .3, indices - np.array(shape[:depth]), indices)
    elem = c.type("T", FLOATS | INDEX_SET if how != "none" else None)
    c.tensor(elem, shape, "normal").list(indices, c.chance(.2)).freeze(-1)
    c.tensor(elem, [count] + shape[depth:], "normal")
    if how != "none":
        c.set(reduction=how)


def one_hot(c):
    shape, depth = c.shape(0, 3), c.integer(1, 5)
    low = -depth - 2 if c.version >= 11 else 0
    c.add(c.pick([TensorProto.INT64, TensorProto.INT32, TensorProto.FLOAT]), c.rng.integers(low, depth + 2, shape))
    c.list([depth] if c.chance(.5) else depth)
    c.tensor(c.pick([TensorProto.FLOAT, TensorProto.INT64, TensorProto.INT32]), [2], "normal")
    c.maybe(axis=c.integer(-len(shape) - 1, len(shape)))


def depth_space(c):
    block = c.integer(1, 3)
    n, ch, h, w = c.shape(4, 4, 1, 3)
    shape = [n, ch * block * block, h, w] if c.op == "DepthToSpace" else [n, ch, h * block, w * block]
    c.tensor(c.type("T"), shape).set(blocksize=block)
    if c.op == "DepthToSpace" and c.version >= 11:
        c.maybe(mode=c.pick(["DCR", "CRD"]))


def reverse_sequence(c):
    shape = c.shape(2)
    time = c.integer(0, 1)
    c.tensor(c.type("T"), shape).list(c.rng.integers(1, shape[time] + 1, [shape[1 - time]]), c.chance(.2))
    c.set(time_axis=time, batch_axis=1 - time)


def trilu(c):
    c.tensor(c.type("T"), c.shape(2, 4, 0 if c.chance(.05) else 1))
    if c.chance(.6):
        c.list(c.integer(-6, 6))
    c.maybe(upper=c.integer(0, 1))


def constant_of_shape(c):
    c.list(np.array(c.shape(0, 3, 0), np.int64))
    if c.chance(.7):
        elem = c.type("T2")
        c.set(value=numpy_helper.from_array(c.numbers(elem, [1])))


def eye_like(c):
    c.tensor(c.type("T1"), c.shape(2, 2)).maybe(k=c.integer(-3, 3))
    if c.chance(.6):
        c.set(dtype=c.type("T2"))


def sequence_range(c):
    elem = c.type("T")
    start, delta, count = c.integer(-5, 5), c.pick([1, 2, 3, -1, -2]), c.integer(0, 6)
    limit = start + delta * count - (c.pick([0, 1]) if delta > 0 and count else 0)
    for value in (start, limit, delta):
        c.add(elem, np.array(value), c.chance(.8))


def shape_of(c):
    c.tensor(c.type("T"), c.shape(least=0 if c.chance(.1) else 1))
    if c.op == "Shape" and c.version >= 15:
        c.maybe(start=c.integer(-6, 6)).maybe(end=c.integer(-6, 6))


def non_zero(c):
    c.tensor(c.type("T"), c.shape(1), "small")


def unique(c):
    shape = c.shape(1, 3)
    c.tensor(c.type("T"), shape, "small").maybe(axis=c.axis(len(shape))).maybe(sorted=c.integer(0, 1))
    c.outputs = c.integer(1, 4)


def compress(c):
    shape = c.shape(1)
    axis = c.axis(len(shape)) if c.chance(.6) else None
    n = int(np.prod(shape)) if axis is None else shape[axis]
    c.tensor(c.type("T"), shape).list(c.rng.integers(0, 2, [c.integer(1, n)]), c.chance(.2), TensorProto.BOOL)
    if axis is not None:
        c.set(axis=axis)


def center_crop_pad(c):
    shape = c.shape(1)
    axes = c.axes(len(shape)) if c.chance(.5) else None
    count = len(shape) if axes is None else len(axes)
    c.tensor(c.type("T"), shape).list([c.integer(1, 7) for _ in range(count)])
    if axes is not None:
        c.set(axes=axes)


def tensor_scatter(c):
    shape = [c.integer(1, 3)] + c.shape(1, 3, 1, 5)
    axis = c.integer(1, len(shape) - 1)
    size, count = shape[axis], c.integer(1, shape[axis])
    elem, circular = c.type("T"), c.chance(.5)
    c.frozen_ones = True
    c.tensor(elem, shape, constant=False).tensor(elem, shape[:axis] + [count] + shape[axis + 1:], constant=False)
    if c.chance(.8):
        c.list(c.rng.integers(0, (2 * size if circular else size - count) + 1, [shape[0]]), False)
    c.set(axis=axis - c.pick([0, len(shape)])).maybe(mode="circular" if circular else "linear")
    if circular:
        c.set(mode="circular")


MAKERS = {
    "TensorScatter": tensor_scatter, "Transpose": transpose, "Reshape": reshape, "Flatten": flatten, "Squeeze": squeeze, "Unsqueeze": squeeze,
    "Concat": concat, "Split": split, "Slice": slices, "Expand": expand, "Tile": tile, "Pad": pad, "Gather": gather,
    "GatherElements": gather, "GatherND": gather_nd, "Scatter": scatter, "ScatterElements": scatter,
    "ScatterND": scatter_nd, "OneHot": one_hot, "DepthToSpace": depth_space, "SpaceToDepth": depth_space,
    "ReverseSequence": reverse_sequence, "Trilu": trilu, "ConstantOfShape": constant_of_shape, "EyeLike": eye_like,
    "Range": sequence_range, "Shape": shape_of, "Size": shape_of, "NonZero": non_zero, "Unique": unique,
    "Compress": compress, "CenterCropPad": center_crop_pad}
