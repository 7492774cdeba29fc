// Prints the blocks and panels of attention; the loops are described in select/attention.h.
#include "backends/cpp/kernel_printer_core.h"

namespace burin::cpp {

Index KernelPrinter::point_of(int axis) const {
  return axis < 0 ? Index(0) : Index::axis(axis, kernel_.axes[static_cast<size_t>(axis)].extent);
}

Index KernelPrinter::block_first(int axis) const {
  return axis < 0 ? Index(0) : loop_variable(axis_name(axis) + "_first");
}
Index KernelPrinter::block_end(int axis) const {
  return axis < 0 ? Index(1) : loop_variable(axis_name(axis) + "_end");
}

std::string KernelPrinter::begin_text(int axis) {
  return schedule_.cut && schedule_.cut->axis == axis ? "first" : "0";
}
std::string KernelPrinter::end_text(int axis) {
  return schedule_.cut && schedule_.cut->axis == axis
             ? "last"
             : exprs_.text(kernel_.axes[static_cast<size_t>(axis)].extent);
}

// for (first of each block) { end of the block; ...
void KernelPrinter::open_blocks(int axis, const std::string& width) {
  exprs_.open_scope();
  if (axis < 0) {
    text_.open("{");
    return;
  }
  const std::string name = axis_name(axis), first = name + "_first", end = name + "_end";
  const std::string extent = end_text(axis);
  local_symbols_.insert({first, end});
  text_.open("for (" + index_type_ + " " + first + " = " + begin_text(axis) + "; " + first + " < " +
             extent + "; " + first + " += " + width + ") {");
  out_.headers.insert("elementary.h");
  text_.line("const " + index_type_ + " " + end + " = burin_rt::minimum<" + index_type_ + ">(" +
             first + " + " + width + ", " + extent + ");");
}

void KernelPrinter::close_blocks(int) {
  text_.close();
  exprs_.close_scope();
}

// One panel of a factor, from `name` on: for every point of the depth the lanes of the present
// block.
void KernelPrinter::print_panel(const Panel& panel, const std::string& name) {
  text_.line("float* to = " + name + ";");
  LoopNodes nodes;
  if (panel.axis < 0) {
    nodes.push_back({PackLane{panel.element, panel.axis}});
  } else {
    nodes.push_back({ForLoop{panel.axis,
                             block_first(panel.axis),
                             block_end(panel.axis),
                             {LoopNode{PackLane{panel.element, panel.axis}}}}});
  }
  nodes.push_back({PackRow{panel.axis, panel.width}});
  for (size_t i = panel.depth.size(); i-- > 0;) {
    const int k = panel.depth[i];
    nodes = {
        LoopNode{ForLoop{k, 0, kernel_.axes[static_cast<size_t>(k)].extent, std::move(nodes)}}};
  }
  exprs_.open_scope();
  name_divisions(nodes);
  print(nodes);
  exprs_.close_scope();
}

// All panels of a factor, one block after another; `depth`: points of a panel's depth.
void KernelPrinter::print_panels(const Panel& panel, const std::string& name, const Dim& depth) {
  open_blocks(panel.axis, std::to_string(panel.width));
  print_panel(panel, name + " + " + exprs_.text(block_first(panel.axis) * depth));
  close_blocks(panel.axis);
}

void KernelPrinter::print(const PackLane& lane) {
  exprs_.open_scope();
  const std::string value = exprs_.text(lane.element);
  const std::string at =
      lane.axis < 0 ? "0" : axis_name(lane.axis) + " - " + axis_name(lane.axis) + "_first";
  text_.line("to[" + at + "] = " + value + ";");
  exprs_.close_scope();
}

void KernelPrinter::print(const PackRow& row) {
  const std::string width = std::to_string(row.width);
  const std::string count =
      row.axis < 0 ? "1" : axis_name(row.axis) + "_end - " + axis_name(row.axis) + "_first";
  if (row.axis >= 0 || row.width > 1) {
    text_.line("for (" + index_type_ + " lane = " + count + "; lane < " + width +
               "; ++lane) to[lane] = 0.0f;");
  }
  text_.line("to += " + width + ";");
}

void KernelPrinter::print(const Fill& fill) {
  exprs_.open_scope();
  const std::string value = exprs_.text(fill.value);
  text_.line(fill.to + "[" + exprs_.text(fill.at) + "] = " + without_parentheses(value) + ";");
  exprs_.close_scope();
}

// for (one axis, all of it) {
void KernelPrinter::open_loop(int axis) {
  const std::string name = axis_name(axis);
  exprs_.open_scope();
  text_.open("for (" + index_type_ + " " + name + " = " + begin_text(axis) + "; " + name + " < " +
             end_text(axis) + "; ++" + name + ") {");
  axes_.push_back(axis);
}

void KernelPrinter::close_loops(size_t count) {
  for (size_t i = 0; i < count; ++i) {
    text_.close();
    axes_.pop_back();
    exprs_.close_scope();
  }
}

// A typed pointer into the kernel's scratch.
void KernelPrinter::scratch_pointer(const char* type, const char* name, const Dim& offset) {
  const std::string at = offset.is_constant(0) ? "scratch" : "scratch + " + exprs_.text(offset);
  text_.line(std::string(type) + "* const " + name + " = reinterpret_cast<" + type + "*>(" + at +
             ");");
}

}  // namespace burin::cpp
