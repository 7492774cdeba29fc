// Nested graphs: lowered with operands for their inputs, and BranchContext, where one is lowered to
// see whether it can be.
#include <algorithm>

#include "lower/engine.h"
#include "ops/api/core/branches.h"
#include "support/diagnostics.h"

namespace burin {
namespace {

// A number that the nested graph declares as a list of one (tf2onnx: the iteration of a Loop).
Operand of_declared_rank(OpContext& op, const GraphValue& formal, const Operand& given) {
  if (given.tuple() || given.rank() != 0 || !formal.shape || formal.shape->empty()) return given;
  const bool one = std::all_of(formal.shape->begin(), formal.shape->end(),
                               [](const Dim& dim) { return dim.is_constant(1); });
  if (!one) return given;
  const Operand list = op.temporary(formal.name, given.type(), *formal.shape);
  op.map(list, [&](const Indices&) { return given.scalar(); });
  if (const auto known = op.known_of(given)) op.set_known_of(list, *known);
  return list;
}

}  // namespace

BranchContext& branches_of(OpContext& op) { return dynamic_cast<BranchContext&>(op); }

std::vector<Operand> NodeContext::inline_block(const Block& block,
                                               const std::vector<Operand>& arguments) {
  has_region_ = true;
  if (block.inputs.size() != arguments.size()) {
    refuse("arity", "the nested graph takes " + std::to_string(block.inputs.size()) +
                        " inputs, the operator gives " + std::to_string(arguments.size()));
  }
  for (size_t i = 0; i < arguments.size(); ++i) {
    // What an optional is expected of may be there as it is.
    const Tuple* tuple = arguments[i].tuple();
    const bool optional = tuple && tuple->kind == Tuple::Kind::optional;
    const GraphValueId id = block.inputs[i];
    const GraphValue& formal = engine_.graph_.values[static_cast<size_t>(id)];
    const bool wraps = formal.container == "optional" && !optional;
    engine_.bound_[static_cast<size_t>(id)] =
        wraps ? Operand(Tuple{Tuple::Kind::optional, {arguments[i]}})
              : of_declared_rank(*this, formal, arguments[i]);
  }
  // A node before its own blocks: what is refused in one of them names the way to it.
  for (const Attribute& attribute : node_.attributes) {
    const auto* held = std::get_if<std::shared_ptr<const Block>>(&attribute.value);
    if (held && held->get() == &block) engine_.path_.back().attribute = attribute.name;
  }
  ++engine_.depth_;
  engine_.lower_block(block);
  --engine_.depth_;
  std::vector<Operand> results;
  for (const GraphValueId id : block.outputs) results.push_back(engine_.operand_of(id));
  engine_.path_.back().attribute = {};
  return results;
}

// Unlike attempt(), which copies what is known of all values, this takes away what was added. What
// a branch makes nobody else reads; constants from around it that it was the first to read others
// do. Names that it took stay taken.
void NodeContext::attempt_all(const std::function<void()>& body) {
  Engine& engine = engine_;
  Lowered& lowered = engine.lowered_;
  const int emitted = emitted_, depth = engine.depth_;
  Steps* const steps = engine.steps_;
  const size_t outer = engine.outer_.size(), step_count = steps->size(),
               values = lowered.graph.values.size(), nodes = lowered.nodes.size(),
               draws = lowered.draws.size(), notes = lowered.notes.size(),
               equations = engine.equations_.size(), elements = engine.bound_elements_.size(),
               run_symbols = engine.run_symbols_.size(), first_read = engine.first_read_.size();
  try {
    body();
  } catch (const Refused&) {
    emitted_ = emitted;
    engine.depth_ = depth;
    engine.steps_ = steps;
    engine.outer_.resize(outer);
    engine.path_.back().attribute = {};
    steps->resize(step_count);
    lowered.graph.values.resize(values);
    lowered.nodes.resize(nodes);
    lowered.draws.resize(draws);
    for (size_t i = notes; i < lowered.notes.size(); ++i)
      engine.noted_.erase(to_warning(lowered.notes[i]));
    lowered.notes.resize(notes);
    engine.equations_.resize(equations);
    engine.bound_elements_.resize(elements);
    engine.run_symbols_.resize(run_symbols);
    for (size_t i = first_read; i < engine.first_read_.size(); ++i)
      engine.bound_[static_cast<size_t>(engine.first_read_[i])].reset();
    engine.first_read_.resize(first_read);
    const auto is_gone = [&](const auto& one) { return static_cast<size_t>(one.first) >= values; };
    std::erase_if(engine.known_, is_gone);
    std::erase_if(engine.filled_, is_gone);
    throw;
  }
}

void NodeContext::splice(Steps steps) {
  has_region_ = true;
  for (Step& step : steps) engine_.steps_->push_back(std::move(step));
}

void NodeContext::warn(std::string_view rule, std::string text) {
  engine_.note({locate(engine_.path_), std::string(rule), std::move(text), {}});
}

}  // namespace burin
