// JSON of emitted trees: members in the order in which they are added.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "backends/cpp/emit_cpp.h"

namespace burin::cpp {

using Json = nlohmann::ordered_json;

// A number, or an expression over the names that emitted code uses, with + - * // % min max.
Json size_json(const Dim& dim, const TreeNames& names);

// What a run needs of a device's memory.
Json device_json(const ModelPlan& plan, const TreeNames& names);
Json shape_json(const std::vector<Dim>& shape, const TreeNames& names);

// ASCII text; bytes that are not UTF-8 are replaced, never refused. Arrays of numbers and short
// words stand on one line.
std::string dump(const Json& json);

}  // namespace burin::cpp
