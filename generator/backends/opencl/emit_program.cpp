// The program of a tree: opencl/*.cl for people, the same as string literals for the driver.
#include <algorithm>

#include "backends/opencl/emit_opencl.h"
#include "backends/opencl/joint_printer.h"
#include "backends/opencl/launch_printer.h"
#include "backends/opencl/needs.h"
#include "backends/opencl/opencl_language.h"
#include "print/line_breaks.h"
#include "render/printed_code.h"
#include "render/printer.h"
#include "select/device/launch_walk.h"
#include "support/embedded.h"
#include "support/line_columns.h"

namespace burin::opencl {
namespace {

// What the kernels need of runtime_min/opencl, in the order in which it is compiled.
std::vector<std::string> helpers_of(const cpp::KernelSet& set) {
  print::Headers needed;
  for (const cpp::DistinctKernel& kernel : set.kernels)
    needed.insert(kernel.printed.headers.begin(), kernel.printed.headers.end());
  std::vector<std::string> out{"preamble.cl"};
  for (const char* extension : {kNeedsFp64, kNeedsFp16}) {
    if (needed.erase(extension)) out.push_back(extension);
  }
  out.insert(out.end(), needed.begin(), needed.end());
  return out;
}

// "preamble.cl" as the name of its text. No kernel's name ends so.
Identifier helper_name(const std::string& helper) {
  return join({Identifier("rt"), mangle(helper.substr(0, helper.rfind('.')))});
}

// Where a line of code is cut so that its literal fits a line of the tree: at a space.
size_t cut_of(std::string_view line) {
  constexpr size_t kIndent = 4, kTail = 1;
  size_t end = line.size();
  while (StringLiteral(line.substr(0, end)).text().size() + kIndent + kTail > kLineColumns) {
    const size_t space = line.rfind(' ', end - 2);
    if (space == line.npos || line.find_first_not_of(' ') > space) return line.size();
    end = space + 1;
  }
  return end;
}

// A file of opencl/ as literals, a line of it each, or where it is long two.
void print_text(Printer& out, const Code& file, const Identifier& name, std::string_view text) {
  out.line();
  out.line("// opencl/", file);
  out.line("constexpr char ", name, "[] =");
  out.indent();
  out.indent();
  for (size_t at = 0; at < text.size();) {
    const size_t line = std::min(text.size() - at, text.find('\n', at) + 1 - at);
    const size_t end = at + cut_of(text.substr(at, line));
    out.line(StringLiteral(text.substr(at, end - at)), end == text.size() ? Code(";") : Code());
    at = end;
  }
  out.dedent();
  out.dedent();
}

Code kernel_file(const cpp::DistinctKernel& kernel) {
  Printer out;
  for (const std::string& line : cpp::kernel_comment(kernel)) out.comment(CommentText(line, 4000));
  if (!kernel.printed.members.empty()) {
    print_joint_functions(kernel, out);
    return out.code();
  }
  std::vector<Code> parameters;
  for (const std::string& one : kernel.printed.signature) parameters.push_back(printed_code(one));
  out.list(code("__kernel void ", kernel.name, "("), parameters, ") {");
  out.block(printed_code(print::with_line_breaks(kernel.printed.body)));
  return out.code();
}

void add_unit(const ModelPlan& plan, const Step* step, int number,
              std::vector<cpp::KernelUnit>& units) {
  const KernelSchedule& schedule = plan.kernels.at(step->id);
  const bool gated = plan.sizes.gate_of(step->id) != nullptr;
  const auto print = [&plan, &schedule, number, gated](const std::vector<ValueId>& aliased) {
    return print_launch(schedule, static_cast<size_t>(number), plan.graph.values, plan.images.maps,
                        plan.sizes, gated, aliased);
  };
  units.push_back(
      {{step}, print, schedule.family, reason_of_launch(schedule, static_cast<size_t>(number))});
}

// Behind the comment, which stays with the file.
std::string_view without_comment(std::string_view text) {
  while (text.starts_with("//")) text.remove_prefix(text.find('\n') + 1);
  return text;
}

// The launches of a group are printed where its first step stands.
void add_joint_units(const ModelPlan& plan, const LaunchGroup& group,
                     const std::map<StepId, const Step*>& steps,
                     std::vector<cpp::KernelUnit>& units) {
  for (const JointLaunch& launch : group.launches) {
    cpp::KernelUnit unit;
    for (const LaunchMember& member : launch.members) unit.steps.push_back(steps.at(member.step));
    if (launch.members.size() == 1) {
      add_unit(plan, unit.steps[0], launch.members[0].launch, units);
      continue;
    }
    unit.print = [&plan, &launch](const std::vector<ValueId>& aliased) {
      return print_joint(plan, launch, aliased);
    };
    unit.family = "joint launch";
    unit.reason = "independent kernels share the device: each work-group of " +
                  std::to_string(launch.items) + " belongs to one of them";
    units.push_back(std::move(unit));
  }
}

Code kernels_header(const std::vector<cpp::Network>& networks) {
  const Code guard = cpp::include_guard(join({networks.back().names.model, Identifier("kernels")}));
  Printer header;
  header.line("// The kernels of ", networks.size() > 1 ? Code("each network") : Code("this tree"),
              ", by the place of their function in the program.");
  header.line("#ifndef ", guard);
  header.line("#define ", guard);
  header.line();
  header.line("#include \"rt/opencl/context.h\"");
  header.line();
  cpp::hide_from_here(header);
  for (const cpp::Network& network : networks) {
    const Identifier& space = network.names.places.kernels;
    header.line();
    header.line("namespace ", space, " {");
    header.line();
    header.line("enum Kernel : int32_t {");
    for (const cpp::DistinctKernel& kernel : network.kernels.kernels)
      header.line("  ", kernel.name, ",");
    header.line("  kCount");
    header.line("};");
    header.line();
    header.line("extern const burin_cl::Program kProgram;");
    header.line();
    header.line("}  // namespace ", space);
  }
  header.line();
  cpp::hide_to_here(header);
  header.line();
  header.line("#endif");
  return header.code();
}

// Which texts are the program of a network.
void print_program(Printer& source, const cpp::Network& network) {
  const Identifier& space = network.names.places.kernels;
  const std::vector<cpp::DistinctKernel>& kernels = network.kernels.kernels;
  const std::vector<std::string> helpers = helpers_of(network.kernels);
  source.line();
  source.line("namespace ", space, " {");
  source.line("namespace {");
  source.line();
  source.line("const char* const kSources[] = {");
  for (const std::string& helper : helpers) source.line("    text::", helper_name(helper), ",");
  for (const cpp::DistinctKernel& kernel : kernels) source.line("    text::", kernel.name, ",");
  source.line("};");
  source.line();
  source.line("constexpr burin_cl::Function kFunctions[] = {");
  const std::vector<int64_t> items = kernel_items(*network.plan, network.kernels);
  for (size_t i = 0; i < kernels.size(); ++i)
    source.line("    {\"", kernels[i].name, "\", ", items[i], "},");
  if (kernels.empty()) source.line("    {nullptr, 0},");
  source.line("};");
  source.line();
  source.line("}  // namespace");
  source.line();
  source.line("const burin_cl::Program kProgram = {kSources, ", helpers.size() + kernels.size(),
              ", kFunctions, kCount};");
  source.line();
  source.line("}  // namespace ", space);
}

}  // namespace

cpp::PlanUnits kernel_units(const ModelPlan& plan) {
  cpp::PlanUnits out{&plan, {}};
  std::vector<cpp::KernelUnit>& units = out.units;
  std::map<StepId, const Step*> steps;
  for_each_step(plan.graph.steps, [&](const Step& step) { steps.emplace(step.id, &step); });
  for_each_step(plan.graph.steps, [&](const Step& step) {
    if (!std::holds_alternative<Kernel>(step) || plan.memory.dropped.contains(step.id)) return;
    if (const LaunchGroup* group = plan.groups.group_of(step.id)) {
      if (group->steps.front() == step.id) add_joint_units(plan, *group, steps, units);
      return;
    }
    const size_t launches = launches_of(plan.kernels.at(step.id).launches).size();
    for (size_t i = 0; i < launches; ++i) add_unit(plan, &step, static_cast<int>(i), units);
  });
  return out;
}

void emit_program(const std::vector<cpp::Network>& networks, SourceTree& tree) {
  const Identifier& name = networks.back().names.model;
  const cpp::KernelSet all = cpp::all_kernels(networks);
  tree.add("src/kernels.h", kernels_header(networks), "header");
  Printer source;
  source.line("// The files of opencl/ as text, and which of them are the program of ",
              networks.size() > 1 ? Code("each network.") : Code("the network."));
  source.line("#include \"kernels.h\"");
  source.line();
  source.line("namespace {");
  source.line();
  source.line("namespace text {");
  for (const std::string& helper : helpers_of(all)) {
    const std::string path = "runtime_min/opencl/" + helper;
    tree.add("opencl/rt/" + helper, Code::embedded(path), "kernel");
    print_text(source, code("rt/", printed_code(helper)), helper_name(helper), embedded_file(path));
  }
  for (const cpp::DistinctKernel& kernel : all.kernels) {
    const Code text = kernel_file(kernel);
    tree.add("opencl/" + kernel.name.text() + ".cl", text, "kernel");
    print_text(source, code(kernel.name, ".cl"), kernel.name, without_comment(text.text()));
  }
  source.line();
  source.line("}  // namespace text");
  source.line();
  source.line("}  // namespace");
  for (const cpp::Network& network : networks) print_program(source, network);
  tree.add("src/" + name.text() + "_program.cpp", source.code(), "source");
}

}  // namespace burin::opencl
