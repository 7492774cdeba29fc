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

bool leaves_zeros(const KernelGraph& graph, ValueId id) {
  bool out = false;
  for_each_kernel(graph.steps, [&](const Kernel& kernel) {
    for (const Write& write : kernel.writes)
      out = out || (write.to == id && write.zeros_for_caller);
  });
  return out;
}

}  // namespace

std::vector<StateForm> state_forms(const KernelGraph& graph,
                                   const std::vector<CallerState>& states) {
  std::vector<StateForm> out;
  for (const CallerState& state : states) {
    const size_t input = number_of(graph, graph.inputs, state.input),
                 output = number_of(graph, graph.outputs, state.output);
    out.push_back({input, output, graph.values[at(graph.inputs[input])].shape,
                   graph.values[at(graph.outputs[output])].shape,
                   leaves_zeros(graph, graph.outputs[output])});
  }
  return out;
}

}  // namespace burin
