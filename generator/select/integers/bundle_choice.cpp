#include "select/integers/bundle_choice.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "hardware/capabilities.h"
#include "isa/all_rows.h"
#include "isa/bundles.h"
#include "select/axes/regroup.h"
#include "select/bytes/known_rows.h"
#include "select/integers/by_line.h"
#include "select/integers/tile_choice.h"
#include "select/tiles/register_tile.h"
#include "support/at.h"

namespace burin {
namespace {

// What is taken off numbers of a constant; of another factor nothing. nullopt: they do not fit.
std::optional<int32_t> taken_off(const std::optional<FactorNumbers>& numbers, Type type) {
  return numbers ? offset_for(*numbers, type) : std::optional<int32_t>(0);
}

// nullopt: the description has it not, or factors do not fit it.
std::optional<BundleChoice> described(const isa::BundleRow& one, const RowChoice& single,
                                      const std::optional<FactorNumbers>& numbers_a,
                                      const std::optional<FactorNumbers>& numbers_b,
                                      const Hardware& hardware) {
  BundleChoice out;
  out.bundle = {isa::find_row(one.row),
                one.rows,
                isa::find_row(one.whole),
                isa::find_row(one.starts),
                isa::find_row(one.settles),
                one.vector_registers,
                one.loads};
  const isa::Instruction* of = isa::find_row(one.of);
  if (of->values[0].type != single.row->values[0].type) return std::nullopt;
  const RowTiming* timing = timing_of(*out.bundle.row, hardware);
  const RowTiming* of_one = of->instruction.empty() ? single.timing : timing_of(*of, hardware);
  if (timing == nullptr || of_one == nullptr || (!numbers_a && !one.staged)) return std::nullopt;
  const std::optional<int32_t> offset_a = taken_off(numbers_a, of->values[1].type),
                               offset_b = taken_off(numbers_b, of->values[2].type);
  if (!offset_a || !offset_b) return std::nullopt;
  if (*offset_a == 0) out.bundle.starts = nullptr;
  if (out.bundle.starts != nullptr && (timing_of(*out.bundle.starts, hardware) == nullptr ||
                                       *offset_a < lowest(Type::i8) || *offset_a > 0))
    return std::nullopt;
  const std::vector<Dim>& shape = of->values[2].shape;
  out.timing = *timing;
  out.timing.per_cycle = timing->per_cycle * one.rows / out.bundle.row->operations;
  out.one_row = {of,
                 of_one,
                 static_cast<int>(shape[0].constant()),
                 static_cast<int>(shape[1].constant()),
                 *offset_a,
                 *offset_b};
  return out;
}

// Groups of so many along the axis that is cut into them.
int64_t groups_of(const IntegerSum& found, int group) {
  const Kernel& kernel = found.kernel;
  const int cut = grouped_axis(found, group);
  Dim groups = 1;
  for (const int axis : found.reduced) {
    const Dim& extent = kernel.axes[at(axis)].extent;
    groups *= axis == cut ? ceildiv(extent, group) : extent;
  }
  return at_hints(groups);
}

}  // namespace

std::optional<BundleChoice> choose_bundle(const IntegerSum& found, const RowChoice& single,
                                          const std::optional<FactorNumbers>& numbers_a,
                                          const std::optional<FactorNumbers>& numbers_b,
                                          const Hardware& hardware) {
  if (found.m.empty()) return std::nullopt;
  std::vector<BundleChoice> choices;
  for (const isa::BundleRow& one : isa::bundles()) {
    std::optional<BundleChoice> choice = described(one, single, numbers_a, numbers_b, hardware);
    if (choice && choice->one_row.lanes == single.lanes) choices.push_back(std::move(*choice));
  }
  if (choices.empty()) return std::nullopt;
  const Kernel& kernel = found.kernel;
  const int64_t rows = at_hints(extent_of(kernel, found.m)),
                columns = at_hints(extent_of(kernel, found.n));
  IntegerPlan plain;
  plain.kernel = kernel;
  plain.lanes = single.lanes;
  LineTiles lines;
  lines.multiple = vectors_by_line(plain, hardware);
  const auto cycles = [&](const RowTiming& timing, int group) {
    return choose_integer_tile(rows, columns, groups_of(found, group), single.lanes, timing,
                               integer_unit(hardware), narrowest_bytes(kernel.writes[0].value),
                               lines)
        .cycles;
  };
  lines.bundle = tile_bundle({}, *single.row, false);
  int64_t least = cycles(*single.timing, single.group);
  const bool taps =
      std::ranges::any_of(found.reduced, [&](int axis) { return is_tap(found, axis); });
  std::optional<BundleChoice> best;
  for (const BundleChoice& choice : choices) {
    const RowChoice& of = choice.one_row;
    lines.bundle = tile_bundle(choice.bundle, *of.row, taps);
    int64_t all = cycles(choice.timing, of.group);
    if (choice.bundle.starts != nullptr) {
      constexpr int kStored = 2;  // cycles of a vector of sums to memory and back
      const int64_t vectors = (columns + single.lanes - 1) / single.lanes;
      all += vectors * (groups_of(found, of.group) / of.timing->per_cycle + kStored);
    }
    // Of two that are as fast, the one that has less to correct.
    const auto corrected = [](const RowChoice& row) {
      return (row.offset_a != 0) + (row.offset_b != 0);
    };
    const bool corrects_less = best && corrected(of) < corrected(best->one_row);
    if (all > least || (all == least && !corrects_less)) continue;
    least = all;
    best = choice;
  }
  return best;
}

TileBundle tile_bundle(const Bundle& bundle, const isa::Instruction& row, bool anywhere) {
  TileBundle out;
  if (!bundle) {
    out.copies = isa::copies_of_group(row);
    return out;
  }
  out.rows = bundle.rows;
  out.vector_registers = bundle.vector_registers;
  out.loads_of_rows = bundle.loads ? 1 : 0;
  out.loads_permute = bundle.whole != nullptr && anywhere;
  return out;
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
