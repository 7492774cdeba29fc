// Operators of ai.onnx.ml: values worked out by hand.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "ops/support/node_runner.h"

namespace burin::ml_test {
namespace {

using Numbers = std::vector<double>;

Attribute reals(const char* name, const std::vector<float>& list) { return {name, list}; }
Attribute integers(const char* name, const std::vector<int64_t>& list) { return {name, list}; }
Attribute text(const char* name, const char* value) { return {name, std::string(value)}; }

NodeTest ml(const char* op, std::vector<Argument> inputs, std::vector<Attribute> attributes,
            int outputs = 1) {
  NodeTest test{op, 3, std::move(inputs), std::move(attributes), outputs};
  test.domain = "ai.onnx.ml";
  return test;
}

TEST(Ml, ScalerTakesOneNumberOrOneForEachFeature) {
  for (const Type type : {Type::f32, Type::f64, Type::i32, Type::i64}) {
    const HostTensor x = counting({2, 2}, type);
    EXPECT_EQ(numbers_of(run(ml("Scaler", {sized(x)},
                                {reals("offset", {1, 0.5f}), reals("scale", {2, 4})}))[0]),
              (Numbers{-2, 2, 2, 10}));
    EXPECT_EQ(
        numbers_of(run(ml("Scaler", {given(x)}, {reals("offset", {1}), reals("scale", {2})}))[0]),
        (Numbers{-2, 0, 2, 4}));
  }
  EXPECT_EQ(refusal(ml("Scaler", {given(counting({2, 2}))},
                       {reals("offset", {1, 2, 3}), reals("scale", {2})})),
            "shape-mismatch");
}

TEST(Ml, BinarizerIsAboveTheThreshold) {
  const Attribute half{"threshold", 0.5f};
  EXPECT_EQ(numbers_of(run(
                ml("Binarizer", {sized(floats({4}, {0.5, 0.75, -1, std::nan("")}))}, {half}))[0]),
            (Numbers{0, 1, 0, 0}));
  EXPECT_EQ(run(ml("Binarizer", {given(ints({0, 1, 2}))}, {half}))[0], ints({0, 1, 1}));
}

TEST(Ml, NormalizerLeavesRowsOfNothing) {
  const auto rows = [](const char* norm) {
    return numbers_of(run(
        ml("Normalizer", {sized(floats({3, 2}, {3, -4, 0, 0, -2, -1}))}, {text("norm", norm)}))[0]);
  };
  const auto near = [](double x) { return static_cast<double>(static_cast<float>(x)); };
  EXPECT_EQ(rows("MAX"), (Numbers{1, near(-4.0f / 3), 0, 0, 2, 1}));
  EXPECT_EQ(rows("L1"),
            (Numbers{near(3.0f / 7), near(-4.0f / 7), 0, 0, near(-2.0f / 3), near(-1.0f / 3)}));
  EXPECT_EQ(rows("L2"), (Numbers{near(0.6f), near(-0.8f), 0, 0, near(-2 / std::sqrt(5.0f)),
                                 near(-1 / std::sqrt(5.0f))}));
  EXPECT_EQ(refusal(ml("Normalizer", {given(counting({2}))}, {text("norm", "L3")})),
            "bad-attribute");
}

TEST(Ml, ImputerReplacesOneNumberOrNoNumber) {
  const HostTensor x = floats({2, 2}, {std::nan(""), -1, 2, std::nan("")});
  EXPECT_EQ(
      numbers_of(run(ml("Imputer", {sized(x)},
                        {reals("imputed_value_floats", {5, 6}),
                         {"replaced_value_float", std::numeric_limits<float>::quiet_NaN()}}))[0]),
      (Numbers{5, -1, 2, 6}));
  EXPECT_EQ(
      run(ml("Imputer", {given(ints({1, 2, 1}))},
             {integers("imputed_value_int64s", {9}), {"replaced_value_int64", int64_t{1}}}))[0],
      ints({9, 2, 9}));
}

TEST(Ml, ArrayFeatureExtractorPicksColumns) {
  for (const auto which : {fixed, given}) {
    const HostTensor y =
        run(ml("ArrayFeatureExtractor", {sized(counting({2, 3})), which(ints({2, 0}))}, {}))[0];
    EXPECT_EQ(y, floats({2, 2}, {2, 0, 5, 3}));
    EXPECT_EQ(run(ml("ArrayFeatureExtractor", {given(counting({3})), which(ints({1}))}, {}))[0],
              floats({1, 1}, {1}));
  }
}

TEST(Ml, LinearModelsAreProducts) {
  const HostTensor x = floats({2, 2}, {1, 2, -1, 0});
  EXPECT_EQ(run(ml("LinearRegressor", {sized(x)},
                   {reals("coefficients", {1, 10, 2, 0}),
                    reals("intercepts", {0.5f, 0}),
                    {"targets", int64_t{2}}}))[0],
            floats({2, 2}, {21.5, 2, -0.5, -2}));
  const auto chances = [&](const char* transform) {
    return numbers_of(run(ml("LinearRegressor", {sized(x)},
                             {reals("coefficients", {1, 0, 0, 0.5f}),
                              {"targets", int64_t{2}},
                              text("post_transform", transform)}))[0]);
  };
  EXPECT_NEAR(chances("LOGISTIC")[2], 1 / (1 + std::exp(1)), 1e-6);
  EXPECT_NEAR(chances("SOFTMAX")[3], 1 / (1 + std::exp(-1)), 1e-6);
  const auto classes = [&](const char* transform) {
    return run(ml("LinearClassifier", {sized(x)},
                  {reals("coefficients", {1, 0, -1, 0, 0, 0}), reals("intercepts", {0, 0, 0.5f}),
                   integers("classlabels_ints", {7, 3, 5}), text("post_transform", transform)},
                  2));
  };
  EXPECT_EQ(classes("NONE")[0], ints({7, 3}));
  EXPECT_EQ(classes("NONE")[1], floats({2, 3}, {1, -1, 0.5, -1, 1, 0.5}));
  const Numbers logistic = numbers_of(classes("LOGISTIC")[1]),
                softmax = numbers_of(classes("SOFTMAX")[1]);
  const double total = std::exp(1) + std::exp(-1) + std::exp(0.5);
  EXPECT_NEAR(logistic[0], 1 / (1 + std::exp(-1)), 1e-6);
  EXPECT_NEAR(softmax[0], std::exp(1) / total, 1e-6);
  EXPECT_NEAR(softmax[4], std::exp(1) / total, 1e-6);
  // One score for two classes.
  const std::vector<HostTensor> single =
      run(ml("LinearClassifier", {sized(x)},
             {reals("coefficients", {1, 0}),
              reals("intercepts", {0}),
              {"classlabels_strings", std::vector<std::string>{"no", "yes"}}},
             2));
  EXPECT_EQ(single[0], ints({1, 0}));
  EXPECT_EQ(single[1], floats({2, 2}, {0, 1, 2, -1}));
  EXPECT_EQ(refusal(ml("LinearClassifier", {given(x)},
                       {reals("coefficients", {1, 0}), reals("intercepts", {0})}, 2)),
            "bad-attribute");
  // More coefficients than features: onnxruntime reads the first ones, its own example is so.
  EXPECT_EQ(run(ml("LinearRegressor", {given(x)},
                   {reals("coefficients", {1, 10, 2, 0, 77, 78}), {"targets", int64_t{2}}}))[0],
            floats({2, 2}, {21, 2, -1, -2}));
  EXPECT_EQ(refusal(ml("LinearRegressor", {given(floats({1, 3}, {1, 2, 3}))},
                       {reals("coefficients", {1, 10, 2, 0}), {"targets", int64_t{2}}})),
            "shape-mismatch");
}

TEST(Ml, FeaturesBesideEachOther) {
  EXPECT_EQ(run(ml("FeatureVectorizer",
                   {given(counting({2, 1}, Type::i64)), given(floats({2, 2}, {5, 6, 7, 8}))},
                   {integers("inputdimensions", {1, 2})}))[0],
            floats({2, 3}, {0, 5, 6, 1, 7, 8}));
  // Others are left out, missing ones are 0.
  EXPECT_EQ(run(ml("FeatureVectorizer",
                   {sized(floats({2, 2}, {5, 6, 7, 8})), given(floats({2, 2}, {1, 2, 3, 4}))},
                   {integers("inputdimensions", {3, 1})}))[0],
            floats({2, 4}, {5, 6, 0, 1, 7, 8, 0, 3}));
}

TEST(Ml, CategoriesAndLabels) {
  EXPECT_EQ(
      run(ml("OneHotEncoder", {given(ints({5, 2, 9}))}, {integers("cats_int64s", {2, 5})}))[0],
      floats({3, 2}, {0, 1, 1, 0, 0, 0}));
  // An unknown category is nothing, or ends the run.
  const auto strictly = [](const HostTensor& x) {
    return run(ml("OneHotEncoder", {sized(x)},
                  {integers("cats_int64s", {2, 5}), {"zeros", int64_t{0}}}))[0];
  };
  EXPECT_EQ(strictly(ints({5, 2})), floats({2, 2}, {0, 1, 1, 0}));
  EXPECT_ANY_THROW(strictly(ints({5, 9})));
  EXPECT_EQ(run(ml("LabelEncoder", {sized(ints({1, 2, 9}))},
                   {integers("keys_int64s", {2, 1}), integers("values_int64s", {20, 10})}))[0],
            ints({10, 20, -1}));
  EXPECT_EQ(run(ml("LabelEncoder", {given(ints({1, 9}))},
                   {integers("keys_int64s", {1}),
                    reals("values_floats", {0.25f}),
                    {"default_float", 7.0f}}))[0],
            floats({2}, {0.25, 7}));
  const float none = std::nanf("");
  // NaN is a key since version 4.
  const auto values = [&](int version) {
    NodeTest test = ml("LabelEncoder", {sized(floats({4}, {2, std::nan(""), 3, -0.0}))},
                       {reals("keys_floats", {none, 2, none, 0}),
                        reals("values_floats", {4, 5, 6, 7}),
                        {"default_float", 8.0f}});
    test.version = version;
    return numbers_of(run(test)[0]);
  };
  EXPECT_EQ(values(3), (Numbers{5, 8, 8, 7}));
  EXPECT_EQ(values(4), (Numbers{5, 4, 8, 7}));
  EXPECT_TRUE(std::isnan(numbers_of(run(ml("LabelEncoder", {given(ints({3}))},
                                           {integers("keys_int64s", {1}),
                                            reals("values_floats", {0}),
                                            {"default_float", none}}))[0])[0]));
  const Attribute one_text = {"values_strings", std::vector<std::string>{"a"}};
  EXPECT_EQ(
      refusal(ml("LabelEncoder", {given(ints({1}))}, {integers("keys_int64s", {1}), one_text})),
      "");
  EXPECT_EQ(refusal(ml("LabelEncoder", {given(floats({1}, {1}))},
                       {integers("keys_int64s", {1}), one_text})),
            "unsupported-type");
  EXPECT_EQ(
      refusal(ml("LabelEncoder", {given(ints({1}))}, {integers("keys_int64s", {1, 2}), one_text})),
      "bad-attribute");
}

}  // namespace
}  // namespace burin::ml_test
