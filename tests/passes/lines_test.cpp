// Bytes by a line are those of the float form: for drawn scales, biases, zero points and limits, at
// all sums around the ends of every byte, at the bounds and anywhere between, wherever the line
// does not say that it is near to an end. It says so rarely, and always where it has to.
#include <algorithm>
#include <cmath>

#include "graph_fixture.h"
#include "isa/requantise_rows.h"
#include "select/bytes/line.h"
#include "select/bytes/values_over.h"
#include "support/numbers.h"

namespace burin::lines_test {
namespace {

class DrawnForm {
 public:
  explicit DrawnForm(uint64_t seed) : numbers_(seed) {
    type = below(2) ? Type::u8 : Type::i8;
    zero_ = lowest(type) + below(256);
    dequantised_ = below(2);
    limited_ = below(3) == 0;
    // Powers of two have sums right between two bytes.
    exact = below(4) == 0;
    factor = scale(std::ldexp(1.0, -static_cast<int>(2 + below(15))));
    other_ = scale(0.5);
    quotient_ = scale(0.25);
    bias_ = dequantised_ ? static_cast<float>(below(4000) - 2000) * factor * other_ : 0;
    added_ = below(3000) - 1500;
    slope = dequantised_ ? double{factor} * other_ / quotient_ : factor;
    bound = static_cast<int64_t>(std::min(1e8, (below(3) ? 2000 : 200000) / slope));
  }

  // As the operators say it, of an i32.
  Expr value(const Expr& sum) const {
    const auto real = [](double x) { return Expr::constant(Type::f32, x); };
    Expr x = Expr::cast(Type::f32, sum + Expr::constant(Type::i32, added_)) * real(factor);
    if (dequantised_) x = x * real(other_) + real(bias_);
    if (limited_) x = max(x, real(0.5 * slope));
    if (dequantised_) x = x / real(quotient_);
    return Expr::cast(type, Expr::unary(Unary::round, x) + real(static_cast<double>(zero_)),
                      CastMode::saturate);
  }
  // Sums where bytes end, those beside them, and others.
  std::vector<int64_t> sums() {
    std::vector<int64_t> out{-bound, 1 - bound, bound - 1, bound};
    const double offset = dequantised_ ? double{bias_} / quotient_ : 0;
    for (int64_t byte = lowest(type) - 2; byte <= highest(type) + 2; ++byte) {
      const double end = (static_cast<double>(byte - zero_) - 0.5 - offset) / slope;
      for (int64_t beside = -3; beside <= 3; ++beside)
        out.push_back(std::llround(end) - added_ + beside);
    }
    for (int i = 0; i < 20000; ++i) out.push_back(below(2 * bound + 1) - bound);
    std::erase_if(out, [&](int64_t x) { return std::abs(x) > bound; });
    return out;
  }

  Type type;
  float factor;
  double slope;  // of the whole
  int64_t bound;
  bool exact = false;

 private:
  int64_t below(int64_t n) {
    return static_cast<int64_t>(numbers_.below(static_cast<uint64_t>(n)));
  }
  float scale(double about) {
    const double mantissa = exact ? 1.0 : 1.0 + static_cast<double>(below(1 << 23)) * 0x1p-23;
    return static_cast<float>(about * mantissa);
  }

  Numbers numbers_;
  int64_t zero_, added_;
  bool dequantised_, limited_;
  float other_, quotient_, bias_;
};

TEST(SumLines, AreTheFloatFormWhereTheyKnow) {
  int64_t near = 0, anywhere = 0, needed = 0, with_limits = 0;
  for (uint64_t seed = 0; seed < 150; ++seed) {
    DrawnForm form(seed);
    const std::vector<int64_t> sums = form.sums();
    const auto count = static_cast<int64_t>(sums.size());
    GraphFixture g;
    const Operand x = g.constant("x", {count});
    Value& stored = g.graph.values[static_cast<size_t>(x.value())];
    stored.type = Type::i32;
    stored.constant = to_constant(make_tensor(Type::i32, {count}, sums));
    KernelBuilder builder;
    const Index i = builder.axis(count), k = builder.reduce_axis(1);
    const Expr each = Expr::load(x.value(), Type::i32, {i});
    const Expr sum = builder.reduce(Combiner::sum, {k}, each);
    builder.write(g.output("y", {count}, form.type), {i}, form.value(sum));
    g.kernel("layer", builder);
    const Kernel& kernel = std::get<Kernel>(g.graph.steps[0]);
    const std::optional<SumLines> lines =
        find_lines(kernel.writes[0].value, kernel, is_let(0), {}, {form.bound}, g.graph.values);
    ASSERT_TRUE(lines) << seed;
    ASSERT_EQ(lines->parts.size(), static_cast<size_t>(isa::kLineParts));
    const isa::LineParts part = [&](isa::LinePart which) {
      return Expr::constant(Type::i32, int64_t{lines->parts[which]});
    };
    const auto all = [&](const Expr& value) {
      return values_over(value, kernel, {0}, g.graph.values);
    };
    Expr limited = each;
    if (!lines->limits.empty()) {
      ASSERT_EQ(lines->limits.size(), 2u);
      limited = min(max(each, Expr::constant(Type::i32, int64_t{lines->limits[0]})),
                    Expr::constant(Type::i32, int64_t{lines->limits[1]}));
      ++with_limits;
    }
    const Expr position = isa::line_position(limited, part);
    const HostTensor wanted = all(form.value(each)),
                     got = all(isa::line_byte(position, part, form.type)),
                     unknown = all(
                         Expr::cast(Type::i32, isa::line_is_near(position, part(isa::kLineNear))));
    for (int64_t n = 0; n < count; ++n) {
      const bool same = got.get(n).integer == wanted.get(n).integer;
      const bool says = unknown.get(n).integer != 0;
      ASSERT_TRUE(same || says) << "seed " << seed << ", sum " << sums[static_cast<size_t>(n)];
      needed += !same;
      if (form.exact || n < count - 20000) continue;
      near += says;
      ++anywhere;
    }
  }
  // Else nothing was asked.
  EXPECT_GT(needed, 20);
  EXPECT_GT(with_limits, 10);
  EXPECT_LT(near * 1000, anywhere);
}

TEST(SumLines, OthersAreLeft) {
  const auto lines_of = [](const auto& value, int64_t bound) {
    GraphFixture g;
    const Operand x = g.input("x", {8}, Type::i32);
    KernelBuilder builder;
    const Index i = builder.axis(8), k = builder.reduce_axis(1);
    const Expr sum = builder.reduce(Combiner::sum, {k}, x.at({i}));
    const Expr written = value(sum, Expr::load(x.value(), Type::i32, {i}));
    builder.write(g.output("y", {8}, Type::u8), {i}, written);
    g.kernel("layer", builder);
    const Kernel& kernel = std::get<Kernel>(g.graph.steps[0]);
    return find_lines(kernel.writes[0].value, kernel, is_let(0), {}, {bound}, g.graph.values).has_value();
  };
  const auto rounded = [](const Expr& x) {
    return Expr::cast(Type::u8, Expr::unary(Unary::round, x), CastMode::saturate);
  };
  const auto real = [](double x) { return Expr::constant(Type::f32, x); };
  const auto scaled = [&](double by) {
    return [&, by](const Expr& sum, const Expr&) {
      return rounded(Expr::cast(Type::f32, sum) * real(by));
    };
  };
  EXPECT_TRUE(lines_of(scaled(0x1p-9), 100000));
  EXPECT_FALSE(lines_of(scaled(-0x1p-9), 100000));  // it falls
  EXPECT_FALSE(lines_of(scaled(2), 100000));        // two bytes between two sums
  EXPECT_TRUE(lines_of(scaled(0.5), 100000));       // with limits: positions would leave 32 bits
  EXPECT_FALSE(lines_of(
      [&](const Expr& sum, const Expr& beside) {
        return rounded((Expr::cast(Type::f32, sum) + Expr::cast(Type::f32, beside)) * real(0x1p-9));
      },
      1000));
  EXPECT_FALSE(lines_of(
      [&](const Expr& sum, const Expr&) {
        return rounded(Expr::unary(Unary::exp, Expr::cast(Type::f32, sum) * real(0x1p-9)));
      },
      1000));
}

}  // namespace
}  // namespace burin::lines_test
