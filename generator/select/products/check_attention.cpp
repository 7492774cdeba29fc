// The scratch of attention, array by array: how many floats each needs comes from what is read of
// it, not from how it was laid out.
#include <algorithm>

#include "select/products/attention_schedule.h"

namespace burin {
namespace {

struct Array {
  const char* name;
  Dim offset;
  int64_t floats;
  bool takes_turns = false;  // with others that do
};

int64_t whole(int64_t size, int64_t of) { return (size + of - 1) / of * of; }

}  // namespace

std::string check_scratch(const Attention& attention,
                          const std::function<int64_t(const Dim&)>& at) {
  const AttentionSchedule& schedule = attention.schedule;
  const int64_t queries = at(schedule.queries), keys = at(schedule.keys),
                depth = at(schedule.depth_extent), elements = at(schedule.elements),
                columns = schedule.columns();
  // Sizes that are tied by more than could be found out: no run has these.
  if (std::min({queries, keys, depth, elements}) < 0) return {};
  std::vector<Array> arrays;
  if (schedule.decode && (queries <= schedule.decode->most || !schedule.tiled)) {
    const DecodeAttention& decode = *schedule.decode;
    if (queries > decode.most && !decode.is_only()) return "more queries than the only version takes";
    const int64_t present = decode.is_only() ? 1 : queries;
    arrays = {{"scores", decode.scores_offset, present * whole(keys, decode.lanes)},
              {"q", decode.q_offset, present * depth},
              {"sums", decode.sums_offset, present * elements}};
    if (decode.k.tensor == kNoValue)
      arrays.push_back({"rows of K", decode.rows_offset, decode.rows * depth, true});
    if (decode.v.tensor == kNoValue)
      arrays.push_back({"rows of V", decode.rows_offset, decode.rows * elements, true});
  } else {
    const int64_t values = whole(elements, schedule.values.rows);
    arrays = {{"scores", schedule.scores_offset, schedule.key_block * columns},
              {"q", schedule.q_offset, depth * columns},
              {"sums", schedule.sums_offset, values * columns},
              {"k", schedule.k_offset, whole(keys, schedule.scores.rows) * depth},
              {"v", schedule.v_offset, values * keys}};
    for (const PositionTable& table : schedule.positions) {
      arrays.push_back({"positions", table.scores_offset, at(table.window) * columns});
      arrays.push_back({"q of positions", table.q_offset, at(table.depth_extent) * columns});
      arrays.push_back(
          {"p", table.p_offset, whole(at(table.rows), table.tile.rows) * at(table.depth_extent)});
    }
  }
  for (size_t i = 0; i < arrays.size(); ++i) {
    const int64_t first = at(arrays[i].offset), last = first + 4 * arrays[i].floats;
    if (first % 64 != 0) return std::string(arrays[i].name) + " is not aligned";
    if (last > at(attention.scratch_bytes)) return std::string(arrays[i].name) + " ends beyond";
    for (size_t k = 0; k < i; ++k) {
      const int64_t other = at(arrays[k].offset), end = other + 4 * arrays[k].floats;
      if (arrays[i].takes_turns && arrays[k].takes_turns) continue;
      if (first < end && other < last)
        return std::string(arrays[i].name) + " overlaps " + arrays[k].name;
    }
  }
  return {};
}

}  // namespace burin
