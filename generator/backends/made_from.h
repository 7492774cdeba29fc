// What a tree was made from, in the tree: whoever has it and the model makes it again.
#pragma once

#include <string>
#include <vector>

#include "render/source_tree.h"

namespace burin {

// Of the command that made a tree, in words that hold wherever the tree lies.
struct MadeFrom {
  struct File {
    std::string path;   // in the tree, below kMadeFromFolder
    std::string bytes;  // of the user's file, or of what of it counted
  };

  // Flags with their values, in one order: {"--dim", "batch=1..8", "--config",
  // "made_from/hardware.json"}. No folder of the user, and nothing that the tree does not depend
  // on.
  std::vector<std::string> flags;
  std::vector<File> files;
};

inline constexpr const char* kMadeFromFolder = "made_from/";

void add_made_from(const MadeFrom& made_from, SourceTree& tree);

}  // namespace burin
