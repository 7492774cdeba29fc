#include "loops/transforms/merge.h"

#include <algorithm>

#include "loops/walk.h"
#include "support/at.h"

namespace burin::loops {
namespace {

bool meet(const std::vector<BufferId>& a, const std::vector<BufferId>& b) {
  return std::any_of(a.begin(), a.end(),
                     [&](BufferId one) { return std::find(b.begin(), b.end(), one) != b.end(); });
}

// The order of two statements makes no difference.
bool apart(const Stmts& a, const Stmts& b) {
  const std::vector<BufferId> written = writes_of(a), also_written = writes_of(b);
  return !meet(written, also_written) && !meet(written, reads_of(b)) &&
         !meet(also_written, reads_of(a));
}

bool plain(const For& loop) {
  return loop.kind == Kind::serial && loop.inductions.empty() && loop.part_end < 0;
}

bool same_points(const For& a, const For& b, const Program& program) {
  return a.begin == b.begin && a.end == b.end && a.step == b.step &&
         program.vars[at(a.var)].extent == program.vars[at(b.var)].extent;
}

bool writes_arguments(const Stmts& stmts, const Program& program) {
  const std::vector<BufferId> written = writes_of(stmts);
  return std::any_of(written.begin(), written.end(), [&](BufferId one) {
    return program.buffers[at(one)].scope == Scope::argument;
  });
}

// Whether a loop or a name inside has this variable, which another one cannot be called then.
bool sets(const Stmts& stmts, int var) {
  bool found = false;
  for_each(stmts, [&](const Stmt& stmt) {
    if (const auto* loop = std::get_if<For>(&stmt.node))
      found |= loop->var == var || loop->part_end == var;
    if (const auto* let = std::get_if<Let>(&stmt.node)) found |= let->var == var;
  });
  return found;
}

// What may go in front of a loop: it names nothing that the loop could mean otherwise.
bool movable(const Stmt& stmt) {
  return std::holds_alternative<Alloc>(stmt.node) || std::holds_alternative<Store>(stmt.node);
}

// The loop of `block` that this one can be part of; nullptr: none.
For* partner(Stmts& block, const For& loop, const Program& program, size_t& place) {
  for (size_t k = block.size(); k-- > 0;) {
    if (auto* before = std::get_if<For>(&block[k].node)) {
      const bool fits = plain(*before) && same_points(*before, loop, program) &&
                        !sets(loop.body, before->var) && !writes_arguments(before->body, program) &&
                        apart({block[k]}, {Stmt{loop}});
      const Stmts between(block.begin() + static_cast<std::ptrdiff_t>(k) + 1, block.end());
      place = k;
      return fits && apart({block[k]}, between) ? before : nullptr;
    }
    if (!movable(block[k])) return nullptr;
  }
  return nullptr;
}

Stmts merged(const Stmts& block, const Program& program) {
  Stmts out;
  for (const Stmt& stmt : block) {
    const auto* loop = std::get_if<For>(&stmt.node);
    size_t place = 0;
    For* const before = loop != nullptr && plain(*loop) && !writes_arguments(loop->body, program)
                            ? partner(out, *loop, program, place)
                            : nullptr;
    if (before == nullptr) {
      out.push_back(stmt);
      continue;
    }
    For both = *before;
    append(both.body, loop->var == both.var
                          ? loop->body
                          : substitute(loop->body, loop->var, program.var(both.var)));
    both.body = merged(both.body, program);
    out.erase(out.begin() + static_cast<std::ptrdiff_t>(place));
    out.push_back(Stmt{std::move(both)});
  }
  return out;
}

}  // namespace

Program merge_loops(Program program) {
  program.body = merged(rewrite(program.body,
                                [&](Stmt stmt) {
                                  if (auto* loop = std::get_if<For>(&stmt.node)) {
                                    loop->body = merged(loop->body, program);
                                  } else if (auto* branch = std::get_if<If>(&stmt.node)) {
                                    branch->then = merged(branch->then, program);
                                    branch->otherwise = merged(branch->otherwise, program);
                                  }
                                  return Stmts{std::move(stmt)};
                                }),
                        program);
  return program;
}

}  // namespace burin::loops
