// Generic loops as statements: one node, one statement.
#include "kernel/combiner.h"
#include "select/programs/item_lanes.h"
#include "select/programs/making.h"
#include "support/check.h"

namespace burin {
namespace {

using loops::Stmt;
using loops::Stmts;

class GenericStmts {
 public:
  explicit GenericStmts(Making& making) : making_(making) {}

  Stmts all(const LoopNodes& nodes) {
    Stmts out;
    for (const LoopNode& node : nodes)
      append(out, std::visit([this](const auto& one) { return make(one); }, node.node));
    return out;
  }

 private:
  const Let& let(int number) const { return making_.let(number); }

  // The tile whose loops begin with this one.
  const SumTile* tile_at(const ForLoop& loop) const {
    for (const SumTile& tile : making_.schedule().tiles) {
      if (loop.axis != (tile.row < 0 ? tile.column : tile.row)) continue;
      const LoopNode* node = &loop.nodes[0];
      const auto* columns = std::get_if<ForLoop>(&node->node);
      if (tile.row >= 0) node = columns ? &columns->nodes[0] : nullptr;
      const auto* begin = node ? std::get_if<BeginLet>(&node->node) : nullptr;
      if (begin && begin->let == tile.let) return &tile;
    }
    return nullptr;
  }

  Stmts make(const ForLoop& loop) {
    if (const SumTile* tile = tile_at(loop)) return sum_tile_stmts(making_, *tile, loop);
    if (!loop.unit_stride.empty()) {
      Guard all_are_one;
      for (const Index& step : loop.strides)
        all_are_one.push_back({making_.buffers().index(step), 1, 2});
      return {Stmt{loops::If{std::move(all_are_one),
                             make(ForLoop{loop.axis, loop.begin, loop.end, loop.unit_stride}),
                             make(ForLoop{loop.axis, loop.begin, loop.end, loop.nodes})}}};
    }
    Stmts body = all(loop.nodes);
    if (loop.by_texels) return by_texels(making_, loop.axis, body);
    return {Stmt{loops::For{loop.axis, making_.buffers().index(loop.begin),
                            making_.buffers().index(loop.end), 1, loops::Kind::serial,
                            std::move(body)}}};
  }

  Stmts make(const BeginLet& begin) {
    const Let& one = let(begin.let);
    if (making_.place(begin.let).combined)
      return loops::begin(one, {making_.array(begin.let, 0)}, point(begin.let));
    const std::vector<loops::BufferId>& variables = making_.variables(begin.let);
    Stmts out, stores = loops::begin(one, variables, {});
    for (size_t k = 0; k < variables.size(); ++k) {
      out.push_back({loops::Alloc{variables[k]}});
      out.push_back(std::move(stores[k]));
    }
    return out;
  }

  Stmts make(const Accumulate& accumulate) {
    std::vector<Expr> body;
    for (const Expr& one : accumulate.body) body.push_back(making_.buffers().expr(one));
    const bool in_array = making_.place(accumulate.let).combined;
    Stmts out{in_array ? loops::accumulate(let(accumulate.let), {making_.array(accumulate.let, 0)},
                                           point(accumulate.let), std::move(body))
                       : loops::accumulate(let(accumulate.let), making_.variables(accumulate.let),
                                           {}, std::move(body))};
    if (accumulate.when.empty()) return out;
    return {Stmt{loops::If{making_.buffers().guard(accumulate.when), std::move(out), {}}}};
  }

  Stmts make(const LaneLoop& row) { return lane_stmts(making_, row); }

  Stmts make(const EndLet& end) {
    if (making_.place(end.let).scalar) return {};
    Stmts out;
    for (size_t c = 0; c < let(end.let).body.size(); ++c) {
      const Expr value =
          making_.element(making_.variables(end.let)[c], let(end.let).accumulator[c], {});
      out.push_back(store(making_.array(end.let, static_cast<int>(c)), point(end.let), value));
    }
    return out;
  }

  Stmts make(const Define& define) {
    const Let& one = let(define.let);
    Expr value = making_.buffers().expr(one.body[0]);
    if (value.type() != one.accumulator[0]) value = Expr::cast(one.accumulator[0], value);
    if (!making_.place(define.let).scalar)
      return {store(making_.array(define.let, 0), point(define.let), value)};
    const loops::BufferId variable = making_.variables(define.let)[0];
    return {Stmt{loops::Alloc{variable}}, store(variable, {}, value)};
  }

  Stmts make(const Store& store) {
    Write write = making_.kernel().writes[static_cast<size_t>(store.write)];
    write.value = store.value;
    write.when = store.when;
    return {loops::store_of(write, making_.buffers())};
  }

  // Windows make their own statements of it.
  Stmts make(const Fill&) {
    BURIN_CHECK(false, "a staged operand among generic loops");
    return {};
  }

  std::vector<Index> point(int number) const {
    return making_.buffers().indices(making_.array_point(number, making_.own_point(number)));
  }

  Making& making_;
};

}  // namespace

Stmts generic_stmts(Making& making, const LoopNodes& nodes) {
  return GenericStmts(making).all(nodes);
}

}  // namespace burin
