// Gradient beside central differences of the forward graph, in f64: no derivative is written here.
#include <gtest/gtest.h>

#include <cmath>

#include "kernel/interpreter/interpreter.h"
#include "lower/lower.h"
#include "ops/support/node_runner.h"
#include "support/diagnostics.h"

namespace burin::gradient_test {
namespace {

using Ints = std::vector<int64_t>;

struct Network {
  std::string name;
  Ints x, w;          // shapes
  std::string nodes;  // from %0 (x) and %1 (w) to %2 (y); may use %3 to %8
};

std::string text(const Ints& shape) {
  std::string out;
  for (const int64_t extent : shape) out += (out.empty() ? "" : ", ") + std::to_string(extent);
  return "[" + out + "]";
}

// With `gradient`, the results are the derivatives by x and w; else y.
Graph graph_of(const Network& network, const std::string& gradient, const std::string& results) {
  std::string values = "value %0 \"x\" f64 " + text(network.x) + "\nvalue %1 \"w\" f64 " +
                       text(network.w) + "\nvalue %2 \"y\" none ?\n";
  for (int id = 3; id <= 10; ++id)
    values += "value %" + std::to_string(id) + " \"v" + std::to_string(id) + "\" none ?\n";
  values += "value %11 \"picked\" i64 [4] = i64 [4] {2, 0, 2, 2}\n";
  values += "value %12 \"around\" i64 [4] = i64 [4] {1, -1, 0, 2}\n";
  return parse_graph("graph \"g\" file \"g.onnx\" ir 8\n" + values + "block \"g\" (%0, %1) -> (" +
                     results + ") {\n" + network.nodes + gradient + "}");
}

const std::string kBoth = R"(
  node 9 "slope" "ai.onnx.preview.training" Gradient@1 (%0, %1) -> (%9, %10) {
    xs: strings ["x", "w"]
    y: string "y"
  }
)";

// Nowhere near a kink, and no two alike.
HostTensor values_of(const Ints& shape, double phase) {
  int64_t count = 1;
  for (const int64_t extent : shape) count *= extent;
  std::vector<double> numbers;
  for (int64_t i = 0; i < count; ++i)
    numbers.push_back(std::sin(0.7 * static_cast<double>(i * i % 97) + phase) +
                      1e-3 * static_cast<double>(i));
  return make_tensor(Type::f64, shape, numbers);
}

std::vector<HostTensor> results(const Graph& graph, const std::vector<HostTensor>& inputs) {
  const Lowered lowered = lower(graph, {});
  check_kernel_graph(lowered.graph);
  RunResult ran = interpret(lowered.graph, inputs, {});
  EXPECT_EQ(ran.status, kRunOk) << ran.message;
  return ran.outputs;
}

double sum(const HostTensor& tensor) {
  double out = 0;
  for (const double number : numbers_of(tensor)) out += number;
  return out;
}

const std::vector<Network> kNetworks = {
    {"product", {2, 3, 4}, {4, 5}, R"(
      node 0 "p" MatMul@13 (%0, %1) -> (%3)
      node 1 "t" Tanh@13 (%3) -> (%2)
    )"},
    {"broadcast", {3, 4}, {4}, R"(
      node 0 "m" Mul@14 (%0, %1) -> (%3)
      node 1 "d" Div@14 (%3, %0) -> (%4)
      node 2 "s" Sub@14 (%4, %3) -> (%5)
      node 3 "e" Exp@13 (%5) -> (%2)
    )"},
    {"elementwise", {7}, {1}, R"(
      node 0 "a" Erf@13 (%0) -> (%3)
      node 1 "b" Sigmoid@13 (%3) -> (%4)
      node 2 "c" Pow@15 (%4, %1) -> (%5)
      node 3 "d" Atan@7 (%5) -> (%6)
      node 4 "e" Sqrt@13 (%4) -> (%7)
      node 5 "f" Mul@14 (%6, %7) -> (%8)
      node 6 "g" LeakyRelu@16 (%8) -> (%2)
    )"},
    {"convolution", {2, 4, 5, 6}, {6, 2, 3, 3}, R"(
      node 0 "c" Conv@11 (%0, %1) -> (%3) {
        group: int 2
        pads: ints [1, 0, 1, 2]
        strides: ints [2, 1]
      }
      node 1 "s" Softplus@1 (%3) -> (%2)
    )"},
    {"softmax", {3, 5}, {3, 5}, R"(
      node 0 "s" Softmax@13 (%0) -> (%3)
      node 1 "m" Mul@14 (%3, %1) -> (%2)
    )"},
    {"normalization", {2, 3, 4}, {3}, R"(
      node 0 "n" InstanceNormalization@6 (%0, %1, %1) -> (%3)
      node 1 "m" Mul@14 (%3, %0) -> (%2)
    )"},
    {"extremes", {1, 2, 5, 5}, {1}, R"(
      node 0 "p" MaxPool@12 (%0) -> (%3) {
        kernel_shape: ints [3, 2]
        strides: ints [1, 2]
        pads: ints [1, 0, 1, 1]
      }
      node 1 "c" Max@13 (%3, %1) -> (%4)
      node 2 "m" Mul@14 (%4, %4) -> (%2)
    )"},
    {"movement", {3, 4}, {3, 2}, R"(
      node 0 "c" Concat@13 (%0, %1, %0) -> (%3) {
        axis: int 1
      }
      node 1 "t" Transpose@13 (%3) -> (%4)
      node 2 "p" Pad@13 (%4, %12) -> (%5)
      node 3 "g" Gather@13 (%5, %11) -> (%6)
      node 4 "m" Mul@14 (%6, %6) -> (%2)
    )"},
    {"twice", {4}, {4}, R"(
      node 0 "s" Sin@7 (%0) -> (%3)
      node 1 "a" Add@14 (%3, %0) -> (%4)
      node 2 "m" Mul@14 (%4, %3) -> (%5)
      node 3 "b" Add@14 (%5, %1) -> (%2)
    )"},
};

TEST(Gradient, AgreesWithCentralDifferences) {
  constexpr double kStep = 1e-5;
  for (const Network& network : kNetworks) {
    SCOPED_TRACE(network.name);
    const Graph forward = graph_of(network, "", "%2");
    std::vector<HostTensor> at = {values_of(network.x, 1), values_of(network.w, 0.3)};
    const std::vector<HostTensor> slopes = results(graph_of(network, kBoth, "%9, %10"), at);
    ASSERT_EQ(slopes.size(), 2u);
    for (size_t input = 0; input < 2; ++input) {
      ASSERT_EQ(slopes[input].shape, at[input].shape);
      const std::vector<double> found = numbers_of(slopes[input]), here = numbers_of(at[input]);
      for (size_t i = 0; i < here.size(); ++i) {
        const auto moved = [&](double by) {
          std::vector<HostTensor> there = at;
          std::vector<double> numbers = here;
          numbers[i] += by;
          there[input] = make_tensor(Type::f64, at[input].shape, numbers);
          return sum(results(forward, there)[0]);
        };
        const double expected = (moved(kStep) - moved(-kStep)) / (2 * kStep);
        // The error of the difference: kStep squared, and the rounding of a sum over kStep.
        EXPECT_NEAR(found[i], expected, 1e-7 * std::max(1.0, std::abs(expected)))
            << "input " << input << " element " << i;
      }
    }
  }
}

TEST(Gradient, InputsSayWhereAndOthersStay) {
  const Network network{"other", {3}, {3}, R"(
    node 0 "m" Mul@14 (%0, %1) -> (%3)
    node 1 "q" Mul@14 (%3, %3) -> (%2)
  )"};
  // By x only, at x = w: 2 x w^2 with x and w both the second input.
  const Graph graph = graph_of(network, R"(
    node 9 "slope" "ai.onnx.preview.training" Gradient@1 (%1, %1) -> (%9) {
      xs: strings ["x"]
      zs: strings ["w"]
      y: string "y"
    }
  )",
                               "%2, %9");
  const std::vector<HostTensor> out =
      results(graph, {make_tensor(Type::f64, {3}, std::vector<double>{5, 6, 7}),
                      make_tensor(Type::f64, {3}, std::vector<double>{1, 2, 3})});
  EXPECT_EQ(numbers_of(out[0]), (std::vector<double>{25, 144, 441}));
  EXPECT_EQ(numbers_of(out[1]), (std::vector<double>{2, 16, 54}));
}

TEST(Gradient, OfWhatYDoesNotReadIsZero) {
  const Network network{"free", {2}, {2}, "node 0 \"n\" Neg@13 (%0) -> (%2)\n"};
  const std::vector<HostTensor> out =
      results(graph_of(network, kBoth, "%9, %10"), {values_of({2}, 1), values_of({2}, 2)});
  EXPECT_EQ(numbers_of(out[0]), (std::vector<double>{-1, -1}));
  EXPECT_EQ(numbers_of(out[1]), (std::vector<double>{0, 0}));
}

std::string refusal_of(const std::string& nodes, const std::string& gradient = kBoth) {
  try {
    lower(graph_of({"refused", {3, 4}, {3, 4}, nodes}, gradient, "%9, %10"), {});
  } catch (const Refused& refused) {
    return refused.diagnostics.at(0).rule + ": " + refused.diagnostics.at(0).message;
  }
  return "";
}

TEST(Gradient, RefusesWhatItCannotWalk) {
  const std::string unique = refusal_of(R"(
    node 0 "n" Unique@11 (%0) -> (%2)
  )");
  EXPECT_NE(unique.find("no derivative of Unique 'n' is known"), std::string::npos) << unique;
  EXPECT_NE(refusal_of("node 0 \"n\" Neg@13 (%0) -> (%3)\n").find("no tensor 'y'"),
            std::string::npos);
  EXPECT_NE(refusal_of("node 0 \"s\" Shape@13 (%0) -> (%2)\n").find("y holds integers"),
            std::string::npos);
  EXPECT_NE(refusal_of("node 0 \"n\" Neg@13 (%0) -> (%2)\n", R"(
    node 9 "slope" "ai.onnx.preview.training" Gradient@1 (%0) -> (%9, %10) {
      xs: strings ["x", "w"]
      y: string "y"
    }
  )")
                .find("xs and zs name 2 tensors"),
            std::string::npos);
}

}  // namespace
}  // namespace burin::gradient_test
