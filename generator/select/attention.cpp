#include "select/attention.h"

#include <algorithm>
#include <map>

#include "select/regroup.h"

namespace burin {
namespace {

constexpr int64_t kLeastDepth = 4;          // below, packing costs more than it saves
constexpr int64_t kBlockOfNoCache = 16384;  // bytes of scores where no cache is described

int64_t at_least_one(const Dim& dim) { return std::max<int64_t>(1, at_hints(dim)); }

bool contains(const std::vector<int>& axes, int axis) {
  return std::find(axes.begin(), axes.end(), axis) != axes.end();
}

// Axes that became one: all of them are in `axes`, or none.
bool has_all_or_none(const std::vector<int>& axes, const std::vector<int>& group) {
  const auto count =
      std::count_if(group.begin(), group.end(), [&](int axis) { return contains(axes, axis); });
  return count == 0 || count == static_cast<std::ptrdiff_t>(group.size());
}

class Regrouped {
 public:
  Regrouped(const AttentionForm& form, Attention& out)
      : form_(form), out_(out), axes_(form.kernel, out.kernel) {}

  bool run() {
    AttentionSchedule& schedule = out_.schedule;
    for (const int axis : form_.batch) schedule.batch.push_back(keep(axis));
    schedule.query = flatten(form_.queries, "query");
    schedule.key = flatten(form_.keys, "key");
    schedule.element = flatten(form_.elements, "element");
    for (const int axis : form_.depth) schedule.depth.push_back(keep(axis));
    const Kernel& from = form_.kernel;
    for (size_t i = 0; i < from.lets.size(); ++i) {
      for (const auto* group : {&form_.queries, &form_.keys, &form_.elements}) {
        if (!has_all_or_none(from.lets[i].over, *group)) return false;
      }
      Let& let = out_.kernel.lets[i];
      let.over = moved(from.lets[i].over);
      let.reduced = moved(from.lets[i].reduced);
      let.body[0] = moved(from.lets[i].body[0]);
      points_.push_back(point(let.over));
    }
    Write& write = out_.kernel.writes[0];
    write.over = moved(from.writes[0].over);
    for (Index& index : write.at) index = axes_.moved(index);
    write.value = moved(from.writes[0].value);
    schedule.q = moved(form_.q);
    schedule.k = moved(form_.k);
    schedule.v = moved(form_.v);
    schedule.masked = moved(form_.masked);
    schedule.value = write.value;
    schedule.empty = form_.empty;
    schedule.queries = extent_of(from, form_.queries);
    schedule.keys = extent_of(from, form_.keys);
    schedule.elements = extent_of(from, form_.elements);
    schedule.depth_extent = extent_of(from, form_.depth);
    return true;
  }

 private:
  int keep(int axis) { return new_axis_[axis] = axes_.keep(axis); }
  int flatten(const std::vector<int>& axes, const char* name) {
    const int id = axes_.flatten(axes, name);
    for (const int axis : axes) new_axis_[axis] = id;
    return id;
  }

  std::vector<int> moved(const std::vector<int>& axes) const {
    std::vector<int> out;
    for (const int axis : axes) {
      const int id = new_axis_.at(axis);
      if (id >= 0 && !contains(out, id)) out.push_back(id);
    }
    std::sort(out.begin(), out.end());
    return out;
  }

  std::vector<Index> point(const std::vector<int>& over) const {
    std::vector<Index> at;
    for (const int axis : over)
      at.push_back(Index::axis(axis, out_.kernel.axes[static_cast<size_t>(axis)].extent));
    return at;
  }

  // References to lets name their new axes; everything else moves with the axes.
  Expr moved(const Expr& expr) const {
    return rewrite(
        expr,
        [&](const Expr& one) -> Expr {
          if (one.kind() != ExprKind::let) return one;
          return Expr::let(one->id, one.type(), points_[static_cast<size_t>(one->id)]);
        },
        [&](const Index& leaf) {
          return leaf.kind() == IndexKind::axis ? axes_.moved_axis(leaf.axis_id()) : leaf;
        });
  }

  const AttentionForm& form_;
  Attention& out_;
  Regrouping axes_;
  std::map<int, int> new_axis_;
  std::vector<std::vector<Index>> points_;  // of lets, at their own axes
};

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
  if (!Regrouped(*form, out).run()) return std::nullopt;
  AttentionSchedule& schedule = out.schedule;
  // One query is a product of a vector and a matrix: tiles would be empty but for a lane.
  if (schedule.query < 0 || at_least_one(schedule.depth_extent) < kLeastDepth) return std::nullopt;
  const int64_t keys = at_least_one(schedule.keys), queries = at_least_one(schedule.queries);
  schedule.scores = choose_tile(keys, queries, hardware.vector);
  schedule.values = choose_tile(at_least_one(schedule.elements), queries, hardware.vector,
                                schedule.scores.vectors);
  const int64_t cache =
      hardware.memory.caches.empty() ? kBlockOfNoCache : hardware.memory.caches[0].size_bytes / 2;
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
