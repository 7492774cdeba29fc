// A decided plan becomes a source tree, by the backend that the hardware asks for.
#pragma once

#include "backends/cpp/emit_cpp.h"

namespace burin {

// `models` are those of several that `plan` runs together; each then has an interface of its own as
// well. All must outlive the tree: weights are streamed from them.
cpp::EmittedTree emit_tree(const ModelPlan& plan, const std::vector<const ModelPlan*>& models = {});

}  // namespace burin
