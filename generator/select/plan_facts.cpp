#include "select/plan_facts.h"

#include <algorithm>

#include "select/products/winograd_matrices.h"

namespace burin {
namespace {

// Its tile, and its edge tiles: of fewer rows, once more where they are small-M or share a
// few, of fewer vectors; of attention, tiles and decode attention.
int versions_of(const ContractionSchedule& product) {
  const Versions& edges = product.versions;
  const auto small = std::count_if(edges.rows.begin(), edges.rows.end(),
                                   [](const Version& version) { return version.small_m; });
  const size_t balanced = edges.balanced.rows > 0 ? 1 : 0;
  // Of a plane: its tile and that of the rows that are left, instead of positions or beside them.
  int plane = 0;
  if (product.plane_rows) {
    plane = fills_bands(*product.plane_rows, *product.window) ? 1 : 2;
    if (has_only_plane_rows(product)) return plane;
  }
  return plane + static_cast<int>(1 + edges.rows.size() + static_cast<size_t>(small) + balanced +
                                  edges.columns.size());
}

}  // namespace

int versions_of(const LoopPlan& schedule) {
  if (schedule.attention) return schedule.attention->tiled && schedule.attention->decode ? 2 : 1;
  if (!schedule.contraction) return 1;
  return std::max(versions_of(*schedule.contraction), versions_of(schedule.last_product()));
}

int packed_of(const LoopPlan& schedule) {
  if (schedule.attention) return schedule.attention->tiled ? 3 : 0;
  int count = 0;
  for (const auto* product : {&schedule.contraction, &schedule.second}) {
    if (!*product) continue;
    const bool from_before = product == &schedule.second;  // panels that the first product made
    const TileFactor& b = (*product)->b;
    count += !from_before && (*product)->packs_rows();
    count += b.prepacked == kNoValue;
  }
  return count;
}

int rows_first(const LoopPlan& plan) {
  if (!plan.contraction || !plan.last_product().row_epilogue) return -1;
  return plan.last_product().row_epilogue->value;
}

double share_of_products(const LoopPlan& plan) {
  if (!plan.contraction || !plan.contraction->winograd) return 1;
  const WinogradMatrices matrices = plan.contraction->winograd->matrices();
  // Along each of two axes a tile of `outputs` results has so many points.
  const double along = double(matrices.points()) / (matrices.outputs * matrices.taps);
  return along * along;
}

double added_error(const LoopPlan& plan) {
  if (!plan.contraction || !plan.contraction->winograd) return 0;
  return winograd_error(plan.contraction->winograd->matrices());
}

}  // namespace burin
