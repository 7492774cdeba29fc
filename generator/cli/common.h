// Flags that several commands share.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "pipeline.h"
#include "support/file_bytes.h"

namespace CLI {
class App;
}

namespace burin {

struct CommonFlags {
  std::shared_ptr<ReadFiles> read = std::make_shared<ReadFiles>();  // of this command line
  std::vector<std::string> models;                                  // files
  std::vector<std::string> names;                                   // of each of several
  std::string config, name, weights, profile, layouts, plan_lock, packing, dump_dir;
  std::string external_root, links_root;
  std::string parallel_fusion, tuning, memory, half, winograd;
  std::vector<std::string> dims;
  std::vector<std::string> inputs;  // values of inputs: "sr=16000"
  std::vector<std::string> states;  // "past_k=present_k"
  bool strict = false;
  int assume_opset = 0;              // 0: as the file says
  int string_bytes = 0;              // 0: as LowerOptions has them
  std::vector<std::string> without;  // passes switched off
  bool fast_math = false;
  std::vector<std::string> packages;  // of generate
  bool single_file = false;
  bool step_hook = false;
  bool code_sizes = false;

  bool several() const { return models.size() > 1; }
  std::string title() const;  // the files, for people
};

// Model, configuration and everything that decides what is made of them.
void add_model_flags(CLI::App& command, CommonFlags& flags);
// --external-data-root and --allow-links, of every command that reads a model.
void add_external_root(CLI::App& command, std::string& folder, std::string& links);

// Throws UsageError where --name or --dim has a form that flags do not have. Of the files only the
// one of --plan-lock is read.
CompileOptions compile_options(const CommonFlags& flags);
// Of --without: what compilers write stays as it is (packed_trees.h); nothing that is generated
// hangs on it.
inline constexpr const char* kPackingSwitch = "packing";

// Of several models: those of each, and what all together are called (several.h).
struct SeveralFlags {
  std::vector<CompileOptions> models;
  CompileOptions joint;
};
SeveralFlags several_options(const CommonFlags& flags);

// What an earlier tree's plan.json says, of a network of several where it has a name. Refuses what
// is no such file, or one for other hardware than that of this name.
PlanLock read_plan_lock(const std::string& path, const std::string& hardware,
                        const std::string& network = {});

// What a model says otherwise than it is read, on stderr; the first lines of many.
void print_notes(const std::vector<Diagnostic>& notes);

}  // namespace burin
