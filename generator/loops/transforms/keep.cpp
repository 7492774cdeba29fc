#include "loops/transforms/keep.h"

#include <algorithm>

#include "loops/footprint.h"
#include "loops/walk.h"
#include "support/at.h"

namespace burin::loops {
namespace {

// for every element of the part that is there: one statement.
Stmts over_part(Program& program, const Buffer& of, const Footprint& part,
                const std::function<Stmt(const std::vector<Index>& there,
                                         const std::vector<Index>& kept)>& make) {
  std::vector<Index> there, kept;
  std::vector<int> vars;
  Guard inside;
  for (size_t d = 0; d < part.extent.size(); ++d) {
    Index at = 0;
    if (part.extent[d] > 1) {
      vars.push_back(program.add(Var{"kept" + std::to_string(d), part.extent[d]}));
      at = program.var(vars.back());
    }
    kept.push_back(at);
    there.push_back(part.first[d] + at);
    if (!proven_le(0, there[d]) || !proven_lt(there[d], of.shape[d]))
      inside.push_back({there[d], 0, of.shape[d]});
  }
  Stmts body{make(there, kept)};
  if (!inside.empty()) body = {Stmt{If{inside, std::move(body), {}}}};
  for (size_t k = vars.size(); k-- > 0;)
    body = {Stmt{For{vars[k], 0, program.vars[burin::at(vars[k])].extent, 1, Kind::unrolled,
                     std::move(body)}}};
  return body;
}

}  // namespace

Change keep(const Program& program, BufferId buffer, int var) {
  const Buffer& of = program.buffers[burin::at(buffer)];
  Change out{program, "keep " + of.name + " across " + var_text(var), {}};
  const For* loop = find_loop(program, var);
  if (!loop) {
    out.refusal = "there is not one loop of " + var_text(var);
    return out;
  }
  const std::optional<Footprint> part = footprint(loop->body, buffer);
  if (!part) {
    out.refusal = "what the loop touches of " + of.name + " is no box of known extent";
    return out;
  }
  for (const Index& first : part->first) {
    if (first.uses_axis(var)) out.refusal = of.name + " moves with " + var_text(var);
  }
  if (!out.done()) return out;
  Buffer kept;
  kept.name = free_name(program, of.name + "_kept");
  kept.type = of.type;
  kept.scope = Scope::registers;
  for (const int64_t extent : part->extent) kept.shape.emplace_back(extent);
  const BufferId registers = out.program.add(kept);
  Program& made = out.program;
  Stmts stmts{Stmt{Alloc{registers}}};
  for (Stmt& stmt : over_part(made, of, *part, [&](const auto&there, const auto&at) {
         return Stmt{Store{{registers}, at, {made.element(buffer, there)}, Combiner::none}};
       }))
    stmts.push_back(std::move(stmt));
  For inner = *loop;
  inner.body = redirect(loop->body, buffer, registers, [&](const std::vector<Index>& at) {
    std::vector<Index> moved;
    for (size_t d = 0; d < at.size(); ++d) moved.push_back(at[d] - part->first[d]);
    return moved;
  });
  const std::vector<BufferId> written = writes_of(loop->body);
  stmts.push_back({std::move(inner)});
  if (std::count(written.begin(), written.end(), buffer) > 0) {
    for (Stmt& stmt : over_part(made, of, *part, [&](const auto&there, const auto&at) {
           return Stmt{Store{{buffer}, there, {made.element(registers, at)}, Combiner::none}};
         }))
      stmts.push_back(std::move(stmt));
  }
  made.body = with_loop(made, var, stmts).body;
  out.buffers = {registers};
  return out;
}

}  // namespace burin::loops
