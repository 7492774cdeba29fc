// Images (layout/image_launches.h): four neighbouring points of an axis are the lanes of a texel.
// Texels are read in front of a loop over the lanes, and written behind it:
//
//   float texel0[4];
//   vstore4(read_imagef(x0, burin_texels, (int2)(i2, i1_four)), 0, texel0);
//   float texel1[4] = {0.0f, 0.0f, 0.0f, 0.0f};
//   for (int i1_lane = 0; i1_lane < 4; ++i1_lane) texel1[i1_lane] = max(texel0[i1_lane], 0.0f);
//   write_imagef(y0, (int2)(i2, i1_four), vload4(0, texel1));
#include <algorithm>

#include "backends/opencl/launch_printer_core.h"
#include "kernel/combiner.h"
#include "select/device/launch_walk.h"

namespace burin::opencl {
namespace {

constexpr const char* kFile = "image.cl";

// A name for what is no number.
bool may_be_named(const Index& index) { return !index.is_constant(); }

}  // namespace

ImagePoint LaunchPrinter::point_in_image(ValueId id, const std::vector<Index>& at) const {
  return image_point(images_.at(id), value(id).shape, at);
}

std::string LaunchPrinter::read_image(ValueId id, const ImagePoint& point) {
  out_.headers.insert(kFile);
  return "read_imagef(" + value_name(id) + ", burin_texels, (int2)(" + exprs_.text(point.x) + ", " +
         exprs_.text(point.y) + "))";
}

Index LaunchPrinter::in_fours(const Index& index, int axis) const {
  const int number = static_cast<int>(kernel_.axes.size());
  const Dim& extent = kernel_.axes[static_cast<size_t>(axis)].extent;
  const int width = width_of(axis);
  const Index four = Index::axis(number, ceildiv(extent, width));
  const Index lane = Index::axis(number + 1, Dim(width));
  return index.map_leaves([&](const Index& leaf) -> Index {
    const bool moves = leaf.kind() == IndexKind::axis && leaf.axis_id() == axis;
    return moves ? four * width + lane : leaf;
  });
}

// Opens a loop over the lanes of `axis`, whose point is <axis>_four. `nodes` and `exprs` are what
// will be printed inside.
void LaunchPrinter::open_lanes(int axis, const LoopNodes& nodes, const std::vector<Expr>& exprs) {
  const int number = static_cast<int>(kernel_.axes.size());
  const Dim& extent = kernel_.axes[static_cast<size_t>(axis)].extent;
  const int width = width_of(axis);
  const Index four = Index::axis(number, ceildiv(extent, width));
  const Index lane = Index::axis(number + 1, Dim(width));
  const Index own = Index::axis(axis, extent);
  exprs_.open_scope();
  if (may_be_named(four)) exprs_.name_index(four, four_name(axis));
  Lanes lanes{axis, {}, {}, !mod(extent, width).is_constant(0)};
  const auto known = [&](const Index& index) {
    std::vector<int> used;
    index.collect_axes(used);
    return !index.has_data() && std::all_of(used.begin(), used.end(), [&](int one) {
      return one == number || std::find(axes_.begin(), axes_.end(), one) != axes_.end();
    });
  };
  const auto read = [&](const ExprNode& node) {
    if (node.kind != ExprKind::load || !is_image(node.id)) return;
    ImagePoint point = point_in_image(node.id, node.at);
    for (Index* index : {&point.x, &point.y, &point.component}) *index = in_fours(*index, axis);
    if (width != kTexel || point.component != lane || !known(point.x) || !known(point.y)) return;
    for (const Texel& one : lanes.read) {
      if (one.value == node.id && one.x == point.x && one.y == point.y) return;
    }
    const std::string name = exprs_.fresh("texel");
    text_.line("float " + name + "[4];");
    text_.line("vstore4(" + read_image(node.id, point) + ", 0, " + name + ");");
    lanes.read.push_back({node.id, point.x, point.y, name});
  };
  const auto write = [&](const LoopNode& node) {
    const auto* store = std::get_if<Store>(&node.node);
    if (!store) return;
    const Write& one = kernel_.writes[static_cast<size_t>(store->write)];
    if (!is_image(one.to)) return;
    const ImagePoint point = point_in_image(one.to, one.at);
    const std::string name = exprs_.fresh("texel");
    text_.line("float " + name + "[4] = {0.0f, 0.0f, 0.0f, 0.0f};");
    lanes.written.push_back({one.to, in_fours(point.x, axis), in_fours(point.y, axis), name});
  };
  for_each_statement(nodes, [&](const LoopNode& node) {
    for_each_expr(node, kernel_, [&](const Expr& expr) { visit(expr, read); });
    if (axis == texels_) write(node);
  });
  for (const Expr& expr : exprs) visit(expr, read);
  text_.append("#pragma unroll\n");
  text_.open("for (" + index_type_ + " " + lane_name(axis) + " = 0; " + lane_name(axis) + " < " +
             std::to_string(width) + "; ++" + lane_name(axis) + ") {");
  text_.line("const " + index_type_ + " " + axis_name(axis) + " = " + std::to_string(width) +
             " * " + four_name(axis) + " + " + lane_name(axis) + ";");
  if (lanes.guarded) text_.open("if (" + axis_name(axis) + " < " + exprs_.text(extent) + ") {");
  exprs_.open_scope();
  const Index quotient = floordiv(own, width), rest = mod(own, width);
  if (quotient.kind() == IndexKind::floordiv) exprs_.name_index(quotient, four_name(axis));
  if (rest.kind() == IndexKind::mod) exprs_.name_index(rest, lane_name(axis));
  axes_.push_back(axis);
  lanes_.push_back(std::move(lanes));
  name_divisions(nodes);
}

void LaunchPrinter::close_lanes() {
  const Lanes lanes = std::move(lanes_.back());
  lanes_.pop_back();
  axes_.pop_back();
  exprs_.close_scope();
  if (lanes.guarded) text_.close();
  text_.close();
  for (const Texel& one : lanes.written) {
    text_.line("write_imagef(" + value_name(one.value) + ", (int2)(" + exprs_.text(one.x) + ", " +
               exprs_.text(one.y) + "), vload4(0, " + one.name + "));");
  }
  exprs_.close_scope();
}

// Every work-item has neighbouring points: its variables are arrays of them, its loops have the
// lanes inside.
void LaunchPrinter::print_item_lanes(const Launch& launch) {
  item_lanes_ = launch.texels;
  const auto declare = [&](std::string_view type, const std::string& name) {
    text_.line(std::string(type) + " " + name + "[" + std::to_string(launch.lanes) + "];");
  };
  for_each_statement(launch.nodes, [&](const LoopNode& node) {
    const auto* begin = std::get_if<BeginLet>(&node.node);
    const auto* define = std::get_if<Define>(&node.node);
    if (!begin && !define) return;
    const int number = begin ? begin->let : define->let;
    if (define && !schedule_.places[static_cast<size_t>(number)].scalar) return;
    const Let& let = kernel_.lets[static_cast<size_t>(number)];
    for (size_t c = 0; c < let.body.size(); ++c)
      declare(language_.compute_name(let.accumulator[c]), let_name(number, static_cast<int>(c)));
    if (begin && is_keyed(let.op)) declare("bool", LoopPrinter::taken_variable(number));
  });
  print_in_lanes(launch.nodes);
  item_lanes_ = -1;
}

void LaunchPrinter::print_in_lanes(const LoopNodes& nodes) {
  LoopNodes together;
  const auto flush = [&] {
    if (together.empty()) return;
    open_lanes(item_lanes_, together);
    print(together);
    close_lanes();
    together.clear();
  };
  for (const LoopNode& node : nodes) {
    const auto* loop = std::get_if<ForLoop>(&node.node);
    if (!loop || loop->begin.uses_axis(item_lanes_) || loop->end.uses_axis(item_lanes_) ||
        loop->begin.has_data() || loop->end.has_data()) {
      together.push_back(node);
      continue;
    }
    flush();
    if (loop->by_texels) {
      print_fours(*loop);
      continue;
    }
    exprs_.open_scope();
    const std::string name = axis_name(loop->axis);
    const std::string begin = exprs_.text(loop->begin), end = exprs_.text(loop->end);
    axes_.push_back(loop->axis);
    print_hint(*loop);
    text_.open("for (" + index_type_ + " " + name + " = " + begin + "; " + name + " < " + end +
               "; ++" + name + ") {");
    name_divisions(loop->nodes);
    print_in_lanes(loop->nodes);
    text_.close();
    axes_.pop_back();
    exprs_.close_scope();
  }
  flush();
}

// A loop by whole texels.
void LaunchPrinter::print_fours(const ForLoop& loop) {
  exprs_.open_scope();
  const Dim fours = ceildiv(kernel_.axes[static_cast<size_t>(loop.axis)].extent, kTexel);
  const std::string name = four_name(loop.axis);
  text_.open("for (" + index_type_ + " " + name + " = 0; " + name + " < " + exprs_.text(fours) +
             "; ++" + name + ") {");
  open_lanes(loop.axis, loop.nodes);
  if (item_lanes_ >= 0) {
    print_in_lanes(loop.nodes);
  } else {
    print(loop.nodes);
  }
  close_lanes();
  text_.close();
  exprs_.close_scope();
}

void LaunchPrinter::print_hint(const ForLoop& loop) {
  if (unroll_ > 0 && is_innermost(loop.nodes))
    text_.append("#pragma unroll " + std::to_string(unroll_) + "\n");
}

void LaunchPrinter::print(const ForLoop& loop) {
  if (loop.by_texels) {
    print_fours(loop);
  } else {
    LoopPrinter::print(loop);
  }
}

// Components are floats, also of fp16.
std::string LaunchPrinter::value_text(const ExprNode& load) {
  if (!is_image(load.id)) return {};
  const std::string component = component_text(load);
  return load.type == Type::f16 ? language_.to_half(component, out_.headers) : component;
}

std::string LaunchPrinter::component_text(const ExprNode& load) {
  const ImagePoint point = point_in_image(load.id, load.at);
  for (size_t i = lanes_.size(); i-- > 0;) {
    const Lanes& lanes = lanes_[i];
    const Index x = in_fours(point.x, lanes.axis), y = in_fours(point.y, lanes.axis);
    const Index component = in_fours(point.component, lanes.axis);
    const int lane = static_cast<int>(kernel_.axes.size()) + 1;
    if (width_of(lanes.axis) != kTexel || component != Index::axis(lane, Dim(kTexel))) continue;
    for (const Texel& one : lanes.read) {
      if (one.value == load.id && one.x == x && one.y == y)
        return one.name + "[" + lane_name(lanes.axis) + "]";
    }
  }
  const std::string texel = read_image(load.id, point);
  if (point.component.is_constant())
    return texel + ".s" + std::to_string(point.component.constant());
  return "burin_component(" + texel + ", " + exprs_.text(point.component) + ")";
}

void LaunchPrinter::print_write(const Write& write, const std::string& text) {
  if (!is_image(write.to)) return LoopPrinter::print_write(write, text);
  for (const Lanes& lanes : lanes_) {
    for (const Texel& one : lanes.written) {
      if (one.value != write.to) continue;
      std::string stored = cpp::without_parentheses(text);
      if (value(write.to).type == Type::f16 && write.value.type() != Type::f16) {
        // Rounded as in a buffer, whatever a device does where it converts texels.
        out_.headers.insert("half.cl");
        stored = "burin_f16_to_f32(burin_f32_to_f16(" + stored + "))";
      }
      text_.line(one.name + "[" + lane_name(lanes.axis) + "] = " + stored + ";");
      return;
    }
  }
  BURIN_CHECK(false, "an image that is not written in texels");
}

std::string LaunchPrinter::let_variable(int let, int component) const {
  const std::string name = LoopPrinter::let_variable(let, component);
  return item_lanes_ < 0 ? name : name + "[" + lane_name(item_lanes_) + "]";
}

std::string LaunchPrinter::taken_variable(int let) const {
  const std::string name = LoopPrinter::taken_variable(let);
  return item_lanes_ < 0 ? name : name + "[" + lane_name(item_lanes_) + "]";
}

void LaunchPrinter::define_variable(std::string_view type, const std::string& name,
                                    const std::string& value, bool constant) {
  if (item_lanes_ < 0) return LoopPrinter::define_variable(type, name, value, constant);
  text_.line(name + "[" + lane_name(item_lanes_) + "] = " + value + ";");
}

}  // namespace burin::opencl
