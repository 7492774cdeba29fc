#include "select/tiles/group_tile.h"

#include <algorithm>
#include <cmath>

#include "select/tiles/measured_tile.h"

namespace burin {
namespace {

constexpr int kFloatBytes = 4;  // bytes
constexpr int kMostSplits = 32;
constexpr int kDepths[] = {8, 16, 32};
constexpr int kSides[] = {1, 4, 8, 16, 32, 64, 128};
constexpr int kItemSides[] = {1, 2, 4, 8};

double ceil_div(double a, double b) { return std::ceil(a / b); }

class Chooser {
 public:
  Chooser(const ProductSize& size, const Hardware& hardware)
      : size_(size), hardware_(hardware), device_(hardware.opencl) {}

  TileChoice run() const {
    TileChoice best;
    best.us = -1;
    for (const int rows : kSides) {
      for (const int columns : kSides) {
        for (const int item_rows : kItemSides) {
          for (const int item_columns : kItemSides) {
            for (const int depth : kDepths) {
              try_tile({rows, columns, item_rows, item_columns, depth, 1}, best);
            }
          }
        }
      }
    }
    return best;
  }

  std::optional<TileChoice> only(const GroupTile& tile) const {
    const bool splits = tile.splits == 1 || (size_.splits && tile.splits <= kMostSplits &&
                                             size_.depth % (tile.splits * tile.depth) == 0);
    if (!splits || !fits(tile)) return std::nullopt;
    return TileChoice{tile, time_of(tile)};
  }

 private:
  bool fits(const GroupTile& tile) const {
    if (tile.item_columns % device_.vector_width != 0) return false;
    if (tile.rows % tile.item_rows != 0 || tile.columns % tile.item_columns != 0) return false;
    const int items = tile.items();
    if (items < std::min(device_.wave_size, device_.work_group_size)) return false;
    if (items > 2 * device_.work_group_size || items > device_.work_group_size_max) return false;
    if (items > device_.work_item_sizes_max[0]) return false;
    // Every work-item stages equally many elements of each factor.
    if (tile.depth * tile.rows % items != 0 || tile.depth * tile.columns % items != 0) return false;
    if (tile.local_bytes() > device_.local_memory_bytes) return false;
    return registers_of(tile) * kFloatBytes * items <= device_.register_bytes &&
           registers_of(tile) <= device_.item_registers_max;
  }

  void try_tile(GroupTile tile, TileChoice& best) const {
    if (!fits(tile)) return;
    // Tiles that are mostly padding are never worth it.
    if (tile.rows > 2 * size_.rows && tile.rows > 1) return;
    for (int64_t splits = 1; splits <= (size_.splits ? kMostSplits : 1); ++splits) {
      if (splits > 1 && size_.depth % (splits * tile.depth) != 0) continue;
      if (splits > 1 && size_.depth / splits < 2 * tile.depth) continue;
      tile.splits = splits;
      const double us = time_of(tile);
      if (best.us < 0 || us < best.us * 0.999) best = {tile, us};
    }
  }

  double time_of(const GroupTile& tile) const {
    const double items = tile.items();
    const double groups = ceil_div(static_cast<double>(size_.rows), tile.rows) *
                          ceil_div(static_cast<double>(size_.columns), tile.columns) *
                          static_cast<double>(size_.batch * tile.splits);
    const double steps = ceil_div(static_cast<double>(size_.depth / tile.splits), tile.depth);
    const StepTime time = step_time(tile, size_.row_work, size_.column_work, hardware_);
    const double each = ceil_div(groups, device_.compute_units);  // work-groups of a compute unit
    const double resident = std::clamp(
        std::floor(
            std::min({double(device_.register_bytes) / (registers_of(tile) * kFloatBytes * items),
                      double(device_.items_max) / items,
                      4.0 * double(device_.local_memory_bytes) / tile.local_bytes()})),
        1.0, 32.0);
    double cycles = 0;
    for (double left = each; left > 0; left -= resident)
      cycles += (steps + 1) * std::max(std::min(left, resident) * time.busy, time.alone);
    double us = cycles / static_cast<double>(hardware_.clock_mhz) + device_.launch_us;
    if (tile.splits > 1) {
      const double bytes = 2.0 * kFloatBytes * static_cast<double>(tile.splits * size_.batch) *
                           static_cast<double>(size_.rows * size_.columns);
      us += device_.launch_us + bytes / static_cast<double>(hardware_.memory.bandwidth_mb_per_s);
    }
    return us;
  }

  const ProductSize& size_;
  const Hardware& hardware_;
  const OpenClDevice& device_;
};

}  // namespace

// Sums, a row and a column of factors, and what is staged next.
int64_t registers_of(const GroupTile& tile) {
  const int staged = tile.depth * (tile.rows + tile.columns) / tile.items();
  return tile.item_rows * tile.item_columns + tile.item_rows + tile.item_columns + staged +
         kOtherRegisters;
}

StepTime step_time(const GroupTile& tile, double row_work, double column_work,
                   const Hardware& hardware) {
  const OpenClDevice& device = hardware.opencl;
  const Cache& near = hardware.memory.caches.front();
  const Cache& far = hardware.memory.caches.back();
  const double items = tile.items();
  const double multiplied = double{1} * tile.rows * tile.columns * tile.depth / device.lanes;
  const double read = items * (tile.item_rows + tile.item_columns) * kFloatBytes * tile.depth /
                      static_cast<double>(near.bandwidth_bytes_per_cycle);
  const double staged =
      tile.depth * (tile.rows * row_work + tile.columns * column_work) / device.lanes;
  const double fetched = double{kFloatBytes} * tile.depth * (tile.rows + tile.columns) /
                         static_cast<double>(far.bandwidth_bytes_per_cycle);
  // What one work-item alone takes: an instruction per cycle, and the way to local memory at every
  // point of the depth, to main memory at every step.
  const double alone =
      tile.depth * (tile.item_rows * tile.item_columns +
                    (tile.item_rows + tile.item_columns) / double(device.vector_width) +
                    device.local_wait_cycles) +
      device.memory_wait_percent * far.latency_cycles / 100.0;
  return {std::max({multiplied, read, fetched}) + staged, alone};
}

TileChoice choose_group_tile(const ProductSize& size, const Hardware& hardware) {
  return Chooser(size, hardware).run();
}

Verb verb_of(const GroupTile& tile) {
  return {"group tile",
          {tile.rows, tile.columns, tile.item_rows, tile.item_columns, tile.depth, tile.splits}};
}

std::optional<GroupTile> given_group_tile(const Given& given) {
  constexpr int64_t kMost = 4096;
  const std::vector<int64_t>* const numbers = given.numbers("group tile");
  if (numbers == nullptr) return std::nullopt;
  for (const int64_t one : *numbers) {
    if (one < 1 || one > kMost) return std::nullopt;
  }
  const auto at = [&](size_t i) { return static_cast<int>((*numbers)[i]); };
  return GroupTile{at(0), at(1), at(2), at(3), at(4), at(5)};
}

std::optional<TileChoice> measured_tile(const GroupTile& tile, const ProductSize& size,
                                        const Hardware& hardware) {
  return Chooser(size, hardware).only(tile);
}

}  // namespace burin
