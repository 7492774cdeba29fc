// What the operators of ai.onnx.ml share: numbers in attributes, inputs of several types, results
// in f32.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "ops/api/core/op_context.h"
#include "ops/api/core/op_def.h"

namespace burin {

namespace types {
inline constexpr TypeSet features = f32 | only(Type::f64) | i32 | i64;
}  // namespace types

// The definition in domain ai.onnx.ml, whose versions all mean the same.
OpDef ml_op(OpDef def);

// A list of an attribute as a constant of `shape`; refused where it has another number of elements.
Operand attribute_list(OpContext& op, std::string_view attribute,
                       const std::vector<int64_t>& shape);

// x as a float: f64 stays, everything else is f32.
Expr as_float(const Expr& x);

// The rows and columns of a matrix, or of one row.
struct Features {
  Operand x;
  Dim rows, columns;
  Expr at(const Index& row, const Index& column) const;
};
Features features_of(OpContext& op, int input);

// Scores [rows, targets] = x * coefficients^T + intercepts, before any transform.
Operand linear_scores(OpContext& op, const Features& x, int64_t targets, const Operand& to);

}  // namespace burin
