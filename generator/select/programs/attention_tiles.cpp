// Attention in blocks of queries and keys: two products of register tiles around a running softmax,
// whose rows are the columns of the blocks.
#include "kernel/layout.h"
#include "select/programs/attention_program.h"
#include "select/programs/panels.h"
#include "select/programs/tile_program.h"
#include "support/at.h"
#include "support/check.h"

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

class AttentionTiles {
 public:
  explicit AttentionTiles(Making& making)
      : making_(making),
        attention_(*making.schedule().attention),
        columns_(attention_.columns()),
        column_(making.shared_variable("column", columns_)) {}

  Stmts run() {
    Stmts out;
    const auto take = [&](const char* name, std::vector<Dim> shape, const Dim& offset) {
      return allocate(making_, name, std::move(shape), offset, out);
    };
    const int keys = attention_.scores.rows, elements = attention_.values.rows;
    scores_ = take("block_scores", {attention_.key_block, columns_}, attention_.scores_offset);
    q_panel_ = take("q_panel", {attention_.depth_extent, columns_}, attention_.q_offset);
    sums_ = take("block_sums", {ceildiv(attention_.elements, elements) * elements, columns_},
                 attention_.sums_offset);
    k_panels_ = take("k_panels", {ceildiv(attention_.keys, keys), attention_.depth_extent, keys},
                     attention_.k_offset);
    v_panels_ =
        take("v_panels", {ceildiv(attention_.elements, elements), attention_.keys, elements},
             attention_.v_offset);
    for (const PositionTable& table : attention_.positions) {
      const std::string number = std::to_string(table.let);
      Positions& one = positions_.emplace_back();
      one.scores =
          take(("positions" + number).c_str(), {table.window, columns_}, table.scores_offset);
      one.q_panel =
          take(("q_panel" + number).c_str(), {table.depth_extent, columns_}, table.q_offset);
      one.p_panels =
          take(("p_panels" + number).c_str(),
               {ceildiv(table.rows, table.tile.rows), table.depth_extent, table.tile.rows},
               table.p_offset);
    }
    const auto of_columns = [&](const char* name) {
      return making_.buffer(Scope::stack, name, Type::f32, {columns_});
    };
    rows_ = {of_columns("greatest"), of_columns("most"), of_columns("shift"), of_columns("rescale"),
             of_columns("total")};
    if (attention_.gained >= 0) rows_.gained = of_columns("gained");
    if (attention_.factor) rows_.factors = of_columns("factors");
    Stmts body = panels(attention_.k, attention_.key, keys, attention_.depth, k_panels_);
    append(body, panels(attention_.v, attention_.element, elements, {attention_.key}, v_panels_));
    for (size_t t = 0; t < positions_.size(); ++t) {
      const PositionTable& table = attention_.positions[t];
      append(body,
             panels(table.p, table.row, table.tile.rows, table.depth, positions_[t].p_panels));
    }
    append(body,
           blocks_of(making_, attention_.query, columns_, making_.begin_of(attention_.query),
                     making_.end_of(attention_.query),
                     [this](const Index& first, const Index& end) { return queries(first, end); }));
    append(out, around(making_, attention_.batch, std::move(body)));
    return out;
  }

 private:
  // Of a table of positions.
  struct Positions {
    BufferId scores = -1, q_panel = -1, p_panels = -1;
    Index first;  // row of the table that the present block of queries begins with
  };

  // Of the softmax: a column to a query.
  struct Rows {
    BufferId greatest = -1, most = -1, shift = -1, rescale = -1, total = -1;
    BufferId gained = -1, factors = -1;
  };

  // --- Places ---
  Index point(int axis) const { return making_.at(axis); }
  Index column() const { return making_.at(column_); }
  Index column_of_query() const { return point(attention_.query) - query_first_; }
  Expr element(BufferId buffer, std::vector<Index> at) const {
    return making_.element(buffer, Type::f32, std::move(at));
  }
  Expr row(BufferId row, const Index& column) const { return element(row, {column}); }
  Stmt set_row(BufferId row, const Index& column, Expr value) const {
    return store(row, {column}, std::move(value));
  }
  Stmt each_column(Stmts body) const { return loop(column_, 0, columns_, std::move(body)); }

  // What lets are, at the present points of axes.
  void read_lets() {
    const auto read = [this](int let, std::function<Expr()> element) {
      read_let(making_, let, std::move(element));
    };
    read(0, [this] {
      return element(scores_, {point(attention_.key) - key_first_, column_of_query()});
    });
    for (size_t t = 0; t < positions_.size(); ++t) {
      read(attention_.positions[t].let, [this, t] {
        const Index at = making_.buffers().index(attention_.positions[t].read);
        return element(positions_[t].scores, {at - positions_[t].first, column_of_query()});
      });
    }
    read(attention_.greatest, [this] { return row(rows_.greatest, column_of_query()); });
    read(attention_.total, [this] { return row(rows_.total, column_of_query()); });
    if (attention_.gained >= 0)
      read(attention_.gained, [this] { return row(rows_.gained, column_of_query()); });
    read(attention_.result, [this] {
      return element(sums_, {point(attention_.element), column_of_query()});
    });
  }

  // --- Panels ---
  Stmts panels(const Expr& from, int axis, int width, const std::vector<int>& depth, BufferId to) {
    const TileFactor factor{from};
    return blocks_of(making_, axis, width, 0, making_.extent(axis),
                     [&](const Index& first, const Index& end) {
                       return pack_panel(making_, {factor, depth, axis, width, first, end, false},
                                         {to, {floordiv(first, width)}});
                     });
  }
  Stmts query_panel(const Expr& from, const std::vector<int>& depth, BufferId to,
                    const Index& first, const Index& end) {
    const TileFactor factor{from};
    return pack_panel(making_, {factor, depth, attention_.query, columns_, first, end, false},
                      {to, {}});
  }

  // --- Tiles ---
  // Tiles of panels[first / rows] from `from` on, times rows of `columns`, for `first` in begin ..
  // end (`reach`: no end is larger); `made` makes stores of an element.
  using Made = std::function<Stmt(const Index& first, const Index& row, const Index& column,
                                  const Expr& sum)>;
  Stmts products(const Tile& shape, BufferId panels, const Index& from, BufferId columns,
                 const TileDepth& depth, const Index& begin, const Index& end, const Dim& reach,
                 const Made& made) {
    const int var = making_.shared_variable("tile_first", reach + shape.rows);
    const Index first = making_.at(var);
    TileFactors factors;
    factors.a = [&](const Index& at, const Index& row) {
      return Region{panels, {floordiv(first, shape.rows), from + at, row}, {1, 1, 1}};
    };
    factors.b = lanes_of(columns, shape.lanes);
    Stmts tile =
        whole_tile(making_, {shape.rows, shape.vectors, shape.lanes, 1}, factors, depth,
                   attention_.sums_go, [&](const Index& row, const Index& column, const Expr& sum) {
                     return Stmts{made(first, row, column, sum)};
                   });
    return {Stmt{For{var, begin, end, shape.rows, Kind::serial, std::move(tile)}}};
  }
  // To rows [first - begin, ...) of an array.
  Made rows_of(BufferId to, const Index& begin) const {
    return [=](const Index& first, const Index& row, const Index& column, const Expr& sum) {
      return store(to, {first - begin + row, column}, sum);
    };
  }
  static TileFactors::Place lanes_of(BufferId array, int lanes) {
    return [=](const Index& at, const Index& vector) {
      return Region{array, {at, vector * lanes}, {1, lanes}};
    };
  }

  // The scores of the present block of keys, column by column: combined, and what comes of it.
  Stmts over_keys(Combiner op, const Dim& keys,
                  const std::function<Expr(const Index&, const Expr&)>& made, BufferId to) {
    RegisterTile columns(making_, {1, attention_.scores.vectors, attention_.scores.lanes, 1});
    Stmts out = columns.sums({{}, lanes_of(scores_, attention_.scores.lanes)}, op,
                             {keys, attention_.key_block});
    append(out, vectors_leaving(columns, {set_row(to, columns.column(),
                                                  made(columns.column(), columns.element()))}));
    return out;
  }

  // --- A block of queries ---
  Stmts queries(const Index& first, const Index& end) {
    query_first_ = first;
    query_end_ = end;
    Stmts out = query_panel(attention_.q, attention_.depth, q_panel_, first, end);
    for (size_t t = 0; t < positions_.size(); ++t)
      append(out, position_scores(attention_.positions[t], positions_[t]));
    for (const BufferId one : {rows_.greatest, rows_.most, rows_.shift, rows_.rescale, rows_.total,
                               rows_.gained, rows_.factors}) {
      if (one >= 0) out.push_back({loops::Alloc{one}});
    }
    Stmts begin{set_row(rows_.greatest, column(), no_score()),
                set_row(rows_.total, column(), float_number(0))};
    if (attention_.gained >= 0) begin.push_back(set_row(rows_.gained, column(), float_number(0)));
    out.push_back(each_column(std::move(begin)));
    const Dim padded = making_.program().buffers[at(sums_)].shape[0];
    const int e = making_.shared_variable("sums_row", padded);
    out.push_back(loop(e, 0, padded,
                       {each_column({store(sums_, {making_.at(e), column()}, float_number(0))})}));
    append(out, blocks_of(making_, attention_.key, static_cast<int>(attention_.key_block), 0,
                          attention_.keys,
                          [this](const Index& from, const Index& to) { return keys(from, to); }));
    append(out, result());
    return out;
  }

  // The rows of a table that the block reads.
  Stmts position_scores(const PositionTable& table, Positions& one) {
    Stmts out = query_panel(table.q, table.depth, one.q_panel, query_first_, query_end_);
    const std::string number = std::to_string(table.let);
    const auto name = [&](const std::string& what, const Index& value) {
      Index at = loops::with_var(making_.buffers().index(value), attention_.query, query_first_);
      const int var = making_.variable(what + number, table.rows + table.window + 1);
      out.push_back({loops::Let{var, std::move(at)}});
      return making_.at(var);
    };
    one.first = name("position_first", table.first);
    const Index end = name("position_end", table.end);
    append(out, products(table.tile, one.p_panels, 0, one.q_panel, table.depth_extent, one.first,
                         end, table.rows, rows_of(one.scores, one.first)));
    return out;
  }

  // --- What a block of keys adds ---
  Stmts keys(const Index& first, const Index& end) {
    key_first_ = first;
    key_end_ = end;
    read_lets();
    const Dim count = end - first;
    Stmts out = products(attention_.scores, k_panels_, 0, q_panel_, attention_.depth_extent, first,
                         end, attention_.keys, rows_of(scores_, first));
    if (attention_.masked.kind() != ExprKind::let) append(out, fill_scores(attention_.masked));
    append(out, softmax(count));
    if (attention_.gains()) append(out, fill_scores(attention_.gain));
    if (attention_.gained >= 0) {
      append(out, over_keys(
                      Combiner::sum, count,
                      [this](const Index& at, const Expr& sum) {
                        return row(rows_.gained, at) * row(rows_.rescale, at) + sum;
                      },
                      rows_.gained));
    }
    append(out, add_values(first, count));
    return out;
  }

  Stmts fill_scores(const Expr& value) {
    Stmts body{store(scores_, {point(attention_.key) - key_first_, column_of_query()},
                     making_.buffers().expr(value))};
    body = {loop(attention_.query, query_first_, query_end_, std::move(body))};
    return {loop(attention_.key, key_first_, key_end_, std::move(body))};
  }

  // Scores become exponents relative to the greatest so far.
  Stmts softmax(const Dim& count) {
    Stmts out = over_keys(
        Combiner::max, count,
        [this](const Index& at, const Expr& most) { return max(row(rows_.greatest, at), most); },
        rows_.most);
    const Index at = column();
    const Expr most = row(rows_.most, at);
    out.push_back(each_column(
        {set_row(rows_.shift, at,
                 Expr::select(compare(Binary::eq, most, no_score()), float_number(0), most)),
         set_row(rows_.rescale, at,
                 Expr::unary(Unary::exp, row(rows_.greatest, at) - row(rows_.shift, at))),
         set_row(rows_.greatest, at, most)}));
    const Index key = point(attention_.key) - key_first_;
    Stmts exponents{each_column(
        {store(scores_, {key, at},
               Expr::unary(Unary::exp, element(scores_, {key, at}) - row(rows_.shift, at)))})};
    out.push_back(loop(attention_.key, key_first_, key_end_, std::move(exponents)));
    append(out, over_keys(
                    Combiner::sum, count,
                    [this](const Index& c, const Expr& sum) {
                      return row(rows_.total, c) * row(rows_.rescale, c) + sum;
                    },
                    rows_.total));
    return out;
  }

  Stmts add_values(const Index& key_first, const Dim& count) {
    return products(
        attention_.values, v_panels_, key_first, scores_, {count, attention_.key_block}, 0,
        attention_.elements, attention_.elements,
        [this](const Index& first, const Index& row, const Index& column, const Expr& sum) {
          const std::vector<Index> at{first + row, column};
          return store(sums_, at, element(sums_, at) * this->row(rows_.rescale, column) + sum);
        });
  }

  // --- What is written ---
  Stmts result() {
    Stmts ends = attention_.factor ? multiplied() : divided();
    Stmts out;
    // A sum over no keys is 0, whatever it would be divided by.
    if (attention_.keys.range().lo < 1)
      out.push_back({If{{{attention_.keys, 1, attention_.keys + 1}}, std::move(ends), {}}});
    else
      out = std::move(ends);
    Stmts body = generic_stmts(making_, {LoopNode{Store{0, attention_.value, {}}}});
    body = {loop(attention_.element, 0, attention_.elements, std::move(body))};
    out.push_back(loop(attention_.query, query_first_, query_end_, std::move(body)));
    return out;
  }

  // sums[element][column] = value, for all of them.
  Stmt each_sum(const Expr& value) {
    const Index e = point(attention_.element);
    return loop(attention_.element, 0, attention_.elements,
                {each_column({store(sums_, {e, column()}, value)})});
  }
  Expr present_sum() const { return element(sums_, {point(attention_.element), column()}); }

  Stmts divided() {
    Stmts out;
    const Index at = column();
    if (attention_.empty != EmptyRows::nan) {
      // Weights of 0 where all scores are -infinity: sums are what they are.
      const Expr masked = compare(Binary::eq, row(rows_.greatest, at), no_score());
      out.push_back(each_column(
          {set_row(rows_.total, at, Expr::select(masked, float_number(1), row(rows_.total, at)))}));
    }
    if (attention_.empty == EmptyRows::zero_if_nan) {
      append(out, sums_where(Expr::unary(Unary::is_nan, row(rows_.total, at)), float_number(0), at,
                             rows_.total));
    }
    out.push_back(each_sum(present_sum() / row(rows_.total, at)));
    return out;
  }

  Stmts multiplied() {
    const Index at = column_of_query();
    Stmts out{each_column({set_row(rows_.factors, column(), float_number(0))}),
              loop(attention_.query, query_first_, query_end_,
                   {set_row(rows_.factors, at, making_.buffers().expr(attention_.factor))})};
    if (attention_.selects) {
      // Weights are NaN where the factor is no number, but for keys that the gain leaves out.
      const Expr factor = row(rows_.factors, at);
      const Expr finite = is_finite(factor);
      Stmts body = sums_where(Expr::unary(Unary::logical_not, finite),
                              making_.buffers().expr(attention_.gain_of_nan()), at, rows_.factors);
      out.push_back(loop(attention_.query, query_first_, query_end_, std::move(body)));
    }
    out.push_back(each_sum(present_sum() * row(rows_.factors, column())));
    return out;
  }

  // Where `holds` in a column: its sums are those of values times `weight`, and are divided by or
  // multiplied with 1. Without a column of its own, of all of them.
  Stmts sums_where(const Expr& holds, const Expr& weight, const Index& at, BufferId row) {
    const BufferId flags = making_.buffer(Scope::stack, "flags", Type::i32, {columns_});
    const BufferId sum = making_.buffer(Scope::local, "sum", Type::f32, {});
    const Index e = point(attention_.element);
    const int width = attention_.values.rows;
    const Expr product = weight * this->element(v_panels_, {floordiv(e, width),
                                                            point(attention_.key), mod(e, width)});
    Stmts element{
        Stmt{loops::Alloc{sum}}, store(sum, {}, float_number(0)),
        loop(attention_.key, 0, attention_.keys, {store(sum, {}, product, Combiner::sum)}),
        store(sums_, {e, at}, this->element(sum, {}))};
    Stmts then{loop(attention_.element, 0, attention_.elements, std::move(element)),
               set_row(row, at, float_number(1))};
    Stmts body{store(flags, {at}, flag_of(holds)),
               Stmt{If{is_set(making_, flags, {at}), std::move(then), {}}}};
    Stmts out{Stmt{loops::Alloc{flags}}};
    if (at == column())
      out.push_back(each_column(std::move(body)));
    else
      append(out, std::move(body));
    return out;
  }

  Making& making_;
  const AttentionSchedule& attention_;
  const int columns_, column_;
  BufferId scores_ = -1, q_panel_ = -1, sums_ = -1, k_panels_ = -1, v_panels_ = -1;
  std::vector<Positions> positions_;
  Rows rows_;
  Index query_first_, query_end_, key_first_, key_end_;  // of the present blocks
};

}  // namespace

Stmts attention_tiles(Making& making) { return AttentionTiles(making).run(); }

}  // namespace burin
