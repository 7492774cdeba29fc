// A tensor as a 2.5D image (SmartMem 3.3): an image of texels with four components each. Four
// neighbours along one dimension are a texel, the last of which is padded; every dimension, that
// one by its fours, is folded onto one of the two axes of the image. Neighbours along the last
// dimension of an axis are neighbours in the image: so two dimensions are read without a linear
// address (k = 2), that of the texels and one more.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "kernel/kernel.h"

namespace burin {

inline constexpr int64_t kTexel = 4;  // components

struct ImageMap {
  int texel = 0;          // the dimension that texels run along
  std::vector<int> x, y;  // dimensions of the columns and the rows of texels, the last one moving
                          // fastest; each dimension is in one of them once
  bool operator==(const ImageMap&) const = default;
};

using ImageMaps = std::map<ValueId, ImageMap>;  // of the tensors that are images

// An image of texels, or the place of an element in it.
struct ImageExtent {
  Dim width = 1, height = 1;
  bool operator==(const ImageExtent&) const = default;
};
struct ImagePoint {
  Index x = 0, y = 0, component = 0;
};

ImageExtent image_extent(const ImageMap& map, const std::vector<Dim>& shape);

// Where the element at `at` lies. One-to-one over the shape, and inside of the image.
ImagePoint image_point(const ImageMap& map, const std::vector<Dim>& shape,
                       const std::vector<Index>& at);

// Texels along one dimension, the columns along another (or along the fours of the same one). The
// others become rows; where these are more than `height_max`, the outermost ones join the columns.
// nullopt where the image is too large, or where nothing bounds its size.
std::optional<ImageMap> fold_into_image(const std::vector<Dim>& shape, int texel, int along,
                                        int64_t width_max, int64_t height_max);

// The elements of a constant of a type that images have, which lies as its layout says, as the
// image's bytes, row by row; components beyond the last element are 0.
std::vector<std::byte> image_bytes(const ImageMap& map, const Value& constant);

// The places of all elements, in order, in an image that lies row by row: components of it.
std::vector<int64_t> image_places(const ImageMap& map, const std::vector<int64_t>& shape);

// "texels along 1; x: 3; y: 0 1 2"; and back: nullopt where the text is none.
std::string to_string(const ImageMap& map);
std::optional<ImageMap> image_map_from_string(const std::string& text);

}  // namespace burin
