// Prints contractions; the loops are described in select/contraction.h.
#include "backends/cpp/kernel_printer_core.h"
#include "select/strips.h"

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

// Of those that are packed and wait for being finished.
Index KernelPrinter::first_row() const {
  return rows_in_blocks_ ? loop_variable("rows_first") : Index(0);
}

std::string KernelPrinter::begin_text(int axis) {
  if (rows_in_blocks_ && axis == schedule_.contraction->m) return "rows_first";
  return schedule_.cut && schedule_.cut->axis == axis ? "first" : "0";
}
std::string KernelPrinter::end_text(int axis) {
  if (rows_in_blocks_ && axis == schedule_.contraction->m) return "rows_end";
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
  if (panel.strip > 0) {
    print_strips(panel, name);
    return;
  }
  if (panel.together > 0) {
    print_whole_panel(panel, name);
    return;
  }
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
  nodes.push_back({PackRow{panel.axis, panel.step()}});
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

// Along the depth, one lane of a panel as it is.
void KernelPrinter::print_copied_lane(const Panel& panel) {
  const int k = panel.depth.back();
  const Index place = point_of(k) * panel.step() + point_of(panel.axis) - block_first(panel.axis);
  const LoopNodes nodes{LoopNode{ForLoop{k,
                                         0,
                                         kernel_.axes[static_cast<size_t>(k)].extent,
                                         {LoopNode{Fill{panel.element, place, "panel"}}}}}};
  name_divisions(nodes);
  print(nodes);
}

// The same in strips: each is computed, then goes to its places.
void KernelPrinter::print_strip(const Panel& panel, const std::string& place) {
  const int k = panel.depth.back();
  const std::string point = axis_name(k);
  const LoopNodes nodes{
      LoopNode{ForLoop{k, block_first(k), block_end(k), {LoopNode{PackLane{panel.element, k}}}}}};
  name_divisions(nodes);
  open_blocks(k, std::to_string(panel.strip));
  text_.line("float to[" + std::to_string(panel.strip) + "];");
  print(nodes);
  text_.line("for (" + index_type_ + " " + point + " = " + point + "_first; " + point + " < " +
             point + "_end; ++" + point + ") panel[" + place + "] = to[" + point + " - " + point +
             "_first];");
  close_blocks(k);
}

// The same as a panel, lane by lane along the depth.
void KernelPrinter::print_strips(const Panel& panel, const std::string& name) {
  const int k = panel.depth.back();
  const std::string point = axis_name(k), width = exprs_.text(panel.step());
  const Dim& extent = kernel_.axes[static_cast<size_t>(k)].extent;
  const bool padded = panel.axis >= 0 || panel.width > 1;
  const std::string depth = exprs_.text(padded ? named_size(extent, "panel_depth") : extent);
  text_.line("float* panel = " + name + ";");
  for (size_t i = 0; i + 1 < panel.depth.size(); ++i) open_loop(panel.depth[i]);
  const std::string lane = panel.axis < 0 ? "0" : axis_name(panel.axis);
  const std::string first = lane + "_first", end = lane + "_end";
  if (panel.axis >= 0) {
    exprs_.open_scope();
    text_.open("for (" + index_type_ + " " + lane + " = " + first + "; " + lane + " < " + end +
               "; ++" + lane + ") {");
    axes_.push_back(panel.axis);
  }
  const std::string row = width == "1" ? point : width + " * " + point;
  if (panel.strip == kCopied) {
    print_copied_lane(panel);
  } else {
    print_strip(panel, row + (panel.axis < 0 ? "" : " + " + lane + " - " + first));
  }
  if (panel.axis >= 0) close_loops(1);
  if (padded) {
    text_.open("for (" + index_type_ + " lane = " + (panel.axis < 0 ? "1" : end + " - " + first) +
               "; lane < " + width + "; ++lane) {");
    text_.line("for (" + index_type_ + " " + point + " = 0; " + point + " < " + depth + "; ++" +
               point + ") panel[" + row + " + lane] = 0.0f;");
    text_.close();
  }
  if (panel.depth.size() > 1) text_.line("panel += " + width + " * (" + depth + ");");
  close_loops(panel.depth.size() - 1);
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
  const std::string width = exprs_.text(row.width);
  const std::string count =
      row.axis < 0 ? "1" : axis_name(row.axis) + "_end - " + axis_name(row.axis) + "_first";
  if (!row.whole && (row.axis >= 0 || !row.width.is_constant(1))) {
    text_.line("for (" + index_type_ + " lane = " + count + "; lane < " + width +
               "; ++lane) to[lane] = 0.0f;");
  }
  text_.line("to += " + width + ";");
}

// if (...) { call } else if ... else { otherwise }
void KernelPrinter::print_choice(const std::vector<Choice>& choices, const std::string& otherwise) {
  for (size_t i = 0; i < choices.size(); ++i) {
    const std::string when = "if (" + choices[i].condition + ") {";
    i == 0 ? text_.open(when) : text_.reopen("} else " + when);
    text_.line(choices[i].call);
  }
  if (!choices.empty()) text_.reopen("} else {");
  text_.line(otherwise);
  if (!choices.empty()) text_.close();
}

std::string KernelPrinter::sum_in_tile(const ContractionSchedule& contraction) {
  const auto place = [&](int axis) {
    return axis < 0 ? "0" : axis_name(axis) + " - " + axis_name(axis) + "_first";
  };
  const std::string row = "tile[" + place(contraction.m) + "]";
  if (!contraction.window) return row + "[" + place(contraction.n) + "]";
  const SlidingWindow& window = *contraction.window;
  const Index column = (point_of(window.rows.output) - band_first(window)) * window.pitch() +
                       point_of(window.columns.output) - loop_variable("position");
  return row + "[" + exprs_.text(column) + "]";
}

// The panel of the present block of a factor: prepared, or packed by the kernel (then `whole` says
// whether all its panels are there, or this one only).
std::string KernelPrinter::panel_text(const ContractionSchedule& contraction,
                                      const TileFactor& factor, const std::string& packed, int axis,
                                      bool whole, int width) {
  const Index first = block_first(axis);
  if (factor.prepared == kNoValue) {
    if (!whole) return packed;
    return packed + " + " + exprs_.text((first - first_row()) * contraction.depth);
  }
  // [batch][blocks][depth][width]
  Index batch = 0;
  for (const int b : contraction.batch) {
    const Dim& extent = kernel_.axes[static_cast<size_t>(b)].extent;
    batch = batch * extent + point_of(b);
  }
  const Dim lanes = axis < 0 ? Dim(1) : kernel_.axes[static_cast<size_t>(axis)].extent;
  Index at = batch * (ceildiv(lanes, width) * width * contraction.depth);
  at = at + first * contraction.depth;
  const std::string base = value_name(factor.prepared);
  return at.is_constant(0) ? base : base + " + " + exprs_.text(at);
}

void KernelPrinter::print_tiles(const ContractionSchedule& contraction) {
  const Tile& tile = contraction.tile;
  const std::string packed = is_next(contraction) ? rows_between() : "a_panels";
  const std::string a =
      panel_text(contraction, contraction.a, packed, contraction.m, true, tile.rows);
  const std::string b = panel_text(contraction, contraction.b, columns_panel(contraction),
                                   contraction.n, false, tile.columns());
  declare_tile(contraction);
  out_.headers.insert("contraction.h");
  const auto multiply = [&](const Tile& shape, int pitch) {
    return tile_text(contraction, shape, pitch, a, b);
  };
  const auto few = [&](const Version& version) {
    return Tile{version.rows, tile.vectors, tile.lanes, version.steps};
  };
  const auto multiply_narrow = [&](const NarrowVersion& version) {
    return version.blocks > 1
               ? blocks_text(contraction, version, "multiply_blocks", a, b)
               : multiply({tile.rows, version.vectors, tile.lanes, version.steps}, tile.rows);
  };
  std::vector<Choice> choices;
  const auto where = [&](const Dim& size, int most, const std::string& call) {
    choices.push_back({exprs_.text(size) + " <= " + std::to_string(most), call});
  };
  for (const Version& version : contraction.versions.rows) {
    if (!version.alone) continue;
    const int pitch = packs_few_rows(contraction) ? version.rows : tile.rows;
    where(contraction.rows, version.rows, multiply(few(version), pitch));
  }
  if (shares_rows(contraction)) {
    const EvenBlocks& even = contraction.versions.even;
    choices.push_back(
        {shares_text(contraction), multiply(few({even.rows, even.steps}), even.rows)});
  }
  for (const Version& version : contraction.versions.rows) {
    where(block_end(contraction.m) - block_first(contraction.m), version.rows,
          multiply(few(version), tile.rows));
  }
  for (const NarrowVersion& version : contraction.versions.columns) {
    where(block_end(contraction.n) - block_first(contraction.n), version.vectors * tile.lanes,
          multiply_narrow(version));
  }
  print_choice(choices, multiply(tile, tile.rows));
  if (schedule_.next && !is_next(contraction)) {
    print_rows_between(contraction);
    return;
  }
  LoopNodes nodes{LoopNode{Store{0, contraction.value, contraction.when}}};
  if (contraction.finish && contraction.finish->write < 0)
    nodes = {LoopNode{Define{contraction.finish->value}}};
  if (contraction.n >= 0) {
    nodes = {LoopNode{ForLoop{contraction.n, block_first(contraction.n), block_end(contraction.n),
                              std::move(nodes)}}};
  }
  if (contraction.m >= 0) {
    nodes = {LoopNode{ForLoop{contraction.m, block_first(contraction.m), block_end(contraction.m),
                              std::move(nodes)}}};
  }
  name_divisions(nodes);
  print(nodes);
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

void KernelPrinter::print_a_panels(const ContractionSchedule& contraction) {
  const int m = contraction.m;
  const std::optional<Index> pitch = define_row_pitch(contraction);
  open_blocks(
      m, shares_rows(contraction) ? exprs_.text(*pitch) : std::to_string(contraction.tile.rows));
  if (!schedule_.row_lets.empty()) {
    LoopNodes nodes = schedule_.row_lets;
    if (m >= 0) nodes = {LoopNode{ForLoop{m, block_first(m), block_end(m), std::move(nodes)}}};
    name_divisions(nodes);
    print(nodes);
  }
  print_panel(
      {contraction.a.element, m, contraction.tile.rows, contraction.k, contraction.a.strip, pitch},
      "a_panels + " + exprs_.text((block_first(m) - first_row()) * contraction.depth));
  close_blocks(m);
}

void KernelPrinter::print_contraction(const ContractionSchedule& contraction) {
  const bool packs_a = contraction.a.prepared == kNoValue,
             packs_b = contraction.b.prepared == kNoValue;
  if (packs_b) scratch_pointer("float", columns_panel(contraction), contraction.b_offset);
  if (schedule_.next && schedule_.next->b.prepared == kNoValue)
    scratch_pointer("float", columns_panel(*schedule_.next), schedule_.next->b_offset);
  if (packs_a) scratch_pointer("float", "a_panels", contraction.a_offset);
  for (const int axis : contraction.batch) open_loop(axis);
  const bool in_blocks = contraction.block_rows > 0;
  if (in_blocks) {
    const std::string m = end_text(contraction.m), block = std::to_string(contraction.block_rows);
    local_symbols_.insert({"rows_first", "rows_end"});
    text_.open("for (" + index_type_ + " rows_first = " + begin_text(contraction.m) +
               "; rows_first < " + m + "; rows_first += " + block + ") {");
    out_.headers.insert("elementary.h");
    text_.line("const " + index_type_ + " rows_end = burin_rt::minimum<" + index_type_ +
               ">(rows_first + " + block + ", " + m + ");");
    rows_in_blocks_ = true;
  }
  print_product(contraction);
  if (schedule_.next) print_next(*schedule_.next);
  if (schedule_.last_product().finish) print_finish(contraction);
  if (in_blocks) text_.close();
  rows_in_blocks_ = false;
  close_loops(contraction.batch.size());
}

// All columns of the rows of a call, or of a block of them.
void KernelPrinter::print_product(const ContractionSchedule& contraction) {
  const Tile& tile = contraction.tile;
  if (contraction.a.prepared == kNoValue && !is_next(contraction)) print_a_panels(contraction);
  open_blocks(contraction.n, std::to_string(tile.columns()));
  if (contraction.b.prepared == kNoValue) {
    text_.open("{");
    print_panel({contraction.b.element,
                 contraction.n,
                 tile.columns(),
                 contraction.k,
                 contraction.b.strip,
                 {},
                 contraction.b.compact},
                columns_panel(contraction));
    text_.close();
  }
  const Dim columns = block_end(contraction.n) - block_first(contraction.n);
  open_blocks(contraction.m, define_block_height(contraction, exprs_.text(columns)));
  print_tiles(contraction);
  close_blocks(contraction.m);
  close_blocks(contraction.n);
}

// The same rows once more, one by one.
void KernelPrinter::print_finish(const ContractionSchedule& contraction) {
  open_loop(contraction.m);
  exprs_.open_scope();
  name_divisions(schedule_.finish);
  print(schedule_.finish);
  exprs_.close_scope();
  close_loops(1);
}

}  // namespace burin::cpp
