// A decided plan becomes a source tree, by the backend that the hardware asks for.
#pragma once

#include "backends/cpp/emit.h"

namespace burin {

// `plan` must outlive the tree: weights are streamed from it.
cpp::EmittedTree emit_tree(const ModelPlan& plan);

}  // namespace burin
