// burin tune as a whole, with costs of tuning files in the place of a runner: what is written, what
// is kept, and what is noise.
#include "tune/tune.h"

#include <gtest/gtest.h>

#include <limits>

#include "hardware/load.h"
#include "support/diagnostics.h"
#include "support/numbers.h"
#include "support/process.h"
#include "tune/runner.h"

namespace burin::tune_test {
namespace {

const std::string kRoot = BURIN_SOURCE_DIR;
const CandidateCost kNever{std::numeric_limits<double>::infinity()};

CompileOptions branches(ParallelFusion mode) {
  CompileOptions options;
  options.model = kRoot + "/tests/models/branches/model.onnx";
  options.parallel_fusion = mode;
  for (const char* dim : {"batch=1..8", "h=1..64", "w=1..64"})
    options.import.dims.push_back(parse_dim_binding(dim));
  return options;
}

int says(const KernelTuning& tuning, const std::string& verb) {
  return std::any_of(tuning.verbs.begin(), tuning.verbs.end(),
                     [&](const Verb& one) { return to_string(one) == verb; });
}

// The same through what a user calls, with a cost of tuning files: genes become entries, entries
// are measured, what was measured is read back.
class Tune : public testing::Test {
 protected:
  Tune() {
    options.compile = branches(ParallelFusion::measured);
    options.hardware = load_hardware(kRoot + "/configs/pocl.json");
    options.measured = folder.path() + "/measured";
    options.search = {3, 24, 40, 0.15};
    options.cost = [this](const Tuning& tuning) {
      ++asked;
      double cost = 1000;
      for (const auto& [key, one] : tuning.kernels)
        cost -= says(one, "vector 4") + says(one, "unroll 2") + says(one, "images 1") -
                says(one, "points 8");
      for (const auto& [pair, joint] : tuning.pairs) cost -= joint ? 2 : -2;
      return CandidateCost{cost};
    };
  }

  ScratchFolder folder;
  TuneOptions options;
  int asked = 0;
};

TEST_F(Tune, WritesTheBestAndGoesOnWhereItEnded) {
  const TuneResult once = tune(options);
  EXPECT_TRUE(once.write);
  EXPECT_LT(once.file.us, once.file.untuned_us);
  EXPECT_EQ(once.file.us, options.cost(once.file.tuning).whole);
  EXPECT_FALSE(once.file.tuning.pairs.empty());
  asked = 0;
  const TuneResult again = tune(options);
  EXPECT_EQ(again.measured, 0) << "all of it was measured";
  EXPECT_LE(asked, 4 * options.rounds) << "in the contest";
  EXPECT_EQ(again.file.tuning, once.file.tuning);
  // Other choices, another command, another type of elements are other numbers.
  TuneOptions other = options;
  other.compile.parallel_fusion = ParallelFusion::off;
  EXPECT_GT(tune(other).measured, 0);
  other = options;
  other.runner = {"true"};
  EXPECT_GT(tune(other).measured, 0);
  other = options;
  other.compile.half = Fp16Use::storage;
  EXPECT_GT(tune(other).measured, 0);
  other = options;
  other.hardware.opencl.compute_units *= 2;
  EXPECT_GT(tune(other).measured, 0);
}

TEST_F(Tune, NoiseIsNoGain) {
  for (const uint64_t seed : {1, 2, 3, 4}) {
    Numbers numbers(seed);
    options.measured = folder.path() + "/noise" + std::to_string(seed);
    options.search.generations = 4;
    options.cost = [&](const Tuning&) {
      return CandidateCost{95 + 10 * double(numbers.below(1000)) / 1000};
    };
    const TuneResult result = tune(options);
    EXPECT_TRUE(result.contested);
    EXPECT_FALSE(result.write) << to_string(result.tuned) << ", " << to_string(result.untuned);
    EXPECT_EQ(result.file.tuning, Tuning{});
  }
}

TEST_F(Tune, ABetterFileStays) {
  const TuneResult best = tune(options);
  options.measured = folder.path() + "/other";
  options.earlier = best.file;
  options.search = {9, 4, 2, 0.15};
  const TuneResult worse = tune(options);
  EXPECT_FALSE(worse.write);
  EXPECT_EQ(worse.file.tuning, best.file.tuning);
  // And one that is worse than no file at all does not.
  const auto cost = options.cost;
  options.cost = [&](const Tuning& tuning) {
    return CandidateCost{tuning == best.file.tuning ? 2000.0 : 1000.0};
  };
  options.measured = folder.path() + "/third";
  const TuneResult untuned = tune(options);
  EXPECT_TRUE(untuned.write);
  EXPECT_EQ(untuned.file.tuning, Tuning{});
}

// A search of few generations knows less than the file of what was measured.
TEST_F(Tune, TheBestIsThatOfAllSearches) {
  const TuneResult once = tune(options);
  options.search = {77, 4, 1, 0.15};
  EXPECT_EQ(tune(options).file.tuning, once.file.tuning);
}

TEST_F(Tune, FailuresAreTriedAgain) {
  const auto cost = options.cost;
  int turn = 0;
  options.cost = [&](const Tuning& tuning) {
    return ++turn % 2 == 0 && turn < 12 ? kNever : cost(tuning);
  };
  options.search.generations = 2;
  EXPECT_NO_THROW(tune(options));
  options.cost = cost;
  EXPECT_GT(tune(options).measured, 5);
}

TEST_F(Tune, ARunnerThatAlwaysFailsEndsTheSearch) {
  const auto cost = options.cost;
  options.cost = [&](const Tuning& tuning) {
    return asked < 10 ? cost(tuning) : (++asked, kNever);
  };
  EXPECT_THROW(tune(options), RunnerFailed);
  EXPECT_LT(asked, 30);
  asked = 0;
  options.cost = cost;
  EXPECT_EQ(tune(options).measured + 10, [&] {
    TuneOptions whole = options;
    whole.measured = folder.path() + "/whole";
    return tune(whole).measured;
  }()) << "what was measured is kept";
}

// Of a tile of one vector cost/ predicts several times what all registers take: no runner is asked.
TEST_F(Tune, WhatIsPredictedHopelessIsNotMeasured) {
  CompileOptions product;
  product.model = kRoot + "/tests/models/matmul_sym/model.onnx";
  for (const char* dim : {"batch=1..64@64", "rows=1..256@256", "cols=1..256@256"})
    product.import.dims.push_back(parse_dim_binding(dim));
  const Hardware hardware = load_hardware(kRoot + "/configs/x86-64-v4-vnni.json");
  const Compiled compiled = compile(product, hardware);
  Tuning slow, near;
  for (const auto& [step, schedule] : compiled.plan.kernels) {
    const std::string& key = compiled.kernel_keys.at(step);
    if (const Verb* tile = find_verb(schedule.verbs, "tile")) {
      slow.kernels[key].verbs = {{"tile", {1, 1}}};
      near.kernels[key].verbs = {{"tile", {tile->numbers[0] - 1, tile->numbers[1]}}};
    }
  }
  ASSERT_FALSE(slow.kernels.empty());
  Runner runner({product, hardware, {"true"}, 60});
  EXPECT_EQ(runner.cost(slow).whole, std::numeric_limits<double>::infinity());
  EXPECT_FALSE(runner.called()) << compiled.plan.kernels.size();
  EXPECT_NE(runner.why().find("predicted to take"), std::string::npos) << runner.why();
  runner.cost(near);
  EXPECT_TRUE(runner.called()) << runner.why();
}

TEST_F(Tune, AFileOfAnotherModelIsRefused) {
  options.earlier = TuningFile{};
  options.earlier->tuning.kernels["0123456789abcdef"].verbs = {{"vector", {4}}};
  EXPECT_THROW(tune(options), Refused);
}

}  // namespace
}  // namespace burin::tune_test
