// Scan: a nested graph over the slices of its inputs, with carried values and values that every
// iteration emits, stacked along an axis. Opset 8 has a batch dimension in front, scanned one entry
// after the other and to an end of its own, and no axes.
#include "ops/api/core/op_def.h"
#include "ops/api/core/region.h"
#include "ops/api/loops/emitted_extents.h"
#include "support/diagnostics.h"

namespace burin::scan_op {
namespace {

class ScanLowering {
 public:
  explicit ScanLowering(OpContext& op) : op_(op), block_(op.block("body")) {
    batched_ = op.version() < 9;
    first_ = batched_ ? 1 : 0;
    const int64_t scanned = op.integer("num_scan_inputs");
    const int given = op.input_count() - first_;
    if (scanned < 1 || scanned > given)
      refuse("bad-attribute", "num_scan_inputs is " + std::to_string(scanned));
    scanned_ = static_cast<size_t>(scanned);
    carried_ = static_cast<size_t>(given) - scanned_;
    if (block_.inputs.size() != carried_ + scanned_ || block_.outputs.size() < carried_ ||
        op.output_count() > static_cast<int>(block_.outputs.size()))
      refuse("arity", "the body does not fit the node's inputs and outputs");
    emitted_ = block_.outputs.size() - carried_;
    read_axes();
    if (has_lengths()) {
      if (op.input(0).rank() != 1) refuse("shape-mismatch", "sequence_lens has not rank 1");
      op.require_equal(op.input(0).dim(0), batch_, "number of sequence lengths");
    }
  }

  void lower() {
    if (!batched_) return lower_sequence({});
    const auto outer = make_loop(op_, batch_);
    outer->body = collected(op_, [&] { lower_sequence({Index::symbol(outer->iteration)}); });
    // What the outputs need is declared outside.
    for (Step& step : declared_) op_.emit(std::move(step));
    if (!batch_.is_constant(0)) op_.emit(Step(outer));
  }

 private:
  // Whether sequences end before the steps do.
  bool has_lengths() const { return batched_ && op_.has_input(0); }
  Operand scan_input(size_t k) const { return op_.input(first_ + static_cast<int>(carried_ + k)); }

  std::vector<bool> directions(const char* name, size_t count) const {
    std::vector<bool> out(count);
    const std::vector<int64_t> given = op_.integers(name, std::vector<int64_t>(count, 0));
    if (given.size() != count) refuse("bad-attribute", std::string(name) + " has a wrong length");
    for (size_t k = 0; k < count; ++k) {
      if (given[k] != 0 && given[k] != 1)
        refuse("bad-attribute", std::string(name) + " has " + std::to_string(given[k]) +
                                    ", which is neither 0 (forward) nor 1 (backward)");
      out[k] = given[k] == 1;
    }
    return out;
  }

  void read_axes() {
    reverse_in_ = directions(batched_ ? "directions" : "scan_input_directions", scanned_);
    reverse_out_ = directions("scan_output_directions", emitted_);
    const int lead = batched_ ? 1 : 0;
    const std::vector<int64_t> axes =
        op_.integers("scan_input_axes", std::vector<int64_t>(scanned_, lead));
    if (axes.size() != scanned_) refuse("bad-attribute", "scan_input_axes has a wrong length");
    for (size_t k = 0; k < scanned_; ++k) {
      const Operand x = scan_input(k);
      axes_in_.push_back(static_cast<size_t>(normalize_axis(axes[k], x.rank(), "scan_input_axes")));
      const Dim& extent = x.shape()[axes_in_.back()];
      if (k == 0) steps_ = extent;
      op_.require_equal(extent, steps_, "length of the scanned inputs");
      if (!batched_) continue;
      if (k == 0) batch_ = x.dim(0);
      op_.require_equal(x.dim(0), batch_, "batch");
    }
    axes_out_ = op_.integers("scan_output_axes", std::vector<int64_t>(emitted_, 0));
    if (axes_out_.size() != emitted_)
      refuse("bad-attribute", "scan_output_axes has a wrong length");
  }

  // One sequence; `prefix` is the batch entry of opset 8.
  void lower_sequence(const Indices& prefix) {
    std::vector<Operand> states;
    // Apart: while the body is lowered, this is not all that they ever are.
    Steps before = collected(op_, [&] { states = make_states(prefix); });
    const Dim length = length_of(prefix);
    const auto loop = make_loop(op_, length);
    const Index now = Index::symbol(loop->iteration);
    std::vector<Operand> results;
    loop->body = collected(op_, [&] {
      std::vector<Operand> arguments = states;
      for (size_t k = 0; k < scanned_; ++k) arguments.push_back(slice(k, prefix, now, length));
      results = op_.inline_block(block_, arguments);
      for (size_t k = 0; k < carried_; ++k) {
        check_state(states[k], results[k]);
        for (size_t d = 0; d < states[k].shape().size(); ++d) {
          op_.require_equal(results[k].shape()[d], states[k].shape()[d],
                            "extent of a carried value");
        }
      }
    });
    for (size_t k = 0; k < emitted_; ++k) stack(k, results[carried_ + k], prefix, now, *loop);
    op_.collect(loop->body, [&] {
      update_states(op_, states,
                    {results.begin(), results.begin() + static_cast<std::ptrdiff_t>(carried_)});
    });
    for (Step& step : before) op_.emit(std::move(step));
    if (!loop->trips.is_constant(0)) op_.emit(Step(loop));
    for (size_t k = 0; k < carried_; ++k) {
      Shape shape = states[k].shape();
      if (!prefix.empty()) shape.insert(shape.begin(), batch_);
      const Operand y = declare(static_cast<int>(k), states[k].type(), shape);
      copy_into(op_, states[k], y, prefix);
      // Without sequences nobody else writes it.
      if (batched_ && batch_.is_constant(0)) op_.collect(declared_, [&] { fill_zero(op_, y); });
    }
  }

  Operand declare(int number, Type type, const Shape& shape) {
    if (!batched_) return op_.output(number, type, shape);
    Operand y;
    op_.collect(declared_, [&] { y = op_.output(number, type, shape); });
    return y;
  }

  std::vector<Operand> make_states(const Indices& prefix) {
    const std::ptrdiff_t lead = static_cast<std::ptrdiff_t>(prefix.size());
    std::vector<Operand> states;
    for (size_t k = 0; k < carried_; ++k) {
      const Operand from = op_.input(first_ + static_cast<int>(k));
      if (from.rank() < lead) refuse("shape-mismatch", "an initial state has no batch dimension");
      if (batched_) op_.require_equal(from.dim(0), batch_, "batch of an initial state");
      const Operand state = op_.temporary("state" + std::to_string(k), from.type(),
                                          Shape(from.shape().begin() + lead, from.shape().end()));
      op_.map(state, [&](const Indices& at) {
        Indices place = prefix;
        place.insert(place.end(), at.begin(), at.end());
        return from.at(place);
      });
      states.push_back(state);
    }
    return states;
  }

  // How many steps a sequence has.
  Dim length_of(const Indices& prefix) {
    if (!has_lengths()) return steps_;
    const Symbol length = op_.run_symbol("length", {0, steps_});
    const Expr given = op_.input(0).at(prefix);
    op_.bind(length, max(min(given, Expr::index(steps_)), Expr::constant(Type::i64, 0)));
    return Index::symbol(length);
  }

  Operand slice(size_t k, const Indices& prefix, const Index& now, const Dim& length) {
    const Operand x = scan_input(k);
    const size_t axis = axes_in_[k];
    Shape shape = x.shape();
    shape.erase(shape.begin() + static_cast<std::ptrdiff_t>(axis));
    if (!prefix.empty()) shape.erase(shape.begin());
    const Operand part = op_.temporary("slice" + std::to_string(k), x.type(), shape);
    op_.map(part, [&](const Indices& at) {
      Indices place = prefix;
      place.insert(place.end(), at.begin(), at.end());
      place.insert(place.begin() + static_cast<std::ptrdiff_t>(axis),
                   reverse_in_[k] ? length - 1 - now : now);
      return x.at(place);
    });
    return part;
  }

  // Those that the body binds are the ones of its first run, of the first sequence.
  Shape extents_of_first(const Shape& extents, const Indices& prefix, const Index& now,
                         Loop& loop) {
    const Varies varies = varies_in(loop.body, {loop.iteration->name});
    Index counted = now;
    for (const Index& sequence : prefix) counted = counted + sequence;
    const Expr is_first = compare(Binary::eq, Expr::index(counted), Expr::index(0));
    Shape out;
    for (const Dim& extent : extents) {
      out.push_back(extent);
      if (!varies(extent)) continue;
      Symbol kept;
      const auto make = [&] { kept = extent_of_first(op_, extent, varies); };
      batched_ ? op_.collect(declared_, make) : make();
      op_.collect(loop.body, [&] { keep_extent(op_, kept, extent, is_first); });
      out.back() = Index::symbol(kept);
    }
    return out;
  }

  void stack(size_t k, const Operand& each, const Indices& prefix, const Index& now, Loop& loop) {
    const int axis = normalize_axis(axes_out_[k], each.rank() + 1, "scan_output_axes");
    Shape shape = extents_of_first(each.shape(), prefix, now, loop);
    shape.insert(shape.begin() + axis, steps_);
    if (!prefix.empty()) shape.insert(shape.begin(), batch_);
    Operand y;
    const Steps checks =
        collected(op_, [&] { y = op_.output(static_cast<int>(carried_ + k), each.type(), shape); });
    const auto check = [&] { check_emitted(op_, checks, loop.body); };
    batched_ ? op_.collect(declared_, check) : check();
    // What lies behind the end of a sequence, and what no step writes.
    const auto fill = [&] { fill_zero(op_, y); };
    if (has_lengths() || product(shape).is_constant(0))
      batched_ ? op_.collect(declared_, fill) : fill();
    op_.collect(loop.body, [&] {
      KernelBuilder kernel;
      const Indices at = kernel.axes(each.shape());
      Indices place = at;
      place.insert(place.begin() + axis, reverse_out_[k] ? steps_ - 1 - now : now);
      place.insert(place.begin(), prefix.begin(), prefix.end());
      kernel.write(y, place, each.at(at));
      op_.emit(kernel);
    });
  }

  OpContext& op_;
  const Block& block_;
  bool batched_ = false;
  int first_ = 0;
  size_t carried_ = 0, scanned_ = 0, emitted_ = 0;
  Dim steps_, batch_;
  std::vector<size_t> axes_in_;
  std::vector<int64_t> axes_out_;
  std::vector<bool> reverse_in_, reverse_out_;
  Steps declared_;
};

void lower(OpContext& op) { ScanLowering(op).lower(); }

}  // namespace

OpDef definition() {
  return {.name = "Scan",
          .since = 8,
          .inputs = {{"sequence_lens", types::i64, Arity::optional, until(8)},
                     {"initial_state_and_scan_inputs", types::tensors, Arity::variadic}},
          .outputs = {{"final_state_and_scan_outputs", types::tensors, Arity::variadic}},
          .attributes = {{"body", AttributeKind::block, true},
                         {"num_scan_inputs", AttributeKind::integer, true},
                         {"directions", AttributeKind::integers, false, until(8)},
                         {"scan_input_axes", AttributeKind::integers, false, since(9)},
                         {"scan_input_directions", AttributeKind::integers, false, since(9)},
                         {"scan_output_axes", AttributeKind::integers, false, since(9)},
                         {"scan_output_directions", AttributeKind::integers, false, since(9)}},
          .lower = lower};
}

}  // namespace burin::scan_op
