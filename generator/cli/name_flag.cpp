#include "cli/name_flag.h"

#include "backends/cpp/names.h"
#include "cli/usage.h"
#include "support/diagnostics.h"

namespace burin {

void check_name(const std::string& name) {
  if (name.empty() || cpp::is_tree_name(name)) return;
  const std::string ending(cpp::ending_of_trees(name));
  if (!ending.empty()) {
    throw UsageError{
        "--name " + burin::quoted(name) + " cannot name a tree",
        "a tree " + burin::quoted(name.substr(0, name.size() - ending.size())) +
            " has a header, a target or a function of that name; let it end otherwise than with " +
            burin::quoted(ending)};
  }
  throw UsageError{
      "--name " + burin::quoted(name) + " cannot name a tree",
      "a name has 1 to " + std::to_string(cpp::kLongestTreeName) +
          " letters, digits and single underscores, starts with a letter, does not end with an "
          "underscore, and is no word that C, C++, OpenCL or their headers use"};
}

}  // namespace burin
