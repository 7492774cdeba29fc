// The program: one command, one exit code, one line for what is wrong.
#include <CLI/CLI.hpp>
#include <cstdio>
#include <filesystem>
#include <new>
#include <system_error>

#include "cli/commands.h"
#include "cli/config_flag.h"
#include "cli/pack_command.h"
#include "cli/usage.h"
#include "support/check.h"
#include "support/diagnostics.h"
#include "support/version.h"

namespace burin {

namespace {

int parse_and_run(int argc, char** argv) {
  CLI::App app{
      "burin reads a trained network (ONNX) and a description of one piece of hardware (JSON), "
      "decides\neverything ahead of time, and writes a source tree that builds with nothing but a "
      "compiler.",
      "burin"};
  app.require_subcommand(0, 1);
  app.set_version_flag("--version", std::string(version()), "print the version and exit");
  app.get_option("--help")->description("print this text and exit; every command has one");
  app.footer(std::string("Example:\n"
                         "  burin generate model.onnx --config cpp-generic --output "
                         "tree\n\n") +
             kExitCodesText);
  const std::pair<const char*, Command> commands[] = {
      {"generate", add_generate(app)}, {"regenerate", add_regenerate(app)},
      {"check", add_check(app)},       {"analyze", add_analyze(app)},
      {"bench", add_bench(app)},       {"run", add_run(app)},
      {"verify", add_verify(app)},     {"tune", add_tune(app)},
      {"diff", add_diff(app)},         {"configs", add_configs(app)},
      {"ops", add_ops(app)},           {"docs", add_docs(app)},
      {"pack", add_pack(app)}};
  const std::vector<std::string> arguments(argv + (argc > 0), argv + argc);
  if (const int code = check_names(app, arguments); code != kExitOk) return code;
  try {
    app.parse(argc, argv);
  } catch (const CLI::CallForHelp&) {
    std::fputs(wrapped(app.help()).c_str(), stdout);
    return kExitOk;
  } catch (const CLI::Success& version) {
    return app.exit(version);
  } catch (const CLI::ParseError& error) {
    const std::string command = app.get_subcommands().empty() ? "" : arguments[0] + " ";
    const std::string help = "see burin " + command + "--help";
    const bool config = std::string_view(error.what()).starts_with("--config is required");
    return parse_error(error.what(),
                       config ? "it is a file, or one of " + known_configs() + "; " + help : help);
  }
  for (const auto& [name, command] : commands) {
    if (app.got_subcommand(name)) return command();
  }
  return usage_error("no command is given", "see burin --help");
}

// What the system would not do: with the path, where it is about one.
int system_error(const std::string& where, const std::error_code& code) {
  std::fprintf(stderr, "%s%serror: %s [io]\n", where.c_str(), where.empty() ? "" : ": ",
               code.message().c_str());
  return kExitRefused;
}

int run_command(int argc, char** argv) {
  try {
    return parse_and_run(argc, argv);
  } catch (const UsageError& error) {
    return usage_error(error.what, error.hint);
  } catch (const Refused& refused) {
    std::fprintf(stderr, "%s\n", refused.what());
    return kExitRefused;
  } catch (const InternalError& error) {
    std::fprintf(stderr, "burin: internal error: %s\n", error.what());
    return kExitInternal;
  } catch (const std::bad_alloc&) {
    std::fprintf(stderr, "error: out of memory [limit]\n");
    return kExitRefused;
  } catch (const std::filesystem::filesystem_error& error) {
    return system_error(error.path1().empty() ? "" : burin::quoted(error.path1().string()),
                        error.code());
  } catch (const std::system_error& error) {
    return system_error("", error.code());
  } catch (const std::exception& error) {
    std::fprintf(stderr, "burin: internal error: %s\n", error.what());
    return kExitInternal;
  }
}

}  // namespace

int run_program(int argc, char** argv) {
  const int code = run_command(argc, argv);
  // What stands on a full disk is no answer.
  if (std::fflush(stdout) == 0 && std::ferror(stdout) == 0) return code;
  std::fprintf(stderr, "burin: error: standard output cannot be written [io]\n");
  return code == kExitOk ? kExitRefused : code;
}

}  // namespace burin
