// Every row of isa/: it is well formed, and what its spelling computes, compiled, is what its
// meaning says, with operands at their extremes. Rows of this machine run natively where it has the
// instruction, and always as the plain arithmetic that stands in for it; Arm's run under emulation.
#include <gtest/gtest.h>

#include <fstream>
#include <set>

#include "hardware/load.h"
#include "isa/all_rows.h"
#include "isa/arm_dot.h"
#include "isa/arm_mmla.h"
#include "isa/bit_rows.h"
#include "isa/byte_rows.h"
#include "isa/digit_rows.h"
#include "isa/float_rows.h"
#include "isa/fold_rows.h"
#include "isa/held_rows.h"
#include "isa/hvx.h"
#include "isa/interleave_rows.h"
#include "isa/lane_rows.h"
#include "isa/matrix_rows.h"
#include "isa/move_rows.h"
#include "isa/pad_fours.h"
#include "isa/pad_rows.h"
#include "isa/pair_rows.h"
#include "isa/pool_rows.h"
#include "isa/quantise_rows.h"
#include "isa/requantise_rows.h"
#include "isa/sliding_fours.h"
#include "isa/sum_rows.h"
#include "isa/x86_dot.h"
#include "support/machine_flags.h"
#include "unit/support/spelled_rows.h"

namespace burin::isa_rows_test {
namespace {

using namespace spelled_rows;

TEST(IsaRows, AreWellFormed) {
  ASSERT_FALSE(isa::all_rows().empty());
  std::set<std::string> names;
  for (const isa::Instruction* row : isa::all_rows()) {
    EXPECT_EQ(isa::check_row(*row), "") << row->name;
    EXPECT_TRUE(names.insert(row->name).second) << row->name;
    EXPECT_EQ(isa::find_row(row->name), row);
  }
}

TEST(IsaRows, AWrongRowIsFound) {
  isa::Instruction row = isa::x86_dot()[0];
  row.operands[0].access = isa::Access::read;
  EXPECT_EQ(isa::check_row(row), "vpdpbusd_512: operand c is read, its value is not");
  row = isa::x86_dot()[0];
  row.spellings[0].text = "{c} = dot({c}, {a});";
  EXPECT_EQ(isa::check_row(row), "vpdpbusd_512: a spelling does not name b");
}

TEST(IsaRows, SpellingsOfX86MeanWhatTheySay) {
  const std::vector<isa::Instruction> rows = isa::x86_dot();
  for (const std::string compiler : {"g++", "clang++"}) {
    expect_spelled(rows, {compiler}, "");
    if (machine_has("avx2")) expect_spelled(rows, {compiler, "-mavx2"}, "");
    if (machine_has("avx512_vnni"))
      expect_spelled(rows, {compiler, "-mavx512f", "-mavx512bw", "-mavx512vl", "-mavx512vnni"}, "");
    if (machine_has("avx512_bf16"))
      expect_spelled(rows, {compiler, "-mavx512f", "-mavx512bw", "-mavx512vl", "-mavx512bf16"}, "");
  }
}

// Sums that nobody opened a unit for are plain arithmetic.
TEST(IsaRows, SpellingsOfMatricesMeanWhatTheySay) {
  std::vector<isa::Instruction> rows;
  for (const isa::Instruction& row : isa::matrix_rows()) {
    if (row.sizes.size() == 1 || row.operands.empty()) continue;
    if (row.sizes.empty()) {
      rows.push_back(row);
      continue;
    }
    rows.push_back(sized(row, {3, 20, 300}));
  }
  for (const std::string compiler : {"g++", "clang++"}) expect_spelled(rows, {compiler}, "");
}

// ... and the unit's instructions give what these give: whole tiles, several steps, every shape.
// Where this machine has no such unit, they are assembled only.
TEST(IsaRows, MatricesOfTheUnitAreThoseOfArithmetic) {
  const ScratchFolder scratch;
  const std::string& folder = scratch.path();
  std::string text = R"(
#include <stdio.h>
#include "runtime_min/matrix.h"
static uint32_t state = 7;
static uint8_t drawn() { return static_cast<uint8_t>((state = state * 1664525u + 1013904223u) >> 24); }
template <class Element>
static Element element() { return static_cast<Element>(drawn()); }
// A bfloat16 whose sums of products are exact.
template <>
uint16_t element<uint16_t>() {
  const float number = static_cast<float>(drawn() % 32 - 15);
  return static_cast<uint16_t>(burin_rt::to_bits(number) >> 16);
}
static uint32_t bits_of(int32_t sum) { return static_cast<uint32_t>(sum); }
static uint32_t bits_of(float sum) { return burin_rt::to_bits(sum); }
template <int kRows, int kColumns, class A, class B, class Sum = int32_t>
static void tile(int64_t groups, int64_t pitch_a, int64_t pitch_b, int64_t steps) {
  static A a[1 << 16];
  static B b[1 << 16];
  for (A& one : a) one = element<A>();
  for (B& one : b) one = element<B>();
  static Sum to[kRows * 16][kColumns * 16];
  uint64_t hash = 14695981039346656037u;
  burin_rt::open_matrix<kRows, kColumns>(groups);
  for (int turn = 0; turn < 2; ++turn) {
    burin_rt::MatrixSums<kRows, kColumns, Sum> sums;
    burin_rt::zero_matrix(sums);
    for (int64_t k = 0; k < steps; ++k)
      burin_rt::add_matrix(sums, a + 4 / sizeof(A) * groups * k + turn, b + pitch_b * groups * k, groups, pitch_a, pitch_b);
    burin_rt::store_matrix(&to[0][0], sums);
    for (const auto& row : to) for (const Sum sum : row) hash = (hash ^ bits_of(sum)) * 1099511628211u;
  }
  burin_rt::close_matrix();
  printf("%llx\n", static_cast<unsigned long long>(hash));
}
int main() {
)";
  for (const isa::MatrixShape& shape : isa::matrix_shapes()) {
    const std::string of =
        "  tile<" + std::to_string(shape.rows) + ", " + std::to_string(shape.columns) + ", ";
    text += of + "int8_t, uint8_t>(16, 64, 64 * " + std::to_string(shape.columns) + ", 1);\n";
    text += of + "uint8_t, int8_t>(5, 71, 300, 3);\n" + of + "int8_t, uint8_t>(1, 4, 256, 2);\n";
    text += of + "uint16_t, uint16_t, float>(16, 37, 33 * " + std::to_string(shape.columns) +
            ", 2);\n" + of + "uint16_t, uint16_t, float>(7, 14, 200, 3);\n";
  }
  text += "}\n";
  std::ofstream(folder + "/main.cpp") << text;
  const auto run = [](const std::vector<std::string>& command) {
    const ProcessResult result = run_process(command, 120);
    EXPECT_EQ(result.exit_code, 0) << result.output;
    return result.output;
  };
  std::string wanted;
  for (const std::string compiler : {"g++", "clang++"}) {
    for (const bool unit : {false, true}) {
      const std::string program = folder + "/" + compiler + (unit ? "_unit" : "_plain");
      std::vector<std::string> command{
          compiler, "-O2",  "-std=c++14", "-I" BURIN_SOURCE_DIR, folder + "/main.cpp",
          "-o",     program};
      if (unit) command.insert(command.end(), {"-mamx-tile", "-mamx-int8", "-mamx-bf16"});
      run(command);
      if (unit && !(machine_has("amx_int8") && machine_has("amx_bf16"))) continue;
      const std::string printed = run({program});
      if (wanted.empty()) wanted = printed;
      EXPECT_EQ(printed, wanted) << program;
    }
  }
}

TEST(IsaRows, SpellingsOfBitsMeanWhatTheySay) {
  const std::vector<isa::Instruction> rows = isa::bit_rows();
  for (const std::string compiler : {"g++", "clang++"}) {
    expect_spelled(rows, {compiler}, "");
    if (machine_has("avx2")) expect_spelled(rows, {compiler, "-mavx2"}, "");
    if (machine_has("avx512f")) expect_spelled(rows, {compiler, "-mavx512f"}, "");
    if (machine_has("avx512bw")) expect_spelled(rows, {compiler, "-mavx512f", "-mavx512bw"}, "");
    if (machine_has("avx512_vpopcntdq"))
      expect_spelled(rows, {compiler, "-mavx512f", "-mavx512vpopcntdq"}, "");
  }
  expect_spelled(rows, {"aarch64-linux-gnu-g++", "-static"}, "qemu-aarch64 -cpu max");
}

TEST(IsaRows, SpellingsOfLanesMeanWhatTheySay) {
  for (const auto& rows : {isa::zero_rows(), isa::store_rows()}) expect_spelled(rows, {"g++"}, "");
}

TEST(IsaRows, SpellingsOfFloatsMeanWhatTheySay) {
  std::vector<isa::Instruction> rows;
  for (const isa::Instruction& row : isa::float_rows()) {
    if (row.sizes.empty()) {
      rows.push_back(row);
      continue;
    }
    for (const int64_t size : {1, 7, 8, 61, 128}) rows.push_back(sized(row, size));
  }
  for (const std::string compiler : {"g++", "clang++"}) {
    expect_spelled(rows, {compiler}, "");
    if (machine_has("f16c")) expect_spelled(rows, {compiler, "-mavx", "-mf16c"}, "");
    if (machine_has("avx2")) expect_spelled(rows, {compiler, "-mavx2", "-mf16c"}, "");
    if (machine_has("avx512f"))
      expect_spelled(rows, {compiler, "-mavx512f", "-mfma", "-mf16c"}, "");
  }
  expect_spelled(rows, {"aarch64-linux-gnu-g++", "-static"}, "qemu-aarch64 -cpu max");
}

TEST(IsaRows, SpellingsOfTablesMeanWhatTheySay) {
  std::vector<isa::Instruction> rows;
  for (const isa::Instruction& row : isa::byte_rows()) {
    if (row.sizes.empty()) continue;
    for (const int64_t size : {1, 15, 16, 31, 48, 64, 80, 200}) rows.push_back(sized(row, size));
  }
  for (const std::string compiler : {"g++", "clang++"}) {
    expect_spelled(rows, {compiler}, "");
    if (machine_has("avx2")) expect_spelled(rows, {compiler, "-mavx2"}, "");
    if (machine_has("avx512bw")) expect_spelled(rows, {compiler, "-mavx512f", "-mavx512bw"}, "");
    if (machine_has("avx512vbmi"))
      expect_spelled(rows, {compiler, "-mavx512f", "-mavx512bw", "-mavx512vbmi"}, "");
  }
  expect_spelled(rows, {"aarch64-linux-gnu-g++", "-static"}, "qemu-aarch64 -cpu max");
}

// Vectors of one register, of several, and none.
TEST(IsaRows, SpellingsOfInterleavedRowsMeanWhatTheySay) {
  std::vector<isa::Instruction> rows;
  for (const isa::Instruction& row : isa::interleave_rows()) {
    for (const int64_t pitch : {16, 17, 40}) rows.push_back(sized(row, pitch));
  }
  for (const std::string compiler : {"g++", "clang++"}) {
    expect_spelled(rows, {compiler}, "");
    if (machine_has("avx2")) expect_spelled(rows, {compiler, "-mavx2"}, "");
    if (machine_has("avx512f")) expect_spelled(rows, {compiler, "-mavx512f"}, "");
  }
  expect_spelled(rows, {"aarch64-linux-gnu-g++", "-static"}, "qemu-aarch64 -cpu max");
}

// With and without the instructions, by both compilers.
void expect_spelled_on_arm(const std::vector<isa::Instruction>& rows,
                           const std::vector<std::string>& marchs) {
  for (const std::string& march : marchs) {
    expect_spelled(rows, {"aarch64-linux-gnu-g++", march, "-static"}, "qemu-aarch64 -cpu max");
    expect_spelled(rows, {"clang++", "--target=aarch64-linux-gnu", march, "-static"},
                   "qemu-aarch64 -cpu max");
  }
}

TEST(IsaRows, SpellingsOfArmMeanWhatTheySay) {
  for (const auto& rows : {isa::arm_dot(), isa::dot_bundle_rows()})
    expect_spelled_on_arm(rows, {"-march=armv8-a", "-march=armv8.2-a+dotprod+bf16"});
}

TEST(IsaRows, SpellingsOfBlocksMeanWhatTheySay) {
  for (const auto& rows : {isa::mmla_rows(), isa::settled_rows(), isa::eight_rows()}) {
    expect_spelled_on_arm(rows, {"-march=armv8-a", "-march=armv8.2-a+i8mm"});
    expect_spelled(rows, {"clang++"}, "");
  }
}

// Planes of any sizes: rows, pitch, width, before, pitch that was.
std::vector<isa::Instruction> drawn_planes() {
  Numbers numbers(23);
  std::vector<isa::Instruction> out;
  const auto draw = [&](const isa::Instruction& row, int64_t stride) {
    if (row.name.find("u8_as_i8") == std::string::npos) return;
    for (int n = 0; n < 4; ++n) {
      const auto up_to = [&](int64_t most) {
        return static_cast<int64_t>(numbers.below(static_cast<uint64_t>(most) + 1));
      };
      const int64_t width = 1 + up_to(n % 2 ? 30 : 70), before = up_to(3);
      out.push_back(sized(row, {1 + up_to(20), width + before + up_to(3), width, before,
                                (width - 1) * stride + 1 + up_to(n % 3 ? 3 : 40)}));
    }
  };
  for (const isa::Instruction& row : isa::pad_rows()) draw(row, 1);
  for (const isa::Instruction& row : isa::pad_fours())
    draw(row, row.name.ends_with("_by2") ? 2 : 1);
  return out;
}

// In plain vectors, whatever these are.
TEST(IsaRows, SpellingsOfPlanesMeanWhatTheySayInPlainVectors) {
  const std::vector<isa::Instruction> rows = drawn_planes();
  for (const std::string compiler : {"g++", "clang++"}) {
    expect_spelled(rows, {compiler}, "");
    if (machine_has("avx2")) expect_spelled(rows, {compiler, "-mavx2"}, "");
    if (machine_has("avx512bw"))
      expect_spelled(rows, {compiler, "-mavx512f", "-mavx512bw", "-mavx512vl"}, "");
  }
  expect_spelled(rows, {"aarch64-linux-gnu-g++", "-static"}, "qemu-aarch64 -cpu max");
}

// As its description has it built and run, and as scalar code.
TEST(IsaRows, SpellingsOfHvxMeanWhatTheySay) {
  const Hardware hexagon = load_hardware(BURIN_SOURCE_DIR "/configs/hexagon-v66.json");
  const Compiler& found = hexagon.compilers[0];
  std::vector<std::string> compiler = found.command;
  compiler.insert(compiler.end(), found.compile_flags.begin(), found.compile_flags.end());
  std::vector<isa::Instruction> rows = isa::hvx();
  for (const auto& more :
       {isa::zero_rows(), isa::store_rows(), isa::requantise_rows(), isa::quantise_rows(),
        isa::sliding_fours(), isa::held_rows(), isa::pair_rows(), isa::digit_rows()})
    rows.insert(rows.end(), more.begin(), more.end());
  std::vector<isa::Instruction> moves;
  for (const isa::Instruction& row : isa::byte_rows()) {
    if (row.sizes.empty()) {
      rows.push_back(row);
      continue;
    }
    for (const int64_t size : {28, 200, 515}) moves.push_back(sized(row, size));
  }
  // Rows, pitch, width, before, pitch that was: several in a vector, apart and together; one; more.
  for (const isa::Instruction& row : isa::pad_rows()) {
    for (const std::vector<int64_t>& sizes : {std::vector<int64_t>{5, 30, 28, 1, 28},
                                              {14, 16, 14, 1, 14},
                                              {28, 28, 28, 0, 30},
                                              {31, 9, 7, 2, 7},
                                              {1, 30, 28, 1, 28},
                                              {29, 7, 3, 2, 11},
                                              {6, 56, 56, 0, 58},
                                              {3, 135, 130, 2, 140}})
      moves.push_back(sized(row, sizes));
  }
  // Rows, pitch, width, before, pitch that was: one vector, two, several; few bytes; no margins.
  for (const isa::Instruction& row : isa::pad_fours()) {
    for (const std::vector<int64_t>& sizes : {std::vector<int64_t>{5, 30, 28, 1, 56},
                                              {6, 15, 14, 1, 28},
                                              {9, 58, 56, 1, 112},
                                              {3, 135, 130, 2, 261},
                                              {14, 15, 14, 0, 56},
                                              {7, 8, 7, 1, 7},
                                              {16, 16, 14, 1, 14},
                                              {30, 30, 28, 1, 28},
                                              {2, 9, 7, 0, 14}})
      moves.push_back(sized(row, sizes));
  }
  for (isa::Instruction& row : drawn_planes()) moves.push_back(std::move(row));
  for (const isa::Instruction& row : isa::sum_rows()) {
    if (row.sizes.size() == 1) {
      for (const int64_t size : {1, 49, 128, 300}) rows.push_back(sized(row, size));
      continue;
    }
    for (const std::vector<int64_t>& sizes :
         {std::vector<int64_t>{33, 49}, {32, 128}, {5, 7}, {64, 300}})
      rows.push_back(sized(row, sizes));
  }
  // Rows, count, taps, columns, step, pitch: few in a vector, several vectors, windows apart.
  for (const isa::Instruction& row : isa::pool_rows()) {
    const int stride = row.name.ends_with("_by2") ? 2 : 1;
    for (const std::vector<int64_t>& sizes : {std::vector<int64_t>{5, 30, 2, 2, 2, 61},
                                              {9, 14, 3, 3, stride, 28 * stride},
                                              {1, 20, 1, 4, 1, 50},
                                              {7, 130, 2, 3, 1, 132 * stride},
                                              {3, 300, 3, 1, 3, 300 * stride}})
      moves.push_back(sized(row, sizes));
  }
  for (const isa::Instruction& row : isa::fold_rows()) {
    for (const int64_t size : {1, 300}) moves.push_back(sized(row, size));
  }
  for (const isa::Instruction& row : isa::move_rows()) {
    for (const int64_t size : {33, 200}) moves.push_back(sized(row, size));
    if (row.name.find("u8_as_i8") == std::string::npos) continue;
    for (const int64_t size : {1, 28, 32, 127, 128}) moves.push_back(sized(row, size));
  }
  constexpr size_t kAtATime = 16;  // compilers take long for one large function
  const auto expect_all = [&](const std::vector<isa::Instruction>& all) {
    for (size_t first = 0; first < all.size(); first += kAtATime) {
      const auto begin = all.begin() + static_cast<ptrdiff_t>(first);
      const std::vector<isa::Instruction> some(
          begin, begin + static_cast<ptrdiff_t>(std::min(kAtATime, all.size() - first)));
      expect_spelled(some, compiler, hexagon.runner[0], found.link_flags, kBare);
    }
  };
  expect_all(moves);
  expect_all(rows);
  std::erase_if(compiler, [](const std::string& flag) { return flag.starts_with("-mhvx"); });
  expect_all(moves);
  expect_all(rows);
}

}  // namespace
}  // namespace burin::isa_rows_test
