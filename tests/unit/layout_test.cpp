// Layouts: addresses are one-to-one and inside the physical extents, by enumeration.
#include "kernel/layout.h"

#include <gtest/gtest.h>

#include <set>

#include "kernel/tensor.h"

namespace burin::layout_test {
namespace {

std::vector<int64_t> all_addresses(const Layout& layout, const std::vector<int64_t>& extents) {
  std::vector<Dim> shape(extents.begin(), extents.end());
  std::vector<Index> at;
  for (size_t d = 0; d < extents.size(); ++d)
    at.push_back(Index::axis(static_cast<int>(d), shape[d]));
  const Index where = address(layout, shape, at);
  int64_t count = 1;
  for (const int64_t extent : extents) count *= extent;
  std::vector<int64_t> out;
  for (int64_t i = 0; i < count; ++i) {
    std::vector<int64_t> point(extents.size());
    int64_t rest = i;
    for (size_t d = extents.size(); d-- > 0;) {
      point[d] = rest % extents[d];
      rest /= extents[d];
    }
    out.push_back(where.evaluate(
        [&](const Index& leaf) { return point[static_cast<size_t>(leaf.axis_id())]; }));
  }
  return out;
}

TEST(Layout, AddressesAreOneToOneAndInside) {
  const Layout layouts[] = {{},
                            {{2, 0, 1}, {}},
                            {{0, 1, 2}, {{1, 4}}},
                            {{1, 2, 0}, {{0, 3}, {2, 2}}},
                            {{0, 1, 2}, {{2, 16}}}};
  for (const Layout& layout : layouts) {
    const std::vector<int64_t> extents{5, 6, 7};
    const std::vector<int64_t> addresses = all_addresses(layout, extents);
    const std::set<int64_t> distinct(addresses.begin(), addresses.end());
    EXPECT_EQ(distinct.size(), addresses.size()) << to_string(layout);
    EXPECT_GE(*distinct.begin(), 0);
    EXPECT_LT(*distinct.rbegin(), physical_elements(layout, {5, 6, 7}).constant())
        << to_string(layout);
  }
}

TEST(Layout, TextsAreReadBackAndOthersAreNone) {
  const Layout layouts[] = {{},
                            {{2, 0, 1}, {}},
                            {{0, 1, 2}, {{1, 4}}},
                            {{1, 2, 0}, {{0, 3}, {2, 2}}},
                            {{0, 1, 2}, {{1, 4}, {2, 4}}}};
  for (const Layout& layout : layouts)
    EXPECT_EQ(layout_from_string(to_string(layout), 3), layout) << to_string(layout);
  for (const char* text :
       {"", "0 1", "0 1 1", "0 1 3", "0 1 2 3", "0 1/4 2", "0 1 2 [4]", "0 1/4 2 [8]",
        "0 1/1 2 [1]", "0 [4] 1/4 2", "a b c", "0 1/-4 2 [-4]", "0 1 99999999999"})
    EXPECT_EQ(layout_from_string(text, 3), std::nullopt) << text;
}

TEST(Layout, ChannelBlocksLieAsTheirNameSays) {
  // NCHW[4]c: n, c / 4, h, w, c % 4
  const Layout layout{{0, 1, 2, 3}, {{1, 4}}};
  const std::vector<Dim> shape{2, 10, 3, 5};
  EXPECT_EQ(to_string(layout), "0 1/4 2 3 [4]");
  EXPECT_EQ(to_string(physical_shape(layout, shape)), "[2, 3, 3, 5, 4]");
  EXPECT_TRUE(
      address(layout, shape, {1, 9, 2, 4}).is_constant((((1 * 3 + 2) * 3 + 2) * 5 + 4) * 4 + 1));
}

TEST(Layout, ABlockedAxisThatIsSplitLikeItsBlocksLeavesNoDivision) {
  const Index outer = Index::axis(0, 4), inner = Index::axis(1, 8);
  const Index at = address({{0}, {{0, 8}}}, {32}, {outer * 8 + inner});
  EXPECT_EQ(at, outer * 8 + inner);
}

TEST(Layout, ConstantsAreReadBackWithoutTheirPadding) {
  Value value;
  value.type = Type::f32;
  value.shape = {3, 2};
  value.kind = ValueKind::constant;
  value.layout = {{1, 0}, {{0, 2}}};  // columns, blocks of rows, two rows: one row of padding
  value.constant =
      to_constant(make_tensor(Type::f32, {2, 2, 2}, std::vector<double>{1, 3, 5, 0, 2, 4, 6, 0}));
  const HostTensor plain = to_row_major(value);
  EXPECT_EQ(plain, make_tensor(Type::f32, {3, 2}, std::vector<double>{1, 2, 3, 4, 5, 6}));
}

}  // namespace
}  // namespace burin::layout_test
