#include "fuse/movement/overwrites.h"

#include <algorithm>

#include "fuse/access/access.h"
#include "fuse/movement/computed_indices.h"

namespace burin {
namespace {

// Seen from a place of the tensor: whether the kernel writes it, and at which of its points.
struct Source {
  Guard when;
  std::vector<Index> axes;
};

// nullopt where two points may meet, or it is not seen that they do not.
std::optional<Source> source_of(const Kernel& store, const std::vector<Index>& place) {
  const Write& write = store.writes[0];
  Source out{{}, std::vector<Index>(store.axes.size(), Index(0))};
  std::vector<bool> found(store.axes.size(), false);
  for (size_t d = 0; d < write.at.size(); ++d) {
    std::vector<int> axes;
    write.at[d].collect_axes(axes);
    if (write.at[d].has_data() || axes.size() > 1) return std::nullopt;
    if (axes.empty()) {
      out.when.push_back({place[d], write.at[d], write.at[d] + 1});
      continue;
    }
    const auto axis = static_cast<size_t>(axes[0]);
    const Index own = Index::axis(axes[0], store.axes[axis].extent), first = write.at[d] - own;
    if (first.has_axes() || found[axis]) return std::nullopt;
    found[axis] = true;
    out.axes[axis] = place[d] - first;
    out.when.push_back({out.axes[axis], 0, store.axes[axis].extent});
  }
  const bool all = std::all_of(write.over.begin(), write.over.end(),
                               [&](int axis) { return found[static_cast<size_t>(axis)]; });
  return all ? std::optional(std::move(out)) : std::nullopt;
}

// Whether the map writes every element of the tensor.
bool fills(const Kernel& map, const std::vector<Dim>& shape) {
  const std::vector<Index>& at = map.writes[0].at;
  for (size_t d = 0; d < at.size(); ++d) {
    const bool all = shape[d].is_constant(1) ||
                     (at[d].kind() == IndexKind::axis && at[d].axis_extent() == shape[d]);
    if (!all) return false;
  }
  return true;
}

bool is_store(const Kernel& kernel) {
  return kernel.lets.empty() && kernel.writes.size() == 1 && kernel.writes[0].how == How::store &&
         kernel.writes[0].when.empty();
}

}  // namespace

void fuse_overwrite(BlockSteps& block, int at) {
  if (auto plain = with_computed_indices(*block.kernel(at), block.values()))
    block.replace(at, std::move(*plain));
  const Kernel store = *block.kernel(at);
  if (!is_store(store)) return;
  const Write& write = store.writes[0];
  const std::set<int>& writers = block.writers(write.to);
  if (writers.size() != 2 || *writers.rbegin() != at) return;
  const int first = *writers.begin();
  const Kernel* const map = block.kernel(first);
  if (!map || !is_map(*map) || !fills(*map, block.value(write.to).shape) ||
      !block.reads_are_stable_from(first, *map))
    return;
  const auto next = block.readers(write.to).upper_bound(first);
  if (next != block.readers(write.to).end() && *next <= at) return;
  Kernel joined = *map;
  Write& whole = joined.writes[0];
  const std::optional<Source> source = source_of(store, whole.at);
  if (!source) return;
  whole.value =
      Expr::cases({{source->when, substitute_axes(write.value, source->axes)}}, whole.value);
  merge_origins(joined, store, false);
  block.erase(first);
  block.replace(at, std::move(joined));
}

}  // namespace burin
