#include "select/products/attention_schedule.h"

#include <algorithm>
#include <limits>
#include <map>

#include "select/axes/regroup.h"

namespace burin {
namespace {

// Of a block that is given.
constexpr int64_t kMostKeys = 1 << 14;

bool regroup(const AttentionForm& form, Attention& out) {
  AttentionSchedule& schedule = out.schedule;
  const Kernel& from = form.kernel;
  Regrouping axes(from, out.kernel);
  for (const int axis : form.batch) schedule.batch.push_back(axes.keep(axis));
  schedule.query = axes.flatten(form.queries, "query");
  schedule.key = axes.flatten(form.keys, "key");
  schedule.element = axes.flatten(form.elements, "element");
  std::map<int, int> sums;  // several products may have one depth
  const auto summed = [&](int axis) {
    const auto kept = sums.find(axis);
    return kept != sums.end() ? kept->second : sums[axis] = axes.keep(axis);
  };
  for (const int axis : form.depth) schedule.depth.push_back(summed(axis));
  for (const PositionScores& one : form.positions) {
    PositionTable table;
    table.let = one.let;
    table.row = axes.flatten(one.rows, "position");
    if (table.row < 0) return false;
    for (const int axis : one.depth) table.depth.push_back(summed(axis));
    table.rows = extent_of(from, one.rows);
    table.depth_extent = extent_of(from, one.depth);
    schedule.positions.push_back(std::move(table));
  }
  if (!axes.move_lets(out.kernel)) return false;
  schedule.q = axes.moved(form.q);
  schedule.k = axes.moved(form.k);
  schedule.v = axes.moved(form.v);
  for (size_t i = 0; i < form.positions.size(); ++i) {
    schedule.positions[i].q = axes.moved(form.positions[i].q);
    schedule.positions[i].p = axes.moved(form.positions[i].p);
  }
  schedule.greatest = form.greatest;
  schedule.total = form.total;
  schedule.gained = form.gained;
  schedule.result = form.result;
  schedule.masked = out.kernel.lets[static_cast<size_t>(form.greatest)].body[0];
  schedule.value = axes.moved_in(out.kernel, form.value);
  if (form.factor) {
    schedule.gain = axes.moved_in(out.kernel, form.gain);
    schedule.factor = axes.moved_in(out.kernel, form.factor);
    schedule.selects = form.selects;
  }
  schedule.empty = form.empty;
  schedule.queries = extent_of(from, form.queries);
  schedule.keys = extent_of(from, form.keys);
  schedule.elements = extent_of(from, form.elements);
  schedule.depth_extent = extent_of(from, form.depth);
  return true;
}

// Where S reads the table.
Index row_read(const Attention& attention, const PositionTable& table) {
  const std::vector<int>& over = attention.kernel.lets[static_cast<size_t>(table.let)].over;
  const auto at = std::find(over.begin(), over.end(), table.row) - over.begin();
  Index found;
  visit(attention.schedule.masked, [&](const ExprNode& node) {
    if (node.kind == ExprKind::let && node.id == table.let)
      found = node.at[static_cast<size_t>(at)];
  });
  return found;
}

// The rows that a block of queries reads with all keys: from the least to the greatest that the
// index can be for it, where their distance is the same for every block; else all.
void choose_window(const Attention& attention, PositionTable& table) {
  const AttentionSchedule& schedule = attention.schedule;
  const int rows = table.tile.rows;
  const auto whole = [&](const Dim& size) { return ceildiv(size, rows) * rows; };
  table.first = 0;
  table.end = table.rows;
  table.window = whole(table.rows);
  if (table.read.has_data()) return;
  const Index block = loop_variable("block");
  std::vector<Index> axes;
  for (size_t a = 0; a < attention.kernel.axes.size(); ++a)
    axes.push_back(Index::axis(static_cast<int>(a), attention.kernel.axes[a].extent));
  axes[static_cast<size_t>(schedule.query)] =
      block + Index::axis(schedule.query, schedule.columns());
  const Index in_block = table.read.substitute_axes(axes);
  const std::optional<Dim> least = in_block.lower_bound(), most = in_block.upper_bound();
  if (!least || !most) return;
  const Dim window = whole(*most - *least + 2 * rows - 1);
  std::vector<Symbol> symbols;
  window.collect_symbols(symbols);
  if (std::find(symbols.begin(), symbols.end(), block.as_symbol()) != symbols.end() ||
      proven_le(table.window, window))
    return;
  const auto from_query = [&](const Index& index) {
    return index.substitute_symbol(block.as_symbol()->name,
                                   Index::axis(schedule.query, schedule.queries));
  };
  table.first = from_query(floordiv(max(*least, 0), rows) * rows);
  table.end = from_query(min(*most + 1, table.rows));
  table.window = window;
}

void lay_out_scratch(AttentionSchedule& schedule, Dim& bytes) {
  const auto take = [&](const Dim& floats) {
    const Dim at = bytes;
    bytes += ceildiv(floats * 4, 64) * 64;
    return at;
  };
  const auto padded = [](const Dim& size, int rows) { return ceildiv(size, rows) * rows; };
  const int columns = schedule.columns();
  schedule.scores_offset = take(Dim(schedule.key_block * columns));
  schedule.q_offset = take(schedule.depth_extent * columns);
  schedule.sums_offset = take(padded(schedule.elements, schedule.values.rows) * columns);
  schedule.k_offset = take(padded(schedule.keys, schedule.scores.rows) * schedule.depth_extent);
  schedule.v_offset = take(padded(schedule.elements, schedule.values.rows) * schedule.keys);
  for (PositionTable& table : schedule.positions) {
    table.scores_offset = take(table.window * columns);
    table.q_offset = take(table.depth_extent * columns);
    table.p_offset = take(padded(table.rows, table.tile.rows) * table.depth_extent);
  }
}

}  // namespace

Expr AttentionSchedule::gain_of_nan() const {
  return rewrite(
      gain,
      [](const Expr& expr) -> Expr {
        return expr.kind() == ExprKind::let
                   ? Expr::constant(Type::f32, std::numeric_limits<double>::quiet_NaN())
                   : expr;
      },
      [](const Index& leaf) { return leaf; });
}

std::optional<Attention> find_attention_schedule(const Kernel& kernel,
                                                 const std::vector<Value>& values,
                                                 const Hardware& hardware, const Given& given) {
  const bool listed =
      given.lists("tile scores") || given.lists("decode") || given.lists("decode alone");
  if (given.is_off("tile scores") || !listed) return std::nullopt;
  const std::optional<AttentionForm> form = find_attention(kernel, values);
  // Tiles are of floats.
  if (!form || form->kernel.lets[0].accumulator[0] != Type::f32) return std::nullopt;
  Attention out;
  if (!regroup(*form, out)) return std::nullopt;
  AttentionSchedule& schedule = out.schedule;
  schedule.sums_go = where_sums_go(hardware);
  if (at_least_one(schedule.depth_extent) < kLeastTiledDepth) return std::nullopt;
  // One query is a product of a vector and a matrix: tiles would be empty but for a lane.
  if (schedule.query < 0) {
    schedule.tiled = false;
    return out;
  }
  schedule.scores = choose_tile(schedule.keys, schedule.queries, hardware.vector, EdgeOptions{});
  if (const auto tile = given_tile(given.numbers("tile scores"), 0, hardware.vector, schedule.keys))
    schedule.scores = *tile;
  schedule.values = choose_tile(at_least_one(schedule.elements), at_least_one(schedule.queries),
                                hardware.vector, schedule.scores.vectors);
  if (const std::vector<int64_t>* const numbers = given.numbers("tile values")) {
    const std::vector<int64_t> both{(*numbers)[0], schedule.scores.vectors};
    schedule.values =
        given_tile(&both, 0, hardware.vector, schedule.elements).value_or(schedule.values);
  }
  for (PositionTable& table : schedule.positions) {
    table.tile = choose_tile(at_least_one(table.rows), at_least_one(schedule.queries),
                             hardware.vector, schedule.scores.vectors);
    table.read = row_read(out, table);
    choose_window(out, table);
  }
  const int64_t cache = hardware.memory.caches[0].size_bytes / 2;
  const int64_t rows = schedule.scores.rows, fitting = cache / (schedule.columns() * 4);
  schedule.key_block = std::max<int64_t>(1, fitting / rows) * rows;
  // No larger than all keys are at most, and of one size where their number is known.
  const Range range = schedule.keys.range();
  if (range.hi < schedule.key_block || range.lo == range.hi) {
    const int64_t blocks =
        std::max<int64_t>(1, (range.hi + schedule.key_block - 1) / schedule.key_block);
    const int64_t share = (range.hi + blocks - 1) / blocks;
    schedule.key_block = std::max<int64_t>(1, (share + rows - 1) / rows) * rows;
  }
  if (const std::vector<int64_t>* const numbers = given.numbers("block keys");
      numbers != nullptr && (*numbers)[0] > 0 && (*numbers)[0] % rows == 0 &&
      (*numbers)[0] <=
          std::max(schedule.key_block, (std::min(range.hi, kMostKeys) + rows - 1) / rows * rows))
    schedule.key_block = (*numbers)[0];
  lay_out_scratch(schedule, out.scratch_bytes);
  return out;
}

}  // namespace burin
