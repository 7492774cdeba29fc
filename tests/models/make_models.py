#!/usr/bin/env python3
"""Writes the small models of this folder: one per representation problem, all with symbolic sizes.

    make_models.py [--out FOLDER] [NAME ...]

writes FOLDER/NAME/model.onnx and, for two choices of the symbolic sizes, test_data_set_{0,1} with
input_*.pb and output_*.pb. Expected outputs are those of onnxruntime with its graph rewrites off; the
script stops when they differ from its results with all rewrites on by more than rounding. Where sixteen-bit
floats round node by node, they are numpy's, close to these. Needs
Python 3.9+ with numpy, onnx and onnxruntime. The tests of burin use the committed files only.
"""
import argparse
import os

import numpy as np
import onnx
import onnxruntime
from onnx import TensorProto, helper, numpy_helper

FLOAT, INT64, INT32, BOOL, UINT8, FLOAT16 = (TensorProto.FLOAT, TensorProto.INT64, TensorProto.INT32,
                                             TensorProto.BOOL, TensorProto.UINT8, TensorProto.FLOAT16)
OPSET, IR_VERSION = 18, 8
OPSETS = {"masked_rows": 23}  # of those that need another one
MODELS = {}
EXACT = {}  # results that numpy rounds node by node, where onnxruntime does not


def model(function):
    """Registers a function that returns (graph, [inputs of set 0, inputs of set 1])."""
    MODELS[function.__name__] = function
    return function


def stream(name):
    return np.random.RandomState(sum(map(ord, name)))


def normal(random, *shape):
    return random.standard_normal(shape).astype(np.float32)


def value(name, kind, *shape):
    return helper.make_tensor_value_info(name, kind, list(shape))


def constant(name, array):
    return numpy_helper.from_array(np.asarray(array), name)


def ints(name, *numbers):
    return constant(name, np.array(numbers, np.int64))


def graph(name, nodes, inputs, outputs, constants=()):
    return helper.make_graph(nodes, name, inputs, outputs, list(constants))


@model
def relu_sym():
    random = stream("relu_sym")
    body = graph("relu_sym", [helper.make_node("Relu", ["x"], ["y"], "relu")],
                 [value("x", FLOAT, "batch", 3, "n")], [value("y", FLOAT, "batch", 3, "n")])
    return body, [{"x": normal(random, 1, 3, 5)}, {"x": normal(random, 7, 3, 16)}]


@model
def matmul_sym():
    random = stream("matmul_sym")
    body = graph("matmul_sym", [helper.make_node("MatMul", ["x", "w"], ["xw"], "project"),
                                helper.make_node("MatMul", ["xw", "z"], ["y"], "mix")],
                 [value("x", FLOAT, "batch", "rows", 24), value("z", FLOAT, "batch", 17, "cols")],
                 [value("y", FLOAT, "batch", "rows", "cols")],
                 [constant("w", normal(random, 24, 17))])
    sets = [{"x": normal(random, b, r, 24), "z": normal(random, b, 17, c)}
            for b, r, c in ((1, 9, 4), (7, 33, 19))]
    return body, sets


@model
def open_broadcast():
    """Which of two operands is broadcast, if any, is found by the run, in every dimension of its own."""
    random = stream("open_broadcast")
    body = graph("open_broadcast",
                 [helper.make_node("Add", ["x", "y"], ["sum"], "sum"), helper.make_node("Relu", ["sum"], ["above"], "above"),
                  helper.make_node("Mul", ["above", "w"], ["scaled"], "scaled"),
                  helper.make_node("Where", ["mask", "scaled", "y"], ["z"], "z"),
                  helper.make_node("Sub", ["x", "w"], ["apart"], "apart"),
                  helper.make_node("ReduceMax", ["apart", "last"], ["most"], "most", keepdims=0)],
                 [value("x", FLOAT, "a", "b", "c"), value("y", FLOAT, "d", "e", "f"), value("w", FLOAT, "g", "h"),
                  value("mask", BOOL, "i", "j", "k")],
                 [value("z", FLOAT, "z0", "z1", "z2"), value("most", FLOAT, "m0", "m1")],
                 [constant("last", np.array([2], np.int64))])

    def inputs(x, y, w, mask):
        return {"x": normal(random, *x), "y": normal(random, *y), "w": normal(random, *w), "mask": normal(random, *mask) > 0}

    return body, [inputs((2, 3, 37), (2, 3, 37), (3, 37), (2, 3, 37)), inputs((1, 4, 9), (3, 1, 1), (4, 9), (1, 4, 1))]


@model
def softmax_sym():
    random = stream("softmax_sym")
    body = graph("softmax_sym", [helper.make_node("Softmax", ["x"], ["last"], "last", axis=-1),
                                 helper.make_node("Softmax", ["x"], ["middle"], "middle", axis=1)],
                 [value("x", FLOAT, "batch", "rows", "cols")],
                 [value("last", FLOAT, "batch", "rows", "cols"),
                  value("middle", FLOAT, "batch", "rows", "cols")])
    return body, [{"x": normal(random, 1, 3, 8) * 4}, {"x": normal(random, 4, 17, 33) * 30}]


@model
def concat_sym():
    random = stream("concat_sym")
    nodes = [helper.make_node("Sigmoid", ["b"], ["b_gate"], "gate"),
             helper.make_node("Concat", ["a", "b_gate", "tail"], ["joined"], "join", axis=1),
             helper.make_node("Mul", ["joined", "joined"], ["y"], "square")]
    body = graph("concat_sym", nodes,
                 [value("a", FLOAT, 2, "left", "n"), value("b", FLOAT, 2, "right", "n"),
                  value("tail", FLOAT, 2, 1, "n")],
                 [value("y", FLOAT, 2, "total", "n")])
    sets = [{"a": normal(random, 2, p, n), "b": normal(random, 2, q, n),
             "tail": normal(random, 2, 1, n)}
            for p, q, n in ((3, 4, 5), (8, 1, 19))]
    return body, sets


@model
def slice_runtime():
    random = stream("slice_runtime")
    body = graph("slice_runtime",
                 [helper.make_node("Slice", ["x", "starts", "ends", "axes", "steps"], ["part"], "cut"),
                  helper.make_node("Neg", ["part"], ["y"], "negate")],
                 [value("x", FLOAT, "rows", "cols", 4)] +
                 [value(n, INT64, 2) for n in ("starts", "ends", "axes", "steps")],
                 [value("y", FLOAT, "rows_cut", "cols_cut", 4)])

    def one(shape, starts, ends, axes, steps):
        whole = np.array([starts, ends, axes, steps], np.int64)
        return {"x": normal(random, *shape), "starts": whole[0], "ends": whole[1],
                "axes": whole[2], "steps": whole[3]}
    return body, [one((6, 9, 4), (1, 2), (5, 8), (0, 1), (1, 3)),
                  one((11, 5, 4), (-1, 3), (-2**62, 100), (1, -3), (-2, 4))]


@model
def pad_runtime():
    """Pads that the run reads, below zero too: how far they reach bounds what is computed with them."""
    random = stream("pad_runtime")
    nodes = [helper.make_node("Pad", ["x", "pads"], ["y"], "pad", mode="reflect")]
    body = graph("pad_runtime", nodes, [value("x", FLOAT, 5, 6), value("pads", INT64, 4)],
                 [value("y", FLOAT, "rows", "cols")])

    def one(*pads):
        return {"x": normal(random, 5, 6), "pads": np.array(pads, np.int64)}
    return body, [one(1, 0, 2, 3), one(0, -2, -1, 2)]


@model
def sums_along():
    """Running sums along an axis that the run gives."""
    random = stream("sums_along")
    body = graph("sums_along", [helper.make_node("CumSum", ["x", "axis"], ["y"], exclusive=1)],
                 [value("x", FLOAT, "n", "m", 3), value("axis", INT64)], [value("y", FLOAT, "n", "m", 3)])
    return body, [{"x": normal(random, 4, 5, 3), "axis": np.array(1)},
                  {"x": normal(random, 2, 7, 3), "axis": np.array(-3)}]


@model
def aspect_kept():
    """Images scaled into a frame as large as fits, and over a frame: which side decides follows from their sizes."""
    random = stream("aspect_kept")
    into, over = [helper.make_node("Resize", ["x", "", "", "frame"], [name], axes=[2, 3], mode=mode,
                                   keep_aspect_ratio_policy=policy)
                  for name, mode, policy in (("inside", "linear", "not_larger"), ("outside", "cubic", "not_smaller"))]
    body = graph("aspect_kept", [into, over], [value("x", FLOAT, 1, 2, "h", "w")],
                 [value("inside", FLOAT, 1, 2, "h_in", "w_in"), value("outside", FLOAT, 1, 2, "h_out", "w_out")],
                 [ints("frame", 6, 7)])
    return body, [{"x": normal(random, 1, 2, 5, 9)}, {"x": normal(random, 1, 2, 11, 3)}]


@model
def maxpool_indices():
    random = stream("maxpool_indices")
    node = helper.make_node("MaxPool", ["x"], ["y", "where"], "pool", kernel_shape=[3, 2],
                            strides=[2, 2], pads=[1, 0, 1, 1], dilations=[1, 2])
    body = graph("maxpool_indices", [node], [value("x", FLOAT, "batch", 3, "h", "w")],
                 [value("y", FLOAT, "batch", 3, "h_out", "w_out"),
                  value("where", INT64, "batch", 3, "h_out", "w_out")])
    return body, [{"x": normal(random, 1, 3, 8, 9)}, {"x": normal(random, 2, 3, 13, 6)}]


@model
def convtranspose():
    random = stream("convtranspose")
    nodes = [helper.make_node("ConvTranspose", ["x", "w1", "b1"], ["mid"], "grouped", group=2,
                              kernel_shape=[3, 3], strides=[2, 2], pads=[1, 1, 1, 1],
                              output_padding=[1, 1]),
             helper.make_node("ConvTranspose", ["mid", "w2"], ["y"], "dilated", kernel_shape=[2, 4],
                              strides=[3, 1], dilations=[2, 1], pads=[0, 1, 1, 2])]
    body = graph("convtranspose", nodes, [value("x", FLOAT, "batch", 4, "h", "w")],
                 [value("y", FLOAT, "batch", 3, "h_out", "w_out")],
                 [constant("w1", normal(random, 4, 3, 3, 3) * 0.3),
                  constant("b1", normal(random, 6)),
                  constant("w2", normal(random, 6, 3, 2, 4) * 0.3)])
    return body, [{"x": normal(random, 1, 4, 3, 5)}, {"x": normal(random, 3, 4, 6, 4)}]


def lstm_graph(name, lens):
    random = stream(name)
    hidden, size = 4, 5
    inputs = [value("x", FLOAT, "seq", "batch", size)]
    if lens:
        inputs += [value("lens", INT32, "batch")]
    else:
        inputs += [value(n, FLOAT, 2, "batch", hidden) for n in ("h0", "c0")]
    names = ["x", "w", "r", "b"] + (["lens"] if lens else ["", "h0", "c0"])
    body = graph(name, [helper.make_node("LSTM", names, ["y", "y_h", "y_c"], "lstm",
                                         direction="bidirectional", hidden_size=hidden)],
                 inputs, [value("y", FLOAT, "seq", 2, "batch", hidden),
                          value("y_h", FLOAT, 2, "batch", hidden),
                          value("y_c", FLOAT, 2, "batch", hidden)],
                 [constant("w", normal(random, 2, 4 * hidden, size) * 0.5),
                  constant("r", normal(random, 2, 4 * hidden, hidden) * 0.5),
                  constant("b", normal(random, 2, 8 * hidden) * 0.3)])
    sets = []
    for seq, batch in ((3, 1), (9, 4)):
        feed = {"x": normal(random, seq, batch, size)}
        if lens:
            feed["lens"] = random.randint(1, seq + 1, batch).astype(np.int32)
        else:
            for state in ("h0", "c0"):
                feed[state] = normal(random, 2, batch, hidden)
        sets.append(feed)
    return body, sets


@model
def lstm():
    return lstm_graph("lstm", lens=False)


@model
def lstm_lens():
    return lstm_graph("lstm_lens", lens=True)


@model
def lstm_wide():
    """States of more units than a vector has lanes, not a multiple of them."""
    random = stream("lstm_wide")
    hidden, size = 20, 3
    body = graph("lstm_wide", [helper.make_node("LSTM", ["x", "w", "r", "b", "", "h0", "c0"],
                                                ["y", "y_h", "y_c"], "lstm",
                                                direction="bidirectional", hidden_size=hidden)],
                 [value("x", FLOAT, "seq", "batch", size)] +
                 [value(n, FLOAT, 2, "batch", hidden) for n in ("h0", "c0")],
                 [value("y", FLOAT, "seq", 2, "batch", hidden),
                  value("y_h", FLOAT, 2, "batch", hidden), value("y_c", FLOAT, 2, "batch", hidden)],
                 [constant("w", normal(random, 2, 4 * hidden, size) * 0.5),
                  constant("r", normal(random, 2, 4 * hidden, hidden) * 0.3),
                  constant("b", normal(random, 2, 8 * hidden) * 0.3)])
    return body, [{"x": normal(random, seq, batch, size), "h0": normal(random, 2, batch, hidden),
                   "c0": normal(random, 2, batch, hidden)} for seq, batch in ((3, 1), (4, 15))]


@model
def gru_wide():
    """The same of a GRU whose rows end early, nothing given before the first step."""
    random = stream("gru_wide")
    hidden, size = 28, 3
    body = graph("gru_wide", [helper.make_node("GRU", ["x", "w", "r", "b", "lens"], ["y", "y_h"], "gru",
                                               linear_before_reset=1, hidden_size=hidden)],
                 [value("x", FLOAT, "seq", "batch", size), value("lens", INT32, "batch")],
                 [value("y", FLOAT, "seq", 1, "batch", hidden), value("y_h", FLOAT, 1, "batch", hidden)],
                 [constant("w", normal(random, 1, 3 * hidden, size) * 0.5),
                  constant("r", normal(random, 1, 3 * hidden, hidden) * 0.3),
                  constant("b", normal(random, 1, 6 * hidden) * 0.3)])
    return body, [{"x": normal(random, seq, batch, size),
                   "lens": random.randint(1, seq + 1, batch).astype(np.int32)}
                  for seq, batch in ((3, 2), (5, 9))]


@model
def scatternd_duplicates():
    random = stream("scatternd_duplicates")
    node = helper.make_node("ScatterND", ["data", "indices", "updates"], ["y"], "scatter",
                            reduction="add")
    body = graph("scatternd_duplicates", [node],
                 [value("data", FLOAT, "rows", 6, "n"), value("indices", INT64, "k", 2),
                  value("updates", FLOAT, "k", "n")], [value("y", FLOAT, "rows", 6, "n")])

    def one(rows, n, indices):
        return {"data": normal(random, rows, 6, n), "indices": np.array(indices, np.int64),
                "updates": normal(random, len(indices), n)}
    return body, [one(4, 3, [[1, 2], [1, 2], [3, 0]]),
                  one(2, 9, [[0, 5], [1, 1], [0, 5], [-1, -5], [0, 5], [1, 0], [1, 1]])]


@model
def nonzero():
    random = stream("nonzero")
    body = graph("nonzero", [helper.make_node("NonZero", ["x"], ["where"], "nonzero")],
                 [value("x", FLOAT, "rows", "cols")], [value("where", INT64, 2, "count")])

    def one(rows, cols, share):
        return {"x": normal(random, rows, cols) * (random.uniform(size=(rows, cols)) < share)}
    return body, [one(3, 4, 0.5), one(9, 11, 0.2)]


def loop_graph(name, trips):
    """total += x * i until the trips are used up or max(total) passes the limit; emits every total."""
    random = stream(name)
    step = helper.make_graph(
        [helper.make_node("Cast", ["i"], ["i_float"], "to_float", to=FLOAT),
         helper.make_node("Mul", ["x", "i_float"], ["grow"], "scale"),
         helper.make_node("Add", ["total_in", "grow"], ["total_out"], "accumulate"),
         helper.make_node("ReduceMax", ["total_out"], ["largest"], "largest", keepdims=0),
         helper.make_node("Less", ["largest", "limit"], ["go_on"], "test"),
         helper.make_node("Identity", ["total_out"], ["each"], "emit")],
        "step",
        [value("i", INT64), value("go_in", BOOL), value("total_in", FLOAT, "n")],
        [value("go_on", BOOL), value("total_out", FLOAT, "n"), value("each", FLOAT, "n")])
    inputs = [value("go", BOOL), value("start", FLOAT, "n"), value("x", FLOAT, "n"),
              value("limit", FLOAT)]
    constants = []
    if trips is None:
        inputs.insert(0, value("trips", INT64))
    else:
        constants.append(constant("trips", np.int64(trips)))
    node = helper.make_node("Loop", ["trips", "go", "start"], ["total", "all"], "loop", body=step)
    body = graph(name, [node], inputs, 
                 [value("total", FLOAT, "n"), value("all", FLOAT, "steps", "n")], constants)
    sets = []
    for count, n, limit in ((5, 3, 1e9), (8, 6, 12.0)):
        feed = {"go": np.array(True), "start": normal(random, n),
                "x": np.abs(normal(random, n)), "limit": np.array(limit, np.float32)}
        if trips is None:
            feed["trips"] = np.array(count, np.int64)
        sets.append(feed)
    return body, sets


@model
def loop():
    return loop_graph("loop", None)


@model
def loop_bounded():
    return loop_graph("loop_bounded", 8)


@model
def rows_kept():
    """Rows with a positive sum go on, through a product: no size of the run has a number above it."""
    random = stream("rows_kept")
    nodes = [helper.make_node("ReduceSum", ["x", "last"], ["sums"], "sums", keepdims=0),
             helper.make_node("Greater", ["sums", "zero"], ["positive"], "test"),
             helper.make_node("NonZero", ["positive"], ["places"], "find"),
             helper.make_node("Squeeze", ["places", "first"], ["numbers"], "numbers"),
             helper.make_node("Gather", ["x", "numbers"], ["kept"], "keep", axis=0),
             helper.make_node("MatMul", ["kept", "w"], ["product"], "product"),
             helper.make_node("Softmax", ["product"], ["y"], "normalise", axis=0)]
    body = graph("rows_kept", nodes, [value("x", FLOAT, "rows", 6), value("w", FLOAT, 6, "cols")],
                 [value("y", FLOAT, "count", "cols")],
                 [ints("last", 1), ints("first", 0), constant("zero", np.float32(0))])

    def one(rows, cols):
        return {"x": normal(random, rows, 6), "w": normal(random, 6, cols)}
    return body, [one(5, 3), one(40, 2)]


@model
def rows_summed():
    """The same rows, whose number no output shows: only kernels need it."""
    random = stream("rows_summed")
    nodes = [helper.make_node("ReduceSum", ["x", "last"], ["sums"], "sums", keepdims=0),
             helper.make_node("Greater", ["sums", "zero"], ["positive"], "test"),
             helper.make_node("NonZero", ["positive"], ["places"], "find"),
             helper.make_node("Squeeze", ["places", "first"], ["numbers"], "numbers"),
             helper.make_node("Gather", ["x", "numbers"], ["kept"], "keep", axis=0),
             helper.make_node("MatMul", ["kept", "w"], ["product"], "product"),
             helper.make_node("Softmax", ["product"], ["shares"], "normalise", axis=1),
             helper.make_node("Transpose", ["shares"], ["turned"], "turn", perm=[1, 0]),
             helper.make_node("MatMul", ["turned", "kept"], ["y"], "sum")]
    body = graph("rows_summed", nodes, [value("x", FLOAT, "rows", 6), value("w", FLOAT, 6, "cols")],
                 [value("y", FLOAT, "cols", 6)],
                 [ints("last", 1), ints("first", 0), constant("zero", np.float32(0))])

    def one(rows, cols):
        return {"x": normal(random, rows, 6), "w": normal(random, 6, cols)}
    return body, [one(300, 3), one(40, 2)]


@model
def rows_matched():
    """As many rows by one flag as by the other, which only the run can tell; and the largest sums, as many as there are flags."""
    random = stream("rows_matched")
    nodes = []
    for flags in ("a", "b"):
        nodes += [helper.make_node("NonZero", [flags], [flags + "_places"], "find_" + flags),
                  helper.make_node("Squeeze", [flags + "_places", "first"], [flags + "_numbers"], "numbers_" + flags),
                  helper.make_node("Gather", ["x", flags + "_numbers"], [flags + "_rows"], "keep_" + flags, axis=0)]
    nodes += [helper.make_node("Add", ["a_rows", "b_rows"], ["pairs"], "match"),
              helper.make_node("Transpose", ["pairs"], ["turned"], "turn", perm=[1, 0]),
              helper.make_node("MatMul", ["turned", "pairs"], ["y"], "product"),
              helper.make_node("ReduceSum", ["x", "last"], ["sums"], "sums", keepdims=0),
              helper.make_node("Cast", ["a"], ["ones"], "ones", to=INT64),
              helper.make_node("ReduceSum", ["ones", "first"], ["k"], "count", keepdims=1),
              helper.make_node("TopK", ["sums", "k"], ["best", "best_places"], "best", axis=0),
              helper.make_node("Gather", ["x", "best_places"], ["best_rows"], "best_rows", axis=0),
              helper.make_node("ReduceMean", ["best_rows", "first"], ["z"], "mean", keepdims=0)]
    body = graph("rows_matched", nodes, [value("x", FLOAT, "rows", 6), value("a", BOOL, "rows"), value("b", BOOL, "rows")],
                 [value("y", FLOAT, 6, 6), value("z", FLOAT, 6)], [ints("last", 1), ints("first", 0)])

    def one(rows, count):
        flags = [np.isin(np.arange(rows), random.permutation(rows)[:count]) for _ in "ab"]
        return {"x": normal(random, rows, 6), "a": flags[0], "b": flags[1]}
    return body, [one(300, 130), one(40, 1)]


@model
def grown_in_branch():
    """Every row of x is added to what is kept, or not: a branch inside a loop grows carried state."""
    random = stream("grown_in_branch")
    append = helper.make_graph([helper.make_node("Concat", ["kept_in", "row"], ["more"], "append", axis=0)],
                               "append", [], [value("more", FLOAT, "more_rows", 4)])
    leave = helper.make_graph([helper.make_node("Identity", ["kept_in"], ["same"], "leave")],
                              "leave", [], [value("same", FLOAT, "same_rows", 4)])
    step = helper.make_graph(
        [helper.make_node("Unsqueeze", ["i", "first"], ["place"], "place"),
         helper.make_node("Gather", ["x", "place"], ["row"], "row", axis=0),
         helper.make_node("ReduceSum", ["row"], ["sum"], "sum", keepdims=0),
         helper.make_node("Greater", ["sum", "zero"], ["positive"], "test"),
         helper.make_node("If", ["positive"], ["kept_out"], "choose", then_branch=append,
                          else_branch=leave),
         helper.make_node("Identity", ["go_in"], ["go_on"], "go_on")],
        "step",
        [value("i", INT64), value("go_in", BOOL), value("kept_in", FLOAT, "rows_in", 4)],
        [value("go_on", BOOL), value("kept_out", FLOAT, "rows_out", 4)])
    nodes = [helper.make_node("Shape", ["x"], ["sizes"], "sizes"),
             helper.make_node("Gather", ["sizes", "nought"], ["trips"], "trips"),
             helper.make_node("Loop", ["trips", "", "start"], ["kept"], "loop", body=step),
             helper.make_node("Relu", ["kept"], ["y"], "relu")]
    body = graph("grown_in_branch", nodes,
                 [value("x", FLOAT, "rows", 4), value("start", FLOAT, "begun", 4)],
                 [value("y", FLOAT, "count", 4)],
                 [ints("first", 0), constant("nought", np.int64(0)), constant("zero", np.float32(0))])
    return body, [{"x": normal(random, 5, 4), "start": normal(random, 1, 4)},
                  {"x": normal(random, 12, 4), "start": normal(random, 3, 4)}]


@model
def shrinks():
    """Every iteration drops the first entry and doubles the rest, until there is none."""
    random = stream("shrinks")
    step = helper.make_graph(
        [helper.make_node("Slice", ["state_in", "one", "far", "first"], ["rest"], "drop"),
         helper.make_node("Add", ["rest", "rest"], ["state_out"], "double"),
         helper.make_node("Identity", ["go_in"], ["go_on"], "go_on")],
        "step",
        [value("i", INT64), value("go_in", BOOL), value("state_in", FLOAT, "n_in")],
        [value("go_on", BOOL), value("state_out", FLOAT, "n_out")])
    nodes = [helper.make_node("Loop", ["trips", "", "x"], ["last"], "loop", body=step),
             helper.make_node("ReduceSum", ["last", "first"], ["y"], "sum")]
    body = graph("shrinks", nodes, [value("trips", INT64), value("x", FLOAT, "n")],
                 [value("y", FLOAT, 1)], [ints("one", 1), ints("far", 2**62), ints("first", 0)])
    return body, [{"trips": np.array(3, np.int64), "x": normal(random, 9)},
                  {"trips": np.array(7, np.int64), "x": normal(random, 4)}]


@model
def filtered():
    """Every iteration keeps what is positive after a step down: what it reads has the extent from before."""
    random = stream("filtered")
    step = helper.make_graph(
        [helper.make_node("Sub", ["state_in", "down"], ["lower"], "lower"),
         helper.make_node("Relu", ["lower"], ["positive"], "positive"),
         helper.make_node("NonZero", ["positive"], ["places"], "find"),
         helper.make_node("Squeeze", ["places", "first"], ["numbers"], "numbers"),
         helper.make_node("Gather", ["lower", "numbers"], ["state_out"], "keep", axis=0),
         helper.make_node("Identity", ["go_in"], ["go_on"], "go_on")],
        "step",
        [value("i", INT64), value("go_in", BOOL), value("state_in", FLOAT, "n_in")],
        [value("go_on", BOOL), value("state_out", FLOAT, "n_out")])
    node = helper.make_node("Loop", ["trips", "", "x"], ["y"], "loop", body=step)
    body = graph("filtered", [node], [value("x", FLOAT, "n")], [value("y", FLOAT, "count")],
                 [constant("trips", np.int64(3)), constant("down", np.float32(0.3)), ints("first", 0)])
    return body, [{"x": normal(random, 40) + 1}, {"x": normal(random, 7) + 1}]


def attention_graph(name, chain):
    """One attention block; with `chain`, sizes go through Shape, Gather and Concat."""
    random = stream(name)
    width, heads = 16, 4
    nodes, constants = [], []

    def node(op, inputs, output, **attributes):
        nodes.append(helper.make_node(op, inputs, [output], output, **attributes))
        return output

    def shape(label, source, last):
        if not chain:
            constants.append(ints(label, 0, 0, *last))
            return label
        node("Shape", [source], label + "_all")
        for axis in (0, 1):
            constants.append(constant(f"{label}_axis{axis}", np.int64(axis)))
            node("Gather", [label + "_all", f"{label}_axis{axis}"], f"{label}_{axis}", axis=0)
            node("Unsqueeze", [f"{label}_{axis}", "zero"], f"{label}_{axis}u")
        constants.append(ints(label + "_last", *last))
        return node("Concat", [label + "_0u", label + "_1u", label + "_last"], label, axis=0)

    if chain:
        constants.append(ints("zero", 0))
    for part, order in (("q", (0, 2, 1, 3)), ("k", (0, 2, 3, 1)), ("v", (0, 2, 1, 3))):
        constants += [constant("w_" + part, normal(random, width, width) * 0.25),
                      constant("b_" + part, normal(random, width) * 0.1)]
        node("MatMul", ["x", "w_" + part], part + "_matmul")
        node("Add", [part + "_matmul", "b_" + part], part + "_flat")
        target = shape("shape_" + part, part + "_flat", (heads, width // heads))
        node("Reshape", [part + "_flat", target], part + "_heads")
        node("Transpose", [part + "_heads"], part, perm=order)
    constants += [constant("root", np.float32(np.sqrt(width / heads))),
                  constant("w_o", normal(random, width, width) * 0.25)]
    node("MatMul", ["q", "k"], "scores_raw")
    node("Div", ["scores_raw", "root"], "scores_scaled")
    node("Add", ["scores_scaled", "mask"], "scores")
    node("Softmax", ["scores"], "weights", axis=-1)
    node("MatMul", ["weights", "v"], "mixed")
    node("Transpose", ["mixed"], "mixed_rows", perm=(0, 2, 1, 3))
    node("Reshape", ["mixed_rows", shape("shape_o", "mixed_rows", (width,))], "joined")
    node("MatMul", ["joined", "w_o"], "projected")
    node("Add", ["projected", "x"], "y")
    body = graph(name, nodes, [value("x", FLOAT, "batch", "seq", width),
                               value("mask", FLOAT, "batch", 1, 1, "seq")],
                 [value("y", FLOAT, "batch", "seq", width)], constants)
    sets = []
    for batch, seq in ((1, 6), (3, 21)):
        hidden = random.uniform(size=(batch, 1, 1, seq)) < 0.25
        hidden[..., 0] = False
        sets.append({"x": normal(random, batch, seq, width),
                     "mask": np.where(hidden, np.float32(-1e4), np.float32(0))})
    return body, sets


@model
def attention():
    return attention_graph("attention", chain=False)


@model
def attention_shape_chain():
    return attention_graph("attention_shape_chain", chain=True)


@model
def masked_rows():
    """Attention three times, a product behind each, with queries of which some see no key: their weights are NaN
    and stay so, or are cleared, or the operator gives zeros. In set 1 one of the batch sees none at all."""
    random = stream("masked_rows")
    depth, width = 8, 12
    nodes = [helper.make_node("Transpose", ["k"], ["k_turned"], "turn", perm=(0, 1, 3, 2)),
             helper.make_node("Attention", ["q_operator", "k", "v", "seen"], ["mixed_operator"], "mixed_operator")]
    for kind in ("left", "cleared"):
        def node(op, inputs, output, kind=kind, **attributes):
            nodes.append(helper.make_node(op, inputs, [f"{output}_{kind}"], f"{output}_{kind}", **attributes))
            return f"{output}_{kind}"

        raw = node("MatMul", [f"q_{kind}", "k_turned"], "raw")
        scores = node("Where", ["seen", node("Mul", [raw, "factor"], "scaled"), "least"], "scores")
        weights = node("Softmax", [scores], "weights", axis=-1)
        if kind == "cleared":
            weights = node("Where", [node("IsNaN", [weights], "empty"), "zero", weights], "kept")
        node("MatMul", [weights, "v"], "mixed")
    kinds = ("left", "cleared", "operator")
    nodes += [helper.make_node("MatMul", [f"mixed_{kind}", "w_out"], [f"y_{kind}"], f"y_{kind}") for kind in kinds]
    body = graph("masked_rows", nodes,
                 [*(value(f"q_{kind}", FLOAT, "batch", 2, "queries", depth) for kind in kinds),
                  value("k", FLOAT, "batch", 2, "keys", depth), value("v", FLOAT, "batch", 2, "keys", width),
                  value("seen", BOOL, "batch", 1, "queries", "keys")],
                 [value(f"y_{kind}", FLOAT, "batch", 2, "queries", width) for kind in kinds],
                 [constant("factor", np.float32(depth ** -0.5)), constant("least", np.float32(-np.inf)),
                  constant("zero", np.float32(0)), constant("w_out", normal(random, width, width) * 0.25)])
    sets = []
    for batch, queries, keys in ((1, 7, 5), (2, 19, 70)):
        seen = random.uniform(size=(batch, 1, queries, keys)) < 0.5
        seen[0, :, ::3] = False
        seen[1:] = False
        sets.append({**{f"q_{kind}": normal(random, batch, 2, queries, depth) for kind in kinds},
                     "k": normal(random, batch, 2, keys, depth), "v": normal(random, batch, 2, keys, width),
                     "seen": seen})
    return body, sets


@model
def qdq_conv():
    random = stream("qdq_conv")
    x_scale, y_scale = np.float32(0.043), np.float32(0.071)
    w_scale = (0.01 + 0.02 * random.uniform(size=6)).astype(np.float32)
    constants = [constant("x_scale", x_scale), constant("x_zero", np.uint8(117)),
                 constant("w", random.randint(-127, 128, (6, 4, 3, 3)).astype(np.int8)),
                 constant("w_scale", w_scale), constant("w_zero", np.zeros(6, np.int8)),
                 constant("b", random.randint(-900, 900, 6).astype(np.int32)),
                 constant("b_scale", x_scale * w_scale), constant("b_zero", np.zeros(6, np.int32)),
                 constant("y_scale", y_scale), constant("y_zero", np.uint8(128))]

    def node(op, inputs, output, name, **attributes):
        return helper.make_node(op, inputs, [output], name, **attributes)
    nodes = [node("QuantizeLinear", ["x", "x_scale", "x_zero"], "x_int", "x_q"),
             node("DequantizeLinear", ["x_int", "x_scale", "x_zero"], "x_back", "x_dq"),
             node("DequantizeLinear", ["w", "w_scale", "w_zero"], "w_back", "w_dq", axis=0),
             node("DequantizeLinear", ["b", "b_scale", "b_zero"], "b_back", "b_dq", axis=0),
             node("Conv", ["x_back", "w_back", "b_back"], "sum", "conv", strides=[2, 1],
                  pads=[1, 1, 1, 1], kernel_shape=[3, 3]),
             node("QuantizeLinear", ["sum", "y_scale", "y_zero"], "y", "y_q")]
    body = graph("qdq_conv", nodes, [value("x", FLOAT, "batch", 4, "h", "w")],
                 [value("y", UINT8, "batch", 6, "h_out", "w_out")], constants)
    return body, [{"x": normal(random, 1, 4, 7, 6) * 2}, {"x": normal(random, 3, 4, 5, 9) * 2}]


@model
def residual_blocks():
    """A bottleneck as ResNet has it and an inverted residual as MobileNet has it, for training and
    never simplified: every normalisation and activation is a node."""
    random = stream("residual_blocks")
    nodes, constants = [], []

    def convolution(source, label, into, out, size=1, stride=1, group=1, act=None):
        constants.append(constant(f"{label}.w", normal(random, out, into // group, size, size)
                                  / np.float32(np.sqrt(into // group * size * size))))
        nodes.append(helper.make_node(
            "Conv", [source, f"{label}.w"], [f"{label}.conv"], f"{label}/Conv", group=group,
            kernel_shape=[size, size], strides=[stride, stride], pads=[size // 2] * 4))
        for part, array in (("scale", random.rand(out) + 0.5), ("shift", random.randn(out)),
                            ("mean", random.randn(out)), ("var", random.rand(out) + 0.5)):
            constants.append(constant(f"{label}.{part}", array.astype(np.float32)))
        nodes.append(helper.make_node(
            "BatchNormalization", [f"{label}.conv", f"{label}.scale", f"{label}.shift",
                                   f"{label}.mean", f"{label}.var"],
            [f"{label}.norm"], f"{label}/Norm"))
        return activation(f"{label}.norm", label, act) if act else f"{label}.norm"

    def activation(source, label, act):
        inputs = [source, "zero", "six"] if act == "Clip" else [source]
        nodes.append(helper.make_node(act, inputs, [f"{label}.act"], f"{label}/{act}"))
        return f"{label}.act"

    def add(a, b, label, act=None):
        nodes.append(helper.make_node("Add", [a, b], [f"{label}.sum"], f"{label}/Add"))
        return activation(f"{label}.sum", label, act) if act else f"{label}.sum"

    constants += [constant("zero", np.float32(0)), constant("six", np.float32(6))]
    stem = convolution("image", "stem", 3, 8, size=3, stride=2, act="Relu")
    narrow = convolution(stem, "reduce", 8, 4, act="Relu")
    middle = convolution(narrow, "middle", 4, 4, size=3, act="Relu")
    wide = convolution(middle, "expand", 4, 16)
    shortcut = convolution(stem, "shortcut", 8, 16)
    bottleneck = add(wide, shortcut, "bottleneck", "Relu")
    up = convolution(bottleneck, "up", 16, 48, act="Clip")
    deep = convolution(up, "depthwise", 48, 48, size=3, group=48, act="Clip")
    down = convolution(deep, "down", 48, 16)
    inverted = add(bottleneck, down, "inverted")
    nodes.append(helper.make_node("GlobalAveragePool", [inverted], ["pooled"], "pool"))
    nodes.append(helper.make_node("Flatten", ["pooled"], ["flat"], "flatten"))
    constants += [constant("classes.w", normal(random, 5, 16)), constant("classes.b",
                                                                       normal(random, 5))]
    nodes.append(helper.make_node("Gemm", ["flat", "classes.w", "classes.b"], ["classes"],
                                  "classes", transB=1))
    body = graph("residual_blocks", nodes, [value("image", FLOAT, "batch", 3, 16, 16)],
                 [value("classes", FLOAT, "batch", 5)], constants)
    return body, [{"image": normal(random, 1, 3, 16, 16)}, {"image": normal(random, 7, 3, 16, 16)}]


@model
def branches():
    """Branches as of Inception, their concatenation, and rows of another input beside them."""
    random = stream("branches")
    node = helper.make_node
    constants = [constant("w_a", normal(random, 8, 6, 1, 1) / 3), constant("w_b", normal(random, 12, 6, 1, 1) / 3),
                 constant("w_bb", normal(random, 16, 12, 3, 3) / 9), constant("w_c", normal(random, 8, 6, 1, 1) / 3),
                 constant("w_d", normal(random, 6, 1, 3, 3) / 3), constant("gain", normal(random, 200)),
                 constant("shift", normal(random, 200))]
    nodes = [node("Conv", ["x", "w_a"], ["a0"], "a/conv"), node("Relu", ["a0"], ["a"], "a/relu"),
             node("Conv", ["x", "w_b"], ["b0"], "b/reduce"), node("Relu", ["b0"], ["b1"], "b/relu"),
             node("Conv", ["b1", "w_bb"], ["b"], "b/conv", pads=[1, 1, 1, 1]),
             node("MaxPool", ["x"], ["c0"], "c/pool", kernel_shape=[3, 3], pads=[1, 1, 1, 1]),
             node("Conv", ["c0", "w_c"], ["c"], "c/project"),
             node("Conv", ["x", "w_d"], ["d0"], "d/depthwise", pads=[1, 1, 1, 1], group=6),
             node("Sigmoid", ["d0"], ["d"], "d/gate"),
             node("Concat", ["a", "b", "c", "d"], ["joined"], "join", axis=1),
             node("AveragePool", ["joined"], ["y"], "pool", kernel_shape=[2, 2], strides=[2, 2]),
             node("Softmax", ["rows"], ["p"], "rows/softmax", axis=-1),
             node("LayerNormalization", ["rows", "gain", "shift"], ["q"], "rows/norm", axis=-1)]
    body = graph("branches", nodes, [value("x", FLOAT, "batch", 6, "h", "w"), value("rows", FLOAT, "n", 200)],
                 [value("y", FLOAT, "batch", 38, "h_out", "w_out"), value("p", FLOAT, "n", 200),
                  value("q", FLOAT, "n", 200)], constants)
    return body, [{"x": normal(random, 1, 6, 8, 9), "rows": normal(random, 3, 200)},
                  {"x": normal(random, 2, 6, 5, 4), "rows": normal(random, 1, 200)}]


@model
def halves():
    """Elementwise nodes on sixteen-bit floats: a runtime that rounds after every node has one result."""
    random = stream("halves")
    node = helper.make_node
    nodes = [node("Mul", ["a", "b"], ["product"], "mul"), node("Add", ["product", "a"], ["sum"], "add"),
             node("Div", ["sum", "b"], ["quotient"], "div"), node("Sub", ["quotient", "third"], ["less"], "sub"),
             node("Min", ["less", "a"], ["least"], "min"), node("Abs", ["least"], ["size"], "abs"),
             node("Neg", ["size"], ["minus"], "neg"), node("Less", ["a", "b"], ["chosen"], "less"),
             node("Where", ["chosen", "less", "minus"], ["picked"], "where"),
             node("Max", ["picked", "tenth"], ["y"], "max"),
             node("MatMul", ["a", "weights"], ["rows"], "matmul"), node("Mul", ["rows", "third"], ["z"], "scale")]
    constants = [constant("third", np.float16(1 / 3)), constant("tenth", np.float16(-7.1)),
                 constant("weights", (random.standard_normal((96, 40)) / 8).astype(np.float16))]
    body = graph("halves", nodes, [value("a", FLOAT16, "n", 96), value("b", FLOAT16, "n", 96)],
                 [value("y", FLOAT16, "n", 96), value("z", FLOAT16, "n", 40)], constants)

    def one(n):
        a, b = (random.standard_normal((n, 96)).astype(np.float16) for _ in range(2))
        return {"a": a * np.float16(4), "b": b + np.sign(b) * np.float16(0.01)}
    return body, [one(33), one(5)]


def rounded_halves(feed):
    a, b = feed["a"], feed["b"]
    less = (a * b + a) / b - np.float16(1 / 3)
    picked = np.where(a < b, less, -np.abs(np.minimum(less, a)))
    return {"y": np.maximum(picked, np.float16(-7.1))}


EXACT["halves"] = rounded_halves


def run(path, feed, level):
    options = onnxruntime.SessionOptions()
    options.graph_optimization_level = level
    options.intra_op_num_threads = 1
    session = onnxruntime.InferenceSession(path, options, providers=["CPUExecutionProvider"])
    return [o.name for o in session.get_outputs()], session.run(None, feed)


def as_data(given, kind, name):
    """A tensor; a list where the model has a sequence; None where it has an optional that holds nothing."""
    if kind.HasField("sequence_type"):
        items = [as_data(one, kind.sequence_type.elem_type, "") for one in given]
        return helper.make_sequence(name, onnx.SequenceProto.TENSOR, items)
    if kind.HasField("optional_type"):
        inner = kind.optional_type.elem_type
        kinds = onnx.OptionalProto
        element = kinds.SEQUENCE if inner.HasField("sequence_type") else kinds.TENSOR
        value = None if given is None else as_data(given, inner, "")
        return helper.make_optional(name, element if given is not None else kinds.UNDEFINED, value)
    return numpy_helper.from_array(np.asarray(given), name)


def write_value(path, given, info):
    with open(path, "wb") as out:
        out.write(as_data(given, info.type, info.name).SerializeToString())


def each_close(label, a, b):
    """The same values twice; containers hold the same."""
    if isinstance(a, list):
        assert len(a) == len(b), label
        for one, other in zip(a, b):
            each_close(label, one, other)
    elif a is None or b is None:
        assert a is None and b is None, label
    elif np.asarray(a).dtype.kind == "f":
        np.testing.assert_allclose(a, b, 1e-5, 1e-6, err_msg=label)
    else:
        np.testing.assert_array_equal(a, b, label)


def sizes(given):
    return [sizes(one) for one in given] if isinstance(given, list) else given if given is None else list(np.shape(given))


def make(name, out):
    body, sets = MODELS[name]()
    file = helper.make_model(body, opset_imports=[helper.make_opsetid("", OPSETS.get(name, OPSET))],
                             ir_version=IR_VERSION, producer_name="make_models.py")
    onnx.checker.check_model(file, full_check=True)
    folder = os.path.join(out, name)
    os.makedirs(folder, exist_ok=True)
    path = os.path.join(folder, "model.onnx")
    onnx.save(file, path)
    levels = onnxruntime.GraphOptimizationLevel
    for number, feed in enumerate(sets):
        names, plain = run(path, feed, levels.ORT_DISABLE_ALL)
        for label, a, b in zip(names, plain, run(path, feed, levels.ORT_ENABLE_ALL)[1]):
            each_close(f"{name} {label}", a, b)
        data = os.path.join(folder, f"test_data_set_{number}")
        os.makedirs(data, exist_ok=True)
        for i, info in enumerate(body.input):
            write_value(os.path.join(data, f"input_{i}.pb"), feed[info.name], info)
        exact = EXACT.get(name, lambda feed: {})(feed)
        for label, array in exact.items():
            np.testing.assert_allclose(array, plain[names.index(label)], 1e-2, 1e-2)
            plain[names.index(label)] = array
        for i, (info, array) in enumerate(zip(body.output, plain)):
            write_value(os.path.join(data, f"output_{i}.pb"), array, info)
    print(f"{name}: {os.path.getsize(path)} bytes, sets: "
          + ", ".join(str([sizes(feed[i.name]) for i in body.input]) for feed in sets))


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("names", nargs="*", help="all when none is given")
    parser.add_argument("--out", default=os.path.dirname(os.path.abspath(__file__)))
    options = parser.parse_args()
    for name in options.names or MODELS:
        make(name, options.out)


if __name__ == "__main__":
    main()
