#include "select/rows/row_epilogue.h"

#include <algorithm>
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

std::vector<Index> own_point(const Kernel& kernel, const std::vector<int>& over) {
  std::vector<Index> at;
  for (const int axis : over)
    at.push_back(Index::axis(axis, kernel.axes[static_cast<size_t>(axis)].extent));
  return at;
}

// Whether let number `value` holds what becomes of the sum before it, and nothing behind it knows
// of anything before.
bool divides(const Kernel& kernel, int value) {
  const Let& let = kernel.lets[static_cast<size_t>(value)];
  const Let& sum = kernel.lets[static_cast<size_t>(value - 1)];
  if (let.op != Combiner::none || let.over != sum.over || let.accumulator[0] != Type::f32 ||
      !is_float_sum_of_products(sum) || lets_in(let.body[0]) != std::set<int>{value - 1})
    return false;
  return static_cast<size_t>(value) + 1 < kernel.lets.size() &&
         reads_no_let_before(kernel, value, value + 1);
}

// The kernel over batch, m, n and k, in this order; nullopt where its rows are not those of the
// product.
struct EpilogueGroups {
  Kernel kernel;
  int n = -1;
};
std::optional<EpilogueGroups> epilogue_groups(const Kernel& kernel, int value) {
  const Let& sum = kernel.lets[static_cast<size_t>(value - 1)];
  std::set<int> columns;
  for (size_t i = static_cast<size_t>(value) + 1; i < kernel.lets.size(); ++i)
    columns.insert(kernel.lets[i].reduced.begin(), kernel.lets[i].reduced.end());
  if (columns.empty()) return std::nullopt;
  const std::vector<int> a = axes_of(sum.body[0]->operands[0]),
                         b = axes_of(sum.body[0]->operands[1]);
  const bool first = contains(a, *columns.begin());
  const std::vector<int>&with = first ? a : b, &without = first ? b : a;
  std::vector<int> batch, m, n;
  for (const int axis : sum.over) {
    const bool column = contains(with, axis) && !contains(without, axis);
    if (column != columns.contains(axis)) return std::nullopt;
    (column ? n : contains(with, axis) ? batch : m).push_back(axis);
  }
  if (n.size() != columns.size()) return std::nullopt;
  EpilogueGroups out;
  Regrouping regrouping(kernel, out.kernel);
  for (const int axis : batch) regrouping.keep(axis);
  if (regrouping.flatten(m, "m") < 0) return std::nullopt;
  out.n = regrouping.flatten(n, "n");
  if (out.n < 0) return std::nullopt;
  for (const int axis : sum.reduced) regrouping.keep(axis);
  if (!regrouping.move_lets(out.kernel)) return std::nullopt;
  return out;
}

// Lets from number `from` on are `by` further on.
void renumber(Expr& expr, int by) {
  expr = rewrite(
      expr,
      [&](const Expr& one) -> Expr {
        if (one.kind() != ExprKind::let) return one;
        return Expr::let(one->id + by, one.type(), one->at, one->component);
      },
      [](const Index& leaf) { return leaf; });
}

}  // namespace

std::optional<EpilogueContraction> find_row_epilogue(const Kernel& kernel,
                                                     const std::vector<Value>& values,
                                                     const Hardware& hardware, const Given& given) {
  if (!given.may("row epilogue")) return std::nullopt;
  for (int value = 1; value + 1 < static_cast<int>(kernel.lets.size()); ++value) {
    if (!divides(kernel, value)) continue;
    std::optional<EpilogueGroups> all = epilogue_groups(kernel, value);
    if (!all) continue;
    const std::vector<Let>& lets = all->kernel.lets;
    const Let& of_rows = lets[static_cast<size_t>(value)];
    EpilogueContraction out;
    out.value = value;
    out.lets.assign(lets.begin() + value, lets.end());
    out.writes = all->kernel.writes;
    const Write& first = out.writes[0];
    const Expr own = Expr::let(value, Type::f32, own_point(all->kernel, of_rows.over));
    out.kept = first.value == own && first.over == of_rows.over && first.when.empty() &&
               first.how == How::store && values[static_cast<size_t>(first.to)].type == Type::f32;
    Kernel head = all->kernel;
    head.lets.resize(static_cast<size_t>(value));
    head.writes = {Write{of_rows.over, first.to, {}, of_rows.body[0], {}, How::store}};
    std::optional<Contraction> product = find_contraction(head, values, hardware, all->n, given);
    if (!product || !product->schedule.b.is_prepacked || product->schedule.window ||
        product->schedule.n != all->n)
      continue;
    out.product = std::move(*product);
    return out;
  }
  return std::nullopt;
}

int64_t least_epilogue_rows(const Hardware& hardware) {
  const int64_t threads = std::max(1, hardware.threads_max);
  return 8 * ((multiply_adds_per_byte(hardware) + threads - 1) / threads);
}

namespace {

// Times the least rows that a block has where they have room: the other factor is read seldom.
constexpr int64_t kUsualBlock = 4;

// As many rows as each thread has of all, that stay in the cache, and that repay reading the other
// factor again; of values that have scratch, no more than let block and values take what panels of
// all rows would, which each thread has. 0: all rows are no more.
int64_t rows_of_block(const ContractionSchedule& contraction, bool kept, const Hardware& hardware) {
  const auto size = [](const Dim& dim) { return std::max<int64_t>(1, at_hints(dim)); };
  const int64_t rows = size(contraction.rows), columns = size(contraction.columns),
                depth = size(contraction.depth), tile = rows_together(contraction),
                threads = std::max(1, hardware.threads_max), least = least_epilogue_rows(hardware);
  const int64_t room = kept ? rows : rows * depth / (depth + columns);
  const int64_t wanted =
      std::max({least, (rows + threads - 1) / threads, std::min(kUsualBlock * least, room)});
  const int64_t near = working_set_bytes(hardware.memory) / (4 * columns);
  const int64_t block = std::max(tile, std::min((wanted + tile - 1) / tile, near / tile) * tile);
  return proven_le(contraction.rows, block) ? 0 : block;
}

}  // namespace

LoopPlan with_row_epilogue(LoopPlan out, const EpilogueContraction& found, const Hardware& hardware,
                           const Given& given) {
  ContractionSchedule& contraction = out.second ? *out.second : *out.contraction;
  Kernel& kernel = out.kernel;
  RowEpilogue epilogue;
  epilogue.value = static_cast<int>(kernel.lets.size());
  epilogue.write = found.kept ? 0 : -1;
  const int by = epilogue.value - found.value;
  if (!out.second) {
    const int64_t rows =
        given_block_rows(contraction, given)
            .value_or(given.may("block rows") ? rows_of_block(contraction, found.kept, hardware)
                                              : 0);
    if (rows > 0) pack_by_blocks(out, rows);
  }
  const int64_t block = out.contraction->block_rows;
  kernel.lets.insert(kernel.lets.end(), found.lets.begin(), found.lets.end());
  kernel.writes = found.writes;
  for (size_t i = static_cast<size_t>(epilogue.value); i < kernel.lets.size(); ++i) {
    for (Expr& body : kernel.lets[i].body) renumber(body, by);
  }
  for (Write& write : kernel.writes) renumber(write.value, by);
  kernel.lets[static_cast<size_t>(epilogue.value)].body = {contraction.value};
  LetPlace place;
  if (!found.kept) {
    place.scalar = false;
    place.axes = {contraction.m, contraction.n};
    place.offset = {out.scratch_bytes};
    const Dim waiting = block > 0 ? min(contraction.rows, block) : contraction.rows;
    out.scratch_bytes += ceildiv(waiting * contraction.columns * 4, 64) * 64;
  }
  out.places.push_back(std::move(place));
  std::vector<int> around = contraction.batch;
  around.push_back(contraction.m);
  LoopPlan rest = schedule_following(
      kernel, {epilogue.value + 1, found.kept ? 1 : 0, around, out.scratch_bytes});
  out.scratch_bytes = rest.scratch_bytes;
  out.places.insert(out.places.end(), rest.places.begin() + epilogue.value + 1, rest.places.end());
  out.row_epilogue = std::move(rest.loops);
  out.reason += ", row epilogue";
  if (block > 0 && !out.second) out.reason += " in blocks of " + std::to_string(block);
  out.reason += found.kept ? " from what is stored" : "";
  contraction.row_epilogue = epilogue;
  return out;
}

}  // namespace burin
