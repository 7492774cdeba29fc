#include "select/verbs_of.h"

#include <algorithm>

#include "select/tiles/measured_tile.h"

namespace burin {
namespace {

// Verbs of one product; `prefix` of the second one.
void add_product(const ContractionSchedule& product, const std::string& prefix, Verbs& out) {
  const auto add = [&](const char* what, std::vector<int64_t> numbers) {
    out.push_back({prefix + what, std::move(numbers)});
  };
  add("tile", {product.tile.rows, product.tile.vectors});
  int64_t apart = std::max(product.tile.accumulators, product.versions.balanced.accumulators);
  std::vector<int64_t> rows, columns;
  for (const Version& version : product.versions.rows) {
    rows.push_back(version.rows);
    apart = std::max<int64_t>(apart, version.accumulators);
  }
  for (const EdgeColumns& version : product.versions.columns) {
    columns.push_back(version.vectors);
    columns.push_back(version.blocks);
    apart = std::max<int64_t>(apart, version.accumulators);
  }
  if (apart > 1) add("accumulators", {apart});
  if (!rows.empty()) add("specialise rows", std::move(rows));
  if (!columns.empty()) add("specialise columns", std::move(columns));
  if (const BalancedRemainder& balanced = product.versions.balanced; balanced.rows > 0)
    add("balance", {balanced.rows, balanced.most});
  if (product.b_unpacked) add("unpacked", {});
  if (product.a_unpacked) add("unpacked rows", {});
  const auto is_small = [](const TileFactor& one) { return one.compact > 0 || one.keeps_fp16; };
  if (is_small(product.a) || is_small(product.b)) add("compact", {});
  if (!product.met.empty()) add("met taps", {product.stripes});
  if (product.prefetch > 0) add("prefetch", {product.prefetch});
  if (const std::optional<PlaneRows>& plane = product.plane_rows)
    add("plane rows", {plane->rows, plane->lanes});
  if (const std::optional<Winograd>& few = product.winograd) {
    add("winograd", {few->choice.outputs, few->choice.band, few->choice.by_points});
  } else if (const std::optional<SlidingWindow>& window = product.window) {
    const bool known = window->banded() && window->band.is_constant();
    add("window", known ? std::vector<int64_t>{window->band.constant()} : std::vector<int64_t>{});
  }
}

void add_products(const LoopPlan& schedule, Verbs& out) {
  const ContractionSchedule& first = *schedule.contraction;
  add_product(first, "", out);
  if (schedule.second) {
    out.push_back({"back to back", {first.block_rows}});
    add_product(*schedule.second, "then ", out);
    if (schedule.second->row_epilogue) out.push_back({"then row epilogue", {}});
    return;
  }
  if (first.block_rows > 0) out.push_back({"block rows", {first.block_rows}});
  if (first.row_epilogue) out.push_back({"row epilogue", {}});
}

void add_attention(const AttentionSchedule& attention, Verbs& out) {
  if (attention.tiled) {
    out.push_back({"tile scores", {attention.scores.rows, attention.scores.vectors}});
    out.push_back({"tile values", {attention.values.rows}});
    out.push_back({"block keys", {attention.key_block}});
  }
  if (const std::optional<DecodeAttention>& decode = attention.decode)
    out.push_back({attention.tiled ? "decode" : "decode alone",
                   {decode->most, decode->rows, decode->vectors}});
}

// Lanes of loops, the most of each let; whether a loop has a version of unit stride.
void look_at(const LoopNodes& nodes, Verbs& out, bool& unit_stride) {
  for (const LoopNode& node : nodes) {
    if (const auto* loop = std::get_if<ForLoop>(&node.node)) {
      unit_stride = unit_stride || !loop->unit_stride.empty();
      look_at(loop->nodes, out, unit_stride);
    } else if (const auto* row = std::get_if<LaneLoop>(&node.node)) {
      const Verb verb{"lanes", {row->let, row->lanes, row->block}};
      const auto known = std::find_if(out.begin(), out.end(),
                                      [&](const Verb& one) { return same_place(one, verb); });
      if (known == out.end())
        out.push_back(verb);
      else if (known->numbers[1] < verb.numbers[1])
        *known = verb;
    }
  }
}

void add_launches(const LaunchNodes& nodes, Verbs& out) {
  for (const LaunchNode& node : nodes) {
    if (const auto* loop = std::get_if<LaunchLoop>(&node.node)) {
      add_launches(loop->nodes, out);
      continue;
    }
    const Launch& launch = std::get<Launch>(node.node);
    if (launch.product) set_verb(out, verb_of(launch.product->tile));
    if (launch.unroll > 0) set_verb(out, {"unroll", {launch.unroll}});
    if (launch.texels >= 0 && launch.lanes > 1) set_verb(out, {"vector", {launch.lanes}});
    if (launch.coarsening > 1) set_verb(out, {"points", {launch.coarsening}});
  }
}

}  // namespace

Verbs verbs_of(const LoopPlan& schedule) {
  Verbs out = schedule.verbs;
  // Of a program that its policy has made, that is all.
  if (!out.empty() && schedule.program) return out;
  if (schedule.contraction) add_products(schedule, out);
  if (schedule.attention) add_attention(*schedule.attention, out);
  for (const SumTile& tile : schedule.tiles)
    out.push_back({"tile sums", {tile.let, tile.tile.rows, tile.tile.vectors}});
  for (const SumTile& tile : schedule.tiles) {
    if (tile.prefetch > 0) out.push_back({"prefetch sums", {tile.let, tile.prefetch}});
  }
  if (const std::optional<OuterAxis>& rows = schedule.outer_axis)
    out.push_back({"outer", {rows->axis, rows->points}});
  bool unit_stride = false;
  for (const LoopNodes* nodes : {&schedule.loops, &schedule.row_lets, &schedule.row_epilogue})
    look_at(*nodes, out, unit_stride);
  if (unit_stride) out.push_back({"unit stride", {}});
  if (const std::optional<Cut>& cut = schedule.cut) {
    Verb threads{"threads", {}};
    for (const CutAxis& axis : cut->axes()) {
      threads.numbers.push_back(axis.axis);
      threads.numbers.push_back(axis.grain);
    }
    out.push_back(std::move(threads));
  }
  add_launches(schedule.launches, out);
  return out;
}

}  // namespace burin
