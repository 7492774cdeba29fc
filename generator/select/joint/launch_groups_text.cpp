// Launch groups looked up, and as text.
#include <algorithm>
#include <cmath>

#include "select/joint/launch_groups.h"

namespace burin {
namespace {

// To a tenth.
std::string us_text(double us) {
  const auto tenths = static_cast<int64_t>(std::llround(us * 10));
  return std::to_string(tenths / 10) + "." + std::to_string(tenths % 10);
}

}  // namespace

const LaunchGroup* LaunchGroups::group_of(StepId step) const {
  for (const LaunchGroup& group : groups) {
    if (std::find(group.steps.begin(), group.steps.end(), step) != group.steps.end()) return &group;
  }
  return nullptr;
}

std::optional<bool> MeasuredPairs::of(StepId step, StepId other) const {
  const auto a = keys.find(step), b = keys.find(other);
  if (a == keys.end() || b == keys.end()) return std::nullopt;
  const auto said = pairs.find(pair_of(a->second, b->second));
  return said == pairs.end() ? std::nullopt : std::optional(said->second);
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
  std::string out =
      "parallel fusion: " + to_string(plan.mode) + "\norder: " + to_string(plan.order) + "\n";
  for (const LaunchGroup& group : plan.groups) {
    out += "group " + to_string(group.steps) + "\n";
    for (const JointLaunch& launch : group.launches) {
      out += "  launch in work-groups of " + std::to_string(launch.items) + ":";
      for (const LaunchMember& member : launch.members)
        out += " " + to_string(member.step) + "." + std::to_string(member.launch) + " x " +
               to_string(member.groups);
      out += "\n";
    }
  }
  for (const LaunchDecision& decision : plan.decisions)
    out += decision.kernel + " beside " + decision.beside + ": " +
           (decision.joint ? "joint" : "apart") + "; " + reason_of(decision) + "\n";
  return out;
}

}  // namespace burin
