#include "loops/idle.h"

#include <algorithm>
#include <iterator>
#include <optional>
#include <set>
#include <string>

#include "loops/lanewise.h"
#include "loops/walk.h"

namespace burin::loops {
namespace {

bool reads(const Stmts& stmts, int var) {
  bool found = false;
  for_each(stmts, [&](const Stmt& stmt) {
    for_each_index(stmt, [&](const Index& one) { found = found || one.uses_axis(var); });
    for_each_expr(stmt, [&](const Expr& one) { found = found || moves_with(one, var); });
  });
  return found;
}

Stmts without(const Stmts& stmts, const std::vector<int>& kept) {
  Stmts out;  // backwards
  for (size_t k = stmts.size(); k-- > 0;) {
    Stmt stmt = stmts[k];
    if (auto* loop = std::get_if<For>(&stmt.node)) {
      loop->body = without(loop->body, {loop->part_end});
    } else if (auto* branch = std::get_if<If>(&stmt.node)) {
      branch->then = without(branch->then, {});
      branch->otherwise = without(branch->otherwise, {});
    } else if (const auto* let = std::get_if<Let>(&stmt.node)) {
      const bool stays = std::find(kept.begin(), kept.end(), let->var) != kept.end();
      if (!stays && !reads(out, let->var)) continue;
    }
    out.push_back(std::move(stmt));
  }
  std::reverse(out.begin(), out.end());
  return out;
}

bool is_in_line(const For& loop) {
  return loop.part_end < 0 && (loop.kind == Kind::serial || loop.kind == Kind::unrolled);
}

// What a statement declares to the end of its block.
struct Declared {
  std::set<int> vars;
  std::set<BufferId> buffers;
  std::set<std::string> names;

  bool empty() const { return vars.empty() && buffers.empty() && names.empty(); }
  void add(const Stmt& stmt) {
    if (const auto* let = std::get_if<Let>(&stmt.node)) vars.insert(let->var);
    if (const auto* alloc = std::get_if<Alloc>(&stmt.node)) buffers.insert(alloc->buffer);
    if (const auto* name = std::get_if<Name>(&stmt.node)) names.insert(name->name);
  }
  bool meets(const Declared& other) const {
    const auto common = [](const auto& some, const auto& others) {
      return std::any_of(some.begin(), some.end(),
                         [&](const auto& one) { return others.contains(one); });
    };
    return common(vars, other.vars) || common(buffers, other.buffers) || common(names, other.names);
  }
};

Declared declared_in(const Stmts& stmts) {
  Declared out;
  for (const Stmt& stmt : stmts) out.add(stmt);
  return out;
}

// What a block declares but for one statement, and in blocks inside of what comes behind that one.
Declared declared_beside(const Stmts& block, size_t place) {
  Declared out;
  for (size_t k = 0; k < block.size(); ++k) {
    if (k < place) out.add(block[k]);
    if (k <= place) continue;
    for_each({block[k]}, [&](const Stmt& stmt) {
      out.add(stmt);
      if (const auto* loop = std::get_if<For>(&stmt.node)) out.vars.insert(loop->var);
    });
  }
  return out;
}

// Of a loop of one turn, and of a branch that is settled, what runs.
std::optional<Stmts> what_runs(const Stmt& stmt) {
  if (const auto* loop = std::get_if<For>(&stmt.node)) {
    const Index turns = loop->end - loop->begin;
    const bool one = is_in_line(*loop) && turns.is_constant() && turns.constant() > 0 &&
                     turns.constant() <= loop->step;
    return one ? std::optional(substitute(loop->body, loop->var, loop->begin)) : std::nullopt;
  }
  if (const auto* branch = std::get_if<If>(&stmt.node)) {
    if (always_holds(branch->when)) return branch->then;
    if (never_holds(branch->when)) return branch->otherwise;
  }
  return std::nullopt;
}

// What runs in such ones of a block instead of them, unless the block declares the same elsewhere.
Stmts unwrapped(Stmts block) {
  for (size_t place = 0; place < block.size();) {
    std::optional<Stmts> inside = what_runs(block[place]);
    const Declared own = inside ? declared_in(*inside) : Declared();
    if (!inside || (!own.empty() && own.meets(declared_beside(block, place)))) {
      ++place;
      continue;
    }
    const auto at = block.begin() + static_cast<std::ptrdiff_t>(place);
    if (inside->size() == 1) {
      *at = std::move((*inside)[0]);
      continue;
    }
    const auto behind = block.erase(at);
    block.insert(behind, std::make_move_iterator(inside->begin()),
                 std::make_move_iterator(inside->end()));
  }
  return block;
}

}  // namespace

bool always_holds(const Guard& guard) {
  return std::all_of(guard.begin(), guard.end(), [](const Condition& one) {
    return proven_le(one.lo, one.index) && proven_lt(one.index, one.hi);
  });
}

bool never_holds(const Guard& guard) {
  return std::any_of(guard.begin(), guard.end(), [](const Condition& one) {
    return proven_lt(one.index, one.lo) || proven_le(one.hi, one.index);
  });
}

Stmts without_idle_lets(const Stmts& stmts) { return without(stmts, {}); }

Stmts without_idle_loops(const Stmts& stmts) {
  return unwrapped(rewrite(stmts, [](Stmt stmt) -> Stmts {
    if (auto* loop = std::get_if<For>(&stmt.node)) {
      loop->body = unwrapped(loop->body);
      if (is_in_line(*loop) && (loop->body.empty() || proven_le(loop->end, loop->begin))) return {};
    } else if (auto* branch = std::get_if<If>(&stmt.node)) {
      branch->then = unwrapped(branch->then);
      branch->otherwise = unwrapped(branch->otherwise);
    }
    return {std::move(stmt)};
  }));
}

Program without_idle_locals(Program program) {
  while (true) {
    const std::vector<BufferId> read = reads_of(program.body);
    const auto is_idle = [&](BufferId buffer) {
      return program.buffers[static_cast<size_t>(buffer)].scope == Scope::local &&
             std::find(read.begin(), read.end(), buffer) == read.end();
    };
    bool changed = false;
    Stmts body = rewrite(program.body, [&](Stmt stmt) -> Stmts {
      const auto* alloc = std::get_if<Alloc>(&stmt.node);
      const auto* store = std::get_if<Store>(&stmt.node);
      const bool goes = (alloc && is_idle(alloc->buffer)) ||
                        (store && std::all_of(store->to.begin(), store->to.end(), is_idle));
      changed = changed || goes;
      return goes ? Stmts() : Stmts{std::move(stmt)};
    });
    if (!changed) return program;
    program.body = without_idle_loops(body);
  }
}

}  // namespace burin::loops
