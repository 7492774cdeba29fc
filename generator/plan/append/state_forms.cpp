#include "plan/append/state_forms.h"

#include <algorithm>

#include "support/at.h"
#include "support/check.h"

namespace burin {
namespace {

size_t number_of(const KernelGraph& graph, const std::vector<ValueId>& list,
                 const std::string& name) {
  const auto found = std::find_if(list.begin(), list.end(),
                                  [&](ValueId id) { return graph.values[at(id)].name == name; });
  BURIN_CHECK(found != list.end(), "no side of a state is called " + name);
  return static_cast<size_t>(found - list.begin());
}

}  // namespace

std::vector<StateForm> state_forms(const KernelGraph& graph,
                                   const std::vector<CallerState>& states) {
  std::vector<StateForm> out;
  for (const CallerState& state : states) {
    const size_t input = number_of(graph, graph.inputs, state.input),
                 output = number_of(graph, graph.outputs, state.output);
    out.push_back({input, output, graph.values[at(graph.inputs[input])].shape,
                   graph.values[at(graph.outputs[output])].shape});
  }
  return out;
}

}  // namespace burin
