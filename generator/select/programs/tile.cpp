#include "select/programs/tile.h"

#include "kernel/combiner.h"

namespace burin {
namespace {

using loops::BufferId;
using loops::For;
using loops::Kind;
using loops::Scope;
using loops::Stmt;
using loops::Stmts;

class TileStmts {
 public:
  TileStmts(Making& making, const TileShape& shape, Combiner op)
      : making_(making),
        shape_(shape),
        op_(op),
        row_(making.variable("row", shape.rows)),
        column_(making.variable("column", shape.columns)),
        step_(shape.steps > 1 ? making.variable("step", shape.steps) : -1),
        sums_(making.buffer(Scope::registers, "sums", Type::f32,
                            {shape.steps, shape.rows, shape.columns})) {}

  Stmts run(const FactorElement& a, const FactorElement& b, const Dim& depth, BufferId tile) {
    Stmts out{Stmt{loops::Alloc{sums_}}};
    append(out, every_sum([&](const Index& step) {
             return store(sums_, place(step), identity_of(op_, Type::f32));
           }));
    append(out, take_depth(a, b, depth));
    Expr all = making_.element(sums_, Type::f32, place(0));
    for (int s = 1; s < shape_.steps; ++s) all = all + making_.element(sums_, Type::f32, place(s));
    append(out, around({store(tile, {row(), column()}, all)}));
    return out;
  }

 private:
  Index row() const { return making_.at(row_); }
  Index column() const { return making_.at(column_); }
  std::vector<Index> place(const Index& step) const { return {step, row(), column()}; }

  // For every element of a tile, vectors of a row innermost.
  Stmts around(Stmts body) const {
    Stmts vector{Stmt{For{column_, 0, shape_.columns, 1, Kind::vector, std::move(body)}}};
    return {Stmt{For{row_, 0, shape_.rows, 1, Kind::unrolled, std::move(vector)}}};
  }
  Stmts every_sum(const std::function<Stmt(const Index& step)>& make) const {
    if (step_ < 0) return around({make(0)});
    return {
        Stmt{For{step_, 0, shape_.steps, 1, Kind::unrolled, around({make(making_.at(step_))})}}};
  }

  Stmts take_depth(const FactorElement& a, const FactorElement& b, const Dim& depth) {
    const auto take = [&](const Index& point, const Index& step) {
      const Expr value = a ? a(point, row()) * b(point, column()) : b(point, column());
      return store(sums_, place(step), value, op_);
    };
    const int k = making_.variable("depth", depth);
    if (step_ < 0)
      return {Stmt{For{k, 0, depth, 1, Kind::serial, around({take(making_.at(k), 0)})}}};
    const Dim whole = floordiv(depth, shape_.steps) * shape_.steps;
    Stmts out;
    Stmts group = every_sum([&](const Index& step) { return take(making_.at(k) + step, step); });
    out.push_back({For{k, 0, whole, shape_.steps, Kind::serial, std::move(group)}});
    out.push_back({For{k, whole, depth, 1, Kind::serial, around({take(making_.at(k), 0)})}});
    return out;
  }

  Making& making_;
  TileShape shape_;
  Combiner op_;
  int row_, column_, step_;
  BufferId sums_;
};

}  // namespace

Stmts tile_stmts(Making& making, const TileShape& shape, const FactorElement& a,
                 const FactorElement& b, Combiner op, const Dim& depth, BufferId tile) {
  return TileStmts(making, shape, op).run(a, b, depth, tile);
}

}  // namespace burin
