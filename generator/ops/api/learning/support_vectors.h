// Support vector machines: kernel functions of rows and support vectors.
#pragma once

#include <string>
#include <vector>

#include "ops/api/learning/ml.h"

namespace burin {

// kernel_type and kernel_params (gamma, coef0, degree): LINEAR, POLY, RBF or SIGMOID.
struct VectorKernel {
  std::string type = "LINEAR";
  double gamma = 0, shift = 0, degree = 0;
};
VectorKernel vector_kernel_of(OpContext& op);

// What the kernel gives for every row of x and every vector, [rows, vectors] in f32; `vectors`:
// constants, one after the other.
Operand vector_products(OpContext& op, const Features& x, const VectorKernel& rule,
                        std::string_view vectors, int64_t count);

std::vector<AttributeDef> vector_attributes();

}  // namespace burin
