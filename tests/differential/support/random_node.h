// Random legal nodes, from nothing but what an operator declares: operands with their types and
// arity, attributes with their kinds. What a node draws is tried; what the operator refuses is
// thrown away, so that legal shapes and values need not be said anywhere.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "graph/graph.h"
#include "kernel/tensor.h"
#include "ops/api/core/op_def.h"

namespace burin {

// The same numbers everywhere.
class Draw {
 public:
  explicit Draw(uint64_t seed) : state_(seed * 0x9E3779B97F4A7C15U + 0x1234567U) {}
  uint64_t bits() {
    state_ ^= state_ << 13;
    state_ ^= state_ >> 7;
    state_ ^= state_ << 17;
    return state_;
  }
  int64_t between(int64_t low, int64_t high) {  // both belong to it
    return low + static_cast<int64_t>(bits() % static_cast<uint64_t>(high - low + 1));
  }
  bool chance(double probability) {
    return static_cast<double>(bits() >> 11) < probability * 9007199254740992.0;
  }
  template <class T>
  const T& pick(const std::vector<T>& values) {
    return values[static_cast<size_t>(between(0, static_cast<int64_t>(values.size()) - 1))];
  }

 private:
  uint64_t state_;
};

struct RandomNode {
  const OpDef* def = nullptr;
  int version = 0;
  std::vector<std::optional<HostTensor>> inputs;  // nullopt: left out
  std::vector<bool> constant;                     // of each input: known while generating
  std::vector<Attribute> attributes;
  std::vector<bool> outputs;  // whether each is there
};

// One try. Operators with nested graphs have none.
RandomNode draw_node(const OpDef& def, Draw& draw);

// Whether lowering takes the node, and the interpreter can run it.
bool is_legal(const RandomNode& node);

// The nodes side by side in one graph. `symbolic`: every extent n above 1 of an input is the symbol
// "n<n>", from 1 to 16. `data`: the tensors of the graph's inputs, in order.
Graph graph_of(const std::vector<RandomNode>& nodes, bool symbolic, std::vector<HostTensor>& data);

}  // namespace burin
