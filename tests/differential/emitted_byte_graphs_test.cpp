// Random networks of 8 bits (support/byte_graph.h) as emitted code on Hexagon, with optimisation as
// users build them and pages behind every buffer that nobody may read. By hand, hundreds:
//   BURIN_BYTE_GRAPHS=first..last[@hardware] [BURIN_BYTE_GRAPHS_KEEP=folder] burin_byte_graphs
#include <gtest/gtest.h>

#include <cstdio>
#include <cstdlib>
#include <fstream>

#include "differential/support/byte_graph.h"
#include "differential/support/emitted.h"
#include "differential/support/emitted_run.h"
#include "kernel/interpreter/interpreter.h"
#include "report/compare.h"

namespace burin::emitted_byte_graphs_test {
namespace {

struct Asked {
  unsigned long long first = 1107, last = 1112;  // every kind of row is among them
  std::string hardware = "hexagon-v66";
};

Asked asked() {
  Asked out;
  const char* text = std::getenv("BURIN_BYTE_GRAPHS");
  if (text == nullptr) return out;
  char hardware[64] = "hexagon-v66";
  EXPECT_GE(std::sscanf(text, "%llu..%llu@%63s", &out.first, &out.last, hardware), 2) << text;
  EXPECT_LE(out.first, out.last) << text;
  out.hardware = hardware;
  return out;
}

// What the kernels mean before instructions are chosen: the same description, whose rows no kernel
// finds, gives them generic loops.
RunResult without_rows(const ByteGraph& graph, const EmittedProgram& program,
                       const std::string& name) {
  CompileOptions options;
  options.model = program.folder() + "/model.onnx";
  Hardware hardware = project_hardware(name);
  hardware.rows.resize(1);
  hardware.rows[0].instruction = "none";
  return interpret(compile(options, hardware).plan.graph, graph.inputs, {});
}

EmittedProgram program_of(const ByteGraph& graph, const std::string& hardware) {
  return EmittedProgram(graph.model, {.hardware = hardware.c_str(),
                                      .sanitize = false,
                                      .flags = {"-O2", "-DBURIN_TEST_PAGES=65536"}});
}

// Every element is that of kernels without instructions; of QLinear operators, that of the model
// before anything is fused; where floats are summed, that of another machine's tree.
void expect_bytes(const ByteGraph& graph, const Asked& how) {
  const EmittedProgram program = program_of(graph, how.hardware);
  const RunResult want =
      graph.exact ? program.expected(graph.inputs) : without_rows(graph, program, how.hardware);
  ASSERT_EQ(want.status, kRunOk) << want.message;
  std::vector<std::vector<int64_t>> shapes;
  for (const HostTensor& output : want.outputs) shapes.push_back(output.shape);
  const RunOutcome got = program.run_for(graph.inputs, shapes);
  const std::vector<HostTensor> wanted =
      graph.float_sums ? program_of(graph, "x86-64-v3").run_for(graph.inputs, shapes).outputs
                       : want.outputs;
  ASSERT_EQ(got.status, 0) << got.explained;
  ASSERT_EQ(got.outputs.size(), wanted.size());
  for (size_t k = 0; k < wanted.size(); ++k) {
    EXPECT_EQ(got.outputs[k].shape, wanted[k].shape);
    const Difference difference = compare(got.outputs[k], wanted[k], Tolerance{});
    EXPECT_TRUE(difference.agrees()) << to_string(difference);
  }
}

TEST(EmittedByteGraphs, AreTheInterpretersBytes) {
  const Asked how = asked();
  for (unsigned long long seed = how.first; seed <= how.last; ++seed) {
    const ByteGraph graph = byte_graph(seed);
    SCOPED_TRACE(std::to_string(seed) + " " + graph.says);
    std::printf("%llu %s\n", seed, graph.says.c_str());
    std::fflush(stdout);
    if (const char* keep = std::getenv("BURIN_BYTE_GRAPHS_KEEP"))
      std::ofstream(std::string(keep) + "/" + std::to_string(seed) + ".onnx", std::ios::binary)
          << graph.model;
    try {
      expect_bytes(graph, how);
    } catch (const std::exception& failed) {
      ADD_FAILURE() << failed.what();
    }
  }
}

}  // namespace
}  // namespace burin::emitted_byte_graphs_test
