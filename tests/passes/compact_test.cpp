// Constant factors that stay as small as they are stored: how their parts are packed, which factors
// are, what programs and the interpreter make of them, and tables of which maps take elements.
#include "select/products/compact.h"

#include "fuse/constants/unpack.h"
#include "fuse/fuse.h"
#include "graph_fixture.h"
#include "loops/run/run.h"
#include "select/choose.h"
#include "select/products/compact_part.h"
#include "select/program_of.h"
#include "select/schedule/pairs_of_bytes.h"
#include "small_hardware.h"

namespace burin::compact_test {
namespace {

constexpr int64_t kNear = 4096;  // bytes: half of the second cache

Hardware machine(int64_t near = kNear) {
  Hardware hardware = small_hardware({{1024, 4, 64, 1}, {2 * near, 12, 32, 1}});
  hardware.clock_mhz = 1000;
  hardware.threads_max = 4;
  hardware.thread_start_us = 1;
  return hardware;
}

Operand stored(GraphFixture& g, const std::string& name, Type type,
               const std::vector<int64_t>& shape, int64_t lo, int64_t span) {
  const Operand operand = g.constant(name, shape);
  HostTensor tensor = make_tensor(type, shape);
  for (int64_t i = 0; i < tensor.elements(); ++i) {
    const int64_t number = lo + (i * 7 + i / 5) % span;
    tensor.set(i, {static_cast<double>(number) / 8, number});
  }
  Value& value = g.graph.values[static_cast<size_t>(operand.value())];
  value.type = type;
  value.constant = to_constant(tensor);
  return Operand(operand.value(), type, operand.shape());
}

// y[m, n] = sum over k of x[m, k] * weight(k, n)
template <class F>
void product_of(GraphFixture& g, const Dim& rows, int64_t depth, int64_t columns, const F& weight) {
  const Operand x = g.input("x", {rows, depth}), y = g.output("y", {rows, columns});
  KernelBuilder kernel;
  const Index m = kernel.axis(rows), n = kernel.axis(columns), k = kernel.reduce_axis(depth);
  kernel.write(y, {m, n}, kernel.reduce(Combiner::sum, {k}, x.at({m, k}) * weight(k, n)));
  g.kernel("Product", kernel);
}

Expr as_float(const Expr& expr) { return Expr::cast(Type::f32, expr); }

struct Outcome {
  LoopPlans selection;
  const LoopPlan& schedule() const { return selection.plans.at(StepId{0}); }
  int compact() const { return schedule().contraction->b.compact; }
  // Of the constants that the kernel reads.
  int64_t bytes() const {
    int64_t sum = 0;
    for (const ValueId id : reads_of(schedule().kernel)) {
      const Value& value = selection.graph.values[static_cast<size_t>(id)];
      if (value.kind == ValueKind::constant) sum += static_cast<int64_t>(value.constant.bytes);
    }
    return sum;
  }
  std::vector<Type> types() const {
    std::vector<Type> out;
    for (const ValueId id : reads_of(schedule().kernel)) {
      const Value& value = selection.graph.values[static_cast<size_t>(id)];
      if (value.kind == ValueKind::constant) out.push_back(value.type);
    }
    return out;
  }
};

// Selected; the kernel and its program compute what they did before.
Outcome outcome(const GraphFixture& g, const Hardware& hardware = machine(),
                const std::map<std::string, int64_t>& symbols = {}) {
  Outcome out{choose_loops(g.graph, hardware)};
  expect_same(g.graph, out.selection.graph, symbols);
  const std::vector<HostTensor> inputs = sample_inputs(g.graph, symbols);
  const LoopPlan& schedule = out.schedule();
  const std::vector<Value>& values = out.selection.graph.values;
  const loops::Program program = program_of(schedule, values);
  Environment environment;
  environment.symbols = symbols;
  for (size_t i = 0; i < inputs.size(); ++i) environment.tensors[g.graph.inputs[i]] = inputs[i];
  const RunResult result = loops::run_loops(program, values, environment);
  EXPECT_EQ(result.status, kRunOk) << result.message;
  const HostTensor expected = interpret(g.graph, inputs, symbols).outputs.at(0),
                   found = environment.tensor(values, g.graph.outputs.at(0));
  EXPECT_EQ(expected.shape, found.shape);
  for (int64_t i = 0; i < expected.elements(); ++i)
    EXPECT_NEAR(found.get(i).number, expected.get(i).number, 1e-3) << i;
  return out;
}

TEST(Compact, DigitsAreTheFewestThatHoldARange) {
  EXPECT_EQ(digits_of(0, 15, 64, 32), (Digits{4, false, 0}));
  EXPECT_EQ(digits_of(-8, 7, 64, 8), (Digits{4, true, 0}));
  EXPECT_EQ(digits_of(-2, 1, 64, 8), (Digits{2, true, 0}));
  EXPECT_EQ(digits_of(0, 3, 64, 8), (Digits{2, false, 0}));
  EXPECT_EQ(digits_of(-128, 127, 64, 8), (Digits{8, true, 0}));
  EXPECT_EQ(digits_of(0, 255, 64, 8), (Digits{8, false, 0}));
  EXPECT_EQ(digits_of(100, 107, 64, 32), (Digits{4, false, 100}));
  EXPECT_EQ(digits_of(-20, 235, 64, 32), (Digits{8, false, -20}));
  EXPECT_EQ(digits_of(0, 256, 64, 32), std::nullopt);
  // A word has to be filled.
  EXPECT_EQ(digits_of(0, 15, 7, 32), (Digits{8, false, 0}));
  EXPECT_EQ(digits_of(0, 15, 3, 32), std::nullopt);
  EXPECT_EQ(digits_of(0, 200, 64, 4), std::nullopt);
}

TEST(Compact, WordsAlongLanesAreAsWideAsABlock) {
  const auto of = [](int64_t lo, int64_t hi, int64_t lanes) {
    return digits_of(lo, hi, lanes, 32, Neighbours::lanes);
  };
  EXPECT_EQ(of(0, 15, 8), (Digits{4, false, 0, 32, Neighbours::lanes}));
  EXPECT_EQ(of(-8, 7, 4), (Digits{4, true, 0, 16, Neighbours::lanes}));
  EXPECT_EQ(of(0, 3, 4), (Digits{2, false, 0, 8, Neighbours::lanes}));
  EXPECT_EQ(of(0, 3, 2), (Digits{4, false, 0, 8, Neighbours::lanes})) << "two fill no byte";
  EXPECT_EQ(of(-128, 127, 8), (Digits{8, true, 0, 8, Neighbours::lanes}));
  EXPECT_EQ(of(0, 15, 1), (Digits{8, false, 0, 8, Neighbours::lanes}));
}

// Blocks of 16 rows with a scale each: 4 bits for a weight, 32 / 16 for its scale.
TEST(Compact, WeightsOfFourBitsWithScalesOfBlocks) {
  GraphFixture g;
  const Operand q = stored(g, "q", Type::u8, {64, 24}, 0, 16), s = g.constant("s", {4, 24}, 0.5);
  product_of(g, 5, 64, 24, [&](const Index& k, const Index& n) {
    return (as_float(q.at({k, n})) - 8.0) * s.at({floordiv(k, 16), n});
  });
  const Outcome out = outcome(g);
  EXPECT_EQ(out.compact(), 8);
  EXPECT_EQ(out.types(), (std::vector<Type>{Type::u32, Type::f32}));
  EXPECT_EQ(out.bytes(), 64 * 24 / 2 + 4 * 24 * 4);
  EXPECT_NE(out.schedule().reason.find("columns unpacked from 1152 bytes"), std::string::npos)
      << out.schedule().reason;
}

// y[m, n] = sum over k of weight(m, k) * x[k, n]: rows of a filter over the columns of a plane.
template <class F>
Outcome filtered(GraphFixture& g, int64_t filters, int64_t depth, const F& weight) {
  const Operand x = g.input("x", {depth, 37}), y = g.output("y", {filters, 37});
  KernelBuilder kernel;
  const Index m = kernel.axis(filters), n = kernel.axis(37), k = kernel.reduce_axis(depth);
  kernel.write(y, {m, n}, kernel.reduce(Combiner::sum, {k}, weight(m, k) * x.at({k, n})));
  g.kernel("Product", kernel);
  return outcome(g);
}

// Rows become floats beside their tile: nothing of them is in scratch.
TEST(Compact, RowsOfFiltersStaySmall) {
  for (const auto& [lo, span, bits] :
       {std::tuple{-128, 256, 8}, std::tuple{0, 256, 8}, std::tuple{-8, 16, 4},
        std::tuple{0, 16, 4}, std::tuple{100, 16, 4}}) {
    GraphFixture g;
    const Type type = lo < 0 ? Type::i8 : Type::u8;
    const Operand q = stored(g, "q", type, {30, 70}, lo, span), s = g.constant("s", {30}, 0.5);
    const Outcome out = filtered(g, 30, 70, [&](const Index& m, const Index& k) {
      return as_float(q.at({m, k})) * s.at({m});
    });
    const ContractionSchedule& product = *out.schedule().contraction;
    const int64_t rows = product.tile.rows, all = (30 + rows - 1) / rows * rows;
    EXPECT_GT(product.a.compact, 0);
    EXPECT_EQ(rows & (rows - 1), 0);
    EXPECT_EQ(out.bytes(), all * 70 * bits / 8 + all * 4) << lo << ' ' << span;
    EXPECT_EQ(out.schedule().scratch_bytes.constant() / 64 * 64,
              (70 * product.tile.columns() * 4 + 63) / 64 * 64)
        << "a panel of columns";
    EXPECT_NE(out.schedule().reason.find("rows unpacked from"), std::string::npos);
  }
}

// What a spelling packs into bytes is found as what it is: the bits of a number are its own.
TEST(Compact, NumbersOfAByteAreTakenApart) {
  GraphFixture g;
  const Operand q = stored(g, "q", Type::u8, {24, 32}, 0, 256), s = g.constant("s", {24}, 0.5);
  product_of(g, 3, 64, 24, [&](const Index& k, const Index& n) {
    const Expr byte = Expr::cast(Type::i32, q.at({n, floordiv(k, 2)}));
    const Expr shift = Expr::cast(Type::i32, Expr::index(mod(k, 2) * 4));
    const Expr number =
        Expr::binary(Binary::bit_and, Expr::binary(Binary::shift_right, byte, shift),
                     Expr::constant(Type::i32, 15));
    return (as_float(number) - 8.0) * s.at({n});
  });
  const Outcome out = outcome(g, machine(1024));
  EXPECT_EQ(out.compact(), 8);
  EXPECT_EQ(out.bytes(), 64 * 24 / 2 + 24 * 4);
}

// What numbers of four bits stand for, from a table: the numbers stay, and the table.
TEST(Compact, NumbersThatAreLookedUp) {
  GraphFixture g;
  const Operand q = stored(g, "q", Type::u8, {24, 32}, 0, 256), t = g.constant("t", {16}, 0.5);
  product_of(g, 3, 64, 24, [&](const Index& k, const Index& n) {
    const Expr byte = Expr::cast(Type::i32, q.at({n, floordiv(k, 2)}));
    const Expr shift = Expr::cast(Type::i32, Expr::index(mod(k, 2) * 4));
    const Expr number =
        Expr::binary(Binary::bit_and, Expr::binary(Binary::shift_right, byte, shift),
                     Expr::constant(Type::i32, 15));
    return t.at({Index::data(Expr::cast(Type::i64, number).ptr(), {0, 15})});
  });
  const Outcome out = outcome(g, machine(1024));
  EXPECT_EQ(out.compact(), 8);
  EXPECT_EQ(out.bytes(), 64 * 24 / 2 + 16 * 4);
}

// The difference of two bytes takes nine bits, each of them eight or less: they are subtracted
// where they are unpacked.
TEST(Compact, ZeroPointsStayApartWhereThatIsSmaller) {
  GraphFixture g;
  const Operand q = stored(g, "q", Type::i8, {64, 24}, -128, 256),
                z = stored(g, "z", Type::i8, {24}, -100, 200), s = g.constant("s", {24}, 0.5);
  product_of(g, 3, 64, 24, [&](const Index& k, const Index& n) {
    const Expr number = Expr::cast(Type::i32, q.at({k, n})) - Expr::cast(Type::i32, z.at({n}));
    return as_float(number) * s.at({n});
  });
  const Outcome out = outcome(g);
  EXPECT_EQ(out.compact(), 4);
  EXPECT_EQ(out.bytes(), 64 * 24 + 24 + 24 * 4);
}

TEST(Compact, HalvesStayHalves) {
  GraphFixture g;
  const Operand w = stored(g, "w", Type::f16, {66, 24}, -40, 80);
  product_of(g, sized("rows", 1, 40, 3), 66, 24, [&](const Index& k, const Index& n) {
    return w.at({k, n});
  });
  g.graph.symbols = {w.shape().empty() ? nullptr : g.graph.values[1].shape[0].as_symbol()};
  const Outcome out = outcome(g, machine(), {{"rows", 7}});
  EXPECT_EQ(out.compact(), 1);
  EXPECT_EQ(out.types(), std::vector<Type>{Type::f16});
  EXPECT_EQ(out.bytes(), 66 * 24 * 2);
}

// A depth that no word divides, columns that fill no block, two axes of the depth.
TEST(Compact, PartsOfOddSizes) {
  GraphFixture g;
  const Operand q = stored(g, "q", Type::i8, {7, 5, 37}, -8, 16), x = g.input("x", {6, 7, 5}),
                y = g.output("y", {6, 37});
  KernelBuilder kernel;
  const Index m = kernel.axis(6), n = kernel.axis(37), k = kernel.reduce_axis(7),
              j = kernel.reduce_axis(5);
  kernel.write(
      y, {m, n},
      kernel.reduce(Combiner::sum, {k, j}, x.at({m, k, j}) * (as_float(q.at({k, j, n})) * 0.25)));
  g.kernel("Product", kernel);
  const Outcome out = outcome(g, machine(1024));
  EXPECT_EQ(out.compact(), 1) << "points of the inner axis do not begin with a word";
  const int width = out.schedule().contraction->tile.columns();
  EXPECT_EQ(out.bytes(), (37 + width - 1) / width * width * ((35 + 7) / 8) * 4);
}

// Small models are unpacked once; so is what floats hold as well.
TEST(Compact, OnlyWhereBytesAreSaved) {
  for (const int64_t near : {int64_t{64 * 24 * 4 - 1}, int64_t{64 * 24 * 4}}) {
    GraphFixture g;
    const Operand q = stored(g, "q", Type::i8, {64, 24}, -8, 16);
    product_of(g, 5, 64, 24, [&](const Index& k, const Index& n) {
      return as_float(q.at({k, n})) * 0.5;
    });
    const Outcome out = outcome(g, machine(near));
    EXPECT_EQ(out.compact() > 0, near < 64 * 24 * 4) << near;
    EXPECT_EQ(out.bytes(), near < 64 * 24 * 4 ? 64 * 24 / 2 : 64 * 24 * 4) << near;
  }
  // However large a cache is, 8 KiB are the most.
  for (const int64_t depth : {64, 65}) {
    GraphFixture g;
    const Operand q = stored(g, "q", Type::i8, {depth, 128}, -8, 16);
    product_of(g, 5, depth, 128, [&](const Index& k, const Index& n) {
      return as_float(q.at({k, n})) * 0.5;
    });
    const Outcome out = outcome(g, machine(1 << 20));
    EXPECT_EQ(out.compact() > 0, depth > 64) << depth;
    EXPECT_EQ(out.schedule().reason.find("few enough") != std::string::npos, depth == 64);
  }
  GraphFixture g;
  const Operand w = g.constant("w", {64, 24}), s = stored(g, "s", Type::f16, {4096}, 1, 9);
  product_of(g, 5, 64, 24, [&](const Index& k, const Index& n) {
    return w.at({k, n}) * s.at({n});
  });
  EXPECT_EQ(outcome(g).compact(), 0);
}

// Loops of small code take numbers that four bits hold out of bytes that have two.
TEST(Compact, LoopsOfSmallCodeReadPairs) {
  for (const Type type : {Type::i8, Type::u8}) {
    for (const int64_t span : {16, 17}) {
      GraphFixture g;
      const Operand q = stored(g, "q", type, {64, 65}, type == Type::i8 ? -8 : 0, span),
                    x = g.input("x", {65}), y = g.output("y", {64});
      KernelBuilder kernel;
      const Index n = kernel.axis(64), k = kernel.reduce_axis(65);
      kernel.write(y, {n}, kernel.reduce(Combiner::sum, {k}, x.at({k}) * as_float(q.at({n, k}))));
      g.kernel("Sum", kernel);
      KernelGraph after = g.graph;
      for (Step& step : after.steps) {
        if (auto* each = std::get_if<Kernel>(&step)) *each = with_pairs(*each, after.values);
      }
      expect_same(g.graph, after);
      ASSERT_EQ(after.values.size(), g.graph.values.size() + (span == 16 ? 1 : 0));
      if (span != 16) continue;
      EXPECT_EQ(after.values.back().constant.bytes, 64u * 65 / 2);
    }
  }
}

// A table that a map takes rows of stays two numbers to a byte; a few take a byte each.
TEST(Compact, TablesOfFourBitsStayPairs) {
  for (const Type type : {Type::i4, Type::u4}) {
    for (const int64_t rows : {170, 171}) {
      GraphFixture g;
      const Operand q = stored(g, "q", type, {rows, 24}, type == Type::i4 ? -8 : 0, 16),
                    place = g.input("place", {6}, Type::i64), y = g.output("y", {6, 24});
      g.map("Gather", y, [&](const Indices& at) {
        const Expr row =
            Expr::binary(Binary::bit_and, place.at({at[0]}), Expr::constant(Type::i64, 127));
        return as_float(q.at({Index::data(row.ptr(), {0, 127}), at[1]})) * 0.5;
      });
      const KernelGraph after = unpack_nibbles(g.graph);
      expect_same(g.graph, after);
      const Value& table = after.values[static_cast<size_t>(q.value())];
      const bool pairs = rows * 24 >= 4096;
      EXPECT_EQ(table.constant.bytes, static_cast<size_t>(pairs ? rows * 12 : rows * 24));
      EXPECT_EQ(table.type, pairs || type == Type::u4 ? Type::u8 : Type::i8);
    }
  }
}

// Nor are those that a place spreads: a zero point for blocks of the depth, however short they are.
TEST(Compact, WhatSpreadsIsNotComputedAhead) {
  GraphFixture g;
  const Operand q = stored(g, "q", Type::i8, {256, 48}, -8, 16),
                z = stored(g, "z", Type::u8, {2, 48}, 0, 16),
                h = stored(g, "h", Type::f16, {256}, 1, 9);
  product_of(g, 5, 256, 48, [&](const Index& k, const Index& n) {
    const Expr zero = Expr::cast(Type::i32, z.at({floordiv(k, 128), n})) * 3;
    return (as_float(q.at({k, n})) - as_float(zero)) * (h.at({k}) * 2.0);
  });
  const KernelGraph after = hoist_constants(g.graph);
  expect_same(g.graph, after);
  for (const Value& value : after.values)
    EXPECT_TRUE(value.kind != ValueKind::constant || value.constant.bytes <= 256u * 48)
        << value.name;
}

// Constants of few bits are computed where that makes no more of them.
TEST(Compact, WhatUnpacksIsNotComputedAhead) {
  GraphFixture g;
  const Operand q = stored(g, "q", Type::i8, {64, 48}, -8, 16),
                z = stored(g, "z", Type::i8, {48}, -8, 16), s = g.constant("s", {48}, 0.5);
  product_of(g, 5, 64, 48, [&](const Index& k, const Index& n) {
    return (as_float(q.at({k, n})) - as_float(z.at({n}))) * (s.at({n}) * 2.0);
  });
  const KernelGraph after = hoist_constants(g.graph);
  expect_same(g.graph, after);
  std::vector<std::string> read;
  for_each_kernel(after.steps, [&](const Kernel& kernel) {
    for (const ValueId id : reads_of(kernel))
      read.push_back(after.values[static_cast<size_t>(id)].name);
  });
  EXPECT_EQ(read, (std::vector<std::string>{"q", "z", "x", "s_folded"}));
}

}  // namespace
}  // namespace burin::compact_test
