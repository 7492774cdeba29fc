// The distinct kernels of a tree: equal ones are printed once and shared by all their calls.
#pragma once

#include <functional>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "backends/model_plan.h"
#include "print/kernel_printer.h"
#include "render/identifier.h"
#include "render/printer.h"
#include "render/source_tree.h"

namespace burin::cpp {

struct DistinctKernel {
  Identifier name;
  print::PrintedKernel printed;
  std::string family, reason;
  std::vector<Origin> nodes;  // of all its calls
  int calls = 1;  // of all that are told apart: those of a joint run like another are not
  // Its parameters and what they are in the first call: "weights", "f32[8, 3, 3, 3] ...".
  std::vector<std::pair<std::string, std::string>> roles;
};

struct KernelCall {
  size_t kernel = 0;                   // index into KernelSet::kernels
  print::KernelParameters parameters;  // its own values and symbols
};

struct KernelSet {
  std::vector<DistinctKernel> kernels;  // sorted by name
  // Of a step: one call, or the launches of a device in order.
  std::map<StepId, std::vector<KernelCall>> calls;

  const DistinctKernel& kernel_at(StepId step) const { return kernels[calls.at(step)[0].kernel]; }
};

// One function to be: how it is printed, and what it stands for.
struct KernelUnit {
  std::vector<const Step*> steps;  // its own, or those whose launches it joins
  std::function<print::PrintedKernel(const std::vector<ValueId>& aliased)> print;
  std::string family, reason;
};

// The functions of one plan.
struct PlanUnits {
  const ModelPlan* plan = nullptr;
  std::vector<KernelUnit> units;
};

// Functions with equal text are one, for all plans together; a set has those that its plan calls.
// The last of several plans is that of a joint run: what it shares with one other plan counts as
// called there.
std::vector<KernelSet> distinct_kernels(const std::vector<PlanUnits>& plans);

// All kernels of several sets, sorted by name; without calls.
KernelSet all_kernels(const std::vector<KernelSet>& sets);

// What a C++ tree has to print for a plan.
PlanUnits kernel_units(const ModelPlan& plan);

// " laid out 0 1/16 [16]"; empty where the axes lie in their own order, in no blocks.
std::string laid_out(const Layout& layout);

// Around what other libraries do not see, whatever the flags of the build.
void hide_from_here(Printer& out);
void hide_to_here(Printer& out);

// In namespace `space`: src/kernels.h and src/kernels/*.cpp, and the parts of runtime_min that they
// include (src/rt/*).
void emit_kernels(const KernelSet& set, const Identifier& space, SourceTree& tree);

// The comment above a kernel, one line each: what it computes, the nodes that it stands for, its
// parameters, why its loops are as they are.
std::vector<std::string> kernel_comment(const DistinctKernel& kernel);

// The one file of runtime_min that is not copied: emit_project writes each tree's own.
inline constexpr const char* kOwnNamespace = "tree.h";

// Files of runtime_min and everything that they include, as src/rt/...
void emit_runtime(const print::Headers& headers, SourceTree& tree);

}  // namespace burin::cpp
