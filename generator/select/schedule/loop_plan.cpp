// The generic schedule; see loop_plan.h.
//
// Lets and writes are items, in order. schedule(items, fixed axes) does this:
//   - axes that every item runs over, and at which items refer to each other at the same point,
//   become loops
//     around all of them; inside, the same again with those axes fixed;
//   - where there are none, the first item is scheduled alone or with as many successors as share
//   an axis,
//     then the rest.
// A let whose users sit in the same loops is a scalar; otherwise it gets scratch over the axes that
// are not shared.
#include "select/schedule/loop_plan.h"

#include <algorithm>
#include <map>
#include <set>
#include <tuple>

#include "kernel/expr/expr_axes.h"
#include "kernel/split_axes.h"
#include "select/axes/guards.h"
#include "select/schedule/pieces.h"
#include "support/check.h"

namespace burin {
namespace {

struct Item {
  bool is_let;
  int number;
};

class Scheduler {
 public:
  Scheduler(Kernel kernel, bool pieces, Following following = {}, OuterAxis outer = {},
            std::vector<SumTile> tiles = {})
      : kernel_(std::move(kernel)),
        pieces_(pieces),
        following_(std::move(following)),
        outer_(outer),
        tiles_(std::move(tiles)) {
    for (const Let& let : kernel_.lets) let_loops_.push_back(let.over);
    // What a tile spans is its own.
    for (const SumTile& tile : tiles_) {
      std::erase_if(let_loops_[static_cast<size_t>(tile.let)],
                    [&](int axis) { return axis == tile.row || axis == tile.column; });
    }
  }

  LoopPlan run() {
    const std::vector<Item> items = items_from(following_.first_let, following_.first_write);
    find_uses();
    std::vector<int> sequential;
    for (size_t a = 0; a < kernel_.axes.size(); ++a) {
      if (kernel_.axes[a].kind == AxisKind::sequential) sequential.push_back(static_cast<int>(a));
    }
    // Sequential axes enclose everything that runs over them; what does not comes before, alone.
    LoopPlan out;
    enclose(items, sequential);
    enclose(items, following_.around);
    std::vector<Item> before, inside;
    for (const Item& item : items) {
      const bool runs = std::any_of(sequential.begin(), sequential.end(),
                                    [&](int axis) { return contains(over(item), axis); });
      (runs || !inside.empty() ? inside : before).push_back(item);
    }
    out.loops = schedule(before, following_.around);
    LoopNodes body = schedule(inside, sequential.empty() ? following_.around : sequential);
    for (size_t k = sequential.size(); k-- > 0;) body = {loop(sequential[k], std::move(body))};
    append(out.loops, std::move(body));
    if (outer_.block_axis >= 0) out.loops = {loop(outer_.block_axis, std::move(out.loops))};
    out.scratch_bytes = following_.scratch_bytes;
    out.places = places(sequential, out.scratch_bytes);
    out.family = family();
    out.reason = "generic loops in the order of the axes";
    out.kernel = std::move(kernel_);
    out.tiles = std::move(tiles_);
    return out;
  }

 private:
  std::vector<Item> items_from(int first_let, int first_write) const {
    std::vector<Item> items;
    for (size_t i = static_cast<size_t>(first_let); i < kernel_.lets.size(); ++i)
      items.push_back({true, static_cast<int>(i)});
    for (size_t i = static_cast<size_t>(first_write); i < kernel_.writes.size(); ++i)
      items.push_back({false, static_cast<int>(i)});
    return items;
  }

  // Loops around all items.
  void enclose(const std::vector<Item>& items, const std::vector<int>& axes) {
    for (const int axis : axes) {
      const int number = next_loop_++;
      for (const Item& item : items) loops_[{item.is_let, item.number, axis}] = number;
    }
  }

  const std::vector<int>& over(const Item& item) const {
    return item.is_let ? let_loops_[static_cast<size_t>(item.number)]
                       : kernel_.writes[static_cast<size_t>(item.number)].over;
  }

  // Axes that hold the let references of every item apart: refs_[item] = (let, axis) read at
  // another point.
  void find_uses() {
    const auto scan = [&](const Expr& expr, std::set<std::pair<int, int>>& apart,
                          std::set<int>& used) {
      visit(expr, [&](const ExprNode& node) {
        if (node.kind != ExprKind::let) return;
        used.insert(node.id);
        const Let& let = kernel_.lets[static_cast<size_t>(node.id)];
        bool earlier_step = false;
        for (size_t k = 0; k < let.over.size(); ++k) {
          const Axis& axis = kernel_.axes[static_cast<size_t>(let.over[k])];
          const bool same =
              node.at[k].kind() == IndexKind::axis && node.at[k].axis_id() == let.over[k];
          if (axis.kind == AxisKind::sequential && !same) earlier_step = true;
        }
        for (size_t k = 0; k < let.over.size(); ++k) {
          const bool same =
              node.at[k].kind() == IndexKind::axis && node.at[k].axis_id() == let.over[k];
          if (!same && !earlier_step) apart.insert({node.id, let.over[k]});
          if (!same || earlier_step) stored_axes_.insert({node.id, let.over[k]});
          if (earlier_step) earlier_.insert(node.id);
        }
      });
    };
    for (const Let& let : kernel_.lets) {
      let_apart_.emplace_back();
      let_uses_.emplace_back();
      for (const Expr& body : let.body) scan(body, let_apart_.back(), let_uses_.back());
    }
    for (const Write& write : kernel_.writes) {
      write_apart_.emplace_back();
      write_uses_.emplace_back();
      scan(write.value, write_apart_.back(), write_uses_.back());
      for (const Index& index : write.at) {
        std::vector<ExprPtr> inner;
        index.collect_data(inner);
        for (const ExprPtr& expr : inner) scan(Expr(expr), write_apart_.back(), write_uses_.back());
      }
    }
  }

  const std::set<std::pair<int, int>>& apart(const Item& item) const {
    return item.is_let ? let_apart_[static_cast<size_t>(item.number)]
                       : write_apart_[static_cast<size_t>(item.number)];
  }

  const std::set<int>& uses(const Item& item) const {
    return item.is_let ? let_uses_[static_cast<size_t>(item.number)]
                       : write_uses_[static_cast<size_t>(item.number)];
  }

  // Axes that may enclose items[first, last) together.
  std::vector<int> shared(const std::vector<Item>& items, size_t first, size_t last,
                          const std::vector<int>& fixed) const {
    std::vector<int> axes;
    for (const int axis : over(items[first])) {
      if (contains(fixed, axis) || axis == outer_.axis) continue;
      bool all = true;
      for (size_t i = first; i < last && all; ++i) {
        all = contains(over(items[i]), axis);
        // A let of this group that is read at another point must be complete before.
        for (const auto& [let, apart_axis] : apart(items[i])) {
          if (apart_axis != axis) continue;
          for (size_t k = first; k < last; ++k)
            all = all && !(items[k].is_let && items[k].number == let);
        }
        // What is reduced over an axis by one item cannot run inside a loop over it.
        if (items[i].is_let &&
            contains(kernel_.lets[static_cast<size_t>(items[i].number)].reduced, axis))
          all = false;
      }
      if (all) axes.push_back(axis);
    }
    return axes;
  }

  LoopNode loop(int axis, LoopNodes nodes) const {
    return {ForLoop{axis, 0, kernel_.axes[static_cast<size_t>(axis)].extent, std::move(nodes)}};
  }

  LoopNodes schedule(const std::vector<Item>& items, const std::vector<int>& fixed) {
    LoopNodes out;
    for (size_t first = 0; first < items.size();) {
      size_t last = first + 1;
      std::vector<int> axes = shared(items, first, last, fixed);
      // Take successors in while an axis is left that all share; an item without axes of its own
      // ends the group.
      while (last < items.size() && !axes.empty()) {
        std::vector<int> wider = shared(items, first, last + 1, fixed);
        if (wider.empty()) break;
        axes = std::move(wider);
        ++last;
      }
      std::vector<Item> group(items.begin() + static_cast<std::ptrdiff_t>(first),
                              items.begin() + static_cast<std::ptrdiff_t>(last));
      if (axes.empty()) {
        append(out, leaf(group[0]));
      } else {
        std::vector<int> inner = fixed;
        inner.insert(inner.end(), axes.begin(), axes.end());
        append(out, nest(axes, 0, group, inner));
      }
      first = last;
    }
    return out;
  }

  // Loops over `axes` around the group; a group of one write is cut at its guards.
  LoopNodes nest(const std::vector<int>& axes, size_t depth, const std::vector<Item>& group,
                 const std::vector<int>& fixed) {
    if (pieces_ && group.size() == 1 && !group[0].is_let) {
      const Write& write = kernel_.writes[static_cast<size_t>(group[0].number)];
      return loops_in_pieces(ranges_of(axes), Store{group[0].number, write.value, write.when});
    }
    if (depth == axes.size()) return schedule(group, fixed);
    const int number = next_loop_++;
    for (const Item& item : group) loops_[{item.is_let, item.number, axes[depth]}] = number;
    return {loop(axes[depth], nest(axes, depth + 1, group, fixed))};
  }

  // Innermost the points of the outer axis.
  std::vector<LoopRange> ranges_of(const std::vector<int>& axes) const {
    std::vector<LoopRange> out;
    for (const int axis : axes)
      out.push_back({axis, 0, kernel_.axes[static_cast<size_t>(axis)].extent});
    if (outer_.axis < 0) return out;
    const Index extent = kernel_.axes[static_cast<size_t>(outer_.axis)].extent;
    if (outer_.block_axis < 0) {
      out.push_back({outer_.axis, 0, extent});
    } else {
      const int block = outer_.block_axis;
      const Index first =
          Index::axis(block, kernel_.axes[static_cast<size_t>(block)].extent) * outer_.points;
      out.push_back({outer_.axis, first, min(first + outer_.points, extent)});
    }
    return out;
  }

  // At each point of the outer axis; else as it is.
  LoopNodes at_points(LoopNode node) const {
    LoopNodes out{std::move(node)};
    for (const LoopRange& range : ranges_of({}))
      out = {LoopNode{ForLoop{range.axis, range.begin, range.end, std::move(out)}}};
    return out;
  }

  // One item all of whose axes are fixed (a let), or that has none.
  LoopNodes leaf(const Item& item) {
    if (!item.is_let) {
      const Write& write = kernel_.writes[static_cast<size_t>(item.number)];
      return loops_in_pieces(ranges_of({}), Store{item.number, write.value, write.when});
    }
    const Let& let = kernel_.lets[static_cast<size_t>(item.number)];
    if (let.op == Combiner::none) return at_points(LoopNode{Define{item.number}});
    Accumulate accumulate{item.number, let.body, {}};
    if (let.body.size() == 1) {
      Guarded guarded = strip_guard(let.op, let.body[0]);
      accumulate.body = {guarded.value};
      accumulate.when = std::move(guarded.guard);
    }
    LoopNodes out = at_points(LoopNode{BeginLet{item.number}});
    append(out, reduce(ranges_of(let.reduced), 0, std::move(accumulate)));
    if (outer_.axis < 0) out.push_back({EndLet{item.number}});
    for (const SumTile& tile : tiles_) {
      if (tile.let != item.number) continue;
      out = {loop(tile.column, std::move(out))};
      if (tile.row >= 0) out = {loop(tile.row, std::move(out))};
    }
    return out;
  }

  static LoopNodes reduce(const std::vector<LoopRange>& ranges, size_t depth,
                          Accumulate accumulate) {
    if (depth == ranges.size()) return {LoopNode{std::move(accumulate)}};
    Index begin = ranges[depth].begin, end = ranges[depth].end;
    take_bounds(accumulate.when, ranges, depth, begin, end);
    return {LoopNode{
        ForLoop{ranges[depth].axis, begin, end, reduce(ranges, depth + 1, std::move(accumulate))}}};
  }

  // A let is a scalar when every user sits inside the loops that enclose its definition and reads
  // it there.
  std::vector<LetPlace> places(const std::vector<int>& sequential, Dim& scratch) {
    std::vector<LetPlace> out(kernel_.lets.size());
    const std::vector<Item> users = items_from(0, 0);
    for (size_t i = static_cast<size_t>(following_.first_let); i < kernel_.lets.size(); ++i) {
      const Let& let = kernel_.lets[i];
      LetPlace& place = out[i];
      for (const int axis : let.over) {
        const bool is_sequential = contains(sequential, axis);
        const bool stored = axis == outer_.axis ||
                            stored_axes_.contains({static_cast<int>(i), axis}) ||
                            !shared_with_users(static_cast<int>(i), axis, users);
        if (is_sequential) {
          if (earlier_.contains(static_cast<int>(i))) place.sequential_rows = 2;
        } else if (stored) {
          place.axes.push_back(axis);
        }
      }
      place.scalar = place.axes.empty() && place.sequential_rows == 0;
      if (place.scalar) continue;
      place.combined = outer_.axis >= 0 && let.op != Combiner::none;
      Dim elements = place.sequential_rows ? place.sequential_rows : 1;
      for (const int axis : place.axes) {
        elements *= axis == outer_.axis ? outer_.points_kept(kernel_)
                                        : kernel_.axes[static_cast<size_t>(axis)].extent;
      }
      for (const Type type : let.accumulator) {
        place.offset.push_back(scratch);
        // Every array starts at a multiple of 64 bytes.
        scratch += ceildiv(elements * (size_bits(type) / 8), 64) * 64;
      }
    }
    return out;
  }

  // Whether the loop over `axis` around let number `let` also encloses all that reads the let.
  bool shared_with_users(int let, int axis, const std::vector<Item>& users) const {
    for (const Item& user : users) {
      if (!uses(user).contains(let)) continue;
      if (!same_loop(let, user, axis)) return false;
    }
    return true;
  }

  bool same_loop(int let, const Item& user, int axis) const {
    return loop_of(Item{true, let}, axis) != 0 &&
           loop_of(Item{true, let}, axis) == loop_of(user, axis);
  }

  // The number of the loop over `axis` that encloses an item; 0: none, or one that nothing else
  // sits in.
  int loop_of(const Item& item, int axis) const {
    const auto at = loops_.find({item.is_let, item.number, axis});
    return at == loops_.end() ? 0 : at->second;
  }

  std::string family() const {
    if (kernel_.lets.empty()) return "elementwise";
    for (const Axis& axis : kernel_.axes) {
      if (axis.kind == AxisKind::sequential) return "recurrent";
    }
    if (kernel_.lets.size() == 1) return "reduction";
    return "row";
  }

  Kernel kernel_;
  const bool pieces_;
  const Following following_;
  const OuterAxis outer_;
  std::vector<SumTile> tiles_;
  std::vector<std::vector<int>> let_loops_;  // axes of loops around a let
  std::vector<std::set<std::pair<int, int>>> let_apart_, write_apart_;
  std::vector<std::set<int>> let_uses_, write_uses_;
  std::set<std::pair<int, int>> stored_axes_;  // (let, axis) read at another point or step
  std::set<int> earlier_;                      // lets read at an earlier step
  std::map<std::tuple<bool, int, int>, int> loops_;
  int next_loop_ = 1;
};

}  // namespace

LoopPlan schedule_generic(const Kernel& kernel, bool pieces) {
  return schedule_loops(split_axes(kernel), pieces);
}

LoopPlan schedule_loops(const Kernel& kernel, bool pieces) {
  return Scheduler(kernel, pieces).run();
}

LoopPlan schedule_loops(const Kernel& kernel, std::vector<SumTile> tiles) {
  return Scheduler(kernel, true, {}, {}, std::move(tiles)).run();
}

LoopPlan schedule_loops(const Kernel& kernel, const OuterAxis& outer) {
  LoopPlan out = Scheduler(kernel, true, {}, outer).run();
  out.outer_axis = outer;
  return out;
}

Index OuterAxis::in_block(const Index& point, const Kernel& kernel) const {
  if (block_axis < 0) return point;
  return point -
         Index::axis(block_axis, kernel.axes[static_cast<size_t>(block_axis)].extent) * points;
}

Dim OuterAxis::points_kept(const Kernel& kernel) const {
  return block_axis < 0 ? kernel.axes[static_cast<size_t>(axis)].extent : Dim(points);
}

LoopPlan schedule_following(const Kernel& kernel, const Following& following) {
  return Scheduler(kernel, true, following).run();
}

}  // namespace burin
