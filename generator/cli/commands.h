// The commands of burin, one file each. Every function adds its command to the program and, once
// arguments have been read, runs it and returns the exit code.
#pragma once

#include <functional>

namespace CLI {
class App;
}

namespace burin {

// Exit codes; part of the interface.
enum ExitCode : int {
  kExitOk = 0,
  kExitRefused = 1,   // the input was refused
  kExitUsage = 2,     // the command line was not understood
  kExitInternal = 3,  // a bug of burin
  kExitDiffers = 4,   // it ran, but differs: verify, --check
  kExitTool = 5,      // a tool that burin called failed
};

// The end of every command's help.
inline constexpr const char* kExitCodesText =
    "Exit codes: 0 done; 1 the input was refused (a line for each fault says why, nothing is "
    "written);\n2 the command line was not understood; 3 a bug of burin; 4 it ran but differs "
    "(verify, "
    "--check);\n5 a tool that burin called failed (compiler, runner).";

using Command = std::function<int()>;

Command add_generate(CLI::App& app);
Command add_regenerate(CLI::App& app);
Command add_check(CLI::App& app);
Command add_analyze(CLI::App& app);
Command add_run(CLI::App& app);
Command add_bench(CLI::App& app);
Command add_verify(CLI::App& app);
Command add_tune(CLI::App& app);
Command add_diff(CLI::App& app);
Command add_configs(CLI::App& app);
Command add_ops(CLI::App& app);
Command add_docs(CLI::App& app);

// Reads the command line, runs one command, turns refusals into lines on stderr.
int run_program(int argc, char** argv);

}  // namespace burin
