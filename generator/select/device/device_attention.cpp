#include "select/device/device_attention.h"

#include <algorithm>

namespace burin {
namespace {

constexpr int kQueryBlocks[] = {32, 16, 8, 4};
constexpr int kLeastQueryBlock = 4;
constexpr int kKeyBlocks[] = {64, 32, 16, 8};
constexpr int64_t kMostVectors = 16;  // of sums in one work-item's registers

int64_t rounded_up(int64_t size, int64_t to) { return (size + to - 1) / to * to; }

// The blocks with which most work-items have something to do; of those the largest block of
// queries, since every group goes through all keys, with as many keys as local memory holds beside.
std::optional<GroupAttention> choose_blocks(const AttentionSchedule& form, const Kernel& kernel,
                                            const Hardware& hardware) {
  const OpenClDevice& device = hardware.opencl;
  int64_t batch = 1;
  for (const int axis : form.batch)
    batch *= std::max<int64_t>(1, at_hints(kernel.axes[static_cast<size_t>(axis)].extent));
  const int64_t queries = std::max<int64_t>(1, at_hints(form.queries)),
                keys = std::max<int64_t>(1, at_hints(form.keys));
  std::optional<GroupAttention> found;
  int64_t most = 0;
  const int items = device.work_group_size;
  for (const int query_block : kQueryBlocks) {
    for (const int key_block : kKeyBlocks) {
      GroupAttention one;
      one.items = items;
      one.queries = query_block;
      one.keys = key_block;
      if (items > device.work_group_size_max || items > device.work_item_sizes_max[0]) continue;
      if (items % query_block != 0 || items % key_block != 0) continue;
      if (query_block * key_block % items != 0 || key_block >= 2 * keys) continue;
      const int64_t each = items / query_block;
      one.depth = static_cast<int>(rounded_up(form.depth_extent.constant(), 4));
      one.elements = static_cast<int>(rounded_up(form.elements.constant(), 4 * each));
      if (one.elements / 4 / each > kMostVectors) continue;
      // Work-items without an element only wait: the least block alone may have some.
      if (one.elements > rounded_up(form.elements.constant(), 4) && query_block > kLeastQueryBlock)
        continue;
      if (one.local_bytes() > device.local_memory_bytes) continue;
      const int64_t groups = batch * ((queries + query_block - 1) / query_block);
      const int64_t busy = std::min<int64_t>(groups, device.compute_units) * items;
      one.form = form;
      if (busy > most) found = one;
      most = std::max(most, busy);
      break;  // the largest block of keys that fits
    }
  }
  return found;
}

}  // namespace

std::optional<LoopPlan> schedule_device_attention(const Kernel& kernel,
                                                  const std::vector<Value>& values,
                                                  const Hardware& hardware) {
  std::optional<Attention> attention = find_attention_schedule(kernel, values, hardware);
  if (!attention || !attention->schedule.tiled) return std::nullopt;
  const AttentionSchedule& form = attention->schedule;
  if (!form.depth_extent.is_constant() || !form.elements.is_constant()) return std::nullopt;
  for (const int axis : form.depth) {
    if (!attention->kernel.axes[static_cast<size_t>(axis)].extent.is_constant())
      return std::nullopt;
  }
  const std::optional<GroupAttention> blocks = choose_blocks(form, attention->kernel, hardware);
  if (!blocks) return std::nullopt;
  LoopPlan out;
  out.kernel = attention->kernel;
  out.places.resize(out.kernel.lets.size());
  out.family = "attention";
  out.no_alias = true;
  out.reason = "blocks of " + std::to_string(blocks->queries) + " queries x " +
               std::to_string(blocks->keys) + " keys for " + to_string(form.queries) + " x " +
               to_string(form.keys) + " by " + std::to_string(blocks->items) + " work-items";
  // What happens for one query, as the checker of launches reads it.
  const Kernel& k = out.kernel;
  const auto around = [&](const std::vector<int>& axes, LoopNodes nodes) {
    for (size_t i = axes.size(); i-- > 0;)
      nodes = {LoopNode{
          ForLoop{axes[i], 0, k.axes[static_cast<size_t>(axes[i])].extent, std::move(nodes)}}};
    return nodes;
  };
  const auto reduction = [&](int let) {
    const Let& one = k.lets[static_cast<size_t>(let)];
    LoopNodes nodes{LoopNode{BeginLet{let}}};
    LoopNodes loops = around(one.reduced, {LoopNode{Accumulate{let, one.body, {}}}});
    nodes.insert(nodes.end(), loops.begin(), loops.end());
    nodes.push_back({EndLet{let}});
    return nodes;
  };
  Launch launch;
  std::vector<LoopNodes> parts{around({form.key}, reduction(0))};
  for (const PositionTable& table : form.positions)
    parts.push_back(around({table.row}, reduction(table.let)));
  for (int let = form.greatest; let < form.result; ++let) parts.push_back(reduction(let));
  for (const LoopNodes& part : parts)
    launch.nodes.insert(launch.nodes.end(), part.begin(), part.end());
  LoopNodes result = reduction(form.result);
  result.push_back({Store{0, k.writes[0].value, k.writes[0].when}});
  result = around({form.element}, result);
  launch.nodes.insert(launch.nodes.end(), result.begin(), result.end());
  Dimension queries, batch;
  if (form.query >= 0) {
    queries.axes = {form.query};
    queries.extent = form.queries;
  }
  batch.axes = form.batch;
  for (const int axis : form.batch) batch.extent *= k.axes[static_cast<size_t>(axis)].extent;
  launch.dimensions = {queries, batch};
  launch.attention = *blocks;
  out.launches.push_back({std::move(launch)});
  return out;
}

}  // namespace burin
