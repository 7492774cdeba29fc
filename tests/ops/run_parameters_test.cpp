// Operators whose sizes or axes arrive at run time, beside what they give where these are known.
#include <gtest/gtest.h>

#include "ops/support/node_runner.h"

namespace burin::run_parameters_test {
namespace {

using Numbers = std::vector<double>;

TEST(RunParameters, Col2ImOfSizesOfTheRun) {
  const HostTensor blocks = counting({1, 8, 9});
  for (const bool known : {true, false}) {
    const auto list = [&](const std::vector<int64_t>& numbers) {
      return known ? fixed(ints(numbers)) : given(ints(numbers));
    };
    const HostTensor y = run({"Col2Im", 18, {given(blocks), list({4, 4}), list({2, 2})}})[0];
    EXPECT_EQ(y.shape, (std::vector<int64_t>{1, 2, 4, 4}));
    // Places of four taps, of two, of one.
    EXPECT_EQ(numbers_of(y)[0], 0);
    EXPECT_EQ(numbers_of(y)[1], 1 + 9);
    EXPECT_EQ(numbers_of(y)[5], 4 + (9 + 3) + (18 + 1) + 27);
    EXPECT_EQ(numbers_of(y)[16 + 15], 63 + 8);
  }
  EXPECT_ANY_THROW(run({"Col2Im", 18, {given(blocks), given(ints({4, 5})), given(ints({2, 2}))}}));
  EXPECT_ANY_THROW(run({"Col2Im", 18, {given(blocks), given(ints({4, 4})), given(ints({3, 3}))}}));
}

TEST(RunParameters, DftAlongAnAxisOfTheRun) {
  const HostTensor x = counting({2, 3, 4, 1});
  for (const int64_t axis : {0, 1, 2, -2, -4}) {
    for (const int64_t onesided : {0, 1}) {
      const std::vector<Attribute> attributes = {{"onesided", onesided}};
      const HostTensor wanted =
          run({"DFT", 20, {given(x), absent(), fixed(scalar(axis))}, attributes})[0];
      const HostTensor found =
          run({"DFT", 20, {given(x), absent(), given(scalar(axis))}, attributes})[0];
      EXPECT_EQ(found.shape, wanted.shape);
      EXPECT_EQ(numbers_of(found), numbers_of(wanted)) << "axis " << axis;
    }
  }
  EXPECT_ANY_THROW(run({"DFT", 20, {given(x), absent(), given(scalar(3))}}));
  EXPECT_ANY_THROW(run({"DFT", 20, {given(x), absent(), given(scalar(-5))}}));
}

}  // namespace
}  // namespace burin::run_parameters_test
