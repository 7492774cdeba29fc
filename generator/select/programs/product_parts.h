// What the parts of a product's program share: its rows and blocks of them, and where its factors
// lie. For the statements in product.cpp and product_tiles.cpp only.
#pragma once

#include "select/programs/making.h"
#include "select/programs/panels.h"
#include "select/programs/tile_program.h"

namespace burin {

// Rows that a tile has and its sums for several points of the depth. `usual`: the product's own
// tile, beside which versions stand; else a version that has the product alone.
struct Height {
  int rows = 1, accumulators = 1;
  bool usual = false;
  Dim panels = 1;  // blocks of so many rows
};

class ProductParts {
 public:
  explicit ProductParts(Making& making) : making_(making) {}

  using BufferId = loops::BufferId;
  using Region = loops::Region;

  Making& making() const { return making_; }
  const std::optional<ContractionSchedule>& second() const { return making_.schedule().second; }
  int row_axis() const { return making_.schedule().contraction->m; }

  static Guard at_most(const Index& size, int64_t most) { return {{size, 0, most + 1}}; }
  // Of the points between two places.
  static Guard at_most(const Index& first, const Index& end, int64_t most) {
    return {{end, 0, first + (most + 1)}};
  }

  // The let that tiles of a product sum.
  int tiled(const ContractionSchedule& product) const {
    return product.row_epilogue ? product.row_epilogue->value - 1
                                : static_cast<int>(making_.kernel().lets.size()) - 1;
  }

  loops::Stmts blocks(
      int axis, int width,
      const std::function<loops::Stmts(const Index& first, const Index& end)>& body) const {
    if (axis < 0) return body(0, 1);
    return blocks_of(making_, axis, width, begin_of(axis), end_of(axis), body);
  }

  // Rows [begin, end) from here on.
  void set_block(const Index& begin, const Index& end) {
    in_block_ = true;
    begin_ = begin;
    end_ = end;
    making_.count_rows_from(begin_);
  }

  // --- Rows ---
  Index begin_of(int axis) const {
    return in_block_ && axis == row_axis() ? begin_ : making_.begin_of(axis);
  }
  Index end_of(int axis) const {
    return in_block_ && axis == row_axis() ? end_ : making_.end_of(axis);
  }
  Index begin_of_rows(const ContractionSchedule& product) const {
    return product.m < 0 ? Index(0) : begin_of(product.m);
  }
  Index end_of_rows(const ContractionSchedule& product) const {
    return product.m < 0 ? Index(1) : end_of(product.m);
  }
  // Whether parts of threads and blocks of rows end between blocks of `width` points.
  bool ends_between(int axis, int64_t width) const {
    if (const std::optional<Cut>& cut = making_.schedule().cut) {
      for (const CutAxis& one : cut->axes()) {
        if (one.axis == axis && one.grain % width != 0) return false;
      }
    }
    return axis != row_axis() || making_.schedule().contraction->block_rows % width == 0;
  }
  // Whether every block of `width` points of an axis has all of them.
  bool divides(int axis, int64_t width) const {
    if (axis < 0) return width == 1;
    return width == 1 ||
           (mod(making_.extent(axis), width).is_constant(0) && ends_between(axis, width));
  }

  BufferId between() const {
    return making_.array(making_.schedule().contraction->row_epilogue->value, 0);
  }
  bool is_second(const ContractionSchedule& product) const {
    return second() && &product == &*second();
  }
  // Whether rows may be taken in tiles of any height: no panels say which there are.
  bool chooses_heights(const ContractionSchedule& product) const {
    return product.a.is_packed_by_kernel() && !is_second(product);
  }
  bool packs_rows(const ContractionSchedule& product) const {
    return product.packs_rows() && !is_second(product);
  }

  BufferId columns_of(const ContractionSchedule& product) const {
    return is_second(product) ? second_panel : b_panel;
  }
  Index panel_of(const Index& first, int height) const {
    return floordiv(first - making_.first_row(), height);
  }
  // From here on, of columns [first, end): the taps that these meet, as variables.
  loops::Stmts meet(const ContractionSchedule& product, const Index& first, const Index& end) {
    loops::Stmts out;
    limits_.clear();
    for (const MetTaps& taps : product.met) {
      const Dim& extent = making_.extent(taps.axis);
      MetTaps own = taps;
      own.when = making_.buffers().guard({taps.when})[0];
      const Bounds met = taps_met(own, product.n, first, end - 1);
      const std::string name = "i" + std::to_string(taps.axis);
      const int from = making_.shared_variable(name + "_met", extent + 1),
                to = making_.shared_variable(name + "_met_end", extent + 1);
      out.push_back({loops::Let{from, min(extent, max(0, met.begin))}});
      out.push_back({loops::Let{to, min(extent, max(0, met.end))}});
      limits_.push_back({making_.at(from), making_.at(to)});
    }
    return out;
  }
  const std::vector<Bounds>& limits() const { return limits_; }
  TileDepth depth_of(const ContractionSchedule& product) const {
    if (product.met.empty()) return product.depth;
    TileDepth out = inner_depth(product);
    for (size_t i = 0; i < product.met.size(); ++i)
      out.around.push_back(
          {product.k[i], limits_[i].begin, limits_[i].end, 1, loops::Kind::serial, {}});
    return out;
  }

  // `unpacked`: b is read where it lies. `all_rows`: every row of the tile is there; else those
  // that are not read the last one.
  TileFactors factors(const ContractionSchedule& product, const TileRows& rows, const Index& column,
                      bool unpacked, bool all_rows) const {
    TileFactors out;
    out.a = [=, this, &product](const Index& inner, const Index& row) {
      const Index depth = whole_depth(product, inner);
      if (product.a_unpacked)
        return unpacked_row(making_, product, depth,
                            all_rows ? rows.first + row : min(rows.first + row, rows.end - 1));
      return row_element(making_, product, is_second(product) ? between() : a_panels, rows, depth,
                         row);
    };
    out.a_widened = product.a.widen_points;
    out.a_height = product.tile.rows;
    out.a_unpacked = unpacked_rows(making_, product, rows, [this, &product](const Index& inner) {
      return whole_depth(product, inner);
    });
    if (product.a.prepacked != kNoValue)
      out.a_prefetch = product.prefetch;
    else if (product.b.prepacked != kNoValue)
      out.b_prefetch = product.prefetch;
    const int lanes = product.tile.lanes;
    out.b = [=, this, &product](const Index& inner, const Index& vector) {
      const Index depth = whole_depth(product, inner);
      if (unpacked) return unpacked_lanes(making_, product, depth, column + vector * lanes, lanes);
      if (product.b.prepacked == kNoValue)
        return Region{columns_of(product), {depth, vector * lanes}, {1, lanes}};
      return prepacked_lanes(making_, product, product.b, floordiv(column, product.tile.columns()),
                             depth, vector * lanes, lanes);
    };
    return out;
  }

  BufferId a_panels = -1, b_panel = -1, second_panel = -1;

 private:
  // Points of the depth behind the taps that are met; the point of all that one of them is.
  Dim inner_depth(const ContractionSchedule& product) const {
    Dim out = 1;
    for (size_t i = product.met.size(); i < product.k.size(); ++i)
      out *= making_.extent(product.k[i]);
    return out;
  }
  Index whole_depth(const ContractionSchedule& product, const Index& inner) const {
    if (product.met.empty()) return inner;
    const std::vector<int> taps(
        product.k.begin(), product.k.begin() + static_cast<std::ptrdiff_t>(product.met.size()));
    return depth_point(making_, taps) * inner_depth(product) + inner;
  }

  Making& making_;
  std::vector<Bounds> limits_;
  bool in_block_ = false;
  Index begin_ = 0, end_ = 0;  // of the present block of rows
};

// The tiles of a block of columns, over all blocks of rows, and what is made of them.
loops::Stmts product_tiles(const ProductParts& parts, const ContractionSchedule& product,
                           const Height& height, const Index& first, const Index& end);
// The same of a block that has all its columns, which are read where they lie.
loops::Stmts unpacked_product_tiles(const ProductParts& parts, const ContractionSchedule& product,
                                    const Height& height, const Index& first);

}  // namespace burin
