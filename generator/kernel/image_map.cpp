#include "kernel/image_map.h"

#include <algorithm>
#include <cstring>
#include <sstream>

#include "support/at.h"
#include "support/check.h"

namespace burin {
namespace {

// Steps of a dimension along its axis of the image.
Dim steps_of(const ImageMap& map, const std::vector<Dim>& shape, int dimension) {
  const Dim& extent = shape[at(dimension)];
  return dimension == map.texel ? ceildiv(extent, kTexel) : extent;
}

Dim folded_extent(const ImageMap& map, const std::vector<Dim>& shape,
                  const std::vector<int>& dimensions) {
  Dim out = 1;
  for (const int one : dimensions) out *= steps_of(map, shape, one);
  return out;
}

Index folded_index(const ImageMap& map, const std::vector<Dim>& shape,
                   const std::vector<int>& dimensions, const std::vector<Index>& at) {
  Index out = 0;
  for (const int one : dimensions) {
    const Index& index = at[burin::at(one)];
    out = out * steps_of(map, shape, one) + (one == map.texel ? floordiv(index, kTexel) : index);
  }
  return out;
}

// What each index of one dimension adds to a place: places are sums over the dimensions, whatever
// the layout.
struct Places {
  std::vector<int64_t> source, x, y, component;  // by the index of that dimension
};

Places places_along(const ImageMap& map, const Value& constant, size_t dimension) {
  Places out;
  std::vector<Index> at(constant.shape.size(), Index(0));
  const int64_t extent = constant.shape[dimension].constant();
  for (int64_t i = 0; i < extent; ++i) {
    at[dimension] = i;
    const ImagePoint point = image_point(map, constant.shape, at);
    out.source.push_back(address(constant.layout, constant.shape, at).constant());
    out.x.push_back(point.x.constant());
    out.y.push_back(point.y.constant());
    out.component.push_back(point.component.constant());
  }
  return out;
}

}  // namespace

ImageExtent image_extent(const ImageMap& map, const std::vector<Dim>& shape) {
  return {folded_extent(map, shape, map.x), folded_extent(map, shape, map.y)};
}

ImagePoint image_point(const ImageMap& map, const std::vector<Dim>& shape,
                       const std::vector<Index>& at) {
  BURIN_CHECK(at.size() == shape.size() && map.x.size() + map.y.size() == shape.size(),
              "rank of an image");
  return {folded_index(map, shape, map.x, at), folded_index(map, shape, map.y, at),
          mod(at[burin::at(map.texel)], kTexel)};
}

std::optional<ImageMap> fold_into_image(const std::vector<Dim>& shape, int texel, int along,
                                        int64_t width_max, int64_t height_max) {
  const auto fits = [](const Dim& extent, int64_t most) {
    const int64_t high = extent.range().hi;
    return high != kUnbounded && high <= most;
  };
  ImageMap map{texel, {along}, {}};
  for (int one = 0; one < static_cast<int>(shape.size()); ++one) {
    if (one != along) map.y.push_back(one);
  }
  size_t joined = 0;  // dimensions in front of the columns
  while (!fits(image_extent(map, shape).height, height_max) && !map.y.empty()) {
    map.x.insert(map.x.begin() + static_cast<std::ptrdiff_t>(joined++), map.y.front());
    map.y.erase(map.y.begin());
  }
  const ImageExtent extent = image_extent(map, shape);
  if (!fits(extent.width, width_max) || !fits(extent.height, height_max)) return std::nullopt;
  return map;
}

std::vector<std::byte> image_bytes(const ImageMap& map, const Value& constant) {
  const ImageExtent extent = image_extent(map, constant.shape);
  const int64_t width = extent.width.constant(), height = extent.height.constant();
  const auto bytes = static_cast<size_t>(size_bits(constant.type) / 8);
  std::vector<std::byte> out(static_cast<size_t>(width * height * kTexel) * bytes);
  std::vector<Places> steps;
  for (size_t d = 0; d < constant.shape.size(); ++d) {
    if (constant.shape[d].is_constant(0)) return out;
    steps.push_back(places_along(map, constant, d));
  }
  std::vector<size_t> at(steps.size(), 0);
  for (bool more = true; more;) {
    int64_t source = 0, x = 0, y = 0, component = 0;
    for (size_t d = 0; d < steps.size(); ++d) {
      source += steps[d].source[at[d]];
      x += steps[d].x[at[d]];
      y += steps[d].y[at[d]];
      component += steps[d].component[at[d]];
    }
    std::memcpy(out.data() + static_cast<size_t>((y * width + x) * kTexel + component) * bytes,
                constant.constant.data + static_cast<size_t>(source) * bytes, bytes);
    more = false;
    for (size_t d = steps.size(); d-- > 0 && !more;) {
      more = ++at[d] < steps[d].source.size();
      if (!more) at[d] = 0;
    }
  }
  return out;
}

std::vector<int64_t> image_places(const ImageMap& map, const std::vector<int64_t>& shape) {
  const std::vector<Dim> dims(shape.begin(), shape.end());
  const int64_t width = image_extent(map, dims).width.constant();
  int64_t elements = 1;
  for (const int64_t extent : shape) elements *= extent;
  std::vector<int64_t> out;
  for (int64_t i = 0; i < elements; ++i) {
    std::vector<Index> at(shape.size(), Index(0));
    int64_t left = i;
    for (size_t d = shape.size(); d-- > 0; left /= shape[d]) at[d] = left % shape[d];
    const ImagePoint point = image_point(map, dims, at);
    out.push_back((point.y.constant() * width + point.x.constant()) * kTexel +
                  point.component.constant());
  }
  return out;
}

std::string to_string(const ImageMap& map) {
  std::string out = "texels along " + std::to_string(map.texel) + "; x:";
  for (const int one : map.x) out += " " + std::to_string(one);
  out += "; y:";
  for (const int one : map.y) out += " " + std::to_string(one);
  return out;
}

std::optional<ImageMap> image_map_from_string(const std::string& text) {
  std::istringstream in(text);
  const auto word = [&](const char* wanted) {
    std::string found;
    return static_cast<bool>(in >> found) && found == wanted;
  };
  ImageMap out;
  if (!word("texels") || !word("along") || !(in >> out.texel) || !word(";") || !word("x:"))
    return std::nullopt;
  for (int one = 0; in >> one;) out.x.push_back(one);
  in.clear();
  if (!word(";") || !word("y:")) return std::nullopt;
  for (int one = 0; in >> one;) out.y.push_back(one);
  return in.eof() && to_string(out) == text ? std::optional(out) : std::nullopt;
}

}  // namespace burin
