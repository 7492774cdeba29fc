// CausalConvWithState: every channel of [batch, channels, length] convolved with its own weights
// over the position itself and those before it, which the last call's state holds in front of the
// first (else zeros); the state for the next call is what the last positions are. Since opset 27.
#include "ops/api/core/op_def.h"
#include "ops/api/math/activation.h"
#include "ops/api/math/sums_of_products.h"
#include "support/diagnostics.h"

namespace burin::causal_conv_with_state_op {
namespace {

constexpr int kBias = 2, kPast = 3;

void lower(OpContext& op) {
  require_one_type(op, {0, 1, 2, 3});
  const Operand x = op.input(0), w = op.input(1);
  if (x.rank() != 3 || w.rank() != 3) refuse("shape-mismatch", "input and weight must have rank 3");
  const Dim &batch = x.dim(0), &channels = x.dim(1), &length = x.dim(2), &taps = w.dim(2);
  op.require_equal(w.dim(0), channels, "channels of the weight");
  op.require_equal(w.dim(1), 1, "second dimension of the weight");
  op.require({{taps, 1, taps + 1}}, "taps of the weight");
  const Dim kept = taps - 1;
  if (op.has_input(kBias)) {
    if (op.input(kBias).rank() != 1) refuse("shape-mismatch", "bias must have rank 1");
    op.require_equal(op.input(kBias).dim(0), channels, "channels of the bias");
  }
  if (op.has_input(kPast)) {
    const Operand past = op.input(kPast);
    if (past.rank() != 3) refuse("shape-mismatch", "past_state must have rank 3");
    op.require_equal(past.dim(0), batch, "batch of past_state");
    op.require_equal(past.dim(1), channels, "channels of past_state");
    op.require_equal(past.dim(2), kept, "positions of past_state");
  }
  const std::string activation = op.text("activation", "none");
  if (activation != "none" && activation != "silu" && activation != "swish")
    refuse("bad-attribute", "activation is " + quoted(activation) + "; none, silu and swish exist");
  // Position `at` of the state and, behind it, the input.
  const auto joined = [&](const Index& b, const Index& c, const Index& at) {
    const Expr before = op.has_input(kPast) ? op.input(kPast).at({b, c, at}) : x.zero();
    return Expr::cases({{{{at, 0, kept}}, before}}, x.at({b, c, at - kept}));
  };
  const Operand y = op.output(0, x.type(), x.shape());
  KernelBuilder kernel;
  const Indices at = kernel.axes(y.shape());
  const Index tap = kernel.reduce_axis(taps, "tap");
  Expr sum = kernel.reduce(Combiner::sum, {tap},
                           joined(at[0], at[1], at[2] + tap) * w.at({at[1], 0, tap}));
  if (op.has_input(kBias)) sum = sum + op.input(kBias).at({at[1]});
  kernel.write(y, at, activation == "none" ? sum : sum * sigmoid(sum));
  op.emit(kernel);
  if (op.has_output(1)) {
    op.map(op.output(1, x.type(), {batch, channels, kept}),
           [&](const Indices& to) { return joined(to[0], to[1], to[2] + length); });
  }
}

}  // namespace

OpDef definition() {
  return {.name = "CausalConvWithState",
          .since = 27,
          .inputs = {{"input", types::floats},
                     {"weight", types::floats},
                     {"bias", types::floats, Arity::optional},
                     {"past_state", types::floats, Arity::optional}},
          .outputs = {{"output"}, {"present_state"}},
          .attributes = {{"activation", AttributeKind::text}},
          .lower = lower};
}

}  // namespace burin::causal_conv_with_state_op
