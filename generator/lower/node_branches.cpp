// BranchContext: a nested graph that is lowered to see whether it can be one.
#include "lower/engine.h"
#include "ops/api/core/branches.h"

namespace burin {

BranchContext& branches_of(OpContext& op) { return dynamic_cast<BranchContext&>(op); }

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
