// The licence of what burin emits: its first line in every file that may have a comment.
#pragma once

#include "render/source_tree.h"

namespace burin {

// Files of runtime_min have the line already, and keep it as it is.
void add_licence(SourceTree& tree);

}  // namespace burin
