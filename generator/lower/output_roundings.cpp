#include "lower/output_roundings.h"

#include <set>

namespace burin {

std::vector<Roundings> output_roundings(const Graph& graph, const KernelGraph& lowered) {
  // What lowering takes from the file it does not copy; what it folds has bytes of its own.
  std::set<const std::byte*> given;
  for (const GraphValue& value : graph.values) {
    if (value.constant) given.insert(value.constant->content.data);
  }
  const std::vector<Roundings> values = roundings_of(lowered, [&](ValueId id) {
    return given.contains(lowered.values[static_cast<size_t>(id)].constant.data);
  });
  std::vector<Roundings> out;
  for (const ValueId id : lowered.outputs) out.push_back(values[static_cast<size_t>(id)]);
  return out;
}

}  // namespace burin
