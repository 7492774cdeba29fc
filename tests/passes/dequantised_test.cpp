// Sums of dequantised bytes as integers: the result is within three roundings of the sum over the
// real numbers, which doubles hold here; what cannot be shown to fit stays a sum of floats.
#include "fuse/constants/dequantised.h"

#include <cmath>
#include <filesystem>
#include <functional>

#include "fuse/fuse.h"
#include "graph_fixture.h"
#include "hardware/capabilities.h"
#include "hardware/load.h"
#include "select/fuse_options.h"
#include "support/numbers.h"

namespace burin::dequantised_test {
namespace {

constexpr float kScaleX = 0x1.9p-4f;
constexpr int64_t kZeroX = 7, kChannels = 3, kFilters = 4, kSize = 6, kTaps = 3;

struct Layer {
  GraphFixture g;
  std::vector<HostTensor> inputs;
  HostTensor x, w, scales;

  Operand bytes(const std::string& name, const std::vector<int64_t>& shape, Type type,
                HostTensor& tensor, bool constant) {
    const Shape dims(shape.begin(), shape.end());
    const Operand operand = constant ? g.constant(name, shape) : g.input(name, dims, type);
    Value& value = g.graph.values[static_cast<size_t>(operand.value())];
    value.type = type;
    tensor = make_tensor(type, shape);
    Numbers numbers(shape.size());
    for (int64_t i = 0; i < tensor.elements(); ++i)
      tensor.set(i, {0, lowest(type) + static_cast<int64_t>(numbers.below(256))});
    if (constant) {
      value.constant = to_constant(tensor);
    } else {
      inputs.push_back(tensor);
    }
    return Operand(operand.value(), type, dims);
  }
};

Expr as_float(const Expr& byte, int64_t zero) {
  const Expr wide = Expr::cast(Type::i32, byte);
  return Expr::cast(Type::f32, zero ? wide - Expr::constant(Type::i32, zero) : wide);
}

// DequantizeLinear of x and w, then a convolution with margins. `along`: scales of w move along the
// channels, which are summed.
Layer convolution(bool along) {
  Layer layer;
  GraphFixture& g = layer.g;
  const Operand x = layer.bytes("x", {kChannels, kSize, kSize}, Type::u8, layer.x, false),
                w = layer.bytes("w", {kFilters, kChannels, kTaps, kTaps}, Type::i8, layer.w, true),
                s = g.constant("s", {along ? kChannels : kFilters}, 0.125),
                xf = g.value("xf", x.shape()), wf = g.value("wf", w.shape()),
                y = g.output("y", {kFilters, kSize, kSize});
  const Value& scales = g.graph.values[static_cast<size_t>(s.value())];
  layer.scales = make_tensor(Type::f32, {along ? kChannels : kFilters});
  for (int64_t i = 0; i < layer.scales.elements(); ++i)
    layer.scales.set(i, load_function(Type::f32)(scales.constant.data, i));
  g.map("dequantise x", xf, [&](const Indices& at) {
    return as_float(x.at(at), kZeroX) * Expr::constant(Type::f32, kScaleX);
  });
  g.map("dequantise w", wf,
        [&](const Indices& at) { return as_float(w.at(at), 0) * s.at({at[along ? 1 : 0]}); });
  KernelBuilder kernel;
  const Index f = kernel.axis(kFilters), i = kernel.axis(kSize), j = kernel.axis(kSize),
              c = kernel.reduce_axis(kChannels), u = kernel.reduce_axis(kTaps),
              v = kernel.reduce_axis(kTaps);
  const Index at_y = i + u - 1, at_x = j + v - 1;
  const Expr tap = Expr::cases({{{{at_y, 0, kSize}, {at_x, 0, kSize}}, xf.at({c, at_y, at_x})}},
                               Expr::constant(Type::f32, 0));
  kernel.write(y, {f, i, j}, kernel.reduce(Combiner::sum, {c, u, v}, tap * wf.at({f, c, u, v})));
  g.kernel("convolution", kernel);
  return layer;
}

FuseOptions with_instructions() {
  FuseOptions options;
  options.integer_products = true;
  return options;
}

bool sums_integers(const KernelGraph& graph) {
  bool found = false;
  for_each_kernel(graph.steps, [&](const Kernel& kernel) {
    for (const Let& let : kernel.lets) found = found || let.accumulator[0] == Type::i32;
  });
  return found;
}

TEST(Dequantised, SumsAreExactUntilTheyAreScaled) {
  const Layer layer = convolution(false);
  const KernelGraph fused = fuse(layer.g.graph, with_instructions());
  ASSERT_TRUE(sums_integers(fused)) << to_string(fused);
  EXPECT_EQ(count_kernels(fused), 1);
  const RunResult run = interpret(fused, layer.inputs, {});
  ASSERT_EQ(run.status, kRunOk) << run.message;
  for (int64_t f = 0; f < kFilters; ++f) {
    for (int64_t i = 0; i < kSize; ++i) {
      for (int64_t j = 0; j < kSize; ++j) {
        int64_t sum = 0;
        for (int64_t c = 0; c < kChannels; ++c) {
          for (int64_t u = 0; u < kTaps; ++u) {
            for (int64_t v = 0; v < kTaps; ++v) {
              const int64_t y = i + u - 1, x = j + v - 1;
              if (y < 0 || y >= kSize || x < 0 || x >= kSize) continue;
              sum += (layer.x.get((c * kSize + y) * kSize + x).integer - kZeroX) *
                     layer.w.get(((f * kChannels + c) * kTaps + u) * kTaps + v).integer;
            }
          }
        }
        const double exact =
            static_cast<double>(sum) * double{kScaleX} * layer.scales.get(f).number;
        const double got = run.outputs[0].get((f * kSize + i) * kSize + j).number;
        EXPECT_LE(std::abs(got - exact), 3 * 0x1p-24 * std::abs(exact))
            << f << " " << i << " " << j;
      }
    }
  }
}

TEST(Dequantised, OtherwiseFloatsStay) {
  // A scale that moves along the sum belongs to its terms.
  EXPECT_FALSE(sums_integers(fuse(convolution(true).g.graph, with_instructions())));
  // Nobody multiplies bytes faster there, or it is switched off.
  EXPECT_FALSE(sums_integers(fuse(convolution(false).g.graph, FuseOptions())));
  FuseOptions off = with_instructions();
  off.integers = false;
  EXPECT_FALSE(sums_integers(fuse(convolution(false).g.graph, off)));
}

// A zero point that is a constant of zeros, and one that is not.
TEST(Dequantised, ZeroPointsThatAreZeroAreNotSubtracted) {
  for (const int64_t zero_point : {int64_t{0}, kZeroX}) {
    Layer layer;
    GraphFixture& g = layer.g;
    const auto point = [&](const std::string& name, Type type, int64_t zero) {
      HostTensor tensor;
      const Operand operand = layer.bytes(name, {1}, type, tensor, true);
      tensor.set(0, {0, zero});
      g.graph.values[static_cast<size_t>(operand.value())].constant = to_constant(tensor);
      return operand;
    };
    const Operand x = layer.bytes("x", {8, 16}, Type::u8, layer.x, false),
                  w = layer.bytes("w", {16, 8}, Type::i8, layer.w, true),
                  zx = point("zx", Type::u8, zero_point), zw = point("zw", Type::i8, 0),
                  xf = g.value("xf", x.shape()), wf = g.value("wf", w.shape()),
                  y = g.output("y", {8, 8});
    const auto map = [&](const Operand& from, const Operand& zero, const Operand& to) {
      g.map(to.value() == xf.value() ? "dequantise x" : "dequantise w", to, [&](const Indices& at) {
        const Expr shifted =
            Expr::cast(Type::i32, from.at(at)) - Expr::cast(Type::i32, zero.at({Index(0)}));
        return Expr::cast(Type::f32, shifted) * Expr::constant(Type::f32, 0.5);
      });
    };
    map(x, zx, xf);
    map(w, zw, wf);
    matmul(g, "product", xf, wf, y);
    const KernelGraph fused = fuse(g.graph, with_instructions());
    ASSERT_TRUE(sums_integers(fused)) << to_string(fused);
    int subtractions = 0;
    for_each_kernel(fused.steps, [&](const Kernel& kernel) {
      for (const Let& let : kernel.lets) {
        visit(let.body[0], [&](const ExprNode& node) {
          subtractions += node.kind == ExprKind::binary && node.binary() == Binary::sub ? 1 : 0;
        });
      }
    });
    EXPECT_EQ(subtractions, zero_point == 0 ? 0 : 1) << to_string(fused);
    // All numbers are multiples of a quarter below 2^24: floats sum them exactly too.
    const RunResult a = interpret(g.graph, layer.inputs, {}),
                    b = interpret(fused, layer.inputs, {});
    ASSERT_EQ(a.status, kRunOk) << a.message;
    ASSERT_EQ(b.status, kRunOk) << b.message;
    EXPECT_EQ(a.outputs[0], b.outputs[0]);
  }
}

// A product of rows of so many bytes, whose sum may be as large as all of them at their ends.
bool integers_for_depth(const Dim& depth) {
  GraphFixture g;
  const Operand x = g.input("x", {8, depth}, Type::u8), w = g.input("w", {depth, 8}, Type::i8),
                xf = g.value("xf", x.shape()), wf = g.value("wf", w.shape()),
                y = g.output("y", {8, 8});
  const auto scaled = [](const Expr& byte) {
    return as_float(byte, 0) * Expr::constant(Type::f32, 0.5);
  };
  g.map("x", xf, [&](const Indices& at) { return scaled(x.at(at)); });
  g.map("w", wf, [&](const Indices& at) { return scaled(w.at(at)); });
  matmul(g, "product", xf, wf, y);
  return sums_integers(fuse(g.graph, with_instructions()));
}

TEST(Dequantised, SumsFit32Bits) {
  // 255 * 128 each.
  EXPECT_TRUE(integers_for_depth(65793));
  EXPECT_FALSE(integers_for_depth(65794));
  EXPECT_TRUE(integers_for_depth(sized("depth", 1, 65793)));
  EXPECT_FALSE(integers_for_depth(sized("depth")));
}

// y = sum over k of pad(x)[m, k] * w[k, n], with what a margin of x is computed from.
bool integers_with(const std::function<Expr(const Operand& x, const Operand& s, const Index& row,
                                            const Index& column)>& inner) {
  GraphFixture g;
  const Operand x = g.input("x", {8, 64}, Type::u8), w = g.input("w", {64, 8}, Type::i8),
                s = g.constant("s", {8}, 1), xf = g.value("xf", {10, 64}),
                wf = g.value("wf", w.shape()), y = g.output("y", {10, 8});
  g.graph.values[static_cast<size_t>(w.value())].kind = ValueKind::constant;
  g.graph.inputs.pop_back();
  g.map("x", xf, [&](const Indices& at) {
    return Expr::cases({{{{at[0], 1, 9}}, inner(x, s, at[0] - 1, at[1])}},
                       Expr::constant(Type::f32, 0));
  });
  g.map("w", wf,
        [&](const Indices& at) { return as_float(w.at(at), 0) * Expr::constant(Type::f32, 0.5); });
  KernelBuilder kernel;
  const Index m = kernel.axis(10), n = kernel.axis(8), k = kernel.reduce_axis(64);
  kernel.write(y, {m, n}, kernel.reduce(Combiner::sum, {k}, xf.at({m, k}) * wf.at({k, n})));
  g.kernel("product", kernel);
  bool found = false;
  for (const Step& step : g.graph.steps) {
    const auto inlined_x = inlined(std::get<Kernel>(step), std::get<Kernel>(g.graph.steps[0]));
    const auto both = inlined(inlined_x, std::get<Kernel>(g.graph.steps[1]));
    found = found || with_integer_sum(both).has_value();
  }
  return found;
}

TEST(Dequantised, ScalesAndZeroPointsStandWhereTheyMay) {
  const Expr half = Expr::constant(Type::f32, 0.5);
  EXPECT_TRUE(
      integers_with([&](const Operand& x, const Operand&, const Index& row, const Index& column) {
        return as_float(x.at({row, column}), 255) * half;
      }));
  // There is no scale for rows of the margin.
  EXPECT_FALSE(
      integers_with([&](const Operand& x, const Operand& s, const Index& row, const Index& column) {
        return as_float(x.at({row, column}), 7) * s.at({row});
      }));
  // 256 is no byte.
  EXPECT_FALSE(
      integers_with([&](const Operand& x, const Operand&, const Index& row, const Index& column) {
        return as_float(x.at({row, column}), 256) * half;
      }));
}

// Else networks of 8 bits would have other bytes on some machines.
TEST(Dequantised, EveryDescriptionOfTheHostSumsIntegers) {
  const Layer layer = convolution(false);
  int seen = 0;
  for (const auto& entry : std::filesystem::directory_iterator(BURIN_SOURCE_DIR "/configs")) {
    const std::string name = entry.path().filename();
    if (entry.path().extension() != ".json" || name.find("schema") != std::string::npos) continue;
    const Hardware hardware = load_hardware(entry.path());
    if (has_device(hardware)) continue;
    ++seen;
    EXPECT_TRUE(sums_integers(fuse(layer.g.graph, fuse_options({}, hardware, true)))) << name;
  }
  EXPECT_GE(seen, 8);
}

}  // namespace
}  // namespace burin::dequantised_test
