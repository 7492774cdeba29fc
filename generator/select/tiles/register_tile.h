// The register tile of a product: rows x vectors of accumulators, with one row of b and one factor
// (YFlows: output anchored, weights and inputs auxiliary).
#pragma once

#include <algorithm>
#include <optional>
#include <vector>

#include "hardware/hardware.h"
#include "kernel/index/index.h"
#include "select/verbs/verbs.h"

namespace burin {

struct Tile {
  int rows = 1;          // of the tile
  int vectors = 1;       // per row
  int lanes = 4;         // per vector
  int accumulators = 1;  // of an element: points of the depth that are summed apart
  int columns() const { return vectors * lanes; }
  bool operator==(const Tile&) const = default;
};

// A size at the hints of its symbols, for costs.
inline int64_t at_least_one(const Dim& dim) { return std::max<int64_t>(1, at_hints(dim)); }

// An edge tile: fewer rows, over the same panels. A small-M tile (GEMV for one row) is all that
// runs where all rows are so few, over rows that are packed as closely.
struct Version {
  int rows = 1;
  int accumulators = 1;
  bool small_m = false;
  bool operator==(const Version&) const = default;
};

// An edge tile of fewer vectors, for the last columns. It takes several blocks of rows at a time,
// whose sums keep the pipes busy, or the accumulators that do.
struct EdgeColumns {
  int vectors = 1;
  int blocks = 1;
  int accumulators = 1;
  bool operator==(const EdgeColumns&) const = default;
};

// A balanced remainder: where all rows are more than a tile has, and at most `most`, blocks of
// `rows` share them. A tile and the rest would cost more. rows 0: nowhere.
struct BalancedRemainder {
  int rows = 0;
  int most = 0;
  int accumulators = 1;
  bool operator==(const BalancedRemainder&) const = default;
};

// The edges of a product (SoD2's fat, regular and skinny versions, 4.4.2).
struct Versions {
  std::vector<Version> rows;         // for a last block of so few rows, ascending
  std::vector<EdgeColumns> columns;  // for a last block of so few columns, ascending
  BalancedRemainder balanced;        // of rows that one of `rows` takes
  bool operator==(const Versions&) const = default;
};

// Which edge tiles there may be: of fewer rows; small-M tiles, where all panels of b are there at
// once; of fewer vectors; these over several blocks of rows. `ends_vary`: the
// columns end in several places, each band of a window in its own. `accumulators`: the most that
// tiles may have for an element. `brief`: code is short, so a tile has one vector a row, of few
// rows. `whole_rows`: all rows of a tile are one vector, or several.
struct EdgeOptions {
  bool rows = false, small_m = false, vectors = false, blocks = false, ends_vary = false;
  bool brief = false;
  bool whole_rows = false;
  int accumulators = 1;
};
inline constexpr int kMostAccumulators = 16;

// `given`: verbs "specialise rows", "specialise columns", "balance".
Versions choose_versions(const Dim& rows, const Dim& columns, const Tile& tile,
                         const VectorUnit& unit, const EdgeOptions& edges, const Given& given = {});

// What a tile may take: lanes of a vector and registers, of which there is always something.
int lanes_of(const VectorUnit& unit);
int registers_of(const VectorUnit& unit);
// Where the sums of a tile go. A constant that a compiler keeps for the loops around costs an
// accumulator its register, and the product a third of its speed, where a tile takes all registers
// but one of 16: then it is a function of its own. Of 32, with factors from memory, none is
// spilled.
enum class SumsGo : uint8_t {
  registers,  // results leave from them, where a tile is whole; else through an array
  array,      // of the function, always: code is shortest so
  outlined,   // likewise, by a function of its own
};
SumsGo where_sums_go(const Hardware& hardware);
// One step of the depth, as cost/ has it, in parts of a cycle (cost::kCycle).
int64_t cost_of_step(int rows, int vectors, int accumulators, const VectorUnit& unit);
// Points of the depth that a tile sums apart, so that multiplications do not wait for each other:
// one, or as many as keep the pipes busy and registers hold.
int choose_accumulators(int rows, int vectors, const VectorUnit& unit, const EdgeOptions& edges);

// The shape of the tile for a product of these sizes; of `given_vectors` vectors a row unless 0.
// The one with the least cycles, padding included.
Tile choose_tile(int64_t rows, int64_t columns, const VectorUnit& unit, int given_vectors = 0,
                 const EdgeOptions& edges = {});

// The same where sizes are known to the run only: the tile of their hints, or one that is clearly
// less behind the best of each likely size, on average, with its versions: a network that usually
// decodes one word reads a long prompt well. `given`: verb "tile".
Tile choose_tile(const Dim& rows, const Dim& columns, const VectorUnit& unit,
                 const EdgeOptions& edges, const Given& given = {});

// The tile that a verb gives in its numbers (may be null): rows at `first`, then vectors. nullopt:
// it gives none, registers do not hold it, or it has more rows than there can be.
std::optional<Tile> given_tile(const std::vector<int64_t>* numbers, size_t first,
                               const VectorUnit& unit, const Dim& rows);

}  // namespace burin
