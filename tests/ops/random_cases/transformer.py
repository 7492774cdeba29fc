"""Attention and what stands beside it, of ai.onnx and com.microsoft."""
import numpy as np
from onnx import TensorProto

F32, I32 = TensorProto.FLOAT, TensorProto.INT32


def padding_mask(c, batch, queries, keys, kinds):
    kind = c.pick(kinds)
    if kind == "ends":
        c.list(c.rng.integers(1, keys + 1, [batch]), False, I32)
    elif kind == "both":
        ends = c.rng.integers(1, keys + 1, [batch])
        c.list(np.concatenate([ends, c.rng.integers(0, ends)]), False, I32)
    elif kind == "raw":
        c.list(c.rng.integers(0, 2, [batch, keys]) | (np.arange(keys) == 0), False, I32)
    else:
        c.list(c.rng.integers(0, 2, [batch, queries, keys]) | (np.arange(keys) == 0), False, I32)


def attention(c):
    batch, length, heads, size = c.integer(1, 3), c.integer(1, 4), c.pick([1, 2, 3]), c.pick([2, 4])
    width, hidden = c.integer(2, 6), heads * size
    past = c.integer(1, 3) if c.chance(.3) else 0
    c.frozen_ones = True
    value = c.pick([hidden, heads * 3]) if not past else hidden
    c.tensor(F32, [batch, length, width], "normal", False)
    c.tensor(F32, [width, 2 * hidden + value], "normal", True)
    c.tensor(F32, [2 * hidden + value], "normal", True)
    if c.chance(.5):
        padding_mask(c, batch, length, length + past, ["raw", "cube"] + ([] if past else ["ends", "both"]))
        c.freeze(-1)
    else:
        c.skip()
    c.tensor(F32, [2, batch, heads, past, size], "normal", False) if past else c.skip()
    if past:
        c.freeze(-5, -3)
        c.outputs = 2
    if c.chance(.3):
        c.tensor(F32, [c.pick([1, batch]), c.pick([1, heads]), length, length + past], "normal")
        c.freeze(-3)
    c.set(num_heads=heads).maybe(.4, unidirectional=1).maybe(.3, scale=.4)
    if value != hidden:
        c.set(qkv_hidden_sizes=[hidden, hidden, value])


def multi_head(c):
    batch, length, heads, size = c.integer(1, 3), c.integer(1, 4), c.pick([1, 2, 3]), c.pick([2, 4])
    keys, hidden = c.integer(1, 5), heads * size
    past = c.integer(1, 3) if c.chance(.3) else 0
    c.frozen_ones = True
    form = c.pick(["apart", "apart", "crossed"]) if not past else "apart"
    bias = form in ("apart", "kv", "qkv") and c.chance(.5)
    value = c.pick([hidden, heads * 3]) if form == "apart" and not past else hidden
    if form == "qkv":
        keys = length
        c.tensor(F32, [batch, length, heads, 3, size], "normal", False).freeze(-3, -2).skip().skip()
    else:
        c.tensor(F32, [batch, length, hidden], "normal", False)
        if form == "kv":
            c.tensor(F32, [batch, keys, heads, 2, size], "normal", False).freeze(-3, -2).skip()
        elif form == "crossed":
            for _ in range(2):
                c.tensor(F32, [batch, heads, keys, size], "normal", False).freeze(-3)
        else:
            c.tensor(F32, [batch, keys, hidden], "normal", False).tensor(F32, [batch, keys, value], "normal", False)
    c.tensor(F32, [2 * hidden + value], "normal", True) if bias else c.skip()
    if c.chance(.4):
        padding_mask(c, batch, length, keys + past, ["raw"] + ([] if past else ["ends"]))
        c.freeze(-1)
    else:
        c.skip()
    if c.chance(.3):
        c.tensor(F32, [c.pick([1, batch]), c.pick([1, heads]), length, keys + past], "normal").freeze(-3)
    else:
        c.skip()
    if past:
        for _ in range(2):
            c.tensor(F32, [batch, heads, past, size], "normal", False).freeze(-3)
        c.outputs = 3
    c.set(num_heads=heads).maybe(.3, scale=.4)
    if past or form == "apart":
        c.maybe(.3, unidirectional=1)


def group_query(c):
    batch, heads, size = c.integer(1, 3), c.pick([1, 2, 4]), 16
    shared = c.pick([h for h in (1, 2, 4) if heads % h == 0])
    prompt = c.chance(.4)
    length = c.integer(1, 5) if prompt else 1 if c.chance(.7) else 2
    past = 0 if prompt else c.integer(1, 4)
    batch = 1 if length > 1 and not prompt else batch
    total = past + length
    together = c.chance(.3)
    if together:
        c.tensor(F32, [batch, length, (heads + 2 * shared) * size], "normal", False).skip().skip()
    else:
        c.tensor(F32, [batch, length, heads * size], "normal", False)
        for _ in range(2):
            c.tensor(F32, [batch, length, shared * size], "normal", False)
    for _ in range(2):
        c.tensor(F32, [batch, shared, past, size], "normal", False).freeze(-3) if past else c.skip()
    # Of a run of one token each row may have keys of its own number, at most those of the past.
    apart = length == 1 and past and c.chance(.4)
    ends = c.rng.integers(0, total, [batch]) if apart else np.full([batch], total - 1)
    ends[c.integer(0, batch - 1)] = total - 1
    c.list(ends, False, I32).list([total] if c.chance(.5) else total, True, I32)
    rotary = c.chance(.4)
    for _ in range(2):
        c.tensor(F32, [16, size // 2], "unit", True) if rotary else c.skip()
    if rotary:
        c.set(do_rotary=1).maybe(rotary_interleaved=c.integer(0, 1))
    at = ends[:, None] + np.arange(length) - length + 1
    c.list(np.maximum(at, 0), False) if rotary and c.chance(.3) else c.skip()
    c.tensor(F32, [c.pick([1, batch]), c.pick([1, heads]), length, total], "normal", False).freeze(*range(-4, 0)) if c.chance(.3) else c.skip()
    c.tensor(F32, [heads], "normal", True) if c.chance(.2) else c.maybe(.2, smooth_softmax=1)
    c.set(num_heads=heads, kv_num_heads=shared).maybe(.3, scale=.4).maybe(.2, local_window_size=2)
    c.maybe(.2, softcap=2.)
    c.outputs = 3


def embed(c):
    batch, length, width = c.integer(1, 3), c.integer(1, 4), c.integer(2, 6)
    c.list(c.rng.integers(0, 7, [batch, length]), False, I32)
    segments = c.chance(.5)
    c.list(c.rng.integers(0, 2, [batch, length]), False, I32) if segments else c.skip()
    c.tensor(F32, [7, width], "normal", True).tensor(F32, [5, width], "normal", True)
    c.tensor(F32, [2, width], "normal", True) if segments else c.skip()
    c.tensor(F32, [width], "normal", True).tensor(F32, [width], "normal", True)
    c.list(c.rng.integers(0, 2, [batch, length]), False, I32) if c.chance(.5) else c.skip()
    if c.chance(.3):
        c.list(c.rng.integers(0, 5, [c.pick([1, batch]), length]), False, I32).freeze(-2)
    c.set(epsilon=1e-3)
    c.outputs = c.integer(2, 3)


def rotary(c):
    batch, heads, length, size = c.integer(1, 2), c.integer(1, 3), c.integer(1, 4), c.pick([4, 8])
    part = c.pick([size, size // 2]) if c.domain == "" else size
    apart = c.chance(.5)
    c.tensor(F32, [batch, heads, length, size] if apart else [batch, length, heads * size], "normal", False)
    c.freeze(-1)
    gathers = c.domain != "" or c.chance(.5)
    caches = [9, part // 2] if gathers else [batch, length, part // 2]
    at = c.rng.integers(0, 9, [batch, length])
    if c.domain:
        c.list([c.integer(0, 9 - length)] if c.chance(.4) else at, False).freeze(-1)
    for _ in range(2):
        c.tensor(F32, caches, "unit", gathers and c.chance(.5)).freeze(-1)
    if not c.domain and gathers:
        c.list(at, False)
    c.maybe(interleaved=c.integer(0, 1))
    if not apart:
        c.set(num_heads=heads)
    if part != size:
        c.set(rotary_embedding_dim=part, num_heads=heads)


def simplified(c):
    shape = c.shape(2, 3)
    c.tensor(F32, shape, "normal").tensor(F32, shape[-1:], "normal").set(axis=-1).maybe(epsilon=1e-3)


def decoder_masked(c):
    batch, heads, size, beams = c.integer(1, 3), c.pick([1, 2, 3]), c.pick([2, 4, 8]), c.pick([0, 0, 1, 2])
    rows, hidden = batch * max(beams, 1), heads * size
    c.frozen_ones = True
    crossed = not beams and c.chance(.3)
    room = c.integer(2, 6)
    past = c.integer(0, room - 1)
    keys = room if crossed else past + 1
    c.tensor(F32, [rows, 1, hidden], "normal", False).freeze(-2)
    for _ in range(2):
        c.tensor(F32, [rows, heads, keys, size] if crossed else [rows, 1, hidden], "normal", False).freeze(*range(-3, 0))
    if c.chance(.5):
        padding_mask(c, rows, 1, keys, ["raw"])
        c.freeze(-1)
    else:
        c.skip()
    # onnxruntime leaves it out where there are beams.
    if not crossed and not beams and c.chance(.4):
        c.tensor(F32, [c.pick([1, rows]), c.pick([1, heads]), 1, keys], "normal").freeze(*range(-4, 0))
    else:
        c.skip()
    if crossed:
        for _ in range(5):
            c.skip()
    else:
        for _ in range(2):
            c.tensor(F32, [rows, heads, room, size], "normal", False).freeze(*range(-3, 0))
        c.list(np.array([past]), False, I32)
        if beams:
            c.list(np.array([beams]), False, I32)
            c.list(c.rng.integers(0, beams, [batch, beams, room]), False, I32)
        else:
            c.skip().skip()
        c.set(past_present_share_buffer=1)
        c.outputs = 3
    if c.chance(.4):
        c.tensor(F32, [3 * hidden], "normal", True)
    c.set(num_heads=heads).maybe(.3, scale=.4).maybe(.3, mask_filter_value=-5.)


MAKERS = {("", "RotaryEmbedding"): rotary, ("", "SimplifiedLayerNormalization"): simplified} | {
    ("com.microsoft", name): maker for name, maker in {
        "Attention": attention, "MultiHeadAttention": multi_head, "DecoderMaskedMultiHeadAttention": decoder_masked,
        "GroupQueryAttention": group_query,
        "EmbedLayerNormalization": embed, "RotaryEmbedding": rotary}.items()}
