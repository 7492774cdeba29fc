// Every compiler and runner that a description in configs/ names really works: a small program,
// compiled with its flags, reads a file, computes with the target's floats and integers, and writes
// the answer.
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "hardware/load.h"
#include "support/embedded.h"

namespace burin::hardware_toolchain_test {
namespace {

namespace fs = std::filesystem;

// Sums the bytes of its input as floats, aligned to the arena's alignment, and prints digits.
constexpr const char* kProgram = R"(
#include "program.h"
static float sum(const unsigned char* bytes, size_t n) {
  float total = 0;
  for (size_t i = 0; i < n; ++i) total += static_cast<float>(bytes[i]) * 0.5f;
  return total;
}
int program_main(int argc, char** argv) {
  if (argc != 3) return 2;
  const int file = program_open(argv[1]);
  unsigned char* const bytes = static_cast<unsigned char*>(program_memory(4096));
  if (file < 0 || bytes == nullptr) return 3;
  const size_t n = program_read(file, bytes, 4096);
  program_close(file);
  const uint64_t before = program_nanoseconds();
  float total = sum(bytes, n);
  if (program_nanoseconds() < before || before == 0) return 4;
  char text[8] = {'0', '0', '0', '0', '\n', 0, 0, 0};
  for (int place = 1000, i = 0; i < 4; ++i, place = i == 1 ? 100 : i == 2 ? 10 : 1) {
    for (; total >= static_cast<float>(place); total -= static_cast<float>(place)) ++text[i];
  }
  const int out = program_create(argv[2]);
  if (out < 0 || program_write(out, text, 5) != 5) return 5;
  program_close(out);
  return program_write(1, text, 5) == 5 ? 7 : 6;
}
)";

int run(const std::string& command) {
  const int status = std::system(command.c_str());
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

std::string joined(const std::vector<std::string>& words) {
  std::string out;
  for (const std::string& word : words) out += "'" + word + "' ";
  return out;
}

std::string text_of(const fs::path& path) {
  std::ostringstream text;
  text << std::ifstream(path, std::ios::binary).rdbuf();
  return text.str();
}

class Toolchain : public ::testing::TestWithParam<const char*> {};

TEST_P(Toolchain, BuildsAndRunsAProgram) {
  const Hardware hardware =
      load_hardware(std::string(BURIN_SOURCE_DIR "/configs/") + GetParam() + ".json");
  const fs::path folder =
      fs::temp_directory_path() / ("burin_toolchain_" + hardware.name + std::to_string(getpid()));
  fs::create_directories(folder);
  const auto write = [&](const char* name, std::string_view text) {
    std::ofstream(folder / name, std::ios::binary) << text;
  };
  write("program.h", embedded_file(std::string("templates/project/program/") +
                                   name_of(hardware.program) + ".h"));
  write("main.cpp", kProgram);
  std::string input;
  for (int i = 0; i < 100; ++i) input += static_cast<char>(i);
  write("input", input);
  for (const Compiler& compiler : hardware.compilers) {
    const std::string in = "cd " + folder.string() + " && ";
    ASSERT_EQ(
        run(in + joined(compiler.command) + joined(compiler.compile_flags) +
            "-std=c++17 -fno-exceptions -fno-rtti -ffp-contract=off -Wall -Wextra -Wconversion "
            "-Werror -o program main.cpp " +
            joined(compiler.link_flags)),
        0)
        << hardware.name << " " << compiler.name;
    // The program gives its own status; 0 + 1 + ... + 99 halved is 2475.
    ASSERT_EQ(run(in + joined(hardware.command_of("./program", {"input", "output"})) + "> printed"),
              7)
        << hardware.name << " " << compiler.name;
    EXPECT_EQ(text_of(folder / "output"), "2475\n");
    EXPECT_EQ(text_of(folder / "printed"), "2475\n");
    EXPECT_EQ(run(in + joined(hardware.command_of("./program", {"absent", "output"}))), 3);
  }
  fs::remove_all(folder);
}

INSTANTIATE_TEST_SUITE_P(Configs, Toolchain,
                         ::testing::Values("cpp-generic", "x86-64-v3", "armv8-neoverse-n1",
                                           "armv8-i8mm", "hexagon-v66", "hexagon-v66-pairs",
                                           "hexagon-v68", "hexagon-v69", "hexagon-v73", "cortex-m4",
                                           "cortex-m7", "cortex-m33", "cortex-m55", "rv32imc",
                                           "riscv64-v"));

// AVX-512 is not on every machine that runs the tests: there the program is built.
class ToolchainWithoutMachine : public ::testing::TestWithParam<const char*> {};
INSTANTIATE_TEST_SUITE_P(Configs, ToolchainWithoutMachine,
                         ::testing::Values("x86-64-v4-vnni", "x86-64-v4-amx"));

TEST_P(ToolchainWithoutMachine, BuildsAlways) {
  const Hardware hardware =
      load_hardware(std::string(BURIN_SOURCE_DIR "/configs/") + GetParam() + ".json");
  for (const Compiler& compiler : hardware.compilers) {
    EXPECT_EQ(run("echo 'int f(int x) { return x; }' | " + joined(compiler.command) +
                  joined(compiler.compile_flags) + "-std=c++17 -x c++ -S -o /dev/null -"),
              0);
  }
}

}  // namespace
}  // namespace burin::hardware_toolchain_test
