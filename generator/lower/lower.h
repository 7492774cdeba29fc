// lower: Graph -> KernelGraph. Every operator gives its kernels; shapes, values and constants are
// propagated on the way.
//
// Propagation is RDP (SoD2 section 4.1) without a transfer function per operator: the forward shape
// of a node is what its `lower` declares, the forward value of a small integer tensor is its
// kernels evaluated over symbols (kernel/symbolic.h), and the backward direction is unification:
// dimensions that an operator requires to be equal are equated, symbols that this determines are
// replaced, and the pass runs again until nothing is left to replace (at most once per symbol).
#pragma once

#include <string>
#include <vector>

#include "graph/graph.h"
#include "kernel/kernel.h"

namespace burin {

struct LowerOptions {
  bool fold_constants = true;            // run what depends on constants only, now
  bool propagate_values = true;          // know the contents of small integer tensors
  int64_t fold_operations = 50'000'000;  // element operations that folding one node may take
};

// What was asked and found out about one node; for `analyze` and for tests.
struct NodeFacts {
  std::string node, op;
  std::string dynamism_class;  // SoD2 section 3: ISDO, ISDOS, ISVDOS or EDO
  std::vector<std::string> output_shapes;
  bool folded = false;
};

struct Lowered {
  KernelGraph graph;
  std::vector<NodeFacts> nodes;  // top level and nested, in order of lowering
};

// Refuses with the node's location what an operator or the schema does not allow.
Lowered lower(const Graph& graph, const LowerOptions& options);

}  // namespace burin
