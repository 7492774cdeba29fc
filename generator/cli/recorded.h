// The flags that a tree remembers (backends/made_from.h), written and read back by one table.
//
// Left out are the folders of the user (--output, --dump-dir, --external-data-root, --allow-links),
// what does not change the tree (--check), and values that are the default. Files are copied into
// the tree, and the flags name the copies. Names are told even where nobody gave them, since they
// may come from the name of a file.
#pragma once

#include <string>
#include <vector>

#include "backends/model_plan.h"
#include "cli/generate.h"

namespace burin {

// `models`: of several, what each became. Refuses (io) files that cannot be read again.
MadeFrom made_from(const GenerateFlags& flags, const ModelPlan& own,
                   const std::vector<const ModelPlan*>& models);

// The flags of the tree in a folder, for these models. Refused: a folder without a manifest, a
// manifest of another form, copies that are not those of the manifest, another number of models.
GenerateFlags recorded_flags(const std::string& tree, const std::vector<std::string>& models);

// Of a command that may be given a tree in place of a description: those of the tree, or where that
// is empty `flags`. Throws UsageError where it has both, or sizes.
CommonFlags flags_of_tree(const CommonFlags& flags, const std::string& tree);

// The version of burin that wrote the tree in a folder.
std::string recorded_version(const std::string& tree);

// The SHA-256 of the model that the tree was made of.
std::string recorded_model(const std::string& tree);

}  // namespace burin
