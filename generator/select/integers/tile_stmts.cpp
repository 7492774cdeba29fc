// A tile: its sums by calls of the instruction, vector by vector or four at a time, and the tile in
// memory.
#include "isa/sliding_fours.h"
#include "select/integers/stmts.h"

namespace burin {

IntegerStmts::Stmts IntegerStmts::products(int rows, const char* name,
                                           const std::function<Region(const Index& row)>& a,
                                           const VectorOfB& b) {
  const BufferId sums = sums_ =
      buffer(Scope::registers, name, Type::i32, {rows, plan_.vectors, plan_.lanes});
  Stmts out{Stmt{loops::Alloc{sums}}};
  append(out, each_place(rows, [&](const Index& row, const Index& vector) {
           return Stmt{call(plan_.zero, {sums_of_tile(sums, row, vector)})};
         }));
  if (plan_.fours != nullptr) {
    append(out, over_depth_of_tile(products_by_fours(rows, a, b)));
    return out;
  }
  append(out, over_depth_of_tile(each_place(rows, [&](const Index& row, const Index& vector) {
           return Stmt{call(plan_.dot, {sums_of_tile(sums, row, vector), a(row), b(vector)})};
         })));
  return out;
}

// So few products as a group's hide neither what a turn waits for nor its end. Where bytes are
// carried by rows: other machines look ahead by themselves.
IntegerStmts::Stmts IntegerStmts::over_depth_of_tile(Stmts body) {
  const int axis = plan_.k.back();
  int turns = 1;
  for (const int tried : {2, 3, 4}) {
    if (!plan_.moves.empty() && mod(extent(axis), tried).is_constant(0) &&
        !extent(axis).is_constant(tried))
      turns = tried;
  }
  if (turns == 1) return over_depth(std::move(body));
  const int turn = variable("turn", turns);
  body = loops::substitute(body, axis, var(axis) + var(turn));
  body = {loop(turn, 0, turns, std::move(body), Kind::unrolled)};
  body = {Stmt{For{axis, 0, extent(axis), turns, Kind::serial, std::move(body)}}};
  for (size_t k = plan_.k.size() - 1; k-- > 0;) body = over(plan_.k[k], std::move(body));
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
  const BufferId sums = sums_;
  Stmts out{Stmt{loops::Alloc{to}}};
  append(out, each_place(rows, [&](const Index& row, const Index& vector) {
           return Stmt{call(plan_.store,
                            {lanes_in_memory(to, row, vector), sums_of_tile(sums, row, vector)})};
         }));
  return out;
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
