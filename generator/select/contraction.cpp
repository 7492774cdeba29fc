#include "select/contraction.h"

#include <algorithm>
#include <map>

#include "kernel/expr_axes.h"
#include "kernel/layout.h"
#include "support/check.h"

namespace burin {
namespace {

constexpr int64_t kLeastDepth = 4;  // below, packing costs more than it saves
constexpr int64_t kLeastRows = 2;
constexpr int64_t kLeastWork = 4096;  // multiplications
// Elements between neighbours of the result: 1, or the phases of a transposed convolution.
constexpr int64_t kFarthest = 16;

bool contains(const std::vector<int>& axes, int axis) {
  return std::find(axes.begin(), axes.end(), axis) != axes.end();
}

bool has_let(const Expr& expr) {
  bool found = false;
  visit(expr, [&](const ExprNode& node) { found = found || node.kind == ExprKind::let; });
  return found;
}

// Of the axes of one factor only, the one whose neighbouring points lie closest in the result's
// memory; -1: none.
int closest_axis(const Write& write, const std::vector<Value>& values, const std::vector<int>& a,
                 const std::vector<int>& b) {
  const Index address = linearize(write.at, values[static_cast<size_t>(write.to)].shape);
  int closest = -1;
  int64_t distance = kFarthest + 1;
  for (const Index::Term& term : address.terms()) {
    if (term.atoms.size() != 1 || term.atoms[0].kind() != IndexKind::axis) continue;
    const int axis = term.atoms[0].axis_id();
    if (contains(a, axis) == contains(b, axis)) continue;
    if (term.coefficient < 1 || term.coefficient >= distance) continue;
    closest = axis;
    distance = term.coefficient;
  }
  return closest;
}

int64_t at_least_one(const Dim& dim) { return std::max<int64_t>(1, at_hints(dim)); }

// The product of axes as one axis, and each of them as a function of it.
struct Flattened {
  Dim extent = 1;
  Index axis = 0;
};

Flattened flatten(const std::vector<int>& axes, const Kernel& kernel, int id,
                  std::vector<Index>& replacement) {
  Flattened out;
  std::vector<Dim> extents;
  for (const int axis : axes) extents.push_back(kernel.axes[static_cast<size_t>(axis)].extent);
  out.extent = product(extents);
  out.axis = Index::axis(id, out.extent);
  const std::vector<Index> parts = delinearize(out.axis, extents);
  for (size_t i = 0; i < axes.size(); ++i) replacement[static_cast<size_t>(axes[i])] = parts[i];
  return out;
}

}  // namespace

bool only_constants(const Expr& expr, const std::vector<Value>& values) {
  bool constant = true;
  visit(expr, [&](const ExprNode& node) {
    if (node.kind == ExprKind::load)
      constant = constant && values[static_cast<size_t>(node.id)].kind == ValueKind::constant;
  });
  std::vector<Symbol> symbols;
  visit_indices(expr, [&](const Index& index) { index.collect_symbols(symbols); });
  return constant && symbols.empty();
}

Tile choose_tile(int64_t rows, int64_t columns, const VectorUnit& unit) {
  Tile best;
  best.lanes = std::clamp(unit.lanes(4), 4, 16);
  const int registers = std::max(8, unit.vector_bytes ? unit.registers : 16);
  double best_cost = 0;
  for (int vectors = 1; vectors <= 4; ++vectors) {
    for (int tile_rows = 1; tile_rows <= 14; ++tile_rows) {
      // Accumulators, one row of b, and one factor in flight.
      if (tile_rows * vectors + vectors + 1 > registers) continue;
      const int64_t wide = int64_t{vectors} * best.lanes;
      const double padded = static_cast<double>((rows + tile_rows - 1) / tile_rows * tile_rows) *
                            static_cast<double>((columns + wide - 1) / wide * wide);
      // Per step of the depth: multiplications at the pipes' rate, loads of b and broadcasts of a
      // at theirs; fewer accumulators than the pipes' latency leave them waiting.
      const double multiplies = static_cast<double>(tile_rows * vectors) / unit.fma_per_cycle;
      const double loads = static_cast<double>(tile_rows + vectors) / unit.loads_per_cycle;
      const double wait = unit.fma_latency_cycles;
      const double cycles = std::max({multiplies, loads, wait});
      const double cost = padded * cycles / (tile_rows * vectors);
      if (best_cost == 0 || cost < best_cost * 0.999) {
        best_cost = cost;
        best.rows = tile_rows;
        best.vectors = vectors;
      }
    }
  }
  return best;
}

std::optional<Contraction> find_contraction(const Kernel& kernel, const std::vector<Value>& values,
                                            const Hardware& hardware) {
  if (kernel.lets.size() != 1 || kernel.writes.size() != 1) return std::nullopt;
  const Let& let = kernel.lets[0];
  const Write& write = kernel.writes[0];
  if (let.op != Combiner::sum || let.body.size() != 1 || let.accumulator[0] != Type::f32)
    return std::nullopt;
  if (write.how != How::store || write.over != let.over) return std::nullopt;
  const Expr& body = let.body[0];
  if (body.kind() != ExprKind::binary || body->binary() != Binary::mul) return std::nullopt;
  for (const Axis& axis : kernel.axes) {
    if (axis.kind == AxisKind::sequential) return std::nullopt;
  }
  Expr first = body->operands[0], second = body->operands[1];
  std::vector<int> in_first = axes_of(first), in_second = axes_of(second);
  const int closest = closest_axis(write, values, in_first, in_second);
  if (closest < 0) return std::nullopt;
  // b is the factor that has this axis, so that a row of the tile is a piece of the result, or one
  // phase of it.
  if (contains(in_first, closest)) {
    std::swap(first, second);
    std::swap(in_first, in_second);
  }
  std::vector<int> batch, m, n;
  for (const int axis : let.over) {
    const bool a = contains(in_first, axis), b = contains(in_second, axis);
    if (a && b) {
      batch.push_back(axis);
    } else if (a) {
      m.push_back(axis);
    } else if (b) {
      n.push_back(axis);
    } else {
      return std::nullopt;
    }
  }
  const auto extent_of = [&](const std::vector<int>& axes) {
    Dim all = 1;
    for (const int axis : axes) all *= kernel.axes[static_cast<size_t>(axis)].extent;
    return all;
  };
  const Dim rows = extent_of(m), columns = extent_of(n), depth = extent_of(let.reduced);
  if (at_least_one(depth) < kLeastDepth ||
      at_least_one(rows) * at_least_one(columns) * at_least_one(depth) < kLeastWork) {
    return std::nullopt;
  }
  // One row: a product of a matrix and a vector, bound by memory; b must then be packed already or
  // not at all.
  const bool a_constant = only_constants(first, values),
             b_constant = only_constants(second, values);
  if (rows.is_constant() && rows.constant() < kLeastRows && !b_constant) return std::nullopt;
  if (has_let(first) || has_let(second)) return std::nullopt;

  Contraction out;
  ContractionSchedule& schedule = out.schedule;
  std::vector<Index> replacement(kernel.axes.size(), Index(0));
  out.kernel = kernel;
  out.kernel.axes.clear();
  const auto keep = [&](int axis) {
    const Axis& old = kernel.axes[static_cast<size_t>(axis)];
    const int id = static_cast<int>(out.kernel.axes.size());
    replacement[static_cast<size_t>(axis)] = Index::axis(id, old.extent);
    out.kernel.axes.push_back(old);
    return id;
  };
  for (const int axis : batch) schedule.batch.push_back(keep(axis));
  const auto add = [&](const std::vector<int>& axes, const char* name) {
    const int id = static_cast<int>(out.kernel.axes.size());
    const Flattened flat = flatten(axes, kernel, id, replacement);
    if (flat.axis.kind() != IndexKind::axis) return -1;
    out.kernel.axes.push_back({flat.extent, AxisKind::parallel, name});
    return id;
  };
  schedule.m = add(m, "m");
  schedule.n = add(n, "n");
  for (const int axis : let.reduced) schedule.k.push_back(keep(axis));

  const auto moved = [&](const Expr& expr) { return substitute_axes(expr, replacement); };
  Let& new_let = out.kernel.lets[0];
  new_let.over = schedule.batch;
  if (schedule.m >= 0) new_let.over.push_back(schedule.m);
  if (schedule.n >= 0) new_let.over.push_back(schedule.n);
  new_let.reduced = schedule.k;
  new_let.body[0] = moved(body);
  Write& new_write = out.kernel.writes[0];
  new_write.over = new_let.over;
  for (Index& index : new_write.at) index = index.substitute_axes(replacement);
  new_write.when = substitute_axes(write.when, replacement);
  std::vector<Index> point;
  for (const int axis : new_let.over)
    point.push_back(Index::axis(axis, out.kernel.axes[static_cast<size_t>(axis)].extent));
  // References to the let name its new axes; everything else moves with the axes.
  const Expr marker = Expr::let(0, Type::f32, point);
  new_write.value = rewrite(
      write.value, [&](const Expr& expr) { return expr.kind() == ExprKind::let ? marker : expr; },
      [&](const Index& leaf) {
        return leaf.kind() == IndexKind::axis ? replacement[static_cast<size_t>(leaf.axis_id())]
                                              : leaf;
      });

  schedule.rows = rows;
  schedule.columns = columns;
  schedule.depth = depth;
  schedule.tile = choose_tile(at_least_one(rows), at_least_one(columns), hardware.vector);
  schedule.a.element = moved(first);
  schedule.b.element = moved(second);
  schedule.value = new_write.value;
  schedule.when = new_write.when;
  const Dim a_bytes =
      a_constant ? Dim(0) : ceildiv(rows, schedule.tile.rows) * schedule.tile.rows * depth * 4;
  const Dim b_bytes = b_constant ? Dim(0) : depth * (schedule.tile.columns() * 4);
  schedule.b_offset = 0;
  schedule.a_offset = ceildiv(b_bytes, 64) * 64;
  out.scratch_bytes = a_constant && b_constant ? Dim(0) : schedule.a_offset + a_bytes;
  return out;
}

}  // namespace burin
