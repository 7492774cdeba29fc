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

std::vector<Type> narrowest_output_types(const KernelGraph& lowered) {
  std::vector<Type> narrowest(lowered.values.size(), Type::none);
  const auto coarser = [](Type a, Type b) {
    return b == Type::none || a == Type::bf16 ? a : b;  // bf16 has fewer digits
  };
  for (bool changed = true; changed;) {
    changed = false;
    for_each_step(lowered.steps, [&](const Step& step) {
      Type from = Type::none;
      for (const ValueId id : reads_of(step))
        from = coarser(from, narrowest[static_cast<size_t>(id)]);
      for (const ValueId id : writes_of(step)) {
        const Type own = lowered.values[static_cast<size_t>(id)].type;
        // What conditions, places and bytes are made of is not in their digits.
        if (!is_float(own)) continue;
        Type& known = narrowest[static_cast<size_t>(id)];
        Type now = coarser(known, from);
        if (own == Type::f16 || own == Type::bf16) now = coarser(now, own);
        changed = changed || now != known;
        known = now;
      }
    });
  }
  std::vector<Type> out;
  for (const ValueId id : lowered.outputs) out.push_back(narrowest[static_cast<size_t>(id)]);
  return out;
}

}  // namespace burin
