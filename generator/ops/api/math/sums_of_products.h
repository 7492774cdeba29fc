// Contractions: sums of products over common axes, as one let `sum(mul(a, b))`, which is the form
// that a recogniser finds.
#pragma once

#include <functional>
#include <initializer_list>

#include "ops/api/core/op_context.h"

namespace burin {

// One factor of a contraction: a tensor, and what its elements become before they are multiplied
// (quantised forms subtract a zero point; absent: nothing). All factors of one contraction give one
// type.
struct Factor {
  Operand operand;
  std::function<Expr(const Expr& element, const Indices& at)> prepare = {};

  Expr at(const Indices& indices) const;
};

// What becomes of the sum at a point of the result.
using Epilogue = std::function<Expr(const Expr& sum, const Indices& at)>;

// The last two dimensions of each factor as a matrix, or as its transpose.
struct MatrixProduct {
  Factor a, b;
  bool transpose_a = false, transpose_b = false;
};

// Output 0 = finish(A B), as numpy.matmul: leading dimensions are broadcast, a factor of rank 1 is
// a row (A) or a column (B) whose dimension disappears.
void map_matmul(OpContext& op, const MatrixProduct& product, Type result, const Epilogue& finish);

// A and B of rank 2, without broadcasting.
void map_gemm(OpContext& op, const MatrixProduct& product, Type result, const Epilogue& finish);

// Requires that `from` can be broadcast to the shape `to` (right-aligned, no other way round).
void require_broadcastable(OpContext& op, const Shape& from, const Shape& to,
                           std::string_view what);

// x in another compute type.
Expr in_type(Type compute, const Expr& x);

// Of these inputs those that are there must have one type; refused (type-mismatch) otherwise.
void require_one_type(OpContext& op, std::initializer_list<int> inputs);

// factor * x; x itself where the factor is 1. A factor of an integer type must be whole.
Expr scaled(const Expr& x, double factor, std::string_view what);

}  // namespace burin
