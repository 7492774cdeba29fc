// A tile: its sums by calls of the instruction, vector by vector or four at a time, and the tile in
// memory.
#include <set>

#include "isa/all_rows.h"
#include "isa/prefetch_row.h"
#include "isa/sliding_fours.h"
#include "kernel/expr/expr_axes.h"
#include "select/integers/stmts.h"

namespace burin {

IntegerStmts::Stmts IntegerStmts::products(int rows, const char* name,
                                           const std::function<Region(const Index& row)>& a,
                                           const VectorOfB& b) {
  const BufferId sums = sums_ =
      buffer(Scope::registers, name, plan_.sum(), {rows, plan_.vectors, plan_.lanes});
  Stmts out{Stmt{loops::Alloc{sums}}};
  append(out, each_place(rows, [&](const Index& row, const Index& vector) {
           if (starts_ < 0) return Stmt{call(plan_.zero, {sums_of_tile(sums, row, vector)})};
           return Stmt{call(isa::find_row(isa::kLoadRow),
                            {sums_of_tile(sums, row, vector), start(vector)})};
         }));
  if (plan_.fours != nullptr) {
    append(out, over_depth_of_tile(products_by_fours(rows, a, b)));
    return out;
  }
  if (Stmts held = products_of_held(rows, a, b); !plan_.bundle && !held.empty()) {
    append(out, std::move(held));
    return out;
  }
  Stmts step = panels_asked_for(a, b);
  append(step, products_of_group(rows, a, b));
  append(out, over_depth_of_tile(std::move(step)));
  append(out, settled(rows, name));
  if (plan_.reads_late) out.push_back({call(isa::find_row(isa::kReadLate), {})});
  return out;
}

// The lines of constant panels that a step reads, so far behind it.
IntegerStmts::Stmts IntegerStmts::panels_asked_for(const std::function<Region(const Index& row)>& a,
                                                   const VectorOfB& b) {
  if (plan_.panels_ahead == 0) return {};
  const auto ask = [&](Region from) {
    from.extent.assign(from.extent.size(), 1);
    const isa::Instruction* row = isa::prefetch_row(program_.buffers[at(from.buffer)].type);
    return row == nullptr ? Stmts{} : Stmts{Stmt{Call{row, {from}, {plan_.panels_ahead}}}};
  };
  if (plan_.a.packed != kNoValue) return ask(a(0));
  Stmts out = ask(b(vector_in_tile()));
  if (plan_.vectors > 1 && !out.empty())
    out = {loop(vector_, 0, plan_.vectors, std::move(out), Kind::unrolled)};
  return out;
}

// A line of each row of the next block: where the last column of the tile is.
IntegerStmts::Stmts IntegerStmts::results_asked_for(const Index& column) {
  if (!plan_.results_ahead) return {};
  const Index ahead = min(block_row_ + plan_.tile_rows + row_in_tile(), plan_.rows - 1);
  std::vector<Index> point;
  for (size_t v = 0; v < program_.vars.size(); ++v) point.push_back(var(static_cast<int>(v)));
  point[at(plan_.m)] = ahead;
  point[at(plan_.n)] = min(column, plan_.columns - 1);
  Stmts out;
  const auto ask = [&](BufferId buffer, const std::vector<Index>& place) {
    const isa::Instruction* row = isa::prefetch_row(program_.buffers[at(buffer)].type);
    Region from{buffer, {}, std::vector<Dim>(place.size(), Dim(1))};
    for (const Index& index : place) {
      if (index.has_data()) return;
      from.first.push_back(index.substitute_axes(point));
    }
    if (row != nullptr) out.push_back(Stmt{Call{row, {std::move(from)}, {0}}});
  };
  const Write& write = plan_.kernel.writes[0];
  ask(buffers_.buffer_of(write.to), buffers_.indices(write.at));
  std::set<Expr> seen;
  visit(has_tables_only() ? plan_.line->byte : write.value, [&](const ExprNode& node) {
    if (node.kind != ExprKind::load || node.id < 0 ||
        values_[at(node.id)].kind == ValueKind::constant)
      return;
    const std::vector<int> axes = axes_of(Expr::load(node.id, node.storage, node.at));
    if (!contains(axes, plan_.m) || !contains(axes, plan_.n) ||
        !seen.insert(Expr::load(node.id, node.storage, node.at)).second)
      return;
    ask(buffers_.buffer_of(node.id), buffers_.indices(node.at));
  });
  if (plan_.tile_rows > 1) out = {loop(row_, 0, plan_.tile_rows, std::move(out), Kind::unrolled)};
  return out;
}

// So few products as a group's hide neither what a turn waits for nor its end: short axes of the
// depth, innermost first, are written out, of the next one several points. Where bytes are carried
// by rows: other machines look ahead by themselves.
IntegerStmts::Stmts IntegerStmts::over_depth_of_tile(Stmts body) {
  if (plan_.moves.empty()) return over_depth(std::move(body));
  // Calls of the instruction; those of four vectors share what they load.
  const bool fours = plan_.fours != nullptr;
  const int64_t most = fours          ? 64
                       : plan_.bundle ? 16
                                      : 32,
                group = plan_.tile_rows * plan_.vectors /
                        (fours          ? isa::kFours
                         : plan_.bundle ? plan_.bundle.rows
                                        : 1);
  int64_t calls = group;
  size_t outer = plan_.k.size();
  for (; outer > 0; --outer) {
    const int axis = plan_.k[outer - 1];
    if (!proven_le(extent(axis) * calls, most)) break;
    if (extent(axis).is_constant(1)) continue;
    calls *= extent(axis).constant();
    body = {loop(axis, 0, extent(axis), std::move(body), Kind::unrolled)};
  }
  if (outer == 0) return body;
  const int axis = plan_.k[--outer];
  int turns = 1;
  for (const int tried : {2, 3, 4}) {
    if (mod(extent(axis), tried).is_constant(0) && !extent(axis).is_constant(tried) &&
        ((calls == group && !plan_.bundle) || calls * tried <= most))
      turns = tried;
  }
  if (turns == 1) {
    body = over(axis, std::move(body));
  } else {
    const int turn = variable("turn", turns);
    body = loops::substitute(body, axis, var(axis) + var(turn));
    body = {loop(turn, 0, turns, std::move(body), Kind::unrolled)};
    body = {Stmt{For{axis, 0, extent(axis), turns, Kind::serial, std::move(body)}}};
  }
  while (outer > 0) body = over(plan_.k[--outer], std::move(body));
  return body;
}
IntegerStmts::Stmts IntegerStmts::products_by_fours(
    int rows, const std::function<Region(const Index& row)>& a, const VectorOfB& b) {
  const Index row = rows > 1 ? var(row_) : Index(0);
  Stmts body;
  for (int first = 0; first < plan_.vectors; first += isa::kFours) {
    std::vector<Region> operands;
    for (int v = 0; v < isa::kFours; ++v) operands.push_back(sums_of_tile(sums_, row, first + v));
    operands.push_back(a(row));
    Region bytes = b(first);
    bytes.extent.back() = plan_.fours->values.back().shape[0];
    operands.push_back(std::move(bytes));
    body.push_back({call(plan_.fours, std::move(operands))});
  }
  if (rows > 1) body = {loop(row_, 0, rows, std::move(body), Kind::unrolled)};
  return body;
}

IntegerStmts::Stmts IntegerStmts::spilled(int rows, BufferId to) {
  if (plan_.matrix && to == tile_) return {};  // they are there
  const BufferId sums = sums_;
  Stmts out{Stmt{loops::Alloc{to}}};
  append(out, each_place(rows, [&](const Index& row, const Index& vector) {
           return Stmt{call(plan_.store,
                            {lanes_in_memory(to, row, vector), sums_of_tile(sums, row, vector)})};
         }));
  return out;
}

void IntegerStmts::lets_at(const Index& column, bool in_registers) {
  const Index row = row_in_block();
  lets_[plan_.product] =
      in_registers && !plan_.matrix
          ? program_.element(sums_, {row_in_tile(), vector_in_tile(), var(lane_)})
          : program_.element(tile_, {row, place_in_tile(column)});
  if (plan_.a.sums >= 0)
    lets_[plan_.a.sums] =
        program_.element(row_sums_, {plan_.m < 0 ? Index(0) : var(plan_.m) - first_row()});
  if (plan_.b.sums >= 0) lets_[plan_.b.sums] = program_.element(column_sums_, {0, column});
}

bool IntegerStmts::lanewise(const Stmt& one, int along) const {
  const auto* store = std::get_if<loops::Store>(&one.node);
  return store != nullptr && loops::not_lanewise(program_, *store, along).empty();
}

bool IntegerStmts::has_vectors_for(const Stmt& one) const {
  if (plan_.float_vectors) return true;
  bool floats = false;
  for (const Expr& value : std::get<loops::Store>(one.node).value)
    visit(value, [&](const ExprNode& node) { floats = floats || is_float(node.type); });
  return !floats;
}

IntegerStmts::Stmts IntegerStmts::leave(Stmts one, int point, const Index& first) {
  if (plan_.matrix || !has_all_rows() || plan_.order != isa::LaneOrder::in_a_row) return {};
  if (plan_.m >= 0) one = loops::substitute(one, plan_.m, block_row_ + row_in_tile());
  one = loops::substitute(one, point, first + vector_in_tile() * plan_.lanes + var(lane_));
  if (!lanewise(one[0], lane_) || !has_vectors_for(one[0])) return {};
  Stmts body{loop(lane_, 0, plan_.lanes, std::move(one), Kind::vector)};
  return each_place(plan_.tile_rows, [&](const Index&, const Index&) { return body[0]; });
}

Index IntegerStmts::place_in_tile(const Index& column) const {
  if (plan_.order == isa::LaneOrder::in_a_row) return column;
  const int four = isa::kFours * plan_.lanes;
  const Index within = mod(column, four), block = column - within;
  if (plan_.order == isa::LaneOrder::by_fours)
    return block + mod(within, isa::kFours) * plan_.lanes + floordiv(within, isa::kFours);
  const Index half = mod(within, 2 * plan_.lanes);
  return block + floordiv(within, 2 * plan_.lanes) * (2 * plan_.lanes) +
         mod(half, 2) * plan_.lanes + floordiv(half, 2);
}

}  // namespace burin
