// A schedule as text, for dumps and tests.
#include "select/schedule/loop_plan.h"

namespace burin {
namespace {

void print(const LoopPlan& schedule, const LoopNodes& nodes, const std::string& margin,
           std::string& out) {
  for (const LoopNode& node : nodes) {
    out += margin;
    if (const auto* loop = std::get_if<ForLoop>(&node.node)) {
      out += "for i" + std::to_string(loop->axis) + " in " + to_string(loop->begin) + " .. " +
             to_string(loop->end) + "\n";
      print(schedule, loop->nodes, margin + "  ", out);
      if (loop->unit_stride.empty()) continue;
      out += margin + "or, where 1 =";
      for (const Index& step : loop->strides) out += " " + to_string(step);
      out += "\n";
      print(schedule, loop->unit_stride, margin + "  ", out);
    } else if (const auto* begin = std::get_if<BeginLet>(&node.node)) {
      out += "begin let" + std::to_string(begin->let) + "\n";
    } else if (const auto* accumulate = std::get_if<Accumulate>(&node.node)) {
      out += "let" + std::to_string(accumulate->let) + " <- ";
      for (const Expr& body : accumulate->body) out += to_string(body) + " ";
      out += "when " + to_string(accumulate->when) + "\n";
    } else if (const auto* row = std::get_if<LaneLoop>(&node.node)) {
      out += "let" + std::to_string(row->let) + " <- ";
      for (const Expr& body : row->body) out += to_string(body) + " ";
      for (const RowsOfLanes& one : row->around)
        out += "for i" + std::to_string(one.axis) + " in " + to_string(one.begin) + " .. " +
               to_string(one.end) + " ";
      out += "for i" + std::to_string(row->axis) + " in " + to_string(row->begin) + " .. " +
             to_string(row->end) + " in " + std::to_string(row->lanes) + " lanes" +
             (row->block ? ", blocks of " + std::to_string(row->block) : "") +
             (row->when.empty() ? "" : " when " + to_string(row->when)) + "\n";
    } else if (const auto* end = std::get_if<EndLet>(&node.node)) {
      out += "end let" + std::to_string(end->let) + "\n";
    } else if (const auto* define = std::get_if<Define>(&node.node)) {
      out += "define let" + std::to_string(define->let) + "\n";
    } else if (const auto* fill = std::get_if<Fill>(&node.node)) {
      out += "staged[" + to_string(fill->at) + "] := " + to_string(fill->value) + "\n";
    } else {
      const auto& store = std::get<Store>(node.node);
      out += "store " + std::to_string(store.write) + " := " + to_string(store.value) + " when " +
             to_string(store.when) + "\n";
    }
  }
}

Symbol bound(const char* name) {
  SymbolInfo info;
  info.name = name;
  info.origin = SymbolOrigin::iter;
  return std::make_shared<const SymbolInfo>(std::move(info));
}

}  // namespace

// No symbol of a model has a control character in its name.
const Symbol& cut_first() {
  static const Symbol symbol = bound("first\x01");
  return symbol;
}

const Symbol& cut_last() {
  static const Symbol symbol = bound("last\x01");
  return symbol;
}

std::string to_string(const Cut& cut) {
  std::string out;
  for (const CutAxis& one : cut.axes())
    out += (out.empty() ? "i" : ", i") + std::to_string(one.axis) + " in chunks of " +
           std::to_string(one.grain) + " of " + to_string(one.extent);
  return out;
}

std::string to_string(const LoopPlan& schedule) {
  std::string out = schedule.family + ": " + schedule.reason + ", " +
                    std::to_string(schedule.index_bits) + "-bit indices" +
                    (schedule.cut ? ", threads share " + to_string(*schedule.cut) : "") + "\n";
  print(schedule, schedule.fill, "  ", out);
  print(schedule, schedule.loops, "  ", out);
  print(schedule, schedule.row_epilogue, "  ", out);
  return out;
}

}  // namespace burin
