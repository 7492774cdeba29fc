// The text of a Graph; graph_parse.cpp reads it back, README.md has the grammar.
#include <algorithm>

#include "graph/graph.h"
#include "graph/tensor_text.h"
#include "kernel/index/index_text.h"
#include "kernel/index/symbol_text.h"

namespace burin {
namespace {

std::string id_text(GraphValueId id) { return id == kAbsent ? "-" : "%" + std::to_string(id); }

std::string ids_text(const std::vector<GraphValueId>& ids) {
  std::string out = "(";
  for (size_t i = 0; i < ids.size(); ++i) out += (i > 0 ? ", " : "") + id_text(ids[i]);
  return out + ")";
}

template <class Element, class Text>
std::string list_text(const std::vector<Element>& list, const Text& text) {
  std::string out = "[";
  for (size_t i = 0; i < list.size(); ++i) out += (i > 0 ? ", " : "") + text(list[i]);
  return out + "]";
}

class Printer {
 public:
  explicit Printer(int64_t longest) : longest_(longest) {}

  std::string print(const Graph& graph) {
    out_ = "graph " + escape_text(graph.name) + " file " + escape_text(graph.file) + " ir " +
           std::to_string(graph.ir_version) + "\n";
    for (const Symbol& symbol : graph.symbols) out_ += "symbol " + declaration_text(*symbol) + "\n";
    for (const Symbol& symbol : other_symbols(graph)) {
      out_ += "local " + declaration_text(*symbol) + "\n";
    }
    for (size_t id = 0; id < graph.values.size(); ++id) {
      print_value(static_cast<GraphValueId>(id), graph.values[id]);
    }
    print_block(graph.block, "");
    return std::move(out_);
  }

 private:
  static std::vector<Symbol> other_symbols(const Graph& graph) {
    std::vector<Symbol> used;
    for (const GraphValue& value : graph.values) {
      if (!value.shape) continue;
      for (const Dim& dim : *value.shape) {
        std::vector<Symbol> here;
        dim.collect_symbols(here);
        used.insert(used.end(), here.begin(), here.end());
      }
    }
    const auto by_name = [](const Symbol& a, const Symbol& b) { return a->name < b->name; };
    std::vector<Symbol> listed = graph.symbols;
    std::sort(listed.begin(), listed.end(), by_name);
    std::stable_sort(used.begin(), used.end(), by_name);
    used.erase(std::unique(used.begin(), used.end(),
                           [](const Symbol& a, const Symbol& b) { return a->name == b->name; }),
               used.end());
    std::vector<Symbol> others;
    std::set_difference(used.begin(), used.end(), listed.begin(), listed.end(),
                        std::back_inserter(others), by_name);
    return others;
  }

  void print_value(GraphValueId id, const GraphValue& value) {
    out_ += "value " + id_text(id) + " " + escape_text(value.name) + " ";
    out_ += to_string(value.type);
    out_ += value.shape ? " " + to_string(*value.shape) : " ?";
    if (!value.container.empty()) out_ += " is " + word_or_escaped(value.container);
    if (value.constant) out_ += " = " + tensor_text(*value.constant, longest_);
    out_ += '\n';
  }

  void print_block(const Block& block, const std::string& indent) {
    out_ += "block " + escape_text(block.name) + " " + ids_text(block.inputs) + " -> " +
            ids_text(block.outputs) + " {\n";
    for (const Node& node : block.nodes) print_node(node, indent + "  ");
    out_ += indent + "}\n";
  }

  void print_node(const Node& node, const std::string& indent) {
    out_ += indent + "node " + std::to_string(node.number) + " " + escape_text(node.name) + " ";
    if (!node.domain.empty()) out_ += escape_text(node.domain) + " ";
    out_ += word_or_escaped(node.op) + "@" + std::to_string(node.version) + " " +
            ids_text(node.inputs) + " -> " + ids_text(node.outputs);
    if (node.attributes.empty()) {
      out_ += '\n';
      return;
    }
    out_ += " {\n";
    for (const Attribute& attribute : node.attributes) {
      out_ += indent + "  " + word_or_escaped(attribute.name) + ": ";
      print_attribute(attribute, indent + "  ");
    }
    out_ += indent + "}\n";
  }

  void print_attribute(const Attribute& attribute, const std::string& indent) {
    const auto integer = [](int64_t value) { return std::to_string(value); };
    const auto& value = attribute.value;
    if (const auto* block = std::get_if<std::shared_ptr<const Block>>(&value)) {
      print_block(**block, indent);
      return;
    }
    if (const auto* i = std::get_if<int64_t>(&value)) out_ += "int " + integer(*i);
    if (const auto* f = std::get_if<float>(&value)) out_ += "float " + real_text(*f);
    if (const auto* s = std::get_if<std::string>(&value)) out_ += "string " + escape_text(*s);
    if (const auto* t = std::get_if<Tensor>(&value)) out_ += "tensor " + tensor_text(*t, longest_);
    if (const auto* list = std::get_if<std::vector<int64_t>>(&value)) {
      out_ += "ints " + list_text(*list, integer);
    }
    if (const auto* list = std::get_if<std::vector<float>>(&value)) {
      out_ += "floats " + list_text(*list, real_text);
    }
    if (const auto* list = std::get_if<std::vector<std::string>>(&value)) {
      out_ += "strings " + list_text(*list, escape_text);
    }
    out_ += '\n';
  }

  int64_t longest_;
  std::string out_;
};

}  // namespace

std::string to_string(const Graph& graph, int64_t longest) { return Printer(longest).print(graph); }

}  // namespace burin
