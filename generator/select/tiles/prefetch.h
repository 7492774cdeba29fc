// How far ahead tiles ask for panels of constants (isa/prefetch_row.h).
//
// A network reads each weight once in a run: what all weights of a network take comes from memory,
// and a tile whose panels are streamed would wait for every few lines. Processors follow such
// streams, but not as far as memory is away.
#pragma once

#include <optional>

#include "hardware/hardware.h"
#include "select/tiles/register_tile.h"

namespace burin {

inline constexpr int64_t kMostPrefetchBytes = 1 << 16;

// Of constant panels: whether they have the tile's rows, else its columns; all their bytes; the
// cache, counted from the nearest, in which they are found again if it holds them.
struct StreamedPanels {
  bool of_rows = false;
  int64_t bytes = 0;
  size_t found_in = 0;
};

// Bytes of the steps of a tile's depth in which a line comes from memory, twice. 0: the description
// does not say how long a line takes, or panels are found again. `given`: the number of a verb,
// instead, or nullopt.
int prefetch_bytes(const Tile& tile, const StreamedPanels& panels, const Hardware& hardware,
                   const std::optional<int64_t>& given = {});

}  // namespace burin
