#!/usr/bin/env python3
"""Writes the models of this folder whose loops change the extents of what they carry, as make_models.py does:
same arguments, same folders, expectations from onnxruntime. Every bound follows from the inputs.
"""
import numpy
from onnx import parser

from make_models import MODELS, OPSETS, main, model, normal, stream

MODELS.clear()


@model
def rolling_window():
    """A loop keeps the last four entries of what it appends to."""
    random = stream("rolling_window")
    body = parser.parse_graph("""rolling_window (float[n] x, float[m] more) => (float[kept] last)
    <bool yes = {1}, int64 nought = {0}, int64[1] start = {-4}, int64[1] end = {1000000}, int64[1] first = {0}, int64[1] single = {-1}> {
      sizes = Shape (more)
      trips = Gather (sizes, nought)
      last = Loop (trips, yes, x) <body = step
        (int64 i, bool go, float[a] state) => (bool go_on, float[b] state_out) {
          place = Reshape (i, single)
          entry = Gather (more, place)
          longer = Concat <axis: int = 0> (state, entry)
          state_out = Slice (longer, start, end, first)
          go_on = Identity (go)
        }>
    }""")
    return body, [{"x": normal(random, 2), "more": normal(random, 5)},
                  {"x": normal(random, 9), "more": normal(random, 1)}]


@model
def fibonacci():
    """Two states that feed each other: each gets as long as both were."""
    random = stream("fibonacci")
    body = parser.parse_graph("""fibonacci (float[n] x, float[m] y) => (float[a] one, float[b] both)
    <bool yes = {1}, int64 trips = {6}> {
      one, both = Loop (trips, yes, x, y) <body = step
        (int64 i, bool go, float[p] s, float[q] t) => (bool go_on, float[r] s_out, float[u] t_out) {
          s_out = Identity (t)
          t_out = Concat <axis: int = 0> (s, t)
          go_on = Identity (go)
        }>
    }""")
    return body, [{"x": normal(random, 2), "y": normal(random, 3)},
                  {"x": normal(random, 1), "y": normal(random, 1)}]


@model
def trips_of_trips():
    """An inner loop runs once more in every iteration, and appends each time."""
    random = stream("trips_of_trips")
    body = parser.parse_graph("""trips_of_trips (float[n] x, float[1] entry) => (float[m] grown)
    <bool yes = {1}, int64 trips = {5}, int64 one = {1}> {
      grown = Loop (trips, yes, x) <body = step
        (int64 i, bool go, float[p] s) => (bool go_on, float[q] s_out) {
          inner = Add (i, one)
          s_out = Loop (inner, yes, s) <body = append
            (int64 j, bool again, float[r] t) => (bool again_out, float[u] t_out) {
              t_out = Concat <axis: int = 0> (t, entry)
              again_out = Identity (again)
            }>
          go_on = Identity (go)
        }>
    }""")
    return body, [{"x": normal(random, 2), "entry": normal(random, 1)},
                  {"x": normal(random, 9), "entry": normal(random, 1)}]


@model
def grown_once():
    """Loops that run once at most, one of them inside the other: what they carry gets longer."""
    random = stream("grown_once")
    body = parser.parse_graph("""grown_once (float[n] x, float[m] y, bool wanted) => (float[a] one, float[b] other)
    <bool yes = {1}, int64 once = {1}, int64[2] margins = {2, 1}> {
      one, other = Loop (once, wanted, x, y) <body = step
        (int64 i, bool go, float[p] s, float[q] t) => (bool go_on, float[r] s_out, float[u] t_out) {
          s_out = Loop (once, yes, s) <body = append
            (int64 j, bool again, float[v] w) => (bool again_out, float[z] w_out) {
              w_out = Concat <axis: int = 0> (w, y)
              again_out = Identity (again)
            }>
          t_out = Pad (t, margins)
          go_on = Identity (go)
        }>
    }""")
    return body, [{"x": normal(random, 2), "y": normal(random, 3), "wanted": numpy.array(True)},
                  {"x": normal(random, 1), "y": normal(random, 4), "wanted": numpy.array(False)}]


@model
def while_loops():
    """Loops that only their conditions end, as exporters write them, with 2^63 - 1 trips or none: counted up to a size,
    in steps of two by a branch, until something is found; two ends that meet; a count that begins where another is; an
    end in the middle; as long as what is carried is short."""
    random = stream("while_loops")
    body = parser.parse_graph("""while_loops (float[n] k, float[m] x)
      => (float[a] up, float[a2] squares, float[b] branched, float[c] met, float[d] nested, float[e] broken, float[f] filled)
    <int64 forever = {9223372036854775807}, int64 zero = {0}, int64 one = {1}, int64 two = {2}, int64[1] single = {-1},
     bool yes = {1}, bool no = {0}, int64 three = {3}, float much = {1.5}> {
      sizes = Shape (k)
      n_of = Squeeze (sizes)
      some = Less (zero, n_of)
      up, up_end, squares = Loop (forever, some, x, zero) <body = count_up
        (int64 t, bool go, float[p] s, int64 i) => (bool go_on, float[q] s_out, int64 i_out, float square) {
          entry = Gather (k, i)
          square = Mul (entry, entry)
          place = Reshape (entry, single)
          s_out = Concat <axis: int = 0> (s, place)
          i_out = Add (i, one)
          go_on = Less (i_out, n_of)
        }>
      branched, branched_end = Loop (, some, x, zero) <body = by_branch
        (int64 t, bool go, float[p] s, int64 i) => (bool go_on, float[q] s_out, int64 i_out) {
          entry = Gather (k, i)
          place = Reshape (entry, single)
          s_out = Concat <axis: int = 0> (s, place)
          nought = Sub (much, much)
          positive = Greater (entry, nought)
          i_out = If (positive) <then_branch = by_two () => (int64 further) { further = Add (i, two) },
                                 else_branch = by_one () => (int64 further) { further = Add (i, one) }>
          inside = Less (i_out, n_of)
          found = Greater (entry, much)
          go_on = If (inside) <then_branch = look () => (bool open) { open = Not (found) },
                               else_branch = stop () => (bool open) { open = Identity (no) }>
        }>
      met, low_end, high_end = Loop (forever, some, x, zero, n_of) <body = meet
        (int64 t, bool go, float[p] s, int64 low, int64 high) => (bool go_on, float[q] s_out, int64 low_out, int64 high_out) {
          low_out = Add (low, one)
          high_out = Sub (high, two)
          entry = Gather (k, low)
          place = Reshape (entry, single)
          s_out = Concat <axis: int = 0> (place, s)
          go_on = GreaterOrEqual (high_out, low_out)
        }>
      nested, nested_end = Loop (forever, some, x, zero) <body = outer
        (int64 t, bool go, float[p] s, int64 i) => (bool go_on, float[q] s_out, int64 i_out) {
          s_out, inner_end = Loop (forever, yes, s, i) <body = inner
            (int64 t2, bool go2, float[r] z, int64 j) => (bool go2_on, float[u] z_out, int64 j_out) {
              entry = Gather (k, j)
              place = Reshape (entry, single)
              z_out = Concat <axis: int = 0> (z, place)
              j_out = Add (j, one)
              go2_on = Less (j_out, n_of)
            }>
          i_out = Add (i, three)
          go_on = Less (i_out, n_of)
        }>
      broken, broken_end = Loop (forever, yes, x, zero) <body = with_break
        (int64 t, bool go, float[p] s, int64 i) => (bool go_on, float[q] s_out, int64 i_out) {
          number = Cast <to: int = 1> (i)
          place = Reshape (number, single)
          s_out = Concat <axis: int = 0> (s, place)
          i_out = Add (i, one)
          over = GreaterOrEqual (i_out, n_of)
          go_on = If (over) <then_branch = leave () => (bool again) { again = Identity (no) },
                             else_branch = stay () => (bool again) { again = Identity (yes) }>
        }>
      filled = Loop (forever, yes, x) <body = fill
        (int64 t, bool go, float[p] s) => (bool go_on, float[q] s_out) {
          number = Cast <to: int = 1> (t)
          place = Reshape (number, single)
          s_out = Concat <axis: int = 0> (s, place)
          shape = Shape (s_out)
          length = Squeeze (shape)
          go_on = Less (length, n_of)
        }>
    }""")
    return body, [{"k": normal(random, 7), "x": normal(random, 2)}, {"k": normal(random, 1), "x": normal(random, 4)}]


OPSETS["scan_lengths"] = 8


@model
def scan_lengths():
    """Scan as it was at first: a batch of sequences that end by themselves, read forwards and backwards."""
    random = stream("scan_lengths")
    body = parser.parse_graph("""scan_lengths (int64[batch] lengths, float[batch, m] start, float[batch, n, m] x, float[batch, n, m] y)
      => (float[batch, m] last, float[batch, n, m] all) {
      last, all = Scan <num_scan_inputs: int = 2, directions: ints = [0, 1], body: graph = step
        (float[m] s, float[m] ahead, float[m] back) => (float[m] s_out, float[m] each) {
          both = Sub (ahead, back)
          s_out = Add (s, both)
          each = Mul (s_out, ahead)
        }> (lengths, start, x, y)
    }""")

    def one(lengths, n, m):
        batch = len(lengths)
        return {"lengths": numpy.array(lengths, numpy.int64), "start": normal(random, batch, m),
                "x": normal(random, batch, n, m), "y": normal(random, batch, n, m)}
    return body, [one([3, 1, 2], 3, 2), one([2, 5], 7, 3)]


if __name__ == "__main__":
    main()
