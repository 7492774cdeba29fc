// Flags that several commands share.
#pragma once

#include <string>
#include <vector>

#include "pipeline.h"

namespace CLI {
class App;
}

namespace burin {

struct CommonFlags {
  std::string model, config, name, weights, profile, layouts, packing, dump_dir, external_root;
  std::vector<std::string> dims;
  std::vector<std::string> without;  // passes switched off
};

// Model, configuration and everything that decides what is made of them.
void add_model_flags(CLI::App& command, CommonFlags& flags);

// Throws UsageError where --name or --dim has a form that flags do not have; files are not looked
// at.
CompileOptions compile_options(const CommonFlags& flags);

// The description in a file; refused as load_hardware does.
Hardware load_hardware_flag(const std::string& config);

}  // namespace burin
