// Prints attention; the loops are described in select/attention.h.
#include "backends/cpp/kernel_printer_core.h"

namespace burin::cpp {
namespace {

// A variable of one table of positions.
std::string of_table(const char* name, const PositionTable& table) {
  return name + std::to_string(table.let);
}

}  // namespace

// The present block of queries begins at the column of its first one.
Index KernelPrinter::attention_column(const AttentionSchedule& attention) const {
  return Index::axis(attention.query, attention.queries) - block_first(attention.query);
}

Index KernelPrinter::place_of_score(const AttentionSchedule& attention) const {
  if (few_) return query_of(attention) * few_->keys + Index::axis(attention.key, attention.keys);
  const Index row = Index::axis(attention.key, attention.keys) - block_first(attention.key);
  return row * attention.columns() + attention_column(attention);
}

Index KernelPrinter::place_of_sum(const AttentionSchedule& attention) const {
  if (few_) {
    return query_of(attention) * few_->elements +
           Index::axis(attention.element, attention.elements);
  }
  return Index::axis(attention.element, attention.elements) * attention.columns() +
         attention_column(attention);
}

std::string KernelPrinter::attention_text(const AttentionSchedule& attention, const ExprNode& let) {
  if (let.id == 0) return "scores[" + exprs_.text(place_of_score(attention)) + "]";
  if (let.id == attention.result) return "sums[" + exprs_.text(place_of_sum(attention)) + "]";
  if (let.id >= attention.greatest) {
    const std::string column = few_ ? "" : "[" + exprs_.text(attention_column(attention)) + "]";
    if (let.id == attention.gained) return "gained" + column;
    return (let.id == attention.greatest ? "rows.greatest" : "rows.total") + column;
  }
  const PositionTable& table = attention.positions[static_cast<size_t>(let.id) - 1];
  const Index row = table.read - loop_variable(of_table("position_first", table));
  return of_table("positions", table) + "[" +
         exprs_.text(row * attention.columns() + attention_column(attention)) + "]";
}

// multiply_tile<rows, vectors, lanes>(
std::string KernelPrinter::multiply_text(const Tile& tile) {
  out_.headers.insert("contraction.h");
  return "burin_rt::multiply_tile<" + std::to_string(tile.rows) + ", " +
         std::to_string(tile.vectors) + ", " + std::to_string(tile.lanes) + ">(";
}

// A size that is computed, as a variable: the loops below multiply by it.
Index KernelPrinter::named_size(const Dim& size, const char* name) {
  if (size.is_constant() || size.kind() == IndexKind::symbol) return size;
  text_.line("const " + index_type_ + " " + name + " = " + exprs_.text(size) + ";");
  local_symbols_.insert(name);
  return loop_variable(name);
}

// The rows of a table that the present block of queries reads.
void KernelPrinter::print_positions(const AttentionSchedule& attention,
                                    const PositionTable& table) {
  const std::string q_panel = of_table("q_panel", table),
                    columns = std::to_string(attention.columns()),
                    first = of_table("position_first", table),
                    end = of_table("position_end", table);
  text_.open("{");
  print_panel({table.q, attention.query, attention.columns(), table.depth}, q_panel);
  text_.close();
  std::vector<Index> axes;
  for (size_t a = 0; a < kernel_.axes.size(); ++a)
    axes.push_back(Index::axis(static_cast<int>(a), kernel_.axes[a].extent));
  axes[static_cast<size_t>(attention.query)] = block_first(attention.query);
  const auto define = [&](const std::string& name, const Index& value) {
    local_symbols_.insert(name);
    text_.line("const " + index_type_ + " " + name + " = " +
               exprs_.text(value.substitute_axes(axes)) + ";");
  };
  define(first, table.first);
  define(end, table.end);
  text_.open("for (" + index_type_ + " tile_first = " + first + "; tile_first < " + end +
             "; tile_first += " + std::to_string(table.tile.rows) + ") {");
  text_.line(multiply_text(table.tile) + of_table("p_panels", table) + " + " +
             exprs_.text(loop_variable("tile_first") * table.depth_extent) + ", " + q_panel + ", " +
             exprs_.text(table.depth_extent) + ", " + of_table("positions", table) +
             " + (tile_first - " + first + ") * " + columns + ");");
  text_.close();
}

// What a block of keys adds to the running softmax and to the sums.
void KernelPrinter::print_keys(const AttentionSchedule& attention, const Sizes& sizes) {
  const Index &depth = sizes.depth, &keys = sizes.keys;
  const Tile &scores = attention.scores, &values = attention.values;
  const std::string columns = std::to_string(attention.columns());
  const std::string first = axis_name(attention.key) + "_first",
                    end = axis_name(attention.key) + "_end";
  const auto loop = [&](const char* name, const std::string& begin, const std::string& last,
                        int step) {
    text_.open("for (" + index_type_ + " " + name + " = " + begin + "; " + name + " < " + last +
               "; " + name + " += " + std::to_string(step) + ") {");
  };
  loop("tile_first", first, end, scores.rows);
  text_.line(multiply_text(scores) + "k_panels + " +
             exprs_.text(loop_variable("tile_first") * depth) + ", q_panel, " + exprs_.text(depth) +
             ", scores + (tile_first - " + first + ") * " + columns + ");");
  text_.close();
  if (attention.masked.kind() != ExprKind::let) {
    LoopNodes nodes{LoopNode{Fill{attention.masked, place_of_score(attention), "scores"}}};
    nodes = {LoopNode{ForLoop{attention.query, block_first(attention.query),
                              block_end(attention.query), std::move(nodes)}}};
    nodes = {LoopNode{ForLoop{attention.key, block_first(attention.key), block_end(attention.key),
                              std::move(nodes)}}};
    name_divisions(nodes);
    print(nodes);
  }
  text_.line("burin_rt::weigh_block<" + std::to_string(scores.lanes) + ">(scores, " + end + " - " +
             first + ", rows);");
  print_gain(attention, "scores", end + " - " + first);
  loop("tile_first", "0", exprs_.text(sizes.elements), values.rows);
  text_.line("float tile[" + std::to_string(values.rows * values.columns()) + "];");
  text_.line(
      multiply_text(values) + "v_panels + " +
      exprs_.text(loop_variable("tile_first") * keys + block_first(attention.key) * values.rows) +
      ", scores, " + end + " - " + first + ", tile);");
  text_.line("burin_rt::add_tile<" + std::to_string(values.rows) + ">(sums + tile_first * " +
             columns + ", tile, rows);");
  text_.close();
}

void KernelPrinter::print_result(const AttentionSchedule& attention) {
  const std::string elements = exprs_.text(attention.elements);
  if (attention.empty == EmptyRows::zero_if_masked) {
    text_.line("burin_rt::keep_masked_rows(rows);");
  } else if (attention.empty == EmptyRows::zero_if_nan) {
    text_.line("burin_rt::keep_masked_rows(rows);");
    text_.line("burin_rt::clear_nan_rows<" + std::to_string(attention.values.rows) + ">(sums, " +
               elements + ", v_panels, " + exprs_.text(attention.keys) + ", rows);");
  }
  // A sum over no keys is 0, whatever it would be divided by.
  const bool none = attention.keys.range().lo < 1;
  if (none) text_.open("if (" + exprs_.text(attention.keys) + " > 0) {");
  exprs_.open_scope();
  if (attention.factor)
    print_factors(attention);
  else
    text_.line("burin_rt::finish_rows(sums, " + elements + ", rows);");
  exprs_.close_scope();
  if (none) text_.close();
  LoopNodes nodes{LoopNode{Store{0, attention.value, {}}}};
  nodes = {LoopNode{ForLoop{attention.element, 0, attention.elements, std::move(nodes)}}};
  nodes = {LoopNode{ForLoop{attention.query, block_first(attention.query),
                            block_end(attention.query), std::move(nodes)}}};
  name_divisions(nodes);
  print(nodes);
}

// Tiles, rows of few queries, or the one that the number of queries asks for.
void KernelPrinter::print_attention(const AttentionSchedule& attention) {
  const Sizes sizes{named_size(attention.depth_extent, "depth"), named_size(attention.keys, "keys"),
                    named_size(attention.elements, "elements")};
  const bool chosen = attention.tiled && attention.few;
  if (chosen) {
    text_.open("if (" + exprs_.text(attention.queries) +
               " <= " + std::to_string(attention.few->most) + ") {");
  }
  exprs_.open_scope();
  if (attention.few) {
    few_ = &sizes;
    print_few_queries(attention);
    few_ = nullptr;
  }
  exprs_.close_scope();
  if (chosen) text_.reopen("} else {");
  exprs_.open_scope();
  if (attention.tiled) print_in_tiles(attention, sizes);
  exprs_.close_scope();
  if (chosen) text_.close();
}

void KernelPrinter::print_in_tiles(const AttentionSchedule& attention, const Sizes& sizes) {
  const int columns = attention.columns();
  out_.headers.insert("attention.h");
  local_symbols_.insert("tile_first");
  scratch_pointer("float", "scores", attention.scores_offset);
  scratch_pointer("float", "q_panel", attention.q_offset);
  scratch_pointer("float", "sums", attention.sums_offset);
  scratch_pointer("float", "k_panels", attention.k_offset);
  scratch_pointer("float", "v_panels", attention.v_offset);
  for (const PositionTable& table : attention.positions) {
    scratch_pointer("float", of_table("positions", table).c_str(), table.scores_offset);
    scratch_pointer("float", of_table("q_panel", table).c_str(), table.q_offset);
    scratch_pointer("float", of_table("p_panels", table).c_str(), table.p_offset);
  }
  for (const int axis : attention.batch) open_loop(axis);
  print_panels({attention.k, attention.key, attention.scores.rows, attention.depth}, "k_panels",
               attention.depth_extent);
  print_panels({attention.v, attention.element, attention.values.rows, {attention.key}}, "v_panels",
               attention.keys);
  for (const PositionTable& table : attention.positions)
    print_panels({table.p, table.row, table.tile.rows, table.depth}, of_table("p_panels", table),
                 table.depth_extent);
  open_blocks(attention.query, std::to_string(columns));
  text_.open("{");
  print_panel({attention.q, attention.query, columns, attention.depth}, "q_panel");
  text_.close();
  for (const PositionTable& table : attention.positions) print_positions(attention, table);
  text_.line("burin_rt::AttentionRows<" + std::to_string(columns) + "> rows;");
  const Dim sums = ceildiv(attention.elements, attention.values.rows) * attention.values.rows;
  text_.line("burin_rt::begin_rows(rows, sums, " + exprs_.text(sums) + ");");
  if (attention.gained >= 0) text_.line("float gained[" + std::to_string(columns) + "] = {};");
  open_blocks(attention.key, std::to_string(attention.key_block));
  print_keys(attention, sizes);
  close_blocks(attention.key);
  print_result(attention);
  close_blocks(attention.query);
  close_loops(attention.batch.size());
}

}  // namespace burin::cpp
