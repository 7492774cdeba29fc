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

// Those of a product and of its edges.
void add_tiles(const ContractionSchedule& product, Shapes& out) {
  const Tile& tile = product.tile;
  const Versions& edges = product.versions;
  if (const std::optional<PlaneRows>& plane = product.plane_rows) {
    out.insert({plane->rows, plane->vectors, 1});
    if (!fills_bands(*plane, *product.window)) out.insert({1, plane->vectors, 1});
    if (has_only_plane_rows(product)) return;
  }
  out.insert({tile.rows, tile.vectors, product.window ? 1 : tile.accumulators});
  for (const Version& version : edges.rows)
    out.insert({version.rows, tile.vectors, version.accumulators});
  for (const EdgeColumns& version : edges.columns)
    out.insert(
        {tile.rows * version.blocks, version.vectors, product.window ? 1 : version.accumulators});
  if (edges.balanced.rows > 0)
    out.insert({edges.balanced.rows, tile.vectors, edges.balanced.accumulators});
}

// Those of attention's two products, of tables of positions and of the softmax; of decode attention
// groups of keys, of which some are known to be never left, and groups of elements.
void add_tiles(const AttentionSchedule& attention, Shapes& out) {
  if (attention.tiled) {
    out.insert({1, attention.scores.vectors, 1});
    out.insert({attention.scores.rows, attention.scores.vectors, 1});
    out.insert({attention.values.rows, attention.values.vectors, 1});
    for (const PositionTable& table : attention.positions)
      out.insert({table.tile.rows, table.tile.vectors, 1});
  }
  if (!attention.decode) return;
  const DecodeAttention& decode = *attention.decode;
  out.insert({1, 1, 1});
  out.insert({decode.rows, 1, 1});
  for (int rows = decode.rows / 2; rows > 0; rows /= 2) {
    const Dim left = mod(attention.keys, 2 * rows);
    const bool never = decode.k.tensor != kNoValue && left.is_constant() && left.constant() < rows;
    if (!never) out.insert({rows, 1, 1});
  }
  const int width = decode.vectors * decode.lanes;
  if (!floordiv(attention.elements, width).is_constant(0)) out.insert({1, decode.vectors, 1});
}

TEST(Analysis, VersionsAreTheTilesOfTheText) {
  std::set<int> met;
  size_t rows = 0, alone = 0, vectors = 0;
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
      if (found->second.attention) add_tiles(*found->second.attention, planned);
      if (!found->second.contraction) continue;
      Shapes own;
      add_tiles(*found->second.contraction, own);
      if (found->second.second) add_tiles(*found->second.second, own);
      // Some shapes stand twice: once more where they run alone.
      EXPECT_GE(kernel.versions * (found->second.second ? 2 : 1), static_cast<int>(own.size()))
          << folder << ": " << kernel.name;
      met.insert(kernel.versions);
      planned.merge(own);
      const Versions& edges = found->second.last_product().versions;
      rows += edges.rows.size();
      vectors += edges.columns.size();
      for (const Version& version : edges.rows) alone += version.small_m;
    }
    const cpp::EmittedTree emitted = emit_tree(compiled.plan);
    for (const auto& [path, entry] : emitted.tree.entries()) {
      if (path.rfind("src/kernels/", 0) == 0) printed.merge(tiles_declared(entry.bytes));
    }
    EXPECT_EQ(planned, printed) << folder;
  }
  EXPECT_GT(met.size(), 3U);
  EXPECT_GT(rows, 0U);
  EXPECT_GT(alone, 0U);
  EXPECT_GT(vectors, 0U);
}

}  // namespace
}  // namespace burin::analysis_test
