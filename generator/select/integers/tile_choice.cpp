#include "select/integers/tile_choice.h"

#include <algorithm>
#include <limits>

#include "support/divide.h"

namespace burin {
IntegerTile choose_integer_tile(int64_t rows, int64_t columns, int64_t groups, int lanes,
                                const RowTiming& timing, const VectorUnit& vector, int result_bytes,
                                const LineTiles& lines, const std::vector<int64_t>* given) {
  constexpr int kMostRows = 16, kLoopCycles = 1;
  constexpr int kTurns = 6;  // from which on it pays that a loop is pipelined
  const int most_vectors = lines.fours && columns > int64_t{kTurns} * 4 * lanes ? 4 : 8;
  // Of a vector of results; where lines make bytes of several at a time, others are made one by
  // one.
  constexpr int kResultCycles = 6, kThroughMemory = 2, kOneByOne = 60;
  // By lines: of four vectors, and of two, which are packed as four and stored under a mask.
  constexpr int kLineVectors = 4, kLineCycles = 11, kHalfLineCycles = 16;
  constexpr int kLookCycles = 12;  // of seeing whether all bytes are right
  constexpr int64_t kSumsOfADoubt = 1 << 15;
  const int vectors_multiple = lines.multiple;
  const TileBundle& bundle = lines.bundle;
  const int apart = vectors_multiple > 1 ? kOneByOne * lanes : kThroughMemory;
  const int besides = 1 + vector.registers / 8;
  // In parts of a cycle, so that ports and loads divide it.
  const int64_t cycle = int64_t{timing.per_cycle} * vector.loads_per_cycle;
  const int64_t half = int64_t{vector.vector_bytes} / 2 / std::max(1, result_bytes);
  const int64_t least_columns = std::min(half, std::max<int64_t>(1, columns));
  IntegerTile best;
  int64_t least = std::numeric_limits<int64_t>::max();
  for (int v = vectors_multiple; v <= most_vectors; v += vectors_multiple) {
    if (int64_t{v} * lanes < least_columns && v + vectors_multiple <= most_vectors) continue;
    for (int r = bundle.rows; r <= kMostRows; r += bundle.rows) {
      // One more holds what an instruction makes before it is added, others what results need.
      if (r * v + v * bundle.vector_registers + besides > vector.registers) break;
      if (given != nullptr && (r != (*given)[0] || v != (*given)[1])) continue;
      const auto cycles_of_tile = [&](int64_t vectors) {
        const int64_t products = (r * vectors + (bundle.loads_permute ? vectors : 0) +
                                  int64_t{r} / bundle.rows * bundle.copies) *
                                 vector.loads_per_cycle;
        const int64_t loads =
            (r / bundle.rows * bundle.loads_of_rows + vectors * bundle.vector_registers) *
            int64_t{timing.per_cycle};
        const int64_t waits = timing.latency_cycles * cycle;
        const int64_t each = std::max({products, loads, waits}) + kLoopCycles * cycle;
        const int64_t row_cycles = vectors_multiple > 1 && !lines.differ
                                       ? vectors / kLineVectors * kLineCycles +
                                             (vectors % kLineVectors != 0) * kHalfLineCycles
                                       : vectors * kResultCycles;
        const int64_t leaving = r * (row_cycles + (rows % r != 0 ? vectors * apart : 0)) * cycle;
        return std::max<int64_t>(1, groups) * each + leaving;
      };
      // Of a block of rows; its last tile may have fewer vectors.
      const int64_t blocks = divide_up(std::max<int64_t>(1, rows), r), width = int64_t{v} * lanes,
                    points = std::max<int64_t>(1, columns), tiles = divide_up(points, width),
                    last = std::max<int64_t>(divide_up(points - (tiles - 1) * width, lanes),
                                             std::min(vectors_multiple, v));
      const int64_t of_block =
          (tiles - 1) * cycles_of_tile(v) + cycles_of_tile(lines.narrow_last ? last : v);
      int64_t look = vectors_multiple > 1 ? tiles * kLookCycles * cycle : 0;
      // Once for a block of rows, of which all tiles are made again where there is a doubt.
      const int64_t again =
          of_block * std::min(points * r, kSumsOfADoubt) / kSumsOfADoubt + kLookCycles * cycle;
      const bool once = lines.may_look_once && rows % r == 0 && again < look;
      if (once) look = again;
      const int64_t all = blocks * (of_block + look);
      if (all < least) {
        least = all;
        best = {r, v, once, divide_up(all, cycle)};
      }
    }
  }
  if (given != nullptr && least == std::numeric_limits<int64_t>::max())
    return choose_integer_tile(rows, columns, groups, lanes, timing, vector, result_bytes, lines);
  return best;
}

int narrowest_bytes(const Expr& result) {
  int64_t least = 4;
  visit(result, [&](const ExprNode& node) {
    if (node.kind == ExprKind::cast || node.kind == ExprKind::load)
      least = std::min(least, std::max<int64_t>(1, size_bytes(node.storage, 1)));
  });
  return static_cast<int>(least);
}

}  // namespace burin
