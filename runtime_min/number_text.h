// SPDX-License-Identifier: MIT-0
// Numbers as text and back, as casts between them have it: floats with as few digits as give them
// back, and read as the nearest float; "NaN", "INF" and "-INF".
#ifndef BURIN_RT_NUMBER_TEXT_H
#define BURIN_RT_NUMBER_TEXT_H

#include <stdint.h>

#include "big_whole.h"
#include "bits.h"
#include "tree.h"

namespace burin_rt {
inline namespace BURIN_RT_TREE {

// What a float of 32 or 64 bits is made of: mantissa * 2^exponent.
template <class T>
struct FloatParts;
template <>
struct FloatParts<float> {
  static constexpr int32_t kBits = 24, kLeast = -149, kWidth = 32;
  static constexpr int32_t kSure = 6, kDigits = 9;  // digits that any float keeps; that tell all
  static uint64_t bits(float x) { return to_bits(x); }
  static float from(uint64_t bits) { return f32_from_bits(static_cast<uint32_t>(bits)); }
};
template <>
struct FloatParts<double> {
  static constexpr int32_t kBits = 53, kLeast = -1074, kWidth = 64;
  static constexpr int32_t kSure = 15, kDigits = 17;
  static uint64_t bits(double x) { return to_bits(x); }
  static double from(uint64_t bits) { return f64_from_bits(bits); }
};

namespace detail {

constexpr int32_t kMostPlain = 8;     // digits before the point, without a power of ten
constexpr int32_t kMostDigits = 780;  // that decide between two doubles
constexpr int32_t kMostTens = 400;    // beyond, a float is infinite or 0

// The nearest with `count` digits, and the power of ten of the first; bits: of a finite float above
// 0.
template <class T>
int32_t digits_of(uint64_t bits, int32_t count, char* digits) {
  using Parts = FloatParts<T>;
  const uint64_t hidden = uint64_t{1} << (Parts::kBits - 1);
  const int32_t field = static_cast<int32_t>(bits >> (Parts::kBits - 1));
  const uint64_t mantissa = (bits & (hidden - 1)) | (field == 0 ? 0 : hidden);
  const int32_t exponent = Parts::kLeast + (field == 0 ? 0 : field - 1);
  BigWhole number, unit;
  set_whole(number, mantissa);
  set_whole(unit, 1);
  const int32_t top = bits_of_whole(number) + exponent - 1;  // the power of two below it
  int32_t tens = top < 0 ? -(-top * 1233 / 4096) - 2 : top * 1233 / 4096;  // never too large
  if (exponent > 0) shift_whole(number, exponent);
  if (exponent < 0) shift_whole(unit, -exponent);
  multiply_by_tens(tens > 0 ? unit : number, tens > 0 ? tens : -tens);
  for (multiply_whole(unit, 10, 0); compare_whole(number, unit) >= 0; ++tens)
    multiply_whole(unit, 10, 0);
  for (int32_t i = 0; i < count; ++i) {  // number < unit: the digit is how often it is in 10 of it
    multiply_whole(number, 10, 0);
    digits[i] = '0';
    for (; compare_whole(number, unit) >= 0; ++digits[i]) subtract_whole(number, unit);
  }
  shift_whole(number, 1);
  const int32_t half = compare_whole(number, unit);
  if (half < 0 || (half == 0 && (digits[count - 1] - '0') % 2 == 0)) return tens;
  int32_t last = count - 1;
  for (; last >= 0 && digits[last] == '9'; --last) digits[last] = '0';
  if (last >= 0) {
    ++digits[last];
    return tens;
  }
  digits[0] = '1';
  return tens + 1;
}

// The bits of the float that is nearest to number / unit, both above 0; half-way the even one.
template <class T>
uint64_t nearest_float(BigWhole& number, BigWhole& unit) {
  using Parts = FloatParts<T>;
  const int32_t apart = bits_of_whole(number) - bits_of_whole(unit);
  if (apart < Parts::kLeast - 1) return 0;
  BigWhole scaled = apart > 0 ? unit : number;
  shift_whole(scaled, apart > 0 ? apart : -apart);
  const bool below =
      apart > 0 ? compare_whole(number, scaled) < 0 : compare_whole(scaled, unit) < 0;
  const int32_t exponent = apart + (below ? 0 : 1) - Parts::kBits;
  const int32_t step = exponent < Parts::kLeast ? Parts::kLeast : exponent;
  shift_whole(step > 0 ? unit : number, step > 0 ? step : -step);
  shift_whole(unit, Parts::kBits - 1);
  uint64_t mantissa = 0;
  for (int32_t i = 0; i < Parts::kBits; ++i) {
    mantissa <<= 1;
    if (compare_whole(number, unit) >= 0) {
      subtract_whole(number, unit);
      mantissa |= 1;
    }
    shift_whole(number, 1);
  }
  const int32_t half = compare_whole(number, unit);
  if (half > 0 || (half == 0 && (mantissa & 1) != 0)) ++mantissa;
  const uint64_t bits =
      (static_cast<uint64_t>(step - Parts::kLeast) << (Parts::kBits - 1)) + mantissa;
  const uint64_t endless = ((uint64_t{1} << (Parts::kWidth - Parts::kBits)) - 1)
                           << (Parts::kBits - 1);
  return bits < endless ? bits : endless;
}

// The bits of the float that is nearest to digits.
template <class T>
uint64_t float_of(const char* digits, int32_t count, int32_t tens) {
  BigWhole number, unit;
  set_whole(number, static_cast<uint64_t>(digits[0] - '0'));
  set_whole(unit, 1);
  for (int32_t i = 1; i < count; ++i)
    multiply_whole(number, 10, static_cast<uint32_t>(digits[i] - '0'));
  const int32_t shift = tens - count + 1;
  multiply_by_tens(shift > 0 ? number : unit, shift > 0 ? shift : -shift);
  return nearest_float<T>(number, unit);
}

struct TextOut {
  uint8_t* to;
  int64_t room, used;
  void put(char c) {
    if (used < room) to[used] = static_cast<uint8_t>(c);
    ++used;
  }
  void put(const char* text) {
    for (; *text != 0; ++text) put(*text);
  }
  void put_whole(uint64_t value) {
    char digits[20];
    int32_t count = 0;
    for (; count == 0 || value != 0; value /= 10)
      digits[count++] = static_cast<char>('0' + value % 10);
    while (count > 0) put(digits[--count]);
  }
};

template <class T>
void put_float(TextOut& out, T value) {
  using Parts = FloatParts<T>;
  if (isnan(value)) return out.put("NaN");
  const uint64_t sign = uint64_t{1} << (Parts::kWidth - 1), bits = Parts::bits(value) & (sign - 1);
  if ((Parts::bits(value) & sign) != 0) out.put('-');
  if (isinf(value)) return out.put("INF");
  if (bits == 0) return out.put('0');
  char digits[Parts::kDigits];
  int32_t count = Parts::kSure, tens = digits_of<T>(bits, count, digits);
  while (count < Parts::kDigits && float_of<T>(digits, count, tens) != bits)
    tens = digits_of<T>(bits, ++count, digits);
  while (digits[count - 1] == '0') --count;
  const bool scientific = tens < -4 || tens >= kMostPlain;
  const int32_t whole = scientific ? 1 : tens + 1;  // digits before the point
  if (whole <= 0) out.put("0.");
  for (int32_t i = whole; i < 0; ++i) out.put('0');
  for (int32_t i = 0; i < count || i < whole; ++i) {
    if (i == whole && i > 0) out.put('.');
    out.put(i < count ? digits[i] : '0');
  }
  if (!scientific) return;
  out.put(tens < 0 ? "e-" : "e+");
  const int32_t size = tens < 0 ? -tens : tens;
  if (size < 10) out.put('0');
  out.put_whole(static_cast<uint64_t>(size));
}

inline void put_number(TextOut& out, float value) { put_float(out, value); }
inline void put_number(TextOut& out, double value) { put_float(out, value); }
inline void put_number(TextOut& out, uint64_t value) { out.put_whole(value); }
inline void put_number(TextOut& out, int64_t value) {
  if (value < 0) out.put('-');
  out.put_whole(value < 0 ? 0 - static_cast<uint64_t>(value) : static_cast<uint64_t>(value));
}

struct TextIn {
  const uint8_t* from;
  int64_t room, at;
  uint8_t look() const { return at < room ? from[at] : 0; }
  uint8_t small() const {
    const uint8_t c = look();
    return c >= 'A' && c <= 'Z' ? static_cast<uint8_t>(c + 32) : c;
  }
  bool is_digit() const { return look() >= '0' && look() <= '9'; }
  bool take_sign() {
    while ((look() >= 9 && look() <= 13) || look() == ' ') ++at;
    const bool minus = look() == '-';
    if (minus || look() == '+') ++at;
    return minus;
  }
  bool take(const char* word) {
    const int64_t begin = at;
    for (; *word != 0; ++word, ++at) {
      if (small() == static_cast<uint8_t>(*word)) continue;
      at = begin;
      return false;
    }
    return true;
  }
};

}  // namespace detail

// `value` as text of at most `room` bytes, zeros behind; false where it takes more.
template <class T>
bool write_number(T value, uint8_t* to, int64_t room) {
  detail::TextOut out = {to, room, 0};
  detail::put_number(out, value);
  for (int64_t i = out.used; i < room; ++i) to[i] = 0;
  return out.used <= room;
}

// The number that a text begins with, behind white space. False where it begins with none, or with
// one of another base.
template <class T>
bool read_float(const uint8_t* from, int64_t room, T& value) {
  using Parts = FloatParts<T>;
  detail::TextIn in = {from, room, 0};
  const uint64_t sign = in.take_sign() ? uint64_t{1} << (Parts::kWidth - 1) : 0;
  const uint64_t quiet = ((uint64_t{1} << (Parts::kWidth - Parts::kBits + 1)) - 1)
                         << (Parts::kBits - 2);
  const uint64_t endless = quiet & ~(uint64_t{1} << (Parts::kBits - 2));
  if (in.take("nan")) return value = Parts::from(quiet), true;
  if (in.take("inf")) return value = Parts::from(endless | sign), true;
  BigWhole number, unit;
  set_whole(number, 0);
  int64_t tens = 0, digits = 0;
  bool any = false, point = false;
  for (;; ++in.at) {
    if (in.look() == '.' && !point) {
      point = true;
      continue;
    }
    if (!in.is_digit()) break;
    any = true;
    const uint32_t digit = static_cast<uint32_t>(in.look() - '0');
    tens -= point ? 1 : 0;
    if (digits == 0 && digit == 0) continue;
    ++digits;
    if (digits <= detail::kMostDigits) {
      if (number.used == 0) {
        set_whole(number, digit);
      } else {
        multiply_whole(number, 10, digit);
      }
      continue;
    }
    ++tens;
    if (digit != 0) number.limbs[0] |= 1;  // a little more than what is kept
  }
  if (!any || in.small() == 'x') return false;
  if (in.small() == 'e') {
    ++in.at;
    const bool minus = in.look() == '-';
    if (minus || in.look() == '+') ++in.at;
    int64_t exponent = 0;
    for (; in.is_digit(); ++in.at) {
      if (exponent < 1000000) exponent = 10 * exponent + (in.look() - '0');
    }
    tens += minus ? -exponent : exponent;
  }
  const int64_t kept = digits < detail::kMostDigits ? digits : detail::kMostDigits;
  uint64_t bits = 0;
  if (number.used != 0 && tens + kept > detail::kMostTens) {
    bits = endless;
  } else if (number.used != 0 && tens + kept > -detail::kMostTens) {
    set_whole(unit, 1);
    multiply_by_tens(tens > 0 ? number : unit, static_cast<int32_t>(tens > 0 ? tens : -tens));
    bits = detail::nearest_float<T>(number, unit);
  }
  value = Parts::from(bits | sign);
  return true;
}

static inline bool read_number(const uint8_t* from, int64_t room, float& value) {
  return read_float(from, room, value);
}
static inline bool read_number(const uint8_t* from, int64_t room, double& value) {
  return read_float(from, room, value);
}

// The digits behind a sign; false where there are none or too many.
static inline bool read_digits(detail::TextIn& in, uint64_t& value) {
  value = 0;
  const bool any = in.is_digit();
  for (; in.is_digit(); ++in.at) {
    const uint64_t digit = static_cast<uint64_t>(in.look() - '0');
    if (value > (UINT64_MAX - digit) / 10) return false;
    value = 10 * value + digit;
  }
  return any && in.small() != 'x';
}
static inline bool read_number(const uint8_t* from, int64_t room, uint64_t& value) {
  detail::TextIn in = {from, room, 0};
  const bool minus = in.take_sign();
  return read_digits(in, value) && (!minus || value == 0);
}
static inline bool read_number(const uint8_t* from, int64_t room, int64_t& value) {
  detail::TextIn in = {from, room, 0};
  const bool minus = in.take_sign();
  uint64_t size;
  if (!read_digits(in, size) || size > (uint64_t{1} << 63) - (minus ? 0 : 1)) return false;
  value = static_cast<int64_t>(minus ? 0 - size : size);
  return true;
}

}  // namespace BURIN_RT_TREE
}  // namespace burin_rt

#endif  // BURIN_RT_NUMBER_TEXT_H
