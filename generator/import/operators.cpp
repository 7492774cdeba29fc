#include "import/operators.h"

#include <map>
#include <set>
#include <tuple>

#include "graph/graph.h"
#include "import/file.h"
#include "import/messages.h"
#include "import/other_formats.h"
#include "import/versions.h"
#include "support/diagnostics.h"

namespace burin {
namespace {

using Imports = std::map<std::string_view, int64_t>;

Imports imports_of(const std::vector<OpsetMessage>& messages) {
  Imports out;
  for (const OpsetMessage& one : messages) out.emplace(normal_domain(one.domain), one.version);
  return out;
}

class OperatorCounter {
 public:
  explicit OperatorCounter(const ImportLimits& limits) : limits_(limits) {}

  void add_function(std::string_view domain, std::string_view name) {
    functions_.emplace(normal_domain(domain), name);
  }

  void count(const std::vector<WireSpan>& nodes, const Imports& imports, int depth) {
    if (depth > limits_.block_depth)
      refuse("limit",
             "blocks are nested more than " + std::to_string(limits_.block_depth) + " levels deep");
    int number = 0;
    for (const WireSpan& span : nodes) {
      if (++total_ > limits_.nodes)
        refuse("limit", "the file has more than " + std::to_string(limits_.nodes) + " nodes");
      const NodeMessage node = decode_node(span);
      const std::string_view domain = normal_domain(node.domain);
      if (!functions_.contains({domain, node.op})) add(node, domain, imports, number);
      ++number;
      for (const WireSpan& attribute : node.attributes) {
        const AttributeMessage message = decode_attribute(attribute);
        if (message.graph) count(decode_graph(*message.graph).nodes, imports, depth + 1);
      }
    }
  }

  UsedOperators take() {
    UsedOperators out;
    out.nodes = total_;
    for (auto& [key, one] : found_) out.operators.push_back(std::move(one));
    return out;
  }

 private:
  void add(const NodeMessage& node, std::string_view domain, const Imports& imports, int number) {
    const auto version = imports.find(domain);
    const int64_t at = version == imports.end() ? 0 : version->second;
    UsedOperator& one = found_[{std::string(domain), std::string(node.op), at}];
    if (one.nodes++ > 0) return;
    one.domain = domain;
    one.op = node.op;
    one.version = at;
    Node place;
    place.name = node.name;
    place.op = node.op;
    place.number = number;
    one.first = locate(place).node;
  }

  const ImportLimits& limits_;
  std::set<std::pair<std::string_view, std::string_view>> functions_;
  std::map<std::tuple<std::string, std::string, int64_t>, UsedOperator> found_;
  int64_t total_ = 0;
};

UsedOperators read_operators(const ModelMessage& model, const ImportLimits& limits) {
  OperatorCounter counter(limits);
  std::vector<FunctionMessage> functions;
  for (const WireSpan& span : model.functions) {
    functions.push_back(decode_function(span));
    counter.add_function(functions.back().domain, functions.back().name);
  }
  if (!model.graph) refuse("graph", "the model has no graph");
  counter.count(decode_graph(*model.graph).nodes, imports_of(model.opsets), 0);
  for (const FunctionMessage& one : functions) counter.count(one.nodes, imports_of(one.opsets), 1);
  UsedOperators out = counter.take();
  out.ir_version = model.ir_version;
  for (const OpsetMessage& one : model.opsets)
    out.opsets.emplace_back(normal_domain(one.domain), one.version);
  return out;
}

}  // namespace

UsedOperators operators_of(const std::string& path, const ImportLimits& limits) {
  return located({.file = path}, [&] {
    const std::shared_ptr<const FileBytes> file = map_file(path, limits.file_bytes);
    if (file->bytes().empty()) refuse("io", "the file is empty");
    refuse_other_formats(file->bytes());
    return read_operators(decode_model({file->bytes(), 0}), limits);
  });
}

}  // namespace burin
