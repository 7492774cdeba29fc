// Prints what joins two products that are back to back; see select/back_to_back.h.
#include "backends/cpp/kernel_printer_core.h"

namespace burin::cpp {

bool KernelPrinter::is_next(const ContractionSchedule& contraction) const {
  return schedule_.next && &contraction == &*schedule_.next;
}

const char* KernelPrinter::columns_panel(const ContractionSchedule& contraction) const {
  return is_next(contraction) ? "next_panel" : "b_panel";
}

std::string KernelPrinter::rows_between() const {
  return let_name(schedule_.contraction->finish->value, 0) + "_rows";
}

// A piece of a row is computed side by side, then goes to its places in the panel.
void KernelPrinter::print_rows_between(const ContractionSchedule& first) {
  const std::string row = axis_name(first.m), column = axis_name(first.n);
  exprs_.open_scope();
  text_.open("for (" + index_type_ + " " + row + " = " + row + "_first; " + row + " < " + row +
             "_end; ++" + row + ") {");
  axes_.push_back(first.m);
  text_.line("float to[" + std::to_string(first.tile.columns()) + "];");
  LoopNodes nodes{LoopNode{ForLoop{first.n,
                                   block_first(first.n),
                                   block_end(first.n),
                                   {LoopNode{PackLane{first.value, first.n}}}}}};
  name_divisions(nodes);
  print(nodes);
  print_panel_of_row("(" + row + " - rows_first)", *schedule_.next);
  text_.line("for (" + index_type_ + " " + column + " = " + column + "_first; " + column + " < " +
             column + "_end; ++" + column + ") panel[" + std::to_string(schedule_.next->tile.rows) +
             " * " + column + "] = to[" + column + " - " + column + "_first];");
  close_loops(1);
}

// `row` counts from the first of the block.
void KernelPrinter::print_panel_of_row(const std::string& row, const ContractionSchedule& next) {
  const std::string width = std::to_string(next.tile.rows);
  const std::string panel = exprs_.text(next.depth * next.tile.rows);
  text_.line("float* const panel = " + rows_between() + " + " + row + " / " + width + " * " +
             panel + " + " + row + " % " + width + ";");
}

// Rows of its last panel that are not there are zero.
void KernelPrinter::print_next(const ContractionSchedule& next) {
  const std::string width = std::to_string(next.tile.rows);
  if (next.tile.rows > 1 && !mod(next.rows, next.tile.rows).is_constant(0)) {
    text_.open("for (" + index_type_ + " row = rows_end - rows_first; row % " + width +
               " != 0; ++row) {");
    print_panel_of_row("row", next);
    text_.line("for (" + index_type_ + " point = 0; point < " + exprs_.text(next.depth) +
               "; ++point) panel[" + width + " * point] = 0.0f;");
    text_.close();
  }
  print_product(next);
}

}  // namespace burin::cpp
