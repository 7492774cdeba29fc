#include "ops/api/loops/ranking_function.h"

#include <algorithm>
#include <limits>
#include <set>

#include "kernel/expr/loads.h"
#include "ops/api/core/known_elements.h"

namespace burin {
namespace {

constexpr size_t kMostPaths = 16;

// One way through the body's branches.
struct Path {
  Steps steps;                                     // without branches, only those that matter
  std::vector<std::pair<Expr, bool>> taken;        // conditions of branches, and what they were
  std::map<ValueId, SymbolicElements> known = {};  // behind it
};

// What one way says: all of its gaps are above 0 where it is followed by another iteration.
struct Outcome {
  std::vector<Dim> gaps;
  std::vector<std::optional<Dim>> made;  // of the counters
  bool ends = false;
};

// The steps that `needed` depends on, to which what they read is added.
Steps slice_of(const Steps& steps, std::set<ValueId>& needed) {
  Steps out;
  for (auto step = steps.rbegin(); step != steps.rend(); ++step) {
    const std::vector<ValueId> written = writes_of(*step);
    if (std::none_of(written.begin(), written.end(),
                     [&](ValueId id) { return needed.contains(id); }))
      continue;
    const std::vector<ValueId> read = reads_of(*step);
    needed.insert(read.begin(), read.end());
    out.push_back(*step);
  }
  std::reverse(out.begin(), out.end());
  return out;
}

// All ways through `steps`; none where there are too many.
std::vector<Path> paths_through(const Steps& steps) {
  std::vector<Path> paths(1);
  for (const Step& step : steps) {
    const auto* branch = std::get_if<std::shared_ptr<If>>(&step);
    if (!branch) {
      for (Path& path : paths) path.steps.push_back(step);
      continue;
    }
    std::vector<Path> longer;
    for (const bool then : {true, false}) {
      const std::vector<Path> inner =
          paths_through(then ? (*branch)->then_steps : (*branch)->else_steps);
      if (inner.empty() || longer.size() + paths.size() * inner.size() > kMostPaths) return {};
      for (const Path& before : paths) {
        for (const Path& after : inner) {
          Path path = before;
          path.taken.emplace_back((*branch)->condition, then);
          path.taken.insert(path.taken.end(), after.taken.begin(), after.taken.end());
          path.steps.insert(path.steps.end(), after.steps.begin(), after.steps.end());
          longer.push_back(std::move(path));
        }
      }
    }
    paths = std::move(longer);
  }
  return paths;
}

// The only element of `value`, as a kernel of `steps` computes it; null: no single one does.
Expr made_by(const Steps& steps, ValueId value) {
  Expr found;
  for (const Step& step : steps) {
    const std::vector<ValueId> written = writes_of(step);
    if (std::find(written.begin(), written.end(), value) == written.end()) continue;
    const Kernel* kernel = std::get_if<Kernel>(&step);
    if (found || !kernel || kernel->writes.size() != 1 || !kernel->lets.empty() ||
        !kernel->axes.empty())
      return {};
    const Write& write = kernel->writes[0];
    if (write.how != How::store || !write.when.empty()) return {};
    found = write.value;
  }
  return found;
}

class RankingFunction {
 public:
  RankingFunction(OpContext& op, const Steps& body, const Repetition& repetition, Limits& limits)
      : op_(op), repetition_(repetition), limits_(limits) {
    std::set<ValueId> needed;
    add_loads(repetition.goes_on, needed);
    for (const Counter& one : repetition.counters) {
      if (one.result) add_loads(one.result, needed);
      if (one.value != kNoValue) before_.emplace(one.value, Index::symbol(one.symbol));
    }
    const Steps steps = slice_of(body, needed);
    stand_for_limits(steps, needed);
    paths_ = paths_through(steps);
    for (Path& path : paths_) path.known = elements_of(op).known_after(path.steps, needed, before_);
  }

  std::optional<Dim> most() {
    std::vector<Dim> candidates;
    for (const Path& path : paths_) {
      outcomes_.push_back(outcome_of(path));
      const Outcome& outcome = outcomes_.back();
      if (!outcome.ends)
        candidates.insert(candidates.end(), outcome.gaps.begin(), outcome.gaps.end());
    }
    // No iteration is followed by another.
    if (!outcomes_.empty() && std::all_of(outcomes_.begin(), outcomes_.end(),
                                          [](const Outcome& one) { return one.ends; }))
      return 1;
    for (const Dim& gap : candidates) {
      if (const std::optional<int64_t> less = narrows_by(gap)) {
        const Dim first = at_start(gap);
        return max(floordiv(first - 1, *less) + 2, 1);
      }
    }
    return std::nullopt;
  }

 private:
  void stand_for_limits(const Steps& steps, const std::set<ValueId>& needed) {
    std::set<ValueId> inside;
    for (const Step& step : steps) {
      const std::vector<ValueId> written = writes_of(step);
      inside.insert(written.begin(), written.end());
    }
    for (const ValueId id : needed) {
      if (inside.contains(id) || before_.contains(id)) continue;
      if (const auto at = limits_.find(id); at != limits_.end()) {
        before_.emplace(id, Index::symbol(at->second));
      } else if (elements_of(op_).is_unknown_integer(id)) {
        limits_.emplace(id, any_integer("limit " + std::to_string(id)));
        before_.emplace(id, Index::symbol(limits_.at(id)));
      }
    }
  }

  std::optional<Dim> value_of(const Path& path, const Expr& expr) const {
    return elements_of(op_).integer_of(expr, path.known);
  }

  Outcome outcome_of(const Path& path) const {
    Outcome out;
    for (const auto& [condition, holds] : path.taken) add_gaps(path, condition, holds, out);
    add_gaps(path, repetition_.goes_on, true, out);
    out.ends = out.ends || std::any_of(out.gaps.begin(), out.gaps.end(),
                                       [](const Dim& gap) { return proven_le(gap, 0); });
    for (const Counter& one : repetition_.counters)
      out.made.push_back(one.result ? value_of(path, one.result) : one.made);
    return out;
  }

  // What follows from `condition` being as `holds` says.
  void add_gaps(const Path& path, const Expr& condition, bool holds, Outcome& out) const {
    if (const std::optional<Dim> known = value_of(path, condition); known && known->is_constant()) {
      out.ends = out.ends || (known->constant() != 0) != holds;
      return;
    }
    const ExprNode& node = *condition;
    switch (node.kind) {
      case ExprKind::load:
        if (const Expr made = made_by(path.steps, node.id)) add_gaps(path, made, holds, out);
        return;
      case ExprKind::cast:
        if (node.operands[0].type() == Type::boolean) add_gaps(path, node.operands[0], holds, out);
        return;
      case ExprKind::unary:
        if (node.unary() == Unary::logical_not) add_gaps(path, node.operands[0], !holds, out);
        return;
      case ExprKind::binary:
        break;
      default:
        return;
    }
    const Binary binary = node.binary();
    if (binary == (holds ? Binary::logical_and : Binary::logical_or)) {
      for (const Expr& part : node.operands) add_gaps(path, part, holds, out);
      return;
    }
    const bool less = binary == Binary::lt || binary == Binary::le,
               more = binary == Binary::gt || binary == Binary::ge;
    if (!less && !more) return;
    const std::optional<Dim> a = value_of(path, node.operands[0]),
                             b = value_of(path, node.operands[1]);
    if (!a || !b) return;
    const bool or_equal = (binary == Binary::le || binary == Binary::ge) == holds;
    Dim gap = less == holds ? *b - *a : *a - *b;
    if (or_equal) gap += 1;
    if (is_lasting(gap)) out.gaps.push_back(std::move(gap));
  }

  // Whether it says the same of every iteration.
  bool is_lasting(const Dim& dim) const {
    std::vector<Symbol> symbols;
    dim.collect_symbols(symbols);
    return std::all_of(symbols.begin(), symbols.end(), [&](const Symbol& symbol) {
      return counter(symbol) || !repetition_.changes(symbol);
    });
  }

  std::optional<size_t> counter(const Symbol& symbol) const {
    for (size_t k = 0; k < repetition_.counters.size(); ++k) {
      if (repetition_.counters[k].symbol->name == symbol->name) return k;
    }
    return std::nullopt;
  }

  // By how much the gap is less from one iteration to the next, where both are followed by another.
  std::optional<int64_t> narrows_by(const Dim& gap) const {
    if (!grows_with_limits(gap)) return std::nullopt;
    int64_t least = kUnbounded;
    for (const Outcome& outcome : outcomes_) {
      if (outcome.ends) continue;
      if (std::none_of(outcome.gaps.begin(), outcome.gaps.end(),
                       [&](const Dim& own) { return own == gap || proven_le(own, gap); }))
        return std::nullopt;
      const std::optional<Dim> next = after(gap, outcome);
      if (!next) return std::nullopt;
      if (proven_le(*next, 0)) continue;
      const Dim less = gap - *next;
      if (!proven_le(1, less)) return std::nullopt;
      least = std::min(least, less.is_constant() ? less.constant() : 1);
    }
    return least == kUnbounded ? 1 : least;
  }

  std::optional<Dim> after(const Dim& gap, const Outcome& outcome) const {
    bool known = true;
    Dim next = with_counters(gap, [&](size_t k) {
      known = known && outcome.made[k] && is_lasting(*outcome.made[k]);
      return known ? *outcome.made[k] : Dim(0);
    });
    return known ? std::optional(std::move(next)) : std::nullopt;
  }

  Dim at_start(const Dim& gap) const {
    return with_counters(gap, [&](size_t k) { return repetition_.counters[k].start; });
  }

  // All counters replaced at once.
  template <class Value>
  Dim with_counters(const Dim& dim, const Value& value) const {
    return dim.map_leaves([&](const Index& leaf) -> Index {
      const std::optional<size_t> k =
          leaf.kind() == IndexKind::symbol ? counter(leaf.as_symbol()) : std::nullopt;
      return k ? value(*k) : leaf;
    });
  }

  bool grows_with_limits(const Dim& gap) const {
    return std::all_of(limits_.begin(), limits_.end(), [&](const auto& one) {
      return proven_le(gap, gap.substitute_symbol(one.second->name, Index::symbol(one.second) + 1));
    });
  }

  OpContext& op_;
  const Repetition& repetition_;
  Limits& limits_;
  std::map<ValueId, Dim> before_;
  std::vector<Path> paths_;
  std::vector<Outcome> outcomes_;
};

}  // namespace

Symbol any_integer(const std::string& name) {
  SymbolInfo info{name, SymbolOrigin::unknown};
  info.min = std::numeric_limits<int64_t>::min();
  return std::make_shared<const SymbolInfo>(std::move(info));
}

std::optional<Counter> counter_of(OpContext& op, size_t k, const Operand& initial,
                                  const Operand& state, const Operand& result) {
  if (!is_integer(initial.type()) || result.type() != initial.type() ||
      !product(result.shape()).is_constant(1))
    return std::nullopt;
  const std::optional<std::vector<Dim>> start = op.known_of(initial);
  if (!start || start->size() != 1) return std::nullopt;
  const Symbol symbol = any_integer("counter " + std::to_string(k));
  return Counter{symbol, start->front(), state.value(), {}, result.scalar()};
}

std::optional<Dim> most_iterations(OpContext& op, const Steps& body, const Repetition& repetition,
                                   Limits& limits) {
  return RankingFunction(op, body, repetition, limits).most();
}

std::optional<int64_t> step_of(OpContext& op, const Steps& body, const Counter& counter) {
  std::set<ValueId> needed;
  add_loads(counter.result, needed);
  const Dim before = Index::symbol(counter.symbol);
  const Steps steps = slice_of(body, needed);
  const std::optional<Dim> made = elements_of(op).integer_of(
      counter.result, elements_of(op).known_after(steps, needed, {{counter.value, before}}));
  if (!made) return std::nullopt;
  const Dim step = *made - before;
  return step.is_constant() ? std::optional(step.constant()) : std::nullopt;
}

}  // namespace burin
