// Rewrites that may round otherwise, over the whole range of floats: attention in one pass over its
// keys, and sums of dequantised bytes as integers. What they state (fuse/algebra/README.md) holds
// for every input drawn here. All other rewrites change no bit: differential/fuse_range_test.
#include <cmath>
#include <functional>
#include <limits>
#include <random>

#include "fuse/fuse.h"
#include "graph_fixture.h"

namespace burin::bounded_rewrites_test {
namespace {

constexpr int64_t kQueries = 12, kKeys = 19, kDepth = 3, kColumns = 4;
constexpr double kFar = std::numeric_limits<double>::infinity();

class Draw {
 public:
  explicit Draw(uint32_t seed) : source_(seed) {}
  double plain() { return static_cast<double>(source_() % 200001) / 100000 - 1; }
  int exponent(int least, int most) {
    return least + static_cast<int>(source_() % static_cast<uint32_t>(most - least + 1));
  }
  template <class Numbers>
  double one_of(const Numbers& numbers) {
    return numbers[source_() % std::size(numbers)];
  }

 private:
  std::mt19937 source_;
};

HostTensor filled(Type type, const std::vector<int64_t>& shape,
                  const std::function<double(int64_t i)>& number) {
  HostTensor out = make_tensor(type, shape);
  for (int64_t i = 0; i < out.elements(); ++i) {
    const double x = number(i);
    out.set(i, {x, is_float(type) ? 0 : static_cast<int64_t>(x)});
  }
  return out;
}

// softmax(q k + mask) v, of kernels as primitive operators have them.
KernelGraph attention_graph() {
  GraphFixture g;
  const Operand q = g.input("q", {kQueries, kDepth}), k = g.input("k", {kDepth, kKeys}),
                mask = g.input("mask", {kQueries, kKeys}), v = g.input("v", {kKeys, kColumns}),
                product = g.value("product", {kQueries, kKeys}),
                scores = g.value("scores", {kQueries, kKeys}),
                weights = g.value("weights", {kQueries, kKeys}),
                y = g.output("y", {kQueries, kColumns});
  matmul(g, "product", q, k, product);
  g.map("mask", scores, [&](const Indices& at) { return product.at(at) + mask.at(at); });
  KernelBuilder kernel;
  const Index m = kernel.axis(kQueries), n = kernel.axis(kKeys);
  const Expr most = kernel.reduce(Combiner::max, {n}, scores.at({m, n}));
  const Expr power = Expr::unary(Unary::exp, scores.at({m, n}) - most);
  kernel.write(weights, {m, n}, power / kernel.reduce(Combiner::sum, {n}, power));
  g.kernel("softmax", kernel);
  matmul(g, "sum", weights, v, y);
  return std::move(g.graph);
}

// Weights are at most 1 and add up to 1: a result is off by roundings of the largest value.
TEST(AttentionRange, AWeightedMeanIsOffByRoundingsOfItsValues) {
  const KernelGraph graph = attention_graph(), fused = fuse(graph, {});
  ASSERT_EQ(count_kernels(fused), 1) << to_string(fused);
  const double masks[] = {0, 0, 0, -1e9, -3.4e38, -10000, 30, -kFar};
  int finite = 0;
  for (uint32_t seed = 0; seed < 200; ++seed) {
    Draw draw(seed + 1);
    const int of_scores = draw.exponent(-40, 30), of_values = draw.exponent(-100, 100);
    const auto scaled = [&](int exponent) {
      return [&draw, exponent](int64_t) { return std::ldexp(draw.plain(), exponent); };
    };
    const std::vector<HostTensor> inputs = {
        filled(Type::f32, {kQueries, kDepth}, scaled(of_scores)),
        filled(Type::f32, {kDepth, kKeys}, scaled(draw.exponent(-3, 3))),
        filled(Type::f32, {kQueries, kKeys},
               [&](int64_t i) { return i < kKeys ? -kFar : draw.one_of(masks); }),
        filled(Type::f32, {kKeys, kColumns}, scaled(of_values))};
    const RunResult x = interpret(graph, inputs, {}), y = interpret(fused, inputs, {});
    for (int64_t i = 0; i < kQueries * kColumns; ++i) {
      const double a = x.outputs[0].get(i).number, b = y.outputs[0].get(i).number;
      ASSERT_EQ(std::isnan(a), std::isnan(b)) << "seed " << seed << " element " << i;
      if (std::isnan(a)) continue;
      ++finite;
      ASSERT_LE(std::abs(a - b), std::ldexp(1, of_values - 16))
          << "seed " << seed << " element " << i << ": " << a << " became " << b;
    }
  }
  EXPECT_GT(finite, 5000);
}

// The sum of (x - zero) * scale * w * other scale, of bytes: within a few roundings of the sum of
// its terms' magnitudes, whatever the scales are.
TEST(DequantisedRange, SumsAreOffByRoundingsOfTheirTerms) {
  FuseOptions options;
  options.integer_products = true;
  for (uint32_t seed = 0; seed < 60; ++seed) {
    Draw draw(seed + 1000);
    const int one = draw.exponent(-60, 60), other = draw.exponent(-60, 60);
    const int64_t zero = draw.exponent(0, 255);
    const double scale = std::ldexp(1 + std::abs(draw.plain()) / 3, one);
    const double scale_x = static_cast<double>(static_cast<float>(scale));
    GraphFixture g;
    const Operand x = g.input("x", {kQueries, kKeys}, Type::u8),
                  w = g.constant("w", {kKeys, kColumns}), s = g.constant("s", {kColumns}),
                  xf = g.value("xf", {kQueries, kKeys}), wf = g.value("wf", {kKeys, kColumns}),
                  y = g.output("y", {kQueries, kColumns});
    const HostTensor weights = filled(
                         Type::i8, {kKeys, kColumns},
                         [&](int64_t) { return static_cast<double>(draw.exponent(-128, 127)); }),
                     scales = filled(Type::f32, {kColumns}, [&](int64_t) {
                       return std::ldexp(1 + std::abs(draw.plain()), other);
                     });
    Value& held = g.graph.values[static_cast<size_t>(w.value())];
    held.type = Type::i8;
    held.constant = to_constant(weights);
    g.graph.values[static_cast<size_t>(s.value())].constant = to_constant(scales);
    const Operand bytes(w.value(), Type::i8, w.shape());
    g.map("dequantise x", xf, [&](const Indices& at) {
      const Expr wide = Expr::cast(Type::i32, x.at(at)) - Expr::constant(Type::i32, zero);
      return Expr::cast(Type::f32, wide) * Expr::constant(Type::f32, scale_x);
    });
    g.map("dequantise w", wf, [&](const Indices& at) {
      return Expr::cast(Type::f32, Expr::cast(Type::i32, bytes.at(at))) * s.at({at[1]});
    });
    matmul(g, "product", xf, wf, y);
    const KernelGraph fused = fuse(g.graph, options);
    EXPECT_EQ(count_kernels(fused), 1) << to_string(fused);
    const HostTensor data = filled(Type::u8, {kQueries, kKeys}, [&](int64_t) {
      return static_cast<double>(draw.exponent(0, 255));
    });
    const RunResult run = interpret(fused, {data}, {});
    for (int64_t m = 0; m < kQueries; ++m) {
      for (int64_t n = 0; n < kColumns; ++n) {
        double sum = 0, size = 0;
        for (int64_t k = 0; k < kKeys; ++k) {
          const double term = static_cast<double>((data.get(m * kKeys + k).integer - zero) *
                                                  weights.get(k * kColumns + n).integer);
          sum += term;
          size += std::abs(term);
        }
        const double by = scale_x * scales.get(n).number;
        ASSERT_LE(std::abs(run.outputs[0].get(m * kColumns + n).number - sum * by),
                  size * by * 0x1p-21)
            << "seed " << seed << " " << m << " " << n;
      }
    }
  }
}

}  // namespace
}  // namespace burin::bounded_rewrites_test
