// Scales that move into weights change roundings of a sum as its order does, and nothing else:
// forms of products with constants behind them, fused and not, over the whole range of floats.
#include <cmath>
#include <functional>
#include <random>

#include "fuse/fuse.h"
#include "graph_fixture.h"

namespace burin::fold_scale_range_test {
namespace {

constexpr int64_t kRows = 96, kDepth = 5, kColumns = 4;
constexpr double kMagic = 12582912;  // 1.5 * 2^23: floats there are whole

class Forms {
 public:
  // Weights and constants, by the seed.
  explicit Forms(unsigned seed, double scale, double shift) : source_(seed) {
    x = g.input("x", {kRows, kDepth});
    y = g.output("y", {kRows, kColumns});
    w = constant("w", {kDepth, kColumns}, 1);
    a = constant("a", {kColumns}, scale);
    b = constant("b", {kColumns}, shift);
    c = constant("c", {kColumns}, shift);
  }
  Operand constant(const std::string& name, const std::vector<int64_t>& shape, double size) {
    const Operand out = g.constant(name, shape);
    HostTensor tensor = make_tensor(Type::f32, shape);
    for (int64_t i = 0; i < tensor.elements(); ++i) {
      const double one = (static_cast<double>(source_() % 2001) / 1000 - 1.0005) * size;
      tensor.set(i, {one, 0});
    }
    g.graph.values[static_cast<size_t>(out.value())].constant = to_constant(tensor);
    return out;
  }
  KernelGraph made(const std::function<Expr(const Expr&, const Index&)>& form) {
    const Operand p = g.value("p", {kRows, kColumns});
    matmul(g, "product", x, w, p);
    g.map("form", y, [&](const Indices& at) { return form(p.at(at), at[1]); });
    return g.graph;
  }

  GraphFixture g;
  Operand x, y, w, a, b, c;

 private:
  std::mt19937 source_;
};

// Rows of one magnitude each, of all that there are.
HostTensor rows(unsigned seed, int most_exponent) {
  std::mt19937 source(seed);
  HostTensor out = make_tensor(Type::f32, {kRows, kDepth});
  for (int64_t i = 0; i < kRows; ++i) {
    const int exponent = static_cast<int>(source() % 200) - 100;
    for (int64_t k = 0; k < kDepth; ++k) {
      const double one = static_cast<double>(source() % 20001) / 10000 - 1;
      out.set(i * kDepth + k, {std::ldexp(one, std::min(exponent, most_exponent)), 0});
    }
  }
  return out;
}

double number_at(const KernelGraph& graph, const Operand& operand, int64_t i) {
  return to_row_major(graph.values[static_cast<size_t>(operand.value())]).get(i).number;
}

KernelGraph unfolded(const KernelGraph& graph) {
  FuseOptions options;
  options.fold_scales = false;
  return fuse(graph, options);
}

// ((x w + b) * a + c), as of a normalisation behind a convolution, is off by a few roundings of
// what the sum is made of, whatever the inputs are.
TEST(FoldScaleRange, ANormalisationIsOffByRoundingsOfTheSum) {
  for (unsigned seed = 0; seed < 24; ++seed) {
    const double sizes[] = {1e-3, 0.3, 1, 30, 4000};
    Forms f(seed, sizes[seed % 5], 0.25 * (1 + seed % 3));
    const KernelGraph graph = f.made([&](const Expr& p, const Index& n) {
      return (p + f.b.at({n})) * f.a.at({n}) + f.c.at({n});
    });
    const KernelGraph fused = fuse(graph, {}), apart = unfolded(graph);
    const std::vector<HostTensor> inputs{rows(seed, 100)};
    const RunResult x = interpret(apart, inputs, {}), y = interpret(fused, inputs, {});
    double largest_row = 0;
    for (int64_t n = 0; n < kColumns; ++n) {
      double row = 0;
      for (int64_t k = 0; k < kDepth; ++k) row += std::abs(number_at(graph, f.w, k * kColumns + n));
      largest_row = std::max(largest_row, row * std::abs(number_at(graph, f.a, n)));
    }
    for (int64_t i = 0; i < kRows * kColumns; ++i) {
      const int64_t n = i % kColumns;
      double size = 16 * largest_row + std::abs(number_at(graph, f.c, n));
      for (int64_t k = 0; k < kDepth; ++k)
        size += std::abs(inputs[0].get(i / kColumns * kDepth + k).number *
                         number_at(graph, f.w, k * kColumns + n) * number_at(graph, f.a, n));
      ASSERT_LE(std::abs(x.outputs[0].get(i).number - y.outputs[0].get(i).number), size * 0x1p-20)
          << "seed " << seed << " element " << i;
    }
  }
}

// What rounds by being added and taken away, or leaves the numbers on the way, is as the model has
// it, to the bit; with fast_math it is not.
TEST(FoldScaleRange, WhatRoundsOnPurposeStays) {
  const auto constant = [](double number) { return Expr::constant(Type::f32, number); };
  struct Case {
    const char* name;
    double scale, shift;
    std::function<Expr(const Forms&, const Expr&, const Index&)> form;
  };
  const Case cases[] = {
      {"added_and_taken", 1, 1,
       [&](const Forms&, const Expr& p, const Index&) {
         return (p * 2.0 + constant(kMagic)) - constant(kMagic);
       }},
      {"behind_a_bias", 1, 1,
       [&](const Forms& f, const Expr& p, const Index& n) {
         return ((p + f.b.at({n})) * 2.0 + constant(kMagic)) - constant(kMagic);
       }},
      {"scaled_afterwards", 1, 1,
       [&](const Forms&, const Expr& p, const Index&) {
         return ((p + constant(kMagic)) - constant(kMagic)) * 0.5;
       }},
      {"scaled_between", 1, 1,
       [&](const Forms&, const Expr& p, const Index&) {
         return (p + constant(kMagic)) * 0.5 - constant(kMagic / 2);
       }},
      {"masked_and_back", 1, 1,
       [&](const Forms&, const Expr& p, const Index&) {
         return (p * 0.5 + constant(-1e9)) + constant(1e9);
       }},
      {"up_and_down", 1, 1,
       [&](const Forms&, const Expr& p, const Index&) {
         return (p * constant(1e30)) * constant(0.5e-30);
       }},
      {"down_and_up", 1, 1,
       [&](const Forms&, const Expr& p, const Index&) {
         return (p * constant(1e-30)) * constant(2e30);
       }},
  };
  for (const Case& one : cases) {
    bool changed = false;
    for (unsigned seed = 0; seed < 8; ++seed) {
      Forms f(seed, one.scale, one.shift);
      // Halves of small numbers, so that no product of them rounds.
      HostTensor halves = make_tensor(Type::f32, {kDepth, kColumns});
      for (int64_t i = 0; i < halves.elements(); ++i)
        halves.set(i, {static_cast<double>((i * 7 + seed) % 9) / 2 - 2, 0});
      f.g.graph.values[static_cast<size_t>(f.w.value())].constant = to_constant(halves);
      const KernelGraph graph =
          f.made([&](const Expr& p, const Index& n) { return one.form(f, p, n); });
      FuseOptions fast;
      fast.fast_math = true;
      HostTensor inputs = rows(seed + 100, 100);
      for (int64_t i = 0; i < inputs.elements(); ++i) {
        // Whole numbers, scaled by a power of two for each row.
        const double x = inputs.get(i).number;
        const int exponent = static_cast<int>(i / kDepth % 160) - 60;
        inputs.set(i, {std::ldexp(std::trunc(std::fmod(x * 0x1p60, 16)), exponent), 0});
      }
      const RunResult x = interpret(unfolded(graph), {inputs}, {}),
                      y = interpret(fuse(graph, {}), {inputs}, {}),
                      z = interpret(fuse(graph, fast), {inputs}, {});
      for (int64_t i = 0; i < kRows * kColumns; ++i) {
        const double a = x.outputs[0].get(i).number, b = y.outputs[0].get(i).number;
        ASSERT_TRUE(a == b || (std::isnan(a) && std::isnan(b)))
            << one.name << " seed " << seed << ": " << a << " became " << b;
        changed = changed || a != z.outputs[0].get(i).number;
      }
    }
    EXPECT_TRUE(changed) << one.name;
  }
}

}  // namespace
}  // namespace burin::fold_scale_range_test
