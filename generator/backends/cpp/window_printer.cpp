// Prints contractions and reductions of operands that are read through windows; the loops are
// described in select/window.h.
#include "backends/cpp/kernel_printer_core.h"

namespace burin::cpp {

void KernelPrinter::print(const Fill& fill) {
  exprs_.open_scope();
  const std::string value = exprs_.text(fill.value);
  text_.line(fill.to + "[" + exprs_.text(fill.at) + "] = " + without_parentheses(value) + ";");
  exprs_.close_scope();
}

void KernelPrinter::print(const Shift& shift) {
  text_.line("*shift++ = static_cast<int32_t>(" + exprs_.text(shift.at) + ");");
}

// One tile of rows x positions, and the results among its positions.
void KernelPrinter::print_window_tile(const ContractionSchedule& contraction) {
  const SlidingWindow& window = *contraction.window;
  const Tile& tile = contraction.tile;
  const std::string depth = exprs_.text(contraction.depth);
  declare_tile(contraction);
  out_.headers.insert("window.h");
  const auto call = [&](const NarrowVersion& version) {
    const int vectors = version.vectors;
    const std::string shape = std::to_string(vectors) + ", " + std::to_string(tile.lanes);
    if (!contraction.a.element) {
      const char* name = contraction.op == Combiner::sum   ? "Total"
                         : contraction.op == Combiner::max ? "Greatest"
                                                           : "Least";
      return "burin_rt::combine_shifted<burin_rt::" + std::string(name) + ", " + shape +
             ">(staged + position, shifts, " + depth + ", tile);";
    }
    const std::string a =
        panel_text(contraction, contraction.a, "a_panels", contraction.m, true, tile.rows);
    if (version.blocks > 1)
      return blocks_text(contraction, version, "multiply_shifted_blocks", a,
                         "staged + position, shifts");
    return "burin_rt::multiply_shifted<" + std::to_string(tile.rows) + ", " + shape + ">(" + a +
           ", staged + position, shifts, " + depth + ", tile);";
  };
  std::vector<Choice> choices;
  for (const NarrowVersion& version : contraction.versions.columns)
    choices.push_back(
        {"positions - position <= " + std::to_string(version.vectors * tile.lanes), call(version)});
  print_choice(choices, call({tile.vectors}));
  const Index position = loop_variable("position"), last = position + (tile.columns() - 1);
  const Dim& pitch = window.pitch();
  const int row = window.rows.output, column = window.columns.output;
  Index start = position;
  if (row >= 0) {
    start -= (Index::axis(row, window.rows.outputs) - band_first(window)) * pitch;
  }
  LoopNodes nodes{LoopNode{Store{0, contraction.value, contraction.when}}};
  nodes = {
      LoopNode{ForLoop{column, max(0, start), min(window.columns.outputs, start + tile.columns()),
                       std::move(nodes)}}};
  if (row >= 0) {
    nodes = {LoopNode{ForLoop{row, band_first(window) + floordiv(position, pitch),
                              min(band_end(window), band_first(window) + floordiv(last, pitch) + 1),
                              std::move(nodes)}}};
  }
  if (contraction.m >= 0) {
    nodes = {LoopNode{ForLoop{contraction.m, block_first(contraction.m), block_end(contraction.m),
                              std::move(nodes)}}};
  }
  name_divisions(nodes);
  print(nodes);
}

void KernelPrinter::print_window(const ContractionSchedule& contraction) {
  const SlidingWindow& window = *contraction.window;
  const bool packs_a = contraction.a.element && contraction.a.prepared == kNoValue;
  local_symbols_.insert({"position", "positions", "band", "band_first", "band_end"});
  scratch_pointer("int32_t", "shifts", contraction.shifts_offset);
  scratch_pointer("float", "staged", contraction.b_offset);
  if (packs_a) scratch_pointer("float", "a_panels", contraction.a_offset);
  if (!(band_size(window) == window.band)) {
    out_.headers.insert("elementary.h");
    text_.line("const " + index_type_ + " band = " + exprs_.text(window.band) + ";");
  }
  name_divisions(schedule_.shifts);
  text_.open("{");
  text_.line("int32_t* shift = shifts;");
  print(schedule_.shifts);
  text_.close();
  for (const int axis : contraction.batch) open_loop(axis);
  if (packs_a) print_a_panels(contraction);
  for (const int axis : window.outer) open_loop(axis);
  exprs_.open_scope();
  if (window.banded()) {
    const std::string rows = end_text(window.rows.output), band = exprs_.text(band_size(window));
    text_.open("for (" + index_type_ + " band_first = " + begin_text(window.rows.output) +
               "; band_first < " + rows + "; band_first += " + band + ") {");
    out_.headers.insert("elementary.h");
    text_.line("const " + index_type_ + " band_end = burin_rt::minimum<" + index_type_ +
               ">(band_first + " + band + ", " + rows + ");");
  }
  name_divisions(schedule_.fill);
  print(schedule_.fill);
  const Index positions =
      (band_end(window) - band_first(window) - 1) * window.pitch() + window.columns.outputs;
  exprs_.open_scope();
  std::string last = exprs_.text(positions);
  if (!contraction.versions.columns.empty()) {
    text_.line("const " + index_type_ + " positions = " + last + ";");
    last = "positions";
  }
  text_.open("for (" + index_type_ + " position = 0; position < " + last +
             "; position += " + std::to_string(contraction.tile.columns()) + ") {");
  open_blocks(contraction.m, define_block_height(contraction, "positions - position"));
  print_window_tile(contraction);
  close_blocks(contraction.m);
  text_.close();
  exprs_.close_scope();
  if (window.banded()) text_.close();
  exprs_.close_scope();
  close_loops(contraction.batch.size() + window.outer.size());
}

}  // namespace burin::cpp
