#include "select/integers/pairs.h"

#include <algorithm>

#include "hardware/capabilities.h"
#include "isa/all_rows.h"
#include "isa/pair_rows.h"
#include "select/axes/regroup.h"
#include "select/bytes/known_rows.h"
#include "select/integers/by_line.h"
#include "select/integers/tile_choice.h"
#include "select/tiles/register_tile.h"

namespace burin {
namespace {

std::optional<PairChoice> described_pair(const Hardware& hardware, const FactorNumbers& numbers_a) {
  for (const isa::PairRow& one : isa::pairs()) {
    PairChoice out;
    out.pair = isa::find_row(one.row);
    out.whole = isa::find_row(one.whole);
    out.starts = isa::find_row(one.starts);
    const isa::Instruction* half = isa::find_row(one.of);
    const RowTiming* timing = timing_of(*out.pair, hardware);
    if (timing == nullptr || timing_of(*half, hardware) == nullptr ||
        timing_of(*out.starts, hardware) == nullptr)
      continue;
    const std::vector<Dim>& shape = half->values[2].shape;
    const std::optional<int32_t> offset = offset_for(numbers_a, half->values[1].type);
    if (!offset || *offset < lowest(Type::i8) || *offset > 0) continue;
    out.timing = *timing;
    out.timing.per_cycle *= isa::kPairedRows;
    out.half = {half,
                timing_of(*half, hardware),
                static_cast<int>(shape[0].constant()),
                static_cast<int>(shape[1].constant()),
                *offset,
                0};
    return out;
  }
  return std::nullopt;
}

}  // namespace

std::optional<PairChoice> choose_pair(const IntegerSum& found, const RowChoice& single,
                                      const FactorNumbers& numbers_a, const Hardware& hardware) {
  if (found.m.empty()) return std::nullopt;
  std::optional<PairChoice> pair = described_pair(hardware, numbers_a);
  if (!pair || pair->half.lanes != single.lanes || pair->half.group != single.group)
    return std::nullopt;
  const Kernel& kernel = found.kernel;
  const int64_t rows = at_hints(extent_of(kernel, found.m)),
                columns = at_hints(extent_of(kernel, found.n)),
                groups = at_hints(ceildiv(extent_of(kernel, found.reduced), single.group));
  IntegerPlan plain;
  plain.kernel = kernel;
  plain.lanes = single.lanes;
  LineTiles lines;
  lines.multiple = vectors_by_line(plain, hardware);
  const auto cycles = [&](const RowTiming& timing) {
    return choose_integer_tile(rows, columns, groups, single.lanes, timing, integer_unit(hardware),
                               narrowest_bytes(kernel.writes[0].value), lines)
        .cycles;
  };
  const int64_t of_single = cycles(*single.timing);
  lines.paired = isa::kPairedRows;
  lines.loads_permute =
      std::ranges::any_of(found.reduced, [&](int axis) { return is_tap(found, axis); });
  int64_t of_pairs = cycles(pair->timing);
  if (pair->half.offset_a != 0) {
    constexpr int kStored = 2;  // cycles of a vector of sums to memory and back
    const int64_t vectors = (columns + single.lanes - 1) / single.lanes;
    of_pairs += vectors * (groups / pair->half.timing->per_cycle + kStored);
  }
  if (of_pairs >= of_single) return std::nullopt;
  return pair;
}

bool whole_vectors_pay(const SlidingWindow& window, int lanes, int64_t rows) {
  if (!window.staged_elements().is_constant() || !window.pitch().is_constant()) return false;
  // Of a tile of four vectors and rows: products of a packet's units, with what loads take of them.
  constexpr int64_t kUnits = 16, kWithLoads = 20;
  // Copying a vector takes less than products with so many rows.
  constexpr int64_t kLeastRows = 16;
  const int64_t pitch = window.pitch().constant(), whole = (pitch + lanes - 1) / lanes * lanes;
  return rows >= kLeastRows && whole * kUnits < pitch * kWithLoads;
}

int64_t copies_of(const SlidingWindow& window) { return window.column_shift.range().hi + 1; }

}  // namespace burin
