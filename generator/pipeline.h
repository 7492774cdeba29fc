// The table of contents of the compiler: every stage, in order.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "compile_options.h"
#include "layout/layout_plan.h"
#include "lower/lower.h"
#include "lower/output_draws.h"
#include "plan/append/state_forms.h"
#include "plan/order/order.h"
#include "support/stage_time.h"

namespace burin {

struct Compiled {
  ModelPlan plan;
  KernelGraph lowered;                        // what the model means, before anything was fused
  std::vector<StateForm> states;              // of the caller, as the model has them
  std::vector<OutputDraw> draws;              // what of it is drawn at random, by output
  std::vector<TensorFacts> inputs;            // what lowering found out, of inputs and
  std::vector<NodeFacts> nodes;               // of nodes
  std::vector<std::string> run_sizes;         // names of sizes that --dim may bound
  int passes = 0;                             // of propagation
  Rewrites rewrites;                          // of arithmetic
  std::map<StepId, std::string> kernel_keys;  // of a tuning file
  OrderPlan order;
  std::optional<LayoutPlan> layouts;  // where one was asked for
  std::vector<StageTime> stages;
  std::vector<Diagnostic> notes;  // what the file says and the graph contradicts
  size_t model_nodes = 0;         // of the file, nested ones included
  int64_t parameters = 0;         // elements of its initializers
};

// Of a model whose options have no name: that of its graph, or of its file where tools give all
// graphs one name. Raw text.
std::string default_name(const CompileOptions& options, const Graph& graph);

// Model and hardware to a plan. Refuses what a user can cause; everything else is an InternalError.
Compiled compile(const CompileOptions& options, const Hardware& hardware);

}  // namespace burin
