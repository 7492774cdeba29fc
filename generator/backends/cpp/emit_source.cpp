// src/<name>.cpp: the functions of the interface. <name>_run checks what its caller passed and is
// the schedule; see emit_schedule.h.
#include "backends/cpp/content_names.h"
#include "backends/cpp/emit_cpp.h"
#include "backends/cpp/emit_schedule.h"
#include "backends/cpp/schedule_printer.h"
#include "isa/matrix_rows.h"
#include "loops/walk.h"
#include "print/line_breaks.h"
#include "render/printed_code.h"
#include "render/printer.h"
#include "render/template.h"

namespace burin::cpp {
namespace {

// Whether a thread that runs a kernel gets a unit for matrices.
bool opens_matrices(const ModelPlan& plan) {
  for (const auto& [step, schedule] : plan.kernels) {
    bool opens = false;
    if (schedule.program == nullptr) continue;
    loops::for_each(schedule.program->body, [&](const loops::Stmt& stmt) {
      const auto* call = std::get_if<loops::Call>(&stmt.node);
      opens = opens || (call != nullptr && isa::opened_matrix(*call->op));
    });
    if (opens) return true;
  }
  return false;
}

}  // namespace

Code unsigned_code(uint32_t number) { return printed_code(std::to_string(number) + "u"); }

CallerPointers caller_pointers(const ModelPlan& plan, const TreeNames& names,
                               const std::set<ValueId>& may_be_null) {
  CallerPointers out;
  const auto add = [&](const Code& list, ValueId id) {
    if (may_be_null.contains(id)) return;
    const Value& value = plan.graph.values[static_cast<size_t>(id)];
    const Dim elements = product(value.shape);
    const Code pointer = code(list, names.value(id));
    if (proven_le(1, elements)) {
      out.required.emplace_back(pointer);
    } else if (!elements.is_constant(0)) {
      append(out.counted,
             {{"pointer", pointer},
              {"count", is_data_sized(value) ? code(pointer, "_capacity")
                                             : printed_code(size_text(elements, names))}});
    }
  };
  for (const ValueId id : plan.graph.inputs) add("inputs->", id);
  for (const ValueId id : plan.graph.outputs) add("outputs->", id);
  return out;
}

List found_sizes(const ModelPlan& plan, const TreeNames& names) {
  List out;
  for (const Symbol& symbol : declared_sizes(plan.graph.steps))
    out.emplace_back(names.local(symbol));
  return out;
}

List caller_sizes(const ModelPlan& plan, const TreeNames& names) {
  List dims;
  for (const Symbol& symbol : plan.graph.symbols) {
    append(dims, {{"name", names.symbol(symbol)},
                  {"local", names.local(symbol)},
                  {"smallest", Code::integer(symbol->min)},
                  {"largest", Code::integer(largest_size(plan, symbol))}});
  }
  return dims;
}

void emit_source(const ModelPlan& plan, const TreeNames& names, const KernelSet& kernels,
                 const WeightsLayout& weights, SourceTree& tree) {
  PrintedSchedule schedule =
      print_schedule(plan, names, kernels, host_target(plan, names, kernels));
  schedule.headers.insert(
      {"status.h", "fault.h", "crc32.h", "elementary.h", "integer.h", "place.h"});
  const bool matrices = opens_matrices(plan);
  if (matrices) schedule.headers.insert("matrix.h");
  emit_runtime(schedule.headers, tree);
  const CallerPointers pointers = caller_pointers(plan, names);
  List headers, dim_names;
  for (const Symbol& symbol : plan.graph.symbols) dim_names.emplace_back(names.local(symbol));
  for (const std::string& one : schedule.headers) headers.emplace_back(printed_code(one));
  const Code text = Template::embedded("templates/cpp/src/name.cpp.in")
                        .render({{"name", names.model},
                                 {"kernel_space", names.places.kernels},
                                 {"headers", headers},
                                 {"macro", printed_code(names.macro)},
                                 {"ready", ready_mark(names, names.places.number)},
                                 {"arena_align", plan.hardware.arena_align_bytes},
                                 {"dims", caller_sizes(plan, names)},
                                 {"signed_arena", !proven_nonnegative(plan.memory.arena_bytes)},
                                 {"dim_names", dim_names},
                                 {"required", pointers.required},
                                 {"counted", pointers.counted},
                                 {"blob", plan.weights == WeightsMode::blob},
                                 {"header_bytes", kWeightsHeaderBytes},
                                 {"weights_align", kWeightsLeastAlign},
                                 {"matrices", matrices},
                                 {"embedded", embedded_weights(names, weights)},
                                 {"workers", workers_of(plan)},
                                 {"step_hook", plan.step_hook},
                                 {"results", found_sizes(plan, names)},
                                 {"plain_names", plain_names(plan, names)},
                                 {"schedule", schedule.body}});
  tree.add("src/" + names.model.text() + ".cpp", printed_code(print::with_line_breaks(text.text())),
           "source");
}

}  // namespace burin::cpp
