#include "graph/merge_models.h"

#include <iterator>
#include <set>

#include "support/check.h"

namespace burin {
namespace {

class Part {
 public:
  Part(GraphPart part, GraphValueId first)
      : prefix_(std::move(part.prefix)), graph_(std::move(part.graph)), first_(first) {
    for (const Symbol& symbol : graph_.symbols) {
      SymbolInfo info = *symbol;
      info.name = prefix_ + info.name;
      symbols_.push_back(std::make_shared<const SymbolInfo>(std::move(info)));
    }
  }

  // Into the graph, whose values are those of the parts before.
  void append_to(Graph& to) {
    for (GraphValue& value : graph_.values) to.values.push_back(renamed(std::move(value)));
    Block block = moved(graph_.block);
    const auto add = [](auto& list, auto& more) {
      list.insert(list.end(), std::make_move_iterator(more.begin()),
                  std::make_move_iterator(more.end()));
    };
    add(to.block.nodes, block.nodes);
    add(to.block.inputs, block.inputs);
    add(to.block.outputs, block.outputs);
    add(to.symbols, symbols_);
    to.ir_version = std::max(to.ir_version, graph_.ir_version);
  }

 private:
  // An empty name says that there is none.
  std::string named(const std::string& name) const { return name.empty() ? name : prefix_ + name; }

  GraphValue renamed(GraphValue value) const {
    value.name = named(value.name);
    if (!value.shape) return value;
    for (Dim& dim : *value.shape) {
      // All at once: a new name may be the old one of another symbol.
      for (size_t i = 0; i < symbols_.size(); ++i)
        dim = dim.substitute_symbol(graph_.symbols[i]->name, Index::symbol(passing(i)));
      for (size_t i = 0; i < symbols_.size(); ++i)
        dim = dim.substitute_symbol(passing(i)->name, Index::symbol(symbols_[i]));
    }
    return value;
  }

  // A name that no file has: it starts with the byte 0.
  Symbol passing(size_t i) const {
    SymbolInfo info = *symbols_[i];
    info.name = std::string(1, '\0') + std::to_string(i);
    return std::make_shared<const SymbolInfo>(std::move(info));
  }

  std::vector<GraphValueId> moved(std::vector<GraphValueId> ids) const {
    for (GraphValueId& id : ids) {
      if (id != kAbsent) id += first_;
    }
    return ids;
  }

  Block moved(const Block& block) const {
    Block out{named(block.name), block.nodes, moved(block.inputs), moved(block.outputs)};
    for (Node& node : out.nodes) {
      node.name = named(node.name);
      node.inputs = moved(node.inputs);
      node.outputs = moved(node.outputs);
      for (Attribute& attribute : node.attributes) {
        if (const auto* inner = std::get_if<std::shared_ptr<const Block>>(&attribute.value))
          attribute.value = std::make_shared<const Block>(moved(**inner));
      }
    }
    return out;
  }

  std::string prefix_;
  Graph graph_;
  GraphValueId first_;           // id of its first value in the whole
  std::vector<Symbol> symbols_;  // in the order of graph_.symbols
};

}  // namespace

Graph merge_graphs(std::vector<GraphPart> parts, std::string name) {
  Graph out;
  out.name = out.block.name = std::move(name);
  for (GraphPart& part : parts) {
    if (out.file.empty()) out.file = part.graph.file;
    Part(std::move(part), static_cast<GraphValueId>(out.values.size())).append_to(out);
  }
  std::set<std::string> names;
  for (const Symbol& symbol : out.symbols)
    BURIN_CHECK(names.insert(symbol->name).second, "two sizes have one name");
  check_graph(out);
  return out;
}

}  // namespace burin
