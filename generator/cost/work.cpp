#include "cost/work.h"

#include <algorithm>
#include <limits>

#include "kernel/combiner.h"
#include "loops/walk.h"
#include "support/at.h"

namespace burin::cost {

using loops::For;
using loops::Kind;
using loops::Stmt;
using loops::Stmts;

namespace {

// A condition, a name, a number: what stands between loops.
constexpr int64_t kBetween = kCycle;

bool is_written_out(const For& loop) {
  return loop.kind == Kind::unrolled || loop.kind == Kind::vector;
}

}  // namespace

Work::Work(const loops::Program& program, const Hardware& hardware, const SizeOf& size)
    : program_(program), hardware_(hardware), size_(size), vars_(program.vars.size(), 0) {
  cycles_ = block(program.body, 1, -1) / kCycle;
}

int64_t Work::value(const Index& index) const {
  return index.evaluate([this](const Index& leaf) -> int64_t {
    if (leaf.kind() == IndexKind::axis) return vars_[at(leaf.axis_id())];
    if (leaf.kind() == IndexKind::symbol) return size_(leaf);
    // Data that only the run has: in the middle of what it may be.
    const Range range = leaf.range();
    return range.bounded() ? range.lo + (range.hi - range.lo) / 2 : range.lo;
  });
}

bool Work::holds(const Guard& guard) const {
  return std::all_of(guard.begin(), guard.end(), [this](const Condition& one) {
    const int64_t at = value(one.index);
    return value(one.lo) <= at && at < value(one.hi);
  });
}

// Statements without loops that run: what compilers put in one straight line.
bool Work::is_straight(const Stmts& stmts) const {
  return std::all_of(stmts.begin(), stmts.end(), [this](const Stmt& stmt) {
    if (const auto* loop = std::get_if<For>(&stmt.node))
      return is_written_out(*loop) && is_straight(loop->body);
    return !std::holds_alternative<loops::If>(stmt.node);
  });
}

bool Work::differ(const For& loop) const {
  bool found = false;
  std::set<int> moving{loop.var};
  const auto moves = [&](const Index& index) {
    return std::any_of(moving.begin(), moving.end(), [&](int var) { return index.uses_axis(var); });
  };
  loops::for_each(loop.body, [&](const Stmt& stmt) {
    if (const auto* let = std::get_if<loops::Let>(&stmt.node)) {
      if (moves(let->value)) moving.insert(let->var);
    } else if (const auto* inner = std::get_if<For>(&stmt.node)) {
      found = found || moves(inner->end - inner->begin);
      // It starts where this loop is, so what it counts moves too.
      if (moves(inner->begin)) moving.insert(inner->var);
    } else if (const auto* branch = std::get_if<loops::If>(&stmt.node)) {
      for (const Condition& one : branch->when)
        found = found || moves(one.index) || moves(one.lo) || moves(one.hi);
    }
  });
  return found;
}

// Elements that all stores of a straight line take at a time along a variable.
int Work::lanes_of(const Stmts& stmts, int along) const {
  int lanes = std::numeric_limits<int>::max();
  for (const Stmt& stmt : stmts) {
    const auto* store = std::get_if<loops::Store>(&stmt.node);
    lanes =
        store == nullptr ? 1 : std::min(lanes, form_of(program_, *store, along, hardware_).lanes);
  }
  return stmts.empty() ? 1 : lanes;
}

Issue Work::straight(const Stmts& stmts, WrittenOut& around, int along, int lanes) {
  Issue out;
  for (const Stmt& stmt : stmts) {
    if (const auto* call = std::get_if<loops::Call>(&stmt.node)) {
      out += issue_of(*call, around, hardware_);
    } else if (const auto* store = std::get_if<loops::Store>(&stmt.node)) {
      out += issue_of(program_, *store, {along, lanes}, hardware_) * around.turns();
    } else if (const auto* loop = std::get_if<For>(&stmt.node)) {
      const int64_t turns = std::max<int64_t>(0, value(loop->end) - value(loop->begin));
      if (loop->kind == Kind::vector) {
        // All lanes at once.
        const int wide = lanes_of(loop->body, loop->var);
        const int64_t vectors = (turns + wide - 1) / std::max(1, wide);
        out += straight(loop->body, around, loop->var, wide) * vectors;
      } else {
        around.vars.emplace_back(loop->var, turns);
        out += straight(loop->body, around, along, lanes);
        around.vars.pop_back();
      }
    }
  }
  return out;
}

int64_t Work::block(const Stmts& stmts, int64_t times, int along) {
  if (is_straight(stmts)) {
    WrittenOut around;
    return straight(stmts, around, along, 1).cycles(hardware_.vector);
  }
  int64_t parts = 0;
  for (const Stmt& stmt : stmts) {
    if (const auto* inner = std::get_if<For>(&stmt.node)) {
      parts += loop(*inner, times);
    } else if (const auto* branch = std::get_if<loops::If>(&stmt.node)) {
      const bool holding = holds(branch->when);
      BranchRuns& own = branches_[branch];
      (holding ? own.then : own.otherwise) += times;
      parts += kBetween + block(holding ? branch->then : branch->otherwise, times, -1);
    } else {
      if (const auto* let = std::get_if<loops::Let>(&stmt.node))
        vars_[at(let->var)] = value(let->value);
      WrittenOut around;
      parts += std::max(kBetween, straight({stmt}, around, -1, 1).cycles(hardware_.vector));
    }
  }
  return parts;
}

int64_t Work::turn(const For& loop, int64_t times, bool innermost) {
  const int64_t besides = int64_t{hardware_.vector.turn_cycles} * kCycle;
  if (!innermost) return besides + block(loop.body, times, loop.var);
  WrittenOut around;
  const int lanes = lanes_of(loop.body, loop.var);
  const int64_t parts =
      straight(loop.body, around, loop.var, lanes).cycles(hardware_.vector) + besides;
  return parts / std::max(1, lanes);
}

int64_t Work::loop(const For& loop, int64_t times) {
  if (is_written_out(loop) || loop.kind == Kind::outlined) {
    vars_[at(loop.var)] = value(loop.begin);
    if (loop.kind == Kind::outlined) return block(loop.body, times, -1) + 4 * kBetween;
    const int64_t turns = std::max<int64_t>(0, value(loop.end) - value(loop.begin));
    return turns * block(loop.body, times * turns, -1);
  }
  const int64_t begin = value(loop.begin), end = value(loop.end);
  const int64_t turns = end <= begin ? 0 : (end - begin + loop.step - 1) / loop.step;
  LoopRuns& own = runs_[&loop];
  own.entries += times;
  own.turns += times * turns;
  if (turns == 0) return kBetween;
  const bool innermost = is_straight(loop.body);
  const auto at_turn = [&](int64_t number, int64_t alike) {
    vars_[at(loop.var)] = begin + number * loop.step;
    return turn(loop, times * alike, innermost) * alike;
  };
  int64_t parts = 0;
  if (turns <= 2 || !differ(loop)) {
    if (turns <= 2)
      for (int64_t k = 0; k < turns; ++k) parts += at_turn(k, 1);
    else
      parts = at_turn(0, turns);
  } else {
    parts = at_turn(0, 1) + at_turn(turns / 2, turns - 2) + at_turn(turns - 1, 1);
  }
  return kBetween + parts;
}

}  // namespace burin::cost
