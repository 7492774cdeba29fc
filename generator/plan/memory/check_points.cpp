#include "plan/memory/check_points.h"

#include <algorithm>
#include <set>

#include "kernel/index/divisions.h"
#include "support/at.h"

namespace burin {
namespace {

constexpr int64_t kAllPoints = 512;  // up to so many points are all tried
constexpr int kSpreadPoints = 48;    // otherwise so many, beside the corners

// Whether no divisor inside is 0. Where a size is a quotient by a size that may be 0 (a tensor
// without elements in another shape), there is nothing to address.
bool is_defined(const Index& index, const std::function<int64_t(const Index&)>& leaf) {
  std::vector<Index> divisions;
  collect_divisions(index, divisions);
  return std::all_of(divisions.begin(), divisions.end(), [&](const Index& division) {
    return division.operands()[1].evaluate(leaf) != 0;
  });
}

int64_t size_at(const Dim& dim, const Sizes& sizes) {
  return evaluate_at(dim, {}, sizes).value_or(0);
}

}  // namespace

std::optional<int64_t> evaluate_at(const Index& index, const Point& point, const Sizes& sizes) {
  // What most are: asked at every point of every kernel.
  if (index.is_constant()) return index.constant();
  if (index.kind() == IndexKind::axis) return point[at(index.axis_id())];
  if (index.has_data()) return std::nullopt;
  const auto leaf = [&](const Index& one) {
    return one.kind() == IndexKind::axis ? point[at(one.axis_id())] : sizes(one.as_symbol());
  };
  if (!is_defined(index, leaf)) return std::nullopt;
  return index.evaluate(leaf);
}

std::vector<Point> sample_points(const Kernel& kernel, const std::vector<int>& over,
                                 const Sizes& sizes) {
  std::vector<int64_t> extents;
  for (const Axis& axis : kernel.axes) extents.push_back(size_at(axis.extent, sizes));
  int64_t count = 1;
  for (const int axis : over) {
    if (extents[at(axis)] <= 0) return {};
    if (count <= kAllPoints) count *= extents[at(axis)];
  }
  std::vector<Point> points;
  Point point(kernel.axes.size(), 0);
  if (count <= kAllPoints) {
    for (int64_t number = 0; number < count; ++number) {
      int64_t rest = number;
      for (size_t i = over.size(); i-- > 0;) {
        point[at(over[i])] = rest % extents[at(over[i])];
        rest /= extents[at(over[i])];
      }
      points.push_back(point);
    }
    return points;
  }
  points.push_back(point);
  for (const int axis : over) {
    for (const int64_t where : {int64_t{1}, extents[at(axis)] / 2, extents[at(axis)] - 1}) {
      Point corner(kernel.axes.size(), 0);
      corner[at(axis)] = std::min(where, extents[at(axis)] - 1);
      points.push_back(std::move(corner));
    }
  }
  for (const int axis : over) point[at(axis)] = extents[at(axis)] - 1;
  points.push_back(point);
  uint64_t noise = 1;
  for (int i = 0; i < kSpreadPoints; ++i) {
    for (const int axis : over) {
      noise = noise * 6364136223846793005u + 1442695040888963407u;
      point[at(axis)] =
          static_cast<int64_t>((noise >> 33) % static_cast<uint64_t>(extents[at(axis)]));
    }
    points.push_back(point);
  }
  std::sort(points.begin(), points.end());
  points.erase(std::unique(points.begin(), points.end()), points.end());
  return points;
}

std::optional<int64_t> address_at(const std::vector<Index>& at, const std::vector<Dim>& shape,
                                  const Point& point, const Sizes& sizes) {
  int64_t address = 0;
  for (size_t i = 0; i < at.size(); ++i) {
    const std::optional<int64_t> index = evaluate_at(at[i], point, sizes);
    if (!index) return std::nullopt;
    address = address * size_at(shape[i], sizes) + *index;
  }
  return address;
}

namespace {

bool holds_at(const Guard& guard, const Point& point, const Sizes& sizes) {
  return std::all_of(guard.begin(), guard.end(), [&](const Condition& condition) {
    const std::optional<int64_t> index = evaluate_at(condition.index, point, sizes);
    // Unknown counts as met, so that the point is looked at.
    return !index ||
           (size_at(condition.lo, sizes) <= *index && *index < size_at(condition.hi, sizes));
  });
}

// Bits from the start of the space.
std::optional<int64_t> bit_of(ValueId value, const std::vector<Index>& index,
                              const std::vector<Value>& values, const Point& point,
                              const Places& places, const Sizes& sizes) {
  const Value& what = values[at(value)];
  const std::optional<int64_t> element = address_at(index, what.shape, point, sizes);
  if (!element) return std::nullopt;
  return places(value).byte * 8 + *element * size_bits(what.type);
}

}  // namespace

std::string check_identity(const Kernel& kernel, const std::vector<Value>& values,
                           const Places& places, const Sizes& sizes) {
  if (!kernel.lets.empty()) return "is more than a copy";
  for (const Write& write : kernel.writes) {
    if (write.how != How::store) return "accumulates";
    for (const Point& point : sample_points(kernel, write.over, sizes)) {
      if (!holds_at(write.when, point, sizes)) continue;
      Expr source = write.value;
      while (source.kind() == ExprKind::cases) {
        Expr chosen = source->operands[0];
        for (size_t i = source->cases.size(); i-- > 0;) {
          if (holds_at(source->cases[i].guard, point, sizes)) chosen = source->cases[i].value;
        }
        source = chosen;
      }
      if (source.kind() != ExprKind::load) return "is more than a copy";
      if (source->storage != values[at(write.to)].type ||
          values[at(source->id)].type != values[at(write.to)].type) {
        return "changes the type";
      }
      const auto from = bit_of(source->id, source->at, values, point, places, sizes);
      const auto to = bit_of(write.to, write.at, values, point, places, sizes);
      if (!from || !to || *from != *to || places(source->id).space != places(write.to).space) {
        return "moves elements of v" + std::to_string(source->id) + " to another place in v" +
               std::to_string(write.to);
      }
    }
  }
  return {};
}

namespace {

// Visits the addresses of `value` that an expression loads at a point, through lets.
class Loads {
 public:
  Loads(const Kernel& kernel, ValueId value, const std::vector<Value>& values, const Sizes& sizes,
        int row_let)
      : kernel_(kernel),
        value_(value),
        row_let_(row_let),
        shape_(values[at(value)].shape),
        sizes_(sizes) {
    mentions_.assign(kernel.lets.size(), false);
    for (size_t round = 0; round < kernel.lets.size(); ++round) {
      for (size_t i = 0; i < kernel.lets.size(); ++i) {
        for (const Expr& body : kernel.lets[i].body) {
          if (mentions(body)) mentions_[i] = true;
        }
      }
    }
  }

  bool mentions(const Expr& expr) const {
    bool found = false;
    visit_distinct(expr, [&](const ExprNode& node) { found = found || is_mention(node); });
    return found;
  }

  bool mentions(const Write& write) const {
    bool found = mentions(write.value);
    const auto check = [&](const Index& index) {
      visit_distinct(index, [&](const ExprNode& node) { found = found || is_mention(node); });
    };
    for (const Index& index : write.at) check(index);
    for (const Condition& condition : write.when) check(condition.index);
    return found;
  }

  // Elements of the value; false when one cannot be told (data, or lets that go on for ever).
  bool collect(const Write& write, const Point& point, std::set<int64_t>& elements) const {
    bool known = true;
    const auto on_node = [&](const ExprNode& node) {
      known = known && add(node, point, elements, 0);
    };
    visit_distinct(write.value, on_node);
    for (const Index& index : write.at) visit_distinct(index, on_node);
    for (const Condition& condition : write.when) visit_distinct(condition.index, on_node);
    if (row_let_ < 0 || !mentions_[at(row_let_)]) return known;
    // The row let has read the operand at the same point.
    const Let& let = kernel_.lets[at(row_let_)];
    for (const Expr& body : let.body) visit_distinct(body, on_node);
    return known && write.over == let.over;
  }

 private:
  bool is_mention(const ExprNode& node) const {
    if (node.kind == ExprKind::load) return node.id == value_;
    return node.kind == ExprKind::let && node.id != row_let_ && mentions_[at(node.id)];
  }

  bool add(const ExprNode& node, const Point& point, std::set<int64_t>& elements, int depth) const {
    if (!is_mention(node)) return true;
    if (node.kind == ExprKind::load) {
      const std::optional<int64_t> element = address_at(node.at, shape_, point, sizes_);
      if (element) elements.insert(*element);
      return element.has_value();
    }
    if (depth > 16) return false;
    const Let& let = kernel_.lets[at(node.id)];
    Point inner = point;
    for (size_t i = 0; i < let.over.size(); ++i) {
      const std::optional<int64_t> index = evaluate_at(node.at[i], point, sizes_);
      if (!index) return false;
      inner[at(let.over[i])] = *index;
    }
    std::vector<Point> points = {inner};
    for (const int axis : let.reduced) {
      const int64_t extent = size_at(kernel_.axes[at(axis)].extent, sizes_);
      std::vector<Point> more;
      for (Point one : points) {
        for (const int64_t where : std::set<int64_t>{0, extent / 2, extent - 1}) {
          one[at(axis)] = where;
          if (where >= 0 && where < extent) more.push_back(one);
        }
      }
      points = std::move(more);
    }
    bool known = true;
    for (const Point& one : points) {
      for (const Expr& body : let.body) {
        visit_distinct(body, [&](const ExprNode& below) {
          known = known && add(below, one, elements, depth + 1);
        });
      }
    }
    return known;
  }

  const Kernel& kernel_;
  ValueId value_;
  int row_let_;
  const std::vector<Dim>& shape_;
  const Sizes& sizes_;
  std::vector<bool> mentions_;
};

// Different points have different addresses, and there are as many of both: counted where there are
// few, otherwise by the strides of an address that is seen to be linear.
std::optional<int64_t> distinct_addresses(const Kernel& kernel, const Write& write,
                                          const std::vector<Dim>& shape, const Sizes& sizes) {
  std::vector<std::pair<int64_t, int64_t>> strides;  // of axes with more than one point; extent
  Point origin(kernel.axes.size(), 0);
  int64_t count = 1;
  const std::optional<int64_t> base = address_at(write.at, shape, origin, sizes);
  if (!base) return std::nullopt;
  std::vector<int64_t> by_axis(kernel.axes.size(), 0);
  for (const int axis : write.over) {
    const int64_t extent = size_at(kernel.axes[at(axis)].extent, sizes);
    count *= std::max<int64_t>(0, extent);
    if (extent <= 1) continue;
    Point next = origin;
    next[at(axis)] = 1;
    by_axis[at(axis)] = address_at(write.at, shape, next, sizes).value_or(*base) - *base;
    strides.emplace_back(std::abs(by_axis[at(axis)]), extent);
  }
  for (const Point& point : sample_points(kernel, write.over, sizes)) {
    int64_t linear = *base;
    for (const int axis : write.over) linear += by_axis[at(axis)] * point[at(axis)];
    if (address_at(write.at, shape, point, sizes) != linear) return std::nullopt;
  }
  std::sort(strides.begin(), strides.end());
  int64_t reach = 0;
  for (const auto& [stride, extent] : strides) {
    if (stride <= reach) return std::nullopt;
    reach += stride * (extent - 1);
  }
  return count;
}

}  // namespace

std::string check_in_place(const Kernel& kernel, ValueId to, ValueId from,
                           const std::vector<Value>& values, const Places& places,
                           const Sizes& sizes, int row_let) {
  const std::string pair = "v" + std::to_string(to) + " over v" + std::to_string(from);
  const Loads loads(kernel, from, values, sizes, row_let);
  int writes = 0;
  for (const Write& write : kernel.writes) {
    if (!loads.mentions(write)) continue;
    if (write.to != to) return pair + ": another result reads the operand";
  }
  for (const Write& write : kernel.writes) {
    if (write.to != to) continue;
    if (++writes > 1) return pair + ": the result is written twice";
    if (write.how != How::store) return pair + ": the result is accumulated";
    std::set<int64_t> written;
    const std::vector<Point> points = sample_points(kernel, write.over, sizes);
    for (const Point& point : points) {
      const auto target = bit_of(to, write.at, values, point, places, sizes);
      if (!target) return pair + ": the address depends on data";
      if (!written.insert(*target).second) return pair + ": an element is written twice";
      std::set<int64_t> elements;
      if (!loads.collect(write, point, elements)) return pair + ": an operand's address is unknown";
      for (const int64_t element : elements) {
        const int bits = size_bits(values[at(from)].type);
        if (bits != size_bits(values[at(to)].type) || places(from).space != places(to).space ||
            places(from).byte * 8 + element * bits != *target) {
          return pair + ": a point reads what another one writes";
        }
      }
    }
    int64_t count = 1;
    for (const int axis : write.over) {
      count *= std::min(kAllPoints + 1, size_at(kernel.axes[at(axis)].extent, sizes));
      count = std::min(count, kAllPoints + 1);
    }
    if (count > kAllPoints && !distinct_addresses(kernel, write, values[at(to)].shape, sizes)) {
      return pair + ": an element may be written twice";
    }
  }
  return {};
}

std::optional<std::pair<int64_t, int64_t>> written_bits(const Kernel& kernel, ValueId value,
                                                        const std::vector<Value>& values,
                                                        const Sizes& sizes) {
  const Value& what = values[at(value)];
  std::optional<std::pair<int64_t, int64_t>> out;
  for (const Write& write : kernel.writes) {
    if (write.to != value) continue;
    for (const Point& point : sample_points(kernel, write.over, sizes)) {
      const std::optional<int64_t> element = address_at(write.at, what.shape, point, sizes);
      if (!element) return std::nullopt;
      const int64_t first = *element * size_bits(what.type), last = first + size_bits(what.type);
      out = out ? std::pair(std::min(out->first, first), std::max(out->second, last))
                : std::pair(first, last);
    }
  }
  return out.value_or(std::pair<int64_t, int64_t>(0, 0));
}

bool covers_all(const Kernel& kernel, ValueId value, const std::vector<Value>& values,
                const Sizes& sizes) {
  const std::vector<Dim>& shape = values[at(value)].shape;
  int64_t elements = 1;
  for (const Dim& dim : shape) elements *= std::max<int64_t>(0, size_at(dim, sizes));
  int64_t covered = 0;
  std::set<int64_t> seen;
  for (const Write& write : kernel.writes) {
    if (write.to != value || write.how != How::store) continue;
    const bool known = std::none_of(write.when.begin(), write.when.end(),
                                    [](const Condition& c) { return c.index.has_data(); });
    if (!known) continue;
    for (const Point& point : sample_points(kernel, write.over, sizes)) {
      if (!holds_at(write.when, point, sizes)) continue;
      if (const auto address = address_at(write.at, shape, point, sizes)) seen.insert(*address);
    }
    if (!write.when.empty()) continue;
    covered += distinct_addresses(kernel, write, shape, sizes).value_or(0);
  }
  return static_cast<int64_t>(seen.size()) == elements || covered == elements;
}

}  // namespace burin
