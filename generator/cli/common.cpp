#include "cli/common.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <charconv>
#include <cstdio>
#include <set>

#include "cli/completion.h"
#include "cli/config_flag.h"
#include "cli/name_flag.h"
#include "cli/state_flag.h"
#include "cli/usage.h"
#include "fuse/rewrites.h"
#include "graph/string_bytes.h"
#include "hardware/json_file.h"
#include "ops/api/core/op_def.h"
#include "pipeline_input.h"
#include "select/verbs/read_verbs.h"
#include "support/diagnostics.h"
#include "tune/tuning_file.h"

namespace burin {
namespace {

std::vector<DimBinding> parse_dims(const std::vector<std::string>& texts) {
  std::vector<DimBinding> bindings;
  std::set<std::string> names;
  for (const std::string& text : texts) {
    try {
      bindings.push_back(parse_dim_binding(text));
    } catch (const Refused& refused) {
      const Diagnostic& diagnostic = refused.diagnostics[0];
      throw UsageError{diagnostic.message, diagnostic.hint};
    }
    const std::string& name = bindings.back().name;
    if (!names.insert(name).second)
      throw UsageError{"--dim " + burin::quoted(name) + " is given twice", "give every name once"};
  }
  return bindings;
}

// What is decided by other stages than `fuse`.
struct OtherSwitch {
  const char *name, *of;
  void (*off)(CompileOptions&);
};
constexpr OtherSwitch kOtherSwitches[] = {
    {"fold", "of constants", [](CompileOptions& to) { to.lower.fold_constants = false; }},
    {"values", "known on the way", [](CompileOptions& to) { to.lower.propagate_values = false; }},
    {"order", "of the steps", [](CompileOptions& to) { to.order = false; }},
    {"sizes", "that a device finds out for itself",
     [](CompileOptions& to) { to.sizes_on_device = false; }},
    {"fused-sizes", "several of them by one kernel",
     [](CompileOptions& to) { to.fuse_sizes = false; }},
    {kPackingSwitch, "of instructions that compilers write", [](CompileOptions&) {}},
};

// Of verbs of kernels: each name once, with what the first verb of it says.
std::vector<std::pair<std::string, std::string>> verb_switches() {
  std::vector<std::pair<std::string, std::string>> out;
  for (const VerbKind& kind : verb_kinds()) {
    const std::string name(kind.switch_name);
    const bool known =
        std::any_of(out.begin(), out.end(), [&](const auto& one) { return one.first == name; });
    if (!name.empty() && !known) out.emplace_back(name, kind.says);
  }
  return out;
}

std::vector<std::string> names_of_rewrites() {
  std::vector<std::string> names;
  for (const FuseSwitch& one : fuse_switches()) names.emplace_back(one.name);
  for (const OtherSwitch& one : kOtherSwitches) names.emplace_back(one.name);
  for (const auto& [name, says] : verb_switches()) names.push_back(name);
  return names;
}

// The share of the largest result that a flag's text says; nullopt: none.
std::optional<double> winograd_budget(const std::string& text) {
  if (text == "off") return 0;
  double number = 0;
  const char* const end = text.data() + text.size();
  const auto [rest, error] = std::from_chars(text.data(), end, number);
  if (error != std::errc() || rest != end || !(number >= 0 && number <= 1)) return std::nullopt;
  return number;
}

std::string without_help() {
  std::string list;
  const auto add = [&](const std::string& name, const std::string& of) {
    list += (list.empty() ? "" : ", ") + name + (of.empty() ? "" : " (" + of + ")");
  };
  for (const FuseSwitch& one : fuse_switches()) add(one.name, one.of);
  for (const OtherSwitch& one : kOtherSwitches) add(one.name, one.of);
  for (const auto& [name, says] : verb_switches()) add(name, says);
  return "switch a rewrite off, to compare or to find a fault; repeat the flag for more: " + list;
}

}  // namespace

void add_external_root(CLI::App& command, std::string& folder, std::string& links) {
  command
      .add_option("--external-data-root", folder,
                  "the only folder from which external tensor data may be read; default: the "
                  "model's own")
      ->type_name("DIR");
  command
      .add_option(
          "--allow-links", links,
          "external tensor data may lie behind links, and be one of several hard links, as "
          "long as it is beneath this folder: that of a cache which links (of Hugging Face, "
          "Nix or DVC); default: no links")
      ->type_name("DIR");
}

void add_model_flags(CLI::App& command, CommonFlags& flags) {
  command
      .add_option("model", flags.models,
                  "the network, an ONNX file; several give one tree with a run of each and one of "
                  "all together")
      ->required()
      ->type_name("FILE");
  command
      .add_option(
          "--config", flags.config,
          "the hardware: a description of your own, the name of one that burin configs lists, "
          "or host: the machine that burin runs on")
      ->required()
      ->type_name("FILE");
  command
      .add_option("--name", flags.name,
                  "of the tree, and prefix of its C interface; default: the model's name, or its "
                  "file's where tools give all models one name")
      ->type_name("NAME");
  command
      .add_option("--names", flags.names,
                  "with several models: their names, separated by commas; default: as of --name "
                  "each, and the tree is called by all of them in a row")
      ->delimiter(',')
      ->allow_extra_args(false)
      ->type_name("NAME,NAME");
  command
      .add_option(
          "--dim", flags.dims,
          "a named dimension of the inputs, or a dynamic size, by the name "
          "that refusals and analyze give it: batch=1 fixes it, seq=1..512 bounds it (the "
          "tree then serves every size in the range), seq=..512 or seq=1.. leave one end as it "
          "is, seq=1..512@128 also says which size to optimise for (64 if nothing does); of "
          "several models, all that have such a dimension are meant, or one with det/seq=1..8; "
          "repeat the flag for other names")
      ->allow_extra_args(false)
      ->type_name("NAME=SIZE");
  command
      .add_option("--weights", flags.weights,
                  "embed: constants are part of the program; blob: a file weights/<name>.bin that "
                  "the caller loads or maps; default: embed up to 64 KiB")
      ->check(CLI::IsMember({"embed", "blob"}))
      ->type_name("MODE");
  command
      .add_option("--profile", flags.profile,
                  "hosted: a C library is there; freestanding: the tree brings what compilers "
                  "call; default: as the hardware says")
      ->check(CLI::IsMember({"hosted", "freestanding"}))
      ->type_name("PROFILE");
  command
      .add_option(
          "--layouts", flags.layouts,
          "row-major: tensors between kernels lie in the order of their dimensions; chosen: "
          "as an exact choice over the whole graph has them; default: row-major")
      ->check(CLI::IsMember({"row-major", "chosen"}))
      ->type_name("MODE");
  command
      .add_option("--plan-lock", flags.plan_lock,
                  "the plan.json of an earlier tree: tensors between kernels get the layouts that "
                  "it has, and kernels the verbs that it has, and none is chosen")
      ->type_name("FILE");
  command
      .add_option("--packing", flags.packing,
                  "how the arena is packed. searched: as low as is found; peak-outward and "
                  "best-fit: as two known planners do, to compare; default: searched")
      ->check(CLI::IsMember({"searched", "peak-outward", "best-fit"}))
      ->type_name("RULE");
  command
      .add_option(
          "--parallel-fusion", flags.parallel_fusion,
          "for targets with OpenCL, which launches of independent kernels become one: off; "
          "auto: those that the cost model says are faster so and that need no more memory; "
          "all: whatever may; pairs that a tuning file has are as it says, but for off; default: "
          "those pairs alone")
      ->check(CLI::IsMember({"off", "auto", "all"}))
      ->type_name("MODE");
  command
      .add_option(
          "--tuning", flags.tuning,
          "a tuning file for this configuration, of burin tune: kernels that it knows have the "
          "verbs that it says, and layouts are chosen by the times that it has")
      ->type_name("FILE");
  command
      .add_option("--memory", flags.memory,
                  "for targets with OpenCL, where tensors lie. buffers: all of them; images: in "
                  "2D images of texels whatever may; selected: in images what reads cheaper so; "
                  "default: selected")
      ->check(CLI::IsMember({"buffers", "images", "selected"}))
      ->type_name("MODE");
  command
      .add_option("--half", flags.half,
                  "floats in sixteen bits. off: as the model has them; storage: tensors between "
                  "kernels and weights are kept in fp16, arithmetic is in floats; arithmetic: "
                  "for targets with OpenCL that have it, elements are also computed in fp16, "
                  "and products in tiles are multiplied and partly summed so, what sums add up "
                  "to in floats; burin verify --accuracy tells what it costs; default: off")
      ->check(CLI::IsMember({"off", "storage", "arithmetic"}))
      ->type_name("MODE");
  command
      .add_option(
          "--winograd", flags.winograd,
          "convolutions by fewer products (Winograd's minimal filtering), where that is "
          "faster. off: none; a number: roundings that they may add, as a share of the usual "
          "size of a layer's results; burin verify --accuracy measures it; default: 0.0001")
      ->check(CLI::Validator(
          [](const std::string& text) {
            return winograd_budget(text) ? std::string()
                                         : text + " is neither off nor a number from 0 to 1";
          },
          ""))
      ->type_name("BUDGET");
  command.add_flag(
      "--fast-math", flags.fast_math,
      "reassociate floats where that is less arithmetic, also where it changes results "
      "by more than the rounding of one operation: (x + c) - d is x + (c - d); "
      "REPORT.md and plan.json say so");
  command
      .add_option("--dump-dir", flags.dump_dir,
                  "also write what every stage made, one numbered text file each")
      ->type_name("DIR");
  add_external_root(command, flags.external_root, flags.links_root);
  command.add_flag(
      "--strict", flags.strict,
      "refuse a model whose declared shapes its graph contradicts, and check in the run "
      "those that it may contradict; default: the graph counts, with a warning");
  command
      .add_option("--input", flags.inputs,
                  "gives a small input its value, as in sr=16000: what follows from it is computed "
                  "now, and the interface does not have it; several numbers with commas")
      ->allow_extra_args(false)
      ->type_name("NAME=NUMBERS");
  add_state_flag(command, flags.states);
  command
      .add_option("--assume-opset", flags.assume_opset,
                  "read operators of ai.onnx as this opset has them, whatever the file imports")
      ->check(CLI::Range(1, kLatestOpset))
      ->type_name("N");
  command
      .add_option(
          "--string-bytes", flags.string_bytes,
          "how many bytes every string of the tree has, as UTF-8 with zeros behind; those of "
          "the model's own strings where they are longer; default: 64")
      ->check(CLI::Range(1, static_cast<int>(kMostStringBytes)))
      ->type_name("BYTES");
  command.add_option("--without", flags.without, without_help())
      ->allow_extra_args(false)
      ->check(CLI::IsMember(names_of_rewrites()).description(""))
      ->type_name("REWRITE");
  offer(*command.get_option("--without"), names_of_rewrites());
}

CompileOptions compile_options(const CommonFlags& flags) {
  if (!(flags.inputs.empty() && flags.states.empty()) && flags.models.size() != 1)
    throw UsageError{"--input and --state are for one model", "compile the models one by one"};
  CompileOptions options;
  if (!flags.models.empty()) options.model = flags.models[0];
  options.name = flags.name;
  options.dump_dir = flags.dump_dir;
  options.import.external_root = flags.external_root;
  options.import.links_root = flags.links_root;
  options.lower.strict = flags.strict;
  options.states = parse_states(flags.states);
  if (flags.string_bytes != 0) options.lower.string_bytes = flags.string_bytes;
  if (flags.assume_opset != 0) options.import.assumed_opset = flags.assume_opset;
  check_name(flags.name);
  options.import.dims = parse_dims(flags.dims);
  if (!flags.weights.empty())
    options.weights = flags.weights == "embed" ? WeightsMode::embed : WeightsMode::blob;
  if (!flags.profile.empty())
    options.profile = flags.profile == "hosted" ? Profile::kHosted : Profile::kFreestanding;
  if (flags.layouts == "chosen") options.layouts = LayoutUse::chosen;
  if (!flags.plan_lock.empty()) {
    if (options.layouts == LayoutUse::chosen)
      throw UsageError{"--plan-lock has layouts already", "leave --layouts out"};
    options.locked =
        read_plan_lock(flags.plan_lock, load_hardware_flag(flags.config, *flags.read).name);
  }
  if (flags.packing == "peak-outward") options.packing = BufferPackingRule::peak_outward;
  if (flags.packing == "best-fit") options.packing = BufferPackingRule::best_fit;
  if (flags.memory == "buffers") options.memory = MemoryUse::buffers;
  if (flags.memory == "images") options.memory = MemoryUse::images;
  options.fuse.fast_math = flags.fast_math;
  if (!flags.winograd.empty()) options.winograd_error = *winograd_budget(flags.winograd);
  if (options.winograd_error == 0) options.without_verbs.insert("winograd");
  if (flags.half == "storage") options.half = Fp16Use::storage;
  if (flags.half == "arithmetic") options.half = Fp16Use::arithmetic;
  if (flags.parallel_fusion == "auto") options.parallel_fusion = ParallelFusion::automatic;
  if (flags.parallel_fusion == "all") options.parallel_fusion = ParallelFusion::all;
  if (!flags.tuning.empty())
    options.tuning = parse_tuning_file(flags.read->bytes(flags.tuning), flags.tuning,
                                       load_hardware_flag(flags.config, *flags.read).name)
                         .tuning;
  if (flags.parallel_fusion.empty() && options.tuning && !options.tuning->pairs.empty())
    options.parallel_fusion = ParallelFusion::measured;
  for (const std::string& off : flags.without) {
    for (const FuseSwitch& one : fuse_switches()) {
      if (off == one.name) options.fuse.*one.on = false;
    }
    for (const OtherSwitch& one : kOtherSwitches) {
      if (off == one.name) one.off(options);
    }
    options.without_verbs.merge(words_of_switch(off));
  }
  hold_values(options, flags.inputs);
  return options;
}

std::string CommonFlags::title() const {
  std::string out;
  for (const std::string& model : models) out += (out.empty() ? "" : " + ") + model;
  return out;
}

SeveralFlags several_options(const CommonFlags& flags) {
  if (!flags.names.empty() && flags.names.size() != flags.models.size())
    throw UsageError{"--names has " + std::to_string(flags.names.size()) + " names for " +
                         std::to_string(flags.models.size()) + " models",
                     "give each model one"};
  SeveralFlags out;
  out.joint = compile_options(flags);
  for (size_t i = 0; i < flags.models.size(); ++i) {
    CommonFlags own = flags;
    own.name = flags.names.empty() ? std::string() : flags.names[i];
    if (!own.plan_lock.empty() && own.name.empty())
      throw UsageError{"--plan-lock with several models needs their names",
                       "give them with --names"};
    if (!own.dump_dir.empty()) own.dump_dir += "/" + std::to_string(i);
    own.plan_lock.clear();
    out.models.push_back(compile_options(own));
    out.models.back().model = flags.models[i];
    if (!flags.plan_lock.empty())
      out.models.back().locked = read_plan_lock(
          flags.plan_lock, load_hardware_flag(flags.config, *flags.read).name, own.name);
  }
  out.joint.model = flags.title();
  out.joint.import.dims.clear();
  return out;
}

PlanLock read_plan_lock(const std::string& path, const std::string& hardware,
                        const std::string& network) {
  const JsonDocument document = read_json_file(path);
  const JsonValue root = document.root();
  if (root.has("hardware") && root.at("hardware").as_string() != hardware)
    root.at("hardware")
        .refuse("plan-lock", "this plan is for " + burin::quoted(root.at("hardware").as_string()) +
                                 ", not for " + burin::quoted(hardware));
  const JsonValue plan = network.empty() ? root : root.at("models").at(network);
  const JsonValue layouts = plan.at("layouts");
  if (layouts.kind() != JsonKind::kObject) layouts.refuse("wrong-type", "expected an object");
  PlanLock out;
  for (size_t i = 0; i < layouts.size(); ++i)
    out.layouts.emplace_back(layouts.key(i), layouts[i].as_string());
  if (!plan.has("kernels")) return out;
  const JsonValue kernels = plan.at("kernels");
  for (size_t i = 0; i < kernels.size(); ++i) {
    if (!kernels[i].has("key") || !kernels[i].has("verbs")) continue;
    const JsonValue verbs = kernels[i].at("verbs");
    const Verbs list = read_verbs(verbs);
    const auto [known, fresh] = out.kernels.emplace(kernels[i].at("key").as_string(), list);
    if (!fresh && known->second != list)
      verbs.refuse("plan-lock", "another kernel of the same key has other verbs");
  }
  return out;
}

void print_notes(const std::vector<Diagnostic>& notes) {
  constexpr size_t kMostLines = 20;
  for (size_t i = 0; i < notes.size() && i < kMostLines; ++i)
    std::fprintf(stderr, "%s\n", to_warning(notes[i]).c_str());
  if (notes.size() > kMostLines)
    std::fprintf(stderr, "%s: warning: and %zu more of this kind\n", notes[0].where.file.c_str(),
                 notes.size() - kMostLines);
}

}  // namespace burin
