// Products of signs: for drawn layers the graph with counted bits, the kernel that is planned of it
// and its program give what the graph gives by its definition, in every element. Scales are powers
// of two, so that nothing here is near anything.
#include "fuse/constants/signs.h"

#include <algorithm>
#include <cmath>

#include "fuse/constants/small_values.h"
#include "graph_fixture.h"
#include "hardware/load.h"
#include "isa/all_rows.h"
#include "loops/program_text.h"
#include "loops/run/run.h"
#include "loops/verify/verify_program.h"
#include "select/bits/bit_plan.h"
#include "select/bits/bit_schedule.h"
#include "support/numbers.h"

namespace burin::signs_test {
namespace {

Hardware machine(const std::string& row, int vector_bytes, int threads, int64_t cache_bytes) {
  Hardware hardware;
  hardware.vector.vector_bytes = vector_bytes;
  hardware.vector.registers = vector_bytes >= 64 ? 32 : 16;
  hardware.vector.loads_per_cycle = 2;
  hardware.memory.caches = {{cache_bytes, 4, 64, 1}};
  hardware.rows = {{row, 1, 1}};
  hardware.threads_max = threads;
  return hardware;
}

const std::vector<std::pair<std::string, int>> kRows = {{"vpopcntd_512", 64},
                                                        {"vpshufb_bits_512", 64},
                                                        {"vpshufb_bits_256", 32},
                                                        {"cnt_128", 16},
                                                        {"bits_128", 16}};

class DrawnSigns {
 public:
  explicit DrawnSigns(uint64_t seed) : numbers_(seed) {}

  int64_t below(int64_t n) {
    return static_cast<int64_t>(numbers_.below(static_cast<uint64_t>(n)));
  }

  // A tensor of signs, as exporters write them.
  Operand signs(const std::vector<int64_t>& sizes) {
    const Shape shape(sizes.begin(), sizes.end());
    const Operand x = g.input("x", shape);
    HostTensor tensor = make_tensor(Type::f32, sizes);
    for (int64_t i = 0; i < tensor.elements(); ++i)
      tensor.set(i, {static_cast<double>(below(9) - 4) / 2, 0});
    inputs.push_back(std::move(tensor));
    const Operand signs = g.value("signs", shape);
    const int64_t form = below(5);
    if (form == 1) {
      const Operand above = g.value("above", shape, Type::boolean);
      g.map("compared", above,
            [&](const Indices& at) { return compare(Binary::ge, x.at(at), x.zero()); });
      const double magnitude = below(2) ? 1 : 0.25;
      g.map("chosen", signs, [&](const Indices& at) {
        return Expr::select(above.at(at), Expr::constant(Type::f32, magnitude),
                            Expr::constant(Type::f32, -magnitude));
      });
    } else if (form == 2) {
      // Rounded, and clipped to one bit and a sign.
      const Operand rounded = g.value("rounded", shape);
      g.map("rounding", rounded,
            [&](const Indices& at) { return Expr::unary(Unary::round, x.at(at)); });
      g.map("clip", signs, [&](const Indices& at) {
        return min(max(rounded.at(at), Expr::constant(Type::f32, -1.0)),
                   Expr::constant(Type::f32, 1.0));
      });
    } else if (form == 4) {
      // A byte of one bit and a sign, and the float that it stands for.
      const Operand byte = g.value("byte", shape, Type::i8), bit = g.value("bit", shape, Type::i8);
      g.map("quantise", byte, [&](const Indices& at) {
        return Expr::cast(Type::i8, Expr::unary(Unary::round, x.at(at)), CastMode::saturate);
      });
      g.map("clip", bit, [&](const Indices& at) {
        return min(max(byte.at(at), Expr::constant(Type::i8, -1)), Expr::constant(Type::i8, 1));
      });
      g.map("dequantise", signs, [&](const Indices& at) {
        return Expr::cast(Type::f32, Expr::cast(Type::i32, bit.at(at))) * 0.5;
      });
    } else if (form == 3) {
      g.map("above", signs, [&](const Indices& at) {
        return Expr::cast(Type::f32, compare(Binary::gt, x.at(at), x.zero()));
      });
    } else {
      g.map("sign", signs, [&](const Indices& at) { return Expr::unary(Unary::sign, x.at(at)); });
    }
    return signs;
  }

  // Signs times a scale for each of the first `scales` points.
  Operand weights(const std::vector<int64_t>& sizes, int64_t scales) {
    const Operand out = g.constant("w", sizes);
    HostTensor tensor = make_tensor(Type::f32, sizes);
    const bool scaled = below(2) == 0;
    const int64_t each = tensor.elements() / scales;
    double scale = 1;
    for (int64_t i = 0; i < tensor.elements(); ++i) {
      if (i % each == 0 && scaled) scale = 1.0 / static_cast<double>(1 << below(4));
      tensor.set(i, {below(2) ? scale : -scale, 0});
    }
    g.graph.values[static_cast<size_t>(out.value())].constant = to_constant(tensor);
    if (below(3) != 0) return out;
    // As a model has them that keeps them small.
    const Operand whole = g.value("w_float", Shape(sizes.begin(), sizes.end()));
    g.map("cast", whole, [&](const Indices& at) { return out.at(at); });
    return whole;
  }

  void convolution() {
    const int64_t groups = below(4) == 0 ? 2 : 1, batch = 1 + below(2);
    const int64_t in = groups == 2 ? 32 * (1 + below(2)) : 8 + below(63), filters = 1 + below(20);
    const int64_t taps_y = 1 + below(3), taps_x = 1 + below(4), stride = 1 + below(2);
    const int64_t dilation = stride == 1 ? 1 + below(2) : 1, before = below(3);
    const int64_t height = dilation * (taps_y - 1) + 3 + below(6),
                  width = dilation * (taps_x - 1) + 3 + below(30);
    const auto results = [&](int64_t size, int64_t taps) {
      return (size + 2 * before - dilation * (taps - 1) - 1) / stride + 1;
    };
    const int64_t oh = results(height, taps_y), ow = results(width, taps_x);
    const Operand x = signs({batch, groups * in, height, width}),
                  w = weights({groups * filters, in, taps_y, taps_x}, groups * filters);
    KernelBuilder kernel;
    const Index n = batch > 1 ? kernel.axis(batch) : Index(0),
                p = groups > 1 ? kernel.axis(groups) : Index(0), f = kernel.axis(filters),
                i = kernel.axis(oh), j = kernel.axis(ow), c = kernel.reduce_axis(in),
                u = kernel.reduce_axis(taps_y), v = kernel.reduce_axis(taps_x);
    const Index y = i * stride + u * dilation - before, z = j * stride + v * dilation - before;
    Expr tap = x.at({n, p * in + c, y, z});
    if (before > 0) tap = Expr::cases({{{{y, 0, height}, {z, 0, width}}, tap}}, x.zero());
    const Index filter = p * filters + f;
    const Expr sum = kernel.reduce(Combiner::sum, {c, u, v}, tap * w.at({filter, c, u, v}));
    kernel.write(g.output("y", {batch, groups * filters, oh, ow}), {n, filter, i, j},
                 sum * 0.5 + 1.0);
    g.kernel("layer", kernel);
  }

  void product() {
    const int64_t m = 1 + below(24), n = 1 + below(70), k = 8 + below(150);
    const Operand x = signs({m, k}), w = weights({n, k}, n);
    KernelBuilder kernel;
    const Index i = m > 1 ? kernel.axis(m) : Index(0), j = kernel.axis(n),
                r = kernel.reduce_axis(k);
    const Expr sum = kernel.reduce(Combiner::sum, {r}, w.at({j, r}) * x.at({i, r}));
    kernel.write(g.output("y", {m, n}), {i, j}, max(sum, Expr::constant(Type::f32, 0.0)));
    g.kernel("layer", kernel);
  }

  GraphFixture g;
  std::vector<HostTensor> inputs;

 private:
  Numbers numbers_;
};

struct Seen {
  int planned = 0, shared = 0, banded = 0, planes = 0, rows = 0, constant_present = 0;
};

// The graph after its steps before the last one, then the last one by a program.
HostTensor by_program(const KernelGraph& graph, const std::vector<HostTensor>& inputs,
                      const std::vector<Value>& values, const Kernel& kernel,
                      const loops::Program* program) {
  Environment environment;
  for (size_t i = 0; i < graph.inputs.size(); ++i) environment.tensors[graph.inputs[i]] = inputs[i];
  Steps before(graph.steps.begin(), graph.steps.end() - 1);
  EXPECT_EQ(execute_steps(before, values, environment).status, kRunOk);
  const RunResult result = program ? loops::run_loops(*program, values, environment)
                                   : execute_steps({Step(kernel)}, values, environment);
  EXPECT_EQ(result.status, kRunOk) << result.message;
  return environment.tensor(values, graph.outputs[0]);
}

void check_signs(const DrawnSigns& drawn, const Hardware& hardware, Seen& seen) {
  const KernelGraph& given = drawn.g.graph;
  const RunResult wanted = interpret(given, drawn.inputs, {});
  ASSERT_EQ(wanted.status, kRunOk) << wanted.message;
  const KernelGraph counted = with_sign_products(given, 8);
  check_kernel_graph(counted);
  ASSERT_EQ(interpret(counted, drawn.inputs, {}).outputs, wanted.outputs) << to_string(counted);
  std::vector<Value> values = counted.values;
  const Kernel& last = std::get<Kernel>(counted.steps.back());
  const std::optional<LoopPlan> schedule = schedule_bits(last, values, hardware);
  ASSERT_TRUE(schedule) << to_string(last, values);
  const loops::Program& program = *schedule->program;
  const std::string text = loops::to_string(program);
  ++seen.planned;
  seen.shared += schedule->cut.has_value();
  seen.banded += text.find("band_number") != std::string::npos;
  seen.planes += text.find("add_negatives_x") != std::string::npos;
  seen.rows += text.find("add_negatives_of_x") != std::string::npos;
  seen.constant_present += text.find("4294967295") != std::string::npos;
  EXPECT_EQ(loops::to_string(loops::parse(text, isa::all_rows())), text);
  for (const std::string& fault : loops::verify(program)) ADD_FAILURE() << fault << "\n" << text;
  EXPECT_EQ(by_program(counted, drawn.inputs, values, schedule->kernel, nullptr),
            wanted.outputs[0]);
  EXPECT_EQ(by_program(counted, drawn.inputs, values, schedule->kernel, &program),
            wanted.outputs[0])
      << to_string(schedule->kernel, values) << text;
}

TEST(Signs, DrawnConvolutionsAreExact) {
  Seen seen;
  for (uint64_t seed = 0; seed < 80; ++seed) {
    DrawnSigns drawn(seed);
    drawn.convolution();
    const auto& [row, bytes] = kRows[seed % kRows.size()];
    // A small cache makes bands.
    check_signs(drawn, machine(row, bytes, seed % 3 == 0 ? 4 : 1, seed % 2 ? 1 << 10 : 1 << 20),
                seen);
    if (HasFailure()) FAIL() << "seed " << seed << " for " << row;
  }
  EXPECT_EQ(seen.planned, 80);
  EXPECT_EQ(seen.planes, 80);
  EXPECT_GE(seen.shared, 15);
  EXPECT_GE(seen.banded, 10);
  EXPECT_GE(seen.constant_present, 1);
}

TEST(Signs, DrawnProductsAreExact) {
  Seen seen;
  for (uint64_t seed = 0; seed < 50; ++seed) {
    DrawnSigns drawn(seed + 1000);
    drawn.product();
    const auto& [row, bytes] = kRows[seed % kRows.size()];
    check_signs(drawn, machine(row, bytes, seed % 3 == 0 ? 4 : 1, 1 << 20), seen);
    if (HasFailure()) FAIL() << "seed " << seed << " for " << row;
  }
  EXPECT_EQ(seen.planned, 50);
  EXPECT_GE(seen.rows, 45);  // others have one column
  EXPECT_GE(seen.shared, 3);
}

// What is no product of signs stays one of floats.
TEST(Signs, OtherProductsStay) {
  const auto counts = [](const std::vector<double>& weights, bool signs, int64_t depth) {
    GraphFixture g;
    const Operand x = g.input("x", {3, depth}), w = g.constant("w", {depth}),
                  s = g.value("s", {3, depth}), y = g.output("y", {3});
    HostTensor tensor = make_tensor(Type::f32, {depth});
    for (int64_t i = 0; i < depth; ++i)
      tensor.set(i, {weights[static_cast<size_t>(i) % weights.size()], 0});
    g.graph.values[static_cast<size_t>(w.value())].constant = to_constant(tensor);
    g.map("s", s, [&](const Indices& at) {
      return signs ? Expr::unary(Unary::sign, x.at(at))
                   : max(x.at(at), Expr::constant(Type::f32, 0.0));
    });
    KernelBuilder kernel;
    const Index i = kernel.axis(3), k = kernel.reduce_axis(depth);
    kernel.write(y, {i}, kernel.reduce(Combiner::sum, {k}, s.at({i, k}) * w.at({k})));
    g.kernel("layer", kernel);
    return with_sign_products(g.graph, 8).steps.size() == 3;
  };
  EXPECT_TRUE(counts({1, -1, -1}, true, 40));
  EXPECT_TRUE(counts({-3, 3}, true, 8));
  EXPECT_FALSE(counts({1, 0, -1}, true, 40));  // a weight that is none
  EXPECT_FALSE(counts({1, 2, -1}, true, 40));  // two scales along the sum
  EXPECT_FALSE(counts({1, NAN, -1}, true, 40));
  EXPECT_FALSE(counts({1, -1, -1}, false, 40));  // what is no sign
  EXPECT_FALSE(counts({1, -1, -1}, true, 7));    // few bits of a word
}

// Two branches read the same signs: each has words of its own.
TEST(Signs, BranchesPackForThemselves) {
  GraphFixture g;
  const Operand x = g.input("x", {4, 40}), flag = g.input("flag", {}, Type::boolean),
                s = g.value("s", {4, 40}), w = g.constant("w", {40}), y = g.output("y", {4});
  HostTensor ones = make_tensor(Type::f32, {40}, std::vector<double>(40, -1.0));
  g.graph.values[static_cast<size_t>(w.value())].constant = to_constant(ones);
  g.map("s", s, [&](const Indices& at) { return Expr::unary(Unary::sign, x.at(at)); });
  const auto product = [&](double scale) {
    KernelBuilder kernel;
    const Index i = kernel.axis(4), k = kernel.reduce_axis(40);
    kernel.write(y, {i}, kernel.reduce(Combiner::sum, {k}, s.at({i, k}) * w.at({k})) * scale);
    return Step(GraphFixture::named("layer", kernel));
  };
  auto branch = std::make_shared<If>();
  branch->condition = flag.at({});
  branch->then_steps = {product(1), product(2)};
  branch->else_steps = {product(3)};
  g.graph.steps.emplace_back(branch);
  const KernelGraph counted = with_sign_products(g.graph, 8);
  check_kernel_graph(counted);
  const auto& both = *std::get<std::shared_ptr<If>>(counted.steps.back());
  EXPECT_EQ(both.then_steps.size(), 3u);
  EXPECT_EQ(both.else_steps.size(), 2u);
  HostTensor input = make_tensor(Type::f32, {4, 40});
  for (int64_t i = 0; i < 160; ++i) input.set(i, {static_cast<double>(i % 7 - 3), 0});
  for (const int64_t taken : {0, 1}) {
    const std::vector<HostTensor> inputs{
        input, make_tensor(Type::boolean, {}, std::vector<int64_t>{taken})};
    EXPECT_EQ(interpret(counted, inputs, {}).outputs, interpret(g.graph, inputs, {}).outputs);
  }
}

// The state of a loop: what signs were made of is something else by the time they are packed.
TEST(Signs, WhatChangesIsPackedAsItWas) {
  GraphFixture g;
  const Operand x = g.input("x", {4, 40}), v = g.value("v", {4, 40}),
                above = g.value("above", {4, 40}, Type::boolean), s = g.value("s", {4, 40}),
                w = g.constant("w", {40}), y = g.output("y", {4});
  HostTensor ones = make_tensor(Type::f32, {40}, std::vector<double>(40, 1.0));
  g.graph.values[static_cast<size_t>(w.value())].constant = to_constant(ones);
  const auto chosen = [](const Expr& condition) {
    return Expr::select(condition, Expr::constant(Type::f32, 1.0), Expr::constant(Type::f32, -1.0));
  };
  g.map("first", v, [&](const Indices& at) { return x.at(at); });
  g.map("above", above, [&](const Indices& at) { return compare(Binary::ge, v.at(at), v.zero()); });
  g.map("s", s, [&](const Indices& at) { return chosen(above.at(at)); });
  g.map("then", v, [&](const Indices& at) { return -x.at(at); });
  KernelBuilder kernel;
  const Index i = kernel.axis(4), k = kernel.reduce_axis(40);
  kernel.write(y, {i}, kernel.reduce(Combiner::sum, {k}, s.at({i, k}) * w.at({k})));
  g.kernel("layer", kernel);
  const KernelGraph counted = with_sign_products(g.graph, 8);
  EXPECT_EQ(counted.steps.size(), 6u);
  HostTensor input = make_tensor(Type::f32, {4, 40});
  for (int64_t i = 0; i < 160; ++i) input.set(i, {static_cast<double>(i % 7 - 2), 0});
  EXPECT_EQ(interpret(counted, {input}, {}).outputs, interpret(g.graph, {input}, {}).outputs);
}

// A NaN is what Sign makes of it, present and not below 0, and no result but its own sums' moves.
TEST(Signs, ANaNCountsAsOne) {
  GraphFixture g;
  const Operand x = g.input("x", {2, 40}), w = g.constant("w", {40}), s = g.value("s", {2, 40}),
                y = g.output("y", {2});
  HostTensor ones = make_tensor(Type::f32, {40}, std::vector<double>(40, 1.0));
  g.graph.values[static_cast<size_t>(w.value())].constant = to_constant(ones);
  g.map("s", s, [&](const Indices& at) { return Expr::unary(Unary::sign, x.at(at)); });
  KernelBuilder kernel;
  const Index i = kernel.axis(2), k = kernel.reduce_axis(40);
  kernel.write(y, {i}, kernel.reduce(Combiner::sum, {k}, s.at({i, k}) * w.at({k})));
  g.kernel("layer", kernel);
  HostTensor input = make_tensor(Type::f32, {2, 40}, std::vector<double>(80, -1.0));
  input.set(3, {NAN, 0});
  const RunResult got = interpret(with_sign_products(g.graph, 8), {input}, {});
  EXPECT_EQ(got.outputs[0].get(0).number, -38);
  EXPECT_EQ(got.outputs[0].get(1).number, -40);
}

TEST(SmallValues, FollowsWhatATensorIsMadeFrom) {
  GraphFixture g;
  const Operand x = g.input("x", {4}), sign = g.value("sign", {4}), half = g.value("half", {4}),
                far = g.value("far", {4}), y = g.output("y", {4});
  g.map("sign", sign, [&](const Indices& at) { return Expr::unary(Unary::sign, x.at(at)); });
  g.map("half", half, [&](const Indices& at) { return sign.at(at) * 0.5; });
  g.map("far", far, [&](const Indices& at) { return half.at(at) + x.at(at); });
  g.map("y", y, [&](const Indices& at) { return far.at(at); });
  SmallValues numbers(g.graph.steps, g.graph.values);
  EXPECT_EQ(numbers.numbers_of(sign.at({0})), (std::set<double>{-1, 0, 1}));
  EXPECT_EQ(numbers.numbers_of(half.at({0})), (std::set<double>{-0.5, 0, 0.5}));
  EXPECT_EQ(numbers.numbers_of(far.at({0})), std::nullopt);
  EXPECT_EQ(numbers.numbers_of(x.at({0})), std::nullopt);
  const Expr clipped =
      min(max(Expr::unary(Unary::floor, x.at({0})), x.zero()), Expr::constant(Type::f32, 2.0));
  EXPECT_EQ(numbers.numbers_of(clipped), (std::set<double>{0, 1, 2}));
  EXPECT_EQ(numbers.numbers_of(min(max(x.at({0}), x.zero()), Expr::constant(Type::f32, 2.0))),
            std::nullopt);
}

// A greatest of many is looked at once, not once for each of its parts.
TEST(SmallValues, LongExpressionsTakeNoLonger) {
  GraphFixture g;
  const Operand x = g.input("x", {4});
  SmallValues numbers(g.graph.steps, g.graph.values);
  Expr greatest = x.at({0});
  for (int k = 0; k < 60; ++k) greatest = max(greatest, Expr::constant(Type::f32, k * 0.5));
  EXPECT_EQ(numbers.numbers_of(greatest), std::nullopt);
  Expr shared = Expr::unary(Unary::floor, x.at({0}));
  for (int k = 0; k < 60; ++k) shared = max(shared, min(shared, shared + 1.0));
  EXPECT_EQ(numbers.numbers_of(min(max(shared, x.zero()), Expr::constant(Type::f32, 1.0))),
            std::nullopt);
}

// Integers that no double holds are not told apart.
TEST(SmallValues, LargeIntegersAreNotFollowed) {
  GraphFixture g;
  const Operand x = g.input("x", {4});
  SmallValues numbers(g.graph.steps, g.graph.values);
  const int64_t large = int64_t{1} << 53;
  const Expr chosen =
      Expr::select(compare(Binary::gt, x.at({0}), x.zero()), Expr::constant(Type::i64, large + 1),
                   Expr::constant(Type::i64, large));
  EXPECT_EQ(numbers.numbers_of(chosen - Expr::constant(Type::i64, large - 1)), std::nullopt);
  const Expr small = Expr::select(compare(Binary::gt, x.at({0}), x.zero()),
                                  Expr::constant(Type::i64, 5), Expr::constant(Type::i64, 4));
  EXPECT_EQ(numbers.numbers_of(small - Expr::constant(Type::i64, 3)), (std::set<double>{1, 2}));
}

// Words that are hardly filled are no words.
TEST(Signs, MachinesSayFromHowManySignsOn) {
  DrawnSigns drawn(1004);
  drawn.product();
  EXPECT_GT(with_sign_products(drawn.g.graph, 1).steps.size(), drawn.g.graph.steps.size());
  EXPECT_EQ(with_sign_products(drawn.g.graph, 33).steps.size(), drawn.g.graph.steps.size());
  const auto least = [](const char* name) {
    return least_signs_of_word(load_hardware(std::string(BURIN_SOURCE_DIR "/configs/") + name));
  };
  EXPECT_EQ(least("x86-64-v4-vpopcntdq.json"), 5);
  EXPECT_EQ(least("x86-64-v3.json"), 15);
  EXPECT_EQ(least("cpp-generic.json"), 24);
  EXPECT_EQ(least("cortex-m7.json"), 0);
}

}  // namespace
}  // namespace burin::signs_test
