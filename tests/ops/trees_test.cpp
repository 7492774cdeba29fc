// Forests and support vectors of ai.onnx.ml: values worked out by hand.
#include <gtest/gtest.h>

#include <cmath>

#include "ops/support/node_runner.h"

namespace burin::trees_test {
namespace {

using Numbers = std::vector<double>;
using Integers = std::vector<int64_t>;
using Reals = std::vector<float>;
using Texts = std::vector<std::string>;

NodeTest of_ml(const char* op, const HostTensor& x, std::vector<Attribute> attributes,
               int outputs = 1, int version = 3) {
  NodeTest test{op, version, {sized(x)}, std::move(attributes), outputs};
  test.domain = "ai.onnx.ml";
  return test;
}

// Tree 0: x0 <= 1 ? (x1 > 0 ? leaf 3 : leaf 4) : leaf 2; tree 1: a leaf alone.
std::vector<Attribute> two_trees(const std::string& prefix, const Integers& ids,
                                 const Reals& weights, const Integers& nodes = {2, 3, 4, 0},
                                 const Integers& trees = {0, 0, 0, 1}) {
  return {{"nodes_treeids", Integers{0, 0, 0, 0, 0, 1}},
          {"nodes_nodeids", Integers{0, 1, 2, 3, 4, 0}},
          {"nodes_featureids", Integers{0, 1, 0, 0, 0, 0}},
          {"nodes_values", Reals{1, 0, 0, 0, 0, 0}},
          {"nodes_modes", Texts{"BRANCH_LEQ", "BRANCH_GT", "LEAF", "LEAF", "LEAF", "LEAF"}},
          {"nodes_truenodeids", Integers{1, 3, 0, 0, 0, 0}},
          {"nodes_falsenodeids", Integers{2, 4, 0, 0, 0, 0}},
          {"nodes_missing_value_tracks_true", Integers{1, 0, 0, 0, 0, 0}},
          {prefix + "_treeids", trees},
          {prefix + "_nodeids", nodes},
          {prefix + "_ids", ids},
          {prefix + "_weights", weights}};
}

// Leaves 3, 4, 2; then a feature that is missing goes to 3.
const HostTensor kRows = floats({4, 2}, {1, 0.5, 1, 0, 1.5, 7, std::nan(""), 1});

TEST(Trees, RegressorsAggregate) {
  const auto scores = [](const char* aggregate) {
    std::vector<Attribute> all = two_trees("target", {0, 0, 0, 0}, {10, 20, 30, 5});
    all.push_back({"aggregate_function", std::string(aggregate)});
    all.push_back({"base_values", Reals{100}});
    return numbers_of(run(of_ml("TreeEnsembleRegressor", kRows, all))[0]);
  };
  EXPECT_EQ(scores("SUM"), (Numbers{125, 135, 115, 125}));
  EXPECT_EQ(scores("AVERAGE"), (Numbers{112.5, 117.5, 107.5, 112.5}));
  EXPECT_EQ(scores("MIN"), (Numbers{105, 105, 105, 105}));
  EXPECT_EQ(scores("MAX"), (Numbers{120, 130, 110, 120}));
}

// NaN is unequal to everything, also where another node of the forest tracks what is missing.
TEST(Trees, MissingFeaturesByEachComparison) {
  for (const int64_t tracked : {0, 1}) {
    std::vector<Attribute> all = two_trees("target", {0, 0, 0, 0}, {10, 20, 30, 5});
    all[4].value = Texts{"BRANCH_NEQ", "BRANCH_GT", "LEAF", "LEAF", "LEAF", "LEAF"};
    all[7].value = Integers{0, tracked, 0, 0, 0, 0};
    const HostTensor x = floats({3, 2}, {std::nan(""), 1, 1, 1, 0, std::nan("")});
    EXPECT_EQ(numbers_of(run(of_ml("TreeEnsembleRegressor", x, all))[0]),
              (Numbers{25, 15, tracked == 0 ? 35.0 : 25.0}));
  }
}

TEST(Trees, LeavesOfSeveralTargets) {
  std::vector<Attribute> all =
      two_trees("target", {0, 1, 0, 1, 1}, {1, 2, 3, 4, 5}, {2, 2, 3, 4, 0}, {0, 0, 0, 0, 1});
  all.push_back({"n_targets", int64_t{2}});
  EXPECT_EQ(numbers_of(run(of_ml("TreeEnsembleRegressor", kRows, all))[0]),
            (Numbers{3, 5, 0, 9, 1, 7, 3, 5}));
}

TEST(Trees, ClassesOfTheirOwnTrees) {
  std::vector<Attribute> all = two_trees("class", {1, 1, 1, 2}, {-1, 0.5, 3, 1});
  all.push_back({"classlabels_int64s", Integers{7, 8, 9}});
  const std::vector<HostTensor> found = run(of_ml("TreeEnsembleClassifier", kRows, all, 2));
  EXPECT_EQ(found[0], ints({9, 8, 9, 9}));
  EXPECT_EQ(numbers_of(found[1]), (Numbers{0, 0.5, 1, 0, 3, 1, 0, -1, 1, 0, 0.5, 1}));
}

TEST(Trees, OneScoreForTwoClasses) {
  const auto found = [](const Reals& weights, const char* transform) {
    std::vector<Attribute> all = two_trees("class", {0, 0, 0, 0}, weights);
    all.push_back({"classlabels_strings", Texts{"no", "yes"}});
    all.push_back({"post_transform", std::string(transform)});
    return run(of_ml("TreeEnsembleClassifier", kRows, all, 2));
  };
  // A probability of the second, where no weight is negative.
  std::vector<HostTensor> y = found({0.25, 0.5, 0.125, 0.25}, "NONE");
  EXPECT_EQ(y[0], ints({1, 0, 0, 1}));
  EXPECT_EQ(numbers_of(y[1]), (Numbers{0.25, 0.75, 0.625, 0.375, 0.5, 0.5, 0.25, 0.75}));
  // Else its logarithm against the first.
  y = found({-1, 2, -3, 0}, "LOGISTIC");
  EXPECT_EQ(y[0], ints({1, 0, 0, 1}));
  EXPECT_NEAR(numbers_of(y[1])[0], 1 / (1 + std::exp(2.0)), 1e-6);
  EXPECT_NEAR(numbers_of(y[1])[3], 1 / (1 + std::exp(3.0)), 1e-6);
}

TEST(Trees, NodesThatAreNoTreesAreRefused) {
  const auto rule = [](size_t attribute, const Integers& list) {
    std::vector<Attribute> all = two_trees("target", {0, 0, 0, 0}, {1, 2, 3, 4});
    all[attribute].value = list;
    NodeTest test = of_ml("TreeEnsembleRegressor", kRows, all);
    test.inputs = {given(kRows)};
    return refusal(test);
  };
  EXPECT_EQ(rule(5, {1, 0, 0, 0, 0, 0}), "bad-attribute");   // a circle
  EXPECT_EQ(rule(5, {9, 3, 0, 0, 0, 0}), "bad-attribute");   // no such node
  EXPECT_EQ(rule(1, {0, 1, 2, 3, 3, 0}), "bad-attribute");   // a number twice
  EXPECT_EQ(rule(2, {0, -1, 0, 0, 0, 0}), "bad-attribute");  // no such feature
  EXPECT_EQ(rule(2, {0, 2, 0, 0, 0, 0}), "shape-mismatch");  // x has two
  EXPECT_EQ(rule(9, {0, 3, 4, 0}), "bad-attribute");         // a weight of a node that branches
  EXPECT_EQ(rule(10, {0, 0, 0, 1}), "bad-attribute");        // of a target that there is not
  EXPECT_EQ(rule(2, {0, 1}), "bad-attribute");
}

Tensor tensor_of(Type type, const Numbers& numbers) {
  const HostTensor host = make_tensor(type, {static_cast<int64_t>(numbers.size())}, numbers);
  return {host.type, host.shape, to_constant(host), {}};
}

// Neither many targets nor many trees over the same nodes take memory or time that the file does
// not have.
TEST(Trees, ManyTargetsAndSharedNodes) {
  std::vector<Attribute> all = two_trees("target", {0, 7, 99999, 5}, {1, 2, 3, 4});
  all.push_back({"n_targets", int64_t{100000}});
  const Numbers y = numbers_of(run(of_ml("TreeEnsembleRegressor", kRows, all))[0]);
  EXPECT_EQ(y[7], 2);
  EXPECT_EQ(y[5], 4);
  EXPECT_EQ(y[199999], 3);
  all.back().value = int64_t{1} << 30;
  EXPECT_EQ(refusal(of_ml("TreeEnsembleRegressor", kRows, all)), "limit");
  const int64_t count = 50000;  // nodes in a row, and as many roots that lead to all of them
  Integers zeros(count), next, leaf(count), is_leaf(count, 1);
  Numbers splits(count), modes(count);
  for (int64_t k = 0; k < count; ++k) next.push_back(k + 1 < count ? k + 1 : 0);
  Integers no_is_leaf(count);
  no_is_leaf.back() = 1;
  const HostTensor sum = run(of_ml("TreeEnsemble", floats({1, 1}, {-1}),
                                   {{"nodes_splits", tensor_of(Type::f32, splits)},
                                    {"nodes_modes", tensor_of(Type::u8, modes)},
                                    {"nodes_featureids", zeros},
                                    {"nodes_truenodeids", leaf},
                                    {"nodes_falsenodeids", next},
                                    {"nodes_trueleafs", is_leaf},
                                    {"nodes_falseleafs", no_is_leaf},
                                    {"leaf_targetids", Integers{1}},
                                    {"leaf_weights", tensor_of(Type::f32, {1})},
                                    {"n_targets", int64_t{2}},
                                    {"tree_roots", Integers(3, 0)}},
                                   1, 5))[0];
  EXPECT_EQ(numbers_of(sum), (Numbers{0, 3}));
}

// Levels far beyond those of any balanced tree: x0 <= k ? k : the next.
TEST(Trees, AChainOfComparisons) {
  const int64_t depth = 300;
  Integers trees, nodes, features, yes, no, leaves, ids;
  Reals values, weights;
  Texts modes;
  for (int64_t k = 0; k < depth; ++k) {
    for (const bool leaf : {false, true}) {
      trees.push_back(0);
      nodes.push_back(2 * k + leaf);
      features.push_back(0);
      values.push_back(static_cast<float>(k));
      modes.emplace_back(leaf || k + 1 == depth ? "LEAF" : "BRANCH_LEQ");
      yes.push_back(2 * k + 1);
      no.push_back(2 * k + 2);
      if (k + 1 == depth) break;
    }
    leaves.push_back(k + 1 == depth ? 2 * k : 2 * k + 1);
    ids.push_back(0);
    weights.push_back(static_cast<float>(k));
  }
  const HostTensor y = run(of_ml("TreeEnsembleRegressor", floats({4, 1}, {0, 17.5, 298, 1000}),
                                 {{"nodes_treeids", trees},
                                  {"nodes_nodeids", nodes},
                                  {"nodes_featureids", features},
                                  {"nodes_values", values},
                                  {"nodes_modes", modes},
                                  {"nodes_truenodeids", yes},
                                  {"nodes_falsenodeids", no},
                                  {"target_treeids", Integers(leaves.size(), 0)},
                                  {"target_nodeids", leaves},
                                  {"target_ids", ids},
                                  {"target_weights", weights}}))[0];
  EXPECT_EQ(numbers_of(y), (Numbers{0, 18, 298, 299}));
}

// x0 of {2, 5, 9} ? leaf 0 : x0 < 1 ? leaf 1 : leaf 2
TEST(Trees, SetsOfMembers) {
  for (const Type type : {Type::f32, Type::f64}) {
    const HostTensor x = make_tensor(type, {5, 1}, Numbers{2, 9, 3, 0, 5});
    const HostTensor y = run(of_ml("TreeEnsemble", x,
                                   {{"nodes_splits", tensor_of(type, {0, 1})},
                                    {"nodes_modes", tensor_of(Type::u8, {6, 1})},
                                    {"nodes_featureids", Integers{0, 0}},
                                    {"nodes_truenodeids", Integers{0, 1}},
                                    {"nodes_falsenodeids", Integers{1, 2}},
                                    {"nodes_trueleafs", Integers{1, 1}},
                                    {"nodes_falseleafs", Integers{0, 1}},
                                    {"membership_values", tensor_of(type, {2, 5, 9})},
                                    {"leaf_targetids", Integers{0, 1, 0}},
                                    {"leaf_weights", tensor_of(type, {10, 20, 30})},
                                    {"n_targets", int64_t{2}},
                                    {"tree_roots", Integers{0}}},
                                   1, 5))[0];
    EXPECT_EQ(y.type, type);
    EXPECT_EQ(numbers_of(y), (Numbers{10, 0, 10, 0, 30, 0, 0, 20, 10, 0}));
  }
}

TEST(SupportVectors, RegressorsByEveryKernel) {
  const auto found = [](const char* kernel, const Reals& parameters) {
    return numbers_of(run(of_ml("SVMRegressor", floats({1, 2}, {1, 2}),
                                {{"kernel_type", std::string(kernel)},
                                 {"kernel_params", parameters},
                                 {"n_supports", int64_t{2}},
                                 {"support_vectors", Reals{1, 1, 0, -1}},
                                 {"coefficients", Reals{2, -1}},
                                 {"rho", Reals{0.5}}}))[0])[0];
  };
  EXPECT_NEAR(found("LINEAR", {}), 2 * 3 + 2 + 0.5, 1e-5);
  EXPECT_NEAR(found("POLY", {2, 1, 3}), 2 * 343 + 27 + 0.5, 1e-3);
  EXPECT_NEAR(found("RBF", {0.5, 0, 0}), 2 * std::exp(-0.5) - std::exp(-5.0) + 0.5, 1e-5);
  EXPECT_NEAR(found("SIGMOID", {0.25, 0.5, 0}), 2 * std::tanh(1.25) - std::tanh(0.0) + 0.5, 1e-5);
  EXPECT_EQ(refusal(of_ml("SVMRegressor", floats({1, 2}, {1, 2}),
                          {{"kernel_type", std::string("RBF")},
                           {"n_supports", int64_t{1}},
                           {"support_vectors", Reals{1, 1}},
                           {"coefficients", Reals{2}},
                           {"rho", Reals{0.5}}})),
            "bad-attribute");
}

// Three classes with a vector each, scores of pairs by hand.
TEST(SupportVectors, PairsVote) {
  const std::vector<Attribute> machine = {{"classlabels_ints", Integers{4, 5, 6}},
                                          {"vectors_per_class", Integers{1, 1, 1}},
                                          {"support_vectors", Reals{1, 0, 0, 1, -1, -1}},
                                          {"coefficients", Reals{1, -1, -2, 3, 2, -1}},
                                          {"rho", Reals{0.5, 0, -0.25}}};
  const std::vector<HostTensor> found =
      run(of_ml("SVMClassifier", floats({2, 2}, {1, 0.5, -1, 2}), machine, 2));
  // Kernels are (1, 0.5, -1.5) and (-1, 2, -1).
  const Numbers expected = {1 - 0.5 + 0.5,  3 + 3.0, 1 + 1.5 - 0.25,
                            -1 - 2.0 + 0.5, -3 + 2,  4 + 1 - 0.25};
  EXPECT_EQ(numbers_of(found[1]), expected);
  EXPECT_EQ(found[0], ints({4, 5}));
}

// Probabilities of two classes are those of their pair, up to where the iteration stops.
TEST(SupportVectors, ProbabilitiesOfPairsAreCoupled) {
  std::vector<Attribute> machine = {{"classlabels_ints", Integers{0, 1}},
                                    {"vectors_per_class", Integers{1, 1}},
                                    {"support_vectors", Reals{1, -1}},
                                    {"coefficients", Reals{1, -1}},
                                    {"rho", Reals{0}},
                                    {"prob_a", Reals{-1}},
                                    {"prob_b", Reals{0}}};
  const Numbers p = numbers_of(run(of_ml("SVMClassifier", floats({1, 1}, {1}), machine, 2))[1]);
  EXPECT_NEAR(p[0] + p[1], 1, 1e-6);
  EXPECT_NEAR(p[0], 1 / (1 + std::exp(-2.0)), 0.01);
}

TEST(ZipMap, GivesTheRows) {
  EXPECT_EQ(numbers_of(run(of_ml("ZipMap", floats({2, 2}, {1, 2, 3, 4}),
                                 {{"classlabels_strings", Texts{"a", "b"}}}))[0]),
            (Numbers{1, 2, 3, 4}));
  NodeTest three = of_ml("ZipMap", kRows, {{"classlabels_int64s", Integers{1, 2, 3}}});
  three.inputs = {given(kRows)};
  EXPECT_EQ(refusal(three), "shape-mismatch");
}

}  // namespace
}  // namespace burin::trees_test
