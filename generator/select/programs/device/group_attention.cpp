// A launch whose work-groups have blocks of queries of attention
// (select/device/device_attention.h): keys block by block, with a running softmax. A work-item
// scores one key of a block, and sums a part of the elements of one query, its row.
#include "select/programs/attention_program.h"
#include "select/programs/device/item_stmts.h"
#include "select/programs/device/launch_program.h"
#include "support/at.h"

namespace burin {
namespace {

using loops::BufferId;
using loops::Kind;
using loops::Stmt;
using loops::Stmts;

constexpr int kStagedTurns = 8;  // of staging that are written out

class GroupAttentionStmts : public ItemStmts {
 public:
  GroupAttentionStmts(Making& making, const Launch& launch)
      : ItemStmts(making),
        launch_(launch),
        blocks_(*launch.attention),
        form_(blocks_.form),
        each_(blocks_.items / blocks_.queries),
        vectors_(blocks_.elements / kVectorLanes / each_),
        scores_(int64_t{blocks_.queries} * blocks_.keys / blocks_.items) {
    item_var_ = making.shared_variable("item", blocks_.items);
    item_ = making.at(item_var_);
    row_ = floordiv(item_, each_);
    part_ = mod(item_, each_);
    block_var_ = making.shared_variable("query_block", ceildiv(form_.queries, blocks_.queries));
    query_first_ = making.at(block_var_) * blocks_.queries;
    key_first_var_ = making.shared_variable("key_first", form_.keys);
    key_first_ = making.at(key_first_var_);
    const auto tile = [&](const char* name, int64_t rows, int64_t row) {
      return tiles_.emplace_back(of_group(name, Type::f32, {rows, row}));
    };
    q_tile_ = tile("q_tile", blocks_.queries, blocks_.depth);
    k_tile_ = tile("k_tile", blocks_.keys, blocks_.depth + kVectorLanes);
    v_tile_ = tile("v_tile", blocks_.keys, blocks_.elements);
    score_tile_ = tile("score_tile", blocks_.queries, blocks_.keys + 1);
    weight_tile_ = tile("weight_tile", blocks_.queries, blocks_.keys + 1);
    greatest_ = own("greatest", Type::f32);
    total_ = own("total", Type::f32);
    if (form_.gained >= 0) gained_ = own("gained", Type::f32);
    sums_ = own("sums", Type::f32, {vectors_, kVectorLanes});
  }

  Stmts run() {
    read_let(making_, form_.greatest, [this] { return number(greatest_); });
    read_let(making_, form_.total, [this] { return number(total_); });
    if (gained_ >= 0) read_let(making_, form_.gained, [this] { return number(gained_); });
    Stmts body = staged(form_.q, q_tile_, form_.query, query_first_, form_.depth, blocks_.queries,
                        blocks_.depth);
    append(body, defined(greatest_, no_score()));
    append(body, defined(total_, float_number(0)));
    if (gained_ >= 0) append(body, defined(gained_, float_number(0)));
    body.push_back({loops::Alloc{sums_}});
    append(body, each_sum([&](const Index& v, const Index& lane) {
             return Stmts{store(sums_, {v, lane}, float_number(0))};
           }));
    body.push_back(
        {loops::For{key_first_var_, 0, form_.keys, blocks_.keys, Kind::serial, block()}});
    append(body, results());
    Stmts group;
    for (const BufferId tile : tiles_) group.push_back({loops::Alloc{tile}});
    group.push_back(loop(item_var_, 0, blocks_.items, std::move(body), Kind::item));
    return {loop(block_var_, 0, making_.program().vars[at(block_var_)].extent, std::move(group),
                 Kind::group)};
  }

 private:
  Expr element(BufferId buffer, std::vector<Index> at) const {
    return making_.element(buffer, Type::f32, std::move(at));
  }
  Expr number(BufferId buffer) const { return element(buffer, {}); }
  Expr over_buffers(const Expr& expr) const { return making_.buffers().expr(expr); }
  static Stmts defined(BufferId variable, const Expr& value) {
    return {Stmt{loops::Alloc{variable}}, store(variable, {}, value)};
  }
  Stmts each_sum(const std::function<Stmts(const Index&, const Index&)>& body) const {
    return each("v", vectors_, [&](const Index& v) {
      return each("lane", kVectorLanes, [&](const Index& lane) { return body(v, lane); });
    });
  }
  // All points of an axis, or of one block of it.
  Stmts all_of(const char* name, int64_t count, const Body& body) const {
    const int var = making_.shared_variable(name, count);
    return {loop(var, 0, count, body(making_.at(var)))};
  }
  // Points that all work-items have together, one after the other.
  Stmts shared(const char* name, const Index& first, int64_t count, int64_t apart, int turns,
               const Body& body) const {
    const int var = making_.shared_variable(name, count);
    loops::For out{var, first, count, apart, Kind::serial, body(making_.at(var))};
    out.unroll = turns;
    return {Stmt{std::move(out)}};
  }

  // Rows of Q, K or V from `first` on, where they are there.
  Stmts staged(const Expr& what, BufferId tile, int row_axis, const Index& first,
               const std::vector<int>& along, int rows, int pitch) {
    Dim extent = 1;
    std::vector<Dim> extents;
    for (const int axis : along) {
      extents.push_back(making_.extent(axis));
      extent *= extents.back();
    }
    return shared("e", item_, int64_t{rows} * pitch, blocks_.items, kStagedTurns,
                  [&](const Index& e) {
                    const Index row = floordiv(e, pitch), flat = mod(e, pitch);
                    Guard there{{first + row, 0, making_.extent(row_axis)}};
                    if (!extent.is_constant(pitch)) there.push_back({flat, 0, extent});
                    Stmts taken{Stmt{loops::Let{row_axis, first + row}}};
                    append(taken, flattened(along, extents, flat));
                    const BufferId value = own("value", Type::f32);
                    taken.push_back(store(value, {}, over_buffers(what)));
                    Stmts out = defined(value, float_number(0));
                    out.push_back(when(std::move(there), std::move(taken)));
                    out.push_back(store(tile, {row, flat}, number(value)));
                    return out;
                  });
  }

  // --- A block of keys ---

  Stmts block() {
    Stmts out{Stmt{loops::Barrier{}}};
    append(out, staged(form_.k, k_tile_, form_.key, key_first_, form_.depth, blocks_.keys,
                       blocks_.depth));
    append(out, staged(form_.v, v_tile_, form_.key, key_first_, {form_.element}, blocks_.keys,
                       blocks_.elements));
    out.push_back({loops::Barrier{}});
    append(out, scores());
    out.push_back({loops::Barrier{}});
    append(out, running_softmax());
    append(out, weighted());
    return out;
  }

  // The query of score number s of a work-item.
  Index query_of(const Index& s) const {
    return floordiv(item_, blocks_.keys) + s * (blocks_.items / blocks_.keys);
  }
  Index key() const { return mod(item_, blocks_.keys); }
  // Query and key are there: known by their axes around `body`.
  Stmt at_pair(const Index& query, const Index& key, Stmts body) const {
    Stmts out{Stmt{loops::Let{form_.query, query_first_ + query}},
              Stmt{loops::Let{form_.key, key_first_ + key}}};
    append(out, std::move(body));
    return when({{query_first_ + query, 0, form_.queries}, {key_first_ + key, 0, form_.keys}},
                std::move(out));
  }

  Stmts scores() {
    const BufferId dots = own("dots", Type::f32, {scores_}),
                   a = own("a", Type::f32, {kVectorLanes}), b = own("b", Type::f32, {kVectorLanes});
    Stmts out{Stmt{loops::Alloc{dots}}};
    append(out, each("s", scores_,
                     [&](const Index& s) { return Stmts{store(dots, {s}, float_number(0))}; }));
    append(
        out, all_of("d", blocks_.depth / kVectorLanes, [&](const Index& d) {
          Stmts point{Stmt{loops::Alloc{b}}};
          append(point, vector([&](const Index& lane) {
                   return store(b, {lane}, element(k_tile_, {key(), d * kVectorLanes + lane}));
                 }));
          append(
              point, each("s", scores_, [&](const Index& s) {
                Stmts one{Stmt{loops::Alloc{a}}};
                append(one, vector([&](const Index& lane) {
                         return store(a, {lane},
                                      element(q_tile_, {query_of(s), d * kVectorLanes + lane}));
                       }));
                append(
                    one, each("lane", kVectorLanes, [&](const Index& lane) {
                      return Stmts{multiply_add(Type::f32, {dots, {s}}, {a, {lane}}, {b, {lane}})};
                    }));
                return one;
              }));
          return point;
        }));
    append(out, each("s", scores_, [&](const Index& s) {
             read_let(making_, 0, [&] { return element(dots, {s}); });
             Stmts masked;
             for (const PositionTable& table : form_.positions) append(masked, position(table));
             masked.push_back(store(score_tile_, {query_of(s), key()}, over_buffers(form_.masked)));
             return Stmts{store(score_tile_, {query_of(s), key()}, no_score()),
                          at_pair(query_of(s), key(), std::move(masked))};
           }));
    return out;
  }

  // The score of the position that the present query and key read. A mask may read none: the row
  // is one that is there.
  Stmts position(const PositionTable& table) {
    std::vector<Index> axes;
    for (size_t a = 0; a < making_.kernel().axes.size(); ++a)
      axes.push_back(Index::axis(static_cast<int>(a), making_.kernel().axes[a].extent));
    axes[at(table.row)] = max(0, min(table.read, table.rows - 1));
    const Expr product = table.q * substitute_axes(table.p, axes);
    const BufferId sum = own("position", Type::f32);
    Stmts out = defined(sum, float_number(0));
    append(out,
           around(making_, table.depth, {store(sum, {}, over_buffers(product), Combiner::sum)}));
    read_let(making_, table.let, [this, sum] { return number(sum); });
    return out;
  }

  Stmts running_softmax() {
    const BufferId before = own("before", Type::f32), shift = own("shift", Type::f32);
    rescale_ = own("rescale", Type::f32);
    Stmts out = defined(before, number(greatest_));
    append(out, all_of("k", blocks_.keys, [&](const Index& k) {
             return Stmts{store(greatest_, {}, element(score_tile_, {row_, k}), Combiner::max)};
           }));
    // Where all scores so far are -infinity, weights are taken relative to 0.
    const Expr none = Expr::binary(Binary::eq, number(greatest_), no_score());
    append(out, defined(shift, Expr::select(none, float_number(0), number(greatest_))));
    append(out, defined(rescale_, Expr::unary(Unary::exp, number(before) - number(shift))));
    append(out, shared("k", part_, blocks_.keys, each_, 0, [&](const Index& k) {
             const Expr score = element(score_tile_, {row_, k});
             return Stmts{
                 store(weight_tile_, {row_, k}, Expr::unary(Unary::exp, score - number(shift)))};
           }));
    out.push_back({loops::Barrier{}});
    return out;
  }

  Stmts weighted() {
    const Expr rescale = number(rescale_);
    Stmts out{store(total_, {}, rescale, Combiner::product)};
    if (gained_ >= 0) out.push_back(store(gained_, {}, rescale, Combiner::product));
    append(out, each_sum([&](const Index& v, const Index& lane) {
             return Stmts{store(sums_, {v, lane}, rescale, Combiner::product)};
           }));
    append(out, all_of("k", blocks_.keys, [&](const Index& k) {
             const BufferId score = own("score", Type::f32), weight = own("weight", Type::f32),
                            values = own("lane_values", Type::f32, {kVectorLanes});
             Stmts one = defined(score, element(weight_tile_, {row_, k}));
             one.push_back(store(total_, {}, number(score), Combiner::sum));
             append(one, weight_of(score, weight, k));
             if (gained_ >= 0) one.push_back(store(gained_, {}, number(weight), Combiner::sum));
             append(
                 one, each("v", vectors_, [&](const Index& v) {
                   Stmts vector_of{Stmt{loops::Alloc{values}}};
                   append(
                       vector_of, vector([&](const Index& lane) {
                         return store(values, {lane}, element(v_tile_, {k, element_at(v, lane)}));
                       }));
                   append(vector_of, each("lane", kVectorLanes, [&](const Index& lane) {
                            return Stmts{multiply_add(Type::f32, {sums_, {v, lane}}, {weight, {}},
                                                      {values, {lane}})};
                          }));
                   return vector_of;
                 }));
             return one;
           }));
    return out;
  }
  // The exponent of a key of the present row becomes its weight.
  Stmts weight_of(BufferId score, BufferId weight, const Index& k) {
    if (!form_.gains()) return defined(weight, number(score));
    read_let(making_, 0, [this, score] { return number(score); });
    Stmts out = defined(weight, float_number(0));
    out.push_back(at_pair(row_, k, {store(weight, {}, over_buffers(form_.gain))}));
    return out;
  }

  // --- Results ---

  Index element_at(const Index& v, const Index& lane) const {
    return (part_ + v * each_) * kVectorLanes + lane;
  }

  Stmts results() {
    Stmts out;
    const BufferId factor = own("factor", Type::f32);
    if (form_.factor) {
      out = defined(factor, float_number(0));
      out.push_back(when({{query_first_ + row_, 0, form_.queries}},
                         {Stmt{loops::Let{form_.query, query_first_ + row_}},
                          store(factor, {}, over_buffers(form_.factor))}));
    }
    append(out, each("v", vectors_, [&](const Index& v) {
             const BufferId result = own("result", Type::f32, {kVectorLanes});
             Stmts vector_of{Stmt{loops::Alloc{result}}};
             append(
                 vector_of, each("lane", kVectorLanes, [&](const Index& lane) {
                   const Expr sum = element(sums_, {v, lane});
                   return Stmts{store(result, {lane},
                                      form_.factor ? sum * number(factor) : sum / number(total_))};
                 }));
             append(vector_of, written(v, result, factor));
             return vector_of;
           }));
    return out;
  }

  Stmts written(const Index& v, BufferId result, BufferId factor) {
    const bool texels = launch_.texels == form_.element;
    Stmts lanes = each("lane", kVectorLanes, [&](const Index& lane) {
      read_let(making_, form_.result, [this, result, lane] { return element(result, {lane}); });
      Stmts body = empty_row(result, lane, factor);
      append(body, generic_stmts(making_, {LoopNode{burin::Store{
                                              0, form_.value, making_.kernel().writes[0].when}}}));
      const Index point = element_at(v, lane);
      if (texels) {
        body = loops::substitute(body, form_.element, point);
      } else {
        body.insert(body.begin(), Stmt{loops::Let{form_.element, point}});
      }
      if (mod(form_.elements, texels ? kVectorLanes : blocks_.elements).is_constant(0)) return body;
      return Stmts{when({{point, 0, form_.elements}}, std::move(body))};
    });
    Stmts known{Stmt{loops::Let{form_.query, query_first_ + row_}}};
    append(known, std::move(lanes));
    Guard there{{query_first_ + row_, 0, form_.queries}};
    if (texels && !form_.elements.is_constant(blocks_.elements))
      there.push_back({element_at(v, 0), 0, form_.elements});
    return {when(std::move(there), std::move(known))};
  }

  // What a row is given in which no weight is a number. Totals of numbers are 1 at least. A sum
  // over no keys is 0, whatever it would be divided by.
  Stmts empty_row(BufferId result, const Index& lane, BufferId factor) {
    Stmts out;
    const auto set = [&](const Expr& value) { return store(result, {lane}, value); };
    if (form_.keys.range().lo < 1)
      out.push_back(when({{form_.keys, 0, 1}}, {set(float_number(0))}));
    if (form_.empty == EmptyRows::zero_if_masked) {
      const Expr masked = Expr::binary(Binary::eq, number(greatest_), no_score());
      out.push_back(set(Expr::select(masked, float_number(0), element(result, {lane}))));
    } else if (form_.empty == EmptyRows::zero_if_nan) {
      const Expr none = Expr::unary(Unary::logical_not,
                                    Expr::binary(Binary::gt, number(total_), float_number(0)));
      out.push_back(if_so(none, sum_of(result, lane, float_number(0))));
    } else if (form_.selects) {
      const Expr none = Expr::unary(Unary::logical_not, is_finite(number(factor)));
      out.push_back(if_so(none, sum_of(result, lane, form_.gain_of_nan())));
    }
    return out;
  }
  static Stmt if_so(const Expr& holds, Stmts then) {
    return when({{Index::data(Expr::cast(Type::i64, holds).ptr(), {0, 1}), 1, 2}}, std::move(then));
  }
  // The sum over all keys of `weight`, which only the place of a key decides.
  Stmts sum_of(BufferId result, const Index& lane, const Expr& weight) {
    const Expr product = over_buffers(weight * form_.v);
    return {store(result, {lane}, float_number(0)),
            loop(form_.key, 0, form_.keys, {store(result, {lane}, product, Combiner::sum)})};
  }

  const Launch& launch_;
  const GroupAttention& blocks_;
  const AttentionSchedule& form_;
  const int64_t each_;     // work-items of a query
  const int64_t vectors_;  // of a work-item's sums
  const int64_t scores_;   // of a work-item
  int item_var_ = 0, block_var_ = 0, key_first_var_ = 0;
  Index item_ = 0, row_ = 0, part_ = 0, query_first_ = 0, key_first_ = 0;
  std::vector<BufferId> tiles_;
  BufferId q_tile_ = 0, k_tile_ = 0, v_tile_ = 0, score_tile_ = 0, weight_tile_ = 0;
  BufferId greatest_ = 0, total_ = 0, gained_ = -1, rescale_ = 0, sums_ = 0;
};

}  // namespace

Stmts group_attention_stmts(Making& making, const Launch& launch) {
  return GroupAttentionStmts(making, launch).run();
}

}  // namespace burin
