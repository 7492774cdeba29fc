// com.microsoft DynamicQuantizeLSTM: LSTM with weights of 8 bits, [directions, input or hidden, 4 *
// hidden]. The input, and at each step the state of the whole batch, are quantised by their own
// range: products are those of the quantised numbers, here as the floats that they stand for.
#include "ops/api/layers/lstm_layer.h"
#include "ops/api/math/fused.h"
#include "ops/api/math/sums_of_products.h"
#include "ops/api/quantized/dynamic_quantize.h"
#include "ops/api/quantized/quantize.h"
#include "support/diagnostics.h"

namespace burin::ms_dynamic_quantize_lstm_op {
namespace {

constexpr int kInitialH = 5, kScaleW = 8, kScaleR = 10;

// One parameter for each direction, or for each row of its weights.
std::function<Expr(const Index& direction, const Index& row)> row_parameter(OpContext& op,
                                                                            int input,
                                                                            const Operand& w) {
  const Operand p = op.input(input);
  if (p.rank() != 1 && p.rank() != 2)
    refuse("shape-mismatch", "a scale or zero point has shape " + to_string(p.shape()));
  op.require_equal(p.dim(0), w.dim(0), "directions of a scale or zero point");
  const bool by_row = p.rank() == 2 && !p.dim(1).is_constant(1);
  if (by_row) op.require_equal(p.dim(1), w.dim(2), "rows of a scale or zero point");
  return [p, by_row](const Index& direction, const Index& row) {
    return p.rank() == 1 ? p.at({direction}) : p.at({direction, by_row ? row : Index(0)});
  };
}

RecurrentRule::Weight weight_of(OpContext& op, int input, int scale) {
  const Operand w = op.input(input);
  if (w.rank() != 3) refuse("shape-mismatch", "W and R must have rank 3");
  if (op.input(scale + 1).type() != w.type())
    refuse("type-mismatch", "weights and their zero point must have one type");
  const auto by = row_parameter(op, scale, w), zero = row_parameter(op, scale + 1, w);
  return [w, by, zero](const Index& direction, const Index& row, const Index& column) {
    const Expr whole = centred(w.at({direction, column, row}), zero(direction, row));
    return Expr::cast(Type::f32, whole) * by(direction, row);
  };
}

// The input as the numbers that its quantised form stands for.
Operand rounded(OpContext& op, const Operand& x) {
  const Operand scale = op.temporary("scale", Type::f32, {}),
                zero = op.temporary("zero", Type::u8, {}),
                q = op.temporary("quantized", Type::u8, x.shape()),
                out = op.temporary("rounded", Type::f32, x.shape());
  fit_range(op, x, scale, zero);
  op.map(q, [&](const Indices& at) {
    return quantized(x.at(at) / scale.scalar(), zero.scalar(), Type::u8);
  });
  op.map(out, [&](const Indices& at) {
    return Expr::cast(Type::f32, centred(q.at(at), zero.scalar())) * scale.scalar();
  });
  return out;
}

// The state one step back, likewise.
Expr rounded_state(RecurrentCell& cell, int let, const Expr& state) {
  const Expr zero = Expr::constant(Type::f32, 0);
  const Expr least = min(cell.extreme_before(Combiner::min, let, kInitialH), zero),
             most = max(cell.extreme_before(Combiner::max, let, kInitialH), zero);
  const Expr width = (most - least) / 255.0;
  const Expr step =
      Expr::select(compare(Binary::eq, width, zero), Expr::constant(Type::f32, 1), width);
  const Expr point = Expr::cast(Type::i32, quantized((-least) / step, {}, Type::u8));
  const Expr whole = Expr::cast(Type::i32, quantized(state / step, point, Type::u8));
  return Expr::cast(Type::f32, whole - point) * step;
}

void lower(OpContext& op) {
  RecurrentRule rule = lstm_rule();
  rule.w = weight_of(op, 1, kScaleW);
  rule.r = weight_of(op, 2, kScaleR);
  rule.x = rounded(op, op.input(0));
  lower_lstm(op, std::move(rule), {rounded_state, 2});
}

}  // namespace

OpDef definition() {
  OpDef def = ms_op(make_lstm_op("DynamicQuantizeLSTM", lower));
  for (Formal& formal : def.inputs) {
    if ((formal.types | types::f32) == formal.types) formal.types = types::f32;
  }
  def.inputs[1].types = def.inputs[2].types = types::quantized8;
  def.inputs.insert(def.inputs.end(), {{"W_scale", types::f32},
                                       {"W_zero_point", types::quantized8},
                                       {"R_scale", types::f32},
                                       {"R_zero_point", types::quantized8}});
  std::erase_if(def.attributes, [](const AttributeDef& one) {
    return one.name == "layout" || one.name == "output_sequence";
  });
  return def;
}

}  // namespace burin::ms_dynamic_quantize_lstm_op
