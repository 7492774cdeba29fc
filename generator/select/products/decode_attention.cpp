#include "select/products/decode_attention.h"

#include <algorithm>

#include "cost/issue.h"
#include "kernel/layout.h"
#include "select/axes/contiguous.h"
#include "select/products/attention_schedule.h"
#include "select/tiles/short_code.h"

namespace burin {
namespace {

// What a verb may give.
constexpr int64_t kMostRows = 16, kMostQueries = 256;
// Of the cycles of tiles, those that rows may take in a second block to be clearly cheaper.
constexpr int64_t kClearlyFewer = 75;  // percent

// Rows of a tensor as they lie: a load whose address is that of the first row + row * pitch + place
// in the row, which is along the tensor's last axis.
bool lie_in_rows(const Expr& element, int row, const std::vector<int>& along, const Kernel& kernel,
                 const std::vector<Value>& values, RowFactor& out) {
  if (element.kind() != ExprKind::load || along.size() != 1) return false;
  const ExprNode& load = *element;
  const Value& value = values[static_cast<size_t>(load.id)];
  if (value.type != Type::f32 || load.type != Type::f32) return false;
  const Index whole = address(value.layout, value.shape, load.at);
  const auto at = [&](const Index& row_point, const Index& along_point) {
    std::vector<Index> axes;
    for (size_t a = 0; a < kernel.axes.size(); ++a)
      axes.push_back(Index::axis(static_cast<int>(a), kernel.axes[a].extent));
    axes[static_cast<size_t>(row)] = row_point;
    axes[static_cast<size_t>(along[0])] = along_point;
    return whole.substitute_axes(axes);
  };
  const auto own = [&](int axis) {
    return Index::axis(axis, kernel.axes[static_cast<size_t>(axis)].extent);
  };
  const Index first = at(0, 0), pitch = at(1, 0) - first;
  if (pitch.has_axes() || pitch.has_data()) return false;
  if (!(whole - first - own(row) * pitch - own(along[0])).is_constant(0)) return false;
  for (size_t d = 0; d + 1 < load.at.size(); ++d) {
    if (load.at[d].uses_axis(along[0])) return false;
  }
  if ((load.at.back() - own(along[0])).uses_axis(along[0])) return false;
  out.tensor = load.id;
  return true;
}

RowFactor rows_of(const Expr& element, int row, const std::vector<int>& along, const Kernel& kernel,
                  const std::vector<Value>& values) {
  RowFactor out;
  if (lie_in_rows(element, row, along, kernel, values, out)) return out;
  out.rows_inside = !is_contiguous(element, along.back(), kernel, values) &&
                    is_contiguous(element, row, kernel, values);
  return out;
}

// For one element of K or V: packed and multiplied in tiles, a block of queries at a time, or
// multiplied with one query after the other.
int64_t cost_in_tiles(int queries, const Tile& tile, const VectorUnit& unit) {
  const int blocks = (queries + tile.columns() - 1) / tile.columns();
  return cost::kCycle / unit.stores_per_cycle +
         blocks * cost_of_step(tile.rows, tile.vectors, tile.accumulators, unit) / tile.rows;
}
int64_t cost_in_rows(int queries, const DecodeAttention& decode, const VectorUnit& unit) {
  return queries * cost_of_step(decode.rows, 1, 1, unit) / (decode.rows * decode.lanes);
}

// The most queries up to which rows are cheaper: those of a block of a tile, and some that would
// fill little of a second one. More than a quarter of it gained nothing anywhere (8 and 16 lanes),
// although these costs, which leave out what a row of scores takes besides, say otherwise.
int most_in_rows(const DecodeAttention& decode, const Tile& tile, const VectorUnit& unit) {
  int most = 0;
  while (most < tile.columns() + tile.columns() / 4) {
    const int queries = most + 1;
    const int64_t percent = queries <= tile.columns() ? 100 : kClearlyFewer;
    if (cost_in_rows(queries, decode, unit) * 100 > percent * cost_in_tiles(queries, tile, unit))
      break;
    most = queries;
  }
  return most;
}

// As many sums as the pipes have in flight, all in registers beside their two factors.
int sums_in_flight(const VectorUnit& unit) {
  const int wanted = unit.fma_latency_cycles * std::min(unit.fma_per_cycle, unit.loads_per_cycle);
  return std::clamp(wanted, 1, std::min(16, registers_of(unit) - 2));
}

// Vectors of elements at a time: a divisor of all, so that none is left to be added alone.
int choose_vectors(const Dim& elements, int lanes, int most) {
  const int64_t whole = std::max<int64_t>(1, at_least_one(elements) / lanes);
  int64_t vectors = std::min<int64_t>(most, whole);
  while (whole % vectors != 0) --vectors;
  return static_cast<int>(2 * vectors < most && whole > most ? most : vectors);
}

// Lanes of a vector of which a row has whole ones, where its length is known: the rest of a row is
// taken one by one, which is dear.
int lanes_in_rows(const AttentionSchedule& schedule, int lanes) {
  const auto whole = [&](const Dim& length) {
    return !length.is_constant() || length.constant() % lanes == 0;
  };
  while (lanes > 4 && !(whole(schedule.depth_extent) && whole(schedule.elements))) lanes /= 2;
  return lanes;
}

// Arrays for `queries` at a time; where the version runs, that is all of them.
void lay_out_scratch(const AttentionSchedule& schedule, const Dim& queries, DecodeAttention& decode,
                     Dim& bytes) {
  const auto take = [&](const Dim& floats) {
    const Dim at = bytes;
    bytes += ceildiv(floats * 4, 64) * 64;
    return at;
  };
  decode.q_offset = take(queries * schedule.depth_extent);
  decode.sums_offset = take(queries * schedule.elements);
  const Dim depth = decode.k.tensor == kNoValue ? schedule.depth_extent : 0,
            elements = decode.v.tensor == kNoValue ? schedule.elements : 0;
  decode.rows_offset = take(max(depth, elements) * decode.rows);
  decode.scores_offset = take(queries * decode.padded(schedule.keys));
}

}  // namespace

void add_decode_attention(Attention& attention, const std::vector<Value>& values,
                          const Hardware& hardware, const Given& given) {
  // A list that is whole says whether there are tiles beside it.
  const bool alone = given.is_whole() && given.may("decode alone");
  // One version, without panels, is the shortest: queries go through it one by one.
  const bool brief = short_code(hardware) && (alone || !given.is_whole());
  if (!given.may("decode") && attention.schedule.tiled && !alone && !brief) return;
  AttentionSchedule& schedule = attention.schedule;
  const VectorUnit& unit = hardware.vector;
  DecodeAttention decode;
  decode.lanes = lanes_in_rows(schedule, lanes_of(unit));
  if (!schedule.positions.empty() || at_least_one(schedule.depth_extent) < decode.lanes) return;
  decode.k = rows_of(schedule.k, schedule.key, schedule.depth, attention.kernel, values);
  decode.v = rows_of(schedule.v, schedule.key, {schedule.element}, attention.kernel, values);
  const int in_flight = sums_in_flight(unit);
  for (decode.rows = 1; decode.rows * 2 <= in_flight;) decode.rows *= 2;
  decode.vectors = choose_vectors(schedule.elements, decode.lanes, in_flight);
  if (schedule.tiled) decode.most = most_in_rows(decode, schedule.scores, unit);
  if (schedule.tiled && brief) {
    if (!decode.is_only()) return;
    decode.most = decode.rows = decode.vectors = 1;
  }
  const char* const what = alone || brief || !schedule.tiled ? "decode alone" : "decode";
  if (const std::vector<int64_t>* const numbers = given.numbers(what)) {
    const int64_t most = (*numbers)[0], rows = (*numbers)[1], vectors = (*numbers)[2];
    const bool power = rows >= 1 && rows <= kMostRows && (rows & (rows - 1)) == 0;
    if (schedule.tiled && most >= 1 && most <= kMostQueries) decode.most = static_cast<int>(most);
    if (power) decode.rows = static_cast<int>(rows);
    if (vectors >= 1 && vectors <= kMostRows) decode.vectors = static_cast<int>(vectors);
  }
  if (decode.most < 1 || (!brief && proven_lt(decode.most, schedule.queries))) return;
  if (brief || proven_le(schedule.queries, decode.most)) schedule.tiled = false;
  Dim bytes = 0, beyond = 0;
  DecodeAttention most = decode;
  lay_out_scratch(schedule, decode.is_only() ? 1 : min(schedule.queries, decode.most), most, bytes);
  lay_out_scratch(schedule, decode.is_only() ? 1 : schedule.queries, decode, beyond);
  // Tiles have theirs where there are more queries.
  const Dim many = min(floordiv(schedule.queries, decode.most + 1), 1);
  attention.scratch_bytes =
      schedule.tiled ? max(bytes, attention.scratch_bytes * many) : std::move(bytes);
  schedule.decode = std::move(decode);
}

}  // namespace burin
