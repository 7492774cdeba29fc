// Sums and extremes of operands that are read through windows, as statements;
// select/tiles/window.h says why.
#include <algorithm>

#include "kernel/combiner.h"
#include "kernel/layout.h"
#include "select/axes/guards.h"
#include "select/programs/bands.h"
#include "select/programs/making.h"
#include "select/programs/panels.h"
#include "select/programs/tile_program.h"
#include "select/programs/tile_values.h"

namespace burin {
namespace {

using loops::BufferId;
using loops::For;
using loops::If;
using loops::Kind;
using loops::Region;
using loops::Scope;
using loops::Stmt;
using loops::Stmts;

class WindowStmts {
 public:
  explicit WindowStmts(Making& making)
      : making_(making),
        product_(*making.schedule().contraction),
        window_(*product_.window),
        shifts_(has_only_plane_rows(product_)
                    ? -1
                    : making.buffer(Scope::scratch, "shifts", Type::i32, {product_.depth},
                                    product_.shifts_offset)),
        staged_(making.buffer(Scope::scratch, "staged", Type::f32,
                              {window_.staged_elements() + columns_behind(product_)},
                              product_.b_offset)) {}

  Stmts run() {
    Stmts out;
    if (!(band_size(window_) == window_.band)) {
      const int band = making_.named_variable("band", making_.extent(window_.rows.output) + 1);
      out.push_back({loops::Let{band, making_.buffers().index(window_.band)}});
    }
    if (shifts_ >= 0) append(out, taps());
    append(out, nothing_behind());
    // Of whole planes margins stay where they are from one to the next.
    Stmts margins = fill_stmts(making_, window_, staged_, making_.schedule().fill, Filled::margins);
    margins_stay_ =
        !window_.banded() && !uses(margins, product_.batch) && !uses(margins, window_.outer);
    if (margins_stay_) append(out, std::move(margins));
    Stmts body;
    if (product_.a.is_packed_by_kernel()) body = pack_rows();
    append(body, around(making_, window_.outer,
                        each_band(making_, window_, [this](const Index& first, const Index& end) {
                          return band(first, end);
                        })));
    append(out, around(making_, product_.batch, std::move(body)));
    return out;
  }

 private:
  static bool uses(const Stmts& stmts, const std::vector<int>& axes) {
    bool found = false;
    loops::for_each(stmts, [&](const Stmt& stmt) {
      loops::for_each_index(stmt, [&](const Index& one) {
        found = found || std::any_of(axes.begin(), axes.end(),
                                     [&](int axis) { return one.uses_axis(axis); });
      });
    });
    return found;
  }
  Index first_row() const { return product_.m < 0 ? Index(0) : making_.begin_of(product_.m); }
  Index end_row() const { return product_.m < 0 ? Index(1) : making_.end_of(product_.m); }

  // Elements behind the last band are computed with it. They hold numbers, not what was there
  // before (which may be too small to be normal, and slow).
  Stmts nothing_behind() {
    const int64_t count = columns_behind(product_);
    if (count == 0) return {};
    const int behind = making_.shared_variable("behind", count);
    return {loop(behind, 0, count,
                 {store(staged_, {window_.staged_elements() + making_.at(behind)},
                        Expr::constant(Type::f32, 0))})};
  }

  // Where each tap of the depth finds its elements.
  Stmts taps() {
    const Index place = making_.buffers().index(window_.shift);
    Stmts body{store(shifts_, {depth_point(making_, product_.k)}, Expr::index(place, Type::i32))};
    for (size_t k = product_.k.size(); k-- > 0;)
      body = {loop(product_.k[k], 0, making_.extent(product_.k[k]), std::move(body))};
    return body;
  }

  // Rows [first, end) of results: stage what they read, then tiles of positions.
  Stmts band(const Index& first, const Index& end) {
    Stmts out = fill_stmts(making_, window_, staged_, making_.schedule().fill,
                           margins_stay_ ? Filled::inside : Filled::all);
    if (const std::optional<PlaneRows>& plane = product_.plane_rows) {
      Stmts by_row = plane_rows(*plane, first, end);
      if (!has_only_plane_rows(product_))
        by_row = {Stmt{If{{{window_.columns.outputs, plane->columns(), kUnbounded}},
                          std::move(by_row),
                          positions(first, end)}}};
      append(out, std::move(by_row));
    } else {
      append(out, positions(first, end));
    }
    return out;
  }

  // Tiles of positions, which run through the rows.
  Stmts positions(const Index& first, const Index& end) {
    Stmts out;
    const Dim pitch = window_.pitch();
    const Index count = (end - first - 1) * pitch + window_.columns.outputs;
    const Dim most = window_.rows.outputs * pitch + window_.columns.outputs + 1;
    const int count_of = making_.variable("positions", most);
    const int position = making_.variable("position", most + product_.tile.columns());
    out.push_back({loops::Let{count_of, making_.buffers().index(count)}});
    const int width = product_.tile.columns();
    out.push_back({For{position, 0, making_.at(count_of), width, Kind::serial,
                       tiles(first, end, making_.at(position), making_.at(count_of))}});
    return out;
  }

  // Tiles of rows of the plane (select/tiles/plane_rows.h), and the rows that are left.
  Stmts plane_rows(const PlaneRows& tile, const Index& first, const Index& end) {
    if (window_.rows.output < 0) return plane_row(tile, 1, first, 0);
    const auto rows = [&](int height, const Index& begin, const auto& body) -> Stmts {
      const int row = making_.shared_variable(height > 1 ? "rows_first" : "row_first",
                                              window_.rows.outputs + height);
      return {Stmt{For{row, begin, end, height, Kind::serial, body(making_.at(row))}}};
    };
    const auto one_by_one = [&](const Index& row) { return plane_row(tile, 1, first, row); };
    if (tile.rows == 1) return rows(1, first, one_by_one);
    if (!window_.banded() && bands_are_whole(tile))
      return rows(tile.rows, first,
                  [&](const Index& row) { return plane_row(tile, tile.rows, first, row); });
    return rows(tile.rows, first, [&](const Index& row) {
      // Where bands are whole the condition holds; it says that threads write apart.
      Stmts rest;
      if (!bands_are_whole(tile)) rest = rows(1, row, one_by_one);
      return Stmts{Stmt{If{{{row + (tile.rows - 1), 0, end}},
                           plane_row(tile, tile.rows, first, row),
                           std::move(rest)}}};
    });
  }

  // Whether every band, of each thread too, has a multiple of the tile's rows.
  bool bands_are_whole(const PlaneRows& tile) const {
    if (!fills_bands(tile, window_)) return false;
    const std::optional<int64_t> band = window_.band.as_constant();
    const std::optional<Cut>& cut = making_.schedule().cut;
    const std::vector<CutAxis> axes = cut ? cut->axes() : std::vector<CutAxis>{};
    return std::all_of(axes.begin(), axes.end(), [&](const CutAxis& one) {
      return one.axis != window_.rows.output || (band && one.grain % *band == 0);
    });
  }

  // `height` rows of results from `row` on, of the band from `first` on.
  Stmts plane_row(const PlaneRows& tile, int height, const Index& first, const Index& row) {
    const Dim& columns = window_.columns.outputs;
    const int width = tile.columns();
    const int column = making_.shared_variable("column_first", columns + width);
    const Index at = making_.at(column);
    if (is_narrow(tile, window_)) return plane_tile(tile, height, first, row, 0);
    Stmts body;
    if (mod(columns, width).is_constant(0)) {
      body = plane_tile(tile, height, first, row, at);
    } else {
      // The last tile ends where the row does.
      const int start = making_.shared_variable("column_start", columns);
      body.push_back({loops::Let{start, min(at, columns - width)}});
      append(body, plane_tile(tile, height, first, row, making_.at(start)));
    }
    return {Stmt{For{column, 0, columns, width, Kind::serial, std::move(body)}}};
  }

  Stmts plane_tile(const PlaneRows& plane, int height, const Index& first, const Index& row,
                   const Index& column) {
    const TileShape shape{height, plane.vectors, plane.lanes, 1};
    TileFactors own;
    own.b_of_row = [&](const Index& depth, const Index& in_tile, const Index& vector) {
      const Index place = (row + in_tile - first) * window_.pitch() + column;
      return Region{staged_, {shift_of(depth) + place + vector * plane.lanes}, {Dim(plane.lanes)}};
    };
    if (product_.a.element)
      own.a = [&](const Index& depth, const Index&) {
        return row_element(making_, product_, a_panels_, {product_.tile.rows, 1, 0, 1}, depth, 0);
      };
    if (!window_.taps.empty()) own.when = [&](const Index& depth) { return when_taken(depth); };
    TileDepth depth = product_.depth;
    depth.written_out = true;
    Expr value = product_.value;
    const auto made = [&](const Index& in_tile, const Index& in_row, const Expr& sum) {
      read_result_from([sum](int, int, const std::vector<Index>&) { return sum; });
      Stmts out = generic_stmts(making_, {LoopNode{Store{0, value, product_.when}}});
      if (window_.rows.output >= 0)
        out = loops::substitute(out, window_.rows.output, row + in_tile);
      return loops::substitute(out, window_.columns.output, column + in_row);
    };
    const bool narrow = is_narrow(plane, window_);
    RegisterTile tile(making_, shape);
    std::optional<Stmts> left;
    if (!narrow) left = tile.leave(made(tile.row(), tile.column(), tile.element()));
    if (left) {
      Stmts out = tile.sums(own, product_.op, depth);
      append(out, std::move(*left));
      return product_.sums_go == SumsGo::outlined ? outlined(making_, std::move(out)) : out;
    }
    tile.forget();
    const BufferId array = making_.shared_array("tile", {height, plane.columns()});
    Stmts out{Stmt{loops::Alloc{array}}};
    append(
        out,
        RegisterTile(making_, shape).sums_into(array, own, product_.op, depth, product_.sums_go));
    value = made_in_place(making_, value, result_let(), moving(), {array, shape, height}, out,
                          narrow ? Least::any : Least::function);
    const int in_tile = making_.shared_variable("tile_row", height),
              in_row = making_.shared_variable("tile_column", plane.columns());
    const std::vector<Index> at{making_.at(in_tile), making_.at(in_row)};
    Stmts body = made(at[0], at[1], making_.element(array, Type::f32, at));
    const Index columns = narrow ? window_.columns.outputs : Index(plane.columns());
    body = {loop(in_row, 0, columns, std::move(body))};
    out.push_back(loop(in_tile, 0, height, std::move(body)));
    return out;
  }

  // Where a tap of the depth finds its elements, from the place of a result on.
  Index shift_of(const Index& depth) const {
    return of_tap(making_.buffers().index(window_.shift), depth);
  }
  // Whether it adds something.
  Guard when_taken(const Index& depth) const {
    Guard out = making_.buffers().guard(window_.taps);
    for (Condition& one : out)
      one = {of_tap(one.index, depth), of_tap(one.lo, depth), of_tap(one.hi, depth)};
    return out;
  }
  Index of_tap(const Index& index, const Index& depth) const {
    return at_depth(making_, product_, index, depth);
  }

  int result_let() const { return static_cast<int>(making_.kernel().lets.size()) - 1; }
  void read_result_from(loops::LetElement element) {
    making_.read_let_from(result_let(), std::move(element));
  }
  // Axes that move with the positions of a tile.
  std::vector<int> moving() const { return {window_.rows.output, window_.columns.output}; }

  // Tiles of fewer vectors take the last positions, several blocks of rows at a time.
  Stmts tiles(const Index& first, const Index& end, const Index& position, const Index& positions) {
    const Tile& tile = product_.tile;
    Stmts out = row_blocks({tile.vectors}, first, end, position);
    const std::vector<EdgeColumns>& edge_widths = product_.versions.columns;
    for (size_t i = edge_widths.size(); i-- > 0;) {
      const int lanes = edge_widths[i].vectors * tile.lanes;
      out = {Stmt{If{{{positions, 0, position + (lanes + 1)}},
                     row_blocks(edge_widths[i], first, end, position),
                     std::move(out)}}};
    }
    return out;
  }

  Stmts row_blocks(const EdgeColumns& version, const Index& first, const Index& end,
                   const Index& position) {
    const Tile& tile = product_.tile;
    const TileShape shape{tile.rows * version.blocks, version.vectors, tile.lanes, 1};
    return blocks_of(
        making_, product_.m, shape.rows, first_row(), end_row(),
        [&](const Index& row, const Index& row_end) {
          const BufferId array = making_.shared_array("tile", {shape.rows, tile.columns()});
          Stmts out{Stmt{loops::Alloc{array}}};
          append(out,
                 RegisterTile(making_, shape)
                     .sums_into(array, factors({tile.rows, version.blocks, row, row_end}, position),
                                product_.op, product_.depth, product_.sums_go));
          const Expr value = made_in_place(making_, product_.value, result_let(), moving(),
                                           {array, shape, row_end - row, product_.m, row}, out);
          append(out, results(value, first, end, row, row_end, position, array));
          return out;
        });
  }

  // A row of b's panel is the staged operand, shifted by what its tap says.
  TileFactors factors(const TileRows& rows, const Index& position) const {
    TileFactors out;
    const int lanes = product_.tile.lanes;
    out.b = [=, this](const Index& depth, const Index& vector) {
      const Expr shift = making_.element(shifts_, Type::i32, {depth});
      const Index tap = Index::data(shift.ptr(), {0, window_.shift.range().hi});
      return Region{staged_, {position + tap + vector * lanes}, {lanes}};
    };
    if (product_.a.prepacked != kNoValue) out.a_prefetch = product_.prefetch;
    if (!window_.taps.empty()) out.when = [this](const Index& depth) { return when_taken(depth); };
    if (!product_.a.element) return out;
    out.a_widened = product_.a.widen_points;
    out.a_height = product_.tile.rows;
    out.a_unpacked = unpacked_rows(making_, product_, rows);
    out.a = [=, this](const Index& depth, const Index& row) {
      return row_element(making_, product_, a_panels_, rows, depth, row);
    };
    return out;
  }

  Stmts pack_rows() {
    const int height = product_.tile.rows;
    a_panels_ =
        making_.buffer(Scope::scratch, "a_panels", Type::f32,
                       {ceildiv(product_.rows, height), product_.depth, height}, product_.a_offset);
    return blocks_of(making_, product_.m, height, first_row(), end_row(),
                     [&](const Index& row, const Index& row_end) {
                       return pack_panel(
                           making_,
                           {product_.a, product_.k, product_.m, height, row, row_end, false},
                           {a_panels_, {floordiv(row, height)}});
                     });
  }

  // The results among the positions of a tile.
  Stmts results(const Expr& value, const Index& first, const Index& end, const Index& row,
                const Index& row_end, const Index& position, BufferId sums) {
    const Dim& pitch = window_.pitch();
    const int plane_row = window_.rows.output, column = window_.columns.output;
    const Index along = plane_row < 0 ? Index(0) : (making_.at(plane_row) - first) * pitch;
    const Index start = position - along;
    read_result_from(
        [this, row, along, position, column, sums](int, int, const std::vector<Index>&) {
          const Index in_rows = product_.m < 0 ? Index(0) : making_.at(product_.m) - row;
          return making_.element(sums, Type::f32, {in_rows, along + making_.at(column) - position});
        });
    // Conditions that only move with the columns or with the rows are ends of their loops.
    Guard when = product_.when;
    const Bounds columns =
        take_bounds(when, column,
                    {max(0, start), min(window_.columns.outputs, start + product_.tile.columns())});
    Bounds rows{0, 1};
    if (plane_row >= 0) {
      const Index last = position + (product_.tile.columns() - 1);
      rows = take_bounds(
          when, plane_row,
          {first + floordiv(position, pitch), min(end, first + floordiv(last, pitch) + 1)});
    }
    Stmts body = generic_stmts(making_, {LoopNode{Store{0, value, std::move(when)}}});
    body = {loop(column, columns.begin, columns.end, std::move(body))};
    if (plane_row >= 0) body = {loop(plane_row, rows.begin, rows.end, std::move(body))};
    if (product_.m >= 0) body = {loop(product_.m, row, row_end, std::move(body))};
    return body;
  }

  // The ends of a loop over an axis of the plane with the conditions of `when` that move with no
  // other axis of it, which are taken from there.
  Bounds take_bounds(Guard& when, int axis, Bounds ends) const {
    Guard left;
    for (const Condition& one : when) {
      const std::optional<Bounds> bounds = bounds_of(one, axis);
      const int other =
          axis == window_.columns.output ? window_.rows.output : window_.columns.output;
      const bool alone = bounds && !(other >= 0 && one.index.uses_axis(other)) &&
                         !(product_.m >= 0 && one.index.uses_axis(product_.m));
      if (!alone) {
        left.push_back(one);
        continue;
      }
      ends.begin = max(ends.begin, making_.buffers().index(bounds->begin));
      ends.end = min(ends.end, making_.buffers().index(bounds->end));
    }
    when = std::move(left);
    return ends;
  }

  Making& making_;
  const ContractionSchedule& product_;
  const SlidingWindow& window_;
  BufferId shifts_, staged_, a_panels_ = -1;
  bool margins_stay_ = false;
};

}  // namespace

Stmts window_stmts(Making& making) { return WindowStmts(making).run(); }

}  // namespace burin
