// Rows of bytes on the description that has rows of instructions for them: pools, sums of planes,
// rows that are normalised.
#include "passes/support/drawn_bytes.h"
#include "select/bytes/exponent_rows.h"
#include "select/bytes/fold_schedule.h"
#include "select/bytes/row_schedule.h"
#include "select/bytes/sum_schedule.h"

namespace burin::byte_rows_test {
namespace {

using namespace drawn_bytes;

// Windows of all kinds: strides, dilation, margins; what follows the greatest or least is a table.
TEST(ByteRows, PoolsAreRows) {
  int planned = 0, functions = 0, in_parts = 0;
  for (uint64_t seed = 0; seed < 40; ++seed) {
    DrawnBytes layer(seed + 200);
    layer.counted = false;
    const int64_t channels = 1 + layer.below(3), taps_y = 1 + layer.below(4),
                  taps_x = 1 + layer.below(5), stride = 1 + layer.below(2),
                  dilation = 1 + layer.below(2), before = layer.below(taps_x),
                  height = dilation * (taps_y - 1) + 1 + layer.below(9),
                  width = dilation * (taps_x - 1) + stride * 8 + layer.below(150);
    const auto results = [&](int64_t size, int64_t taps) {
      return (size + 2 * before - dilation * (taps - 1) - 1) / stride + 1;
    };
    const int64_t rows = results(height, taps_y), columns = results(width, taps_x);
    const Type type = layer.byte();
    const bool greatest = layer.below(2), function = layer.below(2);
    const Operand x = layer.bytes("x", {channels, height, width}, type),
                  beside = layer.bytes("beside", {channels, (rows + 1) / 2, columns}, type);
    KernelBuilder builder;
    const Index c = builder.axis(channels), i = builder.axis(rows), j = builder.axis(columns),
                u = builder.reduce_axis(taps_y), v = builder.reduce_axis(taps_x);
    const Index y = i * stride + u * dilation - before, z = j * stride + v * dilation - before;
    Expr tap = x.at({c, y, z});
    const Expr none = Expr::constant(type, greatest ? lowest(type) : highest(type));
    if (before > 0) tap = Expr::cases({{{{y, 0, height}, {z, 0, width}}, tap}}, none);
    Expr value = builder.reduce(greatest ? Combiner::max : Combiner::min, {u, v}, tap);
    if (function) {
      Expr sum = layer.dequantised(value, 0.02);
      // What the others of a weighted sum make, at half the rows and columns.
      if (seed % 3 == 0) sum = sum + layer.dequantised(beside.at({c, floordiv(i, 2), j}), 0.017);
      value = layer.quantised(sum, type, 0.0307);
    }
    builder.write(layer.g.output("y", {channels, rows, columns}, type), {c, i, j}, value);
    layer.g.kernel("pool", builder);
    const std::string text =
        layer.check([](const Kernel& kernel, std::vector<Value>& values, const Hardware& machine) {
          return schedule_fold(kernel, values, machine);
        });
    planned += !text.empty();
    functions += has(text, "look_up");
    // Where floats have vectors, what follows may be floats; threads share planes.
    const std::string shared =
        layer.check([](const Kernel& kernel, std::vector<Value>& values, const Hardware&) {
          Hardware machine;
          machine.vector.vector_bytes = 32;
          machine.rows = {{"vpmaxub_256", 2, 1}};
          machine.memory.caches = {{32768, 4, 64, 1}};
          machine.threads_max = 3;
          return schedule_fold(kernel, values, machine);
        });
    EXPECT_TRUE(text.empty() || !shared.empty());
    in_parts += has(shared, " thread");
    if (testing::Test::HasFailure()) FAIL() << "seed " << seed;
  }
  EXPECT_GE(planned, 30);
  EXPECT_GE(functions, 10);
  EXPECT_GE(in_parts, 15);
}

// Means over planes that lie beside each other.
TEST(ByteRows, SumsOfPlanesAreRows) {
  int by_line = 0;
  for (uint64_t seed = 0; seed < 6; ++seed) {
    DrawnBytes layer(seed + 400);
    layer.counted = false;
    const Type type = layer.byte();
    const int64_t height = 3 + layer.below(9), width = 5 + layer.below(40);
    const Operand x = layer.bytes("x", {7, height, width}, type);
    KernelBuilder builder;
    const Index c = builder.axis(7), i = builder.reduce_axis(height),
                j = builder.reduce_axis(width);
    const Expr byte = Expr::cast(Type::i32, x.at({c, i, j})) -
                      Expr::constant(Type::i32, lowest(type) + layer.below(256));
    const Expr sum = builder.reduce(Combiner::sum, {i, j}, byte);
    builder.write(layer.g.output("y", {7}, Type::u8), {c},
                  layer.quantised(Expr::cast(Type::f32, sum) * real(0.01), Type::u8, 1.7));
    layer.g.kernel("mean", builder);
    const std::string text =
        layer.check([](const Kernel& kernel, std::vector<Value>& values, const Hardware& hardware) {
          return schedule_sum(kernel, values, hardware);
        });
    EXPECT_TRUE(has(text, "call sums_"));
    // Floats where the line does not know.
    by_line += has(text, "else");
    if (testing::Test::HasFailure()) FAIL() << "seed " << seed;
  }
  EXPECT_GE(by_line, 3);
}

// Rows that are normalised, written as they lie or transposed; numbers of a column behind them.
TEST(ByteRows, NormalisedRowsAreLines) {
  for (uint64_t seed = 0; seed < 8; ++seed) {
    DrawnBytes layer(seed + 500);
    layer.counted = false;
    const int64_t rows = 3, columns = 32 + layer.below(200);
    const bool turned = layer.below(2);
    const Type type = layer.byte();
    const Operand x = layer.bytes("x", {rows, columns}, layer.byte()),
                  slope = layer.g.constant("slope", {columns}, 0.25);
    const int64_t zero = lowest(x.type()) + layer.below(256);
    const double by = layer.scale(0.02);
    KernelBuilder builder;
    const Index i = builder.axis(rows), j = builder.axis(columns), k = builder.reduce_axis(columns),
                l = builder.reduce_axis(columns);
    const auto number = [&](const Index& at) { return layer.dequantised(x.at({i, at}), zero, by); };
    const Expr count = real(static_cast<double>(columns));
    const Expr mean = builder.reduce(Combiner::sum, {k}, number(k)) / count;
    const Expr deviation =
        builder.reduce(Combiner::sum, {l}, (number(l) - mean) * (number(l) - mean));
    const Expr normal =
        (number(j) - mean) / Expr::unary(Unary::sqrt, deviation / count + real(1e-5));
    const Expr byte = layer.quantised(normal, Type::i8, layer.scale(0.03));
    builder.write(
        layer.g.output("y", turned ? Shape{columns, rows} : Shape{rows, columns}, type),
        turned ? Indices{j, i} : Indices{i, j},
        layer.quantised(layer.dequantised(byte, 0, 0.03) * slope.at({j}), type, layer.scale(0.05)));
    layer.g.kernel("normalise", builder);
    EXPECT_TRUE(has(layer.check(schedule_byte_rows), "end_line")) << seed;
    if (testing::Test::HasFailure()) FAIL() << "seed " << seed;
  }
}

// Planes that are normalised are rows, long ones where they lie.
TEST(ByteRows, NormalisedPlanesAreLines) {
  for (const int64_t width : {9, 65, 128}) {
    DrawnBytes layer(static_cast<uint64_t>(width));
    layer.counted = false;
    const int64_t channels = 3, height = 64;
    const Shape shape{channels, height, width};
    const Operand x = layer.bytes("x", shape, Type::u8),
                  slope = layer.g.constant("slope", {channels}, -0.25);
    KernelBuilder builder;
    const Index c = builder.axis(channels), i = builder.axis(height), j = builder.axis(width);
    const Expr number = layer.dequantised(x.at({c, i, j}), 100, layer.scale(0.02));
    const Expr count = real(static_cast<double>(height * width));
    const Expr mean = builder.reduce(Combiner::sum, {i, j}, number) / count;
    const Expr deviation =
        builder.reduce(Combiner::sum, {i, j}, (number - mean) * (number - mean)) / count;
    const Expr normal =
        (number - mean) *
        (real(1) / Expr::unary(Unary::sqrt, deviation + real(1e-5)) * slope.at({c}));
    builder.write(layer.g.output("y", shape, Type::i8), {c, i, j},
                  layer.quantised(normal, Type::i8, layer.scale(0.03)));
    layer.g.kernel("normalise", builder);
    const std::string text = layer.check(schedule_byte_rows);
    EXPECT_TRUE(has(text, "end_line")) << width;
    EXPECT_EQ(has(text, "row_of"), width == 9) << text;
    EXPECT_EQ(has(text, "left_of"), width == 65) << text;
    if (testing::Test::HasFailure()) FAIL();
  }
}

// Shares of exponents: rows whose entries are near to the end of a byte ask floats, entry by entry.
TEST(ByteRows, SharesOfExponentsAreExact) {
  for (uint64_t seed = 0; seed < 6; ++seed) {
    DrawnBytes layer(seed + 600);
    layer.counted = false;
    const int64_t rows = 60, columns = 32 + layer.below(250);
    const Type type = layer.byte();
    const Operand x = layer.bytes("x", {rows, columns}, layer.byte());
    const int64_t zero = lowest(x.type()) + layer.below(256);
    // From nearly even shares to those that one byte has alone.
    const double by = layer.scale(seed % 3 == 0 ? 0.002 : seed % 3 == 1 ? 0.02 : 0.1);
    KernelBuilder builder;
    const Index i = builder.axis(rows), j = builder.axis(columns);
    const auto number = [&](const Index& at) { return layer.dequantised(x.at({i, at}), zero, by); };
    const Expr greatest = builder.reduce(Combiner::max, {j}, number(j));
    const auto exponent = [&](const Index& at) {
      return Expr::unary(Unary::exp, number(at) - greatest);
    };
    const Expr sum = builder.reduce(Combiner::sum, {j}, exponent(j));
    builder.write(layer.g.output("y", {rows, columns}, type), {i, j},
                  layer.quantised(exponent(j) / sum, type, layer.scale(seed < 3 ? 1e-3 : 1e-4)));
    layer.g.kernel("softmax", builder);
    EXPECT_TRUE(has(layer.check(schedule_exponent_rows), "requantise")) << seed;
    if (testing::Test::HasFailure()) FAIL() << "seed " << seed;
  }
}

}  // namespace
}  // namespace burin::byte_rows_test
