// The dynamism class of every operator of the table (SoD2 section 3), as the ONNX project's models
// and our own show it when nothing but initializers is known before the run: the most dynamic class
// that a node of it has. data/dynamism.txt is the list; an operator that it lacks is a failure, and
// so is a class that differs from Table 2 of the paper without a reason here. Nodes that are drawn
// from the declarations count, too; operands that decide a shape are constants of theirs.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <functional>
#include <map>
#include <set>
#include <sstream>

#include "differential/support/emitted.h"
#include "differential/support/onnx_case.h"
#include "differential/support/random_node.h"
#include "differential/support/sizes.h"
#include "ops/api/core/op_table.h"
#include "report/data_set.h"
#include "support/diagnostics.h"

namespace burin::dynamism_table_test {
namespace {

using Operator = std::pair<std::string, std::string>;  // domain, name

int rank_of(const std::string& name) {
  for (int rank = 0; const char* one : {"ISDO", "ISDOS", "ISVDOS", "EDO"}) {
    if (name == one) return rank;
    ++rank;
  }
  return -1;
}

// The operators of a model; one name of two domains is left out, since facts have no domain.
std::map<std::string, std::string> domains_of(const Block& block) {
  std::map<std::string, std::string> domains;
  const std::function<void(const Block&)> visit = [&](const Block& inside) {
    for (const Node& node : inside.nodes) {
      const auto [at, fresh] = domains.emplace(node.op, node.domain);
      if (!fresh && at->second != node.domain) at->second = "?";
      for (const Attribute& attribute : node.attributes) {
        if (const auto* inner = std::get_if<std::shared_ptr<const Block>>(&attribute.value))
          visit(**inner);
      }
    }
  };
  visit(block);
  return domains;
}

std::optional<Lowered> unfolded(const Graph& graph) {
  try {
    return lower(graph, {.fold_constants = false});
  } catch (const Refused&) {
    return std::nullopt;
  }
}

// The most dynamic class of each operator.
std::map<Operator, std::string> classes_seen() {
  std::map<Operator, std::string> most;
  std::vector<std::string> folders = find_cases(onnx_root());
  for (const std::string& own : find_cases(std::string(BURIN_SOURCE_DIR) + "/tests/models"))
    folders.push_back(own);
  for (const std::string& folder : folders) {
    std::optional<Graph> graph;
    try {
      graph = import_case(folder);
    } catch (const Refused&) {
      continue;
    }
    std::vector<std::optional<Lowered>> forms = {unfolded(with_symbolic_extents(*graph)),
                                                 unfolded(without_declared_shapes(*graph))};
    if (!forms[0] && !forms[1]) forms.push_back(lower_onnx_case(folder, false));
    const std::map<std::string, std::string> domains = domains_of(graph->block);
    for (const std::optional<Lowered>& lowered : forms) {
      if (!lowered) continue;
      for (const NodeFacts& node : lowered->nodes) {
        const auto domain = domains.find(node.op);
        if (domain == domains.end() || domain->second == "?") continue;
        std::string& one = most[{domain->second, node.op}];
        if (rank_of(node.dynamism_class) > rank_of(one)) one = node.dynamism_class;
      }
    }
  }
  return most;
}

// The same of legal nodes that are drawn from the declaration of an operator.
std::string class_of_drawn(const OpDef& op, int tries) {
  Draw draw(7);
  std::string most;
  for (int k = 0; k < tries; ++k) {
    const RandomNode node = draw_node(op, draw);
    std::vector<HostTensor> data;
    std::optional<Lowered> lowered;
    try {
      if (!is_legal(node)) continue;
      lowered = unfolded(graph_of({node}, true, data));
    } catch (const std::exception& error) {
      ADD_FAILURE() << op.name << ": " << error.what();
      return most;
    }
    if (!lowered) continue;
    for (const NodeFacts& facts : lowered->nodes) {
      if (facts.op == op.name && rank_of(facts.dynamism_class) > rank_of(most))
        most = facts.dynamism_class;
    }
  }
  return most;
}

std::string shown(const std::string& domain) { return domain.empty() ? "ai.onnx" : domain; }

// Table 2. "Elementwise w/ broadcast" and "Reduce" stand for all of their kind.
const std::map<std::string, std::vector<std::string>> kTable2 = {
    {"ISDO", {"Shape", "ConstantOfShape", "EyeLike"}},
    {"ISDOS",
     {"Add",
      "Sub",
      "Mul",
      "Div",
      "Pow",
      "And",
      "Or",
      "Xor",
      "Equal",
      "Greater",
      "Less",
      "Max",
      "Min",
      "Where",
      "AveragePool",
      "Cast",
      "Concat",
      "Conv",
      "Gather",
      "MatMul",
      "MaxPool",
      "ReduceSum",
      "ReduceMax",
      "ReduceMin",
      "ReduceMean",
      "ReduceL1",
      "ReduceL2",
      "ReduceProd",
      "ReduceLogSum",
      "ReduceLogSumExp",
      "ReduceSumSquare",
      "Relu",
      "Round",
      "Sigmoid",
      "Softmax"}},
    {"ISVDOS",
     {"Expand", "GroupNormalization", "MaxUnpool", "OneHot", "Range", "Reshape", "Resize", "Slice",
      "TopK", "Upsample"}},
    {"EDO", {"If", "Loop", "NonMaxSuppression", "NonZero", "Switch", "Combine"}}};

// Where Table 2 breaks the definitions of section 3.
const std::map<std::string, std::string> kReasons = {
    {"ConstantOfShape", "what it fills is what its operand holds, not a shape"},
    {"GroupNormalization", "no operand of it holds sizes"},
    {"ReduceSumSquare", "dynamic axes decide the shape"},
    {"ReduceProd", "dynamic axes decide the shape"},
    {"ReduceLogSumExp", "dynamic axes decide the shape"},
    {"ReduceLogSum", "dynamic axes decide the shape"},
    {"ReduceL2", "dynamic axes decide the shape"},
    {"ReduceL1", "dynamic axes decide the shape"},
    {"ReduceMax", "dynamic axes decide the shape"},
    {"ReduceMean", "dynamic axes decide the shape"},
    {"ReduceSum", "dynamic axes decide the shape"},
};

TEST(DynamismTable, HasEveryOperator) {
  const std::map<Operator, std::string> seen = classes_seen();
  std::string now;
  for (const OpDef& op : op_table()) {
    const auto at = seen.find({op.domain, op.name});
    constexpr int kTries = 200, kTriesOfSeen = 60;
    const bool met = at != seen.end();
    std::string found = class_of_drawn(op, met ? kTriesOfSeen : kTries);
    if (met && rank_of(at->second) > rank_of(found)) found = at->second;
    EXPECT_NE(found, "") << "no node of " << shown(op.domain) << " " << op.name << " is lowered";
    const std::string line = shown(op.domain) + " " + op.name + " " + found + "\n";
    // An operator of several opsets may have several definitions.
    if (!now.ends_with("\n" + line) && now != line) now += line;
  }
  const std::string path = std::string(BURIN_SOURCE_DIR) + "/tests/differential/data/dynamism.txt";
  std::ostringstream listed;
  listed << std::ifstream(path).rdbuf();
  if (listed.str() != now) {
    const std::string copy = std::string(BURIN_BINARY_DIR) + "/dynamism.txt";
    std::ofstream(copy) << now;
    ADD_FAILURE() << "see: diff " << path << " " << copy;
  }
}

TEST(DynamismTable, IsThatOfThePaperButForItsFaults) {
  std::ifstream in(std::string(BURIN_SOURCE_DIR) + "/tests/differential/data/dynamism.txt");
  std::map<std::string, std::string> listed;
  for (std::string domain, name, found; in >> domain >> name >> found;) {
    if (domain != "com.microsoft") listed[name] = found;
  }
  size_t compared = 0, differ = 0;
  for (const auto& [wanted, names] : kTable2) {
    for (const std::string& name : names) {
      ASSERT_TRUE(listed.contains(name)) << name;
      ++compared;
      if (listed[name] == wanted) {
        EXPECT_FALSE(kReasons.contains(name)) << name << " is as in the table";
        continue;
      }
      ++differ;
      EXPECT_TRUE(kReasons.contains(name)) << name << " is " << listed[name] << ", not " << wanted;
    }
  }
  EXPECT_EQ(compared, 54U);
  EXPECT_EQ(differ, kReasons.size());
}

}  // namespace
}  // namespace burin::dynamism_table_test
