// Who calls whom in compiled code, and how much stack each function takes.
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <vector>

namespace burin {

struct CallGraph {
  std::map<std::string, int64_t> frames;  // bytes, of functions with a body
  std::map<std::string, std::set<std::string>> calls;

  // What one object's .ci file (GCC's -fcallgraph-info=su) says, added.
  void add(const std::string& text);
  int64_t largest() const;

  struct Path {
    int64_t bytes = 0;
    std::vector<std::string> functions;  // from the outermost one
  };
  // The deepest sum of frames from any function that nothing calls. A call by pointer may reach
  // every function that no other one calls by name; a path goes through a cycle once. O(functions +
  // calls) without cycles.
  Path deepest() const;
};

}  // namespace burin
