#include "backends/opencl/launch_printer.h"

#include <algorithm>
#include <utility>

#include "backends/opencl/launch_printer_core.h"
#include "backends/opencl/opencl_language.h"
#include "backends/opencl/unused.h"
#include "select/device/launch_walk.h"

namespace burin::opencl {
namespace {

constexpr int64_t kMostInt = 0x7fffffff;

}  // namespace

cpp::PrintedKernel LaunchPrinter::print_launch(const Launch& launch, bool gated,
                                               const std::vector<ValueId>& aliased) {
  find_parameters();
  head_.indent();
  print_all(launch, aliased);
  cpp::TextBuilder locals;
  locals.indent();
  for (const Local& one : locals_)
    locals.line("__local " + one.type + " " + one.name + "[" + std::to_string(one.elements) + "];");
  for (const std::string& one : local_lanes_) locals.line(one);
  if (gated) {
    // All work-items of a group alike, so that none waits for others.
    locals.line("if (checked[at_checked] == 0) return;");
    out_.signature.push_back("__global const long* restrict checked");
    out_.signature.push_back("const ulong at_checked");
  }
  out_.body = without_unused(locals.text() + out_.body);
  return std::move(out_);
}

// All but arrays in local memory.
void LaunchPrinter::print_all(const Launch& launch, const std::vector<ValueId>& aliased) {
  for (const int axis : launch.host_axes) axes_.push_back(axis);
  texels_ = launch.texels;
  lanes_of_item_ = launch.lanes;
  unroll_ = launch.unroll;
  print_offsets();
  text_.indent();
  if (launch.product) {
    print_product(launch);
  } else if (launch.attention) {
    print_attention_blocks(launch);
  } else if (launch.cooperative > 0) {
    print_cooperative_point(launch, head_);
    print_team(launch);
  } else {
    print_point(launch, head_);
    if (launch.coarsening > 1) text_.indent();
    name_divisions(launch.nodes);
    if (launch.texels >= 0) {
      print_item_lanes(launch);
    } else {
      print(launch.nodes);
    }
    if (launch.coarsening > 1) text_.close();
  }
  const std::string rest = head_.text() + text_.text();
  drop_unused(rest);
  cpp::TextBuilder starts;
  starts.indent();
  print_starts(starts, rest);
  text_.close();
  cpp::TextBuilder sizes;
  sizes.indent();
  print_sizes(sizes);
  // Arrays begin in front of the loop of coarsened work-items.
  out_.body = launch.coarsening > 1 ? sizes.text() + starts.text() + head_.text() + text_.text()
                                    : sizes.text() + head_.text() + starts.text() + text_.text();
  out_.signature = parameters_of(launch, aliased);
  out_.formula = formula_of(launch);
}

// The point of this work-item; those beyond the end have nothing to do.
void LaunchPrinter::print_point(const Launch& launch, cpp::TextBuilder& head) {
  std::string beyond;
  for (size_t d = 0; d < launch.dimensions.size(); ++d) {
    const Dimension& dimension = launch.dimensions[d];
    const std::string& id = ids_.global[d];
    const std::string extent = exprs_.text(dimension.extent);
    const bool coarsened = d == 0 && launch.coarsening > 1;
    std::string name = point_name(dimension.axes[0]);
    if (coarsened) {
      name = "first_point";
      head.line("const " + turn_type(launch) + " " + name + " = (" + turn_type(launch) + ")" + id +
                ";");
    } else if (dimension.axes.size() == 1) {
      head.line("const " + index_type_ + " " + name + " = (" + index_type_ + ")" + id + ";");
    } else {
      name = "point" + std::to_string(d);
      const bool fits = index_type_ == "int" && dimension.extent.range().hi <= kMostInt;
      const std::string type = fits ? "int" : "long";
      head.line("const " + type + " " + name + " = (" + type + ")" + id + ";");
    }
    const bool whole =
        !depends_on_device(dimension.extent, sizes_) &&
        (dimension.local == 1 ||
         (dimension.extent.is_constant() && dimension.extent.constant() % dimension.local == 0));
    if (!whole) beyond += (beyond.empty() ? "" : " || ") + name + " >= " + extent;
  }
  if (!beyond.empty()) head.line("if (" + beyond + ") return;");
  if (launch.coarsening > 1) print_coarsened(launch, head);
  for (size_t d = 0; d < launch.dimensions.size(); ++d) {
    const std::vector<int>& axes = launch.dimensions[d].axes;
    if (axes.size() > 1) print_axes(axes, "point" + std::to_string(d), head);
    for (const int axis : axes) {
      if (axis != texels_) axes_.push_back(axis);
    }
  }
}

std::string LaunchPrinter::turn_type(const Launch& launch) const {
  const bool fits = index_type_ == "int" &&
                    (launch.dimensions[0].extent * launch.coarsening).range().hi <= kMostInt;
  return fits ? "int" : "long";
}

// Opens a loop over the points that a work-item has one after the other: as far apart as there are
// work-items, so that neighbouring ones have neighbouring points.
void LaunchPrinter::print_coarsened(const Launch& launch, cpp::TextBuilder& head) {
  const Dimension& dimension = launch.dimensions[0];
  const int axis = dimension.axes[0];
  const bool one_axis = dimension.axes.size() == 1;
  Dim all = 1;
  for (const int one : dimension.axes) all *= points_of(one);
  const std::string type = turn_type(launch), name = one_axis ? point_name(axis) : "point0";
  const std::string point = "first_point + turn * " + offset_text(dimension.extent);
  head.open("for (int turn = 0; turn < " + std::to_string(launch.coarsening) + "; ++turn) {");
  if (one_axis) {
    head.line("const " + index_type_ + " " + name + " = (" + index_type_ + ")(" + point + ");");
  } else {
    head.line("const " + type + " " + name + " = " + point + ";");
  }
  const bool whole = !depends_on_device(all, sizes_) && mod(all, launch.coarsening).is_constant(0);
  if (!whole) head.line("if (" + name + " >= " + exprs_.text(all) + ") break;");
}

// The variable of a work-item's point along an axis: several points of that of the lanes.
std::string LaunchPrinter::point_name(int axis) const {
  return axis == texels_ ? four_name(axis) : axis_name(axis);
}

Dim LaunchPrinter::points_of(int axis) const {
  const Dim& extent = kernel_.axes[static_cast<size_t>(axis)].extent;
  return axis == texels_ ? ceildiv(extent, lanes_of_item_) : extent;
}

// Axes that are flattened in one dimension, from its point.
void LaunchPrinter::print_axes(const std::vector<int>& axes, const std::string& point,
                               cpp::TextBuilder& head) {
  Dim behind = 1;  // points of the axes that move faster
  for (size_t i = axes.size(); i-- > 0;) {
    // Where an axis has no points nothing runs, but what is printed divides by a number.
    const Dim points = points_of(axes[i]), extent = points.is_constant(0) ? Dim(1) : points;
    std::string text = point;
    if (!behind.is_constant(1)) text = "(" + text + " / " + offset_text(behind) + ")";
    if (i > 0) text = "(" + text + " % " + offset_text(extent) + ")";
    head.line("const " + index_type_ + " " + point_name(axes[i]) + " = (" + index_type_ + ")" +
              text + ";");
    behind = extent * behind;
  }
}

// Where arrays of lets start, by names that are known before the body gives quotients of sizes some
// of its own.
void LaunchPrinter::print_offsets() {
  for (size_t i = 0; i < kernel_.lets.size(); ++i) {
    const std::vector<Dim>& offsets = schedule_.places[i].offset;
    for (size_t c = 0; c < offsets.size(); ++c)
      offset_texts_[rows_name(i, c)] = offset_text(offsets[c]);
  }
}

// Tensors and sizes that the text does not mention.
void LaunchPrinter::drop_unused(const std::string& text) {
  cpp::KernelParameters& parameters = out_.parameters;
  names_ = {};
  for (const ValueId id : parameters.reads) names_[id] = value_name(id);
  for (const ValueId id : parameters.writes) names_[id] = value_name(id);
  for (size_t i = 0; i < kernel_.lets.size(); ++i) {
    const std::vector<Dim>& offsets = schedule_.places[i].offset;
    for (size_t c = 0; c < offsets.size(); ++c) {
      if (!cpp::mentions(text, rows_name(i, c))) continue;
      offsets[c].collect_symbols(offset_symbols_);
    }
  }
  full_formula_ = formula();
  const auto unused = [&](ValueId id) { return !cpp::mentions(text, names_.at(id)); };
  std::erase_if(parameters.reads, unused);
  std::erase_if(parameters.writes, unused);
  const std::vector<Symbol> symbols = std::exchange(parameters.symbols, {});
  const std::vector<std::string> names = std::exchange(parameters.symbol_names, {});
  for (size_t i = 0; i < symbols.size(); ++i) {
    const bool in_offset =
        std::any_of(offset_symbols_.begin(), offset_symbols_.end(),
                    [&](const Symbol& one) { return one->name == symbols[i]->name; });
    if (!in_offset && !cpp::mentions(text, names[i])) continue;
    parameters.symbols.push_back(symbols[i]);
    parameters.symbol_names.push_back(names[i]);
  }
}

std::string LaunchPrinter::rows_name(size_t let, size_t component) const {
  return let_name(static_cast<int>(let), static_cast<int>(component)) + "_rows";
}

// Pointers to where tensors and arrays of lets start.
void LaunchPrinter::print_starts(cpp::TextBuilder& starts, const std::string& text) {
  const auto shift = [&](ValueId id) {
    if (is_image(id)) return;
    starts.line(names_.at(id) + " += at_" + names_.at(id) + ";");
  };
  for (const ValueId id : out_.parameters.reads) shift(id);
  for (const ValueId id : out_.parameters.writes) shift(id);
  out_.parameters.scratch = false;
  for (size_t i = 0; i < kernel_.lets.size(); ++i) {
    const LetPlace& place = schedule_.places[i];
    for (size_t c = 0; c < place.offset.size(); ++c) {
      if (place.scalar || !cpp::mentions(text, rows_name(i, c))) continue;
      out_.parameters.scratch = true;
      std::string bytes = "scratch + at_scratch";
      if (!place.offset[c].is_constant(0)) bytes += " + " + offset_texts_.at(rows_name(i, c));
      starts.line(language_.scratch_pointer(language_.compute_name(kernel_.lets[i].accumulator[c]),
                                            rows_name(i, c), bytes));
    }
  }
}

// Sizes that another kernel found.
void LaunchPrinter::print_sizes(cpp::TextBuilder& head) const {
  const cpp::KernelParameters& parameters = out_.parameters;
  for (size_t i = 0; i < parameters.symbols.size(); ++i) {
    if (!sizes_.held(parameters.symbols[i])) continue;
    const std::string& name = parameters.symbol_names[i];
    head.line("const " + index_type_ + " " + name + " = (" + index_type_ + ")size_" + name +
              "[at_size_" + name + "];");
  }
}

std::string LaunchPrinter::offset_text(const Dim& dim) {
  const std::string text = exprs_.text(dim);
  return text.find(' ') == std::string::npos ? text : "(" + text + ")";
}

std::vector<std::string> LaunchPrinter::parameters_of(const Launch& launch,
                                                      const std::vector<ValueId>& aliased) const {
  std::vector<std::string> out;
  const auto tensor = [&](ValueId id, bool written) {
    if (is_image(id)) {
      out.push_back(std::string(written ? "__write_only" : "__read_only") + " image2d_t " +
                    names_.at(id));
      return;
    }
    out.push_back(language_.tensor_parameter(value(id).type, names_.at(id), written,
                                             position(aliased, id) < 0));
    out.push_back("const ulong at_" + names_.at(id));
  };
  for (const ValueId id : out_.parameters.reads) tensor(id, false);
  for (const ValueId id : out_.parameters.writes) tensor(id, true);
  if (out_.parameters.scratch) {
    out.push_back(language_.scratch_parameter("scratch"));
    out.push_back("const ulong at_scratch");
  }
  const cpp::KernelParameters& parameters = out_.parameters;
  for (size_t i = 0; i < parameters.symbols.size(); ++i) {
    const std::string& name = parameters.symbol_names[i];
    if (sizes_.held(parameters.symbols[i])) {
      out.push_back("__global const long* restrict size_" + name);
      out.push_back("const ulong at_size_" + name);
    } else {
      out.push_back("const " + index_type_ + " " + name);
    }
  }
  for (const int axis : launch.host_axes)
    out.push_back("const " + index_type_ + " " + axis_name(axis));
  return out;
}

std::string LaunchPrinter::let_text(const ExprNode& node) {
  if (product_ && node.id == product_->let) return "sums[r][c]";
  if (attention_) {
    return attention_let(attention_->form, node.id);
  }
  if (own_lets_.contains(node.id)) return let_name(node.id, node.component);
  return LoopPrinter::let_text(node);
}

// Lines of a template, which stand at the left.
void LaunchPrinter::print_template(const std::string& lines) {
  for (size_t at = 0; at < lines.size();) {
    const size_t end = std::min(lines.size(), lines.find('\n', at));
    const std::string line = lines.substr(at, end - at);
    if (line.starts_with('#')) {
      text_.append(line + "\n");
    } else {
      text_.line(line);
    }
    at = end + 1;
  }
}

void LaunchPrinter::add_local(const std::string& type, const std::string& name, int64_t elements,
                              int64_t element_bytes) {
  const Local one{type, name, elements, elements * element_bytes};
  if (std::find(locals_.begin(), locals_.end(), one) == locals_.end()) locals_.push_back(one);
}

void LaunchPrinter::add_lanes(const std::string& type, const std::string& name,
                              const std::string& tile) {
  local_lanes_.push_back("__local " + type + "* const " + name + " = (__local " + type + "*)" +
                         tile + ";");
}

// Of the cascade, what this launch computes.
std::vector<std::string> LaunchPrinter::formula_of(const Launch& launch) const {
  const std::vector<std::string> all = full_formula_;
  std::vector<bool> here(all.size(), false);
  for_each_statement(launch.nodes, [&](const LoopNode& node) {
    if (const auto let = let_of(node)) here[static_cast<size_t>(*let)] = true;
    if (const auto* store = std::get_if<Store>(&node.node))
      here[kernel_.lets.size() + static_cast<size_t>(store->write)] = true;
  });
  std::vector<std::string> out;
  for (size_t i = 0; i < all.size(); ++i) {
    if (here[i]) out.push_back(all[i]);
  }
  return out;
}

cpp::PrintedKernel print_launch(const KernelSchedule& schedule, const Launch& launch,
                                const std::vector<Value>& values, const ImageMaps& images,
                                const DeviceSizes& sizes, bool gated,
                                const std::vector<ValueId>& aliased, const cpp::ValueNames& names) {
  return LaunchPrinter(schedule, values, images, sizes, names, opencl_language())
      .print_launch(launch, gated, aliased);
}

PrintedPart print_member(const KernelSchedule& schedule, const LaunchMember& member, int items,
                         const std::vector<Value>& values, const ImageMaps& images,
                         const std::vector<ValueId>& aliased, const cpp::ValueNames& names) {
  const Launch& launch = *launches_of(schedule.launches).at(static_cast<size_t>(member.launch));
  const DeviceSizes none;  // members of joint launches know theirs
  return LaunchPrinter(schedule, values, images, none, names, opencl_language())
      .print_member(launch, member, items, aliased);
}

}  // namespace burin::opencl
