// Printed programs do what run_loops() does: programs as text, printed as C++, compiled with the
// vectors of the machine that runs this, and run. Here is what kernels of models reach seldom: what
// counters, names and vectors may take for each other.
#include <gtest/gtest.h>

#include <fstream>
#include <sstream>

#include "backends/cpp/program_printer.h"
#include "kernel/tensor.h"
#include "loops/run.h"
#include "loops/text.h"
#include "loops/transforms/strength_reduce.h"
#include "loops/transforms/vectorise.h"
#include "loops/verify.h"
#include "support/process.h"

namespace burin::printed_programs_test {
namespace {

constexpr int64_t kRows = 64, kColumns = 64, kElements = kRows * kColumns;

const char* const kHeader =
    "program \"p\"\n"
    "var i0 row < 64\nvar i1 column < 64\nvar i2 other < 64\n"
    "buffer x f32 [64, 64] argument of 0\n"
    "buffer y f32 [64, 64] argument of 1 written\n"
    "buffer b u8 [64, 64] argument of 2 written\n"
    "buffer sum f32 [] local\n";

std::vector<double> wanted(const loops::Program& program) {
  std::vector<Value> values(3);
  for (Value& value : values) {
    value.type = Type::f32;
    value.shape = {kRows, kColumns};
    value.kind = ValueKind::internal;
  }
  values[2].type = Type::u8;
  Environment environment;
  for (ValueId v = 0; v < 3; ++v) {
    HostTensor tensor = make_tensor(values[static_cast<size_t>(v)].type, {kRows, kColumns});
    for (int64_t i = 0; i < kElements; ++i)
      tensor.set(i, {v == 0 ? static_cast<double>(i % 301) : 0, 0});
    environment.tensors[v] = tensor;
  }
  const RunResult result = loops::run_loops(program, values, environment);
  EXPECT_EQ(result.status, kRunOk) << result.message;
  std::vector<double> out;
  for (int64_t i = 0; i < kElements; ++i)
    out.push_back(environment.tensor(values, 1).get(i).number);
  for (int64_t i = 0; i < kElements; ++i)
    out.push_back(static_cast<double>(environment.tensor(values, 2).get(i).integer));
  return out;
}

std::vector<double> printed(const loops::Program& program) {
  cpp::TextBuilder text;
  cpp::Headers headers;
  cpp::ProgramPrinter(program, text, headers, cpp::cpp_language(), "int64_t",
                      {[](ValueId id) {
                         return std::string(id == 0 ? "x" : id == 1 ? "y" : "b");
                       },
                       [](const Symbol& symbol) { return symbol->name; },
                       {}})
      .print();
  const ScratchFolder folder;
  std::ofstream source(folder.path() + "/program.cpp");
  source << "#include <stdint.h>\n#include <stdio.h>\n";
  for (const std::string& header : headers) source << "#include \"runtime_min/" << header << "\"\n";
  source
      << "static void run(const float* __restrict x, float* __restrict y, uint8_t* __restrict b) "
         "{\n"
      << text.text() << "}\n"
      << "static float x[4096], y[4096];\nstatic uint8_t b[4096];\n"
      << "int main() {\n  for (int i = 0; i < 4096; ++i) x[i] = static_cast<float>(i % 301);\n"
      << "  run(x, y, b);\n  for (float one : y) printf(\"%.9g \", one);\n"
      << "  for (uint8_t one : b) printf(\"%d \", one);\n}\n";
  source.close();
  const ProcessResult built = run_process(
      {BURIN_CXX_COMPILER, "-std=c++17", "-O2", "-march=native", "-Wall", "-Wextra", "-Werror",
       "-Wno-unused-parameter", "-Wno-psabi", std::string("-I") + BURIN_SOURCE_DIR,
       folder.path() + "/program.cpp", "-o", folder.path() + "/program"},
      120);
  EXPECT_EQ(built.exit_code, 0) << built.output << text.text();
  const ProcessResult ran = run_process({folder.path() + "/program"}, 60);
  EXPECT_EQ(ran.exit_code, 0) << ran.output;
  std::istringstream numbers(ran.output);
  std::vector<double> out;
  for (double number = 0; numbers >> number;) out.push_back(static_cast<float>(number));
  return out;
}

void expect_printed_as_run(const loops::Program& program) {
  EXPECT_EQ(loops::verify(program), std::vector<std::string>()) << loops::to_string(program);
  EXPECT_EQ(printed(program), wanted(program)) << loops::to_string(program);
}

loops::Program counted(const std::string& body) {
  return loops::strength_reduce(loops::parse(kHeader + body, {}));
}

TEST(PrintedPrograms, CountersOfEveryKind) {
  expect_printed_as_run(counted(
      "{ for i0 in 0 .. 5 { for i1 in 0 .. 60 {\n"
      "y[i0, i1] = ((x[((i1 // 3) // 4), ((i1 // 3) % 4)] + x[(i1 // 7 + i1 % 7) // 5, i0])\n"
      "  + x[((60 - i1) // 7), ((i1 * 5 + i0) % 11)]) } } }"));
}

// The remainder of the next point is that of another counter's present one.
TEST(PrintedPrograms, CountersOnePointApart) {
  expect_printed_as_run(
      counted("{ for i1 in 0 .. 60 { y[0, i1] = (x[0, (((i1 + 1) // 3) % 4)]\n"
              "  + x[((((i1 // 3) % 4) * 3 + i1 % 7) // 5), 0]) } }"));
}

// What one branch computes the other one has not.
TEST(PrintedPrograms, BranchesShareNoNames) {
  expect_printed_as_run(counted(
      "{ for i0 in 0 .. 64 { if 3 <= i0 < 40 {\n"
      "    alloc sum sum[] = (exp((x[i0, 1] * 0.01)) * exp((x[i0, 1] * 0.01))) y[i0, 0] = sum[]\n"
      "  } else { alloc sum sum[] = (exp((x[i0, 1] * 0.01)) + exp((x[i0, 1] * 0.01))) y[i0, 0] = "
      "sum[] } } }"));
}

// A store that follows reads what the one before it has written, in every lane.
TEST(PrintedPrograms, VectorsReadWhatWasWritten) {
  const loops::Program rows =
      loops::parse(kHeader + std::string("{ for i0 in 0 .. 64 { for i1 in 0 .. 61 {\n"
                                         "y[i0, i1] = ((x[i0, i1] * x[i0, i1]) * 0.01)\n"
                                         "y[i0, i1] = max((y[i0, i1] + y[i0, i1]), x[i0, 2])\n"
                                         "b[i0, i1] = u8.sat((round((y[i0, i1] / 3)) + 7)) } } }"),
                   {});
  for (const int lanes : {4, 8, 16}) {
    const loops::Change change = loops::vectorise(rows, 1, lanes);
    ASSERT_TRUE(change.done()) << change.refusal;
    expect_printed_as_run(change.program);
  }
}

}  // namespace
}  // namespace burin::printed_programs_test
