// runtime_min as its users build it: every header alone under strict warnings, no library calls,
// loops that vectorise, and the same bits from every compiler, flag and target (aarch64 and Hexagon
// under emulation).

#include <gtest/gtest.h>
#include <sys/wait.h>

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <map>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "support/machine_flags.h"

namespace {

namespace fs = std::filesystem;

const std::string kSource = BURIN_SOURCE_DIR;
const std::string kStrict =
    " -std=c++17 -Wall -Wextra -Wconversion -Wsign-conversion -Wshadow -Werror -fno-exceptions "
    "-fno-rtti -I" +
    kSource + " ";

struct Ran {
  int status;
  std::string output;  // of both streams
};
Ran run(const std::string& command) {
  Ran ran{-1, ""};
  FILE* pipe = popen((command + " 2>&1").c_str(), "r");
  if (pipe == nullptr) return ran;
  char buffer[4096];
  for (size_t n; (n = fread(buffer, 1, sizeof buffer, pipe)) > 0;) ran.output.append(buffer, n);
  const int status = pclose(pipe);
  ran.status = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  return ran;
}

// A folder of this process that vanishes with the test.
class Folder {
 public:
  Folder() {
    std::string name = (fs::temp_directory_path() / "burin_rt_XXXXXX").string();
    path_ = mkdtemp(name.data()) != nullptr ? name : "";
  }
  ~Folder() { fs::remove_all(path_); }
  std::string file(const std::string& name) const { return path_ + "/" + name; }

 private:
  std::string path_;
};

std::vector<std::string> headers() {
  std::vector<std::string> found;
  for (const auto& entry : fs::recursive_directory_iterator(kSource + "/runtime_min")) {
    // What is hosted needs a system, and stands in files of its own.
    if (entry.path().parent_path().filename() == "hosted") continue;
    if (entry.path().extension() == ".h")
      found.push_back(fs::relative(entry.path(), kSource).string());
  }
  std::sort(found.begin(), found.end());
  return found;
}

// The host side of a device finds its library when it runs: there is a system with libraries then.
bool loads_a_library(const std::string& header) {
  return header.find("/opencl/") != std::string::npos;
}

// Templates are only looked at in full when they are instantiated.
constexpr const char* kInstances = R"(
#include "runtime_min/cast.h"
#include "runtime_min/procedures/compress.h"
#include "runtime_min/procedures/copy_bits.h"
#include "runtime_min/procedures/determinant.h"
#include "runtime_min/procedures/inverse.h"
#include "runtime_min/procedures/non_max_suppression.h"
#include "runtime_min/procedures/non_zero.h"
#include "runtime_min/procedures/read_numbers.h"
#include "runtime_min/procedures/stop_if.h"
#include "runtime_min/procedures/top_k.h"
#include "runtime_min/procedures/unique.h"
#include "runtime_min/procedures/write_numbers.h"
using namespace burin_rt;
template int32_t burin_rt::top_k<F16>(const ProcedureCall&);
template int32_t burin_rt::top_k<uint8_t>(const ProcedureCall&);
template int32_t burin_rt::non_zero<bool>(const ProcedureCall&);
template int32_t burin_rt::non_zero<double>(const ProcedureCall&);
template int32_t burin_rt::compress<uint16_t>(const ProcedureCall&);
template int32_t burin_rt::stop_if<uint8_t>(const ProcedureCall&);
template int32_t burin_rt::unique<BF16>(const ProcedureCall&);
template int32_t burin_rt::unique<int64_t>(const ProcedureCall&);
template int32_t burin_rt::non_max_suppression<float>(const ProcedureCall&);
template int32_t burin_rt::non_max_suppression<double>(const ProcedureCall&);
template int32_t burin_rt::copy_bits<uint16_t>(const ProcedureCall&);
template int32_t burin_rt::determinant<float>(const ProcedureCall&);
template int32_t burin_rt::inverse<float>(const ProcedureCall&);
template int32_t burin_rt::read_numbers<float>(const ProcedureCall&);
template int32_t burin_rt::read_numbers<int64_t>(const ProcedureCall&);
template int32_t burin_rt::write_numbers<double>(const ProcedureCall&);
template int32_t burin_rt::write_numbers<uint64_t>(const ProcedureCall&);
template int8_t burin_rt::to_integer_saturate<int8_t, double>(double);
template uint64_t burin_rt::to_integer_saturate<uint64_t, float>(float);
)";

TEST(RtBuild, EveryHeaderStandsAlone) {
  const Folder folder;
  ASSERT_GT(headers().size(), 20u);
  for (const std::string compiler :
       {"g++", "clang++-14", "clang++-19 --target=hexagon -mcpu=hexagonv66"}) {
    const bool firmware = compiler.find("hexagon") != std::string::npos;
    std::string all;
    for (const std::string& header : headers()) {
      if (firmware && loads_a_library(header)) continue;
      // each twice, alone in a file; the files are compiled in one command
      std::string name = header;
      for (char& c : name) c = c == '/' || c == '.' ? '_' : c;
      const std::string file = folder.file(name + ".cpp");
      std::ofstream(file) << "#include \"" << header << "\"\n#include \"" << header << "\"\n";
      all += " " + file;
    }
    std::ofstream(folder.file("instances.cpp")) << kInstances;
    all += " " + folder.file("instances.cpp");
    const Ran ran = run(compiler + kStrict + "-ffreestanding -fsyntax-only" + all);
    EXPECT_EQ(ran.status, 0) << compiler << "\n" << ran.output;
  }
}

TEST(RtBuild, HeadersIncludeOnlyThemselvesAndTheirTwoStandardOnes) {
  for (const std::string& header : headers()) {
    std::ifstream in(kSource + "/" + header);
    for (std::string line; std::getline(in, line);) {
      if (line.rfind("#include <", 0) != 0) continue;
      EXPECT_TRUE(line == "#include <stdint.h>" || line == "#include <stddef.h>" ||
                  (line == "#include <dlfcn.h>" && loads_a_library(header)))
          << header << ": " << line;
    }
  }
}

TEST(RtBuild, FastMathIsRefused) {
  const Ran ran = run("g++ -ffast-math -fsyntax-only -x c++ " + kSource + "/runtime_min/exp.h");
  EXPECT_NE(ran.status, 0);
  EXPECT_NE(ran.output.find("-ffast-math breaks NaN"), std::string::npos);
}

// What the probe needs from outside: its output function, and what every compiler may call.
TEST(RtBuild, NoLibraryCalls) {
  const Folder folder;
  const std::set<std::string> allowed = {"putchar", "memcpy", "memmove", "memset", "memcmp"};
  for (const char* compiler :
       {"g++ -O3 -march=x86-64-v3", "clang++-14 -O0", "aarch64-linux-gnu-g++ -O1"}) {
    const std::string object = folder.file("probe.o");
    const Ran built = run(compiler + kStrict + "-ffreestanding -c " + kSource +
                          "/tests/unit/rt_probe.cpp -o " + object);
    ASSERT_EQ(built.status, 0) << built.output;
    std::istringstream names(run("nm -u --format=posix " + object).output);
    for (std::string name, kind; names >> name >> kind;) {
      EXPECT_TRUE(allowed.count(name) == 1) << compiler << " calls " << name;
    }
  }
}

TEST(RtBuild, LoopsVectorise) {
  const std::string file = kSource + "/tests/unit/rt_loops.cpp";
  std::set<int> wanted;
  std::ifstream in(file);
  std::string line;
  for (int number = 1; std::getline(in, line); ++number) {
    if (line.rfind("F32(", 0) == 0 || line.rfind("F64(", 0) == 0 || line.rfind("LOOP(", 0) == 0)
      wanted.insert(number);
  }
  ASSERT_GT(wanted.size(), 40u);
  for (const char* compiler : {"g++ -mavx2 -mfma", "aarch64-linux-gnu-g++"}) {
    const Ran ran = run(std::string(compiler) + " -std=c++17 -O3 -fno-math-errno -I" + kSource +
                        " -c -o /dev/null -fopt-info-vec-optimized " + file);
    ASSERT_EQ(ran.status, 0) << ran.output;
    std::set<int> vectorised;
    std::istringstream notes(ran.output);  // file:line:column: optimized: loop vectorized ...
    for (std::string note; std::getline(notes, note);) {
      const size_t at = note.find("rt_loops.cpp:");
      if (at == std::string::npos || note.find("loop vectorized") == std::string::npos) continue;
      vectorised.insert(std::stoi(note.substr(at + std::string("rt_loops.cpp:").size())));
    }
    for (const int number : wanted)
      EXPECT_EQ(vectorised.count(number), 1u) << compiler << ": line " << number;
  }
}

using Hashes = std::map<std::string, std::string>;  // "exp f32" -> hash

Hashes hashes_of(const std::string& output) {
  Hashes hashes;
  std::istringstream lines(output);
  for (std::string line; std::getline(lines, line);) {
    const size_t space = line.rfind(' ');
    if (space != std::string::npos) hashes[line.substr(0, space)] = line.substr(space + 1);
  }
  return hashes;
}

Hashes probe(const Folder& folder, const std::string& compiler, const std::string& runner = "") {
  const std::string program = folder.file("probe");
  const Ran built = run(compiler + kStrict + kSource + "/tests/unit/rt_probe.cpp -o " + program);
  EXPECT_EQ(built.status, 0) << compiler << "\n" << built.output;
  const Ran ran = run(runner + program);
  EXPECT_EQ(ran.status, 0) << compiler << "\n" << ran.output;
  return hashes_of(ran.output);
}

// Two results are possible, with and without fused multiply-add; nothing else may matter.
TEST(RtBuild, CompilersFlagsAndTargetsAgreeBitForBit) {
  const Folder folder;
  const Hashes plain = probe(folder, "g++ -O1 -ffp-contract=off");
  const Hashes fused = probe(folder, "g++ -O1 -mavx2 -mfma -ffp-contract=off");
  ASSERT_GT(plain.size(), 80u);
  ASSERT_NE(plain, fused);
  EXPECT_EQ(plain, probe(folder, "clang++-14 -O3 -ffp-contract=fast"));
  EXPECT_EQ(fused, probe(folder, "g++ -O3 -mavx2 -mfma -ffp-contract=fast"));
  EXPECT_EQ(fused, probe(folder, "clang++-14 -O2 -mavx2 -mfma -ffp-contract=fast"));
  EXPECT_EQ(fused, probe(folder, "g++ -O1 -DBURIN_RT_HOST_FMA=1"));
  EXPECT_EQ(fused, probe(folder, "aarch64-linux-gnu-g++ -O3 -static", "qemu-aarch64 "));

  // Hexagon fuses floats, and has doubles in software. Loops stay as they are, as its description
  // wants them; unrolled, those of the probe take the compiler most of a minute.
  const std::string hexagon =
      "clang++-19 --target=hexagon -mcpu=hexagonv66 -ffreestanding -O2 -fno-unroll-loops -c" +
      kStrict;
  const std::string program = folder.file("hexagon");
  const Ran built = run(hexagon + kSource + "/tests/unit/rt_probe.cpp -o " + program + "1.o && " +
                        hexagon + kSource + "/runtime_min/freestanding/support.cpp -o " + program +
                        "2.o && ld.lld-19 -m hexagonelf -static " + program + "1.o " + program +
                        "2.o -o " + program);
  ASSERT_EQ(built.status, 0) << built.output;
  const Hashes got = hashes_of(run("qemu-hexagon " + program).output);
  ASSERT_EQ(got.size(), fused.size());
  for (const auto& [name, hash] : got) {
    const bool is_double = name.size() > 4 && name.compare(name.size() - 4, 4, " f64") == 0;
    EXPECT_EQ(hash, (is_double ? plain : fused).at(name)) << name;
  }
}

// A tree says so where the operating system gives no process the unit for matrices, or there is
// none.
TEST(RtBuild, AUnitForMatricesIsAskedFor) {
  const Folder folder;
  const std::string source = folder.file("ask.cpp"), program = folder.file("ask");
  std::ofstream(source) << "#include \"runtime_min/matrix.h\"\n"
                           "int main() { return burin_rt::matrix_status(); }\n";
  for (const auto& [flags, expected] :
       {std::pair{"-mamx-tile -mamx-int8", burin::machine_has("amx_int8") ? 0 : 16},
        std::pair{"", 0}}) {
    const Ran built = run("g++ -std=c++17 " + std::string(flags) + " -I" + kSource + " " + source +
                          " -o " + program);
    ASSERT_EQ(built.status, 0) << built.output;
    EXPECT_EQ(run(program).status, expected) << flags;
  }
}

}  // namespace
