// SequenceMap: a nested graph applied to the tensors of a sequence, one after the other; further
// sequences go along, tensors are the same every time. Since opset 17.
#include <algorithm>

#include "ops/api/loops/loop_lowering.h"
#include "ops/api/sequences/bounded_sequence.h"
#include "ops/api/sequences/sequence.h"
#include "support/diagnostics.h"

namespace burin::sequence_map_op {
namespace {

// The arguments of one application: `pick` gives the tensor of the sequence that input i is.
template <class Pick>
std::vector<Operand> arguments_of(OpContext& op, const Pick& pick) {
  std::vector<Operand> arguments;
  for (int i = 0; i < op.input_count(); ++i)
    arguments.push_back(op.input(i).tuple() ? pick(i) : op.input(i));
  return arguments;
}

void map_items(OpContext& op, const Block& body, size_t length) {
  std::vector<std::vector<Operand>> results(static_cast<size_t>(op.output_count()));
  for (size_t k = 0; k < length; ++k) {
    const std::vector<Operand> each = op.inline_block(
        body, arguments_of(op, [&](int i) { return op.input(i).tuple()->items[k]; }));
    for (size_t i = 0; i < results.size(); ++i) results[i].push_back(each[i]);
  }
  for (size_t i = 0; i < results.size(); ++i)
    forward_sequence(op, static_cast<int>(i), std::move(results[i]));
}

// A loop that puts what each application gives behind what there is.
void map_in_loop(OpContext& op, const Block& body, const Dim& length) {
  std::vector<std::optional<Bounded>> sequences;
  for (int i = 0; i < op.input_count(); ++i) {
    const Operand input = op.input(i);
    sequences.emplace_back();
    if (input.tuple()) sequences.back() = to_bounded(op, input, *form_of(input));
  }
  const auto declare = [&](Type type, Shape shape) {
    return op.temporary("item", type, std::move(shape));
  };
  RepeatedBody loop;
  loop.trips = length;
  loop.goes_on = true;
  loop.initial.assign(static_cast<size_t>(op.output_count()), Operand(Tuple{}));
  loop.body = [&](const Index& number, const Operand& go, const std::vector<Operand>& carried) {
    const std::vector<Operand> each =
        op.inline_block(body, arguments_of(op, [&](int i) {
                          return item_at(op, *sequences[static_cast<size_t>(i)], number, declare);
                        }));
    std::vector<Operand> results = {go};
    for (size_t i = 0; i < carried.size(); ++i)
      results.push_back(with_last(op, carried[i], each[i]));
    return results;
  };
  lower_repeated(op, loop);
}

void lower(OpContext& op) {
  const Block& body = op.block("body");
  const Dim length = length_of(op.input(0));
  if (body.outputs.size() < static_cast<size_t>(op.output_count())) {
    refuse("arity", "the body gives " + std::to_string(body.outputs.size()) +
                        " values, the node has " + std::to_string(op.output_count()));
  }
  bool known = true;
  for (int i = 0; i < op.input_count(); ++i) {
    const Operand input = op.input(i);
    if (!input.tuple()) continue;
    op.require_equal(length_of(input), length, "lengths of the sequences");
    known = known && sequence_items(input) != nullptr;
  }
  if (known) return map_items(op, body, static_cast<size_t>(length.constant()));
  map_in_loop(op, body, length);
}

}  // namespace

OpDef definition() {
  return {.name = "SequenceMap",
          .since = 17,
          .inputs = {{"input_sequence", types::sequence},
                     {"additional_inputs", types::tensors | types::sequence, Arity::variadic}},
          .outputs = {{"out_sequence", types::tensors, Arity::variadic}},
          .attributes = {{"body", AttributeKind::block, true}},
          .lower = lower};
}

}  // namespace burin::sequence_map_op
