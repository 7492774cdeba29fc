// Operators that are procedures of runtime_min: sorting, selection, compaction.
#pragma once

#include "ops/api/core/op_context.h"

namespace burin {

// An output one of whose extents is `count`, which the procedure determines. Where the file
// declares that extent, the declared one bounds it and the run checks it afterwards.
struct CountedOutput {
  int number = 0;
  Type type = Type::none;
  Shape shape;  // with `count` as a symbol
};

// Declares the outputs and emits the procedure, whose argument 0, the capacity, is `most` or less.
// Outputs that the node does not have are written to temporaries.
void emit_counted(OpContext& op, Procedure procedure, const Symbol& count, const Dim& most,
                  const std::vector<CountedOutput>& outputs);

// A tensor as [outer, axis, inner].
struct Lines {
  Dim outer = 1, axis = 1, inner = 1;
};
Lines lines_of(const Shape& shape, int axis);

// How many elements in memory one of the tensor takes: the bytes of a string, else 1.
Dim elements_of(const OpContext& op, const Operand& tensor);

}  // namespace burin
