// What is around tiles: points of the batch, rows of a that the kernel stages, their groups.
#include "kernel/expr/expr_axes.h"
#include "select/integers/stmts.h"
#include "support/check.h"

namespace burin {

IntegerStmts::Stmts IntegerStmts::whole() {
  open_parts();
  Stmts body = of_batch_point();
  for (size_t k = plan_.batch.size(); k-- > 0;) {
    const int axis = plan_.batch[k];
    if (k == 0 && plan_.share == Share::batch) {
      body = {loop(axis, var(first_), var(end_), std::move(body))};
    } else {
      body = over(axis, std::move(body));
    }
  }
  return with_matrix(std::move(body));
}

IntegerStmts::Stmts IntegerStmts::stage_rows() {
  if (plan_.a.packed != kNoValue) return {};
  const Dim rows = plan_.share == Share::rows ? min(plan_.rows, plan_.grain) : plan_.rows;
  const Dim points = plan_.groups * plan_.group;
  // A unit for matrices reads whole tiles, of whose last rows nobody looks at the sums.
  const Dim whole = plan_.matrix   ? ceildiv(rows, plan_.tile_rows) * plan_.tile_rows
                    : plan_.bundle ? ceildiv(rows, plan_.bundle.rows) * plan_.bundle.rows
                                   : rows;
  rows_ = buffer(Scope::scratch, "a_rows", plan_.a.type,
                 plan_.bundle ? std::vector<Dim>{floordiv(whole, plan_.bundle.rows), plan_.groups,
                                                 plan_.bundle.rows, plan_.group}
                              : std::vector<Dim>{whole, points});
  // The last row is staged again where the last bundle would lack some.
  const bool again = plan_.bundle && !mod(plan_.rows, plan_.bundle.rows).is_constant(0);
  const int row_axis = again ? variable("staged_row", plan_.rows + plan_.bundle.rows) : plan_.m;
  const Index row = plan_.m < 0 ? Index(0) : var(row_axis) - first_row();
  const Index place = group_number() * plan_.group + var(plan_.within);
  const std::vector<Index> at_place =
      plan_.bundle ? std::vector<Index>{floordiv(row, plan_.bundle.rows), group_number(),
                                        mod(row, plan_.bundle.rows), var(plan_.within)}
                   : std::vector<Index>{row, place};
  const Expr staged = buffers_.expr(plan_.a.staged);
  Stmts body;
  if (plan_.bundle || plan_.k.empty()) {
    body = over_depth(over(plan_.within, {store(rows_, at_place, staged)}));
  } else {
    // Place by place of the innermost axis of groups, so that a row is moved as it lies; then what
    // groups have beyond it.
    const int axis = plan_.k.back();
    const auto places = [&](const char* name, const Dim& first, const Dim& count) {
      const int one = variable(name, count);
      if (!plan_.moves.empty()) staging_.push_back(one);
      std::vector<Index> at_one;
      for (size_t v = 0; v < program_.vars.size(); ++v) at_one.push_back(var(static_cast<int>(v)));
      at_one[at(axis)] = floordiv(first + var(one), plan_.group);
      at_one[at(plan_.within)] = mod(first + var(one), plan_.group);
      return loop(
          one, 0, count,
          {store(rows_, {row, place.substitute_axes(at_one)}, substitute_axes(staged, at_one))});
    };
    const Dim beyond = extent(axis) * plan_.group - plan_.places;
    body = {places("depth_point", 0, plan_.places)};
    if (!beyond.is_constant(0)) body.push_back(places("beyond", plan_.places, beyond));
    for (size_t k = plan_.k.size() - 1; k-- > 0;) body = over(plan_.k[k], std::move(body));
  }
  if (plan_.a.sums >= 0) {
    row_sums_ = buffer(Scope::scratch, "a_sums", Type::i32, {again ? whole : rows});
    body.push_back(store(row_sums_, {row}, Expr::constant(Type::i32, 0)));
    if (plan_.sum_of_row != nullptr) {
      BURIN_CHECK(!plan_.bundle, "rows of a bundle do not lie beside each other");
      body.push_back({Call{plan_.sum_of_row,
                           {Region{row_sums_, {row}, {1}}, Region{rows_, {row, 0}, {1, points}}},
                           {points}}});
    } else {
      const Expr element = Expr::cast(Type::i32, program_.element(rows_, at_place));
      append(body,
             over_depth(over(plan_.within, {store(row_sums_, {row}, element, Combiner::sum)})));
    }
  }
  if (again) {
    body = loops::substitute(body, plan_.m, min(var(row_axis), end_row() - 1));
    const int bundle = plan_.bundle.rows;
    const Index end = first_row() + ceildiv(end_row() - first_row(), bundle) * bundle;
    body = {loop(row_axis, first_row(), end, std::move(body))};
  } else if (plan_.m >= 0) {
    body = {loop(plan_.m, first_row(), end_row(), std::move(body))};
  }
  return body;
}

IntegerStmts::Region IntegerStmts::group_of_a(const Index& row) const {
  Region out;
  if (plan_.a.packed != kNoValue) {
    out.buffer = buffers_.buffer_of(plan_.a.packed);
    for (const int axis : plan_.batch) out.first.push_back(var(axis));
    out.first.push_back(floordiv(block_row_, plan_.tile_rows));
    for (const int axis : plan_.k) out.first.push_back(var(axis));
    out.first.push_back(row);
  } else {
    // Rows beyond the last one repeat it; nobody looks at their sums.
    out.buffer = rows_;
    if (plan_.bundle) {
      const Index number = var(first_bundle_) + floordiv(row, plan_.bundle.rows);
      out.first = {min(number, var(last_bundle_)), group_number(), 0, 0};
    } else {
      out.first = {min(block_row_ + row, end_row() - 1) - first_row(),
                   group_number() * plan_.group};
    }
  }
  if (plan_.a.packed != kNoValue) out.first.emplace_back(0);
  out.extent.assign(out.first.size(), 1);
  out.extent.back() = plan_.group;
  return out;
}

IntegerStmts::Stmts IntegerStmts::row_blocks(
    const std::function<Stmts(const Index& row_end)>& one) {
  const auto block = [&](const Index& row, const Index& row_end) {
    block_row_ = row;
    tile_ = buffer(Scope::stack, "tile", plan_.sum(), {plan_.tile_rows, plan_.tile_columns()});
    return one(row_end);
  };
  if (plan_.m < 0) return block(0, 1);
  const int first = variable("first_row", plan_.rows + plan_.tile_rows);
  const int end = variable("end_row", plan_.rows + 1);
  Stmts body{Stmt{loops::Let{end, min(var(first) + plan_.tile_rows, end_row())}}};
  if (plan_.bundle && plan_.a.packed == kNoValue) {
    // Blocks begin with a bundle.
    const Dim bundles = ceildiv(plan_.rows, plan_.bundle.rows);
    const auto bundle_of = [&](const Index& row) {
      return floordiv(row - first_row(), plan_.bundle.rows);
    };
    first_bundle_ = variable("first_bundle", bundles);
    body.push_back({loops::Let{first_bundle_, bundle_of(var(first))}});
    last_bundle_ = variable("last_bundle", bundles);
    body.push_back({loops::Let{last_bundle_, bundle_of(end_row() - 1)}});
  }
  append(body, block(var(first), var(end)));
  return {Stmt{For{first, first_row(), end_row(), plan_.tile_rows, Kind::serial, std::move(body)}}};
}

}  // namespace burin
