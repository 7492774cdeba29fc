// Det: determinants of square matrices. Few rows are expanded along the first one, which fuses with
// its neighbours; more of them, or a dynamic number, are eliminated (a procedure).
#include "ops/api/core/op_context.h"
#include "ops/api/core/op_def.h"
#include "ops/api/core/procedure.h"
#include "support/diagnostics.h"

namespace burin::det_op {
namespace {

constexpr int64_t kMostExpanded = 4;  // rows: the expansion has n! products

// Of the rows from `row` on and the given columns.
Expr determinant(const Operand& x, const Indices& batch, int64_t row,
                 const std::vector<int64_t>& columns) {
  const auto element = [&](int64_t column) {
    Indices at = batch;
    at.push_back(row);
    at.push_back(column);
    return x.at(at);
  };
  if (columns.empty()) return x.constant(1);
  if (columns.size() == 1) return element(columns[0]);
  Expr sum;
  for (size_t k = 0; k < columns.size(); ++k) {
    std::vector<int64_t> others = columns;
    others.erase(others.begin() + static_cast<std::ptrdiff_t>(k));
    const Expr term = element(columns[k]) * determinant(x, batch, row + 1, others);
    sum = !sum ? term : k % 2 ? sum - term : sum + term;
  }
  return sum;
}

void eliminate(OpContext& op, const Operand& x, const Operand& y) {
  Procedure procedure;
  procedure.function = "determinant";
  procedure.element = x.type();
  procedure.reads = {x.value()};
  procedure.writes = {y.value()};
  procedure.arguments = {product(y.shape()), x.dim(-1)};
  procedure.scratch_bytes = x.dim(-1) * x.dim(-1) * 8;
  op.emit(std::move(procedure));
}

void lower(OpContext& op) {
  const Operand x = op.input(0);
  if (x.rank() < 2) refuse("shape-mismatch", "X has rank " + std::to_string(x.rank()));
  op.require_equal(x.dim(-1), x.dim(-2), "rows and columns");
  const std::optional<int64_t> rows =
      x.dim(-1).is_constant() ? x.dim(-1).as_constant() : x.dim(-2).as_constant();
  const Operand y = op.output(0, x.type(), Shape(x.shape().begin(), x.shape().end() - 2));
  if (rows && *rows <= kMostExpanded) {
    std::vector<int64_t> columns;
    for (int64_t c = 0; c < *rows; ++c) columns.push_back(c);
    op.map(y, [&](const Indices& at) { return determinant(x, at, 0, columns); });
  } else if (x.type() == Type::f32 || x.type() == Type::f64) {
    eliminate(op, x, y);
  } else {
    const Operand wide = op.temporary("wide", Type::f32, x.shape());
    const Operand result = op.temporary("determinant", Type::f32, y.shape());
    op.map(wide, [&](const Indices& at) { return x.at(at); });
    eliminate(op, wide, result);
    op.map(y, [&](const Indices& at) { return result.at(at); });
  }
}

}  // namespace

OpDef definition() {
  return {.name = "Det",
          .since = 11,
          .inputs = {{"X", types::floats}},
          .outputs = {{"Y"}},
          .lower = lower};
}

}  // namespace burin::det_op
