// Scattering: a copy of the data, then updates at indices that come from a tensor. Indices that may
// be equal meet on sequential axes, so that the last update stays, as ONNX leaves open and every
// run must agree on.
#pragma once

#include <string>

#include "ops/api/core/op_context.h"

namespace burin {

// The attribute `reduction`.
How reduction_of(const OpContext& op);

// Output 0, as a copy of the data.
Operand copied_data(OpContext& op, const Operand& data);

// Updates are reduced into output 0 at the points of `indices`, with the index in place of the
// coordinate along `axis`.
void map_scatter_elements(OpContext& op, int64_t axis, How how);

}  // namespace burin
