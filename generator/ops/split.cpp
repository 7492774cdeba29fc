// Split: the input cut along axis into parts of the given sizes (an attribute, since opset 13 an
// input), or into equal ones; with num_outputs (since opset 18) the last may be smaller.
#include "ops/api/core/op_context.h"
#include "ops/api/core/op_def.h"
#include "ops/api/movement/movement.h"
#include "support/diagnostics.h"

namespace burin::split_op {
namespace {

// Sizes that are given, in the model or by the run.
std::optional<std::vector<Dim>> given_sizes(OpContext& op, const Dim& extent) {
  if (op.version() < 13) {
    if (op.has("split")) {
      const std::vector<int64_t> sizes = op.integers("split");
      return std::vector<Dim>(sizes.begin(), sizes.end());
    }
    if (op.version() > 1) return std::nullopt;
  }
  if (!op.has_input(1)) return std::nullopt;
  return op.elements(1, {0, extent});
}

std::vector<Dim> sizes_of(OpContext& op, const Dim& extent) {
  const int count = op.output_count();
  if (std::optional<std::vector<Dim>> sizes = given_sizes(op, extent)) {
    if (static_cast<int>(sizes->size()) != count) {
      refuse("shape-mismatch",
             std::to_string(sizes->size()) + " sizes for " + std::to_string(count) + " outputs");
    }
    Dim sum = 0;
    for (const Dim& size : *sizes) {
      if (proven_lt(size, 0)) refuse("shape-mismatch", "a part has size " + to_string(size));
      sum += size;
    }
    op.require_equal(sum, extent, "sum of the sizes");
    return *std::move(sizes);
  }
  if (op.has("num_outputs") && op.integer("num_outputs") != count) {
    refuse("bad-attribute", "num_outputs is " + std::to_string(op.integer("num_outputs")) +
                                ", the node has " + std::to_string(count) + " outputs");
  }
  const bool uneven = op.version() >= 18;
  if (!uneven) op.require_equal(mod(extent, count), 0, "remainder of an equal split");
  const Dim part = uneven ? ceildiv(extent, count) : floordiv(extent, count);
  std::vector<Dim> sizes;
  for (int k = 0; k < count; ++k)
    sizes.push_back(uneven ? max(min(part, extent - part * k), 0) : part);
  return sizes;
}

void lower(OpContext& op) {
  const Operand x = op.input(0);
  const int axis = normalize_axis(op.integer("axis", 0), x.rank());
  const size_t along = static_cast<size_t>(axis);
  const std::vector<Dim> sizes = sizes_of(op, x.dim(axis));
  Dim begin = 0;
  for (int k = 0; k < op.output_count(); ++k) {
    const Dim offset = begin;
    begin += sizes[static_cast<size_t>(k)];
    if (!op.has_output(k)) continue;
    Shape shape = x.shape();
    shape[along] = sizes[static_cast<size_t>(k)];
    const Operand y = op.output(k, x.type(), shape);
    op.map(y, [&](const Indices& at) {
      Indices from = at;
      from[along] += offset;
      return x.at(std::move(from));
    });
  }
}

}  // namespace

OpDef definition() {
  return {.name = "Split",
          .inputs = {{"input", types::tensors},
                     {"split", types::numeric, Arity::optional, until(1)},
                     {"split", types::i64, Arity::optional, since(13)}},
          .outputs = {{"outputs", types::tensors, Arity::variadic}},
          .attributes = {{"axis", AttributeKind::integer},
                         {"split", AttributeKind::integers, false, until(12)},
                         {"num_outputs", AttributeKind::integer, false, since(18)}},
          .lower = lower};
}

}  // namespace burin::split_op
