#include "backends/opencl/member_ids.h"

#include <limits>

#include "select/device/work_groups.h"

namespace burin::opencl {
namespace {

// Work-groups of a launch by itself, by dimension.
std::vector<Dim> own_groups(const Launch& launch) {
  const WorkGroup points = points_of_group(launch);
  std::vector<Dim> out(3, Dim(1));
  for (size_t d = 0; d < launch.dimensions.size(); ++d)
    out[d] = ceildiv(launch.dimensions[d].extent, points[d]);
  return out;
}

}  // namespace

MemberIds member_ids(const Launch& launch, const LaunchMember& member, int items,
                     const std::function<std::string(const Dim&)>& text) {
  const std::vector<Dim> groups = own_groups(launch);
  const bool waits = shares_points(launch);
  const Dim all = groups[0] * groups[1] * groups[2];
  const bool fits = (member.groups * items).range().hi <= std::numeric_limits<int32_t>::max() &&
                    (all * member.items).range().hi <= std::numeric_limits<int32_t>::max();
  const std::string type = fits ? "int" : "long";
  const std::string own = std::to_string(member.items), joint = std::to_string(items);
  MemberIds out;
  std::string group = "group", item = "get_local_id(0)";
  if (member.items != items) {
    if (waits) {
      out.lines = {{"own_item", "const int own_item = (int)get_local_id(0) % " + own + ";"},
                   {"own_group", "const " + type + " own_group = (" + type + ")group * " +
                                     std::to_string(items / member.items) +
                                     " + (int)get_local_id(0) / " + own + ";"}};
    } else {
      out.lines = {{"place", "const " + type + " place = (" + type + ")group * " + joint +
                                 " + (int)get_local_id(0);"},
                   {"own_item", "const int own_item = (int)(place % " + own + ");"},
                   {"own_group", "const " + type + " own_group = place / " + own + ";"}};
      if (!mod(all * member.items, items).is_constant(0))
        out.lines.push_back({"", "if (own_group >= " + text(all) + ") return;"});
    }
    group = "own_group";
    item = "own_item";
  }
  out.ids.local = item;
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
    out.ids.group[d] = id;
    if (waits || d >= launch.dimensions.size()) continue;
    const int local = launch.dimensions[d].local;
    std::string within = item == "get_local_id(0)" ? "(int)get_local_id(0)" : item;
    if (faster > 1) within += " / " + std::to_string(faster);
    if (faster * local < member.items) within += " % " + std::to_string(local);
    faster *= local;
    if (local == 1) {
      out.ids.global[d] = id;
    } else {
      out.ids.global[d] = id == "0"
                              ? "(" + within + ")"
                              : "(" + id + " * " + std::to_string(local) + " + " + within + ")";
    }
  }
  return out;
}

}  // namespace burin::opencl
