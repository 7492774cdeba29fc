// runtime_min/number_text.h against the C library: texts of floats, and floats of texts, which it
// rounds exactly.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <random>
#include <string>

#include "runtime_min/number_text.h"

namespace {

const uint8_t* bytes_of(const std::string& text) {
  return reinterpret_cast<const uint8_t*>(text.c_str());
}

template <class T>
std::string written(T value) {
  uint8_t room[32];
  EXPECT_TRUE(burin_rt::write_number(value, room, 32));
  return reinterpret_cast<const char*>(room);
}

template <class T>
bool reads(const std::string& text, T& value) {
  return burin_rt::read_number(bytes_of(text), static_cast<int64_t>(text.size()), value);
}

std::string printed(const char* format, int digits, double value) {
  char text[64];
  std::snprintf(text, sizeof text, format, digits, value);
  return text;
}

// As few digits as the C library reads as the same float, with a power of ten where printf's %.8g
// has one.
template <class T>
std::string shortest(T value) {
  int digits = 1;
  std::string text;
  for (; digits <= 17; ++digits) {
    text = printed("%.*e", digits - 1, value);
    const T again = sizeof(T) == 4 ? static_cast<T>(std::strtof(text.c_str(), nullptr))
                                   : static_cast<T>(std::strtod(text.c_str(), nullptr));
    if (again == value) break;
  }
  const std::string usual = printed("%.*g", 8, value);
  if (usual.find('e') != std::string::npos || value == 0) return value == 0 ? usual : text;
  return printed("%.*g", std::max(digits, 8), std::strtod(text.c_str(), nullptr));
}

TEST(RtNumberText, FloatsOfAnyBits) {
  std::mt19937_64 random(1);
  for (int round = 0; round < 20000; ++round) {
    const uint64_t bits = random();
    float f = burin_rt::f32_from_bits(static_cast<uint32_t>(bits));
    if (round % 3 == 0) f = static_cast<float>(bits % 2000001) / static_cast<float>(1 << bits % 12);
    const double d = burin_rt::f64_from_bits(bits);
    const int digits = 1 + static_cast<int>(random() % 20);
    float single = 77;
    double twice = 77;
    if (std::isfinite(f)) {
      ASSERT_EQ(written(f), shortest(f));
      const std::string text = printed("%.*g", digits, f);
      ASSERT_TRUE(reads(text, single));
      ASSERT_EQ(burin_rt::to_bits(single), burin_rt::to_bits(std::strtof(text.c_str(), nullptr)))
          << text;
    }
    if (std::isfinite(d) && round % 10 == 0) {
      ASSERT_EQ(written(d), shortest(d));
      const std::string text = printed("%.*g", digits, d);
      ASSERT_TRUE(reads(text, twice));
      ASSERT_EQ(burin_rt::to_bits(twice), burin_rt::to_bits(std::strtod(text.c_str(), nullptr)))
          << text;
    }
  }
}

// Half-way between two floats, and a digit far behind that decides.
TEST(RtNumberText, HalfWayIsEven) {
  const std::string half = "1.00000005960464477539062500";  // 1 + 2^-24
  const std::string zeros(900, '0');
  float value = 0;
  const float above = std::nextafter(1.0f, 2.0f);
  ASSERT_TRUE(reads(half, value) && value == 1.0f);
  ASSERT_TRUE(reads(half + zeros, value) && value == 1.0f);
  ASSERT_TRUE(reads(half + zeros + "1", value) && value == above);
  ASSERT_TRUE(reads("1.0000000596046447753906249" + std::string(900, '9'), value) && value == 1.0f);
  ASSERT_TRUE(reads("7e-46", value) && value == 0.0f);  // below half of the least
  ASSERT_TRUE(reads("7.1e-46", value) && value == 0x1p-149f);
  ASSERT_TRUE(reads("340282356779733661637539395458142568447", value) && value == 0x1.fffffep127f);
  ASSERT_TRUE(reads("340282356779733661637539395458142568448", value) && std::isinf(value));
  ASSERT_TRUE(reads("0." + zeros + "1e901", value) && value == 1.0f);
  ASSERT_TRUE(reads("1e-99999999999999999999", value) && value == 0.0f);
}

TEST(RtNumberText, Integers) {
  EXPECT_EQ(written(INT64_MIN), "-9223372036854775808");
  EXPECT_EQ(written(UINT64_MAX), "18446744073709551615");
  EXPECT_EQ(written(int64_t{0}), "0");
  int64_t value = 0;
  uint64_t size = 0;
  EXPECT_TRUE(reads("-9223372036854775808", value) && value == INT64_MIN);
  EXPECT_FALSE(reads("9223372036854775808", value));
  EXPECT_TRUE(reads("18446744073709551615", size) && size == UINT64_MAX);
  EXPECT_FALSE(reads("18446744073709551616", size));
  EXPECT_FALSE(reads("-1", size));
  for (const char* text : {"", "-", "+", ".5", "x", "0x1"})
    EXPECT_FALSE(reads(text, value)) << text;
}

TEST(RtNumberText, WhatThereIsNoRoomFor) {
  uint8_t room[4] = {9, 9, 9, 9};
  EXPECT_FALSE(burin_rt::write_number(int64_t{12345}, room, 4));
  EXPECT_TRUE(burin_rt::write_number(int64_t{12}, room, 3));
  EXPECT_EQ(room[2], 0);
  EXPECT_EQ(room[3], '4');
}

}  // namespace
