#include "select/threads/parallel.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "kernel/expr/expr_axes.h"
#include "kernel/expr/expr_operands.h"
#include "select/rows/row_blocks.h"
#include "select/threads/fused_copies.h"

namespace burin {
namespace {

constexpr double kMostWork = 1e15;

double extent_at_hints(const Kernel& kernel, int axis) {
  return static_cast<double>(
      std::max<int64_t>(1, at_hints(kernel.axes[static_cast<size_t>(axis)].extent)));
}

double points_at_hints(const Kernel& kernel, const std::vector<int>& axes) {
  double points = 1;
  for (const int axis : axes) points *= extent_at_hints(kernel, axis);
  return points;
}

double cycles_of(const Expr& expr, const Hardware& hardware) {
  double count = 0;
  visit(expr, [&](const ExprNode& node) {
    if (node.kind == ExprKind::constant || node.kind == ExprKind::let) return;
    const bool function = node.kind == ExprKind::unary && is_function(node.unary());
    count += function ? hardware.vector.function_cycles : 1;
  });
  return count;
}

// Cycles of one core for all of a kernel at the hinted sizes.
double work_of(const KernelSchedule& schedule, const Hardware& hardware) {
  const Kernel& kernel = schedule.kernel;
  double cycles = 0;
  for (size_t i = 0; i < kernel.lets.size(); ++i) {
    const Let& let = kernel.lets[i];
    double each = 0;
    for (const Expr& body : let.body) each += cycles_of(body, hardware);
    double points = points_at_hints(kernel, let.over) * points_at_hints(kernel, let.reduced);
    const bool in_tile =
        std::any_of(schedule.tiles.begin(), schedule.tiles.end(),
                    [&](const SumTile& tile) { return tile.let == static_cast<int>(i); });
    const bool tiled = schedule.attention && let.op == Combiner::sum && !let.body.empty() &&
                       let.body[0].kind() == ExprKind::binary;
    const bool epilogue = schedule.contraction && schedule.last_product().row_epilogue &&
                          static_cast<int>(i) >= schedule.last_product().row_epilogue->value;
    // A body may be no more than another let.
    each = std::max(each, 1.0);
    if ((schedule.contraction && !epilogue) || tiled || in_tile)
      points /=
          static_cast<double>(hardware.vector.fma_per_cycle * hardware.vector.lanes(4)) * each;
    cycles += points * each;
  }
  for (const Write& write : kernel.writes)
    cycles += points_at_hints(kernel, write.over) * (cycles_of(write.value, hardware) + 1);
  return std::min(cycles, kMostWork);
}

struct Candidate {
  int axis = 0;
  int64_t multiple = 1;  // that chunks must be of
};

// Outermost first.
std::vector<Candidate> candidates_of(const KernelSchedule& schedule, const Hardware& hardware) {
  std::vector<Candidate> out;
  if (schedule.contraction) {
    const ContractionSchedule& contraction = *schedule.contraction;
    for (const int axis : contraction.batch) out.push_back({axis, 1});
    const Candidate rows{contraction.m, rows_together(schedule)};
    const Candidate columns{contraction.n, contraction.tile.columns()};
    const bool packs_a = contraction.a.element && contraction.a.prepacked == kNoValue;
    if (contraction.window) {
      // Bands are staged by the thread that reads them; rows of the tile are left, where every
      // thread then stages the whole.
      const SlidingWindow& window = *contraction.window;
      if (packs_a) return out;
      for (const int axis : window.outer) out.push_back({axis, 1});
      if (window.banded()) out.push_back({window.rows.output, at_hints(window.band)});
      if (rows.axis >= 0) out.push_back(rows);
      return out;
    }
    const bool packs_b = contraction.b.prepacked == kNoValue;
    // Unpacking constants once more, and rows once more for other columns, is little beside
    // multiplying.
    const bool whole_rows =
        contraction.row_epilogue || schedule.second || contraction.block_rows > 0;
    if (columns.axis >= 0 && (!packs_a || (contraction.b.compact > 0 && !whole_rows)))
      out.push_back(columns);
    if (rows.axis >= 0 && (!packs_b || contraction.b.compact > 0)) out.push_back(rows);
    return out;
  }
  if (schedule.attention) {
    // Whoever takes some of the queries packs all keys and values.
    for (const int axis : schedule.attention->batch) out.push_back({axis, 1});
    if (out.empty() && schedule.attention->query >= 0 && schedule.attention->tiled)
      out.push_back({schedule.attention->query, schedule.attention->columns()});
    return out;
  }
  // Axes of every item; which of them may be cut is check_cut's to say.
  const int64_t line_elements = std::max(1, hardware.memory.cache_line_bytes / 4);
  const std::vector<int>& axes = schedule.kernel.writes.front().over;
  for (const int axis : axes) {
    // Blocks of columns are whole panels.
    const bool in_panels = std::any_of(schedule.tiles.begin(), schedule.tiles.end(),
                                       [&](const SumTile& tile) { return tile.column == axis; });
    if (in_panels) continue;
    // Nor do chunks end inside of a tile.
    int64_t together = 1;
    for (const SumTile& tile : schedule.tiles) {
      if (tile.row == axis) together = std::lcm(together, int64_t{tile.tile.rows});
    }
    // Neighbours in memory stay with one thread, and so do blocks of rows.
    const bool in_blocks = schedule.outer_axis && schedule.outer_axis->axis == axis &&
                           schedule.outer_axis->block_axis >= 0;
    out.push_back({axis, in_blocks             ? schedule.outer_axis->points
                         : axis == axes.back() ? line_elements
                                               : together});
  }
  return out;
}

// Chunks are whole blocks of rows: a call has those that begin in it.
bool restrict_blocks(KernelSchedule& schedule) {
  const std::optional<OuterAxis>& rows = schedule.outer_axis;
  if (!rows || rows->axis != schedule.cut->axis || rows->block_axis < 0) return false;
  auto& blocks = std::get<ForLoop>(schedule.loops.front().node);
  blocks.begin = floordiv(Index::symbol(cut_first()), rows->points);
  blocks.end = ceildiv(Index::symbol(cut_last()), rows->points);
  return true;
}

// Bounds of every loop over the axis: the part of [begin, end) that is in [first, last).
void restrict_loops(LoopNodes& nodes, const Cut& cut) {
  for (LoopNode& node : nodes) {
    ForLoop* loop = std::get_if<ForLoop>(&node.node);
    if (!loop) continue;
    if (loop->axis == cut.axis) {
      const Index first = Index::symbol(cut_first()), last = Index::symbol(cut_last());
      loop->begin = loop->begin.is_constant(0) ? first : max(loop->begin, first);
      loop->end = loop->end == cut.extent ? last : min(loop->end, last);
    }
    restrict_loops(loop->nodes, cut);
  }
}

int64_t round_up(int64_t value, int64_t multiple) {
  return (value + multiple - 1) / multiple * multiple;
}

}  // namespace

int64_t unshared_operations(const Hardware& hardware) {
  constexpr int64_t kAlone = int64_t{1} << 18;
  if (hardware.threads_max <= 1) return kAlone;
  return int64_t{hardware.thread_start_us} * hardware.clock_mhz * hardware.vector.lanes(4);
}

void cut_for_threads(KernelSchedule& schedule, const Hardware& hardware) {
  if (hardware.threads_max <= 1 || schedule.kernel.writes.empty()) return;
  const double least = std::max(
      1.0, static_cast<double>(hardware.thread_start_us) * static_cast<double>(hardware.clock_mhz));
  const double work = work_of(schedule, hardware);
  const int64_t wanted = int64_t{hardware.threads_max} * kChunksPerThread;
  std::optional<Cut> best;
  int64_t best_chunks = 0;
  for (const Candidate& candidate : candidates_of(schedule, hardware)) {
    const Dim& extent = schedule.kernel.axes[static_cast<size_t>(candidate.axis)].extent;
    const auto points = static_cast<int64_t>(extent_at_hints(schedule.kernel, candidate.axis));
    const double each = std::max(1e-3, work / static_cast<double>(points));
    const auto repays = static_cast<int64_t>(std::ceil(std::min(least / each, 1e15)));
    const int64_t grain =
        round_up(std::max({int64_t{1}, repays, points / wanted}), candidate.multiple);
    Cut cut{candidate.axis, extent, grain, hardware.threads_max};
    schedule.cut = cut;
    const bool may = !proven_le(extent, grain) && check_cut(schedule).empty();
    schedule.cut.reset();
    if (!may) continue;
    const int64_t chunks = std::min((points + grain - 1) / grain, wanted);
    if (best && chunks <= best_chunks) continue;
    best = cut;
    best_chunks = chunks;
  }
  if (!best) return;
  schedule.cut = best;
  if (!restrict_blocks(schedule)) restrict_loops(schedule.loops, *best);
  share_fused_copies(schedule);
}

Dim scratches_of(const KernelSchedule& schedule) {
  if (!schedule.cut) return 1;
  const Cut& cut = *schedule.cut;
  if (schedule.contraction) {
    const ContractionSchedule& product = *schedule.contraction;
    // Rows of a block are packed where those of the block before it were.
    const bool panels_only = !product.window && !product.row_epilogue && product.block_rows == 0 &&
                             cut.axis == product.m && product.b.prepacked != kNoValue &&
                             cut.grain % rows_together(schedule) == 0;
    const bool of_rows =
        std::all_of(schedule.places.begin(), schedule.places.end(), [&](const LetPlace& place) {
          return place.scalar || place.axes == std::vector<int>{product.m};
        });
    if (panels_only && of_rows) return 1;
  }
  return min(cut.chunks(), cut.workers);
}

std::string check_cut(const KernelSchedule& schedule) {
  if (!schedule.cut) return {};
  const Cut& cut = *schedule.cut;
  const Kernel& kernel = schedule.kernel;
  if (cut.axis < 0 || static_cast<size_t>(cut.axis) >= kernel.axes.size() || cut.grain < 1)
    return "the cut names no axis";
  if (kernel.axes[static_cast<size_t>(cut.axis)].kind != AxisKind::parallel)
    return "the axis that is cut is not parallel";
  if (schedule.contraction && cut.axis == schedule.contraction->m &&
      cut.grain % rows_together(schedule) != 0)
    return "a chunk ends inside of rows that are multiplied together";
  std::string fault;
  std::vector<ValueId> written;
  for (const Write& write : kernel.writes) written.push_back(write.to);
  const auto on_expr = [&](const Expr& expr) {
    visit(expr, [&](const ExprNode& node) {
      if (node.kind == ExprKind::load &&
          std::find(written.begin(), written.end(), node.id) != written.end())
        fault = "what the kernel writes is read";
      if (node.kind != ExprKind::let) return;
      const Let& let = kernel.lets[static_cast<size_t>(node.id)];
      for (size_t k = 0; k < let.over.size(); ++k) {
        if (let.over[k] != cut.axis) continue;
        if (node.at[k].kind() != IndexKind::axis || node.at[k].axis_id() != cut.axis)
          fault = "a let is read at another point of the axis that is cut";
      }
    });
  };
  for (const Let& let : kernel.lets) {
    if (!contains(let.over, cut.axis)) fault = "a let does not run over the axis that is cut";
    for (const Expr& body : let.body) on_expr(body);
  }
  for (const Write& write : kernel.writes) {
    if (write.how != How::store) fault = "a write combines with what was there";
    for (const Index& index : write.at) on_expr(Expr::index(index));
    on_expr(write.value);
  }
  return fault.empty() ? check_fused_copies(schedule) : fault;
}

}  // namespace burin
