// Launches whose work-groups share the loops of one point (select/device/cooperative_groups.h).
#include <utility>

#include "backends/opencl/launch_printer_core.h"
#include "select/device/cooperative_groups.h"
#include "select/device/launch_walk.h"

namespace burin::opencl {
namespace {

constexpr int64_t kMostElementBytes = 8;  // of a sum

}  // namespace

// A work-group that lies beyond a size of the device, as a whole, so that none of it waits for the
// others.
void LaunchPrinter::end_beyond(const std::string& point, const Dim& extent,
                               cpp::TextBuilder& head) {
  if (depends_on_device(extent, sizes_))
    head.line("if (" + point + " >= " + exprs_.text(extent) + ") return;");
}

// One work-group per point; all of its work-items stay to the end, where barriers want them.
void LaunchPrinter::print_cooperative_point(const Launch& launch, cpp::TextBuilder& head) {
  head.line("const " + index_type_ + " item = (" + index_type_ + ")" + ids_.local + ";");
  for (size_t d = 0; d < launch.dimensions.size(); ++d) {
    const std::vector<int>& axes = launch.dimensions[d].axes;
    if (axes.empty()) continue;
    const std::string name = axes.size() == 1 ? axis_name(axes[0]) : "point" + std::to_string(d);
    head.line("const " + index_type_ + " " + name + " = (" + index_type_ + ")" + ids_.group[d] +
              ";");
    end_beyond(name, launch.dimensions[d].extent, head);
    if (axes.size() > 1) print_axes(axes, name, head);
    axes_.insert(axes_.end(), axes.begin(), axes.end());
  }
}

void LaunchPrinter::print_team(const Launch& launch) {
  for (const LoopNode& node : launch.nodes) {
    if (std::holds_alternative<ForLoop>(node.node)) continue;
    if (const auto let = let_of(node)) own_lets_.insert(*let);
  }
  name_divisions(launch.nodes);
  for (const LoopNode& node : launch.nodes) {
    if (const auto* loop = std::get_if<ForLoop>(&node.node)) {
      print_shared(*loop, launch.cooperative);
    } else if (const auto* end = std::get_if<EndLet>(&node.node)) {
      print_joined(end->let, launch.cooperative);
    } else if (const auto* define = std::get_if<Define>(&node.node)) {
      const Let& let = kernel_.lets[static_cast<size_t>(define->let)];
      text_.line("const " + std::string(language_.compute_name(let.accumulator[0])) + " " +
                 let_name(define->let, 0) + " = " + exprs_.text(let.body[0]) + ";");
      print_first({EndLet{define->let}});
    } else if (std::holds_alternative<Store>(node.node)) {
      print_first(node);
    } else {
      print({node});
    }
  }
}

// Done by the first work-item alone.
void LaunchPrinter::print_first(const LoopNode& node) {
  if (const auto* end = std::get_if<EndLet>(&node.node);
      end && schedule_.places[static_cast<size_t>(end->let)].scalar)
    return;
  text_.open("if (item == 0) {");
  exprs_.open_scope();
  if (const auto* end = std::get_if<EndLet>(&node.node)) {
    text_.line(let_element(end->let, 0, own_point(end->let)) + " = " + let_name(end->let, 0) + ";");
  } else {
    print({node});
  }
  exprs_.close_scope();
  text_.close();
}

// The points of a loop, and of those right inside it, one after the other.
void LaunchPrinter::print_shared(const ForLoop& loop, int items) {
  std::vector<int> axes = shared_axes(loop, kernel_);
  const ForLoop* last = &loop;
  while (last->axis != axes.back()) last = &std::get<ForLoop>(last->nodes[0].node);
  const int written = std::exchange(texels_, last->by_texels ? last->axis : -1);
  Dim extent = 1;
  for (const int axis : axes) extent *= points_of(axis);
  exprs_.open_scope();
  const std::string name = axes.size() == 1 ? point_name(axes[0]) : exprs_.fresh("point");
  print_hint(*last);
  text_.open("for (" + index_type_ + " " + name + " = item; " + name + " < " + exprs_.text(extent) +
             "; " + name + " += " + std::to_string(items) + ") {");
  if (axes.size() > 1) print_axes(axes, name, text_);
  if (last->by_texels) axes.pop_back();
  axes_.insert(axes_.end(), axes.begin(), axes.end());
  const LoopNodes& body = shared_body(loop, kernel_);
  if (last->by_texels) {
    open_lanes(last->axis, body);
    print(body);
    close_lanes();
  } else {
    name_divisions(body);
    print(body);
  }
  axes_.resize(axes_.size() - axes.size());
  text_.close();
  exprs_.close_scope();
  texels_ = written;
}

// The work-items' parts of a let become the whole, in a tree.
void LaunchPrinter::print_joined(int number, int items) {
  const Let& let = kernel_.lets[static_cast<size_t>(number)];
  const std::string type(language_.compute_name(let.accumulator[0]));
  const std::string name = let_name(number, 0), room = "team_" + type;
  add_local(type, room, items, kMostElementBytes);
  text_.line("barrier(CLK_LOCAL_MEM_FENCE);");
  text_.line(room + "[item] = " + name + ";");
  text_.open("for (int half_team = " + std::to_string(items / 2) +
             "; half_team > 0; half_team /= 2) {");
  text_.line("barrier(CLK_LOCAL_MEM_FENCE);");
  text_.open("if (item < half_team) {");
  combine(let, room + "[item]", room + "[item + half_team]");
  text_.close();
  text_.close();
  text_.line("barrier(CLK_LOCAL_MEM_FENCE);");
  text_.line(name + " = " + room + "[0];");
  print_first({EndLet{number}});
}

}  // namespace burin::opencl
