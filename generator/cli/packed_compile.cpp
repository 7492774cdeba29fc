#include "cli/packed_compile.h"

#include <algorithm>
#include <cstdio>

#include "support/file_bytes.h"
#include "support/process.h"
#include "support/whole_files.h"

namespace burin {
namespace {

constexpr double kSeconds = 1200;

int run_compiler(const std::vector<std::string>& command) {
  const ProcessResult result = run_process(command, kSeconds);
  std::fputs(result.output.c_str(), stderr);
  return result.exit_code;
}

bool is_assembly(const std::string& path) { return path.ends_with(".s") || path.ends_with(".S"); }

// Of the flags those that say which machine it is.
std::vector<std::string> assembler_of(const std::vector<std::string>& command) {
  std::vector<std::string> out{command[0]};
  for (size_t i = 1; i < command.size(); ++i) {
    const std::string& one = command[i];
    if (one == "-mllvm") {
      ++i;
    } else if (one.starts_with("-m") || one.starts_with("--target=")) {
      out.push_back(one);
    } else if (one == "-target" && i + 1 < command.size()) {
      out.push_back(one);
      out.push_back(command[++i]);
    }
  }
  return out;
}

}  // namespace

int compile_packed(
    std::vector<std::string> command,
    const std::function<std::string(const std::string& text, const std::string& name)>& pack) {
  const auto compiles = std::find(command.begin(), command.end(), "-c");
  const auto to = std::find(command.begin(), command.end(), "-o");
  if (compiles == command.end() || to == command.end() || to + 1 == command.end() ||
      std::any_of(command.begin() + 1, command.end(), is_assembly))
    return run_compiler(command);
  const std::string object = to[1], read = object + ".read.s", packed = object + ".s";
  *compiles = "-S";
  to[1] = read;
  if (const int failed = run_compiler(command); failed != 0) return failed;
  WholeFiles files;
  files.add(packed, pack(read_file(read), read));
  files.place();
  std::vector<std::string> assembler = assembler_of(command);
  assembler.insert(assembler.end(), {"-c", "-o", object, packed});
  return run_compiler(assembler);
}

}  // namespace burin
