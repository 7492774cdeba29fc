#include "select/tile.h"

namespace burin {
namespace {

// What a size that only the run knows may be, in eighths of its hint, and at most.
constexpr int64_t kEighths[] = {2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 14, 16, 20, 24, 32, 64, 512};
constexpr int64_t kMostJudged = 4096;
// Costs that differ by less are the same.
constexpr double kTrusted = 0.95;

// Cycles of one step of the depth: multiplications at the pipes' rate, loads of b and broadcasts of
// a at theirs; fewer accumulators than the pipes' latency leave them waiting.
double cycles_of_step(int rows, int vectors, const VectorUnit& unit) {
  const double multiplies = static_cast<double>(rows * vectors) / unit.fma_per_cycle;
  const double loads = static_cast<double>(rows + vectors) / unit.loads_per_cycle;
  const double wait = unit.fma_latency_cycles;
  const double exposed = unit.exposed_load_percent / 100.0 * (rows + 2 * vectors);
  return std::max({multiplies, loads, wait}) + exposed;
}

int lanes_of(const VectorUnit& unit) { return std::clamp(unit.lanes(4), 4, 16); }

// Accumulators, one row of b, and one factor in flight.
bool fits(int rows, int vectors, const VectorUnit& unit) {
  const int registers = std::max(8, unit.vector_bytes ? unit.registers : 16);
  return rows * vectors + vectors + 1 <= registers;
}

template <class Judge>
void each_tile(const VectorUnit& unit, const Judge& judge) {
  for (int vectors = 1; vectors <= 4; ++vectors) {
    for (int rows = 1; rows <= 14; ++rows) {
      if (fits(rows, vectors, unit)) judge(Tile{rows, vectors, lanes_of(unit)});
    }
  }
}

// Cycles for so many rows, the last of them by the version that is there for them.
double cycles_of(const Tile& tile, const std::vector<int>& fewer, int64_t rows, int64_t columns,
                 const VectorUnit& unit) {
  const int64_t full = rows / tile.rows, rest = rows % tile.rows;
  double cycles = static_cast<double>(full) * cycles_of_step(tile.rows, tile.vectors, unit);
  if (rest > 0) {
    const auto version = std::find_if(fewer.begin(), fewer.end(),
                                      [&](int version_rows) { return version_rows >= rest; });
    cycles += cycles_of_step(version == fewer.end() ? tile.rows : *version, tile.vectors, unit);
  }
  return cycles * static_cast<double>((columns + tile.columns() - 1) / tile.columns());
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

struct Candidate {
  Tile tile;
  std::vector<int> fewer;
  double behind = 0;  // sum over all likely sizes, each over the best of that size
};

}  // namespace

Tile choose_tile(int64_t rows, int64_t columns, const VectorUnit& unit, int given_vectors) {
  Tile best;
  double best_cycles = 0;
  each_tile(unit, [&](const Tile& tile) {
    if (given_vectors > 0 && tile.vectors != given_vectors) return;
    const double cycles = cycles_of(tile, {}, rows, columns, unit);
    if (best_cycles != 0 && cycles >= best_cycles * 0.999) return;
    best_cycles = cycles;
    best = tile;
  });
  return best;
}

Tile choose_tile(const Dim& rows, const Dim& columns, const VectorUnit& unit, bool versions) {
  if (rows.is_constant() && columns.is_constant())
    return choose_tile(at_least_one(rows), at_least_one(columns), unit);
  const std::vector<int64_t> heights = likely_sizes(rows), widths = likely_sizes(columns);
  std::vector<Candidate> candidates;
  each_tile(unit, [&](const Tile& tile) {
    candidates.push_back(
        {tile, versions ? choose_fewer_rows(rows, tile.rows) : std::vector<int>{}, 0});
  });
  std::vector<double> cycles(candidates.size());
  for (const int64_t height : heights) {
    for (const int64_t width : widths) {
      for (size_t i = 0; i < candidates.size(); ++i)
        cycles[i] = cycles_of(candidates[i].tile, candidates[i].fewer, height, width, unit);
      const double least = *std::min_element(cycles.begin(), cycles.end());
      for (size_t i = 0; i < candidates.size(); ++i) candidates[i].behind += cycles[i] / least;
    }
  }
  // That of the hints stays unless another one is better by more than the costs are worth.
  const Tile usual = choose_tile(at_least_one(rows), at_least_one(columns), unit);
  const Candidate* best = &*std::find_if(candidates.begin(), candidates.end(),
                                         [&](const Candidate& one) { return one.tile == usual; });
  double asked = best->behind * kTrusted;
  for (const Candidate& one : candidates) {
    if (one.behind >= asked) continue;
    best = &one;
    asked = one.behind * 0.999;
  }
  return best->tile;
}

std::vector<int> choose_fewer_rows(const Dim& rows, int tile) {
  std::vector<int> out;
  // A single row is what decoding has, one word after the other.
  std::vector<int> wanted = {1, tile / 2};
  if (const std::optional<int64_t> last = mod(rows, tile).as_constant())
    wanted = {static_cast<int>(*last)};
  for (const int fewer : wanted) {
    const bool pays = fewer > 0 && fewer * 2 <= tile;
    if (pays && (out.empty() || fewer > out.back())) out.push_back(fewer);
  }
  return out;
}

}  // namespace burin
