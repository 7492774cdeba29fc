#include "import/node_order.h"

#include <algorithm>
#include <queue>
#include <unordered_map>

namespace burin {
namespace {

void collect_uses(const Block& block, std::vector<GraphValueId>& uses);

void collect_uses(const Node& node, std::vector<GraphValueId>& uses) {
  for (const GraphValueId id : node.inputs) {
    if (id != kAbsent) uses.push_back(id);
  }
  for (const Attribute& attribute : node.attributes) {
    const auto* body = std::get_if<std::shared_ptr<const Block>>(&attribute.value);
    if (body != nullptr) collect_uses(**body, uses);
  }
}

void collect_uses(const Block& block, std::vector<GraphValueId>& uses) {
  for (const Node& node : block.nodes) collect_uses(node, uses);
  uses.insert(uses.end(), block.outputs.begin(), block.outputs.end());
}

struct Dependence {
  int producer;
  GraphValueId value;
};

// Follows dependences among the nodes that are left until one comes again.
[[noreturn]] void refuse_cycle(const Block& block, const std::vector<GraphValue>& values,
                               const std::vector<std::vector<Dependence>>& needs,
                               const std::vector<int>& missing) {
  std::vector<char> seen(block.nodes.size());
  size_t at = 0;
  while (missing[at] == 0) ++at;
  GraphValueId through = kAbsent;
  while (!seen[at]) {
    seen[at] = true;
    const auto left = std::find_if(needs[at].begin(), needs[at].end(), [&](const Dependence& need) {
      return missing[static_cast<size_t>(need.producer)] > 0;
    });
    through = left->value;
    at = static_cast<size_t>(left->producer);
  }
  throw Refused(Diagnostic{locate(block.nodes[at]),
                           "graph",
                           "the node depends on itself through value " +
                               quoted(values[static_cast<size_t>(through)].name),
                           {}});
}

}  // namespace

void order_nodes(Block& block, const std::vector<GraphValue>& values) {
  std::unordered_map<GraphValueId, int> producers;
  const int count = static_cast<int>(block.nodes.size());
  for (int i = 0; i < count; ++i) {
    for (const GraphValueId id : block.nodes[static_cast<size_t>(i)].outputs) {
      if (id != kAbsent) producers.emplace(id, i);
    }
  }
  std::vector<std::vector<Dependence>> needs(block.nodes.size());
  bool sorted = true;
  std::vector<GraphValueId> uses;
  for (int i = 0; i < count; ++i) {
    uses.clear();
    collect_uses(block.nodes[static_cast<size_t>(i)], uses);
    std::sort(uses.begin(), uses.end());
    uses.erase(std::unique(uses.begin(), uses.end()), uses.end());
    for (const GraphValueId id : uses) {
      const auto producer = producers.find(id);
      if (producer == producers.end()) continue;
      needs[static_cast<size_t>(i)].push_back({producer->second, id});
      sorted = sorted && producer->second < i;
    }
  }
  if (sorted) return;

  std::vector<std::vector<int>> users(block.nodes.size());
  std::vector<int> missing(block.nodes.size());
  std::priority_queue<int, std::vector<int>, std::greater<>> ready;
  for (int i = 0; i < count; ++i) {
    for (const Dependence& need : needs[static_cast<size_t>(i)]) {
      users[static_cast<size_t>(need.producer)].push_back(i);
      ++missing[static_cast<size_t>(i)];
    }
    if (missing[static_cast<size_t>(i)] == 0) ready.push(i);
  }
  std::vector<Node> nodes;
  while (!ready.empty()) {
    const auto i = static_cast<size_t>(ready.top());
    ready.pop();
    nodes.push_back(block.nodes[i]);
    for (const int user : users[i]) {
      if (--missing[static_cast<size_t>(user)] == 0) ready.push(user);
    }
  }
  if (nodes.size() < block.nodes.size()) refuse_cycle(block, values, needs, missing);
  block.nodes = std::move(nodes);
}

}  // namespace burin
