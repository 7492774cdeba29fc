#include "loops/transforms/strength_reduce.h"

#include <algorithm>
#include <functional>
#include <set>
#include <utility>

#include "kernel/index/divisions.h"
#include "kernel/layout.h"
#include "loops/counting.h"
#include "loops/walk.h"
#include "support/at.h"

namespace burin::loops {
namespace {

bool is_extreme(const Index& atom) {
  return atom.kind() == IndexKind::min || atom.kind() == IndexKind::max;
}
bool is_division(const Index& atom) {
  return atom.kind() == IndexKind::floordiv || atom.kind() == IndexKind::mod;
}

// What the least or greatest of sizes, and quotients inside of it, are in an index; those inside
// operands first. `divisions`: quotients that stand alone, too.
void collect_sizes(const Index& index, bool divisions, std::vector<Index>& sizes) {
  for (const Index::Term& term : index.terms()) {
    for (const Index& atom : term.atoms) {
      if (atom.kind() == IndexKind::axis) continue;
      const bool settled = !atom.has_axes() && !atom.has_data();
      const bool extreme = is_extreme(atom);
      for (const Index& operand : atom.operands())
        collect_sizes(operand, divisions || (extreme && settled), sizes);
      if (settled && (extreme || (divisions && is_division(atom)))) sizes.push_back(atom);
    }
  }
}

class Reduction {
 public:
  explicit Reduction(Program program) : program_(std::move(program)) {
    for_each(program_.body, [this](const Stmt& stmt) {
      if (const auto* loop = std::get_if<For>(&stmt.node)) part_ends_.insert(loop->part_end);
    });
  }

  Program run() {
    const bool launches =
        std::any_of(program_.body.begin(), program_.body.end(), [](const Stmt& stmt) {
          return kind_of(stmt) == Kind::launch || kind_of(stmt) == Kind::host;
        });
    Stmts body = launches ? Stmts() : sizes(program_.body, false);
    append(body, launches ? each_launch(program_.body) : block(program_.body));
    program_.body = std::move(body);
    return std::move(program_);
  }

  Program only_sizes() {
    Stmts body = sizes(program_.body, true);
    append(body, std::move(program_.body));
    program_.body = std::move(body);
    return std::move(program_);
  }

 private:
  std::string fresh(const char* letter) { return letter + std::to_string(next_++); }
  bool is_named(const Index& index) const {
    return std::find(named_.begin(), named_.end(), index) != named_.end();
  }

  // --- What code computes of a statement itself: places in memory, numbers, bounds. ---
  using Visit = std::function<void(const Index&)>;
  void on_place(BufferId id, const std::vector<Index>& at, const Visit& visit) const {
    const Buffer& one = program_.buffers[burin::at(id)];
    if (one.scope == Scope::local) return;
    if (one.image) {
      for (const Index& index : at) visit(index);
      return;
    }
    visit(address(one.layout, one.shape, at));
  }
  // Sides that hold anyway are not asked; a single value is compared with.
  static void on_guard(const Guard& guard, const Visit& visit) {
    for (const Condition& condition : guard) {
      const bool single = condition.hi == condition.lo + 1;
      const bool low = single || !proven_le(condition.lo, condition.index),
                 high = !single && !proven_lt(condition.index, condition.hi);
      if (low || high) visit(condition.index);
      if (low) visit(condition.lo);
      if (high) visit(condition.hi);
    }
  }
  void each_index(const Stmt& stmt, const Visit& visit) const {
    // Both ends of a part that a thread has are given; parts are counted outside.
    const auto* part = std::get_if<For>(&stmt.node);
    const auto* end = std::get_if<Let>(&stmt.node);
    if ((part != nullptr && (part->part_end >= 0 || part->kind == Kind::thread)) ||
        (end != nullptr && part_ends_.contains(end->var)))
      return;
    const auto on_node = [&](const ExprNode& node) {
      if (node.kind == ExprKind::load) on_place(node.id, node.at, visit);
      if (node.kind == ExprKind::index) visit(node.index);
      for (const Expr::Case& part : node.cases) on_guard(part.guard, visit);
    };
    if (const auto* branch = std::get_if<If>(&stmt.node)) {
      on_guard(branch->when, visit);
    } else if (const auto* store = std::get_if<Store>(&stmt.node)) {
      for (const BufferId to : store->to) on_place(to, store->at, visit);
    } else if (const auto* call = std::get_if<Call>(&stmt.node)) {
      for (const Region& region : call->operands) on_place(region.buffer, region.first, visit);
    } else {
      for_each_index(stmt, visit);
    }
    for_each_expr(stmt, [&](const Expr& expr) { burin::visit_distinct(expr, on_node); });
  }

  static Kind kind_of(const Stmt& stmt) {
    const auto* loop = std::get_if<For>(&stmt.node);
    return loop == nullptr ? Kind::serial : loop->kind;
  }
  // A launch is a function: it names what it computes.
  Stmts each_launch(const Stmts& stmts) {
    Stmts out = stmts;
    for (Stmt& stmt : out) {
      auto* loop = std::get_if<For>(&stmt.node);
      if (loop == nullptr) continue;
      const size_t names = named_.size();
      set_.insert(loop->var);
      if (loop->kind == Kind::launch) {
        Stmts body = sizes(loop->body, false);
        append(body, block(loop->body));
        loop->body = std::move(body);
      } else {
        loop->body = each_launch(loop->body);
      }
      set_.erase(loop->var);
      named_.resize(names);
    }
    return out;
  }

  Stmts sizes(const Stmts& stmts, bool divisions) {
    std::vector<Index> found;
    for_each(stmts, [&](const Stmt& stmt) {
      each_index(stmt, [&](const Index& index) { collect_sizes(index, divisions, found); });
    });
    Stmts out;
    for (const Index& size : found) {
      if (!is_named(size)) name(size, is_extreme(size) ? "s" : "q", out);
    }
    return out;
  }
  void name(const Index& value, const char* letter, Stmts& out) {
    out.push_back({Name{fresh(letter), value}});
    named_.push_back(value);
  }

  // --- Divisions that are settled ---
  static bool is_counted(const For& loop) {
    return loop.kind == Kind::serial && loop.step == 1 && !has_loops(loop.body);
  }
  static bool moves_with(const Index& division, const For& loop) {
    return division.uses_axis(loop.var) && !division.has_data();
  }

  // Of statements and what is inside of them; where induction variables start, too.
  void find(const Stmts& stmts, size_t from, std::vector<Index>& divisions) const {
    const auto on_index = [&](const Index& index) { collect_divisions(index, divisions); };
    for (size_t i = from; i < stmts.size(); ++i) {
      each_index(stmts[i], on_index);
      if (const auto* branch = std::get_if<If>(&stmts[i].node)) {
        find(branch->then, 0, divisions);
        find(branch->otherwise, 0, divisions);
      }
      const auto* loop = std::get_if<For>(&stmts[i].node);
      if (loop == nullptr) continue;
      std::vector<Index> inside;
      find(loop->body, 0, inside);
      if (is_counted(*loop)) {
        std::set<Index> counted;
        for (const Index& division : inside) {
          if (!moves_with(division, *loop) || counted.contains(division)) continue;
          const Index &x = division.operands()[0], &c = division.operands()[1];
          counted.insert({floordiv(x, c), mod(x, c)});
          const Index first = with_var(x, loop->var, loop->begin);
          on_index(floordiv(first, c));
          on_index(mod(first, c));
        }
      }
      divisions.insert(divisions.end(), inside.begin(), inside.end());
    }
  }

  void name_settled(const Stmts& stmts, size_t from, Stmts& out) {
    std::vector<Index> divisions;
    find(stmts, from, divisions);
    for (const Index& division : divisions) {
      if (is_named(division) || division.has_data()) continue;
      std::vector<int> used;
      division.collect_axes(used);
      if (std::all_of(used.begin(), used.end(), [&](int axis) { return set_.contains(axis); }))
        name(division, "q", out);
    }
  }

  Stmts block(const Stmts& stmts) {
    const size_t names = named_.size();
    const std::set<int> set = set_;
    Stmts out;
    name_settled(stmts, 0, out);
    for (size_t i = 0; i < stmts.size(); ++i) {
      Stmt stmt = stmts[i];
      if (auto* loop = std::get_if<For>(&stmt.node)) {
        reduce(*loop);
      } else if (auto* branch = std::get_if<If>(&stmt.node)) {
        branch->then = block(branch->then);
        branch->otherwise = block(branch->otherwise);
      }
      const auto* let = std::get_if<Let>(&stmt.node);
      const int var = let != nullptr ? let->var : -1;
      out.push_back(std::move(stmt));
      if (var < 0) continue;
      set_.insert(var);
      name_settled(stmts, i + 1, out);
    }
    named_.resize(names);
    set_ = set;
    return out;
  }

  void reduce(For& loop) {
    const size_t names = named_.size();
    if (is_counted(loop)) loop.inductions = inductions(loop);
    set_.insert(loop.var);
    loop.body = block(loop.body);
    set_.erase(loop.var);
    named_.resize(names);
  }

  // --- Divisions that are counted ---
  std::vector<InductionVariable> inductions(const For& loop) {
    std::vector<Index> divisions;
    find(loop.body, 0, divisions);
    std::vector<InductionVariable> out;
    for (const Index& division : divisions) {
      if (is_named(division) || !moves_with(division, loop)) continue;
      const Index &x = division.operands()[0], &c = division.operands()[1];
      if (uses_set_inside(division, loop) || c.uses_axis(loop.var)) continue;
      std::string quotient = fresh("q"), remainder = fresh("r");
      out.push_back(induction_of(x, c, program_.var(loop.var), out, std::move(quotient),
                                 std::move(remainder)));
      named_.push_back(floordiv(x, c));
      named_.push_back(mod(x, c));
    }
    return out;
  }
  // Variables of lets in the body are not there where an induction variable starts.
  bool uses_set_inside(const Index& division, const For& loop) const {
    std::vector<int> used;
    division.collect_axes(used);
    return std::any_of(used.begin(), used.end(),
                       [&](int axis) { return axis != loop.var && !set_.contains(axis); });
  }

  Program program_;
  int next_ = 0;
  std::set<int> part_ends_;   // variables of ends of threads' parts
  std::set<int> set_;         // variables
  std::vector<Index> named_;  // by names and induction variables around
};

}  // namespace

Program strength_reduce(Program program) { return Reduction(std::move(program)).run(); }

Program name_sizes(Program program) { return Reduction(std::move(program)).only_sizes(); }

}  // namespace burin::loops
