// The program of a tree: opencl/*.cl for people, the same as string literals for the driver.
#include <algorithm>

#include "backends/opencl/emit.h"
#include "backends/opencl/joint_printer.h"
#include "backends/opencl/launch_printer.h"
#include "render/printed_code.h"
#include "render/printer.h"
#include "select/launch_walk.h"
#include "support/embedded.h"

namespace burin::opencl {
namespace {

// What the kernels need of runtime_min/opencl, in the order in which it is compiled.
std::vector<std::string> helpers_of(const cpp::KernelSet& set) {
  cpp::Headers needed;
  for (const cpp::DistinctKernel& kernel : set.kernels)
    needed.insert(kernel.printed.headers.begin(), kernel.printed.headers.end());
  std::vector<std::string> out{"preamble.cl"};
  if (needed.erase("fp64.cl")) out.push_back("fp64.cl");
  out.insert(out.end(), needed.begin(), needed.end());
  return out;
}

// A text as literals, a line of it each.
void print_literals(Printer& out, const std::string& text) {
  out.indent();
  out.indent();
  for (size_t at = 0; at < text.size();) {
    const size_t end = std::min(text.size(), text.find('\n', at) + 1);
    out.line(StringLiteral(std::string_view(text).substr(at, end - at)),
             end == text.size() ? Code(",") : Code());
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
  out.block(printed_code(kernel.printed.body));
  return out.code();
}

void add_unit(const ModelPlan& plan, int position, int number, const Step* step,
              std::vector<cpp::KernelUnit>& units) {
  const KernelSchedule& schedule = plan.kernels.at(position);
  const std::vector<const Launch*> launches = launches_of(schedule.launches);
  const Launch& launch = *launches[static_cast<size_t>(number)];
  const auto print = [&plan, &schedule, &launch](const std::vector<ValueId>& aliased,
                                                 const cpp::ValueNames& names) {
    return print_launch(schedule, launch, plan.graph.values, aliased, names);
  };
  std::string reason = schedule.reason;
  if (launches.size() > 1)
    reason = "launch " + std::to_string(number + 1) + " of " + std::to_string(launches.size()) +
             (schedule.family == "contraction" ? "; " + schedule.reason : "");
  units.push_back({{position}, {step}, print, schedule.family, std::move(reason)});
}

// Behind the comment, which stays with the file.
std::string_view without_comment(std::string_view text) {
  while (text.starts_with("//")) text.remove_prefix(text.find('\n') + 1);
  return text;
}

// The launches of a group are printed where its first step stands.
void add_joint_units(const ModelPlan& plan, const LaunchGroup& group,
                     const std::vector<const Step*>& steps, std::vector<cpp::KernelUnit>& units) {
  for (const JointLaunch& launch : group.launches) {
    cpp::KernelUnit unit;
    for (const LaunchMember& member : launch.members) {
      unit.positions.push_back(member.position);
      unit.steps.push_back(steps[static_cast<size_t>(member.position)]);
    }
    if (launch.members.size() == 1) {
      add_unit(plan, launch.members[0].position, launch.members[0].launch, unit.steps[0], units);
      continue;
    }
    unit.print = [&plan, &launch](const std::vector<ValueId>& aliased,
                                  const cpp::ValueNames& names) {
      return print_joint(plan, launch, aliased, names);
    };
    unit.family = "joint launch";
    unit.reason = "independent kernels share the device: each work-group of " +
                  std::to_string(launch.items) + " belongs to one of them";
    units.push_back(std::move(unit));
  }
}

}  // namespace

cpp::KernelSet print_kernels(const ModelPlan& plan) {
  std::vector<cpp::KernelUnit> units;
  std::vector<const Step*> steps;
  for_each_step(plan.graph.steps, [&](const Step& step) { steps.push_back(&step); });
  const auto& dropped = plan.memory.dropped;
  for (size_t p = 0; p < steps.size(); ++p) {
    const auto position = static_cast<int>(p);
    const Kernel* kernel = std::get_if<Kernel>(steps[p]);
    if (!kernel || std::binary_search(dropped.begin(), dropped.end(), position)) continue;
    if (const LaunchGroup* group = plan.groups.group_of(position)) {
      if (group->positions.front() == position) add_joint_units(plan, *group, steps, units);
      continue;
    }
    const size_t launches = launches_of(plan.kernels.at(position).launches).size();
    for (size_t i = 0; i < launches; ++i)
      add_unit(plan, position, static_cast<int>(i), steps[p], units);
  }
  return cpp::distinct_kernels(units, plan);
}

void emit_program(const cpp::KernelSet& set, const cpp::TreeNames& names, SourceTree& tree) {
  const Identifier space = join({names.model, Identifier("kernels")});
  Printer header, source;
  header.line("// The kernels of this tree, by the place of their function in the program.");
  header.line("#ifndef ", printed_code(space.text() + "_H"));
  header.line("#define ", printed_code(space.text() + "_H"));
  header.line();
  header.line("#include \"rt/opencl/device.h\"");
  header.line();
  header.line("namespace ", space, " {");
  header.line();
  header.line("enum Kernel : int32_t {");
  for (const cpp::DistinctKernel& kernel : set.kernels) header.line("  ", kernel.name, ",");
  header.line("  kCount");
  header.line("};");
  header.line();
  header.line("extern const burin_cl::Program kProgram;");
  header.line();
  header.line("}  // namespace ", space);
  header.line();
  header.line("#endif");
  tree.add("src/kernels.h", header.code(), "header");

  source.line("// The files of opencl/ as text.");
  source.line("#include \"kernels.h\"");
  source.line();
  source.line("namespace ", space, " {");
  source.line("namespace {");
  source.line();
  source.line("const char* const kSources[] = {");
  size_t sources = 0;
  for (const std::string& helper : helpers_of(set)) {
    const std::string path = "runtime_min/opencl/" + helper;
    tree.add("opencl/rt/" + helper, Code::embedded(path), "kernel");
    source.line("    // opencl/rt/", printed_code(helper));
    print_literals(source, std::string(embedded_file(path)));
    ++sources;
  }
  for (const cpp::DistinctKernel& kernel : set.kernels) {
    const Code text = kernel_file(kernel);
    tree.add("opencl/" + kernel.name.text() + ".cl", text, "kernel");
    source.line("    // opencl/", kernel.name, ".cl");
    print_literals(source, std::string(without_comment(text.text())));
    ++sources;
  }
  source.line("};");
  source.line();
  source.line("const char* const kKernels[] = {");
  for (const cpp::DistinctKernel& kernel : set.kernels) source.line("    \"", kernel.name, "\",");
  if (set.kernels.empty()) source.line("    nullptr,");
  source.line("};");
  source.line();
  source.line("}  // namespace");
  source.line();
  source.line("const burin_cl::Program kProgram = {kSources, ", sources, ", kKernels, kCount};");
  source.line();
  source.line("}  // namespace ", space);
  tree.add("src/" + names.model.text() + "_program.cpp", source.code(), "source");
}

}  // namespace burin::opencl
