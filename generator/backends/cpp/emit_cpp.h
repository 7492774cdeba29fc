// The C++ backend: a decided plan becomes a source tree.
#pragma once

#include <set>

#include "backends/cpp/kernel_set.h"
#include "backends/cpp/names.h"
#include "backends/cpp/network.h"
#include "backends/cpp/weights.h"
#include "backends/model_plan.h"
#include "render/source_tree.h"
#include "render/text.h"
#include "render/value.h"

namespace burin::cpp {

struct EmittedTree {
  SourceTree tree;
  ManifestWriter manifest;
  // The functions that each step launches or calls.
  std::map<StepId, std::vector<std::string>> launches{};
};

// `plan` is the tree's own; `models` are those of several that it runs (network.h), else none. All
// must outlive the tree: weights are streamed from them.
EmittedTree emit(const ModelPlan& plan, const std::vector<const ModelPlan*>& models);

// The symbols of the caller as records of templates: name, smallest, largest.
List caller_sizes(const ModelPlan& plan, const TreeNames& names);

// The parts; each adds its files. `kernels`: functions of a device's program.
void emit_interface(const ModelPlan& plan, const TreeNames& names, const WeightsLayout& weights,
                    size_t kernels, SourceTree& tree);
void emit_memory(const ModelPlan& plan, const TreeNames& names, const WeightsLayout& weights,
                 SourceTree& tree);
void emit_source(const ModelPlan& plan, const TreeNames& names, const KernelSet& kernels,
                 const WeightsLayout& weights, SourceTree& tree);
void emit_weights(const ModelPlan& plan, const TreeNames& names, const WeightsLayout& weights,
                  SourceTree& tree);
void emit_project(const std::vector<Network>& networks, SourceTree& tree);
// REPORT.md, or REPORT-<name>.md for one of several, for people; plan.json, for programs and for
// diffs.
void emit_report(const ModelPlan& plan, const TreeNames& names, const KernelSet& kernels,
                 const WeightsLayout& weights, SourceTree& tree);
// REPORT.html beside it, to look at; emit_report adds it.
void emit_page(const ModelPlan& plan, const TreeNames& names, const KernelSet& kernels,
               const WeightsLayout& weights, SourceTree& tree);
void emit_plan(const std::vector<Network>& networks, SourceTree& tree);
// test/, where the plan has sample vectors.
void emit_test(const ModelPlan& plan, const TreeNames& names, SourceTree& tree);
ManifestWriter manifest_writer(const std::vector<Network>& networks, const SourceTree& tree);

// A size as C++ text over `dims`-independent local names (int64_t), and whether it is a number.
std::string size_text(const Dim& dim, const TreeNames& names);

// The same for people and for programs of any language: + - * // % min max, // rounding down.
std::string readable_size(const Dim& dim, const TreeNames& names);

// "float": the type of a value's elements in the interface.
Code element_type(Type type);

// Threads that may run parts of a kernel at the same time; 1: no kernel is cut.
int workers_of(const ModelPlan& plan);

// Sizes of the caller that keep the arena from a bound: "batch, seq". Raw text.
std::string open_sizes(const ModelPlan& plan);

// The expression for weights that are part of the program; null where there are none.
Code embedded_weights(const TreeNames& names, const WeightsLayout& weights);

// What the caller passes: "inputs->x" where it must not be null; and records of pointer and count
// where only this run's sizes say whether there are elements.
struct CallerPointers {
  List required, counted;
};
CallerPointers caller_pointers(const ModelPlan& plan, const TreeNames& names,
                               const std::set<ValueId>& may_be_null = {});

// Sizes that a step finds out: identifiers.
List found_sizes(const ModelPlan& plan, const TreeNames& names);

Code unsigned_code(uint32_t number);  // "12u"

// What the caller may pass at most for a symbol.
int64_t largest_size(const ModelPlan& plan, const Symbol& symbol);

// Run symbols in a shape: the caller gives a capacity and gets the shape back.
bool is_data_sized(const Value& value);

}  // namespace burin::cpp
