#include "layout/layout_lock.h"

#include <algorithm>
#include <map>

#include "fuse/attention.h"
#include "support/diagnostics.h"

namespace burin {
namespace {

// Of every value.
std::vector<std::string> keys_of(const KernelGraph& graph) {
  std::map<std::string, int> seen;
  std::vector<std::string> keys;
  for (const Value& value : graph.values) {
    const int number = ++seen[value.name];
    keys.push_back(number == 1 ? value.name : value.name + "#" + std::to_string(number));
  }
  return keys;
}

bool uses(const Step& step, ValueId id) {
  const std::vector<ValueId> reads = reads_of(step), writes = writes_of(step);
  return std::find(reads.begin(), reads.end(), id) != reads.end() ||
         std::find(writes.begin(), writes.end(), id) != writes.end();
}

// Values that fusion left over are still in the list.
bool is_used(const KernelGraph& graph, ValueId id) {
  return std::any_of(graph.steps.begin(), graph.steps.end(),
                     [&](const Step& step) { return uses(step, id); });
}

// Attention packs in an order of its own (layout/layout_plan.h).
bool attention_uses(const KernelGraph& graph, ValueId id) {
  return std::any_of(graph.steps.begin(), graph.steps.end(), [&](const Step& step) {
    const Kernel* kernel = std::get_if<Kernel>(&step);
    return kernel && find_attention(*kernel, graph.values) && uses(step, id);
  });
}

}  // namespace

NamedLayouts named_layouts(const Layouts& layouts, const KernelGraph& graph) {
  const std::vector<std::string> keys = keys_of(graph);
  NamedLayouts out;
  for (const auto& [id, layout] : layouts)
    out.emplace_back(keys[static_cast<size_t>(id)], to_string(layout));
  return out;
}

Layouts locked_layouts(const NamedLayouts& named, const KernelGraph& graph) {
  const std::vector<std::string> keys = keys_of(graph);
  const std::vector<ValueId> free = free_values(graph);
  Layouts out;
  for (const auto& [name, text] : named) {
    const auto at = std::find(keys.begin(), keys.end(), name);
    if (at == keys.end() || !is_used(graph, static_cast<ValueId>(at - keys.begin())))
      refuse("plan-lock",
             "--plan-lock: there is no tensor " + quoted(name) + " between kernels of this model");
    const auto id = static_cast<ValueId>(at - keys.begin());
    if (!std::binary_search(free.begin(), free.end(), id) || attention_uses(graph, id))
      refuse("plan-lock", "--plan-lock: the layout of tensor " + quoted(name) + " is not free");
    const std::vector<Dim>& shape = graph.values[static_cast<size_t>(id)].shape;
    const std::optional<Layout> layout = layout_from_string(text, shape.size());
    if (!layout)
      refuse("plan-lock", "--plan-lock: " + quoted(text) + " is no layout of tensor " +
                              quoted(name) + ", which has " + std::to_string(shape.size()) +
                              " dimensions");
    for (const Layout::Block& block : layout->blocks) {
      const Dim& size = shape[static_cast<size_t>(block.axis)];
      if (!mod(size, block.factor).is_constant(0))
        refuse("plan-lock", "--plan-lock: blocks of " + std::to_string(block.factor) +
                                " do not divide " + to_string(size) + ", dimension " +
                                std::to_string(block.axis) + " of tensor " + quoted(name));
    }
    if (!layout->is_row_major()) out[id] = *layout;
  }
  return out;
}

}  // namespace burin
