#include "select/threads/parallel_cost.h"

#include <algorithm>

#include "kernel/expr/expr_axes.h"
#include "select/axes/contiguous.h"

namespace burin {
namespace {

constexpr int64_t kMostCycles = int64_t{1} << 50;

int64_t limited(double cycles) {
  return static_cast<int64_t>(std::min(cycles, static_cast<double>(kMostCycles)));
}

double points_at_hints(const Kernel& kernel, const std::vector<int>& axes) {
  double points = 1;
  for (const int axis : axes)
    points *= static_cast<double>(at_least_one(kernel.axes[static_cast<size_t>(axis)].extent));
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
    double each = 0;
    for (const Expr& body : let.body) each += static_cast<double>(operations_of(body, hardware));
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
    out.push_back({let.over, limited(points * each), 0});
  }
}

void add_writes(const Kernel& kernel, const Hardware& hardware, KernelWork& out) {
  for (const Write& write : kernel.writes) {
    const auto each = static_cast<double>(operations_of(write.value, hardware) + 1);
    out.push_back({write.over, limited(points_at_hints(kernel, write.over) * each), 0});
  }
}

// Bytes that one of all threads reads in a cycle from where so many lie.
double bytes_per_cycle(double bytes, const Hardware& hardware) {
  for (const Cache& cache : hardware.memory.caches) {
    if (bytes <= static_cast<double>(cache.size_bytes) && cache.bandwidth_bytes_per_cycle > 0)
      return static_cast<double>(cache.bandwidth_bytes_per_cycle) / cache.shared_by_threads;
  }
  const double each = static_cast<double>(hardware.memory.bandwidth_mb_per_s) /
                      std::max(1, hardware.clock_mhz) / std::max(1, hardware.threads_max);
  return std::max(each, 0.25);
}

// One factor: packed element by element, or along vectors where neighbours lie side by side; read
// as it is where it is packed already.
CallWork factor_work(const KernelSchedule& schedule, const TileFactor& factor, int lane,
                     const std::vector<Value>& values, const Hardware& hardware) {
  const ContractionSchedule& product = *schedule.contraction;
  CallWork out{product.batch, 0, 0};
  if (lane >= 0) out.along.push_back(lane);
  if (!factor.element) return out;
  const double elements = points_at_hints(schedule.kernel, out.along) *
                          static_cast<double>(at_least_one(product.depth));
  if (factor.prepacked != kNoValue) {
    out.cycles = limited(elements * 4 / bytes_per_cycle(elements * 4, hardware));
    return out;
  }
  double each = static_cast<double>(operations_of(factor.element, hardware) + 1);
  if (lane >= 0 && is_contiguous(factor.element, lane, schedule.kernel, values))
    each /= hardware.vector.lanes(4);
  out.cycles = limited(elements * each);
  return out;
}

// A band is staged with the rows that its taps share with the next one.
CallWork window_work(const KernelSchedule& schedule, const Hardware& hardware) {
  const SlidingWindow& window = *schedule.contraction->window;
  CallWork out{schedule.contraction->batch, 0, 0};
  double planes = points_at_hints(schedule.kernel, out.along);
  for (const int axis : window.outer) {
    out.along.push_back(axis);
    planes *= points_at_hints(schedule.kernel, {axis});
  }
  const double row = planes * static_cast<double>(at_least_one(window.planes_extent) *
                                                  at_least_one(window.pitch()) *
                                                  (operations_of(window.staged, hardware) + 1));
  double rows = 1, shared = 0;
  if (window.rows.output >= 0) {
    out.along.push_back(window.rows.output);
    rows = static_cast<double>(at_least_one(window.rows.positions));
    shared = std::max(0.0, rows - static_cast<double>(at_least_one(window.rows.outputs)));
  }
  out.cycles = limited(row * rows);
  out.always = limited(row * shared);
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
    auto share = static_cast<double>(one.cycles - one.always);
    for (const CutAxis& axis : axes) {
      if (!contains(one.along, axis.axis)) continue;
      const int64_t points = points_of(axis);
      share =
          share * static_cast<double>(std::min(axis.grain, points)) / static_cast<double>(points);
    }
    each += one.always + static_cast<int64_t>(share);
  }
  const int64_t rounds = (calls + threads - 1) / threads;
  return std::min(kMostCycles, rounds * std::min(kMostCycles / rounds, each));
}

}  // namespace burin
