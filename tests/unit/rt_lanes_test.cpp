// Arithmetic of whole vectors against its scalar namesakes, bit by bit, where rounding and ranges
// end: vectors of a register, and of several.
#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <limits>
#include <vector>

// Vectors of several registers have no calling convention here; nothing of them is called.
#pragma GCC diagnostic ignored "-Wpsabi"
#include "runtime_min/cast.h"
#include "runtime_min/integer.h"
#include "runtime_min/lane_functions.h"
#include "runtime_min/lanes.h"
#include "runtime_min/round.h"

namespace {

constexpr float kInf = std::numeric_limits<float>::infinity();
constexpr float kNan = std::numeric_limits<float>::quiet_NaN();

std::vector<float> floats() {
  std::vector<float> out{kNan, kInf,  0x1p23f,   0x1p23f + 1, 0x1p22f + 0.5f,
                         3e9f, 1e30f, 0x1p-140f, 0.49999997f};
  // Both ends of every range, halves between integers, and what lies right beside them.
  for (const float whole : {0.0f, 1.0f, 2.0f, 126.0f, 127.0f, 128.0f, 254.0f, 255.0f, 256.0f,
                            32767.0f, 32768.0f, 65535.0f, 65536.0f}) {
    for (const float add : {-0.5f, 0.0f, 0.5f}) {
      const float x = whole + add;
      out.insert(out.end(), {x, std::nextafter(x, kInf), std::nextafter(x, -kInf)});
    }
  }
  const size_t count = out.size();
  for (size_t i = 0; i < count; ++i) out.push_back(-out[i]);
  while (out.size() % 16 != 0) out.push_back(0.0f);
  return out;
}

uint32_t bits(float x) {
  uint32_t out = 0;
  std::memcpy(&out, &x, sizeof out);
  return out;
}

template <int kLanes, class Element>
void check_limits(const float* x) {
  Element stored[kLanes];
  burin_rt::store_saturated(stored, burin_rt::load<kLanes>(x));
  int32_t kept[kLanes];
  burin_rt::store_lanes(kept, burin_rt::saturated<Element>(burin_rt::load<kLanes>(x)));
  for (int i = 0; i < kLanes; ++i) {
    const Element wanted = burin_rt::to_integer_saturate<Element>(x[i]);
    EXPECT_EQ(stored[i], wanted) << x[i];
    EXPECT_EQ(kept[i], int32_t{wanted}) << x[i];
  }
}

template <int kLanes, class Element>
void check_quantised(const float* x, int32_t zero) {
  Element stored[kLanes];
  burin_rt::store_quantised(stored, burin_rt::load<kLanes>(x), zero);
  int32_t kept[kLanes];
  burin_rt::store_lanes(kept, burin_rt::quantised<Element>(burin_rt::load<kLanes>(x), zero));
  for (int i = 0; i < kLanes; ++i) {
    const float sum = burin_rt::round_half_even(x[i]) + static_cast<float>(zero);
    const Element wanted = burin_rt::to_integer_saturate<Element>(sum);
    EXPECT_EQ(stored[i], wanted) << x[i] << " and " << zero;
    EXPECT_EQ(kept[i], int32_t{wanted}) << x[i] << " and " << zero;
  }
}

template <int kLanes>
void check_floats() {
  const std::vector<float> all = floats();
  for (size_t at = 0; at < all.size(); at += kLanes) {
    const float* x = all.data() + at;
    const auto v = burin_rt::load<kLanes>(x);
    float rounded[kLanes], negated[kLanes], positive[kLanes];
    burin_rt::store(rounded, burin_rt::round_half_even(v));
    burin_rt::store(negated, burin_rt::negate(v));
    burin_rt::store(positive, burin_rt::abs(v));
    for (int i = 0; i < kLanes; ++i) {
      if (x[i] == x[i]) {
        EXPECT_EQ(bits(rounded[i]), bits(burin_rt::round_half_even(x[i]))) << x[i];
      } else {
        EXPECT_NE(rounded[i], rounded[i]);
      }
      EXPECT_EQ(bits(negated[i]), bits(x[i]) ^ 0x80000000u);
      EXPECT_EQ(bits(positive[i]), bits(x[i]) & 0x7fffffffu);
    }
    check_limits<kLanes, uint8_t>(x);
    check_limits<kLanes, int8_t>(x);
    check_limits<kLanes, uint16_t>(x);
    check_limits<kLanes, int16_t>(x);
    for (const int32_t zero : {-128, -1, 0, 3, 127}) check_quantised<kLanes, int8_t>(x, zero);
    for (const int32_t zero : {0, 1, 128, 255}) check_quantised<kLanes, uint8_t>(x, zero);
  }
}

template <int kLanes, class Element>
void check_loads() {
  Element from[kLanes];
  for (int i = 0; i < kLanes; ++i)
    from[i] = static_cast<Element>(i % 2 ? std::numeric_limits<Element>::max() - i
                                         : std::numeric_limits<Element>::min() + i);
  int32_t loaded[kLanes];
  burin_rt::store_lanes(loaded, burin_rt::load_int<kLanes>(from));
  float real[kLanes];
  burin_rt::store(real, burin_rt::to_float(burin_rt::load_int<kLanes>(from)));
  for (int i = 0; i < kLanes; ++i) {
    EXPECT_EQ(loaded[i], int32_t{from[i]});
    EXPECT_EQ(real[i], static_cast<float>(from[i]));
  }
}

template <int kLanes>
void check_integers() {
  check_loads<kLanes, uint8_t>();
  check_loads<kLanes, int8_t>();
  check_loads<kLanes, uint16_t>();
  check_loads<kLanes, int16_t>();
  check_loads<kLanes, int32_t>();
  const std::vector<int32_t> ends{std::numeric_limits<int32_t>::min(), -1, 0, 1, 46341, -65536,
                                  std::numeric_limits<int32_t>::max()};
  for (const int32_t a : ends) {
    for (const int32_t b : ends) {
      const auto x = burin_rt::broadcast_int<kLanes>(a), y = burin_rt::broadcast_int<kLanes>(b);
      int32_t sum[kLanes], difference[kLanes], product[kLanes];
      burin_rt::store_lanes(sum, burin_rt::add_wrap(x, y));
      burin_rt::store_lanes(difference, burin_rt::subtract_wrap(x, y));
      burin_rt::store_lanes(product, burin_rt::multiply_wrap(x, y));
      EXPECT_EQ(sum[kLanes - 1], burin_rt::add_wrap(a, b));
      EXPECT_EQ(difference[0], burin_rt::subtract_wrap(a, b));
      EXPECT_EQ(product[kLanes / 2], burin_rt::multiply_wrap(a, b));
    }
  }
}

TEST(RtLanes, FloatsAreRoundedAndLimitedAsScalars) {
  check_floats<4>();
  check_floats<8>();
}

// Products that are nearly half a unit away from where a sum is rounded, too.
template <int kLanes>
void check_products() {
  const std::vector<float> some{1.0f,     -1.5f,  0x1.000002p0f,  0x1.fffffep-1f,
                                0x1p-24f, 3.3e7f, 0x1.555556p-2f, -0.0f};
  for (const float a : some) {
    for (const float b : some) {
      for (const float c : some) {
        float sums[kLanes];
        burin_rt::store(sums, burin_rt::multiply_add(burin_rt::broadcast<kLanes>(a),
                                                     burin_rt::broadcast<kLanes>(b),
                                                     burin_rt::broadcast<kLanes>(c)));
        EXPECT_EQ(bits(sums[kLanes - 1]), bits(std::fma(a, b, c))) << a << " " << b << " " << c;
      }
    }
  }
}

TEST(RtLanes, ProductsWithASumAreRoundedOnce) {
  check_products<4>();
  check_products<8>();
}

TEST(RtLanes, IntegersAreReadAndWrapAsScalars) {
  check_integers<4>();
  check_integers<8>();
}

// Over all exponents and both signs, with bits that go by no step, and where functions change their
// form, vanish or end.
std::vector<float> arguments() {
  std::vector<float> out{kNan,   kInf,    -kInf, 0.0f,     -0.0f,     0.55f,     0.921875f,
                         -0.55f, 4.0f,    10.0f, 88.73f,   -103.98f,  -87.34f,   0x1p-149f,
                         89.0f,  -104.0f, 88.0f, 0.34657f, -0.34658f, 0x1p-126f, 0x1.fffffep127f};
  for (uint64_t bits = 0; bits < (uint64_t{1} << 32); bits += 99991) {
    const auto word = static_cast<uint32_t>(bits);
    out.push_back(burin_rt::f32_from_bits(word));
  }
  while (out.size() % 16 != 0) out.push_back(1.0f);
  return out;
}

template <int kLanes>
void check_functions() {
  const std::vector<float> all = arguments();
  const auto same = [](float a, float b) {
    return bits(a) == bits(b) || (std::isnan(a) && std::isnan(b));
  };
  size_t wrong = 0;
  for (size_t i = 0; i < all.size(); i += kLanes) {
    const auto v = burin_rt::load<kLanes>(&all[i]);
    float exp[kLanes], tanh[kLanes], erf[kLanes];
    burin_rt::store(exp, burin_rt::exp(v));
    burin_rt::store(tanh, burin_rt::tanh(v));
    burin_rt::store(erf, burin_rt::erf(v));
    for (int lane = 0; lane < kLanes; ++lane) {
      const float x = all[i + static_cast<size_t>(lane)];
      wrong += !same(exp[lane], burin_rt::exp(x)) || !same(tanh[lane], burin_rt::tanh(x)) ||
               !same(erf[lane], burin_rt::erf(x));
    }
  }
  EXPECT_EQ(wrong, 0U);
}

TEST(RtLanes, FunctionsGiveTheBitsOfScalars) {
  check_functions<4>();
  check_functions<16>();
}

template <int kLanes>
void check_choices() {
  const std::vector<float> some{kNan, -kInf, -1.0f, -0.0f, 0.0f, 1.0f};
  for (const float a : some) {
    for (const float b : some) {
      const auto chosen = [&](const auto& made) {
        float lanes[kLanes];
        burin_rt::store(lanes, made);
        return lanes[kLanes - 1] == 2.0f;
      };
      const auto x = burin_rt::broadcast<kLanes>(a), y = burin_rt::broadcast<kLanes>(b),
                 yes = burin_rt::broadcast<kLanes>(2.0f), no = burin_rt::broadcast<kLanes>(3.0f);
      EXPECT_EQ(chosen(burin_rt::select_less(x, y, yes, no)), a < b);
      EXPECT_EQ(chosen(burin_rt::select_less_equal(x, y, yes, no)), a <= b);
      EXPECT_EQ(chosen(burin_rt::select_greater(x, y, yes, no)), a > b);
      EXPECT_EQ(chosen(burin_rt::select_greater_equal(x, y, yes, no)), a >= b);
      EXPECT_EQ(chosen(burin_rt::select_equal(x, y, yes, no)), a == b);
    }
  }
}

TEST(RtLanes, ChoicesAreThoseOfScalars) {
  check_choices<4>();
  check_choices<16>();
}

}  // namespace
