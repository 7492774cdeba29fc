#include "select/tiles/register_tile.h"

#include <bit>
#include <set>

#include "cost/issue.h"
#include "select/tiles/short_code.h"

namespace burin {
namespace {

// What a dynamic size may be, in eighths of its hint, and at most.
constexpr int64_t kEighths[] = {2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 14, 16, 20, 24, 32, 64, 512};
constexpr int64_t kMostJudged = 4096;
// What another tile costs at most, in percent, to be taken instead of that of the hints: costs are
// not worth more.
constexpr int64_t kClearlyLess = 95;
// Beyond so many rows or columns the last ones count for nothing.
constexpr int64_t kMostCounted = 65536;
// Of costs over the least one.
constexpr int64_t kRatio = 4096;
// Of a row of a tile that is given.
constexpr int64_t kMostVectors = 8;
// Blocks of rows that are read at the same time.
constexpr int64_t kMostBlocks = 4;
// Of a tile whose code is short: four rows of four are half as many loads as multiplications, and
// more sums are more code and little less work.
constexpr int kMostBriefRows = 4;
// Rows that are read like one: products of so few wait for constants, not for multiplications.
constexpr int kFewRows = 2;

// Less by more than what roundings leave of equal costs.
bool is_less(int64_t cost, int64_t than) { return cost * 1000 < than * 999; }

// Accumulators, one row of b, and one factor in flight.
bool fits(int rows, int vectors, const VectorUnit& unit) {
  return rows * vectors + vectors + 1 <= registers_of(unit);
}

template <class Judge>
void each_tile(const VectorUnit& unit, const EdgeOptions& edges, const Judge& judge) {
  for (int vectors = 1; vectors <= 4; ++vectors) {
    for (int rows = 1; rows <= 14; ++rows) {
      if (!fits(rows, vectors, unit)) continue;
      if (edges.whole_rows && !std::has_single_bit(static_cast<unsigned>(rows))) continue;
      judge(Tile{rows, vectors, lanes_of(unit), choose_accumulators(rows, vectors, unit, edges)});
    }
  }
}

// Of the last columns: as many blocks of rows at a time as make a row cheapest, or one with
// several accumulators.
EdgeColumns edge_columns(int vectors, const Dim& rows, const Tile& tile, const VectorUnit& unit,
                         const EdgeOptions& edges) {
  EdgeColumns best{vectors, 1, choose_accumulators(tile.rows, vectors, unit, edges)};
  if (!edges.blocks) return best;
  const std::optional<int64_t> known = rows.as_constant();
  const int64_t most = known ? (*known + tile.rows - 1) / tile.rows : kMostBlocks;
  int64_t least = cost_of_step(tile.rows, vectors, best.accumulators, unit);
  for (int blocks = 2; blocks <= std::min(kMostBlocks, most); ++blocks) {
    if (!fits(tile.rows * blocks, vectors, unit)) break;
    const int64_t cost = cost_of_step(tile.rows * blocks, vectors, 1, unit) / blocks;
    if (!is_less(cost, least)) continue;
    best = {vectors, blocks, 1};
    least = cost;
  }
  return best;
}

// The size itself, or the sizes near its hint and above that its symbols allow.
std::vector<int64_t> likely_sizes(const Dim& size) {
  const int64_t usual = at_least_one(size);
  if (size.is_constant()) return {usual};
  const Range range = size.range();
  std::vector<int64_t> out;
  for (const int64_t eighths : kEighths) {
    const int64_t one = usual < kMostJudged ? usual * eighths / 8 : usual;
    if (one < std::max<int64_t>(1, range.lo) || one > std::min(range.hi, kMostJudged)) continue;
    if (out.empty() || one > out.back()) out.push_back(one);
  }
  if (out.empty()) out.push_back(usual);
  return out;
}

// Two blocks of a version for one or a few rows more than the tile has, of which a single one would
// cost least.
BalancedRemainder choose_balanced(const Dim& rows, const Tile& tile,
                                  const std::vector<Version>& versions, const VectorUnit& unit) {
  const Range range = rows.range();
  if (versions.empty()) return {};
  const auto cost = [&](const Version& version) {
    return cost_of_step(version.rows, tile.vectors, version.accumulators, unit);
  };
  const int64_t apart = cost({tile.rows, tile.accumulators}) + cost(versions.front());
  for (const Version& half : versions) {
    const int most = 2 * half.rows;
    if (most <= tile.rows || range.lo > most || range.hi <= tile.rows) continue;
    if (2 * cost(half) < apart) return {half.rows, most, half.accumulators};
  }
  return {};
}

struct TileCandidate {
  Tile tile;
  Versions versions;
  int64_t behind = 0;  // sum over all likely sizes, each over the best of that size
};

// For so many rows and columns, the last of them by the versions that are there for them.
int64_t cost_of(const Tile& tile, const Versions& versions, int64_t rows, int64_t columns,
                const VectorUnit& unit) {
  rows = std::min(rows, kMostCounted);
  columns = std::min(columns, kMostCounted);
  const int64_t full_rows = rows / tile.rows, last_rows = rows % tile.rows;
  const int64_t full_columns = columns / tile.columns(), last_columns = columns % tile.columns();
  if (versions.balanced.rows > 0 && rows > tile.rows && rows <= versions.balanced.most) {
    const int64_t blocks = (rows + versions.balanced.rows - 1) / versions.balanced.rows;
    return blocks * ((columns + tile.columns() - 1) / tile.columns()) *
           cost_of_step(versions.balanced.rows, tile.vectors, versions.balanced.accumulators, unit);
  }
  int64_t cost = 0;
  if (full_rows > 0) {
    int64_t row = full_columns * cost_of_step(tile.rows, tile.vectors, tile.accumulators, unit);
    if (last_columns > 0) {
      const auto edge_widths = std::find_if(
          versions.columns.begin(), versions.columns.end(), [&](const EdgeColumns& one) {
            return int64_t{one.vectors} * tile.lanes >= last_columns;
          });
      const EdgeColumns last = edge_widths == versions.columns.end()
                                   ? EdgeColumns{tile.vectors, 1, tile.accumulators}
                                   : *edge_widths;
      row += cost_of_step(tile.rows * last.blocks, last.vectors, last.accumulators, unit) /
             last.blocks;
    }
    cost += full_rows * row;
  }
  if (last_rows > 0) {
    const auto version = std::find_if(versions.rows.begin(), versions.rows.end(),
                                      [&](const Version& one) { return one.rows >= last_rows; });
    const Version last =
        version == versions.rows.end() ? Version{tile.rows, tile.accumulators} : *version;
    cost += cost_of_step(last.rows, tile.vectors, last.accumulators, unit) *
            ((columns + tile.columns() - 1) / tile.columns());
  }
  return cost;
}

}  // namespace

SumsGo where_sums_go(const Hardware& hardware) {
  constexpr int kFewRegisters = 16;
  if (short_code(hardware)) return SumsGo::array;
  return registers_of(hardware.vector) <= kFewRegisters ? SumsGo::outlined : SumsGo::registers;
}

int choose_accumulators(int rows, int vectors, const VectorUnit& unit, const EdgeOptions& edges) {
  int accumulators = 1;
  const int busy = unit.fma_per_cycle * unit.fma_latency_cycles;
  while (accumulators < edges.accumulators && accumulators * rows * vectors < busy &&
         fits((accumulators + 1) * rows, vectors, unit))
    ++accumulators;
  return accumulators;
}

int64_t cost_of_step(int rows, int vectors, int accumulators, const VectorUnit& unit) {
  return cost::issue_of_step(rows, vectors, accumulators, unit).cycles(unit);
}

int lanes_of(const VectorUnit& unit) { return std::clamp(unit.lanes(4), 4, 16); }

int registers_of(const VectorUnit& unit) {
  return std::max(8, unit.vector_bytes ? unit.registers : 16);
}

std::optional<Tile> given_tile(const std::vector<int64_t>* numbers, size_t first,
                               const VectorUnit& unit, const Dim& all_rows) {
  if (numbers == nullptr || numbers->size() < first + 2) return std::nullopt;
  const int64_t rows = (*numbers)[first], vectors = (*numbers)[first + 1];
  if (rows < 1 || vectors < 1 || rows > registers_of(unit) || vectors > kMostVectors)
    return std::nullopt;
  if (rows > std::max<int64_t>(1, all_rows.range().hi)) return std::nullopt;
  const Tile tile{static_cast<int>(rows), static_cast<int>(vectors), lanes_of(unit), 1};
  return fits(tile.rows, tile.vectors, unit) ? std::optional(tile) : std::nullopt;
}

namespace {

// Rows of edge tiles as they are given, ascending; nullopt: not so.
std::optional<std::set<int>> given_rows(const Given& given, const Tile& tile) {
  const std::vector<int64_t>* const numbers = given.numbers("specialise rows");
  if (numbers == nullptr) return std::nullopt;
  std::set<int> out;
  for (const int64_t rows : *numbers) {
    if (rows >= 1 && rows < tile.rows) out.insert(static_cast<int>(rows));
  }
  return out;
}

// Of the last columns, as they are given: pairs of vectors and blocks of rows.
std::optional<std::vector<EdgeColumns>> given_columns(const Given& given, const Tile& tile,
                                                      const VectorUnit& unit,
                                                      const EdgeOptions& edges) {
  const std::vector<int64_t>* const numbers = given.numbers("specialise columns");
  if (numbers == nullptr || numbers->size() % 2 != 0) return std::nullopt;
  std::vector<EdgeColumns> out;
  for (size_t i = 0; i < numbers->size(); i += 2) {
    const int64_t vectors = (*numbers)[i], blocks = (*numbers)[i + 1];
    const bool ascending = out.empty() ? vectors >= 1 : vectors > out.back().vectors;
    if (!ascending || vectors >= tile.vectors || blocks < 1 || blocks > kMostBlocks ||
        (blocks > 1 && !edges.blocks) ||
        !fits(tile.rows * static_cast<int>(blocks), static_cast<int>(vectors), unit))
      return std::nullopt;
    EdgeColumns one{static_cast<int>(vectors), static_cast<int>(blocks), 1};
    if (blocks == 1) one.accumulators = choose_accumulators(tile.rows, one.vectors, unit, edges);
    out.push_back(one);
  }
  return out;
}

}  // namespace

Versions choose_versions(const Dim& rows, const Dim& columns, const Tile& tile,
                         const VectorUnit& unit, const EdgeOptions& edges, const Given& given) {
  Versions out;
  if (edges.rows && given.may("specialise rows")) {
    // A single row is what decoding has, one word after the other.
    const int64_t usual = at_least_one(rows);
    std::set<int> wanted = {1, 2, 4, std::max(std::min(4, tile.rows - 1), tile.rows / 2)};
    if (const std::optional<int64_t> last = mod(rows, tile.rows).as_constant())
      wanted = {static_cast<int>(*last)};
    else if (usual < tile.rows)
      wanted.insert(static_cast<int>(usual));  // all that there are as a rule
    const std::optional<std::set<int>> given_ones = given_rows(given, tile);
    for (const int fewer : given_ones ? *given_ones : wanted) {
      const bool pays = given_ones || (fewer > 0 && fewer * 4 <= tile.rows * 3);
      if (!pays) continue;
      const bool may = edges.small_m && !rows.is_constant() && rows.range().lo <= fewer;
      const int accumulators = choose_accumulators(fewer, tile.vectors, unit, edges);
      out.rows.push_back({fewer, accumulators, may && (accumulators > 1 || fewer <= kFewRows)});
    }
    if (edges.small_m && !rows.is_constant() && given.may("balance"))
      out.balanced = choose_balanced(rows, tile, out.rows, unit);
  }
  if (edges.vectors && given.may("specialise columns")) {
    if (std::optional<std::vector<EdgeColumns>> ones = given_columns(given, tile, unit, edges)) {
      out.columns = std::move(*ones);
      return out;
    }
    // Of the last columns the number is known, or any of them may be wanted.
    const int64_t unknown = -1;
    const int64_t last =
        edges.ends_vary ? unknown : mod(columns, tile.columns()).as_constant().value_or(unknown);
    for (int vectors = 1; vectors < tile.vectors; ++vectors) {
      const bool enough = last <= int64_t{vectors} * tile.lanes,
                 needed = last > int64_t{vectors - 1} * tile.lanes;
      if (last != unknown && !(enough && needed)) continue;
      out.columns.push_back(edge_columns(vectors, rows, tile, unit, edges));
    }
  }
  return out;
}

Tile choose_tile(int64_t rows, int64_t columns, const VectorUnit& unit, int given_vectors,
                 const EdgeOptions& edges) {
  Tile best;
  int64_t least = 0;
  each_tile(unit, edges, [&](const Tile& tile) {
    if ((given_vectors > 0 && tile.vectors != given_vectors) ||
        tile.rows > std::max<int64_t>(1, rows))
      return;
    if (edges.brief && (tile.vectors > 1 || tile.rows > kMostBriefRows)) return;
    const int64_t cost =
        cost_of(tile, choose_versions(rows, columns, tile, unit, edges), rows, columns, unit);
    if (least != 0 && !is_less(cost, least)) return;
    least = cost;
    best = tile;
  });
  return best;
}

Tile choose_tile(const Dim& rows, const Dim& columns, const VectorUnit& unit,
                 const EdgeOptions& edges, const Given& given) {
  if (std::optional<Tile> tile = given_tile(given.numbers("tile"), 0, unit, rows)) {
    tile->accumulators = choose_accumulators(tile->rows, tile->vectors, unit, edges);
    return *tile;
  }
  const Tile usual = choose_tile(at_least_one(rows), at_least_one(columns), unit, 0, edges);
  if (edges.brief || (rows.is_constant() && columns.is_constant())) return usual;
  const std::vector<int64_t> heights = likely_sizes(rows), widths = likely_sizes(columns);
  std::vector<TileCandidate> candidates;
  each_tile(unit, edges, [&](const Tile& tile) {
    candidates.push_back({tile, choose_versions(rows, columns, tile, unit, edges), 0});
  });
  std::vector<int64_t> costs(candidates.size());
  for (const int64_t height : heights) {
    for (const int64_t width : widths) {
      for (size_t i = 0; i < candidates.size(); ++i)
        costs[i] = cost_of(candidates[i].tile, candidates[i].versions, height, width, unit);
      const int64_t least = *std::min_element(costs.begin(), costs.end());
      for (size_t i = 0; i < candidates.size(); ++i)
        candidates[i].behind += costs[i] * kRatio / least;
    }
  }
  // That of the hints stays unless another one is better by more than the costs are worth, or
  // better at all and as good at the hints.
  const TileCandidate* best =
      &*std::find_if(candidates.begin(), candidates.end(),
                     [&](const TileCandidate& one) { return one.tile == usual; });
  const auto at_the_hints = [&](const TileCandidate& one) {
    return cost_of(one.tile, one.versions, at_least_one(rows), at_least_one(columns), unit);
  };
  const int64_t usually = at_the_hints(*best), trusted = best->behind * kClearlyLess / 100;
  int64_t least = best->behind;
  for (const TileCandidate& one : candidates) {
    const bool worse_usually = is_less(usually, at_the_hints(one));
    if (!is_less(one.behind, least) || (one.behind >= trusted && worse_usually)) continue;
    best = &one;
    least = one.behind;
  }
  return best->tile;
}

}  // namespace burin
