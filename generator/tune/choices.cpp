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

const std::vector<int64_t> kEither = {-1, 0, 1};  // -1: as it is; no; yes

// Numbers of verbs that are searched: the values themselves, or quarters of what it is now.
// Neighbours are alike. What does not fit a kernel or its machine is its untuned choice.
struct Searched {
  std::string_view what;
  size_t number;
  std::vector<int64_t> values;
  bool quarters = false;
};
const std::vector<Searched>& searched() {
  const std::vector<int64_t> rows = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 12, 14}, vectors = {1, 2, 3, 4},
                             sides = {1, 4, 8, 16, 32, 64, 128}, item_sides = {1, 2, 4, 8},
                             quarters = {1, 2, 4, 8, 16};
  static const std::vector<Searched> all = {
      {"tile", 0, rows},
      {"tile", 1, vectors},
      {"accumulators", 0, {1, 2, 3, 4, 6, 8}},
      {"instruction", 0, rows},
      {"instruction", 1, {1, 2, 3, 4, 6, 8}},
      {"window", 0, quarters, true},
      {"met taps", 0, {1, 2, 3, 4, 6, 8}},
      {"prefetch", 0, quarters, true},
      {"prefetch sums", 1, quarters, true},
      {"winograd", 0, {2, 4, 6}},
      {"winograd", 1, quarters, true},
      {"winograd", 2, {0, 1}},
      {"plane rows", 0, {1, 2, 3, 4, 5, 6, 7, 8}},
      {"plane rows", 1, {4, 8, 16}},
      {"block rows", 0, quarters, true},
      {"back to back", 0, quarters, true},
      {"tile scores", 0, rows},
      {"tile scores", 1, vectors},
      {"tile values", 0, rows},
      {"block keys", 0, quarters, true},
      {"decode", 0, {1, 2, 4, 8, 12, 16, 20, 24, 32}},
      {"decode", 1, {1, 2, 4, 8}},
      {"decode alone", 1, {1, 2, 4, 8}},
      {"tile sums", 1, rows},
      {"tile sums", 2, vectors},
      {"outer", 1, {64, 128, 192, 256, 384, 512}},
      {"lanes", 1, {4, 8, 16, 32, 64}},
      {"threads", 1, quarters, true},
      {"threads", 3, quarters, true},
      {"group rows", 0, {1, 2, 4, 8, 16}},
      {"group tile", 0, sides},
      {"group tile", 1, sides},
      {"group tile", 2, item_sides},
      {"group tile", 3, item_sides},
      {"group tile", 4, {8, 16, 32}},
      {"group tile", 5, {1, 2, 3, 4, 6, 8, 16}},
      {"unroll", 0, {0, 1, 2, 4, 8}},  // 0: as it is
      {"vector", 0, {1, 2, 4, 8}},
      {"points", 0, {1, 2, 4, 8}},
      {"images", 0, kEither},
      {"constants", 0, kEither},
  };
  return all;
}

std::vector<int64_t> values_of(const Searched& one, int64_t now) {
  std::set<int64_t> out(one.values.begin(), one.values.end());
  if (one.quarters) {
    out.clear();
    for (const int64_t quarters : one.values) out.insert(std::max<int64_t>(1, now * quarters / 4));
  }
  if (now > 0) out.insert(now);
  return {out.begin(), out.end()};
}

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
      if (!known.insert(key).second) continue;
      out_.what[key] = operators_of(schedule.kernel);
      const size_t before = out_.genes.size();
      add_kernel(key, schedule, compiled.plan.graph.values);
      out_.kernels += out_.genes.size() > before;
    }
    if (options_.parallel_fusion != ParallelFusion::off) add_pairs();
    return std::move(out_);
  }

 private:
  // Genes of a verb as it is without tuning.
  void add(const std::string& key, const Verb& now) {
    for (const Searched& one : searched()) {
      if (one.what != without_then(now.what) || one.number >= now.numbers.size()) continue;
      const std::vector<int64_t> values = values_of(one, now.numbers[one.number]);
      if (values.size() < 2) continue;
      add(key, now, one.number, values);
    }
  }

  void add(const std::string& key, const Verb& now, size_t number,
           const std::vector<int64_t>& values) {
    std::string name = key + " " + now.what;
    if (is_of_let(now.what)) name += " of let" + std::to_string(now.numbers[0]);
    if (now.numbers.size() > 1) name += " " + std::to_string(number);
    out_.genes.push_back({name, values, key});
    out_.verbs.emplace_back(GeneVerb{key, now, number});
    out_.first.push_back(nearest(values, now.numbers[number]));
  }

  void add_kernel(const std::string& key, const KernelSchedule& schedule,
                  const std::vector<Value>& values) {
    if (schedule.launches.empty()) {
      for (const Verb& verb : schedule.verbs) add(key, verb);
      return;
    }
    const OpenClDevice& device = hardware_.opencl;
    bool items = false, rows = false, loops = false;
    for (const Launch* launch : launches_of(schedule.launches)) {
      items = items || has_item_points(*launch);
      rows = rows || (has_item_points(*launch) && launch->dimensions.size() > 1);
      loops = loops || can_unroll(*launch);
    }
    std::vector<int64_t> groups;
    for (int64_t size = device.wave_size; size <= device.work_group_size_max; size *= 2)
      groups.push_back(size);
    if (groups.empty()) groups.push_back(device.work_group_size);
    add(key, {"work-group", {device.work_group_size}}, 0, groups);
    if (rows) add(key, {"group rows", {1}});
    if (const Verb* tile = find_verb(schedule.verbs, "group tile")) add(key, *tile);
    if (loops) add(key, {"unroll", {0}});
    if (items) {
      add(key, {"vector", {1}});
      add(key, {"points", {1}});
    }
    const auto any_free = [&](const std::vector<ValueId>& ids, bool constants) {
      return std::any_of(ids.begin(), ids.end(), [&](ValueId id) {
        const bool constant = values[static_cast<size_t>(id)].kind == ValueKind::constant;
        return constant == constants && free_.contains(id);
      });
    };
    if (any_free(writes_of(schedule.kernel), false)) add(key, {"images", {-1}});
    if (any_free(reads_of(schedule.kernel), true)) add(key, {"constants", {-1}});
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
    for (const auto& [a, b] : known) {
      const std::string both = a + " " + b;
      out_.genes.push_back({both + " joint", kEither, both});
      out_.verbs.emplace_back();
      out_.first.push_back(nearest(kEither, -1));
    }
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
  for (size_t i = 0; i < genes.size(); ++i) {
    if (chosen[i] == first[i]) continue;
    const int64_t value = genes[i].values[chosen[i]];
    if (!verbs[i]) {
      const std::string& name = genes[i].name;
      const size_t blank = name.find(' ');
      out.pairs[pair_of(name.substr(0, blank),
                        name.substr(blank + 1, name.rfind(' ') - blank - 1))] = value == 1;
      continue;
    }
    // Several genes may be of one verb.
    const GeneVerb& of = *verbs[i];
    Verbs& list = out.kernels[of.key].verbs;
    Verb verb = of.now;
    for (const Verb& one : list) {
      if (same_place(one, verb)) verb = one;
    }
    verb.numbers[of.number] = value;
    set_verb(list, std::move(verb));
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
