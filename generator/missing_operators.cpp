#include "missing_operators.h"

#include <algorithm>

#include "lower/node_schema.h"
#include "ops/api/core/op_table.h"

namespace burin {
namespace {

// The newest operator set of a domain that burin knows; 0: it does not know the domain.
int newest_of(const std::string& domain) {
  int out = 0;
  for (const OpDef& def : op_table()) {
    if (def.domain == domain) out = std::max(out, def.until);
  }
  return out;
}

std::string counted_nodes(int64_t count) {
  return std::to_string(count) + (count == 1 ? " node is" : " nodes are");
}

// Whether the operator is known, but not at this version: one that is newer than all that burin
// knows, or none. That is said once, of the operator set.
bool is_of_other_set(const UsedOperator& used) {
  int newest = 0;
  for (const OpDef& def : op_table()) {
    if (def.domain == used.domain && def.name == used.op) newest = std::max(newest, def.until);
  }
  const bool newer = newest == newest_of(used.domain) && used.version > newest;
  return newest > 0 && (newer || used.version < 1);
}

}  // namespace

std::vector<Diagnostic> missing_operators(const UsedOperators& used, const std::string& model) {
  std::vector<Diagnostic> out = used.faults;
  for (Diagnostic& fault : out) fault.where.file = model;
  for (const UsedOperator& one : used.operators) {
    if (is_of_other_set(one) || find_op(one.domain, one.op, static_cast<int>(one.version)))
      continue;
    const Refused why = [&]() -> Refused {
      Node node;
      node.op = one.op;
      node.domain = one.domain;
      node.version = static_cast<int>(one.version);
      try {
        find_definition(node);
      } catch (const Refused& refused) {
        return refused;
      }
      return Refused(Diagnostic{});
    }();
    Diagnostic line = why.diagnostics.at(0);
    line.where.file = model;
    if (!one.hint.empty()) line.hint = one.hint;
    line.message += ", which " + counted_nodes(one.nodes) + "; the first is " + one.first;
    out.push_back(std::move(line));
  }
  return out;
}

void add_missing_operators(Refused& refused, const std::string& model,
                           const ImportOptions& options) {
  std::vector<Diagnostic>& said = refused.diagnostics;
  const std::string rule = said.empty() ? std::string() : said[0].rule;
  if (rule != "version" && rule != "unsupported-operator" && rule != "unsupported-opset") return;
  std::vector<Diagnostic> all;
  try {
    const UsedOperators used = operators_of(model, options.limits, options.assumed_opset);
    all = missing_operators(used, model);
  } catch (const Refused&) {
    return;  // what was refused says enough
  }
  const std::vector<Diagnostic> first = said;
  for (Diagnostic& one : all) {
    const bool known = std::any_of(first.begin(), first.end(), [&](const Diagnostic& other) {
      const bool same_node =
          !other.where.node.empty() && one.message.ends_with("; the first is " + other.where.node);
      return one.message == other.message || one.message.starts_with(other.message + ", which") ||
             same_node;
    });
    if (!known) said.push_back(std::move(one));
  }
}

}  // namespace burin
