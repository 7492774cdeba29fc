// Products of a tile whose vectors of b are held in registers from turn to turn.
#include "isa/all_rows.h"
#include "isa/held_rows.h"
#include "select/integers/stmts.h"

namespace burin {
namespace {

loops::Region along_depth(loops::Region region, int axis, const Index& group) {
  for (Index& index : region.first) index = loops::with_var(index, axis, group);
  return region;
}

}  // namespace

// The vectors of the first group are loaded; then in turns of two groups the products of each, and
// behind them the vectors of the next one. Behind the last group nothing is loaded. Loads that only
// the next products wait for are what compilers need to fill every packet of a turn, and of two
// groups because LLVM pipelines loops of 27 packets at most.
IntegerStmts::Stmts IntegerStmts::products_of_held(int rows,
                                                   const std::function<Region(const Index& row)>& a,
                                                   const VectorOfB& b) {
  constexpr int kTurn = 2;
  const isa::Instruction* const dot = isa::find_row(isa::held_name(plan_.dot->name));
  const int axis = plan_.k.back();
  const Dim groups = extent(axis);
  if (dot == nullptr || plan_.panels_ahead != 0 || plan_.moves.empty() || !groups.is_constant() ||
      groups.constant() % kTurn != 0 || groups.constant() < 2 * kTurn)
    return {};
  const BufferId held = buffer(Scope::registers, "held", Type::i32, {plan_.vectors, plan_.lanes});
  const auto vector_held = [&](const Index& vector) {
    return Region{held, {vector, 0}, {1, plan_.lanes}};
  };
  const auto load = [&](const Index& group, bool first) {
    const isa::Instruction* const row = isa::find_row(isa::hold_name(plan_.b.type, first));
    return each_place(1, [&](const Index&, const Index& vector) {
      return Stmt{call(row, {vector_held(vector), along_depth(b(vector), axis, group)})};
    });
  };
  const auto multiply = [&](const Index& group) {
    return each_place(rows, [&](const Index& row, const Index& vector) {
      return Stmt{call(dot, {sums_of_tile(sums_, row, vector), along_depth(a(row), axis, group),
                             vector_held(vector)})};
    });
  };
  const auto turn = [&](const Index& first, bool last) {
    Stmts out;
    for (int t = 0; t < kTurn; ++t) {
      append(out, multiply(first + t));
      if (!last || t + 1 < kTurn) append(out, load(first + (t + 1), false));
    }
    return out;
  };
  Stmts out{Stmt{loops::Alloc{held}}};
  append(out, load(0, true));
  const Dim before = groups - kTurn;
  out.push_back({For{axis, 0, before, kTurn, Kind::serial, turn(var(axis), false)}});
  append(out, turn(before, true));
  for (size_t k = plan_.k.size() - 1; k-- > 0;) out = over(plan_.k[k], std::move(out));
  return out;
}

}  // namespace burin
