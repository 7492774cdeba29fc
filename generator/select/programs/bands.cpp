#include "select/programs/bands.h"

#include "loops/idle.h"

namespace burin {
namespace {

using loops::BufferId;
using loops::Stmt;
using loops::Stmts;

// Phases of a window that have loops of their own.
constexpr int64_t kMostPhases = 4;

Stmts filled(Making& making, const SlidingWindow& window, BufferId staged, const LoopNodes& nodes,
             Filled which) {
  Stmts out;
  for (const LoopNode& node : nodes) {
    const auto* inner = std::get_if<ForLoop>(&node.node);
    if (inner == nullptr) {
      const Fill& one = std::get<Fill>(node.node);
      const bool margin = one.value.is_constant();
      if (which == (margin ? Filled::inside : Filled::margins)) continue;
      out.push_back(
          store(staged, {making.buffers().index(one.at)}, making.buffers().expr(one.value)));
      continue;
    }
    const Stmts body = filled(making, window, staged, inner->nodes, which);
    // Phases are few: each has loops of its own, in which bounds and strides are numbers.
    const bool phase = inner->axis == window.rows.phase || inner->axis == window.columns.phase;
    if (phase && window.rows.phases * window.columns.phases <= kMostPhases) {
      for (int64_t k = 0; k < making.extent(inner->axis).constant(); ++k)
        append(out, loops::substitute(body, inner->axis, k));
    } else {
      out.push_back(loop(inner->axis, making.buffers().index(inner->begin),
                         making.buffers().index(inner->end), body));
    }
  }
  return out;
}

}  // namespace

Stmts each_band(Making& making, const SlidingWindow& window, const OfBand& body) {
  if (!window.banded()) return body(0, window.rows.outputs);
  const int axis = window.rows.output;
  const Dim reach = making.extent(axis), height = making.buffers().index(band_size(window));
  // Counted, since the height of a band may be known to the run only.
  const int number = making.variable("band_number", reach + 1);
  const int first = making.named_variable("band_first", reach + 1);
  const int end = making.named_variable("band_end", reach + 1);
  const Index begin = making.begin_of(axis), stop = making.end_of(axis);
  Stmts out{Stmt{loops::Let{first, begin + making.at(number) * height}},
            Stmt{loops::Let{end, min(making.at(first) + height, stop)}}};
  append(out, body(making.at(first), making.at(end)));
  return {loop(number, 0, ceildiv(stop - begin, height), std::move(out))};
}

Stmts fill_stmts(Making& making, const SlidingWindow& window, BufferId staged,
                 const LoopNodes& nodes, Filled which) {
  return loops::without_idle_loops(filled(making, window, staged, nodes, which));
}

}  // namespace burin
