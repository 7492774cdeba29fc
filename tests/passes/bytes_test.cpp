// Functions of bytes by tables and lines, pools and quantised floats, on the description that has
// the rows: what is planned and its program give what the kernel says by its definition, in every
// element. Bytes are all pairs there are, or their ends; numbers are around the ends of bytes.
#include <algorithm>
#include <cmath>
#include <limits>

#include "graph_fixture.h"
#include "hardware/load.h"
#include "isa/all_rows.h"
#include "loops/program_text.h"
#include "loops/run/run.h"
#include "loops/verify/verify_program.h"
#include "select/bytes/byte_schedule.h"
#include "select/bytes/fold_schedule.h"
#include "select/bytes/sum_schedule.h"
#include "support/numbers.h"

namespace burin::bytes_test {
namespace {

const Hardware& hexagon() {
  static const Hardware hardware = load_hardware(BURIN_SOURCE_DIR "/configs/hexagon-v66.json");
  return hardware;
}

Expr real(double x) { return Expr::constant(Type::f32, x); }

class DrawnBytes {
 public:
  explicit DrawnBytes(uint64_t seed) : numbers_(seed) {}
  int64_t below(int64_t n) {
    return static_cast<int64_t>(numbers_.below(static_cast<uint64_t>(n)));
  }
  Type byte() { return below(2) ? Type::u8 : Type::i8; }
  double scale(double about) { return about * (1 + static_cast<double>(below(1 << 20)) * 0x1p-20); }

  Operand bytes(const std::string& name, const Shape& shape, Type type) {
    const Operand operand = g.input(name, shape, type);
    HostTensor tensor = make_tensor(type, sizes(shape));
    for (int64_t i = 0; i < tensor.elements(); ++i) {
      // All pairs, one behind the other, where there is room for them.
      const int64_t one = inputs.empty() ? i : i / 256;
      tensor.set(i, {0, lowest(type) + (counted ? (one & 255) : below(256))});
    }
    inputs.push_back(std::move(tensor));
    return operand;
  }
  Operand numbers(const std::string& name, const Shape& shape, double most) {
    const Operand operand = g.input(name, shape, Type::f32);
    HostTensor tensor = make_tensor(Type::f32, sizes(shape));
    const double infinity = std::numeric_limits<double>::infinity();
    const double others[] = {infinity, -infinity, NAN, 0, -0.0, 1e30, -1e-30, 0x1p-149};
    for (int64_t i = 0; i < tensor.elements(); ++i) {
      const double drawn = most * (static_cast<double>(below(1 << 21)) * 0x1p-20 - 1);
      tensor.set(i, {below(20) == 0 ? others[below(8)] : static_cast<float>(drawn), 0});
    }
    inputs.push_back(std::move(tensor));
    return operand;
  }
  static std::vector<int64_t> sizes(const Shape& shape) {
    std::vector<int64_t> out;
    for (const Dim& dim : shape) out.push_back(dim.constant());
    return out;
  }

  Expr dequantised(const Expr& stored, int64_t zero, double by) const {
    return Expr::cast(Type::f32, Expr::cast(Type::i32, stored) - Expr::constant(Type::i32, zero)) *
           real(by);
  }
  Expr dequantised(const Expr& stored, double by) {
    return dequantised(stored, lowest(stored.type()) + below(256), by);
  }
  Expr quantised(const Expr& value, Type type, double by) {
    return Expr::cast(type,
                      Expr::unary(Unary::round, value / real(by)) +
                          real(static_cast<double>(lowest(type) + below(256))),
                      CastMode::saturate);
  }

  HostTensor result(const std::vector<Value>& values, const Kernel& kernel,
                    const loops::Program* program) const {
    Environment environment;
    for (size_t i = 0; i < g.graph.inputs.size(); ++i)
      environment.tensors[g.graph.inputs[i]] = inputs[i];
    const RunResult ran = program ? loops::run_loops(*program, values, environment)
                                  : execute_steps({Step(kernel)}, values, environment);
    EXPECT_EQ(ran.status, kRunOk) << ran.message;
    return environment.tensor(values, g.graph.outputs[0]);
  }

  // The program's text; empty: nothing is planned.
  template <class Schedule>
  std::string check(const Schedule& schedule_of) const {
    const Kernel& given = std::get<Kernel>(g.graph.steps[0]);
    std::vector<Value> values = g.graph.values;
    const std::optional<LoopPlan> schedule = schedule_of(given, values, hexagon());
    if (!schedule) {
      EXPECT_EQ(values.size(), g.graph.values.size());
      return {};
    }
    const HostTensor wanted = result(g.graph.values, given, nullptr);
    const std::string text = loops::to_string(*schedule->program);
    EXPECT_EQ(loops::to_string(loops::parse(text, isa::all_rows())), text);
    for (const std::string& fault : loops::verify(*schedule->program))
      ADD_FAILURE() << fault << "\n" << text;
    EXPECT_EQ(result(values, schedule->kernel, nullptr), wanted)
        << to_string(schedule->kernel, values);
    EXPECT_EQ(result(values, schedule->kernel, &*schedule->program), wanted)
        << to_string(given, g.graph.values) << text;
    return text;
  }
  std::string check() const { return check(schedule_bytes); }

  GraphFixture g;
  std::vector<HostTensor> inputs;
  bool counted = true;

 private:
  Numbers numbers_;
};

bool has(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

// Residuals of all kinds, of all pairs of bytes.
TEST(Bytes, SumsOfTwoAreExactForAllPairs) {
  int planned = 0, sure = 0;
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
    planned += has(text, "end_line");
    sure += !text.empty() && !has(text, "near_line");
    if (testing::Test::HasFailure()) FAIL() << "seed " << seed;
  }
  EXPECT_EQ(planned, 14);
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
    const Operand x = layer.numbers("x", shape, 150 * by);
    const Type type = layer.byte();
    layer.g.map("quantise", layer.g.output("y", shape, type), [&](const Indices& at) {
      const Expr one = x.at(at);
      const Expr moved = seed % 3 == 1 ? (one - real(10 * by)) * real(1.3) : one;
      return layer.quantised(moved, type, seed % 2 ? by : 1.0 / 64);
    });
    EXPECT_TRUE(has(layer.check(), "quantise_f32")) << seed;
    if (testing::Test::HasFailure()) FAIL() << "seed " << seed;
  }
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
  EXPECT_FALSE(planned({64, 64}, sum, true));  // results lie apart
  EXPECT_FALSE(planned({2, 4}, sum));          // few
  EXPECT_FALSE(planned({64, 64}, [](DrawnBytes& layer, const Expr& a, const Expr& b) {
    return layer.quantised(layer.dequantised(a, 0.1) * layer.dequantised(b, 0.1), Type::u8, 0.2);
  }));
  EXPECT_FALSE(planned({64, 64}, [](DrawnBytes& layer, const Expr& a, const Expr& b) {
    return layer.quantised(max(layer.dequantised(a, 0.013), layer.dequantised(b, 0.017)), Type::u8,
                           0.02);
  }));
}

// Windows of all kinds: strides, dilation, margins; what follows the greatest or least is a table.
TEST(Bytes, PoolsAreRows) {
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
    const Operand x = layer.bytes("x", {channels, height, width}, type);
    KernelBuilder builder;
    const Index c = builder.axis(channels), i = builder.axis(rows), j = builder.axis(columns),
                u = builder.reduce_axis(taps_y), v = builder.reduce_axis(taps_x);
    const Index y = i * stride + u * dilation - before, z = j * stride + v * dilation - before;
    Expr tap = x.at({c, y, z});
    const Expr none = Expr::constant(type, greatest ? lowest(type) : highest(type));
    if (before > 0) tap = Expr::cases({{{{y, 0, height}, {z, 0, width}}, tap}}, none);
    Expr value = builder.reduce(greatest ? Combiner::max : Combiner::min, {u, v}, tap);
    if (function) value = layer.quantised(layer.dequantised(value, 0.02), type, 0.03);
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
    EXPECT_EQ(text.empty(), shared.empty());
    in_parts += has(shared, " thread");
    if (testing::Test::HasFailure()) FAIL() << "seed " << seed;
  }
  EXPECT_GE(planned, 30);
  EXPECT_GE(functions, 10);
  EXPECT_GE(in_parts, 15);
}

// Means over planes that lie beside each other.
TEST(Bytes, SumsOfPlanesAreRows) {
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
    EXPECT_TRUE(has(
        layer.check([](const Kernel& kernel, std::vector<Value>& values, const Hardware& hardware) {
          return schedule_sum(kernel, values, hardware);
        }),
        "call sum_"));
    if (testing::Test::HasFailure()) FAIL() << "seed " << seed;
  }
}

}  // namespace
}  // namespace burin::bytes_test
