// src/<name>.cpp: the interface and the schedule of a device.
#include <algorithm>

#include "backends/opencl/emit.h"
#include "backends/opencl/language.h"
#include "render/printed_code.h"
#include "render/printer.h"
#include "render/template.h"
#include "select/launch_walk.h"

namespace burin::opencl {
namespace {

Code bytes_of(const Value& value, const cpp::TreeNames& names) {
  return printed_code(cpp::size_text(product(value.shape) * element_bytes(value.type), names));
}

List inputs_of(const ModelPlan& plan, const cpp::TreeNames& names) {
  List out;
  for (const ValueId id : plan.graph.inputs) {
    const Value& value = plan.graph.values[static_cast<size_t>(id)];
    append(out, {{"name", names.value(id)}, {"bytes", bytes_of(value, names)}});
  }
  return out;
}

// What they may take, and what they take in the end.
List outputs_of(const ModelPlan& plan, const cpp::TreeNames& names) {
  List out;
  for (const ValueId id : plan.graph.outputs) {
    const Value& value = plan.graph.values[static_cast<size_t>(id)];
    const Code bytes = bytes_of(value, names);
    const Code capacity =
        cpp::is_data_sized(value)
            ? code("outputs->", names.value(id), "_capacity * ", element_bytes(value.type))
            : bytes;
    append(out, {{"name", names.value(id)}, {"capacity", capacity}, {"bytes", bytes}});
  }
  return out;
}

int64_t items_of(const Launch& launch) {
  if (launch.product) return launch.product->tile.items();
  if (launch.attention) return launch.attention->items;
  if (launch.team > 0) return launch.team;
  int64_t items = 1;
  for (const Dimension& dimension : launch.dimensions) items *= dimension.local;
  return items;
}

// Of local memory, at most.
int64_t local_bytes_of(const Launch& launch) {
  if (launch.product) return launch.product->tile.local_bytes();
  if (launch.attention) return launch.attention->local_bytes();
  return int64_t{launch.team} * 8;
}

// What the largest work-groups take.
struct Needed {
  int64_t items = 1, local_bytes = 0;
};
Needed needed(const ModelPlan& plan) {
  Needed out;
  for (const auto& [position, schedule] : plan.kernels) {
    for (const Launch* launch : launches_of(schedule.launches)) {
      out.items = std::max(out.items, items_of(*launch));
      out.local_bytes = std::max(out.local_bytes, local_bytes_of(*launch));
    }
  }
  for (const LaunchGroup& group : plan.groups.groups) {
    for (const JointLaunch& joint : group.launches) {
      out.items = std::max<int64_t>(out.items, joint.items);
      for (const LaunchMember& member : joint.members) {
        const auto launches = launches_of(plan.kernels.at(member.position).launches);
        const Launch& launch = *launches[static_cast<size_t>(member.launch)];
        const int64_t times = std::max(1, joint.items / member.items);
        out.local_bytes = std::max(out.local_bytes, local_bytes_of(launch) * times);
      }
    }
  }
  return out;
}

bool uses_doubles(const cpp::KernelSet& set) {
  return std::any_of(set.kernels.begin(), set.kernels.end(), [](const auto& kernel) {
    return kernel.printed.headers.contains(kNeedsFp64);
  });
}

}  // namespace

void emit_host(const ModelPlan& plan, const cpp::TreeNames& names, const cpp::KernelSet& kernels,
               const cpp::WeightsLayout& weights, SourceTree& tree) {
  cpp::PrintedSchedule schedule = opencl::print_schedule(plan, names, kernels);
  schedule.headers.insert(
      {"opencl/commands.h", "status.h", "crc32.h", "elementary.h", "integer.h"});
  cpp::emit_runtime(schedule.headers, tree);
  const cpp::CallerPointers pointers = cpp::caller_pointers(plan, names);
  List headers, dim_names;
  for (const Symbol& symbol : plan.graph.symbols) dim_names.emplace_back(names.symbol(symbol));
  for (const std::string& one : schedule.headers) headers.emplace_back(printed_code(one));
  const Code text = Template::embedded("templates/opencl/src/name.cpp.in")
                        .render({{"name", names.model},
                                 {"kernel_space", names.places.kernels},
                                 {"network", CommentText(plan.graph.name, 200)},
                                 {"headers", headers},
                                 {"ready", cpp::unsigned_code(cpp::ready_mark(weights))},
                                 {"dims", cpp::caller_sizes(plan, names)},
                                 {"signed_arena", !proven_nonnegative(plan.memory.arena_bytes)},
                                 {"dim_names", dim_names},
                                 {"required", pointers.required},
                                 {"counted", pointers.counted},
                                 {"blob", plan.weights == WeightsMode::blob},
                                 {"file_bytes", cpp::weights_file_bytes(weights)},
                                 {"header_bytes", cpp::kWeightsHeaderBytes},
                                 {"weights_align", cpp::kWeightsLeastAlign},
                                 {"crc", cpp::unsigned_code(weights.crc)},
                                 {"payload_bytes", weights.payload_bytes},
                                 {"embedded", cpp::embedded_weights(names, weights)},
                                 {"fp64", uses_doubles(kernels)},
                                 {"work_group", needed(plan).items},
                                 {"local_bytes", needed(plan).local_bytes},
                                 {"kernels", kernels.kernels.size()},
                                 {"inputs", inputs_of(plan, names)},
                                 {"outputs", outputs_of(plan, names)},
                                 {"results", cpp::found_sizes(plan, names)},
                                 {"schedule", schedule.body}});
  tree.add("src/" + names.model.text() + ".cpp", text, "source");
}

}  // namespace burin::opencl
