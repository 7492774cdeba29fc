#include "select/accumulators.h"

#include <set>

namespace burin {
namespace {

void set_single(ContractionSchedule& product) {
  product.tile.accumulators = product.versions.balanced.accumulators = 1;
  for (Version& version : product.versions.rows) version.accumulators = 1;
  for (EdgeColumns& version : product.versions.columns) version.accumulators = 1;
}

std::string accumulators_text(const ContractionSchedule& product) {
  const Tile& tile = product.tile;
  std::string out;
  const auto say = [&](int count, int rows, int vectors) {
    if (count == 1) return;
    out += "; " + std::to_string(count) + " sums for each element of " + std::to_string(rows) +
           " x " + std::to_string(vectors * tile.lanes);
  };
  say(tile.accumulators, tile.rows, tile.vectors);
  for (const Version& version : product.versions.rows)
    say(version.accumulators, version.rows, tile.vectors);
  for (const EdgeColumns& version : product.versions.columns)
    say(version.accumulators, tile.rows, version.vectors);
  return out;
}

}  // namespace

int64_t factor_bytes(const LoopPlans& chosen, const std::vector<Value>& values) {
  std::set<ValueId> read;
  for (const auto& [step, schedule] : chosen.plans) {
    for (const auto* product : {&schedule.contraction, &schedule.second}) {
      if (!*product) continue;
      for (const TileFactor* factor : {&(*product)->a, &(*product)->b}) {
        if (factor->is_prepacked && factor->prepacked != kNoValue) read.insert(factor->prepacked);
      }
    }
  }
  int64_t bits = 0;
  for (const ValueId id : read) {
    const Value& value = values[static_cast<size_t>(id)];
    bits += product(value.shape).constant() * size_bits(value.type);
  }
  return bits / 8;
}

void settle_accumulators(LoopPlans& chosen, const std::vector<Value>& values,
                         const Hardware& hardware, const LockedVerbs* locked) {
  const std::vector<Cache>& caches = hardware.memory.caches;
  const bool from_memory =
      !caches.empty() && factor_bytes(chosen, values) > caches.back().size_bytes;
  for (auto& [step, schedule] : chosen.plans) {
    const bool keeps = locked != nullptr && locked->contains(chosen.keys.at(step));
    for (auto* const product : {&schedule.contraction, &schedule.second}) {
      if (!*product) continue;
      if (from_memory && !keeps) set_single(**product);
      schedule.reason += accumulators_text(**product);
    }
  }
}

}  // namespace burin
