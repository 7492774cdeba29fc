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
  std::string model, config, name, weights, profile, layouts, plan_lock, packing, dump_dir;
  std::string external_root;
  std::string parallel_fusion;
  std::vector<std::string> dims;
  std::vector<std::string> without;  // passes switched off
};

// Model, configuration and everything that decides what is made of them.
void add_model_flags(CLI::App& command, CommonFlags& flags);

// Throws UsageError where --name or --dim has a form that flags do not have. Of the files only the
// one of --plan-lock is read.
CompileOptions compile_options(const CommonFlags& flags);

// The layouts of an earlier tree's plan.json. Refuses what is no such file.
NamedLayouts read_plan_lock(const std::string& path);

// The description in a file; refused as load_hardware does.
Hardware load_hardware_flag(const std::string& config);

}  // namespace burin
