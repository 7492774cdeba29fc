#include "ops/api/layers/recurrent.h"

#include "ops/api/core/size_facts.h"
#include "support/check.h"
#include "support/diagnostics.h"

namespace burin {
namespace {

constexpr int kBias = 3, kLengths = 4;

Expr recurrent_number(int64_t value) { return Expr::constant(Type::i64, value); }

// The axes among `indices`; axes of extent 1 do not exist.
Indices existing(Indices indices) {
  Indices out;
  for (Index& index : indices) {
    if (!index.is_constant()) out.push_back(std::move(index));
  }
  return out;
}

void require_shape(OpContext& op, int input, const Shape& shape, const std::string& what) {
  if (!op.has_input(input)) return;
  const Operand operand = op.input(input);
  if (operand.rank() != static_cast<int>(shape.size())) {
    refuse("shape-mismatch",
           what + " has shape " + to_string(operand.shape()) + ", not " + to_string(shape));
  }
  for (size_t d = 0; d < shape.size(); ++d) op.require_equal(operand.shape()[d], shape[d], what);
}

}  // namespace

// --- RecurrentCell ---

RecurrentCell::RecurrentCell(OpContext& op, const Recurrence& all, int direction)
    : op_(op), all_(all), direction_(direction) {
  step_ = kernel_.axis(all.steps_, "step", AxisKind::sequential);
  batch_ = kernel_.axis(all.batch_, "batch");
  unit_ = kernel_.axis(all.hidden_, "unit");
  other_ = kernel_.reduce_axis(all.hidden_, "other");
  time_ = step_;
  if (!all.reverse_[static_cast<size_t>(direction)]) return;
  if (!op.has_input(kLengths)) {
    time_ = all.steps_ - 1 - step_;
    return;
  }
  const Expr length = Expr::cast(Type::i64, op.input(kLengths).at({batch_}));
  const Expr now = Expr::index(step_), last = Expr::index(all.steps_ - 1);
  const Expr mirrored = min(max(length - recurrent_number(1) - now, recurrent_number(0)), last);
  const Expr chosen = Expr::select(compare(Binary::lt, now, length), mirrored, now);
  if (!step_.is_constant()) time_ = Index::data(chosen.ptr(), {0, step_.range().hi});
}

Expr RecurrentCell::input(int gate) const {
  return all_.projection_.at(
      {Index(direction_), time_, batch_, all_.hidden_ * Index(gate) + unit_});
}

Expr RecurrentCell::recurrent(int gate, const Expr& state_at_other) {
  const Index row = all_.hidden_ * Index(gate) + unit_;
  const Expr weight = Expr::cast(state_at_other.type(),
                                 all_.given() ? all_.rule_.r(direction_, row, other_)
                                              : all_.r_.at({Index(direction_), row, other_}));
  return kernel_.reduce(Combiner::sum, {other_}, state_at_other * weight);
}

Expr RecurrentCell::before(int let, int initial, const Index& at_unit) const {
  const Type type = all_.x_.compute();
  const Expr first = op_.has_input(initial)
                         ? op_.input(initial).at(all_.state_at(Index(direction_), batch_, at_unit))
                         : Expr::constant(type, 0);
  if (step_.is_constant()) return first;
  const Expr state = Expr::let(let, type, existing({step_ - 1, batch_, at_unit}));
  return Expr::cases({{{{step_, 1, all_.steps_}}, state}}, first);
}

Expr RecurrentCell::extreme_before(Combiner which, int let, int initial) {
  const Index batch = kernel_.reduce_axis(all_.batch_, "any row"),
              unit = kernel_.reduce_axis(all_.hidden_, "any unit");
  const Index own = batch_;
  batch_ = batch;
  const Expr state = before(let, initial, unit);
  batch_ = own;
  return kernel_.reduce(which, {batch, unit}, state);
}

Expr RecurrentCell::at_unit(const Expr& let, const Index& at_unit) const {
  return Expr::let(let->id, let.type(), existing({step_, batch_, at_unit}));
}

Expr RecurrentCell::let(const Expr& value, const Expr& held) {
  Expr kept = value;
  if (op_.has_input(kLengths) && held) {
    const Expr length = Expr::cast(Type::i64, op_.input(kLengths).at({batch_}));
    kept = Expr::select(compare(Binary::lt, Expr::index(step_), length), value, held);
  }
  return kernel_.let({step_, batch_, unit_}, kept);
}

Expr RecurrentCell::activate(size_t recurrent_number, const Expr& x, bool clipped) const {
  const size_t each = all_.rule_.activations.size();
  Expr argument = x;
  if (clipped && all_.clip_ > 0) {
    argument =
        min(max(x, Expr::constant(x.type(), -all_.clip_)), Expr::constant(x.type(), all_.clip_));
  }
  return all_.activations_[static_cast<size_t>(direction_) * each + recurrent_number](argument);
}

Expr RecurrentCell::parameter(int input, int64_t block) const {
  return op_.input(input).at({Index(direction_), all_.hidden_ * block + unit_});
}

// --- Recurrence ---

Recurrence::Recurrence(OpContext& op, RecurrentRule rule)
    : op_(op),
      rule_(std::move(rule)),
      x_(rule_.x ? rule_.x : op.input(0)),
      w_(op.input(1)),
      r_(op.input(2)) {
  if (x_.rank() != 3 || w_.rank() != 3 || r_.rank() != 3)
    refuse("shape-mismatch", "X, W and R must have rank 3");
  const int last = rule_.initial_h + rule_.initial_states;  // of those that have the type of X
  for (int i = given() ? kBias : 1; i < (given() ? last + 1 : op.input_count()); ++i) {
    if (i != kLengths && op.has_input(i) && op.input(i).type() != x_.type())
      refuse("type-mismatch", "input " + std::to_string(i) + " must have the type of X");
  }
  batch_first_ = op.integer("layout", 0) != 0;
  const std::string direction = op.text("direction", "forward");
  if (direction == "forward") {
    reverse_ = {false};
  } else if (direction == "reverse") {
    reverse_ = {true};
  } else if (direction == "bidirectional") {
    reverse_ = {false, true};
  } else {
    refuse("bad-attribute", "direction is " + quoted(direction));
  }
  directions_ = static_cast<int>(reverse_.size());
  std::vector<std::string> names;
  for (int d = 0; d < directions_; ++d)
    names.insert(names.end(), rule_.activations.begin(), rule_.activations.end());
  activations_ = activations_of(op, names);
  clip_ = op.real("clip", 0);
  if (clip_ < 0) refuse("bad-attribute", "clip is negative");

  steps_ = x_.dim(batch_first_ ? 1 : 0);
  batch_ = x_.dim(batch_first_ ? 0 : 1);
  hidden_ = r_.dim(given() ? 1 : 2);
  if (op.has("hidden_size")) op.require_equal(hidden_, op.integer("hidden_size"), "hidden_size");
  const Dim directions = directions_, wide = hidden_ * rule_.gates;
  const auto weights = [&](const Dim& columns) {
    return given() ? Shape{directions, columns, wide} : Shape{directions, wide, columns};
  };
  require_shape(op, 1, weights(x_.dim(2)), "W");
  require_shape(op, 2, weights(hidden_), "R");
  require_shape(op, kBias, {directions, wide * 2}, "B");
  require_shape(op, kLengths, {batch_}, "sequence_lens");
  const Shape state =
      batch_first_ ? Shape{batch_, directions, hidden_} : Shape{directions, batch_, hidden_};
  require_shape(op, rule_.initial_h, state, "an initial state");
  if (rule_.initial_states > 1) require_shape(op, rule_.initial_h + 1, state, "an initial state");
}

Indices Recurrence::state_at(const Index& direction, const Index& batch, const Index& unit) const {
  if (batch_first_) return {batch, direction, unit};
  return {direction, batch, unit};
}

void Recurrence::project() {
  const Dim wide = hidden_ * rule_.gates;
  projection_ = op_.temporary("projection", x_.compute(), {directions_, steps_, batch_, wide});
  KernelBuilder kernel;
  const Indices at = kernel.axes(projection_.shape());
  const Index i = kernel.reduce_axis(x_.dim(2), "input");
  const Expr element = batch_first_ ? x_.at({at[2], at[1], i}) : x_.at({at[1], at[2], i});
  Expr value =
      kernel.reduce(Combiner::sum, {i},
                    element * (given() ? rule_.w(at[0], at[3], i) : w_.at({at[0], at[3], i})));
  if (op_.has_input(kBias)) {
    const Operand b = op_.input(kBias);
    const Dim shared = hidden_ * (rule_.gates - rule_.separate_biases);
    const Expr second =
        Expr::cases({{{{at[3], 0, shared}}, b.at({at[0], at[3] + wide})}}, b.zero());
    value = value + (b.at({at[0], at[3]}) + second);
  }
  kernel.write(projection_, at, value);
  op_.emit(kernel);
}

void Recurrence::emit(const std::function<std::vector<Expr>(RecurrentCell&)>& cell) {
  project();
  const Dim directions = directions_;
  const Shape state =
      batch_first_ ? Shape{batch_, directions, hidden_} : Shape{directions, batch_, hidden_};
  Operand y;
  if (op_.has_output(0)) {
    y = op_.output(0, x_.type(),
                   batch_first_ ? Shape{batch_, steps_, directions, hidden_}
                                : Shape{steps_, directions, batch_, hidden_});
  }
  std::vector<Operand> last;
  for (int i = 1; i < op_.output_count(); ++i)
    last.push_back(op_.has_output(i) ? op_.output(i, x_.type(), state) : Operand());
  if (y && steps_.is_constant(0)) {
    KernelBuilder nothing;
    const Indices at = nothing.axes(y.shape());
    nothing.write(y, at, y.zero());
    op_.emit(nothing);
  }
  for (int d = 0; d < directions_; ++d) {
    RecurrentCell at(op_, *this, d);
    const std::vector<Expr> states = cell(at);
    const Index direction = d;
    if (y) {
      Expr value = states[0];
      if (op_.has_input(kLengths)) {
        const Expr length = Expr::cast(Type::i64, op_.input(kLengths).at({at.batch_}));
        const Expr runs = compare(Binary::lt, Expr::index(at.step_), length);
        value = Expr::select(runs, value, Expr::constant(value.type(), 0));
      }
      at.kernel_.write(y,
                       batch_first_ ? Indices{at.batch_, at.time_, direction, at.unit_}
                                    : Indices{at.time_, direction, at.batch_, at.unit_},
                       value);
    }
    for (size_t i = 0; i < last.size(); ++i) {
      if (!last[i]) continue;
      BURIN_CHECK(i < states.size(), "a state per output");
      Guard at_end;
      if (!at.step_.is_constant()) at_end.push_back({at.step_, steps_ - 1, steps_});
      at.kernel_.write(last[i], state_at(direction, at.batch_, at.unit_), states[i], at_end);
    }
    if (!steps_.is_constant(0)) op_.emit(at.kernel_);
    for (size_t i = 0; i < last.size(); ++i) {
      if (last[i]) keep_initial(last[i], rule_.initial_h + static_cast<int>(i), d);
    }
  }
}

// Of no steps the last state is the one before the first.
void Recurrence::keep_initial(const Operand& last, int initial, int direction) {
  if (proven_le(1, steps_)) return;
  KernelBuilder kernel;
  const Index batch = kernel.axis(batch_), unit = kernel.axis(hidden_);
  const Indices at = state_at(Index(direction), batch, unit);
  const Expr first = op_.has_input(initial) ? op_.input(initial).at(at) : last.zero();
  kernel.write(last, at, first, {{steps_, 0, 1}});
  op_.emit(kernel);
}

OpDef recurrent_op(std::string name, std::vector<Formal> inputs, std::vector<Formal> outputs,
                   std::vector<AttributeDef> attributes, void (*lower)(OpContext&)) {
  std::vector<Formal> all = {{"X", types::floats},
                             {"W", types::floats},
                             {"R", types::floats},
                             {"B", types::floats, Arity::optional},
                             {"sequence_lens", types::i32, Arity::optional}};
  all.insert(all.end(), inputs.begin(), inputs.end());
  std::vector<AttributeDef> known = {{"activation_alpha", AttributeKind::reals},
                                     {"activation_beta", AttributeKind::reals},
                                     {"activations", AttributeKind::texts},
                                     {"clip", AttributeKind::real},
                                     {"direction", AttributeKind::text},
                                     {"hidden_size", AttributeKind::integer},
                                     {"layout", AttributeKind::integer, false, since(14)},
                                     {"output_sequence", AttributeKind::integer, false, until(6)}};
  known.insert(known.end(), attributes.begin(), attributes.end());
  return {.name = std::move(name),
          .inputs = std::move(all),
          .outputs = std::move(outputs),
          .attributes = std::move(known),
          .lower = lower};
}

}  // namespace burin
