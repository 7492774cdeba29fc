// Bounds of what sizes become through floats: held against what the same operations make of every
// size, in the floats of the run.
#include <gtest/gtest.h>

#include <random>

#include "kernel/index/index_text.h"
#include "kernel/symbolic/symbolic.h"
#include "unit/support/kernel_maker.h"

namespace burin::symbolic_bounds_test {
namespace {

const Symbol kN = make_symbol("N", 1);
const Symbol kFew = make_symbol("F", 1, 512);
const Dim n = Index::symbol(kN), few = Index::symbol(kFew);

Expr f32(double value) { return Expr::constant(Type::f32, static_cast<float>(value)); }
Expr to_f32(const Expr& x) { return Expr::cast(Type::f32, x); }
Expr to_i64(const Expr& x) { return Expr::cast(Type::i64, x); }
Expr floored(const Expr& x) { return Expr::unary(Unary::floor, x); }

std::optional<SymbolicElement> evaluated(const Expr& expr) {
  return evaluate_symbolically(expr, {}, {});
}

std::string most(const Expr& expr) {
  const std::optional<SymbolicElement> element = evaluated(expr);
  const std::optional<Dim> bound = element ? most_of(*element) : std::nullopt;
  return bound ? to_string(*bound) : "none";
}

using Form = std::function<Expr(const Expr& size)>;

TEST(SymbolicBounds, OfScaledSizes) {
  const Form scaled = [](const Expr& x) { return to_i64(floored(to_f32(x) * f32(1.3))); };
  // What rounding adds to a tenth of at most 512 is less than to the next integer.
  EXPECT_EQ(most(scaled(Expr::index(few))), to_string(few + floordiv(few * 3, 10)));
  EXPECT_EQ(most(scaled(Expr::index(n))), to_string(n + floordiv(n * 3, 10) + 1));
}

TEST(SymbolicBounds, AScaleOfSizesGivesThemBack) {
  const Form again = [](const Expr& x) {
    const Expr scale = floored(to_f32(x) * f32(1.5)) / to_f32(x);
    return to_i64(floored(to_f32(x) * scale));
  };
  EXPECT_EQ(most(again(Expr::index(n))), to_string(floordiv(n * 3, 2)));
}

TEST(SymbolicBounds, DataHaveNone) {
  GraphMaker g;
  const ValueId data = g.internal("data", Type::i64, {1});
  const Expr loaded = g.load(data, {Index(0)});
  EXPECT_FALSE(evaluate_symbolically(loaded + Expr::index(n), g.graph.values, {}).has_value());
}

Expr random_step(const Expr& value, const Expr& size, std::mt19937& random) {
  const double number = std::ldexp(1 + static_cast<double>(random() % 1000) / 1000,
                                   static_cast<int>(random() % 6) - 3);
  switch (random() % 10) {
    case 0:
      return value * f32(number);
    case 1:
      return value / f32(number);
    case 2:
      return floored(value);
    case 3:
      return Expr::unary(Unary::ceil, value);
    case 4:
      return Expr::unary(Unary::round, value);
    case 5:
      return value * to_f32(size);
    case 6:
      return value / to_f32(size);
    case 7:
      return value + f32(number);
    case 8:
      return max(value, f32(number));
    default:
      return min(value, f32(number * 100));
  }
}

// Of random chains; those that end above 2^40 say nothing of sizes.
TEST(SymbolicBounds, HoldAtEverySize) {
  std::mt19937 random(1);
  int bounded = 0;
  for (int chain = 0; chain < 400; ++chain) {
    const unsigned seed = random();
    const Form form = [&](const Expr& size) {
      std::mt19937 steps(seed);
      Expr value = to_f32(size);
      const int count = 1 + static_cast<int>(steps() % 6);
      for (int k = 0; k < count; ++k) value = random_step(value, size, steps);
      return to_i64(steps() % 2 ? floored(value) : Expr::unary(Unary::ceil, value));
    };
    const std::optional<SymbolicElement> element = evaluated(form(Expr::index(few)));
    if (!element || !element->bounds) continue;
    ASSERT_TRUE(element->bounds->denominator.is_constant(1));
    ++bounded;
    for (int64_t size = 1; size <= 512; ++size) {
      const std::optional<SymbolicElement> exact = evaluated(form(Expr::constant(Type::i64, size)));
      ASSERT_TRUE(exact && exact->is_integer() && exact->numerator.is_constant());
      const auto at = [&](const Index&) { return size; };
      ASSERT_LE(element->bounds->lo.evaluate(at), exact->numerator.constant())
          << "chain " << chain << " at " << size << ": " << to_string(element->bounds->lo);
      ASSERT_GE(element->bounds->hi.evaluate(at), exact->numerator.constant())
          << "chain " << chain << " at " << size << ": " << to_string(element->bounds->hi);
    }
  }
  EXPECT_GT(bounded, 200);
}

}  // namespace
}  // namespace burin::symbolic_bounds_test
