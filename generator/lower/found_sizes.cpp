// Nodes that find sizes in data, more than once the same: exporters write a NonZero for each use of
// a mask. A size of each would differ from the others for all that is known before the run, and
// every broadcast of two would ask which of them is 1.
#include <algorithm>

#include "lower/engine.h"
#include "lower/found_sizes.h"
#include "lower/origin.h"

namespace burin {
namespace {

bool same(const Attribute& a, const Attribute& b) {
  if (a.name != b.name || a.value.index() != b.value.index()) return false;
  return std::visit(
      [&](const auto& value) {
        using Kind = std::decay_t<decltype(value)>;
        if constexpr (std::is_same_v<Kind, Tensor> ||
                      std::is_same_v<Kind, std::shared_ptr<const Block>>) {
          return false;
        } else {
          return value == std::get<Kind>(b.value);
        }
      },
      a.value);
}

bool same_operator(const Node& a, const Node& b) {
  return a.op == b.op && a.domain == b.domain && a.version == b.version &&
         a.outputs.size() == b.outputs.size() &&
         std::equal(a.attributes.begin(), a.attributes.end(), b.attributes.begin(),
                    b.attributes.end(), same);
}

}  // namespace

std::vector<ValueId> values_of(const std::vector<Operand>& inputs) {
  std::vector<ValueId> out;
  for (const Operand& input : inputs) {
    if (input.tuple()) return {};
    out.push_back(input.value());
  }
  return out;
}

bool Engine::gives_found_sizes(const Node& node, const std::vector<Operand>& inputs) {
  const std::vector<ValueId> read = values_of(inputs);
  const auto given = [](const Node& one, size_t i) { return one.outputs[i] != kAbsent; };
  const auto alike = std::find_if(find_sizes_.begin(), find_sizes_.end(), [&](const auto& one) {
    if (one.inputs != read || !same_operator(*one.node, node)) return false;
    for (size_t i = 0; i < node.outputs.size(); ++i) {
      if (given(node, i) && !given(*one.node, i)) return false;
    }
    return true;
  });
  if (read.empty() || alike == find_sizes_.end()) return false;
  for (size_t i = 0; i < node.outputs.size(); ++i) {
    if (!given(node, i)) continue;
    const auto& before = bound_[static_cast<size_t>(alike->node->outputs[i])];
    bound_[static_cast<size_t>(node.outputs[i])] = before;
    paths_.place(node.outputs[i], {}, {});
  }
  NodeFacts facts = lowered_.nodes[alike->facts];
  facts.node = origin_of(node, graph_).node;
  lowered_.nodes.push_back(std::move(facts));
  return true;
}

}  // namespace burin
