// Graphs whose sizes are symbols, beside their twins whose sizes are numbers: as many kernels, and
// the same bits at several sizes. A fusion that a symbol loses is a fault.
#include "fuse/fuse.h"
#include "graph/graph.h"
#include "graph_fixture.h"
#include "lower/lower.h"

namespace burin::twins_test {
namespace {

struct Twin {
  std::string name;
  std::string values;  // after %0: i64 {-1, 8}, %1: f32 [8, 8], %2: f32 [8]
  std::string block;
  int kernels;
};

void PrintTo(const Twin& twin, std::ostream* out) { *out << twin.name; }

std::string replaced(std::string text, const std::string& what, const std::string& by) {
  for (size_t at = 0; (at = text.find(what, at)) != std::string::npos; at += by.size())
    text.replace(at, what.size(), by);
  return text;
}

std::string numbers(int count) {
  std::string out;
  for (int k = 0; k < count; ++k)
    out += (k > 0 ? ", " : "") + std::to_string((k * 5) % 11 - 4) + ".25";
  return "{" + out + "}";
}

// `$s` and `$t` are its sizes.
KernelGraph lowered(const Twin& twin, const std::string& s, const std::string& t) {
  std::string text = "graph \"g\" file \"g.onnx\" ir 8\n";
  for (const std::string& name : {s, t}) {
    if (name == "s" || name == "t") text += "symbol " + name + " param 1..64 @5\n";
  }
  text += "value %0 \"rows\" i64 [2] = i64 [2] {-1, 8}\n";
  text += "value %1 \"w\" f32 [8, 8] = f32 [8, 8] " + numbers(64) + "\n";
  text += "value %2 \"b\" f32 [8] = f32 [8] " + numbers(8) + "\n";
  text += twin.values + "block \"g\" " + twin.block;
  text = replaced(replaced(text, "$s", s), "$t", t);
  return lower(parse_graph(text), {}).graph;
}

// The rows of a product, whose batch and sequence change places.
constexpr const char* kProductValues = R"(value %3 "x" f32 [$s, $t, 8]
value %4 "z" f32 [$t, $s, 8]
value %5 "a" none ?
value %6 "g" none ?
value %7 "sh" none ?
value %8 "h" none ?
value %9 "y" f32 ?
value %10 "sum" f32 ?
)";
constexpr const char* kProduct = R"({
  node 0 "" Reshape@17 (%3, %0) -> (%5)
  node 1 "" Gemm@17 (%5, %1, %2) -> (%6)
  node 2 "" Shape@17 (%3) -> (%7)
  node 3 "" Reshape@17 (%6, %7) -> (%8)
  node 4 "" Transpose@17 (%8) -> (%9) { perm: ints [1, 0, 2] }
)";

// The scale of scores from the last extent, as TorchScript writes it.
constexpr const char* kScaleValues = R"(value %3 "x" f32 [$s, $t, 8]
value %4 "last" i64 [1] = i64 [1] {-1}
value %5 "end" i64 [1] = i64 [1] {9223372036854775807}
value %6 "sh" none ?
value %7 "d" none ?
value %8 "df" none ?
value %9 "sq" none ?
value %10 "y" f32 ?
value %11 "k" none ?
value %12 "scores" none ?
value %13 "scaled" none ?
value %14 "weights" none ?
value %15 "keys" f32 [$s, $t, 8]
value %16 "rows of values" f32 [$s, $t, 8]
)";
constexpr const char* kScale = R"({
  node 0 "" Shape@17 (%3) -> (%6)
  node 1 "" Slice@17 (%6, %4, %5) -> (%7)
  node 2 "" Cast@17 (%7) -> (%8) { to: int 1 }
  node 3 "" Sqrt@17 (%8) -> (%9)
)";

// Where the size is a symbol, the reader has the symbol.
constexpr const char* kSizeValues = R"(value %3 "x" f32 [$s, $t, 8]
value %4 "one" i64 [] = i64 [] {1}
value %5 "sh" none ?
value %6 "d" none ?
value %7 "df" none ?
value %8 "sq" none ?
value %9 "y" f32 ?
)";
constexpr const char* kSize = R"( (%3) -> (%9) {
  node 0 "" Shape@17 (%3) -> (%5)
  node 1 "" Gather@17 (%5, %4) -> (%6)
  node 2 "" Cast@17 (%6) -> (%7) { to: int 1 }
  node 3 "" Sqrt@17 (%7) -> (%8)
  node 4 "" Div@17 (%3, %8) -> (%9)
})";

// Pairs of rows, t to a row, become columns of windows.
constexpr const char* kWindowValues = R"(value %3 "x" f32 [$s, 2, $t, 8]
value %4 "a" none ?
value %5 "g" none ?
value %6 "sh" none ?
value %7 "h" none ?
value %8 "p" none ?
value %9 "q" f32 [$t, $s, 2, 8]
value %10 "y" f32 ?
)";
constexpr const char* kWindow = R"( (%3, %9) -> (%10) {
  node 0 "" Reshape@17 (%3, %0) -> (%4)
  node 1 "" Gemm@17 (%4, %1, %2) -> (%5)
  node 2 "" Shape@17 (%3) -> (%6)
  node 3 "" Reshape@17 (%5, %6) -> (%7)
  node 4 "" Transpose@17 (%7) -> (%8) { perm: ints [2, 0, 1, 3] }
  node 5 "" Mul@17 (%8, %9) -> (%10)
})";

std::vector<Twin> twins() {
  const std::string product = kProduct, scale = kScale;
  return {
      {"moved", kProductValues, "(%3) -> (%9) " + product + "}", 1},
      {"added", kProductValues,
       "(%3, %4) -> (%10) " + product + "  node 5 \"\" Add@17 (%9, %4) -> (%10)\n}", 1},
      {"windows", kWindowValues, kWindow, 1},
      {"scaled", kScaleValues,
       "(%3) -> (%10) " + scale + "  node 4 \"\" Mul@17 (%3, %9) -> (%10)\n}", 1},
      {"size", kSizeValues, kSize, 1},
      {"attention", kScaleValues, "(%3, %15, %16) -> (%10) " + scale + R"(
  node 4 "" Transpose@17 (%15) -> (%11) { perm: ints [0, 2, 1] }
  node 5 "" MatMul@17 (%3, %11) -> (%12)
  node 6 "" Div@17 (%12, %9) -> (%13)
  node 7 "" Softmax@17 (%13) -> (%14) { axis: int 2 }
  node 8 "" MatMul@17 (%14, %16) -> (%10)
})",
       1},
  };
}

class Twins : public testing::TestWithParam<Twin> {};

TEST_P(Twins, AreAsManyKernels) {
  const Twin& twin = GetParam();
  const KernelGraph sizes = fuse(lowered(twin, "s", "t"), {});
  const KernelGraph fixed = fuse(lowered(twin, "5", "3"), {});
  EXPECT_EQ(count_kernels(fixed), twin.kernels) << to_string(fixed);
  EXPECT_EQ(count_kernels(sizes), twin.kernels) << to_string(sizes);
}

TEST_P(Twins, ComputeTheSame) {
  const Twin& twin = GetParam();
  const KernelGraph sizes = lowered(twin, "s", "t"), fused = fuse(sizes, {});
  for (const int64_t s : {1, 2, 5, 6}) {
    for (const int64_t t : {1, 3, 4}) {
      const KernelGraph fixed = lowered(twin, std::to_string(s), std::to_string(t));
      const std::map<std::string, int64_t> symbols = {{"s", s}, {"t", t}};
      expect_same(sizes, fused, symbols);
      const std::vector<HostTensor> inputs = sample_inputs(sizes, symbols);
      const RunResult a = interpret(fused, inputs, symbols), b = interpret(fixed, inputs, {});
      ASSERT_EQ(a.status, kRunOk) << a.message;
      ASSERT_EQ(b.status, kRunOk) << b.message;
      EXPECT_EQ(a.outputs[0].shape, b.outputs[0].shape);
      EXPECT_EQ(a.outputs[0], b.outputs[0]) << "s = " << s << ", t = " << t;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Graphs, Twins, testing::ValuesIn(twins()),
                         [](const auto& info) { return info.param.name; });

}  // namespace
}  // namespace burin::twins_test
