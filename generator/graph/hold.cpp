#include "graph/hold.h"

#include <algorithm>

#include "support/check.h"

namespace burin {

Graph hold_input(Graph graph, GraphValueId input, Tensor tensor) {
  std::vector<GraphValueId>& inputs = graph.block.inputs;
  const auto at = std::find(inputs.begin(), inputs.end(), input);
  BURIN_CHECK(at != inputs.end(), "not an input");
  GraphValue& value = graph.values[static_cast<size_t>(input)];
  bool fits = value.type == Type::none || value.type == tensor.type;
  if (value.shape) {
    fits = fits && value.shape->size() == tensor.shape.size();
    for (size_t d = 0; fits && d < tensor.shape.size(); ++d) {
      const Dim& said = (*value.shape)[d];
      fits = !said.is_constant() || said.is_constant(tensor.shape[d]);
    }
  }
  if (!fits) {
    refuse("shape-mismatch",
           "the tensor for input " + quoted(value.name) + " has another type or shape");
  }
  value.type = tensor.type;
  value.shape = std::vector<Dim>(tensor.shape.begin(), tensor.shape.end());
  value.constant = std::move(tensor);
  inputs.erase(at);
  return graph;
}

}  // namespace burin
