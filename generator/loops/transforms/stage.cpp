#include "loops/transforms/stage.h"

#include <algorithm>

#include "loops/footprint.h"
#include "loops/walk.h"
#include "support/at.h"

namespace burin::loops {
namespace {

std::string text_of(const std::vector<StagedDim>& dims) {
  std::string out;
  for (const StagedDim& one : dims) {
    out += (out.empty() ? "" : ", ") + std::to_string(one.dim);
    if (one.divisor > 1) out += "/" + std::to_string(one.divisor);
    if (one.modulus > 0) out += "%" + std::to_string(one.modulus);
  }
  return "[" + out + "]";
}

int64_t rounded(int64_t points, int64_t divisor) { return (points + divisor - 1) / divisor; }

// Whether each place of the part has one place in the copy: the pieces of a dimension divide it
// from 1 on, one after the other, up to one that takes what is left.
bool covers(const std::vector<StagedDim>& dims, size_t rank) {
  for (size_t d = 0; d < rank; ++d) {
    std::vector<StagedDim> own;
    for (const StagedDim& one : dims) {
      if (burin::at(one.dim) == d) own.push_back(one);
    }
    std::sort(own.begin(), own.end(),
              [](const StagedDim& a, const StagedDim& b) { return a.divisor < b.divisor; });
    int64_t next = 1;
    for (size_t k = 0; k < own.size(); ++k) {
      const bool last = k + 1 == own.size();
      if (own[k].divisor != next || last != (own[k].modulus == 0)) return false;
      next *= own[k].modulus;
    }
    if (own.empty()) return false;
  }
  return true;
}

}  // namespace

Change stage(const Program& program, BufferId buffer, int var, const std::vector<StagedDim>& dims) {
  const Buffer of = program.buffers[burin::at(buffer)];
  Change out{program, "stage " + of.name + " as " + text_of(dims) + " at " + var_text(var), {}};
  const For* loop = find_loop(program, var);
  if (!loop) {
    out.refusal = "there is not one loop of " + var_text(var);
    return out;
  }
  const std::vector<BufferId> written = writes_of({Stmt{*loop}});
  const std::optional<Footprint> part = footprint({Stmt{*loop}}, buffer);
  if (std::count(written.begin(), written.end(), buffer) > 0) {
    out.refusal = "the loop writes " + of.name;
  } else if (!part) {
    out.refusal = "what the loop reads of " + of.name + " is no box of known extent";
  } else if (!covers(dims, of.shape.size())) {
    out.refusal = "the dimensions of the copy do not divide those of " + of.name;
  }
  if (!out.done()) return out;
  Program& made = out.program;
  Buffer copy;
  copy.name = free_name(program, of.name + "_staged");
  copy.type = of.type;
  copy.scope = Scope::stack;
  std::vector<int> vars;
  std::vector<Index> place(of.shape.size(), Index(0)), at;
  for (const StagedDim& one : dims) {
    const int64_t points = rounded(part->extent[burin::at(one.dim)], one.divisor);
    const int64_t extent = one.modulus > 0 ? one.modulus : points;
    copy.shape.emplace_back(extent);
    vars.push_back(made.add(Var{copy.name + std::to_string(vars.size()), extent}));
    at.push_back(made.var(vars.back()));
    place[burin::at(one.dim)] += made.var(vars.back()) * one.divisor;
  }
  const BufferId staged = made.add(copy);
  Guard inside;
  std::vector<Index> from;
  for (size_t d = 0; d < place.size(); ++d) {
    from.push_back(part->first[d] + place[d]);
    // The copy is as long as its pieces are; the part ends where it ends.
    if (!proven_le(0, from[d]) || !proven_lt(from[d], of.shape[d]))
      inside.push_back({from[d], 0, of.shape[d]});
  }
  const Expr element = made.element(buffer, from);
  const Expr zero = Expr::constant(compute_type(of.type), 0);
  const Expr value = inside.empty() ? element : Expr::cases({{inside, element}}, zero);
  Stmts fill{Stmt{Store{{staged}, at, {value}, Combiner::none}}};
  for (size_t k = vars.size(); k-- > 0;)
    fill = {Stmt{For{vars[k], 0, copy.shape[k], 1, Kind::serial, std::move(fill)}}};
  Stmts stmts{Stmt{Alloc{staged}}};
  stmts.insert(stmts.end(), fill.begin(), fill.end());
  for (Stmt& stmt : redirect({Stmt{*loop}}, buffer, staged, [&](const std::vector<Index>& index) {
         std::vector<Index> moved;
         for (const StagedDim& one : dims) {
           const Index distance = index[burin::at(one.dim)] - part->first[burin::at(one.dim)];
           const Index divided = floordiv(distance, one.divisor);
           moved.push_back(one.modulus > 0 ? mod(divided, one.modulus) : divided);
         }
         return moved;
       }))
    stmts.push_back(std::move(stmt));
  made.body = with_loop(made, var, stmts).body;
  out.buffers = {staged};
  return out;
}

}  // namespace burin::loops
