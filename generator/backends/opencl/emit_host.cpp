// src/<name>.cpp: the interface and the schedule of a device.
#include <algorithm>
#include <set>

#include "backends/cpp/content_names.h"
#include "backends/kept_states.h"
#include "backends/opencl/emit_opencl.h"
#include "backends/opencl/needs.h"
#include "kernel/index/size_bound.h"
#include "print/line_breaks.h"
#include "render/printed_code.h"
#include "render/printer.h"
#include "render/template.h"

namespace burin::opencl {
namespace {

Code bytes_of(const Value& value, const cpp::TreeNames& names) {
  return printed_code(cpp::size_text(product(value.shape) * element_bytes(value.type), names));
}

List states_of(const ModelPlan& plan, const cpp::TreeNames& names) {
  List out;
  for (const KeptState& one : kept_on_device(plan)) {
    append(out, {{"number", out.size()},
                 {"input", names.value(one.input)},
                 {"output", names.value(one.output)},
                 {"bytes", bytes_of(plan.graph.values[static_cast<size_t>(one.output)], names)}});
  }
  return out;
}

List inputs_of(const ModelPlan& plan, const cpp::TreeNames& names) {
  List out;
  const std::set<ValueId> kept = values_of(kept_on_device(plan));
  for (const ValueId id : plan.graph.inputs) {
    if (kept.contains(id)) continue;
    const Value& value = plan.graph.values[static_cast<size_t>(id)];
    append(out, {{"name", names.value(id)}, {"bytes", bytes_of(value, names)}});
  }
  return out;
}

// Bytes of an output whose size the run finds; what nothing bounds stays far below 64 bits.
Code capacity_of(const Value& value, const Identifier& name, const cpp::TreeNames& names) {
  constexpr int64_t kMostElements = int64_t{1} << 56;
  const Dim most = bound_before_run(product(value.shape)).value_or(kMostElements);
  return code("burin_cl::room(outputs->", name, "_capacity, ",
              printed_code(cpp::size_text(most, names)), ") * ", element_bytes(value.type));
}

// Sizes that stay on the device, and their bounds; the caller learns at the end whether they held,
// and which check did not.
List held_sizes(const ModelPlan& plan, const cpp::TreeNames& names) {
  List out;
  std::vector<size_t> in_order(plan.sizes.sizes.size());  // of the steps
  for (size_t i = 0; i < in_order.size(); ++i)
    in_order[static_cast<size_t>(plan.sizes.sizes[i].number)] = i;
  for (const size_t i : in_order) {
    const DeviceSize& one = plan.sizes.sizes[i];
    if (!one.on_host.empty()) continue;
    const Code found = code("sizes_[", 2 * static_cast<int64_t>(i) + 1, "]");
    if (!one.check.empty()) {
      append(out, {{"fails", code(found, " == 0")},
                   {"status", code("burin_rt::about(fault, ", StringLiteral(one.check),
                                   ", burin_rt::kShapeMismatch)")}});
      continue;
    }
    const Dim most = *bound_before_run(Index::symbol(one.symbol));
    append(out, {{"fails", code("!burin_rt::within(fault, ", StringLiteral(one.symbol->name), ", ",
                                found, ", ", one.symbol->min, ", ",
                                printed_code(cpp::size_text(most, names)), ")")},
                 {"status", Code("burin_rt::kValueOutOfRange")}});
  }
  return out;
}

// What they may take, and what they take in the end.
List outputs_of(const ModelPlan& plan, const cpp::TreeNames& names) {
  List out;
  const std::set<ValueId> kept = values_of(kept_on_device(plan));
  for (const ValueId id : plan.graph.outputs) {
    if (kept.contains(id)) continue;
    const Value& value = plan.graph.values[static_cast<size_t>(id)];
    const Code bytes = bytes_of(value, names);
    const Code capacity =
        cpp::is_data_sized(value) ? capacity_of(value, names.value(id), names) : bytes;
    append(out, {{"name", names.value(id)}, {"capacity", capacity}, {"bytes", bytes}});
  }
  return out;
}

List constant_images(const ModelPlan& plan, const cpp::TreeNames& names) {
  List out;
  for (const auto& [id, bytes] : plan.image_constants) {
    const Value& value = plan.graph.values[static_cast<size_t>(id)];
    const ImageMap& map = plan.images.maps.at(id);
    const ImageExtent extent = image_extent(map, value.shape);
    append(out, {{"name", names.value(id)},
                 {"width", extent.width.constant()},
                 {"height", extent.height.constant()},
                 {"fp16", value.type == Type::f16},
                 {"remark", CommentText("'" + value.name + "': " + to_string(map), 200)}});
  }
  return out;
}

List pooled_images(const ModelPlan& plan, const cpp::TreeNames& names) {
  List out;
  for (const ImageSlot& slot : plan.image_pool.slots) {
    List tensors;
    for (const ValueId id : slot.values) {
      const Value& value = plan.graph.values[static_cast<size_t>(id)];
      append(tensors,
             {{"remark",
               CommentText("'" + value.name + "': " + to_string(plan.images.maps.at(id)), 200)}});
    }
    append(out, {{"width", printed_code(cpp::size_text(slot.width, names))},
                 {"height", printed_code(cpp::size_text(slot.height, names))},
                 {"fp16", slot.type == Type::f16},
                 {"tensors", tensors}});
  }
  return out;
}

// Sizes of the caller that extents of images depend on.
std::vector<Symbol> image_sizes(const ModelPlan& plan) {
  std::vector<Symbol> out;
  for (const ImageSlot& slot : plan.image_pool.slots) {
    slot.width.collect_symbols(out);
    slot.height.collect_symbols(out);
  }
  return out;
}

Code context_code(const ModelPlan& plan, const cpp::TreeNames& names,
                  const cpp::KernelSet& kernels) {
  List sizes;
  for (const Symbol& symbol : image_sizes(plan))
    append(sizes, {{"name", names.symbol(symbol)}, {"local", names.local(symbol)}});
  const Code dims = sizes.empty() ? Code() : code(names.model, "_dims* dims");
  return Template::embedded("templates/opencl/src/context.cpp.in")
      .render({{"name", names.model},
               {"kernels", kernels.kernels.size()},
               {"images", image_count(plan)},
               {"states", kept_on_device(plan).size()},
               {"sizes", sizes},
               {"dims_type", dims},
               {"constant_images", constant_images(plan, names)},
               {"pooled_images", pooled_images(plan, names)}});
}

Code init_code(const ModelPlan& plan, const cpp::TreeNames& names, const cpp::KernelSet& kernels,
               const cpp::WeightsLayout& weights) {
  return Template::embedded("templates/opencl/src/init.cpp.in")
      .render({{"name", names.model},
               {"blob", plan.weights == WeightsMode::blob},
               {"macro", printed_code(names.macro)},
               {"header_bytes", cpp::kWeightsHeaderBytes},
               {"weights_align", cpp::kWeightsLeastAlign},
               {"embedded", cpp::embedded_weights(names, weights)},
               {"needs", needs_code(plan, kernels)},
               {"array_bytes", weights.array_bytes},
               {"images", image_count(plan)},
               {"states", kept_on_device(plan).size()},
               {"part", cpp::is_part(names)},
               {"whole_ready", cpp::ready_mark(names, 0)},
               {"weights_start", names.places.weights_offset}});
}

}  // namespace

void emit_host(const ModelPlan& plan, const cpp::TreeNames& names, const cpp::KernelSet& kernels,
               const cpp::WeightsLayout& weights, SourceTree& tree) {
  cpp::PrintedSchedule schedule = opencl::print_schedule(plan, names, kernels);
  schedule.headers.insert({"opencl/commands.h", "status.h", "fault.h", "crc32.h", "elementary.h",
                           "integer.h", "place.h"});
  cpp::emit_runtime(schedule.headers, tree);
  const cpp::CallerPointers pointers =
      cpp::caller_pointers(plan, names, values_of(kept_on_device(plan)));
  const Code image_arguments = image_sizes(plan).empty() ? Code("context") : Code("context, dims");
  const bool images = image_count(plan) > 0, states = !kept_on_device(plan).empty();
  const Code first = images ? Code(", images_of(context)") : states ? Code(", nullptr") : Code();
  const Code held = states ? code(first, ", states") : first;
  List headers, dim_names;
  for (const Symbol& symbol : plan.graph.symbols) dim_names.emplace_back(names.local(symbol));
  for (const std::string& one : schedule.headers) headers.emplace_back(printed_code(one));
  const Code text = Template::embedded("templates/opencl/src/name.cpp.in")
                        .render({{"name", names.model},
                                 {"kernel_space", names.places.kernels},
                                 {"part", cpp::is_part(names)},
                                 {"whole", names.places.tree},
                                 {"headers", headers},
                                 {"ready", cpp::ready_mark(names, names.places.number)},
                                 {"dims", cpp::caller_sizes(plan, names)},
                                 {"signed_arena", !proven_nonnegative(plan.memory.arena_bytes)},
                                 {"dim_names", dim_names},
                                 {"required", pointers.required},
                                 {"counted", pointers.counted},
                                 {"held", held},
                                 {"pooled", !plan.image_pool.slots.empty()},
                                 {"image_arguments", image_arguments},
                                 {"context", context_code(plan, names, kernels)},
                                 {"init", init_code(plan, names, kernels, weights)},
                                 {"inputs", inputs_of(plan, names)},
                                 {"outputs", outputs_of(plan, names)},
                                 {"states", states_of(plan, names)},
                                 {"sizes", plan.sizes.sizes.size()},
                                 {"held_sizes", held_sizes(plan, names)},
                                 {"results", cpp::found_sizes(plan, names)},
                                 {"plain_names", cpp::plain_names(plan, names)},
                                 {"schedule", schedule.body}});
  tree.add("src/" + names.model.text() + ".cpp", printed_code(print::with_line_breaks(text.text())),
           "source");
}

}  // namespace burin::opencl
