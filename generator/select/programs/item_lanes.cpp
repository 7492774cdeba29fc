#include "select/programs/item_lanes.h"

#include "loops/run/inward.h"

namespace burin {
namespace {

using loops::Kind;
using loops::Stmt;
using loops::Stmts;

std::string name_of(const Making& making, int axis) {
  return making.program().vars[static_cast<size_t>(axis)].name;
}

// Points that are there: {0 <= point < extent}, or no condition where all are.
Guard guard_of(const Making& making, int axis, int64_t lanes, const Index& point) {
  const Dim& extent = making.extent(axis);
  if (mod(extent, lanes).is_constant(0)) return {};
  return {{point, 0, extent}};
}

struct Lane {
  int var = 0;
  Index point = 0;
};
Lane lane_of(Making& making, int axis, int64_t lanes, const Index& group) {
  Lane out;
  out.var = making.shared_variable(name_of(making, axis) + "_lane", lanes);
  out.point = group * lanes + making.at(out.var);
  return out;
}

}  // namespace

Stmts in_lanes(Making& making, int axis, int64_t lanes, const Index& group, Stmts body) {
  const Lane lane = lane_of(making, axis, lanes, group);
  body = loops::substitute(body, axis, lane.point);
  const Guard when = guard_of(making, axis, lanes, lane.point);
  if (!when.empty()) body = {Stmt{loops::If{when, std::move(body), {}}}};
  return {loop(lane.var, 0, lanes, std::move(body), Kind::unrolled)};
}

Stmts by_texels(Making& making, int axis, Stmts body) {
  const Dim fours = ceildiv(making.extent(axis), kTexel);
  const int four = making.shared_variable(name_of(making, axis) + "_four", fours);
  return {loop(four, 0, fours, in_lanes(making, axis, kTexel, making.at(four), std::move(body)))};
}

Stmts item_lanes(Making& making, int axis, int64_t lanes, const Index& group, Stmts body) {
  const Lane lane = lane_of(making, axis, lanes, group);
  const loops::For around{
      lane.var, 0, lanes, 1, Kind::unrolled, loops::substitute(body, axis, lane.point)};
  const auto moves = [&](const Index& index) {
    return index.uses_axis(lane.var) || index.has_data();
  };
  const Stmts apart = loops::inward(making.program(), around, [&](const Stmt& stmt) {
    const auto* loop = std::get_if<loops::For>(&stmt.node);
    return loop != nullptr && !moves(loop->begin) && !moves(loop->end);
  });
  const Guard when = guard_of(making, axis, lanes, lane.point);
  if (when.empty()) return apart;
  return loops::rewrite(apart, [&](Stmt stmt) {
    auto* loop = std::get_if<loops::For>(&stmt.node);
    if (loop != nullptr && loop->var == lane.var)
      loop->body = {Stmt{loops::If{when, std::move(loop->body), {}}}};
    return Stmts{std::move(stmt)};
  });
}

}  // namespace burin
