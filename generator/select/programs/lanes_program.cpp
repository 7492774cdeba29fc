// Reductions of rows in lanes (select/schedule/lanes.h) as statements: whole groups of lanes, the
// rest of the row, the partial results by halves; of keyed reductions, blocks in which lanes find
// whether there is a better key.
#include <algorithm>
#include <utility>

#include "kernel/combiner.h"
#include "kernel/expr/expr_axes.h"
#include "select/programs/making.h"

namespace burin {
namespace {

using loops::BufferId;
using loops::Kind;
using loops::Scope;
using loops::Stmt;
using loops::Stmts;

class LaneStmts {
 public:
  LaneStmts(Making& making, const LaneLoop& row)
      : making_(making),
        row_(row),
        let_(making.let(row.let)),
        name_("i" + std::to_string(row.axis)),
        type_(let_.accumulator[0]),
        body_(making.buffers().expr(row.body[0])) {}

  Stmts run() {
    const Index begin = making_.buffers().index(row_.begin),
                end = making_.buffers().index(row_.end);
    Stmts out;
    if (row_.block > 0) {
      const Dim reach = making_.extent(row_.axis) + row_.block;
      const int block = making_.shared_variable(name_ + "_block", reach);
      const int stop = making_.variable(name_ + "_end", reach);
      Stmts inside{Stmt{loops::Let{stop, min(making_.at(block) + row_.block, end)}}};
      append(inside, piece(making_.at(block), making_.at(stop)));
      out = {Stmt{loops::For{block, begin, end, row_.block, Kind::serial, std::move(inside)}}};
    } else {
      out = piece(begin, end);
    }
    if (row_.when.empty()) return out;
    return {Stmt{loops::If{making_.buffers().guard(row_.when), std::move(out), {}}}};
  }

 private:
  Expr element(BufferId of, const Index& at) const { return making_.element(of, type_, {at}); }
  Expr variable(BufferId of) const { return making_.element(of, type_, {}); }

  // The points from `begin` to `end`.
  Stmts piece(const Index& begin, const Index& end) {
    const bool keyed = is_keyed(let_.op);
    const BufferId lanes = making_.buffer(
        Scope::stack, (keyed ? "keys" : "lanes") + std::to_string(row_.let), type_, {row_.lanes});
    const int lane = making_.shared_variable("lane", row_.lanes);
    const int first =
        making_.shared_variable(name_ + "_first", making_.extent(row_.axis) + row_.lanes);
    Stmts out{Stmt{loops::Alloc{lanes}}};
    out.push_back(
        loop(lane, 0, row_.lanes, {store(lanes, {making_.at(lane)}, identity_of(let_.op, type_))}));
    Index last = begin + floordiv(max(0, end - begin), row_.lanes) * row_.lanes;
    // A known length needs no variable.
    if (!last.is_constant() && !(last == end)) {
      const int whole = making_.variable(name_ + "_whole", making_.extent(row_.axis) + row_.lanes);
      out.push_back({loops::Let{whole, std::exchange(last, making_.at(whole))}});
    }
    Stmts group;
    const std::vector<int> used = axes_of(body_);
    if (std::count(used.begin(), used.end(), row_.axis) > 0)
      group.push_back({loops::Let{row_.axis, making_.at(first) + making_.at(lane)}});
    append(group, {take(lanes, {making_.at(lane)}, body_)});
    Stmts rows{Stmt{loops::For{first,
                               begin,
                               last,
                               row_.lanes,
                               Kind::serial,
                               {loop(lane, 0, row_.lanes, std::move(group))}}}};
    if (!keyed) append(rows, rest(last, end, {take(lanes, {making_.at(row_.axis) - last}, body_)}));
    for (size_t i = row_.around.size(); i-- > 0;) {
      const RowsOfLanes& one = row_.around[i];
      rows = {loop(one.axis, making_.buffers().index(one.begin), making_.buffers().index(one.end),
                   std::move(rows))};
    }
    append(out, std::move(rows));
    append(out, keyed ? with_better_key(lanes, lane, last, begin, end) : combined(lanes, lane));
    return out;
  }
  // The points behind whole groups, where there are some.
  Stmts rest(const Index& whole, const Index& end, Stmts body) const {
    if (whole == end) return {};
    return {loop(row_.axis, whole, end, std::move(body))};
  }

  // What is better of `to` and `value`, or both combined.
  Stmt take(BufferId to, std::vector<Index> at, const Expr& value) const {
    if (!is_keyed(let_.op)) return store(to, std::move(at), value, let_.op);
    const Expr best = making_.element(to, type_, at);
    return store(to, std::move(at),
                 Expr::select(Expr::binary(better_key(let_.op), value, best), value, best));
  }

  Stmts combined(BufferId lanes, int lane) {
    Stmts out;
    for (int half = row_.lanes / 2; half > 1; half /= 2) {
      out.push_back(loop(
          lane, 0, half,
          {store(lanes, {making_.at(lane)}, element(lanes, making_.at(lane) + half), let_.op)}));
    }
    if (row_.lanes > 1) out.push_back(store(lanes, {0}, element(lanes, 1), let_.op));
    out.push_back(store(making_.variables(row_.let)[0], {}, element(lanes, 0), let_.op));
    return out;
  }

  Stmts with_better_key(BufferId lanes, int lane, const Index& whole, const Index& begin,
                        const Index& end) {
    const BufferId best =
        making_.buffer(Scope::local, "best" + std::to_string(row_.let), type_, {});
    Stmts out{Stmt{loops::Alloc{best}}, store(best, {}, element(lanes, 0))};
    out.push_back(loop(lane, 1, row_.lanes, {take(best, {}, element(lanes, making_.at(lane)))}));
    append(out, rest(whole, end, {take(best, {}, body_)}));
    const std::vector<BufferId>& to = making_.variables(row_.let);
    const Expr none =
        Expr::unary(Unary::logical_not, making_.element(to.back(), Type::boolean, {}));
    const Expr better =
        Expr::binary(Binary::logical_or, none,
                     Expr::binary(better_key(let_.op), variable(best), variable(to[0])));
    std::vector<Expr> tuple;
    for (const Expr& one : row_.body) tuple.push_back(making_.buffers().expr(one));
    const Index is_better = Index::data(Expr::cast(Type::i64, better).ptr(), {0, 1});
    out.push_back({loops::If{
        {{is_better, 1, 2}},
        {loop(row_.axis, begin, end, {loops::accumulate(let_, to, {}, std::move(tuple))})},
        {}}});
    return out;
  }

  Making& making_;
  const LaneLoop& row_;
  const Let& let_;
  std::string name_;
  Type type_;
  Expr body_;
};

}  // namespace

Stmts lane_stmts(Making& making, const LaneLoop& row) { return LaneStmts(making, row).run(); }

}  // namespace burin
