// burin run: a network on data of one's own, by the interpreter or by its tree.
#include <CLI/CLI.hpp>
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <map>
#include <memory>

#include "cli/commands.h"
#include "cli/common.h"
#include "cli/config_flag.h"
#include "cli/packed_trees.h"
#include "cli/progress.h"
#include "cli/recorded.h"
#include "cli/state_flag.h"
#include "cli/usage.h"
#include "graph/string_bytes.h"
#include "kernel/interpreter/interpreter.h"
#include "render/identifier.h"
#include "report/array_file.h"
#include "support/diagnostics.h"
#include "support/dim_flag.h"
#include "support/interrupt.h"
#include "support/utf8.h"
#include "verify/build.h"
#include "verify/run_tree.h"

namespace burin {
namespace {

constexpr int64_t kShown = 8;  // elements of an output

struct RunFlags : CommonFlags {
  std::vector<std::string> inputs;
  std::string output, tree, compiler;
  int jobs = 1;
};

// "x=a.npy"; or "all.npz", which has its inputs by their names.
std::map<std::string, std::string> files_of(const RunFlags& flags) {
  std::map<std::string, std::string> out;
  for (const std::string& text : flags.inputs) {
    const size_t at = text.find('=');
    if (at == std::string::npos && text.ends_with(".npz")) {
      for (const std::string& name : npz_names(text)) out.emplace(name, text);
      continue;
    }
    if (at == std::string::npos || at == 0)
      throw UsageError{"--input " + burin::quoted(text) + " has no name",
                       "write --input NAME=FILE"};
    if (!out.emplace(text.substr(0, at), text.substr(at + 1)).second)
      throw UsageError{"--input " + burin::quoted(text.substr(0, at)) + " is given twice",
                       "give every input once"};
  }
  return out;
}

// Strings as the model has them, without the dimension of their bytes.
std::vector<Dim> shape_of(const Value& value, std::vector<Dim> shape) {
  if (value.strings) shape.pop_back();
  return shape;
}

std::string declared(const Value& value) {
  return burin::quoted(value.name) + " " +
         (value.strings ? "string" : std::string(to_string(value.type))) +
         to_string(shape_of(value, value.shape));
}

// `shape`: as the model has it, where a state's value has room.
HostTensor read_input(const Value& value, const std::vector<Dim>& shape,
                      std::map<std::string, std::string>& files) {
  const auto file = files.find(value.name);
  if (file == files.end())
    refuse("io", "input " + declared(value) + " is not given",
           "--input " + typeable_name(value.name) + "=FILE gives it");
  ArrayForm form{value.type, {}, value.name};
  for (const Dim& dim : shape_of(value, shape))
    form.shape.push_back(dim.is_constant() ? dim.constant() : -1);
  if (value.strings) form.string_bytes = value.shape.back().constant();
  HostTensor out = read_array(file->second, form);
  if (out.type != value.type || (value.strings && out.shape.size() != value.shape.size())) {
    located({.file = file->second}, [&] {
      refuse("type",
             "its elements are " + std::string(to_string(out.type)) + ", input " + declared(value) +
                 " has others",
             "convert the array; nothing is rounded here");
    });
  }
  files.erase(file);
  return out;
}

// The input of this name, or of a name that is typed so.
std::string name_of_input(const std::vector<std::string>& names, const std::string& given) {
  for (const std::string& name : names) {
    if (name == given) return name;
  }
  for (const std::string& name : names) {
    if (typeable_name(name) == given) return name;
  }
  std::string all;
  for (const std::string& name : names) all += (all.empty() ? "" : ", ") + burin::quoted(name);
  refuse("io", "the network has no input " + burin::quoted(given), "it has " + all);
}

std::vector<HostTensor> read_inputs(const Compiled& compiled, const RunFlags& flags) {
  const KernelGraph& graph = compiled.lowered;
  std::vector<std::string> names;
  for (const ValueId id : graph.inputs) names.push_back(graph.values[static_cast<size_t>(id)].name);
  std::map<std::string, std::string> files;
  for (const auto& [given, file] : files_of(flags)) files[name_of_input(names, given)] = file;
  std::vector<HostTensor> inputs;
  for (size_t i = 0; i < graph.inputs.size(); ++i) {
    const Value& value = graph.values[static_cast<size_t>(graph.inputs[i])];
    const auto state = std::find_if(compiled.states.begin(), compiled.states.end(),
                                    [&](const StateForm& form) { return form.input == i; });
    inputs.push_back(
        read_input(value, state == compiled.states.end() ? value.shape : state->before, files));
  }
  return inputs;
}

// The interpreter on the network as the file means it.
std::vector<HostTensor> interpreted(const KernelGraph& graph,
                                    const std::vector<HostTensor>& inputs) {
  std::vector<std::vector<int64_t>> shapes;
  for (const HostTensor& input : inputs) shapes.push_back(input.shape);
  RunResult result = interpret(graph, inputs, bind_symbols(graph, shapes));
  if (result.status != kRunOk) refuse("run", "the run stops: " + result.message);
  return std::move(result.outputs);
}

std::string element_text(const HostTensor& tensor, int64_t i) {
  const ScalarValue value = tensor.get(i);
  char text[64];
  if (is_float(compute_type(tensor.type))) {
    std::snprintf(text, sizeof text, "%.6g", value.number);
  } else {
    std::snprintf(text, sizeof text, "%lld", static_cast<long long>(value.integer));
  }
  return text;
}

std::string extents_text(const std::vector<int64_t>& shape) {
  std::string out;
  for (const int64_t extent : shape) out += (out.empty() ? "" : ", ") + std::to_string(extent);
  return out;
}

// Letters as they are; escaped where a terminal would do something else than show them: control
// characters, those of directions, what is no UTF-8.
std::string string_text(std::string_view text) {
  bool shown = first_bad_utf8(text) == text.size() && text.find_first_of("'\\") == text.npos;
  for (size_t i = 0; shown && i < text.size(); ++i) {
    const auto byte = static_cast<unsigned char>(text[i]);
    const bool control = byte < 0x20 || byte == 0x7f;
    const bool c1 = byte == 0xc2 && static_cast<unsigned char>(text[i + 1]) < 0xa0;
    const bool formats = text.substr(i, 2) == "\xe2\x80" || text.substr(i, 2) == "\xe2\x81";
    shown = !control && !c1 && !formats;
  }
  return shown ? "'" + std::string(text) + "'" : burin::quoted(text);
}

// The first strings.
void print_strings(const Value& value, const HostTensor& tensor) {
  const std::vector<int64_t> shape(tensor.shape.begin(), tensor.shape.end() - 1);
  const auto each = static_cast<size_t>(tensor.shape.back());
  const size_t count = each == 0 ? 0 : tensor.bytes.size() / each;
  std::printf("%s string[%s]", burin::quoted(value.name).c_str(), extents_text(shape).c_str());
  for (size_t i = 0; i < count && i < kShown; ++i) {
    const char* first = reinterpret_cast<const char*>(tensor.bytes.data()) + i * each;
    const size_t length = static_cast<size_t>(std::find(first, first + each, '\0') - first);
    std::printf("%s%s", i ? ", " : ": ", string_text({first, length}).c_str());
  }
  std::printf("%s\n", count > kShown ? ", ..." : "");
}

// Its first elements, their range, and where the greatest is.
void print_output(const Value& value, const HostTensor& tensor) {
  if (value.strings) return print_strings(value, tensor);
  std::printf("%s %s[%s]", burin::quoted(value.name).c_str(),
              std::string(to_string(tensor.type)).c_str(), extents_text(tensor.shape).c_str());
  const int64_t count = tensor.elements();
  for (int64_t i = 0; i < count && i < kShown; ++i)
    std::printf("%s%s", i ? ", " : ": ", element_text(tensor, i).c_str());
  std::printf("%s\n", count > kShown ? ", ..." : "");
  const bool real = is_float(compute_type(tensor.type));
  int64_t least = -1, greatest = -1, nans = 0;
  const auto less = [&](int64_t a, int64_t b) {
    const ScalarValue x = tensor.get(a), y = tensor.get(b);
    return real ? x.number < y.number : x.integer < y.integer;
  };
  for (int64_t i = 0; i < count; ++i) {
    if (real && std::isnan(tensor.get(i).number)) {
      ++nans;
      continue;
    }
    if (least < 0 || less(i, least)) least = i;
    if (greatest < 0 || less(greatest, i)) greatest = i;
  }
  if (count > 1 && greatest >= 0)
    std::printf("  from %s to %s, which is element %lld%s\n", element_text(tensor, least).c_str(),
                element_text(tensor, greatest).c_str(), static_cast<long long>(greatest),
                nans ? (", and " + std::to_string(nans) + " are not numbers").c_str() : "");
}

void write_output(const std::string& folder, const Identifier& name, const Value& value,
                  const HostTensor& tensor) {
  const std::string path = folder + "/" + name.text() + ".npy";
  std::ofstream out(path, std::ios::binary);
  out << (value.strings ? npy_bytes_of_strings(tensor) : npy_bytes(tensor));
  out.close();
  if (!out) refuse("io", "cannot write " + burin::quoted(path));
}

int run_model(const RunFlags& flags) {
  const std::string& model = flags.models.at(0);
  const bool through_tree = !flags.tree.empty() || !flags.config.empty();
  if (!through_tree && !flags.compiler.empty())
    throw UsageError{"--compiler is for a tree", "give --config or --tree as well"};
  clean_up_on_interrupt();
  // As flags say, or as a tree remembers.
  const CommonFlags with = flags_of_tree(flags, flags.tree);
  const CompileOptions options = compile_options(with);
  std::vector<HostTensor> outputs;
  KernelGraph graph;
  try {
    Progress progress(model +
                      (through_tree ? ": compiling and running the tree" : ": interpreter"));
    VerifyOptions verify;
    verify.hardware = load_hardware_flag(through_tree ? with.config : "cpp-generic");
    verify.compiler = flags.compiler;
    verify.jobs = flags.jobs;
    if (through_tree) verify.pack = packing_of(with);
    const Compiled compiled = compile(options, verify.hardware);
    progress.aside([&] { print_notes(compiled.notes); });
    graph = compiled.lowered;
    outputs = located({.file = model}, [&] {
      std::vector<HostTensor> inputs = read_inputs(compiled, flags);
      return through_tree ? run_tree(compiled, std::move(inputs), verify, flags.tree)
                          : interpreted(graph, inputs);
    });
  } catch (const ToolFailed& failed) {
    std::fprintf(stderr, "burin: error: %s\n", failed.what());
    return kExitTool;
  }
  NameTable names;
  if (!flags.output.empty()) std::filesystem::create_directories(flags.output);
  for (size_t k = 0; k < graph.outputs.size(); ++k) {
    const Value& value = graph.values[static_cast<size_t>(graph.outputs[k])];
    print_output(value, outputs[k]);
    if (!flags.output.empty())
      located({.file = "--output"},
              [&] { write_output(flags.output, names.add(value.name), value, outputs[k]); });
  }
  return kExitOk;
}

}  // namespace

Command add_run(CLI::App& app) {
  CLI::App* command = app.add_subcommand(
      "run", "run a model on files of yours, by burin's interpreter or by its tree");
  auto flags = std::make_shared<RunFlags>();
  command
      ->add_option_function<std::string>(
          "model", [flags](const std::string& model) { flags->models = {model}; },
          "the network, an ONNX file")
      ->required()
      ->type_name("FILE");
  command
      ->add_option("--input", flags->inputs,
                   "an input by its name: .npy, .npz (the array of this name, or the only one), or "
                   ".pb as ONNX's test data have it; .png (0 to 1 in floats, 0 to 255 in u8) and "
                   ".wav (-1 to 1 in floats); .csv and .txt (numbers) and .raw and .bin "
                   "(little-endian bytes) in the type of the input; strings of .npy, .npz, .pb, "
                   "or a line of .txt each; once for each; a .npz without NAME= has inputs by "
                   "their names")
      ->allow_extra_args(false)
      ->type_name("NAME=FILE");
  command
      ->add_option("--config", flags->config,
                   "instead of the interpreter: emit the tree for this hardware, compile and run "
                   "it, as burin verify does")
      ->type_name("FILE");
  command
      ->add_option("--tree", flags->tree,
                   "the same with a tree on disk, which burin generate made of this model")
      ->type_name("DIR");
  command
      ->add_option("--compiler", flags->compiler,
                   "one of the compilers that the hardware names; default: the first")
      ->type_name("NAME");
  command->add_option("-j,--jobs", flags->jobs, "how many compilers run at the same time")
      ->check(CLI::Range(1, 256))
      ->type_name("N");
  command->add_option("-o,--output", flags->output, "also write each output as NAME.npy")
      ->type_name("DIR");
  command->add_option("--dim", flags->dims, "as of burin generate")
      ->allow_extra_args(false)
      ->type_name("NAME=SIZE");
  command->add_option("--string-bytes", flags->string_bytes, "as of burin generate")
      ->check(CLI::Range(1, static_cast<int>(kMostStringBytes)))
      ->type_name("BYTES");
  add_state_flag(*command, flags->states);
  add_external_root(*command, flags->external_root, flags->links_root);
  command->footer(
      std::string("The interpreter needs neither a compiler nor a description of hardware, and "
                  "computes what "
                  "the file\nmeans, before anything is fused: what a tree is verified with. It is "
                  "slow.\n\n"
                  "Examples:\n"
                  "  burin run net.onnx --input x=digit.npy\n"
                  "  burin run net.onnx --input x=digit.png --config host\n"
                  "  burin run net.onnx --input all.npz --tree tree\n"
                  "  burin run net.onnx --input ids=tokens.csv --input mask=mask.npy --output "
                  "results\n\n") +
      kExitCodesText);
  return [flags] { return run_model(*flags); };
}

}  // namespace burin
