// Printed programs do what run_loops() does: programs as text, printed as C++, compiled with the
// vectors of the machine that runs this, and run. Here is what kernels of models reach seldom: what
// counters, names and vectors may take for each other.
#include <gtest/gtest.h>

#include <fstream>
#include <sstream>

#include "backends/cpp/cpp_language.h"
#include "isa/all_rows.h"
#include "kernel/tensor.h"
#include "loops/program_text.h"
#include "loops/run/run.h"
#include "loops/transforms/strength_reduce.h"
#include "loops/transforms/vectorise.h"
#include "loops/verify/verify_program.h"
#include "print/program_printer.h"
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
    "buffer sum f32 [] local\n"
    "buffer w i32 [64] stack\n";

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
  print::TextBuilder text;
  print::Headers headers;
  print::ProgramPrinter(program, text, headers, cpp::cpp_language(), "int64_t",
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
      loops::parse(kHeader + std::string("{ for i0 in 0 .. 64 { alloc w for i1 in 0 .. 61 {\n"
                                         "y[i0, i1] = ((x[i0, i1] * x[i0, i1]) * 0.01)\n"
                                         "y[i0, i1] = max((y[i0, i1] + y[i0, i1]), x[i0, 2])\n"
                                         "b[i0, i1] = u8.sat((round((y[i0, i1] / 3)) + 7))\n"
                                         "w[i1] = (i32(b[i0, i1]) * 3:i32)\n"
                                         "y[i0, i1] = (y[i0, i1] + f32(w[i1])) } } }"),
                   {});
  for (const int lanes : {4, 8, 16}) {
    for (const loops::Rest rest : {loops::Rest::one_by_one, loops::Rest::masked}) {
      const loops::Change change = loops::vectorise(rows, 1, lanes, rest);
      ASSERT_TRUE(change.done()) << change.refusal;
      expect_printed_as_run(change.program);
    }
  }
}

// Tiles of two rows and two vectors, compiled: of every number of lanes, with one sum for an
// element and with three, over depths that fill these and not, in place and in a function of their
// own.
TEST(PrintedPrograms, TilesOfEveryShape) {
  for (const int lanes : {4, 8, 16}) {
    const std::string l = std::to_string(lanes), own = "f32x" + l;
    for (const bool outlined : {false, true}) {
      std::string body = "{\n",
                  buffers = "buffer array f32 [2, " + std::to_string(2 * lanes) + "] stack\n";
      const auto every = [](const std::string& call) {
        return "for i3 in 0 .. 2 unrolled { for i4 in 0 .. 2 unrolled { call " + call + " } }\n";
      };
      int number = 0;
      for (const int steps : {1, 3}) {
        for (const int depth : {0, 1, 7, 9}) {
          const std::string name = "sums" + std::to_string(number), n = std::to_string(steps);
          buffers += "buffer " + name + " f32 [" + n + ", 2, 2, " + l + "] registers\n";
          const auto sum = [&](const std::string& step) {
            return name + "[" + step + ", i3, i4, 0 : 1, 1, 1, " + l + "]";
          };
          const auto product = [&](const std::string& step, const std::string& at) {
            return every("add_product_" + own + " c: " + sum(step) + ", a: x[i3, " + at +
                         " : 1, 1], b: x[" + at + " + 20, " + l + "*i4 : 1, " + l + "]");
          };
          const std::string whole = std::to_string(depth / steps * steps);
          if (outlined) body += "for i6 in 0 .. 1 outlined {\n";
          body += "alloc " + name + "\nfor i5 in 0 .. " + n + " unrolled { " +
                  every("zero_" + own + " c: " + sum("i5")) + "}\n";
          body += "for i2 in 0 .. " + whole + " step " + n + " { for i5 in 0 .. " + n +
                  " unrolled { " + product("i5", "(i2 + i5)") + "} }\n";
          body += "for i2 in " + whole + " .. " + std::to_string(depth) + " { " +
                  product("0", "i2") + "}\n";
          for (int step = 1; step < steps; ++step)
            body +=
                every("add_sums_" + own + " c: " + sum("0") + ", b: " + sum(std::to_string(step)));
          body +=
              every("store_" + own + " to: array[i3, " + l + "*i4 : 1, " + l + "], c: " + sum("0"));
          if (outlined) body += "}\n";
          body += "for i0 in 0 .. 2 { for i1 in 0 .. " + std::to_string(2 * lanes) + " { y[" +
                  std::to_string(2 * number) + " + i0, i1] = array[i0, i1] } }\n";
          ++number;
        }
      }
      const std::string vars =
          "var i3 line < 2\nvar i4 vector < 2\nvar i5 step < 3\nvar i6 function < 1\n";
      const std::string header = kHeader;
      const size_t at = header.find("buffer x");
      expect_printed_as_run(loops::parse(header.substr(0, at) + vars + header.substr(at) + buffers +
                                             "{ alloc array\n" + body.substr(2) + "}",
                                         isa::all_rows()));
    }
  }
}

}  // namespace
}  // namespace burin::printed_programs_test
