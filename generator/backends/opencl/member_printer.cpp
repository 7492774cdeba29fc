// Members of joint launches (select/joint/launch_groups.h): where a work-item of a joint work-group
// finds which of the member's own work-groups it belongs to, and its place in that (ParallelFusion,
// Table 2); and the local memory of these.
#include <limits>

#include "backends/opencl/launch_printer_core.h"
#include "backends/opencl/unused.h"

namespace burin::opencl {
namespace {

constexpr int64_t kVectorBytes = 16;  // local memory is given out in vectors of four floats

}  // namespace

// Work-groups of a launch by itself, by dimension.
std::vector<Dim> LaunchPrinter::own_groups(const Launch& launch) const {
  std::vector<Dim> out(3, Dim(1));
  for (size_t d = 0; d < launch.dimensions.size(); ++d) {
    const Dimension& dimension = launch.dimensions[d];
    int width = launch.cooperative > 0 ? 1 : dimension.local;
    if (launch.product)
      width = d == 0 ? launch.product->tile.columns : d == 1 ? launch.product->tile.rows : 1;
    if (launch.attention) width = d == 0 ? launch.attention->queries : 1;
    out[d] = ceildiv(dimension.extent, width);
  }
  return out;
}

// A group is that of the joint launch, counted from the member's first.
void LaunchPrinter::find_member_ids(const Launch& launch, const LaunchMember& member, int items) {
  const std::vector<Dim> groups = own_groups(launch);
  const bool waits = launch.product || launch.attention || launch.cooperative > 0;
  const Dim all = groups[0] * groups[1] * groups[2];
  const bool fits = (member.groups * items).range().hi <= std::numeric_limits<int32_t>::max() &&
                    (all * member.items).range().hi <= std::numeric_limits<int32_t>::max();
  const std::string type = fits ? "int" : "long";
  const auto text = [&](const Dim& dim) { return offset_text(dim); };
  const std::string own = std::to_string(member.items), joint = std::to_string(items);
  head_.indent();
  std::string group = "group", item = "get_local_id(0)";
  if (member.items != items) {
    if (waits) {
      head_.line("const int own_item = (int)get_local_id(0) % " + own + ";");
      head_.line("const " + type + " own_group = (" + type + ")group * " +
                 std::to_string(items / member.items) + " + (int)get_local_id(0) / " + own + ";");
    } else {
      head_.line("const " + type + " place = (" + type + ")group * " + joint +
                 " + (int)get_local_id(0);");
      head_.line("const int own_item = (int)(place % " + own + ");");
      head_.line("const " + type + " own_group = place / " + own + ";");
      if (!mod(all * member.items, items).is_constant(0))
        head_.line("if (own_group >= " + text(all) + ") return;");
    }
    group = "own_group";
    item = "own_item";
  }
  ids_.local = item;
  Dim before = 1;      // groups of the dimensions that move faster
  int64_t faster = 1;  // work-items of them
  for (size_t d = 0; d < 3; ++d) {
    std::string id = group;
    if (groups[d].is_constant(1)) {
      id = "0";
    } else {
      if (!before.is_constant(1)) id = "(" + id + " / " + text(before) + ")";
      bool last = true;
      for (size_t slower = d + 1; slower < 3; ++slower)
        last = last && groups[slower].is_constant(1);
      if (!last) id = "(" + id + " % " + text(groups[d]) + ")";
    }
    before = before * groups[d];
    ids_.group[d] = id;
    if (waits || d >= launch.dimensions.size()) continue;
    const int local = launch.dimensions[d].local;
    std::string within = item == "get_local_id(0)" ? "(int)get_local_id(0)" : item;
    if (faster > 1) within += " / " + std::to_string(faster);
    if (faster * local < member.items) within += " % " + std::to_string(local);
    faster *= local;
    if (local == 1) {
      ids_.global[d] = id;
    } else {
      ids_.global[d] = id == "0" ? "(" + within + ")"
                                 : "(" + id + " * " + std::to_string(local) + " + " + within + ")";
    }
  }
}

// Arrays become parts of `room`; each of a joint group's own groups has its own. Returns the
// vectors that they all take.
int64_t LaunchPrinter::place_locals(int times, int own_items) {
  int64_t vectors = 0;
  cpp::TextBuilder lines;
  lines.indent();
  for (const Local& one : locals_) {
    const std::string start =
        (times > 1 ? std::string("own_room") : "room") + " + " + std::to_string(vectors);
    lines.line("__local " + one.type + "* const " + one.name + " = (__local " + one.type + "*)(" +
               start + ");");
    vectors += (one.bytes + kVectorBytes - 1) / kVectorBytes;
  }
  for (const std::string& one : local_lanes_) lines.line(one);
  cpp::TextBuilder first;
  first.indent();
  if (times > 1 && vectors > 0)
    first.line("__local float4* const own_room = room + (int)get_local_id(0) / " +
               std::to_string(own_items) + " * " + std::to_string(vectors) + ";");
  out_.body = without_unused(first.text() + lines.text() + out_.body);
  return vectors * times;
}

PrintedPart LaunchPrinter::print_member(const Launch& launch, const LaunchMember& member, int items,
                                        const std::vector<ValueId>& aliased) {
  find_parameters();
  find_member_ids(launch, member, items);
  print_all(launch, aliased);
  PrintedPart out;
  out.room = place_locals(items / member.items, member.items);
  out.kernel = std::move(out_);
  return out;
}

}  // namespace burin::opencl
