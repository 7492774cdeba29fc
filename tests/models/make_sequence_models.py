#!/usr/bin/env python3
"""Writes the models of this folder whose sequences have a length that only the run knows, as
make_models.py does: same arguments, same folders, expectations from onnxruntime.
"""
import numpy as np
from onnx import parser

from make_models import MODELS, ints, main, model, normal, stream

MODELS.clear()


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


if __name__ == "__main__":
    main()
