// What threads share of an integer product: bands of a plane, or its filters.
#include "graph_fixture.h"
#include "isa/all_rows.h"
#include "loops/program_text.h"
#include "select/integers/integer_schedule.h"
#include "select/integers/share.h"
#include "support/numbers.h"

namespace burin::integers_share_test {
namespace {

// A plane of size x size results of a 3 x 3 window over so many groups of channels, in bands of so
// many rows.
SlidingWindow window(int64_t size, int64_t groups, int64_t band) {
  SlidingWindow out;
  for (SlidingAxis* axis : {&out.rows, &out.columns}) {
    axis->output = 0;
    axis->tap = 1;
    axis->outputs = size;
    axis->positions = size + 2;
  }
  out.planes_extent = groups;
  out.band = band;
  return out;
}

// Of a core that does 64 products of 4 channels in 2 cycles.
bool whole_is_faster(int64_t size, int64_t groups, int64_t band, int64_t filters, int threads) {
  Hardware hardware;
  hardware.threads_max = threads;
  const int64_t cycles = size * size * 9 * groups * filters / 32;
  return whole_plane_is_faster(window(size, groups, band), window(size, groups, size), filters, 16,
                               cycles, hardware);
}

TEST(IntegersShare, SmallPlanesAreWholeAndFiltersShared) {
  EXPECT_TRUE(whole_is_faster(7, 128, 4, 512, 8));
  EXPECT_TRUE(whole_is_faster(7, 128, 4, 512, 1));
}

TEST(IntegersShare, LargePlanesAreBands) {
  EXPECT_FALSE(whole_is_faster(56, 16, 4, 64, 8));
  EXPECT_FALSE(whole_is_faster(28, 32, 4, 16, 8)) << "staging for few filters is dear";
}

TEST(IntegersShare, WhatIsNoBandStays) {
  Hardware hardware;
  EXPECT_FALSE(
      whole_plane_is_faster(window(7, 8, 7), window(7, 8, 7), 64, 16, int64_t{1} << 20, hardware));
}

Hardware with_vnni(int threads) {
  Hardware hardware;
  hardware.vector.vector_bytes = 64;
  hardware.vector.registers = 32;
  hardware.vector.loads_per_cycle = 2;
  hardware.memory.caches = {{48 << 10, 7, 128, 1}, {1 << 20, 14, 64, 1}, {32 << 20, 50, 32, 8}};
  hardware.rows = {{"vpdpbusd_512", 2, 5}, {"vpermi2w_512", 1, 4}};
  hardware.clock_mhz = 4200;
  hardware.thread_start_us = 4;
  hardware.threads_max = threads;
  return hardware;
}

// u8 in channels x size x size, requantised to u8; 1 x 1 taps, or 3 x 3 within each channel.
std::optional<LoopPlan> layer(int64_t channels, int64_t filters, int64_t size, bool depthwise,
                              const Hardware& hardware) {
  GraphFixture g;
  const Operand x = g.input("x", {channels, size, size}, Type::u8);
  const std::vector<int64_t> shape =
      depthwise ? std::vector<int64_t>{channels, 3, 3} : std::vector<int64_t>{filters, channels};
  const Operand w = g.constant("w", shape);
  Value& value = g.graph.values[static_cast<size_t>(w.value())];
  value.type = Type::i8;
  HostTensor weights = make_tensor(Type::i8, shape);
  Numbers numbers(7);
  for (int64_t i = 0; i < weights.elements(); ++i)
    weights.set(i, {0, static_cast<int64_t>(numbers.below(255)) - 127});
  value.constant = to_constant(weights);
  const Operand bytes(w.value(), Type::i8, {shape.begin(), shape.end()});
  KernelBuilder kernel;
  const Index f = kernel.axis(depthwise ? channels : filters), i = kernel.axis(size),
              j = kernel.axis(size);
  const auto word = [](const Expr& byte) { return Expr::cast(Type::i32, byte); };
  Expr sum;
  if (depthwise) {
    const Index u = kernel.reduce_axis(3), v = kernel.reduce_axis(3);
    const Index y = i + u - 1, z = j + v - 1;
    const Expr tap = Expr::cases({{{{y, 0, size}, {z, 0, size}}, word(x.at({f, y, z}))}},
                                 Expr::constant(Type::i32, 0));
    sum = kernel.reduce(Combiner::sum, {u, v}, tap * word(bytes.at({f, u, v})));
  } else {
    const Index c = kernel.reduce_axis(channels);
    sum = kernel.reduce(Combiner::sum, {c}, word(x.at({c, i, j})) * word(bytes.at({f, c})));
  }
  const Expr scaled = Expr::cast(Type::f32, sum) * Expr::constant(Type::f32, 0.00123);
  const Operand y = g.output("y", {depthwise ? channels : filters, size, size}, Type::u8);
  kernel.write(y, {f, i, j},
               Expr::cast(Type::u8, Expr::unary(Unary::round, scaled), CastMode::saturate));
  g.kernel("layer", kernel);
  std::vector<Value> values = g.graph.values;
  return schedule_integers(std::get<Kernel>(g.graph.steps[0]), values, hardware, {},
                           isa::all_rows());
}

// Layers of networks for images; the smallest is worth some 15 starts of a thread. Eight threads
// get two parts at least, most of them one each.
TEST(IntegersShare, LayersOfNetworksAreShared) {
  struct Layer {
    int64_t channels, filters, size;
    bool depthwise;
    int64_t least;
  };
  for (const Layer& one :
       {Layer{64, 64, 56, false, 4}, Layer{64, 256, 56, false, 6}, Layer{128, 512, 28, false, 5},
        Layer{1024, 256, 14, false, 7}, Layer{512, 2048, 7, false, 2}, Layer{16, 64, 112, false, 4},
        Layer{96, 96, 112, true, 6}, Layer{144, 144, 56, true, 4}, Layer{384, 384, 14, true, 2}}) {
    const std::optional<LoopPlan> plan =
        layer(one.channels, one.filters, one.size, one.depthwise, with_vnni(8));
    ASSERT_TRUE(plan) << one.channels;
    ASSERT_TRUE(plan->cut) << one.channels << " x " << one.size << loops::to_string(*plan->program);
    EXPECT_EQ(plan->reason.find("not shown"), std::string::npos) << plan->reason;
    EXPECT_GE(plan->cut->calls().constant(), one.least) << one.channels << " x " << one.size;
  }
}

// A policy whose parts write the same element: one thread runs it, and the reason says why.
TEST(IntegersShare, WhatIsNotShownToBeApartIsSaid) {
  const auto made = [](const std::string& at) {
    const auto make = [&](const std::optional<LoopParts>& parts) {
      const std::string grain = std::to_string(parts ? parts->grain : 4096);
      const std::string head =
          "program \"p\"\nvar i0 first < 4096\nvar i1 last < 4097\nvar i2 at < 4096\n"
          "var i3 again < 4096\nbuffer x f32 [4096] argument of 0\n"
          "buffer y f32 [4096] argument of 1 written\n";
      const std::string body = "for i3 in 0 .. 4096 { y[" + at + "] = (x[i2] * exp(x[i3])) }";
      if (!parts) return loops::parse(head + "{ for i2 in 0 .. 4096 { " + body + " } }", {});
      return loops::parse(head + "{ for i0 in 0 .. 4096 step " + grain +
                              " thread to i1 { let i1 = min(4096, i0 + " + grain +
                              ") for i2 in i0 .. i1 { " + body + " } } }",
                          {});
    };
    return share_program({{0, 4096, 1}}, make, with_vnni(8), {});
  };
  const SharedProgram apart = made("i2"), together = made("0");
  EXPECT_TRUE(apart.sharing);
  EXPECT_STREQ(reason_of(apart), "");
  EXPECT_FALSE(together.sharing);
  EXPECT_STREQ(reason_of(together), "; by one thread, since parts are not shown to be apart");
}

TEST(IntegersShare, LittleWorkIsNot) {
  const std::optional<LoopPlan> small = layer(16, 16, 14, false, with_vnni(8)),
                                one = layer(64, 256, 56, false, with_vnni(1));
  ASSERT_TRUE(small && one);
  EXPECT_FALSE(small->cut);
  EXPECT_FALSE(one->cut) << "of one thread";
}

}  // namespace
}  // namespace burin::integers_share_test
