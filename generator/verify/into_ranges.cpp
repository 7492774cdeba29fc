#include "verify/into_ranges.h"

#include <algorithm>
#include <optional>

#include "kernel/index/size_bound.h"

namespace burin {
std::optional<InputElement> only_element(const Expr& value, const KernelGraph& graph,
                                         const std::vector<HostTensor>& inputs) {
  std::optional<InputElement> found;
  int loads = 0;
  visit_distinct(value, [&](const ExprNode& node) {
    if (node.kind != ExprKind::load || ++loads > 1) return;
    const auto input = std::find(graph.inputs.begin(), graph.inputs.end(), node.id);
    if (input == graph.inputs.end()) return;
    InputElement one{static_cast<size_t>(input - graph.inputs.begin()), 0};
    for (size_t d = 0; d < node.at.size(); ++d) {
      if (!node.at[d].is_constant()) return;
      one.number = one.number * inputs[one.input].shape[d] + node.at[d].constant();
    }
    if (one.number >= 0 && one.number < inputs[one.input].elements()) found = one;
  });
  return loads == 1 ? found : std::nullopt;
}

Range range_of(const SymbolInfo& symbol, const SampleSizes& sizes) {
  const std::optional<Dim> bound =
      symbol.most ? bound_before_run(*symbol.most) : std::optional<Dim>();
  int64_t most = symbol.max;
  if (bound) {
    most = std::min(most, bound->evaluate([&](const Index& leaf) {
      const auto at = sizes.find(leaf.as_symbol()->name);
      return at == sizes.end() ? leaf.range().hi : at->second;
    }));
  }
  return {symbol.min, std::max(symbol.min, most)};
}

void into_ranges(const KernelGraph& graph, const SampleSizes& sizes,
                 std::vector<HostTensor>& inputs) {
  for (const Step& step : graph.steps) {
    const auto* bind = std::get_if<Bind>(&step);
    if (!bind) continue;
    const std::optional<InputElement> element = only_element(bind->value, graph, inputs);
    if (!element || is_float(inputs[element->input].type)) continue;
    HostTensor& input = inputs[element->input];
    const int64_t number = input.get(element->number).integer;
    const Range range = range_of(*bind->symbol, sizes);
    if (number < range.lo || number > range.hi)
      input.set(element->number, {0, std::clamp(number, range.lo, range.hi)});
  }
}

}  // namespace burin
