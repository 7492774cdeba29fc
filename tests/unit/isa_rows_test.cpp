// Every row of isa/: it is well formed, and what its spelling computes, compiled, is what its
// meaning says, with operands at their extremes. Rows of this machine run natively where it has the
// instruction, and always as the plain arithmetic that stands in for it; Arm's run under emulation.
#include <gtest/gtest.h>

#include <fstream>
#include <set>
#include <sstream>

#include "isa/arm_dot.h"
#include "isa/lane_rows.h"
#include "isa/rows.h"
#include "isa/x86_dot.h"
#include "kernel/interpreter.h"
#include "support/numbers.h"
#include "support/process.h"

namespace burin::isa_rows_test {
namespace {

// Elements at the ends of their range, around zero and in between.
int64_t extreme(Type type, Numbers& numbers) {
  const int64_t lo = lowest(type), hi = highest(type);
  const int64_t all[] = {lo, lo + 1, -1, 0, 1, hi - 1, hi, lo / 3, hi / 5};
  const int64_t one = all[numbers.below(std::size(all))];
  return std::max(lo, std::min(hi, one));
}

struct Trial {
  std::vector<HostTensor> operands;
  HostTensor wanted;  // of the operand that is written
};

std::vector<Trial> trials(const isa::Instruction& row) {
  Numbers numbers(7);
  std::vector<Trial> out;
  for (int t = 0; t < 200; ++t) {
    Trial trial;
    Environment environment;
    std::vector<Value> values = row.values;
    size_t written = 0;
    for (size_t k = 0; k < values.size(); ++k) {
      std::vector<int64_t> shape;
      for (const Dim& dim : values[k].shape) shape.push_back(dim.constant());
      HostTensor tensor = make_tensor(values[k].type, shape);
      for (int64_t i = 0; i < tensor.elements(); ++i)
        tensor.set(i, {0, extreme(values[k].type, numbers)});
      values[k].kind = ValueKind::internal;
      if (row.operands[k].access != isa::Access::read) written = k;
      environment.tensors[static_cast<ValueId>(k)] = tensor;
      trial.operands.push_back(std::move(tensor));
    }
    EXPECT_EQ(execute_steps({row.meaning}, values, environment).status, kRunOk);
    trial.wanted = environment.tensors.at(static_cast<ValueId>(written));
    out.push_back(std::move(trial));
  }
  return out;
}

// Operand k of every trial: [trial][element].
std::string array(const std::string& name, const std::vector<Trial>& all, size_t k) {
  const Type of = all[0].operands[k].type;
  const std::string type = std::string(of == Type::i32   ? "int32_t"
                                       : of == Type::i16 ? "int16_t"
                                       : of == Type::u8  ? "uint8_t"
                                                         : "int8_t");
  std::string out =
      type + " all_" + name + "[][" + std::to_string(all[0].operands[k].elements()) + "] = {\n";
  for (const Trial& trial : all) {
    out += "{";
    for (int64_t i = 0; i < trial.operands[k].elements(); ++i) {
      // The least number has no literal of its own.
      const int64_t value = trial.operands[k].get(i).integer;
      out += value == INT32_MIN ? "INT32_MIN, " : std::to_string(value) + ", ";
    }
    out += "},\n";
  }
  return out + "};\n";
}

// A program that applies the spelling to every trial and prints what it has written then.
std::string program(const isa::Instruction& row, const isa::Spelling& spelling,
                    const std::vector<Trial>& all) {
  std::string text = spelling.text;
  const auto put = [&](const std::string& name, const std::string& by) {
    for (size_t at; (at = text.find("{" + name + "}")) != std::string::npos;)
      text.replace(at, name.size() + 2, by);
  };
  // Operands in registers are vectors, made of their arrays before and put there behind.
  std::string before, behind, written;
  for (size_t k = 0; k < row.operands.size(); ++k) {
    const isa::Operand& operand = row.operands[k];
    if (operand.access != isa::Access::read) written = operand.name;
    const bool vector = operand.place == isa::Place::registers;
    put(operand.name, vector ? operand.name + "_lanes" : operand.name);
    if (!vector) continue;
    const std::string own = operand.name + "_lanes",
                      lanes = std::to_string(row.values[k].shape[0].constant());
    before += "burin_rt::IntVector<" + lanes + "> " + own + ";\nmemcpy(&" + own + ", " +
              operand.name + ", sizeof " + own + ");\n";
    if (operand.access != isa::Access::read)
      behind += "memcpy(" + operand.name + ", &" + own + ", sizeof " + own + ");\n";
  }
  std::string out =
      "#include <stdio.h>\n#include <string.h>\n#include \"runtime_min/" + spelling.header + "\"\n";
  for (size_t k = 0; k < row.operands.size(); ++k) out += array(row.operands[k].name, all, k);
  out += "int main() {\nfor (int t = 0; t < " + std::to_string(all.size()) + "; ++t) {\n";
  for (const isa::Operand& operand : row.operands)
    out += "auto& " + operand.name + " = all_" + operand.name + "[t];\n";
  return out + before + text + "\n" + behind + "for (int32_t one : " + written +
         ") printf(\"%d \", one);\n}\n}\n";
}

std::string wanted_text(const std::vector<Trial>& all) {
  std::string out;
  for (const Trial& trial : all) {
    for (int64_t i = 0; i < trial.wanted.elements(); ++i)
      out += std::to_string(trial.wanted.get(i).integer) + " ";
  }
  return out;
}

void expect_spelled(const isa::Instruction& row, std::vector<std::string> compiler,
                    const std::string& runner) {
  const isa::Spelling* spelling = isa::spelling_for(row, compiler[0]);
  ASSERT_NE(spelling, nullptr) << row.name;
  const ScratchFolder folder;
  const std::vector<Trial> all = trials(row);
  std::ofstream(folder.path() + "/row.cpp") << program(row, *spelling, all);
  const std::string binary = folder.path() + "/row", printed = folder.path() + "/printed";
  compiler.insert(compiler.end(), {"-std=c++17", "-O1", "-Wall", "-Wextra", "-Werror", "-I",
                                   BURIN_SOURCE_DIR, folder.path() + "/row.cpp", "-o", binary});
  const ProcessResult built = run_process(compiler, 120);
  ASSERT_EQ(built.exit_code, 0) << row.name << ": " << built.output;
  const std::string run = (runner.empty() ? "" : runner + " ") + binary + " > " + printed;
  ASSERT_EQ(run_process({"sh", "-c", run}, 120).exit_code, 0) << row.name;
  std::ifstream file(printed);
  std::ostringstream got;
  got << file.rdbuf();
  EXPECT_EQ(got.str(), wanted_text(all)) << row.name << " by " << compiler[0];
}

bool this_machine_has(const std::string& feature) {
  std::ifstream file("/proc/cpuinfo");
  std::ostringstream text;
  text << file.rdbuf();
  return text.str().find(" " + feature + " ") != std::string::npos;
}

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
  for (const isa::Instruction& row : isa::x86_dot()) {
    for (const std::string compiler : {"g++", "clang++"}) {
      expect_spelled(row, {compiler}, "");
      if (this_machine_has("avx2")) expect_spelled(row, {compiler, "-mavx2"}, "");
      if (this_machine_has("avx512_vnni"))
        expect_spelled(row, {compiler, "-mavx512f", "-mavx512bw", "-mavx512vl", "-mavx512vnni"},
                       "");
    }
  }
}

TEST(IsaRows, SpellingsOfLanesMeanWhatTheySay) {
  for (const auto& rows : {isa::zero_rows(), isa::store_rows()}) {
    for (const isa::Instruction& row : rows) expect_spelled(row, {"g++"}, "");
  }
}

TEST(IsaRows, SpellingsOfArmMeanWhatTheySay) {
  for (const isa::Instruction& row : isa::arm_dot()) {
    for (const std::string march : {"-march=armv8-a", "-march=armv8.2-a+dotprod"})
      expect_spelled(row, {"aarch64-linux-gnu-g++", march, "-static"}, "qemu-aarch64 -cpu max");
  }
}

}  // namespace
}  // namespace burin::isa_rows_test
