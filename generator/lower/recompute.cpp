// What an operator may ask of the block that it stands in (ops/api/layers/gradients.h).
#include <algorithm>
#include <map>
#include <set>

#include "kernel/place_of.h"
#include "lower/engine.h"
#include "ops/api/layers/gradients.h"
#include "support/diagnostics.h"

namespace burin {
namespace {

// The values that a block's nodes and formal inputs name; what is nearer hides what is not.
std::map<std::string, GraphValueId> names_of(const Block& block, const Graph& graph) {
  std::map<std::string, GraphValueId> out;
  const auto add = [&](GraphValueId id) {
    if (id != kAbsent) out.emplace(graph.values[static_cast<size_t>(id)].name, id);
  };
  for (const GraphValueId id : block.inputs) add(id);
  for (const Node& node : block.nodes) {
    for (const GraphValueId id : node.outputs) add(id);
  }
  for (const Node& node : block.nodes) {
    for (const GraphValueId id : reads_of(node)) add(id);
  }
  return out;
}

// The nodes that `wanted` is computed by from `given`, in order.
std::vector<const Node*> nodes_between(const Block& block, const std::vector<GraphValueId>& given,
                                       GraphValueId wanted) {
  const std::set<GraphValueId> stops(given.begin(), given.end());
  std::set<GraphValueId> open = {wanted};
  std::vector<const Node*> out;
  for (size_t i = block.nodes.size(); i-- > 0;) {
    const Node& node = block.nodes[i];
    const bool makes = std::any_of(node.outputs.begin(), node.outputs.end(), [&](GraphValueId id) {
      return id != kAbsent && open.contains(id) && !stops.contains(id);
    });
    if (!makes) continue;
    out.push_back(&node);
    for (const GraphValueId id : reads_of(node)) open.insert(id);
  }
  std::reverse(out.begin(), out.end());
  return out;
}

}  // namespace

GraphContext& graph_of(OpContext& op) { return dynamic_cast<GraphContext&>(op); }

Operand NodeContext::tensor(ValueId id) const {
  const Value& value = engine_.value(id);
  return Operand(id, value.type, value.shape);
}

Operand NodeContext::recompute(const std::vector<std::string>& inputs,
                               const std::vector<Operand>& arguments, const std::string& output) {
  has_region_ = true;
  const std::map<std::string, GraphValueId> names = names_of(*engine_.block_, engine_.graph_);
  const auto find = [&](const std::string& name) {
    const auto found = names.find(name);
    if (found == names.end()) refuse("graph", "there is no tensor " + quoted(name));
    return found->second;
  };
  std::vector<GraphValueId> given;
  for (const std::string& name : inputs) given.push_back(find(name));
  const GraphValueId wanted = find(output);
  const std::vector<const Node*> nodes = nodes_between(*engine_.block_, given, wanted);
  if (std::any_of(nodes.begin(), nodes.end(), [&](const Node* node) { return node == &node_; }))
    refuse("graph", quoted(output) + " is computed from what the node gives");
  // The block's own values come back afterwards.
  const size_t facts = engine_.lowered_.nodes.size();
  std::map<GraphValueId, std::optional<Operand>> before;
  const auto keep = [&](GraphValueId id) {
    if (id != kAbsent) before.emplace(id, engine_.bound_[static_cast<size_t>(id)]);
  };
  for (const GraphValueId id : given) keep(id);
  for (const Node* node : nodes) {
    for (const GraphValueId id : node->outputs) keep(id);
  }
  for (size_t i = 0; i < given.size(); ++i)
    engine_.bound_[static_cast<size_t>(given[i])] = arguments[i];
  ++engine_.depth_;
  for (const Node* node : nodes) {
    for (const GraphValueId id : reads_of(*node)) {
      const GraphValue& read = engine_.graph_.values[static_cast<size_t>(id)];
      if (!engine_.bound_[static_cast<size_t>(id)] && !read.constant)
        refuse("graph", quoted(read.name) + ", which " + quoted(output) +
                            " depends on, is computed after the node");
    }
    engine_.path_.push_back({node->number, node->name, node->op});
    at_place([&] { return locate(engine_.path_); }, [&] { engine_.lower_node(*node); });
    engine_.path_.pop_back();
  }
  --engine_.depth_;
  const Operand result = engine_.operand_of(wanted);
  for (auto& [id, operand] : before) engine_.bound_[static_cast<size_t>(id)] = std::move(operand);
  engine_.lowered_.nodes.resize(facts);
  return result;
}

}  // namespace burin
