#include "select/programs/device/launch_program.h"

#include "select/programs/item_lanes.h"
#include "support/at.h"
#include "support/check.h"

namespace burin {
namespace {

using loops::Kind;
using loops::Stmt;
using loops::Stmts;

class LaunchStmts {
 public:
  explicit LaunchStmts(Making& making) : making_(making) {}

  Stmts all(const LaunchNodes& nodes) {
    Stmts out;
    for (const LaunchNode& node : nodes) {
      if (const auto* launch = std::get_if<Launch>(&node.node)) {
        const int var = making_.shared_variable("launch", 1);
        out.push_back(loop(var, 0, 1, stmts(*launch), Kind::launch));
      } else {
        const auto& steps = std::get<LaunchLoop>(node.node);
        out.push_back(loop(steps.axis, making_.buffers().index(steps.begin),
                           making_.buffers().index(steps.end), all(steps.nodes), Kind::host));
      }
    }
    return out;
  }

 private:
  Stmts stmts(const Launch& launch) {
    if (launch.product)
      return batch(launch, 2, unrolled(group_product_stmts(making_, launch), launch.unroll));
    if (launch.attention) return batch(launch, 1, group_attention_stmts(making_, launch));
    if (launch.cooperative > 0) {
      const int item = making_.shared_variable("item", launch.cooperative);
      Stmts body = unrolled(cooperative_stmts(making_, launch), launch.unroll);
      Stmts group;
      for (const loops::BufferId one : making_.take_group_arrays())
        group.push_back({loops::Alloc{one}});
      group.push_back(loop(item, 0, launch.cooperative, std::move(body), Kind::item));
      return around(launch, std::move(group), Kind::group);
    }
    return around(launch, unrolled(points(launch), launch.unroll), Kind::item);
  }

  // What one work-item does at its point.
  Stmts points(const Launch& launch) {
    Stmts body = generic_stmts(making_, launch.nodes);
    if (launch.texels < 0) return body;
    return item_lanes(making_, launch.texels, launch.lanes,
                      making_.at(point_var(launch, launch.texels)), std::move(body));
  }

  // The variable of a point along an axis, and how many there are: the axis itself, or a group of
  // neighbours.
  Dim points_of(const Launch& launch, int axis) const {
    return axis == launch.texels && launch.cooperative == 0
               ? ceildiv(making_.extent(axis), launch.lanes)
               : making_.extent(axis);
  }
  int point_var(const Launch& launch, int axis) {
    if (axis != launch.texels || launch.cooperative > 0) return axis;
    const std::string name = making_.program().vars[at(axis)].name;
    return making_.shared_variable(name + (launch.lanes == kTexel ? "_four" : "_vector"),
                                   points_of(launch, axis));
  }

  // The work-groups of a last dimension whose points they have one by one.
  Stmts batch(const Launch& launch, size_t d, Stmts body) {
    Launch around_it = launch;
    around_it.texels = -1;
    around_it.dimensions = {launch.dimensions.at(d)};
    return around(around_it, std::move(body), Kind::group);
  }

  // Around the points of all dimensions; those of the first one move fastest.
  Stmts around(const Launch& launch, Stmts body, Kind kind) {
    for (size_t d = 0; d < launch.dimensions.size(); ++d) {
      const std::vector<int>& axes = launch.dimensions[d].axes;
      std::vector<int> vars;
      std::vector<Dim> extents;
      Dim all = 1;
      for (const int axis : axes) {
        vars.push_back(point_var(launch, axis));
        extents.push_back(points_of(launch, axis));
        all *= extents.back();
      }
      if (d == 0 && launch.coarsening > 1) {
        body = coarsened(launch, vars, extents, all, std::move(body));
      } else if (axes.size() == 1) {
        body = {loop(vars[0], 0, extents[0], std::move(body), kind)};
      } else {
        const int point = making_.shared_variable("point" + std::to_string(d), all);
        Stmts inside = flattened(vars, extents, making_.at(point));
        append(inside, std::move(body));
        body = {loop(point, 0, all, std::move(inside), kind)};
      }
    }
    return body;
  }

  // Points of a work-item one after the other, as far apart as there are work-items, so that
  // neighbouring work-items have neighbouring points.
  Stmts coarsened(const Launch& launch, const std::vector<int>& vars,
                  const std::vector<Dim>& extents, const Dim& all, Stmts body) {
    const Dim& items = launch.dimensions[0].extent;
    const int first = making_.shared_variable("first_point", items);
    const int turn = making_.shared_variable("turn", launch.coarsening);
    const Index point = making_.at(first) + making_.at(turn) * items;
    int flat = vars[0];
    Stmts digits;
    if (vars.size() > 1) {
      flat = making_.shared_variable("point0", all);
      digits = flattened(vars, extents, making_.at(flat));
    }
    Stmts inside{Stmt{loops::Let{flat, point}}};
    append(inside, std::move(digits));
    append(inside, std::move(body));
    if (!mod(all, launch.coarsening).is_constant(0))
      inside = {Stmt{loops::If{{{point, 0, all}}, std::move(inside), {}}}};
    return {
        loop(first, 0, items, {loop(turn, 0, launch.coarsening, std::move(inside))}, Kind::item)};
  }

  // Innermost loops, but for those that are written out anyway, are written out so many turns at a
  // time.
  static Stmts unrolled(Stmts stmts, int turns) {
    if (turns == 0) return stmts;
    return loops::rewrite(stmts, [&](Stmt stmt) {
      auto* one = std::get_if<loops::For>(&stmt.node);
      if (one != nullptr && one->kind == Kind::serial && !has_turns(one->body)) one->unroll = turns;
      return Stmts{std::move(stmt)};
    });
  }
  static bool has_turns(const Stmts& stmts) {
    bool found = false;
    loops::for_each(stmts, [&](const Stmt& stmt) {
      const auto* one = std::get_if<loops::For>(&stmt.node);
      found = found || (one != nullptr && one->kind == Kind::serial);
    });
    return found;
  }

  Making& making_;
};

}  // namespace

Stmts flattened(const std::vector<int>& vars, const std::vector<Dim>& extents, const Index& point) {
  Stmts out;
  Dim behind = 1;  // points of the axes that move faster
  for (size_t i = vars.size(); i-- > 0;) {
    // Where an axis has no points nothing runs, but what is printed divides by a number.
    const Dim extent = extents[i].is_constant(0) ? Dim(1) : extents[i];
    Index value = floordiv(point, behind);
    if (i > 0) value = mod(value, extent);
    out.push_back({loops::Let{vars[i], std::move(value)}});
    behind = extent * behind;
  }
  return out;
}

Stmts launch_stmts(Making& making) { return LaunchStmts(making).all(making.schedule().launches); }

}  // namespace burin
