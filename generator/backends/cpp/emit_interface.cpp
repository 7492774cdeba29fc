// include/<name>.h: the whole public interface of a tree.
#include <algorithm>

#include "backends/cpp/content_names.h"
#include "backends/cpp/emit_cpp.h"
#include "backends/cpp/vocabulary.h"
#include "backends/kept_states.h"
#include "hardware/capabilities.h"
#include "kernel/index/size_bound.h"
#include "print/line_breaks.h"
#include "render/printed_code.h"
#include "render/template.h"

namespace burin::cpp {
namespace {

// Of an output that the run sizes also what it can need at most.
CommentText remark_of(const Value& value, const std::string& role, bool kept) {
  std::string text =
      value.name + ": " + std::string(to_string(value.type)) + to_string(value.shape);
  const std::optional<Dim> most =
      is_data_sized(value) ? bound_before_run(product(value.shape)) : std::nullopt;
  if (most) text += "; at most " + to_string(*most) + " elements";
  if (value.strings)
    text += "; strings of UTF-8, up to " + to_string(value.shape.back()) +
            " bytes each, with zeros behind";
  if (!role.empty()) text += "; " + role;
  if (kept)
    text += "; state: the device keeps it, null leaves it as the last run did";
  else if (!value.note.empty())
    text += "; " + value.note;
  return CommentText(text, 240);
}

List inputs_of(const ModelPlan& plan, const TreeNames& names) {
  List inputs;
  const std::set<ValueId> kept = values_of(kept_on_device(plan));
  for (const ValueId id : plan.graph.inputs) {
    const Value& value = plan.graph.values[static_cast<size_t>(id)];
    append(inputs, {{"name", names.value(id)},
                    {"type", element_type(value.type)},
                    {"remark", remark_of(value, packed_remark(plan.packed_inputs, inputs.size()),
                                         kept.contains(id))}});
  }
  return inputs;
}

List outputs_of(const ModelPlan& plan, const TreeNames& names) {
  List outputs;
  const std::set<ValueId> kept = values_of(kept_on_device(plan));
  for (const ValueId id : plan.graph.outputs) {
    const Value& value = plan.graph.values[static_cast<size_t>(id)];
    append(outputs, {{"name", names.value(id)},
                     {"type", element_type(value.type)},
                     {"remark", remark_of(value, packed_remark(plan.packed_outputs, outputs.size()),
                                          kept.contains(id))},
                     {"sized", is_data_sized(value)},
                     {"rank", std::max<size_t>(1, value.shape.size())}});
  }
  return outputs;
}

}  // namespace

std::string open_sizes(const ModelPlan& plan) {
  std::string out;
  for (const std::string& name : plan.memory.open_sizes) out += (out.empty() ? "" : ", ") + name;
  return out;
}

int workers_of(const ModelPlan& plan) {
  int workers = plan.thread_groups.groups.empty() ? 1 : plan.hardware.threads_max;
  for (const auto& [step, schedule] : plan.kernels) {
    if (plan.memory.dropped.contains(step)) continue;  // a view, which nobody calls
    if (schedule.cut) workers = std::max(workers, schedule.cut->workers);
  }
  return workers;
}

Code element_type(Type type) { return printed_code(std::string(storage_type(type))); }

bool is_data_sized(const Value& value) {
  std::vector<Symbol> symbols;
  for (const Dim& dim : value.shape) dim.collect_symbols(symbols);
  for (const Symbol& symbol : symbols) {
    if (symbol->origin != SymbolOrigin::param) return true;
  }
  return false;
}

namespace {

Code context_types(const ModelPlan& plan, const TreeNames& names, size_t kernels) {
  if (!has_device(plan.hardware))
    return Template::embedded("templates/cpp/include/context.h.in")
        .render({{"name", names.model},
                 {"macro", printed_code(names.macro)},
                 {"step_hook", plan.step_hook}});
  return Template::embedded("templates/opencl/include/context.h.in")
      .render({{"name", names.model},
               {"kernels", kernels},
               {"images", image_count(plan)},
               {"states", kept_on_device(plan).size()},
               {"part", is_part(names)},
               {"whole", names.places.tree}});
}

}  // namespace

void emit_interface(const ModelPlan& plan, const TreeNames& names, const WeightsLayout& weights,
                    size_t kernels, SourceTree& tree) {
  const bool blob = plan.weights == WeightsMode::blob;
  const Dim& arena = plan.memory.arena_bytes;
  const std::optional<int64_t> arena_bytes =
      arena.is_constant() ? arena.constant() : plan.memory.arena_bound;
  const Code text =
      Template::embedded("templates/cpp/include/name.h.in")
          .render({{"name", names.model},
                   {"macro", printed_code(names.macro)},
                   {"arena_align", plan.hardware.arena_align_bytes},
                   {"arena_known", arena_bytes.has_value()},
                   {"arena_bytes", arena_bytes.value_or(0)},
                   {"open_sizes", CommentText(open_sizes(plan), 200)},
                   {"workers", workers_of(plan)},
                   {"device_bytes",
                    has_device(plan.hardware) ? plan.device.most().value_or(-1) : int64_t{-1}},
                   {"opencl", has_device(plan.hardware)},
                   {"context", context_types(plan, names, kernels)},
                   {"content_names", content_names(plan, names)},
                   {"weights_bytes", blob ? weights_file_bytes(weights) : 0},
                   {"weights_file", printed_code(names.places.weights)},
                   {"weights_offset", names.places.weights_offset},
                   {"weights_align", kWeightsAlign},
                   {"weights_least_align", kWeightsLeastAlign},
                   {"dims", caller_sizes(plan, names)},
                   {"inputs", inputs_of(plan, names)},
                   {"outputs", outputs_of(plan, names)}});
  tree.add("include/" + names.model.text() + ".h",
           printed_code(print::with_line_breaks(text.text())), "interface");
}

}  // namespace burin::cpp
