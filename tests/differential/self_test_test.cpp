// A model of which the interpreter cannot make sample vectors: whose fault that is.
#include "verify/self_test.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <fstream>
#include <set>

#include "backends/emit.h"
#include "backends/sample_text.h"
#include "differential/support/emitted.h"
#include "import/dims.h"
#include "support/check.h"
#include "support/onnx_writer.h"
#include "support/process.h"
#include "verify/reached_blocks.h"

namespace burin::self_test_test {
namespace {

CompileOptions options_of(const std::string& name) {
  CompileOptions options;
  options.model = std::string(BURIN_SOURCE_DIR) + "/tests/models/" + name + "/model.onnx";
  return options;
}

// Every size that other sizes alone determine may only be 0.
void take_bounds(Steps& steps) {
  for (Step& step : steps) {
    if (auto* loop = std::get_if<std::shared_ptr<Loop>>(&step)) take_bounds((*loop)->body);
    Bind* bind = std::get_if<Bind>(&step);
    if (!bind || !reads_of(step).empty()) continue;
    SymbolInfo none = *bind->symbol;
    none.max = 0;
    none.most = nullptr;
    bind->symbol = std::make_shared<const SymbolInfo>(std::move(none));
  }
}

TEST(SelfTest, ABoundThatWasDerivedAndDoesNotHoldIsAnInternalError) {
  const CompileOptions options = options_of("fibonacci");
  Compiled compiled = compile(options, project_hardware("cpp-generic"));
  EXPECT_FALSE(make_self_test(compiled, options, {}).runs.empty());
  take_bounds(compiled.lowered.steps);
  EXPECT_THROW(make_self_test(compiled, options, {}), InternalError);
}

TEST(SelfTest, WhatDataDecideIsNot) {
  const CompileOptions options = options_of("given_sizes");
  const Compiled compiled = compile(options, project_hardware("cpp-generic"));
  std::string why;
  SelfTestOptions said;
  said.warn = [&](const std::string& text) { why = text; };
  const SelfTest test = make_self_test(compiled, options, said);
  EXPECT_TRUE(test.runs.empty());
  EXPECT_NE(why, "");
  EXPECT_EQ(why, test.origin);
}

// Elements of an input that a run takes for sizes are in the ranges that --dim gives these.
TEST(SelfTest, SizesThatAreDataAreInTheirRanges) {
  namespace w = onnx_writer;
  const w::GraphParts parts{
      .nodes = {w::node("Expand", {"x", "shape"}, {"y"})},
      .initializers = {},
      .inputs = {w::value("x", w::kFloat, {1, 2}), w::value("shape", w::kInt64, {2})},
      .outputs = {w::Message().text(1, "y")}};
  const ScratchFolder scratch;
  CompileOptions options;
  options.model = scratch.path() + "/m.onnx";
  std::ofstream(options.model, std::ios::binary) << w::model(w::graph(parts)).bytes();
  const auto rows_of = [&](const std::string& dim) {
    options.import.dims = {parse_dim_binding(dim)};
    const Compiled compiled = compile(options, project_hardware("cpp-generic"));
    const SelfTest test = make_self_test(compiled, options, {});
    EXPECT_EQ(test.runs.size(), 1u) << test.origin;
    return test.runs.empty() ? -1 : test.runs[0].outputs[0].shape[0];
  };
  EXPECT_EQ(rows_of("shape_0=3..7"), 3);
  EXPECT_EQ(rows_of("shape_0=2..2"), 2);
}

onnx_writer::Message number(const char* name, const std::vector<int64_t>& dims, int64_t value) {
  std::string bytes(sizeof value, '\0');
  std::memcpy(bytes.data(), &value, sizeof value);
  return onnx_writer::raw_tensor(name, onnx_writer::kInt64, dims, bytes);
}

// The sample vectors of a model of one graph, for a generic machine.
SampleRun made_up(const onnx_writer::GraphParts& parts, const std::vector<std::string>& dims = {}) {
  namespace w = onnx_writer;
  const ScratchFolder scratch;
  CompileOptions options;
  options.model = scratch.path() + "/m.onnx";
  std::ofstream(options.model, std::ios::binary)
      << w::model(w::graph(parts), {}, {w::opset("", 17), w::opset("com.microsoft", 1)}, 8).bytes();
  for (const std::string& dim : dims) options.import.dims.push_back(parse_dim_binding(dim));
  const Compiled compiled = compile(options, project_hardware("cpp-generic"));
  const SelfTest test = make_self_test(compiled, options, {});
  EXPECT_GE(test.runs.size(), 1u) << test.origin;
  return test.runs.at(0);
}

void expect_lengths(const HostTensor& lengths, int64_t places) {
  ASSERT_GE(places, 2);
  for (int64_t i = 0; i < lengths.elements(); ++i) {
    EXPECT_GE(lengths.get(i).integer, places / 2);
    EXPECT_LT(lengths.get(i).integer, places);
  }
}

// With 0 or 1 in a row's length nearly all of what reads the row would be masked.
TEST(SelfTest, LengthsLeaveHalfOfTheirRowsAndNotAll) {
  namespace w = onnx_writer;
  const SampleRun attention = made_up(
      {.nodes = {w::node("MultiHeadAttention", {"q", "k", "v", "", "lengths"}, {"y"},
                         {w::integer_attribute("num_heads", 2)}, "", "com.microsoft")},
       .initializers = {},
       .inputs = {w::value("q", w::kFloat, {"n", "s", 8}), w::value("k", w::kFloat, {"n", "t", 8}),
                  w::value("v", w::kFloat, {"n", "t", 8}), w::value("lengths", w::kInt32, {"n"})},
       .outputs = {w::Message().text(1, "y")}});
  expect_lengths(attention.inputs[3], attention.sizes.at("t"));

  // As exporters write it: places are a tensor of their own before fusion.
  const SampleRun mask = made_up(
      {.nodes = {w::node("Shape", {"x"}, {"shape"}), w::node("Gather", {"shape", "one"}, {"t"}),
                 w::node("Range", {"zero", "t", "one"}, {"places"}),
                 w::node("Unsqueeze", {"lengths", "axes"}, {"column"}),
                 w::node("Less", {"places", "column"}, {"mask"}),
                 w::node("Where", {"mask", "x", "nothing"}, {"y"})},
       .initializers = {number("zero", {}, 0), number("one", {}, 1), number("axes", {1}, 1),
                        w::raw_tensor("nothing", w::kFloat, {}, std::string(4, '\0'))},
       .inputs = {w::value("x", w::kFloat, {"n", "t"}), w::value("lengths", w::kInt64, {"n"})},
       .outputs = {w::Message().text(1, "y")}});
  expect_lengths(mask.inputs[1], mask.sizes.at("t"));
}

// A size that a run takes from data is more than 1, unless the network does not run so: here as
// many of the greatest as there may be.
TEST(SelfTest, SizesThatAreDataAreLargeWhereTheNetworkRunsSo) {
  namespace w = onnx_writer;
  const auto greatest = [](int64_t columns) {
    return made_up(
        {.nodes = {w::node("TopK", {"x", "k"}, {"y", "places"})},
         .initializers = {},
         .inputs = {w::value("x", w::kFloat, {"n", columns}), w::value("k", w::kInt64, {1})},
         .outputs = {w::Message().text(1, "y"), w::Message().text(1, "places")}},
        {"k=0..16"});
  };
  EXPECT_EQ(greatest(16).outputs[0].shape[1], 4);
  EXPECT_LE(greatest(3).outputs[0].shape[1], 3);
}

// Small sizes run the ends of blocks only: what the tree is made for runs, too, or what of it fits
// into the text of a test.
TEST(SelfTest, LargerSizesRunToo) {
  const CompileOptions options = options_of("softmax_sym");
  const Compiled compiled = compile(options, project_hardware("x86-64-v3"));
  const SelfTest in_text = make_self_test(compiled, options, {});
  ASSERT_GE(in_text.runs.size(), 2u);
  EXPECT_GE(in_text.runs[1].sizes.at("cols"), 9);
  SelfTestOptions roomy;
  roomy.operations = int64_t{1} << 30;
  roomy.most_bytes = int64_t{1} << 28;
  const SelfTest whole = make_self_test(compiled, options, roomy);
  ASSERT_GE(whole.runs.size(), 2u);
  EXPECT_EQ(whole.runs[1].sizes.at("cols"), 64);
}

// Sizes that only a branch asks for: of x[m, n] it takes 25 columns, or 30, and as many rows as z
// has.
// Code has versions by sizes: none that some sizes reach is left out, as long as runs may be many.
TEST(SelfTest, SizesReachVersionsOfCode) {
  const CompileOptions options = options_of("attention");
  const Compiled compiled = compile(options, project_hardware("x86-64-v3"));
  const ReachedBlocks blocks(compiled.plan);
  const auto everything = [](const SampleSizes&) { return true; };
  const std::vector<SampleSizes> tried = {{{"batch", 2}, {"seq", 3}}};
  std::vector<SampleSizes> all =
      sizes_that_reach_more(compiled.plan, tried, blocks.count(), everything);
  EXPECT_GE(all.size(), 3u);
  all.push_back(tried[0]);
  std::vector<bool> reached(blocks.count(), false);
  int64_t work = int64_t{1} << 40;
  for (const SampleSizes& sizes : all) {
    const std::vector<bool> here = blocks.at(sizes, work);
    for (size_t i = 0; i < here.size(); ++i) reached[i] = reached[i] || here[i];
  }
  for (int64_t batch = 1; batch <= 6; ++batch) {
    for (int64_t seq = 1; seq <= 13; ++seq) {
      const std::vector<bool> here = blocks.at({{"batch", batch}, {"seq", seq}}, work);
      for (size_t i = 0; i < here.size(); ++i)
        EXPECT_TRUE(reached[i] || !here[i]) << "block " << i << " at " << batch << ", " << seq;
    }
  }
  // One row alone has code of its own, which is none of what two sequences of three run.
  const std::vector<bool> one = blocks.at({{"batch", 1}, {"seq", 1}}, work),
                          six = blocks.at(tried[0], work);
  EXPECT_NE(one, six);
  EXPECT_EQ(sizes_that_reach_more(compiled.plan, all, 1, everything).size(), 0u);
  EXPECT_EQ(sizes_that_reach_more(compiled.plan, tried, 1, [](const SampleSizes&) { return false; })
                .size(),
            0u);
}

// What data decide is decided both ways.
TEST(SelfTest, BranchesRunBothWays) {
  const CompileOptions options = options_of("sums_along");
  const Compiled compiled = compile(options, project_hardware("cpp-generic"));
  std::set<int64_t> axes;
  for (const SampleRun& run : make_self_test(compiled, options, {}).runs)
    axes.insert(run.inputs.at(1).get(0).integer);
  EXPECT_TRUE(axes.contains(0) && axes.contains(1)) << axes.size();
}

TEST(SelfTest, SizesThatBranchesAskFor) {
  namespace w = onnx_writer;
  const auto branch = [](const char* weights, const char* between, const char* result) {
    return w::graph({.nodes = {w::node("MatMul", {"x", weights}, {between}),
                               w::node("Add", {between, "z"}, {result})},
                     .initializers = {},
                     .inputs = {},
                     .outputs = {w::Message().text(1, result)}});
  };
  const auto weights = [](const char* name, int64_t rows) {
    return w::raw_tensor(name, w::kFloat, {rows, 1},
                         std::string(static_cast<size_t>(rows) * 4, '\0'));
  };
  const w::GraphParts parts{
      .nodes = {w::node("If", {"c"}, {"y"},
                        {w::graph_attribute("then_branch", branch("few", "a", "r")),
                         w::graph_attribute("else_branch", branch("many", "b", "s"))})},
      .initializers = {weights("few", 25), weights("many", 30)},
      .inputs = {w::value("c", w::kBool, {}), w::value("x", w::kFloat, {"m", "n"}),
                 w::value("z", w::kFloat, {"k", 1})},
      .outputs = {w::Message().text(1, "y")}};
  const ScratchFolder scratch;
  CompileOptions options;
  options.model = scratch.path() + "/m.onnx";
  std::ofstream(options.model, std::ios::binary) << w::model(w::graph(parts)).bytes();
  const Compiled compiled = compile(options, project_hardware("cpp-generic"));
  EXPECT_GE(make_self_test(compiled, options, {}).runs.size(), 1U);
}

// Integers of two and four bits at both ends: a byte each in the tree, and no larger numbers.
TEST(SelfTest, FewBitsAtTheInterface) {
  namespace w = onnx_writer;
  constexpr int kUint2 = 25, kInt2 = 26;
  for (const auto& [element, lowest, highest] :
       {std::tuple(int{w::kInt4}, -8, 7), std::tuple(int{w::kUint4}, 0, 15),
        std::tuple(kInt2, -2, 1), std::tuple(kUint2, 0, 3)}) {
    const w::GraphParts parts{
        .nodes = {w::node("Cast", {"x"}, {"f"}, {w::integer_attribute("to", w::kFloat)}),
                  w::node("Add", {"f", "f"}, {"y"}), w::node("Identity", {"x"}, {"z"})},
        .initializers = {},
        .inputs = {w::value("x", element, {"n", 33})},
        .outputs = {w::value("y", w::kFloat, {"n", 33}), w::value("z", element, {"n", 33})}};
    const ScratchFolder scratch;
    CompileOptions options;
    options.model = scratch.path() + "/m.onnx";
    std::ofstream(options.model, std::ios::binary)
        << w::model(w::graph(parts), {}, {w::opset("", 21)}, 10).bytes();
    const Compiled compiled = compile(options, project_hardware("cpp-generic"));
    const SelfTest test = make_self_test(compiled, options, {});
    ASSERT_FALSE(test.runs.empty()) << test.origin;
    const SampleRun& run = test.runs[0];
    ASSERT_EQ(size_bits(run.inputs[0].type), 8);
    EXPECT_EQ(run.outputs[1], run.inputs[0]);
    int64_t least = 0, most = 0;
    for (int64_t k = 0; k < run.inputs[0].elements(); ++k) {
      const int64_t x = run.inputs[0].get(k).integer;
      least = std::min(least, x);
      most = std::max(most, x);
      EXPECT_EQ(run.outputs[0].get(k).number, static_cast<double>(2 * x));
    }
    EXPECT_GE(least, lowest);
    EXPECT_LE(most, highest);
    EXPECT_GT(most, 0);
  }
}

// What is too long for text the test draws by itself, of every type as the interpreter had it.
TEST(SelfTest, LargeInputsAreDrawn) {
  namespace w = onnx_writer;
  constexpr int64_t kElements = 40000, kRead = 32;
  w::GraphParts parts{
      .nodes = {},
      .initializers = {number("from", {1}, kElements - kRead), number("to", {1}, kElements)},
      .inputs = {},
      .outputs = {}};
  for (int type = w::kFloat; type <= w::kBfloat16; ++type) {
    if (type == w::kString || (type >= w::kComplex64 && type != w::kBfloat16)) continue;
    const std::string x = "x" + std::to_string(type), y = "y" + std::to_string(type);
    parts.nodes.push_back(w::node("Slice", {x, "from", "to"}, {y}));
    parts.inputs.push_back(w::value(x, type, {kElements}));
    parts.outputs.push_back(w::value(y, type, {kRead}));
  }
  const ScratchFolder scratch;
  CompileOptions options;
  options.model = scratch.path() + "/m.onnx";
  options.name = "large";
  std::ofstream(options.model, std::ios::binary)
      << w::model(w::graph(parts), {}, {w::opset("", 13)}, 8).bytes();
  Compiled compiled = compile(options, project_hardware("cpp-generic"));
  compiled.plan.self_test = make_self_test(compiled, options, {});
  ASSERT_EQ(compiled.plan.self_test.runs.size(), 1u);
  EXPECT_EQ(compiled.plan.self_test.runs[0].drawn.size(), parts.inputs.size());
  EXPECT_LT(text_bytes(compiled.plan, compiled.plan.self_test.runs[0]), 4096);
  const cpp::EmittedTree emitted = emit_tree(compiled.plan);
  write_tree(emitted.tree, scratch.path() + "/tree", emitted.manifest);
  const std::string built =
      "cd " + scratch.path() + "/tree && g++ -std=c++17 -ffp-contract=off -Iinclude -c src/*.cpp " +
      "src/kernels/*.cpp && gcc -std=c99 -Wconversion -Werror -Iinclude -c test/self_test.c && " +
      "g++ *.o -o program && ./program";
  const ProcessResult result = run_process({"sh", "-c", built}, 300);
  EXPECT_EQ(result.exit_code, 0) << result.output;
  EXPECT_EQ(result.output, "large: 1 runs, 0 failures\n");
}

// Between -1 and 1 a softmax has the same results whatever it takes off.
TEST(SelfTest, AWrongGreatestElementShows) {
  namespace w = onnx_writer;
  constexpr int64_t kRow = 7;
  const SampleRun* large = nullptr;
  const ScratchFolder scratch;
  CompileOptions options;
  options.model = scratch.path() + "/m.onnx";
  std::ofstream(options.model, std::ios::binary)
      << w::model(w::graph({.nodes = {w::node("Softmax", {"x"}, {"y"})},
                            .initializers = {},
                            .inputs = {w::value("x", w::kFloat, {3, kRow})},
                            .outputs = {w::value("y", w::kFloat, {3, kRow})}}))
             .bytes();
  const Compiled compiled = compile(options, project_hardware("cpp-generic"));
  const SelfTest test = make_self_test(compiled, options, {});
  // Without the greatest element of its row an exponential overflows.
  for (const SampleRun& run : test.runs) {
    std::vector<double> row;
    for (int64_t i = 0; i < kRow; ++i) row.push_back(run.inputs[0].get(i).number);
    std::sort(row.begin(), row.end());
    if (std::isinf(static_cast<float>(std::exp(row[kRow - 1] - row[kRow - 2])))) large = &run;
    for (int64_t i = 0; i < run.outputs[0].elements(); ++i)
      EXPECT_TRUE(std::isfinite(run.outputs[0].get(i).number));
  }
  EXPECT_NE(large, nullptr) << test.runs.size();
}

// Of a state that is drawn the text has what a run changes.
TEST(SelfTest, LargeStatesAreToldByWhatChanges) {
  CompileOptions options;
  options.model = std::string(BURIN_SOURCE_DIR) + "/examples/chat/tinylm.onnx";
  options.import.dims = {parse_dim_binding("seq=1"), parse_dim_binding("past=0..255")};
  options.states = {{"past_k", "present_k"}, {"past_v", "present_v"}};
  const Compiled compiled = compile(options, project_hardware("cpp-generic"));
  const SelfTest test = make_self_test(compiled, options, {});
  ASSERT_FALSE(test.runs.empty()) << test.origin;
  for (const SampleRun& run : test.runs) {
    for (const size_t k : {size_t{1}, size_t{2}}) {
      const std::optional<KeptElements> kept = kept_elements(compiled.plan, run, k);
      ASSERT_TRUE(kept);
      EXPECT_EQ(kept->input, k);
      EXPECT_EQ(kept->places.size(), 64u);  // four heads of sixteen, one position
    }
    EXPECT_LT(text_bytes(compiled.plan, run), 2048);
  }
}

}  // namespace
}  // namespace burin::self_test_test
