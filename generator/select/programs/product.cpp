// Products as statements: blocks of rows, panels of factors that the kernel packs, register tiles
// (product_tiles.cpp) and what follows a row; select/products/contraction.h and its neighbours say
// why.
#include "select/programs/product_parts.h"

namespace burin {
namespace {

using loops::BufferId;
using loops::If;
using loops::Region;
using loops::Scope;
using loops::Stmt;
using loops::Stmts;

class ProductStmts {
 public:
  explicit ProductStmts(Making& making) : parts_(making), making_(making) {}

  Stmts run() {
    const ContractionSchedule& first = *making_.schedule().contraction;
    if (packs_columns(first)) parts_.b_panel = columns_panel(first, "b_panel");
    if (parts_.second() && parts_.second()->b.prepacked == kNoValue)
      parts_.second_panel = columns_panel(*parts_.second(), "next_panel");
    return around(making_, first.batch, first.block_rows > 0 ? in_blocks(first) : rows(first));
  }

 private:
  // --- Rows ---
  Stmts in_blocks(const ContractionSchedule& first) {
    const Dim extent = making_.extent(first.m);
    const int from = making_.variable("rows_first", extent + first.block_rows);
    const int to = making_.variable("rows_end", extent + 1);
    const Index begin = making_.begin_of(first.m), end = making_.end_of(first.m);
    Stmts body{Stmt{loops::Let{to, min(making_.at(from) + first.block_rows, end)}}};
    parts_.set_block(making_.at(from), making_.at(to));
    append(body, rows(first));
    return {
        Stmt{loops::For{from, begin, end, first.block_rows, loops::Kind::serial, std::move(body)}}};
  }

  // Everything for the rows of a call or of a block.
  Stmts rows(const ContractionSchedule& first) {
    Stmts out = product(first);
    if (parts_.second()) {
      append(out, missing_rows(*parts_.second()));
      append(out, product(*parts_.second()));
    }
    if (making_.schedule().last_product().row_epilogue)
      out.push_back(loop(first.m, parts_.begin_of(first.m), parts_.end_of(first.m),
                         generic_stmts(making_, making_.schedule().row_epilogue)));
    return out;
  }

  // Rows of the last panel between two products that are not there are zero.
  Stmts missing_rows(const ContractionSchedule& second) {
    const int width = second.tile.rows;
    if (width == 1 || mod(second.rows, width).is_constant(0)) return {};
    const Index there = parts_.end_of(second.m) - parts_.begin_of(second.m);
    const Dim most =
        making_.program().buffers[static_cast<size_t>(parts_.between())].shape[0] * width;
    const int row = making_.variable("row_between", most),
              point = making_.variable("point", second.depth);
    const Index at = making_.at(row);
    Stmts zero{store(parts_.between(), {floordiv(at, width), making_.at(point), mod(at, width)},
                     Expr::constant(Type::f32, 0))};
    return {loop(row, there, ceildiv(there, width) * width,
                 {loop(point, 0, second.depth, std::move(zero))})};
  }

  // --- One product ---
  // Whether any of its columns are.
  bool packs_columns(const ContractionSchedule& product) const {
    return product.b.prepacked == kNoValue && !product.b_overlaps &&
           !(product.b_unpacked && parts_.divides(product.n, product.tile.columns()));
  }
  BufferId columns_panel(const ContractionSchedule& product, const char* name) {
    return making_.buffer(Scope::scratch, name, Type::f32, {product.depth, product.tile.columns()},
                          product.b_offset);
  }

  // Where the kernel packs rows, or reads them where they lie, few of them and those that blocks
  // share more evenly have a version of everything, so that they lie as closely as its tile reads
  // them.
  Stmts product(const ContractionSchedule& product) {
    const int64_t block = product.block_rows;
    const Dim rows = block > 0 ? min(product.rows, block) : product.rows;
    const Tile& tile = product.tile;
    Stmts out = of_height(product, {tile.rows, tile.accumulators, true, ceildiv(rows, tile.rows)});
    if (!parts_.chooses_heights(product)) return out;
    const BalancedRemainder& balanced = product.versions.balanced;
    if (balanced.rows > 0)
      out = {Stmt{If{{{product.rows, product.tile.rows + 1, balanced.most + 1}},
                     of_height(product, {balanced.rows, balanced.accumulators, false, 2}),
                     std::move(out)}}};
    for (size_t i = product.versions.rows.size(); i-- > 0;) {
      const Version& few = product.versions.rows[i];
      if (few.small_m)
        out = {
            Stmt{If{parts_.at_most(product.rows, few.rows),
                    of_height(product, {few.rows, few.accumulators, false, 1}), std::move(out)}}};
    }
    return out;
  }

  Stmts of_height(const ContractionSchedule& product, const Height& height) {
    Stmts out;
    if (parts_.packs_rows(product)) {
      parts_.a_panels =
          making_.buffer(Scope::scratch, "a_panels", Type::f32,
                         {height.panels, product.depth, height.rows}, product.a_offset);
      out.push_back({loops::Alloc{parts_.a_panels}});
      append(out, pack_rows(product, height.rows));
    }
    const int width = product.tile.columns();
    Stmts columns = parts_.blocks(product.n, width, [&](const Index& first, const Index& end) {
      if (product.b_overlaps)
        return unpacked_product_tiles(parts_, product, height,
                                      min(first, parts_.end_of(product.n) - width));
      if (product.b.prepacked == kNoValue && !packs_columns(product))
        return unpacked_product_tiles(parts_, product, height, first);
      Stmts body = parts_.meet(product, first, end);
      if (product.b.prepacked == kNoValue) append(body, pack_columns(product, first, end));
      append(body, product_tiles(parts_, product, height, first, end));
      if (!product.b_unpacked) return body;
      return Stmts{Stmt{If{{{first + (width - 1), 0, parts_.end_of(product.n)}},
                           unpacked_product_tiles(parts_, product, height, first),
                           std::move(body)}}};
    });
    append(out, around(making_, product.around, std::move(columns)));
    return out;
  }

  // --- Panels ---
  // The lets of a row stand before it.
  Stmts pack_rows(const ContractionSchedule& product, int height) {
    return blocks_of(making_, product.m, height, parts_.begin_of_rows(product),
                     parts_.end_of_rows(product), [&](const Index& first, const Index& end) {
                       Stmts out;
                       const LoopNodes& lets = making_.schedule().row_lets;
                       if (!lets.empty()) {
                         Stmts body = generic_stmts(making_, lets);
                         if (product.m >= 0) body = {loop(product.m, first, end, std::move(body))};
                         append(out, std::move(body));
                       }
                       append(out, pack_panel(making_,
                                              {product.a, product.k, product.m, height, first, end,
                                               parts_.divides(product.m, height)},
                                              {parts_.a_panels, {parts_.panel_of(first, height)}}));
                       return out;
                     });
  }
  Stmts pack_columns(const ContractionSchedule& product, const Index& first, const Index& end) {
    const int width = product.tile.columns();
    return pack_panel(making_,
                      {product.b, product.k, product.n, width, first, end,
                       parts_.divides(product.n, width), parts_.limits()},
                      {parts_.columns_of(product), {}});
  }

  ProductParts parts_;
  Making& making_;
};

}  // namespace

Stmts product_stmts(Making& making) { return ProductStmts(making).run(); }

}  // namespace burin
