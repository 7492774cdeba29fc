// Work-groups whose work-items share the loops of one point (select/device/cooperative_groups.h).
#include <algorithm>
#include <set>

#include "kernel/combiner.h"
#include "select/device/cooperative_groups.h"
#include "select/device/launch_walk.h"
#include "select/programs/device/launch_program.h"
#include "select/programs/item_lanes.h"
#include "support/at.h"

namespace burin {
namespace {

using loops::BufferId;
using loops::Scope;
using loops::Stmt;
using loops::Stmts;

class CooperativeStmts {
 public:
  CooperativeStmts(Making& making, const Launch& launch)
      : making_(making),
        launch_(launch),
        item_(making.at(making.shared_variable("item", launch.cooperative))) {}

  Stmts run() {
    const std::set<int> own = own_lets();
    for (const int let : own) {
      making_.read_let_from(let, [this](int number, int component, const std::vector<Index>&) {
        return variable(number, component);
      });
    }
    Stmts out;
    for (const LoopNode& node : launch_.nodes) append(out, make(node));
    for (const int let : own) making_.read_let_from_its_place(let);
    return out;
  }

 private:
  // Of the group's point: every work-item has them.
  std::set<int> own_lets() const {
    std::set<int> out;
    for (const LoopNode& node : launch_.nodes) {
      if (std::holds_alternative<ForLoop>(node.node)) continue;
      if (const auto let = let_of(node)) out.insert(*let);
    }
    return out;
  }
  Expr variable(int let, int component) const {
    return making_.element(making_.variables(let)[at(component)],
                           making_.let(let).accumulator[at(component)], {});
  }

  Stmts make(const LoopNode& node) {
    if (const auto* loop = std::get_if<ForLoop>(&node.node)) return shared(*loop);
    if (const auto* end = std::get_if<EndLet>(&node.node)) return joined(end->let);
    if (const auto* define = std::get_if<Define>(&node.node)) {
      const Let& let = making_.let(define->let);
      Expr value = making_.buffers().expr(let.body[0]);
      if (value.type() != let.accumulator[0]) value = Expr::cast(let.accumulator[0], value);
      const BufferId variable = making_.variables(define->let)[0];
      Stmts out{Stmt{loops::Alloc{variable}}, store(variable, {}, value)};
      append(out, kept(define->let));
      return out;
    }
    Stmts stmts = generic_stmts(making_, {node});
    return std::holds_alternative<Store>(node.node) ? by_first(std::move(stmts)) : stmts;
  }

  Stmts by_first(Stmts stmts) const {
    return {Stmt{loops::If{{{item_, 0, 1}}, std::move(stmts), {}}}};
  }

  // Where the let is read by other launches.
  Stmts kept(int let) {
    if (making_.place(let).scalar) return {};
    Stmts out;
    const std::vector<Index> point =
        making_.buffers().indices(making_.array_point(let, making_.own_point(let)));
    for (size_t c = 0; c < making_.let(let).body.size(); ++c)
      out.push_back(store(making_.array(let, static_cast<int>(c)), point,
                          variable(let, static_cast<int>(c))));
    return by_first(std::move(out));
  }

  // The points of a loop, and of those right inside it, one after the other.
  Stmts shared(const ForLoop& loop) {
    const std::vector<int> axes = shared_axes(loop, making_.kernel());
    const ForLoop* last = &loop;
    while (last->axis != axes.back()) last = &std::get<ForLoop>(last->nodes[0].node);
    Stmts body = generic_stmts(making_, shared_body(loop, making_.kernel()));
    std::vector<int> vars = axes;
    std::vector<Dim> extents;
    for (const int axis : axes) extents.push_back(making_.extent(axis));
    if (last->by_texels) {
      extents.back() = ceildiv(extents.back(), kTexel);
      vars.back() = making_.shared_variable(making_.program().vars[at(axes.back())].name + "_four",
                                            extents.back());
      body = in_lanes(making_, axes.back(), kTexel, making_.at(vars.back()), std::move(body));
    }
    Dim all = 1;
    for (const Dim& extent : extents) all *= extent;
    int point = vars[0];
    if (vars.size() > 1) {
      point = making_.variable("point", all);
      Stmts inside = flattened(vars, extents, making_.at(point));
      append(inside, std::move(body));
      body = std::move(inside);
    }
    return {Stmt{
        loops::For{point, item_, all, launch_.cooperative, loops::Kind::serial, std::move(body)}}};
  }

  // The work-items' parts of a let become the whole: by fours, and by two where that is left.
  Stmts joined(int number) {
    const Let& let = making_.let(number);
    const Type type = let.accumulator[0];
    const BufferId partial =
        making_.group_array("partial_" + std::string(to_string(type)), type, {launch_.cooperative});
    Stmts out{Stmt{loops::Barrier{}}, store(partial, {item_}, variable(number, 0)),
              Stmt{loops::Barrier{}}};
    for (int64_t left = launch_.cooperative; left > 1;) {
      const int64_t parts = left % 4 == 0 ? 4 : 2;
      left /= parts;
      Stmts taken;
      for (int64_t part = 1; part < parts; ++part) {
        const Expr other = making_.element(partial, type, {item_ + part * left});
        taken.push_back(store(partial, {item_}, other, let.op));
      }
      out.push_back({loops::If{{{item_, 0, left}}, std::move(taken), {}}});
      out.push_back({loops::Barrier{}});
    }
    out.push_back(store(making_.variables(number)[0], {}, making_.element(partial, type, {0})));
    append(out, kept(number));
    return out;
  }

  Making& making_;
  const Launch& launch_;
  const Index item_;
};

}  // namespace

Stmts cooperative_stmts(Making& making, const Launch& launch) {
  return CooperativeStmts(making, launch).run();
}

}  // namespace burin
