#include "select/programs/panels.h"

#include <algorithm>

#include "isa/float_rows.h"
#include "kernel/expr/expr_axes.h"
#include "kernel/expr/expr_operands.h"
#include "loops/lanewise.h"
#include "select/axes/guards.h"
#include "select/axes/pieces_along.h"
#include "select/products/operand_packing.h"
#include "select/programs/panel_rows.h"
#include "select/programs/tile_program.h"
#include "support/at.h"
#include "support/check.h"

namespace burin {

using loops::BufferId;
using loops::For;
using loops::Kind;
using loops::Region;
using loops::Scope;
using loops::Stmt;
using loops::Stmts;

Stmts blocks_of(Making& making, int axis, int width, const Index& begin, const Index& end,
                const std::function<Stmts(const Index& first, const Index& end)>& body) {
  if (axis < 0) return body(0, 1);
  const std::string name = "i" + std::to_string(axis);
  const Dim reach = making.extent(axis);
  const int first = making.shared_variable(name + "_first", reach + width);
  const int stop = making.shared_variable(name + "_end", reach + 1);
  Stmts inside{Stmt{loops::Let{stop, min(making.at(first) + width, end)}}};
  append(inside, body(making.at(first), making.at(stop)));
  return {Stmt{For{first, begin, end, width, Kind::serial, std::move(inside)}}};
}

Index depth_point(const Making& making, const std::vector<int>& axes) {
  Index out = 0;
  for (const int axis : axes) out = out * making.extent(axis) + making.at(axis);
  return out;
}

namespace {

// The axes of the depth at its point number `depth`.
std::vector<Index> points_of_depth(const Making& making, const ContractionSchedule& product,
                                   const Index& depth) {
  std::vector<Dim> extents;
  for (const int axis : product.k) extents.push_back(making.extent(axis));
  return delinearize(depth, extents);
}

}  // namespace

Index at_depth(const Making& making, const ContractionSchedule& product, Index index,
               const Index& depth) {
  const std::vector<Index> points = points_of_depth(making, product, depth);
  for (size_t k = 0; k < points.size(); ++k)
    index = loops::with_var(index, product.k[k], points[k]);
  return index;
}

namespace {

class Packing {
 public:
  Packing(Making& making, const PanelSource& source, const PanelPlace& to)
      : making_(making), source_(source), to_(to) {}

  Stmts run() {
    if (source_.factor.compact > 0) return unpack();
    return source_.factor.pack_points > 0 ? along_depth() : point_by_point();
  }

 private:
  Expr element() const { return making_.buffers().expr(source_.factor.element); }
  Index depth() const { return depth_point(making_, source_.depth); }
  const Dim& extent(int axis) const { return making_.extent(axis); }
  Index lane() const {
    return source_.axis < 0 ? Index(0) : making_.at(source_.axis) - source_.first;
  }
  std::vector<Index> place(const Index& depth, const Index& lane) const {
    std::vector<Index> out = to_.front;
    out.push_back(depth);
    out.push_back(lane);
    return out;
  }
  Stmt put(const Index& lane, Expr value) const {
    return store(to_.buffer, place(depth(), lane), std::move(value));
  }
  Bounds points_of(size_t k) const {
    if (k < source_.limits.size()) return source_.limits[k];
    return {0, extent(source_.depth[k])};
  }

  // Around the axes of the depth up to number `count`.
  Stmts over_depth(Stmts body, size_t count) const {
    for (size_t k = count; k-- > 0;) {
      const Bounds points = points_of(k);
      body = {loop(source_.depth[k], points.begin, points.end, std::move(body))};
    }
    return body;
  }
  // The same around what is made of the element, in pieces where its conditions are decided.
  using OfElement = std::function<Stmts(const Expr& element)>;
  Stmts in_pieces(const Expr& element, size_t count, const OfElement& body, size_t k = 0) const {
    if (k == count) return body(element);
    const auto moves = [&](const Index& index) {
      const auto inner = [&](int axis) { return index.uses_axis(axis); };
      return std::any_of(source_.depth.begin() + static_cast<std::ptrdiff_t>(k) + 1,
                         source_.depth.end(), inner) ||
             (source_.axis >= 0 && inner(source_.axis));
    };
    const Bounds points = points_of(k);
    Stmts out;
    for (const AxisPiece& piece :
         pieces_along(source_.depth[k], points.begin, points.end, element, moves))
      out.push_back(loop(source_.depth[k], piece.begin, piece.end,
                         in_pieces(piece.value, count, body, k + 1)));
    return out;
  }
  Stmts over_lanes(Stmts body) const {
    if (source_.axis < 0) return body;
    return {loop(source_.axis, source_.first, source_.end, std::move(body))};
  }
  // Lanes that are not there.
  Stmts missing() const {
    if (source_.whole || source_.width == 1) return {};
    const int lane = making_.shared_variable("panel_lane", source_.width);
    return {loop(lane, source_.end - source_.first, source_.width,
                 {put(making_.at(lane), Expr::constant(Type::f32, 0))})};
  }

  Stmts point_by_point() const {
    return in_pieces(element(), source_.depth.size(), [&](const Expr& element) {
      const std::optional<int64_t> digits = source_.axis < 0 || source_.width == 1
                                                ? std::nullopt
                                                : row_of_plane(making_, element, source_.axis);
      Stmts body = digits ? over_plane(element, *digits) : over_lanes({put(lane(), element)});
      append(body, missing());
      return body;
    });
  }

  // The same lanes row by row of the plane: what stands under conditions is a piece of each row, so
  // no pixel is looked at.
  Stmts over_plane(const Expr& whole, int64_t length) const {
    const Dim& all = extent(source_.axis);
    const int row = making_.shared_variable("plane_row", ceildiv(all, length)),
              column = making_.shared_variable("plane_column", length),
              begin = making_.shared_variable("plane_begin", length + 1),
              end = making_.shared_variable("plane_end", length + 1);
    const Index start = making_.at(row) * length, pixel = start + making_.at(column);
    const auto moved = [&](const Expr& value) {
      Stmts one = loops::substitute({put(lane(), value)}, source_.axis, pixel);
      return one;
    };
    const auto piece = [&](const Index& from, const Index& to, const Expr& value) {
      return over_columns(making_, column, length, from, to, moved(value));
    };
    Stmts body{Stmt{loops::Let{begin, max(0, source_.first - start)}},
               Stmt{loops::Let{end, min(length, source_.end - start)}}};
    const Index first = making_.at(begin), last = making_.at(end);
    if (whole.kind() != ExprKind::cases || whole->cases.size() != 1) {
      append(body, piece(first, last, whole));
    } else {
      const Expr &inside = whole->cases[0].value, &outside = whole->operands[0];
      Guard around;
      Index from = 0, to = length;
      for (Condition one : whole->cases[0].guard) {
        one = {loops::with_var(one.index, source_.axis, pixel),
               loops::with_var(one.lo, source_.axis, pixel),
               loops::with_var(one.hi, source_.axis, pixel)};
        const std::optional<Bounds> bounds = bounds_of(one, column);
        if (!bounds) {
          around.push_back(one);
          continue;
        }
        from = max(from, bounds->begin);
        to = min(to, bounds->end);
      }
      const bool decided = std::none_of(around.begin(), around.end(), [&](const Condition& one) {
        return one.index.uses_axis(column) || one.lo.uses_axis(column) || one.hi.uses_axis(column);
      });
      if (!decided) {
        append(body, piece(first, last, whole));
      } else {
        const int middle = making_.shared_variable("plane_from", length + 1),
                  rest = making_.shared_variable("plane_to", length + 1);
        const Index inner = making_.at(middle), outer = making_.at(rest);
        Stmts pieces{Stmt{loops::Let{middle, min(last, max(first, from))}},
                     Stmt{loops::Let{rest, max(inner, min(last, to))}}};
        append(pieces, piece(first, inner, outside));
        append(pieces, piece(inner, outer, inside));
        append(pieces, piece(outer, last, outside));
        if (!around.empty())
          pieces = {Stmt{loops::If{around, std::move(pieces), piece(first, last, outside)}}};
        append(body, std::move(pieces));
      }
    }
    return {
        loop(row, floordiv(source_.first, length), ceildiv(source_.end, length), std::move(body))};
  }

  // Lane by lane: copied, or computed in pieces that then go to their places.
  Stmts along_depth() const {
    const int k = source_.depth.back();
    const auto row = [&](const Expr& element) {
      if (source_.factor.pack_points == kCopied)
        return over_lanes({loop(k, 0, extent(k), {put(lane(), element)})});
      const BufferId piece = making_.shared_array("to", {source_.factor.pack_points});
      return over_lanes(
          blocks_of(making_, k, source_.factor.pack_points, 0, extent(k),
                    [&](const Index& first, const Index& end) {
                      const Index at = making_.at(k) - first;
                      Stmts out{Stmt{loops::Alloc{piece}}};
                      out.push_back(loop(k, first, end, {store(piece, {at}, element)}));
                      out.push_back(loop(k, first, end,
                                         {put(lane(), making_.element(piece, Type::f32, {at}))}));
                      return out;
                    }));
    };
    Stmts out = in_pieces(element(), source_.depth.size() - 1, row);
    Stmts rest = missing();
    if (!rest.empty()) append(out, over_depth(std::move(rest), source_.depth.size()));
    return out;
  }

  // Which it is, so that panels of parts know the panel and the place in it.
  Index first_of_panel() const { return floordiv(source_.first, source_.width) * source_.width; }
  // All lanes, which have elements beyond the end too and lie side by side in what is read; several
  // points of the depth in one step, so that what they share is loaded once.
  Stmts unpack() const {
    const int width = source_.width;
    const Expr whole = element();
    if (whole.kind() == ExprKind::load && whole->storage == Type::f16) return widen(whole);
    // The axis itself ends before the lanes do.
    const int lane = making_.shared_variable("panel_lane", width);
    const int last = source_.depth.back(), together = source_.factor.compact;
    const Dim steps = floordiv(extent(last), together);
    const int step = making_.shared_variable("i" + std::to_string(last) + "_step", steps);
    Stmts body;
    for (int i = 0; i < together; ++i) {
      const Index at = making_.at(step) * together + i;
      Stmts one = loops::substitute({put(making_.at(lane), whole)}, last, at);
      one = loops::substitute(one, source_.axis, first_of_panel() + making_.at(lane));
      body.push_back(loop(lane, 0, width, std::move(one)));
    }
    return over_depth({loop(step, 0, steps, std::move(body))}, source_.depth.size() - 1);
  }

  // Halves as they lie: no compiler makes conversion instructions of a loop over them.
  Stmts widen(const Expr& halves) const {
    std::vector<Index> from = halves->at;
    for (Index& index : from) index = loops::with_var(index, source_.axis, first_of_panel());
    return over_depth(
        {Stmt{widened(to_.buffer, place(depth(), 0), halves->id, std::move(from), source_.width)}},
        source_.depth.size());
  }

  Making& making_;
  const PanelSource& source_;
  const PanelPlace& to_;
};

}  // namespace

Stmts pack_panel(Making& making, const PanelSource& source, const PanelPlace& to) {
  return Packing(making, source, to).run();
}

Region row_element(const Making& making, const ContractionSchedule& product, BufferId panels,
                   const TileRows& rows, const Index& depth, const Index& row) {
  // Constants are numbered from the first row of all.
  const bool prepacked = product.a.prepacked != kNoValue;
  Index block = floordiv(rows.first - (prepacked ? Index(0) : making.first_row()), rows.height);
  Index in_block = row;
  if (rows.blocks > 1) {
    block += min(floordiv(row, rows.height), ceildiv(rows.end - rows.first, rows.height) - 1);
    in_block = mod(row, rows.height);
  }
  if (prepacked) return prepacked_lanes(making, product, product.a, block, depth, in_block, 1);
  return {panels, {block, depth, in_block}, {1, 1, 1}};
}

namespace {

Stmts rows_at(Making& making, const ContractionSchedule& product, const TileRows& rows,
              const Index& depth, const PanelPlace& to) {
  const int height = rows.height, lane = making.shared_variable("panel_lane", height);
  const Index at_lane = making.at(lane);
  std::vector<Index> place = to.front;
  place.back() += at_lane;
  Stmts body{store(to.buffer, std::move(place), making.buffers().expr(product.a.element))};
  body = loops::substitute(body, product.m, floordiv(rows.first, height) * height + at_lane);
  const std::vector<Index> points = points_of_depth(making, product, depth);
  for (size_t k = 0; k < points.size(); ++k)
    body = loops::substitute(body, product.k[k], points[k]);
  const bool vectors =
      (height == 4 || height == 8 || height == 16) &&
      loops::not_lanewise(making.program(), std::get<loops::Store>(body[0].node), lane).empty();
  return {loop(lane, 0, height, std::move(body), vectors ? Kind::vector : Kind::serial)};
}

}  // namespace

UnpackedRows unpacked_rows(Making& making, const ContractionSchedule& product, const TileRows& rows,
                           const std::function<Index(const Index&)>& whole_depth) {
  if (product.a.compact == 0) return {};
  return [&making, &product, rows, whole_depth](const Index& depth, const std::vector<Index>& place,
                                                BufferId to) {
    return rows_at(making, product, rows, whole_depth(depth), {to, place});
  };
}

Region prepacked_lanes(const Making& making, const ContractionSchedule& product,
                       const TileFactor& factor, const Index& block, const Index& depth,
                       const Index& lane, int lanes) {
  Region out;
  out.buffer = making.buffers().buffer_of(factor.prepacked);
  for (const int axis : product.batch) out.first.push_back(making.at(axis));
  out.first.push_back(block);
  for (const Index& point : points_of_depth(making, product, depth)) out.first.push_back(point);
  out.first.push_back(lane);
  out.extent.assign(out.first.size(), 1);
  out.extent.back() = lanes;
  return out;
}

Region unpacked_row(const Making& making, const ContractionSchedule& product, const Index& depth,
                    const Index& row) {
  const Expr element = making.buffers().expr(product.a.element);
  Region out{element->id, element->at, std::vector<Dim>(element->at.size(), 1)};
  for (Index& at : out.first) {
    at = at_depth(making, product, at, depth);
    if (product.m >= 0) at = loops::with_var(at, product.m, row);
  }
  return out;
}

Region unpacked_lanes(const Making& making, const ContractionSchedule& product, const Index& depth,
                      const Index& column, int lanes) {
  const Expr element = making.buffers().expr(product.b.element);
  Region out{element->id, element->at, std::vector<Dim>(element->at.size(), 1)};
  for (Index& at : out.first)
    at = loops::with_var(at_depth(making, product, at, depth), product.n, column);
  out.extent.back() = lanes;
  return out;
}

}  // namespace burin
