// A schedule as text, for dumps and tests.
#include "select/schedule.h"

namespace burin {
namespace {

void print(const KernelSchedule& schedule, const LoopNodes& nodes, const std::string& margin,
           std::string& out) {
  for (const LoopNode& node : nodes) {
    out += margin;
    if (const auto* loop = std::get_if<ForLoop>(&node.node)) {
      out += "for i" + std::to_string(loop->axis) + " in " + to_string(loop->begin) + " .. " +
             to_string(loop->end) + "\n";
      print(schedule, loop->nodes, margin + "  ", out);
    } else if (const auto* begin = std::get_if<BeginLet>(&node.node)) {
      out += "begin let" + std::to_string(begin->let) + "\n";
    } else if (const auto* accumulate = std::get_if<Accumulate>(&node.node)) {
      out += "let" + std::to_string(accumulate->let) + " <- ";
      for (const Expr& body : accumulate->body) out += to_string(body) + " ";
      out += "when " + to_string(accumulate->when) + "\n";
    } else if (const auto* end = std::get_if<EndLet>(&node.node)) {
      out += "end let" + std::to_string(end->let) + "\n";
    } else if (const auto* define = std::get_if<Define>(&node.node)) {
      out += "define let" + std::to_string(define->let) + "\n";
    } else if (const auto* lane = std::get_if<PackLane>(&node.node)) {
      out += "pack " + to_string(lane->element) + "\n";
    } else if (const auto* row = std::get_if<PackRow>(&node.node)) {
      out += "end of a row of " + std::to_string(row->width) + "\n";
    } else {
      const auto& store = std::get<Store>(node.node);
      out += "store " + std::to_string(store.write) + " := " + to_string(store.value) + " when " +
             to_string(store.when) + "\n";
    }
  }
}

}  // namespace

std::string to_string(const KernelSchedule& schedule) {
  std::string out = schedule.family + ": " + schedule.reason + "\n";
  print(schedule, schedule.loops, "  ", out);
  return out;
}

}  // namespace burin
