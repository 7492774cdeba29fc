#include "select/joint/launch_joints.h"

#include <algorithm>
#include <optional>
#include <utility>

namespace burin {
namespace {

constexpr int kElementBytes = 4;         // bytes
constexpr int64_t kBoundsArgument = 16;  // of a member: where its work-groups begin and end

int64_t up_to_multiple(int64_t size, int64_t to) { return (size + to - 1) / to * to; }

std::string plural(int64_t count, const char* what) {
  return std::to_string(count) + " " + what + (count == 1 ? "" : "s");
}

// Work-items of a work-group that serves all parts, or why there is none.
std::optional<int> common_items(const std::vector<JointPart>& parts, const Hardware& hardware,
                                std::string& why) {
  const OpenClDevice& device = hardware.opencl;
  int64_t largest = 1, waiting = 0;
  for (const JointPart& part : parts) {
    largest = std::max<int64_t>(largest, part.load.items);
    if (part.load.barriers) waiting = std::max<int64_t>(waiting, part.load.items);
  }
  // Work-items that do not wait for each other are found again in groups of any size.
  const int64_t items = waiting > 0 ? waiting : up_to_multiple(largest, device.wave_size);
  if (items % device.wave_size != 0) {
    why = "work-groups of " + std::to_string(items) + " are no whole waves of " +
          std::to_string(device.wave_size);
    return std::nullopt;
  }
  if (items > device.work_group_size_max || items > device.work_item_sizes_max[0]) {
    why = "the device has no work-groups of " + std::to_string(items);
    return std::nullopt;
  }
  int64_t local = 0, registers = 0, parameters = 0;
  int images_read = 0, images_written = 0;
  for (const JointPart& part : parts) {
    const LaunchLoad& load = part.load;
    const int64_t times = items / load.items;
    if (load.barriers && load.items != items) {
      // All of a work-group come to a barrier, or none.
      const bool whole = items % load.items == 0 && mod(load.groups, times).is_constant(0);
      if (!whole) {
        why = "work-groups of " + std::to_string(load.items) +
              " that wait at barriers do not fill " + "those of " + std::to_string(items);
        return std::nullopt;
      }
    }
    local = std::max(local, in_groups_of(load, static_cast<int>(items)).local_bytes);
    registers = std::max(registers, load.registers);
    parameters += load.parameter_bytes + kBoundsArgument;
    images_read += load.images_read;
    images_written += load.images_written;
  }
  const DeviceImages& images = device.images;
  if (images_read + images_written > 0 &&
      (images_read > images.read_arguments_max || images_written > images.written_arguments_max)) {
    why = plural(images_read + images_written, "image") + " are more than a kernel may have";
    return std::nullopt;
  }
  if (local > device.local_memory_bytes) {
    why = plural(local, "byte") + " of local memory are more than a work-group has";
    return std::nullopt;
  }
  if (registers * kElementBytes * items > device.register_bytes) {
    why = "a compute unit has too few registers for one work-group";
    return std::nullopt;
  }
  if (parameters > device.parameter_bytes_max) {
    why = plural(parameters, "byte") + " of arguments are more than a kernel may have";
    return std::nullopt;
  }
  return static_cast<int>(items);
}

double time_of(const JointParts& launch, const Hardware& hardware) {
  std::vector<LaunchLoad> loads;
  for (const JointPart& part : launch.parts) loads.push_back(in_groups_of(part.load, launch.items));
  return launch_us(loads, hardware);
}

// Long work-groups start first, so that short ones fill up the end.
void put_longest_first(std::vector<JointPart>& parts) {
  std::stable_sort(parts.begin(), parts.end(), [](const JointPart& a, const JointPart& b) {
    return a.load.alone_cycles > b.load.alone_cycles;
  });
}

std::optional<JointParts> joint(const JointParts& a, const JointParts& b, const Hardware& hardware,
                                std::string& why) {
  JointParts out = a;
  out.parts.insert(out.parts.end(), b.parts.begin(), b.parts.end());
  const std::optional<int> items = common_items(out.parts, hardware, why);
  if (!items) return std::nullopt;
  put_longest_first(out.parts);
  out.items = *items;
  out.us = time_of(out, hardware);
  return out;
}

// Of the first launches of both: the best way to run them, and what its last launch is.
struct Best {
  int joint = 0;
  double us = 0;
  enum class Last { none, group, kernel, joint } last = Last::none;
};

}  // namespace

JointParts single_launch(JointPart part, const Hardware& hardware) {
  JointParts out;
  out.items = part.load.items;
  out.parts.push_back(std::move(part));
  out.us = time_of(out, hardware);
  return out;
}

JointLaunches joint_launches(const std::vector<JointParts>& group,
                             const std::vector<JointParts>& kernel, bool most,
                             const Hardware& hardware) {
  JointLaunches out;
  const size_t rows = group.size(), columns = kernel.size();
  std::vector<std::vector<std::optional<JointParts>>> joints(rows);
  for (size_t i = 0; i < rows; ++i) {
    for (size_t j = 0; j < columns; ++j) {
      std::string why;
      joints[i].push_back(joint(group[i], kernel[j], hardware, why));
      if (out.why.empty()) out.why = why;
    }
  }
  const auto better = [most](const Best& a, const Best& b) {
    if (most && a.joint != b.joint) return a.joint > b.joint;
    return a.us < b.us;
  };
  std::vector<std::vector<Best>> best(rows + 1, std::vector<Best>(columns + 1));
  for (size_t i = 0; i <= rows; ++i) {
    for (size_t j = 0; j <= columns; ++j) {
      std::optional<Best> found;
      const auto take = [&](const Best& before, double us, int more, Best::Last last) {
        const Best one{before.joint + more, before.us + us, last};
        if (!found || better(one, *found)) found = one;
      };
      if (i > 0) take(best[i - 1][j], group[i - 1].us, 0, Best::Last::group);
      if (j > 0) take(best[i][j - 1], kernel[j - 1].us, 0, Best::Last::kernel);
      if (i > 0 && j > 0 && joints[i - 1][j - 1])
        take(best[i - 1][j - 1], joints[i - 1][j - 1]->us, 1, Best::Last::joint);
      if (found) best[i][j] = *found;
    }
  }
  out.us = best[rows][columns].us;
  out.joint = best[rows][columns].joint;
  for (size_t i = rows, j = columns; i + j > 0;) {
    const Best::Last last = best[i][j].last;
    if (last == Best::Last::group) out.launches.push_back(group[--i]);
    if (last == Best::Last::kernel) out.launches.push_back(kernel[--j]);
    if (last == Best::Last::joint) out.launches.push_back(*joints[--i][--j]);
  }
  std::reverse(out.launches.begin(), out.launches.end());
  return out;
}

}  // namespace burin
