// Det, expanded and eliminated: determinants that are known without computing one.
#include <gtest/gtest.h>

#include "ops/support/node_runner.h"

namespace burin::determinant_test {
namespace {

// The rows of a lower triangle of small integers in another order: the determinant is the product
// of the diagonal and the sign of the order.
HostTensor shuffled_triangle(int64_t rows, Type type, double* determinant) {
  HostTensor matrix = make_tensor(type, {rows, rows});
  *determinant = 1;
  for (int64_t r = 0; r < rows; ++r) {
    const int64_t place = (r + 1) % rows;  // a cycle of `rows` rows
    for (int64_t c = 0; c <= r; ++c) {
      const double number = c == r ? (r % 3 ? 2 : -1) : static_cast<double>((r + 2 * c) % 5) - 2;
      matrix.set(place * rows + c, {number, 0});
      if (c == r) *determinant *= number;
    }
  }
  if (rows % 2 == 0) *determinant = -*determinant;
  return matrix;
}

class Determinant : public testing::TestWithParam<std::tuple<int64_t, Type, bool>> {};

std::string name_of(const testing::TestParamInfo<Determinant::ParamType>& instance) {
  return std::string(to_string(std::get<1>(instance.param))) + "_" +
         std::to_string(std::get<0>(instance.param)) +
         (std::get<2>(instance.param) ? "_symbolic" : "");
}

TEST_P(Determinant, OfShuffledTriangles) {
  const auto& [rows, type, symbolic] = GetParam();
  double expected = 0;
  const HostTensor matrix = shuffled_triangle(rows, type, &expected);
  const std::vector<HostTensor> found =
      run({"Det", 22, {symbolic ? sized(matrix) : given(matrix)}});
  ASSERT_EQ(found[0].type, type);
  // Eliminated in f64: nothing of that is left in a shorter type.
  EXPECT_NEAR(numbers_of(found[0]).at(0), expected, type == Type::f64 ? 1e-12 : 0);
}

INSTANTIATE_TEST_SUITE_P(Sizes, Determinant,
                         testing::Combine(testing::Values(1, 2, 3, 4, 5, 6, 9),
                                          testing::Values(Type::f32, Type::f64, Type::f16),
                                          testing::Bool()),
                         name_of);

TEST(Determinants, OfABatchAndOfNoRows) {
  HostTensor batch = make_tensor(Type::f32, {2, 0, 6, 6});
  EXPECT_EQ(run({"Det", 11, {given(batch)}})[0].shape, (std::vector<int64_t>{2, 0}));
  EXPECT_EQ(numbers_of(run({"Det", 11, {given(make_tensor(Type::f32, {2, 0, 0}))}})[0]),
            (std::vector<double>{1, 1}));
  EXPECT_EQ(refusal({"Det", 11, {given(make_tensor(Type::f32, {6, 5}))}}), "shape-mismatch");
}

}  // namespace
}  // namespace burin::determinant_test
