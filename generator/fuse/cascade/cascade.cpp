#include "fuse/cascade/cascade.h"

#include <algorithm>
#include <functional>
#include <numeric>

#include "fuse/access/access.h"
#include "fuse/access/access_size.h"
#include "fuse/access/rotation.h"
#include "kernel/rewrite_kernel.h"
#include "kernel/split_axes.h"

namespace burin {
namespace {

// coefficient * axis
struct AxisDigit {
  int64_t coefficient;
  int axis;
};
using Digits = std::vector<AxisDigit>;  // largest coefficient first

const Dim& extent_of(const Kernel& kernel, int axis) {
  return kernel.axes[static_cast<size_t>(axis)].extent;
}

// An index that counts a dimension through from its first element to its last, as the digits of a
// number whose base changes from digit to digit; nullopt when it does not.
std::optional<Digits> digits_of(const Index& index, const Kernel& kernel, const Dim& size) {
  Digits digits;
  if (index.constant_term() != 0) return std::nullopt;
  for (const Index::Term& term : index.terms()) {
    if (term.atoms.size() != 1 || term.atoms[0].kind() != IndexKind::axis || term.coefficient < 1)
      return std::nullopt;
    digits.push_back({term.coefficient, term.atoms[0].axis_id()});
  }
  std::sort(digits.begin(), digits.end(),
            [](const AxisDigit& a, const AxisDigit& b) { return a.coefficient > b.coefficient; });
  Dim covered = 1;
  for (size_t k = digits.size(); k-- > 0;) {
    if (covered != Dim(digits[k].coefficient)) return std::nullopt;
    covered *= extent_of(kernel, digits[k].axis);
  }
  return covered == size ? std::optional(digits) : std::nullopt;
}

// Cuts the axes of `digits` wherever one of `others` begins. False when that is not possible.
bool cut(const Digits& digits, const Digits& others, const Kernel& kernel,
         std::vector<std::vector<Dim>>& chains) {
  for (const AxisDigit& other : others) {
    // The digit in which the other one begins.
    const auto at = std::find_if(digits.begin(), digits.end(), [&](const AxisDigit& digit) {
      return digit.coefficient <= other.coefficient;
    });
    if (at == digits.end()) return false;
    if (at->coefficient == other.coefficient) continue;
    if (other.coefficient % at->coefficient != 0) return false;
    const int64_t step = other.coefficient / at->coefficient;
    if (!mod(extent_of(kernel, at->axis), step).is_constant(0) || !may_split(kernel, at->axis))
      return false;
    std::vector<Dim>& chain = chains[static_cast<size_t>(at->axis)];
    if (std::find(chain.begin(), chain.end(), Dim(step)) == chain.end()) chain.emplace_back(step);
  }
  return true;
}

bool settle(std::vector<std::vector<Dim>>& chains) {
  for (std::vector<Dim>& chain : chains) {
    std::sort(chain.begin(), chain.end(),
              [](const Dim& a, const Dim& b) { return a.constant() < b.constant(); });
    for (size_t k = 1; k < chain.size(); ++k) {
      if (chain[k].constant() % chain[k - 1].constant() != 0) return false;
    }
  }
  return true;
}

bool any(const std::vector<std::vector<Dim>>& chains) {
  return std::any_of(chains.begin(), chains.end(), [](const auto& one) { return !one.empty(); });
}

template <class Visit>
void for_each_expr(const Kernel& kernel, const Visit& on_expr) {
  for (const Let& let : kernel.lets) {
    for (const Expr& body : let.body) on_expr(body);
  }
  for (const Write& write : kernel.writes) {
    on_expr(write.value);
    for (const Index& index : write.at) on_expr(Expr::index(index));
    for (const Condition& condition : write.when) on_expr(Expr::index(condition.index));
  }
}

bool loads_inside_indices(const Kernel& kernel, ValueId value) {
  bool found = false;
  for_each_expr(kernel, [&](const Expr& expr) {
    visit_indices(expr, [&](const Index& index) {
      visit(index, [&](const ExprNode& node) {
        found = found || (node.kind == ExprKind::load && node.id == value);
      });
    });
  });
  return found;
}

struct Points {
  std::vector<Digits> made, read;  // per dimension
};

// The sizes of the result's dimensions are what the producer's axes say: it writes all of it.
std::optional<Points> points_of(const Kernel& producer, const Kernel& reader) {
  const Write& write = producer.writes[0];
  const std::vector<std::vector<Index>> loads = load_points(reader, write.to);
  if (loads.size() != 1) return std::nullopt;
  Points points;
  for (size_t d = 0; d < write.at.size(); ++d) {
    Dim size = 1;
    for (const Index::Term& term : write.at[d].terms()) {
      for (const Index& atom : term.atoms) {
        if (atom.kind() == IndexKind::axis) size *= extent_of(producer, atom.axis_id());
      }
    }
    const auto made = digits_of(write.at[d], producer, size);
    const auto read = digits_of(loads[0][d], reader, size);
    if (!made || !read) return std::nullopt;
    points.made.push_back(*made);
    points.read.push_back(*read);
  }
  return points;
}

// Both kernels with their axes cut wherever the other's are. False when they cannot be.
bool cut_alike(Kernel& producer, Kernel& reader, const Points& points) {
  std::vector<std::vector<Dim>> of_producer(producer.axes.size()), of_reader(reader.axes.size());
  for (size_t d = 0; d < points.made.size(); ++d) {
    if (!cut(points.made[d], points.read[d], producer, of_producer) ||
        !cut(points.read[d], points.made[d], reader, of_reader))
      return false;
  }
  if (!settle(of_producer) || !settle(of_reader)) return false;
  if (any(of_producer)) producer = split_axes(producer, of_producer);
  if (any(of_reader)) reader = split_axes(reader, of_reader);
  return true;
}

// Whether two kernels read something at the same point once `from`'s axes have become `to`.
bool read_alike(const Kernel& from, const std::vector<Index>& to, const Kernel& other) {
  std::vector<Expr> loads;
  for_each_expr(other, [&](const Expr& expr) {
    visit(expr, [&](const ExprNode& node) {
      if (node.kind == ExprKind::load) loads.push_back(Expr::load(node.id, node.storage, node.at));
    });
  });
  bool found = false;
  for (const Let& let : from.lets) {
    for (const Expr& body : let.body) {
      visit(body, [&](const ExprNode& node) {
        if (node.kind != ExprKind::load) return;
        std::vector<Index> at;
        for (const Index& index : node.at) at.push_back(index.substitute_axes(to));
        const Expr moved = Expr::load(node.id, node.storage, std::move(at));
        found = found || std::find(loads.begin(), loads.end(), moved) != loads.end();
      });
    }
  }
  return found;
}

class Fuser {
 public:
  Fuser(const Fusible& fusible, int64_t recomputed_operations, SharedAxes shared)
      : fusible_(fusible), out_(fusible.reader), limit_(recomputed_operations), shared_(shared) {}

  Kernel run() {
    move_axes();
    for (const Let& let : fusible_.producer.lets) order_.push_back(order_of(let.over));
    std::vector<Let> lets;
    for (const Let& let : fusible_.producer.lets) lets.push_back(moved(let));
    const Write& write = fusible_.producer.writes[0];
    Expr value = moved(write.value);
    if (is_let(write.value)) {
      Let let;
      let.over = sorted(write.over);
      let.body = {value};
      let.accumulator = {value.type()};
      std::vector<Index> at;
      for (const int axis : let.over) at.push_back(Index::axis(axis, extent_of(out_, axis)));
      value = Expr::let(static_cast<int>(lets.size()), value.type(), std::move(at));
      lets.push_back(std::move(let));
    }
    const auto shift = static_cast<int>(lets.size());
    const auto on_expr = [&](const Expr& expr) -> Expr {
      if (expr.kind() == ExprKind::let)
        return Expr::let(expr->id + shift, expr.type(), expr->at, expr->component);
      return expr.kind() == ExprKind::load && expr->id == write.to ? value : expr;
    };
    rewrite_exprs(out_, on_expr);
    std::vector<Write> kept;
    for (size_t i = 1; i < fusible_.producer.writes.size(); ++i)
      kept.push_back(moved(fusible_.producer.writes[i], value));
    out_.writes.insert(out_.writes.begin(), std::make_move_iterator(kept.begin()),
                       std::make_move_iterator(kept.end()));
    out_.lets.insert(out_.lets.begin(), std::make_move_iterator(lets.begin()),
                     std::make_move_iterator(lets.end()));
    return std::move(out_);
  }

 private:
  // Axes that the producer alone reduces: some of the reader, or else new ones.
  void move_axes() {
    const Kernel& producer = fusible_.producer;
    const size_t count = producer.axes.size(),
                 free = shared_ == SharedAxes::none ? 0 : fusible_.reader.axes.size();
    std::vector<int> taken;
    for (size_t a = 0; a < count; ++a) {
      if (fusible_.axis[a] >= 0) taken.push_back(fusible_.axis[a]);
      to_.push_back(fusible_.axis[a] < 0 ? Index(0) : axis_of(fusible_.axis[a]));
    }
    for (size_t a = 0; a < count; ++a) {
      if (fusible_.axis[a] >= 0) continue;
      int target = -1, equal = -1;
      for (size_t r = 0; r < free && target < 0; ++r) {
        const int axis = static_cast<int>(r);
        if (std::find(taken.begin(), taken.end(), axis) != taken.end() ||
            fusible_.reader.axes[r].extent != producer.axes[a].extent)
          continue;
        if (equal < 0) equal = axis;
        to_[a] = axis_of(axis);
        if (read_alike(producer, to_, fusible_.reader)) target = axis;
      }
      if (target < 0 && shared_ == SharedAxes::any) target = equal;
      if (target < 0) {
        target = static_cast<int>(out_.axes.size());
        out_.axes.push_back(producer.axes[a]);
      }
      taken.push_back(target);
      to_[a] = axis_of(target);
    }
  }

  Index axis_of(int axis) const { return Index::axis(axis, extent_of(out_, axis)); }

  std::vector<int> moved(const std::vector<int>& axes) const {
    std::vector<int> out;
    for (const int axis : axes) out.push_back(to_[static_cast<size_t>(axis)].axis_id());
    return out;
  }
  std::vector<int> sorted(const std::vector<int>& axes) const {
    std::vector<int> out = moved(axes);
    std::sort(out.begin(), out.end());
    return out;
  }
  // Which of a let's axes comes first, second ... once they have moved.
  std::vector<size_t> order_of(const std::vector<int>& over) const {
    const std::vector<int> axes = moved(over);
    std::vector<size_t> order(over.size());
    std::iota(order.begin(), order.end(), size_t{0});
    std::sort(order.begin(), order.end(), [&](size_t a, size_t b) { return axes[a] < axes[b]; });
    return order;
  }

  Expr moved(const Expr& expr) const {
    return rewrite(
        expr,
        [&](const Expr& one) -> Expr {
          if (one.kind() != ExprKind::let) return one;
          std::vector<Index> at;
          for (const size_t k : order_[static_cast<size_t>(one->id)]) at.push_back(one->at[k]);
          return Expr::let(one->id, one.type(), std::move(at), one->component);
        },
        [&](const Index& leaf) -> Index {
          return leaf.kind() == IndexKind::axis ? to_[static_cast<size_t>(leaf.axis_id())] : leaf;
        });
  }
  Let moved(const Let& let) const {
    Let out = let;
    out.over = sorted(let.over);
    out.reduced = sorted(let.reduced);
    for (Expr& body : out.body) body = moved(body);
    return out;
  }

  // A write of the producer that stays; `value` stands for that of the result.
  Write moved(const Write& write, const Expr& value) const {
    Write out = write;
    out.over = sorted(write.over);
    out.value = write.value == fusible_.producer.writes[0].value ? value : moved(write.value);
    for (Index& index : out.at) index = index.substitute_axes(to_);
    return out;
  }

  // Whether the producer's value is better computed once: it is not cheap, and it is read in
  // several places or for every point of an axis that it does not depend on.
  bool is_let(const Expr& value) const {
    if (count_operations(value) <= limit_) return false;
    const ValueId result = fusible_.producer.writes[0].to;
    int places = 0;
    bool repeats = false;
    const auto scan = [&](const Expr& expr, const std::vector<int>& axes) {
      bool here = false;
      visit(expr, [&](const ExprNode& node) {
        here = here || (node.kind == ExprKind::load && node.id == result);
      });
      if (!here) return;
      ++places;
      for (const int axis : axes) {
        repeats = repeats || std::find(fusible_.axis.begin(), fusible_.axis.end(), axis) ==
                                 fusible_.axis.end();
      }
    };
    for (const Let& let : fusible_.reader.lets) {
      std::vector<int> axes = let.over;
      axes.insert(axes.end(), let.reduced.begin(), let.reduced.end());
      for (const Expr& body : let.body) scan(body, axes);
    }
    for (const Write& write : fusible_.reader.writes) scan(write.value, write.over);
    return places > 1 || repeats;
  }

  const Fusible& fusible_;
  Kernel out_;
  const int64_t limit_;
  const SharedAxes shared_;
  std::vector<Index> to_;  // of each axis of the producer
  std::vector<std::vector<size_t>> order_;
};

}  // namespace

std::optional<Fusible> find_fusible(const Kernel& producer, const Kernel& reader, bool keeps) {
  if (producer.writes.empty() || (producer.writes.size() > 1 && !keeps) ||
      is_sequential(producer) || is_sequential(reader))
    return std::nullopt;
  const Write& write = producer.writes[0];
  if (write.how != How::store || !write.when.empty() || loads_inside_indices(reader, write.to))
    return std::nullopt;
  Fusible fusible{producer, reader, {}};
  if (!keeps) unrotate(fusible.producer, fusible.reader);
  std::optional<Points> points = points_of(fusible.producer, fusible.reader);
  if (!points) {
    fusible.producer = split_axes(fusible.producer);
    fusible.reader = split_axes(fusible.reader);
    points = points_of(fusible.producer, fusible.reader);
  }
  if (!points || !cut_alike(fusible.producer, fusible.reader, *points)) return std::nullopt;
  points = points_of(fusible.producer, fusible.reader);
  if (!points) return std::nullopt;
  fusible.axis.assign(fusible.producer.axes.size(), -1);
  std::vector<bool> taken(fusible.reader.axes.size(), false);
  for (size_t d = 0; d < points->made.size(); ++d) {
    if (points->made[d].size() != points->read[d].size()) return std::nullopt;
    for (size_t k = 0; k < points->made[d].size(); ++k) {
      const AxisDigit &made = points->made[d][k], &read = points->read[d][k];
      int& target = fusible.axis[static_cast<size_t>(made.axis)];
      if (made.coefficient != read.coefficient || target >= 0 ||
          taken[static_cast<size_t>(read.axis)] ||
          extent_of(fusible.producer, made.axis) != extent_of(fusible.reader, read.axis))
        return std::nullopt;
      target = read.axis;
      taken[static_cast<size_t>(read.axis)] = true;
    }
  }
  for (const int axis : fusible.producer.writes[0].over) {
    if (fusible.axis[static_cast<size_t>(axis)] < 0) return std::nullopt;
  }
  return fusible;
}

Kernel fused(const Fusible& fusible, int64_t recomputed_operations, SharedAxes shared) {
  return Fuser(fusible, recomputed_operations, shared).run();
}

int64_t tree_size(const Kernel& kernel) {
  int64_t nodes = 0;
  for_each_expr(kernel, [&](const Expr& expr) { nodes += tree_size(expr); });
  return nodes;
}

}  // namespace burin
