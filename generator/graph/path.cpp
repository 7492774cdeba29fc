#include "graph/path.h"

namespace burin {
namespace {

std::string op_text(std::string_view op) {
  std::string text = quoted(op);
  return text == "'" + std::string(op) + "'" ? std::string(op) : text;
}

}  // namespace

Location locate(const std::vector<PathPlace>& path) {
  constexpr size_t kOuter = 2, kInner = 3;  // places that are shown of a long path
  Location where;
  const size_t left_out = path.size() > kOuter + kInner + 1 ? path.size() - kOuter - kInner : 0;
  for (size_t depth = 0; depth < path.size(); ++depth) {
    const PathPlace& place = path[depth];
    if (left_out > 0 && depth == kOuter) where.node += " > (" + std::to_string(left_out) + " more)";
    if (depth >= kOuter && depth < kOuter + left_out) continue;
    where.node += (depth > 0 ? " > node " : "node ") + std::to_string(place.number);
    if (!place.name.empty()) where.node += " " + quoted(place.name);
    where.op = op_text(place.op);
    if (depth + 1 == path.size()) break;
    if (place.name.empty()) where.node += " (" + where.op + ")";
    if (!place.attribute.empty()) where.node += " " + quoted(place.attribute);
  }
  return where;
}

}  // namespace burin
