// Gathering: indices are wrapped and never leave their dimension, whether the model or the run
// gives them.
#include <gtest/gtest.h>

#include "lower/lower.h"
#include "ops/support/node_runner.h"

namespace burin::gather_test {
namespace {

using Numbers = std::vector<double>;

NodeTest gather(Argument data, Argument indices, int64_t axis = 0) {
  return {"Gather", 13, {std::move(data), std::move(indices)}, {{"axis", axis}}};
}

TEST(Gather, WrapsAndClips) {
  const auto picked = [](Argument data, std::vector<int64_t> indices) {
    return numbers_of(run(gather(std::move(data), given(ints(indices))))[0]);
  };
  EXPECT_EQ(picked(given(counting({4})), {-1, 0, 2, -4}), (Numbers{3, 0, 2, 0}));
  EXPECT_EQ(picked(sized(counting({4})), {-1, 100, -100}), (Numbers{3, 3, 0}));
}

TEST(Gather, ConstantIndicesOutsideAreRefused) {
  EXPECT_EQ(refusal(gather(given(counting({4})), fixed(ints({0, 4})))), "bad-index");
  EXPECT_EQ(refusal(gather(given(counting({4})), fixed(ints({-5})))), "bad-index");
  EXPECT_EQ(refusal(gather(given(counting({4})), fixed(ints({0, 3})))), "");
  EXPECT_EQ(refusal(gather(given(counting({4})), fixed(ints({0})), 1)), "bad-attribute");
}

// Evenly spaced constants are plain movement: no index is loaded.
TEST(Gather, EvenlySpacedConstantsLoadNoIndex) {
  const NodeTest even = gather(sized(counting({9, 2})), fixed(ints({7, 5, 3, 1})));
  const NodeTest uneven = gather(sized(counting({9, 2})), fixed(ints({7, 5, 1})));
  const auto reads = [](const NodeTest& test) {
    return reads_of(lower(graph_of(test), {}).graph.steps.back()).size();
  };
  EXPECT_EQ(reads(even), 1u);
  EXPECT_EQ(reads(uneven), 2u);
  EXPECT_EQ(numbers_of(run(even)[0]), (Numbers{14, 15, 10, 11, 6, 7, 2, 3}));
  EXPECT_EQ(numbers_of(run(uneven)[0]), (Numbers{14, 15, 10, 11, 2, 3}));
}

TEST(Gather, ConstantIndexOutsideASymbolicExtentIsAStatus) {
  EXPECT_EQ(numbers_of(run(gather(sized(counting({4})), fixed(scalar(3))))[0]), (Numbers{3}));
  // What the model itself asks of a size is a limit of it, which no flag moves.
  for (const double outside : {4, -5}) {
    try {
      run(gather(sized(counting({4})), fixed(scalar(outside))));
      ADD_FAILURE() << outside;
    } catch (const Refused& refused) {
      EXPECT_EQ(to_line(refused.diagnostics.at(0)),
                "error: input 'x0' dimension 0 makes 'n0' 4, which is not between 5 and 1000 "
                "[out-of-range]");
    }
  }
}

// Of several the ones farthest from the start and from the end.
TEST(Gather, ConstantIndicesOutsideASymbolicExtentAreAStatus) {
  EXPECT_EQ(numbers_of(run(gather(sized(counting({4})), fixed(ints({0, -4, 3}))))[0]),
            (Numbers{0, 0, 3}));
  for (const std::vector<int64_t>& outside :
       {std::vector<int64_t>{0, 4, 1}, {2, -5, 0}, {-1, 1, 4, 2}}) {
    try {
      run(gather(sized(counting({4})), fixed(ints(outside))));
      ADD_FAILURE() << outside[1];
    } catch (const Refused& refused) {
      EXPECT_EQ(to_line(refused.diagnostics.at(0)),
                "error: input 'x0' dimension 0 makes 'n0' 4, which is not between 5 and 1000 "
                "[out-of-range]");
    }
  }
}

TEST(GatherND, BatchDimensions) {
  const HostTensor indices = make_tensor(Type::i64, {2, 1}, std::vector<int64_t>{1, -3});
  const NodeTest test{
      "GatherND", 13, {given(counting({2, 3, 2})), given(indices)}, {{"batch_dims", int64_t{1}}}};
  EXPECT_EQ(numbers_of(run(test)[0]), (Numbers{2, 3, 6, 7}));
  NodeTest deep = test;
  deep.attributes = {{"batch_dims", int64_t{2}}};
  EXPECT_EQ(refusal(deep), "bad-attribute");
}

TEST(GatherElements, RanksMustAgree) {
  EXPECT_EQ(refusal({"GatherElements", 13, {given(counting({2, 2})), given(ints({0}))}}),
            "shape-mismatch");
}

TEST(ReverseSequence, LengthsAreClipped) {
  const NodeTest test{"ReverseSequence", 10, {sized(counting({3, 2})), given(ints({2, 99}))}};
  EXPECT_EQ(numbers_of(run(test)[0]), (Numbers{2, 5, 0, 3, 4, 1}));
}

}  // namespace
}  // namespace burin::gather_test
