"""Operators of com.microsoft that onnxruntime has kernels of for other devices only: makers, and what each node is, made of
operators that run on a CPU (onnxruntime runs them), or by its formula in double precision."""
import numpy as np
import onnx
import onnxruntime
from onnx import TensorProto, helper, numpy_helper

from .case import dtype_of
from .windows import window

F32, F16, I32 = TensorProto.FLOAT, TensorProto.FLOAT16, TensorProto.INT32


def half_gelu(c):
    elem = c.pick([F32, F32, F16])
    width = 2 * c.integer(1, 6)
    c.tensor(elem, c.shape(1, 2, 1, 4) + [width], "normal", False).tensor(elem, [width], "normal")
    c.freeze(-1)


def grouped_norm(c):
    groups, last = c.integer(1, 4), c.integer(0, 1)
    channels, spatial = groups * c.integer(1, 4), [c.integer(1, 5), c.integer(1, 5)]
    batch = c.integer(1, 3)
    c.tensor(c.pick([F32, F32, F16]), [batch, *spatial, channels] if last else [batch, channels, *spatial], "normal", False)
    c.freeze(-1 if last else -3)
    c.tensor(F32, [channels], "normal", True).tensor(F32, [channels], "normal", True)
    c.set(groups=groups, activation=c.integer(0, 1), channels_last=last).maybe(epsilon=1e-3)


def relative_bias(c):
    buckets, ways = c.pick([4, 8, 32]), c.integer(0, 1)
    each = buckets // (1 + ways)
    c.tensor(c.pick([F32, F16]), [buckets, c.integer(1, 4)], "normal").freeze(-2)
    length = c.integer(1, 40)
    c.list([length], c.chance(.5)).list([length], c.chance(.5))
    c.set(max_distance=each // 2 + c.integer(1, 60), is_bidirectional=ways)


def gated_bias(c):
    batch, length, heads, size, half = c.integer(1, 3), c.integer(1, 5), c.integer(1, 4), c.pick([2, 4, 8]), c.integer(1, 5)
    elem = c.pick([F32, F32, F16])
    c.frozen_ones = True
    c.tensor(elem, [batch, length, heads * size], "unit", False).freeze(-1)
    c.tensor(elem, [heads * size], "unit", True)
    c.tensor(elem, [1, heads, length, length], "normal", False).freeze(-3)
    c.tensor(elem, [size, 2 * half], "unit", True).tensor(elem, [2 * half], "unit", True)
    c.tensor(elem, [1, heads, 1, 1], "normal", True)
    c.set(num_heads=heads)


def packed_attention(c):
    batch, heads, size = c.integer(1, 4), c.pick([1, 2, 3]), c.pick([2, 4])
    lengths = c.rng.integers(1, 5, [batch])
    most, tokens = int(lengths.max()) + c.integer(0, 1), int(lengths.sum())
    hidden = heads * size
    c.frozen_ones = True
    together = c.chance(.4)
    value = hidden if together else heads * c.pick([size, 3])
    if together:
        c.tensor(F32, [tokens, heads, 3, size], "normal", False).freeze(-1, -2, -3).skip().skip()
    else:
        for width in (hidden, hidden, value):
            c.tensor(F32, [tokens, width], "normal", False).freeze(-1)
    c.tensor(F32, [2 * hidden + value], "normal", True) if c.chance(.5) else c.skip()
    places = [s * most + k for s, n in enumerate(lengths) for k in range(n)]
    padding = [p for p in range(batch * most) if p not in places]
    c.list(np.reshape(places + padding, [batch, most]), False, I32).freeze(-1, -2)
    c.list(np.concatenate([[0], np.cumsum(lengths)]), False, I32).freeze(-1)
    if c.chance(.4):
        c.tensor(F32, [c.pick([1, batch]), c.pick([1, heads]), most, most], "normal", False).freeze(*range(-4, 0))
    c.set(num_heads=heads).maybe(.3, scale=.4)


def conv_channels_last(c):
    dims = c.pick([1, 2, 2])
    spatial, kernel = [c.integer(3, 6) for _ in range(dims)], [c.integer(1, 3) for _ in range(dims)]
    groups = c.pick([1, 1, 2])
    per, out = c.integer(1, 3), groups * c.integer(1, 3)
    c.tensor(F32, [c.integer(1, 2), *spatial, groups * per], "normal", False).freeze(-1)
    c.tensor(F32, [out, *kernel, per], "normal", True)
    if c.chance(.5):
        c.tensor(F32, [out], "normal", True)
    window(c, spatial, kernel)
    c.set(group=groups, kernel_shape=kernel)


def run(op, arrays, domain="", **attributes):
    """What onnxruntime gives for one node; an array of None is left out."""
    names = ["" if a is None else f"x{k}" for k, a in enumerate(arrays)]
    given = {n: np.ascontiguousarray(a) for n, a in zip(names, arrays) if n}
    infos = [helper.make_tensor_value_info(n, helper.np_dtype_to_tensor_dtype(a.dtype), a.shape) for n, a in given.items()]
    graph = helper.make_graph([helper.make_node(op, names, ["y"], domain=domain, **attributes)], op, infos,
                              [onnx.ValueInfoProto(name="y")])
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 21), helper.make_opsetid("com.microsoft", 1)],
                              ir_version=10)
    session = onnxruntime.InferenceSession(model.SerializeToString(), providers=["CPUExecutionProvider"])
    return session.run(None, given)[0]


def is_half_gelu(x, bias):
    first, second = np.split((x + bias).astype(np.float32), 2, -1)
    return first * run("Gelu", [second])


def is_grouped_norm(x, gamma, beta, groups, activation, channels_last, epsilon=1e-5):
    y = run("GroupNormalization", [np.moveaxis(x, -1, 1) if channels_last else x, gamma, beta], num_groups=groups,
            epsilon=epsilon)
    y = y / (1 + np.exp(-y)) if activation else y
    return np.moveaxis(y, 1, -1) if channels_last else y


def is_relative_bias(table, queries, keys, max_distance, is_bidirectional):
    """Buckets as in T5: one for each near distance, the others by the logarithm."""
    ahead = np.arange(keys[0])[None, :] - np.arange(queries[0])[:, None]
    buckets = len(table) // (2 if is_bidirectional else 1)
    first = buckets * (ahead > 0) if is_bidirectional else 0
    apart = np.abs(ahead) if is_bidirectional else np.maximum(-ahead, 0)
    exact = buckets // 2
    with np.errstate(divide="ignore"):
        far = np.log(apart.astype(np.float32) / np.float32(exact)) / np.log(max_distance / exact) * (buckets - exact)
    far = exact + np.maximum(far, 0).astype(np.int64)
    return np.moveaxis(table[first + np.where(apart < exact, apart, np.minimum(far, buckets - 1))], -1, 0)[None]


def is_gated_bias(query, shift, positions, weight, bias, eco, num_heads):
    """As in WavLM."""
    batch, length, width = query.shape
    q = (query.astype(np.float64) + shift).reshape(batch, length, num_heads, -1).transpose(0, 2, 1, 3)
    gates = (q @ weight.astype(np.float64) + bias).reshape(batch, num_heads, length, 2, -1).sum(-1)
    update, reset = np.moveaxis(1 / (1 + np.exp(-gates)), -1, 0)
    return (update[..., None] * (reset[..., None] * eco - 1) + 2) * positions


def is_packed_attention(query, key, value, bias, offsets, begins, scores=None, num_heads=1, **attributes):
    if query.ndim == 4:
        query, key, value = (query[:, :, k].reshape(len(query), -1) for k in range(3))
    out = []
    for s, (begin, end) in enumerate(zip(begins, begins[1:])):
        own = None if scores is None else scores[min(s, len(scores) - 1)][None, :, :end - begin, :end - begin]
        out.append(run("MultiHeadAttention", [query[None, begin:end], key[None, begin:end], value[None, begin:end], bias, None, own],
                       "com.microsoft", num_heads=num_heads, **attributes)[0])
    return np.concatenate(out)


def is_conv(x, w, bias=None, **attributes):
    return np.moveaxis(run("Conv", [np.moveaxis(x, -1, 1), np.moveaxis(w, -1, 1), bias], **attributes), 1, -1)


FORMULAS = {"BiasSplitGelu": is_half_gelu, "GroupNorm": is_grouped_norm, "RelativePositionBias": is_relative_bias,
            "GatedRelativePositionBias": is_gated_bias, "PackedMultiHeadAttention": is_packed_attention, "NhwcConv": is_conv}
MAKERS = {"BiasSplitGelu": half_gelu, "GroupNorm": grouped_norm, "RelativePositionBias": relative_bias,
          "GatedRelativePositionBias": gated_bias, "PackedMultiHeadAttention": packed_attention, "NhwcConv": conv_channels_last}


def by_formula(model, fed):
    """[(array, element type)] of the one output, in the type of the first input."""
    node = model.graph.node[0]
    known = {t.name: numpy_helper.to_array(t) for t in model.graph.initializer} | {n: a for n, (a, _) in fed.items()}
    arrays = [known[n] if n else None for n in node.input]
    elem = helper.np_dtype_to_tensor_dtype(arrays[0].dtype)
    arrays = [a.astype(np.float32) if a is not None and a.dtype == np.float16 else a for a in arrays]
    attributes = {a.name: helper.get_attribute_value(a) for a in node.attribute}
    return [(np.asarray(FORMULAS[node.op_type](*arrays, **attributes)).astype(dtype_of(elem)), elem)]
