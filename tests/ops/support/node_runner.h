// Runs one node, made by hand, through lowering and the interpreter.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "graph/graph.h"
#include "kernel/tensor.h"

namespace burin {

// An input of the node: a tensor of the run, a constant of the model, or left out.
struct Argument {
  std::optional<HostTensor> tensor;
  bool constant = false;
  bool symbolic = false;  // every extent is a symbol of its own
};
inline Argument given(HostTensor tensor) { return {std::move(tensor), false, false}; }
inline Argument sized(HostTensor tensor) { return {std::move(tensor), false, true}; }
inline Argument fixed(HostTensor tensor) { return {std::move(tensor), true, false}; }
inline Argument absent() { return {}; }

inline HostTensor floats(std::vector<int64_t> shape, const std::vector<double>& numbers) {
  return make_tensor(Type::f32, std::move(shape), numbers);
}
inline HostTensor ints(const std::vector<int64_t>& numbers) {
  return make_tensor(Type::i64, {static_cast<int64_t>(numbers.size())}, numbers);
}
inline HostTensor scalar(int64_t number) {
  return make_tensor(Type::i64, {}, std::vector<int64_t>{number});
}
// 0, 1, 2 ...
HostTensor counting(std::vector<int64_t> shape, Type type = Type::f32);

struct NodeTest {
  std::string op;
  int version = 21;
  std::vector<Argument> inputs;
  std::vector<Attribute> attributes = {};
  int outputs = 1;
  std::string domain = {};
};

Graph graph_of(const NodeTest& test);
// The outputs; a failed run is an exception with its message.
std::vector<HostTensor> run(const NodeTest& test);
// The rule by which the node is refused, or "" when it is not.
std::string refusal(const NodeTest& test);

std::vector<double> numbers_of(const HostTensor& tensor);

}  // namespace burin
