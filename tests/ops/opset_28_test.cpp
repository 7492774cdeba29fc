// Operators that opsets 25 to 28 brought or changed, beside their definitions written out over
// plain numbers.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "ops/support/node_runner.h"

namespace burin::opset_28_test {
namespace {

using Numbers = std::vector<double>;

Numbers ramp(int64_t count, double from = -1, double step = 0.37) {
  Numbers out;
  for (int64_t k = 0; k < count; ++k)
    out.push_back(static_cast<float>(std::sin(from + step * static_cast<double>(k))));
  return out;
}

void expect_close(const HostTensor& found, const Numbers& expected) {
  const Numbers numbers = numbers_of(found);
  ASSERT_EQ(numbers.size(), expected.size());
  for (size_t k = 0; k < numbers.size(); ++k)
    EXPECT_NEAR(numbers[k], expected[k], 1e-6 + 2e-5 * std::abs(expected[k])) << "element " << k;
}

TEST(Opset28, BitShiftOfSignedIntegers) {
  const auto shifted = [](const char* direction, const std::vector<int64_t>& x,
                          const std::vector<int64_t>& by, Type type) {
    const auto count = static_cast<int64_t>(x.size());
    return numbers_of(
        run({"BitShift",
             28,
             {given(make_tensor(type, {count}, x)), given(make_tensor(type, {count}, by))},
             {{"direction", std::string(direction)}}})[0]);
  };
  for (const Type type : {Type::i8, Type::i16, Type::i32, Type::i64}) {
    const int64_t bits = size_bits(type);
    EXPECT_EQ(shifted("RIGHT", {-5, 5, -1, -128, 100, -3, 3}, {1, 1, 3, bits, bits, -1, -1}, type),
              (Numbers{-3, 2, -1, -1, 0, -1, 0}));
    EXPECT_EQ(shifted("LEFT", {-5, 5, 1, 1, 1}, {1, 2, bits, -1, bits - 1}, type),
              (Numbers{-10, 20, 0, 0, -std::pow(2.0, static_cast<double>(bits - 1))}));
  }
  EXPECT_EQ(refusal({"BitShift",
                     27,
                     {given(ints({1})), given(ints({1}))},
                     {{"direction", std::string("LEFT")}}}),
            "unsupported-type");
}

TEST(Opset28, ModOfFloatsRoundsDown) {
  const double endless = std::numeric_limits<double>::infinity();
  const HostTensor a = floats({9}, {5.5, -5.5, 5.5, -5.5, 6, -6, 2, -2, 0}),
                   b = floats({9}, {2, 2, -2, -2, 3, 3, endless, endless, -4});
  const HostTensor y = run({"Mod", 28, {given(a), given(b)}})[0];
  EXPECT_EQ(numbers_of(y), (Numbers{1.5, 0.5, -0.5, -1.5, 0, 0, 2, endless, -0.0}));
  EXPECT_TRUE(std::signbit(numbers_of(y)[8]));
  EXPECT_TRUE(std::isnan(
      numbers_of(run({"Mod", 28, {given(floats({1}, {1})), given(floats({1}, {0}))}})[0])[0]));
  EXPECT_EQ(refusal({"Mod", 27, {given(a), given(b)}}), "bad-attribute");
}

TEST(Opset28, SpaceToDepthByColumns) {
  const Argument x = sized(counting({1, 2, 2, 4}));
  const std::pair<const char*, Numbers> cases[] = {
      {"DCR", {0, 2, 8, 10, 1, 3, 9, 11, 4, 6, 12, 14, 5, 7, 13, 15}},
      {"CRD", {0, 2, 1, 3, 4, 6, 5, 7, 8, 10, 9, 11, 12, 14, 13, 15}}};
  for (const auto& [mode, expected] : cases) {
    const HostTensor y =
        run({"SpaceToDepth", 28, {x}, {{"blocksize", int64_t{2}}, {"mode", std::string(mode)}}})[0];
    EXPECT_EQ(y.shape, (std::vector<int64_t>{1, 8, 1, 2}));
    EXPECT_EQ(numbers_of(y), expected) << mode;
  }
}

TEST(Opset28, RangeOfHalves) {
  const auto half = [](double x) { return fixed(make_tensor(Type::f16, {}, Numbers{x})); };
  EXPECT_EQ(numbers_of(run({"Range", 27, {half(1), half(3), half(0.5)}})[0]),
            (Numbers{1, 1.5, 2, 2.5}));
  EXPECT_EQ(refusal({"Range", 26, {half(1), half(3), half(0.5)}}), "unsupported-type");
}

TEST(Opset28, RunningProducts) {
  const auto products = [](int64_t exclusive, int64_t reverse) {
    return numbers_of(run({"CumProd",
                           26,
                           {sized(floats({2, 3}, {1, 2, 3, 4, 5, 6})), fixed(scalar(1))},
                           {{"exclusive", exclusive}, {"reverse", reverse}}})[0]);
  };
  EXPECT_EQ(products(0, 0), (Numbers{1, 2, 6, 4, 20, 120}));
  EXPECT_EQ(products(1, 0), (Numbers{1, 1, 2, 1, 4, 20}));
  EXPECT_EQ(products(0, 1), (Numbers{6, 6, 3, 120, 30, 6}));
  EXPECT_EQ(products(1, 1), (Numbers{6, 3, 1, 30, 6, 1}));
}

TEST(Opset28, BitsAreThoseOfAnotherType) {
  const auto cast = [](const HostTensor& x, int64_t to) {
    return run({"BitCast", 26, {sized(x)}, {{"to", to}}})[0];
  };
  const HostTensor numbers = floats({2, 2}, {1, -0.0, 0.5, -2});
  const HostTensor bits = cast(numbers, 6);  // i32
  EXPECT_EQ(bits.type, Type::i32);
  EXPECT_EQ(numbers_of(bits), (Numbers{0x3f800000, -2147483648.0, 0x3f000000, -0x40000000}));
  EXPECT_EQ(cast(bits, 1), numbers);
  EXPECT_EQ(numbers_of(cast(make_tensor(Type::i8, {2}, std::vector<int64_t>{-1, 5}), 2)),
            (Numbers{255, 5}));
  EXPECT_EQ(numbers_of(cast(make_tensor(Type::f16, {1}, Numbers{1.5}), 4)), Numbers{0x3e00});
  EXPECT_EQ(numbers_of(cast(make_tensor(Type::boolean, {2}, std::vector<int64_t>{1, 0}), 2)),
            (Numbers{1, 0}));
  EXPECT_EQ(numbers_of(cast(make_tensor(Type::u8, {2}, std::vector<int64_t>{1, 0}), 9)),
            (Numbers{1, 0}));
  EXPECT_EQ(refusal({"BitCast", 26, {given(numbers)}, {{"to", int64_t{7}}}}), "type-mismatch");
}

TEST(Opset28, SwiGlu) {
  const Numbers a = ramp(6), b = ramp(6, 2);
  Numbers expected;
  for (size_t k = 0; k < a.size(); ++k)
    expected.push_back(a[k] / (1 + std::exp(-1.5 * a[k])) * b[k]);
  expect_close(run({"SwiGLU",
                    28,
                    {sized(floats({2, 3}, a)), given(floats({2, 3}, b))},
                    {{"alpha", 1.5F}}})[0],
               expected);
  EXPECT_EQ(refusal({"SwiGLU", 28, {given(counting({2})), given(counting({3}))}}),
            "shape-mismatch");
}

TEST(Opset28, CausalConvolutionKeepsItsLastInputs) {
  const int64_t batch = 2, channels = 3, taps = 3;
  for (const int64_t length : {1, 5}) {
    for (const bool has_past : {false, true}) {
      const Numbers x = ramp(batch * channels * length), w = ramp(channels * taps, 3),
                    bias = ramp(channels, 1), past = ramp(batch * channels * (taps - 1), 5);
      Numbers expected, state;
      for (int64_t b = 0; b < batch; ++b) {
        for (int64_t c = 0; c < channels; ++c) {
          Numbers line;
          for (int64_t k = 0; k + 1 < taps; ++k)
            line.push_back(has_past ? past[static_cast<size_t>((b * channels + c) * (taps - 1) + k)]
                                    : 0);
          for (int64_t k = 0; k < length; ++k)
            line.push_back(x[static_cast<size_t>((b * channels + c) * length + k)]);
          for (int64_t at = 0; at < length; ++at) {
            double sum = bias[static_cast<size_t>(c)];
            for (int64_t k = 0; k < taps; ++k)
              sum += line[static_cast<size_t>(at + k)] * w[static_cast<size_t>(c * taps + k)];
            expected.push_back(sum / (1 + std::exp(-sum)));
          }
          for (int64_t k = 0; k + 1 < taps; ++k)
            state.push_back(line[static_cast<size_t>(length + k)]);
        }
      }
      const std::vector<HostTensor> found =
          run({"CausalConvWithState",
               27,
               {sized(floats({batch, channels, length}, x)), given(floats({channels, 1, taps}, w)),
                given(floats({channels}, bias)),
                has_past ? given(floats({batch, channels, taps - 1}, past)) : absent()},
               {{"activation", std::string("silu")}},
               2});
      expect_close(found[0], expected);
      expect_close(found[1], state);
    }
  }
}

TEST(Opset28, LinearAttentionByEveryRule) {
  const int64_t batch = 2, length = 3, heads = 4, kept = 2, rows = 3, columns = 2;
  const auto at = [](const Numbers& list, int64_t i) { return list[static_cast<size_t>(i)]; };
  const Numbers q = ramp(batch * length * heads * rows), k = ramp(batch * length * kept * rows, 2),
                v = ramp(batch * length * kept * columns, 4),
                past = ramp(batch * kept * rows * columns, 6),
                decay = ramp(batch * length * kept * rows, 1, 0.2),
                beta = ramp(batch * length * kept, 3);
  for (const char* rule : {"linear", "gated", "delta", "gated_delta"}) {
    const bool gated = std::string(rule).starts_with("gated"),
               delta = std::string(rule).ends_with("delta");
    Numbers y(static_cast<size_t>(batch * length * heads * columns)), states;
    for (int64_t b = 0; b < batch; ++b) {
      for (int64_t h = 0; h < kept; ++h) {
        Numbers state;
        for (int64_t i = 0; i < rows * columns; ++i)
          state.push_back(at(past, (b * kept + h) * rows * columns + i));
        for (int64_t t = 0; t < length; ++t) {
          const int64_t place = (b * length + t) * kept + h;
          for (int64_t i = 0; i < rows && gated; ++i) {
            for (int64_t j = 0; j < columns; ++j)
              state[static_cast<size_t>(i * columns + j)] *= std::exp(at(decay, place * rows + i));
          }
          Numbers added;
          for (int64_t j = 0; j < columns; ++j) {
            double found = 0;
            for (int64_t i = 0; i < rows; ++i)
              found += state[static_cast<size_t>(i * columns + j)] * at(k, place * rows + i);
            const double value = at(v, place * columns + j);
            added.push_back(delta ? at(beta, place) * (value - found) : value);
          }
          for (int64_t i = 0; i < rows; ++i) {
            for (int64_t j = 0; j < columns; ++j)
              state[static_cast<size_t>(i * columns + j)] +=
                  at(k, place * rows + i) * added[static_cast<size_t>(j)];
          }
          for (int64_t g = h * 2; g < h * 2 + 2; ++g) {
            for (int64_t j = 0; j < columns; ++j) {
              double sum = 0;
              for (int64_t i = 0; i < rows; ++i)
                sum += at(q, ((b * length + t) * heads + g) * rows + i) *
                       state[static_cast<size_t>(i * columns + j)];
              y[static_cast<size_t>(((b * length + t) * heads + g) * columns + j)] = sum * 0.5;
            }
          }
        }
        states.insert(states.end(), state.begin(), state.end());
      }
    }
    const std::vector<HostTensor> found =
        run({"LinearAttention",
             27,
             {sized(floats({batch, length, heads * rows}, q)),
              given(floats({batch, length, kept * rows}, k)),
              given(floats({batch, length, kept * columns}, v)),
              given(floats({batch, kept, rows, columns}, past)),
              gated ? given(floats({batch, length, kept * rows}, decay)) : absent(),
              delta ? given(floats({batch, length, kept}, beta)) : absent()},
             {{"q_num_heads", heads},
              {"kv_num_heads", kept},
              {"scale", 0.5F},
              {"update_rule", std::string(rule)}},
             2});
    SCOPED_TRACE(rule);
    expect_close(found[0], y);
    expect_close(found[1], states);
  }
}

// Windows of Attention, beside a mask that says the same.
TEST(Opset28, AttentionSeesAWindow) {
  const int64_t queries = 4, keys = 6, size = 3;
  const Argument q = given(floats({1, 1, queries, size}, ramp(queries * size))),
                 k = given(floats({1, 1, keys, size}, ramp(keys * size, 2))),
                 v = given(floats({1, 1, keys, size}, ramp(keys * size, 4)));
  for (const int64_t left : {-1, 0, 2}) {
    for (const int64_t right : {-1, 0, 1}) {
      std::vector<int64_t> seen;
      for (int64_t i = 0; i < queries; ++i) {
        for (int64_t j = 0; j < keys; ++j)
          seen.push_back((left < 0 || j >= i - left) && (right < 0 || j <= i + right));
      }
      const HostTensor mask = make_tensor(Type::boolean, {queries, keys}, seen);
      const HostTensor windowed =
          run({"Attention",
               25,
               {q, k, v},
               {{"left_window_size", left}, {"right_window_size", right}}})[0];
      expect_close(windowed, numbers_of(run({"Attention", 25, {q, k, v, given(mask)}})[0]));
    }
  }
  EXPECT_EQ(refusal({"Attention", 25, {q, k, v}, {{"left_window_size", int64_t{-2}}}}),
            "bad-attribute");
  EXPECT_EQ(refusal({"Attention", 24, {q, k, v}, {{"left_window_size", int64_t{1}}}}),
            "bad-attribute");
}

}  // namespace
}  // namespace burin::opset_28_test
