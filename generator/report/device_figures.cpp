#include "report/device_figures.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "select/device/launch_walk.h"
#include "support/diagnostics.h"

namespace burin {
namespace {

size_t launches_in(const ModelPlan& plan) {
  std::set<StepId> joint;
  size_t out = 0;
  for (const LaunchGroup& group : plan.groups.groups) {
    joint.insert(group.steps.begin(), group.steps.end());
    out += group.launches.size();
  }
  for (const auto& [step, schedule] : plan.kernels) {
    if (joint.contains(step) || plan.memory.dropped.contains(step)) continue;
    out += launches_of(schedule.launches).size();
  }
  return out;
}

}  // namespace

DeviceFigures device_figures(const ModelPlan& plan) {
  DeviceFigures out;
  const auto name = [&](ValueId id) { return plan.graph.values[static_cast<size_t>(id)].name; };
  out.launches = launches_in(plan);
  out.memory = plan.images.use;
  out.pool = plan.image_pool.slots.size();
  for (const ImageDecision& one : plan.images.decisions)
    out.tensors.push_back(
        {name(one.value), one.reason, one.image ? to_string(plan.images.maps.at(one.value)) : ""});
  for (const auto& [id, texels] : plan.image_constants) out.in_image.push_back(name(id));
  out.bytes = to_string(plan.device.total());
  out.bytes_at_hints = evaluate(plan.memory, plan.device.total(), [&](const Symbol& symbol) {
    return plan.size_limits.usual(symbol);
  });
  return out;
}

std::string to_text(const DeviceFigures& figures) {
  const auto images = std::count_if(figures.tensors.begin(), figures.tensors.end(),
                                    [](const auto& one) { return !one.map.empty(); });
  std::string out = fmt::format(
      "device: {} launches, {} bytes; memory ({}): {} of {} tensors in images, {} images that "
      "kernels write\n",
      figures.launches, figures.bytes_at_hints, to_string(figures.memory), images,
      figures.tensors.size(), figures.pool);
  for (const DeviceFigures::Tensor& one : figures.tensors)
    out += fmt::format("  {}: {}; {}\n", burin::quoted(one.name),
                       one.map.empty() ? "a buffer" : "an image, " + one.map, one.reason);
  return out;
}

nlohmann::ordered_json json_of(const DeviceFigures& figures) {
  nlohmann::ordered_json tensors = nlohmann::ordered_json::array();
  for (const DeviceFigures::Tensor& one : figures.tensors) {
    tensors.push_back({{"name", one.name}, {"image", !one.map.empty()}});
    if (!one.map.empty()) tensors.back()["map"] = one.map;
    tensors.back()["reason"] = one.reason;
  }
  return {{"launches", figures.launches},
          {"memory", to_string(figures.memory)},
          {"images", figures.pool},
          {"constants_in_images", figures.in_image},
          {"tensors", tensors},
          {"bytes", figures.bytes},
          {"bytes_at_hints", figures.bytes_at_hints}};
}

}  // namespace burin
