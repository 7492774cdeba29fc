// The test of distributions: right draws pass, and each wrong kind of draws does not.
#include "verify/draw_test.h"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>

namespace burin::draw_test_test {
namespace {

constexpr int64_t kMany = 20000;

// Numbers in [0, 1), from a congruence that shares nothing with burin's generator.
class Uniform {
 public:
  explicit Uniform(uint64_t seed = 1) : state_(seed) {}
  double next() {
    state_ = state_ * 6364136223846793005u + 1442695040888963407u;
    return static_cast<double>(state_ >> 11) * 0x1p-53;
  }

 private:
  uint64_t state_;
};

HostTensor drawn(Type type, const std::function<double(double)>& from_uniform) {
  Uniform uniform;
  std::vector<double> numbers;
  for (int64_t i = 0; i < kMany; ++i) numbers.push_back(from_uniform(uniform.next()));
  return make_tensor(type, {kMany}, numbers);
}

bool passes(const Distribution& distribution, const HostTensor& tensor,
            const HostTensor* parameter = nullptr) {
  return test_draws(distribution, tensor, parameter).agrees();
}

TEST(DrawTest, Uniform) {
  const Distribution between{DrawKind::uniform, -1, 3};
  for (const Type type : {Type::f64, Type::f32, Type::f16, Type::bf16})
    EXPECT_TRUE(passes(between, drawn(type, [](double u) { return 4 * u - 1; })));
  EXPECT_FALSE(passes(between, drawn(Type::f32, [](double u) { return 3.6 * u - 1; })));
  EXPECT_FALSE(passes(between, drawn(Type::f32, [](double u) { return 4 * u * u - 1; })));
  EXPECT_FALSE(passes(between, drawn(Type::f32, [](double u) { return 4.001 * u - 1; })));
  EXPECT_FALSE(passes(between, drawn(Type::f32, [](double u) { return u < 1e-3 ? NAN : u; })));
  EXPECT_FALSE(passes(between, drawn(Type::f32, [](double) { return 1; })));
  EXPECT_TRUE(passes({DrawKind::uniform, 2, 2}, drawn(Type::f32, [](double) { return 2; })));
  EXPECT_TRUE(
      passes({DrawKind::uniform, 3, -1}, drawn(Type::f32, [](double u) { return 4 * u - 1; })));
}

TEST(DrawTest, Normal) {
  Uniform other(12345);
  const auto normal = [&](double u) {
    return std::sqrt(-2 * std::log(1 - u)) * std::cos(6.283185307179586 * other.next());
  };
  const auto scaled = [&](double u) { return 2 + 3 * normal(u); };
  EXPECT_TRUE(passes({DrawKind::normal, 2, 3}, drawn(Type::f32, scaled)));
  EXPECT_TRUE(passes({DrawKind::normal, 2, -3}, drawn(Type::f16, scaled)));
  EXPECT_FALSE(passes({DrawKind::normal, 2.3, 3}, drawn(Type::f32, scaled)));
  EXPECT_FALSE(passes({DrawKind::normal, 2, 3.5}, drawn(Type::f32, scaled)));
  // Of the same mean and deviation.
  const auto flat = [](double u) { return 2 + 3 * std::sqrt(12.0) * (u - 0.5); };
  EXPECT_FALSE(passes({DrawKind::normal, 2, 3}, drawn(Type::f32, flat)));
}

TEST(DrawTest, Bernoulli) {
  const auto below = [](double p) { return [p](double u) { return u < p ? 1.0 : 0.0; }; };
  for (const Type type : {Type::f32, Type::i32, Type::boolean}) {
    EXPECT_TRUE(passes({DrawKind::bernoulli, 0.3}, drawn(type, below(0.3))));
    EXPECT_FALSE(passes({DrawKind::bernoulli, 0.3}, drawn(type, below(0.35))));
  }
  EXPECT_FALSE(passes({DrawKind::bernoulli, 0.3}, drawn(Type::f32, [](double u) { return u; })));
  EXPECT_FALSE(passes({DrawKind::bernoulli, 0}, drawn(Type::f32, below(1e-3))));
  EXPECT_FALSE(passes({DrawKind::bernoulli, 1}, drawn(Type::f32, below(1 - 1e-3))));
}

TEST(DrawTest, BernoulliElementByElement) {
  std::vector<double> chances, right, swapped;
  Uniform uniform;
  for (int64_t i = 0; i < kMany; ++i) {
    chances.push_back(i % 2 ? 0.4 : 0.6);
    const double u = uniform.next();
    right.push_back(u < chances.back());
    swapped.push_back(u < 1 - chances.back());
  }
  const HostTensor probabilities = make_tensor(Type::f32, {kMany}, chances);
  const Distribution of{DrawKind::bernoulli};
  EXPECT_TRUE(passes(of, make_tensor(Type::f32, {kMany}, right), &probabilities));
  EXPECT_FALSE(passes(of, make_tensor(Type::f32, {kMany}, swapped), &probabilities));
}

TEST(DrawTest, Classes) {
  const HostTensor scores =
      make_tensor(Type::f32, {1, 4}, std::vector<double>{0, std::log(2), std::log(5), -INFINITY});
  const Distribution of{DrawKind::classes};
  const auto with = [&](double first, double second, double last) {
    HostTensor out = drawn(Type::i64, [=](double u) {
      return u < first ? 0 : u < second ? 1 : u < last ? 2 : 3;
    });
    out.shape = {1, kMany};
    return out;
  };
  EXPECT_TRUE(passes(of, with(0.125, 0.375, 1), &scores));
  EXPECT_FALSE(passes(of, with(0.25, 0.375, 1), &scores));
  EXPECT_FALSE(passes(of, with(0.125, 0.375, 0.9999), &scores));
}

}  // namespace
}  // namespace burin::draw_test_test
