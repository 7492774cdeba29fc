// JSON of emitted trees: members in the order in which they are added.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "backends/cpp/emit_cpp.h"

namespace burin::cpp {

using Json = nlohmann::ordered_json;

// A member with a name that the object does not have. `object[name]` looks through all that are
// there, which is a square where each tensor of a network is one.
void add_member(Json& object, std::string name, Json value);

// A number, or an expression over the names that emitted code uses, with + - * // % min max.
Json size_json(const Dim& dim, const TreeNames& names);

// What a run needs of a device's memory.
Json device_json(const ModelPlan& plan, const TreeNames& names);
Json shape_json(const std::vector<Dim>& shape, const TreeNames& names);

// Members of a list or an object that has one for each step or tensor of a network: printed one by
// one, so that all that stays of them is text. Each is a list or an object with something in it.
// `depth`: of values around the list.
class PrintedMembers {
 public:
  explicit PrintedMembers(size_t depth) : depth_(depth) {}

  void add(const Json& item);                           // of a list
  void add(const std::string& name, const Json& item);  // of an object
  Json list() &&;  // all that were added, to be put where it is `depth` deep
  Json object() &&;

 private:
  void begin();

  size_t depth_;
  std::string text_;
};

// ASCII text; bytes that are not UTF-8 are replaced, never refused. Arrays of numbers and short
// words stand on one line.
std::string dump(const Json& json);

}  // namespace burin::cpp
