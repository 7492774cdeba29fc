// The schedule of a device: kernels are launches, the host looks into the arena where it must.
#include <algorithm>
#include <set>

#include "backends/cpp/cpp_language.h"
#include "backends/cpp/schedule_printer.h"
#include "backends/kept_states.h"
#include "backends/opencl/emit_opencl.h"
#include "backends/opencl/joint_printer.h"
#include "print/statement_breaks.h"
#include "render/printed_code.h"
#include "select/device/launch_walk.h"
#include "select/device/work_groups.h"

namespace burin::opencl {
namespace {

using cpp::KernelCall;
using cpp::ScheduleText;

class DeviceCalls {
 public:
  DeviceCalls(const ModelPlan& plan, const cpp::TreeNames& names, const cpp::KernelSet& kernels)
      : plan_(plan), names_(names), kernels_(kernels), kept_(kept_on_device(plan)) {}

  cpp::ScheduleTarget target() {
    cpp::ScheduleTarget out;
    out.pointer = [this](ValueId id) { return pointer(id); };
    out.element = [this](ValueId id, const std::string& index) { return element(id, index); };
    out.before = [this](const Step& step, ScheduleText& text) { return before(step, text); };
    out.call = [this](StepId step, ScheduleText& text) { print_call(step, text); };
    out.open = {"uint8_t* const mapped = commands.map();",
                "if (mapped == nullptr) return commands.status();"};
    out.close = {"commands.unmap(mapped);"};
    out.scratch = [this](StepId step) { return code("mapped + memory.", names_.scratch.at(step)); };
    out.depth = 2;
    return out;
  }

 private:
  const Value& value(ValueId id) const { return plan_.graph.values[static_cast<size_t>(id)]; }
  bool on_host(ValueId id) const {
    return value(id).kind == ValueKind::input || value(id).kind == ValueKind::constant;
  }

  // Where a value that is not constant starts in the arena, in bytes.
  Code place(ValueId id) const {
    if (const int number = plan_.sizes.place_of(id); number >= 0)
      return code("outside.sizes_ + ", number * kSizeBytes);
    if (value(id).kind != ValueKind::internal) return code("outside.", names_.value(id));
    const Placement& placed = plan_.memory.values[static_cast<size_t>(id)];
    const Code own = code("memory.", names_.value(id));
    return placed.root == kNoValue ? own : code(place(placed.root), " + ", own);
  }

  Code place(const DeviceSize& size) const {
    return size.at == 0 ? place(size.value) : code(place(size.value), " + ", size.at * 8);
  }

  Code tensor(ValueId id) const {
    if (const int image = image_number(plan_, id); image >= 0)
      return code("commands.image(", image, ")");
    const int64_t bytes = element_bytes(value(id).type);
    if (value(id).kind == ValueKind::constant)
      return code("commands.in_weights(at::", names_.value(id), ", ", bytes, ")");
    if (const int state = state_number(kept_, id); state >= 0)
      return code("commands.state(", state, ")");
    return code("commands.in_arena(", place(id), ", ", bytes, ")");
  }

  Code pointer(ValueId id) const {
    if (on_host(id)) return cpp::host_pointer(plan_, names_, id);
    const Code type = cpp::element_type(value(id).type);
    return code("reinterpret_cast<", type, "*>(mapped + ", place(id), ")");
  }

  // For a product: a name, a number and a call need no brackets.
  static std::string in_brackets(const std::string& text) {
    int depth = 0;
    for (const char c : text) {
      depth += print::depth_change(c);
      if (depth == 0 && c == ' ') return "(" + text + ")";
    }
    return text;
  }

  std::string element(ValueId id, const std::string& index) const {
    if (on_host(id)) return pointer(id).text() + "[" + index + "]";
    const std::string bytes = std::to_string(element_bytes(value(id).type));
    return "commands.read_element<" + cpp::element_type(value(id).type).text() + ">(" +
           place(id).text() + " + " + bytes + " * " + in_brackets(index) + ")";
  }

  // Whether the host knows a size that the run finds out.
  bool knows(const Symbol& symbol) const { return !plan_.sizes.held(symbol); }

  bool before(const Step& step, ScheduleText& text) {
    if (const auto* procedure = std::get_if<Procedure>(&step);
        procedure && procedure->writes.size() == 1 &&
        state_number(kept_, procedure->writes[0]) >= 0)
      return false;  // its buffer is there already
    if (const auto* bind = std::get_if<Bind>(&step); bind && !knows(bind->symbol)) return false;
    if (std::holds_alternative<Check>(step)) {
      for (const Symbol& symbol : symbols_of(step)) {
        if (knows(symbol)) continue;
        flag_ = plan_.sizes.held(symbol);
        return false;
      }
    }
    if (!flag_ || !decides_by_data(step)) return true;
    // The host decides by nothing that a failed check left undone.
    text.out.line("if (commands.read_element<int64_t>(", place(*flag_), ") == 0) {");
    text.out.line("  commands.read(sizes_, outside.sizes_, sizeof sizes_);");
    text.out.line("  return burin_rt::kOk;  // the flags say which check failed");
    text.out.line("}");
    flag_ = nullptr;
    return true;
  }

  bool decides_by_data(const Step& step) const {
    if (const auto* bind = std::get_if<Bind>(&step)) return loads(bind->value);
    if (const auto* branch = std::get_if<std::shared_ptr<If>>(&step))
      return loads((*branch)->condition) || decides_by_data((*branch)->then_steps) ||
             decides_by_data((*branch)->else_steps);
    if (const auto* loop = std::get_if<std::shared_ptr<Loop>>(&step))
      return loads((*loop)->condition) || decides_by_data((*loop)->body);
    return std::holds_alternative<Procedure>(step);
  }
  bool decides_by_data(const Steps& steps) const {
    return std::any_of(steps.begin(), steps.end(),
                       [&](const Step& step) { return decides_by_data(step); });
  }
  static bool loads(const Expr& expr) {
    bool found = false;
    visit(expr, [&](const ExprNode& node) { found = found || node.kind == ExprKind::load; });
    return found;
  }

  void print_call(StepId step, ScheduleText& text) const {
    if (const LaunchGroup* group = plan_.groups.group_of(step)) {
      // Behind what is said about all members.
      if (group->steps.back() == step) print_group(*group, text);
      return;
    }
    size_t number = 0;
    print_launches(step, plan_.kernels.at(step).launches, number, text);
  }

  const KernelCall& call_of(const LaunchMember& member) const {
    return kernels_.calls.at(member.step)[static_cast<size_t>(member.launch)];
  }

  void print_group(const LaunchGroup& group, ScheduleText& text) const {
    for (const JointLaunch& launch : group.launches) {
      const LaunchMember& first = launch.members[0];
      if (launch.members.size() == 1) {
        const KernelSchedule& schedule = plan_.kernels.at(first.step);
        print_launch(schedule, *launches_of(schedule.launches)[static_cast<size_t>(first.launch)],
                     first.step, call_of(first), text);
        continue;
      }
      std::vector<Code> arguments;
      arguments.push_back(code("kernels::", kernels_.kernels[call_of(first).kernel].name));
      const Dim groups = end_of_member(launch, launch.members.size() - 1);
      arguments.push_back(
          code("{", index_code(groups * launch.items, text), ", ", launch.items, "}"));
      arguments.push_back("{1, 1}");
      arguments.push_back("{1, 1}");
      for (const LaunchMember& member : launch.members)
        add_arguments(plan_.kernels.at(member.step), member.step, call_of(member), arguments);
      if (!has_constant_bounds(launch)) {
        for (size_t i = 0; i < launch.members.size(); ++i)
          arguments.push_back(
              code("static_cast<int32_t>(", index_code(end_of_member(launch, i), text), ")"));
      }
      text.out.list("commands.launch(", arguments, ");");
    }
  }

  void print_launches(StepId step, const LaunchNodes& nodes, size_t& number,
                      ScheduleText& text) const {
    for (const LaunchNode& node : nodes) {
      if (const auto* launch = std::get_if<Launch>(&node.node)) {
        print_launch(plan_.kernels.at(step), *launch, step, kernels_.calls.at(step)[number++],
                     text);
        continue;
      }
      const auto& loop = std::get<LaunchLoop>(node.node);
      const Code axis = step_name(loop.axis);
      text.out.line("for (int64_t ", axis, " = ", index_code(loop.begin, text), "; ", axis, " < ",
                    index_code(loop.end, text), "; ++", axis, ") {");
      text.out.indent();
      print_launches(step, loop.nodes, number, text);
      text.out.dedent();
      text.out.line("}");
    }
  }

  // No identifier of the model ends with an underscore.
  static Code step_name(int axis) { return printed_code("i" + std::to_string(axis) + "_"); }

  // Over sizes and axes that the host counts.
  Code index_code(const Index& index, ScheduleText& text) const {
    print::ExprPrinter::Names names = cpp::size_names(names_);
    names.axis = [](int axis) { return step_name(axis).text(); };
    print::TextBuilder unused;
    print::ExprPrinter printer(unused, text.headers, names, cpp::cpp_language());
    return printed_code(printer.text(index));
  }

  // Points of one dimension, and those of a work-group.
  Code points(const Launch& launch, size_t d, ScheduleText& text) const {
    if (d >= launch.dimensions.size()) return "{1, 1}";
    const int64_t items = work_group_of(launch)[d];
    const Dim extent = launched_for(launch.dimensions[d].extent, plan_.sizes);
    const Dim points =
        shares_points(launch) ? ceildiv(extent, points_of_group(launch)[d]) * items : extent;
    return code("{", index_code(points, text), ", ", items, "}");
  }

  void print_launch(const KernelSchedule& schedule, const Launch& launch, StepId step,
                    const KernelCall& call, ScheduleText& text) const {
    std::vector<Code> arguments;
    arguments.push_back(code("kernels::", kernels_.kernels[call.kernel].name));
    for (size_t d = 0; d < 3; ++d) arguments.push_back(points(launch, d, text));
    add_arguments(schedule, step, call, arguments);
    for (const int axis : launch.host_axes) arguments.push_back(number(schedule, step_name(axis)));
    if (const DeviceSize* gate = plan_.sizes.gate_of(step))
      arguments.push_back(code("commands.in_arena(", place(*gate), ", 8)"));
    text.out.list("commands.launch(", arguments, ");");
  }

  static Code number(const KernelSchedule& schedule, const Code& one) {
    return schedule.index_bits == 32 ? code("static_cast<int32_t>(", one, ")") : one;
  }

  // Tensors, scratch and sizes of one kernel.
  void add_arguments(const KernelSchedule& schedule, StepId step, const KernelCall& call,
                     std::vector<Code>& arguments) const {
    for (const ValueId id : call.parameters.reads) arguments.push_back(tensor(id));
    for (const ValueId id : call.parameters.writes) arguments.push_back(tensor(id));
    if (call.parameters.scratch) {
      // Where sizes leave nothing to compute the kernel names a scratch that has no bytes.
      const auto scratch = names_.scratch.find(step);
      arguments.push_back(scratch == names_.scratch.end()
                              ? Code("commands.in_arena(0, 1)")
                              : code("commands.in_arena(memory.", scratch->second, ", 1)"));
    }
    for (const Symbol& symbol : call.parameters.symbols) {
      const DeviceSize* held = plan_.sizes.held(symbol);
      arguments.push_back(held ? code("commands.in_arena(", place(*held), ", 8)")
                               : number(schedule, code(names_.local(symbol))));
    }
  }

  const ModelPlan& plan_;
  const cpp::TreeNames& names_;
  const cpp::KernelSet& kernels_;
  const std::vector<KeptState> kept_;  // states that stay on the device
  const DeviceSize* flag_ = nullptr;   // of the last check, where the host has not looked
};

}  // namespace

int64_t element_bytes(Type type) { return (size_bits(type) + 7) / 8; }

cpp::PrintedSchedule print_schedule(const ModelPlan& plan, const cpp::TreeNames& names,
                                    const cpp::KernelSet& kernels) {
  DeviceCalls calls(plan, names, kernels);
  return cpp::print_schedule(plan, names, kernels, calls.target());
}

}  // namespace burin::opencl
