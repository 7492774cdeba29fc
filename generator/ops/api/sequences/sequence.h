// Sequences and optionals whose length is known while generating: tuples of values. What a tuple
// holds is resolved here; kernels read the tensors themselves. (bounded_sequence.h has the others.)
#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "ops/api/core/op_context.h"
#include "ops/api/core/op_def.h"

namespace burin {

inline constexpr TypeSet kAnything = types::all | types::sequence | types::optional;

// The items of input i, which is a sequence; nullptr: their number is dynamic.
const std::vector<Operand>* sequence_items(const Operand& sequence);

// Output i is the sequence of `items`.
void forward_sequence(OpContext& op, int i, std::vector<Operand> items);

// The position that input i gives, negative ones counted from the end: 0 to `count` - 1; nullopt
// where it is not known before the run.
std::optional<size_t> known_position(OpContext& op, int i, size_t count);

// A scalar that the operator itself brings.
Operand constant_scalar(OpContext& op, std::string_view what, Type type, int64_t value);

}  // namespace burin
