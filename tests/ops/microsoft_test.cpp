// Operators of com.microsoft, beside their definitions or beside the operators that they stand for.
#include <gtest/gtest.h>

#include <cmath>

#include "ops/support/node_runner.h"

namespace burin::microsoft_test {
namespace {

using Numbers = std::vector<double>;
using Integers = std::vector<int64_t>;

NodeTest ms(const char* op, std::vector<Argument> inputs, std::vector<Attribute> attributes = {},
            int outputs = 1) {
  NodeTest test{op, 1, std::move(inputs), std::move(attributes), outputs};
  test.domain = "com.microsoft";
  return test;
}

Numbers waves(int64_t count, double from = 1) {
  Numbers out;
  for (int64_t k = 0; k < count; ++k)
    out.push_back(static_cast<float>(std::sin(from + 0.7 * static_cast<double>(k))));
  return out;
}

Integers bytes(int64_t count, int64_t step, int64_t low, int64_t high) {
  Integers out;
  for (int64_t k = 0; k < count; ++k) out.push_back(low + k * step % (high - low + 1));
  return out;
}

Argument scale(double x) { return fixed(floats({}, {x})); }
Argument zero(Type type, int64_t x) { return fixed(make_tensor(type, {}, Integers{x})); }

void expect_close(const HostTensor& found, const Numbers& expected, double absolute = 1e-6) {
  const Numbers numbers = numbers_of(found);
  ASSERT_EQ(numbers.size(), expected.size());
  for (size_t k = 0; k < numbers.size(); ++k)
    EXPECT_NEAR(numbers[k], expected[k], absolute + 2e-5 * std::abs(expected[k]))
        << "element " << k;
}

TEST(Microsoft, QLinearWhereTakesEachByItsOwnScale) {
  const HostTensor condition = make_tensor(Type::boolean, {2, 1}, Integers{1, 0}),
                   x = make_tensor(Type::u8, {3}, Integers{10, 20, 255}),
                   y = make_tensor(Type::u8, {3}, Integers{0, 7, 200});
  const HostTensor z =
      run(ms("QLinearWhere", {sized(condition), given(x), scale(0.5), zero(Type::u8, 10), given(y),
                              scale(2), zero(Type::u8, 5), scale(1), zero(Type::u8, 3)}))[0];
  // (x - 10) / 2 + 3, (y - 5) * 2 + 3, within 0 to 255
  EXPECT_EQ(numbers_of(z), (Numbers{3, 8, 125, 0, 7, 255}));
}

TEST(Microsoft, InversesTimesTheirMatrices) {
  for (const int64_t n : {1, 2, 5, 9}) {
    Numbers numbers = waves(2 * n * n);
    for (int64_t k = 0; k < 2 * n; ++k)
      numbers[static_cast<size_t>(k / n * n * n + k % n * (n + 1))] += 3;
    const Numbers y = numbers_of(run(ms("Inverse", {sized(floats({2, n, n}, numbers))}))[0]);
    for (int64_t b = 0; b < 2; ++b) {
      for (int64_t i = 0; i < n; ++i) {
        for (int64_t j = 0; j < n; ++j) {
          double sum = 0;
          for (int64_t k = 0; k < n; ++k)
            sum += y[static_cast<size_t>((b * n + i) * n + k)] *
                   numbers[static_cast<size_t>((b * n + k) * n + j)];
          EXPECT_NEAR(sum, i == j, 1e-5);
        }
      }
    }
  }
  EXPECT_TRUE(
      std::isnan(numbers_of(run(ms("Inverse", {given(floats({2, 2}, {1, 2, 2, 4}))}))[0])[0]));
  EXPECT_EQ(refusal(ms("Inverse", {given(counting({2, 3}))})), "shape-mismatch");
}

TEST(Microsoft, FusedMatMulMovesTheFirstDimension) {
  const Numbers a = waves(2 * 3 * 4), b = waves(2 * 4 * 5, 2);
  Numbers moved;  // [2, 3, 4] as [3, 2, 4]
  for (int64_t i = 0; i < 3; ++i) {
    for (int64_t batch = 0; batch < 2; ++batch) {
      for (int64_t k = 0; k < 4; ++k)
        moved.push_back(a[static_cast<size_t>((batch * 3 + i) * 4 + k)]);
    }
  }
  const Argument right = given(floats({2, 4, 5}, b));
  const HostTensor expected = run(ms("FusedMatMul", {given(floats({2, 3, 4}, a)), right}))[0];
  EXPECT_EQ(run(ms("FusedMatMul", {sized(floats({3, 2, 4}, moved)), right},
                   {{"transBatchA", int64_t{1}}}))[0],
            expected);
}

TEST(Microsoft, PoolsWithChannelsLast) {
  const int64_t rows = 5, columns = 4, channels = 3;
  const Integers numbers = bytes(rows * columns * channels, 37, 0, 255);
  Integers first(numbers.size());
  for (int64_t p = 0; p < rows * columns; ++p) {
    for (int64_t c = 0; c < channels; ++c)
      first[static_cast<size_t>(c * rows * columns + p)] =
          numbers[static_cast<size_t>(p * channels + c)];
  }
  const HostTensor last = make_tensor(Type::u8, {1, rows, columns, channels}, numbers),
                   before = make_tensor(Type::u8, {1, channels, rows, columns}, first);
  const std::vector<Attribute> window = {{"kernel_shape", Integers{3, 2}},
                                         {"strides", Integers{2, 1}},
                                         {"pads", Integers{1, 0, 1, 1}}};
  const auto with_last = [&](const HostTensor& y) {
    const int64_t points = y.shape[2] * y.shape[3];
    const Numbers given = numbers_of(y);
    Numbers out(given.size());
    for (int64_t p = 0; p < points; ++p) {
      for (int64_t c = 0; c < channels; ++c)
        out[static_cast<size_t>(p * channels + c)] = given[static_cast<size_t>(c * points + p)];
    }
    return out;
  };
  EXPECT_EQ(numbers_of(run(ms("NhwcMaxPool", {sized(last)}, window))[0]),
            with_last(run({"MaxPool", 12, {given(before)}, window})[0]));
  std::vector<Attribute> here = window;
  here.push_back({"channels_last", int64_t{1}});
  const auto average = [&](const HostTensor& x, const std::vector<Attribute>& attributes) {
    return run(ms("QLinearAveragePool",
                  {sized(x), scale(0.5), zero(Type::u8, 3), scale(0.25), zero(Type::u8, 1)},
                  attributes))[0];
  };
  EXPECT_EQ(numbers_of(average(last, here)), with_last(average(before, window)));
}

// Rows of 90 in windows of 3 taps, a step of 2 apart, with one of padding at each end: the last
// window of an even row reaches beyond the padding. Numbers are onnxruntime's.
TEST(Microsoft, AveragesOverPaddingCountAllTaps) {
  const auto average = [&](int64_t n, int64_t with_padding) {
    return numbers_of(
        run(ms("QLinearAveragePool",
               {sized(make_tensor(Type::u8, {1, 1, n}, Integers(static_cast<size_t>(n), 90))),
                scale(1), zero(Type::u8, 0), scale(1), zero(Type::u8, 0)},
               {{"kernel_shape", Integers{3}},
                {"strides", Integers{2}},
                {"pads", Integers{1, 1}},
                {"ceil_mode", int64_t{1}},
                {"count_include_pad", with_padding}}))[0]);
  };
  EXPECT_EQ(average(6, 1), (Numbers{60, 90, 90, 30}));
  EXPECT_EQ(average(7, 1), (Numbers{60, 90, 90, 60}));
  EXPECT_EQ(average(6, 0), (Numbers{90, 90, 90, 90}));
}

TEST(Microsoft, GatherBlockQuantizedUnpacksBytes) {
  const Integers data = bytes(3 * 16, 53, 0, 255), zeros = {0x52, 0x03, 0xf1};
  const Numbers scales = waves(3 * 2);
  const std::vector<HostTensor> inputs = {make_tensor(Type::u8, {3, 16}, data), ints({2, -3}),
                                          floats({3, 2}, scales),
                                          make_tensor(Type::u8, {3, 1}, zeros)};
  for (const bool has_zeros : {false, true}) {
    Numbers expected;
    for (const int64_t row : {2, 0}) {
      for (int64_t k = 0; k < 32; ++k) {
        const int64_t byte = data[static_cast<size_t>(row * 16 + k / 2)];
        const int64_t nibble = k % 2 ? byte >> 4 : byte & 15;
        const int64_t z = zeros[static_cast<size_t>(row)];
        const int64_t point = has_zeros ? (k / 16 ? z >> 4 : z & 15) : 8;
        expected.push_back(
            static_cast<float>(static_cast<double>(nibble - point) *
                               static_cast<float>(scales[static_cast<size_t>(row * 2 + k / 16)])));
      }
    }
    std::vector<Argument> all = {fixed(inputs[0]), given(inputs[1]), fixed(inputs[2])};
    if (has_zeros) all.push_back(fixed(inputs[3]));
    expect_close(run(ms("GatherBlockQuantized", all,
                        {{"block_size", int64_t{16}}, {"quantize_axis", int64_t{1}}}))[0],
                 expected);
  }
  EXPECT_EQ(
      refusal(ms("GatherBlockQuantized", {fixed(inputs[0]), given(inputs[1]), fixed(inputs[2])},
                 {{"block_size", int64_t{16}}, {"gather_axis", int64_t{1}}})),
      "bad-attribute");
}

TEST(Microsoft, MatMulBnb4LooksNumbersUp) {
  // B is [1, 4]: 15 (1), 7 (0), 0 (-1), 13 (0.5626...); blocks of 2.
  const std::vector<Attribute> attributes = {
      {"K", int64_t{4}}, {"N", int64_t{1}}, {"block_size", int64_t{2}}, {"quant_type", int64_t{1}}};
  const HostTensor y =
      run(ms("MatMulBnb4",
             {sized(floats({1, 4}, {1, 2, 3, 4})),
              fixed(make_tensor(Type::u8, {2}, Integers{0xf7, 0x0d})), fixed(floats({2}, {2, 10}))},
             attributes))[0];
  expect_close(y, {1 * 2 - 3 * 10 + 4 * 10 * 0.5626170039176941});
}

// One key: its score s against a sink of t leaves exp(s) / (exp(s) + exp(t)) of its value.
TEST(Microsoft, SinksTakeTheirShare) {
  const auto attend = [](std::vector<Attribute> attributes, const Argument& sink) {
    attributes.insert(attributes.end(),
                      {{"num_heads", int64_t{2}}, {"kv_num_heads", int64_t{1}}, {"scale", 1.0F}});
    const HostTensor lengths = make_tensor(Type::i32, {1}, Integers{0}),
                     total = make_tensor(Type::i32, {1}, Integers{1});
    return numbers_of(
        run(ms("GroupQueryAttention",
               {given(floats({1, 1, 4}, {1, 0, 0, 2})), given(floats({1, 1, 2}, {0.5, 1})),
                given(floats({1, 1, 2}, {10, 20})), absent(), absent(), given(lengths),
                fixed(total), absent(), absent(), absent(), absent(), sink},
               attributes, 3))[0]);
  };
  const auto share = [](double score, double sink) {
    return std::exp(score) / (std::exp(score) + std::exp(sink));
  };
  const Numbers plain = attend({}, absent()),
                smooth = attend({{"smooth_softmax", int64_t{1}}}, absent()),
                sinks = attend({}, given(floats({2}, {1.5, -1})));
  for (size_t k = 0; k < 4; ++k) {
    const double value = k % 2 ? 20 : 10, score = k < 2 ? 0.5 : 2;
    EXPECT_NEAR(plain[k], value, 1e-5);
    EXPECT_NEAR(smooth[k], value * share(score, 0), 1e-4);
    EXPECT_NEAR(sinks[k], value * share(score, k < 2 ? 1.5 : -1), 1e-4);
  }
}

// What a step without positions leaves behind is 0 where the cache had nothing.
TEST(Microsoft, AStepOfNoPositionsIsDone) {
  const Argument none = given(floats({1, 0, 2}, {}));
  const std::vector<HostTensor> out =
      run(ms("GroupQueryAttention",
             {given(floats({1, 0, 4}, {})), none, none, absent(), absent(),
              given(make_tensor(Type::i32, {1}, Integers{2})),
              fixed(make_tensor(Type::i32, {1}, Integers{3}))},
             {{"num_heads", int64_t{2}}, {"kv_num_heads", int64_t{1}}}, 3));
  EXPECT_EQ(out[0].shape, (std::vector<int64_t>{1, 0, 4}));
  EXPECT_EQ(numbers_of(out[1]), Numbers(6, 0));
  EXPECT_EQ(numbers_of(out[2]), Numbers(6, 0));
}

TEST(Microsoft, QAttentionIsAttentionOfWhatItsNumbersStandFor) {
  const int64_t length = 3, size = 4;
  const Integers x = bytes(length * size, 71, 0, 255), w = bytes(size * size * 3, 29, -128, 127);
  Numbers real_x, real_w;
  for (const int64_t q : x) real_x.push_back(0.02 * static_cast<double>(q - 120));
  for (const int64_t q : w) real_w.push_back(0.01 * static_cast<double>(q - 3));
  const Argument bias = given(floats({size * 3}, waves(size * 3)));
  const std::vector<Attribute> attributes = {{"num_heads", int64_t{2}},
                                             {"unidirectional", int64_t{1}}};
  const HostTensor expected = run(
      ms("Attention",
         {given(floats({1, length, size}, real_x)), given(floats({size, size * 3}, real_w)), bias},
         attributes))[0];
  expect_close(run(ms("QAttention",
                      {given(make_tensor(Type::u8, {1, length, size}, x)),
                       fixed(make_tensor(Type::i8, {size, size * 3}, w)), bias, scale(0.02),
                       scale(0.01), absent(), zero(Type::u8, 120), zero(Type::i8, 3)},
                      attributes))[0],
               numbers_of(expected), 1e-4);
}

// Rounding the input and the state to 8 bits moves results by less than these allow.
TEST(Microsoft, DynamicQuantizeLstmIsNearItsRealForm) {
  const int64_t steps = 4, batch = 2, inputs = 5, hidden = 3, gates = 4 * hidden;
  for (const int64_t directions : {1, 2}) {
    const Integers w = bytes(directions * inputs * gates, 47, -128, 127),
                   r = bytes(directions * hidden * gates, 83, -128, 127);
    const auto real = [&](const Integers& q, int64_t columns, double by, int64_t point) {
      Numbers out(q.size());
      for (int64_t d = 0; d < directions; ++d) {
        for (int64_t k = 0; k < columns; ++k) {
          for (int64_t row = 0; row < gates; ++row)
            out[static_cast<size_t>((d * gates + row) * columns + k)] =
                by * static_cast<double>(q[static_cast<size_t>((d * columns + k) * gates + row)] -
                                         point);
        }
      }
      return out;
    };
    const auto each = [&](double by) {
      return fixed(floats({directions}, Numbers(static_cast<size_t>(directions), by)));
    };
    const auto point = [&](int64_t z) {
      return fixed(
          make_tensor(Type::i8, {directions}, Integers(static_cast<size_t>(directions), z)));
    };
    const Argument x = given(floats({steps, batch, inputs}, waves(steps * batch * inputs))),
                   bias = given(floats({directions, 2 * gates}, waves(directions * 2 * gates, 3))),
                   h = given(
                       floats({directions, batch, hidden}, waves(directions * batch * hidden, 5))),
                   c = given(
                       floats({directions, batch, hidden}, waves(directions * batch * hidden, 7)));
    const std::vector<Attribute> attributes = {
        {"hidden_size", hidden},
        {"direction", std::string(directions == 1 ? "forward" : "bidirectional")}};
    const std::vector<HostTensor> expected =
        run({"LSTM",
             14,
             {x, fixed(floats({directions, gates, inputs}, real(w, inputs, 0.004, 5))),
              fixed(floats({directions, gates, hidden}, real(r, hidden, 0.003, -7))), bias,
              absent(), h, c},
             attributes,
             3});
    const std::vector<HostTensor> found =
        run(ms("DynamicQuantizeLSTM",
               {x, fixed(make_tensor(Type::i8, {directions, inputs, gates}, w)),
                fixed(make_tensor(Type::i8, {directions, hidden, gates}, r)), bias, absent(), h, c,
                absent(), each(0.004), point(5), each(0.003), point(-7)},
               attributes, 3));
    for (size_t k = 0; k < 3; ++k) expect_close(found[k], numbers_of(expected[k]), 0.02);
  }
}

// Convolutions with channels last, beside those with channels behind the batch.
TEST(Microsoft, ConvolutionsWithChannelsLast) {
  const int64_t rows = 4, columns = 3, channels = 4, features = 2;
  const Integers numbers = bytes(rows * columns * channels, 37, 0, 255),
                 weights = bytes(features * 2 * 2 * 2, 29, -100, 100);
  Integers first(numbers.size());
  for (int64_t p = 0; p < rows * columns; ++p) {
    for (int64_t c = 0; c < channels; ++c)
      first[static_cast<size_t>(c * rows * columns + p)] =
          numbers[static_cast<size_t>(p * channels + c)];
  }
  const std::vector<Attribute> window = {{"group", int64_t{2}}, {"pads", Integers{1, 0, 0, 1}}};
  std::vector<Attribute> last = window;
  last.push_back({"channels_last", int64_t{1}});
  const auto with_last = [&](const HostTensor& y) {
    const int64_t points = y.shape[2] * y.shape[3];
    const Numbers given = numbers_of(y);
    Numbers out(given.size());
    for (int64_t p = 0; p < points; ++p) {
      for (int64_t c = 0; c < features; ++c)
        out[static_cast<size_t>(p * features + c)] = given[static_cast<size_t>(c * points + p)];
    }
    return out;
  };
  const auto quantised = [&](const HostTensor& x) {
    return std::vector<Argument>{sized(x),
                                 scale(0.5),
                                 zero(Type::u8, 100),
                                 fixed(make_tensor(Type::i8, {features, 2, 2, 2}, weights)),
                                 scale(0.01),
                                 zero(Type::i8, 0),
                                 scale(2),
                                 zero(Type::u8, 90)};
  };
  const HostTensor x_last = make_tensor(Type::u8, {1, rows, columns, channels}, numbers),
                   x_first = make_tensor(Type::u8, {1, channels, rows, columns}, first);
  EXPECT_EQ(numbers_of(run(ms("QLinearConv", quantised(x_last), last))[0]),
            with_last(run({"QLinearConv", 10, quantised(x_first), window})[0]));
  const auto real = [&](const Integers& list, const std::vector<int64_t>& shape) {
    return floats(shape, Numbers(list.begin(), list.end()));
  };
  const Argument w = fixed(real(weights, {features, 2, 2, 2})), b = given(floats({2}, {5, -7}));
  // The weights have their channels last as well, where that fits.
  Integers weights_last;
  for (int64_t f = 0; f < features; ++f) {
    for (int64_t tap = 0; tap < 4; ++tap) {
      for (int64_t c = 0; c < 2; ++c)
        weights_last.push_back(weights[static_cast<size_t>((f * 2 + c) * 4 + tap)]);
    }
  }
  const Argument w_last = fixed(real(weights_last, {features, 2, 2, 2}));
  EXPECT_EQ(
      numbers_of(run(ms("NhwcConv", {sized(real(numbers, x_last.shape)), w_last, b}, window))[0]),
      with_last(run({"Conv", 11, {given(real(first, x_first.shape)), w, b}, window})[0]));
}

TEST(Microsoft, GroupNormOfBothLayouts) {
  const int64_t channels = 4, points = 6;
  const Numbers x = waves(channels * points), gamma = waves(channels, 2), beta = waves(channels, 4);
  Numbers first(x.size()), expected(x.size());
  for (int64_t p = 0; p < points; ++p) {
    for (int64_t c = 0; c < channels; ++c)
      first[static_cast<size_t>(c * points + p)] = x[static_cast<size_t>(p * channels + c)];
  }
  const HostTensor plain = run({"GroupNormalization",
                                21,
                                {given(floats({1, channels, 2, 3}, first)),
                                 given(floats({channels}, gamma)), given(floats({channels}, beta))},
                                {{"num_groups", int64_t{2}}}})[0];
  for (int64_t p = 0; p < points; ++p) {
    for (int64_t c = 0; c < channels; ++c) {
      const double y = numbers_of(plain)[static_cast<size_t>(c * points + p)];
      expected[static_cast<size_t>(p * channels + c)] = y / (1 + std::exp(-y));
    }
  }
  expect_close(run(ms("GroupNorm",
                      {sized(floats({1, 2, 3, channels}, x)), given(floats({channels}, gamma)),
                       given(floats({channels}, beta))},
                      {{"groups", int64_t{2}}, {"activation", int64_t{1}}}))[0],
               expected, 1e-5);
}

TEST(Microsoft, BiasSplitGeluGatesTheFirstHalf) {
  const Numbers x = waves(8), bias = waves(4, 3);
  Numbers expected;
  for (size_t row = 0; row < 2; ++row) {
    for (size_t k = 0; k < 2; ++k) {
      const double left = x[row * 4 + k] + bias[k], right = x[row * 4 + k + 2] + bias[k + 2];
      expected.push_back(left * right / 2 * (1 + std::erf(right / std::sqrt(2.0))));
    }
  }
  expect_close(run(ms("BiasSplitGelu", {sized(floats({2, 4}, x)), given(floats({4}, bias))}))[0],
               expected);
}

TEST(Microsoft, GatedRelativePositionBias) {
  const int64_t heads = 2, size = 3, length = 2, columns = 4;
  const Numbers q = waves(length * heads * size), shift = waves(heads * size, 2),
                positions = waves(heads * length * length, 3), w = waves(size * columns, 4),
                bias = waves(columns, 5), eco = {0.5, -1.5};
  Numbers expected;
  for (int64_t h = 0; h < heads; ++h) {
    for (int64_t i = 0; i < length; ++i) {
      double sums[2] = {0, 0};
      for (int64_t c = 0; c < columns; ++c) {
        double sum = bias[static_cast<size_t>(c)];
        for (int64_t k = 0; k < size; ++k)
          sum += (q[static_cast<size_t>(i * heads * size + h * size + k)] +
                  shift[static_cast<size_t>(h * size + k)]) *
                 w[static_cast<size_t>(k * columns + c)];
        sums[c / 2] += sum;
      }
      const auto sigmoid = [](double v) { return 1 / (1 + std::exp(-v)); };
      const double gate =
          sigmoid(sums[0]) * (sigmoid(sums[1]) * eco[static_cast<size_t>(h)] - 1) + 2;
      for (int64_t j = 0; j < length; ++j)
        expected.push_back(gate * positions[static_cast<size_t>((h * length + i) * length + j)]);
    }
  }
  expect_close(
      run(ms(
          "GatedRelativePositionBias",
          {given(floats({1, length, heads * size}, q)), given(floats({heads * size}, shift)),
           given(floats({1, heads, length, length}, positions)), given(floats({size, columns}, w)),
           given(floats({columns}, bias)), given(floats({1, heads, 1, 1}, eco))},
          {{"num_heads", heads}}))[0],
      expected, 1e-5);
}

}  // namespace
}  // namespace burin::microsoft_test
