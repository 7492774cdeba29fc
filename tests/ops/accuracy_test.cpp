// The error of every operator that maps numbers, in units in the last place of its result: over all
// of f16 and bf16, and over f32 patterns of every kind. Bounds stand in support/accuracy.cpp;
// BURIN_ACCURACY=NUMBER takes so many f32 patterns and prints the table of tests/ops/README.md.
#include "ops/support/accuracy.h"

#include <gtest/gtest.h>

#include <cstdio>
#include <cstdlib>

namespace burin::accuracy_test {
namespace {

int64_t patterns() {
  const char* given = std::getenv("BURIN_ACCURACY");
  return given ? std::atoll(given) : 0;
}

constexpr int64_t kFewPatterns = 20000;

void expect_within_bounds(const std::vector<AccuracyCase>& cases, Type type) {
  const int64_t count = patterns() ? patterns() : kFewPatterns;
  for (const AccuracyCase& one : cases) {
    const Accuracy found = measure(one, type, count);
    const double bound = type == Type::f32 ? one.single : one.half;
    EXPECT_LE(found.ulp, bound) << one.name() << " of " << to_string(type) << ": " << found.where;
    EXPECT_EQ(found.wrong, 0) << one.name() << " of " << to_string(type) << ": "
                              << found.where_wrong;
    if (patterns()) {
      std::printf("| %s | %s | %g | %.4f | %lld |\n", one.name().c_str(),
                  std::string(to_string(type)).c_str(), bound, found.ulp,
                  static_cast<long long>(found.measured));
    }
  }
}

TEST(Accuracy, UnaryFunctionsOverAllOfF16) { expect_within_bounds(unary_cases(), Type::f16); }
TEST(Accuracy, UnaryFunctionsOverAllOfBf16) { expect_within_bounds(unary_cases(), Type::bf16); }
TEST(Accuracy, UnaryFunctionsOverF32) { expect_within_bounds(unary_cases(), Type::f32); }
TEST(Accuracy, BinaryFunctionsOverAGridOfF16) { expect_within_bounds(binary_cases(), Type::f16); }
TEST(Accuracy, BinaryFunctionsOverAGridOfBf16) { expect_within_bounds(binary_cases(), Type::bf16); }
TEST(Accuracy, BinaryFunctionsOverAGridOfF32) { expect_within_bounds(binary_cases(), Type::f32); }

}  // namespace
}  // namespace burin::accuracy_test
