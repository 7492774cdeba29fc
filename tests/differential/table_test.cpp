// Every operator of the table on random legal nodes: emitted code against the interpreter. What is
// drawn follows from the OpDef alone (support/random_node.h).
//
//   BURIN_TABLE_CASES=40 BURIN_TABLE_SEED=7 build/dev/tests/burin_differential_tests
//   --gtest_filter='Table.*'
//
// draws more nodes of each and compiles them under sanitizers.
#include <gtest/gtest.h>

#include <cstdlib>
#include <iostream>
#include <map>
#include <set>

#include "differential/support/emitted_run.h"
#include "differential/support/random_node.h"
#include "graph/copy.h"
#include "ops/api/core/op_table.h"
#include "support/diagnostics.h"

namespace burin::table_test {
namespace {

constexpr size_t kNodesPerProgram = 32;

int64_t setting(const char* name, int64_t otherwise) {
  const char* value = std::getenv(name);
  return value ? std::atoll(value) : otherwise;
}

// Of these no legal node is drawn from the declaration alone.
const std::map<std::string, std::string>& not_drawn() {
  static const std::map<std::string, std::string> all = {
#include "differential/data/not_drawn.inc"
  };
  return all;
}

// Legal nodes of an operator; fewer where `tries` did not find as many.
std::vector<RandomNode> legal_nodes(const OpDef& def, int64_t count, int64_t tries, uint64_t seed) {
  std::vector<RandomNode> out;
  uint64_t own = seed;
  for (const char c : def.domain + def.name) own = own * 131 + static_cast<unsigned char>(c);
  Draw draw(own);
  for (int64_t k = 0; k < tries && static_cast<int64_t>(out.size()) < count; ++k) {
    RandomNode node = draw_node(def, draw);
    std::vector<HostTensor> data;
    const Graph graph = graph_of({node}, false, data);
    try {
      if (is_legal(node) && EmittedProgram::compiles(graph)) out.push_back(std::move(node));
    } catch (const std::exception& error) {  // neither taken nor refused
      ADD_FAILURE() << error.what() << "\n" << to_string(graph);
      continue;
    }
  }
  return out;
}

// Whether the node is legal for all sizes up to 16 too.
bool is_legal_symbolically(const RandomNode& node) {
  std::vector<HostTensor> data;
  return EmittedProgram::compiles(graph_of({node}, true, data));
}

void expect_agree(const std::vector<RandomNode>& nodes, bool symbolic, bool sanitize) {
  for (size_t begin = 0; begin < nodes.size(); begin += kNodesPerProgram) {
    const size_t end = std::min(begin + kNodesPerProgram, nodes.size());
    std::vector<HostTensor> data;
    const auto failures = [] {
      return testing::UnitTest::GetInstance()->current_test_info()->result()->total_part_count();
    };
    const int before = failures();
    const Graph graph = graph_of({nodes.begin() + static_cast<std::ptrdiff_t>(begin),
                                  nodes.begin() + static_cast<std::ptrdiff_t>(end)},
                                 symbolic, data);
    try {
      EmittedProgram(graph, sanitize).expect_agrees(data);
    } catch (const std::exception& error) {
      ADD_FAILURE() << error.what();
    }
    if (failures() > before) std::cout << to_string(graph);
  }
}

TEST(Table, EmittedCodeAgreesOnRandomNodes) {
  const int64_t count = setting("BURIN_TABLE_CASES", 1);
  const auto seed = static_cast<uint64_t>(setting("BURIN_TABLE_SEED", 1));
  const bool large = count > 1;
  std::vector<RandomNode> fixed, symbolic;
  for (const OpDef& def : op_table()) {
    if (def.domain == kOwnDomain) continue;
    const std::string name = (def.domain.empty() ? "" : def.domain + ".") + def.name;
    const bool exempt = not_drawn().contains(name);
    if (exempt && !large) continue;
    const std::vector<RandomNode> nodes = legal_nodes(def, count, large ? count * 300 : 6000, seed);
    EXPECT_TRUE(exempt || large || !nodes.empty()) << name << ": no legal node was drawn";
    if (large) std::cout << name << ": " << nodes.size() << " nodes\n";
    for (size_t k = 0; k < nodes.size(); ++k)
      ((k + def.name.size()) % 2 == 0 && is_legal_symbolically(nodes[k]) ? symbolic : fixed)
          .push_back(nodes[k]);
  }
  expect_agree(fixed, false, large);
  expect_agree(symbolic, true, large);
  std::cout << fixed.size() << " nodes, and " << symbolic.size() << " with symbols for sizes\n";
}

}  // namespace
}  // namespace burin::table_test
