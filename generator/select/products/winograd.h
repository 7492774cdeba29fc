// Convolutions by Winograd's minimal filtering: a plane in tiles of m x m results, each from a
// window of (m + r - 1) x (m + r - 1) elements, and fewer products than results have taps.
//
// The kernel gets axes of tiles, and of results in a tile. Its operand is read through a window of
// the tiles (select/tiles/window.h), whose stride is m and whose rows are whole, one plane at a
// time, and transformed on its way into panels; filters are transformed now:
//
//   for a band of tiles:
//     for each plane:        stage its rows;  rows of points;  values[point][plane][tile]
//     for each point:        sums[point][row][tile] = filters[point][row][plane] * values
//     for each row:          results of its tiles, with what is made of them
//
// or, where panels of all points would not stay in a cache, all rows of a point before the next
// point. Tiles run through the rows of tiles without a break, one in vain between two rows. Every
// step is over neighbouring tiles or neighbouring columns: vectors.
#pragma once

#include <optional>
#include <vector>

#include "hardware/hardware.h"
#include "kernel/kernel.h"
#include "select/products/winograd_matrices.h"
#include "select/tiles/register_tile.h"
#include "select/tiles/window.h"

namespace burin {

struct Contraction;

// Along both axes of a plane.
inline constexpr int kWinogradTaps = 3;

// What the verb "winograd" says.
struct WinogradChoice {
  int outputs = 0;         // of a tile along an axis
  int64_t band = 1;        // rows of tiles that are done together
  bool by_points = false;  // all rows of a point before the next one
  bool operator==(const WinogradChoice&) const = default;
};

struct Winograd {
  WinogradChoice choice;
  int taps = kWinogradTaps;
  int row = -1, column = -1;        // axes: of a result in its tile
  Dim plane_rows, plane_columns;    // results
  std::vector<int> planes, filter;  // reduced axes: those that are no taps; taps of rows, columns
  Dim depth = 1;                    // of the planes
  // Offsets in scratch: rows of points, and with their phases apart; values; sums; columns of
  // results of each row of points, and with their phases together.
  Dim rows_at = 0, phases_at = 0, values_at = 0, sums_at = 0, columns_at = 0, results_at = 0;
  bool operator==(const Winograd&) const = default;

  WinogradMatrices matrices() const { return winograd_matrices(choice.outputs, taps); }
  int points() const { return choice.outputs + taps - 1; }
};

// Places of a band, a tile in each but for those between rows; the same in whole vectors, with what
// the last tile reads; in whole panels.
Dim winograd_places(const SlidingWindow& window);
Dim winograd_reach(const SlidingWindow& window, const Tile& tile);
Dim winograd_panels(const SlidingWindow& window, const Tile& tile);
// Tiles of the last panel of a band, and of that of the last band.
std::vector<EdgeColumns> winograd_edges(const SlidingWindow& window, const Tile& tile);

struct WinogradPlane {
  SlidingWindow window;
  Winograd form;
};
// The window of tiles of `element` over the result axes `outputs` (`columns` is the contiguous
// one) and the axes `reduced`; nullopt where that is no convolution of neighbouring elements by 3
// taps along both axes of a plane of known size. Axes are appended to the kernel, those of the
// plane become those of its tiles (tile_plane says so of what reads them).
std::optional<WinogradPlane> find_winograd(const Expr& element, const std::vector<int>& outputs,
                                           int columns, const std::vector<int>& reduced,
                                           Kernel& kernel, const Memory& memory,
                                           const WinogradChoice& choice);

// The choice of a verb's numbers; nullopt: there is none, or it is none of these.
std::optional<WinogradChoice> given_winograd(const Given& given);

// The let and the write of a kernel over tiles of the plane instead of the plane.
void tile_plane(Kernel& kernel, const SlidingWindow& window, const Winograd& form);

// Offsets of what the kernel keeps in scratch; `bytes` grows by them.
void lay_out_winograd(Contraction& contraction);

// The filters as constants: transformed, [batch][blocks][points][depth][rows], or with the points
// before the blocks. Factor a becomes what they were made of again, to rounding.
void prepack_winograd(Contraction& contraction, std::vector<Value>& values, bool with_data);
// Bytes of these constants.
int64_t winograd_bytes(const Contraction& contraction);

}  // namespace burin
