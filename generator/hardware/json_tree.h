// The storage behind JsonValue: one flat array of nodes, each with its parent, so that pointers and
// positions cost nothing until an error asks for them. Private to hardware/json_*.cpp.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "hardware/json_file.h"

namespace burin {

struct JsonNode {
  JsonKind kind = JsonKind::kNull;
  int line = 0;
  int column = 0;
  uint32_t parent = 0;   // of the root: itself
  uint32_t ordinal = 0;  // place among the parent's children
  std::string key;       // in an object
  bool boolean = false;
  int64_t integer = 0;
  double real = 0;
  std::string string;
  std::vector<uint32_t> children;
};

struct JsonTree {
  std::string file;
  std::vector<JsonNode> nodes;  // nodes[0] is the root

  const JsonNode& node(const JsonValue& value) const { return nodes[value.index_]; }
  std::string pointer(uint32_t index) const;
};

}  // namespace burin
