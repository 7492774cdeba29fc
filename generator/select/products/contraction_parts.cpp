#include "select/products/contraction_parts.h"

#include <bit>

#include "hardware/capabilities.h"
#include "select/tiles/short_code.h"

namespace burin {

bool ends_in_reduction(const Kernel& kernel) {
  if (kernel.lets.empty() || kernel.writes.size() != 1) return false;
  const Let& let = kernel.lets.back();
  const Write& write = kernel.writes[0];
  if (let.body.size() != 1 || let.accumulator[0] != Type::f32) return false;
  if (write.how != How::store || write.over != let.over) return false;
  return !is_sequential(kernel);
}

int64_t given_band(const Given& given) {
  const std::vector<int64_t>* const numbers = given.numbers("window");
  return numbers == nullptr || numbers->empty() ? 0 : (*numbers)[0];
}

void settle_window(ContractionSchedule& schedule, SlidingWindow window, const std::vector<int>& k,
                   ReadBy by, const Kernel& kernel, const VectorUnit& unit, const Given& given) {
  if (by != ReadBy::rows)
    schedule.plane_rows = choose_plane_rows(window, k, by == ReadBy::one_row, kernel, unit, given);
  const bool positions = !schedule.plane_rows || !has_only_plane_rows(*schedule.plane_rows, window);
  if (window.wasteful && positions)
    schedule.plane_rows.reset();
  else
    schedule.window = std::move(window);
}

Dim most_positions(const SlidingWindow& window) {
  return (window.band - 1) * window.pitch() + window.columns.outputs;
}

void settle_tile(ContractionSchedule& schedule, bool b_constant, const Hardware& hardware,
                 const Given& given) {
  const Dim positions = schedule.winograd ? winograd_places(*schedule.window)
                        : schedule.window ? most_positions(*schedule.window)
                                          : schedule.columns;
  EdgeOptions edges = edge_options(schedule, b_constant, given);
  edges.brief = short_code(hardware);
  schedule.tile = choose_tile(schedule.rows, positions, hardware.vector, edges, given);
  // Rows of a constant that become floats beside the tile are whole vectors.
  if (schedule.a.compact > 0 && !has_device(hardware))
    schedule.tile.rows =
        static_cast<int>(std::bit_floor(static_cast<unsigned>(schedule.tile.rows)));
  schedule.sums_go = where_sums_go(hardware);
  if (schedule.plane_rows) schedule.tile.vectors = schedule.plane_rows->vectors;
  if (schedule.winograd)
    schedule.versions.columns = winograd_edges(*schedule.window, schedule.tile);
  else if (!has_only_plane_rows(schedule))
    schedule.versions =
        choose_versions(schedule.rows, positions, schedule.tile, hardware.vector, edges, given);
}

void lay_out_scratch(ContractionSchedule& schedule, bool packs_a, bool packs_b, Dim& bytes) {
  const auto take = [&](const Dim& size) {
    const Dim at = bytes;
    bytes += ceildiv(size, 64) * 64;
    return at;
  };
  const Tile& tile = schedule.tile;
  if (schedule.window) {
    if (!has_only_plane_rows(schedule)) schedule.shifts_offset = take(schedule.depth * 4);
    schedule.b_offset = take((schedule.window->staged_elements() + columns_behind(schedule)) * 4);
  } else if (packs_b) {
    schedule.b_offset = take(schedule.depth * (tile.columns() * 4));
  }
  if (packs_a)
    schedule.a_offset = take(ceildiv(schedule.rows, tile.rows) * tile.rows * schedule.depth * 4);
}

}  // namespace burin
