#include "select/rows/row_blocks.h"

#include <algorithm>
#include <numeric>

#include "kernel/index/sample_sizes.h"
#include "select/axes/working_set.h"
#include "select/rows/back_to_back.h"
#include "support/check.h"

namespace burin {
namespace {

// Of rows without an end.
constexpr int64_t kMany = int64_t{1} << 32;

}  // namespace

int64_t rows_together(const ContractionSchedule& contraction) {
  const int64_t tile = contraction.tile.rows;
  // Sums over a window are in one order, whatever tile they are in.
  if (contraction.window) return tile;
  int64_t tiles = 1;
  for (const EdgeColumns& version : contraction.versions.columns)
    tiles = std::lcm(tiles, int64_t{version.blocks});
  // Rows that two blocks share have panels of their own height.
  const int64_t shared = (contraction.versions.balanced.most + tile - 1) / tile;
  return tile * tiles * std::max<int64_t>(1, (shared + tiles - 1) / tiles);
}

int64_t rows_together(const LoopPlan& schedule) {
  const int64_t first = rows_together(*schedule.contraction);
  return schedule.second ? std::lcm(first, rows_together(*schedule.second)) : first;
}

void pack_by_blocks(LoopPlan& schedule, int64_t block) {
  ContractionSchedule& contraction = *schedule.contraction;
  contraction.block_rows = block;
  if (!contraction.packs_rows()) return;
  const auto bytes = [&](const Dim& rows) {
    return ceildiv(rows * contraction.depth * 4, 64) * 64;
  };
  const Dim all = ceildiv(contraction.rows, contraction.tile.rows) * contraction.tile.rows;
  const Dim less = bytes(all) - bytes(min(all, block));
  BURIN_CHECK(contraction.a_offset.is_constant(0));
  for (LetPlace& place : schedule.places) {
    for (Dim& offset : place.offset) offset -= less;
  }
  schedule.scratch_bytes -= less;
}

std::optional<int64_t> given_block_rows(const ContractionSchedule& product, const Given& given) {
  const std::vector<int64_t>* const numbers = given.numbers("block rows");
  if (numbers == nullptr) return std::nullopt;
  const int64_t rows = (*numbers)[0];
  if (rows % rows_together(product) != 0) return std::nullopt;
  return proven_le(product.rows, rows) ? 0 : rows;
}

int64_t rows_in_block(const ContractionSchedule& contraction, const Hardware& hardware,
                      const Given& given) {
  if (contraction.a.is_prepacked || !contraction.a.element || !contraction.b.is_prepacked ||
      contraction.window || contraction.m < 0 || !given.may("block rows"))
    return 0;
  if (const std::optional<int64_t> block = given_block_rows(contraction, given)) return *block;
  const auto size = [](const Dim& dim) { return std::max<int64_t>(1, at_hints(dim)); };
  const int64_t near = working_set_bytes(hardware.memory), row = 4 * size(contraction.depth),
                tile = rows_together(contraction);
  // Dynamic rows may be as many as their range says: one block costs nothing.
  const Range range = contraction.rows.range();
  const int64_t usual = size(contraction.rows),
                most = range.bounded() ? std::max(usual, range.hi) : kMany;
  if (near == 0 || most <= near / row) return 0;
  bool usual_apart = usual > near / row;
  int64_t least = tile;
  // Nothing is packed: all that a block costs is that b comes again, from the last cache, and
  // without it all rows come again for every block of columns.
  if (contraction.a_unpacked) {
    const int64_t width = contraction.tile.columns(), columns = size(contraction.columns);
    if (columns <= width || near / row / tile * tile <= width ||
        columns * row > back_to_back_room(hardware).cached_bytes)
      return 0;
  } else if (const int64_t columns = size(contraction.columns) * row; columns > near) {
    const BackToBackRoom room = back_to_back_room(hardware);
    const int64_t far = room.cached_bytes > 0 ? room.cached_bytes : 4 * near;
    if (most <= far / row) return 0;
    usual_apart = usual > far / row;
    least = columns <= far ? room.least_rows : room.distant_rows;
  }
  int64_t block = std::max(tile, std::max(near / row, least) / tile * tile);
  if (!usual_apart) block = std::max(block, (usual + tile - 1) / tile * tile);
  // Blocks of one height, so that none has few rows for all of b.
  if (contraction.a_unpacked && contraction.rows.is_constant()) {
    const int64_t blocks = (usual + block - 1) / block, even = (usual + blocks - 1) / blocks;
    block = (even + tile - 1) / tile * tile;
  }
  return proven_le(contraction.rows, block) ? 0 : block;
}

std::string check_row_blocks(const LoopPlan& schedule) {
  if (!schedule.contraction || schedule.contraction->block_rows == 0) return "";
  const ContractionSchedule& contraction = *schedule.contraction;
  const int64_t block = contraction.block_rows, tile = contraction.tile.rows;
  if (contraction.m < 0 || contraction.window) return "blocks of rows of which there is one";
  if (block % rows_together(schedule) != 0)
    return "a block of rows ends inside of those that are multiplied together";
  if (!contraction.b.is_prepacked) return "panels of columns are packed for each block of rows";
  if (!contraction.packs_rows()) return "";
  // Panels of the first block, as the kernel numbers them.
  for (const Sample sample : kSamples) {
    const auto size = [&](const Dim& dim) { return std::max<int64_t>(0, at_sample(dim, sample)); };
    const int64_t rows = std::min(block, size(contraction.rows));
    const int64_t begin = size(contraction.a_offset),
                  end = begin + 4 * size(contraction.depth) * ((rows + tile - 1) / tile * tile);
    if (end > size(schedule.scratch_bytes)) return "panels of a block are larger than scratch";
    for (const LetPlace& place : schedule.places) {
      for (const Dim& offset : place.offset) {
        if (!place.scalar && size(offset) >= begin && size(offset) < end)
          return "panels of a block reach into a let";
      }
    }
  }
  return "";
}

}  // namespace burin
