#!/usr/bin/env python3
"""Writes the models of this folder whose planes have sizes that only the run knows, from a few positions to more
than a cache holds; as make_models.py does: same arguments, same folders, expectations from onnxruntime.
"""
import numpy as np
from onnx import parser

from make_models import MODELS, constant, main, model, normal, stream

MODELS.clear()


@model
def planes_of_sizes():
    """Convolutions with windows and without over planes of 30 to 4,800 positions: bands that follow from the width,
    tiles for few columns. And a product over windows of 7 x 7 into which the plane is cut, its edges padded, as
    exporters write it: where a row lies takes quotients by sizes, and the last windows lie outside in part."""
    random = stream("planes_of_sizes")
    text = """planes_of_sizes (float[1, 1, h, w] image) => (float[1, 30, rows] y, float[windows, 12] z) {
      stem_0 = Conv <kernel_shape = [3, 3], pads = [1, 1, 1, 1]> (image, w_stem, b_stem)
      stem = Relu (stem_0)
      wide_0 = Conv <kernel_shape = [3, 3], pads = [1, 1, 1, 1]> (stem, w_wide, b_wide)
      wide = Relu (wide_0)
      halved = Conv <kernel_shape = [3, 3], strides = [2, 2], pads = [1, 1, 1, 1]> (wide, w_halved)
      dense = Conv <kernel_shape = [1, 1]> (halved, w_dense, b_dense)
      pooled = MaxPool <kernel_shape = [3, 3], pads = [1, 1, 1, 1]> (dense)
      y = ReduceMean <keepdims = 0> (pooled, last)
      pixels = Transpose <perm = [0, 2, 3, 1]> (stem)
      rows_of_pixels = LayerNormalization (pixels, scale, shift)
      shape = Shape (rows_of_pixels)
      sizes = Slice (shape, one, three)
      short = Neg (sizes)
      more = Mod (short, seven)
      pads = Concat <axis = 0> (five_zeros, more, zero)
      padded = Pad (rows_of_pixels, pads)
      whole = Add (sizes, more)
      counts = Div (whole, seven)
      count_h = Slice (counts, zero, one)
      count_w = Slice (counts, one, two)
      cut_shape = Concat <axis = 0> (count_h, seven, count_w, seven, eight)
      cut = Reshape (padded, cut_shape)
      windows_first = Transpose <perm = [0, 2, 1, 3, 4]> (cut)
      rows_of_windows = Reshape (windows_first, window_shape)
      product = MatMul (rows_of_windows, w_product)
      biased = Add (product, b_product)
      kept = Relu (biased)
      z = ReduceSum <keepdims = 0> (kept, middle)
    }"""
    body = parser.parse_graph(text)

    def numbers(*values):
        return np.array(values, np.int64)
    body.initializer.extend([
        constant("w_stem", normal(random, 8, 1, 3, 3) * 0.5), constant("b_stem", normal(random, 8)),
        constant("w_wide", normal(random, 20, 8, 3, 3) * 0.125), constant("b_wide", normal(random, 20)),
        constant("w_halved", normal(random, 6, 20, 3, 3) * 0.0625),
        constant("w_dense", normal(random, 30, 6, 1, 1) * 0.5), constant("b_dense", normal(random, 30)),
        constant("w_product", normal(random, 8, 12) * 0.25), constant("b_product", normal(random, 12)),
        constant("last", numbers(-1)), constant("middle", numbers(1)), constant("zero", numbers(0)),
        constant("one", numbers(1)), constant("two", numbers(2)), constant("three", numbers(3)),
        constant("seven", numbers(7)), constant("eight", numbers(8)), constant("five_zeros", numbers(0, 0, 0, 0, 0)),
        constant("scale", random.rand(8).astype(np.float32) + 0.5), constant("shift", normal(random, 8)),
        constant("window_shape", numbers(-1, 49, 8))])
    return body, [{"image": normal(random, 1, 1, h, w)} for h, w in ((5, 6), (40, 120), (17, 33))]


@model
def planes_of_filters():
    """Convolutions of 3 x 3 taps with enough planes to be computed by fewer products: with a margin and without, in
    groups, with a residual and an activation behind, of a plane whose sides are no multiples of tiles."""
    random = stream("planes_of_filters")
    text = """planes_of_filters (float[n, 10, 18, 21] image) => (float[n, 14, 16, 19] y) {
      first_0 = Conv <kernel_shape = [3, 3], pads = [1, 1, 1, 1]> (image, w_first, b_first)
      first = Relu (first_0)
      grouped = Conv <kernel_shape = [3, 3], group = 2> (first, w_grouped)
      second = Conv <kernel_shape = [3, 3]> (first, w_second, b_second)
      sum = Add (second, grouped)
      y = Clip (sum, low, high)
    }"""
    body = parser.parse_graph(text)
    body.initializer.extend([
        constant("w_first", normal(random, 14, 10, 3, 3) * 0.125), constant("b_first", normal(random, 14)),
        constant("w_grouped", normal(random, 14, 7, 3, 3) * 0.03125),
        constant("w_second", normal(random, 14, 14, 3, 3) * 0.03125), constant("b_second", normal(random, 14)),
        constant("low", np.array(-0.5, np.float32)), constant("high", np.array(2, np.float32))])
    return body, [{"image": normal(random, n, 10, 18, 21)} for n in (1, 3)]


@model
def planes_of_functions():
    """Functions behind sums of products: of convolutions through windows and without, with a residual behind the
    function, with one row for each channel, and of a product of matrices; rows and columns that fill no tile."""
    random = stream("planes_of_functions")
    text = """planes_of_functions (float[n, 6, 13, 11] image) => (float[n, 143, 37] y, float[n, 13, 13, 11] z) {
      first_0 = Conv <kernel_shape = [3, 3], pads = [1, 1, 1, 1]> (image, w_first, b_first)
      first_1 = Sigmoid (first_0)
      first = Mul (first_0, first_1)
      second_0 = Conv <kernel_shape = [3, 3], pads = [1, 1, 1, 1]> (first, w_second, b_second)
      second_1 = Tanh (second_0)
      z = Add (second_1, first)
      each_0 = Conv <kernel_shape = [3, 3], pads = [1, 1, 1, 1], group = 13> (z, w_each, b_each)
      each_1 = Sigmoid (each_0)
      each = Mul (each_0, each_1)
      dense_0 = Conv <kernel_shape = [1, 1]> (each, w_dense, b_dense)
      dense = LeakyRelu <alpha = 0.1> (dense_0)
      flat = Reshape (dense, flat_shape)
      tokens = Transpose <perm = [0, 2, 1]> (flat)
      product = MatMul (tokens, w_product)
      biased = Add (product, b_product)
      scaled = Div (biased, root)
      error = Erf (scaled)
      one_more = Add (error, one)
      half = Mul (biased, one_more)
      y = Mul (half, one_half)
    }"""
    body = parser.parse_graph(text)
    body.initializer.extend([
        constant("w_first", normal(random, 13, 6, 3, 3) * 0.0625), constant("b_first", normal(random, 13)),
        constant("w_second", normal(random, 13, 13, 3, 3) * 0.03125), constant("b_second", normal(random, 13)),
        constant("w_each", normal(random, 13, 1, 3, 3) * 0.5), constant("b_each", normal(random, 13)),
        constant("w_dense", normal(random, 21, 13, 1, 1) * 0.25), constant("b_dense", normal(random, 21)),
        constant("w_product", normal(random, 21, 37) * 0.25), constant("b_product", normal(random, 37)),
        constant("flat_shape", np.array([0, 21, -1], np.int64)), constant("root", np.array(2 ** 0.5, np.float32)),
        constant("one", np.array(1, np.float32)), constant("one_half", np.array(0.5, np.float32))])
    return body, [{"image": normal(random, n, 6, 13, 11)} for n in (1, 3)]


@model
def planes_of_far_taps():
    """Convolutions whose taps lie so far apart that many, or all but one, meet the margins only; in both directions, in
    one, with a stride, and transposed, where taps go backwards."""
    random = stream("planes_of_far_taps")
    text = """planes_of_far_taps (float[n, 6, 17, 23] image) => (float[n, 20, 17, 23] y, float[n, 9, 9, 12] z, float[n, 5, 17, 23] t) {
      near = Conv <kernel_shape = [3, 3], dilations = [6, 6], pads = [6, 6, 6, 6]> (image, w_near, b_near)
      far = Conv <kernel_shape = [3, 3], dilations = [12, 12], pads = [12, 12, 12, 12]> (image, w_far, b_far)
      none = Conv <kernel_shape = [3, 3], dilations = [24, 24], pads = [24, 24, 24, 24]> (image, w_none)
      along = Conv <kernel_shape = [1, 5], dilations = [1, 9], pads = [0, 18, 0, 18]> (image, w_along)
      both = Concat <axis = 1> (near, far, none, along)
      y = Relu (both)
      z = Conv <kernel_shape = [3, 3], dilations = [10, 10], pads = [10, 10, 10, 10], strides = [2, 2]> (image, w_strided)
      t = ConvTranspose <kernel_shape = [3, 3], dilations = [6, 6], pads = [6, 6, 6, 6]> (image, w_turned)
    }"""
    body = parser.parse_graph(text)
    body.initializer.extend([
        constant("w_near", normal(random, 5, 6, 3, 3) * 0.125), constant("b_near", normal(random, 5)),
        constant("w_far", normal(random, 6, 6, 3, 3) * 0.125), constant("b_far", normal(random, 6)),
        constant("w_none", normal(random, 4, 6, 3, 3) * 0.125), constant("w_along", normal(random, 5, 6, 1, 5) * 0.125),
        constant("w_strided", normal(random, 9, 6, 3, 3) * 0.125),
        constant("w_turned", normal(random, 6, 5, 3, 3) * 0.125)])
    return body, [{"image": normal(random, n, 6, 17, 23)} for n in (1, 2)]


@model
def planes_of_signs():
    """Products of signs as exporters of binary networks write them: Sign, a choice by a comparison, a step; weights that
    are signs in bytes, signs times a scale for each filter, signs in floats; margins that are 0, a stride, groups, a
    residual behind, and a product of matrices at the end. Numbers are halves, so that some are 0."""
    random = stream("planes_of_signs")
    text = """planes_of_signs (float[n, 33, h, w] image) => (float[n, 18, h, w] y, float[n, 16, u, v] z, float[n, 12] t) {
      s = Sign (image)
      w_first = Cast <to = 1> (w_bytes)
      first = Conv <kernel_shape = [3, 3], pads = [1, 1, 1, 1]> (s, w_first)
      scaled = Mul (first, scale)
      shifted = Add (scaled, shift)
      short = Conv <kernel_shape = [1, 1]> (image, w_short)
      y = Add (shifted, short)
      above = GreaterOrEqual (y, zero)
      chosen = Where (above, one, less)
      second = Conv <kernel_shape = [1, 1]> (chosen, w_scaled)
      positive = Greater (second, zero)
      steps = Cast <to = 1> (positive)
      w_groups = Cast <to = 1> (bytes_of_groups)
      z = Conv <kernel_shape = [3, 3], strides = [2, 2], pads = [1, 0, 1, 1], group = 2> (steps, w_groups)
      mean = GlobalAveragePool (z)
      row = Flatten (mean)
      centred = Sub (row, middle)
      signs = Sign (centred)
      t = MatMul (signs, w_last)
    }"""
    body = parser.parse_graph(text)

    def signs(*shape):
        return np.where(normal(random, *shape) < 0, -1, 1).astype(np.float32)

    def floats(*values):
        return np.array(values, np.float32)
    scales = np.exp2(-(np.arange(64) % 3)).astype(np.float32).reshape(64, 1, 1, 1)
    body.initializer.extend([
        constant("w_bytes", signs(18, 33, 3, 3).astype(np.int8)),
        constant("scale", np.full((1, 18, 1, 1), 0.125, np.float32)),
        constant("shift", np.round(normal(random, 1, 18, 1, 1) * 4).astype(np.float32) / 8),
        constant("w_short", np.round(normal(random, 18, 33, 1, 1)).astype(np.float32) / 8),
        constant("zero", floats(0)), constant("one", floats(1)), constant("less", floats(-1)),
        constant("w_scaled", scales * signs(64, 18, 1, 1)),
        constant("bytes_of_groups", signs(16, 32, 3, 3).astype(np.int8)),
        constant("middle", floats(0.3)), constant("w_last", signs(16, 12))])

    def halves(n, h, w):
        return np.round(normal(random, n, 33, h, w) * 2).astype(np.float32) / 2
    return body, [{"image": halves(*sizes)} for sizes in ((1, 5, 6), (2, 9, 19))]


@model
def planes_scaled():
    """Planes scaled by factors that are no short fractions, as exporters write it: the factor itself, a factor made of
    the size that it gives, and sizes by a product of floats. What a float makes of a size is found by the run;
    what is above it is known before."""
    random = stream("planes_scaled")
    text = """planes_scaled (float[n, 2, h, w] image) => (float[n, 3, a, b] y, float[n, 3, c, d] z, float[n, 2, e, f] t) {
      wide = Resize <mode = "linear", coordinate_transformation_mode = "half_pixel"> (image, , factors)
      y = Conv <kernel_shape = [3, 3], pads = [1, 1, 1, 1]> (wide, w_y)
      shape = Shape (image)
      sizes = Slice (shape, two, four)
      sizes_in_floats = Cast <to = 1> (sizes)
      scaled = Mul (sizes_in_floats, half_more)
      floored = Floor (scaled)
      made = Div (floored, sizes_in_floats)
      all_factors = Concat <axis = 0> (ones, made)
      higher = Resize <mode = "nearest", coordinate_transformation_mode = "asymmetric", nearest_mode = "floor"> (image, , all_factors)
      z = Conv <kernel_shape = [3, 3], pads = [1, 1, 1, 1]> (higher, w_y)
      lowered = Mul (sizes_in_floats, less)
      up = Ceil (lowered)
      wanted = Cast <to = 7> (up)
      front = Slice (shape, zero, two)
      all_sizes = Concat <axis = 0> (front, wanted)
      t = Resize <mode = "linear", coordinate_transformation_mode = "pytorch_half_pixel"> (image, , , all_sizes)
    }"""
    body = parser.parse_graph(text)

    def numbers(*values):
        return np.array(values, np.int64)

    def floats(*values):
        return np.array(values, np.float32)
    body.initializer.extend([
        constant("w_y", normal(random, 3, 2, 3, 3)), constant("factors", floats(1, 1, 1.3, 0.7)),
        constant("half_more", floats(1.5)), constant("less", floats(0.6)), constant("ones", floats(1, 1)),
        constant("zero", numbers(0)), constant("two", numbers(2)), constant("four", numbers(4))])
    return body, [{"image": normal(random, n, 2, h, w)} for n, h, w in ((1, 5, 6), (2, 90, 31), (3, 7, 50))]


if __name__ == "__main__":
    main()
