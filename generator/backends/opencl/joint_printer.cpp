#include "backends/opencl/joint_printer.h"

#include <algorithm>

#include "backends/opencl/launch_printer.h"
#include "print/abbreviations.h"
#include "print/line_breaks.h"

namespace burin::opencl {
namespace {

// The name that a parameter's declaration ends with.
std::string name_in(const std::string& declaration) {
  return declaration.substr(declaration.rfind(' ') + 1);
}

// Those of a member, whose names end with `suffix` in the joint function.
void add_parameters(const print::KernelParameters& more, const std::string& suffix,
                    print::KernelParameters& all) {
  const auto add = [](ValueId id, std::vector<ValueId>& list) {
    if (std::find(list.begin(), list.end(), id) == list.end()) list.push_back(id);
  };
  for (const ValueId id : more.reads) add(id, all.reads);
  for (const ValueId id : more.writes) add(id, all.writes);
  for (const auto& [id, name] : more.names) all.names.emplace(id, name + suffix);
  for (size_t i = 0; i < more.symbols.size(); ++i) {
    const auto known = std::any_of(all.symbols.begin(), all.symbols.end(), [&](const Symbol& one) {
      return one->name == more.symbols[i]->name;
    });
    if (known) continue;
    all.symbols.push_back(more.symbols[i]);
    all.symbol_names.push_back(more.symbol_names[i]);
  }
  all.scratch = all.scratch || more.scratch;
}

std::string groups_text(const JointLaunch& launch, size_t member) {
  const std::string groups = to_string(launch.members[member].groups);
  const Dim begin = end_of_member(launch, member) - launch.members[member].groups;
  return "member " + std::to_string(member) + ", work-groups: " + groups + " from " +
         to_string(begin) + " on";
}

}  // namespace

Dim end_of_member(const JointLaunch& launch, size_t member) {
  Dim end = 0;
  for (size_t i = 0; i <= member; ++i) end += launch.members[i].groups;
  return end;
}

bool has_constant_bounds(const JointLaunch& launch) {
  return std::all_of(launch.members.begin(), launch.members.end(),
                     [](const LaunchMember& one) { return one.groups.is_constant(); });
}

print::PrintedKernel print_joint(const ModelPlan& plan, const JointLaunch& launch,
                                 const std::vector<ValueId>& aliased) {
  print::PrintedKernel out;
  const auto print = [&](size_t i) {
    const LaunchMember& member = launch.members[i];
    return print_member(plan.kernels.at(member.step), member, launch.items, plan.graph.values,
                        plan.images.maps, aliased);
  };
  std::vector<PrintedPart> parts;
  std::vector<size_t> like;  // the first member with the same function
  for (size_t i = 0; i < launch.members.size(); ++i) {
    parts.push_back(print(i));
    size_t first = 0;
    while (parts[first].kernel.signature != parts[i].kernel.signature ||
           parts[first].kernel.body != parts[i].kernel.body)
      ++first;
    like.push_back(first);
  }
  int64_t room = 0;
  const bool constant = has_constant_bounds(launch);
  std::vector<std::string> ends;
  for (size_t i = 0; i < parts.size(); ++i) {
    room = std::max(room, parts[i].room);
    const Dim end = end_of_member(launch, i);
    ends.push_back(constant ? to_string(end) : "end_" + std::to_string(i));
  }
  std::vector<size_t> functions(parts.size());
  for (size_t i = 0; i < parts.size(); ++i) {
    print::PrintedKernel& part = parts[i].kernel;
    const std::string suffix = "_" + std::to_string(i);
    const std::string begin = i == 0 ? "0" : ends[i - 1];
    print::PrintedMember member;
    member.condition = "group >= " + begin + " && group < " + ends[i];
    for (const std::string& declaration : part.signature) {
      member.arguments.push_back(name_in(declaration) + suffix);
      out.signature.push_back(declaration + suffix);
    }
    member.arguments.push_back(i == 0 ? "group" : "group - " + begin);
    if (parts[i].room > 0) member.arguments.push_back("room");
    member.parameters = part.parameters;
    add_parameters(part.parameters, suffix, out.parameters);
    out.headers.insert(part.headers.begin(), part.headers.end());
    out.formula.push_back(groups_text(launch, i));
    for (const std::string& line : print::abbreviated(part.formula, part.formula_parts))
      out.formula.push_back("  " + line);
    if (like[i] == i) {
      functions[i] = out.functions.size();
      print::MemberFunction function{part.body, part.signature};
      function.signature.push_back("const int group");
      if (parts[i].room > 0) function.signature.push_back("__local float4* const room");
      out.functions.push_back(std::move(function));
    }
    member.function = functions[like[i]];
    out.members.push_back(std::move(member));
  }
  if (!constant) {
    for (const std::string& end : ends) out.signature.push_back("const int " + end);
  }
  if (room > 0) out.body += "  __local float4 room[" + std::to_string(room) + "];\n";
  out.body += "  const int group = (int)get_group_id(0);\n";
  return out;
}

void print_joint_functions(const cpp::DistinctKernel& kernel, Printer& out) {
  const print::PrintedKernel& printed = kernel.printed;
  const auto codes = [](const std::vector<std::string>& texts) {
    std::vector<Code> out;
    for (const std::string& one : texts) out.push_back(printed_code(one));
    return out;
  };
  for (size_t i = 0; i < printed.functions.size(); ++i) {
    // Not static: the compiler of PoCL 3.1 fails where it inlines such functions late.
    out.list(code("void ", kernel.name, "_", i, "("), codes(printed.functions[i].signature), ") {");
    out.block(printed_code(print::with_line_breaks(printed.functions[i].body)));
    out.line();
  }
  out.list(code("__kernel void ", kernel.name, "("), codes(printed.signature), ") {");
  out.block(printed_code(printed.body));
  out.indent();
  for (size_t i = 0; i < printed.members.size(); ++i) {
    const print::PrintedMember& member = printed.members[i];
    out.line(i == 0 ? Code("if (") : Code("} else if ("), printed_code(member.condition), ") {");
    out.indent();
    out.list(code(kernel.name, "_", member.function, "("), codes(member.arguments), ");");
    out.dedent();
  }
  out.line("}");
  out.dedent();
  out.line("}");
}

}  // namespace burin::opencl
