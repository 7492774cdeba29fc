#include "backends/opencl/needs.h"

#include <algorithm>
#include <functional>

#include "backends/opencl/opencl_language.h"
#include "render/printer.h"
#include "select/device/launch_walk.h"
#include "select/device/work_groups.h"

namespace burin::opencl {
namespace {

int64_t items_of(const WorkGroup& group) { return group[0] * group[1] * group[2]; }

// Every launch that the host makes: its kernel, its work-groups, their local memory.
using Launched = std::function<void(const cpp::KernelCall&, const WorkGroup&, int64_t local_bytes)>;
void for_each_launch(const ModelPlan& plan, const cpp::KernelSet& kernels, const Launched& found) {
  const auto launch_at = [&](StepId step, int number) -> const Launch& {
    return *launches_of(plan.kernels.at(step).launches)[static_cast<size_t>(number)];
  };
  const auto plain = [&](StepId step, int number) {
    const Launch& launch = launch_at(step, number);
    found(kernels.calls.at(step)[static_cast<size_t>(number)], work_group_of(launch),
          local_bytes_of(launch));
  };
  for (const auto& [step, calls] : kernels.calls) {
    if (plan.groups.group_of(step)) continue;
    for (size_t i = 0; i < calls.size(); ++i) plain(step, static_cast<int>(i));
  }
  for (const LaunchGroup& group : plan.groups.groups) {
    for (const JointLaunch& joint : group.launches) {
      const LaunchMember& first = joint.members[0];
      if (joint.members.size() == 1) {
        plain(first.step, first.launch);
        continue;
      }
      int64_t local_bytes = 0;
      for (const LaunchMember& member : joint.members) {
        const int64_t times = std::max(1, joint.items / member.items);
        local_bytes =
            std::max(local_bytes, local_bytes_of(launch_at(member.step, member.launch)) * times);
      }
      found(kernels.calls.at(first.step)[static_cast<size_t>(first.launch)], {joint.items, 1, 1},
            local_bytes);
    }
  }
}

// What is wanted of the device's images: the largest extents, the most of one kernel.
struct NeededImages {
  int64_t width = 0, height = 0;
  int read = 0, written = 0;
};
NeededImages needed_images(const ModelPlan& plan) {
  NeededImages out;
  for (const auto& [id, map] : plan.images.maps) {
    const ImageExtent extent = image_extent(map, plan.graph.values[static_cast<size_t>(id)].shape);
    out.width = std::max(out.width, extent.width.range().hi);
    out.height = std::max(out.height, extent.height.range().hi);
  }
  for (const ImageSlot& slot : plan.image_pool.slots) {
    out.width = std::max(out.width, slot.width.range().hi);
    out.height = std::max(out.height, slot.height.range().hi);
  }
  for (const auto& [step, schedule] : plan.kernels) {
    out.read = std::max(out.read, schedule.images_read);
    out.written = std::max(out.written, schedule.images_written);
  }
  for (const LaunchGroup& group : plan.groups.groups) {
    for (const JointLaunch& joint : group.launches) {
      int read = 0, written = 0;
      for (const LaunchMember& member : joint.members) {
        read += plan.kernels.at(member.step).images_read;
        written += plan.kernels.at(member.step).images_written;
      }
      out.read = std::max(out.read, read);
      out.written = std::max(out.written, written);
    }
  }
  return out;
}

// Whether a kernel needs this file.
Code uses(const cpp::KernelSet& set, const char* file) {
  const bool found = std::any_of(set.kernels.begin(), set.kernels.end(), [&](const auto& kernel) {
    return kernel.printed.headers.contains(file);
  });
  return found ? Code("true") : Code("false");
}

}  // namespace

std::vector<int64_t> kernel_items(const ModelPlan& plan, const cpp::KernelSet& kernels) {
  std::vector<int64_t> out(kernels.kernels.size(), 1);
  for_each_launch(plan, kernels, [&](const cpp::KernelCall& call, const WorkGroup& group, int64_t) {
    out[call.kernel] = std::max(out[call.kernel], items_of(group));
  });
  return out;
}

Code needs_code(const ModelPlan& plan, const cpp::KernelSet& kernels) {
  WorkGroup largest = {1, 1, 1};
  int64_t items = 1, local_bytes = 0;
  for_each_launch(plan, kernels,
                  [&](const cpp::KernelCall&, const WorkGroup& group, int64_t bytes) {
                    items = std::max(items, items_of(group));
                    local_bytes = std::max(local_bytes, bytes);
                    for (size_t d = 0; d < group.size(); ++d)
                      largest[d] = std::max(largest[d], group[d]);
                  });
  const NeededImages images = needed_images(plan);
  return code(uses(kernels, kNeedsFp64), ", ", uses(kernels, kNeedsFp16), ", ", items, ", {",
              largest[0], ", ", largest[1], ", ", largest[2], "}, ", local_bytes, ", ",
              images.width, ", ", images.height, ", ", images.read, ", ", images.written);
}

}  // namespace burin::opencl
