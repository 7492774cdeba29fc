// Names of a tree's functions that carry its content. The header gives every function such a name
// through a macro; src/<name>.cpp defines the plain ones beside them. So a program that refers to
// two trees of one name needs that file of both, which no linker takes; and where both are shared
// libraries, each caller gets its own.
#pragma once

#include "backends/cpp/names.h"
#include "backends/cpp/network.h"
#include "backends/model_plan.h"
#include "render/source_tree.h"
#include "render/text.h"

namespace burin::cpp {

// Of all sources of the tree, which must be there by now, and of the networks' weights.
Code content_of(const std::vector<Network>& networks, const SourceTree& tree);

// include/<name>_content.h: `content`, and the checksum of the weights.
void emit_content(const Network& network, const Code& content, SourceTree& tree);

// For the header: the names, as macros.
Code content_names(const ModelPlan& plan, const TreeNames& names);

// For the source: what the header declares under names without the content.
Code plain_names(const ModelPlan& plan, const TreeNames& names);

}  // namespace burin::cpp
