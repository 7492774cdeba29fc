// The table of contents of the compiler: every stage, in order.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "backends/model_plan.h"
#include "fuse/fuse.h"
#include "import/import.h"
#include "layout/layout_lock.h"
#include "layout/layout_plan.h"
#include "lower/lower.h"
#include "lower/output_draws.h"
#include "plan/order.h"
#include "select/tuning.h"
#include "support/stage_time.h"

namespace burin {

// Layouts of the tensors between kernels (layout/layout_plan.h).
enum class LayoutUse : uint8_t {
  row_major,  // as they are
  planned,    // as they are, and what would be chosen is told
  chosen,     // as the plan has them
};

// One of several models that are compiled as one; names from its file get its own in front.
struct ModelPart {
  std::string model, name;
  ImportOptions import;
};

struct CompileOptions {
  std::string model;  // path of the .onnx file; with parts: what messages call all of them
  std::vector<ModelPart> parts{};  // several models, beside each other
  std::string name;                // of the tree; empty: from the model's graph, else its file
  ImportOptions import;
  LowerOptions lower;
  FuseOptions fuse;
  bool order = true;                      // off: steps run as the file has them
  bool sizes_on_device = true;            // off: the host reads every size that the run finds out
  bool join_sizes = true;                 // off: each of them by a kernel of its own
  bool versions = true;                   // off: products have one tile, whatever their rows
  PackRule packing = PackRule::searched;  // of the arena
  LayoutUse layouts = LayoutUse::row_major;
  std::optional<NamedLayouts> locked_layouts{};  // instead of a choice: those of an earlier plan
  ParallelFusion parallel_fusion = ParallelFusion::off;  // of a device's launches
  MemoryUse memory = MemoryUse::selected;                // of a device's tensors
  HalfUse half = HalfUse::off;      // tensors of floats and arithmetic in sixteen bits
  std::optional<Tuning> tuning{};   // measured choices; with one, kernel_keys are told
  std::map<size_t, Tensor> held{};  // inputs, by place, that are constants with these contents
  std::function<Graph(Graph)>
      adjust{};                        // what is compiled instead of the imported graph; for tests
  std::optional<WeightsMode> weights;  // empty: embedded when small
  std::optional<Profile> profile;      // empty: as the hardware says
  std::function<void(const char* stage)> progress{};  // called when a stage begins; may be empty
  std::function<void(const Lowered&)> lowered{};      // called when shapes are known; may be empty
  std::string dump_dir;  // one numbered text file per stage; empty: none
};

struct Compiled {
  ModelPlan plan;
  KernelGraph lowered;                     // what the model means, before anything was fused
  std::vector<OutputDraw> draws;           // what of it is drawn at random, by output
  std::vector<TensorFacts> inputs;         // what lowering found out, of inputs and
  std::vector<NodeFacts> nodes;            // of nodes
  int passes = 0;                          // of propagation
  Rewrites rewrites;                       // of arithmetic
  std::map<int, std::string> kernel_keys;  // of a tuning file, by position
  OrderPlan order;
  std::optional<LayoutPlan> layouts;  // where one was asked for
  std::vector<StageTime> stages;
  size_t model_nodes = 0;  // of the file, nested ones included
  int64_t parameters = 0;  // elements of its initializers
};

// Of a model whose options have no name: that of its graph, or of its file where exporters give all
// graphs one name. Raw text.
std::string default_name(const CompileOptions& options, const Graph& graph);

// Model and hardware to a plan. Refuses what a user can cause; everything else is an InternalError.
Compiled compile(const CompileOptions& options, const Hardware& hardware);

}  // namespace burin
