// Named dimensions and the --dim flag.
#include <gtest/gtest.h>

#include "import/import.h"
#include "support/onnx_writer.h"
#include "support/refusal.h"

namespace burin::import_dims_test {
namespace {

using namespace onnx_writer;  // NOLINT

TEST(ImportDims, Flag) {
  EXPECT_EQ(parse_dim_binding("batch=1"), (DimBinding{"batch", 1, 1, 0}));
  EXPECT_EQ(parse_dim_binding("seq=1..512"), (DimBinding{"seq", 1, 512, 0}));
  EXPECT_EQ(parse_dim_binding("seq=0.."), (DimBinding{"seq", 0, kUnbounded, 0}));
  EXPECT_EQ(parse_dim_binding("seq=1..512@128"), (DimBinding{"seq", 1, 512, 128}));
  EXPECT_EQ(parse_dim_binding("pads_0=-8..-1@-2"), (DimBinding{"pads_0", -8, -1, -2}));
  EXPECT_EQ(parse_dim_binding("a=b..c=0..2"), (DimBinding{"a=b..c", 0, 2, 0}));
}

TEST(ImportDims, FlagRefusals) {
  const auto line = [](const char* text) { return refusal([&] { parse_dim_binding(text); }); };
  const std::string forms =
      " [symbol]; the forms are name=N, name=LO..HI, name=LO.., name=..HI and, with the size to "
      "optimise for, name=LO..HI@HINT";
  EXPECT_EQ(line("batch"), "error: --dim 'batch' names no dimension" + forms);
  EXPECT_EQ(line("=1"), "error: --dim '=1' names no dimension" + forms);
  EXPECT_EQ(line("n=x"), "error: --dim 'n=x': 'x' is no number" + forms);
  EXPECT_EQ(line("n=1..x"), "error: --dim 'n=1..x': 'x' is no number" + forms);
  EXPECT_EQ(line("n=1..2@"), "error: --dim 'n=1..2@': '' is no number" + forms);
  EXPECT_EQ(line("n=99999999999999999999"),
            "error: --dim 'n=99999999999999999999': '99999999999999999999' is larger than "
            "9223372036854775807" +
                forms);
  EXPECT_EQ(line("n=3..2"), "error: --dim 'n=3..2': the range is empty" + forms);
  EXPECT_EQ(line("n=1..2@3"), "error: --dim 'n=1..2@3': the hint lies outside the range" + forms);
}

GraphParts parts() {
  return {
      .nodes = {node("Concat", {"a", "b"}, {"y"}), node("Relu", {"y"}, {"z"})},
      .initializers = {},
      .inputs = {value("a", kFloat, {"batch", "?", 3}), value("b", kFloat, {"batch", "a_1", "?"})},
      .outputs = {value("y", kFloat, {"batch", "other", "?"}),
                  value("z", kFloat, {"other", -1, 3})}};
}

std::string text_of(const std::vector<DimBinding>& dims) {
  ImportOptions options;
  options.dims = dims;
  return to_string(import_model_bytes(model(graph(parts())).bytes(), "m.onnx", options));
}

// Named and unnamed sizes of inputs are symbols; what another value leaves open is unknown.
TEST(ImportDims, Symbols) {
  EXPECT_EQ(text_of({}), R"(graph "g" file "m.onnx" ir 8
symbol batch param 1..inf
symbol a_1_2 param 1..inf
symbol a_1 param 1..inf
symbol b_2 param 1..inf
local "y?1" unknown 0..inf
local "y?2" unknown 0..inf
local "z?1" unknown 0..inf
value %0 "a" f32 [batch, a_1_2, 3]
value %1 "b" f32 [batch, a_1, b_2]
value %2 "y" f32 [batch, "y?1", "y?2"]
value %3 "z" f32 ["y?1", "z?1", 3]
block "g" (%0, %1) -> (%2, %3) {
  node 0 "" Concat@17 (%0, %1) -> (%2)
  node 1 "" Relu@17 (%2) -> (%3)
}
)");
}

TEST(ImportDims, Bindings) {
  const std::string text = text_of({{"batch", 2, 2, 0}, {"a_1", 1, 64, 16}});
  EXPECT_NE(text.find("\nsymbol a_1_2 param 1..inf\nsymbol a_1 param 1..64 @16\nsymbol b_2"),
            std::string::npos)
      << text;
  EXPECT_NE(text.find("\"a\" f32 [2, a_1_2, 3]\n"), std::string::npos) << text;
  EXPECT_NE(text.find("\"y\" f32 [2, "), std::string::npos) << text;
}

TEST(ImportDims, BindingsThatDoNotFit) {
  const auto line = [](const std::vector<DimBinding>& dims) {
    return refusal([&] { text_of(dims); });
  };
  EXPECT_EQ(
      line({{"bach", 1, 1, 0}}),
      "m.onnx: error: no input has a dimension named 'bach' [symbol]; the model has: 'batch', "
      "'a_1_2', 'a_1', 'b_2'");
  EXPECT_EQ(
      line({{"other", 1, 1, 0}}).find("m.onnx: error: no input has a dimension named 'other'"), 0u);
  EXPECT_EQ(line({{"batch", 1, 1, 0}, {"batch", 2, 2, 0}}),
            "m.onnx: error: --dim 'batch' is given twice [symbol]");
}

// What names nothing gives each axis a size of its own, called after the input.
TEST(ImportDims, NamesThatNameNothing) {
  const auto names = [](const std::vector<Size>& a, const std::vector<Size>& b) {
    const Message whole =
        model(graph({.nodes = {node("Concat", {"a", "b"}, {"y"}, {integer_attribute("axis", 0)})},
                     .initializers = {},
                     .inputs = {value("a", kFloat, a), value("b", kFloat, b)},
                     .outputs = {value("y", kFloat, {})}}));
    std::string out;
    for (const Symbol& symbol : import_model_bytes(whole.bytes(), "m.onnx", {}).symbols)
      out += symbol->name + " ";
    return out;
  };
  EXPECT_EQ(names({-1, -1}, {3, -1}), "a_0 a_1 b_1 ");
  EXPECT_EQ(names({"??", "??"}, {"None", "none"}), "a_0 a_1 b_0 b_1 ");
  EXPECT_EQ(names({"Unknown", "*"}, {"unknown", "-1"}), "a_0 a_1 b_0 b_1 ");
  // Made up by a converter: one size where the tensor has it once, no size where it has it twice.
  EXPECT_EQ(names({"unk__12", 3}, {"unk__12", 3}), "unk__12 ");
  EXPECT_EQ(names({"unk__12", "unk__12"}, {"unk__12", 3}), "a_0 a_1 unk__12 ");
  EXPECT_EQ(names({"dynamic", "dynamic"}, {"Dynamic", 3}), "a_0 a_1 Dynamic ");
  // A square of a person's naming stays one.
  EXPECT_EQ(names({"n", "n"}, {"n", 3}), "n ");
}

}  // namespace
}  // namespace burin::import_dims_test
