// The table of contents of the compiler: every stage, in order.
#pragma once

#include <functional>
#include <map>
#include <string>
#include <vector>

#include "backends/model_plan.h"
#include "fuse/fuse.h"
#include "import/import.h"
#include "lower/lower.h"

namespace burin {

struct CompileOptions {
  std::string model;  // path of the .onnx file
  std::string name;   // of the tree; empty: from the model's graph, else its file
  ImportOptions import;
  LowerOptions lower;
  FuseOptions fuse;
  std::map<size_t, Tensor> held{};  // inputs, by place, that are constants with these contents
  std::function<Graph(Graph)>
      adjust{};                        // what is compiled instead of the imported graph; for tests
  std::optional<WeightsMode> weights;  // empty: embedded when small
  std::optional<Profile> profile;      // empty: as the hardware says
  std::function<void(const char* stage)> progress{};  // called when a stage begins; may be empty
  std::string dump_dir;  // one numbered text file per stage; empty: none
};

struct StageTime {
  std::string name;
  double seconds = 0;
};

struct Compiled {
  ModelPlan plan;
  KernelGraph lowered;           // what the model means, before anything was fused
  std::vector<NodeFacts> nodes;  // what lowering found out
  std::vector<StageTime> stages;
  size_t model_nodes = 0;  // of the file, nested ones included
  int64_t parameters = 0;  // elements of its initializers
};

// Model and hardware to a plan. Refuses what a user can cause; everything else is an InternalError.
Compiled compile(const CompileOptions& options, const Hardware& hardware);

}  // namespace burin
