#!/usr/bin/env python3
"""Writes the models of this folder whose loops change the extents of what they carry, as make_models.py does:
same arguments, same folders, expectations from onnxruntime. Every bound follows from the inputs.
"""
import numpy
from onnx import parser

from make_models import MODELS, main, model, normal, stream

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


if __name__ == "__main__":
    main()
