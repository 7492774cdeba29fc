#include "tune/choices.h"

#include <algorithm>
#include <set>

#include "kernel/run_order.h"
#include "select/device/item_points.h"
#include "select/device/launch_walk.h"
#include "support/check.h"
#include "support/sha256.h"

namespace burin {
namespace {

// Values of genes; neighbours are alike.
const std::vector<int64_t> kSides = {1, 4, 8, 16, 32, 64, 128};
const std::vector<int64_t> kItemSides = {1, 2, 4, 8};
const std::vector<int64_t> kDepths = {8, 16, 32};
const std::vector<int64_t> kSplits = {1, 2, 3, 4, 6, 8, 16};
const std::vector<int64_t> kGroupRows = {1, 2, 4, 8, 16};
const std::vector<int64_t> kUnroll = {0, 1, 2, 4, 8};  // 0: as it is
const std::vector<int64_t> kPoints = {1, 2, 4, 8};
const std::vector<int64_t> kEither = {-1, 0, 1};  // -1: as it is; no; yes

const char* const kTileNames[] = {"tile rows",    "tile columns", "item rows",
                                  "item columns", "depth",        "splits"};

size_t nearest(const std::vector<int64_t>& values, int64_t wanted) {
  size_t best = 0;
  for (size_t i = 0; i < values.size(); ++i) {
    if (std::abs(values[i] - wanted) < std::abs(values[best] - wanted)) best = i;
  }
  return best;
}

std::string operators_of(const Kernel& kernel) {
  std::string out;
  for (const Origin& origin : kernel.origins) out += (out.empty() ? "" : ", ") + origin.op;
  return out;
}

bool has_loops(const Launch& launch) {
  return std::any_of(launch.nodes.begin(), launch.nodes.end(), [](const LoopNode& node) {
    return std::holds_alternative<ForLoop>(node.node);
  });
}

class ChoiceFinder {
 public:
  ChoiceFinder(const CompileOptions& options, const Hardware& hardware)
      : options_(options), hardware_(hardware) {
    options_.tuning = Tuning{};
  }

  TuningChoices run() {
    const Compiled compiled = compile(options_, hardware_);
    for (const ImageDecision& one : compiled.plan.images.decisions) {
      if (one.free) free_.insert(one.value);
    }
    std::set<std::string> known;
    for (const StepId step : run_order(compiled.plan.graph.steps)) {
      const auto found = compiled.plan.kernels.find(step);
      if (found == compiled.plan.kernels.end()) continue;
      const KernelSchedule& schedule = found->second;
      const std::string& key = compiled.kernel_keys.at(step);
      if (launches_of(schedule.launches).empty() || !known.insert(key).second) continue;
      out_.what[key] = operators_of(schedule.kernel);
      const size_t before = out_.genes.size();
      add_kernel(key, schedule, compiled.plan.graph.values);
      out_.kernels += out_.genes.size() > before;
    }
    if (options_.parallel_fusion != ParallelFusion::off) add_pairs();
    return std::move(out_);
  }

 private:
  void add(const std::string& of, const char* name, const std::vector<int64_t>& values,
           int64_t now) {
    out_.genes.push_back({of + " " + name, values, of});
    out_.first.push_back(nearest(values, now));
  }

  void add_kernel(const std::string& key, const KernelSchedule& schedule,
                  const std::vector<Value>& values) {
    const OpenClDevice& device = hardware_.opencl;
    const Launch* product = nullptr;
    bool items = false, rows = false, loops = false;
    for (const Launch* launch : launches_of(schedule.launches)) {
      if (launch->product) product = launch;
      items = items || has_item_points(*launch);
      rows = rows || (has_item_points(*launch) && launch->dimensions.size() > 1);
      loops = loops || launch->product || (has_loops(*launch) && !launch->attention);
    }
    std::vector<int64_t> groups;
    for (int64_t size = device.wave_size; size <= device.work_group_size_max; size *= 2)
      groups.push_back(size);
    if (groups.empty()) groups.push_back(device.work_group_size);
    add(key, "work-group", groups, device.work_group_size);
    if (rows) add(key, "group rows", kGroupRows, 1);
    if (product) {
      const GroupTile& tile = product->product->tile;
      add(key, kTileNames[0], kSides, tile.rows);
      add(key, kTileNames[1], kSides, tile.columns);
      add(key, kTileNames[2], kItemSides, tile.item_rows);
      add(key, kTileNames[3], kItemSides, tile.item_columns);
      add(key, kTileNames[4], kDepths, tile.depth);
      add(key, kTileNames[5], kSplits, tile.splits);
    }
    if (loops) add(key, "unroll", kUnroll, 0);
    if (items) {
      add(key, "vector", kPoints, 1);
      add(key, "points", kPoints, 1);
    }
    const auto any_free = [&](const std::vector<ValueId>& ids, bool constants) {
      return std::any_of(ids.begin(), ids.end(), [&](ValueId id) {
        const bool constant = values[static_cast<size_t>(id)].kind == ValueKind::constant;
        return constant == constants && free_.contains(id);
      });
    };
    if (any_free(writes_of(schedule.kernel), false)) add(key, "images", kEither, -1);
    if (any_free(reads_of(schedule.kernel), true)) add(key, "constants", kEither, -1);
  }

  void add_pairs() {
    options_.parallel_fusion = ParallelFusion::all;
    const Compiled joint = compile(options_, hardware_);
    std::set<KernelPair> known;
    for (const LaunchGroup& group : joint.plan.groups.groups) {
      const std::string& first = joint.kernel_keys.at(group.steps[0]);
      for (size_t i = 1; i < group.steps.size(); ++i)
        known.insert(pair_of(first, joint.kernel_keys.at(group.steps[i])));
    }
    for (const auto& [a, b] : known) add(a + " " + b, "joint", kEither, -1);
    out_.pairs = known.size();
  }

  CompileOptions options_;
  const Hardware& hardware_;
  std::set<ValueId> free_;  // may be images
  TuningChoices out_;
};

}  // namespace

Tuning TuningChoices::tuning_of(const Genes& chosen) const {
  BURIN_CHECK(chosen.size() == genes.size(), "a candidate of other genes");
  Tuning out;
  const auto value = [&](size_t i) { return static_cast<int>(genes[i].values[chosen[i]]); };
  for (size_t i = 0; i < genes.size(); ++i) {
    const size_t blank = genes[i].name.find(' ');
    const std::string key = genes[i].name.substr(0, blank), name = genes[i].name.substr(blank + 1);
    const bool tile = name == kTileNames[0];
    const size_t last = i + (tile ? 5 : 0);
    bool same = true;
    for (size_t j = i; j <= last; ++j) same = same && chosen[j] == first[j];
    if (!same && name.ends_with(" joint")) {
      out.pairs[pair_of(key, name.substr(0, name.find(' ')))] = value(i) == 1;
    } else if (!same) {
      KernelTuning& tuning = out.kernels[key];
      if (tile)
        tuning.tile = GroupTile{value(i),     value(i + 1), value(i + 2),
                                value(i + 3), value(i + 4), value(i + 5)};
      if (name == "work-group") tuning.work_group = value(i);
      if (name == "group rows") tuning.group_rows = value(i);
      if (name == "unroll") tuning.unroll = value(i);
      if (name == "vector") tuning.vector = value(i);
      if (name == "points") tuning.points = value(i);
      if (name == "images") tuning.images = value(i) == 1;
      if (name == "constants") tuning.constants = value(i) == 1;
    }
    i = last;
  }
  return out;
}

std::string TuningChoices::hash() const {
  std::string text;
  for (const Gene& gene : genes) {
    text += gene.name;
    for (const int64_t value : gene.values) text += " " + std::to_string(value);
    text += "\n";
  }
  return sha256_hex(text).substr(0, 16);
}

TuningChoices find_choices(const CompileOptions& options, const Hardware& hardware) {
  return ChoiceFinder(options, hardware).run();
}

}  // namespace burin
