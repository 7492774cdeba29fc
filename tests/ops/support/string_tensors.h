// Strings of tests as rows of bytes, and graphs over them that are run in the interpreter.
#pragma once

#include <string>
#include <vector>

#include "kernel/interpreter/interpreter.h"

namespace burin {

using Strings = std::vector<std::string>;
inline constexpr int64_t kBytesOfAString = 16;

HostTensor bytes_of_strings(std::vector<int64_t> shape, const Strings& strings);
HostTensor list_of_strings(const Strings& strings);
// Bytes of zero are left out, where they stand between others as well.
Strings text_of(const HostTensor& tensor);

// The graph of this text (graph/graph.h: parse_graph), lowered with strings of kBytesOfAString.
RunResult run_graph_of_strings(const std::string& text, const std::vector<HostTensor>& inputs);

// One node over tensors of these types, `string [n, 2]`; `n` is a symbol.
RunResult run_node_of_strings(const Strings& declared, const std::string& node,
                              const std::vector<HostTensor>& inputs, int outputs = 1);

}  // namespace burin
