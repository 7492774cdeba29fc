#include "cli/pack_command.h"

#include <CLI/CLI.hpp>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <memory>
#include <sstream>
#include <utility>
#include <vector>

#include "cli/completion.h"
#include "cli/packed_compile.h"
#include "cli/usage.h"
#include "support/diagnostics.h"
#include "support/whole_files.h"
#include "vliw/checker/checker.h"
#include "vliw/explain.h"

namespace burin {
namespace {

struct PackFlags {
  std::vector<std::string> input;  // one file, or a compiler's command
  std::string config, output, policy = "best", html;
  double w = -1;
  bool check = false, explain = false, json = false, strict = false, sweep = false,
       no_pipeline = false, no_convention = false, compile = false;
};

std::string read_input(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  std::stringstream text;
  text << file.rdbuf();
  if (!file || std::filesystem::is_directory(path))
    located({path, "", "", "", ""}, [] { refuse("cannot-read", "the file cannot be read"); });
  constexpr size_t kLargest = size_t{1} << 28;
  if (text.str().size() > kLargest)
    located({path, "", "", "", ""}, [] { refuse("limit", "more than 256 MiB of assembly"); });
  return text.str();
}

int check(const vliw::Module& module, const vliw::Machine& machine, bool strict) {
  const std::vector<std::string> warnings = vliw::dissolve(module, machine, {strict}).warnings;
  for (const std::string& warning : warnings) std::fprintf(stderr, "%s\n", warning.c_str());
  const std::vector<vliw::Violation> violations = vliw::check_packets(module, machine);
  for (const vliw::Violation& v : violations) {
    std::printf("%s:%d:%d: error: %s [%s]\n", module.file.c_str(), v.line, v.column,
                v.message.c_str(), v.rule.c_str());
  }
  if (violations.empty()) {
    std::printf("every packet %sis legal on %s\n", warnings.empty() ? "" : "that the table knows ",
                machine.name.c_str());
  }
  return violations.empty() ? kExitOk : kExitDiffers;
}

int sweep(const vliw::Module& module, const vliw::Machine& machine) {
  std::printf("%6s %9s %9s\n", "w", "packets", "cycles");
  for (const double w : machine.sda_sweep) {
    vliw::PackOptions options;
    options.policy = vliw::Policy::kSda;
    options.w = w;
    vliw::Cost total;
    for (const vliw::BlockReport& block : vliw::pack(module, machine, options).blocks) {
      total.packets += block.after.packets;
      total.cycles += block.after.cycles;
    }
    std::printf("%6.2f %9d %9.1f\n", w, total.packets, total.cycles);
  }
  return kExitOk;
}

int run(const PackFlags& flags) {
  if (!flags.compile && flags.input.size() > 1)
    throw UsageError{"pack takes one file", "--compile takes a compiler's command behind --"};
  const vliw::Machine machine = vliw::load_machine(vliw::machine_path_of(flags.config));
  vliw::PackOptions options;
  options.policy = vliw::policy_of(flags.policy);
  options.strict = flags.strict;
  options.w = flags.w;
  options.pipeline = !flags.no_pipeline;
  if (flags.no_convention) options.at_return = vliw::AtReturn::kEverything;
  if (flags.compile) {
    return compile_packed(flags.input, [&](const std::string& text, const std::string& name) {
      const vliw::Module module = vliw::read_assembly(text, name, machine);
      return vliw::print_assembly(vliw::pack(module, machine, options).module);
    });
  }
  const std::string& input = flags.input[0];
  const vliw::Module module = vliw::read_assembly(read_input(input), input, machine);
  if (flags.check) return check(module, machine, flags.strict);
  if (flags.sweep) return sweep(module, machine);
  const vliw::PackResult result = vliw::pack(module, machine, options);
  for (const std::string& warning : result.warnings) std::fprintf(stderr, "%s\n", warning.c_str());
  const std::string text = vliw::print_assembly(result.module);
  std::vector<vliw::ExplainedBlock> blocks;
  if (flags.explain || flags.json || !flags.html.empty()) blocks = vliw::explain(result, machine);
  WholeFiles outputs;
  if (!flags.output.empty()) outputs.add(flags.output, text);
  if (!flags.html.empty()) outputs.add(flags.html, vliw::explain_html(blocks, input));
  outputs.place();
  if (flags.json)
    std::fputs(vliw::explain_json(blocks).c_str(), stdout);
  else if (flags.explain)
    std::fputs(vliw::explain_text(blocks).c_str(), stdout);
  else if (flags.output.empty())
    std::fputs(text.c_str(), stdout);
  return kExitOk;
}

}  // namespace

Command add_pack(CLI::App& app) {
  CLI::App* command = app.add_subcommand("pack", "pack Hexagon assembly into VLIW packets");
  auto flags = std::make_shared<PackFlags>();
  command->add_option("input", flags->input, "assembly, as clang writes it")
      ->required()
      ->type_name("FILE");
  command
      ->add_option("--config", flags->config, "hardware description, or the packer's machine file")
      ->required()
      ->type_name("FILE");
  command->add_option("-o,--output", flags->output, "packed assembly; standard output if left out")
      ->type_name("FILE");
  command->add_option("--policy", flags->policy, "sda, soft-to-hard, soft-to-none, list or best")
      ->type_name("POLICY");
  offer(*command->get_option("--policy"), {"sda", "soft-to-hard", "soft-to-none", "list", "best"});
  command
      ->add_option("--w", flags->w,
                   "weight of GCD2's Equation 4, from 0 to 1, instead of the machine file's")
      ->check(CLI::Range(0.0, 1.0));
  CLI::Option* check =
      command->add_flag("--check", flags->check,
                        "only judge the packets that are there (exit code 4 if one is not legal)");
  command->add_flag("--explain", flags->explain, "print each block's timeline");
  command->add_flag("--json", flags->json, "print each block's timeline as JSON");
  command->add_option("--html", flags->html, "write each block's timeline as a page")
      ->type_name("FILE");
  CLI::Option* sweep = command->add_flag("--sweep", flags->sweep,
                                         "print packets and cycles for each w of the machine file");
  command->add_flag("--no-pipeline", flags->no_pipeline,
                    "leave hardware loops as the block packer packs them");
  command->add_flag("--no-convention", flags->no_convention,
                    "take every register as read by callers, not only results and saved ones");
  command->add_flag("--strict", flags->strict, "refuse instructions that the table does not have");
  // These two write nothing, so that whoever asks for a file as well has meant something else.
  sweep->excludes(check);
  CLI::Option* compile = command->add_flag(
      "--compile", flags->compile,
      "behind -- is a compiler with its arguments: its object is made of packed assembly");
  compile->excludes(check)->excludes(sweep);
  for (const char* output : {"--output", "--explain", "--json", "--html"}) {
    compile->excludes(command->get_option(output));
    check->excludes(command->get_option(output));
    sweep->excludes(command->get_option(output));
  }
  command->footer(std::string("Examples:\n"
                              "  burin pack kernel.s --config hexagon-v66 -o packed.s\n"
                              "  burin pack kernel.s --config hexagon-v66 --explain\n"
                              "  burin pack packed.s --config hexagon-v66 --check\n"
                              "  burin pack --config hexagon-v66 --compile -- clang++ -c a.cpp -o "
                              "a.o\n\n") +
                  kExitCodesText);
  return [flags] { return run(*flags); };
}

}  // namespace burin
