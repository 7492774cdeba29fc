#include "plan/images/image_pool.h"

#include <algorithm>

#include "plan/memory/bytes.h"
#include "plan/memory/concurrent_steps.h"
#include "plan/memory/lifetime.h"
#include "support/at.h"

namespace burin {
namespace {

constexpr int64_t kComponents = 4;

int64_t texels(const Dim& width, const Dim& height) { return at_hints(width) * at_hints(height); }

Dim larger(const Dim& a, const Dim& b) {
  return proven_le(a, b) ? b : proven_le(b, a) ? a : max(a, b);
}

Dim bytes_of(Type type, const Dim& width, const Dim& height) {
  return width * height * (kComponents * size_bits(type) / 8);
}

}  // namespace

ImagePool pool_images(const KernelGraph& graph, const std::vector<PooledImage>& images,
                      const AliasRules& rules) {
  const std::vector<Position> positions = positions_of(graph);
  std::vector<Lifetime> lives = lifetimes_of(graph, positions);
  hold_concurrent(concurrent_intervals(rules, positions), positions, lives);
  std::vector<PooledImage> sorted = images;
  for (PooledImage& image : sorted) {
    image.width = bound_of(image.width);
    image.height = bound_of(image.height);
  }
  std::stable_sort(sorted.begin(), sorted.end(), [](const PooledImage& a, const PooledImage& b) {
    return texels(a.width, a.height) > texels(b.width, b.height);
  });
  ImagePool pool;
  std::vector<PositionSet> held;  // by slot
  std::vector<int64_t> live(positions.size(), 0);
  for (const PooledImage& image : sorted) {
    const Type type = graph.values[at(image.value)].type;
    const PositionSet& own = lives[at(image.value)].held;
    const Dim bytes = bytes_of(type, image.width, image.height);
    pool.naive_bytes += bytes;
    own.for_each([&](size_t p) { live[p] += at_hints(bytes); });
    int best = -1;
    int64_t least = 0;
    for (size_t s = 0; s < pool.slots.size(); ++s) {
      ImageSlot& slot = pool.slots[s];
      if (slot.type != type || own.meets(held[s])) continue;
      const int64_t grows =
          texels(larger(slot.width, image.width), larger(slot.height, image.height)) -
          texels(slot.width, slot.height);
      if (grows >= texels(image.width, image.height)) continue;  // one of its own takes no more
      if (best < 0 || grows < least) {
        best = static_cast<int>(s);
        least = grows;
      }
    }
    if (best < 0) {
      best = static_cast<int>(pool.slots.size());
      pool.slots.push_back({type, image.width, image.height, {}});
      held.emplace_back(positions.size());
    }
    ImageSlot& slot = pool.slots[at(best)];
    slot.width = larger(slot.width, image.width);
    slot.height = larger(slot.height, image.height);
    slot.values.push_back(image.value);
    held[at(best)] |= own;
  }
  const auto first = [&](ValueId id) { return lives[at(id)].held.first(); };
  for (ImageSlot& slot : pool.slots) {
    std::sort(slot.values.begin(), slot.values.end(),
              [&](ValueId a, ValueId b) { return first(a) < first(b); });
    pool.bytes += bytes_of(slot.type, slot.width, slot.height);
  }
  for (const int64_t bytes : live) pool.live_bytes = std::max(pool.live_bytes, bytes);
  return pool;
}

std::string to_string(const ImagePool& pool, const KernelGraph& graph) {
  std::string out = std::to_string(pool.slots.size()) + " images of " + to_string(pool.bytes) +
                    " bytes, " + to_string(pool.naive_bytes) + " if every tensor had its own, " +
                    std::to_string(pool.live_bytes) + " live at once\n";
  for (const ImageSlot& slot : pool.slots) {
    out += std::string(to_string(slot.type)) + " " + to_string(slot.width) + " x " +
           to_string(slot.height) + ":";
    for (const ValueId id : slot.values) out += " '" + graph.values[at(id)].name + "'";
    out += "\n";
  }
  return out;
}

}  // namespace burin
