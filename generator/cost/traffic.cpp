#include "cost/traffic.h"

#include <algorithm>

#include "cost/spans.h"
#include "isa/instruction.h"
#include "kernel/layout.h"
#include "loops/walk.h"
#include "support/at.h"

namespace burin::cost {

using loops::BufferId;
using loops::For;
using loops::Stmt;
using loops::Stmts;

namespace {

using Touched = Footprint;

int64_t sum_of(const Touched& touched) {
  int64_t out = 0;
  for (const auto& [buffer, bytes] : touched) out += bytes;
  return out;
}

class Traffic {
 public:
  Traffic(const Work& work, Known& known)
      : program_(known.program),
        work_(work),
        known_(known),
        line_(std::max(1, known.hardware.memory.cache_line_bytes)),
        size_(known.size),
        spans_(known.program.vars.size()) {}

  int64_t into(int64_t cache) {
    cache_ = cache;
    return block(program_.body);
  }
  Footprint once() { return touched(program_.body); }

 private:
  // --- What statements touch while variables outside of them stay ---
  template <class Part>  // statements, or one
  const Touched& touched(const Part& part) {
    // Where it is asked for, loops around stand at their first points, for every cache.
    const auto [known, is_new] = touched_.try_emplace(&part);
    if (!is_new) return known->second;
    Touched out;
    visit_accesses(
        part, [&](BufferId buffer, const std::vector<Index>& at, const std::vector<Dim>& extent) {
          int64_t& most = out[buffer];
          most = std::max(most, bytes_of(buffer, at, extent));
        });
    return touched_[&part] = std::move(out);
  }

  using OnAccess =
      std::function<void(BufferId, const std::vector<Index>& at, const std::vector<Dim>& extent)>;
  void visit_accesses(const Stmts& stmts, const OnAccess& on_access) {
    for (const Stmt& stmt : stmts) visit_accesses(stmt, on_access);
  }
  void visit_accesses(const For& loop, const OnAccess& on_access) {
    set_span(loop);
    visit_accesses(loop.body, on_access);
  }
  void visit_accesses(const Stmt& stmt, const OnAccess& on_access) {
    if (const auto* loop = std::get_if<For>(&stmt.node)) {
      visit_accesses(*loop, on_access);
    } else if (const auto* branch = std::get_if<loops::If>(&stmt.node)) {
      const BranchRuns runs = runs_of(*branch);
      if (runs.then > 0) visit_accesses(branch->then, on_access);
      if (runs.otherwise > 0) visit_accesses(branch->otherwise, on_access);
    } else if (const auto* let = std::get_if<loops::Let>(&stmt.node)) {
      const std::optional<int64_t> end = work_.part_end(let->var);
      spans_[at(let->var)] = end ? Range{*end, *end} : span(let->value);
    } else if (const auto* store = std::get_if<loops::Store>(&stmt.node)) {
      for (const BufferId to : store->to) on_access(to, store->at, {});
      for (const Expr& value : store->value) {
        visit(value, [&](const ExprNode& node) {
          if (node.kind == ExprKind::load) on_access(node.id, node.at, {});
        });
      }
    } else if (const auto* call = std::get_if<loops::Call>(&stmt.node)) {
      for (const loops::Region& one : call->operands) on_access(one.buffer, one.first, one.extent);
    }
  }

  void set_span(const For& loop) {
    if (const std::optional<int64_t> first = work_.part_first(loop.var)) {
      spans_[at(loop.var)] = {*first, *first};
      return;
    }
    const Range begin = span(loop.begin), end = span(loop.end);
    spans_[at(loop.var)] = {begin.lo, std::max(begin.lo, end.hi - 1)};
  }

  Range span(const Index& index) const {
    return span_of(index, [this](const Index& leaf) -> Range {
      if (leaf.kind() == IndexKind::axis) return spans_[at(leaf.axis_id())];
      if (leaf.kind() == IndexKind::symbol) {
        const int64_t size = size_(leaf);
        return {size, size};
      }
      const Range range = leaf.range();
      return {range.lo, range.bounded() ? range.hi : range.lo};
    });
  }

  // Distinct elements: along each dimension no more than it has, than the index spans, and than
  // the variables in it have points.
  int64_t bytes_of(BufferId buffer, const std::vector<Index>& at, const std::vector<Dim>& extent) {
    const loops::Buffer& one = program_.buffers[burin::at(buffer)];
    if (one.scope == loops::Scope::local || one.scope == loops::Scope::registers) return 0;
    int64_t elements = 1, row = 1;
    for (size_t d = 0; d < at.size(); ++d) {
      const int64_t wide = d < extent.size() ? std::max<int64_t>(1, size_(extent[d])) : 1;
      const int64_t has = std::max<int64_t>(1, size_(one.shape[d]));
      int64_t points = 1;
      const auto [known, is_new] = known_.axes.try_emplace(&at[d]);
      const std::vector<int>& axes = known->second;
      if (is_new) at[d].collect_axes(known->second);
      for (const int axis : axes) {
        if (points < has) points *= std::max<int64_t>(1, points_of(spans_[burin::at(axis)]));
      }
      const int64_t spanned = std::max<int64_t>(1, points_of(span(at[d])));
      row = std::min({has, spanned + wide - 1, points * wide});
      elements *= row;
    }
    // Whole lines, where what lies together is shorter than one.
    const int64_t bytes = size_bytes(one.type, elements), together = size_bytes(one.type, row);
    const int64_t all =
        size_bytes(one.type, std::max<int64_t>(1, size_(physical_elements(one.layout, one.shape))));
    return at.empty() || together >= line_ ? bytes : std::min(all, elements / row * line_);
  }

  BranchRuns runs_of(const loops::If& branch) const {
    const auto found = work_.branches().find(&branch);
    return found == work_.branches().end() ? BranchRuns{} : found->second;
  }

  // --- What comes into the cache ---
  int64_t block(const Stmts& stmts) {
    const Touched& all = touched(stmts);
    const int64_t once = sum_of(all);
    if (once <= cache_) return once;
    int64_t moved = 0;
    for (const Stmt& stmt : stmts) {
      if (const auto* one = std::get_if<For>(&stmt.node)) {
        moved += loop(*one);
      } else if (const auto* branch = std::get_if<loops::If>(&stmt.node)) {
        // As often as each of them runs, of all times.
        const BranchRuns runs = runs_of(*branch);
        const int64_t all = std::max<int64_t>(1, runs.then + runs.otherwise);
        if (runs.then > 0) moved += block(branch->then) * runs.then / all;
        if (runs.otherwise > 0) moved += block(branch->otherwise) * runs.otherwise / all;
      } else {
        moved += sum_of(touched(stmt));
      }
    }
    return std::max(moved, once);
  }

  int64_t loop(const For& one) {
    const int64_t whole = sum_of(touched(one));
    if (whole <= cache_) return whole;
    if (one.kind == loops::Kind::outlined) return block(one.body);
    if (one.kind == loops::Kind::unrolled || one.kind == loops::Kind::vector) return whole;
    const auto found = work_.runs().find(&one);
    if (found == work_.runs().end() || found->second.turns == 0) return 0;
    const int64_t turns = std::max<int64_t>(1, found->second.turns / found->second.entries);
    // One turn, at the loop's first point.
    const int64_t begin = work_.part_first(one.var).value_or(span(one.begin).lo);
    spans_[at(one.var)] = {begin, begin};
    const Touched& body = touched(one.body);
    // What a turn touches is there in the next one: only what is new comes.
    if (sum_of(body) <= cache_) return whole;
    return std::max(whole, turns * block(one.body));
  }

  int64_t cache_ = 0;
  const loops::Program& program_;
  const Work& work_;
  Known& known_;
  const int64_t line_;
  const SizeOf& size_;
  std::map<const void*, Touched> touched_;  // by statements, a loop, or one
  std::vector<Range> spans_;                // of variables: one point where the loop is outside
};

}  // namespace

Moved bytes_moved(const Work& work, Known& known) {
  Traffic traffic(work, known);
  Moved out;
  out.once = traffic.once();
  for (const Cache& cache : known.hardware.memory.caches)
    out.into.push_back(traffic.into(cache.size_bytes));
  return out;
}

}  // namespace burin::cost
