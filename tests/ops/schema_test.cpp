// The declarations in generator/ops against what ONNX says of every operator in every version
// (data/onnx_schemas.txt): operands with their arity and types, attributes with their kind. A
// difference is a fault unless data/onnx_differences.txt lists it, with the reason. Types beyond
// those of ONNX are none: what an operator means for them is clear.
#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <map>
#include <set>
#include <sstream>

#include "ops/api/core/op_table.h"

namespace burin::schema_test {
namespace {

using Names = std::set<std::string>;

struct Operand {
  std::string name, arity;
  Names types;
};

struct Schema {
  int since = 0;
  bool deprecated = false;
  std::vector<Operand> inputs, outputs;
  std::map<std::string, std::pair<std::string, bool>> attributes;  // kind, required
};

const std::string kData = std::string(BURIN_SOURCE_DIR) + "/tests/ops/data/";

// By name, in order of versions.
std::map<std::string, std::vector<Schema>> onnx_schemas() {
  std::map<std::string, std::vector<Schema>> all;
  std::map<std::string, Names> types;
  std::ifstream file(kData + "onnx_schemas.txt");
  Schema* schema = nullptr;
  for (std::string line; std::getline(file, line);) {
    std::istringstream in(line);
    std::string keyword, name, second, third;
    in >> keyword >> name;
    if (keyword == "types") {
      while (in >> second) types[name].insert(second);
      continue;
    }
    in >> second >> third;
    if (keyword == "op") {
      schema = &all[name].emplace_back();
      schema->since = std::stoi(second);
      schema->deprecated = third == "deprecated";
    } else if (keyword == "attr") {
      schema->attributes[name] = {second, third == "required"};
    } else {
      (keyword == "in" ? schema->inputs : schema->outputs)
          .push_back({name, second, types.at(third)});
    }
  }
  return all;
}

const char* text_of(Arity arity) {
  return arity == Arity::required ? "required" : arity == Arity::optional ? "optional" : "variadic";
}

const char* text_of(AttributeKind kind) {
  constexpr const char* kNames[] = {"integer", "real",     "text",  "tensor",
                                    "block",   "integers", "reals", "texts"};
  return kNames[static_cast<size_t>(kind)];
}

Names names_of(TypeSet types) {
  Names out;
  std::istringstream in(to_string(types));
  for (std::string name; in >> name;) out.insert(name);
  return out;
}

// What `a` has and `b` has not, of the types that burin computes with.
std::string without(const Names& a, const Names& b) {
  const Names known = names_of(types::all | types::sequence | types::optional);
  std::string out;
  for (const std::string& one : a) {
    if (known.contains(one) && !b.contains(one)) out += " " + one;
  }
  return out;
}

// Differences with the versions at which they are seen, as lines.
class Differences {
 public:
  void add(const std::string& what, int version) { seen_[what].insert(version); }
  std::set<std::string> lines() const {
    std::set<std::string> out;
    for (const auto& [what, versions] : seen_) {
      std::string line = what;
      for (auto v = versions.begin(); v != versions.end();) {
        const int first = *v;
        int last = first;
        while (++v != versions.end() && *v == last + 1) ++last;
        line += " " + std::to_string(first);
        if (last != first) line += ".." + std::to_string(last);
      }
      out.insert(line);
    }
    return out;
  }

 private:
  std::map<std::string, std::set<int>> seen_;
};

void compare_operands(const std::string& where, const std::vector<Formal>& formals,
                      const std::vector<Operand>& operands, int version, Differences& differences,
                      bool types) {
  std::vector<Formal> here;
  for (const Formal& formal : formals) {
    if (formal.opsets.contains(version)) here.push_back(formal);
  }
  for (size_t i = 0; i < std::max(here.size(), operands.size()); ++i) {
    if (i >= here.size()) {
      differences.add(where + " " + operands[i].name + ": not declared:", version);
    } else if (i >= operands.size()) {
      differences.add(where + " " + here[i].name + ": not in ONNX:", version);
    } else {
      const std::string one = where + " " + here[i].name;
      if (here[i].name != operands[i].name)
        differences.add(one + ": named " + operands[i].name + ":", version);
      if (text_of(here[i].arity) != operands[i].arity)
        differences.add(one + ": " + operands[i].arity + ":", version);
      if (!types) continue;
      const Names declared = names_of(here[i].types);
      const std::string lacking = without(operands[i].types, declared);
      if (!lacking.empty()) differences.add(one + ": lacks" + lacking + ":", version);
    }
  }
}

std::set<std::string> all_differences() {
  Differences differences;
  const auto all = onnx_schemas();
  Names known;
  for (const OpDef& def : op_table()) {
    if (!def.domain.empty()) continue;
    known.insert(def.name);
    if (!all.contains(def.name)) {
      differences.add(def.name + ": not in ONNX:", def.since);
      continue;
    }
    const std::vector<Schema>& schemas = all.at(def.name);
    for (int version = 1; version <= kLatestOpset; ++version) {
      const Schema* schema = nullptr;
      for (const Schema& one : schemas) {
        if (one.since <= version) schema = &one;
      }
      const bool exists = schema && !schema->deprecated;
      const bool declared = def.since <= version && version <= def.until;
      if (exists != declared)
        differences.add(def.name + (exists ? ": not declared:" : ": not in ONNX:"), version);
      if (!exists || !declared) continue;
      compare_operands(def.name + " input", def.inputs, schema->inputs, version, differences, true);
      compare_operands(def.name + " output", def.outputs, schema->outputs, version, differences,
                       false);
      std::map<std::string, std::pair<std::string, bool>> attributes;
      for (const AttributeDef& one : def.attributes) {
        if (one.opsets.contains(version)) attributes[one.name] = {text_of(one.kind), one.required};
      }
      for (const auto& [name, shape] : schema->attributes) {
        const auto at = attributes.find(name);
        if (at == attributes.end()) {
          differences.add(def.name + " attribute " + name + ": not declared:", version);
        } else if (at->second != shape) {
          differences.add(def.name + " attribute " + name + ": " + shape.first +
                              (shape.second ? " required:" : " optional:"),
                          version);
        }
      }
      for (const auto& [name, shape] : attributes) {
        if (!schema->attributes.contains(name))
          differences.add(def.name + " attribute " + name + ": not in ONNX:", version);
      }
    }
  }
  for (const auto& [name, schemas] : all) {
    if (!known.contains(name)) differences.add(name + ": not declared:", schemas[0].since);
  }
  return differences.lines();
}

// The lines of onnx_differences.txt in front of " # reason".
std::set<std::string> justified() {
  std::set<std::string> out;
  std::ifstream file(kData + "onnx_differences.txt");
  for (std::string line; std::getline(file, line);) {
    const size_t reason = line.find(" # ");
    if (!line.empty() && line[0] != '#') {
      EXPECT_NE(reason, std::string::npos) << line << ": without a reason";
      out.insert(line.substr(0, reason));
    }
  }
  return out;
}

TEST(Schema, OperatorsAreDeclaredAsOnnxDoes) {
  const std::set<std::string> found = all_differences(), listed = justified();
  EXPECT_FALSE(listed.empty());
  for (const std::string& line : found) EXPECT_TRUE(listed.contains(line)) << line;
  for (const std::string& line : listed)
    EXPECT_TRUE(found.contains(line)) << line << ": no longer so";
}

}  // namespace
}  // namespace burin::schema_test
