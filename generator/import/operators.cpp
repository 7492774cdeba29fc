#include "import/operators.h"

#include <algorithm>
#include <map>
#include <set>
#include <tuple>

#include "graph/graph.h"
#include "import/element.h"
#include "import/file.h"
#include "import/messages.h"
#include "import/other_formats.h"
#include "import/versions.h"
#include "support/diagnostics.h"

namespace burin {
namespace {

using Imports = std::map<std::string_view, int64_t>;

Imports imports_of(const std::vector<OpsetMessage>& messages, const std::optional<int>& assumed) {
  Imports out;
  if (assumed) out.emplace(std::string_view(), *assumed);
  for (const OpsetMessage& one : messages) out.emplace(normal_domain(one.domain), one.version);
  return out;
}

// What a refusal says, kept for later.
template <class Body>
void keep_faults(std::vector<Diagnostic>& faults, const Body& body) {
  try {
    body();
  } catch (const Refused& refused) {
    faults.insert(faults.end(), refused.diagnostics.begin(), refused.diagnostics.end());
  }
}

// What would do in the place of a domain that nobody knows; empty: it is known.
std::string hint_for(std::string_view domain) {
  std::vector<Diagnostic> said;
  keep_faults(said, [&] { check_domain(domain); });
  return said.empty() ? std::string() : said[0].hint;
}

std::vector<DeclaredInput> inputs_of(const GraphMessage& graph) {
  std::set<std::string_view> constants;
  for (const WireSpan& span : graph.initializers) constants.insert(decode_tensor(span).name);
  std::vector<DeclaredInput> out;
  for (const WireSpan& span : graph.inputs) {
    const ValueInfoMessage info = decode_value_info(span);
    if (constants.contains(info.name)) continue;
    DeclaredInput one;
    one.name = info.name;
    if (info.type.kind == TypeKind::tensor) {
      const Type type = find_element_type(info.type.element);
      one.type = type == Type::none ? element_name(info.type.element) : to_string(type);
    }
    if (info.type.shape) one.shape.emplace();
    for (const DimensionMessage& dim : info.type.shape.value_or(std::vector<DimensionMessage>())) {
      one.shape->push_back(dim.value          ? std::to_string(*dim.value)
                           : dim.name.empty() ? std::string("?")
                                              : std::string(dim.name));
      const std::string& name = one.shape->back();
      const bool is_name = !dim.value && !dim.name.empty();
      if (is_name && std::find(one.sizes.begin(), one.sizes.end(), name) == one.sizes.end())
        one.sizes.push_back(name);
    }
    out.push_back(std::move(one));
  }
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
    one.hint = hint_for(domain);
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

UsedOperators read_operators(const ModelMessage& model, const ImportLimits& limits,
                             const std::optional<int>& assumed) {
  OperatorCounter counter(limits);
  std::vector<FunctionMessage> functions;
  for (const WireSpan& span : model.functions) {
    functions.push_back(decode_function(span));
    counter.add_function(functions.back().domain, functions.back().name);
  }
  if (!model.graph) refuse("graph", "the model has no graph");
  const GraphMessage graph = decode_graph(*model.graph);
  counter.count(graph.nodes, imports_of(model.opsets, assumed), 0);
  for (const FunctionMessage& one : functions)
    counter.count(one.nodes, imports_of(one.opsets, assumed), 1);
  UsedOperators out = counter.take();
  out.ir_version = model.ir_version;
  for (const OpsetMessage& one : model.opsets)
    out.opsets.emplace_back(normal_domain(one.domain), one.version);
  out.inputs = inputs_of(graph);
  keep_faults(out.faults, [&] { check_ir_version(model.ir_version); });
  keep_faults(out.faults, [&] { ImportedOpsets(model.opsets, "the model", assumed); });
  return out;
}

}  // namespace

UsedOperators operators_of(const std::string& path, const ImportLimits& limits,
                           std::optional<int> assumed) {
  return located({.file = path}, [&] {
    const std::shared_ptr<const FileBytes> file = map_file(path, limits.file_bytes);
    if (file->bytes().empty()) refuse("io", "the file is empty");
    refuse_other_formats(file->bytes());
    return read_operators(decode_model({file->bytes(), 0}), limits, assumed);
  });
}

}  // namespace burin
