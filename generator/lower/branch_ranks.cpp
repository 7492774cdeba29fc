#include "lower/branch_ranks.h"

#include <algorithm>
#include <map>
#include <set>

#include "graph/path.h"
#include "support/diagnostics.h"

namespace burin {
namespace {

// Nodes that may be copied; each round at most doubles what there is.
constexpr size_t kMostCopied = 20'000;
constexpr int kMostRounds = 6;

using Ids = std::set<GraphValueId>;

bool uses(const Block& block, const Ids& ids);

bool uses(const Node& node, const Ids& ids) {
  for (const GraphValueId id : node.inputs) {
    if (ids.contains(id)) return true;
  }
  for (const Attribute& attribute : node.attributes) {
    const auto* nested = std::get_if<std::shared_ptr<const Block>>(&attribute.value);
    if (nested && uses(**nested, ids)) return true;
  }
  return false;
}

bool uses(const Block& block, const Ids& ids) {
  for (const Node& node : block.nodes) {
    if (uses(node, ids)) return true;
  }
  for (const GraphValueId id : block.outputs) {
    if (ids.contains(id)) return true;
  }
  return false;
}

size_t count_nodes(const Node& node);

size_t count_nodes(const Block& block) {
  size_t count = 0;
  for (const Node& node : block.nodes) count += count_nodes(node);
  return count;
}

size_t count_nodes(const Node& node) {
  size_t count = 1;
  for (const Attribute& attribute : node.attributes) {
    if (const auto* nested = std::get_if<std::shared_ptr<const Block>>(&attribute.value))
      count += count_nodes(**nested);
  }
  return count;
}

// Copies of nodes for one branch: what they give has values of its own there.
class Copies {
 public:
  Copies(Graph& graph, std::map<GraphValueId, GraphValueId> stand_ins)
      : graph_(graph), stand_ins_(std::move(stand_ins)) {}

  GraphValueId now(GraphValueId id) const {
    const auto found = stand_ins_.find(id);
    return found == stand_ins_.end() ? id : found->second;
  }

  Node copy(const Node& node) {
    Node out = node;
    for (GraphValueId& id : out.inputs) id = now(id);
    for (Attribute& attribute : out.attributes) {
      auto* nested = std::get_if<std::shared_ptr<const Block>>(&attribute.value);
      if (nested) *nested = std::make_shared<const Block>(copy(**nested));
    }
    for (GraphValueId& id : out.outputs) id = id == kAbsent ? id : fresh(id);
    return out;
  }

 private:
  Block copy(const Block& block) {
    Block out;
    out.name = block.name;
    for (const GraphValueId id : block.inputs) out.inputs.push_back(fresh(id));
    for (const Node& node : block.nodes) out.nodes.push_back(copy(node));
    for (const GraphValueId id : block.outputs) out.outputs.push_back(now(id));
    return out;
  }

  GraphValueId fresh(GraphValueId id) {
    GraphValue value = graph_.values[static_cast<size_t>(id)];
    value.shape.reset();  // it was declared for one rank
    graph_.values.push_back(std::move(value));
    return stand_ins_[id] = static_cast<GraphValueId>(graph_.values.size() - 1);
  }

  Graph& graph_;
  std::map<GraphValueId, GraphValueId> stand_ins_;
};

std::vector<Attribute*> branches_of(Node& node) {
  std::vector<Attribute*> out;
  for (Attribute& attribute : node.attributes) {
    const auto* nested = std::get_if<std::shared_ptr<const Block>>(&attribute.value);
    if (!nested) continue;
    if (!(*nested)->inputs.empty() || (*nested)->outputs.size() != node.outputs.size()) return {};
    out.push_back(&attribute);
  }
  return out.size() == 2 ? out : std::vector<Attribute*>();
}

}  // namespace

bool put_rest_into_branches(Graph& graph, Block& block, size_t at) {
  std::vector<Node>& nodes = block.nodes;
  const std::vector<Attribute*> branches = branches_of(nodes[at]);
  if (branches.empty()) return false;
  Ids following(nodes[at].outputs.begin(), nodes[at].outputs.end());
  following.erase(kAbsent);
  std::vector<Node> rest, others(nodes.begin() + static_cast<std::ptrdiff_t>(at) + 1, nodes.end());
  std::erase_if(others, [&](const Node& node) {
    if (!uses(node, following)) return false;
    following.insert(node.outputs.begin(), node.outputs.end());
    following.erase(kAbsent);
    rest.push_back(node);
    return true;
  });
  size_t count = 0;
  for (const Node& node : rest) count += count_nodes(node);
  if (rest.empty() || count > kMostCopied) return false;
  // Later nodes that the rest needs come in front of the node: they do not need it.
  std::vector<GraphValueId> results;
  for (const GraphValueId id : block.outputs) {
    if (following.contains(id) && std::find(results.begin(), results.end(), id) == results.end())
      results.push_back(id);
  }
  for (Attribute* branch : branches) {
    Block arm = *std::get<std::shared_ptr<const Block>>(branch->value);
    std::map<GraphValueId, GraphValueId> stand_ins;
    for (size_t i = 0; i < arm.outputs.size(); ++i)
      stand_ins[nodes[at].outputs[i]] = arm.outputs[i];
    Copies copies(graph, std::move(stand_ins));
    for (const Node& node : rest) arm.nodes.push_back(copies.copy(node));
    arm.outputs.clear();
    for (const GraphValueId id : results) arm.outputs.push_back(copies.now(id));
    branch->value = std::make_shared<const Block>(std::move(arm));
  }
  Node node = std::move(nodes[at]);
  node.outputs = results;
  nodes.erase(nodes.begin() + static_cast<std::ptrdiff_t>(at), nodes.end());
  nodes.insert(nodes.end(), others.begin(), others.end());
  nodes.push_back(std::move(node));
  return true;
}

namespace {

// The same for the first node of the block, or of those inside, that `where` may name: a node of a
// nested graph is named behind those around it.
bool put_rest_of(Graph& graph, Block& block, const Location& where) {
  for (size_t i = 0; i < block.nodes.size(); ++i) {
    const Location place = locate(block.nodes[i]);
    if (where.node.ends_with(place.node) && place.op == where.op &&
        put_rest_into_branches(graph, block, i))
      return true;
    for (Attribute& attribute : block.nodes[i].attributes) {
      auto* nested = std::get_if<std::shared_ptr<const Block>>(&attribute.value);
      if (!nested) continue;
      Block inside = **nested;
      if (!put_rest_of(graph, inside, where)) continue;
      *nested = std::make_shared<const Block>(std::move(inside));
      return true;
    }
  }
  return false;
}

}  // namespace

Lowered lower(const Graph& graph, const LowerOptions& options) {
  const Graph* current = &graph;
  Graph changed;
  std::optional<Refused> first;
  for (int round = 0; round <= kMostRounds; ++round) {
    try {
      return lower_rounds(*current, options);
    } catch (const Refused& refused) {
      if (!first) first = refused;
      bool moved = false;
      for (const Diagnostic& diagnostic : refused.diagnostics) {
        if (diagnostic.rule != "dynamic-rank") continue;
        if (current == &graph) changed = graph;
        current = &changed;
        // Apart, since values are added to the graph meanwhile.
        Block block = changed.block;
        moved = put_rest_of(changed, block, diagnostic.where);
        if (moved) changed.block = std::move(block);
        if (moved) break;
      }
      if (!moved) break;
    }
  }
  throw *first;
}

}  // namespace burin
