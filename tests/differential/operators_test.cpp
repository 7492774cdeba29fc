// Every operator of the table is held against numbers that came from elsewhere: in some case with
// expected outputs (ONNX's data, tests/models), which the tests of emitted code compile, run and
// compare, a node of it becomes code.
#include <gtest/gtest.h>

#include <set>

#include "differential/support/emitted.h"
#include "differential/support/onnx_case.h"
#include "graph/copy.h"
#include "import/import.h"
#include "ops/api/core/op_table.h"
#include "report/data_set.h"

namespace burin::operators_test {
namespace {

using Operator = std::pair<std::string, std::string>;  // domain, name

// Whose numbers nobody outside can say: draws of burin's own generator, which
// tests/ops/random_numbers_test.cpp holds against the distributions.
const std::set<std::string> kElsewhere = {"Bernoulli",        "Multinomial",   "RandomNormal",
                                          "RandomNormalLike", "RandomUniform", "RandomUniformLike"};

void collect_operators(const Block& block, std::set<Operator>& operators) {
  for (const Node& node : block.nodes) {
    operators.insert({node.domain, node.op});
    for (const Attribute& attribute : node.attributes) {
      if (const auto* inner = std::get_if<std::shared_ptr<const Block>>(&attribute.value))
        collect_operators(**inner, operators);
    }
  }
}

bool has_expected_outputs(const std::string& folder) {
  for (const std::string& set : data_sets_of(folder)) {
    for (const auto& output : read_data_set(set, folder + "/model.onnx").outputs) {
      if (output) return true;
    }
  }
  return false;
}

TEST(Operators, EachIsComparedThroughEmittedCode) {
  std::set<Operator> missing;
  for (const OpDef& op : op_table()) {
    // Of burin's own making, in no file.
    if (op.domain != kOwnDomain) missing.insert({op.domain, op.name});
  }
  ASSERT_GT(missing.size(), 150U);
  std::vector<std::string> cases = onnx_cases();
  const size_t from_onnx = cases.size();
  for (const std::string& folder : find_cases(std::string(BURIN_SOURCE_DIR) + "/tests/models"))
    cases.push_back(folder);
  for (size_t i = 0; i < cases.size(); ++i) {
    const std::string& folder = cases[i];
    const std::optional<Lowered> lowered = lower_onnx_case(folder, false, i < from_onnx);
    if (!lowered || is_open_case(folder) || !has_expected_outputs(folder)) continue;
    std::set<Operator> here;
    collect_operators(import_case(folder).block, here);
    // What is folded is computed by the interpreter, now.
    std::set<std::string> emitted;
    for (const NodeFacts& node : lowered->nodes) {
      if (!node.folded) emitted.insert(node.op);
    }
    for (const Operator& one : here) {
      if (emitted.contains(one.second)) missing.erase(one);
    }
  }
  for (const auto& [domain, name] : missing) {
    if (kElsewhere.contains(name)) continue;
    ADD_FAILURE() << "no case with expected outputs has a node of " << domain << " " << name
                  << " that becomes code: add one to tests/models/make_operator_cases.py";
  }
}

}  // namespace
}  // namespace burin::operators_test
