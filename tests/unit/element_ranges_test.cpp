// What numbers that data decide are never above, and random arithmetic of data held against it.
#include "kernel/symbolic/element_ranges.h"

#include <gtest/gtest.h>

#include "support/numbers.h"
#include "unit/support/kernel_maker.h"

namespace burin::element_ranges_test {
namespace {

const Symbol kN = make_symbol("n", 1);
const Dim n = Index::symbol(kN);

Expr i64(int64_t value) { return Expr::constant(Type::i64, value); }
Expr wide(const Expr& x) { return Expr::cast(Type::i64, x); }
Expr real(const Expr& x) { return Expr::cast(Type::f32, x); }

class Ranges : public testing::Test {
 protected:
  // A kernel that reduces `from` along its only axis.
  Expr reduced(ValueId from, Type type, Combiner op, bool place = false) {
    const ValueId to = g.internal("r", place ? Type::i64 : type, {1});
    Kernel k;
    const Index i = axis_of(k, n, AxisKind::sequential);
    const Expr x = g.load(from, {i});
    Let let{{}, {0}, op, {}, {}};
    let.body =
        place ? std::vector<Expr>{x, Expr::index(i)} : std::vector<Expr>{Expr::cast(type, x)};
    for (const Expr& one : let.body) let.accumulator.push_back(one.type());
    k.lets.push_back(let);
    k.writes.push_back(
        {{}, to, {0}, Expr::let(0, let.accumulator.back(), {}, place ? 1 : 0), {}, How::store});
    g.graph.steps.push_back(k);
    return g.load(to, {0});
  }

  std::optional<Dim> most(const Expr& value) {
    return ElementRanges({&g.graph.steps}, g.graph.values, {}).most(value);
  }
  std::string text(const Expr& value) {
    const std::optional<Dim> found = most(value);
    return found ? to_string(*found) : "nothing";
  }

  GraphMaker g;
  Expr any = g.load(g.input("any", Type::i64, {1}), {0});
  Expr byte = wide(g.load(g.input("byte", Type::u8, {1}), {0}));
  Expr flag = g.load(g.input("flag", Type::boolean, {1}), {0});
  ValueId mask = g.input("mask", Type::boolean, {n});
  ValueId lengths = g.input("lengths", Type::i64, {n});
  ValueId scores = g.input("scores", Type::f32, {n});
  Expr size = Expr::index(n);
};

TEST_F(Ranges, OfArithmetic) {
  EXPECT_EQ(text(any), "nothing");
  EXPECT_EQ(text(min(any, i64(16))), "16");
  EXPECT_EQ(text(max(min(any, size), i64(0))), "n");
  EXPECT_EQ(text(Expr::binary(Binary::mod, any, i64(16))), "15");
  EXPECT_EQ(text(Expr::binary(Binary::bit_and, any, i64(7))), "7");
  EXPECT_EQ(text(byte), "255");
  EXPECT_EQ(text(Expr::select(flag, size, size / i64(2))), to_string(max(n, floordiv(n, 2))));
  EXPECT_EQ(text(wide(Expr::unary(Unary::sqrt, real(size)))), "n");
  EXPECT_EQ(text(any + i64(1)), "nothing");
  EXPECT_EQ(text(max(any, i64(3))), "nothing");
}

TEST_F(Ranges, OfReductions) {
  EXPECT_EQ(text(reduced(mask, Type::i64, Combiner::sum)), "n");
  EXPECT_EQ(text(reduced(scores, Type::f32, Combiner::first_max, true) + i64(1)), "n");
  EXPECT_EQ(text(min(reduced(lengths, Type::i64, Combiner::max), size)), "n");
  EXPECT_EQ(text(reduced(lengths, Type::i64, Combiner::sum)), "nothing");
  EXPECT_EQ(text(reduced(mask, Type::i64, Combiner::product)), "nothing");
}

// What something else may have written is only what its type holds.
TEST_F(Ranges, OfWhatKernelsDoNotWriteAlone) {
  const Expr sum = reduced(mask, Type::i64, Combiner::sum);
  Procedure other;
  other.writes = {sum->id};
  g.graph.steps.push_back(other);
  EXPECT_EQ(text(sum), "nothing");
  EXPECT_EQ(text(min(sum, i64(5))), "5");
}

// Trees of operations over a flag, a byte, any number and n: the number that comes out is never
// above what was found.
TEST_F(Ranges, RandomArithmeticStaysBelow) {
  const auto values = g.graph.values;
  int bounded = 0;
  for (uint64_t seed = 0; seed < 3000; ++seed) {
    Numbers numbers(seed);
    const std::function<Expr(int)> tree = [&](int depth) -> Expr {
      if (depth == 0 || numbers.below(5) == 0) {
        const Expr leaves[] = {any, byte, wide(flag), size, i64(int64_t(numbers.below(9)) - 3)};
        return leaves[numbers.below(5)];
      }
      const Binary ops[] = {Binary::add, Binary::sub,  Binary::mul,     Binary::div,
                            Binary::mod, Binary::fmod, Binary::min,     Binary::max,
                            Binary::min, Binary::max,  Binary::bit_and, Binary::shift_right};
      const uint64_t kind = numbers.below(16);
      const Expr a = tree(depth - 1);
      if (kind == 12) return Expr::unary(Unary::neg, a);
      if (kind == 13) return Expr::unary(Unary::abs, a);
      const Expr b = tree(depth - 1);
      if (kind == 14) return Expr::select(compare(Binary::lt, a, b), a, b);
      if (kind == 15) return Expr::select(flag, a, b);
      return Expr::binary(ops[kind], a, b);
    };
    const Expr expr = tree(4);
    const std::optional<Dim> bound = most(expr);
    if (!bound) continue;
    ++bounded;
    for (const int64_t x : {-70000, -5, -1, 0, 1, 4, 17, 90000}) {
      for (const int64_t of_byte : {0, 1, 200, 255}) {
        const int64_t at_n = 1 + int64_t(numbers.below(40)), of_flag = int64_t(numbers.below(2));
        const std::map<ValueId, SymbolicElements> known = {
            {any->id, to_elements({x})},
            {byte->operands[0]->id, to_elements({of_byte})},
            {flag->id, to_elements({of_flag})}};
        const auto result = evaluate_symbolically(expr, values, known);
        if (!result || !result->is_integer()) continue;
        const auto leaf = [&](const Index&) { return at_n; };
        ASSERT_LE(result->numerator.evaluate(leaf), bound->evaluate(leaf))
            << seed << ": " << to_string(*bound);
      }
    }
  }
  EXPECT_GT(bounded, 500);
}

}  // namespace
}  // namespace burin::element_ranges_test
