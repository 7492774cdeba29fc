#include "select/attention.h"

#include <algorithm>

#include "select/regroup.h"

namespace burin {
namespace {

bool regroup(const AttentionForm& form, Attention& out) {
  AttentionSchedule& schedule = out.schedule;
  const Kernel& from = form.kernel;
  Regrouping axes(from, out.kernel);
  for (const int axis : form.batch) schedule.batch.push_back(axes.keep(axis));
  schedule.query = axes.flatten(form.queries, "query");
  schedule.key = axes.flatten(form.keys, "key");
  schedule.element = axes.flatten(form.elements, "element");
  for (const int axis : form.depth) schedule.depth.push_back(axes.keep(axis));
  if (!axes.move_lets(out.kernel)) return false;
  schedule.q = axes.moved(form.q);
  schedule.k = axes.moved(form.k);
  schedule.v = axes.moved(form.v);
  schedule.masked = out.kernel.lets[static_cast<size_t>(form.greatest)].body[0];
  schedule.value = out.kernel.writes[0].value;
  schedule.empty = form.empty;
  schedule.queries = extent_of(from, form.queries);
  schedule.keys = extent_of(from, form.keys);
  schedule.elements = extent_of(from, form.elements);
  schedule.depth_extent = extent_of(from, form.depth);
  return true;
}

void lay_out_scratch(AttentionSchedule& schedule, Dim& bytes) {
  const auto take = [&](const Dim& floats) {
    const Dim at = bytes;
    bytes += ceildiv(floats * 4, 64) * 64;
    return at;
  };
  const auto padded = [](const Dim& size, int rows) { return ceildiv(size, rows) * rows; };
  const int columns = schedule.columns();
  schedule.scores_offset = take(Dim(schedule.key_block * columns));
  schedule.q_offset = take(schedule.depth_extent * columns);
  schedule.sums_offset = take(padded(schedule.elements, schedule.values.rows) * columns);
  schedule.k_offset = take(padded(schedule.keys, schedule.scores.rows) * schedule.depth_extent);
  schedule.v_offset = take(padded(schedule.elements, schedule.values.rows) * schedule.keys);
}

}  // namespace

std::optional<Attention> find_attention_schedule(const Kernel& kernel,
                                                 const std::vector<Value>& values,
                                                 const Hardware& hardware) {
  const std::optional<AttentionForm> form = find_attention(kernel, values);
  if (!form) return std::nullopt;
  Attention out;
  if (!regroup(*form, out)) return std::nullopt;
  AttentionSchedule& schedule = out.schedule;
  // One query is a product of a vector and a matrix: tiles would be empty but for a lane.
  if (schedule.query < 0 || at_least_one(schedule.depth_extent) < kLeastTiledDepth)
    return std::nullopt;
  schedule.scores = choose_tile(schedule.keys, schedule.queries, hardware.vector, Beside{});
  schedule.values = choose_tile(at_least_one(schedule.elements), at_least_one(schedule.queries),
                                hardware.vector, schedule.scores.vectors);
  const int64_t cache = hardware.memory.caches[0].size_bytes / 2;
  const int64_t rows = schedule.scores.rows, fitting = cache / (schedule.columns() * 4);
  schedule.key_block = std::max<int64_t>(1, fitting / rows) * rows;
  // No larger than all keys are at most.
  const Range range = schedule.keys.range();
  if (range.hi < schedule.key_block)
    schedule.key_block = std::max<int64_t>(1, (range.hi + rows - 1) / rows) * rows;
  lay_out_scratch(schedule, out.scratch_bytes);
  return out;
}

}  // namespace burin
