#include "select/programs/panels.h"

#include "support/at.h"

namespace burin {

using loops::BufferId;
using loops::For;
using loops::Kind;
using loops::Scope;
using loops::Stmt;
using loops::Stmts;

Stmts blocks_of(Making& making, int axis, int width, const Index& begin, const Index& end,
                const std::function<Stmts(const Index& first, const Index& end)>& body) {
  if (axis < 0) return body(0, 1);
  const std::string name = "i" + std::to_string(axis);
  const Dim reach = making.extent(axis);
  const int first = making.variable(name + "_first", reach + width);
  const int stop = making.variable(name + "_end", reach + 1);
  Stmts inside{Stmt{loops::Let{stop, min(making.at(first) + width, end)}}};
  append(inside, body(making.at(first), making.at(stop)));
  return {Stmt{For{first, begin, end, width, Kind::serial, std::move(inside)}}};
}

Index depth_point(const Making& making, const ContractionSchedule& product) {
  Index out = 0;
  for (const int axis : product.k) out = out * making.extent(axis) + making.at(axis);
  return out;
}

BufferId row_panels(Making& making, const ContractionSchedule& product) {
  const Dim rows = product.block_rows > 0 ? min(product.rows, product.block_rows) : product.rows;
  return making.buffer(Scope::scratch, "a_panels", Type::f32,
                       {ceildiv(rows, product.tile.rows), product.depth, product.tile.rows},
                       product.a_offset);
}

namespace {

Index panel_of(const Making& making, const Index& first, int height) {
  return floordiv(first - making.first_row(), height);
}

}  // namespace

Stmts pack_rows(Making& making, const ContractionSchedule& product, BufferId panels, int height,
                const Index& begin, const Index& end) {
  return blocks_of(making, product.m, height, begin, end,
                   [&](const Index& first, const Index& stop) {
                     Stmts out;
                     const LoopNodes& lets = making.schedule().row_lets;
                     if (!lets.empty()) {
                       Stmts body = generic_stmts(making, lets);
                       if (product.m >= 0) body = {loop(product.m, first, stop, std::move(body))};
                       append(out, std::move(body));
                     }
                     append(out, pack_panel(making, product, product.a, product.m, height, first,
                                            stop, [&](const Index& lane, Expr value) {
                                              return store(panels,
                                                           {panel_of(making, first, height),
                                                            depth_point(making, product), lane},
                                                           std::move(value));
                                            }));
                     return out;
                   });
}

Expr packed_row(const Making& making, BufferId panels, int height, const Index& first,
                const Index& end, const Index& depth, const Index& lane) {
  const Index last = ceildiv(end - first, height) - 1;
  const Index block = panel_of(making, first, height) + min(floordiv(lane, height), last);
  return making.element(panels, Type::f32, {block, depth, mod(lane, height)});
}

Stmts pack_panel(Making& making, const ContractionSchedule& product, const TileFactor& factor,
                 int axis, int width, const Index& first, const Index& end,
                 const std::function<Stmt(const Index& lane, Expr value)>& put) {
  const Expr value = making.buffers().expr(factor.element);
  Stmts body;
  if (axis < 0) {
    body.push_back(put(0, value));
  } else {
    body.push_back(loop(axis, first, end, {put(making.at(axis) - first, value)}));
  }
  if (width > 1) {
    const int lane = making.variable("lane", width);
    body.push_back(
        loop(lane, end - first, width, {put(making.at(lane), Expr::constant(Type::f32, 0))}));
  }
  for (size_t k = product.k.size(); k-- > 0;)
    body = {loop(product.k[k], 0, making.extent(product.k[k]), std::move(body))};
  return body;
}

Expr prepared_element(const Making& making, const ContractionSchedule& product,
                      const TileFactor& factor, int axis, const Index& point, const Index& depth) {
  std::vector<Index> axes;
  for (size_t k = 0; k < making.kernel().axes.size(); ++k)
    axes.push_back(making.at(static_cast<int>(k)));
  std::vector<Dim> extents;
  for (const int one : product.k) extents.push_back(making.extent(one));
  const std::vector<Index> points = delinearize(depth, extents);
  for (size_t k = 0; k < points.size(); ++k) axes[burin::at(product.k[k])] = points[k];
  if (axis >= 0) axes[burin::at(axis)] = point;
  const Dim lanes = axis < 0 ? Dim(1) : making.extent(axis);
  const Expr value = making.buffers().expr(substitute_axes(factor.element, axes));
  return Expr::cases({{{{point, 0, lanes}}, value}}, Expr::constant(value.type(), 0));
}

}  // namespace burin
