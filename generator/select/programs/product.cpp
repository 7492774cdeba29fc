// Products as statements: blocks of rows, panels of factors that the kernel packs, tiles and what
// stands beside them, what follows a row; select/contraction.h and its neighbours say why.
#include <algorithm>

#include "select/programs/making.h"
#include "select/programs/panels.h"
#include "select/programs/tile.h"

namespace burin {
namespace {

using loops::BufferId;
using loops::For;
using loops::If;
using loops::Kind;
using loops::Scope;
using loops::Stmt;
using loops::Stmts;

class ProductStmts {
 public:
  explicit ProductStmts(Making& making) : making_(making) {}

  Stmts run() {
    const ContractionSchedule& first = *making_.schedule().contraction;
    if (first.a.prepared == kNoValue) a_panels_ = row_panels(making_, first);
    if (first.b.prepared == kNoValue) b_panel_ = columns_panel(first, "b_panel");
    if (next() && next()->b.prepared == kNoValue)
      next_panel_ = columns_panel(*next(), "next_panel");
    tiled_let_ = tiled(first);
    Stmts body = first.block_rows > 0 ? in_blocks(first) : rows(first);
    for (size_t k = first.batch.size(); k-- > 0;) {
      const int axis = first.batch[k];
      body = {loop(axis, making_.begin_of(axis), making_.end_of(axis), std::move(body))};
    }
    return body;
  }

 private:
  const std::optional<ContractionSchedule>& next() const { return making_.schedule().next; }
  static Guard at_most(const Index& size, int64_t most) { return {{size, 0, most + 1}}; }

  // The let that tiles sum.
  int tiled(const ContractionSchedule& product) const {
    return product.finish ? product.finish->value - 1
                          : static_cast<int>(making_.kernel().lets.size()) - 1;
  }

  // --- Rows ---
  Index begin_of(int axis) const {
    return in_block_ && axis == row_axis() ? begin_ : making_.begin_of(axis);
  }
  Index end_of(int axis) const {
    return in_block_ && axis == row_axis() ? end_ : making_.end_of(axis);
  }
  int row_axis() const { return making_.schedule().contraction->m; }

  Stmts in_blocks(const ContractionSchedule& first) {
    const Dim extent = making_.extent(first.m);
    const int from = making_.variable("rows_first", extent + first.block_rows);
    const int to = making_.variable("rows_end", extent + 1);
    const Index begin = making_.begin_of(first.m), end = making_.end_of(first.m);
    Stmts body{Stmt{loops::Let{to, min(making_.at(from) + first.block_rows, end)}}};
    begin_ = making_.at(from);
    end_ = making_.at(to);
    in_block_ = true;
    making_.count_rows_from(begin_);
    append(body, rows(first));
    return {Stmt{For{from, begin, end, first.block_rows, Kind::serial, std::move(body)}}};
  }

  // Everything for the rows of a call or of a block.
  Stmts rows(const ContractionSchedule& first) {
    Stmts out = product(first);
    if (next()) {
      append(out, missing_rows(*next()));
      tiled_let_ = tiled(*next());
      append(out, product(*next()));
    }
    if (making_.schedule().last_product().finish)
      out.push_back(loop(first.m, begin_of(first.m), end_of(first.m),
                         generic_stmts(making_, making_.schedule().finish)));
    return out;
  }

  // Rows of the last panel between two products that are not there are zero.
  Stmts missing_rows(const ContractionSchedule& second) {
    const int width = second.tile.rows;
    if (width == 1 || mod(second.rows, width).is_constant(0)) return {};
    const Index there = end_of(second.m) - begin_of(second.m);
    const Dim most = making_.program().buffers[static_cast<size_t>(between())].shape[0];
    const int row = making_.variable("row", most), point = making_.variable("point", second.depth);
    Stmts zero{
        store(between(), {making_.at(row), making_.at(point)}, Expr::constant(Type::f32, 0))};
    return {loop(row, there, ceildiv(there, width) * width,
                 {loop(point, 0, second.depth, std::move(zero))})};
  }
  BufferId between() const {
    return making_.array(making_.schedule().contraction->finish->value, 0);
  }
  bool is_next(const ContractionSchedule& product) const { return next() && &product == &*next(); }
  bool packs_rows(const ContractionSchedule& product) const {
    return product.a.prepared == kNoValue && !is_next(product);
  }

  // --- One product ---
  BufferId columns_panel(const ContractionSchedule& product, const char* name) {
    return making_.buffer(Scope::scratch, name, Type::f32, {product.depth, product.tile.columns()},
                          product.b_offset);
  }
  BufferId columns_of(const ContractionSchedule& product) const {
    return is_next(product) ? next_panel_ : b_panel_;
  }
  // Where blocks share rows more evenly than the tile would, both ways stand beside each other.
  Stmts product(const ContractionSchedule& product) {
    const EvenBlocks& even = product.versions.even;
    if (!packs_rows(product) || even.rows == 0) return in_blocks_of(product, product.tile.rows);
    return {Stmt{If{{{product.rows, product.tile.rows + 1, even.most + 1}},
                    in_blocks_of(product, even.rows),
                    in_blocks_of(product, product.tile.rows)}}};
  }

  // Rows in blocks of `height`, each with a panel of its own.
  Stmts in_blocks_of(const ContractionSchedule& product, int height) {
    Stmts out;
    if (packs_rows(product))
      out = pack_rows(making_, product, a_panels_, height, begin_of_rows(product),
                      end_of_rows(product));
    const int columns = product.tile.columns();
    append(out, blocks(product.n, columns, [&](const Index& first, const Index& end) {
             Stmts body;
             if (product.b.prepared == kNoValue) body = pack_columns(product, first, end);
             append(body, column_block(product, height, first, end));
             return body;
           }));
    return out;
  }

  Stmts blocks(int axis, int width,
               const std::function<Stmts(const Index& first, const Index& end)>& body) {
    if (axis < 0) return body(0, 1);
    return blocks_of(making_, axis, width, begin_of(axis), end_of(axis), body);
  }
  Index begin_of_rows(const ContractionSchedule& product) const {
    return product.m < 0 ? Index(0) : begin_of(product.m);
  }
  Index end_of_rows(const ContractionSchedule& product) const {
    return product.m < 0 ? Index(1) : end_of(product.m);
  }

  Stmts pack_columns(const ContractionSchedule& product, const Index& first, const Index& end) {
    return pack_panel(making_, product, product.b, product.n, product.tile.columns(), first, end,
                      [&](const Index& lane, Expr value) {
                        return store(columns_of(product), {depth_point(making_, product), lane},
                                     std::move(value));
                      });
  }

  // Blocks of columns that few vectors hold may take several blocks of rows at a time.
  Stmts column_block(const ContractionSchedule& product, int height, const Index& first,
                     const Index& end) {
    const Tile& tile = product.tile;
    Stmts out = row_blocks(product, height, 1, {height, tile.columns(), tile.steps}, first, end);
    const std::vector<NarrowVersion>& narrow = product.versions.columns;
    for (size_t i = narrow.size(); i-- > 0;) {
      const NarrowVersion& one = narrow[i];
      const int lanes = one.vectors * tile.lanes;
      const bool shared = height != tile.rows;
      const int many = shared ? 1 : one.blocks;
      const TileShape shape = shared
                                  ? TileShape{height, tile.columns(), product.versions.even.steps}
                                  : TileShape{height, lanes, one.steps};
      Stmts few = row_blocks(product, height, many, shape, first, end);
      out = {Stmt{If{at_most(end - first, lanes), std::move(few), std::move(out)}}};
    }
    return out;
  }

  Stmts row_blocks(const ContractionSchedule& product, int height, int many, TileShape shape,
                   const Index& column, const Index& column_end) {
    if (height != product.tile.rows) shape.steps = product.versions.even.steps;
    shape.rows = height * many;
    return blocks(product.m, height * many, [&](const Index& first, const Index& end) {
      const BufferId tile =
          making_.buffer(Scope::stack, "tile", Type::f32, {shape.rows, product.tile.columns()});
      Stmts sums = tile_of(product, shape, height, first, end, column, tile);
      const auto fewer = [&](const Guard& when, const Version& version) {
        const TileShape own{version.rows, product.tile.columns(), version.steps};
        sums = {Stmt{
            If{when, tile_of(product, own, height, first, end, column, tile), std::move(sums)}}};
      };
      if (height == product.tile.rows) {
        const std::vector<Version>& versions = product.versions.rows;
        for (size_t i = versions.size(); i-- > 0;)
          fewer(at_most(end - first, versions[i].rows), versions[i]);
        for (size_t i = versions.size(); i-- > 0;) {
          if (versions[i].alone) fewer(at_most(product.rows, versions[i].rows), versions[i]);
        }
      }
      Stmts out{Stmt{loops::Alloc{tile}}};
      append(out, std::move(sums));
      making_.read_let_from(
          tiled_let_, [this, product, tile, first, column](int, int, const std::vector<Index>&) {
            const Index row = product.m < 0 ? Index(0) : making_.at(product.m) - first;
            const Index at = product.n < 0 ? Index(0) : making_.at(product.n) - column;
            return making_.element(tile, Type::f32, {row, at});
          });
      append(out, results(product, first, end, column, column_end));
      return out;
    });
  }

  Stmts tile_of(const ContractionSchedule& product, const TileShape& shape, int height,
                const Index& first, const Index& end, const Index& column, BufferId tile) {
    const FactorElement a = [&](const Index& depth, const Index& lane) {
      if (is_next(product))
        return making_.element(between(), Type::f32, {first - making_.first_row() + lane, depth});
      return product.a.prepared != kNoValue
                 ? prepared_element(making_, product, product.a, product.m, first + lane, depth)
                 : packed_row(making_, a_panels_, height, first, end, depth, lane);
    };
    const FactorElement b = [&](const Index& depth, const Index& lane) {
      return product.b.prepared != kNoValue
                 ? prepared_element(making_, product, product.b, product.n, column + lane, depth)
                 : making_.element(columns_of(product), Type::f32, {depth, lane});
    };
    return tile_stmts(making_, shape, a, b, Combiner::sum, product.depth, tile);
  }

  // What is made of the elements of a tile.
  Stmts results(const ContractionSchedule& product, const Index& first, const Index& end,
                const Index& column, const Index& column_end) {
    Stmts body;
    if (next() && !is_next(product)) {
      const int value = product.finish->value;
      body = {store(between(),
                    making_.buffers().indices(making_.array_point(value, making_.own_point(value))),
                    making_.buffers().expr(product.value))};
    } else if (product.finish && product.finish->write < 0) {
      body = generic_stmts(making_, {LoopNode{Define{product.finish->value}}});
    } else {
      body = generic_stmts(making_, {LoopNode{Store{0, product.value, product.when}}});
    }
    if (product.n >= 0) body = {loop(product.n, column, column_end, std::move(body))};
    if (product.m >= 0) body = {loop(product.m, first, end, std::move(body))};
    return body;
  }

  Making& making_;
  BufferId a_panels_ = -1, b_panel_ = -1, next_panel_ = -1;
  int tiled_let_ = -1;
  bool in_block_ = false;
  Index begin_ = 0, end_ = 0;  // of the present block of rows
};

}  // namespace

Stmts product_stmts(Making& making) { return ProductStmts(making).run(); }

}  // namespace burin
