#include "plan/memory/address.h"

#include <algorithm>

#include "kernel/index/size_bound.h"
#include "support/at.h"

namespace burin {
namespace {

const Value& value_of(ValueId id, const std::vector<Value>& values) { return values[at(id)]; }

// A distance in elements as bytes, where that is a whole number that does not change.
std::optional<Dim> fixed_bytes(const Index& elements, int bits) {
  if (!is_known_before_run(elements)) return std::nullopt;
  const Dim total = elements * int64_t{bits};
  if (!mod(total, 8).is_constant(0)) return std::nullopt;
  return floordiv(total, 8);
}

// Points of the axes, as a number.
Dim points(const std::vector<int>& over, const std::vector<Axis>& axes) {
  Dim count = 1;
  for (const int axis : over) count *= axes[at(axis)].extent;
  return count;
}

}  // namespace

Index linear_address(const std::vector<Index>& at, const std::vector<Dim>& shape) {
  Index address = 0;
  for (size_t i = 0; i < at.size(); ++i) address = address * shape[i] + at[i];
  return address;
}

bool proven_injective(const Index& address, const std::vector<int>& over,
                      const std::vector<Axis>& axes) {
  if (address.has_data()) return false;
  std::vector<Dim> strides(axes.size(), Dim(0));
  for (const Index::Term& term : address.terms()) {
    int axis = -1;
    Dim stride = term.coefficient;
    for (const Index& atom : term.atoms) {
      if (atom.kind() == IndexKind::axis) {
        if (axis >= 0) return false;
        axis = atom.axis_id();
      } else if (atom.has_axes()) {
        return false;
      } else {
        stride *= atom;
      }
    }
    if (axis < 0) continue;
    if (std::find(over.begin(), over.end(), axis) == over.end()) return false;
    strides[at(axis)] += stride;
  }
  std::vector<std::pair<Dim, Dim>> rest;  // stride, extent
  for (const int axis : over) {
    const Dim& extent = axes[at(axis)].extent;
    if (proven_le(extent, 1)) continue;
    const Dim& stride = strides[at(axis)];
    rest.emplace_back(proven_lt(stride, 0) ? -stride : stride, extent);
  }
  Dim reach = 0;  // the largest distance between two points of the axes so far
  while (!rest.empty()) {
    const auto smallest = std::find_if(rest.begin(), rest.end(), [&](const auto& candidate) {
      return std::all_of(rest.begin(), rest.end(), [&](const auto& other) {
        return proven_le(candidate.first, other.first);
      });
    });
    if (smallest == rest.end() || !proven_lt(reach, smallest->first)) return false;
    reach += smallest->first * (smallest->second - 1);
    rest.erase(smallest);
  }
  return true;
}

bool defines_all(const Kernel& kernel, ValueId value, const std::vector<Value>& values) {
  const std::vector<Dim>& shape = value_of(value, values).shape;
  Dim covered = 0;
  for (const Write& write : kernel.writes) {
    if (write.to != value || write.how != How::store || !write.when.empty()) continue;
    if (!proven_injective(linear_address(write.at, shape), write.over, kernel.axes)) continue;
    covered += points(write.over, kernel.axes);
  }
  return covered == product(shape);
}

std::optional<std::pair<Dim, Dim>> written_range(const Kernel& kernel, ValueId value,
                                                 const std::vector<Value>& values) {
  const Value& info = value_of(value, values);
  const int bits = size_bits(info.type);
  if (bits < 8) return std::nullopt;
  std::optional<std::pair<Dim, Dim>> out;
  for (const Write& write : kernel.writes) {
    if (write.to != value) continue;
    const Index address = linear_address(write.at, info.shape) * (bits / 8);
    if (address.has_data()) return std::nullopt;
    const std::optional<Dim> first = address.lower_bound(), last = address.upper_bound();
    if (!first || !last) return std::nullopt;
    const Dim end = *last + bits / 8;
    out = out ? std::pair(min(out->first, *first), max(out->second, end)) : std::pair(*first, end);
  }
  return out;
}

namespace {

// An axis that has one value where a piece of a concatenation is moved.
struct Pinned {
  int axis = -1;
  Index value;

  Index operator()(const Index& index) const {
    return index.map_leaves([&](const Index& leaf) -> Index {
      return leaf.kind() == IndexKind::axis && leaf.axis_id() == axis ? value : leaf;
    });
  }
};

// The only condition of a case, where it is about an axis; null: another one.
const Condition* condition_of(const Expr::Case& one) {
  return one.guard.size() == 1 && one.guard[0].index.kind() == IndexKind::axis ? one.guard.data()
                                                                               : nullptr;
}

Pinned pinned(const Condition* condition, const Index& first, const Index& end) {
  if (!condition || end - first != Index(1)) return {};
  return {condition->index.axis_id(), first};
}

// Where the pieces before have taken the axis from its start, the last one has what is left of it.
Pinned pinned_by_others(const std::vector<Expr::Case>& cases) {
  Index first = 0;
  for (const Expr::Case& one : cases) {
    const Condition* condition = condition_of(one);
    if (!condition || condition->index != cases[0].guard[0].index || condition->lo != first)
      return {};
    first = condition->hi;
  }
  const Condition* any = condition_of(cases[0]);
  return pinned(any, first, any->index.axis_extent());
}

// Adds the moves of one expression that is stored at `address` of `to`.
bool add_moves(const Expr& expr, ValueId to, const Index& address, const Pinned& pin,
               const std::vector<Value>& values, std::vector<Move>& moves) {
  if (expr.kind() == ExprKind::cases) {
    for (const Expr::Case& one : expr->cases) {
      const Condition* condition = condition_of(one);
      const Pinned own = condition ? pinned(condition, condition->lo, condition->hi) : pin;
      if (!add_moves(one.value, to, address, own, values, moves)) return false;
    }
    return add_moves(expr->operands[0], to, address, pinned_by_others(expr->cases), values, moves);
  }
  if (expr.kind() != ExprKind::load) return false;
  const Value& source = value_of(expr->id, values);
  const Type type = value_of(to, values).type;
  if (source.type != type || expr->storage != type) return false;
  const std::optional<Dim> delta =
      fixed_bytes(pin(linear_address(expr->at, source.shape) - address), size_bits(type));
  if (!delta) return false;
  Move move{expr->id, to, *delta};
  if (std::find(moves.begin(), moves.end(), move) == moves.end()) moves.push_back(std::move(move));
  return true;
}

}  // namespace

std::optional<std::vector<Move>> moves_of(const Kernel& kernel, const std::vector<Value>& values) {
  if (!kernel.lets.empty() || kernel.writes.empty()) return std::nullopt;
  std::vector<Move> moves;
  for (const Write& write : kernel.writes) {
    const Index address = linear_address(write.at, value_of(write.to, values).shape);
    if (write.how != How::store) return std::nullopt;
    if (!add_moves(write.value, write.to, address, {}, values, moves)) return std::nullopt;
  }
  return moves;
}

namespace {

// What one kernel does with one operand.
class OperandUse {
 public:
  OperandUse(const Kernel& kernel, ValueId operand, int row_let)
      : kernel_(kernel), operand_(operand), row_let_(row_let) {
    // To a fixpoint: a recurrence may use a later let, one step back.
    reading_lets_.assign(kernel.lets.size(), false);
    for (bool changed = true; changed;) {
      changed = false;
      for (size_t i = 0; i < kernel.lets.size(); ++i) {
        for (const Expr& body : kernel.lets[i].body) {
          if (reading_lets_[i] || !reads(body)) continue;
          reading_lets_[i] = changed = true;
        }
      }
    }
  }

  bool reads(const Write& write) const {
    bool found = reads(write.value);
    for_each_index(write, [&](const Index& index) {
      visit_distinct(index, [&](const ExprNode& node) { found = found || is_use(node); });
    });
    return found;
  }

  // Every let that reads the operand is a map that is used at its own point only, so that what it
  // loads is loaded at the point of the write. (A reduction could keep its partial sums where its
  // result goes.)
  bool only_at_own_point(const Write& write) const {
    bool holds = true;
    const auto check = [&](const ExprNode& node) {
      if (node.kind != ExprKind::let || !reading_lets_[at(node.id)]) return;
      const Let& let = kernel_.lets[at(node.id)];
      if (!let.reduced.empty()) holds = false;
      for (size_t i = 0; i < let.over.size(); ++i) {
        const int axis = let.over[i];
        if (!(node.at[i] == Index::axis(axis, kernel_.axes[at(axis)].extent))) holds = false;
      }
    };
    for_each_node(write, check);
    return holds;
  }

  // Whether the operand is read for the row let, which is made before the writes.
  bool is_read_by_row_let() const { return row_let_ >= 0 && reading_lets_[at(row_let_)]; }

  // Every load that the write depends on.
  std::vector<std::vector<Index>> loads(const Write& write) const {
    std::vector<std::vector<Index>> all;
    for_each_node(write, [&](const ExprNode& node) {
      if (node.kind == ExprKind::load && node.id == operand_) all.push_back(node.at);
    });
    return all;
  }

 private:
  bool is_use(const ExprNode& node) const {
    if (node.kind == ExprKind::load) return node.id == operand_;
    return node.kind == ExprKind::let && node.id != row_let_ && reading_lets_[at(node.id)];
  }

  bool reads(const Expr& expr) const {
    bool found = false;
    visit_distinct(expr, [&](const ExprNode& node) { found = found || is_use(node); });
    return found;
  }

  template <class Visit>
  static void for_each_index(const Write& write, const Visit& visit_index) {
    for (const Index& index : write.at) visit_index(index);
    for (const Condition& condition : write.when) {
      visit_index(condition.index);
      visit_index(condition.lo);
      visit_index(condition.hi);
    }
  }

  // The nodes of the write and of every let that reads the operand.
  template <class Visit>
  void for_each_node(const Write& write, const Visit& on_node) const {
    visit_distinct(write.value, on_node);
    for_each_index(write, [&](const Index& index) { visit_distinct(index, on_node); });
    for (size_t i = 0; i < kernel_.lets.size(); ++i) {
      if (!reading_lets_[i]) continue;
      for (const Expr& body : kernel_.lets[i].body) visit_distinct(body, on_node);
    }
  }

  const Kernel& kernel_;
  ValueId operand_;
  int row_let_;
  std::vector<bool> reading_lets_;
};

}  // namespace

std::optional<Dim> in_place_delta(const Kernel& kernel, ValueId to, ValueId from,
                                  const std::vector<Value>& values, int row_let) {
  const int bits = size_bits(value_of(to, values).type);
  if (to == from || bits < 8 || size_bits(value_of(from, values).type) != bits) return std::nullopt;
  const OperandUse use(kernel, from, row_let);
  const Write* only = nullptr;
  for (const Write& write : kernel.writes) {
    if (write.to == from || (write.to == to && only)) return std::nullopt;
    if (write.to == to) {
      only = &write;
    } else if (use.reads(write)) {
      return std::nullopt;
    }
  }
  if (!only || only->how != How::store || !use.only_at_own_point(*only)) return std::nullopt;
  if (use.is_read_by_row_let() && only->over != kernel.lets[at(row_let)].over) return std::nullopt;
  const Index address = linear_address(only->at, value_of(to, values).shape);
  if (!proven_injective(address, only->over, kernel.axes)) return std::nullopt;
  std::optional<Dim> delta;
  for (const std::vector<Index>& load : use.loads(*only)) {
    const std::optional<Dim> distance =
        fixed_bytes(linear_address(load, value_of(from, values).shape) - address, bits);
    if (!distance || (delta && !(*distance == *delta))) return std::nullopt;
    delta = distance;
  }
  return delta;
}

}  // namespace burin
