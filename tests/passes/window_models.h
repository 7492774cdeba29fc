// Convolutions and pools over one image, for tests of windows.
#pragma once

#include "graph_fixture.h"

namespace burin {

struct Geometry {
  int64_t channels;
  Dim height, width;
  int64_t taps_y, taps_x, stride, dilation, before;
  bool depthwise, pool;
};

// A convolution or a pool over one image, with the margins that `before` says.
inline KernelGraph windows(GraphFixture& g, const Geometry& s) {
  const auto results = [&](const Dim& size, int64_t taps) {
    return floordiv(size + (2 * s.before - s.dilation * (taps - 1) - 1), s.stride) + 1;
  };
  const Dim oh = results(s.height, s.taps_y), ow = results(s.width, s.taps_x);
  const int64_t filters = s.depthwise || s.pool ? s.channels : 5;
  const Operand x = g.input("x", {s.channels, s.height, s.width}),
                w = g.constant("w", {filters, s.depthwise ? 1 : s.channels, s.taps_y, s.taps_x},
                               -1),
                y = g.output("y", {filters, oh, ow});
  KernelBuilder kernel;
  const Index f = kernel.axis(filters), i = kernel.axis(oh), j = kernel.axis(ow);
  const bool own = s.depthwise || s.pool;
  const Index c = own ? Index(0) : kernel.reduce_axis(s.channels);
  const Index p = kernel.reduce_axis(s.taps_y), q = kernel.reduce_axis(s.taps_x);
  const Index at_y = i * s.stride + p * s.dilation - s.before,
              at_x = j * s.stride + q * s.dilation - s.before;
  const Expr outside = s.pool ? Expr::constant(Type::f32, -1e30) : x.zero();
  const Expr tap = Expr::cases(
      {{{{at_y, 0, s.height}, {at_x, 0, s.width}}, x.at({own ? f : c, at_y, at_x})}}, outside);
  const Indices reduced = own ? Indices{p, q} : Indices{c, p, q};
  kernel.write(y, {f, i, j},
               s.pool ? kernel.reduce(Combiner::max, reduced, tap)
                      : kernel.reduce(Combiner::sum, reduced, tap * w.at({f, c, p, q})));
  g.kernel("Slide", kernel);
  return g.graph;
}

}  // namespace burin
