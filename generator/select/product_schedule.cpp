#include "select/product_schedule.h"

#include <algorithm>

#include "select/products/prepack.h"
#include "select/products/repacked.h"
#include "select/schedule/window_loops.h"

namespace burin {
namespace {

// Loops and places of the lets before the product.
void add_row_lets(const Contraction& contraction, LoopPlan& out) {
  const Kernel& kernel = contraction.kernel;
  for (size_t i = 0; i + 1 < kernel.lets.size(); ++i) {
    const Let& let = kernel.lets[i];
    const int number = static_cast<int>(i), m = contraction.schedule.m;
    LetPlace place;
    place.scalar = false;
    if (m >= 0 && std::find(let.over.begin(), let.over.end(), m) != let.over.end())
      place.axes = {m};
    place.offset = {contraction.row_offsets[i]};
    out.places.push_back(std::move(place));
    if (let.op == Combiner::none) {
      out.row_lets.push_back({Define{number}});
      continue;
    }
    LoopNodes loops{LoopNode{Accumulate{number, let.body, {}}}};
    for (size_t k = let.reduced.size(); k-- > 0;) {
      const int axis = let.reduced[k];
      loops = {LoopNode{
          ForLoop{axis, 0, kernel.axes[static_cast<size_t>(axis)].extent, std::move(loops)}}};
    }
    out.row_lets.push_back({BeginLet{number}});
    out.row_lets.insert(out.row_lets.end(), loops.begin(), loops.end());
    out.row_lets.push_back({EndLet{number}});
  }
}

Type panel_type(const TileFactor& factor) { return factor.keeps_fp16 ? Type::f16 : Type::f32; }

}  // namespace

LoopPlan schedule_contraction(Contraction contraction, std::vector<Value>& values,
                              Constants constants) {
  ContractionSchedule& schedule = contraction.schedule;
  if (schedule.winograd) prepack_winograd(contraction, values, constants == Constants::made);
  const Expr rows = schedule.a.element, columns = schedule.b.element;
  const int64_t row_bits =
      schedule.winograd ? 0
                        : pack_factor(contraction, schedule.a, schedule.m, schedule.tile.rows,
                                      "_rows", values, panel_type(schedule.a));
  const int64_t compact_bits =
      pack_factor(contraction, schedule.b, schedule.n, schedule.tile.columns(), "_columns", values,
                  panel_type(schedule.b));
  if (schedule.a.element)
    contraction.kernel.lets.back().body[0] = schedule.a.element * schedule.b.element;
  LoopPlan out;
  if (!schedule.winograd && !schedule.window) {
    out.repacked = repacked({{rows, schedule.a.element}, {columns, schedule.b.element}},
                            contraction.kernel, values);
    for (Expr* part : {&schedule.a.element, &schedule.b.element, &schedule.value})
      *part = over_panels(*part, contraction.kernel, out.repacked);
    read_panels(contraction.kernel, out.repacked);
  }
  add_row_lets(contraction, out);
  out.places.emplace_back();
  out.scratch_bytes = contraction.scratch_bytes;
  out.family = schedule.a.element ? "contraction" : "window";
  if (schedule.window) {
    out.no_alias = true;
    out.fill = fill_loops(*schedule.window, contraction.kernel);
  }
  const std::string sizes = " for " + to_string(schedule.rows) + " x " +
                            to_string(schedule.columns) + " x " + to_string(schedule.depth);
  out.reason = "tiles of " + std::to_string(schedule.tile.rows) + " x " +
               std::to_string(schedule.tile.columns()) + sizes;
  if (const std::optional<PlaneRows>& plane = schedule.plane_rows) {
    const std::string tiles = std::to_string(plane->rows) + " rows x " +
                              std::to_string(plane->columns()) + " columns of the plane";
    out.reason = has_only_plane_rows(schedule)
                     ? "tiles of " + tiles + sizes
                     : out.reason + "; of " + tiles + " where rows have as many";
  }
  const std::vector<Version>& versions = schedule.versions.rows;
  for (const Version& version : versions) {
    out.reason += (version == versions[0] ? "; of " : " or ") + std::to_string(version.rows) +
                  (version == versions.back() ? " for the last rows" : "");
  }
  if (const BalancedRemainder& balanced = schedule.versions.balanced; balanced.rows > 0) {
    out.reason += "; two blocks of " + std::to_string(balanced.rows) + " for at most " +
                  std::to_string(balanced.most) + " rows";
  }
  const std::vector<EdgeColumns>& edge_widths = schedule.versions.columns;
  for (const EdgeColumns& version : edge_widths) {
    out.reason += (version == edge_widths[0] ? "; of " : " or ") +
                  std::to_string(version.vectors * schedule.tile.lanes) +
                  (version == edge_widths.back() ? " for the last columns" : "");
  }
  for (const EdgeColumns& version : edge_widths) {
    if (version.blocks < 2) continue;
    out.reason += "; " + std::to_string(version.blocks) + " blocks of rows at a time of " +
                  std::to_string(version.vectors * schedule.tile.lanes) + " columns";
  }
  if (schedule.a_unpacked && schedule.tile.rows > 1) out.reason += ", rows read where they lie";
  if (schedule.a.pack_points > 0 || schedule.b.pack_points > 0)
    out.reason += ", packed a piece of a row at a time";
  if (!schedule.met.empty()) {
    out.reason += ", less taps that blocks of columns do not meet";
    if (schedule.stripes > 1) out.reason += ", in " + std::to_string(schedule.stripes) + " stripes";
  }
  if (row_bits > 0)
    out.reason += ", rows unpacked from " + std::to_string(row_bits / 8) + " bytes, " +
                  std::to_string(schedule.a.widen_points) + " points at a time";
  if (compact_bits > 0)
    out.reason += ", columns unpacked from " + std::to_string(compact_bits / 8) + " bytes";
  if (schedule.a.is_few || schedule.b.is_few) out.reason += ", few enough to be stored as floats";
  if (schedule.a.keeps_fp16 || schedule.b.keeps_fp16)
    out.reason +=
        std::string(", ") + (schedule.a.keeps_fp16 ? "rows" : "columns") + " from panels of fp16" +
        (schedule.a.widen_points > 0 ? ", of which " + std::to_string(schedule.a.widen_points) +
                                           " points at a time become floats"
                                     : "");
  if (schedule.winograd) {
    const std::string m = std::to_string(schedule.winograd->choice.outputs),
                      r = std::to_string(schedule.winograd->taps);
    out.reason += ", by Winograd's F(" + m + " x " + m + ", " + r + " x " + r + ")" +
                  (schedule.winograd->choice.by_points ? ", point by point" : "");
  }
  if (schedule.window) {
    out.reason += ", read through a window";
    if (schedule.window->banded())
      out.reason += " in bands of " + to_string(schedule.window->band) + " rows";
  }
  out.kernel = std::move(contraction.kernel);
  out.contraction = std::move(schedule);
  return out;
}

}  // namespace burin
