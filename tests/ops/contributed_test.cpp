// Operators of com.microsoft that are another operator in another form: what quantisers write, what
// exporters wrote before ai.onnx had it.
#include <gtest/gtest.h>

#include <cmath>

#include "ops/support/node_runner.h"

namespace burin::contributed_test {
namespace {

NodeTest ms(const char* op, std::vector<Argument> inputs, std::vector<Attribute> attributes = {},
            int outputs = 1) {
  NodeTest test{op, 1, std::move(inputs), std::move(attributes), outputs};
  test.domain = "com.microsoft";
  return test;
}

// A table of bytes, and as the numbers that they stand for.
struct Table {
  HostTensor bytes, numbers;
  double scale;
  int64_t zero;
};

Table table(Type type, std::vector<int64_t> shape, int64_t step, double scale, int64_t zero) {
  Table out{make_tensor(type, shape), make_tensor(Type::f32, shape), scale, zero};
  for (int64_t i = 0; i < out.bytes.elements(); ++i) {
    const int64_t q = i * step % 256 - (type == Type::i8 ? 128 : 0);
    out.bytes.set(i, {0, q});
    out.numbers.set(
        i, {static_cast<double>(static_cast<float>(scale)) * static_cast<double>(q - zero), 0});
  }
  return out;
}

TEST(Contributed, QEmbedLayerNormalizationIsThatOfItsNumbers) {
  const HostTensor ids = make_tensor(Type::i32, {2, 3}, std::vector<int64_t>{4, 0, 2, 1, 1, 3}),
                   segments =
                       make_tensor(Type::i32, {2, 3}, std::vector<int64_t>{0, 1, 1, 0, 0, 1}),
                   mask = make_tensor(Type::i32, {2, 3}, std::vector<int64_t>{1, 1, 0, 1, 1, 1});
  for (const Type type : {Type::u8, Type::i8}) {
    const Table tables[] = {table(type, {5, 4}, 37, 0.02, 7), table(type, {6, 4}, 91, 0.03, 1),
                            table(type, {2, 4}, 53, 0.01, 5), table(type, {4}, 61, 0.025, 3),
                            table(type, {4}, 29, 0.015, 2)};
    for (const bool segmented : {false, true}) {
      const auto or_absent = [&](const Argument& a) { return segmented ? a : absent(); };
      std::vector<Argument> real = {sized(ids), or_absent(sized(segments))}, quantised = real;
      for (int k = 0; k < 5; ++k) {
        real.push_back(k == 2 ? or_absent(given(tables[k].numbers)) : given(tables[k].numbers));
        quantised.push_back(k == 2 ? or_absent(fixed(tables[k].bytes)) : fixed(tables[k].bytes));
      }
      for (std::vector<Argument>* both : {&real, &quantised}) both->push_back(sized(mask));
      for (int k = 0; k < 5; ++k) {
        const Argument scale = fixed(floats({}, {tables[k].scale}));
        quantised.push_back(k == 2 ? or_absent(scale) : scale);
      }
      for (int k = 0; k < 5; ++k) {
        const Argument zero = fixed(make_tensor(type, {}, std::vector<int64_t>{tables[k].zero}));
        quantised.push_back(k == 2 ? or_absent(zero) : zero);
      }
      const Attribute epsilon{"epsilon", 1e-5f};
      const std::vector<HostTensor> wanted = run(ms("EmbedLayerNormalization", real, {epsilon}, 2));
      const std::vector<HostTensor> got =
          run(ms("QEmbedLayerNormalization", quantised, {epsilon}, 2));
      EXPECT_EQ(got[1], wanted[1]);
      ASSERT_EQ(got[0].shape, wanted[0].shape);
      for (int64_t i = 0; i < got[0].elements(); ++i)
        EXPECT_NEAR(got[0].get(i).number, wanted[0].get(i).number, 1e-4) << i;
    }
  }
}

TEST(Contributed, OlderFormsAreThoseOfTheStandard) {
  const HostTensor x = counting({2, 3, 4});
  for (const int64_t upper : {0, 1}) {
    const Attribute side{"upper", upper};
    const Argument k = given(ints({-1}));
    EXPECT_EQ(run(ms("Trilu", {sized(x), k}, {side})),
              run(NodeTest{"Trilu", 14, {sized(x), k}, {side}, 1}));
  }
  const HostTensor image = counting({1, 1, 3, 4}),
                   grid = floats({1, 2, 2, 2}, {-1, -0.5, 0.25, 0, 0.9, 1.2, -1.4, 0.3});
  for (const char* mode : {"bilinear", "nearest", "bicubic"}) {
    const Attribute how{"mode", std::string(mode)};
    EXPECT_EQ(run(ms("GridSample", {sized(image), sized(grid)}, {how})),
              run(NodeTest{"GridSample", 16, {sized(image), sized(grid)}, {how}, 1}));
  }
}

// Keys are those of the cache and of the run: no range has to be given for how many they are.
TEST(Contributed, GroupQueryAttentionBoundsItsLength) {
  const HostTensor now = counting({1, 1, 4}), key = counting({1, 1, 2}),
                   cache = counting({1, 1, 3, 2});
  const auto out = [&](int64_t total) {
    return NodeTest{ms("GroupQueryAttention",
                       {given(now), given(key), given(key), given(cache), given(cache),
                        given(make_tensor(Type::i32, {1}, std::vector<int64_t>{total - 1})),
                        given(make_tensor(Type::i32, {}, std::vector<int64_t>{total}))},
                       {{"num_heads", int64_t{2}}, {"kv_num_heads", int64_t{1}}}, 3)};
  };
  EXPECT_EQ(run(out(4))[1].shape, (std::vector<int64_t>{1, 1, 4, 2}));
  EXPECT_EQ(run(out(2))[1].shape, (std::vector<int64_t>{1, 1, 3, 2}));
}

}  // namespace
}  // namespace burin::contributed_test
