// Det: determinants of square matrices, expanded along the first row. Matrices of up to 5 rows.
#include "ops/api/op_context.h"
#include "ops/api/op_def.h"
#include "support/diagnostics.h"

namespace burin {
namespace {

constexpr int64_t kMostRows = 5;  // the expansion has n! products

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

void lower(OpContext& op) {
  const Operand x = op.input(0);
  if (x.rank() < 2) refuse("shape-mismatch", "X has rank " + std::to_string(x.rank()));
  op.require_equal(x.dim(-1), x.dim(-2), "rows and columns");
  const std::optional<int64_t> rows =
      x.dim(-1).is_constant() ? x.dim(-1).as_constant() : x.dim(-2).as_constant();
  if (!rows) refuse("dynamic-shape", "the number of rows is not known before the run");
  if (*rows > kMostRows) {
    refuse("unsupported-size", "matrices of " + std::to_string(*rows) + " rows; at most " +
                                   std::to_string(kMostRows) + " are supported");
  }
  std::vector<int64_t> columns;
  for (int64_t c = 0; c < *rows; ++c) columns.push_back(c);
  const Operand y = op.output(0, x.type(), Shape(x.shape().begin(), x.shape().end() - 2));
  op.map(y, [&](const Indices& at) { return determinant(x, at, 0, columns); });
}

}  // namespace

OpDef op_det() {
  return {.name = "Det",
          .since = 11,
          .inputs = {{"X", types::floats}},
          .outputs = {{"Y"}},
          .lower = lower,
          .note = "up to 5 rows"};
}

}  // namespace burin
