// The invariants of a Graph, checked from their definition: a walk in execution order that knows,
// at each node, which values exist. O(values + references).
#include "graph/graph.h"
#include "support/check.h"

namespace burin {
namespace {

class GraphChecker {
 public:
  explicit GraphChecker(const Graph& graph)
      : graph_(graph), defined_(graph.values.size(), State::unknown) {}

  void run() {
    for (size_t id = 0; id < graph_.values.size(); ++id) {
      const GraphValue& value = graph_.values[id];
      if (!value.constant) continue;
      check_tensor(*value.constant, value.name);
      defined_[id] = State::visible;
    }
    block(graph_.block);
  }

 private:
  enum class State : uint8_t { unknown, visible, out_of_scope };

  std::string describe(GraphValueId id) const {
    return "value " + std::to_string(id) +
           (valid(id) ? " " + quoted(graph_.values[static_cast<size_t>(id)].name) : "");
  }
  bool valid(GraphValueId id) const {
    return id >= 0 && static_cast<size_t>(id) < graph_.values.size();
  }
  void define(GraphValueId id) {
    BURIN_CHECK(valid(id), describe(id));
    State& state = defined_[static_cast<size_t>(id)];
    BURIN_CHECK(state == State::unknown, describe(id) + " is defined twice");
    state = State::visible;
    scope_.push_back(id);
  }
  void use(GraphValueId id) const {
    BURIN_CHECK(valid(id), describe(id));
    BURIN_CHECK(defined_[static_cast<size_t>(id)] == State::visible,
                describe(id) + " is used where it is not defined");
  }

  void block(const Block& block) {
    const size_t outer = scope_.size();
    for (const GraphValueId id : block.inputs) define(id);
    for (const Node& node : block.nodes) {
      BURIN_CHECK(!node.op.empty());
      for (const GraphValueId id : node.inputs) {
        if (id != kAbsent) use(id);
      }
      for (const Attribute& attribute : node.attributes) check_attribute(attribute);
      for (const GraphValueId id : node.outputs) {
        if (id != kAbsent) define(id);
      }
    }
    for (const GraphValueId id : block.outputs) use(id);
    for (; scope_.size() > outer; scope_.pop_back()) {
      defined_[static_cast<size_t>(scope_.back())] = State::out_of_scope;
    }
  }

  void check_attribute(const Attribute& attribute) {
    if (const auto* body = std::get_if<std::shared_ptr<const Block>>(&attribute.value)) {
      BURIN_CHECK(*body != nullptr, attribute.name);
      block(**body);
    } else if (const auto* tensor = std::get_if<Tensor>(&attribute.value)) {
      check_tensor(*tensor, attribute.name);
    }
  }

  static void check_tensor(const Tensor& tensor, const std::string& name) {
    BURIN_CHECK(tensor.type != Type::none, quoted(name));
    for (const int64_t dim : tensor.shape) BURIN_CHECK(dim >= 0, quoted(name));
    const int64_t elements = tensor.elements();
    if (tensor.type == Type::string) {
      BURIN_CHECK(static_cast<int64_t>(tensor.strings.size()) == elements, quoted(name));
    } else {
      BURIN_CHECK(static_cast<int64_t>(tensor.content.bytes) == size_bytes(tensor.type, elements),
                  quoted(name));
    }
  }

  const Graph& graph_;
  std::vector<State> defined_;
  std::vector<GraphValueId> scope_;  // defined by the blocks around here
};

}  // namespace

void check_graph(const Graph& graph) { GraphChecker(graph).run(); }

}  // namespace burin
