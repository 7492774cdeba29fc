// Loop: a nested graph repeated a number of times, or as long as its condition holds, with carried
// values and values that every iteration emits (stacked along a new first dimension).
//
// One that carries sequences or optionals is unrolled where its trips are known while generating,
// so that every tensor of them stays a value of its own.
#include <algorithm>

#include "kernel/tensor.h"
#include "ops/api/core/op_def.h"
#include "ops/api/core/scalars.h"
#include "ops/api/loops/loop_lowering.h"
#include "ops/api/sequences/unrolled_loop.h"
#include "support/diagnostics.h"

namespace burin::loop_op {
namespace {

constexpr int kTrips = 0, kCondition = 1, kFirstCarried = 2;

// Whether the block's result is a boolean constant that it makes itself, true.
bool always_true(const Block& block, GraphValueId id) {
  for (const Node& node : block.nodes) {
    if (node.outputs.size() != 1 || node.outputs[0] != id || !node.inputs.empty()) continue;
    const Attribute* value = node.find("value");
    const Tensor* tensor = value ? std::get_if<Tensor>(&value->value) : nullptr;
    if (!tensor || tensor->type != Type::boolean || tensor->elements() != 1) return false;
    return to_tensor(tensor->type, tensor->shape, tensor->content).get(0).integer != 0;
  }
  return false;
}

void read_limits(OpContext& op, RepeatedBody& loop) {
  std::optional<int64_t> starts;
  if (op.has_input(kCondition)) {
    op.require_equal(product(op.input(kCondition).shape()), 1, "elements of cond");
    starts = known_number(op.known(kCondition));
    loop.starts = starts == 1;
    loop.condition = op.input(kCondition).scalar();
  }
  loop.counted = op.has_input(kTrips);
  if (loop.counted) {
    op.require_equal(product(op.input(kTrips).shape()), 1, "elements of M");
    const auto at_least_none = [](int64_t, const Expr& trips) {
      return max(trips, Expr::constant(Type::i64, 0));
    };
    loop.trips = max(op.elements(kTrips, {0, kUnbounded}, at_least_none)[0], 0);
  }
  if (starts == 0) {
    loop.trips = 0;
    loop.counted = true;
  }
  loop.ask = [&op] { return op.run_symbol("trip_count", {0, kUnbounded}); };
}

void lower(OpContext& op) {
  const Block& block = op.block("body");
  const auto carried = static_cast<size_t>(std::max(op.input_count() - kFirstCarried, 0));
  if (block.inputs.size() != kFirstCarried + carried || block.outputs.size() < 1 + carried ||
      op.output_count() > static_cast<int>(block.outputs.size()) - 1) {
    refuse("arity", "the body has " + std::to_string(block.inputs.size()) + " inputs and " +
                        std::to_string(block.outputs.size()) + " outputs for " +
                        std::to_string(carried) + " carried values");
  }
  RepeatedBody loop;
  for (int i = kFirstCarried; i < op.input_count(); ++i) loop.initial.push_back(op.input(i));
  const bool tuples = std::any_of(loop.initial.begin(), loop.initial.end(),
                                  [](const Operand& one) { return one.tuple() != nullptr; });
  if (tuples && op.attempt([&] { return unroll_loop(op); })) return;
  read_limits(op, loop);
  loop.goes_on = always_true(block, block.outputs[0]);
  loop.body = [&](const Index& iteration, const Operand& go, const std::vector<Operand>& states) {
    const Operand number = op.temporary("number", Type::i64, {});
    op.map(number, [&](const Indices&) { return Expr::index(iteration); });
    op.set_known_of(number, {iteration});
    std::vector<Operand> arguments = {number, go};
    arguments.insert(arguments.end(), states.begin(), states.end());
    return op.inline_block(block, arguments);
  };
  lower_repeated(op, loop);
}

}  // namespace

OpDef definition() {
  return {
      .name = "Loop",
      .inputs = {{"M", types::i64, Arity::optional},
                 {"cond", types::boolean, Arity::optional},
                 {"v_initial", types::tensors | types::sequence | types::optional,
                  Arity::variadic}},
      .outputs = {{"v_final_and_scan_outputs", types::tensors, Arity::variadic}},
      .attributes = {{"body", AttributeKind::block, true}},
      .lower = lower,
      .note = "one that carries sequences is unrolled where its trips are known while generating"};
}

}  // namespace burin::loop_op
