// Long lines of kernels: broken where the style of a tree leaves them so (tests/golden/format.sh
// holds all emitted ones to clang-format).
#include "print/line_breaks.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <sstream>

namespace burin::line_breaks_test {
namespace {

const std::string kLong(50, 'a'), kOther(40, 'b');

std::string without_spaces(std::string text) {
  text.erase(std::remove_if(text.begin(), text.end(), [](char c) { return c == ' ' || c == '\n'; }),
             text.end());
  return text;
}

TEST(LineBreaks, WhatFitsStays) {
  const std::string code = "  for (int i = 0; i < 3; ++i) {\n\n    y[i] = x[i];\n  }\n";
  EXPECT_EQ(print::with_line_breaks(code), code);
  const std::string comment = "  // " + std::string(200, 'c') + "\n";
  EXPECT_EQ(print::with_line_breaks(comment), comment);
}

TEST(LineBreaks, ArgumentsOfACallGoBehindItsParenthesis) {
  EXPECT_EQ(
      print::with_line_breaks("  sum = add_product<4>(" + kLong + ", " + kOther + ", " + kOther +
                              ");\n"),
      "  sum = add_product<4>(\n      " + kLong + ", " + kOther + ",\n      " + kOther + ");\n");
}

TEST(LineBreaks, ArgumentsOfATemplateAreOfTheName) {
  EXPECT_EQ(
      print::with_line_breaks("  pad_rows<30, 28, 1>(" + kLong + ", " + kOther + ", " + kOther +
                              ");\n"),
      "  pad_rows<30, 28, 1>(\n      " + kLong + ", " + kOther + ",\n      " + kOther + ");\n");
}

TEST(LineBreaks, ABoundOfALoopGoesBehindTheOther) {
  EXPECT_EQ(
      print::with_line_breaks("    for (int32_t i = " + kLong + "; i < " + kLong + "; ++i) {\n"),
      "    for (int32_t i = " + kLong + ";\n         i < " + kLong + ";\n         ++i) {\n");
}

TEST(LineBreaks, ARemarkEndsTheLastLine) {
  EXPECT_EQ(print::with_line_breaks("constexpr size_t " + kLong + " = " + kOther + " + 64;  // " +
                                    "f32[3]\n"),
            "constexpr size_t " + kLong + " =\n    " + kOther + " + 64;  // f32[3]\n");
}

TEST(LineBreaks, OperandsAmongArgumentsGoOnFurtherIn) {
  EXPECT_EQ(print::with_line_breaks("      " + kLong + " + " + kLong + " * " + kOther + "));\n"),
            "      " + kLong + " +\n          " + kLong + " * " + kOther + "));\n");
}

TEST(LineBreaks, WhatIsReturnedIsBrokenAsACall) {
  EXPECT_EQ(
      print::with_line_breaks("  return too_few(" + kLong + ", " + kOther + ", " + kOther + ");\n"),
      "  return too_few(\n      " + kLong + ", " + kOther + ",\n      " + kOther + ");\n");
}

TEST(LineBreaks, NothingIsCalledBehindACast) {
  const std::string cast =
      "  x = (__global float*)(" + kLong + " + " + kOther + " + " + kOther + ");\n";
  EXPECT_EQ(print::with_line_breaks(cast).find("(__global float*)(\n"), std::string::npos);
}

TEST(LineBreaks, BehindCastsWhatTheyHoldIsBroken) {
  EXPECT_EQ(print::with_line_breaks("      (float)((long)(" + kLong + " * " + kLong + " * " +
                                    kOther + "));\n"),
            "      (float)((long)(" + kLong + " *\n                     " + kLong + " * " + kOther +
                "));\n");
}

TEST(LineBreaks, NumbersInBracesGoOnBehindTheirFirst) {
  EXPECT_EQ(
      print::with_line_breaks("      {" + kLong + " + " + kLong + " + " + kOther + ", 32},\n"),
      "      {" + kLong + " + " + kLong + " +\n           " + kOther + ",\n       32},\n");
}

TEST(LineBreaks, TermsOfASumGoOnWhateverTheirSigns) {
  EXPECT_EQ(print::with_line_breaks("  const float t0 = " + kLong + " - " + kLong + " - " + kLong +
                                    " + " + kOther + ";\n"),
            "  const float t0 =\n      " + kLong + " - " + kLong + " -\n      " + kLong + " + " +
                kOther + ";\n");
}

TEST(LineBreaks, AlternativesStandBehindTheirOperators) {
  EXPECT_EQ(print::with_line_breaks("  const float t0 = " + kLong + " < " + kOther + " ? " + kLong +
                                    " : 0.0f;\n"),
            "  const float t0 =\n      " + kLong + " < " + kOther + "\n          ? " + kLong +
                "\n          : 0.0f;\n");
}

TEST(LineBreaks, OperandsThatDoNotFitAreBrokenThemselves) {
  EXPECT_EQ(print::with_line_breaks("  y = " + kOther + " / (" + kLong + " + " + kLong + " + " +
                                    kOther + ");\n"),
            "  y =\n      " + kOther + " /\n      (" + kLong + " + " + kLong + " +\n       " +
                kOther + ");\n");
  EXPECT_EQ(print::with_line_breaks("  y = " + kOther + " + load<8>(" + kLong + ", " + kLong +
                                    ", " + kOther + ") * 2;\n"),
            "  y =\n      " + kOther + " +\n      load<8>(\n          " + kLong + ", " + kLong +
                ",\n          " + kOther + ") *\n          2;\n");
}

// What a text has in it is no code.
TEST(LineBreaks, WhatAConditionGuardsIsABlock) {
  EXPECT_EQ(print::with_line_breaks("  if (!within(fault, \"a), (b \\\" + c\", " + kLong + ", " +
                                    kLong + ")) return about(fault);\n"),
            "  if (!within(\n          fault, \"a), (b \\\" + c\", " + kLong + ",\n          " +
                kLong + ")) {\n    return about(fault);\n  }\n");
  EXPECT_EQ(print::with_line_breaks("  if (!(" + kLong + " + " + kLong + " + " + kOther +
                                    " == 0)) return about(fault, \"an extent\");\n"),
            "  if (!(" + kLong + " + " + kLong + " +\n            " + kOther +
                " ==\n        0)) {\n    return about(fault, \"an extent\");\n  }\n");
}

// Whatever it is, every character but blanks is where it was, and broken once it is broken for
// good.
TEST(LineBreaks, NoCharacterIsLost) {
  const std::string call =
      "f(" + kLong + ", g(" + kOther + " + " + kOther + ", " + kLong + "), " + kOther + ")";
  const std::string index = "x[" + kLong + " + 3 * " + kOther + " + " + kLong + "]";
  for (const std::string& code :
       {"y = " + call + ";", index + " = " + index + " * " + index + ";",
        index + " += " + call + ";",
        "if (" + kLong + " < 3 && " + kOther + " < 4 && " + kLong + " > 2) {",
        "while (" + call + ") {",
        "const float t0 = " + kLong + " ? " + kOther + " : " + kLong + ";", call + ";",
        "y = " + kLong + " / (" + kLong + " * (" + kLong + " - " + kOther + ")) - " + call + ";",
        "y = (" + kLong + " < " + kOther + ") ? ((" + call + ") * 2) : 0;",
        "store(&" + index + ", " + call + ");", kLong + kLong + kLong}) {
    const std::string broken = print::with_line_breaks("      " + code + "\n");
    EXPECT_EQ(without_spaces(broken), without_spaces(code)) << broken;
    EXPECT_EQ(print::with_line_breaks(broken), broken) << broken;
  }
}

}  // namespace
}  // namespace burin::line_breaks_test
