// What a formula has several times is named once.
#include "print/abbreviations.h"

#include <gtest/gtest.h>

namespace burin::abbreviations_test {
namespace {

using Lines = std::vector<std::string>;
using print::abbreviated;

// Text that is long enough to be worth it.
const std::string kLong(600, '.');

TEST(Abbreviations, WhatSavesTheMostIsNamedFirst) {
  const std::string inner = "max((length - first), 0)", outer = "select((i < " + inner + "), 1, 0)";
  ASSERT_GE(inner.size(), 24u);
  EXPECT_EQ(abbreviated({"y = " + outer + " + " + outer + " + " + outer, "z = " + inner, kLong},
                        {inner, outer}),
            (Lines{"y = e0 + e0 + e0", "z = e1", kLong, "where e0 is select((i < e1), 1, 0)",
                   "where e1 is " + inner}));
}

TEST(Abbreviations, WhatStandsOnceOrIsShortStays) {
  const std::string once = "(something + that * stands + once)";
  const Lines lines{"y = " + once + " + (a + b) + (a + b)", kLong};
  EXPECT_EQ(abbreviated(lines, {once, "(a + b)"}), lines);
}

// A formula of a few lines is read as it is.
TEST(Abbreviations, ShortFormulasStay) {
  const std::string twice = "exp((input[i0, i1] - greatest0[i0]))";
  const Lines lines{"sum1[i0] = sum over i1: " + twice,
                    "output[i0, i1] := " + twice + " / sum1[i0]"};
  EXPECT_EQ(abbreviated(lines, {twice}), lines);
}

}  // namespace
}  // namespace burin::abbreviations_test
