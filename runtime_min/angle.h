// SPDX-License-Identifier: MIT-0
// Reduction of angles: x = (quadrant + fraction) * pi/2 with |fraction| <= 1/2, for every finite x.
//
// Large angles follow Payne and Hanek: x*2/pi modulo 4 needs only those bits of 2/pi whose products
// with the mantissa of x are not multiples of 4 and not too small. They are multiplied as integers,
// so cancellation costs nothing: the fraction has 62 bits for float, 126 for double. float:  the
// integer method for all angles above 1/2. Branch-free; the window of 2/pi is picked by masks.
// double: up to 2^20, three products with 33-bit parts of pi/2 that are exact (Cody and Waite), and
// a fourth.
#ifndef BURIN_RT_ANGLE_H
#define BURIN_RT_ANGLE_H

#include "double_double.h"
#include "tree.h"

namespace burin_rt {
inline namespace BURIN_RT_TREE {
namespace detail {

struct Angle {
  double high;  // remainder in radians, |high| <= pi/4
  double low;   // what high leaves out (double only)
  uint32_t quadrant;
};

static inline Angle reduce_angle(float x) {
  const uint32_t bits = to_bits(x) & 0x7fffffffu;
  const uint32_t mantissa = (bits & 0x007fffffu) | 0x00800000u;
  // the window of 96 bits begins at bit exponent - 120 of (32 zeros, 2/pi): weight 2 after
  // multiplication
  const uint32_t start = (bits >> 23) - 120u;
  const uint32_t word = start >> 5;
  const uint32_t shift = start & 31u;
  const uint32_t at0 = 0u - static_cast<uint32_t>(word == 0);
  const uint32_t at1 = 0u - static_cast<uint32_t>(word == 1);
  const uint32_t at2 = 0u - static_cast<uint32_t>(word == 2);
  const uint32_t at3 = 0u - static_cast<uint32_t>(word == 3);
  const uint32_t at4 = 0u - static_cast<uint32_t>(word == 4);
  const uint32_t w0 = (at0 & 0x00000000u) | (at1 & 0xa2f9836eu) | (at2 & 0x4e441529u) |
                      (at3 & 0xfc2757d1u) | (at4 & 0xf534ddc0u);
  const uint32_t w1 = (at0 & 0xa2f9836eu) | (at1 & 0x4e441529u) | (at2 & 0xfc2757d1u) |
                      (at3 & 0xf534ddc0u) | (at4 & 0xdb629599u);
  const uint32_t w2 = (at0 & 0x4e441529u) | (at1 & 0xfc2757d1u) | (at2 & 0xf534ddc0u) |
                      (at3 & 0xdb629599u) | (at4 & 0x3c439041u);
  const uint32_t w3 = (at0 & 0xfc2757d1u) | (at1 & 0xf534ddc0u) | (at2 & 0xdb629599u) |
                      (at3 & 0x3c439041u) | (at4 & 0xfe5163abu);
  const uint32_t back = 31u - shift;
  const uint64_t a0 = (w0 << shift) | ((w1 >> 1) >> back);
  const uint64_t a1 = (w1 << shift) | ((w2 >> 1) >> back);
  const uint64_t a2 = (w2 << shift) | ((w3 >> 1) >> back);
  // the fraction of a full turn, 64 bits
  const uint64_t turn = ((mantissa * a0) << 32) + mantissa * a1 + ((mantissa * a2) >> 32);
  const uint64_t fraction = turn << 2;
  const uint32_t round_up = static_cast<uint32_t>(fraction >> 63);
  const uint32_t quadrant = static_cast<uint32_t>(turn >> 62) + round_up;
  // two's complement 64 bits to double, in halves: signed high, unsigned low
  const double upper =
      static_cast<double>(static_cast<int32_t>(static_cast<uint32_t>(fraction >> 32)));
  const double lower =
      f64_from_bits(0x4330000000000000u | (fraction & 0xffffffffu)) - 4503599627370496.0;
  // pi/2 * 2^-32 and pi/2 * 2^-64
  const double radians = madd(upper, 3.657295198167899e-10, lower * 8.515303950216386e-20);
  const bool small = bits < 0x3f000000u;
  const double positive = select(small, static_cast<double>(f32_from_bits(bits)), radians);
  const uint32_t turned = select(small, 0u, quadrant);
  // the sign of x, moved to the remainder and the quadrant
  const uint32_t sign = to_bits(x) >> 31;
  const uint32_t ones = 0u - sign;
  const double high = f64_from_bits(to_bits(positive) ^ (static_cast<uint64_t>(sign) << 63));
  return {high, 0.0, (turned ^ ones) - ones};
}

// High half of a 64 x 64 bit product.
static inline uint64_t multiply_high(uint64_t a, uint64_t b) {
  const uint64_t a_low = a & 0xffffffffu, a_high = a >> 32;
  const uint64_t b_low = b & 0xffffffffu, b_high = b >> 32;
  const uint64_t middle = a_high * b_low + ((a_low * b_low) >> 32);
  const uint64_t middle_low = a_low * b_high + (middle & 0xffffffffu);
  return a_high * b_high + (middle >> 32) + (middle_low >> 32);
}

// For finite |x| >= 2^20.
static inline Angle reduce_large_angle(double x) {
  static constexpr uint64_t kTwoOverPi[21] = {
      0,
      0xa2f9836e4e441529u,
      0xfc2757d1f534ddc0u,
      0xdb6295993c439041u,
      0xfe5163abdebbc561u,
      0xb7246e3a424dd2e0u,
      0x06492eea09d1921cu,
      0xfe1deb1cb129a73eu,
      0xe88235f52ebb4484u,
      0xe99c7026b45f7e41u,
      0x3991d639835339f4u,
      0x9c845f8bbdf9283bu,
      0x1ff897ffde05980fu,
      0xef2f118b5a0a6d1fu,
      0x6d367ecf27cb09b7u,
      0x4f463f669e5fea2du,
      0x7527bac7ebe5f17bu,
      0x3d0739f78a5292eau,
      0x6bfb5fb11f8d5d08u,
      0x56033046fc7b6babu,
      0xf0cfbc209af4361du,
  };
  const uint64_t bits = to_bits(x) & 0x7fffffffffffffffu;
  const uint64_t mantissa = (bits & 0x000fffffffffffffu) | 0x0010000000000000u;
  // the window of 192 bits begins at bit exponent - 1013 of (64 zeros, 2/pi)
  const uint64_t start = (bits >> 52) - 1013u;
  const uint64_t* word = kTwoOverPi + (start >> 6);
  const uint64_t shift = start & 63u;
  const uint64_t back = 63u - shift;
  const uint64_t a0 = (word[0] << shift) | ((word[1] >> 1) >> back);
  const uint64_t a1 = (word[1] << shift) | ((word[2] >> 1) >> back);
  const uint64_t a2 = (word[2] << shift) | ((word[3] >> 1) >> back);
  const uint64_t low_sum = mantissa * a1 + multiply_high(mantissa, a2);
  const uint64_t carry = low_sum < mantissa * a1 ? 1u : 0u;
  const uint64_t turn = mantissa * a0 + multiply_high(mantissa, a1) + carry;
  uint64_t upper = (turn << 2) | (low_sum >> 62);
  uint64_t lower = low_sum << 2;
  const bool negative = upper >> 63 != 0;
  const uint32_t quadrant = static_cast<uint32_t>(turn >> 62) + (negative ? 1u : 0u);
  if (negative) {  // magnitude of the two's complement number
    lower = ~lower + 1u;
    upper = ~upper + (lower == 0 ? 1u : 0u);
  }
  const uint64_t shift_up = count_leading_zeros(
      upper);  // at most about 62: no double is that close to a multiple of pi/2
  if (shift_up != 0 && shift_up < 64u) {
    upper = (upper << shift_up) | (lower >> (64u - shift_up));
    lower <<= shift_up;
  }
  // 53 bits, the next 53, in quadrants; then in radians
  const double head = static_cast<double>(upper >> 11) * 1.1102230246251565e-16;
  const double rest =
      static_cast<double>(((upper & 0x7ffu) << 42) | (lower >> 22)) * 1.232595164407831e-32;
  const DoubleDouble half_pi = {1.5707963267948966, 6.123233995736766e-17};
  const DoubleDouble radians = dd_multiply(quick_two_sum(head, rest), half_pi);
  const double unit = f64_from_bits((1023u - shift_up) << 52);
  const double scale = select(negative, -unit, unit);
  return {radians.high * scale, radians.low * scale, quadrant};
}

static inline Angle reduce_angle(double x) {
  const double a = abs(x);
  if (a <= 0.78539816339744828) return {x, 0.0, 0u};
  if (a < 1048576.0) {
    const double shifted = madd(x, 0.63661977236758138, 6755399441055744.0);
    const double k = shifted - 6755399441055744.0;
    const double first = madd(k, -1.5707963267341256, x);  // exact
    const DoubleDouble second = two_sum(first, product(k, -6.077100506303966e-11));
    const DoubleDouble third = two_sum(second.high, product(k, -2.0222662487111665e-21));
    const double rest = madd(k, -8.4784276603688996e-32, second.low + third.low);
    const DoubleDouble sum = quick_two_sum(third.high, rest);
    return {sum.high, sum.low, static_cast<uint32_t>(to_bits(shifted))};
  }
  const Angle magnitude = reduce_large_angle(a);
  if (x > 0.0) return magnitude;
  return {-magnitude.high, -magnitude.low, 0u - magnitude.quadrant};
}

}  // namespace detail
}  // namespace BURIN_RT_TREE
}  // namespace burin_rt

#endif  // BURIN_RT_ANGLE_H
