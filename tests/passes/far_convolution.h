// A convolution whose taps lie apart, as a graph of one kernel; elements are small integers, so
// that sums are exact in any order.
#pragma once

#include "graph_fixture.h"

namespace burin {

struct FarPlane {
  Dim batch = 1;
  int64_t channels = 5, filters = 9, height = 13, width = 13, taps = 3, apart = 6, stride = 1;
  int64_t before = 6;      // of the plane, and behind it
  bool backwards = false;  // taps, as of a transposed convolution
};

inline KernelGraph far_convolution(const FarPlane& s) {
  GraphFixture g;
  const int64_t reach = s.apart * (s.taps - 1);
  const int64_t oh = (s.height + 2 * s.before - reach - 1) / s.stride + 1,
                ow = (s.width + 2 * s.before - reach - 1) / s.stride + 1;
  const Operand x = g.input("x", {s.batch, s.channels, s.height, s.width}),
                w = g.constant("w", {s.filters, s.channels, s.taps, s.taps}),
                y = g.output("y", {s.batch, s.filters, oh, ow});
  HostTensor weights = make_tensor(Type::f32, {s.filters * s.channels * s.taps * s.taps});
  for (int64_t i = 0; i < weights.elements(); ++i)
    weights.set(i, {static_cast<double>((i * 7 + i / 5) % 9 - 4), 0});
  g.graph.values[static_cast<size_t>(w.value())].constant = to_constant(weights);
  KernelBuilder kernel;
  const Index n = kernel.axis(s.batch), f = kernel.axis(s.filters), i = kernel.axis(oh),
              j = kernel.axis(ow), c = kernel.reduce_axis(s.channels),
              p = kernel.reduce_axis(s.taps), q = kernel.reduce_axis(s.taps);
  // The last tap first.
  const auto place = [&](const Index& result, const Index& tap) {
    return s.backwards ? result * s.stride - tap * s.apart + (reach - s.before)
                       : result * s.stride + tap * s.apart - s.before;
  };
  const Index at_y = place(i, p), at_x = place(j, q);
  const Expr tap = Expr::cases(
      {{{{at_y, 0, s.height}, {at_x, 0, s.width}}, x.at({n, c, at_y, at_x})}}, x.zero());
  kernel.write(y, {n, f, i, j}, kernel.reduce(Combiner::sum, {c, p, q}, tap * w.at({f, c, p, q})));
  g.kernel("Conv", kernel);
  s.batch.collect_symbols(g.graph.symbols);
  return g.graph;
}

}  // namespace burin
