// What a tree says of itself in manifest.json and plan.json, read back: for comparing two of them.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "backends/cpp/emit_cpp.h"

namespace burin {

struct PlanNode {
  std::string name, op;
  auto operator<=>(const PlanNode&) const = default;
};

// A kernel or a procedure, in the order of the run.
struct PlanStep {
  std::vector<PlanNode> nodes;
  std::vector<std::string> writes;
  std::string code;  // its functions; their names have a hash of what they do. Empty: a view
  bool procedure = false;
  int64_t macs = 0, cycles = 0;
  // What else was decided, by member of plan.json: "threads.grain" -> "5".
  std::map<std::string, std::string> decisions;
};

struct TreeFacts {
  std::string name, hardware, burin, flags;
  std::string model_sha256, hardware_sha256;
  std::map<std::string, std::string> interface;  // "input 'x'" -> "f32[batch, 3]"
  std::string sizes;                             // that figures are for: "batch = 64"
  std::string arena;                             // a number or an expression
  int64_t arena_bytes = 0, weights_bytes = 0, weights_crc32 = 0;
  std::vector<PlanStep> steps;
  std::vector<PlanNode> eliminated;
  // Files on the disk that are not as burin wrote them, with the beginning of their hashes.
  std::string edited = "none";

  int64_t kernels() const;  // that run
  int64_t macs() const;
  int64_t cycles() const;
};

// Of a tree on the disk; of several networks, what the tree's own has, which runs all. Refuses what
// read_json_file does, a folder without manifest.json (not-a-tree), other forms.
TreeFacts read_tree_facts(const std::string& folder);
// Of one that is not written.
TreeFacts tree_facts(const cpp::EmittedTree& emitted);

}  // namespace burin
