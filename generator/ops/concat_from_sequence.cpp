// ConcatFromSequence: the tensors of a sequence one after the other along axis, or side by side
// along a new one. Since opset 11.
#include "ops/api/bounded_sequence.h"
#include "ops/api/join.h"
#include "ops/api/sequence.h"
#include "support/diagnostics.h"

namespace burin {
namespace {

void lower_items(OpContext& op, const std::vector<Operand>& parts, bool fresh) {
  if (parts.empty()) refuse("shape-mismatch", "the sequence is empty");
  const int axis = normalize_axis(op.integer("axis"), parts[0].rank() + (fresh ? 1 : 0));
  const Type type = parts[0].type();
  if (fresh) {
    map_stacked(op, op.output(0, type, stacked_shape(op, parts, axis)), parts, axis);
  } else {
    map_concatenated(op, op.output(0, type, concatenated_shape(op, parts, axis)), parts, axis);
  }
}

// The first index of `at` moved from dimension `axis`.
Indices row_first(Indices at, int axis, const Index& row) {
  at.erase(at.begin() + axis);
  at.insert(at.begin(), row);
  return at;
}

// Tensors of one shape: [length, shape of each] with its first dimension elsewhere.
void lower_alike(OpContext& op, const Operand& rows, bool fresh) {
  const int axis = normalize_axis(op.integer("axis"), rows.rank() - (fresh ? 0 : 1));
  const Dim length = rows.dim(0);
  Shape shape(rows.shape().begin() + 1, rows.shape().end());
  if (fresh) {
    shape.insert(shape.begin() + axis, length);
    return op.map(op.output(0, rows.type(), shape), [&](const Indices& at) {
      return rows.at(row_first(at, axis, at[static_cast<size_t>(axis)]));
    });
  }
  const Dim each = shape[static_cast<size_t>(axis)];
  shape[static_cast<size_t>(axis)] = length * each;
  op.map(op.output(0, rows.type(), shape), [&](Indices at) {
    Index& along = at[static_cast<size_t>(axis)];
    const Index row = floordiv(along, each);
    along = mod(along, each);
    at.insert(at.begin(), row);
    return rows.at(std::move(at));
  });
}

// Tensors that have extents of their own along `sequence.axis`: their rows are what is asked for.
void lower_rows(OpContext& op, const Bounded& sequence, bool fresh) {
  const Operand& rows = sequence.rows;
  const int axis = normalize_axis(op.integer("axis"), rows.rank() + (fresh ? 1 : 0));
  if (fresh || axis != sequence.axis) {
    refuse("dynamic-shape", "tensors that may differ in dimension " +
                                std::to_string(sequence.axis) + " are not put together along " +
                                (fresh ? "a new dimension" : "dimension " + std::to_string(axis)));
  }
  Shape shape(rows.shape().begin() + 1, rows.shape().end());
  shape.insert(shape.begin() + axis, rows.dim(0));
  op.map(op.output(0, rows.type(), shape), [&](const Indices& at) {
    return rows.at(row_first(at, axis, at[static_cast<size_t>(axis)]));
  });
}

void lower(OpContext& op) {
  const Operand sequence = op.input(0);
  const bool fresh = op.integer("new_axis", 0) != 0;
  if (const std::vector<Operand>* parts = sequence_items(sequence))
    return lower_items(op, *parts, fresh);
  const Bounded& bounded = *sequence.tuple()->bounded;
  const Dim length = length_of(bounded);
  op.require({{length, 1, length + 1}}, "length of the sequence");
  if (bounded.axis < 0) return lower_alike(op, bounded.rows, fresh);
  lower_rows(op, bounded, fresh);
}

}  // namespace

OpDef op_concat_from_sequence() {
  return {
      .name = "ConcatFromSequence",
      .since = 11,
      .inputs = {{"input_sequence", types::sequence}},
      .outputs = {{"concat_result"}},
      .attributes = {{"axis", AttributeKind::integer, true}, {"new_axis", AttributeKind::integer}},
      .lower = lower,
      .note = kBoundedNote};
}

}  // namespace burin
