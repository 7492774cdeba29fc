#include "select/threads/parallel_cost.h"

#include <algorithm>

#include "kernel/expr/expr_axes.h"
#include "kernel/expr/expr_operands.h"
#include "kernel/index/index_node.h"
#include "select/axes/contiguous.h"

namespace burin {
namespace {

constexpr int64_t kMostCycles = int64_t{1} << 50;

int64_t times(int64_t a, int64_t b) { return std::min(kMostCycles, saturating_mul(a, b)); }

// value * part / whole, where part is at most whole.
int64_t share_of(int64_t value, int64_t part, int64_t whole) {
  return value / whole * part + saturating_mul(value % whole, part) / whole;
}

int64_t points_at_hints(const Kernel& kernel, const std::vector<int>& axes) {
  int64_t points = 1;
  for (const int axis : axes)
    points = times(points, at_least_one(kernel.axes[static_cast<size_t>(axis)].extent));
  return points;
}

int64_t operations_of(const Expr& expr, const Hardware& hardware) {
  int64_t count = 0;
  visit(expr, [&](const ExprNode& node) {
    if (node.kind == ExprKind::constant || node.kind == ExprKind::let) return;
    const bool function = node.kind == ExprKind::unary && is_function(node.unary());
    count += function ? hardware.vector.function_cycles : 1;
  });
  return count;
}

void add_lets(const KernelSchedule& schedule, const Hardware& hardware, KernelWork& out) {
  const Kernel& kernel = schedule.kernel;
  for (size_t i = 0; i < kernel.lets.size(); ++i) {
    const Let& let = kernel.lets[i];
    int64_t each = 0;
    for (const Expr& body : let.body) each += operations_of(body, hardware);
    const int64_t points =
        times(points_at_hints(kernel, let.over), points_at_hints(kernel, let.reduced));
    const bool in_tile =
        std::any_of(schedule.tiles.begin(), schedule.tiles.end(),
                    [&](const SumTile& tile) { return tile.let == static_cast<int>(i); });
    const bool tiled = schedule.attention && let.op == Combiner::sum && !let.body.empty() &&
                       let.body[0].kind() == ExprKind::binary;
    const bool epilogue = schedule.contraction && schedule.last_product().row_epilogue &&
                          static_cast<int>(i) >= schedule.last_product().row_epilogue->value;
    const bool vectors = (schedule.contraction && !epilogue) || tiled || in_tile;
    const int64_t rate = int64_t{hardware.vector.fma_per_cycle} * hardware.vector.lanes(4);
    // A body may be no more than another let.
    const int64_t cycles = vectors ? points / rate : times(points, std::max<int64_t>(1, each));
    out.push_back({let.over, cycles, 0});
  }
}

void add_writes(const Kernel& kernel, const Hardware& hardware, KernelWork& out) {
  for (const Write& write : kernel.writes) {
    const int64_t each = operations_of(write.value, hardware) + 1;
    out.push_back({write.over, times(points_at_hints(kernel, write.over), each), 0});
  }
}

// Cycles in which one of all threads reads so many bytes, from where they lie together.
int64_t cycles_of_reading(int64_t bytes, const Hardware& hardware) {
  for (const Cache& cache : hardware.memory.caches) {
    if (bytes <= cache.size_bytes && cache.bandwidth_bytes_per_cycle > 0)
      return times(bytes, cache.shared_by_threads) / cache.bandwidth_bytes_per_cycle;
  }
  // Of memory they have equal parts; a description may not say how fast it is.
  const int64_t megabytes = hardware.memory.bandwidth_mb_per_s;
  if (megabytes <= 0) return 0;
  return times(bytes, int64_t{hardware.clock_mhz} * hardware.threads_max) / megabytes;
}

// One factor: packed element by element, or along vectors where neighbours lie side by side; read
// as it is where it is packed already.
CallWork factor_work(const KernelSchedule& schedule, const TileFactor& factor, int lane,
                     const std::vector<Value>& values, const Hardware& hardware) {
  const ContractionSchedule& product = *schedule.contraction;
  CallWork out{product.batch, 0, 0};
  if (lane >= 0) out.along.push_back(lane);
  if (!factor.element) return out;
  const int64_t elements =
      times(points_at_hints(schedule.kernel, out.along), at_least_one(product.depth));
  if (factor.prepacked != kNoValue) {
    const Type type = values[static_cast<size_t>(factor.prepacked)].type;
    out.cycles = cycles_of_reading(size_bytes(type, elements), hardware);
    return out;
  }
  const bool vectors = lane >= 0 && is_contiguous(factor.element, lane, schedule.kernel, values);
  out.cycles = times(elements, operations_of(factor.element, hardware) + 1) /
               (vectors ? hardware.vector.lanes(4) : 1);
  return out;
}

// A band is staged with the rows that its taps share with the next one.
CallWork window_work(const KernelSchedule& schedule, const Hardware& hardware) {
  const SlidingWindow& window = *schedule.contraction->window;
  CallWork out{schedule.contraction->batch, 0, 0};
  int64_t row = points_at_hints(schedule.kernel, out.along);
  for (const int axis : window.outer) {
    out.along.push_back(axis);
    row = times(row, points_at_hints(schedule.kernel, {axis}));
  }
  row = times(times(row, at_least_one(window.planes_extent)),
              times(at_least_one(window.pitch()), operations_of(window.staged, hardware) + 1));
  int64_t rows = 1, shared = 0;
  if (window.rows.output >= 0) {
    out.along.push_back(window.rows.output);
    rows = at_least_one(window.rows.positions);
    shared = std::max<int64_t>(0, rows - at_least_one(window.rows.outputs));
  }
  out.cycles = times(row, rows);
  out.always = times(row, shared);
  return out;
}

}  // namespace

int64_t cycles_of(const KernelWork& work) {
  int64_t out = 0;
  for (const CallWork& one : work) out += one.cycles;
  return out;
}

KernelWork work_of(const KernelSchedule& schedule, const std::vector<Value>& values,
                   const Hardware& hardware) {
  KernelWork out;
  add_lets(schedule, hardware, out);
  add_writes(schedule.kernel, hardware, out);
  if (!schedule.contraction) return out;
  const ContractionSchedule& product = *schedule.contraction;
  out.push_back(factor_work(schedule, product.a, product.m, values, hardware));
  out.push_back(product.window ? window_work(schedule, hardware)
                               : factor_work(schedule, product.b, product.n, values, hardware));
  return out;
}

int64_t points_of(const CutAxis& axis) { return at_least_one(axis.extent); }

int64_t calls_of(const CutAxis& axis) { return (points_of(axis) + axis.grain - 1) / axis.grain; }

int64_t cycles_of(const KernelWork& work, const std::vector<CutAxis>& axes, int threads) {
  int64_t calls = 1;
  for (const CutAxis& axis : axes) calls *= calls_of(axis);
  int64_t each = 0;
  for (const CallWork& one : work) {
    int64_t share = one.cycles - one.always;
    for (const CutAxis& axis : axes) {
      if (!contains(one.along, axis.axis)) continue;
      const int64_t points = points_of(axis);
      share = share_of(share, std::min(axis.grain, points), points);
    }
    each += one.always + share;
  }
  const int64_t rounds = (calls + threads - 1) / threads;
  return times(rounds, each);
}

}  // namespace burin
