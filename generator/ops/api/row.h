// Operators that normalise rows: Softmax, LogSoftmax, Hardmax. A row is one axis (opset 13 on), or
// all dimensions from `axis` on, flattened (before).
#pragma once

#include <functional>

#include "ops/api/op_context.h"

namespace burin {

struct Row {
  KernelBuilder& kernel;
  const Indices& axes;  // that make up a row
  Expr element;         // of the input at the current point
  Index position;       // in the row, row-major
};

// y = f(row) at every point, in the type and shape of the input.
void map_rows(OpContext& op, const std::function<Expr(const Row&)>& f);

}  // namespace burin
