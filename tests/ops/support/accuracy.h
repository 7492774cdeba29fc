// How far the results of elementwise operators are from exact ones. References are the C library's
// long double functions (64 bits of mantissa).
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "graph/graph.h"
#include "kernel/expr/type.h"

namespace burin {

struct AccuracyCase {
  std::string op;
  int version = 24;
  std::vector<Attribute> attributes;
  // The exact result; `b` is 0 for operators of one operand.
  std::function<long double(long double a, long double b)> reference;
  // Bounds in ULP of the result's type: of f16 and bf16, whose results are rounded from f32, and of
  // f32.
  double half = 0.5, single = 0.5;
  // Results nearer to zero than this may be that far off (relative to 1): where a formula adds
  // numbers of both signs.
  long double absolute = 0;
  int operands = 1;
  bool zero_signs = true;  // whether the sign of a zero counts

  std::string name() const;
};

std::vector<AccuracyCase> unary_cases();
std::vector<AccuracyCase> binary_cases();

struct Accuracy {
  double ulp = 0;           // the largest error
  std::string where;        // of it: operands, result and reference
  int64_t wrong = 0;        // NaN, an infinity or the sign of a zero where the other has none
  std::string where_wrong;  // the first of these
  int64_t measured = 0;
};

// Of f16 and bf16 all numbers (a grid of 320 x 320 for two operands); of f32 about `patterns`.
Accuracy measure(const AccuracyCase& one, Type type, int64_t patterns);

}  // namespace burin
