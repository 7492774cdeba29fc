// Several models in one tree: the pipeline for each of them, and once more for all together.
//
// The joint run is that of one model whose graph has all of theirs beside each other, so every
// stage sees it as such: kernels of different models may share launches
// (select/joint/launch_groups.h) and the bytes of one arena. Kernels and constants that come out
// the same are in the tree once (backends/cpp/network.h).
#pragma once

#include <string>
#include <vector>

#include "pipeline.h"

namespace burin {

struct Several {
  std::vector<CompileOptions> options;  // of the models, with their names and their --dim flags
  std::vector<Compiled> models;
  CompileOptions joint_options;
  Compiled joint;
  // The k-th data sets of all models as one: sizes by their names in the joint run, tensors one
  // after the other.
  SampleRun joint_run(const std::vector<SampleRun>& runs) const;
};

// The sample vectors of the joint run, from those of the models' plans.
SelfTest joint_self_test(const Several& several);

// `name`: of the tree and of the joint run; empty: the names of the models in a row. A binding of
// `import.dims`, which are the same in all options, is for the models that have such a dimension;
// one of "model/size" is for that model alone. `joint` has what only the joint run decides:
// packing, layouts that are locked.
//
// Refused as name-collision: models from whose names a tree would make one identifier twice.
Several compile_several(std::vector<CompileOptions> models, const CompileOptions& joint,
                        const Hardware& hardware);

}  // namespace burin
