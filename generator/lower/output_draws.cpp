#include "lower/output_draws.h"

#include <algorithm>
#include <set>
#include <string>

namespace burin {
namespace {

// Values and symbols that follow from draws: whatever is computed from one of them, or where one of
// them decides what runs.
class Follower {
 public:
  explicit Follower(const Lowered& lowered) : graph_(lowered.graph) {
    for (const DrawnValue& draw : lowered.draws) values_.insert(draw.value);
  }

  // What loops carry follows from draws once an iteration has made it so.
  void run() {
    size_t known;
    do {
      known = values_.size() + symbols_.size();
      follow(graph_.steps, false);
    } while (values_.size() + symbols_.size() > known);
  }

  bool is_drawn(ValueId value) const { return values_.contains(value); }
  bool is_drawn(const Dim& dim) const {
    std::vector<Symbol> symbols;
    dim.collect_symbols(symbols);
    return std::any_of(symbols.begin(), symbols.end(),
                       [&](const Symbol& symbol) { return symbols_.contains(symbol->name); });
  }

 private:
  bool is_drawn(const Expr& expr) const {
    bool found = false;
    visit(expr, [&](const ExprNode& node) {
      found = found || (node.kind == ExprKind::load && is_drawn(node.id));
    });
    return found;
  }

  bool uses(const Step& step) const {
    const std::vector<ValueId> reads = reads_of(step);
    const std::vector<Symbol> symbols = symbols_of(step);
    return std::any_of(reads.begin(), reads.end(), [&](ValueId id) { return is_drawn(id); }) ||
           std::any_of(symbols.begin(), symbols.end(),
                       [&](const Symbol& symbol) { return symbols_.contains(symbol->name); });
  }

  void follow(const Steps& steps, bool outside) {
    for (const Step& step : steps) {
      if (const auto* branch = std::get_if<std::shared_ptr<If>>(&step)) {
        const bool inside = outside || is_drawn((*branch)->condition);
        follow((*branch)->then_steps, inside);
        follow((*branch)->else_steps, inside);
      } else if (const auto* loop = std::get_if<std::shared_ptr<Loop>>(&step)) {
        const bool stops = (*loop)->condition && is_drawn((*loop)->condition);
        const bool inside = outside || stops || is_drawn((*loop)->trips);
        if (inside && (*loop)->executed) symbols_.insert((*loop)->executed->name);
        follow((*loop)->body, inside);
      } else if (outside || uses(step)) {
        for (const ValueId id : writes_of(step)) values_.insert(id);
        if (const auto* bind = std::get_if<Bind>(&step)) symbols_.insert(bind->symbol->name);
        if (const auto* procedure = std::get_if<Procedure>(&step)) {
          for (const Symbol& symbol : procedure->results) symbols_.insert(symbol->name);
        }
      }
    }
  }

  const KernelGraph& graph_;
  std::set<ValueId> values_;
  std::set<std::string> symbols_;
};

// The value that an output is a plain copy of, or the output itself.
ValueId source_of(const KernelGraph& graph, ValueId output) {
  ValueId source = output;
  for (const Step& step : graph.steps) {
    const auto* kernel = std::get_if<Kernel>(&step);
    if (!kernel || kernel->writes.size() != 1 || kernel->writes[0].to != output) continue;
    const Write& write = kernel->writes[0];
    if (kernel->lets.empty() && write.how == How::store && write.when.empty() &&
        write.value.kind() == ExprKind::load && write.value->at == write.at)
      source = write.value->id;
  }
  return source;
}

}  // namespace

std::vector<OutputDraw> output_draws(const Lowered& lowered) {
  const KernelGraph& graph = lowered.graph;
  std::vector<OutputDraw> out(graph.outputs.size());
  if (lowered.draws.empty()) return out;
  Follower follower(lowered);
  follower.run();
  for (size_t k = 0; k < out.size(); ++k) {
    const ValueId output = graph.outputs[k];
    const std::vector<Dim>& shape = graph.values[static_cast<size_t>(output)].shape;
    out[k].shape_depends = std::any_of(shape.begin(), shape.end(),
                                       [&](const Dim& dim) { return follower.is_drawn(dim); });
    const ValueId source = source_of(graph, output);
    out[k].depends = follower.is_drawn(output) || follower.is_drawn(source);
    for (const DrawnValue& draw : lowered.draws) {
      if (draw.value == source || draw.value == output) out[k].distribution = draw.distribution;
    }
  }
  return out;
}

}  // namespace burin
