// Kernels as functions of the same program: a call, or a loop over parts that threads share.
#include <algorithm>

#include "backends/cpp/cpp_language.h"
#include "backends/cpp/emit_schedule.h"
#include "backends/cpp/schedule_printer.h"
#include "print/expr_printer.h"
#include "print/text_builder.h"
#include "select/joint/thread_groups.h"

namespace burin::cpp {

Code host_pointer(const ModelPlan& plan, const TreeNames& names, ValueId id) {
  const auto value = [&](ValueId one) -> const Value& {
    return plan.graph.values[static_cast<size_t>(one)];
  };
  const Value& one = value(id);
  switch (one.kind) {
    case ValueKind::input:
      return code("inputs->", names.value(id));
    case ValueKind::output:
      return code("outputs->", names.value(id));
    case ValueKind::constant:
      return code("weights[at::", names.value(id), "]");
    case ValueKind::internal: {
      const Placement& place = plan.memory.values[static_cast<size_t>(id)];
      // A part of an input or output of the caller, or of the arena.
      const Code start = place.root == kNoValue ? Code("arena")
                                                : code("burin_rt::bytes_of(",
                                                       host_pointer(plan, names, place.root), ")");
      return code(start, "[memory.", names.value(id), "]");
    }
  }
  return {};
}

namespace {

class HostCalls {
 public:
  HostCalls(const ModelPlan& plan, const TreeNames& names, const KernelSet& kernels,
            ScheduleText& text)
      : plan_(plan), names_(names), kernels_(kernels), out_(text.out), headers_(text.headers) {}

  void print(StepId step) {
    const ThreadGroup* const group = plan_.thread_groups.group_of(step);
    const std::optional<Cut>& cut = plan_.kernels.at(step).cut;
    if (group != nullptr) {
      // Behind what is said about all members.
      if (group->steps.back() == step) print_group(*group);
    } else if (cut) {
      print_parts(step, *cut);
    } else {
      print_call(step);
    }
  }

 private:
  std::string sized(const Dim& dim) {
    print::TextBuilder unused;
    return print::ExprPrinter(unused, headers_, size_names(names_), cpp_language()).text(dim);
  }

  // Whether each worker has scratch of its own.
  bool has_scratch_of_workers(StepId step) const {
    const auto& areas = plan_.memory.scratch;
    return kernels_.calls.at(step)[0].parameters.scratch &&
           std::any_of(areas.begin(), areas.end(), [&](const ScratchPlacement& one) {
             return one.step == step && !one.stride.is_constant(0);
           });
  }

  // The kernel; where threads share it, from part `begin` to part `end`, or of two axes from
  // `inner` to `inner_end` of part `outer`.
  void print_call(StepId step) {
    const print::KernelParameters& parameters = kernels_.calls.at(step)[0].parameters;
    const KernelSchedule& schedule = plan_.kernels.at(step);
    std::vector<Code> arguments;
    for (const ValueId id : parameters.reads) arguments.push_back(host_pointer(plan_, names_, id));
    for (const ValueId id : parameters.writes) arguments.push_back(host_pointer(plan_, names_, id));
    const auto add_size = [&](const Code& size) {
      arguments.push_back(schedule.index_bits == 32 ? code("static_cast<int32_t>(", size, ")")
                                                    : size);
    };
    for (const Symbol& symbol : parameters.symbols) add_size(code(names_.local(symbol)));
    // The points from chunk `begin` of an axis to chunk `end`.
    const auto add_points = [&](const CutAxis& axis, const char* begin, const char* end) {
      const Code grain = axis.grain == 1 ? Code() : code(Code::integer(axis.grain), " * ");
      add_size(code(grain, printed_code(begin)));
      add_size(code("burin_rt::minimum<int64_t>(", grain, printed_code(end), ", ",
                    printed_code(sized(axis.extent)), ")"));
    };
    if (const std::optional<Cut>& cut = schedule.cut) {
      if (cut->across) {
        add_points(*cut, "outer", "(outer + 1)");
        add_points(*cut->across, "inner", "inner_end");
      } else {
        add_points(*cut, "begin", "end");
      }
    }
    if (parameters.scratch) {
      const Code scratch = code("arena[memory.", names_.scratch.at(step), "]");
      arguments.push_back(has_scratch_of_workers(step)
                              ? code(scratch, " + worker * memory.", names_.strides.at(step))
                              : scratch);
    }
    out_.fill(code("kernels::", kernels_.kernel_at(step).name, "("), arguments, ");");
  }

  // A loop over parts, which threads take.
  void open_parts(const char* first, const char* last, bool worker) {
    headers_.insert({"parallel.h", "elementary.h"});
    out_.line("{");
    out_.indent();
    out_.line("const auto part = [&](int64_t ", printed_code(first), ", int64_t ",
              printed_code(last), ", int32_t", worker ? Code(" worker") : Code(), ") {");
    out_.indent();
  }
  void close_parts(const Dim& parts) {
    out_.dedent();
    out_.line("};");
    out_.line("if (!burin_rt::run_parallel(threads, ", printed_code(sized(parts)), ", part)) {");
    out_.line("  return burin_rt::kParallelForBroken;");
    out_.line("}");
    out_.dedent();
    out_.line("}");
  }

  void print_parts(StepId step, const Cut& cut) {
    open_parts("begin", "end", has_scratch_of_workers(step));
    if (cut.across) {
      // Chunks of both axes, those of the second one next to each other: one call for as many as
      // there are of a chunk of the first one, which makes what they share once.
      const Code across = printed_code(sized(cut.across->chunks()));
      out_.line("for (int64_t chunk = begin; chunk < end;) {");
      out_.indent();
      out_.line("const int64_t outer = chunk / ", across, ", inner = chunk % ", across, ";");
      out_.line("const int64_t inner_end = burin_rt::minimum<int64_t>(inner + end - chunk, ",
                across, ");");
    }
    print_call(step);
    if (cut.across) {
      out_.line("chunk += inner_end - inner;");
      out_.dedent();
      out_.line("}");
    }
    close_parts(cut.calls());
  }

  // Parts of several kernels, one behind the other.
  void print_group(const ThreadGroup& group) {
    const bool worker = std::any_of(group.steps.begin(), group.steps.end(),
                                    [&](StepId step) { return has_scratch_of_workers(step); });
    open_parts("first", "last", worker);
    Dim before = 0;
    for (const StepId step : group.steps) {
      const KernelSchedule& schedule = plan_.kernels.at(step);
      const Dim behind = before + parts_of(schedule);
      const Code from = printed_code(sized(before)), to = printed_code(sized(behind));
      out_.line("if (first < ", to, " && last > ", from, ") {");
      out_.indent();
      if (schedule.cut) {
        const bool begins = before.is_constant(0);
        const Code less = begins ? Code() : code(" - (", from, ")");
        out_.line("const int64_t begin = ",
                  begins ? Code("first") : code("burin_rt::maximum<int64_t>(first, ", from, ")"),
                  less, ";");
        out_.line("const int64_t end = burin_rt::minimum<int64_t>(last, ", to, ")", less, ";");
      }
      print_call(step);
      out_.dedent();
      out_.line("}");
      before = behind;
    }
    close_parts(group.parts);
  }

  const ModelPlan& plan_;
  const TreeNames& names_;
  const KernelSet& kernels_;
  Printer& out_;
  print::Headers& headers_;
};

}  // namespace

ScheduleTarget host_target(const ModelPlan& plan, const TreeNames& names,
                           const KernelSet& kernels) {
  ScheduleTarget out;
  out.pointer = [&](ValueId id) { return host_pointer(plan, names, id); };
  out.element = [&](ValueId id, const std::string& index) {
    return host_pointer(plan, names, id).text() + "[" + index + "]";
  };
  out.call = [&](StepId step, ScheduleText& text) {
    HostCalls(plan, names, kernels, text).print(step);
  };
  out.scratch = [&](StepId step) { return code("arena[memory.", names.scratch.at(step), "]"); };
  return out;
}

}  // namespace burin::cpp
