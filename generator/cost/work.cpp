#include "cost/work.h"

#include <algorithm>
#include <limits>

#include "kernel/expr/expr_operands.h"
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
// Of an innermost loop: also seeing how many vectors and single elements there are, where its turns
// are dynamic.
constexpr int64_t kStart = 2 * kCycle, kStartDynamic = 3 * kCycle;
// Statements that wait for one another: this part of the wait is left, the rest is hidden by what
// does not.
constexpr int64_t kOverlap = 2;
// A turn counts, compares and jumps.
constexpr int64_t kLoopInstructions = 2;

// Statements of one straight line, at most; compilers leave longer ones in loops.
constexpr int64_t kLine = 200;

// Statements of a loop that is written out.
int64_t statements_in(const For& loop) {
  int64_t out = 0;
  for (const Stmt& stmt : loop.body) {
    const auto* inner = std::get_if<For>(&stmt.node);
    out += inner == nullptr ? 1 : statements_in(*inner);
  }
  const int64_t turns = (loop.end - loop.begin).as_constant().value_or(1);
  return loop.kind == Kind::vector ? out : at_least_one(turns / loop.step) * out;
}

// Whether it takes the same wherever its variables are: nothing in it is decided by conditions.
bool is_fixed(const Stmt& stmt) {
  if (const auto* loop = std::get_if<For>(&stmt.node))
    return (loop->end - loop->begin).is_constant() &&
           std::all_of(loop->body.begin(), loop->body.end(), is_fixed);
  bool out = true;
  loops::for_each_expr(stmt, [&](const Expr& expr) {
    visit(expr, [&](const ExprNode& node) { out = out && node.kind != ExprKind::cases; });
  });
  return out;
}

}  // namespace

Work::Work(Known& known, const Question& question)
    : known_(known),
      program_(known.program),
      hardware_(known.hardware),
      question_(question),
      vars_(known.program.vars.size(), 0),
      lets_(known.program.vars.size()) {
  cycles_ = block(program_.body, 1) / kCycle;
}

int64_t Work::value(const Index& index) const {
  return index.evaluate([this](const Index& leaf) -> int64_t {
    if (leaf.kind() == IndexKind::axis) return vars_[at(leaf.axis_id())];
    if (leaf.kind() == IndexKind::symbol) return known_.size(leaf);
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

// Without loops that turn: what compilers put in one straight line.
bool Work::is_straight(const Stmt& stmt) {
  const auto* loop = std::get_if<For>(&stmt.node);
  if (loop == nullptr) return !std::holds_alternative<loops::If>(stmt.node);
  const auto [known, is_new] = known_.straight.try_emplace(&stmt, false);
  if (!is_new) return known->second;
  const bool decided = loop->kind == Kind::unrolled || loop->kind == Kind::vector;
  const bool out = is_written_out(*loop) && is_straight(loop->body) &&
                   (decided || statements_in(*loop) <= kLine);
  return known_.straight[&stmt] = out;
}
bool Work::is_straight(const Stmts& stmts) {
  return std::all_of(stmts.begin(), stmts.end(),
                     [this](const Stmt& one) { return is_straight(one); });
}

bool Work::differ(const For& loop) {
  const auto known = known_.differ.find(&loop);
  if (known != known_.differ.end()) return known->second;
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
  known_.differ.emplace(&loop, found);
  return found;
}

int Work::lanes_of(const Stmts& stmts, int var) {
  const auto [known, isnew] = known_.lanes.try_emplace({&stmts, var}, 1);
  if (isnew) known->second = lanes_along(program_, stmts, var, hardware_, lets_);
  return known->second;
}

void Work::set(const loops::Let& let) {
  vars_[at(let.var)] = part_end(let.var).value_or(value(let.value));
  lets_.set(let);
}

int64_t Work::turns_of(const For& loop) const {
  const int64_t points =
      (loop.end - loop.begin).as_constant().value_or(value(loop.end) - value(loop.begin));
  return points <= 0 ? 0 : (points + loop.step - 1) / loop.step;
}

void Work::count_runs(const Stmts& stmts, int64_t times) {
  for (const Stmt& stmt : stmts) count_runs(stmt, times);
}
void Work::count_runs(const Stmt& stmt, int64_t times) {
  const auto* loop = std::get_if<For>(&stmt.node);
  if (loop == nullptr) return;
  const int64_t turns = turns_of(*loop);
  LoopRuns& runs = runs_[loop];
  runs.entries += times;
  runs.turns += times * turns;
  count_runs(loop->body, times * turns);
}

Issue Work::straight(const Stmts& stmts, Line& line) {
  Issue out;
  for (const Stmt& stmt : stmts) out += straight(stmt, line);
  return out;
}

Issue Work::straight(const Stmt& stmt, Line& line) {
  if (const auto* call = std::get_if<loops::Call>(&stmt.node)) {
    line.vectors = true;
    return issue_of(*call, line.around, line.form.turning, hardware_);
  }
  if (const auto* store = std::get_if<loops::Store>(&stmt.node)) {
    const auto holding = [this](const Guard& guard) { return holds(guard); };
    const int64_t copies = line.around.turns();
    Issue one =
        issue_of(program_, *store, line.form, line.changing, lets_, holding, hardware_) * copies;
    // Those that go to the same element wait for each other.
    one.latency *= copies / at_least_one(line.around.turns_of(store->at));
    return one;
  }
  if (const auto* let = std::get_if<loops::Let>(&stmt.node)) set(*let);
  const auto* loop = std::get_if<For>(&stmt.node);
  if (loop == nullptr) return {};
  const int64_t turns = turns_of(*loop);
  vars_[at(loop->var)] = value(loop->begin);
  // Along a variable of its own, where that has vectors.
  const int wide = line.form.lanes > 1 || loop->step != 1 ? 1 : lanes_of(loop->body, loop->var);
  const int64_t lanes = std::clamp<int64_t>(turns, 1, wide);
  line.vectors = line.vectors || lanes > 1 || loop->kind == Kind::vector;
  if (lanes > 1) {
    const Form outer = line.form;
    line.form = {outer.turning, loop->var, static_cast<int>(lanes)};
    const Issue out = straight(loop->body, line) * ((turns + lanes - 1) / lanes);
    line.form = outer;
    return out;
  }
  line.around.vars.emplace_back(loop->var, turns);
  const Issue out = straight(loop->body, line);
  line.around.vars.pop_back();
  return out;
}

int64_t Work::alone(const Stmt& stmt, int64_t times) {
  if (const auto* let = std::get_if<loops::Let>(&stmt.node)) {
    set(*let);
    return 0;
  }
  count_runs(stmt, times);
  const auto [known, is_new] = known_.lines.try_emplace(&stmt);
  Known::Line& facts = known->second;
  if (is_new) facts.fixed = is_fixed(stmt);
  if (is_new || !facts.fixed) {
    Line line{{}, facts.changing};
    facts.issues[0] = straight(stmt, line);
  }
  depth_ = facts.issues[0].depth;
  return facts.issues[0].cycles(hardware_.vector);
}

const Known::Touches& Work::touches_of(const Stmt& stmt) {
  const auto [known, is_new] = known_.touches.try_emplace(&stmt);
  if (!is_new) return known->second;
  const auto own = [&](std::vector<loops::BufferId> all) {
    std::erase_if(all, [&](loops::BufferId id) {
      return program_.buffers[at(id)].scope == loops::Scope::argument;
    });
    return all;
  };
  const auto* loop = std::get_if<For>(&stmt.node);
  const Stmts copy = loop == nullptr ? Stmts{stmt} : Stmts{};
  const Stmts& stmts = loop == nullptr ? copy : loop->body;
  known->second = {own(loops::reads_of(stmts)), own(loops::writes_of(stmts))};
  return known->second;
}

int64_t Work::block(const Stmts& stmts, int64_t times) {
  int64_t parts = 0;
  // Results that are still on their way, and how long.
  std::vector<loops::BufferId> coming;
  int64_t wait = 0;
  for (const Stmt& stmt : stmts) {
    const Known::Touches& own = touches_of(stmt);
    const bool waits = std::any_of(own.reads.begin(), own.reads.end(), [&](loops::BufferId id) {
      return std::find(coming.begin(), coming.end(), id) != coming.end();
    });
    if (waits) {
      parts += wait / kOverlap;
      coming.clear();
      wait = 0;
    }
    depth_ = 0;
    if (is_straight(stmt)) {
      parts += alone(stmt, times);
    } else if (const auto* inner = std::get_if<For>(&stmt.node)) {
      parts += loop(*inner, times);
    } else if (const auto* branch = std::get_if<loops::If>(&stmt.node)) {
      const bool holding = holds(branch->when);
      BranchRuns& runs = branches_[branch];
      (holding ? runs.then : runs.otherwise) += times;
      parts += kBetween + block(holding ? branch->then : branch->otherwise, times);
    }
    coming.insert(coming.end(), own.writes.begin(), own.writes.end());
    wait = std::max(wait, depth_);
  }
  return parts;
}

int64_t Work::innermost(const For& loop, int64_t turns, int64_t times) {
  const auto [known, is_new] = known_.lines.try_emplace(&loop);
  Known::Line& facts = known->second;
  if (is_new) {
    const std::vector<loops::BufferId> written = loops::writes_of(loop.body);
    facts.changing = {written.begin(), written.end()};
    facts.fixed = std::all_of(loop.body.begin(), loop.body.end(), is_fixed);
  }
  count_runs(loop.body, times * turns);
  const VectorUnit& unit = hardware_.vector;
  int64_t depth = 0;
  // So many turns, of as many lanes.
  const auto run = [&](int64_t vectors, int lanes) {
    const auto [found, is_first] = facts.issues.try_emplace(lanes);
    Issue& issue = found->second;
    if (is_first || !facts.fixed) {
      Line line{{loop.var, lanes > 1 ? loop.var : -1, lanes}, facts.changing};
      issue = straight(loop.body, line);
      issue.instructions += kLoopInstructions * kCycle;
      facts.vectors = facts.vectors || line.vectors || lanes > 1;
    }
    depth = std::max(depth, issue.depth);
    return vectors * std::max(issue.cycles(unit), int64_t{unit.turn_cycles} * kCycle);
  };
  const int widest = loop.step == 1 ? lanes_of(loop.body, loop.var) : 1;
  // Whole vectors, then half of one, then what is left.
  int64_t parts = 0, left = turns;
  for (const int lanes : {widest, widest / 2}) {
    if (lanes <= 1 || left < lanes) continue;
    parts += run(left / lanes, lanes);
    left %= lanes;
  }
  if (left > 0) parts += run(left, 1);
  if (!facts.vectors) one_by_one_ += parts * times;
  depth_ = depth;
  return parts;
}

std::optional<Range> Work::range_of_call(const For& loop) {
  const bool all = question_.one_call;
  if (loop.part_end < 0) {
    // It counts its parts.
    if (all || question_.parts.empty()) return std::nullopt;
    const Range part = question_.parts.front();
    return Range{std::max(part.lo, value(loop.begin)), std::min(part.hi, value(loop.end))};
  }
  const size_t number = firsts_.size();
  if (all || !firsts_.contains(loop.var)) {
    if (!all && number >= question_.parts.size()) return std::nullopt;
    firsts_[loop.var] = all ? value(loop.begin) : question_.parts[number].lo;
    ends_[loop.part_end] = all ? value(loop.end) : question_.parts[number].hi;
  }
  const int64_t first = firsts_.at(loop.var);
  return Range{first, first + 1};
}

int64_t Work::loop(const For& loop, int64_t times) {
  if (loop.kind == Kind::unrolled || loop.kind == Kind::vector || loop.kind == Kind::outlined) {
    vars_[at(loop.var)] = value(loop.begin);
    if (loop.kind == Kind::outlined) return block(loop.body, times) + 4 * kBetween;
    const int64_t turns = std::max<int64_t>(0, value(loop.end) - value(loop.begin));
    return turns * block(loop.body, times * turns);
  }
  const std::optional<Range> call = loop.kind == Kind::thread ? range_of_call(loop) : std::nullopt;
  const int64_t begin = call ? call->lo : value(loop.begin),
                end = call ? call->hi : value(loop.end);
  const int64_t turns = end <= begin ? 0 : (end - begin + loop.step - 1) / loop.step;
  LoopRuns& own = runs_[&loop];
  own.entries += times;
  own.turns += times * turns;
  vars_[at(loop.var)] = begin;
  if (turns == 0) return kBetween;
  if (is_straight(loop.body)) {
    const bool known = (loop.end - loop.begin).is_constant();
    return (known ? kStart : kStartDynamic) + innermost(loop, turns, times);
  }
  const int64_t besides = int64_t{hardware_.vector.turn_cycles} * kCycle;
  const auto at_turn = [&](int64_t number, int64_t alike) {
    vars_[at(loop.var)] = begin + number * loop.step;
    return (besides + block(loop.body, times * alike)) * alike;
  };
  int64_t parts = 0;
  if (turns <= 2) {
    for (int64_t k = 0; k < turns; ++k) parts += at_turn(k, 1);
  } else if (!differ(loop)) {
    parts = at_turn(0, turns);
  } else {
    parts = at_turn(0, 1) + at_turn(turns / 2, turns - 2) + at_turn(turns - 1, 1);
  }
  return kBetween + parts;
}

}  // namespace burin::cost
