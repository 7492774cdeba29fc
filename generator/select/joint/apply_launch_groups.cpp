// Launch groups applied to a graph, looked up, and as text.
#include <algorithm>
#include <cmath>

#include "select/joint/launch_groups.h"
#include "support/check.h"

namespace burin {
namespace {

// To a tenth.
std::string us_text(double us) {
  const auto tenths = static_cast<int64_t>(std::llround(us * 10));
  return std::to_string(tenths / 10) + "." + std::to_string(tenths % 10);
}

}  // namespace

const LaunchGroup* LaunchGroups::group_of(int position) const {
  for (const LaunchGroup& group : groups) {
    if (position >= group.positions.front() && position <= group.positions.back()) return &group;
  }
  return nullptr;
}

std::optional<bool> MeasuredPairs::of(int position, int other) const {
  const auto a = keys.find(position), b = keys.find(other);
  if (a == keys.end() || b == keys.end()) return std::nullopt;
  const auto said = pairs.find(pair_of(a->second, b->second));
  return said == pairs.end() ? std::nullopt : std::optional(said->second);
}

void apply_launch_groups(const LaunchGroups& plan, KernelGraph& graph,
                         std::map<int, KernelSchedule>& kernels, std::map<int, std::string>& keys) {
  BURIN_CHECK(plan.order.size() == graph.steps.size(), "an order of other steps");
  std::vector<std::pair<int, int>> given;  // first position, positions, by place in the given order
  int position = 0;
  for (const Step& step : graph.steps) {
    const int first = position;
    for_each_step({step}, [&](const Step&) { ++position; });
    given.emplace_back(first, position - first);
  }
  Steps steps;
  std::map<int, KernelSchedule> moved;
  std::map<int, std::string> moved_keys;
  position = 0;
  for (const int place : plan.order) {
    const auto [first, count] = given[static_cast<size_t>(place)];
    for (int i = 0; i < count; ++i, ++position) {
      const auto schedule = kernels.find(first + i);
      if (schedule != kernels.end()) moved.emplace(position, std::move(schedule->second));
      const auto key = keys.find(first + i);
      if (key != keys.end()) moved_keys.emplace(position, std::move(key->second));
    }
    steps.push_back(std::move(graph.steps[static_cast<size_t>(place)]));
  }
  graph.steps = std::move(steps);
  kernels = std::move(moved);
  keys = std::move(moved_keys);
}

std::string to_string(ParallelFusion mode) {
  static constexpr const char* kNames[] = {"off", "measured", "auto", "all"};
  return kNames[static_cast<size_t>(mode)];
}

std::string reason_of(const LaunchDecision& decision) {
  if (decision.joint_us <= 0) return decision.reason;
  return decision.reason + " (" + us_text(decision.apart_us) + " us apart, " +
         us_text(decision.joint_us) + " us joint)";
}

std::string to_string(const LaunchGroups& plan) {
  std::string out = "parallel fusion: " + to_string(plan.mode) + "\norder:";
  for (const int place : plan.order) out += " " + std::to_string(place);
  out += "\n";
  for (const LaunchGroup& group : plan.groups) {
    out += "group";
    for (const int position : group.positions) out += " " + std::to_string(position);
    out += "\n";
    for (const JointLaunch& launch : group.launches) {
      out += "  launch in work-groups of " + std::to_string(launch.items) + ":";
      for (const LaunchMember& member : launch.members)
        out += " " + std::to_string(member.position) + "." + std::to_string(member.launch) + " x " +
               to_string(member.groups);
      out += "\n";
    }
  }
  for (const LaunchDecision& decision : plan.decisions)
    out += decision.kernel + " beside " + decision.beside + ": " +
           (decision.joined ? "joint" : "apart") + "; " + reason_of(decision) + "\n";
  return out;
}

}  // namespace burin
