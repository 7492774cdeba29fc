// Quotients and remainders of indices in the loops of a schedule. What is settled outside a loop is
// named there; what moves along an innermost loop is counted (loops/counting.h).
#include "backends/cpp/induction_variables.h"
#include "backends/opencl/loop_printer.h"
#include "kernel/index/divisions.h"
#include "loops/counting.h"
#include "loops/walk.h"

namespace burin::opencl {

bool LoopPrinter::is_innermost(const LoopNodes& nodes) {
  return std::none_of(nodes.begin(), nodes.end(), [](const LoopNode& node) {
    return std::holds_alternative<ForLoop>(node.node) ||
           std::holds_alternative<LaneLoop>(node.node);
  });
}

void LoopPrinter::find_divisions(const LoopNodes& nodes, std::vector<Index>& divisions) {
  const auto on_index = [&](const Index& index) { collect_divisions(index, divisions); };
  for (const LoopNode& node : nodes) {
    for_each_index(node, on_index);
    const auto* loop = std::get_if<ForLoop>(&node.node);
    if (loop == nullptr) continue;
    std::vector<Index> inside;
    find_divisions(loop->nodes, inside);
    if (is_innermost(loop->nodes)) {
      // Where induction variables start.
      std::set<Index> counted;
      for (const Index& division : inside) {
        if (!division.uses_axis(loop->axis) || division.has_data() || counted.contains(division))
          continue;
        const Index &x = division.operands()[0], &c = division.operands()[1];
        counted.insert({floordiv(x, c), mod(x, c)});
        const Index first = loops::with_var(x, loop->axis, loop->begin);
        on_index(floordiv(first, c));
        on_index(mod(first, c));
      }
    }
    divisions.insert(divisions.end(), inside.begin(), inside.end());
  }
}

void LoopPrinter::name_divisions(const LoopNodes& nodes) {
  std::vector<Index> divisions;
  find_divisions(nodes, divisions);
  for (const Index& division : divisions) {
    if (exprs_.has_name(division) || division.has_data()) continue;
    std::vector<int> used;
    division.collect_axes(used);
    const bool settled = std::all_of(used.begin(), used.end(), [&](int axis) {
      return std::find(axes_.begin(), axes_.end(), axis) != axes_.end();
    });
    if (!settled) continue;
    const std::string name = exprs_.fresh("q");
    text_.line("const " + index_type_ + " " + name + " = " +
               cpp::without_parentheses(exprs_.text(division)) + ";");
    exprs_.name_index(division, name);
  }
}

bool LoopPrinter::has_inductions(const ForLoop& loop) {
  std::vector<Index> divisions;
  find_divisions(loop.nodes, divisions);
  return std::any_of(divisions.begin(), divisions.end(), [&](const Index& division) {
    return !exprs_.has_name(division) && division.uses_axis(loop.axis) && !division.has_data();
  });
}

void LoopPrinter::add_inductions(const ForLoop& loop, cpp::InductionVariables& inductions) {
  std::vector<Index> divisions;
  find_divisions(loop.nodes, divisions);
  for (const Index& division : divisions) {
    if (exprs_.has_name(division) || !division.uses_axis(loop.axis) || division.has_data())
      continue;
    const Index &x = division.operands()[0], &c = division.operands()[1];
    if (c.uses_axis(loop.axis)) continue;
    std::string quotient = exprs_.fresh("q"), remainder = exprs_.fresh("r");
    local_symbols_.insert({quotient, remainder});
    inductions.add(loops::induction_of(x, c, point_of(loop.axis), inductions.all(),
                                       std::move(quotient), std::move(remainder)));
  }
}

}  // namespace burin::opencl
