#include "unit/support/index_random.h"

#include <algorithm>

namespace burin {
namespace {

Checked constant(int64_t value) {
  return {Index(value), [value](const IndexPoint&) { return value; }};
}

}  // namespace

int64_t floor_quotient(int64_t a, int64_t b) {
  int64_t q = a / b;
  if (q * b > a && b > 0) --q;
  if (q * b < a && b < 0) --q;
  return q;
}

int64_t IndexSpace::evaluate(const Index& index, const IndexPoint& point) const {
  return index.evaluate([&](const Index& leaf) {
    if (leaf.kind() == IndexKind::axis) return point.axes[static_cast<size_t>(leaf.axis_id())];
    for (size_t s = 0; s < symbols.size(); ++s) {
      if (symbols[s]->name == leaf.as_symbol()->name) return point.symbols[s];
    }
    return int64_t{-1};
  });
}

void IndexSpace::each_point(int64_t largest,
                            const std::function<void(const IndexPoint&)>& body) const {
  IndexPoint point;
  point.axes.resize(extents.size());
  const std::function<void(size_t)> axes = [&](size_t axis) {
    if (axis == extents.size()) return body(point);
    const int64_t extent = evaluate(extents[axis], point);
    for (int64_t i = 0; i < extent; ++i) {
      point.axes[axis] = i;
      axes(axis + 1);
    }
  };
  const std::function<void(size_t)> sizes = [&](size_t symbol) {
    if (symbol == symbols.size()) return axes(0);
    const SymbolInfo& info = *symbols[symbol];
    point.symbols.push_back(0);
    for (int64_t value = info.min; value <= std::min(info.max, info.min + largest); ++value) {
      point.symbols[symbol] = value;
      sizes(symbol + 1);
    }
    point.symbols.pop_back();
  };
  sizes(0);
}

Checked IndexGenerator::leaf(bool with_axes) {
  const auto axes = with_axes ? static_cast<int64_t>(space_.extents.size()) : 0;
  const auto symbols = static_cast<int64_t>(space_.symbols.size());
  const int64_t pick = number(0, 2 * axes + symbols);
  if (pick < 2 * axes) {
    const auto axis = static_cast<size_t>(pick / 2);
    return {Index::axis(static_cast<int>(axis), space_.extents[axis]),
            [axis](const IndexPoint& point) { return point.axes[axis]; }};
  }
  if (pick < 2 * axes + symbols) {
    const auto symbol = static_cast<size_t>(pick - 2 * axes);
    return {Index::symbol(space_.symbols[symbol]),
            [symbol](const IndexPoint& point) { return point.symbols[symbol]; }};
  }
  return constant(number(-6, 6));
}

Checked IndexGenerator::divisor() {
  std::vector<size_t> positive;
  for (size_t s = 0; s < space_.symbols.size(); ++s) {
    if (space_.symbols[s]->min > 0) positive.push_back(s);
  }
  const int64_t factor = number(1, 4);
  if (!positive.empty() && number(0, 2) == 0) {
    const size_t symbol =
        positive[static_cast<size_t>(number(0, static_cast<int64_t>(positive.size()) - 1))];
    return {Index::symbol(space_.symbols[symbol]) * factor,
            [=](const IndexPoint& point) { return point.symbols[symbol] * factor; }};
  }
  return constant(factor * number(1, 4));
}

Checked IndexGenerator::expression(int depth, bool with_axes) {
  if (depth == 0) return leaf(with_axes);
  const Checked a = expression(depth - 1, with_axes);
  const auto f = a.value;
  const int64_t pick = number(0, 9);
  if (pick >= 5 && pick <= 8) {
    const Checked d = divisor();
    const auto g = d.value;
    if (pick <= 6) {
      return {floordiv(a.index, d.index),
              [=](const IndexPoint& p) { return floor_quotient(f(p), g(p)); }};
    }
    return {mod(a.index, d.index),
            [=](const IndexPoint& p) { return f(p) - floor_quotient(f(p), g(p)) * g(p); }};
  }
  if (pick == 9) {
    const Checked d = divisor();
    const auto g = d.value;
    return {ceildiv(a.index, d.index),
            [=](const IndexPoint& p) { return -floor_quotient(-f(p), g(p)); }};
  }
  const Checked b = expression(static_cast<int>(number(0, depth - 1)), with_axes);
  const auto h = b.value;
  switch (pick) {
    case 0:
      return {a.index + b.index, [=](const IndexPoint& p) { return f(p) + h(p); }};
    case 1:
      return {a.index - b.index, [=](const IndexPoint& p) { return f(p) - h(p); }};
    case 2: {
      const int64_t factor = number(-4, 4);
      return {a.index * factor + b.index,
              [=](const IndexPoint& p) { return f(p) * factor + h(p); }};
    }
    case 3:
      if (number(0, 2) == 0) {
        return {a.index * b.index, [=](const IndexPoint& p) { return f(p) * h(p); }};
      }
      return {min(a.index, b.index), [=](const IndexPoint& p) { return std::min(f(p), h(p)); }};
    default:
      return {max(a.index, b.index), [=](const IndexPoint& p) { return std::max(f(p), h(p)); }};
  }
}

}  // namespace burin
