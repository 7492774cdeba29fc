#include "select/rows/back_to_back.h"

#include <algorithm>
#include <numeric>
#include <set>

#include "fuse/access/products.h"
#include "hardware/capabilities.h"
#include "kernel/expr/expr_axes.h"
#include "kernel/let_uses.h"
#include "kernel/rewrite_kernel.h"
#include "select/axes/regroup.h"
#include "select/axes/working_set.h"
#include "select/rows/row_blocks.h"
#include "support/check.h"

namespace burin {
namespace {

// The let between the products: a map of the sum before it, which the sum behind it reads; -1:
// none.
int find_between(const Kernel& kernel) {
  for (int i = 1; i + 1 < static_cast<int>(kernel.lets.size()); ++i) {
    const Let &sum = kernel.lets[static_cast<size_t>(i - 1)],
              &rows = kernel.lets[static_cast<size_t>(i)],
              &next = kernel.lets[static_cast<size_t>(i + 1)];
    if (rows.op == Combiner::none && rows.over == sum.over && rows.accumulator[0] == Type::f32 &&
        is_float_sum_of_products(sum) && is_float_sum_of_products(next) &&
        lets_in(rows.body[0]) == std::set<int>{i - 1} &&
        lets_in(next.body[0]) == std::set<int>{i} && reads_no_let_before(kernel, i + 1, i + 2))
      return i;
  }
  return -1;
}

// The kernel over m, the columns of the first product, the columns of the second and the depth of
// the first, in this order; nullopt where rows are not the same.
struct Grouped {
  Kernel kernel;
  int m = 0, between = 1, n = 2;
};
std::optional<Grouped> grouped(const Kernel& kernel, int rows_let) {
  const Let &first = kernel.lets[static_cast<size_t>(rows_let - 1)],
            &second = kernel.lets[static_cast<size_t>(rows_let + 1)];
  std::vector<int> m, n;
  for (const int axis : second.over) (contains(first.over, axis) ? m : n).push_back(axis);
  std::vector<int> between;
  for (const int axis : first.over) {
    if (!contains(m, axis)) between.push_back(axis);
  }
  if (std::set<int>(between.begin(), between.end()) !=
      std::set<int>(second.reduced.begin(), second.reduced.end()))
    return std::nullopt;
  Grouped out;
  Regrouping regrouping(kernel, out.kernel);
  const auto as_one = [&](const std::vector<int>& axes, const char* name) {
    return axes.size() == 1 ? regrouping.keep(axes[0]) : regrouping.flatten(axes, name);
  };
  out.m = as_one(m, "m");
  out.between = as_one(between, "between");
  out.n = as_one(n, "n");
  if (out.m < 0 || out.between < 0 || out.n < 0) return std::nullopt;
  for (const int axis : first.reduced) regrouping.keep(axis);
  if (!regrouping.move_lets(out.kernel)) return std::nullopt;
  return out;
}

// A contraction over axes that have other numbers.
void renumber_axes(Contraction& contraction, const std::vector<int>& to,
                   const std::vector<Axis>& axes) {
  std::vector<Index> replacement;
  for (const int axis : to)
    replacement.push_back(Index::axis(axis, axes[static_cast<size_t>(axis)].extent));
  const auto number = [&](int& axis) {
    if (axis >= 0) axis = to[static_cast<size_t>(axis)];
  };
  const auto numbers = [&](std::vector<int>& list) {
    for (int& axis : list) number(axis);
  };
  const auto move = [&](Expr& expr) {
    if (expr) expr = substitute_axes(expr, replacement);
  };
  ContractionSchedule& schedule = contraction.schedule;
  number(schedule.m);
  number(schedule.n);
  numbers(schedule.k);
  move(schedule.a.element);
  move(schedule.b.element);
  move(schedule.value);
  schedule.when = substitute_axes(schedule.when, replacement);
  contraction.kernel.axes = axes;
  for (Let& let : contraction.kernel.lets) {
    numbers(let.over);
    numbers(let.reduced);
    for (Expr& body : let.body) move(body);
  }
  for (Write& write : contraction.kernel.writes) {
    numbers(write.over);
    move(write.value);
    for (Index& index : write.at) index = index.substitute_axes(replacement);
    write.when = substitute_axes(write.when, replacement);
  }
}

// The lets and writes behind a product, over axes that have other numbers.
void renumber_axes(EpilogueContraction& rows, const std::vector<int>& to,
                   const std::vector<Axis>& axes) {
  renumber_axes(rows.product, to, axes);
  if (rows.lets.empty()) return;
  Contraction rest;
  rest.kernel.lets = std::move(rows.lets);
  rest.kernel.writes = std::move(rows.writes);
  renumber_axes(rest, to, axes);
  rows.lets = std::move(rest.kernel.lets);
  rows.writes = std::move(rest.kernel.writes);
}

// Few rows are packed like all others, and those of few columns have one block: what they store is
// a panel of the next product.
void take_single_panels(ContractionSchedule& product, const VectorUnit& unit, const Given& given) {
  Versions& versions = product.versions;
  for (Version& version : versions.rows) version.small_m = false;
  versions.balanced = {};
  const EdgeOptions edges = edge_options(product, product.b.is_prepacked, given);
  for (EdgeColumns& version : versions.columns)
    version = {version.vectors, 1,
               choose_accumulators(product.tile.rows, version.vectors, unit, edges)};
}

// A product of matrices whose rows the kernel packs, beside columns that are packed now.
bool is_plain(const Contraction& contraction) {
  const ContractionSchedule& schedule = contraction.schedule;
  return schedule.b.is_prepacked && !schedule.a.is_prepacked && !schedule.window &&
         schedule.batch.empty() && schedule.m >= 0 && schedule.n >= 0;
}

Index axis_of(const BackToBack& found, int axis) {
  return Index::axis(axis, found.axes[static_cast<size_t>(axis)].extent);
}

int64_t size_of(const Dim& dim) { return std::max<int64_t>(1, at_hints(dim)); }

// In whole tiles of both products.
int64_t rows_of_block(const ContractionSchedule& first, const ContractionSchedule& second,
                      const Hardware& hardware, const Given& given) {
  const int64_t between = size_of(first.columns), depth = size_of(first.depth),
                bytes = 4 * between * (depth + size_of(second.columns));
  const int64_t rows =
      rows_back_to_back(size_of(first.rows), between, depth, bytes, back_to_back_room(hardware));
  const int64_t tile = std::lcm(rows_together(first), rows_together(second));
  const std::vector<int64_t>* const block = given.numbers("back to back");
  if (block != nullptr && (*block)[0] > 0 && (*block)[0] % tile == 0) return (*block)[0];
  // All rows of few are a block that its last tile may not fill.
  const int64_t all = (size_of(first.rows) + tile - 1) / tile * tile;
  return rows >= size_of(first.rows) ? all : std::max(tile, rows / tile * tile);
}

}  // namespace

std::optional<BackToBack> find_back_to_back(const Kernel& kernel, const std::vector<Value>& values,
                                            const Hardware& hardware, const Given& given) {
  if (!given.may("back to back")) return std::nullopt;
  const int between = find_between(kernel);
  if (between < 0) return std::nullopt;
  const std::optional<Grouped> all = grouped(kernel, between);
  if (!all) return std::nullopt;
  const Let& rows = all->kernel.lets[static_cast<size_t>(between)];
  Kernel head = all->kernel;
  head.lets.resize(static_cast<size_t>(between));
  head.writes = {Write{rows.over, all->kernel.writes[0].to, {}, rows.body[0], {}, How::store}};
  std::optional<Contraction> first = find_contraction(head, values, hardware, all->between, given);
  if (!first || !is_plain(*first)) return std::nullopt;

  // The second product reads the rows as if they were a tensor.
  std::vector<Value> with_rows = values;
  const auto stand_in = static_cast<ValueId>(values.size());
  Value tensor;
  tensor.type = Type::f32;
  for (const int axis : rows.over)
    tensor.shape.push_back(all->kernel.axes[static_cast<size_t>(axis)].extent);
  with_rows.push_back(std::move(tensor));
  Kernel tail = all->kernel;
  tail.lets.erase(tail.lets.begin(), tail.lets.begin() + between + 1);
  rewrite_exprs(tail, [&](const Expr& expr) -> Expr {
    if (expr.kind() != ExprKind::let) return expr;
    if (expr->id == between) return Expr::load(stand_in, Type::f32, expr->at);
    return Expr::let(expr->id - between - 1, expr.type(), expr->at, expr->component);
  });
  BackToBack out;
  if (std::optional<EpilogueContraction> second =
          find_row_epilogue(tail, with_rows, hardware, given.then())) {
    out.second = std::move(*second);
  } else if (std::optional<Contraction> product =
                 find_contraction(tail, with_rows, hardware, all->n, given.then())) {
    out.second.product = std::move(*product);
  } else {
    return std::nullopt;
  }
  if (!is_plain(out.second.product) || out.second.product.kernel.lets.size() != 1)
    return std::nullopt;

  // Both over m, between, n and the depth of the first: m, n, k are 0, 1, 2 ... in each.
  out.axes = all->kernel.axes;
  out.first = std::move(*first);
  std::vector<int> of_first{all->m, all->between};
  for (int axis = all->n + 1; axis < static_cast<int>(out.axes.size()); ++axis)
    of_first.push_back(axis);
  BURIN_CHECK(out.first.schedule.m == 0 && out.first.schedule.n == 1);
  BURIN_CHECK(out.second.product.schedule.m == 0 && out.second.product.schedule.n == 1);
  renumber_axes(out.first, of_first, out.axes);
  renumber_axes(out.second, {all->m, all->n, all->between}, out.axes);

  take_single_panels(out.first.schedule, hardware.vector, given);
  take_single_panels(out.second.product.schedule, hardware.vector, given.then());
  out.block = rows_of_block(out.first.schedule, out.second.product.schedule, hardware, given);
  const Expr value = out.first.schedule.value;
  bool own_point = true;
  out.between = rewrite(
      out.second.product.schedule.a.element,
      [&](const Expr& expr) -> Expr {
        if (expr.kind() != ExprKind::load || expr->id != stand_in) return expr;
        own_point = own_point && expr->at == std::vector<Index>{axis_of(out, all->m),
                                                                axis_of(out, all->between)};
        return value;
      },
      [](const Index& leaf) { return leaf; });
  return own_point ? std::optional(std::move(out)) : std::nullopt;
}

LoopPlan with_second(LoopPlan out, LoopPlan second, const BackToBack& found,
                     const Hardware& hardware) {
  Kernel& kernel = out.kernel;
  ContractionSchedule &first = *out.contraction, &product = *second.contraction;
  pack_by_blocks(out, found.block);
  const auto between = static_cast<int>(kernel.lets.size());
  first.row_epilogue = RowEpilogue{between, -1};
  first.value = found.between;
  const Dim waiting = min(first.rows, found.block);
  Let rows;
  rows.over = {first.m, first.n};
  rows.body = {found.between};
  rows.accumulator = {Type::f32};
  kernel.lets.push_back(std::move(rows));
  LetPlace place;
  place.scalar = false;
  place.axes = {first.m, first.n};
  place.panel_rows = product.tile.rows;
  place.offset = {out.scratch_bytes};
  out.places.push_back(std::move(place));
  out.scratch_bytes +=
      ceildiv(ceildiv(waiting, product.tile.rows) * product.tile.rows * first.columns * 4, 64) * 64;

  const auto point = [&](int axis) {
    return Index::axis(axis, kernel.axes[static_cast<size_t>(axis)].extent);
  };
  product.a.element = Expr::let(between, Type::f32, {point(first.m), point(first.n)});
  product.a.pack_points = 0;
  const int by = between + 1;
  const auto behind = [&](const Expr& expr) {
    return rewrite(
        expr,
        [&](const Expr& one) -> Expr {
          if (one.kind() != ExprKind::let) return one;
          return Expr::let(one->id + by, one.type(), one->at, one->component);
        },
        [](const Index& leaf) { return leaf; });
  };
  Let sum = second.kernel.lets[0];
  sum.body = {product.a.element * product.b.element};
  kernel.lets.push_back(std::move(sum));
  out.places.emplace_back();
  kernel.writes = second.kernel.writes;
  product.value = behind(product.value);
  for (Write& write : kernel.writes) write.value = behind(write.value);
  out.reason += "; then " + second.reason;
  out.reason += ", back to back in blocks of " + std::to_string(found.block);
  out.second = std::move(product);
  if (found.second.lets.empty()) return out;
  EpilogueContraction epilogue = found.second;
  epilogue.value += by;
  for (Let& let : epilogue.lets) {
    for (Expr& body : let.body) body = behind(body);
  }
  for (Write& write : epilogue.writes) write.value = behind(write.value);
  return with_row_epilogue(std::move(out), epilogue, hardware);
}

BackToBackRoom back_to_back_room(const Hardware& hardware) {
  constexpr int64_t kTimes = 8;
  const std::vector<Cache>& caches = hardware.memory.caches;
  BackToBackRoom out;
  out.bytes = working_set_bytes(hardware.memory);
  const int64_t each = int64_t{hardware.vector.lanes(4)} * hardware.vector.fma_per_cycle;
  const int64_t threads = std::max(1, hardware.threads_max);
  out.distant_rows = std::max<int64_t>(
      1, kTimes * 4 * ((multiply_adds_per_byte(hardware) + threads - 1) / threads));
  out.least_rows = out.distant_rows;
  if (caches.size() < 3) return out;
  out.cached_bytes = caches.back().size_bytes / 2;
  const int64_t bandwidth = std::max(1, caches.back().bandwidth_bytes_per_cycle);
  out.least_rows = std::max<int64_t>(1, (kTimes * 4 * each + bandwidth - 1) / bandwidth);
  return out;
}

}  // namespace burin
