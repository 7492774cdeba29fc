"""Convolutions, pooling, resampling and signal operators."""
import numpy as np
from onnx import TensorProto

from .case import FLOATS


def window(c, spatial, kernel, pool=False):
    """Strides, dilations and pads; the kernel fits into the padded size."""
    n = len(spatial)
    dilate = c.op not in ("AveragePool", "LpPool", "QLinearAveragePool") or c.version >= (19 if c.op == "AveragePool" else 18)
    if c.op == "MaxPool" and c.version < 10:
        dilate = False
    dilations = [c.integer(1, 2) for _ in range(n)] if dilate and c.chance(.4) else None
    reach = [(k - 1) * d + 1 for k, d in zip(kernel, dilations or [1] * n)]
    c.maybe(.6, strides=[c.integer(1, 3) for _ in range(n)])
    most = [k - 1 for k in kernel] if pool else [2] * n
    need = [max(0, -(-(r - s) // 2)) for r, s in zip(reach, spatial)]
    mode = c.pick(["none", "pads", "pads", "SAME_UPPER", "SAME_LOWER", "VALID"])
    if any(need) or (mode in ("none", "VALID") and any(r > s for r, s in zip(reach, spatial))):
        mode = "pads"
    strides = c.attributes.get("strides", [1])
    if pool and mode.startswith("SAME") and any(s > r for s, r in zip(strides, reach)):
        mode = "none"  # there onnxruntime pads by less than nothing
    if mode == "pads":
        c.set(pads=[min(max(c.integer(0, m), x), max(m, x)) for m, x in list(zip(most, need)) * 2])
    elif mode != "none":
        c.set(auto_pad=mode)
    if dilations and not (pool and mode.startswith("SAME")):  # there onnxruntime forgets the dilations
        c.set(dilations=dilations)


def spatial_shape(c, most=7):
    rank = c.pick([1, 2, 2, 2, 3])
    return [c.integer(3, most if rank < 3 else 5) for _ in range(rank)]


def kernel_for(c, spatial):
    return [c.integer(1, min(3, s)) for s in spatial]


def conv(c):
    spatial = spatial_shape(c)
    kernel, groups = kernel_for(c, spatial), c.pick([1, 1, 2, 3])
    per, out = c.integer(1, 3), groups * c.integer(1, 3)
    elem = c.type("T")
    c.tensor(elem, [c.integer(1, 2), groups * per] + spatial, "normal")
    c.tensor(elem, [out, per] + kernel, "normal", c.chance(.6))
    if c.chance(.5):
        c.tensor(elem, [out], "normal", c.chance(.6))
    window(c, spatial, kernel)
    c.maybe(.6, kernel_shape=kernel)
    if groups > 1:
        c.set(group=groups)


def conv_transpose(c):
    spatial = spatial_shape(c, 5)
    kernel, groups = kernel_for(c, spatial), c.pick([1, 1, 2])
    per_out = c.integer(1, 3)
    elem, n = c.type("T"), len(spatial)
    c.tensor(elem, [c.integer(1, 2), groups * c.integer(1, 3)] + spatial, "normal")
    channels = c.inputs[0][0].shape[1]
    c.tensor(elem, [channels, per_out] + kernel, "normal", c.chance(.6))
    if c.chance(.5):
        c.tensor(elem, [groups * per_out], "normal", c.chance(.6))
    strides = [c.integer(1, 3) for _ in range(n)]
    dilations = [c.integer(1, 2) for _ in range(n)] if c.chance(.3) else [1] * n
    c.set(strides=strides, dilations=dilations, group=groups)
    c.maybe(.5, kernel_shape=kernel)
    reach = [(k - 1) * d + 1 for k, d in zip(kernel, dilations)]
    extra = [c.integer(0, max(s, d) - 1) for s, d in zip(strides, dilations)] if c.chance(.3) else [0] * n
    mode = c.pick(["none", "pads", "SAME_UPPER", "SAME_LOWER", "shape"])
    if any(extra):
        c.set(output_padding=extra)
    if mode == "pads":
        c.set(pads=[c.integer(0, (r - 1) // 2) for r in reach * 2])
    elif mode == "shape" and not any(extra):
        full = [s * (x - 1) + r for s, x, r in zip(strides, spatial, reach)]
        c.set(output_shape=[c.integer(max(1, f - r + 1), f) for f, r in zip(full, reach)])
        c.maybe(auto_pad=c.pick(["SAME_UPPER", "SAME_LOWER"]))
    elif mode.startswith("SAME") and all(r >= s for r, s in zip(reach, strides)):
        c.set(auto_pad=mode)


def pool(c):
    spatial = spatial_shape(c)
    kernel = kernel_for(c, spatial)
    elem = c.type("T")
    c.tensor(elem, [c.integer(1, 2), c.integer(1, 3)] + spatial, "normal").set(kernel_shape=kernel)
    window(c, spatial, kernel, pool=True)
    if c.version >= (10 if c.op != "LpPool" else 18) and "auto_pad" not in c.attributes:
        c.maybe(.4, ceil_mode=1)
    if c.op == "AveragePool" and c.version >= 7:
        c.maybe(count_include_pad=1)
    if c.op == "LpPool":
        c.maybe(p=c.integer(1, 3))
    if c.op == "MaxPool" and c.version >= 8:
        c.outputs = c.integer(1, 2)
        if c.outputs == 2:
            c.maybe(storage_order=c.integer(0, 1))


def global_pool(c):
    c.tensor(c.type("T"), c.shape(3, 5), "normal")
    if c.op == "GlobalLpPool":
        c.maybe(p=c.integer(1, 3))


def max_unpool(c):
    n, ch, h, w = c.integer(1, 2), c.integer(1, 2), c.integer(1, 3), c.integer(1, 3)
    kernel = [2, 2]
    out = [h * 2, w * 2]
    places = np.zeros((n, ch, h, w), np.int64)
    for i, j in np.ndindex(h, w):
        places[:, :, i, j] = ((2 * i + c.rng.integers(0, 2, (n, ch))) * out[1] + 2 * j + c.rng.integers(0, 2, (n, ch)))
    places += (np.arange(n)[:, None, None, None] * ch + np.arange(ch)[None, :, None, None]) * out[0] * out[1]
    elem = c.type("T1")
    c.tensor(elem, [n, ch, h, w], "normal").list(places, False).set(kernel_shape=kernel, strides=[2, 2])


def resize(c):
    rank = c.integer(1, 4)
    shape = [c.integer(1, 5) for _ in range(rank)]
    mode = c.pick(["nearest", "linear", "cubic"] if c.version >= 11 else ["nearest", "linear"])
    elem = c.type("T1" if c.version >= 11 else "T", (FLOATS - {TensorProto.DOUBLE}) | ({TensorProto.UINT8, TensorProto.INT32} if mode == "nearest" else set()))
    moved = [k for k in range(rank) if c.chance(.6)]
    if mode != "nearest":
        moved = moved[-2:]
        if mode == "cubic":
            moved = [rank - 2, rank - 1] if rank >= 2 else []
    if mode == "linear" and rank == 4:
        moved = [2, 3]
    scales = [float(np.float32(c.pick([.5, 2., 1.5, .6, 3., 2.3, 1.]))) if k in moved else 1. for k in range(rank)]
    scales = [max(s, 1.01 / n) if s * n < 1 else s for s, n in zip(scales, shape)]
    c.tensor(elem, shape, "normal", False)
    if c.version < 11:
        c.set(mode=mode)
        if c.op == "Upsample":
            scales = [max(1., s) for s in scales]
        if c.op == "Upsample" and c.version < 9:
            c.set(scales=scales)
        else:
            c.list(np.array(scales, np.float32), True, TensorProto.FLOAT)
        return
    c.set(mode=mode)
    transform = c.pick(["half_pixel", "asymmetric", "align_corners", "pytorch_half_pixel"]
                       + (["tf_half_pixel_for_nn"] if c.version < 13 and mode == "nearest" else [])
                       + (["half_pixel_symmetric"] if c.version >= 19 else []) + ["tf_crop_and_resize"])
    c.maybe(.8, coordinate_transformation_mode=transform)
    transform = c.attributes.get("coordinate_transformation_mode", "half_pixel")
    axes = None
    if c.version >= 18 and c.chance(.3):
        axes = sorted(set(moved)) or [0]
        c.set(axes=axes)
    if transform == "tf_crop_and_resize":
        count = rank if axes is None else len(axes)
        kept = range(rank) if axes is None else axes
        low = [0. if k not in moved else .13 for k in kept]  # no place is whole or half, where the last bit decides
        high = [1. if k not in moved else c.pick([.77, 1.19]) for k in kept]
        c.list(np.array(low + high), True, TensorProto.FLOAT).maybe(extrapolation_value=2.5)
        assert len(low) == count
    elif c.version < 13:
        c.list(np.zeros(0), True, TensorProto.FLOAT)
    else:
        c.skip()
    pick = [scales[a] for a in axes] if axes is not None else scales
    # Evaluators disagree about what the scales leave over.
    if c.chance(.5) and transform not in ("align_corners", "tf_crop_and_resize"):
        c.list(np.array(pick), c.chance(.8), TensorProto.FLOAT).freeze(-1)
    else:
        sizes = [int(np.floor(np.float32(s) * np.float32(n))) for s, n in zip(scales, shape)]
        c.skip() if c.version >= 13 else c.list(np.zeros(0), True, TensorProto.FLOAT)
        c.list([sizes[a] for a in axes] if axes is not None else sizes, c.chance(.8)).freeze(-1)
        if c.version >= 18 and axes is not None and c.chance(.4):
            c.set(keep_aspect_ratio_policy=c.pick(["stretch", "not_larger", "not_smaller"]))
    if mode == "nearest":
        c.maybe(nearest_mode=c.pick(["round_prefer_floor", "round_prefer_ceil", "floor", "ceil"]))
    if mode == "cubic":
        c.maybe(cubic_coeff_a=-.5).maybe(exclude_outside=c.integer(0, 1) if transform != "tf_crop_and_resize" else 0)
    elif c.version >= 18 and mode == "linear" and transform != "tf_crop_and_resize":
        c.maybe(.3, antialias=1)


def grid_sample(c):
    spatial = [c.integer(2, 5) for _ in range(2 if c.version < 20 else c.pick([2, 2, 3]))]
    modes = ["bilinear", "nearest", "bicubic"] if c.version < 20 else ["linear", "nearest", "cubic"]
    mode = c.pick(modes[:2] if len(spatial) == 3 else modes)
    n = c.integer(1, 2)
    out = [c.integer(1, 4) for _ in spatial]
    c.tensor(TensorProto.FLOAT, [n, c.integer(1, 2)] + spatial, "normal")
    c.add(TensorProto.FLOAT, c.rng.uniform(-1.4, 1.4, [n] + out + [len(spatial)]))
    c.set(mode=mode).maybe(padding_mode=c.pick(["zeros", "border", "reflection"])).maybe(align_corners=c.integer(0, 1))


def affine_grid(c):
    n, spatial = c.integer(1, 2), [c.integer(2, 4) for _ in range(c.pick([2, 3]))]
    c.tensor(c.type("T1"), [n, len(spatial), len(spatial) + 1], "normal")
    c.list([n, c.integer(1, 2)] + spatial).maybe(align_corners=c.integer(0, 1))


def roi_align(c):
    n, rois = c.integer(1, 2), c.integer(1, 3)
    elem = c.type("T1")
    c.tensor(elem, [n, c.integer(1, 2), c.integer(4, 8), c.integer(4, 8)], "normal")
    corner = c.rng.uniform(0, 4, [rois, 2])
    c.add(elem, np.concatenate([corner, corner + c.rng.uniform(.5, 5, [rois, 2])], 1))
    c.list(c.rng.integers(0, n, [rois]), c.chance(.2))
    c.maybe(output_height=c.integer(1, 3)).maybe(output_width=c.integer(1, 3)).maybe(spatial_scale=.7)
    c.maybe(sampling_ratio=c.integer(0, 2)).maybe(mode=c.pick(["avg", "max"]))
    if c.version >= 16:
        c.maybe(coordinate_transformation_mode=c.pick(["half_pixel", "output_half_pixel"]))


def col2im(c):
    image, block = [c.integer(3, 6), c.integer(3, 6)], [c.integer(1, 3), c.integer(1, 3)]
    strides, pads, dilations = [c.integer(1, 2) for _ in range(2)], [c.integer(0, 1) for _ in range(4)], [1, 1]
    count = 1
    for k in range(2):
        count *= (image[k] + pads[k] + pads[k + 2] - (dilations[k] * (block[k] - 1) + 1)) // strides[k] + 1
    c.tensor(c.type("T"), [c.integer(1, 2), c.integer(1, 2) * block[0] * block[1], count], "normal")
    c.list(image, True).list(block, True).set(strides=strides, pads=pads, dilations=dilations)


def cosine_window(c):
    elem = c.pick([TensorProto.INT32, TensorProto.INT64])
    c.add(elem, np.array(c.integer(2, 12)), c.chance(.7)).maybe(periodic=c.integer(0, 1))
    c.maybe(output_datatype=c.pick([TensorProto.FLOAT, TensorProto.DOUBLE]))


def dft(c):
    inverse, one_sided = c.chance(.4), c.chance(.3)
    if inverse:
        one_sided = False
    elem = c.type("T1", {TensorProto.FLOAT, TensorProto.DOUBLE})
    shape = c.shape(2, 3, 2, 6) + [1 if one_sided or not inverse and c.chance(.5) else 2]
    axis = c.integer(1, len(shape) - 2)
    c.tensor(elem, shape, "normal").freeze(-1)
    if c.chance(.3):
        c.list(c.integer(2, 7), True)
    elif c.version >= 20:
        c.skip()
    c.set(inverse=int(inverse), onesided=int(one_sided))
    c.set(axis=axis) if c.version < 20 else c.list(axis, True)


def stft(c):
    elem, length = c.type("T1", {TensorProto.FLOAT, TensorProto.DOUBLE}), c.integer(8, 14)
    frame = c.integer(2, 6)
    c.tensor(elem, [c.integer(1, 2), length, 1], "normal").freeze(-1).list(c.integer(1, 4), True)
    if c.chance(.5):
        c.tensor(elem, [frame], "normal")
        if c.chance(.5):
            c.list(frame, True)
    else:
        c.skip().list(frame, True)
    c.maybe(onesided=c.integer(0, 1))


def non_max_suppression(c):
    n, boxes, classes = c.integer(1, 2), c.integer(1, 8), c.integer(1, 2)
    corner = c.rng.uniform(0, 4, [n, boxes, 2])
    c.add(TensorProto.FLOAT, np.concatenate([corner, corner + c.rng.uniform(.5, 3, [n, boxes, 2])], 2))
    c.add(TensorProto.FLOAT, c.rng.uniform(0, 1, [n, classes, boxes]))
    if c.chance(.8):
        c.list([c.integer(1, 4)])
        if c.chance(.8):
            c.list([c.rng.uniform(.1, .6)], elem=TensorProto.FLOAT)
            if c.chance(.5):
                c.list([.3], elem=TensorProto.FLOAT)
    c.maybe(center_point_box=c.integer(0, 1))


def deform_conv(c):
    n, group, shares = c.integer(1, 2), c.pick([1, 2]), c.pick([1, 2])
    channels, out = 2 * c.integer(1, 2), group * c.integer(1, 2)
    image, kernel = [c.integer(3, 6), c.integer(3, 6)], [c.integer(1, 3), c.integer(1, 2)]
    strides, pads, dilations = [c.integer(1, 2) for _ in range(2)], [c.integer(0, 1) for _ in range(4)], [1, c.integer(1, 2)]
    places = [(image[d] + pads[d] + pads[2 + d] - (kernel[d] - 1) * dilations[d] - 1) // strides[d] + 1 for d in range(2)]
    elem, taps = c.type("T", {TensorProto.FLOAT, TensorProto.DOUBLE}), kernel[0] * kernel[1]
    c.frozen_ones = True
    c.tensor(elem, [n, channels] + image, "normal", False)
    c.tensor(elem, [out, channels // group] + kernel, "normal", c.chance(.5))
    c.tensor(elem, [n, shares * taps * 2] + places, "normal", False)
    c.tensor(elem, [out], "normal") if c.chance(.5) else c.skip()
    if c.chance(.5):
        c.tensor(elem, [n, shares * taps] + places, "normal", False)
    c.set(group=group, offset_group=shares, strides=strides, pads=pads, dilations=dilations).maybe(kernel_shape=kernel)


def max_roi_pool(c):
    n, rois = c.integer(1, 2), c.integer(1, 3)
    c.tensor(TensorProto.FLOAT, [n, c.integer(1, 2), c.integer(4, 8), c.integer(4, 8)], "normal", False)
    corner = c.rng.uniform(0, 4, [rois, 2])
    c.add(TensorProto.FLOAT, np.concatenate([c.rng.integers(0, n, [rois, 1]), corner, corner + c.rng.uniform(0, 5, [rois, 2])], 1))
    c.set(pooled_shape=[c.integer(1, 3), c.integer(1, 3)]).maybe(spatial_scale=.7)


MAKERS = {
    "DeformConv": deform_conv, "MaxRoiPool": max_roi_pool, "Conv": conv, "ConvTranspose": conv_transpose, "MaxPool": pool, "AveragePool": pool, "LpPool": pool,
    "GlobalAveragePool": global_pool, "GlobalMaxPool": global_pool, "GlobalLpPool": global_pool,
    "MaxUnpool": max_unpool, "Resize": resize, "Upsample": resize, "GridSample": grid_sample,
    "AffineGrid": affine_grid, "RoiAlign": roi_align, "Col2Im": col2im, "BlackmanWindow": cosine_window,
    "HannWindow": cosine_window, "HammingWindow": cosine_window, "DFT": dft, "STFT": stft,
    "NonMaxSuppression": non_max_suppression}
