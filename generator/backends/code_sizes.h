// What a compiler made of a tree: told in its report, decided nowhere.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace burin {

struct CodeSizes {
  struct Row {
    std::string source;  // path in the tree
    int64_t code = 0, constants = 0;
    int64_t stack = 0;  // of its largest frame
    bool operator==(const Row&) const = default;
  };
  std::string compiler;   // "arm-none-eabi-g++ -Os": its name, version and flags, one line
  std::vector<Row> rows;  // by path
  // Along calls from a function of the interface, the deepest sum of frames.
  int64_t stack = 0;
  std::vector<std::string> deepest;  // the functions of it
  bool follows_calls = true;         // false: the sum of the largest frames of each kind
  bool operator==(const CodeSizes&) const = default;
};

}  // namespace burin
