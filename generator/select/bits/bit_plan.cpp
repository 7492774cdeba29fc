#include "select/bits/bit_plan.h"

#include <algorithm>
#include <limits>

#include "hardware/capabilities.h"
#include "isa/all_rows.h"
#include "isa/lane_rows.h"
#include "kernel/expr/expr_axes.h"
#include "select/bytes/values_over.h"
#include "select/tiles/register_tile.h"
#include "support/at.h"
#include "support/divide.h"

namespace burin {
namespace {

// Packing takes about half of what counting does where layers are small.
constexpr int64_t kWithPackingPercent = 150;

Index axis_of(const Kernel& kernel, int axis) {
  return Index::axis(axis, kernel.axes[at(axis)].extent);
}

// The rows of most lanes, and their timing.
struct Counting {
  isa::BitRows rows;
  const RowTiming* timing = nullptr;
};
Counting widest_rows(const Hardware& hardware) {
  Counting best;
  for (const RowTiming& timing : hardware.rows) {
    const isa::BitRows rows = isa::bit_rows_of(timing.instruction);
    if (rows.lanes != nullptr && rows.lanes_count > best.rows.lanes_count) best = {rows, &timing};
  }
  return best;
}

// A plane of one row, where results do not slide.
SlidingWindow one_row(BitPlan& plan, int column) {
  SlidingWindow out;
  Kernel& kernel = plan.kernel;
  out.columns.output = column;
  out.columns.outputs = out.columns.positions = kernel.axes[at(column)].extent;
  out.columns.position = static_cast<int>(kernel.axes.size());
  kernel.axes.push_back({out.columns.positions, AxisKind::parallel, "column"});
  for (const int axis : plan.sum.own) {
    if (axis != column) out.outer.push_back(axis);
  }
  const std::vector<int> used = axes_of(plan.sum.present), below = axes_of(plan.sum.negative);
  for (const int axis : plan.sum.reduced) {
    if (!contains(used, axis) && !contains(below, axis)) continue;
    out.planes.push_back(axis);
    out.planes_extent *= kernel.axes[at(axis)].extent;
    out.shift = out.shift * kernel.axes[at(axis)].extent + axis_of(kernel, axis);
  }
  out.shift = out.shift * out.pitch();
  std::vector<Index> axes;
  for (size_t k = 0; k < kernel.axes.size(); ++k)
    axes.push_back(axis_of(kernel, static_cast<int>(k)));
  axes[at(column)] = axis_of(kernel, out.columns.position);
  const Expr both = Expr::binary(Binary::bit_xor, plan.sum.present, plan.sum.negative);
  out.staged = substitute_axes(both, axes);
  return out;
}

// One of both words that are staged together.
Expr part_of(const Expr& both, size_t number) {
  if (both.kind() != ExprKind::cases) return both->operands[number];
  std::vector<Expr::Case> cases;
  for (const Expr::Case& one : both->cases)
    cases.push_back({one.guard, one.value->operands[number]});
  return Expr::cases(std::move(cases), both->operands[0]);
}

// Rows and vectors of a tile, by what their operations and loads take.
void choose_tile(BitPlan& plan, int64_t rows, int64_t columns, int64_t depth,
                 const RowTiming& timing, const VectorUnit& vector, const Given& given) {
  constexpr int kMostRows = 16, kMostVectors = 4;
  constexpr int64_t kTurnCycles = 1, kLeavingCycles = 4;
  // What is made of a product before it is added takes registers, constants too.
  const int besides = timing.operations > 4 ? 4 : 2;
  const int64_t per_cycle = vector.fma_per_cycle;
  const std::vector<int64_t>* const wanted = given.numbers("instruction");
  int64_t least = std::numeric_limits<int64_t>::max();
  const auto offer = [&](int r, int v) {
    const int64_t tiles = divide_up(rows, r) * divide_up(columns, int64_t{v} * plan.lanes());
    const int64_t loads = plan.window ? 2 * v + r : v + 2 * r;
    const int64_t step =
        std::max(int64_t{r} * v * timing.operations * vector.loads_per_cycle, loads * per_cycle) +
        kTurnCycles * per_cycle * vector.loads_per_cycle;
    const int64_t all = tiles * (depth * step + int64_t{r} * v * kLeavingCycles * per_cycle *
                                                    vector.loads_per_cycle);
    if (all >= least) return;
    least = all;
    plan.tile_rows = r;
    plan.vectors = v;
  };
  for (int v = 1; v <= kMostVectors; ++v) {
    for (int r = 1; r <= kMostRows; ++r) {
      if (wanted != nullptr && (r != (*wanted)[0] || v != (*wanted)[1])) continue;
      const int operands = plan.window ? 2 * v : v;
      if (r * v + operands + besides <= vector.registers || (r == 1 && v == 1)) offer(r, v);
    }
  }
  if (least == std::numeric_limits<int64_t>::max())
    choose_tile(plan, rows, columns, depth, timing, vector, {});
}

// [blocks of columns][depth][columns] of the constants; 0 behind the last column.
ValueId packed_panels(const BitPlan& plan, std::vector<Value>& values) {
  std::vector<int> axes = plan.sum.batch;
  for (const int axis : plan.sum.others) {
    if (axis != plan.sum.column) axes.push_back(axis);
  }
  const size_t outer = axes.size();
  axes.push_back(plan.sum.column);
  axes.insert(axes.end(), plan.sum.reduced.begin(), plan.sum.reduced.end());
  const HostTensor words = values_over(plan.sum.other, plan.kernel, axes, values);
  int64_t points = 1, depth = 1;
  std::vector<int64_t> shape;
  for (size_t k = 0; k < words.shape.size(); ++k) {
    if (k < outer) shape.push_back(words.shape[k]);
    (k < outer ? points : k > outer ? depth : points) *= k == outer ? 1 : words.shape[k];
  }
  const int64_t columns = words.shape[outer], block = plan.tile_columns();
  const int64_t blocks = divide_up(columns, block);
  shape.insert(shape.end(), {blocks, depth, block});
  HostTensor panels = make_tensor(Type::u32, shape);
  for (int64_t point = 0; point < points; ++point) {
    for (int64_t column = 0; column < columns; ++column) {
      for (int64_t k = 0; k < depth; ++k) {
        const int64_t to = ((point * blocks + column / block) * depth + k) * block + column % block;
        panels.set(to, words.get((point * columns + column) * depth + k));
      }
    }
  }
  const std::string name = (plan.kernel.name.empty() ? "signs" : plan.kernel.name) + "_columns";
  return add_constant(values, name, Type::u32, shape, to_constant(panels));
}

// The kernel reads them.
void read_panels(BitPlan& plan, std::vector<Value>& values) {
  plan.panels = packed_panels(plan, values);
  std::vector<Index> place;
  for (const std::vector<int>* axes : {&plan.sum.batch, &plan.beside}) {
    for (const int axis : *axes) place.push_back(axis_of(plan.kernel, axis));
  }
  const Index column = axis_of(plan.kernel, plan.sum.column);
  Index depth = 0;
  for (const int axis : plan.sum.reduced)
    depth = depth * plan.extent(axis) + axis_of(plan.kernel, axis);
  place.insert(place.end(),
               {floordiv(column, plan.tile_columns()), depth, mod(column, plan.tile_columns())});
  Expr& body = plan.kernel.lets[at(plan.sum.negatives)].body[0];
  const Expr panels = Expr::load(plan.panels, Type::u32, std::move(place));
  body = replaced(body, plan.sum.other, panels);
  plan.sum.other = panels;
}

}  // namespace

int64_t least_signs_of_word(const Hardware& hardware) {
  const Counting counting = widest_rows(hardware);
  if (counting.timing == nullptr || has_device(hardware)) return 0;
  // An operation of so many lanes of floats for each product; both start at the same rate.
  const int64_t lanes = std::max(1, hardware.vector.lanes(4));
  return std::max<int64_t>(1, divide_up(counting.timing->operations * lanes * kWithPackingPercent,
                                        int64_t{100} * counting.rows.lanes_count));
}

std::optional<BitPlan> plan_bits(const Kernel& kernel, std::vector<Value>& values,
                                 const Hardware& hardware, const Given& given) {
  std::optional<BitSum> sum = find_bit_sum(kernel, values);
  if (!sum || !given.may("instruction")) return std::nullopt;
  BitPlan plan;
  const Counting counting = widest_rows(hardware);
  if (counting.timing == nullptr) return std::nullopt;
  plan.rows = counting.rows;
  plan.zero = isa::find_row(isa::lane_row_name("zero", Type::i32, plan.lanes()));
  plan.store = isa::find_row(isa::lane_row_name("store", Type::i32, plan.lanes()));
  plan.kernel = kernel;
  plan.sum = std::move(*sum);
  const int column = plan.sum.column;
  const bool of_run = contains(plan.sum.own, column);
  for (const int axis : plan.sum.reduced) {
    if (!plan.extent(axis).is_constant()) return std::nullopt;
  }
  for (const std::vector<int>* axes : {&plan.sum.batch, &plan.sum.others}) {
    for (const int axis : *axes) {
      if (!plan.extent(axis).is_constant()) return std::nullopt;
    }
  }
  // The rows of a tile: of the other factor's axes the one of the most points.
  std::vector<int> rows = of_run ? plan.sum.others : plan.sum.own;
  for (const int axis : rows) {
    if (plan.row < 0 || at_hints(plan.extent(axis)) > at_hints(plan.extent(plan.row)))
      plan.row = axis;
  }
  std::erase(rows, plan.row);
  plan.around = plan.sum.batch;
  int64_t depth = 1, columns = at_least_one(plan.extent(column));
  for (const int axis : plan.sum.reduced) depth *= plan.extent(axis).constant();
  if (of_run) {
    const Expr both = Expr::binary(Binary::bit_xor, plan.sum.present, plan.sum.negative);
    plan.window =
        find_window(both, plan.sum.own, column, plan.sum.reduced, plan.kernel, hardware.memory);
    if (!plan.window) plan.window = one_row(plan, column);
    plan.present = part_of(plan.window->staged, 0);
    plan.negative = part_of(plan.window->staged, 1);
    plan.around.insert(plan.around.end(), plan.window->outer.begin(), plan.window->outer.end());
    plan.beside = rows;
    columns = at_least_one((plan.window->band - 1) * plan.window->places() +
                           plan.window->columns.outputs);
  } else {
    plan.around.insert(plan.around.end(), rows.begin(), rows.end());
    for (const int axis : plan.sum.others) {
      if (axis != column) plan.beside.push_back(axis);
    }
  }
  const int64_t all_rows = plan.row < 0 ? 1 : at_least_one(plan.extent(plan.row));
  choose_tile(plan, all_rows, columns, depth, *counting.timing, hardware.vector, given);
  if (!of_run) read_panels(plan, values);
  return plan;
}

}  // namespace burin
