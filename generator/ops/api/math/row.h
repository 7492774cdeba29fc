// Operators that normalise rows: Softmax, LogSoftmax, Hardmax. A row is one axis (opset 13 on), or
// all dimensions from `axis` on, flattened (before).
#pragma once

#include <functional>

#include "ops/api/core/op_context.h"

namespace burin {

struct Row {
  KernelBuilder& kernel;
  const Indices& axes;  // that make up a row
  Expr element;         // of the input at the current point
  Index position;       // in the row, row-major
};

// What a row is, where the version of the operator does not say it.
struct RowRule {
  bool flattens = false;  // everything from the axis on, else the axis
  int64_t axis = -1;
  std::function<Expr(const Expr&)> load = [](const Expr& x) { return x; };  // makes the element
};
void map_rows(OpContext& op, const RowRule& rule, const std::function<Expr(const Row&)>& f);

// exp(x - max) / sum exp(x - max)
Expr softmax(const Row& row);

// y = f(row) at every point, in the type and shape of the input.
void map_rows(OpContext& op, const std::function<Expr(const Row&)>& f);

}  // namespace burin
