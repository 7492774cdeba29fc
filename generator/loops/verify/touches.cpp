#include "loops/verify/touches.h"

#include <algorithm>

#include "isa/instruction.h"
#include "loops/verify/distance.h"
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
        const size_t known = limits_.size();
        add_limits(*loop, by);
        block(loop->body, std::move(inside));
        limits_.resize(known);
      } else if (const auto* branch = std::get_if<If>(&stmt.node)) {
        const std::optional<int64_t> around = point_;
        find_point(branch->when);
        block(branch->then, narrowed(branch->when, by));
        point_ = around;
        block(branch->otherwise, by);
      }
    }
  }

  // The loop's variable and a step are at most where it ends, where all of it are whole steps.
  void add_limits(const For& loop, const Spelling& by) {
    const Index begin = spelled(loop.begin, by), end = spelled(loop.end, by);
    for (const Index& one : end.kind() == IndexKind::min ? end.operands() : std::vector{end}) {
      if (one.has_axes() || one.has_data()) continue;
      const bool whole = mod(one - begin, loop.step).is_constant(0);
      limits_.push_back({program_.var(loop.var) + (whole ? loop.step : 1), one});
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
      if (const std::optional<Dim> extent =
              greatest_distance(base + shift, spelled(condition.hi, by)))
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
  // The loop's variable by the number of its turn.
  static Index at_turn(const For& loop, const Index& begin, const Dim& length) {
    return begin + Index::axis(loop.var, ceildiv(length, loop.step)) * loop.step;
  }

  // Without terms that do not move in equal steps.
  Index even_part(const Index& index) const {
    Index out = index;
    for (const Index::Term& term : index.terms()) {
      const bool even = std::none_of(term.atoms.begin(), term.atoms.end(), [&](const Index& atom) {
        return atom.kind() != IndexKind::axis && moves(atom);
      });
      if (even) continue;
      Index product = term.coefficient;
      for (const Index& atom : term.atoms) product *= atom;
      out -= product;
    }
    return out;
  }

  // What moves with the outer point only, in equal steps, and is not beyond `begin`.
  std::optional<Index> base_of(const Index& begin, const Spelling& by) const {
    std::vector<Index> candidates{begin};
    if (begin.kind() == IndexKind::max) candidates = begin.operands();
    for (const auto& [var, value] : by) candidates.push_back(value);
    candidates.push_back(even_part(begin));
    for (const Index& one : candidates) {
      if (!moves(one) || !(even_part(one) == one)) continue;
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
    std::optional<Dim> extent = greatest_distance(*base, end);
    if (!extent) extent = program_.vars[burin::at(loop.var)].extent;
    if (mod(end - begin, loop.step).is_constant(0)) {
      // Of whole steps: the last one begins a step before the end.
      *extent = *base == begin                  ? floordiv(*extent, loop.step) * loop.step
                : proven_le(loop.step, *extent) ? *extent - (loop.step - 1)
                                                : *extent;
    }
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
      // What computes nothing only says which memory is wanted soon: no result depends on it.
      if (call->op->meaning.writes.empty()) return;
      for (size_t k = 0; k < call->operands.size(); ++k) {
        const Region& region = call->operands[k];
        const bool writes = call->op->operands[k].access != isa::Access::read;
        // What loops really count may end within the row.
        const Dim& row = program_.buffers[burin::at(region.buffer)].shape.back();
        const bool on = runs_on(program_, *call, k) &&
                        !proven_le(spelled(region.first.back(), by) + region.extent.back(), row);
        touches_[region.buffer].push_back({region.first, region.extent, writes, by, point_, on});
        if (on) touches_[region.buffer].back().limits = limits_;
      }
    }
  }

  const Program& program_;
  const int loop_;  // its variable
  std::optional<int64_t> point_;
  std::vector<std::pair<Index, Dim>> limits_;
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
