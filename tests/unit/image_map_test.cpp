// Tensors as images (kernel/image_map.h): every element has a place of its own inside of the image,
// by enumeration over random shapes; images that do not fit are none.
#include "kernel/image_map.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <random>
#include <set>

#include "kernel/tensor.h"

namespace burin::image_map_test {
namespace {

struct Place {
  int64_t x, y, component;
  auto operator<=>(const Place&) const = default;
};

using Point = std::vector<int64_t>;

std::vector<Point> all_points(const Point& extents) {
  std::vector<Point> out{{}};
  for (const int64_t extent : extents) {
    std::vector<Point> longer;
    for (const Point& point : out) {
      for (int64_t i = 0; i < extent; ++i) {
        longer.push_back(point);
        longer.back().push_back(i);
      }
    }
    out = std::move(longer);
  }
  return out;
}

// Over the axes of a tensor whose extents are symbols with the values `extents`.
std::vector<Place> all_places(const ImageMap& map, const std::vector<Dim>& shape,
                              const Point& extents) {
  std::vector<Index> at;
  for (size_t d = 0; d < shape.size(); ++d)
    at.push_back(Index::axis(static_cast<int>(d), shape[d]));
  const ImagePoint where = image_point(map, shape, at);
  std::vector<Place> out;
  for (const Point& point : all_points(extents)) {
    const auto leaf = [&](const Index& one) {
      if (one.kind() == IndexKind::axis) return point[static_cast<size_t>(one.axis_id())];
      return extents[static_cast<size_t>(one.as_symbol()->name[0] - 'A')];
    };
    out.push_back({where.x.evaluate(leaf), where.y.evaluate(leaf), where.component.evaluate(leaf)});
  }
  return out;
}

// Any dimension in texels, the dimensions on the two axes in any order.
ImageMap random_map(size_t rank, std::mt19937& random) {
  std::vector<int> dimensions;
  for (size_t d = 0; d < rank; ++d) dimensions.push_back(static_cast<int>(d));
  std::shuffle(dimensions.begin(), dimensions.end(), random);
  const auto cut = static_cast<std::ptrdiff_t>(random() % (rank + 1));
  return {static_cast<int>(random() % rank),
          {dimensions.begin(), dimensions.begin() + cut},
          {dimensions.begin() + cut, dimensions.end()}};
}

void expect_places(const ImageMap& map, const std::vector<Dim>& shape, const Point& extents) {
  const std::vector<Place> places = all_places(map, shape, extents);
  const std::set<Place> distinct(places.begin(), places.end());
  EXPECT_EQ(distinct.size(), places.size()) << to_string(map);
  const auto size = [&](const Index& leaf) {
    return extents[static_cast<size_t>(leaf.as_symbol()->name[0] - 'A')];
  };
  const ImageExtent extent = image_extent(map, shape);
  const int64_t width = extent.width.evaluate(size), height = extent.height.evaluate(size);
  int64_t elements = 1;
  for (const int64_t one : extents) elements *= one;
  EXPECT_LE(elements, width * height * kTexel);
  // Padding is that of one dimension.
  const int64_t along = extents[static_cast<size_t>(map.texel)];
  EXPECT_EQ(width * height * along, elements * ((along + kTexel - 1) / kTexel));
  for (const Place& one : places) {
    EXPECT_TRUE(one.x >= 0 && one.x < width && one.y >= 0 && one.y < height && one.component >= 0 &&
                one.component < kTexel)
        << to_string(map);
  }
}

TEST(ImageMap, PlacesAreOneToOneAndInside) {
  std::mt19937 random(7);
  for (int round = 0; round < 200; ++round) {
    const size_t rank = 1 + random() % 4;
    Point extents;
    std::vector<Dim> shape, symbols;
    for (size_t d = 0; d < rank; ++d) {
      extents.push_back(1 + static_cast<int64_t>(random() % 9));
      shape.emplace_back(extents.back());
      symbols.push_back(Index::symbol(std::make_shared<SymbolInfo>(
          SymbolInfo{std::string(1, static_cast<char>('A' + d)), SymbolOrigin::param, 1, 9})));
    }
    const ImageMap map = random_map(rank, random);
    expect_places(map, shape, extents);
    expect_places(map, symbols, extents);
  }
}

TEST(ImageMap, FoldsIntoWhatIsLeftOfAnImage) {
  // Channels in texels, columns of the tensor along x: rows are images, fours of channels and rows.
  EXPECT_EQ(fold_into_image({2, 6, 5, 7}, 1, 3, 64, 64), (ImageMap{1, {3}, {0, 1, 2}}));
  EXPECT_EQ(image_extent({1, {3}, {0, 1, 2}}, {2, 6, 5, 7}), (ImageExtent{7, 20}));
  // Too many rows: the outermost dimensions join the columns.
  EXPECT_EQ(fold_into_image({2, 6, 5, 7}, 1, 3, 64, 10), (ImageMap{1, {0, 3}, {1, 2}}));
  EXPECT_EQ(fold_into_image({2, 6, 5, 7}, 1, 3, 64, 5), (ImageMap{1, {0, 1, 3}, {2}}));
  EXPECT_EQ(fold_into_image({2, 6, 5, 7}, 1, 3, 20, 5), std::nullopt);
  EXPECT_EQ(fold_into_image({100}, 0, 0, 25, 1), (ImageMap{0, {0}, {}}));
  EXPECT_EQ(fold_into_image({100}, 0, 0, 24, 1), std::nullopt);
  // A size that nothing bounds.
  const Index n = Index::symbol(
      std::make_shared<SymbolInfo>(SymbolInfo{"n", SymbolOrigin::param, 1, kUnbounded}));
  EXPECT_EQ(fold_into_image({n, 4}, 1, 1, 1 << 14, 1 << 14), std::nullopt);
}

TEST(ImageMap, ConstantsLieWhereTheirElementsAreRead) {
  std::mt19937 random(11);
  const Layout layouts[] = {{}, {{2, 0, 1}, {}}, {{0, 1, 2}, {{1, 4}}}, {{1, 2, 0}, {{0, 3}}}};
  for (const Layout& layout : layouts) {
    const Point extents{3, 6, 5};
    Value value;
    value.type = Type::f32;
    value.layout = layout;
    value.shape.assign(extents.begin(), extents.end());
    std::vector<float> elements(
        static_cast<size_t>(physical_elements(layout, value.shape).constant()), -1);
    const auto point_of = [](const Point& point) {
      return std::vector<Index>(point.begin(), point.end());
    };
    for (const Point& point : all_points(extents))
      elements[static_cast<size_t>(address(layout, value.shape, point_of(point)).constant())] =
          static_cast<float>(1 + point[0] + 10 * point[1] + 100 * point[2]);
    std::vector<std::byte> bytes(elements.size() * sizeof(float));
    std::memcpy(bytes.data(), elements.data(), bytes.size());
    value.constant = make_constant(std::move(bytes));

    const ImageMap map = random_map(3, random);
    const ImageExtent extent = image_extent(map, value.shape);
    const std::vector<std::byte> image = image_bytes(map, value);
    const int64_t width = extent.width.constant();
    ASSERT_EQ(static_cast<int64_t>(image.size()),
              width * extent.height.constant() * kTexel * int64_t{sizeof(float)});
    std::vector<float> texels(image.size() / sizeof(float));
    std::memcpy(texels.data(), image.data(), image.size());
    double sum = 0, wanted = 0;  // padding is 0
    for (const float one : texels) sum += one;
    for (const Point& point : all_points(extents)) {
      const ImagePoint at = image_point(map, value.shape, point_of(point));
      const float element = static_cast<float>(1 + point[0] + 10 * point[1] + 100 * point[2]);
      EXPECT_EQ(texels[static_cast<size_t>((at.y.constant() * width + at.x.constant()) * kTexel +
                                           at.component.constant())],
                element);
      wanted += element;
    }
    EXPECT_EQ(sum, wanted);
  }
}

}  // namespace
}  // namespace burin::image_map_test
