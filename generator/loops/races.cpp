#include "loops/races.h"

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <utility>

#include "isa/instruction.h"
#include "loops/walk.h"
#include "support/at.h"

namespace burin::loops {
namespace {

using Spelling = std::map<int, Index>;  // variables by others

Index spelled(const Index& index, const Spelling& by) {
  return index.map_leaves([&](const Index& leaf) {
    const auto found = leaf.kind() == IndexKind::axis ? by.find(leaf.axis_id()) : by.end();
    return found == by.end() ? leaf : found->second;
  });
}

// One way in which a buffer is touched: per dimension where it begins, and how far it reaches; and
// how variables around it move with the loop.
struct Touch {
  std::vector<Index> first;
  std::vector<Dim> extent;
  bool writes = false;
  Spelling by;
};

// All touches inside of a loop. A variable that moves with the loop's is spelled by it: a Let is
// its value, and what a loop counts lies behind where the outer point's part begins.
class Touches {
 public:
  Touches(const For& loop, const Program& program) : program_(program) {
    moving_.insert(loop.var);
    block(loop.body, {});
  }
  const std::map<BufferId, std::vector<Touch>>& all() const { return touches_; }
  const std::set<BufferId>& own() const { return own_; }  // allocated inside
  const std::set<int>& inner() const { return inner_; }   // variables that are set inside

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
        block(branch->then, narrowed(branch->when, by));
        block(branch->otherwise, by);
      }
    }
  }

  // Where variable + number < bound holds, the variable counts less far from where its part begins.
  Spelling narrowed(const Guard& when, Spelling by) {
    for (const Condition& condition : when) {
      std::vector<int> axes;
      condition.index.collect_axes(axes);
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
      touches_[buffer].push_back({at, std::vector<Dim>(at.size(), 1), writes, by});
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
              {std::vector<Index>(shape.size(), Index(0)), shape, writes, by});
        } else {
          touches_[region.buffer].push_back({region.first, region.extent, writes, by});
        }
      }
    }
  }

  const Program& program_;
  std::map<BufferId, std::vector<Touch>> touches_;
  std::set<BufferId> own_;
  std::set<int> moving_, inner_;
  int made_ = 0;
};

// How an index moves with a variable: coefficient * variable + rest, and whether that is all.
struct Moved {
  Index coefficient = 0, rest = 0;
  bool plain = true;
};
Moved along(const Index& index, int var) {
  Moved out;
  for (const Index::Term& term : index.terms()) {
    int times = 0;
    Index others = term.coefficient;
    for (const Index& atom : term.atoms) {
      if (atom.kind() == IndexKind::axis && atom.axis_id() == var) {
        ++times;
      } else {
        others *= atom;
      }
    }
    if (times == 0) {
      out.rest += others;
    } else if (times == 1) {
      out.coefficient += others;
    } else {
      out.plain = false;
    }
  }
  out.rest += index.constant_term();
  out.plain =
      out.plain && !out.rest.uses_axis(var) && !out.coefficient.has_axes() && !index.has_data();
  return out;
}

// How many places of a dimension an index runs over: n of (x % n), plus what does not move; else
// all.
Dim radix_of(const Index& index, const Dim& extent) {
  for (const Index::Term& term : index.terms()) {
    if (term.coefficient == 1 && term.atoms.size() == 1 && term.atoms[0].kind() == IndexKind::mod &&
        !(index - term.atoms[0]).has_axes())
      return term.atoms[0].operands()[1];
  }
  return extent;
}

// Several dimensions as one: what was one axis may be spread over them as its digits. Of several
// only elements.
std::optional<std::pair<Index, Dim>> joined(const Touch& touch, const std::vector<size_t>& dims,
                                            const std::vector<Dim>& radix) {
  if (dims.size() == 1)
    return std::make_pair(spelled(touch.first[dims[0]], touch.by), touch.extent[dims[0]]);
  Index at = 0;
  for (const size_t d : dims) {
    if (!touch.extent[d].is_constant(1)) return std::nullopt;
    at = at * radix[d] + touch.first[d];
  }
  return std::make_pair(spelled(at, touch.by), Dim(1));
}

// Whether all touches lie in parts of their own along these dimensions as one: part v is [c*v +
// low, c*v + low + c) with one c and one low.
bool in_parts(const std::vector<Touch>& touches, const std::vector<size_t>& dims,
              const std::vector<Dim>& radix, const For& loop, const std::set<int>& inner) {
  std::vector<Moved> moved;
  std::vector<Dim> extents;
  for (const Touch& touch : touches) {
    const auto place = joined(touch, dims, radix);
    if (!place) return false;
    extents.push_back(place->second);
    moved.push_back(along(place->first, loop.var));
    if (!moved.back().plain || !(moved.back().coefficient == moved.front().coefficient))
      return false;
  }
  const Index width = moved.front().coefficient * loop.step;
  if (!proven_le(1, width)) return false;
  // The part of a point begins at the least of all touches; what does not move is the same for all
  // points, so it only moves all parts.
  std::optional<Index> low;
  for (const Moved& one : moved) {
    const Index least = one.rest.map_leaves([&](const Index& leaf) {
      return leaf.kind() == IndexKind::axis && inner.contains(leaf.axis_id()) ? Index(0) : leaf;
    });
    if (!low || proven_le(least, *low)) low = least;
  }
  for (size_t k = 0; k < touches.size(); ++k) {
    const Index begin = moved[k].rest - *low;
    if (!proven_le(0, begin) || !proven_le(begin + extents[k], width)) return false;
  }
  return true;
}

bool are_disjoint(const std::vector<Touch>& touches, const std::vector<Dim>& shape, const For& loop,
                  const std::set<int>& inner) {
  std::vector<size_t> moving;
  std::vector<Dim> radix;
  for (size_t d = 0; d < shape.size(); ++d) {
    radix.push_back(shape[d]);
    bool moves = false;
    for (const Touch& touch : touches) {
      if (touch.first.size() != shape.size()) return false;
      moves = moves || spelled(touch.first[d], touch.by).uses_axis(loop.var);
      const Dim own = radix_of(touch.first[d], shape[d]);
      if (&touch == &touches.front()) {
        radix[d] = own;
      } else if (!(radix[d] == own)) {
        radix[d] = shape[d];
      }
    }
    if (moves) moving.push_back(d);
    if (in_parts(touches, {d}, radix, loop, inner)) return true;
  }
  return moving.size() > 1 && in_parts(touches, moving, radix, loop, inner);
}

// Whether each point has a buffer of its own that is allocated inside.
bool has_own(const For& loop, const Buffer& buffer) {
  if (loop.kind == Kind::vector) return false;
  return loop.kind != Kind::independent || buffer.scope == Scope::local;
}

}  // namespace

std::vector<std::string> races_of(const For& loop, const Program& program) {
  const Touches touches(loop, program);
  std::vector<std::string> out;
  for (const auto& [buffer, all] : touches.all()) {
    if (touches.own().contains(buffer) && has_own(loop, program.buffers[burin::at(buffer)]))
      continue;
    const bool written =
        std::any_of(all.begin(), all.end(), [](const Touch& touch) { return touch.writes; });
    if (!written ||
        are_disjoint(all, program.buffers[burin::at(buffer)].shape, loop, touches.inner()))
      continue;
    out.push_back("points of i" + std::to_string(loop.var) + " (" +
                  std::string(to_string(loop.kind)) + ") share " +
                  program.buffers[burin::at(buffer)].name);
  }
  return out;
}

}  // namespace burin::loops
