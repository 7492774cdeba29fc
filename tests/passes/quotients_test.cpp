// Quotients by known numbers as products (select/integers/quotients.h): the bytes are those of
// quotients, and what is no such quotient stays.
#include "select/integers/quotients.h"

#include <gtest/gtest.h>

#include <cmath>

#include "graph_fixture.h"
#include "kernel/expr/scalar.h"
#include "support/numbers.h"

namespace burin::quotients_test {
namespace {

float product_with(float x, const Reciprocal& by) { return std::fma(x, by.whole, x * by.rest); }

TEST(Quotients, ProductsRoundToWhatQuotientsDo) {
  Numbers numbers(7);
  int found = 0, naive_differs = 0;
  for (int i = 0; i < 400; ++i) {
    const float divisor = std::ldexp(1.0f + static_cast<float>(numbers.below(1 << 23)) * 0x1p-23f,
                                     static_cast<int>(numbers.below(20)) - 12);
    const std::optional<Reciprocal> by = reciprocal_for_bytes(divisor);
    if (!by) continue;
    ++found;
    for (int k = 0; k < 3000; ++k) {
      // Near halves, where a bit decides, and anywhere.
      const double at = static_cast<double>(numbers.below(512)) - 256 + (k % 2 ? 0.5 : 0.37 * k);
      float x = static_cast<float>(at * static_cast<double>(divisor));
      for (uint64_t step = numbers.below(4); step > 0; --step) x = std::nextafter(x, -1e30f);
      ASSERT_EQ(std::nearbyint(product_with(x, *by)), std::nearbyint(x / divisor))
          << x << " / " << divisor;
      naive_differs += std::nearbyint(x * by->whole) != std::nearbyint(x / divisor);
    }
  }
  EXPECT_GE(found, 390);
  EXPECT_GE(naive_differs, 100) << "products by the reciprocal alone would do";
}

TEST(Quotients, NumbersThatAreNoScalesHaveNone) {
  for (const float divisor : {0.0f, -1.0f, 1e-30f, 1e30f, std::nanf(""), INFINITY})
    EXPECT_FALSE(reciprocal_for_bytes(divisor)) << divisor;
  const std::optional<Reciprocal> half = reciprocal_for_bytes(0.5f);
  ASSERT_TRUE(half);
  EXPECT_EQ(half->whole, 2.0f);
  EXPECT_EQ(half->rest, 0.0f);
}

bool has_products(GraphFixture& g, const Expr& value) {
  bool found = false;
  visit(with_products(value, "layer", g.graph.values),
        [&](const ExprNode& node) { found = found || node.kind == ExprKind::fused; });
  return found;
}

TEST(Quotients, OfNumbersThatMayBeInfiniteStay) {
  GraphFixture g;
  const Operand x = g.input("x", {4}), sums = g.input("sums", {4}, Type::i32);
  const Operand scale = g.constant("scale", {}, 0.3), scales = g.constant("scales", {4}, 0.3),
                given = g.input("given", {});
  const Index i = Index::axis(0, 4);
  const auto byte = [](const Expr& quotient) {
    return Expr::cast(Type::u8, Expr::unary(Unary::round, quotient) + 7.0, CastMode::saturate);
  };
  const Expr sum = Expr::cast(Type::f32, sums.at({i}));
  EXPECT_TRUE(has_products(g, byte(sum / scale.at({}))));
  EXPECT_TRUE(has_products(g, byte((sum * scales.at({i}) + 1.0) / scale.at({}))));
  EXPECT_FALSE(has_products(g, byte(x.at({i}) / scale.at({})))) << "anything arrives";
  EXPECT_FALSE(has_products(g, byte(sum / given.at({})))) << "a divisor that arrives";
  EXPECT_FALSE(has_products(g, byte(sum / scales.at({i})))) << "divisors differ";
  EXPECT_FALSE(has_products(g, sum / scale.at({}))) << "no byte is made of it";
  const Expr large = Expr::constant(Type::f32, 0x1p50);
  EXPECT_FALSE(has_products(g, byte(sum * large / scale.at({})))) << "it may overflow";
}

}  // namespace
}  // namespace burin::quotients_test
