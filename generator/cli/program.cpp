// The program: one command, one exit code.
#include <CLI/CLI.hpp>
#include <cstdio>
#include <new>

#include "cli/commands.h"
#include "cli/pack_command.h"
#include "support/check.h"
#include "support/diagnostics.h"

namespace burin {

int run_program(int argc, char** argv) {
  CLI::App app{
      "burin reads an ONNX model and a description of one piece of hardware, decides everything "
      "ahead of\n"
      "time, and writes a standalone source tree that builds with nothing but a compiler."};
  app.require_subcommand(1);
  app.set_version_flag("--version", BURIN_VERSION);
  app.footer(
      "Exit codes: 0 done, 1 the input was refused, 2 usage, 3 a bug of burin, 4 it ran but "
      "differs\n"
      "(verify, --check), 5 a tool that burin called failed.");
  const std::pair<const char*, Command> commands[] = {{"generate", add_generate(app)},
                                                      {"analyze", add_analyze(app)},
                                                      {"verify", add_verify(app)},
                                                      {"ops", add_ops(app)},
                                                      {"pack", add_pack(app)}};
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    // Help and version are no errors; everything else is a usage error, whatever its number is
    // there.
    return app.exit(error) == 0 ? kExitOk : kExitUsage;
  }
  try {
    for (const auto& [name, command] : commands) {
      if (app.got_subcommand(name)) return command();
    }
    return kExitUsage;
  } catch (const Refused& refused) {
    std::fprintf(stderr, "%s\n", refused.what());
    return kExitRefused;
  } catch (const InternalError& error) {
    std::fprintf(stderr, "burin: internal error: %s\n", error.what());
    return kExitInternal;
  } catch (const std::bad_alloc&) {
    std::fprintf(stderr, "burin: error: out of memory [limit]\n");
    return kExitRefused;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "burin: internal error: %s\n", error.what());
    return kExitInternal;
  }
}

}  // namespace burin
