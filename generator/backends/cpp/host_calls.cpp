// Kernels as functions of the same program: a call, or a loop over parts that threads share.
#include <algorithm>

#include "backends/cpp/emit_schedule.h"
#include "backends/cpp/expr_printer.h"
#include "backends/cpp/schedule_printer.h"
#include "backends/cpp/text_builder.h"

namespace burin::cpp {

Code host_pointer(const ModelPlan& plan, const TreeNames& names, ValueId id) {
  const auto value = [&](ValueId one) -> const Value& {
    return plan.graph.values[static_cast<size_t>(one)];
  };
  const Value& one = value(id);
  const Code type = printed_code(std::string(storage_type(one.type)));
  switch (one.kind) {
    case ValueKind::input:
      return code("inputs->", names.value(id));
    case ValueKind::output:
      return code("outputs->", names.value(id));
    case ValueKind::constant:
      return code("place<", type, ">(weights, constants::", names.value(id), ")");
    case ValueKind::internal: {
      const Placement& place = plan.memory.values[static_cast<size_t>(id)];
      if (place.root == kNoValue) {
        return code("place<", type, ">(arena, memory.", names.value(id), ")");
      }
      // A part of an input or output of the caller.
      const Code bytes =
          value(place.root).kind == ValueKind::input ? Code("const uint8_t*") : Code("uint8_t*");
      return code("place<", type, ">(reinterpret_cast<", bytes, ">(",
                  host_pointer(plan, names, place.root), "), memory.", names.value(id), ")");
    }
  }
  return {};
}

namespace {

void print_host_call(const ModelPlan& plan, const TreeNames& names, const KernelSet& kernels,
                     StepId step, ScheduleText& text) {
  Printer& out = text.out;
  const auto sized = [&](const Dim& dim) {
    TextBuilder unused;
    return ExprPrinter(unused, text.headers, size_names(names)).text(dim);
  };
  const KernelParameters& parameters = kernels.calls.at(step)[0].parameters;
  const KernelSchedule& schedule = plan.kernels.at(step);
  std::vector<Code> arguments;
  for (const ValueId id : parameters.reads) arguments.push_back(host_pointer(plan, names, id));
  for (const ValueId id : parameters.writes) arguments.push_back(host_pointer(plan, names, id));
  const auto add_size = [&](const Code& size) {
    arguments.push_back(schedule.index_bits == 32 ? code("static_cast<int32_t>(", size, ")")
                                                  : size);
  };
  for (const Symbol& symbol : parameters.symbols) add_size(code(names.local(symbol)));
  const Code name = code("kernels::", kernels.kernel_at(step).name, "(");
  const Code scratch =
      parameters.scratch ? code("arena + memory.", names.scratch.at(step)) : Code();
  if (!schedule.cut) {
    if (parameters.scratch) arguments.push_back(scratch);
    out.fill(name, arguments, ");");
    return;
  }
  // Parts of [0, chunks), each as a call for its points.
  const Cut& cut = *schedule.cut;
  text.headers.insert({"parallel.h", "elementary.h"});
  // The points from chunk `begin` of an axis to chunk `end`.
  const auto add_points = [&](const CutAxis& axis, const char* begin, const char* end) {
    const Code grain = axis.grain == 1 ? Code() : code(Code::integer(axis.grain), " * ");
    add_size(code(grain, printed_code(begin)));
    add_size(code("burin_rt::minimum<int64_t>(", grain, printed_code(end), ", ",
                  printed_code(sized(axis.extent)), ")"));
  };
  if (cut.across) {
    add_points(cut, "outer", "(outer + 1)");
    add_points(*cut.across, "inner", "inner_end");
  } else {
    add_points(cut, "begin", "end");
  }
  const auto& areas = plan.memory.scratch;
  const auto area = std::find_if(areas.begin(), areas.end(), [&](const ScratchPlacement& one) {
    return one.step == step && !one.stride.is_constant(0);
  });
  const bool apart = parameters.scratch && area != areas.end();  // for each worker
  if (apart) {
    arguments.push_back(code(scratch, " + worker * memory.", names.strides.at(step)));
  } else if (parameters.scratch) {
    arguments.push_back(scratch);
  }
  out.line("{");
  out.indent();
  out.line("const auto part = [&](int64_t begin, int64_t end, int32_t",
           apart ? Code(" worker") : Code(), ") {");
  out.indent();
  if (cut.across) {
    // Chunks of both axes, those of the second one next to each other: one call for as many as
    // there are of a chunk of the first one, which makes what they share once.
    const Code across = printed_code(sized(cut.across->chunks()));
    out.line("for (int64_t chunk = begin; chunk < end;) {");
    out.indent();
    out.line("const int64_t outer = chunk / ", across, ", inner = chunk % ", across, ";");
    out.line("const int64_t inner_end = burin_rt::minimum<int64_t>(inner + end - chunk, ", across,
             ");");
  }
  out.fill(name, arguments, ");");
  if (cut.across) {
    out.line("chunk += inner_end - inner;");
    out.dedent();
    out.line("}");
  }
  out.dedent();
  out.line("};");
  out.line("if (!burin_rt::run_parallel(threads, ", printed_code(sized(cut.calls())), ", part)) {");
  out.line("  return burin_rt::kParallelForBroken;");
  out.line("}");
  out.dedent();
  out.line("}");
}

}  // namespace

ScheduleTarget host_target(const ModelPlan& plan, const TreeNames& names,
                           const KernelSet& kernels) {
  ScheduleTarget out;
  out.pointer = [&](ValueId id) { return host_pointer(plan, names, id); };
  out.element = [&](ValueId id, const std::string& index) {
    return host_pointer(plan, names, id).text() + "[" + index + "]";
  };
  out.call = [&](StepId step, ScheduleText& text) {
    print_host_call(plan, names, kernels, step, text);
  };
  out.arena = "arena";
  return out;
}

}  // namespace burin::cpp
