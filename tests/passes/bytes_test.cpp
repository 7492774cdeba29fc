// Functions of bytes by tables and lines and quantised floats, on the description that has the
// rows: what is planned and its program give what the kernel says by its definition, in every
// element. Bytes are all pairs there are, or their ends; numbers are around the ends of bytes.
#include <algorithm>

#include "passes/support/drawn_bytes.h"

namespace burin::bytes_test {
namespace {

using namespace drawn_bytes;

// Residuals of all kinds, of all pairs of bytes.
TEST(Bytes, SumsOfTwoAreExactForAllPairs) {
  int planned = 0, by_three = 0, by_four = 0, sure = 0;
  for (uint64_t seed = 0; seed < 14; ++seed) {
    DrawnBytes layer(seed);
    const Shape shape{256, 257};
    const Operand a = layer.bytes("a", shape, layer.byte()),
                  b = layer.bytes("b", shape, layer.byte());
    const Type type = layer.byte();
    layer.g.map("add", layer.g.output("y", shape, type), [&](const Indices& at) {
      const double one = layer.scale(0.02), other = layer.scale(0.013);
      Expr sum = layer.dequantised(a.at(at), one);
      const Expr second = layer.dequantised(b.at(at), other);
      switch (layer.below(4)) {
        case 0:
          sum = max(sum + second, real(0));
          break;
        case 1:
          sum = min(max(sum - second, real(-2)), real(3));
          break;
        case 2:
          sum = max(sum, real(-0.7)) * real(0.5) + second;
          break;
        default:
          sum = sum + second;
      }
      return layer.quantised(sum, type, layer.scale(0.02));
    });
    const std::string text = layer.check();
    planned += has(text, "end_line") || has(text, "digits3_") || has(text, "digits4_");
    by_three += has(text, "digits3_");
    by_four += has(text, "digits4_");
    sure += !text.empty() && !has(text, "near_line");
    if (testing::Test::HasFailure()) FAIL() << "seed " << seed;
  }
  EXPECT_EQ(planned, 14);
  // Limits on the way are for lines of 32 bits.
  EXPECT_GE(by_three, 3);
  EXPECT_GE(by_four, 1);
  EXPECT_GE(sure, 10);
}

// Where floats are right between two bytes for a part of all pairs, floats decide.
TEST(Bytes, TiesAreRoundedToEven) {
  for (const double by : {0.5, 1.0, 2.0}) {
    DrawnBytes layer(3);
    const Shape shape{256, 256};
    const Operand a = layer.bytes("a", shape, Type::u8), b = layer.bytes("b", shape, Type::u8);
    layer.g.map("mean", layer.g.output("y", shape, Type::u8), [&](const Indices& at) {
      return layer.quantised(layer.dequantised(a.at(at), 3, 1) + layer.dequantised(b.at(at), 8, 1),
                             Type::u8, by);
    });
    EXPECT_EQ(layer.check().empty(), by == 2.0) << by;
  }
}

TEST(Bytes, SumsOfSeveralAreExact) {
  int doubts = 0;
  for (uint64_t seed = 0; seed < 6; ++seed) {
    DrawnBytes layer(seed + 50);
    layer.counted = false;
    const Shape shape{3, 5, 700};
    const int count = seed < 3 ? 3 : 5;
    std::vector<Operand> all;
    for (int k = 0; k < count; ++k)
      all.push_back(layer.bytes("x" + std::to_string(k), shape, layer.byte()));
    layer.g.map("sum", layer.g.output("y", shape, Type::i8), [&](const Indices& at) {
      Expr sum = layer.dequantised(all[0].at(at), layer.scale(0.02));
      for (size_t k = 1; k < all.size(); ++k)
        sum = max(layer.dequantised(all[k].at(at), layer.scale(0.01)) + sum, real(0));
      return layer.quantised(sum, Type::i8, layer.scale(0.03));
    });
    const std::string text = layer.check();
    EXPECT_TRUE(has(text, "end_line")) << seed;
    doubts += has(text, "near_line");
    if (testing::Test::HasFailure()) FAIL() << "seed " << seed;
  }
  EXPECT_GE(doubts, 3);
}

// Every byte, through whatever it goes.
TEST(Bytes, FunctionsOfOneAreTables) {
  for (const Type from : {Type::u8, Type::i8}) {
    for (const Type to : {Type::u8, Type::i8}) {
      DrawnBytes layer(static_cast<uint64_t>(from == to));
      const Shape shape{7, 300};
      const Operand a = layer.bytes("a", shape, from);
      layer.g.map("swish", layer.g.output("y", shape, to), [&](const Indices& at) {
        const Expr x = layer.dequantised(a.at(at), lowest(from) + 100, 0.05);
        const Expr gate = layer.dequantised(
            layer.quantised(real(1) / (real(1) + Expr::unary(Unary::exp, -x)), Type::u8, 1 / 255.0),
            0, 1 / 255.0);
        return layer.quantised(x * gate, to, 0.03);
      });
      const std::string text = layer.check();
      EXPECT_TRUE(has(text, "look_up")) << text;
      EXPECT_FALSE(has(text, "line")) << text;
    }
  }
}

// A byte that does not move along the lanes chooses a line; constants of a channel a table.
TEST(Bytes, WhatDoesNotMoveChooses) {
  for (uint64_t seed = 0; seed < 4; ++seed) {
    DrawnBytes layer(seed + 90);
    const Shape shape{256, 7, 43}, channels{256, 1, 1};
    const Operand a = layer.bytes("a", shape, layer.byte());
    layer.inputs.clear();  // counted from the first again
    const Operand s = layer.bytes("s", channels, layer.byte());
    layer.inputs.insert(layer.inputs.begin(), make_tensor(a.type(), {256, 7, 43}));
    for (int64_t i = 0; i < layer.inputs[0].elements(); ++i)
      layer.inputs[0].set(i, {0, lowest(a.type()) + (i & 255)});
    layer.g.map("gate", layer.g.output("y", shape, Type::u8), [&](const Indices& at) {
      return layer.quantised(layer.dequantised(a.at(at), layer.scale(0.05)) *
                                 layer.dequantised(s.at({at[0], 0, 0}), layer.scale(0.004)),
                             Type::u8, layer.scale(0.03));
    });
    EXPECT_TRUE(has(layer.check(), "end_line")) << seed;
    if (testing::Test::HasFailure()) FAIL() << "seed " << seed;
  }
  DrawnBytes layer(7);
  const Shape shape{9, 40};
  const Operand a = layer.bytes("a", shape, Type::i8),
                slope = layer.g.constant("slope", {9, 1}, 0.1);
  layer.g.map("prelu", layer.g.output("y", shape, Type::i8), [&](const Indices& at) {
    const Expr x = layer.dequantised(a.at(at), 4, 0.1);
    return layer.quantised(
        Expr::select(compare(Binary::lt, x, real(0)), x * slope.at({at[0], 0}), x), Type::i8, 0.1);
  });
  EXPECT_TRUE(has(layer.check(), "look_up"));
}

TEST(Bytes, FloatsAreQuantised) {
  for (uint64_t seed = 0; seed < 8; ++seed) {
    DrawnBytes layer(seed + 20);
    const Shape shape{3, 11, 67};
    const double by = layer.scale(seed < 6 ? 0.02 : 1e-6);
    const Operand x = layer.numbers("x", shape, 150 * by),
                  mean = layer.g.constant("mean", {3}, -0.125);
    const Type type = layer.byte();
    layer.g.map("quantise", layer.g.output("y", shape, type), [&](const Indices& at) {
      const Expr one = x.at(at);
      Expr moved = seed % 3 == 1 ? (one - real(10 * by)) * real(1.3) : one;
      if (seed % 4 == 2) moved = moved - mean.at({at[0]}) * (5 * by);  // a number of each channel
      return layer.quantised(moved, type, seed % 2 ? by : 1.0 / 64);
    });
    EXPECT_TRUE(has(layer.check(), "quantise_f32")) << seed;
    if (testing::Test::HasFailure()) FAIL() << "seed " << seed;
  }
}

// Numbers of 32 bits, at the ends of their range and around those of bytes.
TEST(Bytes, NumbersOf32BitsAreRequantised) {
  for (uint64_t seed = 0; seed < 12; ++seed) {
    DrawnBytes layer(seed + 40);
    const Shape shape{3, 11, 67};
    const double by = layer.scale(seed < 9 ? 1e-4 : 1e-6), step = layer.scale(0.02);
    const Operand x = layer.g.input("x", shape, Type::i32),
                  scales = layer.g.constant("scales", {3}, 0.75);
    HostTensor numbers = make_tensor(Type::i32, {3, 11, 67});
    const auto most = static_cast<int64_t>(300 * step / by);
    for (int64_t i = 0; i < numbers.elements(); ++i) {
      const int64_t end = layer.below(2) ? highest(Type::i32) : lowest(Type::i32);
      numbers.set(i, {0, layer.below(20) == 0 ? end : layer.below(2 * most) - most});
    }
    layer.inputs.push_back(std::move(numbers));
    const Type type = layer.byte();
    layer.g.map("requantise", layer.g.output("y", shape, type), [&](const Indices& at) {
      Expr value = Expr::cast(Type::f32, x.at(at)) * real(by);
      if (seed % 2) value = value * scales.at({at[0]});  // a number of each channel
      if (seed % 3 == 1) value = max(value, real(0));
      return layer.quantised(value, type, step);
    });
    EXPECT_TRUE(has(layer.check(), "requantise_")) << seed;
    if (testing::Test::HasFailure()) FAIL() << "seed " << seed;
  }
  // Less a zero point they may wrap.
  DrawnBytes layer(1);
  const Shape shape{300};
  const Operand x = layer.g.input("x", shape, Type::i32);
  layer.inputs.push_back(make_tensor(Type::i32, {300}));
  layer.g.map("wraps", layer.g.output("y", shape, Type::u8), [&](const Indices& at) {
    return layer.quantised(
        Expr::cast(Type::f32, x.at(at) - Expr::constant(Type::i32, 3)) * real(0.01), Type::u8, 0.5);
  });
  EXPECT_EQ(layer.check(), "");
}

TEST(Bytes, OthersAreLeft) {
  const auto planned = [](const Shape& shape, const auto& value, bool turned = false) {
    DrawnBytes layer(1);
    const Operand a = layer.bytes("a", shape, Type::u8), b = layer.bytes("b", shape, Type::u8);
    KernelBuilder builder;
    const Indices at = builder.axes(shape);
    builder.write(layer.g.output("y", turned ? Shape{shape[1], shape[0]} : shape, Type::u8),
                  turned ? Indices{at[1], at[0]} : at, value(layer, a.at(at), b.at(at)));
    layer.g.kernel("kernel", builder);
    return !layer.check().empty();
  };
  const auto sum = [](DrawnBytes& layer, const Expr& a, const Expr& b) {
    return layer.quantised(layer.dequantised(a, 0.01317) + layer.dequantised(b, 0.01711), Type::u8,
                           0.0203);
  };
  EXPECT_TRUE(planned({64, 64}, sum));
  EXPECT_FALSE(planned({2, 4}, sum));  // few
  EXPECT_FALSE(planned({64, 64}, [](DrawnBytes& layer, const Expr& a, const Expr& b) {
    return layer.quantised(max(layer.dequantised(a, 0.013), layer.dequantised(b, 0.017)), Type::u8,
                           0.02);
  }));
}

// Products of two, of all pairs of bytes.
TEST(Bytes, GatesAreExactForAllPairs) {
  int sure = 0;
  for (uint64_t seed = 0; seed < 16; ++seed) {
    DrawnBytes layer(seed + 700);
    const Shape shape{256, 256 + layer.below(3)};
    const Operand a = layer.bytes("a", shape, layer.byte()),
                  b = layer.bytes("b", shape, layer.byte());
    const Type type = layer.byte();
    layer.g.map("gate", layer.g.output("y", shape, type), [&](const Indices& at) {
      const Expr gate = layer.dequantised(
          layer.quantised(
              real(1) / (real(1) + Expr::unary(Unary::exp, -layer.dequantised(b.at(at), 0.05))),
              Type::u8, 1 / 255.0),
          0, 1 / 255.0);
      Expr product = layer.below(2) ? layer.dequantised(a.at(at), layer.scale(0.02)) * gate
                                    : gate * layer.dequantised(a.at(at), layer.scale(0.02));
      if (layer.below(3) == 0) product = max(product + real(0.25), real(0));
      return layer.quantised(product, type, layer.scale(0.02));
    });
    const std::string text = layer.check();
    EXPECT_TRUE(has(text, "multiply_")) << seed;
    sure += !has(text, "any_near");
    if (testing::Test::HasFailure()) FAIL() << "seed " << seed;
  }
  EXPECT_GE(sure, 12);
}

// Scales that are powers of two put some products right between two bytes: floats decide there.
TEST(Bytes, TiesOfProductsAreRoundedToEven) {
  DrawnBytes layer(5);
  const Shape shape{256, 256};
  const Operand a = layer.bytes("a", shape, Type::u8), b = layer.bytes("b", shape, Type::i8);
  layer.g.map("product", layer.g.output("y", shape, Type::u8), [&](const Indices& at) {
    return layer.quantised(
        layer.dequantised(a.at(at), 0, 1.0 / 256) * layer.dequantised(b.at(at), 0, 1.0 / 128),
        Type::u8, 1.0 / 8);
  });
  EXPECT_TRUE(has(layer.check(), "any_near"));
}

// Read through a transposition, a reshape or rows that are repeated, written into a concatenation
// or transposed; constants may move along the lanes.
TEST(Bytes, LieAnywhere) {
  int turned = 0, between = 0, repeated = 0, along = 0;
  for (uint64_t seed = 0; seed < 24; ++seed) {
    DrawnBytes layer(seed + 300);
    layer.counted = false;
    const int64_t rows = 1 + layer.below(5), columns = 9 + layer.below(180), parts = 3;
    const Operand a = layer.bytes("a", {columns, rows}, layer.byte()),
                  b = layer.bytes("b", {rows, ceildiv(Dim(columns), 2)}, layer.byte()),
                  bias = layer.g.constant("bias", {columns}, -1.25);
    const Type type = layer.byte();
    const bool turn = layer.below(2), part = layer.below(2), half = layer.below(2),
               moves = layer.below(2);
    Shape shape = turn ? Shape{columns, rows} : Shape{rows, columns};
    if (part) shape.push_back(parts);
    const Operand y = layer.g.output("y", shape, type);
    KernelBuilder builder;
    const Index i = builder.axis(rows), j = builder.axis(columns);
    Indices to = turn ? Indices{j, i} : Indices{i, j};
    if (part) to.push_back(Index(1));
    Expr value = layer.dequantised(a.at({j, i}), layer.scale(0.02));
    if (half) value = value + layer.dequantised(b.at({i, floordiv(j, 2)}), layer.scale(0.01));
    if (moves) value = value + bias.at({j});
    builder.write(y, to, layer.quantised(value, type, layer.scale(0.02)));
    layer.g.kernel("gather", builder);
    const std::string text = layer.check();
    EXPECT_FALSE(text.empty()) << seed;
    turned += turn;
    between += part;
    repeated += half;
    along += has(text, "along");
    if (testing::Test::HasFailure()) FAIL() << "seed " << seed;
  }
  EXPECT_GE(std::min({turned, between, repeated, along}), 5);
}

// The middle of a row that is padded by its mirror image is read where it lies.
TEST(Bytes, MirroredMarginsAreApart) {
  int in_place = 0;
  for (uint64_t seed = 0; seed < 12; ++seed) {
    DrawnBytes layer(seed + 700);
    layer.counted = false;
    const int64_t rows = 2, columns = 9 + layer.below(300), margin = 1 + layer.below(4);
    const Operand a = layer.bytes("a", {rows, columns}, layer.byte());
    const Type type = layer.byte();
    layer.g.map("pad", layer.g.output("y", {rows, columns + 2 * margin}, type),
                [&](const Indices& at) {
                  const Index from = max(at[1] - margin, -at[1] + margin);
                  return layer.quantised(
                      layer.dequantised(a.at({at[0], min(from, -from + 2 * (columns - 1))}), 0.02),
                      type, 0.02);
                });
    const std::string text = layer.check();
    EXPECT_TRUE(has(text, "look_up")) << text;
    // Else every block is gathered.
    in_place += has(text, "from: x1[");
    if (testing::Test::HasFailure()) FAIL() << "seed " << seed;
  }
  EXPECT_GE(in_place, 4);
}

// Rows and columns twice.
TEST(Bytes, SpreadRowsAreCopiedTwice) {
  for (const Type type : {Type::u8, Type::i8}) {
    DrawnBytes layer(type == Type::u8);
    layer.counted = false;
    const Operand a = layer.bytes("a", {3, 131}, type);
    layer.g.map("spread", layer.g.output("y", {6, 262}, type), [&](const Indices& at) {
      return layer.quantised(
          layer.dequantised(a.at({floordiv(at[0], 2), floordiv(at[1], 2)}), 0.02), type, 0.03);
    });
    EXPECT_TRUE(has(layer.check(), "_twice")) << to_string(type);
  }
}

}  // namespace
}  // namespace burin::bytes_test
