// What a compilation is asked for.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "backends/model_plan.h"
#include "fuse/fuse.h"
#include "import/import.h"
#include "kernel/caller_state.h"
#include "layout/layout_lock.h"
#include "lower/lower.h"
#include "select/device/tuning.h"
#include "select/select_options.h"

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

// What an earlier plan says (--plan-lock): layouts of tensors, verbs of kernels.
struct PlanLock {
  NamedLayouts layouts;
  LockedVerbs kernels;
};

struct CompileOptions {
  std::string model;  // path of the .onnx file; with parts: what messages call all of them
  std::vector<ModelPart> parts{};  // several models, beside each other
  std::string name;                // of the tree; empty: from the model's graph, else its file
  ImportOptions import;
  LowerOptions lower;
  FuseOptions fuse;
  bool order = true;                       // off: steps run as the file has them
  bool sizes_on_device = true;             // off: the host reads every size that the run finds out
  bool fuse_sizes = true;                  // off: each of them by a kernel of its own
  std::set<std::string> without_verbs{};   // words of verbs that no kernel has
  double winograd_error = kWinogradError;  // of all convolutions by fewer products; 0: none
  BufferPackingRule packing = BufferPackingRule::searched;  // of the arena
  LayoutUse layouts = LayoutUse::row_major;
  std::optional<PlanLock> locked{};  // instead of choices: those of an earlier plan
  ParallelFusion parallel_fusion = ParallelFusion::off;  // of a device's launches
  MemoryUse memory = MemoryUse::selected;                // of a device's tensors
  Fp16Use half = Fp16Use::off;      // tensors of floats and arithmetic in sixteen bits
  std::optional<Tuning> tuning{};   // measured choices
  std::map<size_t, Tensor> held{};  // inputs, by place, that are constants with these contents
  std::function<Graph(Graph)>
      adjust{};                        // what is compiled instead of the imported graph; for tests
  std::vector<CallerState> states{};   // that the caller keeps in one buffer each
  std::optional<WeightsMode> weights;  // empty: embedded when small
  std::optional<Profile> profile;      // empty: as the hardware says
  bool step_hook = false;              // a function of the caller is told every step
  std::function<void(const char* stage)> progress{};  // called when a stage begins; may be empty
  std::function<void(const Lowered&)> lowered{};      // called when shapes are known; may be empty
  std::string dump_dir;  // one numbered text file per stage; empty: none
};

}  // namespace burin
