// Where the extreme element of a row is, looked for in lanes: of equal ones the first or the last,
// with elements that no comparison holds for, in rows of all lengths.
#include <gtest/gtest.h>

#include <limits>

#include "differential/support/emitted_run.h"
#include "support/onnx_writer.h"

namespace burin::emitted_extremes_test {
namespace {

namespace w = onnx_writer;

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

// Few different numbers, so that many are equal.
HostTensor rows_of(int64_t rows, int64_t columns) {
  HostTensor x = make_tensor(Type::f32, {rows, columns});
  for (int64_t k = 0; k < rows * columns; ++k)
    x.set(k, {static_cast<double>((7 * k + k / 11) % 5 - 2), 0});
  return x;
}

std::string arg_extremes() {
  w::GraphParts parts;
  parts.inputs = {w::value("x", w::kFloat, {"rows", "columns"})};
  for (const std::string op : {"ArgMax", "ArgMin"}) {
    for (const int64_t last : {0, 1}) {
      const std::string y = op + std::to_string(last);
      parts.nodes.push_back(w::node(
          op, {"x"}, {y},
          {w::integer_attribute("axis", 1), w::integer_attribute("select_last_index", last)}));
      parts.outputs.push_back(w::Message().text(1, y));
    }
  }
  return w::model(w::graph(parts)).bytes();
}

class EmittedExtremes : public testing::TestWithParam<const char*> {};

TEST_P(EmittedExtremes, AreWhereTheDefinitionFindsThem) {
  const EmittedProgram program(arg_extremes(),
                               EmittedOptions{.dims = {"columns=1..300"}, .hardware = GetParam()});
  for (const int64_t columns : {1, 2, 15, 16, 17, 32, 33, 47, 64, 100, 257}) {
    HostTensor x = rows_of(9, columns);
    const auto fill = [&](int64_t row, double value) {
      for (int64_t k = 0; k < columns; ++k) x.set(row * columns + k, {value, 0});
    };
    const auto put = [&](int64_t row, int64_t column, double value) {
      if (column < columns) x.set(row * columns + column, {value, 0});
    };
    fill(1, -kInfinity);
    fill(2, kInfinity);
    fill(3, kNaN);
    put(4, 0, kNaN);  // stays, since nothing is greater or less
    for (const int64_t column : {1, 3, 18, 40, 99}) put(5, column, kNaN);
    fill(6, -kInfinity);
    put(6, columns - 1, kNaN);
    fill(7, kNaN);
    put(7, columns / 2, -kInfinity);
    put(8, columns - 1, 0.0);
    put(8, 0, -0.0);
    program.expect_agrees({x});
  }
}

// Of a plane a row after the other.
TEST_P(EmittedExtremes, OfAPlane) {
  w::GraphParts parts;
  parts.inputs = {w::value("x", w::kFloat, {1, 3, 5, 41})};
  parts.nodes = {
      w::node("MaxPool", {"x"}, {"y", "at"}, {w::integers_attribute("kernel_shape", {5, 41})})};
  parts.outputs = {w::Message().text(1, "y"), w::Message().text(1, "at")};
  const EmittedProgram program(w::model(w::graph(parts)).bytes(),
                               EmittedOptions{.hardware = GetParam()});
  HostTensor x = make_tensor(Type::f32, {1, 3, 5, 41});
  for (int64_t k = 0; k < 3 * 5 * 41; ++k)
    x.set(k, {k / 205 == 1 ? -kInfinity : static_cast<double>((13 * k) % 17), 0});
  program.expect_agrees({x});
}

INSTANTIATE_TEST_SUITE_P(Lanes, EmittedExtremes, testing::Values("cpp-generic", "x86-64-v3"));

}  // namespace
}  // namespace burin::emitted_extremes_test
