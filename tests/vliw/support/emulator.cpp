#include "vliw/support/emulator.h"

#include <sys/wait.h>

#include <cstdio>
#include <filesystem>
#include <fstream>
#include <sstream>

namespace burin::vliw::testing {
namespace {

const std::string kSupport = std::string(BURIN_SOURCE_DIR) + "/tests/vliw/support/";

std::string flags(const std::string& version) {
  return " --target=hexagon -mcpu=hexagon" + version + " -mhvx -mhvx-length=128b ";
}

std::string quote(const std::string& path) { return "'" + path + "'"; }

}  // namespace

Output run_command(const std::string& command) {
  Output output;
  FILE* pipe = popen((command + " 2>&1").c_str(), "r");
  if (pipe == nullptr) return {-1, "cannot run"};
  char buffer[4096];
  size_t n = 0;
  while ((n = fread(buffer, 1, sizeof buffer, pipe)) > 0) output.text.append(buffer, n);
  const int status = pclose(pipe);
  output.status = WIFEXITED(status) ? WEXITSTATUS(status) : 128;
  return output;
}

std::string read_text(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  std::stringstream text;
  text << file.rdbuf();
  return text.str();
}

void write_text(const std::string& path, const std::string& text) {
  std::ofstream(path, std::ios::binary) << text;
}

std::string fresh_folder(const std::string& name) {
  const std::string path = std::string(BURIN_BINARY_DIR) + "/vliw_tests/" + name;
  std::filesystem::remove_all(path);
  std::filesystem::create_directories(path);
  return path + "/";
}

std::string assemble_text(const std::string& assembly, const std::string& object,
                          const std::string& version) {
  write_text(object + ".s", assembly);
  const Output output = run_command(
      "llvm-mc-19 -triple=hexagon -mcpu=hexagon" + version + " -mattr=+hvx" + version +
      ",+hvx-length128b -filetype=obj -o " + quote(object) + " " + quote(object + ".s"));
  if (output.status == 0) return {};
  return output.text.empty() ? "the assembler failed" : output.text;
}

std::string with_function_table(const std::string& functions, int count, Runs runs) {
  const std::string helper =
      "\t.p2align 4\nhelper:\n\t{ r0 = add(r0,r1)\n\t  r2 = memw(r16+#4) }\n"
      "\t{ memw(r16+#0) = r2\n\t  p0 = cmp.gt(r0,r3)\n\t  v0.w = vadd(v0.w,v1.w)\n\t  jumpr r31 "
      "}\n";
  std::string text =
      "\t.text\n" + helper + functions + "\t.data\n\t.globl functions\n\t.p2align 2\nfunctions:\n";
  for (int i = 0; i < count; ++i) text += "\t.word f" + std::to_string(i) + "\n";
  const auto word = [](const std::string& name, int value) {
    return "\t.globl " + name + "\n" + name + ":\n\t.word " + std::to_string(value) + "\n";
  };
  return text + word("function_count", count) +
         word("functions_apart", runs == Runs::kTogether ? 0 : 1) +
         word("functions_in_pairs", runs == Runs::kPairs ? 1 : 0);
}

std::string version_of(const Machine& machine) {
  return machine.name.substr(machine.name.rfind('v'));
}

Output build_support(const std::string& name, const std::string& options,
                     const std::string& object) {
  return run_command("clang-19" + flags("v65") + "-ffreestanding -fno-pic -G0 -c " + options + " " +
                     quote(kSupport + name) + " -o " + quote(object));
}

Output link_and_run(const std::vector<std::string>& objects, const std::string& program,
                    const std::string& version, int seconds) {
  // Zeroed memory has a fixed address, so that pointers in registers do not depend on the code's
  // size.
  std::string command = "clang-19" + flags(version) +
                        "-nostdlib -static -fuse-ld=lld -Wl,-Tbss=0x20000000 -o " + quote(program);
  for (const std::string& object : objects) command += " " + quote(object);
  const Output linked = run_command(command);
  if (linked.status != 0) return linked;
  {
    constexpr std::streamoff kFlags = 36;  // e_flags of a 32-bit header
    std::fstream file(program, std::ios::binary | std::ios::in | std::ios::out);
    file.seekp(kFlags);
    file.put(0x66);
  }
  return run_command("ulimit -t " + std::to_string(seconds) + "; qemu-hexagon " + quote(program));
}

std::vector<std::string> run_functions(const std::string& assembly, int count,
                                       const std::string& folder, std::string& error,
                                       const std::string& version, Runs runs) {
  error =
      assemble_text(with_function_table(assembly, count, runs), folder + "functions.o", version);
  if (!error.empty()) return {};
  for (const std::string name : {"registers.s", "driver.c"}) {
    const std::string object = folder + name + ".o";
    if (std::filesystem::exists(object)) continue;
    const Output built = build_support(name, "-O1", object);
    if (built.status != 0) {
      error = built.text;
      return {};
    }
  }
  const Output ran =
      link_and_run({folder + "functions.o", folder + "registers.s.o", folder + "driver.c.o"},
                   folder + "run", version, runs == Runs::kTogether ? 60 : 600);
  std::vector<std::string> lines;
  std::istringstream stream(ran.text);
  for (std::string line; std::getline(stream, line);) {
    if (line.size() == 40)
      lines.push_back(line);
    else if (runs == Runs::kTogether || line.find("uncaught target signal") == std::string::npos)
      error += line + "\n";
  }
  if (ran.status != 0) error += "the emulator ended with " + std::to_string(ran.status) + "\n";
  return lines;
}

bool is_dead(const std::string& line) {
  return line.size() == 40 && line.find_first_not_of('f', 7) == 23 &&
         line.find_first_not_of('f', 24) == std::string::npos;
}

}  // namespace burin::vliw::testing
