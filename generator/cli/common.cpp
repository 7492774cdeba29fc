#include "cli/common.h"

#include <unistd.h>

#include <CLI/CLI.hpp>
#include <cstdio>

#include "hardware/load.h"
#include "support/diagnostics.h"

namespace burin {

void add_model_flags(CLI::App& command, CommonFlags& flags) {
  command.add_option("model", flags.model, "the ONNX model")->required();
  command
      .add_option("--config", flags.config, "description of the hardware, a file as in configs/")
      ->required();
  command.add_option("--name", flags.name,
                     "prefix of the emitted interface; default: from the model");
  command.add_option(
      "--dim", flags.dims,
      "size of a named dimension: batch=1, seq=1..512 or seq=1..512@128 (to optimise for)");
  command
      .add_option("--weights", flags.weights,
                  "embed: in the program; blob: a file of its own; default: embed when small")
      ->check(CLI::IsMember({"embed", "blob"}));
  command
      .add_option("--profile", flags.profile,
                  "hosted or freestanding; default: as the hardware says")
      ->check(CLI::IsMember({"hosted", "freestanding"}));
  command.add_option("--dump-dir", flags.dump_dir, "write one numbered text file per stage there");
  command.add_option("--external-data-root", flags.external_root,
                     "folder of the model's external data; default: its own");
  command
      .add_option("--without", flags.without,
                  "switch a rewrite off: fold, values, movement, epilogue, prologue, concat, hoist")
      ->check(
          CLI::IsMember({"fold", "values", "movement", "epilogue", "prologue", "concat", "hoist"}));
}

CompileOptions compile_options(const CommonFlags& flags) {
  CompileOptions options;
  options.model = flags.model;
  options.name = flags.name;
  options.dump_dir = flags.dump_dir;
  options.import.external_root = flags.external_root;
  for (const std::string& dim : flags.dims) options.import.dims.push_back(parse_dim_binding(dim));
  if (!flags.weights.empty())
    options.weights = flags.weights == "embed" ? WeightsMode::embed : WeightsMode::blob;
  if (!flags.profile.empty())
    options.profile = flags.profile == "hosted" ? Profile::kHosted : Profile::kFreestanding;
  for (const std::string& off : flags.without) {
    if (off == "fold") options.lower.fold_constants = false;
    if (off == "values") options.lower.propagate_values = false;
    if (off == "movement") options.fuse.movement = false;
    if (off == "epilogue") options.fuse.epilogue = false;
    if (off == "prologue") options.fuse.prologue = false;
    if (off == "concat") options.fuse.concat_in_place = false;
    if (off == "hoist") options.fuse.hoist_constants = false;
  }
  return options;
}

Hardware load_hardware_flag(const std::string& config) { return load_hardware(config); }

void show_progress(const std::string& text) {
  if (!isatty(STDERR_FILENO)) return;
  std::fprintf(stderr, "\r\033[K%s", text.c_str());
  std::fflush(stderr);
}

}  // namespace burin
