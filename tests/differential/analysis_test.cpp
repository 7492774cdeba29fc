// What `burin analyze --json` prints is a contract: configs/analyze.schema.json, and figures that
// agree with each other, for many models.
#include "report/analysis.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <regex>
#include <set>

#include "backends/emit.h"
#include "differential/support/emitted.h"
#include "hardware/schema.h"
#include "loops/walk.h"
#include "report/data_set.h"
#include "support/diagnostics.h"

namespace burin::analysis_test {
namespace {

const std::string kRoot = BURIN_SOURCE_DIR;

void expect_consistent(const JsonValue& json, const std::string& where) {
  int64_t macs = 0;
  const JsonValue kernels = json.at("kernels"), operators = json.at("operators");
  std::set<std::string> names;
  for (size_t i = 0; i < operators.size(); ++i) names.insert(operators[i].at("name").as_string());
  for (size_t i = 0; i < kernels.size(); ++i) {
    macs += kernels[i].at("macs").as_integer();
    const JsonValue nodes = kernels[i].at("nodes");
    EXPECT_GT(nodes.size(), 0U) << where << ": a kernel stands for no node";
    for (size_t n = 0; n < nodes.size(); ++n) {
      const std::string node = nodes[n].at("name").as_string();
      // The sizes of what a sequence holds, and a copy for an output that is listed twice, are no
      // node's.
      EXPECT_TRUE(names.contains(node) || node.ends_with("_extents") ||
                  nodes[n].at("op").as_string() == "output")
          << where << ": nothing is said of node " << node;
    }
  }
  EXPECT_EQ(json.at("model").at("macs").as_integer(), macs) << where;
  const JsonValue arena = json.at("arena");
  EXPECT_GE(arena.at("bytes_at_hints").as_integer(), arena.at("lower_bound_at_hints").as_integer())
      << where;
  const JsonValue selection = json.at("selection");
  EXPECT_LE(selection.at("bound").as_integer(), selection.at("cost").as_integer()) << where;
  for (const char* other : {"row_major", "local", "greedy", "gcd2_13", "gcd2_17"}) {
    EXPECT_GE(selection.at("alternatives").at(other).as_integer(),
              selection.at("bound").as_integer())
        << where << ": " << other;
  }
}

TEST(Analysis, ManyModelsKeepToTheSchema) {
  const JsonDocument schema = read_json_file(kRoot + "/configs/analyze.schema.json");
  const Hardware hardware = project_hardware("cpp-generic");
  std::vector<std::string> cases = sample(onnx_cases(), 300);
  for (const std::string& folder : find_cases(kRoot + "/tests/models")) cases.push_back(folder);
  size_t refused = 0;
  for (const std::string& folder : cases) {
    CompileOptions options;
    options.model = folder + "/model.onnx";
    options.layouts = LayoutUse::planned;  // as the command does
    std::string text;
    try {
      text = to_json(analyze(compile(options, hardware)));
    } catch (const Refused&) {
      ++refused;
      continue;
    }
    const JsonDocument json = read_json_text(text, folder);
    EXPECT_NO_THROW(validate(json.root(), schema.root())) << text;
    expect_consistent(json.root(), folder);
  }
  EXPECT_LT(refused, cases.size() / 4);
}

// Rows and vectors of a tile, and points of the depth that it sums apart.
using Shape = std::vector<int>;
using Shapes = std::set<Shape>;

// Those of the tiles that a text declares: "burin_rt::FloatVector<8> sums_2[6][2];".
Shapes tiles_declared(const std::string& text) {
  static const std::regex tile(R"(FloatVector<\d+> sums(?:_\d+)?((?:\[\d+\])+);)"),
      number(R"(\d+)");
  Shapes out;
  for (std::sregex_iterator at(text.begin(), text.end(), tile), end; at != end; ++at) {
    const std::string extents = (*at)[1].str();
    Shape shape;
    for (std::sregex_iterator one(extents.begin(), extents.end(), number); one != end; ++one)
      shape.push_back(std::stoi(one->str()));
    if (shape.size() == 2) shape.insert(shape.begin(), 1);
    out.insert({shape[1], shape[2], shape[0]});
  }
  return out;
}

// Those of a program: sums in registers, [parts of the depth][rows][vectors][lanes]. Loops that
// never turn are left out of it, and their tiles with them.
Shapes tiles_of(const loops::Program& program) {
  Shapes out;
  const std::vector<loops::BufferId> written = loops::writes_of(program.body);
  for (size_t id = 0; id < program.buffers.size(); ++id) {
    const loops::Buffer& buffer = program.buffers[id];
    if (std::count(written.begin(), written.end(), static_cast<loops::BufferId>(id)) == 0) continue;
    if (buffer.scope != loops::Scope::registers || !buffer.name.starts_with("sums")) continue;
    if (buffer.type != Type::f32) continue;  // printed as vectors of integers
    Shape shape;
    for (const Dim& extent : buffer.shape) shape.push_back(static_cast<int>(extent.constant()));
    if (shape.size() == 3) shape.insert(shape.begin(), 1);
    out.insert({shape[1], shape[2], shape[0]});
  }
  return out;
}

TEST(Analysis, VersionsAreTheTilesOfTheText) {
  std::set<int> met;
  size_t rows = 0, vectors = 0;
  for (const std::string& folder : find_cases(kRoot + "/tests/models")) {
    CompileOptions options;
    options.model = folder + "/model.onnx";
    if (folder.ends_with("/loop"))
      options.import.dims = {{.name = "trips", .min = 0, .max = 8}};  // which nothing bounds
    const Compiled compiled = compile(options, project_hardware("x86-64-v3"));
    Shapes planned, printed;
    for (const KernelFigures& kernel : analyze(compiled).kernels) {
      const auto found = compiled.plan.kernels.find(kernel.step);
      if (kernel.dropped || found == compiled.plan.kernels.end()) continue;
      const Verbs& verbs = found->second.verbs;
      Shapes own = tiles_of(*found->second.program);
      if (find_verb(verbs, "tile") != nullptr) {
        // Some shapes stand twice: once more where few rows run by themselves.
        const int products = find_verb(verbs, "back to back") != nullptr ? 2 : 1;
        EXPECT_GE(kernel.versions * products, static_cast<int>(own.size()))
            << folder << ": " << kernel.name;
        met.insert(kernel.versions);
      }
      planned.merge(own);
      rows += find_verb(verbs, "specialise rows") != nullptr;
      vectors += find_verb(verbs, "specialise columns") != nullptr;
    }
    const cpp::EmittedTree emitted = emit_tree(compiled.plan);
    for (const auto& [path, entry] : emitted.tree.entries()) {
      if (path.rfind("src/kernels/", 0) == 0) printed.merge(tiles_declared(entry.bytes));
    }
    EXPECT_EQ(planned, printed) << folder;
  }
  EXPECT_GT(met.size(), 3U);
  EXPECT_GT(rows, 0U);
  EXPECT_GT(vectors, 0U);
}

}  // namespace
}  // namespace burin::analysis_test
