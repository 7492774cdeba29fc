// Tiles of products as statements, with what stands beside them.
//
// Results of a tile whose rows and columns are all there leave from its registers where they have a
// form for vectors; others go through an array of the function.
#include "select/programs/product_parts.h"
#include "select/programs/tile_values.h"

namespace burin {
namespace {

using loops::BufferId;
using loops::If;
using loops::Stmt;
using loops::Stmts;

// Columns of a tile, `blocks` blocks of rows at a time.
struct Width {
  int vectors = 1, blocks = 1, accumulators = 1;
  bool whole = false;     // all columns of the tile are there
  bool unpacked = false;  // and are read where they lie
};

class ProductTiles {
 public:
  ProductTiles(const ProductParts& parts, const ContractionSchedule& product, const Height& height)
      : parts_(parts), making_(parts.making()), product_(product), height_(height) {}

  // Blocks of columns that few vectors hold may take several blocks of rows at a time.
  Stmts column_block(const Index& first, const Index& end) {
    const Tile& tile = product_.tile;
    const std::vector<EdgeColumns> none;
    const std::vector<EdgeColumns>& edge_widths = height_.usual ? product_.versions.columns : none;
    Width width{tile.vectors, 1, height_.accumulators, parts_.divides(product_.n, tile.columns())};
    if (!width.whole && !edge_widths.empty()) {
      // What few vectors hold is all that may be missing.
      const std::optional<int64_t> rest = mod(product_.columns, tile.columns()).as_constant();
      width.whole = rest && *rest <= int64_t{edge_widths.back().vectors} * tile.lanes &&
                    parts_.ends_between(product_.n, tile.columns());
    }
    Stmts out = row_blocks(width, first, end);
    for (size_t i = edge_widths.size(); i-- > 0;) {
      const EdgeColumns& one = edge_widths[i];
      out = {Stmt{If{parts_.at_most(first, end, int64_t{one.vectors} * tile.lanes),
                     row_blocks({one.vectors, one.blocks, one.accumulators, false}, first, end),
                     std::move(out)}}};
    }
    return out;
  }

  Stmts unpacked(const Index& first) {
    const Tile& tile = product_.tile;
    return row_blocks({tile.vectors, 1, height_.accumulators, true, true}, first,
                      first + tile.columns());
  }

  Stmts row_blocks(const Width& width, const Index& column, const Index& column_end) {
    const TileShape shape{height_.rows * width.blocks, width.vectors, product_.tile.lanes,
                          width.accumulators};
    return parts_.blocks(product_.m, shape.rows, [&](const Index& first, const Index& end) {
      const auto factors = [&](bool all_rows) {
        return parts_.factors(product_, {height_.rows, width.blocks, first, end}, column,
                              width.unpacked, all_rows);
      };
      const bool whole_rows = parts_.divides(product_.m, shape.rows);
      std::optional<Stmts> leaving;
      if (product_.sums_go == SumsGo::registers && width.vectors == product_.tile.vectors &&
          width.blocks == 1 && may_fill(product_.m, shape.rows) &&
          may_fill(product_.n, product_.tile.columns()))
        leaving = leave(shape, factors(true), first, column);
      if (leaving && whole_rows && width.whole) return std::move(*leaving);
      // Then what is no whole block has just the rows that are left.
      const std::optional<int64_t> rest =
          leaving && width.whole ? rows_of_rest() : std::optional<int64_t>();
      Stmts spilled = spill(shape, factors(whole_rows), first, rest ? first + *rest : end, column,
                            column_end, rest.has_value());
      if (!leaving) return spilled;
      Guard whole;
      if (!whole_rows) whole.push_back({first + (shape.rows - 1), 0, parts_.end_of(product_.m)});
      if (!width.whole)
        whole.push_back({column + (product_.tile.columns() - 1), 0, parts_.end_of(product_.n)});
      return Stmts{Stmt{If{std::move(whole), std::move(*leaving), std::move(spilled)}}};
    });
  }

  // Whether there may be a block of so many points.
  bool may_fill(int axis, int64_t width) const {
    return width == 1 || (axis >= 0 && !proven_lt(making_.extent(axis), width));
  }

  // The rows of the last block, where they are known and a version of fewer rows takes them.
  std::optional<int64_t> rows_of_rest() const {
    const std::optional<int64_t> rest =
        product_.m < 0 ? std::nullopt : mod(making_.extent(product_.m), height_.rows).as_constant();
    const bool taken = height_.usual && rest && *rest > 0 && !product_.versions.rows.empty() &&
                       *rest <= product_.versions.rows.back().rows &&
                       parts_.ends_between(product_.m, height_.rows);
    return taken ? rest : std::nullopt;
  }

  // In whole vectors: from registers, or where functions are called by an array, a row after the
  // other, since functions written out for every vector of a tile are long. nullopt: there is no
  // form for vectors.
  std::optional<Stmts> leave(const TileShape& shape, const TileFactors& own, const Index& first,
                             const Index& column) {
    if (parts_.second() && !parts_.is_second(product_)) return std::nullopt;
    const auto at_tile = [&](const Index& row, const Index& in_row) {
      Stmts stores = made(product_.value);
      if (product_.m >= 0) stores = loops::substitute(stores, product_.m, first + row);
      return loops::substitute(stores, product_.n, column + in_row);
    };
    if (calls_function(product_.value)) {
      const BufferId array = making_.shared_array("tile", {shape.rows, product_.tile.columns()});
      const auto stores = [&](const Index& row, const Index& in_row) {
        read_tile(making_.element(array, Type::f32, {row, in_row}));
        return at_tile(row, in_row);
      };
      std::optional<Stmts> left = in_vectors_of(making_, shape, shape.rows, stores);
      if (!left) return std::nullopt;
      Stmts out{Stmt{loops::Alloc{array}}};
      append(out, RegisterTile(making_, shape)
                      .sums_into(array, own, Combiner::sum, parts_.depth_of(product_),
                                 product_.sums_go));
      append(out, std::move(*left));
      return out;
    }
    RegisterTile tile(making_, shape);
    read_tile(tile.element());
    const Stmts stores = at_tile(tile.row(), tile.column());
    std::optional<Stmts> left = tile.leave(stores);
    if (!left) {
      tile.forget();
      return std::nullopt;
    }
    Stmts out = tile.sums(own, Combiner::sum, parts_.depth_of(product_));
    append(out, std::move(*left));
    return out;
  }
  void read_tile(const Expr& element) {
    making_.read_let_from(parts_.tiled(product_),
                          [element](int, int, const std::vector<Index>&) { return element; });
  }

  // Through an array, by the version that has rows enough. `covered`: one of them always has.
  Stmts spill(const TileShape& shape, const TileFactors& own, const Index& first, const Index& end,
              const Index& column, const Index& column_end, bool covered) {
    const BufferId array = making_.shared_array("tile", {shape.rows, product_.tile.columns()});
    const auto sums = [&](const TileShape& of) {
      return RegisterTile(making_, of)
          .sums_into(array, own, Combiner::sum, parts_.depth_of(product_), product_.sums_go);
    };
    const auto few = [&](const Version& version) {
      return sums({version.rows, product_.tile.vectors, product_.tile.lanes, version.accumulators});
    };
    Stmts chosen;
    if (!covered) chosen = sums(shape);
    if (height_.usual) {
      const std::vector<Version>& versions = product_.versions.rows;
      for (size_t i = versions.size(); i-- > 0;) {
        Stmts one = few(versions[i]);
        chosen = chosen.empty() ? std::move(one)
                                : Stmts{Stmt{If{parts_.at_most(first, end, versions[i].rows),
                                                std::move(one), std::move(chosen)}}};
      }
      for (size_t i = versions.size(); i-- > 0 && !parts_.chooses_heights(product_);) {
        if (versions[i].small_m)
          chosen = {Stmt{If{parts_.at_most(product_.rows, versions[i].rows), few(versions[i]),
                            std::move(chosen)}}};
      }
    }
    Stmts out{Stmt{loops::Alloc{array}}};
    append(out, std::move(chosen));
    const Expr value = made_in_place(making_, product_.value, parts_.tiled(product_), {product_.n},
                                     {array, shape, end - first, product_.m, first}, out);
    const Index row = product_.m < 0 ? Index(0) : making_.at(product_.m) - first;
    const Index at = product_.n < 0 ? Index(0) : making_.at(product_.n) - column;
    read_tile(making_.element(array, Type::f32, {row, at}));
    if (parts_.second() && !parts_.is_second(product_)) {
      append(out, rows_between(value, first, end, column, column_end));
      return out;
    }
    Stmts body = made(value);
    if (product_.n >= 0) body = {loop(product_.n, column, column_end, std::move(body))};
    if (product_.m >= 0) body = {loop(product_.m, first, end, std::move(body))};
    append(out, std::move(body));
    return out;
  }

  // What is made of an element of a tile. `value` may have less to do than the let of the rows says.
  Stmts made(const Expr& value) {
    if (product_.row_epilogue && product_.row_epilogue->write < 0) {
      const int rows = product_.row_epilogue->value;
      const std::vector<Index> at = making_.array_point(rows, making_.own_point(rows));
      return {store(making_.array(rows, 0), making_.buffers().indices(at),
                    making_.buffers().expr(value))};
    }
    return generic_stmts(making_, {LoopNode{Store{0, value, product_.when}}});
  }

  // A piece of a row is computed side by side, then goes to its places in the panel.
  Stmts rows_between(const Expr& made, const Index& first, const Index& end, const Index& column,
                     const Index& column_end) {
    const int value = product_.row_epilogue->value, n = product_.n;
    const BufferId piece = making_.shared_array("to", {product_.tile.columns()});
    const Index at = making_.at(n) - column;
    Stmts row{Stmt{loops::Alloc{piece}}};
    row.push_back(loop(n, column, column_end, {store(piece, {at}, making_.buffers().expr(made))}));
    row.push_back(
        loop(n, column, column_end,
             {store(parts_.between(),
                    making_.buffers().indices(making_.array_point(value, making_.own_point(value))),
                    making_.element(piece, Type::f32, {at}))}));
    return {loop(product_.m, first, end, std::move(row))};
  }

  const ProductParts& parts_;
  Making& making_;
  const ContractionSchedule& product_;
  const Height& height_;
};

}  // namespace

Stmts product_tiles(const ProductParts& parts, const ContractionSchedule& product,
                    const Height& height, const Index& first, const Index& end) {
  return ProductTiles(parts, product, height).column_block(first, end);
}

Stmts unpacked_product_tiles(const ProductParts& parts, const ContractionSchedule& product,
                             const Height& height, const Index& first) {
  return ProductTiles(parts, product, height).unpacked(first);
}

}  // namespace burin
