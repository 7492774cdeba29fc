// SplitToSequence: the input cut along axis into parts of one size (the last may be smaller), of
// given sizes, or of size 1, whose dimension keepdims = 0 drops. Since opset 11.
#include <algorithm>

#include "ops/api/sequence.h"
#include "support/diagnostics.h"

namespace burin {
namespace {

constexpr int64_t kMostParts = 4096;

// The sizes of the parts along a dimension of `extent`.
std::vector<Dim> sizes_of(OpContext& op, const Dim& extent) {
  int64_t size = 1;
  if (op.has_input(1)) {
    const Operand split = op.input(1);
    if (split.rank() > 1)
      refuse("shape-mismatch", "split has rank " + std::to_string(split.rank()));
    if (split.rank() == 1) {
      std::vector<Dim> sizes = op.elements(1, {0, extent});
      Dim sum = 0;
      for (const Dim& one : sizes) {
        if (proven_lt(one, 0)) refuse("shape-mismatch", "a part has size " + to_string(one));
        sum += one;
      }
      op.require_equal(sum, extent, "sum of the sizes");
      return sizes;
    }
    const std::optional<std::vector<Dim>> known = op.known(1);
    if (!known || !(*known)[0].is_constant())
      refuse("dynamic-value", "the size of the parts is not known before the run");
    size = (*known)[0].constant();
    if (size < 1) refuse("shape-mismatch", "the parts have size " + std::to_string(size));
  }
  if (!extent.is_constant()) {
    refuse("dynamic-shape", "the number of parts follows from the extent " + to_string(extent) +
                                ", which is not known before the run");
  }
  const int64_t whole = extent.constant();
  if (whole / size >= kMostParts) {
    refuse("limit", "the input is cut into more than " + std::to_string(kMostParts) + " parts");
  }
  std::vector<Dim> sizes;
  for (int64_t begin = 0; begin < whole; begin += size)
    sizes.push_back(std::min(size, whole - begin));
  return sizes;
}

void lower(OpContext& op) {
  const Operand x = op.input(0);
  const int axis = normalize_axis(op.integer("axis", 0), x.rank());
  const size_t along = static_cast<size_t>(axis);
  const bool keep = op.has_input(1) || op.integer("keepdims", 1) != 0;
  std::vector<Operand> parts;
  Dim begin = 0;
  for (const Dim& size : sizes_of(op, x.dim(axis))) {
    Shape shape = x.shape();
    shape[along] = size;
    if (!keep) shape.erase(shape.begin() + axis);
    parts.push_back(op.temporary("part" + std::to_string(parts.size()), x.type(), shape));
    op.map(parts.back(), [&](const Indices& at) {
      Indices from = at;
      if (!keep) from.insert(from.begin() + axis, Index(0));
      from[along] += begin;
      return x.at(std::move(from));
    });
    begin += size;
  }
  forward_sequence(op, 0, std::move(parts));
}

}  // namespace

OpDef op_split_to_sequence() {
  return {.name = "SplitToSequence",
          .since = 11,
          .inputs = {{"input"}, {"split", types::indices, Arity::optional}},
          .outputs = {{"output_sequence"}},
          .attributes = {{"axis", AttributeKind::integer}, {"keepdims", AttributeKind::integer}},
          .lower = lower,
          .note = "the number of parts is known while generating"};
}

}  // namespace burin
