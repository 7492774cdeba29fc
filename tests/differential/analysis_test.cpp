// What `burin analyze --json` prints is a contract: configs/analyze.schema.json, and figures that
// agree with each other, for many models.
#include "report/analysis.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "backends/emit.h"
#include "differential/support/emitted.h"
#include "hardware/schema.h"
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

// Places of the text where a tile is called; each is another one.
int tiles_called(const std::string& text) {
  int found = 0;
  for (const char* tile : {"multiply_tile<", "multiply_blocks<", "multiply_shifted<",
                           "multiply_shifted_blocks<", "combine_shifted<"}) {
    for (size_t at = text.find(tile); at != std::string::npos; at = text.find(tile, at + 1))
      ++found;
  }
  return found;
}

// Of versions: which numbers of them occur.
using Numbers = std::set<int>;

TEST(Analysis, VersionsAreTheTilesOfTheText) {
  Numbers met;
  size_t rows = 0, alone = 0, vectors = 0;
  for (const std::string& folder : find_cases(kRoot + "/tests/models")) {
    CompileOptions options;
    options.model = folder + "/model.onnx";
    if (folder.ends_with("/loop"))
      options.import.dims = {{.name = "trips", .min = 0, .max = 8}};  // which nothing bounds
    const Compiled compiled = compile(options, project_hardware("x86-64-v3"));
    Numbers said, printed;
    for (const KernelFigures& kernel : analyze(compiled).kernels) {
      const auto found = compiled.plan.kernels.find(kernel.position);
      if (kernel.dropped || found == compiled.plan.kernels.end() || !found->second.contraction)
        continue;
      said.insert(kernel.versions);
      const Versions& beside = found->second.last_product().versions;
      rows += beside.rows.size();
      vectors += beside.columns.size();
      for (const Version& version : beside.rows) alone += version.alone;
    }
    const cpp::EmittedTree emitted = emit_tree(compiled.plan);
    for (const auto& [path, entry] : emitted.tree.entries()) {
      if (path.rfind("src/kernels/", 0) != 0) continue;
      // The stages of attention are no versions of each other.
      if (entry.bytes.find("k_panels") != std::string::npos) continue;
      // Of two products back to back, those of the one with more.
      const size_t next = entry.bytes.rfind("float* const panel = ");
      const int tiles =
          std::max(tiles_called(entry.bytes.substr(0, next)),
                   tiles_called(entry.bytes.substr(std::min(next, entry.bytes.size()))));
      if (tiles > 0) printed.insert(tiles);
    }
    EXPECT_EQ(said, printed) << folder;
    met.merge(said);
  }
  EXPECT_GT(met.size(), 3U);
  EXPECT_GT(rows, 0U);
  EXPECT_GT(alone, 0U);
  EXPECT_GT(vectors, 0U);
}

}  // namespace
}  // namespace burin::analysis_test
