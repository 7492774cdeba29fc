// What burin tune chooses: genes of kernels and pairs, each of which a plan then obeys, and the
// search over all of them where the best is known.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "hardware/load.h"
#include "pipeline.h"
#include "select/device/item_points.h"
#include "select/device/launch_walk.h"
#include "support/numbers.h"
#include "tune/choices.h"

namespace burin::tuning_choices_test {
namespace {

const std::string kRoot = BURIN_SOURCE_DIR;

CompileOptions branches(ParallelFusion mode) {
  CompileOptions options;
  options.model = kRoot + "/tests/models/branches/model.onnx";
  options.tuning = Tuning{};
  options.parallel_fusion = mode;
  for (const char* dim : {"batch=1..8", "h=1..64", "w=1..64"})
    options.import.dims.push_back(parse_dim_binding(dim));
  return options;
}

Hardware pocl() { return load_hardware(kRoot + "/configs/pocl.json"); }

Compiled compiled(CompileOptions options, const Tuning& tuning) {
  options.tuning = tuning;
  return compile(options, pocl());
}

const char* const kNames[] = {"work-group", "group rows", "group tile 0", "unroll", "vector",
                              "points",     "images",     "constants",    "joint"};

TEST(TuningChoices, AllKindsOfGenesAreThere) {
  const TuningChoices choices = find_choices(branches(ParallelFusion::measured), pocl());
  for (const char* name : kNames) {
    EXPECT_TRUE(std::any_of(choices.genes.begin(), choices.genes.end(), [&](const Gene& gene) {
      return gene.name.ends_with(" " + std::string(name));
    })) << name;
  }
  EXPECT_GT(choices.pairs, 0u);
  EXPECT_EQ(choices.tuning_of(choices.first), Tuning{});
  EXPECT_EQ(find_choices(branches(ParallelFusion::off), pocl()).pairs, 0u);
  EXPECT_NE(find_choices(branches(ParallelFusion::off), pocl()).hash(), choices.hash());
}

TEST(TuningChoices, KeysFollowTheirKernelsWhereLaunchesJoin) {
  const Compiled apart = compiled(branches(ParallelFusion::off), {});
  const Compiled joint = compiled(branches(ParallelFusion::all), {});
  ASSERT_FALSE(joint.plan.groups.groups.empty());
  const auto by_name = [](const Compiled& one) {
    std::map<std::string, std::string> out;
    for (const auto& [step, schedule] : one.plan.kernels)
      out[schedule.kernel.name] = one.kernel_keys.at(step);
    return out;
  };
  EXPECT_EQ(by_name(apart), by_name(joint));
}

TEST(TuningChoices, WorkItemsAreAsAnEntrySays) {
  const CompileOptions options = branches(ParallelFusion::off);
  const Compiled before = compiled(options, {});
  int changed = 0, rows = 0;
  for (const auto& [step, schedule] : before.plan.kernels) {
    const std::vector<const Launch*> launches = launches_of(schedule.launches);
    const std::string& key = before.kernel_keys.at(step);
    Tuning tuning;
    tuning.kernels[key].verbs = {
        {"vector", {2}}, {"points", {2}}, {"unroll", {4}}, {"group rows", {4}}};
    const Compiled after = compiled(options, tuning);
    ASSERT_EQ(after.kernel_keys, before.kernel_keys);
    const std::vector<const Launch*> now = launches_of(after.plan.kernels.at(step).launches);
    ASSERT_EQ(now.size(), launches.size());
    for (size_t i = 0; i < now.size(); ++i) {
      if (now[i]->attention) continue;
      EXPECT_EQ(now[i]->unroll, 4);
      if (!has_item_points(*now[i])) continue;
      const int64_t points = at_hints(launches[i]->dimensions[0].extent);
      if (points < 8) continue;
      ++changed;
      EXPECT_EQ(now[i]->lanes, 2);
      EXPECT_EQ(now[i]->coarsening, 2);
      EXPECT_LE(at_hints(now[i]->dimensions[0].extent), (points + 3) / 4 + 1);
      if (now[i]->dimensions.size() < 2 || at_hints(now[i]->dimensions[1].extent) < 4) continue;
      ++rows;
      EXPECT_EQ(now[i]->dimensions[1].local, 4);
    }
  }
  EXPECT_GT(changed, 2);
  EXPECT_GT(rows, 0);
}

TEST(TuningChoices, TensorsAreImagesOrBuffersAsAnEntrySays) {
  const CompileOptions options = branches(ParallelFusion::off);
  const Compiled before = compiled(options, {});
  EXPECT_TRUE(before.plan.images.maps.empty()) << "images are slow here";
  int written = 0, constants = 0;
  for (const auto& [step, schedule] : before.plan.kernels) {
    Tuning tuning;
    tuning.kernels[before.kernel_keys.at(step)].verbs = {{"images", {1}}};
    for (const auto& [id, map] : compiled(options, tuning).plan.images.maps) {
      const std::vector<ValueId> writes = writes_of(schedule.kernel);
      EXPECT_TRUE(std::binary_search(writes.begin(), writes.end(), id));
      ++written;
    }
    tuning.kernels.begin()->second.verbs = {{"constants", {1}}};
    constants += static_cast<int>(compiled(options, tuning).plan.image_constants.size());
    // And back to buffers, where all others are images.
    CompileOptions images = options;
    images.memory = MemoryUse::images;
    set_verb(tuning.kernels.begin()->second.verbs, {"images", {0}});
    const Compiled kept = compiled(images, tuning);
    EXPECT_FALSE(kept.plan.images.maps.empty());
    for (const ValueId id : writes_of(kept.plan.kernels.at(step).kernel))
      EXPECT_FALSE(kept.plan.images.maps.contains(id));
  }
  EXPECT_GT(written, 1);
  EXPECT_GT(constants, 0);
}

// Whether two kernels are in one group.
bool are_joint(const Compiled& one, const KernelPair& pair) {
  for (const LaunchGroup& group : one.plan.groups.groups) {
    std::set<std::string> keys;
    for (const StepId step : group.steps) keys.insert(one.kernel_keys.at(step));
    if (keys.contains(pair.first) && keys.contains(pair.second)) return true;
  }
  return false;
}

TEST(TuningChoices, PairsAreJointAsAnEntrySays) {
  const TuningChoices choices = find_choices(branches(ParallelFusion::measured), pocl());
  int pairs = 0;
  for (size_t i = 0; i < choices.genes.size(); ++i) {
    if (!choices.genes[i].name.ends_with(" joint")) continue;
    Genes genes = choices.first;
    genes[i] = 2;
    const Tuning joint = choices.tuning_of(genes);
    ASSERT_EQ(joint.pairs.size(), 1u);
    const KernelPair& pair = joint.pairs.begin()->first;
    if (pair.first == pair.second) continue;
    ++pairs;
    const Compiled measured = compiled(branches(ParallelFusion::measured), joint);
    EXPECT_TRUE(are_joint(measured, pair));
    EXPECT_EQ(measured.plan.groups.groups.size(), 1u) << "nothing else is joint";
    EXPECT_FALSE(are_joint(compiled(branches(ParallelFusion::measured), {}), pair));
    genes[i] = 1;
    EXPECT_TRUE(are_joint(compiled(branches(ParallelFusion::all), {}), pair));
    EXPECT_FALSE(
        are_joint(compiled(branches(ParallelFusion::all), choices.tuning_of(genes)), pair));
  }
  EXPECT_GT(pairs, 0);
}

// A cost of all choices whose best is known: how far each is from it, in steps of its values, with
// kernels whose choices matter more than others'.
TEST(TuningChoices, TheSearchFindsTheKnownBestOfAllChoices) {
  const CompileOptions compile = branches(ParallelFusion::measured);
  const TuningChoices choices = find_choices(compile, pocl());
  Numbers numbers(5);
  Genes best;
  for (const Gene& gene : choices.genes) best.push_back(numbers.below(gene.values.size()));
  const auto far = [&](const Genes& genes) {
    double out = 0;
    for (size_t i = 0; i < genes.size(); ++i) {
      const double off = std::abs(double(genes[i]) - double(best[i]));
      out += double(1 + i % 3) * off + (off > 0 && i % 7 == 0 ? 2 : 0);
    }
    return out;
  };
  std::map<Genes, CandidateCost> known;
  const SearchOptions search{2, 64, 400, 0.15};
  const GeneticResult found =
      search_genes(choices.genes, choices.first, search, known,
                   [&](const Genes& at) { return CandidateCost{100 + far(at)}; });
  EXPECT_EQ(found.best, best);
  EXPECT_DOUBLE_EQ(found.cost, 100);
  EXPECT_LT(found.measured, 20000);
}

}  // namespace
}  // namespace burin::tuning_choices_test
