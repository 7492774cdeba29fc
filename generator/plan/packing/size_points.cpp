#include "plan/packing/size_points.h"

#include <algorithm>
#include <cmath>

namespace burin {
namespace {

// Products of so many symbols with what stands beside them stay within 64 bits.
constexpr int64_t kHighOfTwo = 1 << 15;
constexpr int64_t kHighOfMany = 1 << 12;
// Corners of more symbols would be too many points.
constexpr size_t kMostCorners = 4;

using Point = std::map<std::string, int64_t>;

// Between the two as their geometric mean, which a size of 0 does not spoil. Square roots are
// rounded alike everywhere.
Point mean_of(const Point& a, const Point& b) {
  Point mean = a;
  for (auto& [name, size] : mean) {
    const double product = static_cast<double>(size + 1) * static_cast<double>(b.at(name) + 1);
    size = static_cast<int64_t>(std::sqrt(product)) - 1;
  }
  return mean;
}

}  // namespace

SizePoints::SizePoints(const std::vector<Dim>& dims) {
  std::vector<Symbol> found;
  for (const Dim& dim : dims) dim.collect_symbols(found);
  std::map<std::string, Symbol> symbols;
  for (const Symbol& symbol : found) symbols.emplace(symbol->name, symbol);

  Point hints, low, high;
  for (const auto& [name, symbol] : symbols) {
    const int64_t cap = symbols.size() > 2 ? kHighOfMany : kHighOfTwo;
    hints[name] = at_hints(Index::symbol(symbol));
    low[name] = symbol->min;
    high[name] = std::min(symbol->max == kUnbounded ? kHighOfMany : symbol->max,
                          std::max({symbol->min, cap, hints[name]}));
  }
  points_ = {hints, low, high};
  for (const Point& end : {low, high}) {
    const Point middle = mean_of(hints, end);
    points_.insert(points_.end(), {middle, mean_of(hints, middle), mean_of(middle, end)});
  }
  if (symbols.size() > 1 && symbols.size() <= kMostCorners) {
    for (const auto& [name, symbol] : symbols) {
      Point corner = high;
      corner[name] = low.at(name);
      points_.push_back(corner);
      corner = low;
      corner[name] = high.at(name);
      points_.push_back(corner);
    }
  }
  // Each once; the hints stay first.
  std::vector<Point> unique;
  for (Point& point : points_) {
    if (std::find(unique.begin(), unique.end(), point) == unique.end())
      unique.push_back(std::move(point));
  }
  points_ = std::move(unique);
}

int64_t SizePoints::evaluate(const Dim& dim, size_t point) const {
  return dim.evaluate([&](const Index& leaf) { return points_[point].at(leaf.as_symbol()->name); });
}

}  // namespace burin
