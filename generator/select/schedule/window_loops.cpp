#include "select/schedule/window_loops.h"

#include "select/schedule/pieces.h"

namespace burin {
namespace {

Index at(const Kernel& kernel, int axis) {
  return axis < 0 ? Index(0) : Index::axis(axis, kernel.axes[static_cast<size_t>(axis)].extent);
}

const Dim& extent(const Kernel& kernel, int axis) {
  return kernel.axes[static_cast<size_t>(axis)].extent;
}

// Every Store becomes the filling of its place.
void to_fill(LoopNodes& nodes, const Index& place) {
  for (LoopNode& node : nodes) {
    if (auto* loop = std::get_if<ForLoop>(&node.node)) {
      to_fill(loop->nodes, place);
    } else if (auto* store = std::get_if<Store>(&node.node)) {
      Fill fill{std::move(store->value), place};
      node.node = std::move(fill);
    }
  }
}

}  // namespace

LoopNodes fill_loops(const SlidingWindow& window, const Kernel& kernel) {
  std::vector<LoopRange> ranges;
  Index place = 0;
  const auto add = [&](int axis, const Dim& stored, const Index& end) {
    if (axis < 0) return;
    place = place * stored + at(kernel, axis);
    ranges.push_back({axis, 0, end});
  };
  for (const int axis : window.planes) add(axis, extent(kernel, axis), extent(kernel, axis));
  add(window.rows.phase, window.rows.phases, window.rows.phases);
  add(window.columns.phase, window.columns.phases, window.columns.phases);
  // The last band may end early.
  const Dim band_rows = window.rows_of(band_size(window));
  add(window.rows.position, band_rows, min(band_rows, window.rows.positions - band_first(window)));
  add(window.columns.position, window.pitch(), window.pitch());
  LoopNodes loops = loops_in_pieces(ranges, Store{0, window.staged, {}});
  to_fill(loops, place);
  return loops;
}

}  // namespace burin
