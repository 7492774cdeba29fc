// Trees that were made with two rewrites switched off: what is left apart by one and made by
// another is printed, compiled and run, as it is with all of them. Which pairs a model gets differs
// from model to model; all models together have each rewrite off, beside several others.
#include <gtest/gtest.h>

#include <array>
#include <set>
#include <string>

#include "differential/support/emitted.h"
#include "fuse/rewrites.h"
#include "verify/verdict_text.h"

namespace burin::emitted_switches_test {
namespace {

constexpr std::array kModels = {"attention",     "branches",          "class_token",
                                "feed_forward",  "positions_shifted", "residual_blocks",
                                "rows_finished", "weights_of_rows"};
// An index that is not simplified is not shown to stay within 64 bits for every size: refused.
const std::set<std::string> kBeyondLimit = {"positions_shifted: associative, simplify",
                                            "weights_of_rows: epilogue, simplify"};
constexpr size_t kPairs = 4;  // of each model
constexpr size_t kStep = 9;   // no pair comes twice

using Pair = std::pair<size_t, size_t>;

// Each rewrite in turn, with another at a distance that changes with every pair.
std::vector<Pair> pairs_of(size_t model) {
  const size_t count = fuse_switches().size();
  std::vector<Pair> pairs;
  for (size_t k = 0; k < kPairs; ++k) {
    const size_t number = model * kPairs + k, first = number % count;
    pairs.emplace_back(first, (first + 1 + number * kStep % (count - 1)) % count);
  }
  return pairs;
}

TEST(EmittedSwitches, EveryRewriteIsOffSomewhere) {
  std::set<size_t> off;
  std::set<Pair> pairs;
  for (size_t model = 0; model < kModels.size(); ++model) {
    for (const auto& [a, b] : pairs_of(model)) {
      ASSERT_NE(a, b);
      off.insert({a, b});
      EXPECT_TRUE(pairs.insert({std::min(a, b), std::max(a, b)}).second) << a << ' ' << b;
    }
  }
  EXPECT_EQ(off.size(), fuse_switches().size());
}

class EmittedSwitches : public testing::TestWithParam<size_t> {};

TEST_P(EmittedSwitches, TwoAreOff) {
  for (const auto& [a, b] : pairs_of(GetParam())) {
    VerifyOptions options;
    options.hardware = project_hardware("cpp-generic");
    options.fast = true;
    options.compile.model =
        std::string(BURIN_SOURCE_DIR) + "/tests/models/" + kModels[GetParam()] + "/model.onnx";
    for (const size_t one : {a, b}) options.compile.fuse.*fuse_switches()[one].on = false;
    const std::string what = std::string(kModels[GetParam()]) + ": " + fuse_switches()[a].name +
                             ", " + fuse_switches()[b].name;
    if (kBeyondLimit.contains(what)) {
      EXPECT_THROW(verify(options), Refused) << what;
      continue;
    }
    const Verdict verdict = verify(options);
    EXPECT_TRUE(verdict.agrees()) << fuse_switches()[a].name << " and " << fuse_switches()[b].name
                                  << '\n'
                                  << verdict_text(verdict);
    EXPECT_GE(verdict.data_sets.size(), 2U);
  }
}

INSTANTIATE_TEST_SUITE_P(Models, EmittedSwitches, testing::Range(size_t{0}, kModels.size()),
                         [](const auto& info) { return std::string(kModels[info.param]); });

}  // namespace
}  // namespace burin::emitted_switches_test
