// Tiles of sums by a unit for matrices, and where its thread gets it.
#include "kernel/expr/expr_axes.h"
#include "select/integers/stmts.h"

namespace burin {

IntegerStmts::Stmts IntegerStmts::products_of_matrix(const VectorOfB& b) {
  const MatrixTile& matrix = *plan_.matrix;
  const BufferId sums =
      buffer(Scope::registers, "sums", plan_.sum(), {plan_.tile_rows, plan_.tile_columns()});
  const Region all{sums, {0, 0}, {plan_.tile_rows, plan_.tile_columns()}};
  // Steps are counted; a step has so many groups of the innermost axis.
  const int axis = plan_.k.back();
  const int64_t steps = extent(axis).constant() / matrix.groups, group = plan_.group;
  const int step = steps > 1 ? variable("step", steps) : -1;
  const Index number = step < 0 ? Index(0) : var(step);

  Region of_a;
  Dim pitch_a = matrix.groups * group;
  if (plan_.a.packed != kNoValue) {
    of_a.buffer = buffers_.buffer_of(plan_.a.packed);
    for (const int one : plan_.batch) of_a.first.push_back(var(one));
    of_a.first.push_back(floordiv(block_row_, plan_.tile_rows));
    for (size_t k = 0; k + 1 < plan_.k.size(); ++k) of_a.first.push_back(var(plan_.k[k]));
    of_a.first.push_back(number);
    of_a.first.emplace_back(0);
    of_a.first.emplace_back(0);
  } else {
    of_a.buffer = rows_;
    of_a.first = {block_row_ - first_row(), group_number() * group};
    pitch_a = plan_.groups * group;
  }
  of_a.extent.assign(of_a.first.size(), 1);
  of_a.extent.back() = pitch_a * (plan_.tile_rows - 1) + matrix.groups * group;

  const Dim pitch_b = buffers_.index(pitch_of_groups(plan_));
  Region of_b = b(0);
  of_b.extent.assign(of_b.first.size(), 1);
  of_b.extent.back() = pitch_b * (matrix.groups - 1) + plan_.tile_columns() * group;

  Stmts body{Stmt{Call{matrix.rows.add, {all, of_a, of_b}, {matrix.groups, pitch_a, pitch_b}}}};
  body = loops::substitute(body, axis, number * matrix.groups);
  if (step >= 0) body = {loop(step, 0, steps, std::move(body))};
  for (size_t k = plan_.k.size() - 1; k-- > 0;) body = over(plan_.k[k], std::move(body));
  Stmts out{Stmt{loops::Alloc{sums}}, Stmt{call(matrix.rows.zero, {all})}};
  append(out, std::move(body));
  out.push_back({loops::Alloc{tile_}});
  out.push_back({call(matrix.rows.store,
                      {Region{tile_, {0, 0}, {plan_.tile_rows, plan_.tile_columns()}}, all})});
  return out;
}

IntegerStmts::Stmts IntegerStmts::with_matrix(Stmts body) const {
  if (!plan_.matrix) return body;
  Stmts out{Stmt{Call{plan_.matrix->rows.open, {}, {plan_.matrix->groups}}}};
  append(out, std::move(body));
  out.push_back({call(plan_.matrix->rows.close, {})});
  return out;
}

}  // namespace burin
