// Prints how a panel is unpacked from the parts of a compact factor; see select/compact.h.
#include "backends/cpp/kernel_printer_core.h"
#include "kernel/layout.h"

namespace burin::cpp {

// All lanes of a block, as many as compilers know, which lie side by side in what is read; several
// points of the depth in one step, that what they share is loaded once.
void KernelPrinter::print_whole_panel(const Panel& panel, const std::string& name) {
  const Index first = block_first(panel.axis), lane = point_of(panel.axis);
  const auto in_block = [&](const Expr& expr) -> Expr {
    if (expr.kind() != ExprKind::load) return expr;
    std::vector<Index> at = expr->at;
    for (Index& index : at) {
      if (index == floordiv(lane, panel.width)) index = floordiv(first, panel.width);
      if (index == mod(lane, panel.width)) index = lane - first;
    }
    return Expr::load(expr->id, expr->storage, std::move(at));
  };
  const Expr element = rewrite(panel.element, in_block, [](const Index& leaf) { return leaf; });
  const int last = panel.depth.back();
  const Dim steps = floordiv(kernel_.axes[static_cast<size_t>(last)].extent, panel.together);
  std::vector<Index> point;
  for (size_t axis = 0; axis < kernel_.axes.size(); ++axis)
    point.push_back(point_of(static_cast<int>(axis)));
  LoopNodes nodes;
  for (int i = 0; i < panel.together; ++i) {
    point[static_cast<size_t>(last)] = Index::axis(last, steps) * panel.together + i;
    const Expr one = substitute_axes(element, point);
    nodes.push_back(
        {ForLoop{panel.axis, first, first + panel.width, {LoopNode{PackLane{one, panel.axis}}}}});
    nodes.push_back({PackRow{panel.axis, panel.width, true}});
  }
  for (size_t i = panel.depth.size(); i-- > 0;) {
    const int k = panel.depth[i];
    const Dim extent = k == last ? steps : kernel_.axes[static_cast<size_t>(k)].extent;
    nodes = {LoopNode{ForLoop{k, 0, extent, std::move(nodes)}}};
  }
  exprs_.open_scope();
  if (element.kind() == ExprKind::load && element->storage == Type::f16 &&
      holds_depth(panel, element)) {
    print_widened_panel(panel, element, name);
  } else {
    text_.line("float* to = " + name + ";");
    name_divisions(nodes);
    print(nodes);
  }
  exprs_.close_scope();
}

// Whether what a part has for a block is a row for each point of the depth.
bool KernelPrinter::holds_depth(const Panel& panel, const Expr& part) const {
  Dim depth = 1;
  for (const int k : panel.depth) depth *= kernel_.axes[static_cast<size_t>(k)].extent;
  const std::vector<Dim>& shape = value(part->id).shape;
  return shape.size() >= 3 && shape[shape.size() - 2] == depth;
}

// A panel of halves as it lies: no compiler makes conversion instructions of a loop over them.
void KernelPrinter::print_widened_panel(const Panel& panel, const Expr& element,
                                        const std::string& name) {
  Index elements = panel.width;
  std::vector<Index> begin;
  for (size_t axis = 0; axis < kernel_.axes.size(); ++axis)
    begin.push_back(point_of(static_cast<int>(axis)));
  for (const int k : panel.depth) {
    elements *= kernel_.axes[static_cast<size_t>(k)].extent;
    begin[static_cast<size_t>(k)] = 0;
  }
  begin[static_cast<size_t>(panel.axis)] = block_first(panel.axis);
  const Value& halves = value(element->id);
  std::vector<Index> at = element->at;
  for (Index& index : at) index = index.substitute_axes(begin);
  out_.headers.insert("widen.h");
  text_.line("burin_rt::widen(" + value_name(element->id) + " + " +
             exprs_.text(address(halves.layout, halves.shape, at)) + ", " + exprs_.text(elements) +
             ", " + name + ");");
}

}  // namespace burin::cpp
