// Sums that are made in register tiles inside other loops (select/products/sum_tiles.h): blocks of
// columns, in them blocks of rows and the rows that are left, one by one.
#include "isa/float_rows.h"
#include "isa/prefetch_row.h"
#include "kernel/expr/expr_axes.h"
#include "select/programs/making.h"
#include "support/at.h"
#include "support/check.h"

namespace burin {
namespace {

using loops::Alloc;
using loops::BufferId;
using loops::Call;
using loops::For;
using loops::If;
using loops::Kind;
using loops::Region;
using loops::Scope;
using loops::Stmt;
using loops::Stmts;

// The loops of the sum: of its rows and columns, and what is reduced in them.
struct Nest {
  Index begin = 0, end = 1;   // of the rows
  Index first = 0, last = 0;  // of the columns
  std::vector<const ForLoop*> depth;
  Guard when;
};

Nest nest_of(const SumTile& tile, const ForLoop& outermost) {
  Nest out;
  const ForLoop* columns = &outermost;
  if (tile.row >= 0) {
    out.begin = outermost.begin;
    out.end = outermost.end;
    columns = &std::get<ForLoop>(outermost.nodes[0].node);
  }
  out.first = columns->begin;
  out.last = columns->end;
  const LoopNode* node = &columns->nodes[1];  // behind BeginLet
  while (const auto* loop = std::get_if<ForLoop>(&node->node)) {
    out.depth.push_back(loop);
    node = &loop->nodes[0];
  }
  out.when = std::get<Accumulate>(node->node).when;
  return out;
}

class SumTileStmts {
 public:
  SumTileStmts(Making& making, const SumTile& tile, const ForLoop& outermost)
      : making_(making),
        tile_(tile),
        nest_(nest_of(tile, outermost)),
        name_("sum" + std::to_string(tile.let)),
        columns_(making.extent(tile.column).constant()),
        width_(tile.tile.columns()),
        block_(making.variable(name_ + "_block", ceildiv(columns_, width_))) {}

  Stmts run() {
    Stmts rows;
    const Index begin = index(nest_.begin), end = index(nest_.end);
    const int height = tile_.tile.rows;
    if (height == 1) {
      rows = each_row(begin, end);
    } else {
      // Of the rows that are left at most one block of half as many, then one after the other.
      Index next = begin;
      for (const int rows_of_block : {height, height / 2}) {
        if (rows_of_block > 1) next = blocks_of(rows_of_block, next, end, rows);
      }
      append(rows, each_row(next, end));
    }
    // Parts of threads end between blocks.
    return {loop(block_, floordiv(index(nest_.first), width_), ceildiv(index(nest_.last), width_),
                 std::move(rows))};
  }

 private:
  Index index(const Index& given) const { return making_.buffers().index(given); }
  Index block() const { return making_.at(block_); }

  // Blocks of `height` rows from `begin` on, as many as there are; returns where they end.
  Index blocks_of(int height, const Index& begin, const Index& end, Stmts& rows) {
    const Dim& extent = making_.extent(tile_.row);
    const std::string name = name_ + "_" + std::to_string(height);
    const int first = making_.variable(name + "_first", extent + height);
    const int whole = making_.variable(name + "_whole", extent + 1);
    rows.push_back({loops::Let{whole, begin + floordiv(end - begin, height) * height}});
    rows.push_back({For{first, begin, making_.at(whole), height, Kind::serial,
                        tile_of(making_.at(first), height)}});
    return making_.at(whole);
  }

  Stmts each_row(const Index& begin, const Index& end) {
    if (tile_.row < 0) return tile_of(0, 1);
    return {loop(tile_.row, begin, end, tile_of(making_.at(tile_.row), 1))};
  }

  // The sums of `height` rows from `first` on, and of a block of columns.
  Stmts tile_of(const Index& first, int height) {
    const Tile& shape = tile_.tile;
    const BufferId sums = making_.buffer(Scope::registers, name_ + "_tile", Type::f32,
                                         {height, shape.vectors, shape.lanes});
    const int row = making_.shared_variable(name_ + "_row" + std::to_string(height), height);
    const int vector = making_.shared_variable("vector", shape.vectors);
    const auto every = [&](Call call) {
      Stmts inner{loop(vector, 0, shape.vectors, {Stmt{std::move(call)}}, Kind::unrolled)};
      return height == 1 ? inner : Stmts{loop(row, 0, height, std::move(inner), Kind::unrolled)};
    };
    const Index r = height == 1 ? Index(0) : making_.at(row), v = making_.at(vector);
    const Region own{sums, {r, v, 0}, {1, 1, shape.lanes}};
    Stmts out{Stmt{Alloc{sums}}};
    append(out, every(Call{row_of("zero"), {own}, {}}));
    const Type held = making_.program().buffers[at(weights(0).buffer)].type;
    const std::string product = isa::product_kind(false, Type::f32, held);
    const auto products = [&](const Expr& factor) {
      Stmts add = asked(v, vector);
      append(add,
             every(Call{row_of(product), {own, element_of(factor, first + r), weights(v)}, {}}));
      for (size_t k = nest_.depth.size(); k-- > 0;) {
        const ForLoop& one = *nest_.depth[k];
        add = {loop(one.axis, index(one.begin), index(one.end), std::move(add))};
      }
      return add;
    };
    Stmts add = products(tile_.factor);
    if (tile_.otherwise)
      add = {Stmt{If{making_.buffers().guard(tile_.when), add, products(tile_.otherwise)}}};
    if (!nest_.when.empty()) add = {Stmt{If{making_.buffers().guard(nest_.when), add, {}}}};
    append(out, std::move(add));
    append(out, stores(first, height, row, own, every));
    return out;
  }

  // What a step of the depth reads of the weights, asked for before it is read.
  Stmts asked(const Index& v, int vector) const {
    if (tile_.prefetch == 0) return {};
    Region from = weights(v);
    const Type held = making_.program().buffers[at(from.buffer)].type;
    from.extent.assign(from.extent.size(), 1);
    return {loop(vector, 0, tile_.tile.vectors,
                 {Stmt{Call{isa::prefetch_row(held), {std::move(from)}, {tile_.prefetch}}}},
                 Kind::unrolled)};
  }

  template <class Every>
  Stmts stores(const Index& first, int height, int row, const Region& own, const Every& every) {
    const Index r = height == 1 ? Index(0) : making_.at(row);
    const Index column = block() * width_;
    const Index lane = own.first[1] * tile_.tile.lanes;
    Stmts whole = every(Call{row_of("store"), {to(first + r, column + lane), own}, {}});
    if (columns_ % width_ == 0) return whole;
    // The last block has columns that are not there.
    const BufferId rest =
        making_.buffer(Scope::stack, name_ + "_rest", Type::f32, {height, width_});
    Stmts part{Stmt{Alloc{rest}}};
    append(part,
           every(Call{row_of("store"), {Region{rest, {r, lane}, {1, tile_.tile.lanes}}, own}, {}}));
    const int column_left = making_.shared_variable(name_ + "_column", columns_);
    const Index at = making_.at(column_left);
    const int64_t begin = columns_ / width_ * width_;
    Stmts copy{
        store(array(), point(first + r, at), making_.element(rest, Type::f32, {r, at - begin}))};
    copy = {loop(column_left, begin, columns_, std::move(copy))};
    if (height > 1) copy = {loop(row, 0, height, std::move(copy))};
    append(part, std::move(copy));
    if (begin == 0) return part;
    return {Stmt{If{{{block(), 0, columns_ / width_}}, std::move(whole), std::move(part)}}};
  }

  const isa::Instruction* row_of(const std::string& kind) const {
    const isa::Instruction* found = isa::float_row(kind, tile_.tile.lanes);
    BURIN_CHECK(found != nullptr, "no row of floats of such lanes");
    return found;
  }

  // One element of the factor that all columns share.
  Region element_of(const Expr& factor, const Index& row) const {
    const Expr element = making_.buffers().expr(factor);
    BURIN_CHECK(element.kind() == ExprKind::load, "a factor that is nowhere");
    Region out{element->id, element->at, std::vector<Dim>(element->at.size(), 1)};
    for (Index& at : out.first) at = at.substitute_axes(with_row(row));
    return out;
  }
  Region weights(const Index& vector) const {
    Region out;
    out.buffer = making_.buffers().buffer_of(tile_.panels);
    for (const int axis : tile_.batch) out.first.push_back(making_.at(axis));
    out.first.push_back(block());
    for (const int axis : making_.let(tile_.let).reduced) out.first.push_back(making_.at(axis));
    out.first.push_back(vector * tile_.tile.lanes);
    out.extent.assign(out.first.size(), 1);
    out.extent.back() = tile_.tile.lanes;
    return out;
  }
  // Lanes of the sums' array.
  Region to(const Index& row, const Index& column) const {
    Region out{array(), point(row, column), {}};
    out.extent.assign(out.first.size(), 1);
    out.extent.back() = tile_.tile.lanes;
    return out;
  }
  BufferId array() const { return making_.array(tile_.let, 0); }
  std::vector<Index> point(const Index& row, const Index& column) const {
    std::vector<Index> own = making_.own_point(tile_.let);
    const std::vector<int>& over = making_.let(tile_.let).over;
    for (size_t k = 0; k < over.size(); ++k) {
      if (over[k] == tile_.row) own[k] = row;
      if (over[k] == tile_.column) own[k] = column;
    }
    return making_.array_point(tile_.let, own);
  }

  std::vector<Index> with_row(const Index& row) const {
    std::vector<Index> out;
    for (size_t axis = 0; axis < making_.kernel().axes.size(); ++axis)
      out.push_back(making_.at(static_cast<int>(axis)));
    if (tile_.row >= 0) out[at(tile_.row)] = row;
    return out;
  }

  Making& making_;
  const SumTile& tile_;
  const Nest nest_;
  const std::string name_;
  const int64_t columns_;
  const int width_;
  const int block_;
};

}  // namespace

Stmts sum_tile_stmts(Making& making, const SumTile& tile, const ForLoop& outermost) {
  return SumTileStmts(making, tile, outermost).run();
}

}  // namespace burin
