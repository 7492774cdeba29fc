#include "ops/api/movement/known_places.h"

#include <cstdlib>

#include "kernel/tensor.h"

namespace burin {
namespace {

constexpr int64_t kMostEntries = 1 << 20;  // that are looked at one by one

// Row-major strides of the points.
std::vector<int64_t> strides_of(const std::vector<int64_t>& points) {
  std::vector<int64_t> strides(points.size(), 1);
  for (size_t d = points.size(); d-- > 1;) strides[d - 1] = strides[d] * points[d];
  return strides;
}

// The form of one coordinate by its first steps; whether it holds everywhere is seen later.
std::optional<Coordinate> guess(const std::vector<int64_t>& entries,
                                const std::vector<int64_t>& points,
                                const std::vector<int64_t>& strides) {
  Coordinate out{entries[0], -1, 0};
  for (size_t d = 0; d < points.size(); ++d) {
    if (points[d] == 1) continue;
    const int64_t step = entries[static_cast<size_t>(strides[d])] - entries[0];
    if (step == 0) continue;
    if (out.dim >= 0) return std::nullopt;
    out.dim = static_cast<int>(d);
    out.step = step;
  }
  return out;
}

bool holds(const Coordinate& coordinate, const std::vector<int64_t>& entries,
           const std::vector<int64_t>& points, const std::vector<int64_t>& strides) {
  for (size_t k = 0; k < entries.size(); ++k) {
    int64_t expected = coordinate.first;
    if (coordinate.dim >= 0) {
      const auto d = static_cast<size_t>(coordinate.dim);
      expected += coordinate.step * (static_cast<int64_t>(k) / strides[d] % points[d]);
    }
    if (entries[k] != expected) return false;
  }
  return true;
}

}  // namespace

std::optional<std::vector<Coordinate>> even_coordinates(const OpContext& op, int input,
                                                        const std::vector<Dim>& extents) {
  const std::optional<Tensor> constant = op.constant(input);
  if (!constant || constant->elements() == 0 || constant->elements() > kMostEntries ||
      constant->shape.empty())
    return std::nullopt;
  const HostTensor tensor = to_tensor(constant->type, constant->shape, constant->content);
  std::vector<int64_t> points(tensor.shape.begin(), tensor.shape.end() - 1);
  const std::vector<int64_t> strides = strides_of(points);
  std::vector<bool> followed(points.size(), false);
  std::vector<Coordinate> out;
  for (size_t c = 0; c < extents.size(); ++c) {
    const std::optional<int64_t> extent = extents[c].as_constant();
    if (!extent) return std::nullopt;
    std::vector<int64_t> entries;
    for (int64_t k = static_cast<int64_t>(c); k < tensor.elements(); k += tensor.shape.back()) {
      const int64_t entry = tensor.get(k).integer;
      if (entry < -*extent || entry >= *extent) return std::nullopt;
      entries.push_back(entry < 0 ? entry + *extent : entry);
    }
    const std::optional<Coordinate> one = guess(entries, points, strides);
    if (!one || !holds(*one, entries, points, strides)) return std::nullopt;
    if (one->dim >= 0) {
      if (followed[static_cast<size_t>(one->dim)]) return std::nullopt;
      followed[static_cast<size_t>(one->dim)] = true;
    }
    out.push_back(*one);
  }
  // A dimension that no coordinate follows would give every place of it again.
  for (size_t d = 0; d < points.size(); ++d) {
    if (points[d] > 1 && !followed[d]) return std::nullopt;
  }
  return out;
}

Update update_at(const std::vector<Coordinate>& coordinates, const Indices& place,
                 const Shape& points) {
  Update out{{}, Indices(points.size(), Index(0))};
  for (size_t c = 0; c < coordinates.size(); ++c) {
    const Coordinate& one = coordinates[c];
    if (one.dim < 0) {
      out.when.push_back({place[c], one.first, one.first + 1});
      continue;
    }
    const Index along = one.step > 0 ? place[c] - one.first : Index(one.first) - place[c];
    const int64_t step = std::abs(one.step);
    if (step > 1) out.when.push_back({mod(along, step), 0, 1});
    const Index point = floordiv(along, step);
    const auto d = static_cast<size_t>(one.dim);
    out.when.push_back({point, 0, points[d]});
    out.point[d] = point;
  }
  return out;
}

}  // namespace burin
