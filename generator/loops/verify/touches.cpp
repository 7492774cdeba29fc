#include "loops/verify/touches.h"

#include <algorithm>

#include "isa/instruction.h"
#include "loops/walk.h"
#include "support/at.h"

namespace burin::loops {
namespace {

class Touches {
 public:
  Touches(const For& loop, const Program& program) : program_(program), loop_(loop.var) {
    moving_.insert(loop.var);
    block(loop.body, {});
  }
  Touched take() { return {std::move(touches_), std::move(own_), std::move(inner_)}; }

 private:
  bool moves(const Index& index) const {
    std::vector<int> axes;
    index.collect_axes(axes);
    return std::any_of(axes.begin(), axes.end(), [&](int axis) { return moving_.contains(axis); });
  }

  void block(const Stmts& stmts, Spelling by) {
    for (const Stmt& stmt : stmts) {
      note(stmt, by);
      if (const auto* let = std::get_if<Let>(&stmt.node)) {
        inner_.insert(let->var);
        by[let->var] = spelled(let->value, by);
      } else if (const auto* loop = std::get_if<For>(&stmt.node)) {
        inner_.insert(loop->var);
        Spelling inside = by;
        inside.erase(loop->var);
        const Index length = loop->end - loop->begin;
        if (const std::optional<Index> counted = counted_from_part(*loop, by)) {
          inside[loop->var] = *counted;
        } else if (!length.has_axes() && !length.has_data()) {
          inside[loop->var] = at_turn(*loop, spelled(loop->begin, by), length);
        }
        block(loop->body, std::move(inside));
      } else if (const auto* branch = std::get_if<If>(&stmt.node)) {
        const std::optional<int64_t> around = point_;
        find_point(branch->when);
        block(branch->then, narrowed(branch->when, by));
        point_ = around;
        block(branch->otherwise, by);
      }
    }
  }

  void find_point(const Guard& when) {
    for (const Condition& one : when) {
      if (one.index == program_.var(loop_) && one.lo.is_constant() && one.hi == one.lo + 1)
        point_ = one.lo.constant();
    }
  }

  // Where variable + number < bound holds, the variable counts less far from where its part begins.
  Spelling narrowed(const Guard& when, Spelling by) {
    for (const Condition& condition : when) {
      std::vector<int> axes;
      condition.index.collect_axes(axes);
      if (condition.index == program_.var(loop_) && condition.lo.is_constant(0) &&
          !condition.hi.is_constant(1)) {
        by[loop_] = Index::axis(loop_, min(program_.vars[burin::at(loop_)].extent, condition.hi));
        continue;
      }
      const auto found = axes.size() == 1 ? by.find(axes[0]) : by.end();
      if (found == by.end()) continue;
      const int var = axes[0];
      const Index shift = condition.index - program_.var(var);
      const Index base = with_var(found->second, var, 0);
      if (!shift.is_constant() || !found->second.uses_axis(var)) continue;
      if (const std::optional<Dim> extent = length_of(spelled(condition.hi, by), base + shift))
        by[var] = base + fresh(*extent);
    }
    return by;
  }
  // A variable of its own: what was spelled before keeps the number of the turn.
  Index fresh(const Dim& extent) {
    const int var = static_cast<int>(program_.vars.size()) + made_++;
    inner_.insert(var);
    return Index::axis(var, extent);
  }
  // An upper bound of the distance between two points, free of variables.
  static std::optional<Dim> length_of(const Index& end, const Index& begin) {
    std::optional<Dim> out;
    for (const Index& one : end.kind() == IndexKind::min ? end.operands() : std::vector{end}) {
      const std::optional<Dim> length = (one - begin).upper_bound();
      if (length && !length->has_axes()) out = out ? min(*out, *length) : *length;
    }
    return out;
  }

  // The loop's variable by the number of its turn.
  static Index at_turn(const For& loop, const Index& begin, const Dim& length) {
    return begin + Index::axis(loop.var, ceildiv(length, loop.step)) * loop.step;
  }

  // What moves with the outer point only and is not beyond `begin`.
  std::optional<Index> base_of(const Index& begin, const Spelling& by) const {
    std::vector<Index> candidates{begin};
    if (begin.kind() == IndexKind::max) candidates = begin.operands();
    for (const auto& [var, value] : by) candidates.push_back(value);
    for (const Index& one : candidates) {
      if (!moves(one)) continue;
      const Index base = one.map_leaves([&](const Index& leaf) {
        return leaf.kind() == IndexKind::axis && !moving_.contains(leaf.axis_id()) ? Index(0)
                                                                                   : leaf;
      });
      if (proven_le(base, begin)) return base;
    }
    return std::nullopt;
  }

  // base + what the loop's variable counts, where the loop begins at or behind the base, which
  // moves with the outer point only.
  std::optional<Index> counted_from_part(const For& loop, const Spelling& by) const {
    const Index begin = spelled(loop.begin, by), end = spelled(loop.end, by);
    const std::optional<Index> base = base_of(begin, by);
    if (!base || (!moves(begin) && !moves(end))) return std::nullopt;
    std::optional<Dim> extent = length_of(end, *base);
    if (!extent) extent = program_.vars[burin::at(loop.var)].extent;
    return *base == begin ? at_turn(loop, begin, *extent) : *base + Index::axis(loop.var, *extent);
  }

  void note(const Stmt& stmt, const Spelling& by) {
    const auto element = [&](BufferId buffer, const std::vector<Index>& at, bool writes) {
      touches_[buffer].push_back({at, std::vector<Dim>(at.size(), 1), writes, by, point_});
    };
    const auto on_node = [&](const ExprNode& node) {
      if (node.kind == ExprKind::load) element(node.id, node.at, false);
    };
    for_each_index(stmt, [&](const Index& index) { visit(index, on_node); });
    for_each_expr(stmt, [&](const Expr& expr) { visit(expr, on_node); });
    if (const auto* alloc = std::get_if<Alloc>(&stmt.node)) {
      own_.insert(alloc->buffer);
    } else if (const auto* store = std::get_if<Store>(&stmt.node)) {
      for (const BufferId to : store->to) element(to, store->at, true);
    } else if (const auto* call = std::get_if<Call>(&stmt.node)) {
      for (size_t k = 0; k < call->operands.size(); ++k) {
        const Region& region = call->operands[k];
        const bool writes = call->op->operands[k].access != isa::Access::read;
        if (runs_on(program_, *call, k)) {
          // Anything may be touched.
          const std::vector<Dim>& shape = program_.buffers[burin::at(region.buffer)].shape;
          touches_[region.buffer].push_back(
              {std::vector<Index>(shape.size(), Index(0)), shape, writes, by, point_});
        } else {
          touches_[region.buffer].push_back({region.first, region.extent, writes, by, point_});
        }
      }
    }
  }

  const Program& program_;
  const int loop_;  // its variable
  std::optional<int64_t> point_;
  std::map<BufferId, std::vector<Touch>> touches_;
  std::set<BufferId> own_;
  std::set<int> moving_, inner_;
  int made_ = 0;
};

}  // namespace

Index spelled(const Index& index, const Spelling& by) {
  return index.map_leaves([&](const Index& leaf) {
    const auto found = leaf.kind() == IndexKind::axis ? by.find(leaf.axis_id()) : by.end();
    return found == by.end() ? leaf : found->second;
  });
}

Touched touches_of(const For& loop, const Program& program) {
  return Touches(loop, program).take();
}

}  // namespace burin::loops
