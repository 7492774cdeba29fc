// The results of a network by its tree, on given inputs: what `burin run --config` and `--tree`
// show.
#pragma once

#include <string>
#include <vector>

#include "verify/verify.h"

namespace burin {

// Emits the tree of `compiled` and runs it; or, where `tree` is a folder, compiles what lies there.
// Refused (other-tree): sources in it that are not those of this network; (run): a status. Throws
// ToolFailed.
std::vector<HostTensor> run_tree(const Compiled& compiled, std::vector<HostTensor> inputs,
                                 const VerifyOptions& options, const std::string& tree);

}  // namespace burin
