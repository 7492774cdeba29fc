#include "lower/node_schema.h"

#include <algorithm>

#include "lower/left_out.h"
#include "ops/api/core/op_table.h"
#include "support/diagnostics.h"
#include "support/spelling.h"

namespace burin {
namespace {

std::string domain_name(std::string_view domain) {
  return domain.empty() ? "ai.onnx" : quoted(domain);
}

// Those of `formals` that a version has.
std::vector<Formal> at_version(const std::vector<Formal>& formals, int version) {
  std::vector<Formal> out;
  for (const Formal& formal : formals) {
    if (formal.opsets.contains(version)) out.push_back(formal);
  }
  return out;
}

std::string at_opset(const Node& node) { return " at opset " + std::to_string(node.version); }

const Formal* formal_at(const std::vector<Formal>& formals, size_t i) {
  if (i < formals.size()) return &formals[i];
  return !formals.empty() && formals.back().arity == Arity::variadic ? &formals.back() : nullptr;
}

// An operator may put all its operands into one expression, which is walked as deep as it is long.
constexpr size_t kMostOperands = 4096;

void check_list(const Node& node, const std::vector<GraphValueId>& given,
                const std::vector<Formal>& all, const char* what) {
  const std::vector<Formal> formals = at_version(all, node.version);
  const bool variadic = !formals.empty() && formals.back().arity == Arity::variadic;
  // Those at the end that are left out by an empty name are not there.
  size_t count = given.size();
  while (count > formals.size() && given[count - 1] == kAbsent) --count;
  if (count > formals.size() && !variadic) {
    refuse("arity", std::to_string(count) + " " + what + "s given, the operator has " +
                        std::to_string(formals.size()) + at_opset(node));
  }
  if (given.size() > kMostOperands) {
    refuse("limit", std::to_string(given.size()) + " " + what + "s; one node may have " +
                        std::to_string(kMostOperands));
  }
  for (size_t i = 0; i < formals.size(); ++i) {
    const bool absent = i >= given.size() || given[i] == kAbsent;
    if (absent && formals[i].arity == Arity::required) {
      refuse("arity", std::string(what) + " " + quoted(formals[i].name) + " is missing" +
                          (formals[i].opsets == Opsets{} ? "" : at_opset(node)));
    }
  }
}

AttributeKind kind_of(const Attribute& attribute) {
  constexpr AttributeKind kKinds[] = {
      AttributeKind::integer, AttributeKind::real,     AttributeKind::text,  AttributeKind::tensor,
      AttributeKind::block,   AttributeKind::integers, AttributeKind::reals, AttributeKind::texts};
  return kKinds[attribute.value.index()];
}

TypeSet kind_of(const Operand& operand) {
  if (!operand.tuple()) return only(operand.type());
  return operand.tuple()->kind == Tuple::Kind::sequence ? types::sequence : types::optional;
}

const char* name_of(AttributeKind kind) {
  constexpr const char* kNames[] = {"an integer",       "a float",          "a string",
                                    "a tensor",         "a graph",          "a list of integers",
                                    "a list of floats", "a list of strings"};
  return kNames[static_cast<size_t>(kind)];
}

// The same name in another domain, or the nearest one in this.
std::string nearest_operator(const Node& node) {
  std::vector<std::string> names;
  for (const OpDef& def : op_table()) {
    if (def.name == node.op) return "it is one of " + domain_name(def.domain);
    if (def.domain == node.domain) names.emplace_back(def.name);
  }
  return did_you_mean(node.op, names);
}

}  // namespace

const OpDef& find_definition(const Node& node) {
  if (const OpDef* def = find_op(node.domain, node.op, node.version)) return *def;
  int since = 0, until = 0;
  for (const OpDef& def : op_table()) {
    if (def.domain == node.domain && def.name == node.op) {
      since = since ? std::min(since, def.since) : def.since;
      until = std::max(until, def.until);
    }
  }
  if (since) {
    refuse("unsupported-opset",
           "operator " + quoted(node.op) + " of " + domain_name(node.domain) + " at opset " +
               std::to_string(node.version) + "; burin knows " + std::to_string(since) + " to " +
               std::to_string(until),
           "export the model for opset " + std::to_string(node.version < since ? since : until));
  }
  const std::string text =
      "operator " + quoted(node.op) + " of " + domain_name(node.domain) + " is not supported";
  if (const std::string_view instead = instead_of(node); !instead.empty())
    refuse("unsupported-operator", text, std::string(instead));
  const std::string near = nearest_operator(node);
  refuse("unsupported-operator", text,
         near + (near.empty() ? "" : "; ") + "`burin ops` lists what is");
}

void check_arity(const Node& node, const OpDef& def) {
  check_list(node, node.inputs, def.inputs, "input");
  check_list(node, node.outputs, def.outputs, "output");
}

namespace {

// An attribute that the operator's `lower` does not know, which means nothing at one value only.
std::string checked_neutral(const Attribute& attribute, const AttributeDef& known) {
  const auto is = [&](const auto& neutral, const std::string& text) {
    const auto* value = std::get_if<std::decay_t<decltype(neutral)>>(&attribute.value);
    if (value && *value == neutral)
      return "attribute " + quoted(attribute.name) + " is " + text + ", as where it is left out";
    refuse("bad-attribute",
           "attribute " + quoted(attribute.name) + " is known at " + text + " only");
  };
  if (const auto* text = std::get_if<std::string>(&known.neutral)) return is(*text, quoted(*text));
  if (const auto* integer = std::get_if<int64_t>(&known.neutral))
    return is(*integer, std::to_string(*integer));
  return {};
}

}  // namespace

std::vector<std::string> check_attributes(const Node& node, const OpDef& def) {
  std::vector<std::string> notes;
  for (const Attribute& attribute : node.attributes) {
    const AttributeDef *known = nullptr, *elsewhere = nullptr;
    for (const AttributeDef& one : def.attributes) {
      if (one.name == attribute.name)
        (one.opsets.contains(node.version) ? known : elsewhere) = &one;
    }
    if (!known && elsewhere) {
      const auto [first, last] = elsewhere->opsets;
      refuse("bad-attribute",
             "attribute " + quoted(attribute.name) + " does not exist" + at_opset(node) +
                 (first > node.version ? ", only from " + std::to_string(first) + " on"
                                       : ", only until " + std::to_string(last)));
    }
    if (!known) {
      refuse("bad-attribute",
             "attribute " + quoted(attribute.name) + " is not one of this operator");
    }
    const AttributeKind kind = kind_of(attribute);
    // An empty list does not say what it is a list of.
    const auto is_list = [](AttributeKind k) {
      return k == AttributeKind::integers || k == AttributeKind::reals || k == AttributeKind::texts;
    };
    if (kind != known->kind && !(is_list(kind) && is_list(known->kind))) {
      refuse("bad-attribute", "attribute " + quoted(attribute.name) + " is " + name_of(kind) +
                                  ", not " + name_of(known->kind));
    }
    if (std::string note = checked_neutral(attribute, *known); !note.empty())
      notes.push_back(std::move(note));
  }
  for (const AttributeDef& one : def.attributes) {
    if (one.required && one.opsets.contains(node.version) && !node.find(one.name)) {
      refuse("bad-attribute", "attribute " + quoted(one.name) + " is missing");
    }
  }
  return notes;
}

std::string input_label(const Node& node, const OpDef& def, size_t i) {
  const std::vector<Formal> formals = at_version(def.inputs, node.version);
  const Formal* formal = formal_at(formals, i);
  return "input " + (formal ? quoted(formal->name) : std::to_string(i));
}

void check_types(const Node& node, const OpDef& def, const std::vector<Operand>& inputs,
                 const std::function<bool(const Operand&)>& stands_for_strings) {
  const std::vector<Formal> formals = at_version(def.inputs, node.version);
  for (size_t i = 0; i < inputs.size(); ++i) {
    const Formal* formal = formal_at(formals, i);
    if (!inputs[i] || !formal) continue;
    const TypeSet given = stands_for_strings(inputs[i]) ? types::string : kind_of(inputs[i]);
    if ((formal->types | given) == formal->types) continue;
    refuse("unsupported-type", "input " + quoted(formal->name) + " has type " + to_string(given) +
                                   "; burin takes " + to_string(formal->types));
  }
}

}  // namespace burin
