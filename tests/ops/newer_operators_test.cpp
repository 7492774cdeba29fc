// Operators that are newer than the ONNX project's test data, or missing there, beside their
// definitions written out over plain numbers.
#include <gtest/gtest.h>

#include <cmath>

#include "kernel/interpreter/interpreter.h"
#include "lower/lower.h"
#include "ops/support/node_runner.h"

namespace burin::newer_operators_test {
namespace {

using Numbers = std::vector<double>;

// Numbers of both signs that no formula treats alike.
Numbers waves(int64_t count) {
  Numbers out;
  for (int64_t k = 0; k < count; ++k)
    out.push_back(static_cast<float>(3 * std::sin(1.0 + static_cast<double>(k))));
  return out;
}

void expect_near(const HostTensor& found, const Numbers& expected) {
  const Numbers numbers = numbers_of(found);
  ASSERT_EQ(numbers.size(), expected.size());
  for (size_t k = 0; k < numbers.size(); ++k)
    EXPECT_NEAR(numbers[k], expected[k], 1e-6 + 1e-5 * std::abs(expected[k])) << "element " << k;
}

double norm(const Numbers& numbers, double order) {
  double sum = 0;
  for (const double x : numbers) sum += std::pow(std::abs(x), order);
  return std::pow(sum, 1 / order);
}

template <class F>
Numbers each(const Numbers& numbers, F f) {
  Numbers out;
  for (const double x : numbers) out.push_back(f(x));
  return out;
}

// (x - mean) / sqrt(variance + epsilon)
Numbers standardized(const Numbers& row, double epsilon) {
  double mean = 0, variance = 0;
  for (const double x : row) mean += x / static_cast<double>(row.size());
  for (const double x : row) variance += (x - mean) * (x - mean) / static_cast<double>(row.size());
  return each(row, [&](double x) { return (x - mean) / std::sqrt(variance + epsilon); });
}

// One side of the bins of real samples, written out; the inverse of one side gives the samples
// back.
TEST(DFT, TheInverseOfOneSideIsReal) {
  for (const int64_t length : {1, 2, 7, 10}) {
    const Numbers samples = waves(length);
    Numbers bins;
    for (int64_t k = 0; k <= length / 2; ++k) {
      double real = 0, imaginary = 0;
      for (int64_t t = 0; t < length; ++t) {
        const double angle =
            2 * std::acos(-1.0) * static_cast<double>(k * t) / static_cast<double>(length);
        real += samples[static_cast<size_t>(t)] * std::cos(angle);
        imaginary -= samples[static_cast<size_t>(t)] * std::sin(angle);
      }
      bins.insert(bins.end(), {real, imaginary});
    }
    const HostTensor x = floats({1, length / 2 + 1, 2}, bins);
    const std::vector<Attribute> one_side = {{"inverse", int64_t{1}}, {"onesided", int64_t{1}}};
    const HostTensor y =
        run({"DFT", 20, {given(x), fixed(scalar(length)), fixed(scalar(1))}, one_side})[0];
    EXPECT_EQ(y.shape, (std::vector<int64_t>{1, length, 1}));
    expect_near(y, samples);
    if (length % 2 != 0) continue;
    expect_near(run({"DFT", 20, {given(x), absent(), fixed(scalar(1))}, one_side})[0], samples);
  }
  EXPECT_EQ(refusal({"DFT",
                     20,
                     {given(floats({1, 3, 1}, waves(3)))},
                     {{"inverse", int64_t{1}}, {"onesided", int64_t{1}}}}),
            "shape-mismatch");
}

// Of no steps a recurrence gives the states that it had; other numbers of steps share the program.
TEST(Recurrences, OfNoSteps) {
  const std::string text =
      "graph \"g\" file \"g.onnx\" ir 8\nsymbol \"t\" param 0..8\n"
      "value %0 \"x\" f32 [t, 2, 1]\nvalue %1 \"w\" f32 [1, 4, 1]\nvalue %2 \"r\" f32 [1, 4, 1]\n"
      "value %3 \"h\" f32 [1, 2, 1]\nvalue %4 \"c\" f32 [1, 2, 1]\nvalue %5 \"y\" none ?\n"
      "value %6 \"yh\" none ?\nvalue %7 \"yc\" none ?\n"
      "block \"g\" (%0, %1, %2, %3, %4) -> (%5, %6, %7) {\n"
      "node 0 \"n\" LSTM@14 (%0, %1, %2, -, -, %3, %4) -> (%5, %6, %7)\n}";
  const KernelGraph graph = lower(parse_graph(text), {}).graph;
  const HostTensor w = floats({1, 4, 1}, waves(4)), h = floats({1, 2, 1}, {0.5, -2}),
                   c = floats({1, 2, 1}, {3, 0.25});
  const auto outputs = [&](int64_t steps) {
    const std::vector<HostTensor> inputs = {floats({steps, 2, 1}, waves(2 * steps)), w, w, h, c};
    std::vector<std::vector<int64_t>> shapes;
    for (const HostTensor& input : inputs) shapes.push_back(input.shape);
    RunResult result = interpret(graph, inputs, bind_symbols(graph, shapes));
    EXPECT_EQ(result.status, kRunOk) << result.message;
    return result.outputs;
  };
  const std::vector<HostTensor> none = outputs(0);
  EXPECT_EQ(none[0].shape, (std::vector<int64_t>{0, 1, 2, 1}));
  EXPECT_EQ(numbers_of(none[1]), (Numbers{0.5, -2}));
  EXPECT_EQ(numbers_of(none[2]), (Numbers{3, 0.25}));
  const std::vector<HostTensor> one = outputs(1);
  EXPECT_EQ(numbers_of(one[0]), numbers_of(one[1]));
  EXPECT_NE(numbers_of(one[1]), numbers_of(none[1]));
}

// Since opset 21: products of 8-bit floats, and of one with an integer.
TEST(QLinearMatMul, FloatsOf8Bits) {
  const auto narrow = [](const Numbers& numbers) {
    return given(make_tensor(Type::f8e4m3fn, {2, 2}, numbers));
  };
  const auto zero = [](Type type) { return given(make_tensor(type, {}, Numbers{0})); };
  const auto scale = [](double number) { return given(floats({}, {number})); };
  const Argument a = narrow({1.5, -2, 0.25, 448}), b = narrow({2, 1, 0.5, -3});
  EXPECT_EQ(numbers_of(run({"QLinearMatMul",
                            21,
                            {a, scale(0.5), zero(Type::f8e4m3fn), b, scale(2), zero(Type::f8e4m3fn),
                             scale(4), zero(Type::f8e4m3fn)}})[0]),
            // (1.5*2 - 2*0.5) / 4, (1.5 + 6) / 4, (0.5 + 224) / 4 to four bits, (0.25 - 1344) / 4
            (Numbers{0.5, 1.875, 56, -320}));
  const Argument whole = given(make_tensor(Type::i8, {2, 2}, Numbers{2, 1, -5, -3}));
  EXPECT_EQ(numbers_of(run({"QLinearMatMul",
                            21,
                            {a, scale(1), zero(Type::f8e4m3fn), whole, scale(1), zero(Type::i8),
                             scale(1), zero(Type::f8e5m2)}})[0]),
            // 13, 7.5, -2239.5 and -1343.75 to three bits, ties to even
            (Numbers{12, 8, -2048, -1280}));
  EXPECT_EQ(refusal({"QLinearMatMul",
                     13,
                     {a, scale(1), zero(Type::f8e4m3fn), b, scale(1), zero(Type::f8e4m3fn),
                      scale(1), zero(Type::f8e4m3fn)}}),
            "unsupported-type");
}

TEST(Bitwise, EveryPairOfBits) {
  const std::vector<int64_t> a = {0, 1, -1, 0x55, -128, 127}, b = {3, -1, 0x55, 0x33, 1, -2};
  const auto tensor = [](const std::vector<int64_t>& numbers) {
    return given(make_tensor(Type::i8, {6}, numbers));
  };
  const auto found = [&](const char* op) {
    return numbers_of(run({op, 18, {tensor(a), tensor(b)}})[0]);
  };
  Numbers conjunction, disjunction, difference, complement;
  for (size_t k = 0; k < a.size(); ++k) {
    conjunction.push_back(static_cast<int8_t>(a[k] & b[k]));
    disjunction.push_back(static_cast<int8_t>(a[k] | b[k]));
    difference.push_back(static_cast<int8_t>(a[k] ^ b[k]));
    complement.push_back(static_cast<int8_t>(~a[k]));
  }
  EXPECT_EQ(found("BitwiseAnd"), conjunction);
  EXPECT_EQ(found("BitwiseOr"), disjunction);
  EXPECT_EQ(found("BitwiseXor"), difference);
  EXPECT_EQ(numbers_of(run({"BitwiseNot", 18, {tensor(a)}})[0]), complement);
  EXPECT_EQ(refusal({"BitwiseAnd", 18, {given(floats({1}, {1})), given(floats({1}, {1}))}}),
            "unsupported-type");
}

TEST(Gelu, BothForms) {
  const Numbers x = {-20, -3, -1, -0.25, 0, 0.5, 1, 2.5, 20};
  const Argument input = given(floats({9}, x));
  expect_near(run({"Gelu", 20, {input}})[0],
              each(x, [](double v) { return v / 2 * (1 + std::erf(v / std::sqrt(2.0))); }));
  expect_near(run({"Gelu", 20, {input}, {{"approximate", std::string("tanh")}}})[0],
              each(x, [](double v) {
                const double inner = std::sqrt(2 / std::acos(-1.0)) * (v + 0.044715 * v * v * v);
                return v / 2 * (1 + std::tanh(inner));
              }));
  EXPECT_EQ(refusal({"Gelu", 20, {input}, {{"approximate", std::string("sigmoid")}}}),
            "bad-attribute");
}

TEST(Mish, WithoutOverflow) {
  const Numbers x = {-100, -20, -3, -0.5, 0, 0.5, 3, 20, 100};
  expect_near(run({"Mish", 18, {given(floats({9}, x))}})[0],
              each(x, [](double v) { return v * std::tanh(std::log1p(std::exp(v))); }));
}

// What repeats the tensor repeats what a negative pad at the other end has left of it.
TEST(Pad, NegativePadsCropBeforeTheRestIsRepeated) {
  for (const auto& [mode, before, expected] : {std::tuple{"wrap", 3, Numbers{5, 6, 7, 5, 6, 7}},
                                               {"reflect", 2, {7, 6, 5, 6, 7}},
                                               {"edge", 2, {5, 5, 5, 6, 7}}}) {
    for (const bool known : {true, false}) {
      const HostTensor pads = make_tensor(Type::i64, {2}, std::vector<int64_t>{before, -2});
      NodeTest test{"Pad",
                    19,
                    {given(floats({5}, {5, 6, 7, 8, 9})), known ? fixed(pads) : given(pads)},
                    {{"mode", std::string(mode)}}};
      expect_near(run(test)[0], expected);
    }
  }
}

TEST(LpPool, WindowsOfZeroPaddedRows) {
  const Numbers x = waves(6);
  for (const int64_t order : {1, 2, 3}) {
    Numbers expected;
    for (int at = -1; at + 3 <= 7; at += 2) {
      Numbers window;
      for (int k = at; k < at + 3; ++k) {
        if (k >= 0 && k < 6) window.push_back(x[static_cast<size_t>(k)]);
      }
      expected.push_back(norm(window, static_cast<double>(order)));
    }
    const NodeTest test{"LpPool",
                        18,
                        {given(floats({1, 1, 6}, x))},
                        {{"kernel_shape", std::vector<int64_t>{3}},
                         {"strides", std::vector<int64_t>{2}},
                         {"pads", std::vector<int64_t>{1, 1}},
                         {"p", order}}};
    expect_near(run(test)[0], expected);
  }
}

TEST(GlobalLpPool, EveryChannel) {
  const Numbers x = waves(12);
  for (const int64_t order : {1, 2, 3}) {
    const HostTensor y = run({"GlobalLpPool", 2, {sized(floats({1, 3, 4}, x))}, {{"p", order}}})[0];
    EXPECT_EQ(y.shape, (std::vector<int64_t>{1, 3, 1}));
    Numbers expected;
    for (auto row = x.begin(); row != x.end(); row += 4)
      expected.push_back(norm({row, row + 4}, static_cast<double>(order)));
    expect_near(y, expected);
  }
}

TEST(LpNormalization, AlongAnAxisAndZeros) {
  Numbers x = waves(6);
  x[1] = x[4] = 0;  // the middle column
  for (const int64_t order : {1, 2}) {
    Numbers expected(6, 0.0);
    for (const size_t column : {0, 2}) {
      const double size = norm({x[column], x[column + 3]}, static_cast<double>(order));
      expected[column] = x[column] / size;
      expected[column + 3] = x[column + 3] / size;
    }
    const std::vector<Attribute> attributes = {{"axis", int64_t{0}}, {"p", order}};
    expect_near(run({"LpNormalization", 1, {given(floats({2, 3}, x))}, attributes})[0], expected);
  }
  EXPECT_EQ(refusal({"LpNormalization", 1, {given(floats({2}, {1, 2}))}, {{"p", int64_t{3}}}}),
            "bad-attribute");
}

TEST(GroupNormalization, ScaledPerGroupThenPerChannel) {
  const Numbers x = waves(2 * 4 * 3);  // 2 batches of 4 channels of 3, in 2 groups
  const Numbers scale = {2, -1, 0.5, 3}, shift = {0.25, 1, -2, 0};
  for (const int version : {18, 21}) {
    const size_t entries = version == 18 ? 2 : 4;
    const auto list = [&](const Numbers& all) {
      return given(floats({static_cast<int64_t>(entries)},
                          {all.begin(), all.begin() + static_cast<std::ptrdiff_t>(entries)}));
    };
    Numbers expected;
    for (auto group = x.begin(); group != x.end(); group += 6) {
      for (const double value : standardized({group, group + 6}, 1e-3)) {
        const size_t channel = expected.size() / 3 % 4;
        const size_t entry = version == 18 ? channel / 2 : channel;
        expected.push_back(value * scale[entry] + shift[entry]);
      }
    }
    const NodeTest test{"GroupNormalization",
                        version,
                        {given(floats({2, 4, 3}, x)), list(scale), list(shift)},
                        {{"num_groups", int64_t{2}}, {"epsilon", 1e-3f}}};
    expect_near(run(test)[0], expected);
  }
  const Argument two = given(floats({2}, {1, 1}));
  const NodeTest uneven{"GroupNormalization",
                        18,
                        {given(floats({1, 3, 1}, {1, 2, 3})), two, two},
                        {{"num_groups", int64_t{2}}}};
  EXPECT_EQ(refusal(uneven), "shape-mismatch");
}

TEST(RMSNormalization, RowsFromAnAxisOn) {
  const Numbers x = waves(2 * 3 * 2), scale = {1, -2, 0.5, 3, 0.25, 1};
  Numbers expected;
  for (auto row = x.begin(); row != x.end(); row += 6) {
    double square = 0;
    for (auto v = row; v != row + 6; ++v) square += *v * *v / 6;
    for (size_t k = 0; k < 6; ++k)
      expected.push_back(row[static_cast<std::ptrdiff_t>(k)] / std::sqrt(square + 1e-3) * scale[k]);
  }
  const NodeTest test{"RMSNormalization",
                      23,
                      {given(floats({2, 3, 2}, x)), given(floats({3, 2}, scale))},
                      {{"axis", int64_t{1}}, {"epsilon", 1e-3f}}};
  expect_near(run(test)[0], expected);
}

}  // namespace
}  // namespace burin::newer_operators_test
