#include "loops/transforms/fuse_at.h"

#include <algorithm>

#include "loops/footprint.h"
#include "loops/walk.h"
#include "support/at.h"

namespace burin::loops {
namespace {

bool has(const std::vector<BufferId>& buffers, BufferId one) {
  return std::find(buffers.begin(), buffers.end(), one) != buffers.end();
}

// The nest that fills a buffer: its loops over elements from outside in, and what is in them.
struct Nest {
  std::vector<const For*> loops;
  std::vector<int> vars;  // by dimension of the buffer
  Stmts body;
};

// The one store to a buffer; nullopt: there is none, or several, or something else writes it.
std::optional<Store> store_to(const Stmts& stmts, BufferId buffer) {
  std::optional<Store> found;
  int others = 0;
  for_each(stmts, [&](const Stmt& stmt) {
    if (const auto* store = std::get_if<Store>(&stmt.node)) {
      if (!has(store->to, buffer)) return;
      others += found.has_value() || store->to.size() != 1;
      found = *store;
    } else if (const auto* call = std::get_if<Call>(&stmt.node)) {
      for (const Region& region : call->operands) others += region.buffer == buffer;
    }
  });
  return others == 0 ? found : std::nullopt;
}

std::string nest_of(const Program& program, const Stmt& stmt, BufferId buffer, Nest& out) {
  const Buffer& of = program.buffers[burin::at(buffer)];
  const std::optional<Store> store = store_to({stmt}, buffer);
  if (!store) return "there is not one store to " + of.name;
  for (const Index& place : store->at) {
    if (place.kind() != IndexKind::axis) return "its elements are not stored point by point";
    out.vars.push_back(place.axis_id());
  }
  const Stmt* inside = &stmt;
  const Stmts* body = nullptr;
  while (out.loops.size() < out.vars.size()) {
    const auto* loop = inside ? std::get_if<For>(&inside->node) : nullptr;
    const auto dim = loop ? std::find(out.vars.begin(), out.vars.end(), loop->var) : out.vars.end();
    if (dim == out.vars.end()) return "something stands between the loops that fill " + of.name;
    const Dim& extent = of.shape[static_cast<size_t>(dim - out.vars.begin())];
    if (loop->kind != Kind::serial || loop->step != 1 || loop->part_end >= 0 ||
        !loop->inductions.empty() || !loop->begin.is_constant(0) || !(loop->end == extent))
      return "not all of " + of.name + " is filled by plain loops";
    out.loops.push_back(loop);
    body = &loop->body;
    inside = body->size() == 1 ? &body->front() : nullptr;
  }
  out.body = body ? *body : Stmts{stmt};
  return "";
}

// The statement that fills a buffer, and the block that it stands in: beside the one that holds the
// loop.
struct Place {
  const Stmts* block = nullptr;
  size_t at = 0;
};
Place place_of_writer(const Stmts& block, BufferId buffer, int var) {
  Place out;
  for (size_t k = 0; k < block.size(); ++k) {
    if (!has(writes_of({block[k]}), buffer)) continue;
    if (out.block != nullptr) return {};
    out = {&block, k};
  }
  if (out.block == nullptr || !variables_in({block[out.at]}).contains(var)) return out;
  const Stmt& around = block[out.at];
  if (const auto* loop = std::get_if<For>(&around.node))
    return loop->var == var ? Place{} : place_of_writer(loop->body, buffer, var);
  const auto* branch = std::get_if<If>(&around.node);
  return branch && branch->otherwise.empty() ? place_of_writer(branch->then, buffer, var) : Place{};
}

std::string refusal_of(const Program& program, BufferId buffer, int var, const For* loop,
                       const Place& place) {
  const Buffer& of = program.buffers[burin::at(buffer)];
  if (loop == nullptr) return "there is not one loop of " + var_text(var);
  if (place.block == nullptr) return of.name + " is not filled by one statement of the program";
  if (of.scope == Scope::argument) return of.name + " is there when the kernel has run";
  const Stmt& filling = (*place.block)[place.at];
  const std::vector<BufferId> read = reads_of({filling}), written = writes_of({filling});
  const std::set<BufferId> own = allocated_in({filling});
  if (has(read, buffer)) return of.name + " is made from itself";
  for (const BufferId one : written) {
    if (one != buffer && !own.contains(one))
      return program.buffers[burin::at(one)].name + " is filled with " + of.name;
  }
  bool behind = false;
  for (size_t k = place.at + 1; k < place.block->size(); ++k) {
    behind = behind || variables_in({(*place.block)[k]}).contains(var);
    for (const BufferId one : writes_of({(*place.block)[k]})) {
      if (has(read, one) && !own.contains(one))
        return program.buffers[burin::at(one)].name + " is written behind it";
    }
  }
  if (!behind) return "the loop does not stand behind what fills " + of.name;
  // But for what is in the loop.
  For without = *loop;
  without.body.clear();
  const Program others = with_loop(program, var, {Stmt{std::move(without)}});
  return has(reads_of(others.body), buffer) ? "others read " + of.name : "";
}

}  // namespace

Change fuse_at(const Program& program, BufferId buffer, int var) {
  const Buffer& of = program.buffers[burin::at(buffer)];
  Change out{program, "fuse " + of.name + " at " + var_text(var), {}};
  const For* loop = find_loop(program, var);
  const Place place = place_of_writer(program.body, buffer, var);
  out.refusal = refusal_of(program, buffer, var, loop, place);
  if (!out.done()) return out;
  Nest nest;
  out.refusal = nest_of(program, (*place.block)[place.at], buffer, nest);
  if (!out.done()) return out;
  const std::optional<Footprint> part = footprint(loop->body, buffer);
  if (!part) {
    out.refusal = "what a point reads of " + of.name + " is no box of known extent";
    return out;
  }
  Program& made = out.program;
  // The part of one point, counted from where it begins.
  std::vector<int> counts;
  Guard inside;
  Stmts body = nest.body;
  for (size_t d = 0; d < of.shape.size(); ++d) {
    const Var& whole = program.vars[burin::at(nest.vars[d])];
    counts.push_back(made.add(Var{free_var(made, whole.name + "_part"), part->extent[d]}));
    const Index point = part->first[d] + made.var(counts[d]);
    body = substitute(body, nest.vars[d], point);
    // A read that its own condition keeps inside may have a box that reaches outside.
    if (!proven_le(0, point) || !proven_lt(point, of.shape[d]))
      inside.push_back({point, 0, of.shape[d]});
  }
  const auto moved = [&](const std::vector<Index>& at) {
    std::vector<Index> own;
    for (size_t d = 0; d < at.size(); ++d) own.push_back(at[d] - part->first[d]);
    return own;
  };
  body = redirect(body, buffer, buffer, moved);
  if (!inside.empty()) body = {Stmt{If{inside, std::move(body), {}}}};
  for (size_t k = nest.loops.size(); k-- > 0;) {
    const auto dim = static_cast<size_t>(
        std::find(nest.vars.begin(), nest.vars.end(), nest.loops[k]->var) - nest.vars.begin());
    body = {Stmt{For{counts[dim], 0, part->extent[dim], 1, Kind::serial, std::move(body)}}};
  }
  For fused = *loop;
  Stmts first{Stmt{Alloc{buffer}}};
  append(first, std::move(body));
  append(first, redirect(loop->body, buffer, buffer, moved));
  fused.body = std::move(first);
  const Stmt filling = (*place.block)[place.at];
  made.body = rewrite(program.body, [&](Stmt stmt) {
    const auto* alloc = std::get_if<Alloc>(&stmt.node);
    // No other statement stores there.
    if ((alloc != nullptr && alloc->buffer == buffer) || stmt == filling) return Stmts{};
    const auto* one = std::get_if<For>(&stmt.node);
    return one != nullptr && one->var == var ? Stmts{Stmt{fused}} : Stmts{std::move(stmt)};
  });
  Buffer& own = made.buffers[burin::at(buffer)];
  own.scope = Scope::stack;
  own.offset = 0;
  own.shape.assign(part->extent.begin(), part->extent.end());
  own.layout = {};
  out.vars = counts;
  out.buffers = {buffer};
  return out;
}

}  // namespace burin::loops
