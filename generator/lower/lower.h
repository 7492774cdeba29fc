// lower: Graph -> KernelGraph. Every operator gives its kernels; shapes, values and constants are
// propagated on the way.
//
// Propagation is RDP (SoD2 section 4.1) without a transfer function per operator: the forward shape
// of a node is what its `lower` declares, the forward value of a small integer tensor is its
// kernels evaluated over symbols (kernel/symbolic/symbolic.h), and the backward direction is
// unification: dimensions that an operator requires to be equal are equated, symbols that this
// determines are replaced, and the pass runs again until nothing is left to replace (at most once
// per symbol).
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "graph/graph.h"
#include "kernel/draws.h"
#include "kernel/kernel.h"
#include "kernel/packed_value.h"

namespace burin {

// What the user says about a dynamic size (--dim).
struct SymbolBound {
  std::string name;
  std::optional<int64_t> min = {};  // as the operator says where it is not given
  int64_t max = kUnbounded;
  int64_t hint = 0;
  bool of_any = false;  // of several models: not refused where it is another's
  bool operator==(const SymbolBound&) const = default;
};

struct LowerOptions {
  bool fold_constants = true;            // run what depends on constants only, now
  bool propagate_values = true;          // know the contents of small integer tensors
  int64_t fold_operations = 50'000'000;  // element operations that folding one node may take
  int64_t nodes_again = 100'000;         // of loop bodies, lowered once more for other extents
  // Refused as "symbol" where the run has no symbol of the name; `input_dims` are the names that it
  // might have been, for the message.
  std::vector<SymbolBound> bounds = {};
  std::vector<std::string> input_dims = {};
  std::vector<std::string> given = {};  // dimensions of inputs for which a user gave a range
  // Declared shapes that the graph contradicts are refused; off: the graph counts, with a note.
  bool strict = false;
  // Bytes that every string has, where those of the model are not longer.
  int64_t string_bytes = 64;
};

// What is known of a tensor before the run (SoD2's S and V maps).
struct TensorFacts {
  std::string name;
  Type type = Type::none;
  std::vector<Dim> shape;
  std::vector<Dim> elements = {};  // row-major, where all are known; none: not known, or none there
};

// What was asked and found out about one node; for `analyze` and for tests.
struct NodeFacts {
  std::string node, op;
  std::string dynamism_class;        // SoD2 section 3: ISDO, ISDOS, ISVDOS or EDO
  std::vector<TensorFacts> outputs;  // those of sequences and optionals one by one
  bool folded = false;
};

struct Lowered {
  KernelGraph graph;
  std::vector<TensorFacts> inputs;
  std::vector<NodeFacts> nodes;  // top level and nested, in order of lowering
  // Sequences and optionals of a length that only the caller or the run knows.
  std::vector<PackedValue> packed_inputs, packed_outputs;
  std::vector<DrawnValue> draws;       // values that are drawn at random, or folded from such
  std::vector<std::string> run_sizes;  // names that --dim may bound
  std::vector<Diagnostic> notes;       // what the file says and the graph contradicts: warnings
  int passes = 0;  // until nothing changed: one more than symbols that were solved for
};

// Refuses with the node's location what an operator or the schema does not allow.
Lowered lower(const Graph& graph, const LowerOptions& options);

}  // namespace burin
