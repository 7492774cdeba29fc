// Decode attention as statements: rows of K and V are read one after another.
//
// Rows of scores are whole vectors: what lies beyond the last key is -infinity, then 0, and takes
// no part.
#include "select/programs/attention_program.h"
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

class DecodeStmts {
 public:
  explicit DecodeStmts(Making& making)
      : making_(making),
        attention_(*making.schedule().attention),
        decode_(*attention_.decode),
        queries_(decode_.is_only() ? Dim(1) : attention_.queries),
        padded_(decode_.padded(attention_.keys)) {}

  Stmts run() {
    Stmts out;
    q_ = allocate(making_, "q", {queries_, attention_.depth_extent}, decode_.q_offset, out);
    sums_ = allocate(making_, "sums", {queries_, attention_.elements}, decode_.sums_offset, out);
    scores_ = allocate(making_, "scores", {queries_, padded_}, decode_.scores_offset, out);
    read_lets();
    const bool k_in_place = decode_.k.tensor != kNoValue, v_in_place = decode_.v.tensor != kNoValue;
    Stmts body = each_query([&] {
      Stmts of{store(q_, {query(), depth_point(making_, attention_.depth)},
                     making_.buffers().expr(attention_.q))};
      of = around(making_, attention_.depth, std::move(of));
      if (k_in_place) append(of, scores(0, attention_.keys, in_place(true)));
      return of;
    });
    if (!k_in_place) append(body, in_blocks(true));
    append(body, each_query([&] {
             Stmts of = weights();
             append(of, v_in_place ? add(0, attention_.keys, in_place(false), false) : zero_sums());
             if (v_in_place) append(of, written());
             return of;
           }));
    if (!v_in_place) {
      append(body, in_blocks(false));
      append(body, each_query([&] { return written(); }));
    }
    std::vector<int> outer = attention_.batch;
    if (decode_.is_only() && attention_.query >= 0) outer.push_back(attention_.query);
    append(out, around(making_, outer, std::move(body)));
    return out;
  }

 private:
  // An element of a row of K or V, at a key and a place in the row.
  using RowElement = std::function<Expr(const Index& key, const Index& place)>;

  // --- Places ---
  Index point(int axis) const { return making_.at(axis); }
  // The row of the present query in scratch.
  Index query() const {
    return attention_.query < 0 || decode_.is_only() ? Index(0) : point(attention_.query);
  }
  Expr element(BufferId buffer, std::vector<Index> at) const {
    return making_.element(buffer, Type::f32, std::move(at));
  }
  Region lanes_of(const Expr& first) const {
    Region out{first->id, first->at, {}};
    out.extent.assign(out.first.size(), 1);
    out.extent.back() = decode_.lanes;
    return out;
  }
  Region one_of(BufferId buffer, std::vector<Index> at) const {
    return {buffer, std::move(at), {1, 1}};
  }

  // for each query, unless that is around all steps.
  Stmts each_query(const std::function<Stmts()>& body) const {
    if (attention_.query < 0 || decode_.is_only()) return body();
    return around(making_, {attention_.query}, body());
  }
  Stmt each_key(Stmts body) const {
    return loop(attention_.key, 0, attention_.keys, std::move(body));
  }

  void read_lets() {
    const auto read = [this](int let, std::function<Expr()> element) {
      read_let(making_, let, std::move(element));
    };
    const auto row = [&](int let, const char* name) {
      const BufferId buffer = making_.shared_array(name, {1});
      read(let, [this, buffer] { return element(buffer, {0}); });
      return buffer;
    };
    read(0, [this] { return element(scores_, {query(), point(attention_.key)}); });
    greatest_ = row(attention_.greatest, "row_greatest");
    total_ = row(attention_.total, "row_total");
    if (attention_.gained >= 0) gained_ = row(attention_.gained, "row_gained");
    read(attention_.result, [this] {
      return element(sums_, {query(), point(attention_.element)});
    });
  }

  // --- Rows of K and V ---
  RowElement in_place(bool of_k) const {
    const Expr row = making_.buffers().expr(of_k ? attention_.k : attention_.v);
    const int along = of_k ? attention_.depth.back() : attention_.element;
    return [this, row, along](const Index& key, const Index& place) {
      std::vector<Index> at = row->at;
      for (Index& index : at)
        index = loops::with_var(loops::with_var(index, attention_.key, key), along, place);
      return element(row->id, std::move(at));
    };
  }

  // A block of rows is computed, then all queries take their turn.
  Stmts in_blocks(bool of_k) {
    const std::vector<int> along = of_k ? attention_.depth : std::vector<int>{attention_.element};
    const Dim& length = of_k ? attention_.depth_extent : attention_.elements;
    const RowFactor& factor = of_k ? decode_.k : decode_.v;
    return blocks_of(
        making_, attention_.key, decode_.rows, 0, attention_.keys,
        [&](const Index& first, const Index& end) {
          Stmts out;
          const BufferId rows = allocate(making_, of_k ? "k_rows" : "v_rows",
                                         {decode_.rows, length}, decode_.rows_offset, out);
          Stmts fill{store(rows, {point(attention_.key) - first, depth_point(making_, along)},
                           making_.buffers().expr(of_k ? attention_.k : attention_.v))};
          const auto over_rows = [&] {
            fill = {loop(attention_.key, first, end, std::move(fill))};
          };
          if (factor.rows_inside) over_rows();
          fill = around(making_, along, std::move(fill));
          if (!factor.rows_inside) over_rows();
          append(out, std::move(fill));
          const RowElement row = [=, this](const Index& key, const Index& place) {
            return element(rows, {key - first, place});
          };
          append(out, each_query([&] {
                   return of_k ? scores(first, end - first, row)
                               : add(first, end - first, row, true);
                 }));
          return out;
        });
  }

  // --- Scores: rows of K times the query, a group of rows at a time; the last ones in groups of
  // --- half as many, and so on. ---
  Stmts scores(const Index& first, const Dim& count, const RowElement& k) {
    const int rows = decode_.rows;
    const int group = making_.shared_variable("key_group", attention_.keys + rows);
    Stmts out{Stmt{For{group, first, first + floordiv(count, rows) * rows, rows, Kind::serial,
                       score_group(rows, making_.at(group), k)}}};
    for (int height = rows / 2; height > 0; height /= 2) {
      const Index left = mod(count, 2 * height);
      if (left.is_constant() && left.constant() < height) continue;
      const Index begin = first + floordiv(count, 2 * height) * (2 * height);
      out.push_back({If{{{left, height, 2 * height}}, score_group(height, begin, k), {}}});
    }
    return out;
  }

  Stmts score_group(int height, const Index& first, const RowElement& k) {
    const int lanes = decode_.lanes;
    const Dim& depth = attention_.depth_extent;
    RegisterTile tile(making_, {height, 1, lanes, 1});
    TileFactors factors;
    factors.by_lane = true;
    factors.a = [&, this](const Index& at, const Index& row) {
      return lanes_of(k(first + row, at * lanes));
    };
    factors.b = [&, this](const Index& at, const Index&) {
      return lanes_of(element(q_, {query(), at * lanes}));
    };
    Stmts out = tile.sums(factors, Combiner::sum, floordiv(depth, lanes));
    append(out, tile.of_lanes(Combiner::sum, [&](const Index& row) {
      return one_of(scores_, {query(), first + row});
    }));
    if (mod(depth, lanes).is_constant(0)) return out;
    const int row = making_.shared_variable("row_of_group", height);
    const int rest = making_.shared_variable("depth_rest", depth);
    const Index key = first + making_.at(row), place = making_.at(rest);
    out.push_back(
        loop(row, 0, height,
             {loop(rest, floordiv(depth, lanes) * lanes, depth,
                   {store(scores_, {query(), key}, k(key, place) * element(q_, {query(), place}),
                          Combiner::sum)})}));
    return out;
  }

  // --- Scores become weights ---
  Stmts weights() {
    Stmts out;
    if (attention_.masked.kind() != ExprKind::let) out.push_back(fill_scores(attention_.masked));
    if (!mod(attention_.keys, decode_.lanes).is_constant(0)) {
      const int beyond = making_.shared_variable("beyond", padded_);
      out.push_back(loop(beyond, attention_.keys, padded_,
                         {store(scores_, {query(), making_.at(beyond)}, no_score())}));
    }
    append(out, over_row(Combiner::max, greatest_));
    const Expr greatest = element(greatest_, {0}), total = element(total_, {0});
    // Where all scores are -infinity, exponents are 0.
    const BufferId shift = variable("shift");
    const Expr masked = compare(Binary::eq, greatest, no_score());
    append(out, define(shift, Expr::select(masked, float_number(0), greatest)));
    const int all = making_.shared_variable("score", padded_);
    const std::vector<Index> at{query(), making_.at(all)};
    out.push_back(loop(
        all, 0, padded_,
        {store(scores_, at, Expr::unary(Unary::exp, element(scores_, at) - element(shift, {})))}));
    append(out, over_row(Combiner::sum, total_));
    append(out, attention_.factor ? multiplied() : divided(masked, total));
    return out;
  }

  Stmt fill_scores(const Expr& value) const {
    return each_key(
        {store(scores_, {query(), point(attention_.key)}, making_.buffers().expr(value))});
  }
  BufferId variable(const char* name, Type type = Type::f32) {
    return making_.buffer(Scope::local, name, type, {});
  }
  static Stmts define(BufferId variable, const Expr& value) {
    return {Stmt{loops::Alloc{variable}}, store(variable, {}, value)};
  }

  // to[0] = all scores of the row, combined.
  Stmts over_row(Combiner op, BufferId to) {
    RegisterTile row(making_, {1, 1, decode_.lanes, 1});
    Stmts out{Stmt{loops::Alloc{to}}};
    append(out, row.sums({{},
                          [this](const Index& at, const Index&) {
                            return lanes_of(element(scores_, {query(), at * decode_.lanes}));
                          }},
                         op, floordiv(padded_, decode_.lanes)));
    append(out, row.of_lanes(op, [&](const Index&) { return Region{to, {0}, {1}}; }));
    return out;
  }

  Stmts divided(const Expr& masked, const Expr& total) {
    const std::vector<Index> at{query(), point(attention_.key)};
    const Expr weight = element(scores_, at) / total;
    if (attention_.empty == EmptyRows::nan) return {each_key({store(scores_, at, weight)})};
    Expr none = masked;
    if (attention_.empty == EmptyRows::zero_if_nan)
      none = Expr::binary(Binary::logical_or, none, Expr::unary(Unary::is_nan, total));
    const BufferId empty = variable("empty", Type::boolean);
    Stmts out = define(empty, none);
    const Expr is_empty = making_.element(empty, Type::boolean, {});
    out.push_back(each_key({store(scores_, at, Expr::select(is_empty, float_number(0), weight))}));
    return out;
  }

  Stmts multiplied() {
    Stmts out;
    if (attention_.gains()) out.push_back(fill_scores(attention_.gain));
    if (attention_.gained >= 0) append(out, over_row(Combiner::sum, gained_));
    const BufferId factor = variable("factor");
    append(out, define(factor, making_.buffers().expr(attention_.factor)));
    const std::vector<Index> at{query(), point(attention_.key)};
    const Expr by = element(factor, {});
    Expr weight = element(scores_, at) * by;
    if (attention_.selects) {
      // Weights are NaN where the factor is no number, but for keys that the gain leaves out.
      const Expr finite = is_finite(by);
      weight = Expr::select(finite, weight, making_.buffers().expr(attention_.gain_of_nan()));
    }
    out.push_back(each_key({store(scores_, at, weight)}));
    return out;
  }

  // --- Sums: rows of V times their weights, some vectors of elements at a time. `more`: they are
  // --- added to what is there. ---
  Stmts add(const Index& first, const Dim& count, const RowElement& v, bool more) {
    const Dim& elements = attention_.elements;
    const int lanes = decode_.lanes, width = decode_.vectors * lanes;
    const Dim groups = floordiv(elements, width) * width, whole = floordiv(elements, lanes) * lanes;
    Stmts out;
    const auto vectors = [&](int number, const Dim& from, const Dim& to) {
      if ((to - from).is_constant(0)) return;
      const int group = making_.shared_variable("element_group", elements + number * lanes);
      out.push_back({For{group, from, to, int64_t{number} * lanes, Kind::serial,
                         add_group(number, making_.at(group), first, count, v, more)}});
    };
    vectors(decode_.vectors, 0, groups);
    if (decode_.vectors > 1) vectors(1, groups, whole);
    if ((elements - whole).is_constant(0)) return out;
    // The rest, a key after another.
    const int rest = making_.shared_variable("element_rest", elements);
    const int key = making_.shared_variable("key_of_sum", attention_.keys);
    const Index at = making_.at(rest), k = first + making_.at(key);
    const auto each = [&](Stmt one) { return loop(rest, whole, elements, {std::move(one)}); };
    if (!more) out.push_back(each(store(sums_, {query(), at}, float_number(0))));
    out.push_back(loop(key, 0, count,
                       {each(store(sums_, {query(), at}, element(scores_, {query(), k}) * v(k, at),
                                   Combiner::sum))}));
    return out;
  }

  Stmts add_group(int vectors, const Index& begin, const Index& first, const Dim& count,
                  const RowElement& v, bool more) {
    RegisterTile tile(making_, {1, vectors, decode_.lanes, 1});
    TileFactors factors;
    factors.a = [&, this](const Index& at, const Index&) {
      return one_of(scores_, {query(), first + at});
    };
    factors.b = [&, this](const Index& at, const Index& vector) {
      return lanes_of(v(first + at, begin + vector * decode_.lanes));
    };
    Stmts out = tile.sums(factors, Combiner::sum, {count, attention_.keys});
    const std::vector<Index> at{query(), begin + tile.column()};
    append(
        out,
        vectors_leaving(
            tile, {store(sums_, at, more ? element(sums_, at) + tile.element() : tile.element())}));
    return out;
  }

  Stmts zero_sums() const {
    return around(making_, {attention_.element},
                  {store(sums_, {query(), point(attention_.element)}, float_number(0))});
  }
  Stmts written() {
    return around(making_, {attention_.element},
                  generic_stmts(making_, {LoopNode{Store{0, attention_.value, {}}}}));
  }

  Making& making_;
  const AttentionSchedule& attention_;
  const DecodeAttention& decode_;
  const Dim queries_, padded_;
  BufferId q_ = -1, sums_ = -1, scores_ = -1, greatest_ = -1, total_ = -1, gained_ = -1;
};

}  // namespace

Stmts decode_attention(Making& making) { return DecodeStmts(making).run(); }

}  // namespace burin
