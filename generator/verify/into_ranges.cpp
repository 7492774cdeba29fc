#include "verify/into_ranges.h"

#include <algorithm>
#include <optional>

#include "kernel/index/size_bound.h"

namespace burin {
namespace {

struct Element {
  size_t input = 0;
  int64_t number = 0;  // row-major
};

// The only element that the value is made of, where it is one of an input and its place is a
// number.
std::optional<Element> only_element(const Expr& value, const KernelGraph& graph,
                                    const std::vector<HostTensor>& inputs) {
  std::optional<Element> found;
  int loads = 0;
  visit_distinct(value, [&](const ExprNode& node) {
    if (node.kind != ExprKind::load || ++loads > 1) return;
    const auto input = std::find(graph.inputs.begin(), graph.inputs.end(), node.id);
    if (input == graph.inputs.end()) return;
    Element one{static_cast<size_t>(input - graph.inputs.begin()), 0};
    for (size_t d = 0; d < node.at.size(); ++d) {
      if (!node.at[d].is_constant()) return;
      one.number = one.number * inputs[one.input].shape[d] + node.at[d].constant();
    }
    if (one.number >= 0 && one.number < inputs[one.input].elements()) found = one;
  });
  return loads == 1 ? found : std::nullopt;
}

int64_t most_of(const SymbolInfo& symbol, const SampleSizes& sizes) {
  const std::optional<Dim> most =
      symbol.most ? bound_before_run(*symbol.most) : std::optional<Dim>();
  if (!most) return symbol.max;
  return std::min(symbol.max, most->evaluate([&](const Index& leaf) {
    const auto at = sizes.find(leaf.as_symbol()->name);
    return at == sizes.end() ? leaf.range().hi : at->second;
  }));
}

}  // namespace

void into_ranges(const KernelGraph& graph, const SampleSizes& sizes,
                 std::vector<HostTensor>& inputs) {
  for (const Step& step : graph.steps) {
    const auto* bind = std::get_if<Bind>(&step);
    if (!bind) continue;
    const std::optional<Element> element = only_element(bind->value, graph, inputs);
    if (!element || is_float(inputs[element->input].type)) continue;
    HostTensor& input = inputs[element->input];
    const int64_t number = input.get(element->number).integer;
    const int64_t least = bind->symbol->min;
    const int64_t most = std::max(least, most_of(*bind->symbol, sizes));
    if (number < least || number > most)
      input.set(element->number, {0, std::clamp(number, least, most)});
  }
}

}  // namespace burin
