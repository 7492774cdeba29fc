// STFT: Fourier transforms of frames of a signal [batch, length, 1 or 2], every frame_step samples,
// times a window: [batch, frames, bins, 2]. Since opset 17.
#include "ops/api/core/op_def.h"
#include "ops/api/math/fourier.h"
#include "ops/api/math/sums_of_products.h"
#include "support/diagnostics.h"

namespace burin::stft_op {
namespace {

Dim positive(OpContext& op, int input, const Dim& most) {
  op.require_equal(product(op.input(input).shape()), 1, "elements of frame_step or frame_length");
  const int64_t bound = most.range().hi;
  const Dim value = op.elements(input, {1, bound})[0];
  op.require({{value, 1, value + 1}}, "frame_step and frame_length");
  return value;
}

void lower(OpContext& op) {
  const Operand x = op.input(0);
  require_one_type(op, {0, 2});
  const bool complex = x.rank() == 3 && x.dim(-1).is_constant(2);
  if (x.rank() != 2 && !complex && !(x.rank() == 3 && x.dim(-1).is_constant(1)))
    refuse("shape-mismatch", "the signal has shape " + to_string(x.shape()));
  const Dim& samples = x.dim(1);
  const Dim step = positive(op, 1, samples);
  if (!op.has_input(2) && !op.has_input(3))
    refuse("arity", "neither window nor frame_length is given");
  if (op.has_input(2) && op.input(2).rank() != 1)
    refuse("shape-mismatch", "the window must have one dimension");
  const Dim length = op.has_input(3) ? positive(op, 3, samples) : op.input(2).dim(0);
  if (op.has_input(2)) op.require_equal(op.input(2).dim(0), length, "length of the window");
  op.require({{length, 1, samples + 1}}, "frame_length");
  const bool onesided = op.integer("onesided", 1) != 0;
  const Dim frames = floordiv(samples - length, step) + 1;
  const Dim bins = onesided ? floordiv(length, 2) + 1 : length;
  const Operand y = op.output(0, x.type(), {x.dim(0), frames, bins, 2});
  emit_transform(op, y,
                 {.length = length,
                  .bin = [](const Indices& at) { return at[2]; },
                  .bins = bins,
                  .sample =
                      [&](const Indices& at, const Index& t) {
                        const auto part = [&](int64_t number) {
                          Indices place = {at[0], at[1] * step + t};
                          if (x.rank() == 3) place.push_back(number);
                          const Expr sample = x.at(place);
                          return op.has_input(2) ? sample * op.input(2).at({t}) : sample;
                        };
                        return Complex{part(0), complex ? part(1) : Expr()};
                      }});
}

}  // namespace

OpDef definition() {
  return {.name = "STFT",
          .since = 17,
          .inputs = {{"signal", types::floats},
                     {"frame_step", types::indices},
                     {"window", types::floats, Arity::optional},
                     {"frame_length", types::indices, Arity::optional}},
          .outputs = {{"output"}},
          .attributes = {{"onesided", AttributeKind::integer}},
          .lower = lower};
}

}  // namespace burin::stft_op
