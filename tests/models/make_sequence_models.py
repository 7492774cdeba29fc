#!/usr/bin/env python3
"""Writes the models of this folder whose sequences have a length that only the run knows, as
make_models.py does: same arguments, same folders, expectations from onnxruntime.
"""
import numpy as np
from onnx import TensorProto, helper, parser

from make_models import MODELS, ints, main, model, normal, stream

MODELS.clear()


def typed_optionals(block, kind):
    """The operator Optional of nothing says of what type that is, which the text form of onnx has no words for."""
    for node in block.node:
        for attribute in node.attribute:
            if attribute.HasField("g"):
                typed_optionals(attribute.g, kind)
        if node.op_type == "Optional" and not node.input:
            node.attribute.append(helper.make_attribute("type", kind))
    return block


def number(value):
    return np.array(value, np.int64)


@model
def steps_kept():
    """What every step of a recurrence gives is put into a sequence, as exporters do, and stacked."""
    random = stream("steps_kept")
    body = parser.parse_graph("""steps_kept (float[n, 4] x, float[4] start) => (float[n, 4] all, float[4] last, int64 count)
    <int64 nought = {0}, bool yes = {1}> {
      sizes = Shape (x)
      trips = Gather (sizes, nought)
      none = SequenceEmpty <dtype: int = 1> ()
      last, kept = Loop (trips, yes, start, none) <body = step
        (int64 i, bool go, float[4] h, seq(float) kept_in) => (bool go_on, float[4] h_out, seq(float) kept_out) {
          row = Gather <axis: int = 0> (x, i)
          sum = Add (row, h)
          h_out = Tanh (sum)
          kept_out = SequenceInsert (kept_in, h_out)
          go_on = Identity (go)
        }>
      all = ConcatFromSequence <axis: int = 0, new_axis: int = 1> (kept)
      count = SequenceLength (kept)
    }""")
    return body, [{"x": normal(random, 5, 4), "start": normal(random, 4)},
                  {"x": normal(random, 12, 4), "start": normal(random, 4)}]


@model
def pieces_mapped():
    """A symbolic dimension cut into pieces, the last of which is smaller; each scaled by its largest, one
    taken out, one put in, one read, at places that the run gives."""
    random = stream("pieces_mapped")
    body = parser.parse_graph("""pieces_mapped (float[2, n] x, float[2, m] extra, int64 erased, int64 inserted, int64 read)
      => (float[2, total] y, float[2, one] piece, int64 count)
    <int64 three = {3}, int64[1] across = {1}> {
      pieces = SplitToSequence <axis: int = 1> (x, three)
      scaled = SequenceMap (pieces) <body = scale (float[2, k] p) => (float[2, k] q) {
          most = ReduceMax <keepdims: int = 1> (p, across)
          q = Sub (p, most)
        }>
      fewer = SequenceErase (scaled, erased)
      more = SequenceInsert (fewer, extra, inserted)
      y = ConcatFromSequence <axis: int = 1> (more)
      piece = SequenceAt (more, read)
      count = SequenceLength (more)
    }""")
    return body, [
        {"x": normal(random, 2, 11), "extra": normal(random, 2, 2), "erased": number(1),
         "inserted": number(0), "read": number(-1)},
        {"x": normal(random, 2, 9), "extra": normal(random, 2, 5), "erased": number(-1),
         "inserted": number(-2), "read": number(1)}]


@model
def growing_pieces():
    """Every iteration puts a longer tensor into a sequence, from its second on the sum of the one before
    behind it; the loop ends by its condition too."""
    random = stream("growing_pieces")
    body = parser.parse_graph("""growing_pieces (float[n] x, float[m] marks, float limit)
      => (float[total] y, float[k] middle, int64 count)
    <int64 one = {1}, int64 two = {2}, bool yes = {1}> {
      trips = Size (marks)
      whole = SequenceConstruct (x)
      kept = Loop (trips, yes, whole) <body = step
        (int64 i, bool go, seq(float[k_in]) kept_in) => (bool go_on, seq(float[k_out]) kept_out) {
          last_place = Neg (one)
          last = SequenceAt (kept_in, last_place)
          sum = ReduceSum <keepdims: int = 1> (last)
          next = Concat <axis: int = 0> (last, sum)
          kept_out = SequenceInsert (kept_in, next)
          flat = ReduceSum <keepdims: int = 0> (sum)
          size = Abs (flat)
          go_on = Less (size, limit)
        }>
      y = ConcatFromSequence <axis: int = 0> (kept)
      length = SequenceLength (kept)
      place = Div (length, two)
      middle = SequenceAt (kept, place)
      count = SequenceLength (kept)
    }""")
    return body, [{"x": np.array([.5, .25], np.float32), "marks": normal(random, 6), "limit": np.array(5, np.float32)},
                  {"x": np.array([.5, -.25, 1], np.float32), "marks": normal(random, 2), "limit": np.array(50, np.float32)}]


@model
def given_sizes():
    """Parts of sizes that the run gives, as many as it gives, through a loop that takes them off one by one."""
    random = stream("given_sizes")
    body = parser.parse_graph("""given_sizes (float[n, 3] x, int64[parts] sizes) => (float[n, 3] y, float[3] sums)
    <int64 nought = {0}, float[3] none = {0, 0, 0}, bool yes = {1}> {
      split = SplitToSequence <axis: int = 0> (x, sizes)
      empty = SequenceEmpty <dtype: int = 1> ()
      trips = SequenceLength (split)
      left, turned, sums = Loop (trips, yes, split, empty, none) <body = step
        (int64 i, bool go, seq(float[p, 3]) left_in, seq(float[q, 3]) turned_in, float[3] sums_in)
          => (bool go_on, seq(float[r, 3]) left_out, seq(float[s, 3]) turned_out, float[3] sums_out) {
          part = SequenceAt (left_in, nought)
          left_out = SequenceErase (left_in, nought)
          turned_out = SequenceInsert (turned_in, part, nought)
          sum = ReduceSum <keepdims: int = 0> (part, nought_list)
          sums_out = Max (sum, sums_in)
          go_on = Identity (go)
        }>
      y = ConcatFromSequence <axis: int = 0> (turned)
    }""")
    body.initializer.append(ints("nought_list", 0))
    return body, [{"x": normal(random, 7, 3), "sizes": np.array([2, 4, 1], np.int64)},
                  {"x": normal(random, 9, 3), "sizes": np.array([1, 3, 3, 2], np.int64)}]


@model
def branch_sequences():
    """A branch gives two tensors of one shape, the other one a tensor of another, or as many as there are rows."""
    random = stream("branch_sequences")
    body = parser.parse_graph("""branch_sequences (float[n, 3] x, float[m, 3] z, bool choice, int64 place)
      => (float[total, 3] y, float[k, 3] at, int64 count, int64 rows_count, float[rows, 3] stacked)
    <int64 one = {1}> {
      seq = If (choice) <
        then_branch = pair () => (seq(float[a, 3]) two) {
          double = Add (x, x)
          two = SequenceConstruct (x, double)
        },
        else_branch = single () => (seq(float[b, 3]) only) { only = SequenceConstruct (z) }>
      y = ConcatFromSequence <axis: int = 0> (seq)
      at = SequenceAt (seq, place)
      count = SequenceLength (seq)
      parts = If (choice) <
        then_branch = cut () => (seq(float[1, 3]) lines) { lines = SplitToSequence <axis: int = 0> (x, one) },
        else_branch = cut_other () => (seq(float[1, 3]) lines_other) { lines_other = SplitToSequence <axis: int = 0> (z, one) }>
      rows_count = SequenceLength (parts)
      stacked = ConcatFromSequence <axis: int = 0> (parts)
    }""")
    return body, [{"x": normal(random, 4, 3), "z": normal(random, 2, 3), "choice": np.array(True), "place": number(-1)},
                  {"x": normal(random, 1, 3), "z": normal(random, 6, 3), "choice": np.array(False), "place": number(0)}]


@model
def crops():
    """Pieces of an image that boxes of the run cut out, ragged in both dimensions: each centred, one read at a
    place of the run, a smaller one put in front of it, all of them laid flat behind each other."""
    random = stream("crops")
    body = parser.parse_graph("""crops (float[h, w] image, int64[n, 4] boxes, int64 pick)
      => (float[total] flat, float[p, q] one, int64 count, float[k] means)
    <int64 nought = {0}, int64[1] all = {-1}, int64[2] two_axes = {0, 1}, int64[2] last = {-1, -1}, int64[2] first = {0, 0}, bool yes = {1}> {
      sizes = Shape (boxes)
      trips = Gather (sizes, nought)
      none = SequenceEmpty <dtype: int = 1> ()
      kept = Loop (trips, yes, none) <body = cut
        (int64 i, bool go, seq(float) kept_in) => (bool go_on, seq(float) kept_out) {
          box = Gather <axis: int = 0> (boxes, i)
          from, to = Split <num_outputs: int = 2> (box)
          crop = Slice (image, from, to, two_axes)
          kept_out = SequenceInsert (kept_in, crop)
          go_on = Identity (go)
        }>
      centred = SequenceMap (kept) <body = centre (float[a, b] c) => (float[a, b] d) {
          mean = ReduceMean <keepdims: int = 1> (c)
          d = Sub (c, mean)
        }>
      one = SequenceAt (centred, pick)
      smaller = Slice (one, first, last, two_axes)
      more = SequenceInsert (centred, smaller, pick)
      fewer = SequenceErase (more)
      count = SequenceLength (fewer)
      lines = SequenceMap (fewer) <body = lay (float[e, f] g) => (float[l] line) { line = Reshape (g, all) }>
      flat = ConcatFromSequence <axis: int = 0> (lines)
      means = Loop (count, yes) <body = measure
        (int64 j, bool go_in) => (bool going, float mean_of) {
          part = SequenceAt (fewer, j)
          size = ReduceSumSquare <keepdims: int = 0> (part)
          mean_of = Sqrt (size)
          going = Identity (go_in)
        }>
    }""")
    return body, [
        {"image": normal(random, 9, 11), "boxes": np.array([[0, 1, 4, 6], [2, 2, 9, 5], [5, 0, 6, 11]], np.int64), "pick": number(1)},
        {"image": normal(random, 6, 8), "boxes": np.array([[0, 0, 6, 8], [1, 3, 5, 4], [2, 1, 4, 7], [3, 3, 6, 6]], np.int64), "pick": number(-2)}]


@model
def stacked_pieces():
    """A dimension cut by a size that the run gives; pieces that may differ and do not, put together along new
    dimensions, along one that was not cut, and, grown along both, along each of these. One that is wider
    goes among them."""
    random = stream("stacked_pieces")
    body = parser.parse_graph("""stacked_pieces (float[n, m] x, int64 size, float[p, q] other)
      => (float[a0, b0, c0] in_front, float[a1, b1, c1] between, float[a2, b2, c2] behind, float[d, e] beside, float[f, g] below, float[k, l] right, float[total] flat)
    <int64 one = {1}, int64[1] all = {-1}, int64[1] across = {1}, bool yes = {1}, float none = {0}> {
      pieces = SplitToSequence <axis: int = 0> (x, size)
      in_front = ConcatFromSequence <axis: int = 0, new_axis: int = 1> (pieces)
      between = ConcatFromSequence <axis: int = 1, new_axis: int = 1> (pieces)
      behind = ConcatFromSequence <axis: int = -1, new_axis: int = 1> (pieces)
      beside = ConcatFromSequence <axis: int = 1> (pieces)
      trips = SequenceLength (pieces)
      empty = SequenceEmpty <dtype: int = 1> ()
      grown, turned = Loop (trips, yes, empty, empty) <body = grow
        (int64 i, bool go, seq(float) grown_in, seq(float) turned_in) => (bool go_on, seq(float) grown_out, seq(float) turned_out) {
          piece = SequenceAt (pieces, i)
          more = Unsqueeze (i, nought_list)
          sizes = Concat <axis: int = 0> (more, nought_list)
          tall = Pad (piece, sizes, none, nought_list)
          grown_out = SequenceInsert (grown_in, tall)
          wide = Pad (piece, sizes, none, across)
          turned_out = SequenceInsert (turned_in, wide)
          go_on = Identity (go)
        }>
      below = ConcatFromSequence <axis: int = 0> (grown)
      right = ConcatFromSequence <axis: int = 1> (turned)
      mixed = SequenceInsert (pieces, other, one)
      lines = SequenceMap (mixed) <body = lay (float[r, s] g) => (float[t] line) { line = Reshape (g, all) }>
      flat = ConcatFromSequence <axis: int = 0> (lines)
    }""")
    body.initializer.append(ints("nought_list", 0))
    return body, [{"x": normal(random, 12, 3), "size": number(4), "other": normal(random, 2, 5)},
                  {"x": normal(random, 15, 4), "size": number(3), "other": normal(random, 5, 1)}]


@model
def optional_pieces():
    """A branch fills an optional with a sequence, the other one with nothing."""
    random = stream("optional_pieces")
    body = parser.parse_graph("""optional_pieces (float[n, 3] x, int64 size, bool choice) => (float[r, 3] y, bool holds, int64 count)
    <int64 nought = {0}> {
      held = If (choice) <
        then_branch = some () => (optional(seq(float[a, 3])) full) {
          pieces = SplitToSequence <axis: int = 0> (x, size)
          full = Optional (pieces)
        },
        else_branch = nothing () => (optional(seq(float[b, 3])) empty) { empty = Optional () }>
      holds = OptionalHasElement (held)
      y = If (holds) <
        then_branch = use () => (float[c, 3] used) {
          inside = OptionalGetElement (held)
          used = SequenceAt (inside, nought)
        },
        else_branch = instead () => (float[d, 3] given) { given = Neg (x) }>
      count = If (holds) <
        then_branch = measure () => (int64 length) {
          sequence = OptionalGetElement (held)
          length = SequenceLength (sequence)
        },
        else_branch = none () => (int64 nothing_there) { nothing_there = Identity (nought) }>
    }""")
    kind = helper.make_sequence_type_proto(helper.make_tensor_type_proto(TensorProto.FLOAT, ["n", 3]))
    return typed_optionals(body, kind), [
        {"x": normal(random, 7, 3), "size": number(3), "choice": np.array(True)},
        {"x": normal(random, 4, 3), "size": number(2), "choice": np.array(False)}]


@model
def carried_optional():
    """A loop carries an optional of a sequence: nothing at first, pieces from some iteration on."""
    random = stream("carried_optional")
    body = parser.parse_graph("""carried_optional (float[n, 3] x, float[k, 3] shifts, int64 from) => (float[r, 3] y, bool holds, int64 count, float[k, 1, 3] means)
    <int64 nought = {0}, bool yes = {1}> {
      begun = Optional ()
      sizes = Shape (shifts)
      trips = Gather (sizes, nought)
      kept, means = Loop (trips, yes, begun) <body = steps (int64 i, bool go, optional(seq(float[a, 3])) state)
        => (bool more, optional(seq(float[b, 3])) next, float[1, 3] row) {
          more = Identity (go)
          early = Less (i, from)
          shift = Gather (shifts, i)
          moved = Add (x, shift)
          has = OptionalHasElement (state)
          next = If (early) <
            then_branch = keep () => (optional(seq(float[c, 3])) same) { same = Identity (state) },
            else_branch = grow () => (optional(seq(float[d, 3])) longer) {
              all = If (has) <
                then_branch = more_of () => (seq(float[e, 3]) added) {
                  inside = OptionalGetElement (state)
                  added = SequenceInsert (inside, moved)
                },
                else_branch = first_of () => (seq(float[f, 3]) started) { started = SequenceConstruct (moved) }>
              longer = Optional (all)
            }>
          row = ReduceMean <keepdims: int = 1> (moved, nought_list)
        }>
      nought_list = Constant <value_ints: ints = [0]> ()
      holds = OptionalHasElement (kept)
      y = If (holds) <
        then_branch = use () => (float[g, 3] used) {
          pieces = OptionalGetElement (kept)
          used = ConcatFromSequence <axis: int = 0> (pieces)
        },
        else_branch = instead () => (float[h, 3] given) { given = Identity (x) }>
      count = If (holds) <
        then_branch = measure () => (int64 length) {
          sequence = OptionalGetElement (kept)
          length = SequenceLength (sequence)
        },
        else_branch = none () => (int64 nothing_there) { nothing_there = Identity (nought) }>
    }""")
    nodes = sorted(body.node, key=lambda one: one.op_type != "Constant")
    del body.node[:]
    body.node.extend(nodes)
    kind = helper.make_sequence_type_proto(helper.make_tensor_type_proto(TensorProto.FLOAT, ["n", 3]))
    return typed_optionals(body, kind), [
        {"x": normal(random, 3, 3), "shifts": normal(random, 4, 3), "from": number(1)},
        {"x": normal(random, 2, 3), "shifts": normal(random, 2, 3), "from": number(5)}]


@model
def given_sequences():
    """Sequences that the caller gives and gets: ragged along one dimension, along two, and not at all."""
    random = stream("given_sequences")
    body = parser.parse_graph("""given_sequences (seq(float[k, 3]) pieces, seq(float[h, w]) images, seq(float[2, 2]) squares, float[m, 3] extra, int64 place)
      => (seq(float[k_out, 3]) changed, float[total, 3] joined, seq(float[h_out, w_out]) centred, float[h_one, w_one] image, float[count, 2, 2] stacked, int64 length, seq(float[2, 2]) fewer) {
      scaled = SequenceMap (pieces) <body = scale (float[k_in, 3] p) => (float[k_in, 3] q) {
          most = ReduceMax <keepdims: int = 1> (p, across)
          q = Sub (p, most)
        }>
      changed = SequenceInsert (scaled, extra, place)
      joined = ConcatFromSequence <axis: int = 0> (changed)
      centred = SequenceMap (images) <body = centre (float[a, b] c) => (float[a, b] d) {
          mean = ReduceMean <keepdims: int = 1> (c)
          d = Sub (c, mean)
        }>
      image = SequenceAt (images, place)
      stacked = ConcatFromSequence <axis: int = 0, new_axis: int = 1> (squares)
      length = SequenceLength (images)
      fewer = SequenceErase (squares, place)
    }""")
    body.initializer.append(ints("across", 1))
    images = [[(2, 5), (4, 1), (3, 3)], [(1, 7), (2, 2)]]
    return body, [
        {"pieces": [normal(random, 2, 3), normal(random, 1, 3), normal(random, 4, 3)],
         "images": [normal(random, *size) for size in images[0]], "squares": [normal(random, 2, 2) for _ in range(4)],
         "extra": normal(random, 3, 3), "place": number(1)},
        {"pieces": [normal(random, 5, 3)], "images": [normal(random, *size) for size in images[1]],
         "squares": [normal(random, 2, 2)], "extra": normal(random, 1, 3), "place": number(-1)}]


@model
def given_optional():
    """Optionals that the caller gives and gets, of a tensor and of a sequence; whether they hold something is
    found by the run."""
    random = stream("given_optional")
    body = parser.parse_graph("""given_optional (float[n, 4] x, optional(float[n, 4]) bias, optional(seq(float[k, 2])) parts)
      => (float[n, 4] y, bool holds, optional(float[n, 4]) twice, int64 length, float[r, 2] joined)
    <int64 nought = {0}, float[1, 2] none = {0, 0}> {
      holds = OptionalHasElement (bias)
      y = If (holds) <
        then_branch = use () => (float[n, 4] sum) {
          inside = OptionalGetElement (bias)
          sum = Add (x, inside)
        },
        else_branch = without () => (float[n, 4] same) { same = Identity (x) }>
      twice = If (holds) <
        then_branch = some () => (optional(float[n, 4]) full) {
          given = OptionalGetElement (bias)
          double = Add (given, given)
          full = Optional (double)
        },
        else_branch = nothing () => (optional(float[n, 4]) empty) { empty = Optional () }>
      there = OptionalHasElement (parts)
      length, joined = If (there) <
        then_branch = measure () => (int64 count, float[a, 2] all) {
          sequence = OptionalGetElement (parts)
          count = SequenceLength (sequence)
          all = ConcatFromSequence <axis: int = 0> (sequence)
        },
        else_branch = absent () => (int64 nothing_there, float[b, 2] zeros) {
          nothing_there = Identity (nought)
          zeros = Identity (none)
        }>
    }""")
    kind = helper.make_tensor_type_proto(TensorProto.FLOAT, ["n", 4])
    return typed_optionals(body, kind), [
        {"x": normal(random, 3, 4), "bias": normal(random, 3, 4), "parts": None},
        {"x": normal(random, 5, 4), "bias": None, "parts": [normal(random, 2, 2), normal(random, 3, 2)]}]


if __name__ == "__main__":
    main()
