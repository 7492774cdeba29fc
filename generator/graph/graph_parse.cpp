// Reads the text of a Graph back. Refuses as "parse" with line:column; that ids are defined before
// use is refused here too, because the text comes from outside.
#include <map>

#include "graph/graph.h"
#include "graph/tensor_text.h"
#include "kernel/index/index_text.h"
#include "kernel/index/symbol_text.h"

namespace burin {
namespace {

constexpr int kDeepest = 64;  // nesting of blocks

class GraphParser {
 public:
  explicit GraphParser(std::string_view text) : cursor_(text) {
    leaves_.symbol = [this](std::string_view name) -> std::optional<Index> {
      const auto found = symbols_.find(name);
      if (found == symbols_.end()) return std::nullopt;
      return Index::symbol(found->second);
    };
  }

  Graph parse() {
    cursor_.expect("graph");
    graph_.name = cursor_.string();
    cursor_.expect("file");
    graph_.file = cursor_.string();
    cursor_.expect("ir");
    graph_.ir_version = small_integer();
    while (true) {
      if (cursor_.accept("symbol")) {
        graph_.symbols.push_back(declare());
      } else if (cursor_.accept("local")) {
        declare();
      } else {
        break;
      }
    }
    while (cursor_.accept("value")) parse_value();
    for (const GraphValue& value : graph_.values) {
      states_.push_back(value.constant ? State::visible : State::undefined);
    }
    graph_.block = parse_block();
    if (!cursor_.at_end()) cursor_.refuse_here("expected the end of the graph");
    return std::move(graph_);
  }

 private:
  int small_integer() {
    const int64_t value = cursor_.integer();
    if (value < 0 || value > std::numeric_limits<int>::max()) cursor_.refuse_here("out of range");
    return static_cast<int>(value);
  }

  Symbol declare() {
    const Symbol symbol = parse_declaration(cursor_);
    if (!symbols_.emplace(symbol->name, symbol).second) {
      cursor_.refuse_here("a symbol that is declared twice");
    }
    return symbol;
  }

  void parse_value() {
    cursor_.expect("%");
    if (small_integer() != static_cast<int>(graph_.values.size())) {
      cursor_.refuse_here("values are not numbered from 0 in steps of 1");
    }
    GraphValue value;
    value.name = cursor_.string();
    value.type = parse_type(cursor_);
    if (!cursor_.accept("?")) {
      cursor_.expect("[");
      value.shape.emplace();
      while (cursor_.peek() != ']') {
        if (!value.shape->empty()) cursor_.expect(",");
        value.shape->push_back(parse_index(cursor_, leaves_));
      }
      cursor_.expect("]");
    }
    if (cursor_.accept("is")) value.container = cursor_.word_or_string();
    if (cursor_.accept("=")) value.constant = parse_tensor(cursor_);
    graph_.values.push_back(std::move(value));
  }

  enum class State : uint8_t {
    undefined,
    visible,
    hidden
  };  // hidden: in a closed block, or not yet
  State& state(GraphValueId id) { return states_[static_cast<size_t>(id)]; }

  GraphValueId parse_id() {
    cursor_.expect("%");
    const int id = small_integer();
    if (static_cast<size_t>(id) >= graph_.values.size())
      cursor_.refuse_here("a value that does not exist");
    return id;
  }
  GraphValueId use(bool optional) {
    if (optional && cursor_.accept("-")) return kAbsent;
    const GraphValueId id = parse_id();
    if (state(id) != State::visible) cursor_.refuse_here("a value that is not defined here");
    return id;
  }
  GraphValueId define(bool optional) {
    if (optional && cursor_.accept("-")) return kAbsent;
    const GraphValueId id = parse_id();
    if (state(id) != State::undefined) cursor_.refuse_here("a value that is defined twice");
    state(id) = State::visible;
    scope_.push_back(id);
    return id;
  }
  template <class Item>
  std::vector<GraphValueId> ids(const Item& item) {
    std::vector<GraphValueId> all;
    cursor_.expect("(");
    while (cursor_.peek() != ')') {
      if (!all.empty()) cursor_.expect(",");
      all.push_back(item());
    }
    cursor_.expect(")");
    return all;
  }

  // The outputs stand before the nodes that define them; they are held against these at the end.
  Block parse_block() {
    if (++depth_ > kDeepest) cursor_.refuse_here("blocks nested too deeply");
    const size_t outer = scope_.size();
    Block block;
    cursor_.expect("block");
    block.name = cursor_.string();
    block.inputs = ids([&] { return define(false); });
    cursor_.expect("->");
    block.outputs = ids([&] { return parse_id(); });
    cursor_.expect("{");
    while (cursor_.accept("node")) block.nodes.push_back(parse_node());
    cursor_.expect("}");
    for (const GraphValueId id : block.outputs) {
      if (state(id) != State::visible) cursor_.refuse_here("a result that is not defined");
    }
    for (; scope_.size() > outer; scope_.pop_back()) {
      state(scope_.back()) = State::hidden;
    }
    --depth_;
    return block;
  }

  // Attributes stand behind the outputs, but the blocks among them do not see these.
  Node parse_node() {
    Node node;
    node.number = small_integer();
    node.name = cursor_.string();
    std::string first = cursor_.word_or_string();
    if (cursor_.peek() != '@') {
      node.domain = std::move(first);
      first = cursor_.word_or_string();
    }
    node.op = std::move(first);
    if (node.op.empty()) cursor_.refuse_here("a node without operator");
    cursor_.expect("@");
    node.version = small_integer();
    node.inputs = ids([&] { return use(true); });
    cursor_.expect("->");
    const size_t before = scope_.size();
    node.outputs = ids([&] { return define(true); });
    for (size_t i = before; i < scope_.size(); ++i) state(scope_[i]) = State::hidden;
    if (cursor_.accept("{")) {
      while (!cursor_.accept("}")) node.attributes.push_back(parse_attribute());
    }
    for (size_t i = before; i < scope_.size(); ++i) state(scope_[i]) = State::visible;
    return node;
  }

  template <class Item>
  auto list(const Item& item) {
    std::vector<decltype(item())> all;
    cursor_.expect("[");
    while (cursor_.peek() != ']') {
      if (!all.empty()) cursor_.expect(",");
      all.push_back(item());
    }
    cursor_.expect("]");
    return all;
  }

  Attribute parse_attribute() {
    Attribute attribute;
    attribute.name = cursor_.word_or_string();
    cursor_.expect(":");
    if (cursor_.accept("int")) {
      attribute.value = cursor_.integer();
    } else if (cursor_.accept("float")) {
      attribute.value = parse_real(cursor_);
    } else if (cursor_.accept("string")) {
      attribute.value = cursor_.string();
    } else if (cursor_.accept("tensor")) {
      attribute.value = parse_tensor(cursor_);
    } else if (cursor_.accept("ints")) {
      attribute.value = list([&] { return cursor_.integer(); });
    } else if (cursor_.accept("floats")) {
      attribute.value = list([&] { return parse_real(cursor_); });
    } else if (cursor_.accept("strings")) {
      attribute.value = list([&] { return cursor_.string(); });
    } else {
      attribute.value = std::make_shared<const Block>(parse_block());
    }
    return attribute;
  }

  TextCursor cursor_;
  Graph graph_;
  IndexLeaves leaves_;
  std::map<std::string, Symbol, std::less<>> symbols_;
  std::vector<State> states_;        // per value
  std::vector<GraphValueId> scope_;  // defined by the blocks around here, in order
  int depth_ = 0;
};

}  // namespace

Graph parse_graph(std::string_view text) { return GraphParser(text).parse(); }

}  // namespace burin
