// Sums and extremes of operands that are read through windows, as statements;
// select/products/window.h says why.
#include "kernel/combiner.h"
#include "select/programs/making.h"
#include "select/programs/panels.h"
#include "select/programs/tile_program.h"

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
        shifts_(making.buffer(Scope::scratch, "shifts", Type::i32, {product_.depth},
                              product_.shifts_offset)),
        // The last block reads past the last position.
        staged_(making.buffer(Scope::scratch, "staged", Type::f32,
                              {window_.staged_elements() + product_.tile.columns()},
                              product_.b_offset)) {}

  Stmts run() {
    Stmts out;
    if (!(band_size(window_) == window_.band)) {
      const int band = making_.named_variable("band", making_.extent(window_.rows.output) + 1);
      out.push_back({loops::Let{band, making_.buffers().index(window_.band)}});
    }
    append(out, taps());
    Stmts body;
    if (product_.a.element && product_.a.prepacked == kNoValue) body = pack_rows();
    append(body, around(making_, window_.outer, bands()));
    append(out, around(making_, product_.batch, std::move(body)));
    return out;
  }

 private:
  Index first_row() const { return product_.m < 0 ? Index(0) : making_.begin_of(product_.m); }
  Index end_row() const { return product_.m < 0 ? Index(1) : making_.end_of(product_.m); }

  // Where each tap of the depth finds its elements.
  Stmts taps() {
    const Index place = making_.buffers().index(window_.shift);
    Stmts body{store(shifts_, {depth_point(making_, product_.k)}, Expr::index(place, Type::i32))};
    for (size_t k = product_.k.size(); k-- > 0;)
      body = {loop(product_.k[k], 0, making_.extent(product_.k[k]), std::move(body))};
    return body;
  }

  Stmts bands() {
    if (!window_.banded()) return band(0, window_.rows.outputs);
    const int axis = window_.rows.output;
    const Dim reach = making_.extent(axis), height = making_.buffers().index(band_size(window_));
    // Counted, since the height of a band may be known to the run only.
    const int number = making_.variable("band_number", reach + 1);
    const int first = making_.named_variable("band_first", reach + 1);
    const int end = making_.named_variable("band_end", reach + 1);
    const Index begin = making_.begin_of(axis), stop = making_.end_of(axis);
    Stmts body{Stmt{loops::Let{first, begin + making_.at(number) * height}},
               Stmt{loops::Let{end, min(making_.at(first) + height, stop)}}};
    append(body, band(making_.at(first), making_.at(end)));
    return {loop(number, 0, ceildiv(stop - begin, height), std::move(body))};
  }

  // Rows [first, end) of results: stage what they read, then tiles of positions.
  Stmts band(const Index& first, const Index& end) {
    Stmts out = fill(making_.schedule().fill);
    const Dim pitch = window_.pitch();
    const Index count = (end - first - 1) * pitch + window_.columns.outputs;
    const Dim most = window_.rows.outputs * pitch + window_.columns.outputs + 1;
    const int positions = making_.variable("positions", most);
    const int position = making_.variable("position", most + product_.tile.columns());
    out.push_back({loops::Let{positions, making_.buffers().index(count)}});
    const int width = product_.tile.columns();
    out.push_back({For{position, 0, making_.at(positions), width, Kind::serial,
                       tiles(first, end, making_.at(position), making_.at(positions))}});
    return out;
  }

  Stmts fill(const LoopNodes& nodes) {
    Stmts out;
    for (const LoopNode& node : nodes) {
      if (const auto* inner = std::get_if<ForLoop>(&node.node)) {
        out.push_back(loop(inner->axis, making_.buffers().index(inner->begin),
                           making_.buffers().index(inner->end), fill(inner->nodes)));
      } else {
        const Fill& one = std::get<Fill>(node.node);
        out.push_back(
            store(staged_, {making_.buffers().index(one.at)}, making_.buffers().expr(one.value)));
      }
    }
    return out;
  }

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
          append(out, results(first, end, row, row_end, position, array));
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
    if (!product_.a.element) return out;
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
  Stmts results(const Index& first, const Index& end, const Index& row, const Index& row_end,
                const Index& position, BufferId sums) {
    const Dim& pitch = window_.pitch();
    const int plane_row = window_.rows.output, column = window_.columns.output;
    const Index along = plane_row < 0 ? Index(0) : (making_.at(plane_row) - first) * pitch;
    const Index start = position - along;
    making_.read_let_from(
        static_cast<int>(making_.kernel().lets.size()) - 1,
        [this, row, along, position, column, sums](int, int, const std::vector<Index>&) {
          const Index in_rows = product_.m < 0 ? Index(0) : making_.at(product_.m) - row;
          return making_.element(sums, Type::f32, {in_rows, along + making_.at(column) - position});
        });
    Stmts body = generic_stmts(making_, {LoopNode{Store{0, product_.value, product_.when}}});
    body = {loop(column, max(0, start),
                 min(window_.columns.outputs, start + product_.tile.columns()), std::move(body))};
    if (plane_row >= 0) {
      const Index last = position + (product_.tile.columns() - 1);
      body = {loop(plane_row, first + floordiv(position, pitch),
                   min(end, first + floordiv(last, pitch) + 1), std::move(body))};
    }
    if (product_.m >= 0) body = {loop(product_.m, row, row_end, std::move(body))};
    return body;
  }

  Making& making_;
  const ContractionSchedule& product_;
  const SlidingWindow& window_;
  BufferId shifts_, staged_, a_panels_ = -1;
};

}  // namespace

Stmts window_stmts(Making& making) { return WindowStmts(making).run(); }

}  // namespace burin
