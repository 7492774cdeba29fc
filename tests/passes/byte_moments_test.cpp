// Sums of a row's dequantised bytes and of their squares as integers: results are within the
// roundings that the header names of the sums over the real numbers, which doubles hold here; what
// cannot be shown to fit stays a sum of floats. What is the same along a row is computed once.
#include "fuse/constants/byte_moments.h"

#include <algorithm>
#include <cmath>
#include <functional>

#include "fuse/algebra/row_invariants.h"
#include "graph_fixture.h"
#include "support/numbers.h"

namespace burin::byte_moments_test {
namespace {

Expr real(double number) { return Expr::constant(Type::f32, number); }
Expr dequantised(const Expr& byte, int64_t zero, double scale) {
  return Expr::cast(Type::f32, Expr::cast(Type::i32, byte) - Expr::constant(Type::i32, zero)) *
         real(scale);
}

struct Row {
  GraphFixture g;
  KernelBuilder builder;
  Index row, k, l, m;
  Operand x;

  Row(Type type, const Dim& length, int64_t rows = 3) {
    x = g.input("x", {rows, length}, type);
    row = builder.axis(rows);
    k = builder.reduce_axis(length);
    l = builder.reduce_axis(length);
    m = builder.reduce_axis(length);
  }
  // The sum, that of squared deviations from the mean, that of squares.
  KernelGraph moments(const std::function<Expr(const Index&)>& number, const Expr& count) {
    const Shape shape{x.shape()[0]};
    const Expr sum = builder.reduce(Combiner::sum, {k}, number(k));
    const Expr away = number(l) - sum / count;
    const Expr deviations = builder.reduce(Combiner::sum, {l}, away * away);
    const Expr squares = builder.reduce(Combiner::sum, {m}, number(m) * number(m));
    builder.write(g.output("sum", shape), {row}, sum);
    builder.write(g.output("deviations", shape), {row}, deviations);
    builder.write(g.output("squares", shape), {row}, squares);
    g.kernel("moments", builder);
    return g.graph;
  }
};

std::vector<Type> types_of(const KernelGraph& graph) {
  std::vector<Type> out;
  for_each_kernel(graph.steps, [&](const Kernel& kernel) {
    for (const Let& let : kernel.lets) out.push_back(let.accumulator[0]);
  });
  return out;
}
const std::vector<Type> kFloats{Type::f32, Type::f32, Type::f32};

void expect_near(double got, double exact, int roundings) {
  EXPECT_LE(std::abs(got - exact), (roundings + 0.01) * 0x1p-24 * std::abs(exact));
}

TEST(ByteMoments, AreExactUntilTheyAreScaled) {
  for (uint64_t seed = 0; seed < 60; ++seed) {
    Numbers numbers(seed);
    const Type type = numbers.below(2) == 0 ? Type::u8 : Type::i8;
    const int64_t length = 2 + static_cast<int64_t>(numbers.below(seed % 3 == 0 ? 4 : 700));
    const int64_t zero = lowest(type) + static_cast<int64_t>(numbers.below(256));
    const float scale = static_cast<float>(1 + numbers.below(1000)) * 0x1.3p-12f;
    // Some rows are one number, or two that are neighbours.
    const int64_t span = seed % 4 == 0 ? 1 + static_cast<int64_t>(numbers.below(2)) : 256;
    Row layer(type, length);
    const KernelGraph graph = layer.moments(
        [&](const Index& at) {
          return dequantised(layer.x.at({layer.row, at}), zero, double{scale});
        },
        real(static_cast<double>(length)));
    const KernelGraph with = with_integer_moments(graph);
    ASSERT_EQ(types_of(with), (std::vector<Type>{Type::i32, Type::i32, Type::i32})) << seed;
    HostTensor x = make_tensor(type, {3, length});
    const int64_t first = span == 256 ? 0 : static_cast<int64_t>(numbers.below(254));
    for (int64_t i = 0; i < x.elements(); ++i)
      x.set(i, {0, lowest(type) + first +
                       static_cast<int64_t>(numbers.below(static_cast<uint64_t>(span)))});
    const RunResult run = interpret(with, {x}, {});
    ASSERT_EQ(run.status, kRunOk) << run.message;
    for (int64_t row = 0; row < 3; ++row) {
      int64_t sum = 0, of_bytes = 0, squares = 0, of_squares = 0;
      for (int64_t i = 0; i < length; ++i) {
        const int64_t byte = x.get(row * length + i).integer;
        sum += byte - zero;
        squares += (byte - zero) * (byte - zero);
        of_bytes += byte;
        of_squares += byte * byte;
      }
      const double s = double{scale};
      const double deviations = static_cast<double>(length * of_squares - of_bytes * of_bytes) /
                                static_cast<double>(length) * s * s;
      expect_near(run.outputs[0].get(row).number, static_cast<double>(sum) * s, 2);
      expect_near(run.outputs[1].get(row).number, deviations, 4);
      expect_near(run.outputs[2].get(row).number, static_cast<double>(squares) * s * s, 3);
    }
    if (testing::Test::HasFailure()) FAIL() << "seed " << seed;
  }
}

std::vector<Type> types_for(Type type, const Dim& length, double count) {
  Row layer(type, length, 1);
  const auto number = [&](const Index& at) {
    return dequantised(layer.x.at({layer.row, at}), 3, 0.5);
  };
  return types_of(with_integer_moments(layer.moments(number, real(count))));
}

// 255^2 (128^2) for each byte; of numbers less a zero point 255^2 whatever the type.
TEST(ByteMoments, HaveTheBitsThatTheyNeed) {
  const auto of = [](Type a, Type b, Type c) { return std::vector<Type>{a, b, c}; };
  const Type narrow = Type::i32, wide = Type::i64;
  EXPECT_EQ(types_for(Type::u8, 33025, 33025), of(narrow, narrow, narrow));
  EXPECT_EQ(types_for(Type::u8, 33026, 33026), of(narrow, wide, wide));
  EXPECT_EQ(types_for(Type::i8, 131071, 131071), of(narrow, narrow, wide));
  EXPECT_EQ(types_for(Type::i8, 131072, 131072), of(narrow, wide, wide));
  // The first moment has 32 bits or is none, and without it there is no mean.
  EXPECT_EQ(types_for(Type::u8, 8421504, 8421504), of(narrow, wide, wide));
  EXPECT_EQ(types_for(Type::u8, 8421505, 8421505), of(Type::f32, Type::f32, wide));
  EXPECT_EQ(types_for(Type::u8, sized("n"), 7), kFloats);
}

// Of no number there is no mean: then deviations stay floats, which sum to 0 as the others do.
TEST(ByteMoments, OfRowsThatMayBeEmpty) {
  for (const int64_t least : {0, 1}) {
    const Symbol symbol =
        std::make_shared<const SymbolInfo>(SymbolInfo{"n", SymbolOrigin::param, least, 7, 5});
    const Dim length = Index::symbol(symbol);
    Row layer(Type::u8, length, 2);
    layer.g.graph.symbols = {symbol};
    const auto number = [&](const Index& at) {
      return dequantised(layer.x.at({layer.row, at}), 3, 0.5);
    };
    const KernelGraph before = layer.moments(number, Expr::cast(Type::f32, Expr::index(length)));
    const KernelGraph with = with_integer_moments(before);
    const Type deviations = least == 0 ? Type::f32 : Type::i32;
    EXPECT_EQ(types_of(with), (std::vector<Type>{Type::i32, deviations, Type::i32})) << least;
    for (int64_t n = least; n <= 7; ++n) {
      HostTensor x = make_tensor(Type::u8, {2, n});
      for (int64_t i = 0; i < x.elements(); ++i) x.set(i, {0, 37 * i % 256});
      const RunResult run = interpret(with, {x}, {{"n", n}}),
                      floats = interpret(before, {x}, {{"n", n}});
      ASSERT_EQ(run.status, kRunOk) << run.message;
      for (size_t k = 0; k < 3; ++k) {
        for (int64_t row = 0; row < 2; ++row)
          EXPECT_NEAR(run.outputs[k].get(row).number, floats.outputs[k].get(row).number,
                      1e-5 * std::abs(floats.outputs[k].get(row).number))
              << n << " of " << k;
      }
    }
  }
}

// A row as long as it may be, of the ends of bytes: nothing wraps.
TEST(ByteMoments, DoNotWrap) {
  const int64_t length = 8421504;  // 2^31 / 255
  Row layer(Type::u8, length, 1);
  const auto number = [&](const Index& at) {
    return dequantised(layer.x.at({layer.row, at}), 0, 2);
  };
  const KernelGraph with =
      with_integer_moments(layer.moments(number, real(static_cast<double>(length))));
  HostTensor x = make_tensor(Type::u8, {1, length});
  for (int64_t i = 0; i < length; ++i) x.set(i, {0, i % 4 == 0 ? 0 : 255});
  const RunResult run = interpret(with, {x}, {});
  ASSERT_EQ(run.status, kRunOk) << run.message;
  // Sums are exact, and rounded once each.
  const double n = static_cast<double>(length);
  expect_near(run.outputs[0].get(0).number, 2 * 255 * n * 3 / 4, 1);
  expect_near(run.outputs[1].get(0).number, 4 * 255 * 255 * n * 3 / 16, 2);
  expect_near(run.outputs[2].get(0).number, 4 * 255 * 255 * n * 3 / 4, 1);
}

TEST(ByteMoments, OtherwiseFloatsStay) {
  // The sum over another number of places is no mean.
  const Type narrow = Type::i32;
  EXPECT_EQ(types_for(Type::u8, 64, 63), (std::vector<Type>{narrow, Type::f32, narrow}));
  // A scale that moves along the row belongs to its terms.
  Row moving(Type::u8, 64);
  const Operand scales = moving.g.constant("scales", {64}, 0.5);
  EXPECT_EQ(types_of(with_integer_moments(moving.moments(
                [&](const Index& at) {
                  return Expr::cast(Type::f32,
                                    Expr::cast(Type::i32, moving.x.at({moving.row, at}))) *
                         scales.at({at});
                },
                real(64)))),
            kFloats);
  // Of floats there are no integers.
  Row floats(Type::f32, 64);
  EXPECT_EQ(types_of(with_integer_moments(floats.moments(
                [&](const Index& at) {
                  return floats.x.at({floats.row, at}) * real(0.5);
                },
                real(64)))),
            kFloats);
}

TEST(RowInvariants, AreComputedOnceAndStayWhatTheyWere) {
  const int64_t length = 37;
  Row layer(Type::f32, length);
  const Index j = layer.builder.axis(length);
  const auto number = [&](const Index& at) { return layer.x.at({layer.row, at}); };
  const Expr count = real(static_cast<double>(length));
  const Expr mean = layer.builder.reduce(Combiner::sum, {layer.k}, number(layer.k)) / count;
  const Expr away = number(layer.l) - mean;
  const Expr deviations = layer.builder.reduce(Combiner::sum, {layer.l}, away * away);
  const Expr root = Expr::unary(Unary::sqrt, deviations / count + real(1e-5));
  layer.builder.write(layer.g.output("y", layer.x.shape()), {layer.row, j},
                      (number(j) - mean) / root + mean * root);
  layer.g.kernel("normalise", layer.builder);
  const KernelGraph with = with_row_invariants(layer.g.graph);
  const Kernel& kernel = std::get<Kernel>(with.steps[0]);
  // The mean, the root, what both make.
  ASSERT_EQ(kernel.lets.size(), 5u) << to_string(with);
  EXPECT_EQ(std::count_if(kernel.lets.begin(), kernel.lets.end(),
                          [](const Let& let) { return let.op == Combiner::none; }),
            3);
  EXPECT_EQ(to_string(with_row_invariants(with)), to_string(with));
  HostTensor x = make_tensor(Type::f32, {3, length});
  Numbers numbers(4);
  for (int64_t i = 0; i < x.elements(); ++i)
    x.set(i, {static_cast<double>(numbers.below(4000)) * 0.001, 0});
  const RunResult a = interpret(layer.g.graph, {x}, {}), b = interpret(with, {x}, {});
  ASSERT_EQ(a.status, kRunOk) << a.message;
  ASSERT_EQ(b.status, kRunOk) << b.message;
  EXPECT_EQ(a.outputs[0], b.outputs[0]);
}

// Of rows alone, or where lets are something else, nothing is.
TEST(RowInvariants, NeedElementsOfRows) {
  Row layer(Type::f32, 8);
  const auto number = [&](const Index& at) { return layer.x.at({layer.row, at}); };
  const KernelGraph graph = layer.moments(number, real(8));
  EXPECT_EQ(to_string(with_row_invariants(graph)), to_string(graph));
}

}  // namespace
}  // namespace burin::byte_moments_test
